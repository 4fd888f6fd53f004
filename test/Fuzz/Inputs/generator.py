# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of the generator: determinism, coverage, and that everything parses.

    generator.py TOOL COUNT
"""

import collections
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from tilegen.batch import Batch  # noqa: E402
from tilegen.features import FEATURES  # noqa: E402
from tilegen.generate import generate  # noqa: E402
from tilegen.tool import Tool, write  # noqa: E402

LONG = bool(os.environ.get("CPR_LONG"))


def fail(text):
    print("FAILED: " + text)
    sys.exit(1)


def main():
    tool, count = Tool(sys.argv[1], timeout=900), int(sys.argv[2])
    seed = 17
    programs = [generate(seed, i) for i in range(count)]

    # The same again, in another order.
    for index in reversed(range(0, count, 7)):
        again = generate(seed, index)
        if (again.text(), again.launch_text(), again.json()) != (
                programs[index].text(), programs[index].launch_text(), programs[index].json()):
            fail("kernel {} differs the second time".format(index))
    if len({p.text() for p in programs}) != count:
        fail("two kernels are the same")
    if generate(seed + 1, 3).text() == programs[3].text():
        fail("the seed makes no difference")

    # A decision that is taken back leaves the others as they are.
    kept = taken = 0
    for program in programs[:60]:
        if "tile-padded" in program.features:
            without = generate(seed, program.index, off={"tile-padded"})
            if "tile-padded" in without.features:
                fail("a feature that is off is used")
            taken += 1
            # What is smaller may have room for something in place of nothing.
            lost = {f for f in set(program.features) - set(without.features) if not f.endswith("-plain")}
            kept += lost <= {"tile-padded"}
    if not taken or kept != taken:
        fail("{} of {} kernels lost more than what was switched off".format(taken - kept, taken))

    # Coverage: claimed features in the plain stream, the others with all forms and illegal kernels.
    more = [generate(seed, i) for i in range(count, 3 * count)]  # the rare ones
    seen = collections.Counter(f for p in programs + more for f in p.features)
    missing = [f for f, feature in FEATURES.items()
               if feature.claimed and not f.startswith(("illegal-", "suspect-", "twin-")) and not seen[f]]
    if missing:
        fail("never drawn: " + ", ".join(missing))
    unclaimed = [f for f in seen if not FEATURES[f].claimed]
    if unclaimed:
        fail("drawn although not claimed: " + ", ".join(unclaimed))
    others = [generate(seed, i, all_forms=True, illegal=True) for i in range(count)]
    seen = collections.Counter(f for p in others for f in p.features)
    missing = [f for f, feature in FEATURES.items()
               if (not feature.claimed or f.startswith("illegal-")) and not seen[f]]
    if missing:
        fail("never drawn with all forms: " + ", ".join(missing))
    tagged = sum(bool(p.illegal) for p in others)
    if not count // 4 <= tagged <= count // 2:
        fail("{} of {} are illegal, not a third".format(tagged, count))

    suspects = [p for p in (generate(seed, i, suspects=True) for i in range(count)) if p.suspect]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "batch.cu")
        for some in (programs, others, suspects):
            # With CPR_LONG=1 in the environment all of them are parsed, and the tool sees the loops of all others: it does nowhere else.
            for number, at in enumerate(range(0, count, 50)):
                if number % 2 and not LONG:
                    continue
                write(path, Batch(some[at:at + 50]).text())
                complaint = tool.parses(path, some is others and (number % 4 == 0 or LONG))
                if complaint:
                    fail(complaint)
        with open(path, "w") as file:
            file.write("__global__ void broken( {}\n")
        if not tool.parses(path) or not tool.parses(path, False):
            fail("this check would not notice a mistake")
    print("{} kernels, {} features".format(2 * count, len(FEATURES)))


if __name__ == "__main__":
    main()
