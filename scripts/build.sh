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
# Clang compiles its own headers in a third of GCC's time. A folder that has been configured keeps its compiler, and $CXX and -D
# decide where they are given. With sanitizers it is the system's compiler: Clang's runtime for them is a package of its own.
folder=build
[ "$preset" = release ] || folder=build-$preset
llvm=/usr/lib/llvm-22/bin
compiler=()
if [ ! -e "$folder/CMakeCache.txt" ] && [ -z "${CXX-}" ] && [ "$preset" != debug ] && [ -x "$llvm/clang++" ]; then
  compiler=(-DCMAKE_CXX_COMPILER="$llvm/clang++" -DCMAKE_C_COMPILER="$llvm/clang")
fi
cmake --preset "$preset" ${compiler[@]+"${compiler[@]}"} "$@"
cmake --build --preset "$preset"
