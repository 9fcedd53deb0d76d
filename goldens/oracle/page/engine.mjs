// Engines: WebGPU's draws all but what it has too few bindings for.
import { Engine } from "@babylonjs/core/Engines/engine.js";
import { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine.js";
import "@babylonjs/core/Engines/Extensions/index.js";
import "@babylonjs/core/Engines/WebGPU/Extensions/index.js";
import { Matrix } from "@babylonjs/core/Maths/math.vector.js";

/**
 * The lights that the engine draws with WebGPU: each is a uniform buffer, of which
 * a stage is sure of twelve, and the engine needs four.
 */
export const bufferedLights = 8;

// A canvas that presents takes the GPU process with it on machines without a
// GPU, and cannot be captured there. So it gets one texture that nobody shows.
let shown;
const real = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    if (kind !== "webgpu") return real.call(this, kind, ...rest);
    const canvas = this;
    const context = {
        canvas,
        configure(c) {
            context.configuration = c;
            shown?.texture.destroy();
            shown = undefined;
        },
        unconfigure() {},
        getConfiguration: () => context.configuration,
        getCurrentTexture() {
            const { device, format } = context.configuration;
            if (!shown || shown.texture.width !== canvas.width || shown.texture.height !== canvas.height) {
                const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC | GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
                shown = { device, format, texture: device.createTexture({ label: "canvas", size: [canvas.width, canvas.height], format, usage }) };
            }
            return shown.texture;
        },
    };
    return context;
};

/** The bytes of the canvas: R, G, B, A, top row first. */
async function read() {
    const { device, format, texture } = shown;
    const [w, h] = [texture.width, texture.height];
    const stride = Math.ceil((w * 4) / 256) * 256;
    const buffer = device.createBuffer({ size: stride * h, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    const encoder = device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: stride }, [w, h]);
    device.queue.submit([encoder.finish()]);
    await buffer.mapAsync(GPUMapMode.READ);
    const from = new Uint8Array(buffer.getMappedRange());
    const out = new Uint8Array(w * h * 4);
    for (let y = 0; y < h; y++) out.set(from.subarray(y * stride, y * stride + w * 4), y * w * 4);
    if (format.startsWith("bgra")) for (let i = 0; i < out.length; i += 4) [out[i], out[i + 2]] = [out[i + 2], out[i]];
    return { width: w, height: h, bytes: out };
}

/** The engine of a picture; wrong is told of each error of the device. */
export async function webgpu(canvas, options, wrong) {
    const engine = new WebGPUEngine(canvas, options);
    await engine.initAsync();
    engine._device.addEventListener("uncapturederror", (e) => wrong(e.error.message));
    const { vendor, architecture, device, description } = engine._adapterInfo ?? {};
    return { engine, read, adapter: { vendor, architecture, device, description, backend: "vulkan" } };
}

/**
 * An engine whose lights are single uniforms. Its rows go from the bottom up and
 * so do the places of its samples within a pixel: it draws upside down (turn), so
 * that the first row is the topmost and edges are WebGPU's. The fronts of triangles
 * and the vertical derivatives of shaders stay what they are.
 */
export function webgl(canvas, { antialias, stencil }, wrong) {
    const engine = new Engine(canvas, antialias, { stencil, antialias, alpha: true, premultipliedAlpha: false, preserveDrawingBuffer: true, disableWebGL1Support: true }, false);
    engine.disableUniformBuffers = true;
    const gl = engine._gl;
    const samples = gl.getParameter(gl.SAMPLES);
    if (samples !== (antialias ? 4 : 0)) throw new Error(`the browser's WebGL takes ${samples} samples for each pixel, want ${antialias ? 4 : 0}`);
    const [state, source] = [engine.setState.bind(engine), gl.shaderSource.bind(gl)];
    engine.setState = (culling, zOffset, force, reverse, ...rest) => state(culling, zOffset, force, !reverse, ...rest);
    gl.shaderSource = (shader, text) => source(shader, text.replace(/^#version.*\n/, "$&#define dFdy(x) (-dFdy(x))\n"));
    const { vendor, renderer } = engine.getGlInfo();
    const read = async () => {
        const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
        const bytes = new Uint8Array(width * height * 4);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        const code = gl.getError();
        if (code) wrong(`WebGL: error ${code}`);
        return { width, height, bytes };
    };
    return { engine, read, adapter: { vendor, architecture: /SwiftShader/i.test(renderer) ? "swiftshader" : renderer, backend: "gl" } };
}

/** Has the engine of webgl draw its camera's picture upside down. */
export function turn(scene) {
    const camera = scene.activeCamera;
    camera.unfreezeProjectionMatrix(); // of the frame before
    camera.freezeProjectionMatrix(camera.getProjectionMatrix(true).multiply(Matrix.Scaling(1, -1, 1)));
}
