#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites the kernels of a folder, and runs them against their rewrites, in the emulator and on a GPU.

    python3 bench/real/real.py DIR                                      # rewrite, and run in the emulator
    python3 bench/real/real.py DIR --generate FILES                     # the same, and what a GPU needs
    python3 bench/real/real.py --generated FILES --results RESULTS --sanitize   # where the GPU is

DIR/corpus.ini names the kernels (docs/corpus.md): file, flags, variants, and a launch description (docs/launch.md) with
small cases, and in a line `# timed: {...}` with the size that is measured.

For every section and variant, in the folder FILES/NAME.VARIANT (without --generate, a temporary one):

1. old/ and new/: the file, and what it includes with quotes; inc/: what it includes from the folders of its flags
2. rewrite: the tool changes new/ by the variant
3. emulate: `verify` compares old and new in the emulator, small cases
4. small/ and timed/: the harnesses (docs/gpu-harness.md) of the small cases and of the size that is timed, without
   absolute paths, so that FILES can be moved to another machine

--generated, on that machine, with nvcc and a GPU:

5. build: the harnesses of the small cases (with --build-only nothing else)
6. compare: old against new, bit by bit
7. sanitize (with --sanitize): compute-sanitizer's racecheck and memcheck. Where there is a finding, both sides of
   a harness are replaced by the old version, then by the new one, which tells whose finding it is
8. time (but with --no-time): the harnesses of the size that is timed, one after the other, --rounds, --repeat times

RESULTS gets results.json, raw.txt and real.md, the table; with --generate, FILES or RESULTS gets the table alone, and
without either the table goes to standard output. What is in results.json is not done again (--fresh: all anew).
--head FILE: real.md begins with what FILE has in front of its line `<!-- generated -->`.

Exit status: 0 every kernel is rewritten, passes, and is clean (a difference that is one of contraction, and a
finding that the original has too, are told in the table and are no failure); 1 not so; 2 usage; 4 something needed
is not here (no tool, no nvcc, no GPU, no sanitizer), or --limit was reached.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))

import manifest  # noqa: E402

MARK = "<!-- generated -->\n"
CLEAN = {
    "racecheck": "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)",
    "memcheck": "ERROR SUMMARY: 0 errors",
}
VERDICTS = {0: "pass", 1: "fail", 4: "cannot tell"}
AT_FAULT = "no verdict, the original is at fault"
NO_VERDICT = "no verdict: "
STOPPED = ("launch", "timeout", "not-run", "memory", "global")  # the harness's kinds where the kernel did not end


def run(command, timeout=600, **options):
    """Exit status and output; 124 where the time was up, 127 where it could not start."""
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, errors="replace", start_new_session=True, **options)
    except OSError as error:
        return 127, str(error)
    try:
        text = child.communicate(timeout=timeout)[0]
        return child.returncode, text
    except subprocess.TimeoutExpired:
        # What it has started, too: a compiler, the program under the sanitizer.
        os.killpg(child.pid, signal.SIGKILL)
        return 124, child.communicate()[0] + "\ntime limit\n"


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


# --- generate --------------------------------------------------------------------------------------------

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.M)


def gather(start, root, folders):
    """What a file needs: {path of a file: how it is found}, "beside" or a number of a folder."""
    found, left = {start: "beside"}, [start]
    while left:
        here = left.pop()
        for quoted, angled in INCLUDE.findall(read(here)):
            name = quoted or angled
            places = [("beside", os.path.dirname(here))] if quoted else []
            places += list(enumerate(folders))
            for how, folder in places:
                path = os.path.normpath(os.path.join(folder, name))
                if os.path.isfile(path):
                    if how == "beside":
                        how = found[here]
                    if path not in found:
                        found[path] = how
                        left.append(path)
                    break
    return found


def case_text(launch, timed):
    """The description with the cases of its `# timed:` lines, one per document."""
    documents = re.split(r"(?m)^---[ \t]*\n", launch)
    out = []
    for document in documents:
        line = re.search(r"(?m)^# timed: *(\{.*\})[ \t]*$", document)
        if not re.search(r"(?m)^kernel:", document):
            continue
        if timed and not line:
            continue
        if timed:
            # The block `cases:` with everything indented below it, or its one line.
            document, count = re.subn(r"(?m)^cases:.*\n(?:[ \t]+.*\n|#.*\n)*", "cases: [{}]\n".format(
                line.group(1).replace("\\", "\\\\")), document, count=1)
            if not count:
                raise ValueError("no cases in front of # timed")
        out.append(document)
    return "---\n".join(out)


