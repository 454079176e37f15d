# Trainyard. `make` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Tools that are built from their modules stay here from one run to the next.
CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/trainyard
LINT_VERSION := v2.15.0
LINT := $(CACHE)/bin/golangci-lint-$(LINT_VERSION)/golangci-lint

# Where conformance and e2e look for cases of your own, and how many are generated.
DIR ?=
CASES ?= 5000
SEED ?= 1

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "%-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# What a release is called: in `version`, and as the images' tag.
VERSION ?= devel

.PHONY: build
build: ## both programs, into bin/ (VERSION)
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o bin/ ./cmd/...

.PHONY: test
test: ## unit, golden and table tests, with the race detector
	go test -race ./...

# The packages that hold results against wanted files.
GOLDEN = $(shell go list -f '{{range .TestImports}}{{$$.ImportPath}} {{.}}{{"\n"}}{{end}}{{range .XTestImports}}{{$$.ImportPath}} {{.}}{{"\n"}}{{end}}' ./... \
	| awk '$$2 ~ /internal\/golden$$/ {print $$1}' | sort -u)

.PHONY: golden
golden: ## rewrite the wanted files; the diff is the review
	go test $(GOLDEN) -update
	cd test/conformance && go test . -run 'Golden|Document' -count=1 -update
	cd test/e2e && CGO_ENABLED=0 go test ./health -count=1 -update

.PHONY: golden-hosts
golden-hosts: ## rewrite the wanted files of the hosts, which it runs
	cd test/hosts && go test . -run 'TestLayouts|TestArgoCDComponents' -count=1 -timeout 30m -update

.PHONY: cover
cover: ## what the tests of render reach
	go test ./render/... -coverpkg=./render/... -coverprofile=$(CACHE)/cover.out > /dev/null
	go tool cover -func=$(CACHE)/cover.out | tail -1

# The test modules, each a Go module of its own, that are linted as the product
# is; e2e does not lint clean yet.
LINTED := test/acceptance test/bench test/conformance test/hosts test/policyengine

.PHONY: lint
lint: $(LINT) ## golangci-lint: all linters, every exception explained
	go vet ./...
	$(LINT) run ./...
	for module in $(LINTED); do (cd $$module && $(LINT) run ./...); done

$(LINT):
	GOBIN=$(dir $@) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

.PHONY: refresh
refresh: ## rebuild schemas/, runtimes/ and deploy/crds from go.mod's versions
	go run ./internal/refresh

.PHONY: verify
verify: refresh golden ## refresh, golden and tidy leave the tree clean
	go mod tidy
	@changed="$$(git status --porcelain)"; test -z "$$changed" || { git diff; echo "not up to date, or not committed:"; echo "$$changed"; exit 1; }

.PHONY: conformance
conformance: ## compare with the real Trainer (CASES, SEED, DIR)
	cd test/conformance && CASES=$(CASES) SEED=$(SEED) DIR="$(DIR)" go test ./... -count=1 -timeout 60m

.PHONY: mutants
mutants: ## put faults into render one at a time; each must be caught
	cd test/conformance && go run ./mutants

.PHONY: acceptance
acceptance: ## compare with JobSet's webhook and Kubernetes' own validation (CASES, SEED)
	cd test/acceptance && CASES=$(CASES) SEED=$(SEED) go test ./... -count=1 -timeout 60m

.PHONY: examples
examples: ## run every example, compare rendered.yaml
	go test ./examples/... -count=1

# Where the images belong.
IMAGES ?= ghcr.io/trainyard

.PHONY: images
images: build ## both images, without a registry (IMAGES, VERSION)
	for program in render-trainjob mirror-trainjob-status; do \
	  docker build --file deploy/image/Dockerfile --target $$program --tag $(IMAGES)/$$program:$(VERSION) .; \
	done

.PHONY: hosts
hosts: ## the examples and layouts through the real kustomize, kpt and docker
	cd test/hosts && go test ./... -count=1 -timeout 30m

.PHONY: policy-engine
policy-engine: ## the pods of an example through the real conftest
	cd test/policyengine && go test ./... -count=1 -timeout 30m

.PHONY: e2e
e2e: ## a real control plane: render, apply, watch the TrainJob become Complete (DIR)
	cd test/e2e && CGO_ENABLED=0 DIR="$(DIR)" go test ./... -count=1 -timeout 60m

.PHONY: e2e-scale
e2e-scale: ## the mirror over 10,000 JobSets, for a quarter of an hour: run by hand
	cd test/e2e && CGO_ENABLED=0 SCALE=10000 go test ./... -count=1 -timeout 120m -run Scale

.PHONY: bench
bench: ## measure beside the SDK, kyaml, the Trainer and kubeconform (ROUNDS, MOST)
	cd test/bench && go run . -rounds $(or $(ROUNDS),5) -most $(or $(MOST),10000)

.PHONY: clean
clean: ## remove what was built
	rm -rf bin dist
