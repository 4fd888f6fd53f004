# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""text_check.py REPORT.txt REPORT.json [--falsify]

A text report in a file says what the JSON report says, line by line, in its order; neither more nor less nor otherwise. The lines are
those that said.py makes of the report; source is that of the files beside it. --falsify as for html_check.py."""

import json
import re
import sys

import said
from html_check import HIDDEN, TOKEN, clang_lines, falsified


def printable(text):
    return HIDDEN.sub(lambda m: "<U+%04X>" % ord(m.group()), re.sub("[\x00-\x08\x0a-\x1f\x7f-\x9f]", lambda m: "<U+%04X>" % ord(m.group()), text))


class Snippet:
    """A line of source, its number, and a caret below its column."""

    def __init__(self, path, line, column):
        self.line, self.column = line, column
        source = clang_lines(path) or []
        self.source = source[line - 1] if line <= len(source) else ""

    def lines(self):
        if not self.source.strip():
            return
        text, caret = "", None
        for i, c in enumerate(self.source + " "):
            if len(self.source[:i].encode()) + 1 == self.column:
                caret = len(text)
            text += " " * (8 - len(text) % 8) if c == "\t" else printable(c)
        yield "%5d | %s" % (self.line, text[:-1])
        if caret is not None:
            yield "      | " + " " * caret + "^"


def text_of(report):
    for f in report["files"]:
        path = f["path"]
        if f.get("error"):
            yield "%s: error: not analysed: %s: %s" % (path, f["error"]["kind"], f["error"]["message"])
        if f.get("read_by"):
            yield "%s: included, as these files read it: %s" % (path, ", ".join(f["read_by"]))
        if f.get("configurations"):
            yield "%s: looked at for %s" % (path, "; ".join(f["configurations"]))
        if f.get("left_out"):
            yield "%s: too old to be looked at: %s" % (path, ", ".join(f["left_out"]))
        for loop in f["loops"]:
            yield from loop_of(f, loop)
    verify = report["verify"] or {"files": []}
    for v in verify["files"]:
        yield from verification_of(v)
    if report.get("bench"):
        yield from bench_of(report["bench"])
    for f in report["files"]:
        if f["output"] and f["output"] != "-":
            yield "wrote " + f["output"]
    if report.get("withheld"):
        yield "nothing was written: " + report["withheld"]
    yield said.summary(report) + (", for " + ", ".join(report["archs"]) if report["archs"] else "")


def loop_of(f, loop):
    path, seen = f["path"], []

    def diagnosis(kind, line, column, words, tag=""):
        place = "".join(":%d" % n for n in (line, column if line else 0) if n)
        yield "%s%s: %s: %s%s" % (path, place, kind, words, " [%s]" % tag if tag else "")
        if not any(l == line and (c == column or not column) for l, c in seen):
            seen.append((line, column))
            if line:
                yield from Snippet(path, line, column).lines()

    here = (loop["line"], loop["column"])
    kind, words = said.headline(loop)
    yield from diagnosis(kind, *here, words, "cuda-pipeline")
    for r in loop["reasons"]:
        at = (r["line"], r["column"] or 0) if r["line"] else here
        yield from diagnosis("note", *at, r["message"], r["id"])
        for n in r["notes"]:
            yield from diagnosis("note", *((n["line"], n["column"] or 0) if n["line"] else at), n["message"])
        if r["remedy"]:
            yield from diagnosis("note", *at, "to make it possible: " + r["remedy"])
    for line, words in said.facts(loop, f["arch"]):
        kind = "warning" if words.startswith("a block of ") else "note"  # what was made does not run
        yield from diagnosis(kind, *(here if line is None else (line, 0)), words)
    for some, of in (loop["phases"], "line"), (loop["new_phases"], "line of the output"):
        if some:
            yield from diagnosis("note", *here, "phases, by %s: %s" % (of, said.phases(some)))
    for c in loop["candidates"]:
        outcome = "not chosen: " + c["rejected"] if c["rejected"] else "chosen" if loop["variant"] else "not rejected"
        yield from diagnosis("note", *here, "candidate %s: %s%s" % (said.plan(c["variant"], c["stages"]), outcome, " (score %.3g)" % c["score"] if c["score"] else ""))


def verification_of(v):
    cases = v.get("cases")
    yield "verified '%s' against '%s' (%s): %s%s" % (v["old"], v["new"], v["engine"], v["verdict"],
                                                    ", " + said.count(len(cases), "case", "cases") if cases is not None else "")
    yield "  " + said.compared(v)
    if cases is not None:
        yield "  " + said.counts(v)
    for c in cases or []:
        t = c["timing"]
        yield "  %s, %s: %s; %d runs, %d accesses, %d asynchronous copies%s" % (
            c["kernel"], c["case"], said.verdict(c["verdict"])[0], c["runs"], c["accesses"], c["async_copies"],
            "; %s us -> %s us, %d rounds" % (said.number(t["old_microseconds"], 2), said.number(t["new_microseconds"], 2), t["rounds"]) if t else "")
        for words in said.faults(c):
            yield "    " + words
    for words in said.not_covered(v) if "not_covered" in v else []:
        yield "  " + words
    for arch in v.get("archs", []):
        yield "  %s: %s" % (arch["arch"], said.verdict(arch["verdict"])[0])
        for words in said.readers(arch):
            yield "    " + words
        for k in arch["kernels"]:
            yield "    %s: %s" % (k["kernel"] or k["symbol"], said.verdict(k["verdict"])[0])
            if k["reason"]:
                yield "      " + k["reason"]
            for remedy in k["remedies"]:
                yield "      to make it better: " + remedy
            yield "      in the machine code it is %s; the compute is %s" % (k["symbol"], k["compute"])
            for key, words in said.RESOURCES:
                yield "      %s: %d -> %d" % (words, k["old"][key], k["new"][key])
            for which, side in ("old", k["old"]), ("new", k["new"]):
                for loop in side["loops"]:
                    yield "      %s, %s" % (which, said.sass_verdict(loop))
                    for words in said.sass_numbers(loop):
                        yield "        " + words
                    for e in loop["excerpt"]:
                        yield "        ... " + said.left_out(e) if "skipped" in e else "        %04x  %5s  %-8s %s" % (
                            e["address"], e.get("line", ""), "" if e["mark"] == "other" else e["mark"], e["text"])
    if v.get("repeat"):
        yield "  repeat with: " + v["repeat"]


def bench_of(b):
    yield from said.bench_head(b)
    for v in b["versions"]:
        yield "version '%s' of '%s': %s, %s" % (v["name"], v["file"], v["kind"], said.version_made(v))
    for c in b["cases"]:
        name = c["kernel"] + ", " + c["case"]
        if c["reason"]:
            yield "measured %s: %s, %s" % (name, said.verdict(c["verdict"])[0], c["reason"])
        for r in c["results"]:
            head = "measured %s, %s: " % (name, r["version"])
            if r["reason"]:
                yield head + "%s, %s" % (said.verdict(r["verdict"])[0], r["reason"])
            if r["median_us"] is None:
                continue
            yield head + "%.3f us" % r["median_us"] + (
                ", %.3f times as fast (%.3f to %.3f)" % (r["ratio"], r["ratio_low"], r["ratio_high"]) if r["ratio"] is not None else "") + (
                " on " + b["gpu"] if b["gpu"] else "")
            text = "  quartiles %s to %s us, least %s us, %d rounds of %d launches" % (
                said.number(r["q1_us"], 3), said.number(r["q3_us"], 3), said.number(r["min_us"], 3), r["n"], r["launches_per_round"])
            for key, words in ("gbps", "GB/s"), ("gflops", "GFLOP/s"):
                if r[key] is not None:
                    text += ", %s %s%s" % (said.number(r[key], 1), words, said.part_of_ceiling(b, c, r, key))
            if r["overlap_efficiency"] is not None:
                text += ", overlap efficiency " + said.number(r["overlap_efficiency"], 3)
            if r.get("dynamic_shared_bytes") is not None:
                text += ", %d bytes of dynamic shared memory" % r["dynamic_shared_bytes"]
            yield text
            if said.stalls(r):
                yield "  " + said.stalls(r)
        for words in said.case_sentences(c):
            yield "  " + words
    for words in b["not_made"]:
        yield "not made: " + words
    if b["repeat"]:
        yield "repeat with: " + b["repeat"]


def difference(is_, expected):
    for number, (a, b) in enumerate(zip(is_ + [None] * len(expected), expected + [None] * len(is_)), 1):
        if a != b:
            return "line %d of the text is %r, and by the report %r" % (number, a, b)
    return None


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace", newline="") as file:
        lines = file.read().split("\n")
    with open(sys.argv[2], encoding="utf-8") as file:
        report = json.load(file)
    expected = [printable(line) if isinstance(line, str) else line for line in text_of(report)] + [""]
    wrong = difference(lines, expected)
    if not wrong and sys.argv[3:4] == ["--falsify"]:
        tried = 0
        for at, was in enumerate(lines):
            for m in TOKEN.finditer(was):
                lines[at] = was[:m.start()] + falsified(m.group()) + was[m.end():]
                tried += 1
                if not difference(lines, expected):
                    wrong = wrong or "not found: %r for %r" % (lines[at], was)
            lines[at] = was
        print("%d falsified texts" % tried)
    if wrong:
        print(wrong)
        sys.exit(1)
    print("valid")


if __name__ == "__main__":
    main()
