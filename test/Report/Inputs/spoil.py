# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""spoil.py REPORT: does the schema find what is wrong? Every way to spoil a valid report is tried by itself: a key that is missing, one
too many, a value of another kind, a word that is none of the words."""

import copy
import json
import os
import sys

inputs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs")
sys.path.insert(0, inputs)
import check_reports  # noqa: E402

known = check_reports.validators(os.path.join(inputs, "..", "..", "docs", "schema"))


def places(value, path=()):
    """Of all objects; of a list, the first element stands for all."""
    if isinstance(value, dict):
        yield path
        for key in value:
            if key not in ("counts", "stalls"):
                yield from places(value[key], path + (key,))
    elif isinstance(value, list) and value:
        yield from places(value[0], path + (0,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


OPTIONAL = {"bench", "hints", "registers", "staged_registers", "inlined", "reworded", "gathered", "dynamic_smem", "asked_block", "although_refused", "in_file", "error", "read_by", "configurations", "left_out", "withheld"}
WORDS = {"status", "applicability", "kind", "variant", "method", "verdict", "engine", "limiter", "overlap", "mark", "unit", "source"}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    assert not list(check_reports.problems(report, known))
    tried, missed = 0, []

    def attempt(what, change, path):
        nonlocal tried
        spoilt = copy.deepcopy(report)
        change(at(spoilt, path))
        tried += 1
        if not list(check_reports.problems(spoilt, known)):
            missed.append("%s in /%s" % (what, "/".join(map(str, path))))

    for path in places(report):
        attempt("one key too many", lambda o: o.update(nonsense=1), path)
        for key, value in at(report, path).items():
            if key not in OPTIONAL:
                attempt("no " + key, lambda o: o.pop(key), path)
            attempt("another kind of " + key, lambda o: o.update({key: [[1]] if not isinstance(value, list) else {"a": 1}}), path)
            if key in WORDS and isinstance(value, str):
                attempt("no word for " + key, lambda o: o.update({key: "nonsense"}), path)
            if isinstance(value, int) and not isinstance(value, bool):
                attempt("a negative " + key, lambda o: o.update({key: -1}), path)
    for line in missed:
        print("not found: " + line)
    if missed:
        sys.exit(1)
    print("all %d spoilt reports are found" % tried)


main()
