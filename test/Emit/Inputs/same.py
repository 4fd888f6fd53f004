"""Runs a kernel and its rewritten versions on the host, on the same data: they must print the same.

  same.py FOLDER [--variants=ldg,ldg-single,cp-async:2,...] [--not=...] -- TOOL...

FOLDER holds kernel.cu and drive.h, which defines `void drive()` in terms of host.h. A variant may
refuse some loops, but not all of them. Every variant is compiled in a namespace of its own.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

ALL = "ldg,ldg-single,cp-async:2,cp-async:3,cp-async:4"


def main():
    dash = sys.argv.index("--")
    tool = sys.argv[dash + 1:]
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--variants", default=ALL)
    parser.add_argument("--loops", default="", help="loops that are not rewritten, by variant: ldg=1,cp-async:3=1")
    args = parser.parse_args(sys.argv[1:dash])
    here = os.path.dirname(os.path.abspath(__file__))
    kernel = os.path.join(args.folder, "kernel.cu")
    refused = dict(part.split("=") for part in args.loops.split(",") if part)

    files = [("original", kernel)]
    for variant in args.variants.split(","):
        name, _, stages = variant.partition(":")
        out = os.path.join(args.folder, variant.replace(":", "") + ".out.cu")
        command = tool + ["--variant=" + name, "-o", out, kernel]
        if stages:
            command.append("--stages=" + stages)
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                universal_newlines=True)
        wanted = int(refused.get(variant, refused.get(name, 0)))
        if result.returncode != (1 if wanted else 0) or ", %d refused" % wanted not in result.stdout:
            sys.exit("%s: exit %d, expected %d refused\n%s%s" %
                     (variant, result.returncode, wanted, result.stdout, result.stderr))
        # No instruction on a GPU; the host has other letters for its registers.
        with open(out) as file:
            text = re.sub(r'asm volatile\("" : [^;]*\);', ";", file.read())
        with open(out + ".host.cu", "w") as file:
            file.write(text)
        files.append((variant, out + ".host.cu"))

    # The headers that a kernel names are all host.h here.
    for header in ("cuda_pipeline.h", "cuda_pipeline_primitives.h", "cuda_runtime.h"):
        open(os.path.join(args.folder, header), "w").close()
    text = '#include "host.h"\n'
    for number, (_, path) in enumerate(files):
        text += 'namespace v%d {\n#include "%s"\n#include "drive.h"\n}\n' % (number, path)
    text += "int main(int argc, char **argv) {\n  void (*drives[])() = {%s};\n" % \
        ", ".join("v%d::drive" % n for n in range(len(files)))
    text += "  for (int seed = 1; seed <= 2; ++seed) {\n    Values.seed(seed);\n" \
        "    Order.seed(seed);\n    drives[atoi(argv[1])]();\n  }\n}\n"
    source, program = os.path.join(args.folder, "main.cpp"), os.path.join(args.folder, "main")
    with open(source, "w") as file:
        file.write(text)
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    subprocess.check_call([compiler, "-std=c++17", "-O1", "-w", "-ffp-contract=off", "-I", here,
                           "-I", args.folder, "-o", program, source])

    def run(number):
        result = subprocess.run([program, str(number)], stdout=subprocess.PIPE,
                                universal_newlines=True)
        return result.stdout + ("" if result.returncode == 0 else "exit %d\n" % result.returncode)

    expected = run(0)
    if "FAIL" in expected or "exit" in expected or not expected:
        sys.exit("the original does not run:\n" + expected)
    bad = False
    for number, (variant, _) in enumerate(files[1:], 1):
        got = run(number)
        if got == expected:
            print("%s: the same" % variant)
            continue
        bad = True
        want, have = expected.splitlines(), got.splitlines()
        print("%s: DIFFERENT in %s" % (variant, sorted({w.split()[0] for w, h in zip(want, have) if w != h})))
        print("\n".join(sorted({line for line in have if "FAIL" in line or "exit" in line})))
    sys.exit(bad)


main()
