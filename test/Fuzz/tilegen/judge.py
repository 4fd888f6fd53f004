# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges the tool's refusals: what it refused is emitted all the same (--emit-refused) and verified.

For each kernel and variant there are two questions.

What the tool rewrites must be right: a rewrite that differs or races is a failure, whatever the kernel is
like. The tool promises this for originals that have a defined result. One that has none (a race, memory
that nobody has set) should be refused with that reason, but no output can be wrong for it: a rewrite of
such a kernel is no failure, and is listed apart.

What the tool refuses is, once it is emitted and verified,

    right           it differs, races or faults in some case
    right for another launch
                    it passes, but not under the launches of its twin, which has the same text
    undefined       the original has no defined result: any refusal is right
    needless        it passes in every case, under every schedule
    not judged      nothing can be emitted for some loop of it, or it does not compile, or the emulator
                    does not know enough

`broken`, the tool's or the emitter's own breakdown, is a failure. A kernel of several loops is rewritten
when all of its loops are.

The emulator sees one launch of a kernel, with the sizes and data of the description; the tool sees the
text alone. Some suspects and their twins (suspects.py) are one text under two launches. There, what is
needless under the one is verified under the other, too, and so is what the tool rewrites. An original that
is undefined under the other launch says nothing. All the same a refusal that is needless here may be right
for a launch that nobody has made.
"""

import collections
import os

from . import campaign
from .batch import Batch
from .campaign import Result, is_failure, run_batch
from .suspects import SUSPECTS
from .tool import Tool, read, write

# One buffer, two, and several; `auto` gives one of them.
JUDGED = ["ldg", "ldg-single", "cp-async-2", "cp-async-3", "cp-async-5"]
RIGHT, UNDEFINED, NEEDLESS, UNJUDGED, BROKEN = "right", "undefined", "needless", "not judged", "broken"
ELSEWHERE = "right for another launch"
VERDICTS = [RIGHT, ELSEWHERE, UNDEFINED, NEEDLESS, UNJUDGED, BROKEN]
_OF_EMITTED = {"pass": NEEDLESS, "fail": RIGHT, "invalid": UNDEFINED, "hang": RIGHT, "refused": UNJUDGED,
               "cannot tell": UNJUDGED, "unparsable": UNJUDGED}


def short_variants(number):
    """For the short mode: the stage counts in turns."""
    return JUDGED[:2] + [JUDGED[2 + number % 3]]


# No loop of these is refused.
_NOT_REFUSED = ("unprofitable", "already-pipelined", "not-selected", "no loop found")


class Careless(Tool):
    """The tool that rewrites what it refuses."""

    def __init__(self, tool):
        super().__init__(tool.path, tool.timeout, tool.verify_options)

    def rewrite_command(self, variant, source, output, report):
        return super().rewrite_command(variant, source, output, report) + ["--emit-refused"]


def careless(settings):
    result = campaign.Settings(Careless(settings.tool), settings.seed, settings.all_forms,
                               settings.illegal, True, settings.batch, None, settings.off)
    result.judge = True
    return result


def refused_reasons(result, variant):
    return [r for r in result.reasons.get(variant, []) if r not in _NOT_REFUSED]


def judge_batch(settings, programs, folder, variants):
    """run_batch(), and what there is to say about the refusals: result.judged {variant: verdict}."""
    results = run_batch(settings, programs, folder, variants)
    for result in results:
        result.judged, result.emitted = {}, {}
    loose = careless(settings)
    for variant in variants:
        refused = [r for r in results if refused_reasons(r, variant)]
        if not refused:
            continue
        inner = os.path.join(folder, "refused-" + variant)
        os.makedirs(inner, exist_ok=True)
        for result, emitted in zip(refused, run_batch(loose, [r.program for r in refused], inner, [variant])):
            verdict = emitted.verdicts[variant]
            if verdict == "pass" and refused_reasons(emitted, variant):
                verdict = "refused"  # one of its loops is
            result.judged[variant] = _OF_EMITTED.get(verdict, BROKEN)
            result.emitted[variant] = verdict
            if result.judged[variant] == BROKEN:
                result.details[variant] = emitted.details.get(variant, "")
    _originals(settings, [r for r in results if UNJUDGED in r.judged.values()], folder)
    _elsewhere(settings, loose, results, variants, folder)
    return results


def _elsewhere(settings, loose, results, variants, folder):
    """What passes is verified under the launches of the twin as well, where that has the same text."""
    others = [(r, settings.elsewhere(r.program)) for r in results]
    for variant in variants:
        for kind, how in (("rewritten", settings), ("refused", loose)):
            some = [(r, other) for r, other in others if other and (
                r.judged.get(variant) == NEEDLESS if kind == "refused" else
                r.verdicts[variant] == "pass")]
            if not some:
                continue
            inner = os.path.join(folder, "elsewhere-{}-{}".format(kind, variant))
            os.makedirs(inner, exist_ok=True)
            again = run_batch(how, [other for _, other in some], inner, [variant])
            for (result, other), there in zip(some, again):
                verdict = result.elsewhere[variant] = there.verdicts[variant]
                if kind == "refused":
                    judged = _OF_EMITTED.get(verdict, BROKEN)
                    if judged in (RIGHT, BROKEN):
                        result.judged[variant] = {RIGHT: ELSEWHERE}.get(judged, judged)
                        if judged == BROKEN:
                            result.emitted[variant] = verdict
                elif is_failure(verdict) and verdict != "invalid":
                    result.verdicts[variant] = verdict
                    result.program = other  # the one that shows it
                if is_failure(verdict):
                    result.details[variant] = there.details.get(variant, "")


def _originals(settings, results, folder):
    """Of what nothing can be emitted: is the original at fault?"""
    if not results:
        return
    programs = [r.program for r in results]
    batch = Batch(programs)
    inner = os.path.join(folder, "originals")
    os.makedirs(inner, exist_ok=True)
    old = os.path.join(inner, "old.cu")
    write(old, batch.text())
    shadows = [Result(p, programs) for p in programs]
    campaign.verify_kernels(_itself(settings), batch, shadows, list(range(len(programs))), old, old, inner, "-")
    for result, shadow in zip(results, shadows):
        if shadow.verdicts["-"] in ("invalid", "fail"):
            for variant, verdict in result.judged.items():
                if verdict == UNJUDGED:
                    result.judged[variant] = UNDEFINED


class _Itself(Tool):
    """Rewrites nothing."""

    EACH = ()

    def __init__(self, tool):
        super().__init__(tool.path, tool.timeout, tool.verify_options)

    def rewrite(self, variant, source, output, told=()):
        text = read(source)
        write(output, text)
        return [_Everything(n) for n, line in enumerate(text.split("\n"), 1) if "__global__" in line]


class _Everything:
    """A loop that counts as rewritten."""

    status, reasons, messages, variant, stages, although_refused = "rewritten", [], [], None, None, False
    assumptions, occupancy = [], {}

    def __init__(self, line):
        self.line = line


def _itself(settings):
    result = campaign.Settings(_Itself(settings.tool), settings.seed, settings.all_forms, settings.illegal,
                               True, settings.batch, None, settings.off)
    result.judge = True
    return result


# --- What came out ---------------------------------------------------------------------------------
def outcome(record, variant):
    """"rewritten", one of VERDICTS, "undefined rewritten", or what failed."""
    verdict = record["verdicts"].get(variant)
    if verdict is None:
        return None
    judged = record.get("judged", {}).get(variant)
    if verdict == "invalid":
        return "undefined rewritten" if judged is None else UNDEFINED
    if verdict not in ("pass", "refused", "cannot tell"):
        return verdict
    if judged:
        return judged
    return "rewritten" if verdict == "pass" else UNJUDGED


def failures(records):
    """(record, variant, what)."""
    result = []
    for record in records:
        for variant in record["verdicts"]:
            what = outcome(record, variant)
            verdict = record["verdicts"][variant]
            if is_failure(verdict) and verdict != "invalid":
                result.append((record, variant, verdict))
            elif what == BROKEN:
                result.append((record, variant, "--emit-refused: " + record["emitted"][variant]))
    return result


def failing(result):
    """Variants under which the tool's own rewrite is wrong."""
    return [v for v in result.failures() if result.verdicts[v] != "invalid"]


