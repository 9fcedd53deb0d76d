// Post-processes by name: each is drawn with the engine's own shader.
import { Constants } from "@babylonjs/core/Engines/constants.js";
import { Vector2 } from "@babylonjs/core/Maths/math.vector.js";
import { ThinAnaglyphPostProcess } from "@babylonjs/core/PostProcesses/thinAnaglyphPostProcess.js";
import { ThinBlackAndWhitePostProcess } from "@babylonjs/core/PostProcesses/thinBlackAndWhitePostProcess.js";
import { ThinBloomMergePostProcess } from "@babylonjs/core/PostProcesses/thinBloomMergePostProcess.js";
import { ThinBlurPostProcess } from "@babylonjs/core/PostProcesses/thinBlurPostProcess.js";
import { ThinChromaticAberrationPostProcess } from "@babylonjs/core/PostProcesses/thinChromaticAberrationPostProcess.js";
import { ThinCircleOfConfusionPostProcess } from "@babylonjs/core/PostProcesses/thinCircleOfConfusionPostProcess.js";
import { ThinDepthOfFieldBlurPostProcess } from "@babylonjs/core/PostProcesses/thinDepthOfFieldBlurPostProcess.js";
import { ThinDepthOfFieldMergePostProcess } from "@babylonjs/core/PostProcesses/thinDepthOfFieldMergePostProcess.js";
import { ThinExtractHighlightsPostProcess } from "@babylonjs/core/PostProcesses/thinExtractHighlightsPostProcess.js";
import { ThinImageProcessingPostProcess } from "@babylonjs/core/PostProcesses/thinImageProcessingPostProcess.js";
import { ThinPassPostProcess } from "@babylonjs/core/PostProcesses/thinPassPostProcess.js";
import { ThinSharpenPostProcess } from "@babylonjs/core/PostProcesses/thinSharpenPostProcess.js";
import { TAARenderingPipeline } from "@babylonjs/core/PostProcesses/RenderPipeline/Pipelines/taaRenderingPipeline.js";
import "@babylonjs/core/PostProcesses/RenderPipeline/postProcessRenderPipelineManagerSceneComponent.js";
import "@babylonjs/core/Rendering/depthRendererSceneComponent.js";
import { Reader } from "./document.mjs";
import { covering } from "./effect.mjs";
import { texture } from "./texture.mjs";

/**
 * The processes: make gives the engine's, with n for its numbers, and inputs are
 * the samplers of what it reads by the document's names.
 */
const processes = {
    copy: { make: (w, name) => new ThinPassPostProcess(name, w.engine) },
    blackAndWhite: { make: (w, name, n) => Object.assign(new ThinBlackAndWhitePostProcess(name, w.engine), { degree: n("degree") }) },
    anaglyph: { make: (w, name) => new ThinAnaglyphPostProcess(name, w.engine), inputs: { left: "leftSampler" } },
    blur: { make: (w, name, n, size) => blur(ThinBlurPostProcess, w, name, n, size) },
    weightedBlur: { make: (w, name, n, size) => blur(ThinDepthOfFieldBlurPostProcess, w, name, n, size), inputs: { confusion: "circleOfConfusionSampler" } },
    chromaticAberration: {
        make: (w, name, n, size) =>
            Object.assign(new ThinChromaticAberrationPostProcess(name, w.engine), {
                aberrationAmount: n("amount"), radialIntensity: n("radialIntensity"), direction: n("direction", 2), centerPosition: n("center", 2),
                screenWidth: size.width, screenHeight: size.height,
            }),
    },
    sharpen: {
        make: (w, name, n, size) =>
            Object.assign(new ThinSharpenPostProcess(name, w.engine), { colorAmount: n("color"), edgeAmount: n("edge"), textureWidth: size.width, textureHeight: size.height }),
    },
    highlights: { make: (w, name, n) => Object.assign(new ThinExtractHighlightsPostProcess(name, w.engine), { threshold: n("threshold"), _exposure: n("exposure") }) },
    addGlow: { make: (w, name, n) => Object.assign(new ThinBloomMergePostProcess(name, w.engine), { weight: n("weight") }), inputs: { glow: "bloomBlur" } },
    imageProcessing: { make: (w, name) => new ThinImageProcessingPostProcess(name, w.engine, { imageProcessingConfiguration: w.scene.imageProcessingConfiguration }) },
    circleOfConfusion: {
        make: (w, name, n) =>
            Object.assign(new ThinCircleOfConfusionPostProcess(name, w.engine), {
                camera: w.scene.activeCamera, lensSize: n("size"), fStop: n("fStop"), focusDistance: n("focusDistance"), focalLength: n("focalLength"),
            }),
        picture: "depthSampler",
    },
    mixSteps: {
        make: (w, name, n, size, inputs) => new ThinDepthOfFieldMergePostProcess(name, w.engine, { defines: `#define BLUR_LEVEL ${steps(inputs) - 1}\n` }),
        // The engine counts from the most blurred step.
        inputs: (inputs) => Object.fromEntries([["confusion", "circleOfConfusionSampler"], ...Array.from({ length: steps(inputs) }, (_, i) => [`blur${i}`, `blurStep${steps(inputs) - 1 - i}`])]),
    },
};

