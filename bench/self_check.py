#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the self-check says of many rewrites, and what it costs.

    bench/self_check.py [--variants=ldg,cp-async:2] [--jobs N] [--raw FILE] FILE... > table.md
    bench/self_check.py --generated 2000 --seed 1 [--start I] ... > table.md

Each kernel is rewritten by each variant, once with --self-check=off and once with --self-check=on: no launch is described. A line
`// options: ...` in a kernel has further options, as in test/Forms. --generated takes kernels of test/Fuzz/tilegen instead of
files, as bench/fuzz makes them. The table has verdicts by loop, the reasons of those that are not `pass`, and the CPU time of
both runs. --seconds ends the run in time; what was done until then is in the table.

Exit status: 0 no loop fails; 1 one does, or the tool broke down; 2 usage.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test", "Fuzz"))
VARIANTS = {"cp-async:2": ["--variant=cp-async", "--stages=2"], "cp-async:3": ["--variant=cp-async", "--stages=3"],
            "cp-async:5": ["--variant=cp-async", "--stages=5"], "ldg": ["--variant=ldg"], "ldg-single": ["--variant=ldg-single"],
            "auto": ["--variant=auto"]}


def timed(command, limit):
    """(exit status, output, errors, seconds of CPU of it and its children)"""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        until = time.time() + limit
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.time() > until:
                process.kill()
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read(), err.read().decode(errors="replace"), used.ru_utime + used.ru_stime


def look_at(args, name, text):
    """One row for each variant that rewrites a loop, or breaks down."""
    options = re.search(r"^// options: (.*)$", text, re.M)
    options = options.group(1).split() if options else []
    rows = []
    with tempfile.TemporaryDirectory() as work:
        path = name
        if args.generated is not None:
            path = os.path.join(work, "kernel.cu")
            with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(text)
        for variant in args.variants:
            if time.time() > args.until:
                break
            # The variants with registers have a number of buffers of their own.
            here = [o for o in options if "ldg" not in variant or not o.startswith("--stages=")]
            command = [args.tool, path, "--format=json", "-o", os.path.join(work, "new.cu")] + args.options + VARIANTS[variant] + here
            row = {"kernel": name, "variant": variant, "loops": [], "seconds": []}
            for check in ("off", "on"):
                code, out, err, seconds = timed(command + ["--self-check=" + check], args.timeout)
                row["seconds"].append(seconds)
                try:
                    loops = [loop for file in json.loads(out)["files"] for loop in file["loops"]]
                except ValueError:
                    row["broke"] = "exit %d: %s" % (code, err.strip()[-300:])
                    break
                if check == "off" and not any(loop["status"] == "rewritten" for loop in loops):
                    break
                row["loops"] = [[loop["self_check"][key] for key in ("verdict", "why", "launches", "order", "data")]
                                for loop in loops if loop.get("self_check") and loop["self_check"]["verdict"] != "off"]
            if row["loops"] or "broke" in row:
                rows.append(row)
    return rows


def generated(args):
    from tilegen.generate import generate

    for index in range(args.start, args.start + args.generated):
        kernel = generate(args.seed, index, [], False, False, False)
        yield "seed %d, kernel %d" % (args.seed, index), kernel.text() if callable(kernel.text) else kernel.text


def read(paths):
    for path in paths:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            yield path, file.read()


def share(part, whole):
    return "%d of %d (%.1f %%)" % (part, whole, 100 * part / whole) if whole else "0"


