# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 -m tilegen --seed 7 --index 123: shows one kernel; --help has the rest."""

import argparse
import sys

from .features import FEATURES
from .generate import generate


def main():
    parser = argparse.ArgumentParser(prog="tilegen", description="Random tile kernels.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--index", type=int, default=0)
    parser.add_argument("--off", default="", help="features to do without, separated by commas")
    parser.add_argument("--forms", choices=["claimed", "all"], default="claimed",
                        help="all: also what the tool does not claim to handle yet")
    parser.add_argument("--illegal", action="store_true", help="a third of the kernels is illegal")
    parser.add_argument("--suspects", action="store_true",
                        help="half of the kernels is of a kind that may be illegal, or looks like one")
    parser.add_argument("--show", choices=["kernel", "launch", "record"], default="kernel")
    parser.add_argument("--count", type=int, default=1, help="of records")
    parser.add_argument("--features", action="store_true", help="lists all features")
    arguments = parser.parse_args()
    if arguments.features:
        for name, feature in FEATURES.items():
            print(name + ("" if feature.claimed else "  (not claimed)") + (
                "  " + feature.about if feature.about else ""))
        return 0
    off = [f for f in arguments.off.split(",") if f]
    unknown = [f for f in off if f not in FEATURES and not f.startswith("number:")]
    if unknown:
        parser.error("no feature: " + ", ".join(unknown))
    for index in range(arguments.index, arguments.index + arguments.count):
        program = generate(arguments.seed, index, off, arguments.forms == "all", arguments.illegal,
                           arguments.suspects)
        sys.stdout.write({"kernel": program.text, "launch": program.launch_text,
                          "record": lambda: program.json() + "\n"}[arguments.show]())
    return 0


if __name__ == "__main__":
    sys.exit(main())
