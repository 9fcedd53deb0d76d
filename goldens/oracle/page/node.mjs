// Nodes, what hangs on them, and geometry.
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder.js";
import { Mesh } from "@babylonjs/core/Meshes/mesh.js";
import "@babylonjs/core/Meshes/thinInstanceMesh.js";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode.js";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer.js";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData.js";
import { Material } from "@babylonjs/core/Materials/material.js";
import { Matrix, Quaternion, Vector3, Vector4 } from "@babylonjs/core/Maths/math.vector.js";
import { Color3, Color4 } from "@babylonjs/core/Maths/math.color.js";
import { DirectionalLight } from "@babylonjs/core/Lights/directionalLight.js";
import { HemisphericLight } from "@babylonjs/core/Lights/hemisphericLight.js";
import { PointLight } from "@babylonjs/core/Lights/pointLight.js";
import { SpotLight } from "@babylonjs/core/Lights/spotLight.js";
import { Light } from "@babylonjs/core/Lights/light.js";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget.js";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager.js";
import "@babylonjs/core/Morph/index.js";
import { bakes, crowd } from "./baked.mjs";
import { Reader } from "./document.mjs";
import { material } from "./material.mjs";

const vector = (v) => new Vector3(...v);
const vec4 = (v) => new Vector4(...v);
const colours = (v) => v.map((x) => (Array.isArray(x[0]) ? colours(x) : new Color4(...x)));

/** The options of a builder as the engine takes them: points are vectors. */
function options(o) {
    const out = {};
    for (const [k, v] of Object.entries(o)) {
        const points = ["shape", "path", "points", "pathArray", "lines", "scaleVectors"].includes(k);
        const one = ["orientation", "firstNormal"].includes(k);
        const deep = (x) => (Array.isArray(x[0]) ? x.map(deep) : vector(x));
        if (points) out[k] = v.map(deep);
        else if (one) out[k] = vector(v);
        else if (["faceUV", "frontUVs", "backUVs"].includes(k)) out[k] = k === "faceUV" ? v.map(vec4) : vec4(v);
        else if (["faceColors", "colors"].includes(k)) out[k] = colours(v);
        else out[k] = v;
    }
    return out;
}

/** A mesh of geometry number i. */
function geometry(world, i, name, at) {
    const o = world.doc.entry("geometries", i, at);
    const r = new Reader(o, `geometries[${i}]${o.name ? ` "${o.name}"` : ""}`);
    const b = r.sub("builder");
    if (b) {
        const make = MeshBuilder[o.builder.name];
        if (!make) b.refuse("name", `Babylon.js has no builder ${o.builder.name}`);
        const given = options(b.get("options", {}));
        const mesh = make(name, given, world.scene);
        b.done();
        r.done();
        return mesh;
    }
    const mesh = new Mesh(name, world.scene);
    const f32 = (key, v = r.get(key)) => (v ? world.doc.blob(v, "f32", `${r.at}.${key}`) : null);
    const data = new VertexData();
    data.positions = f32("positions");
    if (!data.positions) r.refuse("positions", "there are none");
    data.normals = f32("normals");
    data.tangents = f32("tangents");
    data.colors = f32("colors");
    r.get("uvs", []).forEach((u, k) => u && (data[k ? `uvs${k + 1}` : "uvs"] = f32(`uvs[${k}]`, u)));
    const indices = r.get("indices");
    const n = data.positions.length / 3;
    data.indices = indices ? world.doc.blob(indices, "u32", r.at + ".indices") : Uint32Array.from({ length: n }, (_, k) => k);
    const past = data.indices.findIndex((x) => x >= n);
    if (past >= 0) r.refuse(`indices[${past}]`, `it is ${data.indices[past]}, the mesh has ${n} vertices`);
    const [joints, weights] = [r.get("joints", []), r.get("weights", [])];
    ["", "Extra"].forEach((set, k) => {
        if (!joints[k] && !weights[k]) return;
        if (!joints[k] || !weights[k]) r.refuse(`joints[${k}]`, "joints and weights come together");
        data[`matricesIndices${set}`] = Float32Array.from(world.doc.blob(joints[k], "u32", `${r.at}.joints[${k}]`));
        data[`matricesWeights${set}`] = f32(`weights[${k}]`, weights[k]);
    });
    data.applyToMesh(mesh);
    mesh.numBoneInfluencers = joints[1] ? 8 : 4;
    const topology = r.get("topology", "triangle-list");
    const modes = {
        "triangle-list": Material.TriangleFillMode, "triangle-strip": Material.TriangleStripDrawMode, "line-list": Material.LineListDrawMode,
        "line-strip": Material.LineStripDrawMode, "point-list": Material.PointListDrawMode,
    };
    if (modes[topology] === undefined) r.refuse("topology", `Babylon.js has no ${topology}`);
    if (topology !== "triangle-list") mesh.overrideRenderingFillMode = modes[topology];
    r.done();
    return mesh;
}

