#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tool with what was judged by eye about loops of public repositories.

    python3 bench/taxonomy.py [--tool FILE] [--nvcc FILE] [--include DIR]... [--jobs N] [--cache DIR] [--only N,N]
        --out FILE CORPUS

bench/taxonomy.tsv has the loops and the judgements: is a variant legal for it, yes, conditional, or no.
CORPUS is a folder with the repositories, each as OWNER+NAME, with OWNER+NAME.commit beside it. Every loop is
rewritten by each variant by name and by --variant=auto, with --keep-going; a loop that is legal, and that no variant
by name rewrites, also with every assumption granted. A copy of its file is given to the tool, in a temporary folder,
with an explicit use of the template behind its last line where nothing in the file instantiates it, and with `<< <`
and `>> >` as nvcc reads them. What a file includes is looked for in --include first.

With --nvcc, that copy and everything that is written from it are compiled, for sm_80: where the copy compiles, what is
written must. A header is compiled as a source file. Where bench/taxonomy.tsv has -ptx for nvcc, only to PTX.

With --cache, what a program said is kept in DIR, and it is run again only if something has changed: the program, what it
is told, the file, the commit of its repository, or the headers in an --include.

FILE is Markdown. The part from the line `<!-- generated -->` on is written anew; what is before it is kept:
there, each disagreement (judged `no`, and rewritten all the same) is explained, in a paragraph that begins with
`**NUMBER, VARIANT**`, and each loop that is legal, not rewritten, and not seen as a tile loop or not read, in one that has
`**NUMBER**`. Every answer of the tool and of nvcc is in a file beside it that ends in .raw.tsv instead of .md.

