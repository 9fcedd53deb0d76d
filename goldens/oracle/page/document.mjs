// Reads a scene document: scene.json, checked against its schema, and the
// files beside it. Every mistake is an error that names the place.
import Ajv from "ajv/dist/2020.js";

export const VERSION = 1;

export class DocumentError extends Error {}

function fail(at, message) {
    throw new DocumentError(`${at}: ${message}`);
}

/** JSON has no infinity, but 1e999 reads as one. */
function finite(v, at) {
    if (typeof v === "number" && !Number.isFinite(v)) fail(at, `${v} is not a finite number`);
    if (v && typeof v === "object") for (const [k, x] of Object.entries(v)) finite(x, Array.isArray(v) ? `${at}[${k}]` : at ? `${at}.${k}` : k);
}

async function get(url, what) {
    const response = await fetch(url);
    if (!response.ok) fail(what, `the file cannot be read (${response.status})`);
    return response;
}

/** Loads the document whose folder is served at base. */
export async function load(base, schema) {
    const text = await (await get(base + "scene.json", "scene.json")).text();
    let json;
    try {
        json = JSON.parse(text);
    } catch (e) {
        fail("scene.json", e.message);
    }
    if (json?.format !== "darkroom scene") fail("format", `it is ${JSON.stringify(json?.format)}, want "darkroom scene"`);
    if (json.version !== VERSION) fail("version", `${JSON.stringify(json.version)} is unknown; this page reads version ${VERSION}`);
    finite(json, "");
    if (schema) {
        const check = new Ajv({ strict: false }).compile(schema);
        if (!check(json)) {
            const deepest = check.errors.reduce((a, b) => (b.instancePath.length > a.instancePath.length ? b : a));
            fail(deepest.instancePath || "document", `${deepest.message} ${JSON.stringify(deepest.params)}`);
        }
    }
    const files = new Map();
    for (const [i, f] of (json.files ?? []).entries()) {
        const at = `files[${i}]`;
        const bytes = await (await get(base + f.file, `${at}: ${f.file}`)).arrayBuffer();
        if (bytes.byteLength !== f.bytes) fail(at, `${f.file} has ${bytes.byteLength} bytes, want ${f.bytes}; it was cut off or is of another document`);
        const sum = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((b) => b.toString(16).padStart(2, "0")).join("");
        if (sum !== f.sha256) fail(at, `the content of ${f.file} is not the one that was written`);
        files.set(f.file, bytes);
    }
    return new Document(base, json, files);
}

class Document {
    constructor(base, json, files) {
        this.base = base;
        this.json = json;
        this.files = files;
    }

    /** The entry number i of a table. */
    entry(table, i, at) {
        const list = this.json[table] ?? [];
        if (!Number.isInteger(i) || i < 0 || i >= list.length) fail(at, `it is ${i}, want the number of one of the ${list.length} ${table}`);
        return list[i];
    }

    /** Bulk as a typed array of its own. */
    blob(b, elements, at) {
        const size = { u8: 1, u32: 4, f32: 4 }[elements];
        if (b?.elements !== elements) fail(at, `its elements are ${JSON.stringify(b?.elements)}, want "${elements}"`);
        const file = this.files.get(b.file);
        if (!file) fail(at, `the file ${b.file} is not in the list of files`);
        if (!(b.offset >= 0 && b.count >= 0 && b.offset + b.count * size <= file.byteLength))
            fail(at, `${b.count} elements of ${size} bytes from byte ${b.offset} do not fit into ${b.file}, which has ${file.byteLength} bytes`);
        const part = file.slice(b.offset, b.offset + b.count * size);
        if (elements === "u8") return new Uint8Array(part);
        if (elements === "u32") return new Uint32Array(part);
        const out = new Float32Array(part);
        const wrong = out.findIndex((x) => !Number.isFinite(x));
        if (wrong >= 0) fail(`${at}[${wrong}]`, `${out[wrong]} is not a finite number`);
        return out;
    }
}

/**
 * Reads the fields of an object and remembers which, so that what nobody reads
 * is an error and not left out in silence.
 */
export class Reader {
    constructor(object, at) {
        this.object = object;
        this.at = at;
        this.seen = new Set(["type", "name"]);
    }
    get(key, fallback) {
        this.seen.add(key);
        const v = this.object[key];
        return v === undefined || v === null ? fallback : v;
    }
    /** A number for which zero stands for something else. */
    or(key, zero) {
        return this.get(key, 0) || zero;
    }
    sub(key) {
        const v = this.get(key);
        return v === undefined ? undefined : new Reader(v, `${this.at}.${key}`);
    }
    skip(...keys) {
        for (const k of keys) this.seen.add(k);
    }
    done() {
        for (const k of Object.keys(this.object)) if (!this.seen.has(k)) this.refuse(k, "this page does not draw it with Babylon.js");
    }
    refuse(key, why) {
        throw new DocumentError(`${this.at}${key ? "." + key : ""}: ${why}`);
    }
}
