// The page: draws one document and gives the picture's bytes to the driver.
import { Logger } from "@babylonjs/core/Misc/logger.js";
import { load } from "./document.mjs";
import { build, draw } from "./scene.mjs";

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
        const world = await build(document.querySelector("canvas"), doc, (message) => wrong.push(message));
        await draw(world);
        const picture = await world.read();
        if (wrong.length) throw new Error(wrong[0].split("\n").slice(0, 4).join(" "));
        return {
            width: picture.width, height: picture.height, pixels: base64(picture.bytes), hash: doc.json.hash, ms: performance.now() - start,
            adapter: world.adapter,
        };
    } catch (e) {
        // The engine throws texts, too.
        return { error: String(e?.message ?? e).split("\n")[0], stack: e?.stack };
    }
};
