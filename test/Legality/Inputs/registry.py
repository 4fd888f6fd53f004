"""Fails when a reason of the registry has no test of its own, or a test names none of the registry's.

  registry.py REASONS.json FOLDER

A test of a reason is a file that legality.py runs, with a mark `// refused: ID`, a twin good.cu that differs in one place
(no --hunks, no --no-twin) and that is verified (no --unverified).
"""

import json
import os
import re
import sys

# By nature without such a twin: why, and the test that stands in for it.
EXCEPTIONS = {
    "other-file": ("the loop is in a second file; the twin is the same file, named on the command line", "form-other-file.test"),
}

with open(sys.argv[1]) as file:
    data = json.load(file)
rules = data["rules"] if isinstance(data, dict) and "rules" in data else data
ids = {r["id"] for r in rules}
tested, wrong = {}, []
for folder, _, names in os.walk(sys.argv[2]):
    if os.path.basename(folder) == "Inputs":
        continue
    for name in names:
        with open(os.path.join(folder, name)) as file:
            text = file.read()
        for reason in set(re.findall(r"// refused(?: in line \d+)?: ([a-z-]+)", text)):
            if reason not in ids:
                wrong.append("%s: there is no reason '%s'" % (name, reason))
            runs = [l for l in re.findall(r"RUN: (.*)", text) if "legality.py" in l]
            if any(not re.search(r"--(hunks|no-twin|unverified)", r) for r in runs) and "--- good.cu" in text:
                tested.setdefault(reason, []).append(name)
for reason in sorted(ids):
    if reason in EXCEPTIONS:
        if not os.path.exists(os.path.join(sys.argv[2], EXCEPTIONS[reason][1])):
            wrong.append("the test of '%s' is gone: %s" % (reason, EXCEPTIONS[reason][1]))
        if reason in tested:
            wrong.append("'%s' has a twin after all: %s" % (reason, tested[reason]))
    elif reason not in tested:
        wrong.append("no test provokes '%s' alone, with a twin that differs in one place and is rewritten" % reason)
if wrong:
    sys.exit("\n".join(wrong))
print("%d reasons, %d by a pair that differs in one place" % (len(ids), len(tested)))
