"""Says what is in a SARIF report, and applies the first fix of the first result: sarif.py REPORT INPUT EXPECTED"""
import json
import sys


def offset(text, line, column):
    return sum(len(part) + 1 for part in text.split("\n")[: line - 1]) + column - 1


with open(sys.argv[1], encoding="utf-8") as file:
    log = json.load(file)
assert log["version"] == "2.1.0" and "sarif-2.1.0" in log["$schema"]
(run,) = log["runs"]
rules = run["tool"]["driver"]["rules"]
print("rules: " + " ".join(rule["id"] for rule in rules))
for result in run["results"]:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] and result["partialFingerprints"]
    place = result["locations"][0]["physicalLocation"]
    region = place["region"]
    lines = "%d" % region["startLine"] + ("-%d" % region["endLine"] if "endLine" in region else "")
    print("%s %s %s:%s %d fixes: %s" % (result["ruleId"], result["level"], place["artifactLocation"]["uri"], lines,
                                        len(result.get("fixes", [])), result["message"]["text"]))
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    text = file.read()
(change,) = run["results"][0]["fixes"][0]["artifactChanges"]
for replacement in reversed(change["replacements"]):
    r = replacement["deletedRegion"]
    begin, end = offset(text, r["startLine"], r["startColumn"]), offset(text, r["endLine"], r["endColumn"])
    text = text[:begin] + replacement.get("insertedContent", {"text": ""})["text"] + text[end:]
with open(sys.argv[3], encoding="utf-8", newline="") as file:
    print("first fix: " + ("as the command line" if file.read() == text else "something else"))
