// Materials: the standard, the physically based and the grid family.
import { Constants } from "@babylonjs/core/Engines/constants.js";
import { Color3 } from "@babylonjs/core/Maths/math.color.js";
import { Material } from "@babylonjs/core/Materials/material.js";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial.js";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial.js";
import { Texture } from "@babylonjs/core/Materials/Textures/texture.js";
import { GridMaterial } from "@babylonjs/materials/grid/gridMaterial.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Reader } from "./document.mjs";
import { asShown, cubeTexture, texture } from "./texture.mjs";

const color = (v) => new Color3(...v);
const black = [0, 0, 0];

export function material(world, i, at) {
    const known = world.materials.get(i);
    if (known) return known;
    const o = world.doc.entry("materials", i, at);
    const r = new Reader(o, `materials[${i}]${o.name ? ` "${o.name}"` : ""}`);
    const make = { standard, pbr, grid }[o.type];
    if (!make) r.refuse("type", o.type === "effect" ? "a full-screen effect in WGSL of this project's own, which Babylon.js does not have" : `Babylon.js has no material "${o.type}"`);
    const m = make(world, r);
    m.maxSimultaneousLights = Math.max(4, world.lights);
    r.done();
    world.materials.set(i, m);
    return m;
}

/** The blend states that are one of the engine's alpha modes. */
function blend(r) {
    const b = r.sub("blend");
    if (!b) return undefined;
    const part = (k) => {
        const p = b.sub(k);
        if (!p) return "one,zero,add";
        return [p.get("src", "one"), p.get("dst", "zero"), p.get("operation", "add")].join();
    };
    const key = part("color") + " " + part("alpha");
    const modes = {
        "src-alpha,one-minus-src-alpha,add one,one,add": Constants.ALPHA_COMBINE,
        "src-alpha,one,add zero,one,add": Constants.ALPHA_ADD,
        "one,one,add zero,one,add": Constants.ALPHA_ONEONE,
        "one,one-minus-src-alpha,add one,one,add": Constants.ALPHA_PREMULTIPLIED,
    };
    if (modes[key] === undefined) b.refuse("", `Babylon.js has no alpha mode for ${key}`);
    return modes[key];
}

function standard(world, r) {
    const m = new StandardMaterial(r.get("name", ""), world.scene);
    m.diffuseColor = color(r.get("diffuse", black));
    m.specularColor = color(r.get("specular", black));
    m.emissiveColor = color(r.get("emissive", black));
    m.ambientColor = color(r.get("ambient", black));
    m.specularPower = r.get("specularPower", 0);
    m.alpha = r.get("alpha", 0);
    const channel = (key) => {
        const c = r.sub(key);
        if (!c) return null;
        const t = texture(world, c.get("texture"), c.at + ".texture");
        t.coordinatesIndex = c.get("uv", 0);
        t.level = c.or("level", 1);
        t.uScale = c.or("uScale", 1);
        t.vScale = c.or("vScale", 1);
        t.uOffset = c.get("uOffset", 0);
        t.vOffset = c.get("vOffset", 0);
        t.wAng = c.get("angle", 0);
        c.done();
        return t;
    };
    m.diffuseTexture = channel("diffuseTexture");
    m.emissiveTexture = channel("emissiveTexture");
    m.specularTexture = channel("specularTexture");
    m.ambientTexture = channel("ambientTexture");
    m.opacityTexture = channel("opacityTexture");
    m.lightmapTexture = channel("lightmapTexture");
    m.bumpTexture = channel("bumpTexture");
    const reflection = r.sub("reflectionTexture");
    if (reflection) {
        const mapping = reflection.get("mapping", "cubic");
        const [number, at] = [reflection.get("texture"), reflection.at + ".texture"];
        const t = (mapping === "cubic" || mapping === "skybox" ? cubeTexture : texture)(world, number, at);
        t.gammaSpace = asShown(world, number, at);
        t.coordinatesMode = { cubic: Texture.CUBIC_MODE, skybox: Texture.SKYBOX_MODE, planar: Texture.PLANAR_MODE, spherical: Texture.SPHERICAL_MODE }[mapping];
        t.level = reflection.or("level", 1);
        reflection.done();
        m.reflectionTexture = t;
    }
    if (r.get("useAlphaFromDiffuse", false)) {
        m.useAlphaFromDiffuseTexture = true;
        if (m.diffuseTexture) m.diffuseTexture.hasAlpha = true;
    }
    const cutoff = r.get("alphaCutoff", 0);
    if (cutoff > 0) {
        m.alphaCutOff = cutoff;
        // Without a mode the engine tests the texture's own alpha, with one the material's.
        if (m.useAlphaFromDiffuseTexture) m.transparencyMode = Material.MATERIAL_ALPHATEST;
        if (m.diffuseTexture) m.diffuseTexture.hasAlpha = true;
    }
    if (m.opacityTexture) m.opacityTexture.getAlphaFromRGB = r.get("opacityFromRGB", false);
    m.useLightmapAsShadowmap = r.get("lightmapAsShadow", false);
    m.useGlossinessFromSpecularMapAlpha = r.get("glossFromSpecular", false);
    m.invertNormalMapX = r.get("invertBumpX", false);
    m.invertNormalMapY = r.get("invertBumpY", false);
    m.disableLighting = r.get("disableLighting", false);
    m.backFaceCulling = !r.get("twoSided", false);
    m.twoSidedLighting = r.get("twoSidedLighting", false);
    if (r.get("specularOff", false)) m.specularColor = Color3.Black();
    world.vertexAlpha.set(m, r.get("vertexAlpha", false));
    const mode = blend(r);
    if (mode !== undefined) {
        m.alphaMode = mode;
        m.transparencyMode = Material.MATERIAL_ALPHABLEND;
    }
    common(world, m, r);
    return m;
}