def table(args, kernels, rows):
    out = []
    if args.generated is not None:
        out.append("    seed %d, kernels %d to %d\n" % (args.seed, args.start, args.start + kernels - 1))
    out += ["%d kernels\n" % kernels, "| variant | loops rewritten | pass | cannot tell | fail | every schedule | for all data | CPU seconds without | with | worst |",
            "|---|---|---|---|---|---|---|---|---|---|"]
    for variant in args.variants + ["all"]:
        mine = [r for r in rows if variant in (r["variant"], "all") and r["loops"]]
        loops = [l for r in mine for l in r["loops"]]
        count = collections.Counter(l[0] for l in loops)
        without = [r["seconds"][0] for r in mine]
        both = [r["seconds"][1] for r in mine]
        out.append("| %s | %d | %s | %d | %d | %s | %s | %s | %s | %s |" % (
            variant, len(loops), share(count["pass"], len(loops)), count["cannot-tell"], count["fail"],
            share(sum(l[0] == "pass" and l[3] is None for l in loops), len(loops)),
            share(sum(l[0] == "pass" and l[4] is None for l in loops), len(loops)),
            *("%.2f" % f if mine else "" for f in (statistics.median(without) if mine else 0, statistics.median(both) if mine else 0,
                                                   max(both, default=0)))))
    why, example = collections.Counter(), {}
    for row in rows:
        for loop in row["loops"]:
            if loop[0] != "pass":
                # Numbers and names differ from kernel to kernel.
                key = (loop[0], re.sub(r"'[^']*'", "'..'", re.sub(r"\d+", "N", loop[1] or ""))[:160])
                why[key] += 1
                example.setdefault(key, "%s, %s" % (row["kernel"], row["variant"]))
    if why:
        out += ["", "| loops | verdict | reason | for example |", "|---|---|---|---|"]
        out += ["| %d | %s | %s | %s |" % (n, verdict, said.replace("|", "\\|"), os.path.relpath(example[verdict, said], ROOT)
                                         if os.path.isabs(example[verdict, said]) else example[verdict, said])
                for (verdict, said), n in why.most_common()]
    less, example = collections.Counter(), {}
    for row in rows:
        for loop in row["loops"]:
            if loop[0] == "pass" and loop[4]:
                # Places, names and numbers differ from kernel to kernel.
                key = re.sub(r"at [^ ,]+:\d+:\d+", "at P", re.sub(r"'[^']*'", "'..'", loop[4]))
                key = re.sub(r"(?<= at P)(, [a-z ]+ at P)+( and at \d+ more places?)?", ", ..", re.sub(r"\d+", "N", re.sub(r" in \d+ of the launches", "", key)))
                less[key] += 1
                example.setdefault(key, "%s, %s" % (os.path.relpath(row["kernel"], ROOT) if os.path.isabs(row["kernel"]) else row["kernel"], row["variant"]))
    if less:
        out += ["", "| loops | passes that say less than all about other data | for example |", "|---|---|---|"]
        out += ["| %d | %s | %s |" % (n, said.replace("|", "\\|"), example[said]) for said, n in less.most_common()]
    out += ["", "Times are medians over the kernels with a loop that the variant rewrites; `with` is the rewrite and its check together."]
    for row in rows:
        if "broke" in row:
            out.append("broke down: %(kernel)s, %(variant)s: %(broke)s" % row)
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(prog="self_check.py", description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--generated", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--variants", default="ldg,cp-async:2", help="some of " + ", ".join(VARIANTS))
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "cuda-pipeline-rewrite"))
    parser.add_argument("--options", default="--cuda-path=none", help="of the tool, separated by spaces (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one run of the tool")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--raw", help="file for one JSON line per rewrite")
    args = parser.parse_args()
    args.variants = args.variants.split(",")
    args.options = args.options.split()
    args.until = time.time() + args.seconds
    unknown = [v for v in args.variants if v not in VARIANTS]
    if unknown:
        parser.error("unknown variant %s" % unknown[0])
    if (args.generated is None) == (not args.files):
        parser.error("name files, or --generated")
    rows, kernels = [], 0
    raw = open(args.raw, "w", encoding="utf-8", errors="surrogateescape") if args.raw else None
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for found in pool.map(lambda kernel: None if time.time() > args.until else look_at(args, *kernel),
                              generated(args) if args.generated is not None else read(args.files)):
            if found is None:
                break
            kernels += 1
            rows += found
            for row in found:
                if raw:
                    raw.write(json.dumps(row) + "\n")
                    raw.flush()
    print(table(args, kernels, rows))
    sys.exit(any("broke" in row or any(loop[0] == "fail" for loop in row["loops"]) for row in rows))


if __name__ == "__main__":
    main()