Exit status: 0 all this is explained, and what is written compiles; 1 not so, or the tool crashed; 2 usage.
"""

import argparse
import collections
import concurrent.futures
import csv
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile

from clang_alone import output_of, timed
from corpus import CRASHED, DOCUMENTED, ROOT, commit_of, digest, include_folders, loops_of

JUDGED = ("cp-async", "ldg", "ldg-single")
Run = collections.namedtuple("Run", "title judged arguments")
RUNS = {
    "cp-async": Run("cp-async, 2 stages", "cp-async", ["--variant=cp-async", "--stages=2"]),
    "cp-async-3": Run("cp-async, 3 stages", "cp-async", ["--variant=cp-async", "--stages=3"]),
    "ldg": Run("ldg", "ldg", ["--variant=ldg"]),
    "ldg-single": Run("ldg-single", "ldg-single", ["--variant=ldg-single"]),
    "auto": Run("auto", None, ["--variant=auto"]),
}
BY_NAME = [name for name, run in RUNS.items() if run.judged]
GRANTS = "--assume=no-alias,aligned16,block-size,uniform,in-bounds"
GRANTED = {name + ", granted": RUNS[name].arguments + [GRANTS] for name in JUDGED}
MARK = "<!-- generated -->\n"
SLOW = 30  # seconds
ERRORS = re.compile(r"has errors; only what they leave alone")

# What one run says of a loop. status: that of the report, or unseen, unread. compiled: None if nothing was compiled,
# '' if it compiles, else the compiler's first error.
Answer = collections.namedtuple("Answer", "status reasons assumptions seconds compiled")


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


def prepare(path, rows, copy):
    """The file as it is given to the tool: no line moves."""
    text = read(path).replace("<< <", "<<<").replace(">> >", ">>>")
    uses = [use for row in rows for use in row["instantiate"].split(";") if use]
    text += "".join("\nauto *const cpr_use{} = &{};".format(i, use) for i, use in enumerate(uses)) + "\n"
    write(copy, text)


def answer_of(row, loops, seconds):
    loop = next((l for l in loops if l["line"] == int(row["line"])), None)
    if not loop:  # of a function with errors, the report has the function
        loop = next((l for l in loops if l["kernel"] == row["kernel"] and "file-errors" in [r[0] for r in l["reasons"]]), None)
    if not loop:
        return Answer("unseen", [], [], seconds, None)
    return Answer(loop["status"], loop["reasons"], [a for a in loop["assumptions"] if a != "registers"], seconds, None)


def legal(row):
    return any(row[variant] != "no" for variant in JUDGED)


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


def digest_of(*facts):
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def digest_below(folder):
    """Of all files in a folder and below it."""
    return digest_of(*sorted((os.path.join(found, name), digest(os.path.join(found, name)))
                             for found, _, names in os.walk(folder, followlinks=True) for name in names))


class Examiner:
    """One file: what each run says of its loops, and whether what is written compiles."""

    def __init__(self, options, root, path, rows):
        self.options, self.path, self.rows = options, path, rows
        self.full = os.path.join(root, path)
        self.flags = ["-I" + folder for folder in options.include + include_folders(self.full, root)]
        self.for_nvcc = []
        for row in rows:
            self.flags += [f.format(root=root, corpus=options.corpus) for f in row["flags"].split() if f not in self.flags]
            self.for_nvcc += [f for f in row["nvcc"].split() if f not in self.for_nvcc]
        others = {name for row in rows for name in re.findall(r"\{corpus\}/([^/\s]+)", row["flags"])}
        self.setting = [options.headers, commit_of(root), *(commit_of(os.path.join(options.corpus, o)) for o in sorted(others))]
        self.cuda_paths = options.cuda_path.split(",")
        self.answers = {row["number"]: {} for row in rows}
        self.original = None  # as Answer.compiled
        self.compiled = {}  # digest of a text: as Answer.compiled
        self.copied = None  # the digest of the copy
        self.crashes = []

    def examine(self):
        with tempfile.TemporaryDirectory() as self.folder:
            self.copy = os.path.join(self.folder, os.path.basename(self.path))
            prepare(self.full, self.rows, self.copy)
            self.original = self.compile(self.copy)
            self.copied = next(iter(self.compiled), None)
            self.keep(self.copy, "original")
            for name, run in RUNS.items():
                self.run(name, run.arguments, self.rows)
            missed = [row for row in self.rows if legal(row) and not any(
                self.answers[row["number"]][name].status == "rewritten" for name in BY_NAME)]
            for name, arguments in GRANTED.items() if missed else ():
                self.run(name, arguments, missed)
        return self

    def timed(self, program, command, source, results=()):
        """As clang_alone.timed, or what it said before. results: what the command writes, if it does."""
        kept = None
        if self.options.cache:
            told = [argument.replace(self.folder, "{folder}") for argument in command[1:]]
            key = digest_of(program, told, digest(source), self.setting, self.options.timeout)
            kept = os.path.join(self.options.cache, key + ".json")
            if os.path.exists(kept):
                with open(kept, encoding="utf-8") as file:
                    code, seconds, messages, texts = json.load(file)
                for path, text in zip(results, texts):
                    if text is not None:
                        write(path, text)
                return code, seconds, messages
        for path in results:
            if os.path.exists(path):
                os.remove(path)
        if results:
            answer = timed(command, self.options.timeout)
        else:  # a compiler starts other programs, which have to end with it
            code, seconds, messages = timed(["timeout", "-s", "KILL", str(self.options.timeout), *command],
                                            self.options.timeout + 60)
            answer = None if code in (-9, 137) else code, seconds, messages
        if kept:
            with open(kept + "." + self.rows[0]["number"], "w", encoding="utf-8") as file:
                json.dump([*answer, [read(path) if os.path.exists(path) else None for path in results]], file)
            os.replace(file.name, kept)
        return answer

    def run(self, name, arguments, rows):
        written, report = os.path.join(self.folder, "out.cu"), os.path.join(self.folder, "report.json")
        best, clean = None, False
        for cuda in list(self.cuda_paths):
            code, seconds, messages = self.timed(
                self.options.tool_digest, [self.options.tool, "rewrite", self.copy, *arguments, "--keep-going", "-q", "-o", written,
                 *("--lines={0}:{0}".format(row["line"]) for row in rows), "--report=" + report,
                 *(["--cuda-path=" + cuda] if cuda else []), "--", *self.flags], self.copy, (written, report))
            if code is not None and (code not in DOCUMENTED or CRASHED.search(messages)):
                self.crashes.append("{}, {}: {}".format(self.full, name, code))
            if code in (0, 1):
                answers = {row["number"]: answer_of(row, loops_of(report), seconds) for row in rows}
                clean = not ERRORS.search(messages)
                done = sum(a.status == "rewritten" for a in answers.values())
                if not best or clean or done > best[0]:
                    best = done, answers, read(written)
                if clean:
                    self.cuda_paths = [cuda]  # the next runs need not try the others
                    break
            elif not best:
                sys.stderr.write("taxonomy: {}, {}: {}\n".format(self.full, name, "not done" if code is None else code))
        if not clean:
            error = re.search(r"error: (.*)", messages)
            sys.stderr.write("taxonomy: {}, {}: {}\n".format(self.full, name, error.group(1) if error else "errors"))
        if not best:
            for row in rows:
                self.answers[row["number"]][name] = Answer("unread", [], [], seconds, None)
            return
        done, answers, text = best
        compiled = None
        if done:
            write(written, text)
            self.keep(written, name)
            compiled = self.compile(written)
        for number, answer in answers.items():
            self.answers[number][name] = answer._replace(compiled=compiled if answer.status == "rewritten" else None)

    def compile(self, path):
        if not self.options.nvcc:
            return None
        text = digest(path)
        if text not in self.compiled:
            code, _, messages = self.timed(
                self.options.nvcc_version,
                [self.options.nvcc, "-x", "cu", *([] if "-ptx" in self.for_nvcc else ["-c"]), "-arch=sm_80", *self.for_nvcc,
                 *(flag.replace(",", "\\,") for flag in self.flags),  # where a comma ends an argument
                 path, "-o", os.path.join(self.folder, "out.o")], path)
            error = re.search(r"(?:error|fatal error|ptxas error)\s*: (.*)", messages)
            self.compiled[text] = "" if code == 0 else error.group(1) if error else \
                "not done in {:g} s".format(self.options.timeout) if code is None else "error"
            if code:
                sys.stderr.write("taxonomy: {}, {}: nvcc: {}\n".format(
                    self.full, os.path.basename(path), self.compiled[text]))
        return self.compiled[text]

    def outputs(self):
        """What the compiler says of each text that was written."""
        return [result for text, result in self.compiled.items() if text != self.copied]

    def keep(self, path, name):
        if self.options.keep:
            kept = os.path.join(self.options.keep, name.replace(", ", "-"))
            os.makedirs(kept, exist_ok=True)
            shutil.copy(path, os.path.join(kept, self.rows[0]["number"] + "-" + os.path.basename(self.path)))


def text_of(answer, original=""):
    """For a cell of the table. original: what the compiler says of the file as it is."""
    if answer.status == "rewritten":
        return "rewritten" + (", assumes " + ", ".join(answer.assumptions) if answer.assumptions else "") + \
            (", **does not compile**" if answer.compiled and not original else "")
    if answer.status in ("unseen", "unread"):
        return {"unseen": "no tile loop found", "unread": "does not parse"}[answer.status]
    if answer.status == "refused":
        return ", ".join(dict.fromkeys(r[0] for r in answer.reasons)) or "refused"
    return answer.status


def reason_of(answer, row):
    """Why a loop was not rewritten, with places: a reason that is there several times once, with its lines."""
    if answer.status != "refused":
        return text_of(answer)
    lines = collections.defaultdict(list)
    for reason, line, message in answer.reasons:
        message = message.replace("|", "\\|")
        lines[reason, message] += [str(line)] if str(line) != row["line"] and str(line) not in lines[reason, message] else []
    return "; ".join("`{}`{} {}".format(reason, " ({})".format(", ".join(found)) if found else "", message)
                     for (reason, message), found in lines.items())


def share(some, of):
    return "{} of {} ({:.0f} %)".format(some, of, 100 * some / of) if of else "0 of 0"


def rewritten(answers, row, name):
    return answers[row["number"]][name].status == "rewritten"


def summary(rows, answers, files):
    """What has to hold, in numbers."""
    found = [row for row in rows if legal(row)]
    done = [row for row in found if any(rewritten(answers, row, name) for name in BY_NAME)]
    free = [row for row in done if any(rewritten(answers, row, name) and not answers[row["number"]][name].assumptions
                                       for name in BY_NAME)]
    never = len(rows) - len(found)
    pairs = [answers[row["number"]][name] for row in rows for name in JUDGED if row[name] == "no"]
    wrong = ["{} by {}".format(row["number"], name) for row in rows for name in BY_NAME
             if row[RUNS[name].judged] == "no" and rewritten(answers, row, name)]
    by_auto = collections.Counter(answers[row["number"]]["auto"].status for row in found)
    out = ["- Loops: {}, in {} files of {} repositories.".format(
               len(rows), len(files), len({row["repository"] for row in rows})),
           "- Legal for some variant, and rewritten by one by name: {}; without an assumption: {}.".format(
               share(len(done), len(found)), len(free)),
           "- Judged no, and rewritten: {}; of {} pairs of a loop and a variant, {} are refused, and in {} no tile loop is "
           "seen. Judged no throughout: {} loops.".format(
               ", ".join(wrong) or "none", len(pairs), sum(a.status == "refused" for a in pairs),
               sum(a.status == "unseen" for a in pairs), never),
           "- The same {} loops with `--variant=auto`: {}.".format(len(found), ", ".join("{} {}".format(
               count, {"unseen": "not seen as a tile loop", "unread": "not read"}.get(status, status))
               for status, count in by_auto.most_common()))]
    compiled = [file for file in files if file.original == ""]
    if any(file.original is not None for file in files):
        outputs = [result for file in compiled for result in file.outputs()]
        numbers = {row["number"] for file in compiled for row in file.rows}
        inside = [row for row in found if row["number"] in numbers]
        out += ["- Files that nvcc compiles as they are: {}{}.".format(share(len(compiled), len(files)), "".join(
                    "; to PTX only: " + file.path for file in compiled if "-ptx" in file.for_nvcc)),
                "- What is written from these, texts that differ: {}; compiled by nvcc: {}.".format(
                    len(outputs), outputs.count("")),
                "- Legal for some variant, in these files, and rewritten by one by name: {}.".format(
                    share(sum(row in inside for row in done), len(inside)))]
    return out


def counts(rows, answers):
    out = ["| variant | judged | loops | rewritten | refused | not seen as a tile loop | file not read |",
           "|---|---|---|---|---|---|---|"]
    for name in BY_NAME:
        for verdict in ("yes", "conditional", "no"):
            statuses = [answers[row["number"]][name].status for row in rows if row[RUNS[name].judged] == verdict]
            numbers = [statuses.count(status) for status in ("rewritten", "refused", "unseen", "unread")]
            numbers[1] = len(statuses) - numbers[0] - numbers[2] - numbers[3]
            out.append("| {} | {} | {} | {} |".format(
                RUNS[name].title, verdict, len(statuses), " | ".join(map(str, numbers))))
    return out


def causes(rows, answers):
    """The reasons that the loops have which are legal, and rewritten by no variant by name."""
    named, alone = collections.defaultdict(list), collections.Counter()
    for row in rows:
        mine = answers[row["number"]]
        if legal(row) and not any(rewritten(answers, row, name) for name in BY_NAME):
            sets = [text_of(mine[name]).split(", ") for name in JUDGED if row[name] != "no"]
            for reason in dict.fromkeys(reason for reasons in sets for reason in reasons):
                named[reason].append(row["number"])
                alone[reason] += [reason] in sets
    out = ["| reason | loops | the only one, for a variant that is legal | # |", "|---|---|---|---|"]
    for reason, numbers in sorted(named.items(), key=lambda item: (-len(item[1]), item[0])):
        out.append("| {} | {} | {} | {} |".format(reason, len(numbers), alone[reason], ", ".join(numbers)))
    return out


def raw(rows, answers, files):
    """One line for every answer."""
    original = {row["number"]: file.original for file in files for row in file.rows}
    said = {None: "", "": "compiles"}
    out = ["\t".join(("#", "file", "line", "kernel", "run", "judged", "status", "assumes", "reasons",
                      "nvcc, original", "nvcc, output"))]
    for row in rows:
        for name, answer in answers[row["number"]].items():
            judged = row[name] if name in JUDGED else row["cp-async"] if name == "cp-async-3" else ""
            out.append("\t".join((
                row["number"], row["repository"] + "/" + row["path"], row["line"], row["kernel"], name, judged, answer.status,
                ", ".join(answer.assumptions),
                "; ".join(dict.fromkeys("{} {}: {}".format(line, reason, message) for reason, line, message in answer.reasons)),
                said.get(original[row["number"]], original[row["number"]]), said.get(answer.compiled, answer.compiled))))
    return "\n".join(out) + "\n"


def table(rows, answers, files, commits):
    to_ptx = {row["number"] for file in files for row in file.rows if "-ptx" in file.for_nvcc}
    compiled = {row["number"]: file.original for file in files for row in file.rows}
    out = summary(rows, answers, files) + [""] + counts(rows, answers)
    out += ["", "Judged: cp-async / ldg / ldg-single, y legal, c conditional, n not. The number is that of bench/taxonomy.tsv. "
            "nvcc: the file as it is compiles.", "",
            "| # | loop | judged | " + " | ".join(run.title for run in RUNS.values()) + " | nvcc |",
            "|---" * (len(RUNS) + 4) + "|"]
    for row in rows:
        out.append("| {} | {}/{}:{} {} | {} | {} | {} |".format(
            row["number"], row["repository"].split("/")[1], row["path"], row["line"], row["kernel"],
            "/".join(row[v][0] for v in JUDGED),
            " | ".join(text_of(answers[row["number"]][name], compiled[row["number"]]) for name in RUNS),
            {None: "", "": "to PTX" if row["number"] in to_ptx else "yes"}.get(compiled[row["number"]], "no")))

    out += ["", "### Legal for some variant, and rewritten by none by name", "", *causes(rows, answers), "",
            "Lines of the file in brackets. The last column: where a user can grant what is missing (`{}`).".format(GRANTS), "",
            "| # | variant | why not | granted |", "|---|---|---|---|"]
    for row in rows:
        mine = answers[row["number"]]
        if not legal(row) or any(mine[name].status == "rewritten" for name in BY_NAME):
            continue
        cells = collections.defaultdict(list)
        for name in GRANTED:
            variant = name.split(",")[0]
            if row[variant] != "no":
                cells[reason_of(mine[variant], row), text_of(mine[name]) if rewritten(answers, row, name) else ""].append(variant)
        for (why, granted), variants in cells.items():
            out.append("| {} | {} | {} | {} |".format(row["number"], ", ".join(variants), why, granted))

    out += ["", "### Judged yes, and not rewritten", "",
            "| reason | " + " | ".join(RUNS[name].title for name in BY_NAME) + " | loops |",
            "|---" * (len(BY_NAME) + 2) + "|"]
    refused = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        for name in BY_NAME:
            if row[RUNS[name].judged] == "yes" and not rewritten(answers, row, name):
                refused[text_of(answers[row["number"]][name])][name].append(row["number"])
    for text, found in sorted(refused.items(), key=lambda item: (-sum(map(len, item[1].values())), item[0])):
        numbers = sorted({n for variant in found.values() for n in variant}, key=int)
        out.append("| {} | {} | {} |".format(text, " | ".join(str(len(found[v])) for v in BY_NAME), ", ".join(numbers)))

    failed = [(file, file.original) for file in files if file.original]
    if failed:
        out += ["", "### Files that nvcc does not compile as they are", ""]
        out += ["- {}/{}: {}".format(file.rows[0]["repository"], file.path, error) for file, error in failed]
    slow = sorted({"- {}/{}, {}: {:.0f} s{}".format(
        row["repository"], row["path"], name, answer.seconds, ", stopped" if answer.status == "unread" else "")
        for row in rows for name, answer in answers[row["number"]].items() if answer.seconds > SLOW})
    out += ["", "Runs that took more than {} s of CPU time:{}".format(SLOW, "" if slow else " none.")]
    out += ["", *slow] if slow else []
    out += ["", "Commits:", ""]
    out += ["- {} {}".format(name, commit[:12]) for name, commit in sorted(commits.items())]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description="the tool, and what was judged by eye")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "cuda-pipeline-rewrite"))
    parser.add_argument("--rows", default=os.path.join(ROOT, "bench", "taxonomy.tsv"))
    parser.add_argument("--nvcc", help="compile what is read and what is written with it")
    parser.add_argument("--cuda-path", default="none", help="as for the tool, or several with commas, the next one where "
                        "a file has errors with the one before (default none)")
    parser.add_argument("--include", action="append", default=[], help="one more folder of headers")
    parser.add_argument("--only", default="", help="numbers of rows")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one run (default 600)")
    parser.add_argument("--cache", help="folder for what was said before")
    parser.add_argument("--keep", help="folder for what is written")
    parser.add_argument("--out", required=True)
    parser.add_argument("corpus")
    options = parser.parse_args()
    options.tool = os.path.abspath(options.tool)
    for program in filter(None, (options.tool, options.nvcc)):
        if not shutil.which(program):
            parser.error("no program at {}".format(program))
    options.corpus = os.path.abspath(options.corpus)
    options.include = [os.path.abspath(folder) for folder in options.include]
    options.headers = [digest_below(folder) for folder in options.include]
    options.tool_digest = digest(options.tool)
    options.nvcc_version = output_of([options.nvcc, "--version"]).stdout if options.nvcc else ""
    if options.cache:
        os.makedirs(options.cache, exist_ok=True)

    only = set(options.only.split(",")) - {""}
    rows = [row for row in rows_of(options.rows) if not only or row["number"] in only]
    grouped = collections.defaultdict(list)
    commits = {}
    for row in rows:
        root = os.path.join(options.corpus, row["repository"].replace("/", "+"))
        if not os.path.isfile(os.path.join(root, row["path"])):
            parser.error("no {}/{} in {}".format(row["repository"], row["path"], options.corpus))
        grouped[root, row["path"]].append(row)
        commits[row["repository"]] = commit_of(root)
    files = [Examiner(options, root, path, mine) for (root, path), mine in grouped.items()]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(Examiner.examine, files))
    answers = {number: found for file in files for number, found in file.answers.items()}

    before = ""
    if os.path.exists(options.out):
        with open(options.out, encoding="utf-8") as file:
            before = file.read().split(MARK)[0]
    with open(os.path.splitext(options.out)[0] + ".raw.tsv", "w", encoding="utf-8") as file:
        file.write(raw(rows, answers, files))
    version = re.search(r"release ([\d.]+)", options.nvcc_version)
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(before + MARK + table(rows, answers, files, commits))
        if version:
            file.write("\nnvcc: {}.\n".format(version.group(1)))

    bad = [crash + ", crashed" for file in files for crash in file.crashes]
    for row in rows:
        for name in BY_NAME:
            if row[RUNS[name].judged] == "no" and rewritten(answers, row, name):
                explained = "**{}, {}**".format(row["number"], RUNS[name].judged) in before
                line = "{} {}/{}:{} {}: judged no, rewritten".format(
                    row["number"], row["repository"], row["path"], row["line"], name)
                if explained:
                    print(line)
                else:
                    bad.append(line + "; not explained")
    for row in rows:
        statuses = {answers[row["number"]][name].status for name in BY_NAME}
        if legal(row) and "rewritten" not in statuses and statuses & {"unseen", "unread"} and \
                "**{}**".format(row["number"]) not in before:
            bad.append("{} {}/{}:{}: no reason is named, and none explained".format(
                row["number"], row["repository"], row["path"], row["line"]))
    bad += ["{}: does not compile any more: {}".format(file.full, result)
            for file in files if file.original == "" for result in file.outputs() if result]
    print("\n".join(summary(rows, answers, files) + bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
