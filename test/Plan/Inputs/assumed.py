# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts each compute phase of a file's last lines in the place of `// COMPUTE`, and looks at what is assumed.

    assumed.py FILE.cu TOOL...
"""

import json
import re
import subprocess
import sys
import tempfile

path, tool = sys.argv[1], sys.argv[2:]
with open(path) as file:
    text = file.read()
cases = re.findall(r"^// (contraction|none): (.*)$", text, flags=re.M)
assert len(cases) > 10
wrong = 0
with tempfile.TemporaryDirectory() as folder:
    for expected, compute in cases:
        name = folder + "/case.cu"
        with open(name, "w") as file:
            file.write(text.replace("// COMPUTE", compute))
        run = subprocess.run(tool + ["check", name, "--variant=ldg-single", "--block-size=64", "--exit-zero",
                                     "--format=json"], stdout=subprocess.PIPE, universal_newlines=True)
        loop = json.loads(run.stdout)["files"][0]["loops"][0]
        assert loop["status"] == "opportunity", (compute, loop)
        if ("contraction" in loop["assumptions"]) != (expected == "contraction"):
            print("expected {}: {}".format(expected, compute))
            wrong += 1
sys.exit(wrong != 0)
