// Full-screen effects: a document holds the statements of a fragment shader in
// WGSL, which the engine's own effect renderer can run.
import { EffectRenderer, EffectWrapper } from "@babylonjs/core/Materials/effectRenderer.js";
import { Viewport } from "@babylonjs/core/Maths/math.viewport.js";
import { ShaderLanguage } from "@babylonjs/core/Materials/shaderLanguage.js";
import "@babylonjs/core/ShadersWGSL/postprocess.vertex.js";
import { RenderTargetTexture } from "@babylonjs/core/Materials/Textures/renderTargetTexture.js";
import { Texture } from "@babylonjs/core/Materials/Textures/texture.js";
import { Reader } from "./document.mjs";
import { texture } from "./texture.mjs";

const setters = { f32: "setFloat", "vec2<f32>": "setFloat2", "vec3<f32>": "setFloat3", "vec4<f32>": "setFloat4" };

/** A function that draws effect number i into a render target, or to the canvas. */
export async function effect(world, i, target, at, viewport) {
    const o = world.doc.entry("materials", i, at);
    const r = new Reader(o, `materials[${i}]${o.name ? ` "${o.name}"` : ""}`);
    if (o.type !== "effect") r.refuse("type", "only effects cover a whole target");
    const body = r.get("body", "");
    const helpers = r.get("helpers", "");
    if (/\b(scene|input)\./.test(body + helpers)) r.refuse("body", "it reads what only this project's shaders have");
    const values = r.get("values", []).map((u, k) => {
        const set = setters[u.type];
        const value = u.value?.value;
        if (!set || value === undefined) r.refuse(`values[${k}]`, `uniforms of type ${u.type} are not drawn`);
        return { name: u.name, type: u.type, set, value: [].concat(value) };
    });
    const inputs = Object.entries(r.get("textures", {})).map(([name, t]) => {
        const input = new Reader(t, `${r.at}.textures.${name}`);
        const n = input.get("texture");
        input.skip("unfiltered"); // what is drawn is read at its texels anyway
        const drawn = world.targets.get(n);
        const made = drawn ? upright(world, drawn) : { texture: texture(world, n, input.at + ".texture") };
        input.done();
        return { name, ...made };
    });
    r.done();
    const source = `
${values.map((u) => `uniform ${u.name}: ${u.type};`).join("\n")}
${inputs.map((t) => `var ${t.name}Sampler: sampler;\nvar ${t.name}: texture_2d<f32>;`).join("\n")}
varying vUV: vec2f;
${helpers}
@fragment
fn main(input: FragmentInputs) -> FragmentOutputs {
    let uv = fragmentInputs.vUV;
    let st = vec2<f32>(uv.x, 1.0 - uv.y);
    var color = vec4<f32>(0.0);
${body.replace(/\bmesh\.(\w+)/g, "uniforms.$1")}
    fragmentOutputs.color = color;
}`;
    const wrapper = new EffectWrapper({
        engine: world.engine, name: r.get("name", "effect"), fragmentShader: source, useShaderStore: false, shaderLanguage: ShaderLanguage.WGSL,
        uniforms: values.map((u) => u.name), samplers: inputs.map((t) => t.name), allowEmptySourceTexture: true,
    });
    wrapper.onApplyObservable.add(() => {
        for (const u of values) wrapper.effect[u.set](u.name, ...u.value);
        for (const t of inputs) wrapper.effect.setTexture(t.name, t.texture);
    });
    const draw = await covering(world, wrapper, target, viewport, r.at);
    const turns = await Promise.all(inputs.filter((t) => t.turn).map((t) => t.turn(r.at)));
    return () => {
        turns.forEach((turn) => turn());
        draw();
    };
}

/**
 * The engine stores what it draws upside down, and an effect's statements count
 * rows from the top: a texture of the same texels the other way up, and what
 * makes the function that draws it.
 */
function upright(world, drawn) {
    const { width, height, format, type } = drawn.getInternalTexture();
    const turned = new RenderTargetTexture(`${drawn.name} upright`, { width, height }, world.scene, {
        generateMipMaps: false, generateDepthBuffer: false, format, type, samplingMode: Texture.NEAREST_SAMPLINGMODE,
    });
    turned.wrapU = turned.wrapV = Texture.CLAMP_ADDRESSMODE;
    const wrapper = new EffectWrapper({
        engine: world.engine, name: "upright", useShaderStore: false, shaderLanguage: ShaderLanguage.WGSL, samplers: ["drawn"], allowEmptySourceTexture: true,
        fragmentShader: `
var drawnSampler: sampler;
var drawn: texture_2d<f32>;
varying vUV: vec2f;
@fragment
fn main(input: FragmentInputs) -> FragmentOutputs {
    fragmentOutputs.color = textureSampleLevel(drawn, drawnSampler, vec2<f32>(fragmentInputs.vUV.x, 1.0 - fragmentInputs.vUV.y), 0.0);
}`,
    });
    wrapper.onApplyObservable.add(() => wrapper.effect.setTexture("drawn", drawn));
    return { texture: turned, turn: (at) => covering(world, wrapper, turned, null, at) };
}

/** A function that draws an effect of the engine into a render target, or to the canvas (null). */
export async function covering(world, wrapper, target, viewport, at) {
    const renderer = new EffectRenderer(world.engine);
    if (viewport) renderer._fullscreenViewport = new Viewport(viewport.x, viewport.y, viewport.width, viewport.height);
    await new Promise((done, no) => {
        wrapper.effect.onError = (e) => no(new Error(`${at}: ${String(e.getCompilationError?.() ?? e)}`));
        wrapper.effect.executeWhenCompiled(() => done());
    });
    return () => renderer.render(wrapper, target);
}
