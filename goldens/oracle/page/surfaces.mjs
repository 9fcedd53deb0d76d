// Passes that store what surfaces are (depth, normals, positions and the like)
// into several targets: the engine's geometry renderer draws them.
import { Constants } from "@babylonjs/core/Engines/constants.js";
import { FrameGraph } from "@babylonjs/core/FrameGraph/frameGraph.js";
import { FrameGraphGeometryRendererTask } from "@babylonjs/core/FrameGraph/Tasks/Rendering/geometryRendererTask.js";
import { FrameGraphClearTextureTask } from "@babylonjs/core/FrameGraph/Tasks/Texture/clearTextureTask.js";
import { Texture } from "@babylonjs/core/Materials/Textures/texture.js";
import { camera } from "./camera.mjs";
import { Reader } from "./document.mjs";
import { drawn } from "./node.mjs";
import { formats } from "./texture.mjs";

/** The kinds by the outputs' names in a document: the engine's number, where its task has the texture, and what it is cleared to. */
const kinds = {
    irradiance: [Constants.PREPASS_IRRADIANCE_TEXTURE_TYPE, "geometryIrradianceTexture"],
    worldPosition: [Constants.PREPASS_POSITION_TEXTURE_TYPE, "geometryWorldPositionTexture"],
    localPosition: [Constants.PREPASS_LOCAL_POSITION_TEXTURE_TYPE, "geometryLocalPositionTexture"],
    reflectivity: [Constants.PREPASS_REFLECTIVITY_TEXTURE_TYPE, "geometryReflectivityTexture"],
    viewDepth: [Constants.PREPASS_DEPTH_TEXTURE_TYPE, "geometryViewDepthTexture"],
    normalizedViewDepth: [Constants.PREPASS_NORMALIZED_VIEW_DEPTH_TEXTURE_TYPE, "geometryNormViewDepthTexture", 1],
    screenDepth: [Constants.PREPASS_SCREENSPACE_DEPTH_TEXTURE_TYPE, "geometryScreenDepthTexture"],
    viewNormal: [Constants.PREPASS_NORMAL_TEXTURE_TYPE, "geometryViewNormalTexture"],
    worldNormal: [Constants.PREPASS_WORLD_NORMAL_TEXTURE_TYPE, "geometryWorldNormalTexture"],
    albedo: [Constants.PREPASS_ALBEDO_TEXTURE_TYPE, "geometryAlbedoTexture"],
    velocity: [Constants.PREPASS_VELOCITY_LINEAR_TEXTURE_TYPE, "geometryLinearVelocityTexture"],
};

/** Whether a task stores surfaces: it names its outputs. */
export const stores = (o) => o.type === "scenePass" && o.outputs !== undefined;

/** Whether a pass of a document stores velocities. */
export const velocities = (doc) => (doc.json.scene.graph ?? []).some((o) => stores(o) && o.outputs.velocity !== undefined);

/** Has the engine draw the passes of a graph that store surfaces, ahead of the graph's effects. */
export async function surfaces(world, list, where) {
    if (!list.some(stores)) return;
    const graph = new FrameGraph(world.scene);
    graph.optimizeTextureAllocation = false; // what reads the textures is outside of it
    const made = list.flatMap((o, k) => (stores(o) ? [pass(world, graph, new Reader(o, `${where}[${k}]`))] : []));
    await graph.buildAsync();
    for (const { task, textures } of made)
        for (const [i, field] of textures) {
            const internalTexture = graph.textureManager.getTextureFromHandle(task[field]);
            world.targets.set(i, new Texture(null, world.scene, { noMipmap: true, invertY: false, samplingMode: Texture.NEAREST_SAMPLINGMODE, internalTexture, gammaSpace: false }));
        }
    world.after.unshift(() => graph.execute());
}

/** The engine's task for a pass, and the numbers of the textures that it stores into. */
function pass(world, graph, r) {
    const name = r.get("name", "surfaces");
    const [outputs, color, clears] = [r.get("outputs"), r.get("color", []), r.get("clears", [])];
    const views = r.get("views", []);
    if (views.some((v) => v && Object.keys(v).length)) r.refuse("views", "Babylon.js's geometry renderer draws into whole textures");
    let size;
    const textures = [];
    const textureDescriptions = Object.entries(outputs).sort((a, b) => a[1] - b[1]).map(([kind, location], k) => {
        const at = `${r.at}.outputs.${kind}`;
        if (!kinds[kind] || location !== k) r.refuse(`outputs.${kind}`, "Babylon.js's geometry renderer stores no such output there");
        const [type, field, one = 0] = kinds[kind];
        if (clears[k]?.some((c) => c !== one)) r.refuse(`clears[${k}]`, `Babylon.js clears it to ${one}`);
        const texture = new Reader(world.doc.entry("textures", color[k], at), `textures[${color[k]}]`);
        const format = formats[texture.get("format", "rgba8unorm")];
        if (!format) texture.refuse("format", "the engine is not given such targets here");
        const source = texture.sub("source");
        size ??= { width: source.get("width", 0) || world.engine.getRenderWidth(), height: source.get("height", 0) || world.engine.getRenderHeight() };
        if (source.or("samples", 1) > 1) source.refuse("samples", "averages of depths and normals mean nothing");
        textures.push([color[k], field]);
        return { type, textureType: format[1], textureFormat: format[0] };
    });
    const [only, eye] = [r.get("only"), r.get("camera")];
    r.done();
    const whole = { size, sizeIsPercentage: false };
    const depth = new FrameGraphClearTextureTask(`${name} depth`, graph);
    depth.depthTexture = graph.textureManager.createRenderTargetTexture(`${name} depth`, {
        ...whole, options: { createMipMaps: false, samples: 1, types: [Constants.TEXTURETYPE_UNSIGNED_BYTE], formats: [Constants.TEXTUREFORMAT_DEPTH24_STENCIL8], useSRGBBuffers: [false], labels: [name] },
    });
    Object.assign(depth, { clearColor: false, clearDepth: true, clearStencil: true });
    graph.addTask(depth);
    const task = new FrameGraphGeometryRendererTask(name, graph, world.scene);
    const meshes = only?.flatMap((n, i) => drawn(world, n, `${r.at}.only[${i}]`)) ?? world.scene.meshes;
    Object.assign(task, whole, { samples: 1, textureDescriptions, depthTexture: depth.outputDepthTexture, objectList: { meshes, particleSystems: [] } });
    task.camera = eye === undefined ? world.scene.activeCamera : camera(world, eye, r.at + ".camera");
    graph.addTask(task);
    return { task, textures };
}
