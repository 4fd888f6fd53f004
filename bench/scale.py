#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how the analysis grows with the size of what it looks at.

    python3 bench/scale.py [--tool FILE] [--clang FILE] [--rewrite] [--rounds N] [--sizes N,N] [--out DIR] [SHAPE...]
    python3 bench/scale.py --show SHAPE LINES

A file of about so many lines is made in each of several shapes (--show prints one), and two commands run on
it in turns, A B A B ..., one process at a time:

    A   cuda-pipeline-rewrite check FILE --cuda-path=none
    B   clang++-22 -fsyntax-only --cuda-device-only ... FILE, with the flags that A itself parses with

With --rewrite A writes the output instead: cuda-pipeline-rewrite FILE --self-check=off --cuda-path=none -o ...

The analysis is what A takes beyond B, in CPU time (user + system): the median of the difference per pair. What
takes longer than --timeout seconds is stopped, and the larger sizes of that shape are left out.

The growth of a shape is the exponent e in "time ~ lines^e" between the two largest sizes: 1 is linear, 2 is
quadratic. It is left out where the analysis of the largest takes less than 0.1 s.

DIR gets scale.md (the table) and scale.raw.txt (every run). The part of scale.md from the line `<!-- generated -->`
on is written anew; what is before it is kept.

Exit status: 0 no growth is above --limit (default 1.2); 1 one is, or something did not end; 2 usage; 4 a tool is
not here, or a file does not parse.
"""

import argparse
import collections
import datetime
import math
import os
import shlex
import shutil
import statistics
import sys
import tempfile

from check_cost import cpu_name
from clang_alone import ROOT, Unusable, clang_command, make_decls, output_of, timed
from corpus import loops_of

ARCH = "sm_80"
THREADS = 64
LONG = 10  # seconds; one such run says as much as several short ones
MARK = "<!-- generated -->\n"
LEAST = 0.1  # seconds; less is noise


def launch(name="k", threads=THREADS):
    """The only one, so that the block size is known."""
    return [f"void run_{name}(const float *A, float *C, int n) {{ {name}<<<1, {threads}>>>(A, C, n); }}"]


def kernel(load, compute, before=(), tile="64", after=(), threads=THREADS):
    """A kernel with one tile loop, and its launch."""
    return [
        f"static __global__ void __launch_bounds__({threads}) k(const float *__restrict__ A, float *__restrict__ C, int n) {{",
        f"  __shared__ float tile[{tile}];",
        "  const int tx = threadIdx.x;",
        "  float s = 0;",
        *before,
        "  for (int t = 0; t < n; t += 64) {",
        *load,
        "    __syncthreads();",
        *compute,
        "    __syncthreads();",
        "  }",
        *after,
        "  C[blockIdx.x * blockDim.x + tx] = s;",
        "}",
        *launch("k", threads),
    ]


ONE_COPY = ["    tile[tx] = A[t + tx];"]
ONE_READ = ["    for (int i = 0; i < 64; ++i)", "      s += tile[i];"]


def straight(n):
    """N statements that compute on the tile."""
    return kernel(ONE_COPY, [f"    s += tile[(tx + {i % 64}) & 63] * {i}.0f;" for i in range(n)])


def guarded(n):
    """The tile is filled under a condition without else, and n reads are under conditions of their own."""
    return kernel(["    if (t + tx < n)", "      tile[tx] = A[t + tx];"],
                  [f"    if (t + {i % 64} < n) s += tile[{i % 64}] * {i}.0f;" for i in range(n)])


def distinct(n):
    """As guarded, and no two conditions are the same."""
    return kernel(["    if (t + tx < n)", "      tile[tx] = A[t + tx];"],
                  [f"    if (t + {i % 64} < n - {i}) s += tile[{i % 64}] * {i}.0f;" for i in range(n)])


def copies(n):
    """N copies in the load phase, each to a place of its own; one thread, as the tile has to fit."""
    return kernel([f"    tile[{i}] = A[t + {i}];" for i in range(n)],
                  [f"    for (int i = 0; i < {n}; ++i)", "      s += tile[i];"], tile=str(n), threads=1)


def conditional_copies(n):
    """N copies in the load phase, each under a condition, with zero fill."""
    return kernel([f"    tile[{i}] = t + {i} < n ? A[t + {i}] : 0;" for i in range(n)],
                  [f"    for (int i = 0; i < {n}; ++i)", "      s += tile[i];"], tile=str(n), threads=1)


def loops(n):
    """N / 6 tile loops one after another in one kernel, on the same tile."""
    out = kernel([], [])[:4]
    for _ in range(n // 6):
        out += ["  for (int t = 0; t < n; t += 64) {", *ONE_COPY, "    __syncthreads();",
                "    s += tile[63 - tx];", "    __syncthreads();", "  }"]
    return out + ["  C[tx] = s;", "}", *launch()]


def kernels(n):
    """N / 14 kernels, each with a tile loop."""
    out = []
    for i in range(max(1, n // 14)):
        out += [line.replace(" k(", f" k{i}(") for line in kernel(ONE_COPY, ONE_READ)[:-1]] + launch(f"k{i}")
    return out


def instances(n):
    """One kernel template, with n instances that are used."""
    out = ["template <int N>"] + [line.replace("s += tile[i]", "s += N * tile[i]") for line in kernel(ONE_COPY, ONE_READ)[:-1]]
    return out + [
        f"void run{i}(const float *A, float *C, int n) {{ k<{i}><<<1, {THREADS}>>>(A, C, n); }}" for i in range(n)]


def results(n):
    """A chain of n variables in the compute phase."""
    return kernel(ONE_COPY, ["    float v0 = tile[63 - tx];"] +
                  [f"    const float v{i} = v{i - 1} * 0.5f + tile[{i % 64}];" for i in range(1, n)] +
                  [f"    s += v{max(n - 1, 0)};"])


def addresses(n):
    """A chain of n variables, of which the last one is in the address of the copy."""
    return kernel([f"    tile[tx] = A[t + i{n - 1}];"], ONE_READ,
                  ["  const int i0 = tx;"] + [f"  const int i{i} = i{i - 1} + {i % 7};" for i in range(1, n)])


def sums(n):
    """As addresses, and each variable has the two before it."""
    return kernel([f"    tile[tx] = A[t + i{max(n - 1, 1)}];"], ONE_READ,
                  ["  const int i0 = tx;", "  const int i1 = blockIdx.x;"] +
                  [f"  const int i{i} = i{i - 1} + i{i - 2};" for i in range(2, n)])


def functions(n):
    """N / 4 functions, each of them called in the compute phase."""
    count = max(1, n // 4)
    out = []
    for i in range(count):
        out += [f"__device__ float f{i}(float x) {{", f"  return x * {i}.0f;", "}"]
    return out + kernel(ONE_COPY, [f"    s += f{i}(tile[{i % 64}]);" for i in range(count)])


def nested(n):
    """N / 3 functions, each of them called by the next one, and the last one in the compute phase."""
    count = max(1, n // 3)
    out = ["__device__ float f0(float x) {", "  return x;", "}"]
    for i in range(1, count):
        out += [f"__device__ float f{i}(float x) {{", f"  return f{i - 1}(x) * {i}.0f;", "}"]
    return out + kernel(ONE_COPY, [f"    s += f{count - 1}(tile[63 - tx]);"])


def outside(n):
    """N statements behind the loop."""
    return kernel(ONE_COPY, ONE_READ, after=[f"  s = s * {i}.0f + C[{i}];" for i in range(n)])


SHAPES = {shape.__name__.replace("_", "-"): shape for shape in (
    straight, guarded, distinct, copies, conditional_copies, loops, kernels, instances, results, addresses, sums,
    functions, nested, outside)}


def source(shape, lines):
    return "\n".join(SHAPES[shape](lines)) + "\n"


def verdict(report):
    """What became of the loops: '3 rewritten', '1 refused: may-alias'."""
    counts = collections.Counter()
    for loop in loops_of(report, os.path.dirname(report)):
        ids = list(dict.fromkeys(r[0] for r in loop["reasons"]))
        counts[loop["status"] + (": " + ", ".join(ids[:3]) if ids else "")] += 1
    return "; ".join(f"{count} {what}" for what, count in counts.most_common(3)) or "no tile loop"


class Series:
    """The sizes of one shape, one after the other."""

    def __init__(self, options, folder, say):
        self.options, self.folder, self.say = options, folder, say

    def measure(self, shape, lines):
        """(lines of the file, seconds of Clang, of check, of the analysis, what became of it); None: did not end."""
        path = os.path.join(self.folder, f"{shape}_{lines}.cu")
        report = os.path.join(self.folder, "report.json")
        text = source(shape, lines)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        common = [path, "--arch=" + ARCH, "--cuda-path=none"]
        a = [self.options.tool, "check", *common]
        b = clang_command(self.options.clang, a + ["--print=loops"], self.folder)
        if self.options.rewrite:
            a = [self.options.tool, *common, "--self-check=off", "-o", os.path.join(self.folder, "written.cu")]
        code, seconds, errors = timed(b, self.options.timeout)
        if code != 0:
            raise Unusable(f"{shape}, {lines}: Clang alone: {code}, {errors[-300:]}")
        count = text.count("\n")
        self.say(f"\n{shape} {lines}: {count} lines")
        code, seconds, errors = timed(a + ["--report=" + report], self.options.timeout)
        if code not in (0, 1):
            what = f"not done in {self.options.timeout:g} s" if code is None else f"exit {code}"
            self.say(f"  {what} {errors[-300:]}".rstrip())
            return count, None, None, None, what
        what = verdict(report)
        self.say(f"  {what}")
        pairs = []
        for number in range(1, (1 if seconds > LONG else self.options.rounds) + 1):
            pair = timed(a, self.options.timeout)[1], timed(b, self.options.timeout)[1]
            pairs.append(pair)
            self.say("  {:2}  A {:.3f}   B {:.3f}".format(number, *pair))
        check, alone = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
        return count, alone, check, statistics.median(x - y for x, y in pairs), what


def growth(rows):
    """The exponent between the two largest sizes, and these sizes; None where it would be noise."""
    done = [row for row in rows if row[3] is not None]
    if len(done) < 2 or done[-1][3] < LEAST:
        return None
    (small, _, _, before, _), (large, _, _, after, _) = done[-2:]
    return math.log(after / max(before, LEAST / 10)) / math.log(large / small), small, large


def main():
    parser = argparse.ArgumentParser(description="how the analysis grows")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build/bin/cuda-pipeline-rewrite"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--rewrite", action="store_true", help="measure what writes the output, instead of check")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", default="10,100,1000,3000,10000")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run (default 60)")
    parser.add_argument("--limit", type=float, default=1.2)
    parser.add_argument("--out", default="out")
    parser.add_argument("--show", nargs=2, metavar=("SHAPE", "LINES"), help="print a file and end")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help="default: all: " + ", ".join(SHAPES))
    options = parser.parse_args()
    for name in options.shapes + (options.show or [])[:1]:
        if name not in SHAPES:
            parser.error(f"no shape '{name}'; there are " + ", ".join(SHAPES))
    if options.show:
        sys.stdout.write(source(options.show[0], int(options.show[1])))
        return 0
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    for program in (options.tool, options.clang):
        if not shutil.which(program):
            raise Unusable(f"{program} is not here")

    raw, table, summary, over = [], [], [], []

    def say(line):
        raw.append(line)
        print(line, flush=True)

    say(f"Date: {datetime.date.today()}")
    say(f"CPU: {cpu_name()}")
    say("Clang: " + output_of([options.clang, "--version"]).stdout.splitlines()[0])
    facts = list(raw)
    say(f"Load at the start: {os.getloadavg()[0]:.2f}")
    with tempfile.TemporaryDirectory() as folder:
        make_decls(folder)
        series = Series(options, folder, say)
        for shape in options.shapes or SHAPES:
            rows = []
            for size in options.sizes.split(","):
                rows.append(series.measure(shape, int(size)))
                lines, alone, check, analysis, what = rows[-1]
                if analysis is None:
                    table.append(f"| {shape} | {lines} | | | | | | {what} |")
                    over.append(f"{shape}, {lines} lines: {what}")
                    break
                table.append(f"| {shape} | {lines} | {alone:.3f} | {check:.3f} | {analysis:.3f} "
                             f"| {analysis / lines * 1e6:.0f} | {analysis / alone * 100:.0f} % | {what} |")
            grown = growth(rows)
            text = "{:.2f} ({} to {})".format(*grown) if grown else "-"
            say(f"  growth {text}")
            summary.append(f"| {shape} | {SHAPES[shape].__doc__} | {text} |")
            if grown and grown[0] > options.limit:
                over.append(f"{shape}: growth {grown[0]:.2f}")
    say(f"\nLoad at the end: {os.getloadavg()[0]:.2f}")

    command = ["python3", "bench/scale.py"] + ["--rewrite"] * options.rewrite
    name = "rewrite" if options.rewrite else "check"
    for option in ("rounds", "sizes", "timeout", "limit"):
        if getattr(options, option) != parser.get_default(option):
            command.append("--{}={}".format(option, getattr(options, option)))
    text = ["    " + shlex.join(command + options.shapes), ""]
    text += [fact + "  " for fact in facts]
    text += [
        "",
        f"Analysis: the CPU time that `{name}` takes beyond Clang's own parse of the same file with the same flags, median of",
        f"{options.rounds} pairs in turns (of one where a run takes longer than {LONG} s). Growth: the exponent e in \"time ~ lines^e\"",
        f"between the two largest sizes: 1 is linear, 2 is quadratic; `-`: less than {LEAST:g} s, which says nothing.",
        "`python3 bench/scale.py --show SHAPE LINES` prints a file.",
        "",
        "| shape | what it is | growth (lines) |",
        "|---|---|---|",
        *summary,
        "",
        f"| shape | lines | parse s | {name} s | analysis s | us per line | of the parse | loops |",
        "|---|---|---|---|---|---|---|---|",
        *table,
        "",
        f"Demanded: a growth of at most {options.limit:g}. " + ("Held everywhere." if not over else "Not held:"),
        "",
    ]
    text += [f"- {line}" for line in over]
    os.makedirs(options.out, exist_ok=True)
    path, head = os.path.join(options.out, "scale.md"), "# How the analysis grows\n\n"
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            head = file.read().split(MARK)[0]
    with open(path, "w", encoding="utf-8") as file:
        file.write(head + MARK + "\n" + "\n".join(text).rstrip() + "\n")
    with open(os.path.join(options.out, "scale.raw.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(raw) + "\n")
    for line in over:
        print(f"over the limit: {line}")
    return 1 if over else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unusable as error:
        print(f"scale.py: {error}", file=sys.stderr)
        sys.exit(4)
