// Builds a document's scene and draws its picture.
import "@babylonjs/core/Helpers/sceneHelpers.js";
import "@babylonjs/core/Rendering/index.js";
import { Scene } from "@babylonjs/core/scene.js";
import { Color3 } from "@babylonjs/core/Maths/math.color.js";
import { ImageProcessingConfiguration } from "@babylonjs/core/Materials/imageProcessingConfiguration.js";
import { animations } from "./animation.mjs";
import { camera } from "./camera.mjs";
import { Reader } from "./document.mjs";
import { bufferedLights, turn, webgl, webgpu } from "./engine.mjs";
import { models } from "./model.mjs";
import { light, node } from "./node.mjs";
import { clear, graph, passes, targets } from "./passes.mjs";
import { skeleton } from "./skeleton.mjs";
import { stores } from "./surfaces.mjs";
import { environment } from "./texture.mjs";

/** Makes an engine and a scene of the document; draw gives the picture. The engine's errors go to wrong. */
export async function build(canvas, doc, wrong) {
    const r = new Reader(doc.json.scene, "scene");
    const large = r.get("largeWorld", false);
    const { width, height, time = 0 } = doc.json.picture;
    canvas.width = width;
    canvas.height = height;
    const samples = r.or("samples", 4);
    // The engine blends into all that is stored of transparent surfaces, 32-bit floats among it.
    const deviceDescriptor = { requiredFeatures: (doc.json.scene.graph ?? []).some(stores) ? ["float32-blendable"] : [] };
    const lights = (doc.json.lights ?? []).length;
    const many = lights > bufferedLights;
    if (many && (large || doc.json.scene.graph || doc.json.scene.before)) r.refuse("lights", `Babylon.js draws ${bufferedLights} lights with WebGPU; for ${lights} it takes WebGL, and is given no large worlds and no passes there`);
    const options = { antialias: samples > 1, adaptToDeviceRatio: false, stencil: true, useLargeWorldRendering: large, deviceDescriptor };
    const { engine, read, adapter } = await (many ? webgl : webgpu)(canvas, options, wrong);
    engine.displayLoadingUI = () => {};
    engine.getDeltaTime = () => 16; // the clock on the wall has no say
    // Reverse depth, as this project draws. The engine would turn the depth of
    // shadow maps along with it, which here keep near 0; a large world's are fine.
    const shadows = r.get("before", []).some((o) => o.type === "shadow");
    engine.useReverseDepthBuffer = !many && !r.get("standardZ", false) && (large || !shadows);
    const scene = new Scene(engine);
    scene.useConstantAnimationDeltaTime = true;
    const world = {
        doc, engine, read, adapter, scene, time, aspect: width / height, lights,
        materials: new Map(), nodes: new Map(), lightOf: new Map(), cameras: new Map(), targets: new Map(), vertexAlpha: new Map(), skies: new Set(),
        casters: new Map(), // the numbers of the materials that cast in place of a material or a mesh's
        skinned: new Map(), // meshes by the number of their skin
        crowds: new Map(), // the meshes that stand for the instances of one
        depths: new Set(), drawnTo: new Map(), // depth targets: measured by effects, and shown by materials
        models: [], afterLights: [], beforePicture: [], clips: [],
        effects: [], after: [], // effects ahead of the picture, and in its place
        frames: r.or("frames", 1), step: r.get("step", 0), begin: null, // the frames of a picture, the seconds between them, and what begins the first
    };
    scene.clearColor = clear(r.get("clear", [0, 0, 0, 0]));
    scene.ambientColor = new Color3(...r.get("ambient", [0, 0, 0]));
    fog(scene, r.sub("fog"));
    imageProcessing(scene, r.sub("imageProcessing"));
    const env = r.sub("environment");
    if (env) {
        world.skyTexture = () => environment(world, new Reader(env.object, env.at));
        scene.environmentTexture = environment(world, env);
        scene.environmentIntensity = env.get("intensity", 0);
        env.done();
    }
    if (r.get("features")) r.refuse("features", "Babylon.js adds no features to every mesh of a scene");

    await models(world, r.get("models", []));
    for (const [k, l] of r.get("lights", []).entries()) light(world, l, null, `scene.lights[${k}]`);
    targets(world, r.get("before", []), "scene.before");
    for (const [k, n] of r.get("roots", []).entries()) node(world, n, null, `scene.roots[${k}]`);
    world.afterLights.forEach((f) => f());
    for (const [k, o] of r.get("skeletons", []).entries()) skeleton(world, o, `scene.skeletons[${k}]`);
    const [eye, instead] = [r.get("camera"), r.get("graph")];
    const seen = !instead || instead.some((t) => t.type === "scenePass");
    world.flat = !seen; // effects alone
    if (eye !== undefined) scene.activeCamera = camera(world, eye, "scene.camera");
    else if (seen) r.refuse("camera", "the scene has no camera");
    await passes(world, r.get("before", []), "scene.before");
    if (instead) await graph(world, instead);
    if (world.frames > 1 && !world.begin && !world.step) r.refuse("frames", "Babylon.js gathers several frames for temporal anti-aliasing only");
    animations(world, r.get("animations", []));
    if (many) world.beforePicture.push(() => turn(scene));
    r.done();
    return world;
}

function fog(scene, r) {
    if (!r) return;
    scene.fogMode = { none: Scene.FOGMODE_NONE, exp: Scene.FOGMODE_EXP, exp2: Scene.FOGMODE_EXP2, linear: Scene.FOGMODE_LINEAR }[r.get("mode", "none")];
    scene.fogColor = new Color3(...r.get("color", [0, 0, 0]));
    scene.fogDensity = r.get("density", 0);
    scene.fogStart = r.get("start", 0);
    scene.fogEnd = r.get("end", 0);
    r.done();
}

function imageProcessing(scene, r) {
    if (!r) return;
    const c = scene.imageProcessingConfiguration;
    c.exposure = r.or("exposure", 1);
    c.contrast = r.or("contrast", 1);
    const tone = r.get("toneMapping", "");
    c.toneMappingEnabled = tone !== "";
    c.toneMappingType = {
        "": ImageProcessingConfiguration.TONEMAPPING_STANDARD, standard: ImageProcessingConfiguration.TONEMAPPING_STANDARD,
        aces: ImageProcessingConfiguration.TONEMAPPING_ACES, neutral: ImageProcessingConfiguration.TONEMAPPING_KHR_PBR_NEUTRAL,
    }[tone];
    r.done();
}

/** Draws until everything is ready, puts the clips at the picture's time and draws it. */
export async function draw(world) {
    const { scene, engine } = world;
    const frame = () => {
        engine.beginFrame();
        world.effects.forEach((f) => f());
        if (!world.flat) scene.render();
        world.after.forEach((f) => f());
        engine.endFrame();
    };
    if (world.flat) return frame();
    await scene.whenReadyAsync(true);
    frame();
    await scene.whenReadyAsync(true);
    const seek = (time) => {
        world.clips.forEach((f) => f(time));
        world.beforePicture.forEach((f) => f(time));
    };
    seek(world.time);
    for (let i = 0; i < 3; i++) {
        frame();
        await new Promise((done) => setTimeout(done, 0));
    }
    await world.begin?.();
    for (let i = 0; i < world.frames; i++) {
        if (i > 0 && world.step) seek(world.time + i * world.step);
        frame();
    }
}
