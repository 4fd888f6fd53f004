#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps the example of README.md true: it is the tool's own output.

    readme_example.py --check TOOL    fails if it is out of date
    readme_example.py --write TOOL    brings it up to date
"""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMAND = ["examples/sgemm_tile.cu", "--variant=cp-async", "--stages=3", "--diff"]
BEGIN, END = "<!-- example: begin -->\n", "<!-- example: end -->\n"


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("--check", "--write"):
        print(__doc__)
        return 2
    # Without a toolkit: the same bytes on every machine.
    run = subprocess.run(
        [sys.argv[2], "--cuda-path=none"] + COMMAND, cwd=ROOT, capture_output=True, text=True
    )
    if run.returncode != 1 or not run.stdout:
        print(run.stderr)
        print("exit code %d, expected 1: a diff" % run.returncode)
        return 1
    hunks = run.stdout[run.stdout.index("@@"):]
    block = "    $ cuda-pipeline-rewrite %s\n\n```diff\n%s```\n" % (" ".join(COMMAND), hunks)

    path = os.path.join(ROOT, "README.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    shown, after = rest.split(END)
    if shown == block:
        return 0
    if sys.argv[1] == "--check":
        print("README.md shows another example than the tool gives now:")
        print("    scripts/readme_example.py --write build/bin/cuda-pipeline-rewrite")
        print(block)
        return 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + BEGIN + block + END + after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
