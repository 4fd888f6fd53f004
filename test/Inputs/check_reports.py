# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JSON reports against docs/schema:  check_reports.py SCHEMAS FILE...

Which schema is meant is seen from the report: `files` (rewrite, check), `engine` (verify), `command` (bench), a list (rules). The
test suite does it with all that its tests write (lit.cfg.py). A file FILE.from says where FILE comes from."""

import json
import os
import sys


def closed(schema):
    """The same schema, by which a key that is not described is wrong: who reads reports is to bear new keys, who writes them is not to
    misspell one."""
    if isinstance(schema, list):
        return [closed(value) for value in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: closed(value) for key, value in schema.items()}
    # Parts of a condition describe only what they ask about.
    if isinstance(schema.get("properties"), dict) and "type" in schema and "additionalProperties" not in schema:
        out["additionalProperties"] = False
    return out


def validators(folder):
    from jsonschema import Draft202012Validator

    schemas = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".schema.json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                schema = json.load(file)
            Draft202012Validator.check_schema(schema)
            schemas[name] = closed(schema)
    # They refer to each other by name.
    try:
        from referencing import Registry, Resource
        from referencing.jsonschema import DRAFT202012

        registry = Registry().with_resources((name, Resource(schema, DRAFT202012)) for name, schema in schemas.items())
        arguments = {name: {"registry": registry} for name in schemas}
    except ImportError:  # jsonschema before 4.18
        from jsonschema.validators import RefResolver

        arguments = {name: {"resolver": RefResolver(name, schema, store=schemas)} for name, schema in schemas.items()}
    return {name.split(".")[0]: Draft202012Validator(schema, **arguments[name]) for name, schema in schemas.items()}


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


def problems(report, known):
    kind = kind_of(report)
    if kind not in known:
        yield "no report: neither 'files' nor 'engine' nor a list"
        return
    for error in known[kind].iter_errors(report):
        error = innermost(error)
        yield "%s: %s" % ("/".join(map(str, error.absolute_path)), error.message[:300])


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