function stencil(m, r) {
    const s = r.sub("stencil");
    if (!s) return;
    const [front, back] = [s.sub("front") ?? new Reader({}, s.at), s.sub("back") ?? new Reader({}, s.at)];
    const compare = {
        never: Constants.NEVER, less: Constants.LESS, equal: Constants.EQUAL, "less-equal": Constants.LEQUAL, greater: Constants.GREATER,
        "not-equal": Constants.NOTEQUAL, "greater-equal": Constants.GEQUAL, always: Constants.ALWAYS,
    };
    const operation = {
        keep: Constants.KEEP, zero: Constants.ZERO, replace: Constants.REPLACE, invert: Constants.INVERT, "increment-clamp": Constants.INCR,
        "decrement-clamp": Constants.DECR, "increment-wrap": Constants.INCR_WRAP, "decrement-wrap": Constants.DECR_WRAP,
    };
    const pick = (from, table, key, zero) => table[from.get(key, zero) || zero];
    const t = m.stencil;
    t.enabled = true;
    t.func = pick(front, compare, "compare", "always");
    t.opStencilFail = pick(front, operation, "fail", "keep");
    t.opDepthFail = pick(front, operation, "depthFail", "keep");
    t.opStencilDepthPass = pick(front, operation, "pass", "keep");
    t.backFunc = pick(back, compare, "compare", "always");
    t.backOpStencilFail = pick(back, operation, "fail", "keep");
    t.backOpDepthFail = pick(back, operation, "depthFail", "keep");
    t.backOpStencilDepthPass = pick(back, operation, "pass", "keep");
    t.funcRef = s.get("reference", 0);
    t.funcMask = s.get("readMask", 0);
    t.mask = s.get("writeMask", 0);
    front.done();
    back.done();
    s.done();
}

function common(world, m, r) {
    const caster = r.get("shadowCaster");
    if (caster !== undefined) world.casters.set(m, caster);
    stencil(m, r);
    m.disableDepthWrite = r.get("noDepthWrite", false);
    m.disableColorWrite = r.get("noColorWrite", false);
    m.fogEnabled = !r.get("noFog", false);
    m.zOffsetUnits = r.get("depthBias", 0);
    m.zOffset = r.get("depthBiasSlope", 0);
}

