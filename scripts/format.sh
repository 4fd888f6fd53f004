#!/usr/bin/env bash
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The project's C++ in the form that .clang-format asks for.
#
#   scripts/format.sh           brings it into that form
#   scripts/format.sh --check   says what is not in it; exit status 1 if anything is
#
# CLANG_FORMAT names the program; it has to be that of LLVM 22, as others break lines elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."

format=${CLANG_FORMAT:-/usr/lib/llvm-22/bin/clang-format}
if ! "$format" --version | grep -q 'version 22\.'; then
  echo "format.sh: $format is not the clang-format of LLVM 22; install clang-format-22 (scripts/setup.sh does it), or set CLANG_FORMAT" >&2
  exit 2
fi
# The bundled CUDA declarations keep the form in which they can be compared with the toolkit's.
find include lib tool unittests \( -name '*.cpp' -o -name '*.h' -o -name '*.c' \) -not -path '*/cuda-decls/*' -not -path '*/Inputs/*' -print0 |
  sort -z | case "${1-}" in
    "") xargs -0 -n 64 -P "$(nproc)" "$format" -i ;;
    --check) xargs -0 -n 64 -P "$(nproc)" "$format" --dry-run -Werror || exit 1 ;;
    *)
      echo "usage: scripts/format.sh [--check]" >&2
      exit 2
      ;;
  esac