/** Builds node number i and all below it. */
export function node(world, i, parent, at) {
    const o = world.doc.entry("nodes", i, at);
    const place = `nodes[${i}]${o.name ? ` "${o.name}"` : ""}`;
    if (o.model !== undefined) {
        const n = world.models[o.model]?.nodes[o.node];
        if (!n) throw new Error(`${place}: model ${o.model} has no node ${o.node}`);
        world.nodes.set(i, n);
        return;
    }
    if (world.nodes.has(i)) new Reader(o, place).refuse("", "it is in the hierarchy twice");
    const r = new Reader(o, place);
    const m = r.sub("mesh");
    const name = r.get("name", "");
    const n = m ? geometry(world, m.get("geometry"), name, m.at + ".geometry") : new TransformNode(name, world.scene);
    world.nodes.set(i, n);
    n.parent = parent;
    const matrix = r.get("matrix");
    if (matrix) {
        const [s, q, p] = [new Vector3(), new Quaternion(), new Vector3()];
        if (!Matrix.FromArray(matrix).decompose(s, q, p)) r.refuse("matrix", "it has no inverse");
        n.scaling = s;
        n.rotationQuaternion = q;
        n.position = p;
        r.skip("position", "rotation", "quaternion", "scaling");
    } else {
        n.position = vector(r.get("position", [0, 0, 0]));
        n.rotation = vector(r.get("rotation", [0, 0, 0]));
        const q = r.get("quaternion");
        if (q) n.rotationQuaternion = new Quaternion(...q);
        n.scaling = vector(r.get("scaling", [0, 0, 0]));
    }
    if (r.get("hidden", false)) n.setEnabled(false);
    if (m) mesh(world, n, m);
    const l = r.get("light");
    if (l !== undefined) light(world, l, n, `${place}.light`);
    r.skip("camera"); // cameras are made where they are looked through
    for (const [k, c] of r.get("children", []).entries()) node(world, c, n, `${place}.children[${k}]`);
    r.done();
}

function mesh(world, n, m) {
    n.material = material(world, m.get("material"), m.at + ".material");
    n.alwaysSelectAsActiveMesh = true; // no culling: the bounds of instances and skins are nobody's business here
    n.hasVertexAlpha = world.vertexAlpha.get(n.material) ?? false;
    if (world.skies.has(n.material)) {
        // A sky is seen along the ray from the eye, wherever its box is; the
        // engine adds the eye to the box's own place.
        n.infiniteDistance = true;
        n.position.setAll(0);
    }
    n.receiveShadows = m.get("receiveShadows", false);
    n.layerMask = m.get("layer", 0) || 1;
    n.alphaIndex = m.get("order", 0) || Number.MAX_VALUE;
    n.renderingGroupId = m.get("renderingGroup", 0);
    if (m.get("caster") !== undefined) world.casters.set(n, m.get("caster"));
    for (const [k, list] of [["onlyLights", "includedOnlyMeshes"], ["excludeLights", "excludedMeshes"]]) {
        const named = m.get(k);
        if (named) world.afterLights.push(() => {
            if (k === "excludeLights") return named.forEach((l) => world.lightOf.get(l)?.excludedMeshes.push(n));
            for (const [l, light] of world.lightOf) if (!named.includes(l)) light.excludedMeshes.push(n);
        });
    }
    const features = m.get("features", []);
    if (bakes(world, features)) crowd(world, n, features, m.at + ".features", (b, at) => floats(world, b, at));
    else for (const [k, f] of features.entries()) feature(world, n, f, `${m.at}.features[${k}]`);
    m.skip("instances");
    m.done();
}

/** Buffer number b as floats. */
function floats(world, b, at) {
    const buffer = world.doc.entry("buffers", b, at);
    return world.doc.blob({ ...buffer.data, elements: "f32", count: buffer.data.count / 4 }, "f32", `buffers[${b}].data`);
}