class Generator:
    def __init__(self, options):
        self.options = options

    @staticmethod
    def place(kernels, work):
        """Copies what is needed; returns the compiler's flags and the two main files, relative to work."""
        root, includes = os.path.realpath(kernels.root), kernels.includes()
        folders = [os.path.normpath(os.path.join(root, folder)) for folder in includes]
        for file in dict.fromkeys([kernels.file] + kernels.rewritten):
            for path, how in gather(os.path.join(root, file), root, folders).items():
                if how == "beside":
                    inside = os.path.relpath(path, root)
                    if inside.startswith(".."):
                        raise ValueError("{} is outside of the folder".format(inside))
                    for side in ("old", "new"):
                        write(os.path.join(work, side, inside), read(path))
                elif os.path.relpath(path, root) in kernels.rewritten:
                    # The flags are the same for both sides.
                    raise ValueError("{} is rewritten, so include it by its path from what includes it".format(
                        os.path.relpath(path, root)))
                else:
                    write(os.path.join(work, "inc", str(how), os.path.relpath(path, folders[how])), read(path))
        flags = ["-Iinc/{}".format(number) for number in range(len(folders))
                 if os.path.isdir(os.path.join(work, "inc", str(number)))]
        flags += [text for what, text in kernels.flags if not what]
        return flags, os.path.join("old", kernels.file), os.path.join("new", kernels.file)

    def tool(self, work, log, *words, flags=(), timeout=600):
        command = [self.options.tool, *words, "--arch=" + self.options.arch]
        command += ["--cuda-path=" + self.cuda] + (["--", *flags] if flags else [])
        status, text = run(command, timeout, cwd=work)
        text = text.replace(os.path.realpath(work) + "/", "").replace(os.path.abspath(work) + "/", "")
        log.append("$ " + shlex.join(["cuda-pipeline-rewrite"] + command[1:]) + "\n" + text.rstrip() +
                   "\nexit status {}\n".format(status))
        return status, text

    def one(self, kernel, variant):
        entry = {"name": kernel.name, "variant": variant, "family": kernel.family, "file": kernel.rewritten[0],
                 "kernel": kernel.kernel, "note": kernel.note, "folder": folder_of(kernel.name, variant)}
        work = os.path.join(self.options.generate, entry["folder"])
        shutil.rmtree(work, ignore_errors=True)
        log = []
        begin = time.monotonic()
        try:
            self.steps(kernel, variant, entry, work, log)
        except (OSError, ValueError, KeyError) as error:
            entry["status"] = "no description: " + str(error)
        entry["seconds"] = round(time.monotonic() - begin, 1)
        write(os.path.join(work, "log.txt"), "\n".join(log))
        write(os.path.join(work, "entry.json"), json.dumps(entry, indent=1) + "\n")
        print("{:44} {}".format(entry["folder"], entry["status"]), flush=True)
        return entry

    def steps(self, kernel, variant, entry, work, log):
        self.cuda = self.options.cuda_path
        flags, old, new = self.place(kernel, work)
        changed = [os.path.join("new", file) for file in kernel.rewritten]
        changed += [new] if new not in changed else []
        name, _, stages = variant.partition(" ")
        words = ["rewrite", *changed, "-i", "--variant=" + name]
        words += ["--kernel=" + kernel.kernel] if kernel.kernel else []
        words += ["--stages=" + stages] if stages else []
        status, text = self.tool(work, log, *words, *kernel.options, "--report=rewrite.json", "-q", flags=flags)
        if status not in (0, 1):
            entry["status"] = "rewrite: exit status {}: {}".format(status, first_error(text))
            return
        loops = loops_of(os.path.join(work, "rewrite.json"))
        done = [loop for loop in loops if loop["status"] == "rewritten"]
        entry["loops"] = [[loop["kernel"], loop["line"], loop["variant"], loop["stages"], loop["assumptions"]]
                          for loop in done]
        if not done:
            reasons = ["{}: {}".format(r["id"], r["message"]) for loop in loops for r in loop["reasons"]]
            reasons += [c["rejected"] for loop in loops for c in loop["candidates"]
                        if c["rejected"] and not loop["reasons"] and c["variant"] == name]
            entry["status"] = "refused: " + ("; ".join(dict.fromkeys(reasons)) or "no tile loop found")
            return
        if not kernel.launch:
            raise ValueError("corpus.ini has no launch for [{}]".format(kernel.name))
        launch = read(os.path.join(kernel.root, kernel.launch))
        write(os.path.join(work, "small.yaml"), case_text(launch, False))
        timed = case_text(launch, True)
        status, text = self.tool(work, log, "verify", old, new, "--launch=small.yaml",
                                 "--timeout={}".format(self.options.timeout), flags=flags, timeout=3000)
        entry["emulator"] = VERDICTS.get(status, "exit status {}".format(status))
        if status != 0:
            entry["emulator_says"] = first_bad(text)
        said = re.findall(r"(?m)  (?:FAIL|cannot tell)  (.*)$", text)
        if status == 4 and said and all(line.startswith("the original is itself at fault") for line in said):
            entry["emulator"] = AT_FAULT
            entry["emulator_says"] = re.search(r"at fault\n\s*(.*)", text).group(1)
        entry["cases"] = len(re.findall(r"(?m)  pass  \d+ runs?", text))
        launches = [("small", "small.yaml")] if self.options.harness else []
        if timed and self.options.harness:
            write(os.path.join(work, "timed.yaml"), timed)
            launches.append(("timed", "timed.yaml"))
        for folder, description in launches:
            status, text = self.tool(work, log, "verify", old, new, "--launch=" + description,
                                     "--emit-harness=" + folder, *(["--seed=1"] if folder == "timed" else []),
                                     flags=flags)
            if status:
                entry["status"] = "no harness: exit status {}: {}".format(status, first_error(text))
                return
            build = os.path.join(work, folder, "build.sh")
            text = read(build)
            for place in {os.path.realpath(work), os.path.abspath(work)}:
                text = text.replace(place + "/.", "..").replace(place, "..")
            if folder == "timed" and all(read(os.path.join(work, "small", f)) == read(os.path.join(work, "timed", f))
                                         for f in ("side.cu", "cpr-harness/side.h", "old.cu", "new.cu")):
                # The same two libraries: once is enough.
                text = re.sub(r'(?m)^version (old|new) "" &', r"cp ../small/\1.so . &", text)
            write(build, text)
        entry["timed"] = bool(timed)
        entry["status"] = entry["emulator"]
        if entry["emulator"] != "pass":
            entry["status"] += ": " + entry["emulator_says"]


