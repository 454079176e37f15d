# Trainyard. `make` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Tools that are built from their modules stay here from one run to the next.
CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/trainyard
LINT_VERSION := v2.15.0
LINT := $(CACHE)/bin/golangci-lint-$(LINT_VERSION)/golangci-lint

# Where conformance looks for cases of your own, and how many it generates.
DIR ?=
CASES ?= 5000
SEED ?= 1

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "%-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## both programs, into bin/
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o bin/ ./cmd/...

.PHONY: test
test: ## unit, golden and table tests, with the race detector
	go test -race ./...

.PHONY: golden
golden: ## rewrite the wanted files; the diff is the review
	go test $$(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... ) -update

.PHONY: cover
cover: ## what the tests of render reach
	go test ./render/... -coverpkg=./render/... -coverprofile=$(CACHE)/cover.out > /dev/null
	go tool cover -func=$(CACHE)/cover.out | tail -1

.PHONY: lint
lint: $(LINT) ## golangci-lint: all linters, every exception explained
	go vet ./...
	$(LINT) run ./...

$(LINT):
	GOBIN=$(dir $@) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

.PHONY: refresh
refresh: ## rebuild schemas/, runtimes/ and deploy/crds from go.mod's versions
	go run ./internal/refresh

.PHONY: verify
verify: refresh golden ## refresh, golden and tidy leave the tree clean
	go mod tidy
	git diff --exit-code
	test -z "$$(git status --porcelain -- schemas runtimes testdata deploy)"

.PHONY: conformance
conformance: ## compare with the real Trainer (CASES, SEED, DIR)
	cd test/conformance && CASES=$(CASES) SEED=$(SEED) DIR="$(DIR)" go test ./... -count=1 -timeout 60m

.PHONY: clean
clean: ## remove what was built
	rm -rf bin dist
