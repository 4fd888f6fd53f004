# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program under test, on files with several kernels.

What a kernel has in another file (build.UNSEEN) is kept from it when it rewrites. What it is told besides the file
is `told`: ("flags", FLAG...), or ("database", FLAGS...), the flags of the file's entries in a compilation database.
"""

import json
import os
import signal
import subprocess
import sys

from .build import UNSEEN

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Inputs"))
from outer_loops import without_outer

# Everything that can be asked for by name, and the tool's own choice.
VARIANTS = (["auto", "ldg", "ldg-single", "mixed"] + ["cp-async-{}".format(n) for n in (2, 3, 4, 5)])


class Crash(Exception):
    """The tool died, hung, or said that it cannot read what is valid."""

    def __init__(self, kind, detail):
        super().__init__("{}: {}".format(kind, detail))
        self.kind, self.detail = kind, detail


class Interrupted(Exception):
    """The run was interrupted, and with it the tool."""


class Loop:
    """What the report says about one loop."""

    def __init__(self, record):
        self.line = record["line"]
        self.status = record["status"]
        self.variant = record.get("variant")
        self.stages = record.get("stages")
        self.reasons = sorted({r["id"] for r in record.get("reasons", [])})
        self.messages = [r["message"] for r in record.get("reasons", [])]
        self.although_refused = record.get("although_refused", False)
        self.assumptions = record.get("assumptions", [])
        self.occupancy = record.get("occupancy") or {}
        self.shared = record.get("smem") or {}

    def residency(self, threads):
        """Blocks of that many threads on a multiprocessor at a time, before and after: as the report says, or, where the
        tool does not know the block, as many as there is shared memory for."""
        if self.occupancy.get("before") and self.occupancy.get("after"):
            return self.occupancy["before"], self.occupancy["after"]
        return tuple(min(32, 2048 // threads, (164 << 10) // (self.shared.get(when, 0) + 1024))
                     for when in ("before", "after"))

    def loses_residency(self, threads):
        """Fewer are there than before, and nobody has said that they need not be."""
        before, after = self.residency(threads)
        return self.status == "rewritten" and after < before and "co-resident" not in self.assumptions


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


RANK = ["pass", "cannot tell", "invalid", "fail"]  # worse ones decide


class Tool:
    def __init__(self, path, timeout=120, verify_options=()):
        self.path = os.path.abspath(path)
        self.verify_options = list(verify_options)
        self.timeout = timeout
        self._passed = {}  # by (old, new, launch, build): what verify() has to say

    def _run(self, arguments, times=1):
        try:
            run = subprocess.run([self.path] + arguments, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 timeout=self.timeout * times, errors="replace", text=True)
        except subprocess.TimeoutExpired:
            raise Crash("hang", "no end after {} s: {}".format(self.timeout, " ".join(arguments)))
        if run.returncode == -signal.SIGINT:
            raise Interrupted()
        return run

    @staticmethod
    def variant_options(variant):
        if variant.startswith("cp-async-"):
            return ["--variant=cp-async", "--stages=" + variant[len("cp-async-"):]]
        return ["--variant=" + variant]

    def rewrite_command(self, variant, source, output, report):
        return ["rewrite", source, "--cuda-path=none", "--self-check=off", "-q", "-o", output, "--report=" + report
                ] + self.variant_options(variant)

    @staticmethod
    def told_options(told, source, database):
        """What `told` is on the command line; the database goes to the folder `database`."""
        if not told or told[0] == "flags":
            return ["--", *told[1:]] if told else []
        os.makedirs(database, exist_ok=True)
        write(os.path.join(database, "compile_commands.json"), json.dumps([
            {"directory": os.path.dirname(os.path.abspath(source)), "file": os.path.abspath(source),
             "arguments": ["nvcc", "-c", *flags, os.path.abspath(source)]} for flags in told[1:]]))
        return ["-p", database]

    @staticmethod
    def seen_part(source):
        """The file that the tool is shown, and what follows in the whole one."""
        seen, mark, unseen = read(source).partition(UNSEEN)
        if mark:
            source = os.path.splitext(source)[0] + ".seen.cu"
            write(source, seen)
        return source, mark + unseen

    EACH = True  # rewrite_each() may be asked

    @staticmethod
    def is_of_each(variant):
        return variant != "auto"

    def rewrite_each(self, outputs, source, told=()):
        """Rewrites `source` to each of `outputs`, {variant: path}, none of which is auto: one analysis serves all of them.
        Returns the loops by variant; nothing where something went wrong, which is then of one variant."""
        # What --variant=each makes, in its order.
        numbers = sorted({v[len("cp-async-"):] for v in outputs if v.startswith("cp-async-")}) or ["2"]
        made = ["cp-async-" + n for n in numbers] + ["ldg", "ldg-single", "mixed"]
        folder = os.path.splitext(source)[0] + ".each"
        os.makedirs(folder, exist_ok=True)
        report = os.path.join(folder, "report.json")
        source, unseen = self.seen_part(source)
        arguments = self.rewrite_command("ldg", source, report, report)
        arguments = [a for a in arguments if a not in ("-o", report, "--variant=ldg")]
        run = self._run(arguments + ["--variant=each", "--stages=" + ",".join(numbers), "--output-dir=" + folder] +
                        self.told_options(told, source, report + ".database"))
        loops = {}
        try:
            with open(report) as file:
                files = json.load(file)["files"]
            if run.returncode not in (0, 1) or len(files) != len(made):
                return {}
            for variant, file in zip(made, files):
                if variant not in outputs:
                    continue
                # The first line says where such a file comes from.
                text = read(file["output"]).split("\n", 1)[1] if file["output"] else read(source)
                write(outputs[variant], text + unseen)
                loops[variant] = [Loop(loop) for loop in without_outer(file["loops"])]
        except (OSError, ValueError, KeyError, IndexError):
            return {}
        return loops

    def rewrite(self, variant, source, output, told=()):
        """Rewrites `source` to `output`; returns the loops of the report."""
        report = output + ".json"
        source, unseen = self.seen_part(source)
        arguments = self.rewrite_command(variant, source, output, report)
        run = self._run(arguments + self.told_options(told, source, output + ".database"))
        # 1: the variant was refused for some loop; the others are written.
        if run.returncode not in (0, 1):
            text = (run.stdout + run.stderr)[-4000:]
            kind = "does not parse" if "does not parse" in text else (
                "internal error" if "internal error" in text else "exit {}".format(run.returncode))
            raise Crash(kind, text)
        if unseen and os.path.exists(output):
            write(output, read(output) + unseen)
        try:
            with open(report) as file:
                record = json.load(file)
            return [Loop(loop) for loop in without_outer(record["files"][0]["loops"])]
        except (OSError, ValueError, KeyError) as error:
            raise Crash("report", str(error))

    def parses(self, source, loops=True, build=()):
        """None, or what the parser says. `loops`: they are looked at as well, which takes far longer."""
        run = self._run(["check", source, "--cuda-path=none", "--exit-zero", "-q"] +
                        ([] if loops else ["--lines=1:1"]) + self.build_options(build))
        return None if run.returncode == 0 else (run.stdout + run.stderr)[-4000:]

    @staticmethod
    def build_options(build):
        """`build`: flags of the compiler, and at times an --arch of the tool."""
        own, flags = [f for f in build if f.startswith("--")], [f for f in build if not f.startswith("--")]
        return own + (["--", *flags] if flags else [])

    def verify_command(self, old, new, launch, build=()):
        return ["verify", old, new, "--launch=" + launch, "--format=json", "--all-data=off"] + self.verify_options + (
            self.build_options(build))

    def verify(self, old, new, launch, build=()):
        """(exit code, {kernel: (verdict, text)}, what else was said).

        Exit codes: 0 pass, 1 fail, 2 usage, 3 does not compile, 4 cannot tell. Verdicts: pass, fail,
        invalid (the original is at fault), cannot tell."""
        known = self._passed.pop((old, new, launch, tuple(build)), None)
        if known:
            return known
        run = self._run(self.verify_command(old, new, launch, build))
        kernels = {}
        if run.returncode in (0, 1, 4):
            try:
                kernels = self._verdicts(json.loads(run.stdout)["cases"])
            except (ValueError, KeyError):
                pass
        return run.returncode, kernels, (run.stdout + run.stderr)[-8000:]

    @staticmethod
    def _verdicts(cases):
        kernels = {}
        for case in cases:
            verdict = case["verdict"].replace("-", " ")
            if verdict == "cannot tell" and "original" in (case.get("reason") or ""):
                verdict = "invalid"
            # A type of the file is in its namespace, too.
            name, bracket, arguments = case["kernel"].partition("<")
            name += bracket + arguments.replace(name.split("::")[0] + "::", "")
            worst = kernels.get(name, ("pass", ""))
            if RANK.index(verdict) > RANK.index(worst[0]):
                worst = (verdict, json.dumps(case, indent=1, sort_keys=True))
            kernels[name] = worst
        return kernels

    def look_ahead(self, pairs, batch):
        """Verifies `pairs` (old, new, launch) at once, by the file `batch`: what is known of an original serves all that was made of it.
        What does not fail is known when verify() asks for it; the others are verified by themselves then, as if this had not been."""
        write(batch, "".join("'%s' '%s' '%s'\n" % pair for pair in pairs))
        report = batch + ".json"
        try:
            self._run(["verify", "--batch=" + batch, "--report=" + report, "-q", "--all-data=off"] + self.verify_options, len(pairs))
            with open(report) as file:
                runs = json.load(file)["runs"]
        except (OSError, ValueError, KeyError, Crash):
            return
        for pair, run in zip(pairs, runs):
            if run["exit"] in (0, 4) and run.get("report"):
                self._passed[(*pair, ())] = run["exit"], self._verdicts(run["report"]["cases"]), ""

    def has_verify(self):
        """Whether this build can verify at all."""
        run = self._run(["--help"])
        return run.returncode == 0 and "verify OLD NEW" in run.stdout
