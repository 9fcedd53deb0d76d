// The page: draws one document and gives the picture's bytes to the driver.
import { Logger } from "@babylonjs/core/Misc/logger.js";
import { load } from "./document.mjs";
import { build, draw } from "./scene.mjs";

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

function base64(bytes) {
    let s = "";
    for (let i = 0; i < bytes.length; i += 0x8000) s += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(s);
}

/** Draws the document at base. Called by the driver. */
globalThis.oracle = async (base, schema) => {
    const start = performance.now();
    const wrong = [];
    const error = Logger.Error;
    Logger.Error = (message, ...rest) => {
        wrong.push(String(Array.isArray(message) ? message.join(" ") : message));
        error(message, ...rest);
    };
    try {
        const doc = await load(base, schema);
        const world = await build(document.querySelector("canvas"), doc);
        world.engine._device.addEventListener("uncapturederror", (e) => wrong.push(e.error.message));
        await draw(world);
        const picture = await read();
        if (wrong.length) throw new Error(wrong[0].split("\n").slice(0, 4).join(" "));
        const info = world.engine._adapterInfo ?? {};
        return {
            width: picture.width, height: picture.height, pixels: base64(picture.bytes), hash: doc.json.hash, ms: performance.now() - start,
            adapter: { vendor: info.vendor, architecture: info.architecture, device: info.device, description: info.description },
        };
    } catch (e) {
        // The engine throws texts, too.
        return { error: String(e?.message ?? e).split("\n")[0], stack: e?.stack };
    }
};
