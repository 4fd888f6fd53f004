#!/usr/bin/env bash
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# All tests, from nothing: installs, builds, runs unit and lit tests.
#
#   scripts/test.sh [release|debug|static [-DNAME=VALUE...]]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-release}
[ $# -eq 0 ] || shift
scripts/setup.sh --editors --browser
scripts/build.sh "$preset" -DCPR_BUILD_TESTS=ON "$@"
scripts/nvdisasm.sh build/nvdisasm
ctest --preset "$preset" --no-tests=error -j "$(nproc)"