def loops_of(report):
    with open(report, encoding="utf-8") as file:
        return [loop for found in json.load(file)["files"] for loop in found["loops"]]


def first_error(text):
    lines = [line for line in text.splitlines() if "error" in line] or text.strip().splitlines()[-1:]
    return lines[0].strip() if lines else "no output"


def first_bad(text):
    """What is wrong with the first case that is."""
    lines = [line for line in text.splitlines() if re.search(r"  (FAIL|cannot tell)  |error|not emulated", line)]
    return lines[0].strip() if lines else (text.strip().splitlines() or ["no output"])[-1]


def generate(options):
    kernels = manifest.read(options.directory)
    options.generate = os.path.abspath(options.generate)
    wanted = options.only.split(",") if options.only else None
    pairs = [(k, v) for k in kernels for v in k.variants if not wanted or k.name in wanted]
    os.makedirs(options.generate, exist_ok=True)
    maker = Generator(options)
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        entries = list(pool.map(lambda pair: maker.one(*pair), pairs))
    # With --only: the others as they were.
    path = os.path.join(options.generate, "index.json")
    order = [folder_of(k.name, v) for k in kernels for v in k.variants]
    if wanted and os.path.exists(path):
        known = {e["folder"]: e for e in index_of(options.generate)["entries"]}
        known.update((e["folder"], e) for e in entries)
        entries = [known[folder] for folder in order if folder in known]
    version = run([options.tool, "--version"])[1].strip().splitlines()[0]
    index = {"arch": options.arch, "tool": version, "entries": entries}
    write(path, json.dumps(index, indent=1) + "\n")
    print("{:.0f} s".format(time.monotonic() - begin))
    text, fine = table(index, {})
    if not options.harness and not options.results:
        sys.stdout.write(text)
        return 0 if fine else 1
    with_head(options, text, options.results or options.generate)
    print(text[: text.index("\n\n")])
    return 0 if fine else 1


