# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing kernel small.

In this order: features are switched off, many at once and then fewer (the kernel is generated anew, everything else
stays as it was), numbers take their smallest values, one launch case is kept, then lines are deleted.
Each step is kept if the failure is still of the same kind, under the same variant, and the original is
still a valid kernel.
"""

import os
import shutil
import tempfile

from .generate import generate
from .tool import RANK, Crash


class Shrinker:
    def __init__(self, settings, variant, verdict, tries=600):
        self.settings, self.variant, self.verdict = settings, variant, verdict
        self.left = tries
        self.folder = tempfile.mkdtemp(prefix="tilegen-shrink-")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def judge(self, text, launch):
        """The verdict on a file of one kernel."""
        tool = self.settings.tool
        old, new = os.path.join(self.folder, "old.cu"), os.path.join(self.folder, "new.cu")
        description = os.path.join(self.folder, "launch.yaml")
        for path, content in ((old, text), (description, launch)):
            with open(path, "w") as file:
                file.write(content)
        try:
            loops = tool.rewrite(self.variant, old, new)
        except Crash as crash:
            return crash.kind
        if not any(loop.status == "rewritten" for loop in loops):
            return "refused"
        if not self.settings.verify:
            return "unparsable" if tool.parses(new) else "unverified"
        try:
            code, kernels, _ = tool.verify(old, new, description)
        except Crash as crash:
            return crash.kind
        if code == 3:
            return "unparsable" if tool.parses(old) is None else "invalid"
        if not kernels:
            return "verify exit {}".format(code)
        return max((verdict for verdict, _ in kernels.values()), key=RANK.index)

    def still(self, text, launch):
        if self.left <= 0:
            return False
        self.left -= 1
        return self.judge(text, launch) == self.verdict

    def shrink(self, program):
        """(text, launch text, features switched off), or None if it does not fail on its own."""
        off, cases = set(self.settings.off), None
        text, launch = program.text(), program.launch_text()
        if not self.still(text, launch):
            return None

        def again(new_off):
            return generate(program.seed, program.index, new_off, self.settings.all_forms,
                            self.settings.illegal)

        # Many at once first: most of them have nothing to do with it.
        size = 64
        while size >= 1:
            names = [f for f in program.features if not f.startswith("illegal-")] + [
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
                elif self.still(candidate.text(), candidate.launch_text()):
                    program, progress = candidate, True
                    off |= some
            if not progress or size > 1:
                size //= 2
        text, launch = program.text(), program.launch_text()

        # One case is enough, the smallest that fails.
        for case in range(12):
            candidate = program.launch_text(only_cases={case})
            if candidate != launch and self.still(text, candidate):
                launch = candidate
                break

        used = sorted(off - set(self.settings.off))
        return self.lines(text, launch) + (used,)

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
    with open(os.path.join(place, "generated.cu"), "w") as file:
        file.write(program.text())
    with open(os.path.join(place, "generated.yaml"), "w") as file:
        file.write(program.launch_text())
    small = None
    if small_too:
        shrinker = Shrinker(settings, variant, verdict)
        try:
            small = shrinker.shrink(program)
        finally:
            shrinker.close()
    same = [v for v, other in result.verdicts.items() if other == verdict]
    note = ["{} under {}".format(verdict, ", ".join(same)), ""]
    name = "generated"
    if small:
        name = "kernel"
        with open(os.path.join(place, "kernel.cu"), "w") as file:
            file.write(small[0])
        with open(os.path.join(place, "kernel.yaml"), "w") as file:
            file.write(small[1])
        note += ["kernel.cu is what is left of generated.cu; switched off: " + (
            ", ".join(small[2]) or "nothing"), ""]
    elif small_too:
        note += ["It does not fail in a file of its own, only among others of its batch.", ""]
    tool = settings.tool
    note.append("    cuda-pipeline-rewrite " + " ".join(tool.rewrite_command(
        variant, name + ".cu", "new.cu", "new.json")))
    note.append("    cuda-pipeline-rewrite " + " ".join(tool.verify_command(
        name + ".cu", "new.cu", name + ".yaml")))
    note += ["", "What was said:", "", result.details.get(variant, "")]
    with open(os.path.join(place, "README.md"), "w") as file:
        file.write("\n".join(note) + "\n")
    return place


