#!/usr/bin/env bash
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The main job, from nothing: installs, builds, rewrites an example, shows what changed.
#
#   scripts/demo.sh [FILE.cu [OPTION...]]
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh release -DCPR_BUILD_TESTS=OFF

input=${1:-examples/sgemm_tile.cu}
[ $# -eq 0 ] || shift
tool=build/bin/cuda-pipeline-rewrite
output=build/$(basename "${input%.*}").pipelined.${input##*.}

echo
echo "\$ $tool $input${*:+ $*} --output-dir=build"
"$tool" "$input" "$@" --output-dir=build
if [ -f "$output" ]; then
  echo
  echo "\$ diff -u $input $output"
  diff -u "$input" "$output" || true
fi
