"""clang-line.py FILE: the arguments of the Clang command line that -v has written into FILE, one per line."""

import re
import shlex
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    line = re.search(r": clang (-fsyntax-only .*)", file.read()).group(1)
print("\n".join(shlex.split(line)))
