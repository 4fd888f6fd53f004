# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several kernels in one file: a run of the tool costs more than a kernel does.

Each kernel has a namespace of its own and its macros are undefined behind it, so that the text of a
kernel is the same as in a file of its own.
"""


from .build import UNSEEN


class Batch:
    def __init__(self, programs):
        self.programs = list(programs)
        includes = []
        for program in self.programs:
            includes += [i for i in program.includes if i not in includes]
        lines = ["#include <{}>".format(i) for i in includes] + ([""] if includes else [])
        self.spans = []  # (first line, last line), from 1
        for program in self.programs:
            first = len(lines) + 1
            lines.append("namespace {} {{".format(self.namespace(program)))
            lines += program.lines
            lines.append("}} // namespace {}".format(self.namespace(program)))
            lines += ["#undef " + name for name in program.macro_names]
            self.spans.append((first, len(lines)))
            lines.append("")
        for program in self.programs:
            if program.unseen:
                lines += [] if UNSEEN in lines else [UNSEEN]
                lines += ["namespace {} {{".format(self.namespace(program)), *program.unseen, "}"]
        self.lines = lines

    @staticmethod
    def namespace(program):
        return "k{}".format(program.index)

    def text(self):
        return "\n".join(self.lines) + "\n"

    def launch_text(self, wanted=None, only_cases=None, build=()):
        """The documents of the kernels at the positions `wanted` (all), in a build of the file."""
        texts = [p.launch_text(self.namespace(p), only_cases, build) for at, p in enumerate(self.programs)
                 if wanted is None or at in wanted]
        return "---\n".join(texts)

    def at_line(self, line):
        """The position of the kernel that `line` belongs to."""
        for at, (first, last) in enumerate(self.spans):
            if first <= line <= last:
                return at
        return None
