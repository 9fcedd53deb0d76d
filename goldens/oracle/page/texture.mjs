// Textures: texels as they are in the document, without a decoder in between.
import { Constants } from "@babylonjs/core/Engines/constants.js";
import { RawTexture } from "@babylonjs/core/Materials/Textures/rawTexture.js";
import { RawCubeTexture } from "@babylonjs/core/Materials/Textures/rawCubeTexture.js";
import { Texture } from "@babylonjs/core/Materials/Textures/texture.js";
import { SphericalHarmonics, SphericalPolynomial } from "@babylonjs/core/Maths/sphericalPolynomial.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Reader } from "./document.mjs";

const pixels = {
    "": [Constants.TEXTUREFORMAT_RGBA, Constants.TEXTURETYPE_UNSIGNED_BYTE, false],
    rgba8unorm: [Constants.TEXTUREFORMAT_RGBA, Constants.TEXTURETYPE_UNSIGNED_BYTE, false],
    "rgba8unorm-srgb": [Constants.TEXTUREFORMAT_RGBA, Constants.TEXTURETYPE_UNSIGNED_BYTE, true],
    rgba16float: [Constants.TEXTUREFORMAT_RGBA, Constants.TEXTURETYPE_HALF_FLOAT, false],
    rgba32float: [Constants.TEXTUREFORMAT_RGBA, Constants.TEXTURETYPE_FLOAT, false],
};

function format(r) {
    const name = r.get("format", "");
    const f = pixels[name];
    if (!f) r.refuse("format", `Babylon.js is not given textures of format ${name} here`);
    return f;
}

const bytesOf = (type) => ({ [Constants.TEXTURETYPE_UNSIGNED_BYTE]: 4, [Constants.TEXTURETYPE_HALF_FLOAT]: 8, [Constants.TEXTURETYPE_FLOAT]: 16 })[type];

function view(bytes, type) {
    if (type === Constants.TEXTURETYPE_HALF_FLOAT) return new Uint16Array(bytes.buffer);
    if (type === Constants.TEXTURETYPE_FLOAT) return new Float32Array(bytes.buffer);
    return bytes;
}

const addresses = { "": Texture.WRAP_ADDRESSMODE, repeat: Texture.WRAP_ADDRESSMODE, "clamp-to-edge": Texture.CLAMP_ADDRESSMODE, "mirror-repeat": Texture.MIRROR_ADDRESSMODE };

/** The engine's number for three filters. */
function filters(s) {
    const near = (k) => s.get(k, "linear") === "nearest";
    const [mag, min, mip, none] = [near("mag"), near("min"), near("mip"), s.get("noMips", false)];
    const key = (mag ? "n" : "l") + (min ? "n" : "l") + (none ? "-" : mip ? "n" : "l");
    return {
        lll: Texture.LINEAR_LINEAR_MIPLINEAR, lln: Texture.LINEAR_LINEAR_MIPNEAREST, "ll-": Texture.LINEAR_LINEAR,
        lnl: Texture.LINEAR_NEAREST_MIPLINEAR, lnn: Texture.LINEAR_NEAREST_MIPNEAREST, "ln-": Texture.LINEAR_NEAREST,
        nll: Texture.NEAREST_LINEAR_MIPLINEAR, nln: Texture.NEAREST_LINEAR_MIPNEAREST, "nl-": Texture.NEAREST_LINEAR,
        nnl: Texture.NEAREST_NEAREST_MIPLINEAR, nnn: Texture.NEAREST_NEAREST_MIPNEAREST, "nn-": Texture.NEAREST_NEAREST,
    }[key];
}

/** Targets that passes draw into: the engine's format and type. */
export const formats = {
    rgba8unorm: [Constants.TEXTUREFORMAT_RGBA, Constants.TEXTURETYPE_UNSIGNED_BYTE],
    rgba16float: [Constants.TEXTUREFORMAT_RGBA, Constants.TEXTURETYPE_HALF_FLOAT],
    rgba32float: [Constants.TEXTUREFORMAT_RGBA, Constants.TEXTURETYPE_FLOAT],
    r16float: [Constants.TEXTUREFORMAT_RED, Constants.TEXTURETYPE_HALF_FLOAT],
    r32float: [Constants.TEXTUREFORMAT_RED, Constants.TEXTURETYPE_FLOAT],
};

/** Sampler settings onto a texture of the engine. */
export function sampler(t, r) {
    const s = r.sub("sampler") ?? new Reader({}, r.at + ".sampler");
    t.wrapU = addresses[s.get("addressU", "")];
    t.wrapV = addresses[s.get("addressV", "")];
    t.wrapR = addresses[s.get("addressW", "")];
    t.anisotropicFilteringLevel = Math.max(1, s.get("anisotropy", 0));
    t.updateSamplingMode(filters(s));
    if (s.get("compare", "")) s.refuse("compare", "this page has no comparison samplers of a scene's own");
    s.done();
}

