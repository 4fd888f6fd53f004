# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing kernel small.

In this order: kernels that have nothing to do with it are dropped from the file (where it fails only
among others), features are switched off, many at once and then fewer (the kernel is generated anew,
everything else stays as it was), numbers take their smallest values, one launch case is kept, then lines are deleted.
Each step is kept if the failure is still of the same kind, under the same variant, and the original is
still a valid kernel.
"""

import os
import shutil
import tempfile

from .batch import Batch
from .build import UNSEEN
from .tool import Crash, write


class Shrinker:
    def __init__(self, settings, variant, verdict, tries=600):
        self.settings, self.variant, self.verdict = settings, variant, verdict
        self.left = tries
        self.clean = True  # no original is at fault
        self.told, self.builds = (), [((), ())]  # as in build.py
        self.waits = 0  # of how many threads are blocks that wait for each other
        self.folder = tempfile.mkdtemp(prefix="tilegen-shrink-")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def judge(self, text, launch):
        """The verdicts on a file, a set."""
        tool = self.settings.tool
        old, new = os.path.join(self.folder, "old.cu"), os.path.join(self.folder, "new.cu")
        description = os.path.join(self.folder, "launch.yaml")
        for path, content in ((old, text), (description, launch)):
            write(path, content)
        try:
            loops = tool.rewrite(self.variant, old, new, self.told)
        except Crash as crash:
            return {crash.kind}
        if not any(loop.status == "rewritten" for loop in loops):
            return {"refused"}
        if not self.settings.verify:
            return {"unparsable" if tool.parses(new) else "unverified"}
        verdicts = set()
        for build, changes in self.builds:
            other = launch
            for before, after in changes:
                other = other.replace(before, after)
            write(description, other)
            try:
                code, kernels, _ = tool.verify(old, new, description, build)
            except Crash as crash:
                return {crash.kind}
            if code == 3:
                return {"unparsable" if tool.parses(old, build=build) is None else "invalid"}
            verdicts |= {verdict for verdict, _ in kernels.values()} or {"verify exit {}".format(code)}
        if self.waits and any(loop.loses_residency(self.waits) for loop in loops):
            verdicts.add("fail")
        return verdicts

    def still(self, text, launch):
        if self.left <= 0:
            return False
        self.left -= 1
        verdicts = self.judge(text, launch)
        # What makes the original invalid is no smaller case of something else.
        return self.verdict in verdicts and not (
            self.clean and self.verdict != "invalid" and "invalid" in verdicts)

    def shrink(self, programs):
        """(text, launch text, {index of a kernel: features switched off}), or None if the file of
        `programs` does not fail."""
        programs = list(programs)
        self.told, self.waits = programs[0].told, programs[0].waits and len(programs) == 1 and programs[0].kernel.threads
        self.builds = [((), ())] + [b for b in programs[0].kernel.builds if len(programs) == 1]

        def text(some):
            return some[0].text() if len(some) == 1 else Batch(some).text()

        def launch(some, cases=None):
            return some[0].launch_text(only_cases=cases) if len(some) == 1 else (
                Batch(some).launch_text(only_cases=cases))

        def fails(some):
            return self.still(text(some), launch(some))

        if len(programs) > 1:
            # Another kernel of the file may be at fault.
            self.clean = "invalid" not in self.judge(text(programs), launch(programs))
        if not fails(programs):
            return None
        size = len(programs) // 2
        while size >= 1:
            at = 0
            while at < len(programs):
                rest = programs[:at] + programs[at + size:]
                if rest and fails(rest):
                    programs = rest
                else:
                    at += size
            size = min(size // 2, len(programs) // 2) if size > 1 else 0
        off = {}
        for at in range(len(programs)):
            programs[at], off[programs[at].index] = self.features(
                programs[at], lambda one: fails(programs[:at] + [one] + programs[at + 1:]))
        whole, description = text(programs), launch(programs)

        # One case is enough, the smallest that fails.
        for case in range(12):
            candidate = launch(programs, {case})
            if candidate != description and self.still(whole, candidate):
                description = candidate
                break
        return self.lines(whole, description) + (off,)

    def features(self, program, fails):
        """(program, what was switched off): without what it does not need to fail."""
        off = set(self.settings.off)

        def again(new_off):
            candidate = self.settings.generate(program.index, new_off)
            if program.launched is not program.kernel:
                candidate = self.settings.elsewhere(candidate, new_off)
            return candidate or program

        # Many at once first: most of them have nothing to do with it.
        size = 64
        while size >= 1:
            names = [f for f in program.features
                     if not f.startswith(("illegal-", "suspect-", "twin-"))] + [
                "number:" + n for n in program.kernel.choices.numbers]
            names = [n for n in names if n not in off]
            progress = False
            for at in range(0, len(names), size):
                some = set(names[at:at + size])
                try:
                    candidate = again(off | some)
                except Exception:
                    continue  # a combination that the generator does not make is no candidate
                if candidate.text() == program.text():
                    off |= some
                elif fails(candidate):
                    program, progress = candidate, True
                    off |= some
            if not progress or size > 1:
                size //= 2
        return program, sorted(off - set(self.settings.off))

    def lines(self, text, launch):
        """Deletes lines, in chunks that get smaller; a block goes with its braces or not at all."""
        lines = [line for line in text.split("\n") if line.strip()]
        size, before = max(1, len(lines) // 4), None
        while True:
            at = 0
            while at < len(lines):
                candidate = lines[:at] + lines[at + size:]
                removed = "\n".join(lines[at:at + size])
                balanced = all(removed.count(a) == removed.count(b) for a, b in ("{}", "()", "[]"))
                if balanced and removed and self.still("\n".join(candidate), launch):
                    lines = candidate
                else:
                    at += 1 if size < 4 else size // 2
            if size > 1:
                size //= 2
            elif len(lines) == before or self.left <= 0:
                break
            else:
                # What was deleted may have left empty blocks.
                size, before = min(3, len(lines)), len(lines)
        return "\n".join(lines) + "\n", launch


def save(folder, settings, result, variant, small_too=True):
    """Shrinks a failure and writes it: kernel, launch description, and how to see it.

    A variant stands for all that fail in the same way. Without `small_too` nothing is shrunk."""
    verdict = result.verdicts[variant]
    program = result.program
    place = os.path.join(folder, "seed{}-index{}-{}".format(program.seed, program.index, variant))
    os.makedirs(place, exist_ok=True)
    write(os.path.join(place, "generated.cu"), program.text())
    write(os.path.join(place, "generated.yaml"), program.launch_text())
    small, together = None, False
    if small_too:
        shrinker = Shrinker(settings, variant, verdict)
        try:
            small = shrinker.shrink([program])
            if not small and len(result.batch) > 1:
                small, together = shrinker.shrink(result.batch), True
        finally:
            shrinker.close()
    same = [v for v, other in result.verdicts.items() if other == verdict]
    note = ["{} under {}".format(verdict, ", ".join(same)), ""]
    name = "generated"
    if small:
        name = "kernel"
        write(os.path.join(place, "kernel.cu"), small[0])
        write(os.path.join(place, "kernel.yaml"), small[1])
        what = "generated.cu"
        if together:
            note += ["generated.cu does not fail in a file of its own, only among others: see batch.cu.", ""]
            what = "batch.cu"
            write(os.path.join(place, "batch.cu"), Batch(result.batch).text())
            write(os.path.join(place, "batch.yaml"), Batch(result.batch).launch_text())
        note.append("kernel.cu is what is left of {}; switched off:".format(what))
        note += ["- in kernel {}: {}".format(index, ", ".join(off) or "nothing")
                 for index, off in small[2].items()] + [""]
    elif small_too:
        note += ["It does not fail again, neither in a file of its own nor among the others of its batch.", ""]
    tool = settings.tool
    told = program.told[1:] if program.told[:1] == ("flags",) else ()
    note.append("    cuda-pipeline-rewrite " + " ".join(tool.rewrite_command(
        variant, name + ".cu", "new.cu", "new.json") + (["--", *told] if told else [])))
    for build in [()] + program.builds:
        note.append("    cuda-pipeline-rewrite " + " ".join(tool.verify_command(
            name + ".cu", "new.cu", name + ".yaml", build)))
    if program.told[:1] == ("database",):
        note += ["", "The tool is told of a database in which the file has several entries, with the flags: " + "; ".join(
            " ".join(flags) or "none" for flags in program.told[1:])]
    if program.unseen:
        note += ["", "It sees the file up to the line `{}`; what is behind it is put behind new.cu again.".format(UNSEEN)]
    note += ["", "What was said:", "", result.details.get(variant, "")]
    write(os.path.join(place, "README.md"), "\n".join(note) + "\n")
    return place


