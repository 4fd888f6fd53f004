#!/usr/bin/env bash
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sets up, configures and builds one preset.
#
#   scripts/build.sh [release|debug|static] [CMAKE OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-release}
[ $# -eq 0 ] || shift
if [ "$preset" = static ]; then
  scripts/setup.sh --static
else
  scripts/setup.sh
fi
cmake --preset "$preset" "$@"
cmake --build --preset "$preset"
