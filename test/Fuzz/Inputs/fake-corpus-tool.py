#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for the tool and for Clang in the test of bench/corpus.py.

What takes long says so ("fake: 3 s") and takes no time: bench/corpus.py is run by untimed-corpus.py, which believes it.

As the tool it does what the first line of a file says: `// crash`, for example. As Clang (a link to it
whose name ends in `clang`) it takes long over a file that says `// long-parse`, and does not start without
the bundled declarations.
"""

import json
import os
import signal
import sys
import time

def be_busy():
    sys.stderr.write("fake: 3 s\n")


def first_line(path):
    with open(path, encoding="utf-8") as file:
        return file.readline()[3:].strip()


def clang(arguments):
    include = arguments[arguments.index("-isystem") + 1]
    if not os.path.exists(os.path.join(include, "cuda_runtime.h")):
        sys.stderr.write("fatal error: 'cuda_runtime.h' file not found\n")
        return 1
    if first_line(arguments[-1]) == "long-parse":
        be_busy()
    return 0


def main():
    if sys.argv[0].endswith("clang"):
        return clang(sys.argv[1:])
    if sys.argv[1] == "--version":
        print("fake-corpus-tool 7")
        return 0
    end = sys.argv.index("--")
    command, path, options = sys.argv[1], sys.argv[2], sys.argv[3:end]
    what = first_line(path)
    if command == "check":
        if "-v" in options:
            sys.stderr.write("{0}: clang -fsyntax-only -isystem /cuda-pipeline-rewrite/bundled-cuda/include -- \"{0}\"\n"
                             .format(path))
        return 0
    with open(os.environ["FAKE_LOG"], "a", encoding="utf-8") as log:
        log.write(os.path.basename(path) + "\n")
    output = options[options.index("-o") + 1]
    report = [o for o in options if o.startswith("--report=")][0][len("--report="):]
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "hang":
        time.sleep(600)
    if what == "internal-error":
        sys.stderr.write("fake: error: internal error while analysing '{}'; nothing was written\n".format(path))
        return 3
    if what == "odd-exit":
        return 9
    if what in ("long-parse", "long"):
        be_busy()
    if what == "modify":
        with open(path, "a", encoding="utf-8") as file:
            file.write("// more\n")
    if what == "toolkit" and "--cuda-path=none" not in options:
        what = "fine"
    if what in ("broken", "broken-output", "toolkit"):
        sys.stderr.write("{}:1:1: error: unknown type name 'broken'\n".format(path))
        if what == "broken-output":
            open(output, "w", encoding="utf-8").close()
        return 3
    if what != "no-output":
        open(output, "w", encoding="utf-8").close()
    if what != "no-report":
        loop = {"kernel": "k", "line": 2, "end_line": 4, "status": "refused", "variant": None, "stages": None,
                "assumptions": [], "reasons": [{"id": "stale-tile", "line": 3, "message": ""}],
                "candidates": [{"variant": "ldg", "rejected": "predicted 0.97x"},
                               {"variant": "cp-async", "rejected": "narrow"}]}
        with open(report, "w", encoding="utf-8") as file:
            json.dump({"files": [{"loops": [loop]}]}, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
