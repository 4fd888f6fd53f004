#!/bin/sh
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Shows what check-source.sh has found in the sources of a target, and fails if there was anything to
# fail on.
#
#   check-gate.sh TARGET FAIL_ON OBJECTS STAMP
#
#   OBJECTS  a file with the names of the target's reports, one per line
#   STAMP    is made when it passes
set -u
failed=0
while IFS= read -r object; do
  [ -n "$object" ] || continue
  cat "$object" || exit 2
  [ ! -e "$object.findings" ] || failed=1
done <"$3"
if [ "$failed" -ne 0 ]; then
  echo "pipeline check of '$1' failed (FAIL_ON $2)" >&2
  exit 1
fi
: >"$4"
