// Shadow maps: percentage-closer, cascaded and exponential.
import { ShadowGenerator } from "@babylonjs/core/Lights/Shadows/shadowGenerator.js";
import { CascadedShadowGenerator } from "@babylonjs/core/Lights/Shadows/cascadedShadowGenerator.js";
import "@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent.js";
import { Reader } from "./document.mjs";
import { material } from "./material.mjs";
import { drawn } from "./node.mjs";

/** The shadow that feature number i of the document stands for. */
export function shadow(world, i, at) {
    const o = world.doc.entry("features", i, at);
    const r = new Reader(o, `features[${i}]`);
    const l = world.lightOf.get(r.get("light"));
    if (!l) r.refuse("light", "the light is not in the scene");
    const size = r.or("size", 1024);
    const g = o.type === "cascades" ? new CascadedShadowGenerator(size, l) : new ShadowGenerator(size, l);
    g.bias = r.get("bias", 0);
    g.darkness = r.get("darkness", 0);
    g.frustumEdgeFalloff = r.get("edgeFalloff", 0);
    const [near, far] = [r.get("near", 0), r.get("far", 0)];
    if (o.type === "cascades") {
        l.autoCalcShadowZBounds = true;
        g.numCascades = r.get("count", 4);
        g.lambda = r.get("lambda", 0);
        g.cascadeBlendPercentage = r.get("blend", 0);
        g.depthClamp = false;
        g.stabilizeCascades = r.get("stable", false);
        const end = r.get("maxDistance", 0);
        if (end) g.shadowMaxZ = end;
        g.filter = ShadowGenerator.FILTER_PCF;
        g.filteringQuality = ShadowGenerator.QUALITY_HIGH;
    } else {
        l.shadowMinZ = near;
        l.shadowMaxZ = far;
        if (o.type === "shadowMap") g.usePercentageCloserFiltering = true;
        else if (o.type === "exponentialShadowMap") {
            const [close, blur] = [r.get("close", false), !r.get("noBlur", false)];
            g.depthScale = r.or("depthScale", 50);
            g.filter = close
                ? blur ? ShadowGenerator.FILTER_BLURCLOSEEXPONENTIALSHADOWMAP : ShadowGenerator.FILTER_CLOSEEXPONENTIALSHADOWMAP
                : blur ? ShadowGenerator.FILTER_BLUREXPONENTIALSHADOWMAP : ShadowGenerator.FILTER_EXPONENTIALSHADOWMAP;
            g.blurScale = r.or("scale", 2);
            const kernel = r.get("kernel", 0);
            g.useKernelBlur = kernel > 0;
            if (kernel) g.blurKernel = kernel;
            else g.blurBoxOffset = r.or("box", 1);
            r.skip("box");
        } else r.refuse("type", `Babylon.js has no "${o.type}"`);
    }
    for (const [k, c] of r.get("casters", []).entries()) for (const m of drawn(world, c, `${r.at}.casters[${k}]`)) {
        g.addShadowCaster(m, false);
        const caster = world.casters.get(m) ?? world.casters.get(m.material);
        if (caster !== undefined) g.getShadowMap().setMaterialForRendering(m, material(world, caster, r.at + ".casters"));
    }
    r.done();
}
