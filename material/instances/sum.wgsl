@group(0) @binding(1) var<storage, read_write> starts: array<u32>;
@group(0) @binding(2) var<storage, read_write> arguments: array<u32>; // of the draw
var<workgroup> sums: array<u32, 256>;

// main turns counts into sums of all that come before, 256 at a time.
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    var before = 0u;
    for (var first = 0u; first < cull.groups; first += 256u) {
        let i = first + local;
        var n = 0u;
        if (i < cull.groups) {
            n = starts[i];
        }
        sums[local] = n;
        workgroupBarrier();
        for (var reach = 1u; reach < 256u; reach *= 2u) {
            var add = 0u;
            if (local >= reach) {
                add = sums[local - reach];
            }
            workgroupBarrier();
            sums[local] += add;
            workgroupBarrier();
        }
        if (i < cull.groups) {
            starts[i] = before + sums[local] - n;
        }
        before += sums[255];
        workgroupBarrier();
    }
    if (local == 0u) {
        arguments[0] = cull.elements;
        arguments[1] = before;
        arguments[2] = 0u;
        arguments[3] = 0u;
        arguments[4] = 0u;
    }
}
