#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites the examples under every variant, proves the results equal, and times them on a GPU.

    python3 bench/examples.py --out DIR [--sanitize] [--rounds N] [--quick]

For every example and every variant (auto, ldg, ldg-single, cp-async with 2, 3 and 4 stages):

1. rewrite   the tool writes the variant; a refusal is listed with its reasons
2. compile   with nvcc, the original too; a new warning or a spill is reported
3. compare   the results with the original's, byte for byte, for tile counts 0, 1, 2, 3, ..., and for the
             size that is timed; each program also checks itself against a CPU reference
4. sanitize  with --sanitize: compute-sanitizer's memcheck and racecheck on small sizes
5. time      all programs of an example stay alive and measure in turns; the ratio of medians
             original / variant, with the quartiles of the ratio per round

DIR gets measurements.md (the tables), raw.txt (everything that was measured) and results.json.

Where the tool cannot run beside the GPU, generate on one machine and measure on the other:

    python3 bench/examples.py --generate FILES --arch sm_90
    python3 bench/examples.py --generated FILES --out DIR --sanitize

FILES then holds EXAMPLE.VARIANT[.STAGES].cu, and the tool's report beside each as .json (needed only for
what was refused and what auto picked).

Exit status: 0 all that was asked for held; 1 something failed (a rewrite, a compilation, a comparison, a
sanitizer, a measurement; with --require also the demands on auto); 2 usage; 4 something needed is not here
(no nvcc, no GPU, no sanitizer).
"""

import argparse
import concurrent.futures
import datetime
import filecmp
import json
import os
import re
import select
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from programs import CLEAN, run

ROOT = os.path.relpath(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ORIGINAL = "original"
VARIANTS = ["auto", "ldg", "ldg-single", "cp-async.2", "cp-async.3", "cp-async.4"]
COUNTS = [0, 1, 2, 3, 4, 5, 7, 33, 64]  # tiles that are compared
QUICK_COUNTS = [0, 1, 2, 3, 5, 33]
SANITIZED_COUNTS = [0, 1, 3, 6]


class Example:
    """A program of examples/: its arguments for a number of tiles, and those that it is timed with."""

    def __init__(self, name, shapes, timed):
        self.name = name
        self.shapes = shapes  # functions from a number of tiles to arguments
        self.timed = timed

    def arguments(self, counts):
        return [shape(n) for n in counts for shape in self.shapes]


EXAMPLES = [
    Example("sgemm_tile", [lambda n: [64, 96, 32 * n]], [2048, 2048, 2048]),
    Example("sgemm_float4", [lambda n: [128, 256, 8 * n]], [4096, 4096, 4096]),
    Example("hgemm_wmma", [lambda n: [256, 128, 16 * n]], [4096, 4096, 4096]),
    Example(
        "igemm_wmma",
        [lambda n: [100, 77, 32 * n], lambda n: [64, 128, max(0, 32 * n - 5)]],
        [4096, 4096, 4096],
    ),
    Example("nbody", [lambda n: [512, 256 * n]], [65536, 65536]),
    Example("conv1d", [lambda n: [1000, n, 16], lambda n: [3, n, 8]], [131072, 128, 64]),
]

# What `auto` must reach: never slower, near the best variant, and a gain where there is one.
NEVER_BELOW = 0.98
OF_BEST = 0.95
GAINS = {"hgemm_wmma": 1.08, "sgemm_float4": 1.05}


class NotHere(Exception):
    """Something that the run needs is missing on this machine."""


class Log:
    """Collects raw.txt; remembers failures and shows them at once."""

    def __init__(self):
        self.lines = []
        self.failures = []

    def raw(self, text):
        self.lines.append(text)

    def show(self, text):
        self.lines.append(text)
        print(text, flush=True)

    def fail(self, text):
        self.failures.append(text)
        self.show("FAILED " + text)


class Program:
    """An example under one variant, on its way from the rewrite to the measurement."""

    def __init__(self, example, variant):
        self.example = example
        self.variant = variant  # ORIGINAL or one of VARIANTS
        self.name = example.name + "." + variant
        self.source = None
        self.binary = None
        self.refused = None  # why there is no such program
        self.same_as = None  # the program whose source has the same bytes
        self.picked = None  # what auto took
        self.registers = self.shared = self.spills = None
        self.times = []

    def title(self):
        return self.variant.replace(".", ", ") + (" stages" if "." in self.variant else "")


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no output"


# ---- 1. rewrite ------------------------------------------------------------------------------------------


def command_of(options, program, folder):
    variant, _, stages = program.variant.partition(".")
    source = os.path.join(options.examples, program.example.name + ".cu")
    command = [options.tool, source, "--variant=" + variant]
    if stages:
        command.append("--stages=" + stages)
    command += ["--arch=" + options.arch, "-o", os.path.join(folder, program.name + ".cu")]
    return command + ["--report=" + os.path.join(folder, program.name + ".json"), "-q"]


def loops_of(report):
    try:
        with open(report) as file:
            return [loop for entry in json.load(file)["files"] for loop in entry["loops"]]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def why_not(loops, variant, stages):
    """The reasons of a report, in a line."""
    reasons = []
    for loop in loops:
        for reason in loop.get("reasons") or []:
            reasons.append("%s: %s" % (reason.get("id"), reason.get("message")))
        for candidate in loop.get("candidates") or []:
            same = candidate.get("variant") == variant and str(candidate.get("stages")) in (stages, "")
            if candidate.get("rejected") and (same or (not reasons and variant == candidate.get("variant"))):
                reasons.append(candidate["rejected"])
        if not reasons and loop.get("why"):
            reasons.append(loop["why"])
    return "; ".join(dict.fromkeys(reasons)) or "the report names no reason"


def generate(options, programs, folder, log):
    """Lets the tool write every variant into the folder."""
    os.makedirs(folder, exist_ok=True)
    log.show("rewrite: %d variants for %s" % (len(programs), options.arch))

    def rewrite(program):
        for suffix in (".cu", ".json"):
            if os.path.exists(os.path.join(folder, program.name + suffix)):
                os.remove(os.path.join(folder, program.name + suffix))
        return run(command_of(options, program, folder), 120)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        answers = list(pool.map(rewrite, programs))
    for program, (status, output) in zip(programs, answers):
        log.raw("$ " + shlex.join(command_of(options, program, "DIR")))
        log.raw("  exit status %d: %s" % (status, last_line(output)))
        if status not in (0, 1):
            log.fail("rewrite %s: exit status %d: %s" % (program.name, status, last_line(output)))


def read_generated(options, programs, folder, log):
    """Finds out what every variant became: a source of its own, a refusal, or the original."""
    for program in programs:
        variant, _, stages = program.variant.partition(".")
        source = os.path.join(folder, program.name + ".cu")
        original = os.path.join(options.examples, program.example.name + ".cu")
        loops = loops_of(os.path.join(folder, program.name + ".json"))
        written = [loop for loop in loops or [] if loop.get("status") == "rewritten"]
        if loops is not None and variant != "auto" and not written:
            program.refused = why_not(loops, variant, stages)
            continue
        if variant == "auto" and loops is not None and not written:
            program.source, program.picked = original, "the original"
            continue
        if not os.path.exists(source):
            if loops is None and not any(program.name in failure for failure in log.failures):
                log.fail("rewrite %s: neither source nor report" % program.name)
            program.refused = "nothing was written"
            continue
        program.source = source
        got = ["%s %s" % (loop.get("variant"), loop.get("stages")) for loop in written]
        if variant == "auto":
            program.picked = ", ".join(dict.fromkeys(got)) or None
        else:
            for loop in written:
                if loop.get("variant") != variant or (stages and str(loop.get("stages")) != stages):
                    log.fail("rewrite %s: the report says %s" % (program.name, ", ".join(got)))


# ---- 2. compile ------------------------------------------------------------------------------------------


def warnings_of(output):
    """Compiler warnings without their places."""
    return {re.sub(r"^.*?warning", "warning", line) for line in output.splitlines() if "warning" in line}


def compile_all(options, programs, folder, log):
    """Compiles every program that differs from the ones before it."""
    distinct = []
    for program in programs:
        if not program.source:
            continue
        for other in distinct:
            if other.example is program.example and filecmp.cmp(
                other.source, program.source, shallow=False
            ):
                program.same_as = other
                break
        else:
            distinct.append(program)
    flags = ["-O3", "-lineinfo", "-Xptxas", "-v", "-arch=" + (options.nvcc_arch or options.arch)]
    log.show("compile: %d programs, nvcc %s" % (len(distinct), " ".join(flags)))

    def build(program):
        binary = os.path.join(folder, program.name)
        return run([options.nvcc] + flags + [program.source, "-o", binary], 600) + (binary,)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        answers = list(pool.map(build, distinct))
    known = {}
    for program, (status, output, binary) in zip(distinct, answers):
        if program.variant == ORIGINAL:
            known[program.example.name] = warnings_of(output)
        if status != 0:
            log.fail("compile %s: exit status %d" % (program.name, status))
            log.raw(output)
            continue
        program.binary = binary
        used = re.findall(r"Used (\d+) registers", output)
        program.registers = max(map(int, used), default=None)
        program.shared = max(map(int, re.findall(r"(\d+) bytes smem", output)), default=0)
        program.spills = sum(map(int, re.findall(r"(\d+) bytes spill", output)))
        log.raw(
            "%s: %s registers, %s bytes of shared memory, %s bytes spilled"
            % (program.name, program.registers, program.shared, program.spills)
        )
        new = warnings_of(output) - known.get(program.example.name, set())
        if new and program.variant != ORIGINAL:
            log.fail("compile %s: new warning: %s" % (program.name, sorted(new)[0]))
    return [program for program in distinct if program.binary]


# ---- 3. compare ------------------------------------------------------------------------------------------


def compare(options, programs, folder, log):
    """Runs every program on every size; returns {program name: sizes that agree}."""
    counts = QUICK_COUNTS if options.quick else COUNTS
    jobs = []
    for example in options.selected:
        mine = [program for program in programs if program.example is example]
        for number, arguments in enumerate(example.arguments(counts) + [example.timed]):
            jobs.append((mine, [str(a) for a in arguments], str(number + 1)))
    runs = sum(len(mine) for mine, _, _ in jobs)
    log.show("compare: %d runs of %d programs" % (runs, len(programs)))
    agreed = {program.name: 0 for program in programs}

    def execute(job):
        mine, arguments, seed = job
        results, expected = [], None
        for program in mine:
            raw = os.path.join(folder, "%s.%s.raw" % (program.name, seed))
            command = [program.binary] + arguments + ["--seed", seed, "--no-time", "--raw", raw]
            status, output = run(command, options.limit)
            data = None
            if os.path.exists(raw):
                with open(raw, "rb") as file:
                    data = file.read()
                os.remove(raw)
            if status != 0:
                results.append((program, "exit status %d: %s" % (status, last_line(output))))
            elif not data:
                results.append((program, "no result"))
            elif program.variant == ORIGINAL:
                expected = data
                results.append((program, None))
            elif expected is None:
                results.append((program, "the original has no result"))
            elif data != expected:
                first = next((i for i, (a, b) in enumerate(zip(data, expected)) if a != b), -1)
                results.append((program, "differs from the original, first at byte %d" % first))
            else:
                results.append((program, None))
        return results

    with concurrent.futures.ThreadPoolExecutor(min(options.jobs, 8)) as pool:
        for (_, arguments, seed), results in zip(jobs, pool.map(execute, jobs)):
            for program, error in results:
                what = "compare %s %s --seed %s" % (program.name, " ".join(arguments), seed)
                if error:
                    log.fail(what + ": " + error)
                else:
                    agreed[program.name] += 1
                    log.raw(what + ": " + ("correct" if program.variant == ORIGINAL else "identical"))
    return agreed, {e.name: len(e.arguments(counts)) + 1 for e in options.selected}


# ---- 4. sanitize -----------------------------------------------------------------------------------------

def sanitize(options, programs, log):
    """Returns {(program name, tool): [clean runs, runs]}."""
    jobs = []
    for program in programs:
        for arguments in program.example.arguments(SANITIZED_COUNTS):
            jobs += [(program, tool, [str(a) for a in arguments]) for tool in CLEAN]
    log.show("sanitize: %d runs" % len(jobs))

    def execute(job):
        program, tool, arguments = job
        command = [options.sanitizer, "--tool", tool, "--error-exitcode", "9", program.binary]
        return run(command + arguments + ["--no-time"], options.limit)

    clean = {}
    with concurrent.futures.ThreadPoolExecutor(min(options.jobs, 8)) as pool:
        for (program, tool, arguments), (status, output) in zip(jobs, pool.map(execute, jobs)):
            entry = clean.setdefault((program.name, tool), [0, 0])
            entry[1] += 1
            what = "%s %s %s" % (tool, program.name, " ".join(arguments))
            if status == 0 and CLEAN[tool] in output:
                entry[0] += 1
                log.raw(what + ": clean")
            else:
                log.fail("%s: exit status %d: %s" % (what, status, last_line(output)))
                log.raw("\n".join(output.splitlines()[:40]))
    return clean


# ---- 5. time ---------------------------------------------------------------------------------------------


class Session:
    """A program that measures once at its start and once more for every line that it is sent."""

    def __init__(self, binary, arguments):
        self.buffer = b""
        self.process = subprocess.Popen(
            [binary] + [str(a) for a in arguments] + ["--again"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def answer(self, limit):
        """Milliseconds of the next line; an error raises RuntimeError."""
        end = time.monotonic() + limit
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise RuntimeError("no answer in %d s" % limit)
            data = os.read(self.process.stdout.fileno(), 4096)
            if not data:
                raise RuntimeError("it ended with status %s" % self.process.wait())
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        found = re.search(r" ([\d.]+) ms", line.decode(errors="replace"))
        if not found:
            raise RuntimeError(line.decode(errors="replace"))
        return float(found.group(1))

    def again(self, limit):
        try:
            self.process.stdin.write(b"\n")
            self.process.stdin.flush()
        except OSError:
            pass  # answer() tells what became of it
        return self.answer(limit)

    def close(self):
        """Ends with the input; killed where that does not help."""
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def measure(options, programs, log):
    """Fills the times of every program; returns those of each original's second process."""
    control = {}
    for example in options.selected:
        mine = [program for program in programs if program.example is example]
        originals = [program for program in mine if program.variant == ORIGINAL]
        if not originals:
            continue
        # The original twice: their ratio is what the measurement itself is worth.
        lanes = [(program, program.times) for program in mine] + [(originals[0], [])]
        control[example.name] = lanes[-1][1]
        sessions = []
        try:
            for program, _ in lanes:
                sessions.append(Session(program.binary, example.timed))
            live = list(range(len(lanes)))
            for turn in range(-1, options.rounds):
                # The first answers come while others still start: not counted. Then forth and back.
                for i in list(live) if turn % 2 == 0 else list(reversed(live)):
                    try:
                        session = sessions[i]
                        ms = session.answer(options.limit) if turn < 0 else session.again(options.limit)
                        if turn >= 0:
                            lanes[i][1].append(ms)
                    except RuntimeError as error:
                        log.fail("time %s: %s" % (lanes[i][0].name, error))
                        lanes[i][1].clear()
                        live.remove(i)
        finally:
            for session in sessions:
                session.close()
        for i, (program, times) in enumerate(lanes):
            name = program.name + (" again" if i == len(mine) else "")
            size = "x".join(map(str, example.timed))
            log.raw("time %s %s ms: %s" % (name, size, " ".join("%.5f" % ms for ms in times)))
        print("time: %s: " % example.name + ", ".join(short(p, originals[0]) for p in mine), flush=True)
    return control


