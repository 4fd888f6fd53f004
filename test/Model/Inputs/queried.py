"""clang-query finds, by the page of matchers, every loop that the tool finds, and says of no matcher that it is wrong.

  queried.py PAGE DECLS FOLDER... -- TOOL...
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tidy/Inputs"))
from flags import tidy_flags


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True).stdout


def main():
    arguments, tool = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    page, decls, folders = arguments[0], arguments[1], arguments[2:]
    files = [os.path.join(folder, name) for folder in folders for name in sorted(os.listdir(folder)) if name.endswith(".cu")]
    found, wrong = {}, []
    for path in files:
        said = run(tool + ["--print=loops", path])
        for match in re.finditer(r"^loop \S+ (\d+):(\d+)-", said, re.M):
            found.setdefault(os.path.realpath(path), set()).add((int(match[1]), int(match[2])))
    said = run(["clang-query", "-f", page] + sorted(found) + ["--", "-w", "--cuda-device-only"] + tidy_flags(decls))
    matched = {(os.path.realpath(m[1]), (int(m[2]), int(m[3])))
               for m in re.finditer(r'^(\S+\.cu):(\d+):(\d+): note: "loop" binds here', said, re.M)}
    wrong += re.findall(r"^(?:\d+:\d+: .*|.*Matcher not found.*|.*Incorrect type.*)$", said, re.M)
    for path, loops in found.items():
        wrong += ["%s:%d:%d: not matched" % (path, line, column) for line, column in sorted(loops) if (path, (line, column)) not in matched]
    if wrong:
        sys.exit("\n".join(wrong))
    print("%d files, %d loops, none is missed" % (len(found), sum(map(len, found.values()))))


main()
