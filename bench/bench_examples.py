#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the examples in every variant with `cuda-pipeline-rewrite bench`, several times over.

    python3 bench/bench_examples.py all DIR [--tool TOOL] [--arch sm_90] [--nvcc NVCC] [--repeat 3] [--ncu]

`all` is four steps, which can also be made one by one, on different machines:

    emit    writes a harness for every example to DIR                     (needs the tool)
    build   compiles them                                                 (needs nvcc)
    run     runs each one --repeat times, one after the other             (needs a GPU)
    report  DIR/bench-examples.md, and DIR/raw.txt: the tables of all runs (needs the tool)

One repetition is a process of its own, and between two of an example all others are run: what differs
between them is what differs between two calls of `bench` on one machine. The sizes are those of
bench/launch.

Exit status: 0 done; 1 a version is wrong, or ratios of two runs differ by --most percent or more; 2 something does not work.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLES = ["sgemm_tile", "sgemm_float4", "hgemm_wmma", "igemm_wmma", "conv1d", "nbody"]


def fail(text):
    print(os.path.basename(sys.argv[0]) + ": " + text, file=sys.stderr)
    sys.exit(2)


def give_up(options, text):
    if not options.keep_going:
        fail(text)
    print(text, file=sys.stderr)


def add_run_options(parser):
    """Those of the steps `build` and `run`."""
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--time-limit", type=float, help="seconds for each kernel; default: the harness's own")
    parser.add_argument("--ncu", action="store_true", help="the last run asks the profiler as well")
    parser.add_argument("--keep-going", action="store_true", help="what does not compile or run is left out")
    parser.add_argument("--resume", action="store_true", help="runs what has no result yet")


def command(options, name):
    """The call of the tool for one example; from the project's folder, so that it can be repeated from there. Others that use the
    steps have one of their own (`options.command`)."""
    return [options.tool, "bench", f"examples/{name}.cu", f"--launch=bench/launch/{name}.yaml", f"--arch={options.arch}",
            "--cuda-path=none", "-j2"]


def emit(options):
    for name in options.examples:
        run = subprocess.run(options.command(options, name) + [f"--emit-harness={options.dir}/{name}"], cwd=ROOT, stdout=subprocess.DEVNULL)
        if run.returncode != 0:
            fail(f"{name}: the tool ends with {run.returncode}")


def build(options):
    def one(name):
        print("building", name, file=sys.stderr)
        return subprocess.run(["sh", "build.sh"], cwd=os.path.join(options.dir, name), env=dict(os.environ, NVCC=options.nvcc)).returncode

    # A harness already compiles all its versions at once.
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // 6)) as pool:
        for name, status in zip(options.examples, pool.map(one, options.examples)):
            if status != 0:
                give_up(options, f"{name}: nvcc does not compile a version")


def run(options):
    for turn in range(1, options.repeat + 1):
        for name in options.examples:
            folder = os.path.join(options.dir, name)
            result = f"{folder}/result-{turn}.json"
            if options.resume and os.path.exists(result):
                continue
            words = [os.path.join(folder, "harness"), f"--result={result}", "--progress=2"]
            if options.time_limit:
                words.append(f"--time-limit={options.time_limit}")
            if options.ncu and turn == options.repeat:
                words.append("--ncu")
            print(f"run {turn}: {name}", file=sys.stderr, flush=True)
            try:
                status = subprocess.run(words).returncode
            except OSError as error:
                status = error
            if status not in (0, 1):
                give_up(options, f"{name}: the harness ends with {status}")


def reports(options, name):
    """The tool's report of every run: as JSON and as text."""
    def one(turn):
        result, out = (f"{options.dir}/{name}/{kind}-{turn}.json" for kind in ("result", "report"))
        run = subprocess.run(options.command(options, name) + [f"--from-result={result}", f"--report={out}"], cwd=ROOT,
                             stdout=subprocess.PIPE, text=True)
        if run.returncode not in (0, 1):
            fail(f"{name}: the tool does not read {result}")
        with open(out) as file:
            return json.load(file), run.stdout

    # The tool rewrites the example again each time: it has to know that the result is one of the same files.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, range(1, options.repeat + 1)))


