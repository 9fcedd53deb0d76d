#!/bin/bash
# Draws glTF files with both engines on SwiftShader and prints the distance of
# each pair. Exit code: 0 all were drawn and are within LIMIT (MAD, default 0.5).
set -eu -o pipefail
[ $# -gt 0 ] || { echo "usage: models.sh FILE.glb|FILE.gltf …" >&2; exit 2; }
cd "$(dirname "$0")/../.."
work=${WORK:-out/models}
limit=${LIMIT:-0.5}
export VK_ICD_FILENAMES=${VK_ICD_FILENAMES:-/usr/lib/chromium/vk_swiftshader_icd.json}
rm -rf "$work"; mkdir -p "$work"
failed=0
bin/render export "$@" -o "$work/scenes" || failed=1
docs=()
for d in "$work"/scenes/*/; do if [ -f "$d/scene.json" ]; then docs+=("$d"); fi; done
node goldens/oracle/oracle.mjs --out "$work/babylonjs" "${docs[@]}" > "$work/oracle.json" || failed=1
node -e 'for (const r of JSON.parse(require("fs").readFileSync(process.argv[1])).results) if (r.error) console.log("not drawn by Babylon.js:", r.error)' "$work/oracle.json"
bin/render gltf "$@" -o "$work/darkroom" > "$work/darkroom.txt" || failed=1
for p in "$work"/babylonjs/*.png; do
    name=$(basename "$p")
    [ -f "$work/darkroom/$name" ] || { echo "not drawn here: $name"; failed=1; continue; }
    out=$(bin/parity diff "$p" "$work/darkroom/$name" || true)
    mad=$(sed -n 's/.*MAD \([0-9.e+-]*\).*/\1/p' <<<"$out" | head -1)
    printf '%-44s MAD %s\n' "$name" "$mad"
    awk -v a="$mad" -v b="$limit" 'BEGIN { exit !(a != "" && a <= b) }' || failed=1
done
exit $failed
