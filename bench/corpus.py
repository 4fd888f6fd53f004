#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tool over folders of kernels.

    python3 bench/corpus.py [--tool FILE] [--jobs N] [--state FILE] [--out DIR] FOLDER...

Without a corpus.ini in a FOLDER, that is every .cu and .cuh file below it, with the folders above the file, and what
they call include, inc, common or src, as include folders: what a file needs beyond that is missing, and it does not
parse. With one (docs/corpus.md), it is what that names, with its flags; a rewrite is verified in the emulator where a
launch is described, and each variant by name is compared with what was judged of a loop.

A file is rewritten with --variant=auto into a temporary folder. With --cuda-path=none,DIR it is read with the bundled
declarations, and once more with the toolkit in DIR if it does not parse with them and mentions __shared__, without
which there is no tile loop. Watched is that

  - the tool ends by itself within --timeout (600) seconds, with an exit code that its documentation has for a
    rewrite, and without an internal error (a signal, an assertion, another code, or "internal error" are a crash);
  - no run takes --limit (30) seconds of CPU time more than Clang's own parse of the file with the same flags;
  - a file that does not parse has no output, and an input is never modified;
  - a rewrite that is run passes, and no variant rewrites a loop for which it was judged: no.

DIR gets corpus.md (the counts by folder, status and reason) and corpus.raw.txt (one line per loop). With
--state a run that was interrupted goes on where it stopped; what another tool, another version of the file
or of its folder, or other limits gave is done again.

With --share, each file that parses is also given to `check` and to Clang alone with the same flags, one after the
other. What `check` takes beyond Clang, as a share of Clang's time, is in share.md and share.raw.txt.

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
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading

import manifest
from clang_alone import Unusable, clang_command, make_decls, output_of, timed

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE_NAMES = ("include", "inc", "common", "Common", "src")
SOURCES = (".cu", ".cuh")
# What docs/command-line.md has for `rewrite`: done; a refused variant; a usage or input error (the file is
# empty, say); does not parse. A crash inside is 3 as well, and says so.
DOCUMENTED = {0, 1, 2, 3}
CRASHED = re.compile(r"internal error|Assertion .* failed|PLEASE submit a bug")

Folder = collections.namedtuple("Folder", "name root version")
# What is run at a time: a file, and the section of corpus.ini that names it.
Item = collections.namedtuple("Item", "folder path section")


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


def mentions_shared(path):
    with open(path, "rb") as file:
        return b"__shared__" in file.read()


def version_of(root):
    """The commit that is checked out, where git knows one."""
    done = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "-"


def folders_of(paths):
    """Each with a name of its own: as much of the end of its path as tells it from the others."""
    roots = [os.path.realpath(path) for path in paths]
    for path, root in zip(paths, roots):
        if not os.path.isdir(root):
            raise ValueError("'{}' is not a folder".format(path))
        if roots.count(root) > 1:
            raise ValueError("'{}' is given twice".format(path))
    found = []
    for root in roots:
        parts = root.strip(os.sep).split(os.sep)
        for size in range(1, len(parts) + 1):
            tail = parts[-size:]
            if sum(r.strip(os.sep).split(os.sep)[-size:] == tail for r in roots) == 1:
                break
        found.append(Folder("/".join(tail), root, version_of(root)))
    return found


def items_of(folder):
    """What its manifest names, or its files, in an order that is the same everywhere."""
    sections = manifest.read(folder.root)
    if sections is not None:
        return [Item(folder, os.path.join(folder.root, section.file), section) for section in sections]
    found = []
    for here, folders, files in os.walk(folder.root):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(here, name)
            if name.endswith(SOURCES) and os.path.isfile(path):
                found.append(Item(folder, path, None))
    return found


def loops_of(report, root):
    """The tile loops of a JSON report, with what the tables need; paths as seen from `root`."""
    with open(report, encoding="utf-8") as file:
        files = json.load(file)["files"]
    return [{
        "path": os.path.relpath(found["path"], root) if "path" in found else None,
        "kernel": loop["kernel"], "line": loop["line"], "end_line": loop["end_line"],
        "status": loop["status"], "variant": loop["variant"], "stages": loop["stages"],
        "assumptions": loop["assumptions"],
        "self_check": [loop["self_check"][key] for key in ("verdict", "why", "launches", "order")] if loop.get("self_check") else None,
        "reasons": [[r["id"], r["line"], r["message"]] for r in loop["reasons"]],
        # A legal candidate is chosen, or has a prediction against it.
        "legal": sorted({c["variant"] for c in loop["candidates"]
                         if not c["rejected"] or c["rejected"].startswith("predicted ")}),
    } for found in files for loop in found["loops"]]


