// Skeletons that are not of a glTF file: joints are nodes of the scene.
import { Bone } from "@babylonjs/core/Bones/bone.js";
import { Skeleton } from "@babylonjs/core/Bones/skeleton.js";
import { Matrix } from "@babylonjs/core/Maths/math.vector.js";
import { Reader } from "./document.mjs";
import { velocities } from "./surfaces.mjs";

/** A skeleton of the engine with so many bones side by side, each where its local matrix says. */
export function bones(world, name, id, count) {
    const s = new Skeleton(name, id, world.scene);
    // The engine keeps the bones of the frame before only where they are uniforms.
    if (velocities(world.doc)) s.useTextureToStoreBoneMatrices = false;
    for (let k = 0; k < count; k++) new Bone(`joint ${k}`, s, null, Matrix.Identity(), Matrix.Identity(), Matrix.Identity());
    return s;
}

/** Makes skeleton number k of the scene and gives it to the meshes that have its skin. */
export function skeleton(world, o, at) {
    const r = new Reader(o, at);
    const node = (i, where) => {
        const n = world.nodes.get(i);
        if (!n) throw new Error(`${where}: node ${i} is not in the scene`);
        return n;
    };
    const name = r.get("name", "");
    const joints = r.get("joints", []).map((i, k) => node(i, `${at}.joints[${k}]`));
    const inverse = r.get("inverseBind");
    if (inverse && inverse.length !== joints.length) r.refuse("inverseBind", `there are ${inverse.length} matrices for ${joints.length} joints`);
    const home = r.get("mesh");
    const mesh = home === undefined ? null : node(home, at + ".mesh");
    const skin = r.get("skin");
    r.done();
    // Where a joint is, its node knows.
    const s = bones(world, name, `skeleton ${at}`, joints.length);
    const binds = joints.map((_, k) => (inverse ? Matrix.FromArray(inverse[k]) : Matrix.Identity()));
    world.beforePicture.push(() => {
        const back = mesh ? Matrix.Invert(mesh.computeWorldMatrix(true)) : Matrix.Identity();
        joints.forEach((j, k) => {
            s.bones[k].getLocalMatrix().copyFrom(binds[k].multiply(outward(j)).multiply(back));
            s.bones[k].markAsDirty();
        });
    });
    for (const m of world.skinned.get(skin) ?? []) m.skeleton = s;
}

/** The world matrix of a node, its parents' brought up to date first. */
function outward(n) {
    if (n.parent) outward(n.parent);
    return n.computeWorldMatrix(true);
}
