@group(0) @binding(1) var<storage, read> matrices: array<mat4x4<f32>>;
@group(0) @binding(2) var<storage, read_write> marks: array<u32>; // a bit for each instance
@group(0) @binding(3) var<storage, read_write> starts: array<u32>; // visible instances of each group of 256
var<workgroup> bits: array<atomic<u32>, 8>;

// seen is false only where no part of the instance can be inside.
fn seen(world: mat4x4<f32>) -> bool {
    let centre = (world * vec4<f32>(cull.sphere.xyz, 1.0)).xyz;
    // The largest singular value of A is at most the root of the largest row sum of |AᵀA|.
    let a = mat3x3<f32>(world[0].xyz, world[1].xyz, world[2].xyz);
    let g = transpose(a) * a;
    let rows = abs(g[0]) + abs(g[1]) + abs(g[2]);
    let radius = cull.sphere.w * sqrt(max(rows.x, max(rows.y, rows.z)));
    let size = abs(centre.x) + abs(centre.y) + abs(centre.z);
    var inside = true;
    for (var i = 0u; i < 6u; i++) {
        let p = cull.planes[i];
        // The last term is what single precision may be wrong by.
        let slack = radius + 1e-5 * (size + abs(p.w));
        inside = inside && !(dot(p.xyz, centre) + p.w < -slack);
    }
    return inside;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if (id.x < cull.count) {
        if (seen(cull.world * matrices[id.x])) {
            atomicOr(&bits[local / 32u], 1u << (local % 32u));
        }
    }
    workgroupBarrier();
    if (local < 8u) {
        marks[group.x * 8u + local] = atomicLoad(&bits[local]);
    }
    if (local == 0u) {
        var n = 0u;
        for (var i = 0u; i < 8u; i++) {
            n += countOneBits(atomicLoad(&bits[i]));
        }
        starts[group.x] = n;
    }
}
