#!/bin/sh
# A compiler that writes its command into the object file, and ends with 7 if -DFAIL is in it.
previous='' object=''
for argument in "$@"; do
  [ "$argument" != -DFAIL ] || exit 7
  [ "$previous" != -o ] || object=$argument
  previous=$argument
done
echo "$*" >"$object"
