# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus.ini: what a folder of kernels says about itself, for corpus.py and real/real.py (docs/corpus.md).

A section is a set of kernels that are compiled together. All paths are seen from the folder of corpus.ini, and
do not leave it. What [DEFAULT] has goes for all sections.
"""

import configparser
import os
import re
import shlex

NAME = "corpus.ini"
VARIANTS = ("auto", "cp-async", "ldg", "ldg-single")
JUDGED = ("cp-async", "ldg", "ldg-single")
VERDICTS = ("yes", "conditional", "no")
KEYS = {
    "file": "the file that is compiled (default: the section's name with .cu)",
    "rewrite": "the files that are rewritten, where it is not that file (headers of it)",
    "flags": "flags for the compiler",
    "kernel": "regular expression for --kernel (default: all)",
    "options": "options for the rewrite",
    "variants": "with commas; 'cp-async 3' has three stages (default: auto)",
    "launch": "launch description (default: the file's name with .yaml, if there is one)",
    "judged": "a line for each loop: LINE: cp-async yes, ldg no, ...; yes, conditional, no",
    "family": "what the kernels do, for the table",
    "note": "a remark for the table",
}


class Kernels:
    """A section."""

    def __init__(self, root, name, section):
        unknown = sorted(set(section) - set(KEYS))
        if unknown:
            raise ValueError("[{}]: '{}' is no key; known are {}".format(name, unknown[0], ", ".join(KEYS)))
        self.root, self.name = root, name
        if not re.fullmatch(r"[\w-]+", name):
            raise ValueError("[{}]: a name has letters, digits, _ and -".format(name))
        self.file = self.path("file", section.get("file", name + ".cu"))
        self.rewritten = [self.path("rewrite", f) for f in shlex.split(section.get("rewrite", ""))] or [self.file]
        self.kernel = section.get("kernel", "").strip()
        self.options = shlex.split(section.get("options", ""))
        self.family, self.note = section.get("family", "").strip(), section.get("note", "").strip()
        self.variants = [" ".join(v.split()) for v in section.get("variants", "auto").split(",")]
        for variant in self.variants:
            what, _, stages = variant.partition(" ")
            if what not in VARIANTS or stages and not stages.isdigit():
                raise ValueError("[{}]: no variant: '{}'".format(name, variant))
        beside = os.path.splitext(self.file)[0] + ".yaml"
        self.launch = self.path("launch", section["launch"]) if "launch" in section else (
            beside if os.path.isfile(os.path.join(root, beside)) else None)
        self.flags = [self.seen_from_here(flag) for flag in shlex.split(section.get("flags", ""))]
        self.judged = dict(self.judgement(line) for line in section.get("judged", "").splitlines() if line.strip())

    def path(self, key, text):
        path = os.path.normpath(text.strip())
        if path.startswith((os.pardir + os.sep, os.sep)) or path == os.pardir:
            raise ValueError("[{}]: {}: '{}' is outside of the folder".format(self.name, key, text))
        if not os.path.isfile(os.path.join(self.root, path)):
            raise ValueError("[{}]: {}: there is no '{}'".format(self.name, key, text))
        return path

    @staticmethod
    def seen_from_here(flag):
        """-Iinclude as ('-I', 'include'): the folder is one of the manifest's."""
        folder = flag[2:] if flag.startswith("-I") and len(flag) > 2 else None
        return ("-I", os.path.normpath(folder)) if folder and not os.path.isabs(folder) else ("", flag)

    def judgement(self, line):
        match = re.fullmatch(r"\s*(\d+)\s*:\s*(.+?)\s*", line)
        if not match:
            raise ValueError("[{}]: judged: not LINE: VARIANT VERDICT, ...: '{}'".format(self.name, line.strip()))
        verdicts = {}
        for part in match.group(2).split(","):
            words = part.split()
            if len(words) != 2 or words[0] not in JUDGED or words[1] not in VERDICTS:
                raise ValueError("[{}]: judged: no variant and verdict: '{}'".format(self.name, part.strip()))
            verdicts[words[0]] = words[1]
        return int(match.group(1)), verdicts

    def flags_from(self, folder=None):
        """The flags, with their folders as seen from the manifest's (None), or below another one."""
        return [what + (os.path.normpath(os.path.join(folder or self.root, text)) if what else text)
                for what, text in self.flags]

    def includes(self):
        return [text for what, text in self.flags if what]


def read(root):
    """The sections of the manifest in a folder; None if it has none."""
    path = os.path.join(root, NAME)
    if not os.path.isfile(path):
        return None
    table = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=(";", "#"))
    try:
        with open(path, encoding="utf-8") as file:
            table.read_file(file)
        found = [Kernels(root, name, table[name]) for name in table.sections()]
    except (configparser.Error, UnicodeDecodeError) as error:
        raise ValueError("{}: {}".format(path, str(error).split("\n")[0])) from error
    except ValueError as error:
        raise ValueError("{}: {}".format(path, error)) from error
    if not found:
        raise ValueError("{}: it has no section".format(path))
    return found
