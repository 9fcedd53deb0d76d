// Compiles every .wgsl file of folders with Tint, in headless Chromium, and
// exits 1 with file, line and message for every error.
//
//     node check.mjs DIR…
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { chromium } from "playwright-core";

const dirs = process.argv.slice(2);
if (dirs.length === 0) {
    console.error("usage: node check.mjs DIR…");
    process.exit(2);
}
const files = [];
for (const dir of dirs) {
    const found = readdirSync(dir)
        .filter((f) => f.endsWith(".wgsl"))
        .sort();
    if (found.length === 0) {
        console.error(`${dir} holds no .wgsl file`);
        process.exit(2);
    }
    files.push(...found.map((f) => join(dir, f)));
}
// WebGPU wants a secure context: a page of localhost.
const server = createServer((_, res) => res.setHeader("content-type", "text/html").end("<!doctype html>")).listen(0, "127.0.0.1");
await new Promise((r) => server.once("listening", r));
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: [
        "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--enable-unsafe-webgpu", "--use-angle=swiftshader", "--enable-features=Vulkan", "--use-vulkan=swiftshader", "--disable-vulkan-surface",
        "--use-webgpu-adapter=swiftshader",
    ],
});
let failed = 0;
try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const ready = await page.evaluate(async () => {
        const adapter = await navigator.gpu?.requestAdapter();
        if (!adapter) return "the browser has no WebGPU adapter";
        globalThis.device = await adapter.requestDevice();
        return "";
    });
    if (ready) throw new Error(ready);
    for (const f of files) {
        const messages = await page.evaluate(async (code) => {
            const module = globalThis.device.createShaderModule({ code });
            const info = await module.getCompilationInfo();
            return info.messages.filter((m) => m.type === "error").map((m) => ({ line: m.lineNum, column: m.linePos, text: m.message }));
        }, readFileSync(f, "utf8"));
        for (const m of messages) {
            failed++;
            console.error(`${f}:${m.line}:${m.column}: ${m.text}`);
        }
    }
    console.log(`${files.length} shaders, ${failed} errors from Tint`);
} finally {
    await browser.close();
    server.close();
}
process.exit(failed ? 1 : 0);