# --- run -------------------------------------------------------------------------------------------------


class Results:
    """What is known so far: {folder: {step: value}}; written after every step."""

    def __init__(self, directory, fresh):
        self.path = os.path.join(directory, "results.json")
        self.lock = threading.Lock()
        self.raw = open(os.path.join(directory, "raw.txt"), "w" if fresh else "a", encoding="utf-8")
        self.of = {}
        if os.path.exists(self.path) and not fresh:
            with open(self.path, encoding="utf-8") as file:
                self.of = json.load(file)

    def log(self, name, text):
        with self.lock:
            self.raw.write("--- {}\n{}\n".format(name, text.rstrip()))
            self.raw.flush()

    def put(self, name, step, value):
        with self.lock:
            self.of.setdefault(name, {})[step] = value
            write(self.path + ".new", json.dumps(self.of, indent=1, sort_keys=True) + "\n")
            os.replace(self.path + ".new", self.path)


class Runner:
    def __init__(self, options, results):
        self.options = options
        self.results = results

    def folder(self, entry, *more):
        return os.path.join(self.options.generated, entry["folder"], *more)

    def build(self, entry, size):
        """How many seconds it took, or what was said."""
        begin = time.monotonic()
        status, text = run(["sh", self.folder(entry, size, "build.sh")], 300, env=self.options.environment)
        if status:
            self.results.log("{} {} build.sh: exit status {}".format(entry["folder"], size, status), text)
            return first_error(text)
        return round(time.monotonic() - begin, 1)

    def harness(self, entry, size, *options):
        """The harness's result, or what it said instead."""
        path = self.folder(entry, size, "result.json")
        if os.path.exists(path):
            os.remove(path)
        status, text = run([self.folder(entry, size, "harness"), "--result=" + path, *options], self.options.each,
                           env=self.options.environment)
        self.results.log("{} {}/harness {}: exit status {}".format(
            entry["folder"], size, " ".join(options), status), text)
        try:
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return {"verdict": "exit status {}: {}".format(status, first_error(text)), "cases": []}

    def compare(self, entry):
        result = self.harness(entry, "small", "--rounds=0")
        bad = [case for case in result["cases"] if case["verdict"] != "pass"]
        contracted = [case for case in bad if case["kind"] == "contraction"]
        verdict = result["verdict"]
        if bad and len(contracted) == len(bad):
            verdict = "contraction"
        return {"verdict": verdict, "cases": len(result["cases"]), "gpu": result.get("gpu"),
                "driver": result.get("driver"), "bad": bad[:5]}

    def sanitized(self, entry, size, tool):
        """"clean", what the last line of the findings says, or NO_VERDICT and why."""
        path = self.folder(entry, size, tool + ".json")
        if os.path.exists(path):
            os.remove(path)
        status, text = run([self.options.sanitizer, "--tool", tool, "--error-exitcode", "9",
                            self.folder(entry, size, "harness"), "--rounds=0", "--guard=0", "--poison=0", "--seeds=1",
                            "--timeout={:g}".format(self.options.each), "--result=" + path],
                           self.options.each, env=self.options.environment)
        try:
            with open(path, encoding="utf-8") as file:
                cases = json.load(file)["cases"]
        except (OSError, ValueError):
            cases = []
        stopped = [case["kind"] for case in cases if case.get("kind") in STOPPED]
        name = "{} {} {}: exit status {}".format(entry["folder"], size, tool, status)
        if CLEAN[tool] in text and cases and not stopped:
            self.results.log(name, CLEAN[tool])
            return "clean"
        lines = [line for line in text.splitlines() if line.startswith("=========") and line.strip("= ")]
        self.results.log(name, "\n".join(lines[:40] + ["..."] + lines[-3:]) if lines else text[-2000:])
        if not lines or "SUMMARY" not in lines[-1] or CLEAN[tool] in text or not cases:
            return "{}exit status {}{}".format(NO_VERDICT, status, ", " + stopped[0] if stopped else "")
        return lines[-1].strip("= ")

    def sanitize(self, entry, tool):
        """{"both": "clean"}, or also what is said of the old version against itself, and of the new one."""
        found = {"both": self.sanitized(entry, "small", tool)}
        if found["both"] == "clean" or found["both"].startswith(NO_VERDICT):
            return found
        for side in ("old", "new"):
            alone = self.folder(entry, "small-" + side)
            shutil.rmtree(alone, ignore_errors=True)
            os.makedirs(alone)
            shutil.copy(self.folder(entry, "small", "harness"), alone)
            for name in ("old.so", "new.so"):
                shutil.copy(self.folder(entry, "small", side + ".so"), os.path.join(alone, name))
            found[side] = self.sanitized(entry, "small-" + side, tool)
        return found

    def time(self, entry):
        """[microseconds of the original, of the rewrite] of every repetition, or what was said."""
        out = []
        for _ in range(self.options.repeat):
            result = self.harness(entry, "timed", "--seeds=1", "--rounds={}".format(self.options.rounds))
            times = [case.get("time") for case in result["cases"]]
            if not times or not times[0]:
                kinds = {case.get("kind") or case["verdict"] for case in result["cases"]}
                return {"case": "", "none": ", ".join(sorted(kinds)) or result["verdict"]}
            out.append([times[0]["old_us"], times[0]["new_us"]])
            name = result["cases"][0]["case"]
        return {"case": name, "us": out}


