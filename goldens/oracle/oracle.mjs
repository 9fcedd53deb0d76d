// Draws scene documents with Babylon.js in headless Chromium.
//
//     node goldens/oracle/oracle.mjs --out DIR [--jobs N] [--timeout SECONDS] SCENE_DIR…
//
// Each SCENE_DIR holds a scene.json as `render export` writes it; its picture is
// DIR/NAME.png, NAME being the folder's. What became of each is printed as JSON.
// Exit code: 0 all were drawn, 1 some were not, 2 the run could not begin.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { png } from "./png.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals: dirs } = parseArgs({
    allowPositionals: true,
    options: { out: { type: "string" }, jobs: { type: "string", default: "2" }, timeout: { type: "string", default: "120" } },
});
if (!options.out || dirs.length === 0) {
    console.error("usage: node oracle.mjs --out DIR [--jobs N] [--timeout SECONDS] SCENE_DIR…");
    process.exit(2);
}
mkdirSync(options.out, { recursive: true });
const timeout = Number(options.timeout) * 1000;
// For this driver's own test: what is to befall which scene, as NAME=hang, crash or outside.
const fault = Object.fromEntries((process.env.ORACLE_FAULT ?? "").split(",").map((f) => f.split("=")));

/** The transcoder's file is a script in a package of modules, which leaves its one name to whoever loads it. */
const transcoder = {
    name: "transcoder",
    setup(build) {
        build.onLoad({ filter: /basis_transcoder\.js$/ }, ({ path }) => ({ contents: readFileSync(path, "utf8") + "\nexport default BASIS;\n" }));
    },
};

/** The page's modules, bundled in memory. */
async function bundle() {
    const result = await build({
        entryPoints: [join(here, "page/main.mjs")], bundle: true, format: "esm", splitting: true, write: false, outdir: "/page",
        absWorkingDir: here, logLevel: "silent", sourcemap: false, target: "esnext",
        // Modules for Node and the browser at once ask for these where they are in Node.
        loader: { ".wasm": "binary" }, external: ["fs", "path"], plugins: [transcoder],
    });
    return new Map(result.outputFiles.map((f) => [f.path.split(sep).join("/"), Buffer.from(f.contents)]));
}

/** Nothing comes from outside: the browser itself keeps a page to this server and to what it makes. */
const policy = "default-src 'self' blob: data: 'unsafe-inline' 'unsafe-eval'";

/** A server of the page and of the documents' folders, on this machine alone. */
async function serve(page) {
    const types = { ".json": "application/json", ".js": "text/javascript", ".gltf": "model/gltf+json", ".glb": "model/gltf-binary", ".png": "image/png", ".jpg": "image/jpeg" };
    const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
        const send = (body, type) => response.writeHead(200, { "content-type": type, "cache-control": "no-store", "content-security-policy": policy }).end(body);
        const missing = () => response.writeHead(404).end();
        if (path === "/") return send('<!doctype html><meta charset="utf-8"><title>oracle</title><canvas></canvas><script type="module" src="/page/main.js"></script>', "text/html");
        if (page.has(path)) return send(page.get(path), "text/javascript");
        const document = path.match(/^\/doc\/(\d+)\/(.+)$/);
        if (!document || !dirs[document[1]]) return missing();
        const root = resolve(dirs[document[1]]);
        const file = resolve(root, document[2]);
        if (!file.startsWith(root + sep)) return missing();
        try {
            if (!statSync(file).isFile()) return missing();
            send(readFileSync(file), types[file.slice(file.lastIndexOf("."))] ?? "application/octet-stream");
        } catch {
            missing();
        }
    }).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    return server;
}

const started = Date.now();
const server = await serve(await bundle());
const origin = `http://127.0.0.1:${server.address().port}`;
const schema = JSON.parse(readFileSync(join(here, "../../scenes/export/scene.v1.schema.json"), "utf8"));

