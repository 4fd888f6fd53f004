"""compile.py EMIT OUT NVCC -- TOOL...: compiles the rewritten kernels of test/Emit with nvcc."""

import glob
import os
import subprocess
import sys


def main():
    dash = sys.argv.index("--")
    emit, folder, nvcc = sys.argv[1:dash]
    tool = sys.argv[dash + 1:]
    bad = []
    variants = [("ldg", "2"), ("cp-async", "3"), ("ldg-single", "auto"), ("cp-async", "2")]
    for number, test in enumerate(sorted(glob.glob(os.path.join(emit, "*.cu")))):
        with open(test) as file:
            text = file.read().split("//--- kernel.cu\n")[1].split("//--- drive.h\n")[0]
        kernel = os.path.join(folder, os.path.basename(test))
        with open(kernel, "w") as file:
            file.write(text)

        def compile(path):
            result = subprocess.run([nvcc, "-arch=sm_80", "-cubin", "-o", path + "bin", path],
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
            return result.returncode, result.stdout

        # One variant of each file, in turn: nvcc is slow.
        variant, stages = variants[number % len(variants)]
        out = os.path.join(folder, "out-" + os.path.basename(test))
        options = ["--variant=" + variant] + (["--stages=" + stages] if variant == "cp-async" else [])
        subprocess.run(tool + options + ["--exit-zero", "-o", out, kernel],
                       stdout=subprocess.DEVNULL, check=True)
        code, log = compile(out)
        if code or log.strip():
            before = compile(kernel)[1]
            if code or log.count("warning") > before.count("warning"):
                bad.append("%s, %s:\n%s" % (os.path.basename(test), variant, log))
    sys.exit("\n".join(bad) or 0)


main()
