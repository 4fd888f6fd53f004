"""Verifies every example under every variant in the emulator.

    verify.py TOOL EXAMPLES FOLDER

FOLDER has what was made of them (table.py): EXAMPLE.VARIANT.STAGES.cu.
"""

import glob
import json
import os
import subprocess
import sys


def main():
    tool, examples, folder = sys.argv[1:]
    names, pairs = [], os.path.join(folder, "pairs")
    with open(pairs, "w", encoding="utf-8") as file:
        for path in sorted(glob.glob(os.path.join(folder, "*.*.*.cu"))):
            example, variant, stages, _ = os.path.basename(path).split(".")
            names.append("%s %s %s" % (example, variant, stages))
            example = os.path.join(examples, example)
            file.write("'%s.cu' '%s' '%s.yaml'\n" % (example, path, example))
    report = pairs + ".json"
    result = subprocess.run([tool, "--cuda-path=none", "verify", "--batch=" + pairs, "--report=" + report, "-j%d" % os.cpu_count(),
                             "--seed=3", "--runs=2", "--timeout=600", "--all-data=off"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    if result.returncode:
        sys.exit(result.stdout)
    with open(report, encoding="utf-8") as file:
        for name, run in zip(names, json.load(file)["runs"]):
            verdicts = [case["verdict"] for case in run["report"]["cases"]]
            print("%s: %d cases %s" % (name, len(verdicts), "/".join(sorted(set(verdicts)))))


main()