const launch = () =>
    chromium.launch({
        executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
        args: [
            "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--enable-unsafe-webgpu", "--use-angle=swiftshader", "--enable-features=Vulkan", "--use-vulkan=swiftshader", "--disable-vulkan-surface",
            "--no-proxy-server", "--use-webgpu-adapter=swiftshader", "--force-color-profile=srgb",
        ],
    });
let browser = await launch();
const ready = Date.now();

/** Draws one document on a page of its own. */
async function drawOne(i) {
    const start = Date.now();
    const name = basename(resolve(dirs[i]));
    const row = { scene: name };
    const messages = [];
    let context;
    let timer;
    try {
        context = await browser.newContext({ viewport: { width: 640, height: 360 }, deviceScaleFactor: 1 });
        const page = await context.newPage();
        page.on("console", (m) => m.type() === "error" && messages.push(m.text()));
        page.on("pageerror", (e) => messages.push(e.message));
        const crashed = new Promise((_, no) => page.on("crash", () => no(new Error("the page crashed"))));
        const late = new Promise((_, no) => (timer = setTimeout(() => no(new Error(`it took more than ${options.timeout} s`)), timeout)));
        const work = (async () => {
            await page.goto(origin + "/");
            if (fault[name] === "hang") await page.evaluate(() => { for (;;); });
            if (fault[name] === "outside") await page.evaluate(() => fetch("http://192.0.2.1/").then((r) => { throw new Error(`an answer came from outside: ${r.status}`); }, () => {}));
            if (fault[name] === "crash") await page.goto("chrome://crash");
            await page.waitForFunction("globalThis.oracle");
            return page.evaluate(([base, schema]) => globalThis.oracle(base, schema), [`${origin}/doc/${i}/`, schema]);
        })();
        const got = await Promise.race([work, crashed, late]);
        if (got.error) throw Object.assign(new Error(got.error), { stack: got.stack });
        const pixels = Buffer.from(got.pixels, "base64");
        const file = join(options.out, `${name}.png`);
        const temporary = join(options.out, `.${name}.${process.pid}.tmp`);
        writeFileSync(temporary, png(got.width, got.height, pixels));
        renameSync(temporary, file);
        Object.assign(row, { file, width: got.width, height: got.height, hash: got.hash, adapter: got.adapter, pixels: createHash("sha256").update(pixels).digest("hex"), drawMs: Math.round(got.ms) });
    } catch (e) {
        row.error = `scene ${name}: ${e.message.split("\n")[0]}`;
        if (process.env.ORACLE_DEBUG) row.stack = e.stack;
        rmSync(join(options.out, `${name}.png`), { force: true }); // an older picture must not pass for this one
    } finally {
        clearTimeout(timer);
        if (messages.length) row.messages = messages.slice(0, 10);
        await Promise.race([context?.close().catch(() => {}), new Promise((done) => setTimeout(done, 5000))]);
    }
    row.ms = Date.now() - start;
    return row;
}

const rows = new Array(dirs.length);
let next = 0;
let restarting;
async function worker() {
    while (next < dirs.length) {
        const i = next++;
        rows[i] = await drawOne(i);
        if (!browser.isConnected()) {
            // A browser that died took the scenes beside it along: start one and draw again what had no chance.
            restarting ??= launch().then((b) => ((browser = b), (restarting = undefined)));
            await restarting;
            if (rows[i].error && !rows[i].again) rows[i] = { ...(await drawOne(i)), again: true };
        }
    }
}
await Promise.all(Array.from({ length: Math.max(1, Number(options.jobs)) }, worker));
const version = JSON.parse(readFileSync(join(here, "node_modules/@babylonjs/core/package.json"), "utf8")).version;
console.log(JSON.stringify({ babylonjs: version, chromium: browser.version(), startMs: ready - started, ms: Date.now() - ready, results: rows }, null, 1));
await Promise.race([browser.close(), new Promise((done) => setTimeout(done, 5000))]);
server.close();
process.exit(rows.some((r) => r.error) ? 1 : 0);