function feature(world, n, i, at) {
    const o = world.doc.entry("features", i, at);
    const r = new Reader(o, `features[${i}]`);
    if (o.type === "instances") {
        r.skip("count", "cull"); // the engine draws those, too, that are out of sight
        if (r.get("values", []).length) r.refuse("values", "Babylon.js has no place for numbers of a user's own for each instance of such a material");
        n.thinInstanceSetBuffer("matrix", floats(world, r.get("matrices"), r.at + ".matrices"), 16, true);
        const colors = r.get("colors");
        if (colors !== undefined) n.thinInstanceSetBuffer("color", floats(world, colors, r.at + ".colors"), 4, true);
        r.done();
        return;
    }
    if (o.type === "skin") {
        r.skip("matrices"); // they follow from the skeleton
        world.skinned.set(i, [...(world.skinned.get(i) ?? []), n]);
        r.done();
        return;
    }
    if (o.type !== "morph") r.refuse("type", `Babylon.js has nothing like a "${o.type}" for a mesh`);
    const manager = new MorphTargetManager(world.scene);
    const weights = r.get("weights", []);
    r.skip("vertices");
    const moved = (kind, size, delta) => {
        const base = n.getVerticesData(kind);
        if (!base || !delta) return null;
        return Float32Array.from({ length: delta.length }, (_, k) => base[Math.floor(k / 3) * size + (k % 3)] + delta[k]);
    };
    for (const [k, t] of r.get("targets", []).entries()) {
        const target = new MorphTarget(t.name ?? `${k}`, weights[k] ?? 0, world.scene);
        const read = (key) => (t[key] ? world.doc.blob(t[key], "f32", `${r.at}.targets[${k}].${key}`) : null);
        target.setPositions(moved(VertexBuffer.PositionKind, 3, read("positions")));
        const normals = moved(VertexBuffer.NormalKind, 3, read("normals"));
        if (normals) target.setNormals(normals);
        const tangents = moved(VertexBuffer.TangentKind, 4, read("tangents"));
        if (tangents) target.setTangents(tangents);
        manager.addTarget(target);
    }
    n.morphTargetManager = manager;
    r.done();
}

/** Builds light number i, once. */
export function light(world, i, parent, at) {
    const o = world.doc.entry("lights", i, at);
    const r = new Reader(o, `lights[${i}]${o.name ? ` "${o.name}"` : ""}`);
    if (world.lightOf.has(i)) r.refuse("", "it is in the scene twice");
    const zero = [0, 0, 0];
    const [position, direction] = [vector(r.get("position", zero)), vector(r.get("direction", zero))];
    const [name, s] = [r.get("name", ""), world.scene];
    const [angle, exponent, inner] = [r.get("angle", 0), r.get("exponent", 0), r.get("inner", 0)];
    let l;
    switch (r.get("kind", "point")) {
        case "hemispheric":
            l = new HemisphericLight(name, direction, s);
            l.groundColor = new Color3(...r.get("ground", zero));
            break;
        case "directional":
            l = new DirectionalLight(name, direction, s);
            l.position = position;
            break;
        case "spot":
            l = new SpotLight(name, position, direction, angle, exponent, s);
            l.innerAngle = inner;
            break;
        default:
            l = new PointLight(name, position, s);
    }
    r.skip("ground");
    l.diffuse = new Color3(...r.get("diffuse", zero));
    l.specular = new Color3(...r.get("specular", zero));
    l.intensity = r.get("intensity", 0);
    l.radius = r.get("radius", 0);
    const range = r.get("range", 0);
    if (range) l.range = range;
    l.falloffType = { default: Light.FALLOFF_DEFAULT, physical: Light.FALLOFF_PHYSICAL, gltf: Light.FALLOFF_GLTF, standard: Light.FALLOFF_STANDARD }[r.get("falloff", "default")];
    if (r.get("off", false)) l.setEnabled(false);
    if (parent) l.parent = parent;
    world.lightOf.set(i, l);
    r.done();
}

/** The meshes of node number i: the node itself, or what a model drew for it. */
export function drawn(world, i, at) {
    const n = world.nodes.get(i);
    if (!n) throw new Error(`${at}: node ${i} is not in the scene`);
    return world.crowds.get(n) ?? (n.getTotalVertices ? [n] : []);
}
