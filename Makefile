# Targets: demo (see something), test (what CI runs), bench, fuzz, fmt, clean.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
GO ?= go
SCENES ?=
export CGO_ENABLED = 1

# ../shared holds reference material that is not ours; scenes that need it are left out without it.
SHARED ?= ../shared
ASSETS = $(SHARED)/babylon/assets:$(SHARED)/assets

.PHONY: goldens-reference reference-models gltf-parity example wgsl-check demo test build driver vet bench fuzz fmt clean specs unit

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

test: driver build vet unit specs example wgsl-check
	@bin/render adapters
	@bin/parity limits
	@bin/parity orphans

vet:
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...

# Everything but the pictures.
unit:
	$(GO) test $$($(GO) list ./... | grep -v darkroom/parity/specs)

# The catalogue as specs, in parallel processes.
specs:
	$(GO) tool ginkgo -p --timeout 20m ./parity/specs

# The example is a module of its own and stands for a project outside this one.
example:
	cd examples/ownscenes && $(GO) vet ./... && $(GO) test ./...

# Every composed shader of the catalogue through naga (by rendering it) and through Tint (in Chromium).
wgsl-check: build
	@rm -rf out/wgsl && mkdir -p out/wgsl
	@DARKROOM_ASSETS=$${DARKROOM_ASSETS:-$(ASSETS)} bin/render wgsl all --raw out/wgsl
	@if command -v $${CHROMIUM:-chromium} >/dev/null && command -v npm >/dev/null; then \
		(cd composer/tint && npm ci --silent --no-audit --no-fund) && node composer/tint/check.mjs out/wgsl; \
	else echo "wgsl-check: Tint is left out: Chromium or npm is not installed"; fi

# Pictures of Babylon.js for goldens/<scene>/babylonjs.png; SCENES names some of the scenes.
goldens-reference: build
	@(cd goldens/oracle && npm ci --silent --no-audit --no-fund)
	@DARKROOM_ASSETS=$${DARKROOM_ASSETS:-$(ASSETS)} bin/parity reference $(SCENES) --yes \
		$$(test -d $(SHARED)/babylon/goldens && echo --captures $(SHARED)/babylon/goldens)

# glTF files drawn by both engines on one rasteriser and compared: MODELS="a.glb b.gltf …".
reference-models: build
	@(cd goldens/oracle && npm ci --silent --no-audit --no-fund)
	@goldens/oracle/models.sh $(MODELS)

# Every glTF file below MODELS as `render gltf` and as Babylon.js's own loader draw it, both on one software rasteriser: a distance a
# file, the shares within 0.5 and within 2, a contact sheet in out/gltf-parity. RESUME=1 goes on with an interrupted run (Babylon.js's
# pictures are kept in any case); TABLE=goldens/GLTF.md writes the page of the results.
SWIFTSHADER ?= /usr/lib/chromium/vk_swiftshader_icd.json
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
