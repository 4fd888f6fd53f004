#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bank conflicts as a GPU counts them, for many patterns of one warp's access to shared memory.

    python3 bench/micro/banks.py patterns >patterns.txt          the patterns, always the same
    python3 bench/micro/banks.py measure patterns.txt DIR        needs a GPU, nvcc and ncu; DIR/banks.txt
    python3 bench/micro/banks.py explain banks.txt               how many of them these rules get right

Each line of banks.txt is one pattern: its kind, the wavefronts that were counted, and 32 offsets in bytes
(-1: the lane takes no part). unittests/Analysis/BankConflictsTest.cpp reads a part of that of an H200;
docs/measurements/banks-h200.txt has its counts, in the order of the patterns.

Exit status: 0 done; 1 a pattern is not explained; 2 something does not work.
"""

import csv
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
METRICS = {"ld": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
           "st": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}
WIDTH = {"ld8": 1, "ld32": 4, "ld64": 8, "ld128": 16, "st32": 4, "st64": 8, "st128": 16, "ldm1": 16, "ldm2": 16,
         "ldm4": 16}
MEMORY = 32768


def patterns():
    """Strides, rows of a tile, permutations, repeated places, and lanes that take no part."""
    rng = random.Random(22)
    for kind, width in WIDTH.items():
        def aligned(offset):
            return offset // width * width % MEMORY

        for stride in sorted({width * s for s in list(range(0, 18)) + [24, 31, 32, 33, 34, 36, 40, 48, 64, 65, 66, 68]}):
            yield kind, [aligned(lane * stride) for lane in range(32)]
        for rows in (2, 4, 8, 16):  # 32 / rows lanes beside each other in each row
            for pitch in (32, 48, 64, 80, 128, 132, 136, 144, 160, 256, 272):
                yield kind, [aligned(lane % rows * pitch + lane // rows * width) for lane in range(32)]
                yield kind, [aligned(lane // rows * pitch + lane % rows * width) for lane in range(32)]
        for span in (64, 128, 256, 512, 4096):
            for _ in range(12):
                yield kind, [aligned(rng.randrange(span)) for _ in range(32)]
        for _ in range(10):  # pairs, groups of four and of eight in one place
            for group in (2, 4, 8, 16):
                places = [aligned(rng.randrange(1024)) for _ in range(32)]
                yield kind, [places[lane // group] for lane in range(32)]
                yield kind, [places[lane % group] for lane in range(32)]
        if not kind.startswith("ldm"):
            for _ in range(20):
                yield kind, [aligned(rng.randrange(512)) if rng.random() < 0.6 else -1 for _ in range(32)]


def measure(source, target):
    os.makedirs(target, exist_ok=True)
    program = os.path.join(target, "banks")
    subprocess.run([os.environ.get("NVCC", "nvcc"), "-arch=native", "-O3", "-o", program, os.path.join(HERE, "banks.cu")],
                   check=True)
    with open(source) as f:
        lines = [line.split() for line in f if line.strip()]
    with open(source) as f:
        run = subprocess.run([os.environ.get("NCU", "ncu"), "--csv", "--page=raw", "--metrics", ",".join(METRICS.values()),
                              "--replay-mode=application" if os.environ.get("NCU_APPLICATION") else "--replay-mode=kernel",
                              program], stdin=f, capture_output=True, text=True)
    text = run.stdout
    start = text.find('"ID"')
    if start < 0:
        sys.exit("banks.py: ncu says: " + (run.stderr or text)[-2000:])
    rows = [row for row in csv.DictReader(text[start:].splitlines()) if row["ID"].isdigit()]
    if len(rows) != len(lines):
        sys.exit(f"banks.py: {len(rows)} launches of {len(lines)} were counted")
    with open(os.path.join(target, "banks.txt"), "w") as out:
        for (kind, *offsets), row in zip(lines, rows):
            count = row[METRICS["st" if kind.startswith("st") else "ld"]]
            out.write(" ".join([kind, str(int(float(count)))] + offsets) + "\n")


def wavefronts(kind, offsets):
    """The rules of lib/Gpu/BankConflicts.cpp."""
    width = WIDTH[kind]
    if kind.startswith("ldm"):  # each matrix: the rows of eight lanes
        return sum(most(offsets[8 * m:8 * m + 8], 16) for m in range(int(kind[3:])))
    lanes = 32 if width <= 4 else 16 if width == 8 else 8
    count = 0
    for first in range(0, 32, 2 * lanes):
        both = offsets[first:first + 2 * lanes]
        if lanes < 32 and kind.startswith("ld") and any(
                all(both[i] == both[i ^ other] for i in range(len(both))) for other in (1, 2)):
            count += most(both, width)  # neighbours in one place: two groups at once
        else:
            count += sum(most(both[i:i + lanes], width) for i in range(0, len(both), lanes))
    return count


def most(offsets, width):
    words = {(o + b) // 4 for o in offsets if o >= 0 for b in range(0, width, 4)}
    banks = [0] * 32
    for word in words:
        banks[word % 32] += 1
    return max(banks)


def explain(path):
    wrong = {}
    total = 0
    with open(path) as f:
        for line in f:
            kind, count, *offsets = line.split()
            total += 1
            if wavefronts(kind, list(map(int, offsets))) != int(count):
                wrong.setdefault(kind, []).append(line.strip() + f"   # {wavefronts(kind, list(map(int, offsets)))}")
    print(f"{total} patterns, {sum(map(len, wrong.values()))} not explained")
    for kind, lines in wrong.items():
        print(kind, len(lines))
        for line in lines[:5]:
            print("  ", line)
    return 1 if wrong else 0


def main(args):
    if args[:1] == ["patterns"] and len(args) == 1:
        for kind, offsets in patterns():
            print(kind, *offsets)
    elif args[:1] == ["measure"] and len(args) == 3:
        measure(args[1], args[2])
    elif args[:1] == ["explain"] and len(args) == 2:
        return explain(args[1])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
