#!/usr/bin/env bash
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# NVIDIA's disassembler for the tests of machine code, where there is nvcc and no nvdisasm: from its package for Python, into DIR/bin.
# Without a network the tests that need it are left out, no more.
#
#   scripts/nvdisasm.sh DIR
set -euo pipefail
dir=$1
package=nvidia-cuda-nvdisasm==13.2.78

nvcc=$(command -v nvcc || true)
for folder in "${CUDA_PATH:-}" "${CUDA_HOME:-}" /usr/local/cuda /opt/cuda /usr/lib/cuda; do
  if [ -z "$nvcc" ] && [ -n "$folder" ] && [ -x "$folder/bin/nvcc" ]; then
    nvcc=$folder/bin/nvcc
  fi
done
if [ -z "$nvcc" ] || [ -x "$(dirname "$(readlink -f "$nvcc")")/nvdisasm" ] || command -v nvdisasm >/dev/null || [ -x "$dir/bin/nvdisasm" ]; then
  exit 0
fi
if ! python3 -m pip --version >/dev/null 2>&1; then
  echo "nvdisasm.sh: neither nvdisasm nor pip is here; the tests that compare with it are left out" >&2
  exit 0
fi
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
if ! python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --target "$temporary" "$package" >"$temporary/log" 2>&1; then
  sed 's/^/nvdisasm.sh: /' "$temporary/log" | tail -n 3 >&2
  echo "nvdisasm.sh: the tests that compare with nvdisasm are left out" >&2
  exit 0
fi
found=$(find "$temporary" -type f -name nvdisasm | head -n 1)
mkdir -p "$dir/bin"
install -m 755 "$found" "$dir/bin/nvdisasm"
