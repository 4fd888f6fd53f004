"""workflow.py WORKFLOW.yml SCRIPT: writes the script of the step `Check` to SCRIPT."""

import re
import sys
import textwrap

with open(sys.argv[1], encoding="utf-8") as file:
    step = re.search(r"^      - name: Check\n        run: \|\n((?:          .*\n|\n)+)", file.read(), flags=re.M)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(textwrap.dedent(step.group(1)))
