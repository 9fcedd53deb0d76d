// Tasks of the frame graph: passes that draw the scene or an effect into
// textures ahead of the picture, and a graph in place of the picture.
import { Constants } from "@babylonjs/core/Engines/constants.js";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial.js";
import { RenderTargetTexture } from "@babylonjs/core/Materials/Textures/renderTargetTexture.js";
import { Texture } from "@babylonjs/core/Materials/Textures/texture.js";
import { Color4 } from "@babylonjs/core/Maths/math.color.js";
import { PBRMaterialLoadingAdapter } from "@babylonjs/loaders/glTF/2.0/pbrMaterialLoadingAdapter.js";
import { TransmissionHelper } from "@babylonjs/loaders/glTF/2.0/Extensions/transmissionHelper.js";
import { camera } from "./camera.mjs";
import { Reader } from "./document.mjs";
import { effect } from "./effect.mjs";
import { material } from "./material.mjs";
import { drawn } from "./node.mjs";
import { gathering, process } from "./process.mjs";
import { shadow } from "./shadow.mjs";
import { stores, surfaces } from "./surfaces.mjs";
import { formats, sampler } from "./texture.mjs";

/**
 * A clear colour in steps of an 8-bit format: drivers round halves differently,
 * GPUs down, so it is rounded before they see it, on both sides.
 */
export function clear(c) {
    return new Color4(...c.map((x) => Math.ceil(Math.min(1, Math.max(0, Math.fround(x))) * 255 - 0.5) / 255));
}

/** The engine's target for texture number i, made where it is not there yet. */
function target(world, i, at) {
    const known = world.targets.get(i);
    if (known) return known;
    const texture = new Reader(world.doc.entry("textures", i, at), `textures[${i}]`);
    const source = texture.sub("source");
    if (!source || texture.object.source.type !== "target") texture.refuse("source", "a pass draws into it, so it has to be a target");
    const format = formats[texture.get("format", "rgba8unorm")];
    if (!format) texture.refuse("format", `Babylon.js is not given colour targets of format ${texture.object.format} here`);
    const scale = source.or("scale", 1);
    const pixels = (key, all) => source.get(key, 0) || Math.max(1, Math.floor(all * scale));
    const size = { width: pixels("width", world.engine.getRenderWidth()), height: pixels("height", world.engine.getRenderHeight()) };
    const mips = source.get("mips", 1) > 1;
    const t = new RenderTargetTexture(texture.get("name", "target"), size, world.scene, { generateMipMaps: mips, format: format[0], type: format[1], generateDepthBuffer: true });
    const samples = source.or("samples", 1);
    if (samples > 1) t.samples = samples;
    source.skip("persistent");
    sampler(t, texture);
    texture.skip("mips", "version");
    source.done();
    texture.done();
    world.targets.set(i, t);
    return t;
}

/** Makes the textures that passes draw into, before materials ask for them. */
export function targets(world, list, where) {
    list.forEach((o, k) => {
        if ((o.type !== "scenePass" && o.type !== "effectPass") || stores(o)) return;
        const r = new Reader(o, `${where}[${k}]`);
        const [color, depth] = [r.get("color"), r.get("depth")];
        if (o.type === "scenePass" && where === "scene.before" && !o.flipY) r.refuse("flipY", "Babylon.js draws into textures upside down");
        if (color === undefined) {
            if (o.type === "scenePass") r.refuse("color", "Babylon.js draws the scene on the canvas once, at the end; it is given no graph that does so in between");
            return; // the canvas
        }
        if (color.length > 1 || color[0] === null) r.refuse("color", "Babylon.js is given passes with one colour target");
        const t = color.length ? target(world, color[0], r.at + ".color[0]") : null;
        if (depth !== undefined) depthOf(world, depth, t, r);
    });
}

/**
 * A depth target. What an effect measures distances with is what the engine's
 * depth renderer draws; what a material shows is the depth buffer of a target.
 */
function depthOf(world, i, color, r) {
    const measured = (world.doc.json.scene.graph ?? []).some((t) => t.process && Object.values(t.process.inputs ?? {}).includes(i));
    if (measured) {
        world.depths.add(i);
        return;
    }
    if (color) r.refuse("depth", "Babylon.js is given a depth target to show without a colour target beside it");
    const texture = new Reader(world.doc.entry("textures", i, r.at + ".depth"), `textures[${i}]`);
    const source = texture.sub("source");
    const size = { width: source.get("width", 0), height: source.get("height", 0) };
    if (!size.width || !size.height) source.refuse("width", "a depth target that is shown has a size of its own");
    const t = new RenderTargetTexture(texture.get("name", "depth"), size, world.scene, { generateDepthBuffer: false });
    const formats = { "depth24plus-stencil8": Constants.TEXTUREFORMAT_DEPTH24_STENCIL8, depth32float: Constants.TEXTUREFORMAT_DEPTH32_FLOAT };
    const format = formats[texture.get("format", "")];
    if (format === undefined) texture.refuse("format", `depth targets of format ${texture.object.format} are not drawn`);
    t.createDepthStencilTexture(0, false, texture.object.format.includes("stencil"), 1, format);
    const shown = new Texture(null, world.scene, { noMipmap: true, invertY: false, samplingMode: Texture.NEAREST_SAMPLINGMODE, internalTexture: t.depthStencilTexture, gammaSpace: false });
    world.drawnTo.set(i, t);
    world.targets.set(i, shown);
}