class Examiner:
    """Runs the tool on one file after the other."""

    def __init__(self, options, decls):
        self.options = options
        self.decls = decls  # the bundled declarations as files, for Clang alone
        # What has to be the same for an older record to stand.
        self.setting = [digest(options.tool), options.limit, options.timeout, options.cuda_path]
        if options.variant != "auto":
            self.setting.append(options.variant)
        if options.share:
            self.setting.append("share")

    def key(self, item):
        root = item.folder.root
        section = item.section and [item.section.name, digest(os.path.join(root, manifest.NAME)), *(
            digest(os.path.join(root, path)) for path in [*item.section.rewritten, item.section.launch] if path)]
        return [root, item.folder.version, os.path.relpath(item.path, root), digest(item.path), section, self.setting]

    @staticmethod
    def flags(item):
        return (item.section.flags_from() if item.section else []) + [
            "-I" + f for f in include_folders(item.path, item.folder.root)]

    def command(self, item, cuda, command, *options):
        """The tool on one file, and on its headers that are rewritten."""
        more = []
        if item.section:
            more = [os.path.join(item.folder.root, path) for path in item.section.rewritten]
            options += tuple(["--kernel=" + item.section.kernel] if item.section.kernel else [])
            options += tuple(item.section.options if command == "rewrite" else [])
        return [self.options.tool, command, item.path, *(path for path in more if path != item.path), *options,
                *(["--cuda-path=" + cuda] if cuda else []), "--", *self.flags(item)]

    def seconds_of_clang(self, item, cuda):
        """What Clang alone takes for the file, with the flags that the tool shows."""
        tool = self.command(item._replace(section=None), cuda, "check", "--print=loops")
        if item.section:
            tool += item.section.flags_from()
        command = clang_command(self.options.clang, tool, self.decls, self.options.timeout)
        code, seconds, text = timed(command, self.options.timeout)
        if code is None:
            raise Unusable("did not end within {:g} s".format(self.options.timeout))
        # Some errors are none for the tool, because they are none for nvcc. One that ends the parse early,
        # or keeps it from starting, makes the time worthless.
        early = re.search(r"^(.*fatal error: |clang\S*: error: ).*", text, re.MULTILINE)
        if early:
            raise Unusable(early.group(0))
        return seconds

    def compare_with_clang(self, record, item, cuda):
        """Whether the run was long because Clang is."""
        try:
            alone = self.seconds_of_clang(item, cuda)
        except (Unusable, subprocess.TimeoutExpired) as error:
            record["faults"].append("took {} s, and Clang alone could not be timed: {}".format(
                record["seconds"], str(error).split("\n")[0][-300:]))
            return
        record["clang_seconds"] = round(alone, 2)
        if record["seconds"] > alone + self.options.limit:
            record["faults"].append("took {} s, Clang alone {:.1f} s".format(record["seconds"], alone))

    def measure_share(self, record, item, cuda):
        """What `check` takes, and Clang alone."""
        try:
            alone = self.seconds_of_clang(item, cuda)
        except (Unusable, subprocess.TimeoutExpired):
            return
        code, seconds, _ = timed(self.command(item, cuda, "check"), self.options.timeout)
        if code in (0, 1):
            record["share"] = [round(seconds, 3), round(alone, 3)]

    def examine(self, item):
        """One file, with one source of declarations after the other until it parses."""
        key, faults = self.key(item), []
        for cuda in self.options.cuda_path.split(","):
            record = self.examine_with(item, cuda)
            faults += [fault for fault in record["faults"] if fault not in faults]
            if record["exit"] != 3 or not mentions_shared(item.path):
                break
        return {"key": key, **record, "faults": faults}

    def examine_with(self, item, cuda):
        record = {"path": os.path.relpath(item.path, item.folder.root), "cuda": cuda, "faults": [], "loops": []}
        inputs = [item.path]
        if item.section:
            record["section"] = item.section.name
            inputs += [os.path.join(item.folder.root, path) for path in item.section.rewritten]
        before = [digest(path) for path in inputs]
        with tempfile.TemporaryDirectory() as folder:
            output, report = os.path.join(folder, "out.cu"), os.path.join(folder, "report.json")
            several = len(set(inputs)) > 1
            command = self.command(item, cuda, "rewrite", "--variant=" + self.options.variant, "-q", *(
                ["--output-dir=" + folder] if several else ["-o", output]), "--report=" + report)
            code, seconds, text = timed(command, self.options.timeout)
            record["seconds"] = round(seconds, 2)
            record["exit"] = code
            crashed = code not in DOCUMENTED or bool(CRASHED.search(text))
            if code is None:
                record["faults"].append("did not end within {:g} s".format(self.options.timeout))
            elif crashed:
                record["faults"].append("crashed, exit {}: {}".format(code, " ".join(text.split())[-300:]).strip())
            if code in (2, 3):
                first = re.search(r"error: (.*)", text)
                if not crashed:
                    record["error"] = first.group(1)[:160] if first else ""
                if any(name.endswith(SOURCES) for name in os.listdir(folder)):
                    record["faults"].append("wrote an output although it failed")
            elif code in (0, 1):
                if not several and not os.path.exists(output):
                    record["faults"].append("wrote no output")
                try:
                    record["loops"] = loops_of(report, item.folder.root)
                except (OSError, ValueError, KeyError) as error:
                    record["faults"].append("has no report: {}".format(error))
                for loop in record["loops"]:
                    if loop["self_check"] and loop["self_check"][0] == "fail":
                        record["faults"].append("the self-check of line {} failed: {}".format(loop["line"], loop["self_check"][1]))
                if item.section:
                    self.look_closer(record, item, cuda, folder, None if several else output)
            if [digest(path) for path in inputs] != before:
                record["faults"].append("modified its input")
            if code is not None and not crashed and record["seconds"] > self.options.limit:
                self.compare_with_clang(record, item, cuda)
            if self.options.share and code in (0, 1):
                self.measure_share(record, item, cuda)
        return record

    def look_closer(self, record, item, cuda, folder, output):
        """What a manifest makes possible: is the rewrite right, and what becomes of the loops that were judged."""
        section = item.section
        if output and section.launch and any(loop["status"] == "rewritten" for loop in record["loops"]):
            record["emulator"] = self.verify(record, item, cuda, output)
        record["judged"] = []
        for variant in manifest.JUDGED if section.judged else ():
            report = os.path.join(folder, variant + ".json")
            command = self.command(item, cuda, "rewrite", "--variant=" + variant, "-q",
                                   "--output-dir=" + os.path.join(folder, variant), "--report=" + report)
            code, _, text = timed(command, self.options.timeout)
            if code not in (0, 1):
                record["faults"].append("{}: exit {}: {}".format(variant, code, " ".join(text.split())[-300:]))
                continue
            loops = {loop["line"]: loop for loop in loops_of(report, item.folder.root)}
            for line, verdicts in section.judged.items():
                if variant in verdicts:
                    loop = loops.get(line)
                    answer = loop["status"] if loop else "not seen"
                    if answer == "refused":
                        answer = ", ".join(dict.fromkeys(reason for reason, _, _ in loop["reasons"])) or answer
                    record["judged"].append([line, variant, verdicts[variant], answer])
                    if verdicts[variant] == "no" and answer == "rewritten":
                        record["faults"].append("line {}: judged no for {}, and rewritten".format(line, variant))

    def verify(self, record, item, cuda, output):
        """The emulator's verdict on the rewrite."""
        command = [self.options.tool, "verify", item.path, output,
                   "--launch=" + os.path.join(item.folder.root, item.section.launch),
                   *(["--cuda-path=" + cuda] if cuda else []), "--", *self.flags(item)]
        try:
            done = output_of(command, self.options.timeout)
        except subprocess.TimeoutExpired:
            return "cannot tell: no end within {:g} s".format(self.options.timeout)
        if done.returncode == 0:
            return "pass"
        text = done.stdout + done.stderr
        said = re.search(r"(?m)  (?:FAIL|cannot tell)  (.*)$|error: (.*)$", text)
        verdict = "cannot tell" if done.returncode == 4 else "fail"
        if verdict == "fail":
            record["faults"].append("a rewrite fails in the emulator: " + (said.group(0).strip() if said else text[-300:]))
        return verdict + (": " + (said.group(1) or said.group(2)).strip() if said else "")


