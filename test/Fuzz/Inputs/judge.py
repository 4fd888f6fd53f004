#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What judge.py makes of records, and what the generator draws for it."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from tilegen import judge  # noqa: E402
from tilegen.campaign import Settings  # noqa: E402
from tilegen.generate import generate  # noqa: E402
from tilegen.suspects import SUSPECTS  # noqa: E402


def record(verdict, judged=None, suspect=None, twin=False, reasons=(), emitted="pass", index=0):
    result = {"seed": 1, "index": index, "verdicts": {"ldg": verdict}, "reasons": {"ldg": list(reasons)},
              "features": [], "kernels": ["k"]}
    if judged:
        result["judged"], result["emitted"] = {"ldg": judged}, {"ldg": emitted}
    if suspect:
        result["suspect"], result["twin"] = suspect, twin
    return result


def check(name, got, expected):
    if got != expected:
        print("FAILED: {}: {} instead of {}".format(name, got, expected))
        sys.exit(1)


def outcomes():
    for name, made, expected in [
            ("rewritten", record("pass"), "rewritten"),
            ("wrong", record("fail"), "fail"),
            ("does not parse", record("unparsable"), "unparsable"),
            ("refused", record("refused", judge.RIGHT), judge.RIGHT),
            ("refused, wrong for another launch", record("refused", judge.ELSEWHERE), judge.ELSEWHERE),
            ("one loop of two", record("pass", judge.NEEDLESS), judge.NEEDLESS),
            ("wrong, and the rest refused", record("fail", judge.RIGHT), "fail"),
            ("undefined, rewritten", record("invalid"), "undefined rewritten"),
            ("undefined, refused", record("refused", judge.UNDEFINED), judge.UNDEFINED),
            ("emulator does not know", record("cannot tell"), judge.UNJUDGED)]:
        check(name, judge.outcome(made, "ldg"), expected)
        fails = bool(judge.failures([made]))
        check(name + ", a failure", fails, expected in ("fail", "unparsable"))
    check("the switch breaks down", len(judge.failures([record("refused", judge.BROKEN, emitted="exit -11")])), 1)
    check("of two variants the better", judge.in_some_variant(
        {"verdicts": {"ldg": "refused", "ldg-single": "pass"}, "judged": {"ldg": judge.NEEDLESS}}), "rewritten")
    records = [record("pass", index=n) for n in range(19)] + [
        record("refused", judge.NEEDLESS, reasons=["may-alias"], index=19),
        record("refused", judge.RIGHT, "feedback", reasons=["may-alias"], index=20),
        record("refused", judge.UNJUDGED, "alias", reasons=["may-alias"], index=21),
        record("refused", judge.ELSEWHERE, "break", True, ["early-exit"], index=22)]
    text = judge.summary(records, "command")
    check("rate", "| ldg | 19 | 1 | 1 | 0 | 1 | 1 | 0 | 0 | 0 | 95.0 % |" in text, True)
    check("legal by construction", "Of the 20 that are legal by construction, 19 (95.0 %)" in text, True)
    check("needless by reason", "| may-alias | 1 | 1 |" in text, True)
    check("never right", judge.never_right(records), ["alias"])
    check("raw", judge.raw(records).splitlines()[20].split()[:4], ["1", "19", "-", "needless:may-alias"])
    check("raw, another launch", judge.raw(records).splitlines()[23].split()[2:4],
          ["break(legal)", "right-for-another-launch:early-exit"])


def generator():
    programs = [generate(1, n, suspects=True) for n in range(6 * len(SUSPECTS))]
    illegal = [p.suspect for p in programs if p.suspect and not p.twin]
    twins = [p.suspect for p in programs if p.twin]
    check("a third is suspect", len(illegal), 2 * len(SUSPECTS))
    check("a sixth looks like it", len(twins), len(SUSPECTS))
    check("kinds", set(illegal), set(SUSPECTS))
    check("kinds of twins", set(twins), set(SUSPECTS))
    for p in programs[:60:7]:
        check("the same again", generate(1, p.index, suspects=True).text(), p.text())
    for p in programs:
        tag = ("twin-" if p.twin else "suspect-") + p.suspect if p.suspect else None
        check("feature", [f for f in p.features if f.startswith(("suspect-", "twin-"))], [tag] if tag else [])


def twins():
    """Kinds that are one text under two launches, or with two other files: nothing in it makes them illegal."""
    settings = Settings(None, 1)
    settings.judge = True
    same = set()
    for n in range(0, 6 * len(SUSPECTS), 2):
        p = settings.generate(n)
        flipped, elsewhere = settings.generate(n, flipped=True), settings.elsewhere(p)
        check("the other side of {}".format(n), (flipped.suspect, flipped.twin), (p.suspect, not p.twin))
        if elsewhere:
            same.add(p.suspect)
            check("its text", elsewhere.lines, p.lines)
            check("the launches of its twin", elsewhere.launch_text(), flipped.launch_text())
            check("its other file", elsewhere.unseen, flipped.unseen)
            check("which are others", (elsewhere.launch_text(), elsewhere.unseen) != (p.launch_text(), p.unseen), True)
    check("one text", same, {"feedback", "break", "thread-return", "thread-condition", "misaligned", "unseen-dynamic",
                              "waits"})
    check("no suspect", settings.elsewhere(settings.generate(1)), None)


outcomes()
generator()
twins()
print("judge: fine")