function pbr(world, r) {
    const m = new PBRMaterial(r.get("name", ""), world.scene);
    const base = r.get("baseColor", [0, 0, 0, 0]);
    m.albedoColor = new Color3(base[0], base[1], base[2]);
    m.alpha = base[3];
    m.metallic = r.get("metallic", 0);
    m.roughness = r.get("roughness", 0);
    m.emissiveColor = color(r.get("emissive", black));
    const channel = (from, key) => {
        const c = from.sub(key);
        if (!c) return null;
        const t = texture(world, c.get("texture"), c.at + ".texture");
        t.coordinatesIndex = c.get("uv", 0);
        const [offset, scale] = [c.get("offset", [0, 0]), c.get("scale", [0, 0])];
        t.uRotationCenter = t.vRotationCenter = 0; // KHR_texture_transform turns about the origin
        [t.uOffset, t.vOffset] = offset;
        [t.uScale, t.vScale] = [scale[0] || 1, scale[1] || 1];
        t.wAng = -c.get("rotation", 0);
        c.done();
        return t;
    };
    m.albedoTexture = channel(r, "baseColorTexture");
    m.metallicTexture = channel(r, "metallicRoughnessTexture");
    if (m.metallicTexture) {
        m.useMetallnessFromMetallicTextureBlue = true;
        m.useRoughnessFromMetallicTextureGreen = true;
        m.useRoughnessFromMetallicTextureAlpha = false;
    }
    m.bumpTexture = channel(r, "normalTexture");
    if (m.bumpTexture) m.bumpTexture.level = r.or("normalScale", 1);
    r.skip("normalScale");
    m.forceIrradianceInFragment = m.bumpTexture !== null; // as the engine's glTF loader has it
    m.invertNormalMapX = !world.scene.useRightHandedSystem;
    m.invertNormalMapY = world.scene.useRightHandedSystem;
    m.ambientTexture = channel(r, "occlusionTexture");
    m.useAmbientInGrayScale = true;
    m.ambientTextureStrength = r.or("occlusionStrength", 1);
    m.emissiveTexture = channel(r, "emissiveTexture");
    m.useSpecularOverAlpha = m.useRadianceOverAlpha = true;
    const gloss = r.sub("specularGlossiness");
    if (gloss) {
        m.metallic = m.roughness = null;
        m.reflectivityColor = color(gloss.get("specular", black));
        m.microSurface = gloss.get("glossiness", 0);
        m.reflectivityTexture = channel(gloss, "texture");
        m.useMicroSurfaceFromReflectivityMapAlpha = true;
        gloss.done();
    }
    m.indexOfRefraction = r.or("ior", 1.5);
    const specular = r.sub("specular");
    if (specular) {
        m.metallicF0Factor = specular.get("factor", 0);
        m.metallicReflectanceColor = color(specular.get("color", black));
        m.metallicReflectanceTexture = channel(specular, "texture");
        m.reflectanceTexture = channel(specular, "colorTexture");
        if (m.metallicReflectanceTexture) m.useOnlyMetallicFromMetallicReflectanceTexture = true;
        specular.done();
    }
    const coat = r.sub("clearcoat");
    if (coat) {
        const c = m.clearCoat;
        c.isEnabled = true;
        c.useRoughnessFromMainTexture = false;
        c.intensity = coat.get("factor", 0);
        c.roughness = coat.get("roughness", 0);
        c.texture = channel(coat, "texture");
        c.textureRoughness = channel(coat, "roughnessTexture");
        c.bumpTexture = channel(coat, "normalTexture");
        if (c.bumpTexture) c.bumpTexture.level = coat.or("normalScale", 1);
        coat.skip("normalScale");
        c.indexOfRefraction = coat.or("ior", 1.5);
        c.remapF0OnInterfaceChange = coat.get("remapBase", false);
        coat.skip("tintThickness");
        const tint = coat.get("tint");
        if (tint) {
            c.isTintEnabled = true;
            c.tintColor = color(tint);
            c.tintThickness = coat.or("tintThickness", 1);
        }
        coat.done();
    }
    const sheen = r.sub("sheen");
    if (sheen) {
        m.sheen.isEnabled = true;
        m.sheen.intensity = 1;
        m.sheen.color = color(sheen.get("color", black));
        m.sheen.roughness = sheen.get("roughness", 0);
        m.sheen.albedoScaling = true;
        m.sheen.useRoughnessFromMainTexture = false;
        m.sheen.texture = channel(sheen, "colorTexture");
        m.sheen.textureRoughness = channel(sheen, "roughnessTexture");
        sheen.done();
    }
    const anisotropy = r.sub("anisotropy");
    if (anisotropy) {
        m.anisotropy.isEnabled = true;
        m.anisotropy.intensity = anisotropy.get("strength", 0);
        m.anisotropy.angle = anisotropy.get("rotation", 0);
        m.anisotropy.texture = channel(anisotropy, "texture");
        anisotropy.done();
    }
    const film = r.sub("iridescence");
    if (film) {
        const c = m.iridescence;
        c.isEnabled = true;
        c.intensity = film.get("factor", 0);
        c.indexOfRefraction = film.or("ior", 1.3);
        c.minimumThickness = film.get("thicknessMinimum", 0);
        c.maximumThickness = film.get("thicknessMaximum", 0);
        c.texture = channel(film, "texture");
        c.thicknessTexture = channel(film, "thicknessTexture");
        film.done();
    }
    inside(world, m, r, channel);
    m.usePhysicalLightFalloff = !r.get("standardFalloff", false);
    const twoSided = r.get("twoSided", false);
    m.backFaceCulling = !twoSided;
    m.twoSidedLighting = twoSided;
    m.sideOrientation = r.get("frontFace", "ccw") === "cw" ? Material.ClockWiseSideOrientation : Material.CounterClockWiseSideOrientation;
    const mode = r.get("alphaMode", "opaque");
    const cutoff = r.or("alphaCutoff", 0.5);
    m.transparencyMode = { opaque: PBRMaterial.PBRMATERIAL_OPAQUE, mask: PBRMaterial.PBRMATERIAL_ALPHATEST, blend: PBRMaterial.PBRMATERIAL_ALPHABLEND }[mode];
    m.alphaCutOff = cutoff;
    if (mode !== "opaque" && m.albedoTexture) {
        m.albedoTexture.hasAlpha = true;
        m.useAlphaFromAlbedoTexture = true;
    }
    m.unlit = r.get("unlit", false);
    m.enableSpecularAntiAliasing = r.get("specularAA", false) || m.bumpTexture !== null;
    if (r.get("backdrop", false)) {
        // As createDefaultSkybox makes it.
        if (!world.skyTexture) r.refuse("backdrop", "the scene has no environment");
        const t = world.skyTexture();
        t.coordinatesMode = Texture.SKYBOX_MODE;
        m.reflectionTexture = t;
        m.microSurface = 1 - m.roughness;
        m.metallic = m.roughness = null;
        m.disableLighting = true;
        m.twoSidedLighting = true;
        m.backFaceCulling = false;
        m.albedoColor = Color3.White();
        world.skies.add(m);
    }
    world.vertexAlpha.set(m, mode !== "opaque");
    common(world, m, r);
    return m;
}

