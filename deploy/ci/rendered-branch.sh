#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trainyard Authors
# SPDX-License-Identifier: Apache-2.0
#
# Renders the TrainJobs of a folder into a branch that Argo CD or Flux applies:
#
#   rendered-branch.sh [FOLDER [BRANCH [FLAG...]]]     default: jobs rendered
#
# The branch holds the last rendering. Runs that did not change keep its bytes,
# and an edit that a running training can't take fails here, not in the cluster.
# Where the folder is a kustomization, kustomize builds it first.
set -euo pipefail
folder=${1:-jobs} branch=${2:-rendered}
shift $(($# < 2 ? $# : 2))

work=$(mktemp -d)
tree=$work/tree
trap 'git worktree remove --force "$tree" 2>/dev/null || true; rm -rf "$work"' EXIT

previous=()
status=0
git ls-remote --exit-code --heads origin "$branch" >/dev/null || status=$?
case $status in
0)
  git fetch --quiet origin "$branch"
  git worktree add --quiet --detach "$tree" FETCH_HEAD
  previous=(--previous "$tree")
  ;;
2) # origin answered, and has no such branch yet
  git worktree add --quiet --detach "$tree"
  git -C "$tree" checkout --quiet --orphan "$branch"
  git -C "$tree" rm --quiet -rf .
  ;;
*) exit "$status" ;;
esac

if [[ -f $folder/kustomization.yaml ]]; then
  kustomize build "$folder" | render-trainjob "$@" "${previous[@]}" - >"$work/trainings.yaml"
else
  render-trainjob "$@" "${previous[@]}" "$folder" >"$work/trainings.yaml"
fi

mv "$work/trainings.yaml" "$tree/trainings.yaml"
git -C "$tree" add trainings.yaml
if ! git -C "$tree" diff --cached --quiet; then
  git -C "$tree" commit --quiet -m "Render $(git rev-parse --short HEAD)"
  git -C "$tree" push --quiet origin "HEAD:refs/heads/$branch"
fi
