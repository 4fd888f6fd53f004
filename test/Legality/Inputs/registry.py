"""Fails when a reason has no test of its own, a test names none of the registry's, or CASES.md is not up to date.

  registry.py REASONS.json FOLDER

A test of a reason is a pair that legality.py runs: bad.cu with a mark `// refused: ID` and nothing but this reason (no
--several), and good.cu that differs in one edit (no --larger, no --no-twin) and is verified (no --unverified).

FOLDER/CASES.md names every test of FOLDER/cases, and no file that is not there.
"""

import json
import os
import re
import sys

# By nature without such a twin: why, and the test that stands in for it.
EXCEPTIONS = {
    "file-errors": ("the file does not parse, and cannot be run; only --keep-going gets there", "../Tool/keep-going.test"),
    "self-check-failed": ("a mistake of the tool; a planted bug provokes it", "../Verify/self-check.test"),
    "self-check-undecided": ("of --self-check=require alone; the twin is run", "../Verify/self-check.test"),
    "other-file": ("the loop is in a second file; the twin is the same file, named on the command line", "form-other-file.test"),
}

with open(sys.argv[1]) as file:
    data = json.load(file)
rules = data["rules"] if isinstance(data, dict) and "rules" in data else data
ids = {r["id"] for r in rules}
tested, wrong, cases = {}, [], set()
for folder, _, names in os.walk(sys.argv[2]):
    kind = os.path.basename(folder)
    if kind == "Inputs":
        continue
    for name in names:
        if name.endswith(".md"):
            continue
        if kind == "cases":
            cases.add("cases/" + name)
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            text = file.read()
        parts = re.split(r"^(?://|#)--- (\S+)\n", text, flags=re.M)
        files = dict(zip(parts[1::2], parts[2::2]))
        marks = {}
        for path, part in files.items():
            found = re.findall(r"// refused(?: in line \d+)?: ([a-z-]+(?: \+ [a-z-]+)*)", part)
            marks[path] = {reason for reasons in found for reason in reasons.split(" + ")}
        for reason in set().union(*marks.values()) - ids:
            wrong.append("%s: there is no reason '%s'" % (name, reason))
        for path in marks:
            if marks[path] and not path.endswith("bad.cu"):
                wrong.append("%s: a mark in %s, where nobody looks" % (name, path))
        for run in re.findall(r"RUN: .*legality\.py (.*)", text):
            if "--several" in run and kind != "cases":
                wrong.append("%s: --several is for the cases" % name)
            place = re.match(r"%t/?(\S*)", run).group(1)
            bad, good = (os.path.join(place, file) for file in ("bad.cu", "good.cu"))
            if good in files and not re.search(r"--(several|larger|no-twin|unverified)", run):
                for reason in marks.get(bad, ()):
                    tested.setdefault(reason, []).append(name)
for reason in sorted(ids):
    if reason in EXCEPTIONS:
        if not os.path.exists(os.path.join(sys.argv[2], EXCEPTIONS[reason][1])):
            wrong.append("the test of '%s' is gone: %s" % (reason, EXCEPTIONS[reason][1]))
        if reason in tested:
            wrong.append("'%s' has a twin after all: %s" % (reason, tested[reason]))
    elif reason not in tested:
        wrong.append("no test provokes '%s' alone, with a twin that differs in one edit and is rewritten" % reason)

with open(os.path.join(sys.argv[2], "CASES.md")) as file:
    named = set(re.findall(r"`([\w./-]+\.(?:cu|test))`", file.read()))
for name in sorted(cases - named):
    wrong.append("CASES.md does not name %s" % name)
for name in sorted(named):
    if not os.path.exists(os.path.join(sys.argv[2], name)):
        wrong.append("CASES.md names %s, which is not there" % name)
if wrong:
    sys.exit("\n".join(wrong))
print("%d reasons, %d by a pair that differs in one edit; %d tests of cases" % (len(ids), len(tested), len(cases)))