def in_some_variant(record):
    """The best that became of the kernel."""
    all_of_them = [outcome(record, v) for v in record["verdicts"]]
    for what in ("rewritten", NEEDLESS, UNJUDGED, "undefined rewritten", UNDEFINED, ELSEWHERE, RIGHT):
        if what in all_of_them:
            return what
    return all_of_them[0] if all_of_them else UNJUDGED


def rate(counts):
    part, whole = counts["rewritten"], counts["rewritten"] + counts[NEEDLESS]
    return 100.0 * part / whole if whole else 100.0


def is_legal_by_construction(record):
    """Also where another launch of the text is not: then it is no question of the text."""
    return (not record.get("suspect") or record.get("twin")) and in_some_variant(record) != ELSEWHERE


def never_right(records):
    """Kinds of suspects of which no kernel was refused rightly."""
    seen = {r["suspect"] for r in records if r.get("suspect") and not r.get("twin")}
    right = {r["suspect"] for r in records if r.get("suspect") and not r.get("twin")
             and any(v in (RIGHT, ELSEWHERE, UNDEFINED) for v in r.get("judged", {}).values())}
    return sorted(seen - right)


def summary(records, command):
    variants = [v for v in JUDGED if any(v in r["verdicts"] for r in records)]
    suspects = [r for r in records if r.get("suspect") and not r.get("twin")]
    twins = [r for r in records if r.get("twin")]
    out = ["# Refusals, judged", "", "    " + command, "",
           "{} kernels: {} with something that may make their loop illegal ({} kinds), {} that look like it and are "
           "legal, {} others.".format(len(records), len(suspects), len({r["suspect"] for r in suspects}), len(twins),
                                      len(records) - len(suspects) - len(twins)), ""]
    columns = ["rewritten"] + VERDICTS + ["undefined rewritten"]
    titles = ["rewritten, verified", "refused rightly", "rightly, for another launch", "original undefined", "refused needlessly", "not judged",
              "broken", "undefined and rewritten", "wrong"]

    def row(name, some, chosen):
        counts = collections.Counter(outcome(r, v) for r in some for v in chosen if v in r["verdicts"])
        wrong = sum(n for what, n in counts.items() if what not in columns and what is not None)
        return counts, "| {} | {} |".format(name, " | ".join(str(counts[c]) for c in columns) + " | " + str(wrong))

    def best(some):
        counts = collections.Counter(in_some_variant(r) for r in some)
        return counts

    out += ["| variant | " + " | ".join(titles) + " | rate |", "|---" * (len(titles) + 2) + "|"]
    for variant in variants:
        counts, text = row(variant, records, [variant])
        out.append("{} {:.1f} % |".format(text, rate(counts)))
    counts = best(records)
    wrong = sum(n for what, n in counts.items() if what not in columns)
    out.append("| some variant | {} | {} | {:.1f} % |".format(
        " | ".join(str(counts[c]) for c in columns), wrong, rate(counts)))
    legal = [r for r in records if is_legal_by_construction(r)]
    legal_best = best(legal)
    out += ["", "The rate is rewritten / (rewritten + refused needlessly). Rightly, for another launch: the suspect and its "
            "twin have the same text, and the one goes wrong that another launch makes of it. A kernel of the last line counts as what became "
            "of it under the best variant. Of the {} that are legal by construction, {} ({:.1f} %) are rewritten in "
            "some variant.".format(len(legal), legal_best["rewritten"],
                                   100.0 * legal_best["rewritten"] / max(1, len(legal)))]

    out += ["", "Kinds, counted in kernels times variants:", "",
            "| kind | " + " | ".join(titles) + " |", "|---" * (len(titles) + 1) + "|"]
    for kind in SUSPECTS:
        for twin in (False, True):
            some = [r for r in records if r.get("suspect") == kind and bool(r.get("twin")) == twin]
            if some:
                out.append(row(kind + (", legal" if twin else ""), some, variants)[1])
    out.append(row("others", [r for r in records if not r.get("suspect")], variants)[1])

    def by_reason(title, wanted):
        reasons = collections.defaultdict(collections.Counter)
        for record in records:
            for variant in variants:
                if outcome(record, variant) == wanted:
                    for reason in record["reasons"].get(variant, ["?"]):
                        reasons[reason][variant] += 1
                        reasons[reason]["legal"] += is_legal_by_construction(record)
        if not reasons:
            return
        nowhere = collections.Counter()
        for record in records:
            if in_some_variant(record) == wanted:
                for reason in {i for ids in record["reasons"].values() for i in ids}:
                    nowhere[reason] += 1
        out.extend(["", title, "", "| reason | " + " | ".join(variants) + " | in all variants |",
                    "|---" * (len(variants) + 2) + "|"])
        for reason, counts in sorted(reasons.items(), key=lambda i: -sum(i[1].values())):
            out.append("| {} | {} | {} |".format(
                reason, " | ".join(str(counts[v]) for v in variants), nowhere[reason]))

    by_reason("Needless refusals by reason:", NEEDLESS)
    by_reason("Not judged, by reason:", UNJUDGED)

    missing = never_right(records)
    out += ["", "Kinds that were never refused rightly: {}.".format(", ".join(missing) or "none")]
    found = [(r, v) for r in records for v in r["verdicts"] if outcome(r, v) == "undefined rewritten"]
    out += ["", "Originals without a defined result that were rewritten: {}.".format(
        len({(r["seed"], r["index"]) for r, _ in found}))]
    for kind, n in sorted(collections.Counter(r.get("suspect") for r, _ in found).items(), key=str):
        out.append("- {}: {} kernels times variants".format(kind, n))
    failed = failures(records)
    out += ["", "{} failures.".format(len(failed) or "No")]
    for record, variant, what in failed[:50]:
        out.append("- seed {} index {} under {}: {} ({}{}{})".format(
            record["seed"], record["index"], variant, what, record.get("suspect") or "no suspect",
            ", legal" if record.get("twin") else "",
            ", under the launches of its twin" if record.get("elsewhere", {}).get(variant) == what else ""))
    return "\n".join(out) + "\n"


def raw(records):
    """One line per kernel: seed, index, kind, and per variant what became of it and why it was refused."""
    lines = ["# seed index kind " + " ".join(JUDGED)]
    for record in records:
        kind = record.get("suspect") or "-"
        line = [str(record["seed"]), str(record["index"]), kind + ("(legal)" if record.get("twin") else "")]
        for variant in JUDGED:
            what = (outcome(record, variant) or "-").replace(" ", "-")
            reasons = "+".join(record["reasons"].get(variant, []))
            line.append(what + (":" + reasons if reasons else ""))
        lines.append(" ".join(line))
    return "\n".join(lines) + "\n"