def count_lines(title, counter, columns):
    return ["", title, "", "| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"] + [
        "| " + " | ".join([str(name), str(n)] + rest) + " |" for name, n, rest in counter]


def emulated(everything):
    """What came out where a launch is described."""
    ran = [(folder, r) for folder, r in everything if "emulator" in r]
    if not ran:
        return []
    out = ["", "Rewrites that were run in the emulator: {}; {} pass.".format(
        len(ran), sum(r["emulator"] == "pass" for _, r in ran)), "", "| kernels | emulator |", "|---|---|"]
    return out + ["| {}: {} | {} |".format(folder.name, r["section"], r["emulator"].replace("|", "\\|")) for folder, r in ran]


def self_checked(loops):
    """What running the rewrites against the originals has shown."""
    checked = [loop["self_check"] for loop in loops if loop["self_check"] and loop["self_check"][0] != "off"]
    if not checked:
        return []
    passed = [c for c in checked if c[0] == "pass"]
    out = ["", "Rewrites that were run against the original before they were written: {}; {} pass, {} of them in every schedule; {} fail.".format(
        len(checked), len(passed), sum(not c[3] for c in passed), sum(c[0] == "fail" for c in checked))]
    why = collections.Counter(re.sub(r"; in the first one: .*", "", re.sub(r"'[^']*'|<.*>", "...", c[1])) for c in checked if c[0] == "cannot-tell")
    return out + (count_lines("Why the others could not be run:", [(w, n, []) for w, n in why.most_common()], ["reason", "loops"]) if why else [])


