#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what `check` costs beyond Clang's own parse of the same file.

    python3 bench/check_cost.py [--tool FILE] [--clang FILE] [--cuda-path DIR] [--rounds N] [--kept] [--out DIR]

For every example, without a toolkit (the bundled declarations) and with one, two commands run in turns,
A B A B ..., one process at a time:

    A   cuda-pipeline-rewrite check EXAMPLE --arch=sm_80 --cuda-path=DIR|none --cache=none
    B   clang++-22 -fsyntax-only --cuda-device-only ... EXAMPLE

B has the flags that A itself parses with, as `-v` shows them: same headers, architecture, language, builtin
headers, no warnings. The two virtual paths among them (the bundled declarations) are replaced by a copy
of lib/Source/cuda-decls in a temporary folder. With --kept A is without --cache=none, as users run it: CUDA's declarations come precompiled from
an earlier run.

Reported are the medians of CPU time (user + system), user time, wall time and peak resident memory of
either, and the median of the ratio A / B per pair, for CPU time with its quartiles: the two runs of a pair
see the same load. CPU time is the main figure, because wall time counts whatever else runs on the machine.

DIR gets check-cost.md (the table) and check-cost.raw.txt (every run).

Exit status: 0 every ratio of CPU time and of memory is within --limit (default 1.15); 1 one is not;
2 usage; 4 a tool is not here, or the two do not read the same.
"""

import argparse
import datetime
import os
import re
import resource  # for wait4's record
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from clang_alone import ROOT, VIRTUAL, Unusable, clang_command, make_decls, output_of

ARCH = "sm_80"


def run(command):
    """(wall s, user s, system s, peak KiB) of one process."""
    with open(os.devnull, "r+b") as null:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=null, stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # 1: check found something
        raise Unusable(f"exit {process.returncode}: {shlex.join(command)}")
    return wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss


def headers_of(command, folder):
    """What is included, in order, with its depth."""
    found = re.findall(r"^(\.+ .*)$", output_of(command).stderr, re.MULTILINE)
    return [line.replace(VIRTUAL, folder).replace("/./", "/") for line in found]


def cpu_name():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        names = re.findall(r"^model name\s*: (.*)$", info.read(), re.MULTILINE)
    return f"{names[0] if names else 'unknown CPU'}, {len(names)} cores"


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3


def main():
    parser = argparse.ArgumentParser(description="what `check` costs beyond Clang's own parse")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build/bin/cuda-pipeline-rewrite"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda-path", default="/usr/local/cuda", help="left out where it does not exist")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--limit", type=float, default=1.15)
    parser.add_argument("--out", default="out")
    parser.add_argument("--kept", action="store_true", help="CUDA's declarations come precompiled, as in every run but the first")
    parser.add_argument("--remark", default="", help="a sentence for the report")
    parser.add_argument("examples", nargs="*", help="default: examples/*.cu")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: at least 1")

    examples = options.examples
    if not examples:
        folder = os.path.join(ROOT, "examples")
        examples = [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.endswith(".cu")]
    for program in (options.tool, options.clang):
        if not shutil.which(program):
            raise Unusable(f"{program} is not here")
    settings = [("bundled", "none")]
    if os.path.isdir(options.cuda_path):
        settings.append(("toolkit", options.cuda_path))

    raw, table, over = [], [], []

    def say(line):
        raw.append(line)
        print(line, flush=True)

    clang_version = output_of([options.clang, "--version"]).stdout.splitlines()[0]
    say(f"Date: {datetime.date.today()}")
    say(f"CPU: {cpu_name()}")
    say(f"Clang: {clang_version}")
    if len(settings) > 1:
        version = output_of([options.tool, "check", "-v", "--cuda-path=" + options.cuda_path, examples[0]]).stderr
        toolkit = re.search(r"CUDA toolkit (\S+)", version)
        say(f"Toolkit: {toolkit.group(1) if toolkit else 'unknown'}")
    facts = list(raw)
    say(f"Load at the start: {os.getloadavg()[0]:.2f}")

    with tempfile.TemporaryDirectory() as folder:
        make_decls(folder)
        for example in examples:
            name = os.path.splitext(os.path.basename(example))[0]
            for setting, path in settings:
                a = [options.tool, "check", example, "--arch=" + ARCH, "--cuda-path=" + path]
                if not options.kept:
                    a.append("--cache=none")
                b = clang_command(options.clang, a, folder)
                wanted = headers_of(b[:-2] + ["-H"] + b[-2:], folder)
                say(f"\n{name}, {setting}: {len(wanted)} inclusions by B")
                say(f"  A {shlex.join(a)}")
                say(f"  B {shlex.join(b).replace(folder, 'DECLS')}")
                run(a), run(b)  # into the page cache
                pairs = []
                for number in range(1, options.rounds + 1):
                    pair = run(a), run(b)
                    pairs.append(pair)
                    text = "   ".join(
                        f"{side} wall {w:.3f} user {u:.3f} sys {s:.3f} rss {k} KiB"
                        for side, (w, u, s, k) in zip("AB", pair)
                    )
                    say(f"  {number:2}  {text}")

                def figures(measure, digits):
                    """The median ratio per pair, and 'A / B' as text."""
                    sides = [[measure(pair[side]) for pair in pairs] for side in (0, 1)]
                    ratios = [x / y for x, y in zip(*sides)]
                    shown = " / ".join(f"{statistics.median(side):.{digits}f}" for side in sides)
                    return statistics.median(ratios), quartiles(ratios), shown

                cpu, spread, cpu_shown = figures(lambda m: m[1] + m[2], 3)
                user, _, user_shown = figures(lambda m: m[1], 3)
                wall, _, wall_shown = figures(lambda m: m[0], 3)
                memory, _, memory_shown = figures(lambda m: m[3] / 1024, 0)
                table.append(
                    f"| {name} | {setting} | {cpu_shown} | **{cpu:.3f}** ({spread[0]:.3f}-{spread[2]:.3f}) "
                    f"| {user_shown} = {user:.3f} | {wall_shown} = {wall:.3f} | {memory_shown} = {memory:.3f} |"
                )
                say(f"  CPU {cpu:.3f}, memory {memory:.3f}")
                for what, ratio in (("CPU time", cpu), ("peak memory", memory)):
                    if ratio > options.limit:
                        over.append(f"{name}, {setting}: {what} {ratio:.3f}")
    say(f"\nLoad at the end: {os.getloadavg()[0]:.2f}")

    text = ["# What `check` costs beyond Clang's parse", "", "    python3 bench/check_cost.py"
            + (f" --rounds {options.rounds}" if options.rounds != 15 else ""), ""]
    text += [fact + "  " for fact in facts]
    text += [
        "",
        f"`check` / `clang++ -fsyntax-only --cuda-device-only` with the same flags and headers, {options.rounds} pairs in",
        "turns: the medians of either, and the median of the ratio per pair; for CPU time (user + system) with its",
        "quartiles.",
        "`bundled`: without a toolkit, on the declarations that the tool brings along.",
    ]
    if options.remark:
        text += ["", options.remark]
    text += [
        "",
        "| example | headers | CPU s | ratio of CPU time | user s | wall s | peak MiB |",
        "|---|---|---|---|---|---|---|",
    ]
    text += table
    text += ["", f"Demanded: at most {options.limit:g}. " + ("Held everywhere." if not over else "Not held:"), ""]
    text += [f"- {line}" for line in over]
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, "check-cost.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(text).rstrip() + "\n")
    with open(os.path.join(options.out, "check-cost.raw.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(raw) + "\n")
    for line in over:
        print(f"over the limit: {line}")
    return 1 if over else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unusable as error:
        print(f"check_cost.py: {error}", file=sys.stderr)
        sys.exit(4)
