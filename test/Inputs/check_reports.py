# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JSON reports against docs/schema:  check_reports.py SCHEMAS FILE...

Which schema is meant is seen from the report: `files` (rewrite, check), `engine` (verify), `command` (bench), a list (rules). The
test suite does it with all that its tests write (lit.cfg.py). A file FILE.from says where FILE comes from."""

import json
import os
import sys


def validators(folder):
    from jsonschema import Draft202012Validator

    found = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".schema.json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                schema = json.load(file)
            Draft202012Validator.check_schema(schema)
            found[name.split(".")[0]] = Draft202012Validator(schema)
    return found


def kind_of(report):
    if isinstance(report, list):
        return "rules"
    if not isinstance(report, dict):
        return None
    return "report" if "files" in report else "verify" if "engine" in report else report.get("command")


def innermost(error):
    """Of what a choice of schemas says, the part that is about the one that was meant."""
    while error.context:
        error = max(error.context, key=lambda e: len(e.absolute_path))
    return error


def problems(report, known, inside=""):
    kind = kind_of(report)
    if kind not in known:
        if kind != "bench":  # its schema comes with it
            yield "%sno report: neither 'files' nor 'engine' nor a list" % inside
        return
    for error in known[kind].iter_errors(report):
        error = innermost(error)
        yield "%s%s: %s" % (inside, "/".join(map(str, error.absolute_path)), error.message[:300])
    if kind == "report":
        for i, part in enumerate((report.get("verify") or {}).get("files", [])):
            yield from problems(part, known, "verify/files/%d/" % i)
        if report.get("bench"):
            yield from problems(report["bench"], known, "bench/")


def check(paths, folder):
    """Lines about what is wrong, and how many reports there were."""
    known = validators(folder)
    wrong, seen = [], {}
    for path in paths:
        with open(path, "rb") as file:
            text = file.read()
        if text in seen:
            continue
        seen[text] = True
        try:
            found = list(problems(json.loads(text.decode("utf-8")), known))
        except ValueError as error:
            found = ["no JSON: %s" % error]
        where = path
        if found and os.path.exists(path + ".from"):
            with open(path + ".from", encoding="utf-8", errors="replace") as file:
                where = file.read().strip()
        wrong += ["%s: %s" % (where, line) for line in found]
    return wrong, len(seen)


def main():
    wrong, count = check(sys.argv[2:], sys.argv[1])
    for line in wrong:
        print(line)
    print("%d of these reports by their schema" % count if not wrong else "%d violations" % len(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