def run_all(options):
    options.generated = os.path.abspath(options.generated)
    index = index_of(options.generated)
    os.makedirs(options.results, exist_ok=True)
    options.environment = dict(os.environ)
    nvcc = os.environ.get("NVCC", "nvcc")
    needed = [[nvcc, "--version"]]
    if not options.build_only:
        needed += [["nvidia-smi"]] + [[options.sanitizer, "--version"]] * options.sanitize
    for command in needed:
        if run(command)[0]:
            sys.stderr.write("real.py: error: '{}' does not run here\n".format(" ".join(command)))
            return 4
    wanted = options.only.split(",") if options.only else None
    entries = [e for e in index["entries"] if "timed" in e and (not wanted or e["name"] in wanted)]
    results = Results(options.results, options.fresh)
    runner = Runner(options, results)
    end = time.monotonic() + options.limit if options.limit else None
    late = []

    def each(step, jobs, work, when=lambda known: True):
        def one(entry):
            known = results.of.get(entry["folder"], {})
            if step in known or not when(known):
                return
            if end and time.monotonic() > end:
                late.append(entry["folder"])
                return
            value = work(entry)
            results.put(entry["folder"], step, value)
            print("{:9} {:44} {}".format(step, entry["folder"], short(value)), flush=True)

        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, entries))
        results.log("{}: {:.0f} s".format(step, time.monotonic() - begin), "")
        return put_table(index, results, options)

    def built(known):
        return isinstance(known.get("build"), float)

    def timed(known):
        return isinstance(known.get("build timed"), float)

    # A build is three compilers at a time.
    index["machine"] = machine(options, nvcc)
    compilers = max(1, options.jobs // 2)
    if options.build_only:
        text, fine = each("compile", compilers, lambda entry: runner.build(entry, "small"))
    else:
        each("build", compilers, lambda entry: runner.build(entry, "small"))
        text, fine = each("compare", min(options.jobs, 6), runner.compare, built)
        if options.sanitize:
            for tool in CLEAN:
                text, fine = each(tool, min(options.jobs, 10), lambda entry: runner.sanitize(entry, tool), built)
        if not options.no_time:
            entries = [e for e in entries if e["timed"]]
            each("build timed", compilers, lambda entry: runner.build(entry, "timed"), built)
            text, fine = each("time", 1, runner.time, timed)
    print(text[: text.index("\n\n")])
    if late:
        sys.stderr.write("real.py: error: the time was up, {} steps are missing; the same command goes on\n".format(
            len(late)))
        return 4
    return 0 if fine else 1


def put_table(index, results, options):
    text, fine = table(index, results.of)
    with_head(options, text, options.results)
    return text, fine


def short(value):
    if isinstance(value, dict):
        return "; ".join("{} {}".format(k, v) for k, v in value.items() if v and k not in ("gpu", "driver", "bad"))
    return "{} s".format(value) if isinstance(value, float) else value


def machine(options, nvcc):
    parts = []
    status, text = run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    if not status and text.strip() and not options.build_only:
        parts = [datetime.date.today().isoformat(), text.strip().splitlines()[0]]
    found = re.search(r"V[\d.]+", run([nvcc, "--version"])[1])
    parts += ["nvcc " + found.group()] if found else []
    found = re.search(r"Version ([\d.]+)", run([options.sanitizer, "--version"])[1]) if options.sanitize else None
    parts += ["compute-sanitizer " + found.group(1)] if found else []
    return ", ".join(parts)


# --- the table -------------------------------------------------------------------------------------------


def folder_of(name, variant):
    return name + "." + variant.replace(" ", ".")


def index_of(files):
    with open(os.path.join(files, "index.json"), encoding="utf-8") as file:
        return json.load(file)


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def compared(known):
    found = known.get("compare")
    if not found:
        return known["build"] if isinstance(known.get("build"), str) else ""
    if found["verdict"] == "pass":
        return "identical"
    return "only with -fmad=false" if found["verdict"] == "contraction" else found["verdict"]


def sanitizer(known, tool):
    found = known.get(tool)
    if not found:
        return ""
    if found["both"] == "clean" or found["both"].startswith(NO_VERDICT):
        return found["both"]
    if found["new"] == "clean":
        return "original" if found["old"] != "clean" else "neither alone"
    return "original too" if found["old"] != "clean" else "**rewrite**"


def table(index, results):
    """The tables, and whether all is as it must be."""
    entries = index["entries"]
    ran = any("compare" in known for known in results.values())
    out, fine, notes = [], True, []

    def good(entry):
        known = results.get(entry["folder"], {})
        return (entry.get("emulator") in ("pass", AT_FAULT)
                and not any(isinstance(known.get(step), str) for step in ("compile", "build"))
                and (not ran or compared(known) in ("identical", "only with -fmad=false"))
                and not any("verdict" in sanitizer(known, tool) or "rewrite" in sanitizer(known, tool)
                            for tool in CLEAN))

    passed = [e for e in entries if e.get("emulator") == "pass"]
    out.append("{}, rewritten for {}: {} kernels, {} rewrites. {} of them pass in the emulator, in {} cases.".format(
        index["tool"], index["arch"], len({e["name"] for e in entries}), len(entries), len(passed),
        sum(e["cases"] for e in passed)))
    built = [known["compile"] for known in results.values() if "compile" in known]
    if built and not ran:
        out[0] += "\n{} compiles {} of {}.".format(
            index["machine"], sum(isinstance(seconds, float) for seconds in built), len(built))
    if ran:
        out[0] += "\nOn {}: {} of {} are identical bit by bit, {} more with -fmad=false.".format(
            index["machine"], sum(compared(k) == "identical" for k in results.values()), len(results),
            sum(compared(k) == "only with -fmad=false" for k in results.values()))
        for tool in CLEAN:
            if any(tool in known for known in results.values()):
                out[0] += "\n{} is clean for {} of {}.".format(
                    tool, sum(sanitizer(known, tool) == "clean" for known in results.values()), len(results))
    out += ["", "| family | kernels | rewrites | pass |", "|---|---|---|---|"]
    for family in dict.fromkeys(e["family"] for e in entries):
        mine = [e for e in entries if e["family"] == family]
        out.append("| {} | {} | {} | {} |".format(
            family, len({e["name"] for e in mine}), len(mine), sum(map(good, mine))))
    head = ["kernel", "loop", "variant", "emulator"]
    if ran:
        head += ["GPU", *CLEAN, "size", "original us", "speed-up"]
    out += ["", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for entry in entries:
        known = results.get(entry["folder"], {})
        loops = ", ".join(str(line) for _, line, *_ in entry.get("loops", []))
        kind = entry["variant"]
        if kind == "auto" and entry.get("loops"):
            kind += " = {} {}".format(*entry["loops"][0][2:4])
        state = "{} case{}".format(entry.get("cases", 0), "s" * (entry.get("cases") != 1))
        if entry.get("emulator") != "pass":
            state = re.sub(r"  +", " ", re.sub(r" at 0x[0-9a-f]{6,}", "", entry["status"]))
        place = entry["file"] + (":" + loops if loops else "")
        row = [entry["name"], place, kind, state]
        if ran:
            timing = known.get("time", {})
            times = timing.get("us", [])
            row += [compared(known)] + [sanitizer(known, tool) for tool in CLEAN]
            row += [timing.get("case", ""), "{:.1f}".format(statistics.median(t[0] for t in times)) if times else "",
                    ratios(times) if times else timing.get("none", "")]
        out.append("| " + " | ".join(cell(c) for c in row) + " |")
        fine = fine and good(entry)
        granted = sorted({a for loop in entry.get("loops", []) for a in loop[4]} - {"registers"})
        if granted or entry["note"]:
            notes.append("- {}, {}: {}".format(entry["name"], entry["variant"], "; ".join(
                (["assumes " + ", ".join(granted)] if granted else []) + ([entry["note"]] if entry["note"] else []))))
        for tool in CLEAN:
            if known.get(tool, {}).get("both", "clean") != "clean":
                notes.append("- {}, {}: {}: {}".format(entry["name"], entry["variant"], tool, "; ".join(
                    "{}: {}".format(*pair) for pair in known[tool].items())))
    out += [""] + notes + [""] * bool(notes)
    while not out[-1]:
        out.pop()
    return "\n".join(out) + "\n", fine


def ratios(times):
    each = sorted(old / new for old, new in times)
    middle = "{:.3f}".format(statistics.median(each))
    return "{} ({:.3f}-{:.3f})".format(middle, each[0], each[-1]) if len(each) > 1 else middle


def with_head(options, text, directory):
    head = "# Kernels against their rewrites\n\n"
    if options.head:
        head = read(options.head).split(MARK)[0]
    write(os.path.join(directory, "real.md"), head + MARK + "\n" + text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0], epilog="The head of this file says more.")
    add = parser.add_argument
    add("directory", nargs="?", metavar="DIR", help="folder with kernels and a corpus.ini")
    add("--generate", metavar="FILES", help="writes rewrites and harnesses to this folder")
    add("--generated", metavar="FILES", help="builds and runs what is in this folder")
    add("--results", metavar="DIR", help="folder for the results (with --generate: for the table, else in FILES)")
    add("--head", metavar="FILE", help="real.md begins as FILE does")
    add("--only", metavar="NAME,...", help="only these kernels")
    add("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    add("--arch", default="sm_90", help="for the tool and nvcc (default %(default)s)")
    add("--tool", default=os.path.join(ROOT, "build", "bin", "cuda-pipeline-rewrite"))
    add("--cuda-path", default="none", help="as for the tool (default none: its own declarations)")
    add("--timeout", type=int, default=600, help="seconds for a kernel in the emulator (default %(default)d)")
    add("--build-only", action="store_true", help="with --generated: build small/, run nothing")
    add("--sanitize", action="store_true", help="with --generated: memcheck and racecheck, too")
    add("--sanitizer", default="compute-sanitizer")
    add("--no-time", action="store_true", help="with --generated: no measurement")
    add("--each", type=float, default=150, metavar="SECONDS", help="for one harness (default %(default)g)")
    add("--rounds", type=int, default=15, metavar="N", help="of a measurement (default %(default)d)")
    add("--repeat", type=int, default=1, metavar="N", help="measurements of a rewrite (default %(default)d)")
    add("--limit", type=float, metavar="SECONDS", help="with --generated: begin nothing after so long")
    add("--fresh", action="store_true", help="with --generated: anew also what is in the results")
    options = parser.parse_args()
    if bool(options.directory) == bool(options.generated):
        parser.error("either DIR, or --generated FILES")
    if options.generated:
        if options.generate or not options.results:
            parser.error("--generated needs --results DIR, and goes without --generate")
        return run_all(options)
    if not os.access(options.tool, os.X_OK):
        sys.stderr.write("real.py: error: no program at {}; build it, or give --tool\n".format(options.tool))
        return 4
    options.tool = os.path.abspath(options.tool)
    try:
        if manifest.read(options.directory) is None:
            parser.error("'{}' has no {}".format(options.directory, manifest.NAME))
    except ValueError as error:
        parser.error(str(error))
    options.harness = bool(options.generate)
    if options.generate:
        return generate(options)
    with tempfile.TemporaryDirectory() as options.generate:
        return generate(options)


if __name__ == "__main__":
    sys.exit(main())
