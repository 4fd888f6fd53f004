# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same kernels with Windows' line ends: the same is said, and what is written is the same but for them.

  line_ends.py FOLDER... [--every N] -- TOOL...

With CPR_LONG=1 in the environment every kernel of the folders is tried, in all variants; else one in N, in one of them.
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Inputs"))
from sample import LONG, is_taken

VARIANTS = ("cp-async", "ldg", "ldg-single", "mixed")


def tried(tool, path, variant, out):
    """What is said of the loops, and what is written."""
    run = subprocess.run(tool + [path, "--variant=" + variant, "--format=json", "-o", out], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    report = json.loads(run.stdout)
    loops = [(loop["line"], loop["status"], sorted((r["id"], r["line"], r["message"]) for r in loop.get("reasons", [])))
             for file in report.get("files", [report]) for loop in file.get("loops", [])]
    with open(out if os.path.exists(out) else path, "rb") as file:
        return run.returncode, loops, file.read()


def complaints(tool, path, variants):
    with open(path, "rb") as file:
        text = file.read()
    if b"\r" in text:
        return []
    found = []
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.basename(path)
        for variant in variants:
            results = []
            for kind, ends in (("unix", b"\n"), ("windows", b"\r\n")):
                os.makedirs(os.path.join(folder, kind, variant), exist_ok=True)
                own = os.path.join(folder, kind, name)
                with open(own, "wb") as file:
                    file.write(text.replace(b"\n", ends))
                results.append(tried(tool, own, variant, os.path.join(folder, kind, variant, name)))
            (rc, said, old), (other, windows, new) = results
            if (rc, said) != (other, windows):
                found.append("{} {}: {} {}, and with the other line ends {} {}".format(name, variant, rc, said, other, windows))
            elif new != old.replace(b"\n", b"\r\n"):
                found.append("{} {}: what is written differs by more than its line ends".format(name, variant))
    return found


def main():
    at = sys.argv.index("--")
    given, tool = sys.argv[1:at], sys.argv[at + 1:]
    every = 1
    if "--every" in given:
        every = int(given[given.index("--every") + 1])
        del given[given.index("--every"):given.index("--every") + 2]
    jobs = []
    for folder in given:
        names = sorted(n for n in os.listdir(folder) if n.endswith(".cu"))
        for name in names:
            if is_taken(name, every):
                jobs.append((os.path.join(folder, name), VARIANTS if LONG else (VARIANTS[zlib.crc32(name.encode()) % 3],)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [line for lines in pool.map(lambda job: complaints(tool, *job), jobs) for line in lines]
    print("\n".join(found + ["{} kernels, {} complaints".format(len(jobs), len(found))]))
    sys.exit(1 if found or not jobs else 0)


if __name__ == "__main__":
    main()
