#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trainyard Authors
# SPDX-License-Identifier: Apache-2.0
#
# Renders the TrainJobs of a folder and pushes them as an OCI artifact that Flux
# applies:
#
#   oci-artifact.sh [--first] oci://REGISTRY/REPOSITORY:TAG [FOLDER [FLAG...]]
#
# The artifact that is there holds the last rendering: runs that did not change
# keep its bytes. --first says that there is none yet; otherwise one that can't
# be pulled ends the script, and nothing is pushed.
# Where the folder is a kustomization, kustomize builds it first. FLUX_FLAGS go
# to flux, such as --creds or --provider.
set -euo pipefail
first=false
if [[ $1 == --first ]]; then
  first=true
  shift
fi
artifact=$1 folder=${2:-jobs}
shift $(($# < 2 ? $# : 2))
read -ra flags <<<"${FLUX_FLAGS:-}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/last" "$work/next"

previous=()
if ! $first; then
  flux pull artifact "$artifact" --output "$work/last" "${flags[@]}"
  previous=(--previous "$work/last")
fi

if [[ -f $folder/kustomization.yaml ]]; then
  kustomize build "$folder" | render-trainjob --profile Flux "$@" "${previous[@]}" - >"$work/next/trainings.yaml"
else
  render-trainjob --profile Flux "$@" "${previous[@]}" "$folder" >"$work/next/trainings.yaml"
fi

flux push artifact "$artifact" --path "$work/next" --reproducible "${flags[@]}" \
  --source "$(git config --get remote.origin.url)" \
  --revision "$(git branch --show-current)@sha1:$(git rev-parse HEAD)"
