# Targets: demo (see something), test (what CI runs), bench, fuzz, fmt, clean.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
GO ?= go
SCENES ?=
export CGO_ENABLED = 1

# ../shared holds reference material that is not ours; scenes that need it are left out without it.
SHARED ?= ../shared
ASSETS = $(SHARED)/babylon/assets:$(SHARED)/assets

.PHONY: specs-swiftshader captures-table captures-section captures-check goldens-reference reference-models reference-table oracle-test gltf-parity example wgsl-check demo test build driver vet bench fuzz fmt clean specs unit

demo: driver build
	@rm -rf report
	@bin/render adapters
	@bin/parity run --goldens goldens --report report --keep --allow-not-run

build:
	@mkdir -p bin
	$(GO) build -o bin/ ./cmd/render ./cmd/parity

# driver makes sure that there is a Vulkan driver and installs Mesa's CPU driver where there is none.
driver:
	@.ci/driver

test: driver build vet unit specs specs-swiftshader example wgsl-check oracle-test
	@bin/render adapters
	@bin/parity limits
	@bin/parity orphans
	@$(MAKE) -s captures-check

vet:
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...

# The workflow and the cluster job against their schemas; the second is fetched from the network.
.PHONY: lint
lint:
	$(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.7 .github/workflows/*.yml
	$(GO) run github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7 -strict -summary examples/cluster/*.yaml

# Everything but the pictures.
unit:
	$(GO) test $$($(GO) list ./... | grep -v darkroom/parity/specs)

# The catalogue as specs, in parallel processes.
specs:
	$(GO) tool ginkgo -p --timeout 20m ./parity/specs

# The other CPU driver's goldens, where it is installed (it comes with Chromium). The captures are judged on it by make captures-table.
specs-swiftshader:
	@if [ -f $(SWIFTSHADER) ]; then VK_ICD_FILENAMES=$(SWIFTSHADER) $(GO) tool ginkgo -p --timeout 20m --skip "Babylon.js on a GPU" ./parity/specs; \
	else echo "specs-swiftshader: left out: there is no $(SWIFTSHADER)"; fi

# The example is a module of its own and stands for a project outside this one.
example:
	cd examples/ownscenes && $(GO) vet ./... && $(GO) test ./...

# Every composed shader of the catalogue through naga (by rendering it) and through Tint (in Chromium), which gets the
# composer's golden texts as well (naga takes those in the tests of renderer).
wgsl-check: build
	@rm -rf out/wgsl && mkdir -p out/wgsl
	@DARKROOM_ASSETS=$${DARKROOM_ASSETS:-$(ASSETS)} bin/render wgsl all --raw out/wgsl
	@if command -v $${CHROMIUM:-chromium} >/dev/null && command -v npm >/dev/null; then \
		(cd composer/tint && npm ci --silent --no-audit --no-fund) && node composer/tint/check.mjs out/wgsl composer/testdata/golden; \
	else echo "wgsl-check: Tint is left out: Chromium or npm is not installed"; fi

# Pictures of Babylon.js for goldens/<scene>/babylonjs.png; SCENES names some of the scenes.
goldens-reference: build
	@(cd goldens/oracle && npm ci --silent --no-audit --no-fund)
	@DARKROOM_ASSETS=$${DARKROOM_ASSETS:-$(ASSETS)} bin/parity reference $(SCENES) --yes \
		$$(test -d $(SHARED)/babylon/goldens && echo --captures $(SHARED)/babylon/goldens)

# All scenes drawn by Babylon.js twice, and both CPU drivers judged with its pictures: a section of goldens/PARITY.md.
SWIFTSHADER ?= /usr/lib/chromium/vk_swiftshader_icd.json
LLVMPIPE ?= /usr/share/vulkan/icd.d/lvp_icd.x86_64.json
reference-table: build
	@(cd goldens/oracle && npm ci --silent --no-audit --no-fund)
	@rm -rf out/reference && mkdir -p out/reference
	@export DARKROOM_ASSETS=$${DARKROOM_ASSETS:-$(ASSETS)}; o=out/reference; \
		bin/parity reference --timeout 600 --captures $(SHARED)/babylon/goldens --json $$o/first.json; \
		bin/parity reference --timeout 600 --json $$o/second.json >$$o/second.txt; \
		for icd in $(SWIFTSHADER) $(LLVMPIPE); do \
			n=$$(basename $$icd .json); VK_ICD_FILENAMES=$$icd bin/parity run --against babylonjs --no-census --allow-not-run --report $$o/$$n --json $$o/$$n.json || [ $$? -eq 1 ]; \
		done; \
		bin/parity table $$o/$$(basename $(SWIFTSHADER) .json).json $$o/$$(basename $(LLVMPIPE) .json).json --witness $$o/first.json --witness $$o/second.json \
			--out goldens/PARITY.md --section "Against Babylon.js on one rasteriser" \
			--title "MAD / limit of each scene against the picture that Babylon.js draws of its document (\`make reference-table\`). On SwiftShader both sides share a rasteriser and only the shading can differ; the limits of the project's own scenes are meant for that case, and the llvmpipe column shows what another rasteriser and its filters add. The last column but one is the distance of Babylon.js's picture from the reference suite's capture on a GPU."

# Both CPU drivers against the reference's own captures: a section of goldens/PARITY.md, made of the runs in parity/runs. A run on
# another adapter is kept there by the same command, given its document: make captures-section RUNS=run.json.
CAPTURES = --causes goldens/causes.tsv --out goldens/PARITY.md --section "Against the reference's own GPU captures" \
	--title "MAD / limit of each scene, one run an adapter, as kept in parity/runs (\`make captures-table\` draws on the CPU drivers anew). Scenes 6, 20 and 23 are judged where the capture does not show its backdrop, a sky and a ground whose pictures cannot be had. On CPU drivers the limit takes in what was measured for the reference engine on such a driver. Of scenes 116 and 229, 0.2875 and 0.2970 are the background: the driver that captured them rounded a clear colour of 76.5 to 76, the formula and the other captures say 77."
captures-table: build
	@rm -rf out/captures && mkdir -p out/captures
	@export DARKROOM_ASSETS=$${DARKROOM_ASSETS:-$(ASSETS)}; \
		for icd in $(LLVMPIPE) $(SWIFTSHADER); do \
			n=$$(basename $$icd .json); VK_ICD_FILENAMES=$$icd bin/parity run --goldens $(SHARED)/babylon/goldens --tag reference --no-census --noise 0 --report out/captures/$$n --json out/captures/$$n.json || [ $$? -eq 1 ]; \
		done
	@$(MAKE) captures-section RUNS="$$(echo out/captures/*.json)"

RUNS ?=
captures-section: build
	@mkdir -p out
	@$(if $(RUNS),bin/parity table $(RUNS) --keep parity/runs --out out/kept.md)
	@bin/parity table parity/runs/*.json $(CAPTURES)

# The committed table is what the committed runs and causes give.
captures-check: build
	@bin/parity table parity/runs/*.json $(CAPTURES) --check

# The oracle's own tests: broken documents, scenes that hang or crash, one picture twice.
oracle-test: build
	@if command -v $${CHROMIUM:-chromium} >/dev/null && command -v npm >/dev/null; then \
		(cd goldens/oracle && npm ci --silent --no-audit --no-fund && npm test --silent); \
	else echo "oracle-test: left out: Chromium or npm is not installed"; fi

# Twenty glTF files drawn by both engines on one rasteriser and compared: one or two for each thing that a file can hold.
TWENTY = derived/AlphaModes.glb derived/AnimatedMorphCube-sparse.glb derived/Fox-draco.glb derived/Fox-meshopt.glb derived/LightsPunctual.glb \
	derived/MetalRoughGrid.glb derived/QuadBasisuETC1S.glb derived/QuadBasisuUASTC.glb derived/QuadWebPLossy.glb derived/Variants.glb \
	derived/VertexColorTest-quantize.glb draco-testdata/CesiumMan/glTF/CesiumMan.gltf draco-testdata/SheenCloth/glTF/SheenCloth.gltf \
	draco-testdata/TextureTransformTest/glTF/TextureTransformTest.gltf gltf-transform/core/BoxTextured_glTF-pbrSpecularGlossiness/BoxTextured.gltf \
	gltf-transform/extensions/BoxDraco.gltf playcanvas/AnisotropyStrengthTest.glb playcanvas/ClearCoatTest.glb \
	playcanvas/TransmissionRoughnessTest.glb playcanvas/simple-instancing.glb
reference-models: build
	@(cd goldens/oracle && npm ci --silent --no-audit --no-fund)
	@VK_ICD_FILENAMES=$(SWIFTSHADER) bin/parity models $(addprefix $(SHARED)/assets/models/,$(TWENTY)) --env $(SHARED)/assets/env/environment.env --out out/reference-models

# Every glTF file below MODELS as `render gltf` and as Babylon.js's own loader draw it, both on one software rasteriser: a distance a
# file, the shares within 0.5 and within 2, a contact sheet in out/gltf-parity. RESUME=1 goes on with an interrupted run (Babylon.js's
# pictures are kept in any case); TABLE=goldens/GLTF.md writes the page of the results.
MODELS ?= $(SHARED)/assets/models
gltf-parity: build
	@(cd goldens/oracle && npm ci --silent --no-audit --no-fund)
	@VK_ICD_FILENAMES=$(SWIFTSHADER) bin/parity models $(MODELS) --env $(SHARED)/assets/env/environment.env \
		--notes goldens/gltf-notes.tsv $(if $(RESUME),--resume) $(if $(TABLE),--table $(TABLE))

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

FUZZTIME ?= 30s
fuzz:
	@for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p 2>/dev/null | grep '^Fuzz' || true); do echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p; done; done

fmt:
	gofmt -w $$(git ls-files '*.go')

clean:
	rm -rf bin report out
