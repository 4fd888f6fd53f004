#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tool with what was judged by eye about loops of public repositories.

    python3 bench/taxonomy.py [--tool FILE] [--include DIR]... [--jobs N] [--only N,N] --out FILE CORPUS

bench/taxonomy.tsv has the loops and the judgements: is a variant legal for it, yes, conditional, or no.
CORPUS is a folder with the repositories, each as OWNER+NAME, with OWNER+NAME.commit beside it. Every loop is
rewritten by each variant by name. A copy of its file is given to the tool, in a temporary folder, with an
explicit use of the template behind its last line where nothing in the file instantiates it, and with `<< <`
and `>> >` as nvcc reads them. What a file includes and CORPUS does not have is looked for in --include.

FILE is Markdown. The part from the line `<!-- generated -->` on is written anew; what is before it is kept:
there, each disagreement (judged `no`, and rewritten all the same) is explained, in a paragraph that begins with
`**NUMBER, VARIANT**`.

Exit status: 0 every disagreement is explained; 1 one is not; 2 usage.
"""

import argparse
import collections
import concurrent.futures
import csv
import os
import re
import shutil
import sys
import tempfile

from clang_alone import timed
from corpus import ROOT, commit_of, include_folders, loops_of

VARIANTS = {"cp-async": ["--variant=cp-async", "--stages=2"], "ldg": ["--variant=ldg"],
            "ldg-single": ["--variant=ldg-single"]}
OTHER = {"no tile loop found": "unseen", "does not parse": "unread", "not done": "unread"}
MARK = "<!-- generated -->\n"
SLOW = 30  # seconds


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


def prepare(path, rows, copy):
    """The file as it is given to the tool: no line moves."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    text = text.replace("<< <", "<<<").replace(">> >", ">>>")
    uses = [use for row in rows for use in row["instantiate"].split(";") if use]
    text += "".join("\nauto *const cpr_use{} = &{};".format(i, use) for i, use in enumerate(uses)) + "\n"
    with open(copy, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


def result_of(row, loops):
    """What the report says about the row's loop: (rewritten, text)."""
    loop = next((l for l in loops if l["line"] == int(row["line"])), None)
    if not loop:
        return False, "no tile loop found"
    if loop["status"] == "rewritten":
        what = "rewritten"
        if set(loop["assumptions"]) - {"registers"}:
            what += ", assumes " + ", ".join(a for a in loop["assumptions"] if a != "registers")
        return True, what
    ids = list(dict.fromkeys(r[0] for r in loop["reasons"]))
    return False, ", ".join(ids) or loop["status"]


def examine(options, root, path, rows):
    """{row number: {variant: (rewritten, text, seconds of the file)}} of one file."""
    answers = collections.defaultdict(dict)
    full = os.path.join(root, path)
    flags = ["-I" + folder for folder in include_folders(full, root)]
    for row in rows:
        flags += [f.format(root=root, corpus=options.corpus) for f in row["flags"].split() if f not in flags]
    flags += ["-I" + folder for folder in options.include]
    for variant, arguments in VARIANTS.items():
        with tempfile.TemporaryDirectory() as folder:
            copy, report = os.path.join(folder, os.path.basename(path)), os.path.join(folder, "report.json")
            prepare(full, rows, copy)
            for cuda in options.cuda_path.split(","):
                code, seconds, messages = timed(
                    [options.tool, "rewrite", copy, *arguments, "-q", "-o", os.path.join(folder, "out.cu"),
                     *("--lines={0}:{0}".format(row["line"]) for row in rows), "--report=" + report,
                     *(["--cuda-path=" + cuda] if cuda else []), "--", *flags], options.timeout)
                if code != 3:
                    break
            if code in (0, 1):
                loops = loops_of(report)
                for row in rows:
                    answers[row["number"]][variant] = (*result_of(row, loops), seconds)
                if options.keep:
                    kept = os.path.join(options.keep, variant)
                    os.makedirs(kept, exist_ok=True)
                    name = rows[0]["number"] + "-" + os.path.basename(path)
                    shutil.copy(os.path.join(folder, "out.cu"), os.path.join(kept, name))
            else:
                first = re.search(r"error: (.*)", messages)
                sys.stderr.write("taxonomy: {}: {}\n".format(full, first.group(1) if first else code))
                what = "not done in {:g} s".format(options.timeout) if code is None else "does not parse"
                for row in rows:
                    answers[row["number"]][variant] = (False, what, seconds)
    return answers


def table(rows, answers, commits):
    out = []
    judged = collections.Counter()
    for row in rows:
        for variant in VARIANTS:
            done, text, _ = answers[row["number"]][variant]
            judged[variant, row[variant], "rewritten" if done else OTHER.get(text.split(" in ")[0], "refused")] += 1
    out += ["| variant | judged | loops | rewritten | refused | not seen as a tile loop | file not read |",
            "|---|---|---|---|---|---|---|"]
    for variant in VARIANTS:
        for verdict in ("yes", "conditional", "no"):
            numbers = [judged[variant, verdict, what] for what in ("rewritten", "refused", "unseen", "unread")]
            out.append("| {} | {} | {} | {} |".format(variant, verdict, sum(numbers), " | ".join(map(str, numbers))))
    out += ["", "Judged: cp-async / ldg / ldg-single, y legal, c conditional, n not. The number is that of bench/taxonomy.tsv.",
            "", "| # | loop | judged | cp-async, 2 stages | ldg | ldg-single |", "|---|---|---|---|---|---|"]
    for row in rows:
        verdicts = "/".join(row[v][0] for v in VARIANTS)
        out.append("| {} | {}/{}:{} {} | {} | {} |".format(
            row["number"], row["repository"].split("/")[1], row["path"], row["line"], row["kernel"], verdicts,
            " | ".join(answers[row["number"]][v][1] for v in VARIANTS)))
    slow = sorted({"- {}/{}, {}: {:.0f} s{}".format(
        row["repository"], row["path"], variant, seconds, ", stopped" if text.startswith("not done") else "")
        for row in rows for variant, (_, text, seconds) in answers[row["number"]].items() if seconds > SLOW})
    out += ["", "Runs that took more than {} s of CPU time:{}".format(SLOW, "" if slow else " none."), ""] + slow
    out += ["", "Judged yes, and refused:", "", "| reason | cp-async | ldg | ldg-single | loops |", "|---|---|---|---|---|"]
    refused = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        for variant in VARIANTS:
            done, text, _ = answers[row["number"]][variant]
            if row[variant] == "yes" and not done:
                refused[text][variant].append(row["number"])
    for text, found in sorted(refused.items(), key=lambda item: (-sum(map(len, item[1].values())), item[0])):
        numbers = sorted({n for variant in found.values() for n in variant}, key=int)
        out.append("| {} | {} | {} |".format(text, " | ".join(str(len(found[v])) for v in VARIANTS), ", ".join(numbers)))
    out += ["", "Commits:", ""]
    out += ["- {} {}".format(name, commit[:12]) for name, commit in sorted(commits.items())]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description="the tool, and what was judged by eye")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "cuda-pipeline-rewrite"))
    parser.add_argument("--rows", default=os.path.join(ROOT, "bench", "taxonomy.tsv"))
    parser.add_argument("--cuda-path", default="none", help="as for the tool, or several with commas, the next one where "
                        "a file does not parse with the one before (default none)")
    parser.add_argument("--include", action="append", default=[], help="one more folder of headers")
    parser.add_argument("--only", default="", help="numbers of rows")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one run (default 600)")
    parser.add_argument("--keep", help="folder for what is written")
    parser.add_argument("--out", required=True)
    parser.add_argument("corpus")
    options = parser.parse_args()
    options.tool = os.path.abspath(options.tool)
    if not os.access(options.tool, os.X_OK):
        parser.error("no program at {}; build it, or give --tool".format(options.tool))
    options.corpus = os.path.abspath(options.corpus)
    options.include = [os.path.abspath(folder) for folder in options.include]

    only = set(options.only.split(",")) - {""}
    rows = [row for row in rows_of(options.rows) if not only or row["number"] in only]
    files = collections.defaultdict(list)
    for row in rows:
        root = os.path.join(options.corpus, row["repository"].replace("/", "+"))
        if not os.path.isfile(os.path.join(root, row["path"])):
            parser.error("no {}/{} in {}".format(row["repository"], row["path"], options.corpus))
        files[root, row["path"]].append(row)
    answers, commits = {}, {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(lambda item: examine(options, *item[0], item[1]), files.items()):
            answers.update(found)
    for row in rows:
        root = os.path.join(options.corpus, row["repository"].replace("/", "+"))
        commits[row["repository"]] = commit_of(root)

    before = ""
    if os.path.exists(options.out):
        with open(options.out, encoding="utf-8") as file:
            before = file.read().split(MARK)[0]
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(before + MARK + table(rows, answers, commits))
    unexplained = 0
    for row in rows:
        for variant in VARIANTS:
            done, text, _ = answers[row["number"]][variant]
            if row[variant] == "no" and done:
                explained = "**{}, {}**".format(row["number"], variant) in before
                unexplained += not explained
                print("{} {}/{}:{} {}: judged no, {}{}".format(
                    row["number"], row["repository"], row["path"], row["line"], variant, text,
                    "" if explained else "; not explained"))
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
