# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tool says of loops that experts have pipelined by hand, and of what looks like it.

    pipelined.py FOLDER TABLE -- TOOL...

Each kernel of FOLDER has one loop, and TABLE a line for it: its status, and for one that is pipelined already how. Those
whose names begin with no_ must not be said to be. CPR_UPDATE_PIPELINED=1 in the environment writes TABLE anew.
"""

import json
import os
import subprocess
import sys


def main():
    folder, table, tool = sys.argv[1], sys.argv[2], sys.argv[4:]
    names = sorted(n[:-3] for n in os.listdir(folder) if n.endswith(".cu"))
    files = [os.path.join(folder, n + ".cu") for n in names]
    run = subprocess.run(tool + ["check", "--exit-zero", "-q", "--format=json"] + files, stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit("the tool says {}".format(run.returncode))
    lines, bad = [], []
    for name, file in zip(names, json.loads(run.stdout)["files"]):
        loops = file["loops"]
        said = ["{}{}".format(l["status"], ": " + l["why"] if l["status"] == "already-pipelined" else "") for l in loops]
        lines.append("{}: {}".format(name, "; and ".join(said)))
        if len(loops) != 1 or (loops[0]["status"] == "already-pipelined") == name.startswith("no_"):
            bad.append(lines[-1])
    if bad:
        sys.exit("wrong:\n" + "\n".join(bad))
    if os.environ.get("CPR_UPDATE_PIPELINED"):
        with open(table, "w") as out:
            out.write("\n".join(lines) + "\n")
    with open(table) as file:
        known = file.read().splitlines()
    if known != lines:
        sys.exit("another table:\n" + "\n".join(l for l in lines if l not in known))


main()
