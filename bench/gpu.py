#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the kernels of bench/gpu: as they are, in every variant, and pipelined by hand.

    python3 bench/gpu.py all DIR [--tool TOOL] [--arch sm_90] [--nvcc NVCC] [--repeat 1] [--kernels NAME...]

`all` is four steps, which can also be made one by one, on different machines:

    emit    DIR/versions: each kernel in each variant; DIR/NAME: its harness     (needs the tool)
    build   compiles the harnesses                                               (needs nvcc)
    run     runs each one --repeat times, one after the other                    (needs a GPU)
    report  DIR/gpu-suite.json, .md and .raw.txt: the tables of all runs         (needs the tool)

and one that is no part of it and needs no GPU:

    check   holds the table of bench/gpu/README.md against what the tool says of each kernel, and runs each one
            pipelined by hand against the plain one in the emulator, under NAME.small.yaml
            (--verify=all: every variant as well, which takes long; --verify=none). --update writes the table.
            --compile asks nvcc, too: no warning, and no spills in what is pipelined by hand.

Exit status: 0 done; 1 a version is wrong, or the table is not what it should be; 2 something does not work.
"""

import argparse
import glob
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from bench_examples import ROOT, add_run_options, build, emit as emit_harnesses, fail, reports, run

SUITE = os.path.join(ROOT, "bench", "gpu")
README = os.path.join(SUITE, "README.md")
EXPERT = ".expert"
STAGES = range(2, 9)
EACH = ["cp-async-2", "ldg", "ldg-single", "mixed"]  # what --variant=each writes, in its order
# As they stand in tables; cp-async once for each number of stages.
PLAIN = ["ldg", "ldg-single", "mixed"] + ["cp-async-%d" % n for n in STAGES]
# The same with these options, where that makes another text.
WAYS = {"+pad": ["--layout=pad"], "+wide": ["--width=auto"], "+wide+pad": ["--width=auto", "--layout=pad"]}
WAYS_SAID = {"+pad": "longer rows of tiles", "+wide": "wider copies", "+wide+pad": "both"}
VARIANTS = PLAIN + [v + way for way in WAYS for v in PLAIN]


def names():
    return sorted(os.path.basename(f)[:-len(".yaml")] for f in glob.glob(os.path.join(SUITE, "*.yaml"))
                  if not f.endswith(".small.yaml"))


def tool(options, words, statuses=(0, 1)):
    """What the tool prints, called from the project's folder."""
    done = subprocess.run([options.tool] + words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in statuses:
        fail(f"{' '.join(words[:4])} ...: the tool ends with {done.returncode}\n{done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.returncode, done.stdout


def source(name):
    return f"bench/gpu/{name}.cu"


def common(options):
    return [f"--arch={options.arch}", "--cuda-path=none"]


def files_of(options, words):
    """The files of the report of a call, in order."""
    return json.loads(tool(options, words + common(options) + ["--format=json", f"-j{options.jobs}"])[1])["files"]


def reason(file):
    return ", ".join(sorted({r["id"] for l in file["loops"] for r in l["reasons"]})) or "no loop"


def choice(file):
    """What `auto` takes of a kernel, in a table's words; "as it is" if nothing."""
    loops = [l for l in file["loops"] if l["status"] in ("opportunity", "rewritten")]
    if not loops:
        return "as it is"
    variant, stages = loops[0]["variant"], loops[0]["stages"]
    return f"{variant}-{stages}" if variant == "cp-async" else variant


def make(options, folder, more=True, way=()):
    """Writes every kernel in every variant to `folder`, as NAME.VARIANT.cu, cp-async with two stages and, if `more`, others; for each
    kernel the variants that it has, and why not the others."""
    os.makedirs(folder, exist_ok=True)
    sources = [source(n) for n in options.examples]
    made = {n: {} for n in options.examples}
    refused = {n: {} for n in options.examples}
    base = ["--self-check=off", "--inspect=off", f"--output-dir={folder}", "--cache=none"] + list(way)

    def add(name, variant, file, stages):
        # Where fewer stages are all that fits, it is the version of fewer stages.
        if file["output"] and (stages is None or all(l["stages"] == stages for l in file["loops"] if l["status"] == "rewritten")):
            made[name][variant] = os.path.join(folder, f"{name}.{variant}.cu")
            if os.path.abspath(file["output"]) != made[name][variant]:
                os.rename(file["output"], made[name][variant])
        elif file["output"]:
            os.remove(file["output"])
        else:
            refused[name][variant] = reason(file)

    files = files_of(options, ["--variant=each", "--stages=2"] + base + sources)
    if len(files) != len(EACH) * len(sources):
        fail("--variant=each does not write " + ", ".join(EACH))
    for at, file in enumerate(files):
        add(options.examples[at // len(EACH)], EACH[at % len(EACH)], file, 2 if at % len(EACH) == 0 else None)
    for stages in STAGES[1:] if more else []:
        variant = "cp-async-%d" % stages
        words = ["--variant=cp-async", f"--stages={stages}", f"--suffix=.{variant}"]
        for name, file in zip(options.examples, files_of(options, words + base + sources)):
            add(name, variant, file, stages)
    return made, refused


def make_other_ways(options, folder, made):
    """Adds the variants with other rows of tiles and other copies, where that is another text."""
    for way, words in WAYS.items():
        others, _ = make(options, os.path.join(folder, way[1:]), way=words)
        for name, versions in others.items():
            known = [read(path) for path in made[name].values()]
            for variant, path in versions.items():
                if read(path) not in known:
                    made[name][variant + way] = os.path.join(folder, f"{name}.{variant}{way}.cu")
                    os.rename(path, made[name][variant + way])


# --- The steps.


def versions_of(options, name):
    made = json.loads(read(os.path.join(options.dir, "suite.json")))["made"][name]
    # Relative, so that a report can be repeated elsewhere.
    folder = os.path.relpath(os.path.join(options.dir, "versions"), ROOT)
    return [os.path.join(folder, f"{name}.{v}.cu") for v in VARIANTS if v in made]


def command(options, name):
    """The call of `bench` for one kernel."""
    return [options.tool, "bench", source(name)] + versions_of(options, name) + [
        f"bench/gpu/{name}{EXPERT}.cu", f"--launch=bench/gpu/{name}.yaml", "-j2"] + common(options)


def read(path):
    with open(path) as file:
        return file.read()


def emit(options):
    folder, described = os.path.join(options.dir, "versions"), os.path.join(options.dir, "suite.json")
    os.makedirs(folder, exist_ok=True)
    for name in options.examples:
        for old in glob.glob(os.path.join(folder, name + ".*.cu")) + glob.glob(os.path.join(options.dir, name, "result-*.json")):
            os.remove(old)
    checked = files_of(options, ["check"] + [source(n) for n in options.examples])
    made, refused = make(options, folder)
    make_other_ways(options, folder, made)
    suite = json.loads(read(described)) if os.path.exists(described) else {"auto": {}, "made": {}, "refused": {}}
    suite["auto"].update({n: choice(f) for n, f in zip(options.examples, checked)})
    suite["made"].update({n: sorted(v, key=VARIANTS.index) for n, v in made.items()})
    suite["refused"].update(refused)
    with open(described, "w") as file:
        json.dump(suite, file, indent=1)
    emit_harnesses(options)


def short(name, version):
    """The name of a version in a table."""
    if version == name + ".cu":
        return "plain"
    return "expert" if version == f"{name}{EXPERT}.cu" else version[len(name) + 1:-len(".cu")]


def middle(values):
    values = [v for v in values if v is not None]
    return statistics.median(values) if values else None


def results_of(options, name, runs):
    """One kernel in all its runs: a value that JSON can have."""
    suite = json.loads(read(os.path.join(options.dir, "suite.json")))
    case = [r["cases"][0] for r in runs]
    versions = []
    for row in range(len(case[0]["results"])):
        got = [c["results"][row] for c in case]
        wrong = [g for g in got if g["verdict"] != "pass"]
        versions.append({
            "version": short(name, got[0]["version"]),
            "verdict": wrong[0]["verdict"] if wrong else "pass",
            "reason": wrong[0]["reason"] if wrong else None,
            "median_us": middle(g["median_us"] for g in got),
            "speed_up": None if wrong else middle(g["ratio"] for g in got),
            "low": None if wrong else min((g["ratio_low"] for g in got if g["ratio_low"]), default=None),
            "high": None if wrong else max((g["ratio_high"] for g in got if g["ratio_high"]), default=None),
            "speed_ups": [g["ratio"] for g in got],
            "overlap_efficiency": middle(g["overlap_efficiency"] for g in got),
            "gflops": middle(g["gflops"] for g in got),
            "gbps": middle(g["gbps"] for g in got),
            "dynamic_shared_bytes": got[0]["dynamic_shared_bytes"]})
    timed = {v["version"]: v for v in versions if v["speed_up"]}
    tools = [v for v in timed.values() if v["version"] in VARIANTS]
    best = max(tools, key=lambda v: v["speed_up"], default=None)
    auto = suite["auto"][name]
    expert = timed.get("expert")
    return {
        "kernel": name, "case": case[0]["case"], "versions": versions,
        "refused": suite["refused"][name],
        "loads_only_us": middle(c["loads_only_us"] for c in case),
        "compute_only_us": middle(c["compute_only_us"] for c in case),
        "not_ablated": case[0]["not_ablated"],
        "auto": auto, "auto_speed_up": 1.0 if auto == "as it is" else timed[auto]["speed_up"] if auto in timed else None,
        "best": best and best["version"], "best_speed_up": best and best["speed_up"],
        "expert_speed_up": expert and expert["speed_up"],
        "best_over_expert": best["speed_up"] / expert["speed_up"] if best and expert else None}


def number(value, form="{:.3f}"):
    return "" if value is None else form.format(value)


def mean(values):
    values = [v for v in values if v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def table(head, rows):
    marks = ["---" if text.startswith("*") else "---:" for text in head]
    lines = ["| " + " | ".join(text.lstrip("*") for text in head) + " |", "|" + "|".join(marks) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def machine(first, runs):
    clocks = [r["clocks"]["sm_mhz"] for r in runs if r["clocks"]["source"] == "nvml"]
    ceilings = first["ceilings"]
    return (f"{first['gpu']}, compute capability {first['compute_capability']}, driver {first['driver']}, CUDA {first['cuda']}, "
            f"compiled for {first['arch']}. " +
            (f"SM clock while kernels ran: {min(clocks):.0f} to {max(clocks):.0f} MHz. " if clocks else "") +
            f"Ceilings: copy {ceilings['copy_gbps'] or 0:.0f} GB/s, FFMA {(ceilings['ffma_gflops'] or 0) / 1000:.1f} TFLOP/s, "
            f"DFMA {(ceilings['dfma_gflops'] or 0) / 1000:.1f} TFLOP/s, half mma {(ceilings['tensor_gflops'] or 0) / 1000:.0f} TFLOP/s, "
            f"int8 mma {(ceilings['imma_gops'] or 0) / 1000:.0f} TOP/s.")


def report(options):
    raw, kernels, machines = [], [], []
    turns = range(1, options.repeat + 1)
    there = [n for n in options.examples if all(os.path.exists(os.path.join(options.dir, n, f"result-{t}.json")) for t in turns)]
    if not there:
        fail("there are no results in " + options.dir)
    for name in there:
        both = reports(options, name)
        raw += [f"===== {name}, run {turn}\n{text}" for turn, (_, text) in enumerate(both, 1)]
        kernels.append(results_of(options, name, [r for r, _ in both]))
        machines += [r for r, _ in both]
    wrong = [f"{k['kernel']} {v['version']}: {v['verdict']}, {v['reason']}"
             for k in kernels for v in k["versions"] if v["verdict"] != "pass"]
    both = [k for k in kernels if k["best_over_expert"]]
    means = {key: mean(k[key + "_speed_up"] for k in kernels) for key in ("auto", "best", "expert")}
    lines = [machine(machines[0], machines), "",
             f"{len(kernels)} kernels, {options.repeat} run{'s' if options.repeat > 1 else ''}. Geometric means of the speed-up: "
             f"what `auto` takes {number(means['auto'])}, the best variant {number(means['best'])}, by hand {number(means['expert'])}. "
             f"The best variant is as fast as the expert's version, within 5 %, for {sum(k['best_over_expert'] >= 0.95 for k in both)} of "
             f"{len(both)} kernels.", ""]
    if len(there) < len(options.examples):
        lines += ["Without a result: " + ", ".join(n for n in options.examples if n not in there) + ".", ""]
    if wrong:
        lines += ["Wrong:", ""] + ["- " + text for text in wrong] + [""]
    rows = []
    for k in kernels:
        timed = {v["version"]: v for v in k["versions"]}
        spread = lambda v: f"{number(v['low'])}..{number(v['high'])}" if v and v["low"] else ""
        best, expert = timed.get(k["best"]), timed.get("expert")
        limit = k["loads_only_us"] and k["compute_only_us"] and max(k["loads_only_us"], k["compute_only_us"])
        rows.append([k["kernel"], number(timed["plain"]["median_us"], "{:.1f}"), number(limit, "{:.1f}"),
                     number(timed["plain"]["overlap_efficiency"], "{:.2f}"),
                     k["auto"], number(k["auto_speed_up"]), k["best"] or "", number(k["best_speed_up"]), spread(best),
                     number(best and best["overlap_efficiency"], "{:.2f}"), number(k["expert_speed_up"]), spread(expert),
                     number(expert and expert["overlap_efficiency"], "{:.2f}"), number(k["best_over_expert"])])
    lines += table(["*kernel", "plain, us", "limit, us", "limit / plain", "*`auto`", "speed-up", "*best", "speed-up", "q1..q3",
                    "limit / time", "by hand", "q1..q3", "limit / time", "best / by hand"], rows)
    lines += ["", "Speed-ups of all variants; a dash is a variant that the kernel cannot have, or whose stages do not fit:", ""]
    def all_of(some, ending):
        rows = []
        for k in some:
            timed = {v["version"]: v for v in k["versions"]}
            rows.append([k["kernel"]] + ["-" if v not in timed else number(timed[v]["speed_up"]) or "WRONG"
                                         for v in [p + ending for p in PLAIN] + ["expert"]])
        return table(["*kernel"] + PLAIN + ["by hand"], rows)

    lines += all_of(kernels, "")
    for way, words in WAYS.items():
        some = [k for k in kernels if any(v["version"] in [p + way for p in PLAIN] for v in k["versions"])]
        if some:
            lines += ["", f"The same with {WAYS_SAID[way]} (`{' '.join(words)}`), where that is another text:", ""] + all_of(some, way)
    values = {"gpu": machines[0]["gpu"], "arch": machines[0]["arch"], "clocks": [m["clocks"] for m in machines],
              "ceilings": machines[0]["ceilings"], "runs": options.repeat, "means": means, "wrong": wrong, "kernels": kernels}
    for ending, text in ((".json", json.dumps(values, indent=1)), (".md", "\n".join(lines)), (".raw.txt", "\n".join(raw).rstrip())):
        with open(os.path.join(options.dir, "gpu-suite" + ending), "w") as file:
            file.write(text + "\n")
    print("\n".join(lines))
    return 1 if wrong else 0


# --- What needs no GPU.


def header(name, word):
    """The comment at the head of a file behind `word`, as one line without its full stop."""
    lines = []
    for line in read(os.path.join(SUITE, name + ".cu")).splitlines()[4:]:
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    return " ".join(lines).split(word, 1)[1].split(" Expected limit:")[0].strip().rstrip(".")


def row_of(name, checked, made, refused):
    loops = [l["status"] for l in checked["loops"]]
    status = {"opportunity": "pipelined", "unprofitable": "would not pay"}.get(loops[0] if len(loops) == 1 else "", ", ".join(loops))
    has = [v.replace("-2", "") for v in PLAIN if v in made]
    not_has = [f"no {v.replace('-2', '')}: {why}" for v, why in sorted(refused.items()) if why != "nothing-to-mix" and v != "mixed"]
    variants = "; ".join([", ".join(has)] + not_has)
    return f"| {name} | {header(name, 'Family: ')} | {status} | {variants} | {header(name + EXPERT, ' by hand: ')} |"


def compiled(options, name):
    """What is wrong with a kernel's two files, or with their registers, by nvcc."""
    bad = []
    for file in source(name), f"bench/gpu/{name}{EXPERT}.cu":
        done = subprocess.run([options.nvcc, f"-arch={options.arch}", "-O3", "-Xptxas", "-v", "-c", file, "-o", os.devnull], cwd=ROOT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        bad += [f"{file}: {line}" for line in done.stdout.splitlines() if done.returncode or "warning" in line or
                EXPERT in file and re.search(r"[1-9]\d* bytes spill", line)]
    return bad


def check(options):
    made_in = tempfile.mkdtemp(prefix="gpu-suite-")
    try:
        return check_in(options, made_in)
    finally:
        shutil.rmtree(made_in)


def check_in(options, folder):
    checked = files_of(options, ["check"] + [source(n) for n in options.examples])
    made, refused = make(options, folder, more=options.verify == "all")
    two = {n: {v: f for v, f in made[n].items() if not v.startswith("cp-async-") or v == "cp-async-2"} for n in options.examples}
    rows = {n: row_of(n, c, two[n], {v: why for v, why in refused[n].items() if v in EACH}) for n, c in zip(options.examples, checked)}
    above, mark, below = read(README).partition("|---|---|---|---|---|\n")
    there = dict(re.findall(r"^(?=\| (\w+) \|)(\|.*\|)$", below, re.M))
    fine = True
    if options.update:
        there.update(rows)
        with open(README, "w") as file:
            file.write(above + mark + "".join(there[n] + "\n" for n in sorted(there) if n in names()))
    else:
        for name in sorted(set(rows) | (set(there) if set(options.examples) == set(names()) else set())):
            if rows.get(name) != there.get(name):
                fine = False
                print(f"README.md, {name}:\n- {there.get(name)}\n+ {rows.get(name)}")
    pairs = [] if options.verify == "none" else [(n, f"bench/gpu/{n}{EXPERT}.cu") for n in options.examples]
    if options.verify == "all":
        pairs += [(n, f) for n in options.examples for _, f in sorted(made[n].items())]
    for name, new in pairs:
        status, said = tool(options, ["verify", source(name), new, f"--launch=bench/gpu/{name}.small.yaml", "--all-data=off"], (0, 1, 4))
        told = re.search(r"^\d+ cases .*$", said, re.M)
        print(f"{os.path.basename(new)}: {told.group(0) if told else said[-300:]}", flush=True)
        if status:
            fine = False
            print(said)
    if options.compile:
        bad = [line for n in options.examples for line in compiled(options, n)]
        print("\n".join(bad) if bad else f"{2 * len(options.examples)} files: nvcc has no warning, and nothing by hand spills")
        fine &= not bad
    print(f"{len(rows)} kernels: {'as the table says' if fine else 'not as they should be'}")
    return 0 if fine else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["all", "emit", "build", "run", "report", "check"])
    parser.add_argument("dir", nargs="?", help="where everything goes; not for check")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "cuda-pipeline-rewrite"))
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="files that are rewritten at a time")
    add_run_options(parser)
    parser.add_argument("--verify", choices=["expert", "all", "none"], default="expert", help="of check")
    parser.add_argument("--compile", action="store_true", help="check asks nvcc, too")
    parser.add_argument("--update", action="store_true", help="check writes the table of the README")
    parser.add_argument("--kernels", dest="examples", nargs="+", default=names(), choices=names(), metavar="NAME")
    options = parser.parse_args()
    options.command = command
    if options.step == "check":
        return check(options)
    if not options.dir:
        parser.error("a folder is needed")
    options.dir = os.path.abspath(options.dir)
    os.makedirs(options.dir, exist_ok=True)
    status = 0
    for step in (emit, build, run, report):
        if options.step in ("all", step.__name__):
            status = step(options) or 0
    return status


if __name__ == "__main__":
    sys.exit(main())
