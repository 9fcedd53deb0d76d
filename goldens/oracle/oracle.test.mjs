// Checks the driver and the page: broken documents are errors that name the
// place, a scene that hangs or crashes costs itself alone, and the same document
// gives the same picture. Wants bin/render (make build).
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";
import { after, test } from "node:test";

const here = dirname(fileURLToPath(import.meta.url));
const render = join(here, "../../bin/render");
const work = mkdtempSync(join(tmpdir(), "oracle-"));
after(() => rmSync(work, { recursive: true, force: true }));
execFileSync(render, ["export", "scene2-sphere", "scene16-thin-instances", "own-post-sharpen", "own-gltf-column", "own-lights-sixteen-pbr", "-o", work]);

/** A changed copy of a document. */
function copy(name, of, change) {
    const dir = join(work, name);
    cpSync(join(work, of), dir, { recursive: true });
    const file = join(dir, "scene.json");
    const doc = JSON.parse(readFileSync(file, "utf8"));
    const text = change?.(doc, dir);
    writeFileSync(file, typeof text === "string" ? text : JSON.stringify(doc));
    return dir;
}

/** Changes a document's file and what the document says of it. */
function file(d, dir, name, change) {
    const entry = d.files.find((f) => f.file === name || f.file.endsWith(name));
    const path = join(dir, entry.file);
    const bytes = change(readFileSync(path)) ?? readFileSync(path);
    writeFileSync(path, bytes);
    Object.assign(entry, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
}

/** A glTF file in place of a document's own: one triangle whose texture is elsewhere. */
function outside(d, dir) {
    const corners = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer).toString("base64");
    const model = {
        asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
        materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }], textures: [{ source: 0 }], images: [{ uri: "http://192.0.2.1/picture.png" }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] }],
        bufferViews: [{ buffer: 0, byteLength: 36 }], buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${corners}` }],
    };
    writeFileSync(join(dir, "outside.gltf"), JSON.stringify(model));
    d.files.push({ file: "outside.gltf" });
    file(d, dir, "outside.gltf", () => null);
    d.scene.models[0].file = "outside.gltf";
    d.scene.models[0].playing = [];
}

function run(dirs, out, ...args) {
    const p = spawnSync(process.execPath, [join(here, "oracle.mjs"), "--out", join(work, out), ...args, ...dirs], {
        encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, ORACLE_FAULT: "hangs=hang,crashes=crash,reaches=outside" },
    });
    assert.notEqual(p.status, 2, p.stderr);
    return Object.fromEntries(JSON.parse(p.stdout).results.map((r) => [r.scene, r]));
}

const sphere = "scene2-sphere";
const cubes = "scene16-thin-instances";
const broken = {
    version: [sphere, (d) => void (d.version = 2), /version: 2 is unknown/],
    format: [sphere, (d) => void (d.format = "x"), /format: it is "x"/],
    text: [sphere, () => "{", /scene\.json: /],
    field: [sphere, (d) => void (d.materials[0].shine = 1), /\/materials\/0.*shine/],
    infinite: [sphere, (d) => JSON.stringify(d).replace('"alpha":-1.5707963267948966', '"alpha":1e999'), /alpha/],
    reference: [sphere, (d) => void (d.nodes[0].mesh.material = 4), /nodes\[0\].*material: it is 4, want the number of one of the 1 materials/],
    truncated: [cubes, (d, dir) => truncateSync(join(dir, "data.bin"), 100), /files\[0\]: data\.bin has 100 bytes/],
    missing: [cubes, (d, dir) => rmSync(join(dir, "data.bin")), /files\[0\]: data\.bin: the file cannot be read/],
    notNumber: [cubes, (d, dir) => file(d, dir, "data.bin", (b) => (b.writeFloatLE(NaN, d.buffers[0].data.offset), b)), /buffers\[0\]\.data\[0\]: NaN is not a finite number/],
    short: [cubes, (d, dir) => file(d, dir, "data.bin", (b) => b.subarray(0, b.length - 8)), /do not fit into data\.bin/],
    model: ["own-gltf-column", (d, dir) => file(d, dir, ".glb", (b) => b.subarray(0, 200)), /scene\.models\[0\]/],
    elsewhere: ["own-gltf-column", outside, /scene\.models\[0\]\.file: .*192\.0\.2\.1/],
    process: ["own-post-sharpen", (d) => void (d.scene.graph[1].process.name = "sparkle"), /scene\.graph\[1\]\.process\.name: Babylon\.js has no post-process "sparkle"/],
    setting: ["own-post-sharpen", (d) => void (d.scene.graph[1].process.values.edge = []), /scene\.graph\[1\]\.process\.values\.edge: there are 0 numbers, want 1/],
    lights: ["own-lights-sixteen-pbr", (d) => void (d.scene.largeWorld = true), /scene\.lights: .* 8 lights with WebGPU; for 16 it takes WebGL/],
    texture: [sphere, (d) => void (d.materials[0].diffuseTexture = { texture: 0 }), /materials\[0\].*diffuseTexture\.texture: it is 0, want the number of one of the 0 textures/],
};

test("faults", { timeout: 600000 }, () => {
    const dirs = Object.entries(broken).map(([name, [of, change]]) => copy(name, of, change));
    dirs.push(copy("hangs", sphere), copy("crashes", sphere), copy("reaches", sphere), copy("fine", sphere), copy("again", sphere), copy("many", "own-lights-sixteen-pbr"), copy("manyAgain", "own-lights-sixteen-pbr", (d) => void Object.assign(d.scene, { frames: 2, step: 1 })));
    const got = run(dirs, "pictures", "--timeout", "60", "--jobs", "3");
    for (const [name, [, , want]] of Object.entries(broken)) assert.match(got[name].error ?? "it was drawn", want, name);
    assert.equal(got.reaches.error, undefined);
    assert.match(got.reaches.messages.join(), /192\.0\.2\.1.*Content Security Policy/);
    assert.match(got.hangs.error, /took more than 60 s/);
    assert.match(got.crashes.error, /crash/);
    assert.equal(got.fine.error, undefined);
    assert.equal(got.fine.pixels, got.again.pixels, "the same document gave two pictures");
    assert.equal(got.fine.width, 1280);
    assert.equal(got.fine.adapter.backend, "vulkan");
    assert.equal(got.many.error, undefined);
    assert.equal(got.many.adapter.backend, "gl");
    assert.equal(got.many.pixels, got.manyAgain.pixels, "a scene at rest changed from frame to frame with WebGL");
});
