#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for the tool in the test of bench/fuzz --judge.

It refuses every kernel for `early-exit`; with --emit-refused, or $FAKE_CARELESS, it copies it. Its `verify`
says $FAKE_SHORT of a loop that is left in its second turn, as the launch description has it, and that
anything else passes.
"""

import json
import os
import re
import sys


def main():
    command, options = sys.argv[1], sys.argv[2:]
    if command == "--help":
        print("  verify OLD NEW")
        return 0
    with open([o for o in options if o.endswith(".cu") and not o.startswith("-")][0], errors="surrogateescape") as file:
        text = file.read()
    if command == "rewrite":
        emitted = "--emit-refused" in options or os.environ.get("FAKE_CARELESS")
        loops = [{"line": number, "status": "rewritten" if emitted else "refused", "reasons": [] if emitted else [
            {"id": "early-exit", "message": "", "line": number}]}
                 for number, line in enumerate(text.split("\n"), 1)
                 if "__global__" in line and "template __global__" not in line]
        with open(options[options.index("-o") + 1], "w", errors="surrogateescape") as file:
            file.write(text)
        with open([o for o in options if o.startswith("--report=")][0][len("--report="):], "w") as file:
            json.dump({"files": [{"loops": loops}]}, file)
        return 0
    with open([o for o in options if o.startswith("--launch=")][0][len("--launch="):]) as file:
        documents = file.read().split("---\n")
    cases = []
    for document in documents:
        short = re.search(r"name: (most|cutoff)\d*, scalar: int, value: 2}", document)
        verdict = os.environ["FAKE_SHORT"] if short else "pass"
        # What is wrong with the original is told by the reason.
        cases.append({"kernel": re.search(r"^kernel: '(.*)'$", document, re.M).group(1),
                      "verdict": "cannot-tell" if verdict == "invalid" else verdict,
                      "reason": "the original has a race" if verdict == "invalid" else ""})
    print(json.dumps({"cases": cases}))
    found = {case["verdict"] for case in cases}
    return 1 if "fail" in found else 4 if "cannot-tell" in found else 0


if __name__ == "__main__":
    sys.exit(main())
