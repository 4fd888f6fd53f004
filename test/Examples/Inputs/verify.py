"""Verifies every example under every variant in the emulator.

    verify.py TOOL EXAMPLES

int8 has no cp-async: single bytes cannot be copied asynchronously.
"""

import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

VARIANTS = [("ldg", []), ("ldg-single", [])] + [("cp-async", [f"--stages={n}"]) for n in (2, 3, 4)]


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    return result.returncode, result.stdout


def one(job):
    tool, example, variant, options, folder = job
    name = os.path.splitext(os.path.basename(example))[0]
    title = f"{name} {variant}{''.join(options)}"
    output = os.path.join(folder, title.replace(" ", ".") + ".cu")
    code, text = run([tool, "--cuda-path=none", example, "--variant=" + variant, "-o", output, *options])
    if code != 0:
        return f"{title}: not rewritten\n{text}"
    launch = os.path.splitext(example)[0] + ".yaml"
    code, text = run([tool, "--cuda-path=none", "verify", example, output, "--launch=" + launch,
                      "--seed=3", "--runs=3", "--timeout=600"])
    cases = text.count("  pass  ")
    return f"{title}: {cases} cases pass" if code == 0 else f"{title}: exit {code}\n{text}"


def main():
    tool, examples = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        jobs = [
            (tool, example, variant, options, folder)
            for example in sorted(glob.glob(os.path.join(examples, "*.cu")))
            for variant, options in VARIANTS
            if variant != "cp-async" or not os.path.basename(example).startswith("igemm")
        ]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for line in pool.map(one, jobs):
                print(line)


main()