/** Light that goes through, as the engine's glTF loader sets it up. */
function inside(world, m, r, channel) {
    const [through, body, scatter] = [r.sub("transmission"), r.sub("volume"), r.sub("diffuseTransmission")];
    const dispersion = r.get("dispersion", 0);
    if (!through && !body && !scatter) return;
    const s = m.subSurface;
    s.useGltfStyleTextures = true;
    s.volumeIndexOfRefraction = 1;
    s.minimumThickness = 0;
    s.maximumThickness = 0;
    if (through) {
        s.isRefractionEnabled = true;
        s.refractionIntensity = through.get("factor", 0);
        s.refractionIntensityTexture = channel(through, "texture");
        s.useAlbedoToTintRefraction = true;
        through.done();
    }
    if (scatter) {
        s.isTranslucencyEnabled = true;
        s.translucencyIntensity = scatter.get("factor", 0);
        s.translucencyIntensityTexture = channel(scatter, "texture");
        s.tintColor = color(scatter.get("color", black));
        s.translucencyColorTexture = channel(scatter, "colorTexture");
        s.useAlbedoToTintTranslucency = false;
        scatter.done();
    }
    if (body) {
        const [thickness, tint, far] = [body.get("thickness", 0), color(body.get("attenuationColor", black)), body.or("attenuationDistance", Number.MAX_VALUE)];
        s.thicknessTexture = channel(body, "thicknessTexture");
        body.done();
        if (thickness > 0) {
            // A body that lets light through is dyed, one that scatters it is dyed by how far light goes.
            if (through) [s.tintColor, s.tintColorAtDistance] = [tint, far];
            else if (scatter) s.diffusionDistance.multiplyInPlace(tint).multiplyInPlace(new Color3(far, far, far));
            s.maximumThickness = thickness;
            s.useThicknessAsDepth = true;
            s.volumeIndexOfRefraction = m.indexOfRefraction;
        }
    }
    s.isDispersionEnabled = dispersion > 0;
    s.dispersion = dispersion;
}

function grid(world, r) {
    const m = new GridMaterial(r.get("name", ""), world.scene);
    m.mainColor = color(r.get("main", black));
    m.lineColor = color(r.get("line", black));
    m.gridRatio = r.get("ratio", 0);
    m.majorUnitFrequency = r.get("majorUnitFrequency", 0);
    m.minorUnitVisibility = r.get("minorUnitVisibility", 0);
    m.gridOffset = new Vector3(...r.get("offset", black));
    m.opacity = r.get("opacity", 0);
    m.linesOnly = m.opacity < 1;
    m.antialias = !r.get("hard", false);
    m.useMaxLine = r.get("maxLine", false);
    m.backFaceCulling = !r.get("twoSided", false);
    return m;
}
