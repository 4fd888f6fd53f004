#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every kernel of test/Forms, and what is written from it, on a GPU.

    bench/forms.py --tool PATH [--variants=cp-async:2,ldg] [--jobs N] [--limit SECONDS] [--raw FILE] > forms.md

Each kernel is rewritten by each variant with the toolkit's own headers, and `verify --engine=gpu` compares the two: the cases
of the kernel's launch comment, all memory bit by bit. Where the two agree without the compiler's contraction of products and sums
alone, the report of the rewrite named that assumption. Needs nvcc and a GPU. Exits with 1 if one differs.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "test", "Forms", "Inputs", "kernels")


def call(command, timeout):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "took more than %d s" % timeout)


def look_at(args, name, variant, work):
    """(verdict, what is said of it)"""
    if time.time() > args.until:
        return "not run", "the time was up"
    path = os.path.join(FOLDER, name + ".cu")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    launch = re.search(r"^/\* launch\n(.*?)^\*/", text, re.M | re.S)
    if not launch or re.search(r"^/\* elsewhere\n", text, re.M):
        return "not run", "for the emulator alone"
    stem = os.path.join(work, "%s.%s" % (name, variant.replace(":", "-")))
    with open(stem + ".yaml", "w", encoding="utf-8") as file:
        file.write(launch.group(1))
    options = re.search(r"^// options: (.*)$", text, re.M)
    options = options.group(1).split() if options else []
    kind, _, stages = variant.partition(":")
    rewrite = [args.tool, path, "--arch=sm_90", "--variant=" + kind, "-o", stem + ".cu", "-q"] + options
    rewrite += ["--stages=" + stages] if stages else []
    result = call(rewrite, 60)
    if result.returncode == 1:
        return "refused", ""
    if result.returncode:
        return "**failed**", "rewrite: exit %d: %s" % (result.returncode, result.stderr.strip().splitlines()[:1])
    parse = [o for o in options if o.startswith("--extra-arg")]
    result = call([args.tool, "verify", path, stem + ".cu", "--launch=" + stem + ".yaml", "--engine=gpu", "--arch=sm_90"] + parse,
                  args.each)
    said = [line.strip() for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    if result.returncode == 0:
        return "identical", next((l for l in said if " passed" in l), "")
    keep = [l for l in said if "pass" not in l][:4]
    if result.returncode == 1 and all("agree with -fmad=false" in l for l in said if "FAIL" in l):
        return "only with -fmad=false", ""
    if result.returncode == 1:
        return "**differs**", " / ".join(keep)
    return "no verdict", "exit %d: %s" % (result.returncode, " / ".join(keep))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--variants", default="cp-async:2,ldg")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--each", type=int, default=150, help="seconds for one pair of kernels")
    parser.add_argument("--limit", type=int, default=10**6, help="seconds after which no other one begins")
    parser.add_argument("--only", default=".", help="a regular expression")
    parser.add_argument("--raw")
    args = parser.parse_args()
    args.until = time.time() + args.limit
    names = sorted(f[:-3] for f in os.listdir(FOLDER) if f.endswith(".cu") and re.search(args.only, f))
    variants = args.variants.split(",")
    counts = {v: collections.Counter() for v in variants}
    lines = []
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        pending = {(n, v): pool.submit(look_at, args, n, v, work) for n in names for v in variants}
        for (name, variant), future in pending.items():
            verdict, said = future.result()
            counts[variant][verdict] += 1
            lines.append("%s\t%s\t%s\t%s" % (name, variant, verdict.strip("*"), said))
            print(lines[-1], file=sys.stderr)
    if args.raw:
        with open(args.raw, "w", encoding="utf-8") as file:
            file.write("kernel\tvariant\tverdict\tsaid\n" + "\n".join(lines) + "\n")
    verdicts = sorted({v for c in counts.values() for v in c})
    print("%d kernels.\n" % len(names))
    print("| variant | " + " | ".join(verdicts) + " |\n|---|" + "---|" * len(verdicts))
    for variant in variants:
        print("| %s | %s |" % (variant, " | ".join(str(counts[variant][v]) for v in verdicts)))
    bad = [l for l in lines if l.split("\t")[2] in ("differs", "failed", "no verdict")]
    if bad:
        print("\n| kernel | variant | verdict | said |\n|---|---|---|---|")
        for line in bad:
            print("| " + line.replace("|", "\\|").replace("\t", " | ") + " |")
    return 1 if any(c["**differs**"] or c["**failed**"] for c in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
