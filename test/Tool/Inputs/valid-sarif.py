"""valid-sarif.py SCHEMA REPORT: against the standard's own schema."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    report = json.load(file)
errors = sorted(jsonschema.Draft4Validator(schema).iter_errors(report), key=str)
for error in errors:
    print("/".join(map(str, error.absolute_path)) + ": " + error.message)
print("valid" if not errors else "not valid")
sys.exit(bool(errors))
