"""Verifies every example under every variant in the emulator.

    verify.py TOOL EXAMPLES FOLDER

FOLDER has what was made of them (table.py): EXAMPLE.VARIANT.STAGES.cu. All of them are run as one file, each in a namespace of its own:
reading what they include takes longer than the rest. What does not pass so is run by itself, so that it is named.
"""

import glob
import json
import os
import re
import subprocess
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def in_one_file(path, texts):
    includes = sorted({line for text in texts for line in re.findall(r"^#include .*", text, re.M)})
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(includes) + "\n")
        for n, text in enumerate(texts):
            file.write("namespace v%d {\n%s\n}\n" % (n, re.sub(r"^#include .*", "", text, flags=re.M)))


def main():
    tool, examples, folder = sys.argv[1:]
    names, files, pairs = [], [], os.path.join(folder, "pairs")
    for path in sorted(glob.glob(os.path.join(folder, "*.*.*.cu"))):
        example, variant, stages, _ = os.path.basename(path).split(".")
        names.append("%s %s %s" % (example, variant, stages))
        example = os.path.join(examples, example)
        files.append((example + ".cu", path, example + ".yaml"))
    old, new, launch = (os.path.join(folder, name) for name in ("old.cu", "new.cu", "launch.yaml"))
    in_one_file(old, [read(f[0]) for f in files])
    in_one_file(new, [read(f[1]) for f in files])
    with open(launch, "w", encoding="utf-8") as file:
        file.write("---\n".join(re.sub(r"^kernel: ", "kernel: v%d::" % n, read(f[2]), flags=re.M) for n, f in enumerate(files)))
    result = subprocess.run([tool, "--cuda-path=none", "verify", old, new, "--launch=" + launch, "--format=json", "--seed=3", "--runs=2",
                             "--timeout=600", "--all-data=off"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    if result.returncode == 0:
        verdicts = [[] for _ in names]
        for case in json.loads(result.stdout)["cases"]:
            verdicts[int(re.match(r"v(\d+)::", case["kernel"]).group(1))].append(case["verdict"])
        for name, of in zip(names, verdicts):
            print("%s: %d cases %s" % (name, len(of), "/".join(sorted(set(of)))))
        return
    with open(pairs, "w", encoding="utf-8") as file:
        file.writelines("'%s' '%s' '%s'\n" % three for three in files)
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