def report(options):
    lines, raw, worst, wrong = [], [], 0.0, False
    head = None
    for name in options.examples:
        runs = reports(options, name)
        for turn, (_, text) in enumerate(runs, 1):
            raw.append(f"===== {name}, run {turn}\n{text}")
        first = runs[0][0]
        if head is None:
            head = first
            clocks = [r["clocks"]["sm_mhz"] for r, _ in runs if r["clocks"]["source"] == "nvml"]
            copy, ffma, tensor, imma = (first["ceilings"][key] or 0
                                        for key in ("copy_gbps", "ffma_gflops", "tensor_gflops", "imma_gops"))
            lines += [f"{first['gpu']}, compute capability {first['compute_capability']}, driver {first['driver']}, "
                      f"CUDA {first['cuda']}, compiled for {first['arch']}. "
                      + (f"SM clock while kernels ran: {min(clocks):.0f} to {max(clocks):.0f} MHz. " if clocks else "")
                      + f"Ceilings measured in the first run: copy {copy:.0f} GB/s, FFMA {ffma / 1000:.1f} TFLOP/s, "
                      f"half mma {tensor / 1000:.0f} TFLOP/s, int8 mma {imma / 1000:.0f} TOP/s.", ""]
        for at, case in enumerate(first["cases"]):
            lines += [f"## {case['kernel']}, {case['case']}", ""]
            lines += ["| variant | " + " | ".join(f"us, run {t}" for t in range(1, len(runs) + 1)) + " | "
                      + " | ".join(f"speed-up, run {t}" for t in range(1, len(runs) + 1))
                      + " | differ by | GFLOP/s | limit / time |",
                      "|---|" + "---:|" * (2 * len(runs) + 3)]
            for row in range(len(case["results"])):
                results = [r["cases"][at]["results"][row] for r, _ in runs]
                version = results[0]["version"]
                auto = next(v["auto"] for v in first["versions"] if v["name"] == version)
                cells = [version + (" (auto)" if auto else "")]
                if any(r["verdict"] != "pass" or r["ratio"] is None for r in results):
                    wrong = True
                    lines.append(f"| {cells[0]} | {results[0]['verdict']}: {results[0]['reason']} |")
                    continue
                ratios = [r["ratio"] for r in results]
                differ = 100 * (max(ratios) / min(ratios) - 1)
                worst = max(worst, differ)
                cells += [f"{r['median_us']:.1f}" for r in results]
                cells += [f"{r:.3f}" for r in ratios]
                cells += [f"{differ:.2f} %" if row else "", f"{results[0]['gflops']:.0f}",
                          f"{results[0]['overlap_efficiency']:.2f}" if results[0]["overlap_efficiency"] else ""]
                lines.append("| " + " | ".join(cells) + " |")
            if case["loads_only_us"]:
                loads = ", ".join(f"{r['cases'][at]['loads_only_us']:.1f}" for r, _ in runs)
                compute = ", ".join(f"{r['cases'][at]['compute_only_us']:.1f}" for r, _ in runs)
                lines += ["", f"Loads only: {loads} us; compute only: {compute} us."]
            elif case["not_ablated"]:
                lines += ["", f"No times of the halves: {case['not_ablated']}."]
            last = runs[-1][0]["cases"][at]["results"]
            if any(r["stalls"] for r in last):
                lines += ["", "Warps that wait, per issued instruction, the four most frequent reasons:", ""]
                for r in last:
                    top = sorted(((v, k) for k, v in (r["stalls"] or {}).items() if k != "selected"), reverse=True)[:4]
                    lines.append(f"- {r['version']}: " + ", ".join(f"{k} {v:.2f}" for v, k in top))
            lines.append("")
    lines.insert(2, f"{len(options.examples)} kernels, {options.repeat} runs. The ratios of medians of one version differ by at most "
                 f"**{worst:.2f} %** between runs.")
    lines.insert(3, "")
    for name, text in (("bench-examples.md", "\n".join(lines).rstrip() + "\n"), ("raw.txt", "\n".join(raw))):
        with open(os.path.join(options.dir, name), "w") as file:
            file.write(text)
    print(f"ratios differ by at most {worst:.2f} %")
    return 1 if wrong or worst >= options.most else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["all", "emit", "build", "run", "report"])
    parser.add_argument("dir")
    parser.add_argument("--tool", default="cuda-pipeline-rewrite")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--repeat", type=int, default=3)
    add_run_options(parser)
    parser.add_argument("--most", type=float, default=2.0, help="percent by which ratios may differ")
    parser.add_argument("--examples", nargs="+", default=EXAMPLES, choices=EXAMPLES)
    options = parser.parse_args()
    options.command = command
    options.dir = os.path.abspath(options.dir)
    os.makedirs(options.dir, exist_ok=True)
    status = 0
    for step in (emit, build, run, report):
        if options.step in ("all", step.__name__):
            status = step(options) or 0
    return status


if __name__ == "__main__":
    sys.exit(main())