def ratio(times, base):
    """Ratio of the medians, and the quartiles of the ratio per round."""
    if not times or len(times) != len(base):
        return None
    rounds = [b / t for b, t in zip(base, times)]
    low, _, high = statistics.quantiles(rounds, n=4) if len(rounds) > 1 else rounds * 3
    return statistics.median(base) / statistics.median(times), low, high


def short(program, original):
    if program is original:
        return "%.4f ms" % statistics.median(program.times) if program.times else "no time"
    value = ratio(program.times, original.times)
    return "%s %s" % (program.variant, "%.3f" % value[0] if value else "-")


# ---- report ----------------------------------------------------------------------------------------------


def ratio_text(value):
    return "%.3f (%.3f-%.3f)" % value if value else "-"


def demands(table):
    """What auto must reach, as (held, sentence)."""
    answers = []
    for name, row in table.items():
        auto = row.get("auto")
        best = max((value for variant, value in row.items() if variant != "auto"), default=1.0)
        best = max(best, 1.0)
        if auto is None:
            answers.append((False, "%s: auto was not measured" % name))
            continue
        least = max(NEVER_BELOW, OF_BEST * best, GAINS.get(name, 0))
        text = "%s: auto %.3f, at least %.3f (best variant %.3f)" % (name, auto, least, best)
        answers.append((auto >= least, text))
    return answers


