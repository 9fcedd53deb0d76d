// Cameras and their rigs.
import { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera.js";
import { Camera } from "@babylonjs/core/Cameras/camera.js";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera.js";
import { GeospatialCamera } from "@babylonjs/core/Cameras/geospatialCamera.js";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Viewport } from "@babylonjs/core/Maths/math.viewport.js";
import { Reader } from "./document.mjs";

const vector = (v) => new Vector3(...v);

/** Camera number i. */
export function camera(world, i, at) {
    const known = world.cameras.get(i);
    if (known) return known;
    const o = world.doc.entry("cameras", i, at);
    const r = new Reader(o, `cameras[${i}]${o.name ? ` "${o.name}"` : ""}`);
    const rig = r.sub("rig");
    if (!rig) r.refuse("rig", "it is missing");
    const c = place(world, rig, r.get("name", ""), o.rig.type);
    rig.done();
    c.fov = r.or("fov", 0.8);
    if (r.get("horizontal", false)) c.fovMode = Camera.FOVMODE_HORIZONTAL_FIXED;
    c.minZ = r.get("near", 0);
    c.maxZ = r.get("far", 0);
    const v = r.sub("viewport");
    if (v) {
        c.viewport = new Viewport(v.get("x", 0), v.get("y", 0), v.get("width", 0), v.get("height", 0));
        v.done();
    }
    const ortho = r.sub("ortho");
    if (ortho) {
        c.mode = Camera.ORTHOGRAPHIC_CAMERA;
        c.orthoBottom = ortho.get("bottom", 0);
        c.orthoTop = ortho.get("top", 0);
        c.orthoLeft = ortho.get("left", 0);
        c.orthoRight = ortho.get("right", 0);
        if (c.orthoLeft === 0 && c.orthoRight === 0) {
            const aspect = (world.aspect * c.viewport.width) / c.viewport.height;
            c.orthoLeft = c.orthoBottom * aspect;
            c.orthoRight = c.orthoTop * aspect;
        }
        ortho.done();
    }
    c.layerMask = r.get("layers", 0) || 0x0fffffff;
    r.done();
    world.cameras.set(i, c);
    return c;
}

function place(world, rig, name, type) {
    const up = rig.get("up");
    const zero = [0, 0, 0];
    switch (type) {
        case "arcRotate": {
            const c = new ArcRotateCamera(name, rig.get("alpha", 0), rig.get("beta", 0), rig.get("radius", 0), vector(rig.get("target", zero)), world.scene);
            if (up) c.upVector = vector(up);
            return c;
        }
        case "free": {
            const c = new FreeCamera(name, vector(rig.get("position", zero)), world.scene);
            if (up) c.upVector = vector(up);
            c.rotation = vector(rig.get("rotation", zero));
            const target = rig.get("target");
            if (target) c.setTarget(vector(target));
            return c;
        }
        case "geospatial": {
            const center = vector(rig.get("center", zero));
            const c = new GeospatialCamera(name, world.scene, { planetRadius: center.length() });
            // In this order: the engine limits the pitch by how far away the camera is.
            c.center = center;
            c.radius = rig.get("radius", 0);
            c.yaw = rig.get("yaw", 0);
            c.pitch = rig.get("pitch", 0);
            return c;
        }
        case "fixed": {
            const m = Matrix.FromArray(rig.get("world"));
            return looking(world, name, m, new Vector3(0, 0, 1));
        }
        case "mounted": {
            const n = world.nodes.get(rig.get("node"));
            if (!n) rig.refuse("node", "the node is not in the scene");
            rig.skip("world");
            const c = new FreeCamera(name, Vector3.Zero(), world.scene);
            world.beforePicture.push(() => aim(c, n.computeWorldMatrix(true), new Vector3(0, 0, -1)));
            return c;
        }
    }
    return rig.refuse("type", `Babylon.js has no rig "${type}"`);
}

function looking(world, name, m, axis) {
    const c = new FreeCamera(name, Vector3.Zero(), world.scene);
    aim(c, m, axis);
    return c;
}

/** Puts a camera where a matrix is, looking along one of its axes, +Y up. */
function aim(c, m, axis) {
    c.position = m.getTranslation();
    c.upVector = Vector3.TransformNormal(new Vector3(0, 1, 0), m).normalize();
    c.setTarget(c.position.add(Vector3.TransformNormal(axis, m).normalize()));
}
