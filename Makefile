# Targets: demo (see something), test (what CI runs), bench, fuzz, fmt, clean.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
GO ?= go
SCENES ?=
export CGO_ENABLED = 1

.PHONY: demo test build driver vet bench fuzz fmt clean specs unit

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

test: driver build vet unit specs
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

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

FUZZTIME ?= 30s
fuzz:
	@for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p 2>/dev/null | grep '^Fuzz' || true); do echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p; done; done

fmt:
	gofmt -w $$(git ls-files '*.go')

clean:
	rm -rf bin report out