def write_report(options, state, log):
    """The tables of measurements.md; returns whether the demands on auto held."""
    by_name = {program.name: program for program in state["programs"]}
    out, table, notes = [], {}, []
    out += ["# Measurements of the examples", ""]
    out += ["    " + state["command"], ""]
    out += ["%s" % line + "  " for line in state["machine"]] + [""]
    if state["control"] is not None:
        out += [
            "Speed-up: median time of the original / median time of the variant over %d rounds in turns, and"
            % options.rounds,
            "the quartiles of that ratio per round. `again` is the original against itself.",
            "",
            "| example | size | original ms | again | "
            + " | ".join(v.replace(".", " ") for v in VARIANTS)
            + " |",
            "|" + "---|" * (4 + len(VARIANTS)),
        ]
        for example in options.selected:
            original = by_name[example.name + "." + ORIGINAL]
            base = original.times
            cells = [example.name, "x".join(map(str, example.timed))]
            cells.append("%.4f" % statistics.median(base) if base else "-")
            cells.append(ratio_text(ratio(state["control"].get(example.name, []), base)))
            row = table[example.name] = {}
            for variant in VARIANTS:
                program = by_name[example.name + "." + variant]
                if program.refused:
                    notes.append((program, program.refused))
                    cells.append("refused [%d]" % len(notes))
                    continue
                timed = program.same_as or program
                value = (1.0, 1.0, 1.0) if timed is original else ratio(timed.times, base)
                if value:
                    row[variant] = value[0]
                text = "1 (unchanged)" if timed is original else ratio_text(value)
                if program.picked and timed is not original:
                    text += " = " + program.picked
                elif timed is not program and timed is not original:
                    text += " = " + timed.variant.replace(".", " ")
                cells.append(text)
            out.append("| " + " | ".join(cells) + " |")
        out.append("")
        for number, (program, reason) in enumerate(notes, 1):
            out.append("[%d] %s, %s: %s  " % (number, program.example.name, program.title(), reason))
        out += ["", "## What auto must reach", ""]
        held = demands(table)
        out += ["- %s: %s" % ("held" if ok else "NOT held", text) for ok, text in held] + [""]
    else:
        held = []
    out += ["## Programs", ""]
    out.append(
        "Registers, static shared memory and spills as ptxas reports them for %s; results compared with"
        % (options.nvcc_arch or options.arch)
    )
    out += ["the original's byte for byte; sanitizer runs without a finding.", ""]
    out.append("| program | registers | shared bytes | spilled | identical | memcheck | racecheck |")
    out.append("|" + "---|" * 7)
    for program in state["programs"]:
        if program.refused:
            continue
        cells = [program.example.name + " " + program.variant.replace(".", " ")]
        if program.same_as:
            cells += ["same source as " + program.same_as.variant.replace(".", " ")] + [""] * 5
        elif not program.binary:
            cells += ["does not compile"] + [""] * 5
        else:
            cells += [str(program.registers), str(program.shared), str(program.spills)]
            agreed, sizes = state["agreed"]
            count = agreed.get(program.name)
            cells.append("-" if count is None else "%d of %d" % (count, sizes[program.example.name]))
            for tool in CLEAN:
                entry = state["clean"].get((program.name, tool))
                cells.append("%d of %d" % tuple(entry) if entry else "-")
        out.append("| " + " | ".join(cells) + " |")
    out += ["", "## Failures", ""]
    out += ["- " + failure for failure in log.failures] or ["None."]
    out.append("")

    with open(os.path.join(options.out, "measurements.md"), "w") as file:
        file.write("\n".join(out))
    with open(os.path.join(options.out, "raw.txt"), "w") as file:
        file.write("\n".join(log.lines) + "\n")
    results = {
        program.name: {
            "refused": program.refused,
            "same_as": program.same_as.name if program.same_as else None,
            "picked": program.picked,
            "registers": program.registers,
            "shared": program.shared,
            "spills": program.spills,
            "times_ms": program.times,
        }
        for program in state["programs"]
    }
    with open(os.path.join(options.out, "results.json"), "w") as file:
        json.dump({"machine": state["machine"], "programs": results, "failures": log.failures}, file, indent=1)
        file.write("\n")
    return all(ok for ok, _ in held)


