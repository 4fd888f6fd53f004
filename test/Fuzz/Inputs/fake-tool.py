#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for the tool in the test of bench/fuzz: fast, and with mistakes that are known.

It "rewrites" every kernel by copying it, except that it refuses what has a halo (conv1d), dies of
size_t in a loop header, and its output does not parse where a kernel has tabs. Its `verify` finds a
difference where a loop counts down, and cannot tell about short. With $FAKE_BATCH it dies of a file that
has both matMulShared and reduceTiles, and blames sgemm_tiled where scan_chunks is in the same file. Each
call is noted in $FAKE_LOG.
"""

import json
import os
import re
import sys


def main():
    arguments = sys.argv[1:]
    command, options = arguments[0], arguments[1:]
    if command == "--help":
        print("  verify OLD NEW")
        return 0
    if any(o.startswith("--batch=") for o in options):
        return 2  # one by one
    with open(os.environ["FAKE_LOG"], "a") as log:
        log.write(command + "\n")
    files = [a for a in options if a.endswith(".cu") and not a.startswith("-")]
    with open(files[0], errors="surrogateescape") as file:
        text = file.read()
    if command == "check":
        return 3 if "// broken" in text else 0
    if command == "rewrite":
        if re.search(r"for \(size_t", text):
            sys.stderr.write("fake: error: internal error while analysing; nothing was written\n")
            return 3
        if os.environ.get("FAKE_BATCH") and "matMulShared" in text and "reduceTiles" in text:
            return 7
        loops = []
        for number, line in enumerate(text.split("\n"), 1):
            if "__global__" in line and "template __global__" not in line:
                refused = re.search(r"\b(conv1d|convChannels)\(", line)
                loops.append({"line": number, "status": "refused" if refused else "rewritten",
                              "variant": "ldg", "stages": 2,
                              "reasons": [{"id": "stale-tile", "message": "", "line": number}]
                              if refused else []})
        with open(options[options.index("-o") + 1], "w", errors="surrogateescape") as file:
            file.write("// broken\n" + text if "\t" in text else text)
        with open([o for o in options if o.startswith("--report=")][0][len("--report="):], "w") as file:
            json.dump({"files": [{"loops": loops}]}, file)
        return 0
    if command == "verify":
        if "// broken" in open(files[1], errors="surrogateescape").read():
            return 3
        launch = [o for o in options if o.startswith("--launch=")][0][len("--launch="):]
        with open(launch) as file:
            wanted = re.findall(r"^kernel: '(?:(k\d+)::)?(.*)'$", file.read(), re.M)
        parts = re.split(r"^namespace (k\d+) \{", text, flags=re.M)
        kernels = dict(zip(parts[1::2], parts[2::2])) or {"": text}
        cases = []
        for space, name in wanted:
            body = kernels[space]
            verdict = "fail" if re.search(r"; (--\w+|\w+--|\w+ -= \w+)\)", body) else (
                "cannot-tell" if "for (short" in body else "pass")
            if os.environ.get("FAKE_BATCH") and "sgemm_tiled" in name and "scan_chunks" in text:
                verdict = "fail"
            cases.append({"kernel": space + "::" + name if space else name, "verdict": verdict,
                          "reason": "as it pleases"})
        print(json.dumps({"cases": cases}))
        found = {case["verdict"] for case in cases}
        return 1 if "fail" in found else 4 if "cannot-tell" in found else 0
    return 2


if __name__ == "__main__":
    sys.exit(main())
