#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What several jobs save, what a second run costs, and what memory a job takes.

    python3 bench/jobs.py [--tool FILE] [--clang FILE] [--cuda-path DIR] [--rounds N] [--raw FILE] FOLDER...

Over all .cu files below each FOLDER (a repository's checkout):

    A   check -j 1   B   check -j 2    in turns, without a cache; the ratio of wall times B / A of each pair
    C   check -j 2 with the cache that a run before it has filled

and for each file, the peak resident memory of `check` with this file alone, against that of Clang's own parse with the flags
that the tool parses with (bench/clang_alone.py). Files are read with --keep-going: most of them include what is not here.
Medians, with the least and the greatest; the table is Markdown.

Exit status: 0; 2 usage; 4 a tool is not here.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from clang_alone import ROOT, Unusable, clang_command, make_decls  # noqa: E402


def cuda_files(folder):
    return sorted(os.path.join(top, name) for top, _, names in os.walk(folder) for name in names if name.endswith(".cu"))


def run(command):
    """(seconds of wall time, MiB of the largest process)"""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def spread(values, digits):
    return "%.*f (%.*f to %.*f)" % (digits, statistics.median(values), digits, min(values), digits, max(values))


def main():
    parser = argparse.ArgumentParser(description="Costs of jobs and of the cache.")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build/bin/cuda-pipeline-rewrite"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda-path", default="none")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--raw", help="file for every run")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    if not shutil.which(options.clang) or not os.access(options.tool, os.X_OK):
        print("jobs.py: no %s or no %s" % (options.clang, options.tool), file=sys.stderr)
        sys.exit(4)
    raw = open(options.raw, "w", encoding="utf-8") if options.raw else None

    def note(text):
        if raw:
            raw.write(text + "\n")
            raw.flush()

    common = ["check", "--keep-going", "--exit-zero", "--config=none", "-q", "--progress=never", "--cuda-path=" + options.cuda_path]
    print("| repository | files | -j 1, s | -j 2, s | -j 2 / -j 1 | with the cache, s | memory of a job, MiB | memory / Clang's |")
    print("|---|---|---|---|---|---|---|---|")
    for folder in options.folders:
        files = cuda_files(folder)
        name = os.path.basename(os.path.normpath(folder)).replace("+", "/")
        times = {1: [], 2: []}
        for turn in range(options.rounds):
            for jobs in (1, 2) if turn % 2 == 0 else (2, 1):
                seconds, _ = run([options.tool] + common + ["--cache=none", "-j%d" % jobs] + files)
                times[jobs].append(seconds)
                note("%s -j%d %.3f s" % (name, jobs, seconds))
        with tempfile.TemporaryDirectory() as cache:
            warm = [options.tool] + common + ["--cache=" + cache, "-j2"] + files
            run(warm)
            again = [run(warm)[0] for _ in range(options.rounds)]
            note("%s with the cache %s" % (name, again))
        ratios, sizes = [], []
        with tempfile.TemporaryDirectory() as decls:
            make_decls(decls)
            for path in files:
                tool = [options.tool] + [c for c in common if c != "-q"] + [path]
                try:
                    clang = clang_command(options.clang, tool, decls)
                except Unusable:
                    continue
                ours, theirs = run(tool)[1], run(clang)[1]
                note("%s %.1f MiB, Clang %.1f MiB" % (path, ours, theirs))
                sizes.append(ours)
                ratios.append(ours / theirs)
        print("| %s | %d | %s | %s | %s | %s | %s | %s |" % (
            name, len(files), spread(times[1], 2), spread(times[2], 2), spread([b / a for a, b in zip(times[1], times[2])], 2),
            spread(again, 2), spread(sizes, 0), spread(ratios, 2)), flush=True)


main()
