#!/bin/sh
echo "no-nvcc.sh was run as the compiler: $*" >&2
exit 99
