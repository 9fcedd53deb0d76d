// Clips, put at one time of the scene.
import { Animation } from "@babylonjs/core/Animations/animation.js";
import { AnimationGroup } from "@babylonjs/core/Animations/animationGroup.js";
import { AnimationKeyInterpolation } from "@babylonjs/core/Animations/animationKey.js";
import "@babylonjs/core/Animations/animatable.js";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Reader } from "./document.mjs";

const fps = 60;

const properties = {
    position: "position", "position.x": "position.x", "position.y": "position.y", "position.z": "position.z", scaling: "scaling",
    rotation: "rotationQuaternion", euler: "rotation", "euler.x": "rotation.x", "euler.y": "rotation.y", "euler.z": "rotation.z",
};

/** The weight of a clip at t seconds. */
function weightAt(f, t) {
    if (!f) return 1;
    const [from, to, start, duration] = [f.from ?? 0, f.to ?? 0, f.start ?? 0, f.duration ?? 0];
    if (duration <= 0 || t >= start + duration) return to;
    return t <= start ? from : from + ((to - from) * (t - start)) / duration;
}

export function animations(world, list) {
    const weighted = list.some((a) => a.weight);
    list.forEach((o, i) => {
        const r = new Reader(o, `scene.animations[${i}]${o.name ? ` "${o.name}"` : ""}`);
        if (r.get("stopped", false)) return;
        const group = new AnimationGroup(r.get("name", ""), world.scene);
        let last = 0;
        for (const [k, t] of r.get("tracks", []).entries()) {
            const track = new Reader(t, `${r.at}.tracks[${k}]`);
            const target = world.nodes.get(track.get("node"));
            if (!target) track.refuse("node", "the node is not in the scene");
            group.addTargetedAnimation(clip(track), target);
            last = Math.max(last, t.times[t.times.length - 1]);
        }
        const [from, to] = [r.get("from", 0), r.or("to", last)];
        const [speed, start, loop] = [r.or("speed", 1), r.get("start", 0), r.get("loop", "repeat")];
        const weight = r.get("weight");
        r.done();
        group.weight = weighted ? weightAt(weight, world.time) : -1;
        group.start(true, 1, from * fps, to * fps);
        world.clips.push((time) => {
            if (weighted) group.weight = weightAt(weight, time);
            group.goToFrame(frameAt(time, from, to, speed, start, loop) * fps, weighted);
            group.pause();
        });
    });
}

/** Seconds in a clip at t seconds of the scene. */
export function frameAt(t, from, to, speed, start, loop) {
    const span = to - from;
    if (span <= 0) return from;
    let x = Math.max(0, (t - start) * speed);
    if (x > span) x = loop === "once" ? span : x % span || span;
    return from + x;
}

function clip(track) {
    const path = track.get("path");
    const property = properties[path];
    if (!property) track.refuse("path", `Babylon.js is not given tracks of ${path}`);
    const [times, values] = [track.get("times", []), track.get("values", [])];
    const interp = track.get("interp", "linear");
    const width = path === "rotation" ? 4 : property.includes(".") ? 1 : 3;
    const type = { 1: Animation.ANIMATIONTYPE_FLOAT, 3: Animation.ANIMATIONTYPE_VECTOR3, 4: Animation.ANIMATIONTYPE_QUATERNION }[width];
    const a = new Animation(track.at, property, fps, type, Animation.ANIMATIONLOOPMODE_CYCLE);
    const at = (i) => {
        const v = values.slice(i * width, i * width + width);
        return width === 1 ? v[0] : width === 3 ? new Vector3(...v) : new Quaternion(...v);
    };
    a.setKeys(
        times.map((t, i) => {
            const frame = t * fps;
            if (interp === "step") return { frame, value: at(i), interpolation: AnimationKeyInterpolation.STEP };
            if (interp !== "cubic") return { frame, value: at(i) };
            // Tangents of glTF are per second, the engine's per frame.
            const scaled = (x) => (width === 1 ? x / fps : x.scale(1 / fps));
            return { frame, inTangent: scaled(at(i * 3)), value: at(i * 3 + 1), outTangent: scaled(at(i * 3 + 2)) };
        })
    );
    track.skip("width");
    track.done();
    return a;
}
