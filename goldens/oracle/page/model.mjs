// glTF files, read by the engine's own loader.
import { ImportMeshAsync, SceneLoader } from "@babylonjs/core/Loading/sceneLoader.js";
import { GLTFFileLoader, GLTFLoaderAnimationStartMode } from "@babylonjs/loaders/glTF/glTFFileLoader.js";
import "@babylonjs/loaders/glTF/2.0/index.js";
import { KHR_materials_variants } from "@babylonjs/loaders/glTF/2.0/Extensions/KHR_materials_variants.js";
import { Reader } from "./document.mjs";
import { frameAt } from "./animation.mjs";

export async function models(world, list) {
    if (!list.length) return;
    (await import("./decoders.mjs")).provide();
    SceneLoader.OnPluginActivatedObservable.add((p) => {
        if (p instanceof GLTFFileLoader) {
            p.animationStartMode = GLTFLoaderAnimationStartMode.NONE;
            p.onParsed = (d) => (world.fileScene = d.json.scene ?? 0);
        }
    });
    for (const [i, o] of list.entries()) {
        const r = new Reader(o, `scene.models[${i}]`);
        const file = r.get("file");
        if (!world.doc.files.has(file)) r.refuse("file", `${file} is not in the list of files`);
        const loaded = await ImportMeshAsync(world.doc.base + file, world.scene).catch((e) => r.refuse("file", e.message));
        if (r.get("scene", 0) !== world.fileScene) r.refuse("scene", "only the scene that the file itself chooses is drawn");
        const root = loaded.meshes[0];
        const variant = r.get("variant");
        if (variant) KHR_materials_variants.SelectVariant(root, variant);
        for (const m of loaded.meshes) [m.alwaysSelectAsActiveMesh, m.layerMask] = [true, 1];
        const nodes = [root]; // the others are not referred to by number here
        world.models.push({ nodes });
        for (const n of r.get("playing", [])) {
            const group = loaded.animationGroups[n];
            if (!group) r.refuse("playing", `the file has ${loaded.animationGroups.length} animations`);
            group.start(true);
            const to = group.to / 60;
            world.clips.push((time) => {
                group.goToFrame(frameAt(time, 0, to, 1, 0, "repeat") * 60);
                group.pause();
            });
        }
        r.done();
    }
}
