#!/bin/sh
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stands in front of a compiler's command and checks its source instead of compiling it: the report is
# written in the place of the object file, the dependencies in that of the compiler's. The compiler is
# never run. For CudaPipelineCheck.cmake, as the compiler launcher of its targets.
#
#   check-source.sh TOOL SARIF OPTION... -- COMPILER ARGUMENT...
#
#   TOOL   cuda-pipeline-rewrite; `-`: a source that is not CUDA's, nothing to do
#   SARIF  `sarif`: also writes OBJECT.sarif; `-`: not
#
# OBJECT.findings is there when the tool ended with exit code 1.
set -u
tool=$1 sarif=$2
shift 2

object='' source='' depfile='' target='' previous='' in_command=''
for argument in "$@"; do
  if [ -z "$in_command" ]; then
    [ "$argument" != -- ] || in_command=yes
    continue
  fi
  case $previous in
    -o) object=$argument ;;
    -c | -dc | -dw) source=$argument ;;
    -MF) depfile=$argument ;;
    -MT) target=$argument ;;
  esac
  previous=$argument
done
if [ -z "$object" ] || [ -z "$source" ]; then
  echo "check-source.sh: neither '-c SOURCE' nor '-o OBJECT' in the compiler's command: $*" >&2
  exit 2
fi
rm -f "$object" "$object.findings" "$object.sarif"
if [ "$tool" = - ]; then
  # In a rule: a blank in a name is escaped.
  [ -z "$depfile" ] || printf '%s:\n' "$(printf '%s' "${target:-$object}" | sed 's/ /\\ /g')" >"$depfile"
  [ "$sarif" = - ] || : >"$object.sarif"
  : >"$object"
  exit 0
fi

[ -z "$depfile" ] || set -- "--depfile=$depfile" "--depfile-target=${target:-$object}" "$@"
[ "$sarif" = - ] || set -- "--report=$object.sarif" "$@"

code=0
"$tool" check "$source" -q --progress=never --project-headers "$@" >"$object.report" || code=$?
if [ "$code" -gt 1 ]; then
  cat "$object.report"
  rm -f "$object.report" "$object.sarif"
  exit "$code"
fi
[ "$code" -eq 0 ] || : >"$object.findings"

mv "$object.report" "$object"
