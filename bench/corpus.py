#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tool over every .cu and .cuh file of checked-out repositories.

    python3 bench/corpus.py [--tool FILE] [--jobs N] [--state FILE] [--out DIR] REPOSITORY...

Each REPOSITORY is a folder; a file REPOSITORY.commit beside it, or git, says which version. A file is
rewritten with --variant=auto into a temporary folder, with the folders above it, and what they call
include, inc, common or src, as include folders: what a file needs beyond that is missing, and it does not
parse. Watched is that

  - the tool ends by itself, with a documented exit code (a signal, another code, or an assertion is a crash);
  - no run takes --limit (30) seconds longer than Clang's own parse of the file with the same flags;
  - a file that does not parse has no output, and an input is never modified.

DIR gets corpus.md (the counts by repository, status and reason) and corpus.raw.txt (one line per loop). With
--state a run that was interrupted goes on where it stopped.

Exit status: 0 all of that held; 1 it did not; 2 usage; 130 interrupted.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE_NAMES = ("include", "inc", "common", "Common", "src")
DOCUMENTED = {0, 1, 2, 3, 4}


def include_folders(path, root):
    """The folders above the file, nearest first, each followed by what looks like its headers."""
    folders = []
    here = os.path.dirname(path)
    while True:
        folders.append(here)
        folders += [f for f in (os.path.join(here, name) for name in INCLUDE_NAMES) if os.path.isdir(f)]
        if here == root:
            return folders
        here = os.path.dirname(here)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def seconds_of_clang(options, command):
    """What Clang alone takes for the file, with the flags that the tool shows."""
    shown = subprocess.run(command + ["-v"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           errors="replace", timeout=options.timeout).stderr
    line = re.search(r"^\S.*?: clang (-fsyntax-only .*)$", shown, re.MULTILINE)
    if not line:
        return 0.0
    start = time.monotonic()
    subprocess.run([options.clang] + shlex.split(line.group(1)), stdin=subprocess.DEVNULL, capture_output=True,
                   timeout=options.timeout, check=False)
    return time.monotonic() - start


def examine(options, root, path):
    """One file; the record of what happened."""
    record = {"repository": os.path.basename(root), "path": os.path.relpath(path, root), "faults": [],
              "loops": []}
    before = digest(path)
    with tempfile.TemporaryDirectory() as folder:
        output, report = os.path.join(folder, "out.cu"), os.path.join(folder, "report.json")
        command = [options.tool, "rewrite", path, "--variant=auto", "-q", "-o", output, "--report=" + report,
                   "--", *("-I" + f for f in include_folders(path, root))]
        start = time.monotonic()
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  errors="replace", timeout=options.timeout, check=False)
            code, text = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            code, text = None, ""
        record["seconds"] = round(time.monotonic() - start, 2)
        record["exit"] = code
        if code is None:
            record["faults"].append("did not end within {} s".format(options.timeout))
        elif code not in DOCUMENTED or "Assertion" in text or "PLEASE submit a bug" in text:
            record["faults"].append("crashed: " + " ".join(text.split())[-300:])
        if code == 3:
            first = re.search(r"error: (.*)", text)
            record["error"] = first.group(1)[:160] if first else ""
            if os.path.exists(output):
                record["faults"].append("wrote an output although the input does not parse")
        if code in (0, 1) and not os.path.exists(output):
            record["faults"].append("wrote no output")
        if digest(path) != before:
            record["faults"].append("modified its input")
        if code is not None and record["seconds"] > options.limit:
            alone = seconds_of_clang(options, command)
            record["clang_seconds"] = round(alone, 2)
            if record["seconds"] > alone + options.limit:
                record["faults"].append("took {} s, Clang alone {:.1f} s".format(record["seconds"], alone))
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                for found in json.load(file)["files"]:
                    for loop in found["loops"]:
                        record["loops"].append({
                            "kernel": loop["kernel"], "line": loop["line"], "status": loop["status"],
                            "variant": loop["variant"], "stages": loop["stages"],
                            "assumptions": loop["assumptions"],
                            "reasons": [[r["id"], r["line"], r["message"]] for r in loop["reasons"]],
                            "legal": sorted({c["variant"] for c in loop["candidates"] if not c["rejected"]}),
                        })
    return record