# ---- main ------------------------------------------------------------------------------------------------


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", 1)[0], epilog="The head of this file says more."
    )
    add = parser.add_argument
    add("--out", metavar="DIR", help="folder for the tables and the raw numbers (made if needed)")
    add("--tool", metavar="PATH", default=os.path.join(ROOT, "build/bin/cuda-pipeline-rewrite"),
        help="the tool, or the folder that holds it; default: build/bin")  # fmt: skip
    add("--examples", metavar="DIR", default=os.path.join(ROOT, "examples"))
    add("--generate", metavar="DIR", help="only writes the variants into DIR")
    add("--generated", metavar="DIR", help="takes the variants from DIR instead of running the tool")
    add("--arch", help="architecture for the tool and nvcc, such as sm_90; default: the GPU's")
    add("--only", metavar="NAME,...", help="only these examples")
    add("--variants", metavar="NAME,...", default=",".join(VARIANTS), help="default: %(default)s")
    add("--rounds", type=int, help="measurements of every program; default 21, with --quick 5")
    add("--quick", action="store_true", help="fewer sizes and rounds")
    add("--sanitize", action="store_true", help="also runs compute-sanitizer")
    add("--compile-only", action="store_true", help="stops before anything needs a GPU")
    add("--no-time", action="store_true", help="compares, does not measure")
    add("--require", action="store_true", help="a demand on auto that is not met is a failure")
    add("--limit", type=int, default=120, metavar="S", help="seconds that a run may take; default 120")
    add("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args()
    if not options.out and not options.generate:
        parser.error("--out or --generate is needed")
    if options.generate and options.generated:
        parser.error("--generate and --generated exclude each other")
    options.rounds = options.rounds or (5 if options.quick else 21)
    if options.rounds < 2 or options.jobs < 1:
        parser.error("--rounds must be at least 2, --jobs at least 1")
    names = [name for name in (options.only or "").split(",") if name]
    unknown = [n for n in names if n not in [e.name for e in EXAMPLES]]
    wanted = [name for name in options.variants.split(",") if name]
    unknown += [v for v in wanted if v not in VARIANTS]
    if unknown:
        parser.error("unknown: " + ", ".join(unknown))
    VARIANTS[:] = [variant for variant in VARIANTS if variant in wanted]
    options.selected = [example for example in EXAMPLES if not names or example.name in names]
    if os.path.isdir(options.tool):
        options.tool = os.path.join(options.tool, "cuda-pipeline-rewrite")
    return options


def find_machine(options):
    """Fills in what the machine decides; returns lines that describe it."""
    lines = ["Date: " + datetime.date.today().isoformat()]
    query = "name,driver_version,compute_cap"
    gpu = ""
    if shutil.which("nvidia-smi"):
        status, output = run(["nvidia-smi", "--query-gpu=" + query, "--format=csv,noheader"], 60)
        gpu = output.splitlines()[0] if status == 0 and output.strip() else ""
    if gpu:
        name, driver, capability = [part.strip() for part in gpu.split(",")][:3]
        lines.append("GPU: %s, driver %s" % (name, driver))
        options.arch = options.arch or "sm_" + capability.replace(".", "")
    elif not options.generate and not options.compile_only:
        raise NotHere("no GPU here (nvidia-smi finds none); --compile-only stops before one is needed")
    options.arch = options.arch or "sm_80"
    options.nvcc_arch = None
    if options.generate:
        return lines
    options.nvcc = shutil.which("nvcc")
    if not options.nvcc:
        raise NotHere("no nvcc on the path")
    lines.append("nvcc: " + (re.findall(r"V[\d.]+", run([options.nvcc, "--version"], 60)[1]) or ["?"])[0])
    options.sanitizer = shutil.which("compute-sanitizer")
    if options.sanitize and not options.compile_only:
        if not options.sanitizer:
            raise NotHere("no compute-sanitizer on the path")
        version = re.findall(r"Version ([\d.]+)", run([options.sanitizer, "--version"], 60)[1])
        lines.append("compute-sanitizer: " + (version or ["?"])[0])
    return lines


def main():
    options = parse_arguments()
    log = Log()
    command = "python3 bench/examples.py " + shlex.join(sys.argv[1:])
    try:
        machine = find_machine(options)
    except NotHere as missing:
        print("bench/examples.py: %s" % missing, file=sys.stderr)
        return 4
    variants = [Program(example, variant) for example in options.selected for variant in VARIANTS]
    originals = [Program(example, ORIGINAL) for example in options.selected]
    for program in originals:
        program.source = os.path.join(options.examples, program.example.name + ".cu")
        if not os.path.exists(program.source):
            print("bench/examples.py: no %s" % program.source, file=sys.stderr)
            return 2
    if options.out:
        os.makedirs(options.out, exist_ok=True)
    log.raw("$ " + command)
    for line in machine:
        log.show(line)

    with tempfile.TemporaryDirectory(prefix="examples-") as folder:
        sources = options.generated or options.generate or os.path.join(folder, "generated")
        if not options.generated:
            if not os.access(options.tool, os.X_OK):
                print("bench/examples.py: no tool at %s (see --tool)" % options.tool, file=sys.stderr)
                return 4
            machine.append("Tool: " + last_line(run([options.tool, "--version"], 60)[1]))
            generate(options, variants, sources, log)
        read_generated(options, variants, sources, log)
        for program in variants:
            if program.refused:
                log.show("refused %s: %s" % (program.name, program.refused))
        if options.generate:
            return 1 if log.failures else 0

        # Originals first: they are what the others are compared with. auto last: what it picked is there.
        programs = originals + sorted(variants, key=lambda p: p.variant == "auto")
        programs = [p for e in options.selected for p in programs if p.example is e]
        state = {"programs": programs, "command": command, "machine": machine}
        state.update(agreed=({}, {}), clean={}, control=None)
        built = compile_all(options, programs, folder, log)
        if not options.compile_only:
            state["agreed"] = compare(options, built, folder, log)
            if options.sanitize:
                state["clean"] = sanitize(options, built, log)
            if not options.no_time:
                state["control"] = measure(options, built, log)
        held = write_report(options, state, log)
    if options.require and not held:
        log.show("FAILED a demand on auto; see measurements.md")
    print("%d failures; tables and numbers in %s" % (len(log.failures), options.out))
    return 1 if log.failures or (options.require and not held) else 0


if __name__ == "__main__":
    sys.exit(main())