/** Sets up the tasks of a list; where is its name in the document. */
export async function passes(world, list, where) {
    let flat = false; // whether an effect drew into a texture already
    for (const [k, o] of list.entries()) {
        const at = `${where}[${k}]`;
        if (o.type === "shadow") {
            shadow(world, o.shadow, at);
            continue;
        }
        if (o.type === "transmission") {
            const helper = world.scene._transmissionHelper ?? new TransmissionHelper({}, world.scene);
            helper.addMaterialImpl({ materialClass: PBRMaterial, adapterClass: PBRMaterialLoadingAdapter });
            if (!helper._isRenderTargetValid()) helper._setupRenderTargets();
            continue;
        }
        if (stores(o)) continue;
        const r = new Reader(o, at);
        if (o.type === "effectPass") {
            flat ||= o.color !== undefined;
            (where === "scene.graph" ? world.after : world.effects).push(await effectPass(world, r));
            continue;
        }
        if (o.type !== "scenePass") r.refuse("type", `Babylon.js has no task "${o.type}" of its own`);
        if (flat && where === "scene.graph") r.refuse("", "Babylon.js is given graphs that draw the scene first and effects after it");
        scenePass(world, r);
    }
}

/** An effect over a target or the canvas. */
async function effectPass(world, r) {
    const [color, area] = [r.get("color"), r.sub("viewport")];
    const onto = color === undefined ? null : world.targets.get(color[0]);
    const viewport = area && { x: area.get("x", 0), y: area.get("y", 0), width: area.get("width", 0), height: area.get("height", 0) };
    const load = r.get("loadColor", false);
    const background = r.get("clear", world.doc.json.scene.clear);
    if (r.get("camera") !== undefined) r.refuse("camera", "effects see the scene's camera in Babylon.js");
    const named = r.get("process");
    const draw = named
        ? await process(world, new Reader(named, r.at + ".process"), onto, viewport)
        : await effect(world, r.get("material"), onto, r.at + ".material", viewport);
    r.done();
    return () => {
        // Without a viewport the effect covers its target.
        if (viewport && !load) {
            if (onto) world.engine.bindFramebuffer(onto.renderTarget);
            world.engine.clear(clear(background ?? [0, 0, 0, 0]), true, false, false);
            if (onto) world.engine.unBindFramebuffer(onto.renderTarget);
        }
        draw();
    };
}

function scenePass(world, r) {
    const at = r.at;
    const color = r.get("color", []);
    const depth = r.get("depth");
    r.skip("flipY", "canvasAspect");
    if (world.depths.has(depth)) world.scene.enableDepthRenderer(world.scene.activeCamera, false, true);
    const t = color.length ? world.targets.get(color[0]) : world.drawnTo.get(depth);
    if (r.get("linear", false)) world.scene.imageProcessingConfiguration.applyByPostProcess = true;
    const background = r.get("clear", world.doc.json.scene.clear ?? [0, 0, 0, 0]);
    const eye = r.get("camera");
    const pick = (key) => r.get(key)?.flatMap((n, i) => drawn(world, n, `${at}.${key}[${i}]`));
    const [only, except] = [pick("only"), pick("except")];
    const override = r.get("override");
    const overrideFor = r.get("overrideFor", []);
    r.done();
    if (!t) return; // the depth renderer draws it
    const eight = !t.textureType || t.textureType === Constants.TEXTURETYPE_UNSIGNED_BYTE;
    t.clearColor = eight ? clear(background) : new Color4(...background);
    if (eye !== undefined) t.activeCamera = camera(world, eye, at + ".camera");
    t.renderList = only ?? world.scene.meshes.filter((m) => !except?.includes(m));
    if (override !== undefined) t.setMaterialForRendering(t.renderList, material(world, override, at + ".override"));
    for (const [i, pair] of overrideFor.entries()) t.setMaterialForRendering(drawn(world, pair.key, `${at}.overrideFor[${i}]`), material(world, pair.value, at));
    world.scene.customRenderTargets.push(t);
}

/** The graph of a scene in place of its picture. */
export async function graph(world, list) {
    if (await gathering(world, list)) return;
    if (cameras(world, list)) return;
    targets(world, list, "scene.graph");
    await surfaces(world, list, "scene.graph");
    await passes(world, list, "scene.graph");
}

/**
 * Passes that all draw on the canvas are the engine's list of cameras, each with
 * its viewport. Reports whether the graph is one.
 */
function cameras(world, list) {
    if (!list.every((t) => t.type === "scenePass" && t.color === undefined)) return false;
    world.scene.activeCameras = list.map((t, k) => {
        const r = new Reader(t, `scene.graph[${k}]`);
        const eye = r.get("camera");
        if (r.get("loadColor", false) !== k > 0) r.refuse("loadColor", "Babylon.js clears the canvas once, ahead of its first camera");
        r.done();
        return eye === undefined ? world.scene.activeCamera : camera(world, eye, r.at + ".camera");
    });
    return true;
}