def commit_of(root):
    if os.path.exists(root + ".commit"):
        with open(root + ".commit", encoding="utf-8") as file:
            return file.read().strip()
    done = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def table(records, roots, command):
    out = ["# Public repositories", "", "    " + command, ""]
    parsed = [r for r in records if r["exit"] in (0, 1)]
    loops = [(r, l) for r in records for l in r["loops"]]
    statuses = collections.Counter(l["status"] for _, l in loops)
    out.append("{} files in {} repositories; {} parse, {} tile loops in them.".format(
        len(records), len(roots), len(parsed), len(loops)))
    names = [s for s, _ in statuses.most_common()]
    out += ["", "| repository | commit | files | parse | " + " | ".join(names) + " |", "|---" * (len(names) + 4) + "|"]
    for root in roots:
        name = os.path.basename(root)
        mine = [r for r in records if r["repository"] == name]
        counts = collections.Counter(l["status"] for r in mine for l in r["loops"])
        out.append("| {} | {} | {} | {} | {} |".format(
            name.replace("+", "/"), commit_of(root)[:10], len(mine), sum(r["exit"] in (0, 1) for r in mine),
            " | ".join(str(counts[s]) for s in names)))
    out.append("| all | | {} | {} | {} |".format(
        len(records), len(parsed), " | ".join(str(statuses[s]) for s in names)))

    reasons, alone = collections.Counter(), collections.Counter()
    for _, loop in loops:
        ids = {r[0] for r in loop["reasons"]}
        reasons.update(ids)
        if len(ids) == 1:
            alone.update(ids)
    out += ["", "Reasons that were named; a loop can have several:", "", "| reason | loops | the only one |",
            "|---|---|---|"]
    out += ["| {} | {} | {} |".format(r, n, alone[r]) for r, n in reasons.most_common()]

    out += ["", "Variants:", "", "| variant | legal for | chosen for |", "|---|---|---|"]
    legal = collections.Counter(v for _, l in loops for v in l["legal"])
    chosen = collections.Counter(l["variant"] for _, l in loops if l["status"] == "rewritten")
    out += ["| {} | {} | {} |".format(v, n, chosen[v]) for v, n in sorted(legal.items())]

    errors = collections.Counter()
    for record in records:
        if record["exit"] == 3:
            errors[re.sub(r"'[^']*'", "'...'", record["error"])] += 1
    out += ["", "Why files do not parse, the most common first errors:", ""]
    out += ["- {}: {}".format(n, e) for e, n in errors.most_common(8)]

    times = sorted(r["seconds"] for r in records)
    if times:
        out += ["", "Seconds per file: median {}, 99 % below {}, longest {}.".format(
            times[len(times) // 2], times[int(len(times) * 0.99)], times[-1])]
    faults = [(r, f) for r in records for f in r["faults"]]
    out += ["", "{} faults.".format(len(faults) or "No")]
    out += ["- {}/{}: {}".format(r["repository"], r["path"], f) for r, f in faults]
    return "\n".join(out) + "\n", bool(faults)


def raw(records):
    lines = []
    for record in records:
        for loop in record["loops"]:
            what = loop["status"]
            if loop["variant"]:
                what += " " + loop["variant"] + (" {}".format(loop["stages"]) if loop["stages"] else "")
            why = "; ".join("{}:{}".format(i, line) for i, line, _ in loop["reasons"])
            lines.append("{}/{}:{} {} | {} | legal: {} | {}{}".format(
                record["repository"], record["path"], loop["line"], loop["kernel"], what,
                ", ".join(loop["legal"]) or "-", why or "-",
                " | assumes " + ", ".join(loop["assumptions"]) if loop["assumptions"] else ""))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="the tool on public code")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "cuda-pipeline-rewrite"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--state", help="file with one JSON line per finished file")
    parser.add_argument("--out", default="out")
    parser.add_argument("--limit", type=float, default=30, help="seconds beyond Clang's own parse (default 30)")
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("repositories", nargs="+")
    options = parser.parse_args()
    if not os.access(options.tool, os.X_OK):
        parser.error("no program at {}; build it, or give --tool".format(options.tool))
    roots = [os.path.abspath(r) for r in options.repositories if os.path.isdir(r)]

    known = {}
    if options.state and os.path.exists(options.state):
        with open(options.state, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                known[record["repository"], record["path"]] = record
    work = []
    for root in roots:
        for folder, folders, files in os.walk(root):
            folders.sort()
            work += [(root, os.path.join(folder, f)) for f in sorted(files) if f.endswith((".cu", ".cuh"))]
    todo = [(root, path) for root, path in work
            if (os.path.basename(root), os.path.relpath(path, root)) not in known]
    lock = threading.Lock()

    def step(item):
        record = examine(options, *item)
        with lock:
            known[record["repository"], record["path"]] = record
            if options.state:
                with open(options.state, "a", encoding="utf-8") as file:
                    file.write(json.dumps(record) + "\n")
            for fault in record["faults"]:
                sys.stderr.write("corpus: {}: {}\n".format(item[1], fault))

    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    try:
        list(pool.map(step, todo))
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        return 130
    records = [known[os.path.basename(root), os.path.relpath(path, root)] for root, path in work]
    text, bad = table(records, roots, "python3 bench/corpus.py --out out REPOSITORY...")
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, "corpus.md"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(options.out, "corpus.raw.txt"), "w", encoding="utf-8") as file:
        file.write(raw(records))
    sys.stdout.write(text)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
