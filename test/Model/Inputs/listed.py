# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""listed.py REPORT.json FILE.cu: the loops of the report are those that the file marks `// listed: REASON`, each refused for REASON,
maybe among others, or `// listed: opportunity`; and no other is there."""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    loops = json.load(file)["files"][0]["loops"]
with open(sys.argv[2], encoding="utf-8") as file:
    marks = {n: m.group(1) for n, line in enumerate(file, 1) for m in [re.search(r"// listed: ([a-z-]+)", line)] if m}
found = {loop["line"]: (loop["status"], [r["id"] for r in loop["reasons"]]) for loop in loops}


def is_as_marked(loop, why):
    if loop is None:
        return False
    status, reasons = loop
    return status == "opportunity" if why == "opportunity" else status == "refused" and why in reasons


wrong = ["line %d: expected %s, got %s" % (n, why, found.get(n)) for n, why in marks.items()
         if not is_as_marked(found.get(n), why)]
wrong += ["line %d is listed: %s" % (n, found[n]) for n in found if n not in marks]
if wrong:
    sys.exit("\n".join(wrong))
