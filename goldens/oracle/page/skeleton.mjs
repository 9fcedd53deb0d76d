// Skeletons that are not of a glTF file: joints are nodes of the scene.
import { Bone } from "@babylonjs/core/Bones/bone.js";
import { Skeleton } from "@babylonjs/core/Bones/skeleton.js";
import { Matrix } from "@babylonjs/core/Maths/math.vector.js";
import { Reader } from "./document.mjs";

/** Makes skeleton number k of the scene and gives it to the meshes that have its skin. */
export function skeleton(world, o, at) {
    const r = new Reader(o, at);
    const node = (i, where) => {
        const n = world.nodes.get(i);
        if (!n) throw new Error(`${where}: node ${i} is not in the scene`);
        return n;
    };
    const s = new Skeleton(r.get("name", ""), `skeleton ${at}`, world.scene);
    const joints = r.get("joints", []).map((i, k) => node(i, `${at}.joints[${k}]`));
    const inverse = r.get("inverseBind");
    if (inverse && inverse.length !== joints.length) r.refuse("inverseBind", `there are ${inverse.length} matrices for ${joints.length} joints`);
    const home = r.get("mesh");
    const mesh = home === undefined ? null : node(home, at + ".mesh");
    const skin = r.get("skin");
    r.done();
    // The bones are side by side: where a joint is, its node knows.
    const bones = joints.map((_, k) => new Bone(`joint ${k}`, s, null, Matrix.Identity(), Matrix.Identity(), Matrix.Identity()));
    const binds = joints.map((_, k) => (inverse ? Matrix.FromArray(inverse[k]) : Matrix.Identity()));
    world.beforePicture.push(() => {
        const back = mesh ? Matrix.Invert(mesh.computeWorldMatrix(true)) : Matrix.Identity();
        joints.forEach((j, k) => {
            bones[k].getLocalMatrix().copyFrom(binds[k].multiply(outward(j)).multiply(back));
            bones[k].markAsDirty();
        });
    });
    for (const m of world.skinned.get(skin) ?? []) m.skeleton = s;
}

/** The world matrix of a node, its parents' brought up to date first. */
function outward(n) {
    if (n.parent) outward(n.parent);
    return n.computeWorldMatrix(true);
}
