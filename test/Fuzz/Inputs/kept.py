# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what bench/fuzz has saved: kept.py FOLDER [batch]."""

import os
import re
import sys

# What the stand-in's mistakes depend on.
CAUSE = {"fail": r"; (--\w+|\w+--|\w+ -= \w+)\)", "unparsable": r"\t",
         "internal error": r"for \(size_t"}


def batches(folder):
    """Each failure needs the two kernels of one entry, and nothing else is left."""
    left = {"exit 7": ["matMulShared", "reduceTiles"], "fail": ["scan_chunks", "sgemm_tiled"]}
    kinds = set()
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name, "README.md")) as file:
            kind = file.read().split(" under ")[0]
        kinds.add(kind)
        with open(os.path.join(folder, name, "batch.cu"), encoding="utf-8", errors="surrogateescape") as file:
            assert len(re.findall(r"^namespace k", file.read(), re.M)) == 8, name
        with open(os.path.join(folder, name, "kernel.cu"), encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        assert sorted(re.findall(r"void (\w+)\(", text)) == left[kind], text
        assert len(text.splitlines()) <= 14, text
    assert kinds == set(left), kinds


def main():
    if sys.argv[2:] == ["batch"]:
        return batches(sys.argv[1])
    shrunk = 0
    kinds = set()
    for name in sorted(os.listdir(sys.argv[1])):
        place = os.path.join(sys.argv[1], name)
        with open(os.path.join(place, "README.md")) as file:
            note = file.read()
        kind = note.split(" under ")[0]
        kinds.add(kind)
        assert "cuda-pipeline-rewrite verify" in note and os.path.exists(
            os.path.join(place, "generated.yaml")), place
        kernel = os.path.join(place, "kernel.cu")
        if not os.path.exists(kernel):
            continue
        shrunk += 1
        with open(kernel, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        assert re.search(CAUSE[kind], text), text
        assert len(text.splitlines()) <= 8, text
        if kind == "fail":
            with open(os.path.join(place, "kernel.yaml")) as file:
                assert len(re.findall(r"^  - \{\w+: \d", file.read(), re.M)) == 1, place
    assert kinds == set(CAUSE), kinds
    # One of each kind.
    assert shrunk == len(CAUSE), shrunk


if __name__ == "__main__":
    main()
