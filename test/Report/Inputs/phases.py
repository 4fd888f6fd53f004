# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The phases of loops by the JSON report.

    phases.py OLD REPORT NEW           prints the lines of every phase, before and after
    phases.py --all LEAST DIR... -- COMMAND
                                       rewrites the .cu files of the folders, of large ones a sample; a rewritten loop has loads, a
                                       barrier and compute before and after, and computes by the same lines. Every file has a report, and
                                       there are LEAST such loops at least"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Inputs"))
from sample import is_taken


def lines_of(path, phases):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        text = re.split("\r\n|\n|\r", file.read())  # as Clang counts
    for phase in phases:
        for number in range(phase["line"], phase["end_line"] + 1):
            line = text[number - 1].strip()
            # Comments belong to nobody.
            if line and not line.startswith("//"):
                yield phase["kind"], line


def statements(lines):
    """Without barriers, which are a phase of their own afterwards; short ones say little."""
    for line in lines:
        if "/*" in line or line.startswith(("#", "*")):
            continue
        for part in line.split("//")[0].replace("{", ";").replace("}", ";").split(";"):
            part = part.strip()
            if len(part) > 8 and "sync" not in part:
                yield part


def show(old, report, new):
    with open(report, encoding="utf-8") as file:
        loops = json.load(file)["files"][0]["loops"]
    for loop in loops:
        for kind, line in lines_of(old, loop["phases"]):
            print("%-8s %s" % (kind, line))
        print("new")
        for kind, line in lines_of(new, loop["new_phases"]):
            print("%-8s %s" % (kind, line))


def check_all(least, folders, command):
    count, wrong = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        report, new = os.path.join(scratch, "report.json"), os.path.join(scratch, "new.cu")
        paths = sorted(p for folder in folders for p in glob.glob(os.path.join(folder, "*.cu")))
        for path in paths if len(paths) < 30 else [p for p in paths if is_taken(os.path.basename(p), 6)]:
            subprocess.run(command + [path, "-o", new, "--report=" + report], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if not os.path.exists(report):
                wrong.append("%s: no report" % path)
                continue
            with open(report, encoding="utf-8") as file:
                loops = json.load(file)["files"][0]["loops"]
            os.remove(report)
            for loop in loops:
                if loop["status"] != "rewritten":
                    continue
                count += 1
                sides = []
                for at, phases in ((path, loop["phases"]), (new, loop["new_phases"])):
                    lines = list(lines_of(at, phases))
                    missing = {"load", "barrier", "compute"} - {kind for kind, _ in lines}
                    if missing:
                        wrong.append("%s:%d: no %s in %s" % (path, loop["line"], ", ".join(sorted(missing)), at))
                    others = {line for kind, line in lines if kind != "compute"}  # a line of two phases
                    sides.append(set(statements(line for kind, line in lines if kind == "compute" and line not in others)))
                # Calls that are written out, and what is said otherwise, are not in the file.
                if any(key in loop for key in ("inlined", "reworded", "gathered")):
                    continue
                gone = sides[0] - sides[1]
                if gone:
                    wrong.append("%s:%d: compute that is not found again: %s" % (path, loop["line"], sorted(gone)[:2]))
    if count < least:
        wrong.append("%d loops are rewritten, and not %d" % (count, least))
    for line in wrong:
        print(line)
    if wrong:
        sys.exit(1)
    print("%d loops, all with their phases" % count)


if sys.argv[1] == "--all":
    end = sys.argv.index("--")
    check_all(int(sys.argv[2]), sys.argv[3:end], sys.argv[end + 1:])
else:
    show(*sys.argv[1:4])