def judged(everything):
    """Each variant by name, and what was judged of the loop."""
    found = [(folder, r, entry) for folder, r in everything for entry in r.get("judged", [])]
    if not found:
        return []
    out = ["", "Loops that were judged, and each variant by name:", "",
           "| variant | judged | loops | rewritten | refused | not seen as a tile loop |", "|---" * 6 + "|"]
    for variant in manifest.JUDGED:
        for verdict in manifest.VERDICTS:
            answers = [answer for _, _, (_, v, judged, answer) in found if (v, judged) == (variant, verdict)]
            if answers:
                done, unseen = answers.count("rewritten"), answers.count("not seen")
                out.append("| {} | {} | {} | {} | {} | {} |".format(
                    variant, verdict, len(answers), done, len(answers) - done - unseen, unseen))
    differ = [(folder, r, e) for folder, r, e in found if (e[2] == "no") == (e[3] == "rewritten") and e[2] != "conditional"]
    if differ:
        out += ["", "Where the two differ:", ""] + ["- {}/{}:{}, {}: judged {}, {}".format(
            folder.name, r["path"], *entry) for folder, r, entry in differ]
    return out


def table(records, folders, facts):
    """The counts as Markdown, and whether there is a fault."""
    out = ["# The tool over folders of kernels", ""] + facts + [""]
    everything = [(folder, record) for folder in folders for record in records[folder.name]]
    parsed = [r for _, r in everything if r["exit"] in (0, 1)]
    loops = [loop for _, r in everything for loop in r["loops"]]
    statuses = collections.Counter(loop["status"] for loop in loops)
    out.append("{} files in {} folders; {} parse, {} tile loops in them.".format(
        len(everything), len(folders), len(parsed), len(loops)))
    names = [s for s, _ in statuses.most_common()]
    ways = collections.Counter(r["cuda"] for r in parsed)
    if len(ways) > 1:
        out += ["", "Read with " + ", ".join("`--cuda-path={}`: {}".format(w, n) for w, n in ways.items()) + "."]
    out += ["", "| " + " | ".join(["folder", "version", "files", "parse", "tile loops"] + names) + " |",
            "|---" * (len(names) + 5) + "|"]
    for folder in folders:
        mine = records[folder.name]
        counts = collections.Counter(loop["status"] for r in mine for loop in r["loops"])
        out.append("| {} | {} | {} | {} | {} | {}".format(
            folder.name, folder.version[:12], len(mine), sum(r["exit"] in (0, 1) for r in mine),
            sum(counts.values()), "".join("{} | ".format(counts[s]) for s in names)).rstrip())
    out.append("| all | | {} | {} | {} | {}".format(
        len(everything), len(parsed), len(loops), "".join("{} | ".format(statuses[s]) for s in names)).rstrip())

    reasons, alone = collections.Counter(), collections.Counter()
    for loop in loops:
        ids = {r[0] for r in loop["reasons"]}
        reasons.update(ids)
        if len(ids) == 1:
            alone.update(ids)
    out += count_lines("Reasons that were named; a loop can have several:",
                       [(r, n, [str(alone[r])]) for r, n in reasons.most_common()],
                       ["reason", "loops", "the only one"])
    legal = collections.Counter(v for loop in loops for v in loop["legal"])
    chosen = collections.Counter(loop["variant"] for loop in loops if loop["status"] == "rewritten")
    out += count_lines("Variants; what is legal need not pay:",
                       [(v, n, [str(chosen[v])]) for v, n in sorted(legal.items())],
                       ["variant", "legal for", "chosen for"])

    out += self_checked(loops) + emulated(everything) + judged(everything)

    for code, title in ((3, "do not parse"), (2, "are not read")):
        errors = collections.Counter(re.sub(r"'[^']*'", "'...'", r["error"]) for _, r in everything
                                     if r["exit"] == code and "error" in r)
        if errors:
            out += ["", "Why {} files {}, the most common first errors:".format(sum(errors.values()), title), ""]
            out += ["- {}: {}".format(n, e) for e, n in errors.most_common(10)]

    times = sorted(r["seconds"] for _, r in everything)
    if times:
        out += ["", "CPU seconds per file: median {}, 99 % below {}, longest {}.".format(
            times[len(times) // 2], times[int(len(times) * 0.99)], times[-1])]
    faults = [(folder, r, f) for folder, r in everything for f in r["faults"]]
    out += ["", "{} faults.".format(len(faults) or "No")]
    if faults:
        out += [""] + ["- {}/{}: {}".format(p.name, r["path"], f) for p, r, f in faults]
    return "\n".join(out) + "\n", bool(faults)


def share(records, folders, facts):
    """What `check` takes beyond Clang's own parse, in the median file, as Markdown; and each file's line."""
    both = [(folder, r) for folder in folders for r in records[folder.name] if "share" in r]
    out = ["# What `check` costs in the median file", ""] + facts + [
        "", "CPU time that `check` takes beyond Clang's own parse of the same file, as a share of the latter. Files that parse.", "",
        "| files | number | Clang alone, median | share, median | 90 % below | all together |", "|---|---|---|---|---|---|"]
    for name, some in (("all", both), ("with a tile loop", [f for f in both if f[1]["loops"]]),
                       ("without", [f for f in both if not f[1]["loops"]])):
        if some:
            times = [r["share"] for _, r in some]
            shares = sorted((check - alone) / alone * 100 for check, alone in times)
            checks, alones = map(sum, zip(*times))
            out.append("| {} | {} | {:.2f} s | {:.1f} % | {:.1f} % | {:.1f} % |".format(
                name, len(some), statistics.median(alone for _, alone in times), statistics.median(shares),
                shares[int(len(shares) * 0.9)], (checks - alones) / alones * 100))
    lines = ["{}/{} check {:.3f} Clang {:.3f} loops {}\n".format(p.name, r["path"], *r["share"], len(r["loops"])) for p, r in both]
    return "\n".join(out) + "\n", "".join(lines)


def raw(records, folders):
    lines = []
    for folder in folders:
        for record in records[folder.name]:
            for loop in record["loops"]:
                what = loop["status"]
                if loop["variant"]:
                    what += " " + loop["variant"] + (" {}".format(loop["stages"]) if loop["stages"] else "")
                why = "; ".join("{}:{}".format(i, line) for i, line, _ in loop["reasons"])
                check = loop["self_check"]
                lines.append("{}/{}:{} {} | {} | legal: {} | {}{}{}".format(
                    folder.name, loop["path"] or record["path"], loop["line"], loop["kernel"], what,
                    ", ".join(loop["legal"]) or "-", why or "-",
                    " | assumes " + ", ".join(loop["assumptions"]) if loop["assumptions"] else "",
                    " | self-check " + check[0] + (": " + check[1] if check[1] else "") if check and check[0] != "off" else ""))
    return "".join(line + "\n" for line in lines)


def read_state(path):
    """Records by key; a line that was cut off is no record."""
    known = {}
    if not path or not os.path.exists(path):
        return known
    with open(path, "r+", encoding="utf-8") as file:
        line = ""
        for line in file:
            try:
                record = json.loads(line)
                known[json.dumps(record["key"])] = record
            except (ValueError, KeyError, TypeError):
                continue
        if line and not line.endswith("\n"):
            file.write("\n")
    return known


def facts_of(options):
    """How it was run, so that it can be run again."""
    version = subprocess.run([options.tool, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             errors="replace", check=False).stdout.strip().split("\n")[0]
    command = shlex.join(["python3", os.path.relpath(sys.argv[0])] + sys.argv[1:])
    facts = ["    " + command, "", "Tool: {}".format(version or "unknown")]
    if options.remark:
        facts += ["", options.remark]
    return facts


def main():
    parser = argparse.ArgumentParser(description="Runs the tool over folders of kernels.",
                                     epilog="The head of this file says more, and docs/corpus.md what a corpus.ini has.")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "cuda-pipeline-rewrite"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda-path", default="", help="as for the tool, or several with commas; default: none "
                        "given to the tool, which looks for a toolkit")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--state", help="file with one JSON line per finished file")
    parser.add_argument("--out", default="out")
    parser.add_argument("--limit", type=float, default=30, help="CPU seconds beyond Clang's own parse (default 30)")
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--variant", default="auto", help="as for the tool (default auto)")
    parser.add_argument("--share", action="store_true", help="time `check` and Clang alone on every file that parses")
    parser.add_argument("--remark", default="", help="a sentence for the table")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    if not shutil.which(options.tool):
        parser.error("no program at {}; build it, or give --tool".format(options.tool))
    options.tool = os.path.abspath(shutil.which(options.tool))
    for cuda in options.cuda_path.split(","):
        if cuda not in ("", "none") and not os.path.isdir(cuda):
            parser.error("--cuda-path: no folder '{}'".format(cuda))
    if not shutil.which(options.clang):
        parser.error("{} is not here, which long runs are compared with; give --clang".format(options.clang))
    try:
        folders = folders_of(options.folders)
        items = [item for folder in folders for item in items_of(folder)]
    except ValueError as error:
        parser.error(str(error))

    known = read_state(options.state)
    lock = threading.Lock()
    with tempfile.TemporaryDirectory() as folder:
        make_decls(folder)
        examiner = Examiner(options, folder)
        work = [(item, json.dumps(examiner.key(item))) for item in items]

        def step(item_and_key):
            item, key = item_and_key
            record = examiner.examine(item)
            if record["exit"] == -signal.SIGINT:
                return  # interrupted together with this program
            with lock:
                known[key] = record
                if options.state:
                    with open(options.state, "a", encoding="utf-8") as file:
                        file.write(json.dumps(record) + "\n")
                for fault in record["faults"]:
                    sys.stderr.write("corpus: {}/{}: {}\n".format(item.folder.name, record["path"], fault))

        pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        try:
            list(pool.map(step, [one for one in work if one[1] not in known]))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            return 130
    records = collections.defaultdict(list)
    for item, key in work:
        records[item.folder.name].append(known[key])
    text, bad = table(records, folders, facts_of(options))
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, "corpus.md"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(options.out, "corpus.raw.txt"), "w", encoding="utf-8") as file:
        file.write(raw(records, folders))
    sys.stdout.write(text)
    if options.share:
        text, lines = share(records, folders, facts_of(options))
        for name, content in (("share.md", text), ("share.raw.txt", lines)):
            with open(os.path.join(options.out, name), "w", encoding="utf-8") as file:
                file.write(content)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
