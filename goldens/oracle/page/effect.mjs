// Full-screen effects: a document holds the statements of a fragment shader in
// WGSL, which the engine's own effect renderer can run.
import { EffectRenderer, EffectWrapper } from "@babylonjs/core/Materials/effectRenderer.js";
import { Viewport } from "@babylonjs/core/Maths/math.viewport.js";
import { ShaderLanguage } from "@babylonjs/core/Materials/shaderLanguage.js";
import "@babylonjs/core/ShadersWGSL/postprocess.vertex.js";
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
        if (world.targets.has(n)) input.refuse("texture", "effects over what the engine drew are not drawn: it stores targets upside down");
        const made = texture(world, n, input.at + ".texture");
        input.done();
        return { name, texture: made };
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
    return covering(world, wrapper, target, viewport, r.at);
}

/** A function that draws an effect of the engine into a render target, or to the canvas (null). */
export async function covering(world, wrapper, target, viewport, at) {
    const renderer = new EffectRenderer(world.engine);
    if (viewport) renderer._fullscreenViewport = new Viewport(viewport.x, viewport.y, viewport.width, viewport.height);
    await new Promise((done, no) => {
        wrapper.effect.onError = (e) => no(new Error(`${at}: ${String(e.getCompilationError?.() ?? e)}`));
        wrapper.effect.executeWhenCompiled(done);
    });
    return () => renderer.render(wrapper, target);
}