const steps = (inputs) => Object.keys(inputs).filter((k) => /^blur\d$/.test(k)).length;

function blur(Thin, world, name, n, size) {
    return Object.assign(new Thin(name, world.engine, n("direction", 2), n("kernel")), { textureWidth: size.width, textureHeight: size.height });
}

/** A function that draws the process into a target, or to the canvas (null). */
export async function process(world, r, target, viewport) {
    const name = r.object.name;
    const kind = processes[name];
    if (!kind) r.refuse("name", `Babylon.js has no post-process "${name}"`);
    const [values, given] = [r.get("values", {}), r.get("inputs", {})];
    const number = (key, count = 1) => {
        const v = values[key];
        if (v?.length !== count) r.refuse(`values.${key}`, `there are ${v?.length ?? 0} numbers, want ${count}`);
        return count === 1 ? v[0] : new Vector2(...v);
    };
    const size = { width: target ? target.getRenderWidth() : world.engine.getRenderWidth(), height: target ? target.getRenderHeight() : world.engine.getRenderHeight() };
    const wrapper = kind.make(world, name, number, size, given);
    const names = { picture: kind.picture ?? "textureSampler", ...(typeof kind.inputs === "function" ? kind.inputs(given) : kind.inputs) };
    const read = Object.entries(given).map(([key, i]) => {
        const at = `${r.at}.inputs.${key}`;
        if (!names[key]) r.refuse(`inputs.${key}`, `Babylon.js's "${name}" reads no such picture`);
        const made = world.depths.has(i) ? world.scene.enableDepthRenderer(world.scene.activeCamera, false, true).getDepthMap() : (world.targets.get(i) ?? texture(world, i, at));
        return { sampler: names[key], made };
    });
    r.done();
    wrapper.onApplyObservable.add(() => {
        for (const t of read) wrapper.effect.setTexture(t.sampler, t.made);
        if (kind.picture) wrapper.effect.setTexture("textureSampler", read[0].made);
    });
    return covering(world, wrapper, target, viewport, r.at);
}

/**
 * Temporal anti-aliasing is the engine's pipeline as a whole, since it moves the
 * projection, too. Reports whether the graph is one.
 */
export async function gathering(world, list) {
    const k = list.findIndex((t) => t.process?.name === "gather");
    if (k < 0) return false;
    const r = new Reader(list[k], `scene.graph[${k}]`);
    const values = new Reader(r.get("process").values ?? {}, r.at + ".process.values");
    const [draw, mix, show, keep] = list;
    const input = (t, name) => t?.process?.inputs?.[name];
    const whole =
        list.length === 4 && draw.type === "scenePass" && Object.keys(draw).every((f) => ["type", "name", "color"].includes(f)) && input(mix, "picture") === draw.color?.[0] &&
        show.process?.name === "copy" && show.color === undefined && input(show, "picture") === mix.color?.[0] && keep.type === "copyPass" && keep.from === mix.color[0] && keep.to === input(mix, "history");
    if (!whole) r.refuse("process", "Babylon.js gathers the scene's own picture and shows it; this graph does something else");
    const [samples, factor] = [values.get("samples", [0])[0], values.get("factor", [0])[0]];
    values.done();
    const pipeline = new TAARenderingPipeline("gather", world.scene, [world.scene.activeCamera], Constants.TEXTURETYPE_HALF_FLOAT);
    pipeline.samples = samples;
    pipeline.factor = factor;
    pipeline.disableOnCameraMove = false;
    world.begin = async () => {
        await world.scene.whenReadyAsync(true);
        // From the first place within the pixel and with nothing gathered.
        pipeline.samples = samples + 1;
        pipeline.samples = samples;
        pipeline._taaThinPostProcess._reset();
    };
    return true;
}
