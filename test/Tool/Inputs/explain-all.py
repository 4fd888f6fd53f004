"""explain-all.py TOOL RULES.JSON: every reason has an explanation that names it."""

import json
import subprocess
import sys

with open(sys.argv[2], encoding="utf-8") as file:
    rules = json.load(file)
assert rules, "no reasons"
assert len({rule["id"] for rule in rules}) == len(rules), "an id is there twice"
text = subprocess.run(
    [sys.argv[1], "explain"] + [rule["id"] for rule in rules],
    check=True, capture_output=True, text=True,
).stdout
for rule in rules:
    assert 0 <= rule["rule"] <= 13, rule
    assert rule["message"] and rule["remedy"], rule
    assert "\n" + rule["id"] + " (" in "\n" + text, rule