/** Makes texture number i anew, so that its coordinates can be set for one use. */
export function texture(world, i, at) {
    const o = world.doc.entry("textures", i, at);
    const r = new Reader(o, `textures[${i}]`);
    const target = world.targets.get(i);
    if (target) return target;
    const source = r.sub("source");
    if (!source || o.source.type !== "pixels") r.refuse("source", "it is drawn into by a pass that Babylon.js does not have");
    const [pixelFormat, type, srgb] = format(r);
    source.skip("path", "encoded");
    const [w, h] = [source.get("width", 0), source.get("height", 0)];
    if (source.get("layers", 1) > 1 || !["", "2d"].includes(source.get("dimension", ""))) source.refuse("dimension", "here the engine takes a two-dimensional texture");
    const mips = r.get("mips", false);
    const levels = source.get("levels", []).map((b, k) => view(world.doc.blob(b, "u8", `${source.at}.levels[${k}]`), type));
    if (!levels.length) source.refuse("levels", "the texture is missing: it has no texels");
    const size = bytesOf(type);
    levels.forEach((l, k) => {
        const want = Math.max(1, w >> k) * Math.max(1, h >> k) * size;
        if (l.byteLength !== want) source.refuse(`levels[${k}]`, `it has ${l.byteLength} bytes, want ${want}`);
    });
    const chain = mips || levels.length > 1;
    const t = new RawTexture(levels[0], w, h, pixelFormat, world.scene, chain, false, Texture.TRILINEAR_SAMPLINGMODE, type, 0, srgb);
    if (levels.length > 1) levels.forEach((l, k) => k && world.engine._uploadArrayBufferViewToTexture(t.getInternalTexture(), l, 0, k));
    t.gammaSpace = false;
    t.name = r.get("name", "");
    r.skip("version");
    sampler(t, r);
    source.done();
    r.done();
    return t;
}

/** A cube of a document's texels, face by face and level by level. */
function cubeOf(world, r, source) {
    const size = source.get("width", 0);
    const levels = source.get("levels", []);
    if (source.get("height", 0) !== size || !size) source.refuse("height", `the faces have ${size} by ${source.object.height} texels, want squares`);
    if (!levels.length) source.refuse("levels", "the texture is missing: it has no texels");
    const [pixelFormat, type] = format(r);
    const bytes = bytesOf(type);
    const mips = r.get("mips", false) || levels.length > 1;
    const t = new RawCubeTexture(world.scene, null, size, pixelFormat, type, mips, false, Texture.TRILINEAR_SAMPLINGMODE);
    const internal = t.getInternalTexture();
    // One call per face and level, as the engine's own loader of such files does.
    levels.forEach((b, lod) => {
        const data = world.doc.blob(b, "u8", `${source.at}.levels[${lod}]`);
        const face = Math.max(1, size >> lod) ** 2 * bytes;
        if (data.byteLength !== face * 6) source.refuse(`levels[${lod}]`, `it has ${data.byteLength} bytes, want ${face * 6}`);
        for (let f = 0; f < 6; f++) world.engine._uploadArrayBufferViewToTexture(internal, view(data.slice(f * face, (f + 1) * face), type), f, lod);
    });
    if (mips && levels.length === 1) world.engine.generateMipMapsForCubemap(internal);
    internal.isReady = true;
    internal._lodTextureHigh = internal._lodTextureMid = internal._lodTextureLow = undefined;
    t.gammaSpace = false;
    t.name = r.get("name", "");
    return t;
}

/** Whether texture number i holds light as it is shown: eight bits that no sRGB format decodes. */
export function asShown(world, i, at) {
    const [, type, srgb] = format(new Reader(world.doc.entry("textures", i, at), `textures[${i}]`));
    return type === Constants.TEXTURETYPE_UNSIGNED_BYTE && !srgb;
}

/** Texture number i, which has to be a cube. */
export function cubeTexture(world, i, at) {
    const r = new Reader(world.doc.entry("textures", i, at), `textures[${i}]`);
    const source = r.sub("source");
    if (!source || r.object.source.type !== "pixels" || source.get("dimension", "") !== "cube") r.refuse("source", "here the engine takes a cube of texels");
    source.skip("path", "encoded", "layers");
    const t = cubeOf(world, r, source);
    sampler(t, r);
    r.skip("version");
    source.done();
    r.done();
    return t;
}

/** The cube of an environment with what the engine needs to light with it. */
export function environment(world, r) {
    const i = r.get("specular");
    const cube = new Reader(world.doc.entry("textures", i, r.at + ".specular"), `textures[${i}]`);
    const source = cube.sub("source");
    const t = cubeOf(world, cube, source);
    const [levels, full] = [source.get("levels", []).length, Math.log2(source.get("width")) + 1];
    if (levels > 1 && levels !== full) source.refuse("levels", `there are ${levels} levels, want ${full}`);
    t.lodGenerationScale = r.or("lodScale", 0.8);
    t._prefiltered = true;
    t.rotationY = r.get("rotationY", 0);
    const h = new SphericalHarmonics();
    const names = ["l00", "l1_1", "l10", "l11", "l2_2", "l2_1", "l20", "l21", "l22"];
    r.get("sh", []).forEach((c, k) => (h[names[k]] = new Vector3(...c)));
    h.preScaled = true;
    const p = new SphericalPolynomial();
    p._harmonics = h;
    t.sphericalPolynomial = p;
    r.skip("brdf"); // the engine brings its own table
    return t;
}
