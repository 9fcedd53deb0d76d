@group(0) @binding(1) var<storage, read> marks: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<VALUE>;
@group(0) @binding(4) var<storage, read_write> kept: array<VALUE>;

// main copies what is visible and keeps its order.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if (id.x >= cull.count) {
        return;
    }
    let word = local / 32u;
    let bit = 1u << (local % 32u);
    let marked = marks[group.x * 8u + word];
    if ((marked & bit) == 0u) {
        return;
    }
    var at = starts[group.x] + countOneBits(marked & (bit - 1u));
    for (var i = 0u; i < word; i++) {
        at += countOneBits(marks[group.x * 8u + i]);
    }
    kept[at] = values[id.x];
}
