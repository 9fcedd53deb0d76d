// Meshes that move by baked clips. The engine's own manager of them neither
// mixes clips nor takes a frame for each instance that lies between others, so
// every instance is a mesh with a skeleton, posed as the clips say.
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Reader } from "./document.mjs";
import { bones } from "./skeleton.mjs";

/** Whether one of a mesh's features is a baked skin. */
export const bakes = (world, features) => features.some((i) => world.doc.json.features?.[i]?.type === "bakedSkin");

/** Has mesh n drawn as the instances and the clips of its features say; floats reads a buffer. */
export function crowd(world, n, features, at, floats) {
    const of = (type) => {
        const k = features.find((i) => world.doc.entry("features", i, at).type === type);
        return k === undefined ? undefined : new Reader(world.doc.entry("features", k, at), `features[${k}]`);
    };
    const [skin, thin] = [of("bakedSkin"), of("instances")];
    if (features.length > (thin ? 2 : 1)) skin.refuse("", "baked clips are drawn with instances and nothing else");
    const [rows, joints] = poses(world, skin.sub("baked"));
    let [places, plays] = [[Matrix.Identity()], [play(skin.get("play"), skin)]];
    if (thin) {
        thin.skip("count", "cull", "colors");
        if (thin.object.colors !== undefined) thin.refuse("colors", "a crowd has no colours of its own here");
        const each = (list, size) => Array.from({ length: list.length / size }, (_, k) => list.slice(k * size, k * size + size));
        places = each(floats(thin.get("matrices"), thin.at), 16).map((m) => Matrix.FromArray(m));
        const values = Object.fromEntries(thin.get("values", []).map((v) => [v.name, each(floats(v.buffer, thin.at), 4)]));
        const { bakedClip: clips, bakedNext: next, ...others } = values;
        if (Object.keys(others).length) thin.refuse("values", "Babylon.js has no place for numbers of a user's own for each instance of such a material");
        plays = places.map((_, k) => (clips ? [clips[k], next[k]] : plays[0]));
        thin.done();
    }
    skin.done();
    const list = places.map((place, k) => {
        const m = n.clone(`${n.name} ${k}`, n, true);
        [m.rotationQuaternion, m.scaling, m.position] = [new Quaternion(), new Vector3(), new Vector3()];
        if (!place.decompose(m.scaling, m.rotationQuaternion, m.position)) throw new Error(`${at}: the matrix of instance ${k} has no inverse`);
        m.skeleton = bones(world, m.name, `${at} ${k}`, joints);
        world.beforePicture.push((time) => {
            const [clip, next] = plays[k];
            const [a, b, share] = [rows[row(clip, clip[2], time)], rows[row(next, clip[2], time)], next[2]];
            m.skeleton.bones.forEach((bone, j) => {
                bone.getLocalMatrix().copyFrom(a[j].scale(1 - share).add(b[j].scale(share)));
                bone.markAsDirty();
            });
        });
        return m;
    });
    // What is not drawn is still there for its box: shadows reach round all of a mesh's instances at once.
    if (thin) n.thinInstanceSetBuffer("matrix", Float32Array.from(places.flatMap((m) => [...m.asArray()])), 16, true);
    n.isVisible = false;
    world.crowds.set(n, [n, ...list]);
}

/** The baked matrices, by row and joint. */
function poses(world, r) {
    const t = new Reader(world.doc.entry("textures", r.get("texture"), r.at), `textures[${r.object.texture}]`);
    const source = t.sub("source");
    const joints = r.get("joints");
    r.skip("clips"); // what is played says which rows
    r.done();
    const texels = world.doc.blob({ ...source.get("levels")[0], elements: "f32", count: joints * 16 * source.get("height") }, "f32", source.at);
    return [Array.from({ length: source.get("height") }, (_, y) => Array.from({ length: joints }, (_, j) => Matrix.FromArray(texels, (y * joints + j) * 16))), joints];
}

/** What a mesh plays as a whole, as instances have it: first and last row, offset or share, frames a second. */
function play(p, r) {
    const rows = (c, third) => [c?.first ?? 0, (c?.first ?? 0) + (c?.frames ?? 1) - 1, third, c?.fps ?? 0];
    if (p?.clip === undefined) return [rows(undefined, 0), rows(undefined, 0)];
    const next = p.next?.frames ? p.next : p.clip;
    return [rows(p.clip, p.offset ?? 0), rows(next, p.blend ?? 0)];
}

/** The row of a clip at a time, in single precision as on the device. */
function row([first, last, , fps], offset, time) {
    const f = Math.fround;
    const [span, frame] = [Math.max(1, last - first + 1), f(f(offset) + f(f(time) * f(fps)))];
    return Math.trunc(Math.min(last, f(f(first + frame) - f(Math.floor(f(frame / span)) * span))));
}
