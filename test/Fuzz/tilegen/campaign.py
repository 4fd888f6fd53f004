# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generate, rewrite by every variant, verify; and the table of what came out.

One kernel ends, for each variant, as one of

    refused            with the ids of the reasons; a normal answer
    pass               rewritten, and verified against the original
    unverified         rewritten, and the output parses; this build cannot verify (--no-verify)
    cannot tell        `verify` says so (exit 4): never counted as a pass
    fail               rewritten, and verified to differ, to race, or to access out of bounds
    invalid            the original has a fault: a mistake of the generator
    unparsable         the output does not parse, or does not compile
    internal error, does not parse, hang, exit N, report    the tool broke down

The last five and `fail` are failures. A batch of kernels goes through the tool in one file; what fails
there is looked at again kernel by kernel. Where none of them fails on its own, the failure of the file is
counted for its first kernel.
"""

import collections
import json
import os
import re
import shutil
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

from .batch import Batch
from .generate import generate
from .illegal import BY_RESULT, LEGAL_SINGLE, RACES
from .tool import RANK, VARIANTS, Crash, read, write

FINE = ("refused", "pass", "unverified")


def is_failure(verdict):
    return verdict not in FINE and verdict != "cannot tell"


def short_variants(number):
    """For the short mode: all variants, and two of the stage counts in turns. What the tool chooses itself
    comes last: mostly one of the others has given the same text."""
    return ["ldg", "ldg-single", "mixed", "cp-async-2", "cp-async-{}".format(3 + number % 3), "auto"]


class Settings:
    def __init__(self, tool, seed=1, all_forms=False, illegal=False, verify=True, batch=20,
                 variants=None, off=()):
        self.tool, self.seed, self.all_forms, self.illegal = tool, seed, all_forms, illegal
        self.verify, self.batch, self.variants, self.off = verify, batch, variants, tuple(off)
        self.judge = False  # kernels of suspects.py, and judge.py instead of run_batch()

    def generate(self, index, off=None, flipped=False):
        return generate(self.seed, index, self.off if off is None else off, self.all_forms, self.illegal,
                        self.judge, flipped)

    def elsewhere(self, program, off=None):
        """A suspect under the launches of its twin, a twin under those of the suspect, where the two have the
        same text; else None."""
        return program.launched_like(self.generate(program.index, off, True)) if program.suspect else None


class Result:
    """What became of one kernel."""

    def __init__(self, program, batch=()):
        self.program = program
        self.batch = list(batch)  # all programs of its file
        self.verdicts = {}  # variant -> verdict
        self.reasons = {}   # variant -> ids of reasons
        self.details = {}   # variant -> what was said about a failure
        # variant -> what its refusal is (judge.py), and what was verified of what had been refused
        self.judged, self.emitted = {}, {}
        # variant -> what was verified under the launches of the twin, which has the same text
        self.elsewhere = {}

    def rewritten(self):
        return any(v not in ("refused",) for v in self.verdicts.values())

    def failures(self):
        return [v for v, verdict in self.verdicts.items() if is_failure(verdict)]

    def record(self):
        record = self.program.record()
        record["verdicts"] = self.verdicts
        record["reasons"] = {v: r for v, r in self.reasons.items() if r}
        if self.judged:
            record["judged"], record["emitted"] = self.judged, self.emitted
        if self.elsewhere:
            record["elsewhere"] = self.elsewhere
        return record


def kernel_text(text, program):
    """The part of an output that belongs to one kernel of a batch."""
    name = Batch.namespace(program)
    first = text.find("namespace {} {{".format(name))
    last = text.find("}} // namespace {}".format(name))
    return text[first:last] if 0 <= first < last else None


def _by_told(programs):
    """The positions of the programs about which the tool is told the same, group by group."""
    groups = collections.defaultdict(list)
    for at, program in enumerate(programs):
        groups[program.told].append(at)
    return list(groups.values())


def run_batch(settings, programs, folder, variants):
    """The results of `programs`, in their order. Files go to `folder`."""
    tool = settings.tool
    groups = _by_told(programs)
    if len(groups) > 1:
        results = [None] * len(programs)
        for number, group in enumerate(groups):
            inner = os.path.join(folder, "told-{}".format(number))
            os.makedirs(inner, exist_ok=True)
            for at, result in zip(group, run_batch(settings, [programs[at] for at in group], inner, variants)):
                results[at] = result
        return results
    batch = Batch(programs)
    results = [Result(p, programs) for p in programs]
    old = os.path.join(folder, "old.cu")
    write(old, batch.text())
    known = [{} for _ in programs]  # text of a rewritten kernel -> first variant that gave it
    paths = {variant: os.path.join(folder, "new.{}.cu".format(variant)) for variant in variants}
    together = {variant: path for variant, path in paths.items() if tool.EACH and tool.is_of_each(variant)}
    each = tool.rewrite_each(together, old, programs[0].told) if len(together) > 1 else {}
    todo = []  # variant, loops by kernel, positions of those that are verified
    for variant, new in paths.items():
        try:
            loops = each[variant] if variant in each else tool.rewrite(variant, old, new, programs[0].told)
        except Crash as crash:
            if len(programs) == 1:
                results[0].verdicts[variant] = crash.kind
                results[0].details[variant] = crash.detail
            else:
                _one_by_one(settings, results, folder, variant, crash.kind, crash.detail)
            continue
        by_kernel = collections.defaultdict(list)
        for loop in loops:
            by_kernel[batch.at_line(loop.line)].append(loop)
        rewritten = []
        for at, result in enumerate(results):
            reasons = sorted({r for loop in by_kernel[at] for r in
                              (loop.reasons or [loop.status]) if loop.status != "rewritten"})
            result.reasons[variant] = reasons or ([] if by_kernel[at] else ["no loop found"])
            if any(loop.status == "rewritten" for loop in by_kernel[at]):
                rewritten.append(at)
            else:
                result.verdicts[variant] = "refused"
        if not rewritten:
            continue
        output = read(new)
        pending, same = [], {}
        for at in rewritten:
            text = kernel_text(output, programs[at])
            if text in known[at]:
                same[at] = known[at][text]
            else:
                pending.append(at)
                known[at][text] = variant
        todo.append((variant, by_kernel, pending, same))
    if settings.verify and not settings.judge and sum(bool(pending) for _, _, pending, _ in todo) > 1:
        pairs = []
        for variant, _, pending, _ in todo:
            if pending:
                pairs.append((old, paths[variant], _write_launch(batch, pending, folder, variant)))
        tool.look_ahead(pairs, os.path.join(folder, "pairs"))
    for variant, by_kernel, pending, same in todo:
        verify_kernels(settings, batch, results, pending, old, paths[variant], folder, variant)
        for at in pending:
            _hold_residency(results[at], by_kernel[at], variant)
        for at, other in same.items():
            results[at].verdicts[variant] = results[at].verdicts[other]
            if other in results[at].details:
                results[at].details[variant] = results[at].details[other]
    return results


def _write_launch(batch, pending, folder, variant, build=()):
    launch = os.path.join(folder, "launch.{}.yaml".format(variant))
    write(launch, batch.launch_text(pending, build=build))
    return launch


def _hold_residency(result, loops, variant):
    """A kernel that waits for other blocks needs all of them on the GPU at a time."""
    threads = result.program.kernel.threads
    for loop in loops if result.program.waits and result.verdicts[variant] in ("pass", "cannot tell") else ():
        if loop.loses_residency(threads):
            result.verdicts[variant] = "fail"
            result.details[variant] = "{1} blocks per SM instead of {0}, and blocks wait for each other".format(
                *loop.residency(threads))


def _one_by_one(settings, results, folder, variant, kind, detail):
    """Verdicts for `results`, whose file has failed as a whole: as `kind`, about which `detail` was said."""
    for result in results:
        inner = os.path.join(folder, "one-{}".format(result.program.index))
        os.makedirs(inner, exist_ok=True)
        one = run_batch(settings, [result.program], inner, [variant])[0]
        result.verdicts.update(one.verdicts)
        result.reasons.update(one.reasons)
        result.details.update(one.details)
    if not any(is_failure(result.verdicts[variant]) for result in results):
        results[0].verdicts[variant] = kind
        results[0].details[variant] = detail


def _without(batch, path, pending, folder, variant):
    """A file like `path` without the kernels that are not at the positions `pending`: compiling takes
    longer than running."""
    text = read(path)
    for at, program in enumerate(batch.programs):
        part = kernel_text(text, program) if at not in pending else None
        if part:
            text = text.replace(part + "}} // namespace {}\n".format(Batch.namespace(program)), "")
    name = os.path.basename(path)
    # In a file that is verified a second time, they are gone already.
    short = os.path.join(folder, name if name.startswith("short.") else "short.{}.{}".format(variant, name))
    write(short, text)
    return short


def _spoilers(batch, messages, new, pending):
    """The kernels at the positions `pending` that errors in the file `new` are about."""
    lines = {int(n) for n in re.findall(re.escape(os.path.basename(new)) + r":(\d+):\d+: error", messages)}
    text = read(new)
    result = []
    for at in pending:
        part = kernel_text(text, batch.programs[at])
        if part:
            first = text[:text.find(part)].count("\n") + 1
            if any(first <= line <= first + part.count("\n") for line in lines):
                result.append(at)
    return result


# In a build that the tool was not told of tiles may be larger: what does not fit says so when it is compiled.
_TOO_MUCH = "of static shared memory, and a kernel may have"


def verify_kernels(settings, batch, results, pending, old, new, folder, variant, build=()):
    """Verdicts for the kernels at the positions `pending`, which `new` has rewritten; what passes is verified in the
    other builds of its file, too."""
    tool = settings.tool
    if not pending:
        return

    def alone(kind, detail):
        # One kernel spoils the file for the others.
        _one_by_one(settings, [results[at] for at in pending], folder, variant, kind, detail)

    if not settings.verify:
        complaint = tool.parses(new)
        if complaint and len(results) > 1:
            return alone("unparsable", complaint)
        for at in pending:
            results[at].verdicts[variant] = "unparsable" if complaint else "unverified"
            if complaint:
                results[at].details[variant] = complaint
        return
    if settings.judge and len(pending) < len(batch.programs):
        old, new = (_without(batch, path, pending, folder, variant) for path in (old, new))
    launch = _write_launch(batch, pending, folder, variant, build)
    try:
        code, kernels, text = tool.verify(old, new, launch, build)
    except Crash as crash:
        code, kernels, text = crash.kind, {}, crash.detail
    spoilers = _spoilers(batch, text, new, pending) if code == 3 else []
    if spoilers and len(spoilers) < len(pending):
        # The others are verified in a file that has the original in place of those.
        _one_by_one(settings, [results[at] for at in spoilers], folder, variant, "unparsable", text)
        patched = os.path.join(folder, "patched.{}.cu".format(variant))
        originals, text = read(old), read(new)
        for at in spoilers:
            program = batch.programs[at]
            text = text.replace(kernel_text(text, program), kernel_text(originals, program))
        write(patched, text)
        rest = [at for at in pending if at not in spoilers]
        return verify_kernels(settings, batch, results, rest, old, patched, folder, variant, build)
    if code not in (0, 1, 4) and len(results) > 1:
        return alone({3: "unparsable"}.get(code, code if isinstance(code, str) else
                                           "verify exit {}".format(code)), text)
    for at in pending:
        result = results[at]
        verdicts = [kernels.get("{}::{}".format(batch.namespace(result.program), name))
                    for name in result.program.record()["kernels"]]
        if code == 3:
            verdict, said = "unparsable", text
        elif isinstance(code, str):
            verdict, said = code, text
        elif None in verdicts:
            # Nothing was said about it, whatever the exit code was.
            verdict, said = "verify exit {}".format(code), text
        else:
            verdict, said = max((("pass", said) if build and verdict == "fail" and _TOO_MUCH in said else (verdict, said)
                                 for verdict, said in verdicts), key=lambda v: RANK.index(v[0]))
        result.verdicts[variant] = verdict
        if verdict != "pass":
            result.details[variant] = (" ".join(("built with", *build)) + ":\n" if build else "") + said
    for flags in dict.fromkeys(f for at in pending for f in batch.programs[at].builds) if not build else ():
        some = [at for at in pending if flags in batch.programs[at].builds and
                results[at].verdicts[variant] == "pass"]
        verify_kernels(settings, batch, results, some, old, new, folder, variant, flags)


# --- The whole run ---------------------------------------------------------------------------------
class State:
    """One JSON line per finished kernel; a run that was interrupted goes on behind the last one."""

    def __init__(self, path):
        self.path, self.records, self.lock = path, {}, threading.Lock()
        if path and os.path.exists(path):
            with open(path) as file:
                for line in file:
                    try:
                        record = json.loads(line)
                    except ValueError:
                        continue  # the line that was being written when the run was interrupted
                    self.records[(record["seed"], record["index"])] = record

    def add(self, record):
        with self.lock:
            self.records[(record["seed"], record["index"])] = record
            if self.path:
                with open(self.path, "a") as file:
                    file.write(json.dumps(record, sort_keys=True) + "\n")


def having(settings, features, start, count, step=1, each=None):
    """The indices of the first `count` kernels from `start` on that have one of `features` at least; with `each`, one
    that fewer than so many kernels before it have. Fewer, if a feature is rarer than one kernel in some thousand."""
    result, lacking = [], {f: count if each is None else each for f in features}
    for index in range(start, start + step * (count * 500 + 2000), step):
        if len(result) == count or not lacking:
            break
        found = set(lacking) & set(settings.generate(index).features)
        if found:
            result.append(index)
        for feature in found if each is not None else ():
            lacking[feature] -= 1
            if not lacking[feature]:
                del lacking[feature]
    return result


def run(settings, start, count, jobs, state, on_failure=None, progress=None, runner=run_batch,
        fails=None, step=1, wanted=None):
    """Runs the kernels start .. start+count-1, or every one in `step`, or `wanted`, that `state` does not have.
    `runner`: run_batch(), or what has its parameters; `fails(result)`: the variants that are to be handed to
    `on_failure`."""
    wanted = range(start, start + count, step) if wanted is None else wanted
    todo = [i for i in wanted if (settings.seed, i) not in state.records]
    groups = [todo[i:i + settings.batch] for i in range(0, len(todo), settings.batch)]
    done = [0]

    def work(number_and_group):
        number, group = number_and_group
        folder = tempfile.mkdtemp(prefix="tilegen-")
        try:
            programs = [settings.generate(i) for i in group]
            variants = settings.variants(number) if settings.variants else VARIANTS
            for result in runner(settings, programs, folder, variants):
                if on_failure:
                    # Variants that fail in the same way have most likely the same cause.
                    first = {}
                    for variant in fails(result) if fails else result.failures():
                        if not expected(result, variant):
                            first.setdefault(result.verdicts[variant], variant)
                    for variant in first.values():
                        on_failure(settings, result, variant)
                state.add(result.record())
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        done[0] += len(group)
        if progress:
            progress(done[0], len(todo))

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            # list() hands on what went wrong in a worker.
            list(pool.map(work, enumerate(groups)))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [state.records[(settings.seed, i)] for i in wanted]


def expected(result, variant):
    """An original that has a race of its own cannot pass."""
    return result.program.illegal in RACES | BY_RESULT and result.verdicts[variant] == "invalid"


def wrongly_rewritten(record):
    """Variants that rewrote a kernel which they had to leave alone."""
    illegal = record.get("illegal")
    if not illegal or illegal in BY_RESULT:
        return []
    return [v for v, verdict in record["verdicts"].items() if verdict != "refused" and not (
        illegal in LEGAL_SINGLE and (v in ("ldg-single", "auto")))]


def failed(records):
    result = []
    for record in records:
        for variant, verdict in sorted(record["verdicts"].items()):
            if is_failure(verdict) and not (
                    record.get("illegal") in RACES | BY_RESULT and verdict == "invalid"):
                result.append((record, variant, verdict))
    return result


def raw(records):
    """One line per kernel: seed, index and, per variant, the verdict or why it was refused."""
    lines = []
    for record in records:
        line = [str(record["seed"]), str(record["index"])]
        for variant in VARIANTS:
            verdict = record["verdicts"].get(variant)
            if verdict == "refused":
                verdict = "+".join(sorted(set(record["reasons"].get(variant, ["?"]))))
            line.append((verdict or "-").replace(" ", "-"))
        lines.append(" ".join(line))
    return "\n".join(["# seed index " + " ".join(VARIANTS)] + lines) + "\n"


def features_table(legal, changed):
    """How many of the kernels with a feature were rewritten, and the features of which none ever was."""
    drawn = collections.Counter(f for r in legal for f in r["features"])
    rewritten = collections.Counter(f for r in changed for f in r["features"])
    if not drawn:
        return []
    out = ["", "Features of legal kernels:", "", "| feature | kernels | rewritten |", "|---|---|---|"]
    out += ["| {} | {} | {} |".format(f, drawn[f], rewritten[f]) for f in sorted(drawn)]
    # One or two may have been unlucky in what they were drawn with.
    never = sorted(f for f in drawn if drawn[f] >= 4 and not rewritten[f])
    return out + ["", "Features that were never rewritten: {}.".format(", ".join(never) or "none")]


def summary(records, command):
    """The table, as Markdown."""
    legal = [r for r in records if not r.get("illegal")]
    out = ["# Generated kernels", "", "    " + command, ""]

    def percent(part, whole):
        return "{:.1f} %".format(100.0 * part / whole) if whole else "-"

    changed = [r for r in legal if any(v != "refused" for v in r["verdicts"].values())]
    out.append("{} kernels, {} legal by construction; {} of these ({}) rewritten in some variant.".format(
        len(records), len(legal), len(changed), percent(len(changed), len(legal))))
    out += ["", "| variant | rewritten | " + " | ".join(
        ["pass", "fail", "cannot tell", "unverified", "other"]) + " |", "|---" * 7 + "|"]
    variants = [v for v in VARIANTS if any(v in r["verdicts"] for r in records)]
    for variant in variants:
        verdicts = collections.Counter(r["verdicts"].get(variant) for r in legal)
        ran = sum(n for v, n in verdicts.items() if v is not None)
        rewritten = ran - verdicts["refused"]
        known = ["pass", "fail", "cannot tell", "unverified"]
        other = rewritten - sum(verdicts[v] for v in known)
        out.append("| {} | {} of {} ({}) | {} |".format(
            variant, rewritten, ran, percent(rewritten, ran),
            " | ".join(str(n) for n in [verdicts[v] for v in known] + [other])))

    out += ["", "Refusals of legal kernels, kernels per reason:", "",
            "| reason | " + " | ".join(variants) + " | in all variants |",
            "|---" * (len(variants) + 2) + "|"]
    reasons = collections.defaultdict(collections.Counter)
    nowhere = collections.Counter()
    for record in legal:
        for variant, ids in record["reasons"].items():
            if record["verdicts"].get(variant) == "refused":
                for reason in ids:
                    reasons[reason][variant] += 1
        if record not in changed:
            for reason in {i for ids in record["reasons"].values() for i in ids}:
                nowhere[reason] += 1
    for reason, counts in sorted(reasons.items(), key=lambda item: -sum(item[1].values())):
        out.append("| {} | {} | {} |".format(
            reason, " | ".join(str(counts[v]) for v in variants), nowhere[reason]))

    features = collections.Counter(f for r in records for f in r["features"])
    if features:
        rare = sorted(features.items(), key=lambda item: (item[1], item[0]))[:8]
        out += ["", "{} features of kernels were drawn; the rarest: {}.".format(
            len(features), ", ".join("{} ({})".format(f, n) for f, n in rare))]

    out += features_table(legal, changed)
    illegal = [r for r in records if r.get("illegal")]
    if illegal:
        out += ["", "Illegal kernels:", "", "| what | kernels | left alone | rewritten where legal | rewritten wrongly |",
                "|---|---|---|---|---|"]
        for kind in sorted({r["illegal"] for r in illegal}):
            some = [r for r in illegal if r["illegal"] == kind]
            wrong = sum(bool(wrongly_rewritten(r) or failed([r])) for r in some)
            alone = sum(all(v == "refused" for v in r["verdicts"].values()) for r in some)
            out.append("| {} | {} | {} | {} | {} |".format(
                kind, len(some), alone, len(some) - alone - wrong, wrong))

    failures = failed(records)
    out += ["", "{} failures.".format(len(failures) or "No")]
    for record, variant, verdict in failures[:50]:
        out.append("- seed {} index {} under {}: {}".format(
            record["seed"], record["index"], variant, verdict))
    for record in illegal:
        for variant in wrongly_rewritten(record):
            out.append("- seed {} index {} under {}: {} must not be rewritten".format(
                record["seed"], record["index"], variant, record["illegal"]))
    return "\n".join(out) + "\n"
