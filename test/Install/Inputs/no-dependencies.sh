#!/bin/sh
# The tool, but the dependency file goes.
previous='' file=''
for argument in "$@"; do
  [ "$previous" != --extra-arg=-MF ] || file=${argument#--extra-arg=}
  previous=$argument
done
code=0
"$0.real" "$@" || code=$?
rm -f "$file"
exit "$code"
