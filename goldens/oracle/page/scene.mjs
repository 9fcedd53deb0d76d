// Builds a document's scene and draws its picture.
import { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine.js";
import "@babylonjs/core/Engines/WebGPU/Extensions/index.js";
import "@babylonjs/core/Helpers/sceneHelpers.js";
import "@babylonjs/core/Rendering/index.js";
import { Scene } from "@babylonjs/core/scene.js";
import { Color3, Color4 } from "@babylonjs/core/Maths/math.color.js";
import { ImageProcessingConfiguration } from "@babylonjs/core/Materials/imageProcessingConfiguration.js";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial.js";
import { PBRMaterialLoadingAdapter } from "@babylonjs/loaders/glTF/2.0/pbrMaterialLoadingAdapter.js";
import { TransmissionHelper } from "@babylonjs/loaders/glTF/2.0/Extensions/transmissionHelper.js";
import { RenderTargetTexture } from "@babylonjs/core/Materials/Textures/renderTargetTexture.js";
import { ShadowGenerator } from "@babylonjs/core/Lights/Shadows/shadowGenerator.js";
import { CascadedShadowGenerator } from "@babylonjs/core/Lights/Shadows/cascadedShadowGenerator.js";
import "@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent.js";
import { Texture } from "@babylonjs/core/Materials/Textures/texture.js";
import { animations } from "./animation.mjs";
import { camera } from "./camera.mjs";
import { Reader } from "./document.mjs";
import { effect } from "./effect.mjs";
import { material } from "./material.mjs";
import { models } from "./model.mjs";
import { light, node } from "./node.mjs";
import { environment } from "./texture.mjs";

/** Makes an engine and a scene of the document; draw gives the picture. */
export async function build(canvas, doc) {
    const r = new Reader(doc.json.scene, "scene");
    const large = r.get("largeWorld", false);
    const { width, height, time = 0 } = doc.json.picture;
    canvas.width = width;
    canvas.height = height;
    const samples = r.or("samples", 4);
    const engine = new WebGPUEngine(canvas, { antialias: samples > 1, adaptToDeviceRatio: false, stencil: true, useLargeWorldRendering: large });
    await engine.initAsync();
    engine.displayLoadingUI = () => {};
    engine.getDeltaTime = () => 16; // the clock on the wall has no say
    // Reverse depth, as this project draws. The engine would turn the depth of
    // shadow maps along with it, which here keep near 0; a large world's are fine.
    const shadows = r.get("before", []).some((o) => o.type === "shadow");
    engine.useReverseDepthBuffer = !r.get("standardZ", false) && (large || !shadows);
    const scene = new Scene(engine);
    scene.useConstantAnimationDeltaTime = true;
    const world = {
        doc, engine, scene, time, aspect: width / height, lights: 0,
        materials: new Map(), nodes: new Map(), lightOf: new Map(), cameras: new Map(), targets: new Map(), vertexAlpha: new Map(), skies: new Set(),
        models: [], afterLights: [], beforePicture: [], clips: [], effects: [], graph: null,
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
    if (r.get("skeletons", []).length) r.refuse("skeletons", "this page draws skins in glTF files only, through Babylon.js's loader");
    for (const k of ["features", "jitter"]) if (r.get(k)) r.refuse(k, "Babylon.js has no such passes; the scene is drawn by this project alone");
    if (r.get("frames", 1) > 1) r.refuse("frames", "pictures that gather several frames are not drawn");
    r.skip("step");

    world.lights = (doc.json.lights ?? []).length;
    await models(world, r.get("models", []));
    for (const [k, l] of r.get("lights", []).entries()) light(world, l, null, `scene.lights[${k}]`);
    targets(world, r.get("before", []));
    for (const [k, n] of r.get("roots", []).entries()) node(world, n, null, `scene.roots[${k}]`);
    world.afterLights.forEach((f) => f());
    const graph = r.get("graph");
    const eye = r.get("camera");
    if (graph) {
        if (graph.length !== 1 || graph[0].type !== "effectPass" || graph[0].color) r.refuse("graph", "Babylon.js has no such passes; the scene is drawn by this project alone");
        const pass = new Reader(graph[0], "scene.graph[0]");
        world.graph = await effect(world, pass.get("material"), null, pass.at + ".material");
        pass.done();
    } else if (eye === undefined) r.refuse("camera", "the scene has no camera");
    else scene.activeCamera = camera(world, eye, "scene.camera");
    await passes(world, r.get("before", []));
    animations(world, r.get("animations", []));
    r.done();
    return world;
}

/**
 * A clear colour in steps of an 8-bit format: drivers round halves differently,
 * GPUs down, so it is rounded before they see it, on both sides.
 */
function clear(c) {
    return new Color4(...c.map((x) => Math.ceil(Math.min(1, Math.max(0, Math.fround(x))) * 255 - 0.5) / 255));
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

/** Makes the textures that passes draw into, before materials ask for them. */
function targets(world, list) {
    list.forEach((o, k) => {
        if (o.type !== "scenePass" && o.type !== "effectPass") return;
        const at = `scene.before[${k}]`;
        const r = new Reader(o, at);
        if (!o.color || o.color.length !== 1 || o.color[0] === null) r.refuse("color", "Babylon.js is given passes with one colour target");
        if (o.type === "scenePass" && !o.flipY) r.refuse("flipY", "Babylon.js draws into textures upside down");
        const i = o.color[0];
        const texture = world.doc.entry("textures", i, at + ".color[0]");
        const source = texture.source;
        if (texture.format && texture.format !== "rgba8unorm") r.refuse("color", `targets of format ${texture.format} are not drawn`);
        const scale = source.scale || 1;
        const size = { width: source.width || world.engine.getRenderWidth() * scale, height: source.height || world.engine.getRenderHeight() * scale };
        const t = new RenderTargetTexture(texture.name ?? "target", size, world.scene, (source.mips ?? 1) > 1);
        t.samples = source.samples || 1;
        t.anisotropicFilteringLevel = Math.max(1, texture.sampler?.anisotropy ?? 0);
        t.wrapU = t.wrapV = Texture.WRAP_ADDRESSMODE;
        world.targets.set(i, t);
    });
}

async function passes(world, list) {
    for (const [k, o] of list.entries()) {
        const at = `scene.before[${k}]`;
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
        if (o.type === "effectPass") {
            const pass = new Reader(o, at);
            pass.skip("color", "clear"); // an effect covers its target
            world.effects.push(await effect(world, pass.get("material"), world.targets.get(o.color[0]), at + ".material"));
            pass.done();
            continue;
        }
        if (o.type !== "scenePass") throw new Error(`${at}: Babylon.js has no task "${o.type}"`);
        const r = new Reader(o, at);
        const t = world.targets.get(r.get("color")[0]);
        r.skip("flipY", "canvasAspect");
        t.clearColor = clear(r.get("clear", world.doc.json.scene.clear ?? [0, 0, 0, 0]));
        const eye = r.get("camera");
        if (eye !== undefined) t.activeCamera = camera(world, eye, at + ".camera");
        const pick = (key) => r.get(key)?.flatMap((n, i) => drawn(world, n, `${at}.${key}[${i}]`));
        const [only, except] = [pick("only"), pick("except")];
        t.renderList = only ?? (except ? world.scene.meshes.filter((m) => !except.includes(m)) : null);
        const override = r.get("override");
        if (override !== undefined) t.setMaterialForRendering(t.renderList ?? world.scene.meshes, material(world, override, at + ".override"));
        for (const [i, pair] of r.get("overrideFor", []).entries()) t.setMaterialForRendering(drawn(world, pair.key, `${at}.overrideFor[${i}]`), material(world, pair.value, at));
        world.scene.customRenderTargets.push(t);
        r.done();
    }
}

/** The meshes of node number i: the node itself, or what a model drew for it. */
function drawn(world, i, at) {
    const n = world.nodes.get(i);
    if (!n) throw new Error(`${at}: node ${i} is not in the scene`);
    return n.getTotalVertices ? [n] : [];
}

function shadow(world, i, at) {
    const o = world.doc.entry("features", i, at);
    const r = new Reader(o, `features[${i}]`);
    const l = world.lightOf.get(r.get("light"));
    if (!l) r.refuse("light", "the light is not in the scene");
    const size = r.or("size", 1024);
    const g = o.type === "cascades" ? new CascadedShadowGenerator(size, l) : new ShadowGenerator(size, l);
    g.bias = r.get("bias", 0);
    g.darkness = r.get("darkness", 0);
    g.frustumEdgeFalloff = r.get("edgeFalloff", 0);
    const [near, far] = [r.get("near", 0), r.get("far", 0)];
    if (o.type === "cascades") {
        l.autoCalcShadowZBounds = true;
        g.numCascades = r.get("count", 4);
        g.lambda = r.get("lambda", 0);
        g.cascadeBlendPercentage = r.get("blend", 0);
        g.depthClamp = false;
        g.stabilizeCascades = r.get("stable", false);
        const end = r.get("maxDistance", 0);
        if (end) g.shadowMaxZ = end;
        g.filter = ShadowGenerator.FILTER_PCF;
        g.filteringQuality = ShadowGenerator.QUALITY_HIGH;
    } else {
        l.shadowMinZ = near;
        l.shadowMaxZ = far;
        if (o.type === "shadowMap") g.usePercentageCloserFiltering = true;
        else if (o.type === "exponentialShadowMap") {
            const [close, blur] = [r.get("close", false), !r.get("noBlur", false)];
            g.depthScale = r.or("depthScale", 50);
            g.filter = close
                ? blur ? ShadowGenerator.FILTER_BLURCLOSEEXPONENTIALSHADOWMAP : ShadowGenerator.FILTER_CLOSEEXPONENTIALSHADOWMAP
                : blur ? ShadowGenerator.FILTER_BLUREXPONENTIALSHADOWMAP : ShadowGenerator.FILTER_EXPONENTIALSHADOWMAP;
            g.blurScale = r.or("scale", 2);
            const kernel = r.get("kernel", 0);
            g.useKernelBlur = kernel > 0;
            if (kernel) g.blurKernel = kernel;
            else g.blurBoxOffset = r.or("box", 1);
            r.skip("box");
        } else r.refuse("type", `Babylon.js has no "${o.type}"`);
    }
    for (const [k, c] of r.get("casters", []).entries()) for (const m of drawn(world, c, `${r.at}.casters[${k}]`)) g.addShadowCaster(m, false);
    r.done();
}

/** Draws until everything is ready, puts the clips at the picture's time and draws it. */
export async function draw(world) {
    const { scene, engine } = world;
    const frame = () => {
        engine.beginFrame();
        world.effects.forEach((f) => f());
        if (world.graph) world.graph();
        else scene.render();
        engine.endFrame();
    };
    if (world.graph) return frame();
    await scene.whenReadyAsync(true);
    frame();
    await scene.whenReadyAsync(true);
    world.clips.forEach((f) => f());
    world.beforePicture.forEach((f) => f());
    for (let i = 0; i < 3; i++) {
        frame();
        await new Promise((done) => setTimeout(done, 0));
    }
    frame();
}
