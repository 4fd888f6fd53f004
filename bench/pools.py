#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the kernels of bench/pools, whose tiles share one array with other things, and checks them on a GPU.

    python3 bench/pools.py generate DIR --arch sm_90     needs no GPU: each kernel under each variant, and a harness
    python3 bench/pools.py run DIR                       on the machine with the GPU: builds, sanitizes, measures
    python3 bench/pools.py report DIR --arch sm_90       the tables, in Markdown

NAME.small.yaml has the sizes that are sanitized (one, two, three and five tiles, and edges), NAME.yaml the one that is
timed. A variant that the kernel cannot have is left out. Exit status: 0; 1 something failed; 2 usage.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import sys

from programs import CLEAN, run, sanitize_harness

ROOT = os.path.relpath(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
POOLS = os.path.join(ROOT, "bench", "pools")
VARIANTS = [("ldg", 2), ("cp-async", 2), ("cp-async", 3), ("mixed", 2)]


def names():
    return sorted(os.path.basename(f)[:-3] for f in glob.glob(os.path.join(POOLS, "*.cu")))


def versions(folder, name):
    made = glob.glob(os.path.join(folder, name + ".*.cu"))
    return sorted(made, key=lambda f: [i for i, (v, s) in enumerate(VARIANTS) if f.endswith("%s.%s-%d.cu" % (name, v, s))])


def bench(options, name, size, more):
    return run([options.tool, "bench", os.path.join(POOLS, name + ".cu")] + versions(options.dir, name) +
               ["--launch=" + os.path.join(POOLS, name + size + ".yaml"), "--arch=" + options.arch, "--no-ablation", "--cuda-path=none"] + more)


def generate(options):
    os.makedirs(options.dir, exist_ok=True)
    fine = True
    for name in names():
        for variant, stages in VARIANTS:
            # Of one that the kernel cannot have the reason is printed.
            new = os.path.join(options.dir, "%s.%s-%d.cu" % (name, variant, stages))
            status, text = run([options.tool, os.path.join(POOLS, name + ".cu"), "--variant=" + variant, "--stages=%d" % stages,
                                "--arch=" + options.arch, "--cuda-path=none", "-o", new, "-q"])
            if status not in (0, 1):
                print(text)
            fine &= status in (0, 1)
            if status == 1:
                os.remove(new)
                print("%s: no %s with %d stages: %s" % (name, variant, stages, "; ".join(re.findall(r"note: (.*\[[a-z-]+\])", text))))
        for size in "", ".small":
            status, text = bench(options, name, size, ["--emit-harness=" + os.path.join(options.dir, name + size)])
            if status:
                print(text)
            fine &= status == 0
    return 0 if fine else 1


def run_all(options):
    fine = True

    def build(folder):
        return folder, run(["sh", os.path.join(options.dir, folder, "build.sh")])

    def sanitize(job):
        return job, sanitize_harness(os.path.join(options.dir, job[0] + ".small"), job[1])

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for folder, (status, text) in pool.map(build, [n + s for n in names() for s in ("", ".small")]):
            if status:
                print("%s: %s" % (folder, text[-1500:]))
            fine &= status == 0
        for (name, tool), said in pool.map(sanitize, [(n, t) for n in names() for t in CLEAN]):
            print("%s: %s: %s" % (name, tool, said))
            fine &= said == "clean"
    for size in ".small", "":
        for name in names():
            folder = os.path.join(options.dir, name + size)
            status, text = run([os.path.join(folder, "harness"), "--result=" + os.path.join(folder, "result.json")] +
                               (["--rounds=0"] if size else []))
            print("%s%s: exit status %d" % (name, size, status))
            if status:
                print(text[-1500:])
            fine &= status == 0
    return 0 if fine else 1


def report(options):
    fine = True
    for name in names():
        status, text = bench(options, name, "", ["--from-result=" + os.path.join(options.dir, name, "result.json"), "--format=markdown"])
        print(text)
        fine &= status == 0
    return 0 if fine else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="The head of this file says more.")
    parser.add_argument("command", choices=["generate", "run", "report"])
    parser.add_argument("dir", metavar="DIR")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "cuda-pipeline-rewrite"))
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_args()
    return {"generate": generate, "run": run_all, "report": report}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
