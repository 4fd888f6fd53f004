"""compile.py EXAMPLES EMIT OUT NVCC -- TOOL...: nvcc compiles what the tool writes, and says nothing new.

Every example in every variant, and every kernel of test/Emit in one of the variants, in turn. From
PTX to machine code is cheap; from C++ to PTX is not, so one PTX serves several GPUs.
"""

import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

EXAMPLES = ["conv1d", "hgemm_wmma", "igemm_wmma", "nbody", "sgemm_float4", "sgemm_tile"]
# Variant, stages, and what PTX is made of and assembled for.
AMPERE, HOPPER, TURING = "80:80,86", "90:90", "75:75"
VARIANTS = [("ldg", None, [TURING, AMPERE, HOPPER]),
            ("ldg-single", None, [TURING, AMPERE, HOPPER]),
            ("cp-async", 3, [AMPERE, HOPPER]),
            ("cp-async", 2, ["80:80,86,90"]),
            ("cp-async", 4, ["80:80,86,90"])]


def run(command, folder):
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            universal_newlines=True)
    return result.returncode, result.stdout


def nvcc(compiler, gpus, folder):
    """Status, text, and the messages of compiling kernel.cu, without their places."""
    command = [compiler, "-fatbin", "-o", "out.fatbin", "kernel.cu"]
    for gpu in gpus:
        virtual, real = gpu.split(":")
        command += ["-gencode", "arch=compute_%s,code=[%s]" %
                    (virtual, ",".join("sm_" + r for r in real.split(",")))]
    code, text = run(command, folder)
    lines = [re.sub(r"\(\d+\)|line \d+|:\d+:\d+", "", l) for l in text.splitlines()
             if "warning" in l or "error" in l]
    return code, text, collections.Counter(lines)


def check(name, source, variant, stages, gpus, folder, compiler, tool):
    """Empty, or what is wrong with this cell of the table."""
    after = os.path.join(folder, name)
    before = os.path.join(folder, name + ".original")
    os.mkdir(after)
    os.mkdir(before)
    with open(os.path.join(before, "kernel.cu"), "w") as file:
        file.write(source)
    # A kernel of test/Emit may have one loop that this variant refuses (exit 1).
    command = tool + ["--variant=" + variant, "-o", os.path.join(after, "kernel.cu"),
                      os.path.join(before, "kernel.cu")]
    if stages:
        command.append("--stages=%d" % stages)
    code, text = run(command, folder)
    if code not in (0, 1) or not re.search(r"\b[1-9]\d* (?:loops? )?rewritten", text):
        return "%s: exit %d\n%s" % (name, code, text)
    code, text, messages = nvcc(compiler, gpus, after)
    if code == 0 and not text.strip():
        return ""
    code_before, _, known = nvcc(compiler, gpus, before)
    if code_before:
        return name + ": the original does not compile either"
    if code or messages - known:
        return "%s: nvcc exit %d\n%s" % (name, code, text)
    return ""


def main():
    dash = sys.argv.index("--")
    examples, emit, folder, compiler = sys.argv[1:dash]
    tool = sys.argv[dash + 1:]
    jobs = []
    for example in EXAMPLES:
        with open(os.path.join(examples, example + ".cu")) as file:
            source = file.read()
        for variant, stages, gpus in VARIANTS:
            # Copies of one byte are none for cp.async (table.test).
            if (example, variant) != ("igemm_wmma", "cp-async"):
                name = "%s.%s%s" % (example, variant, stages or "")
                jobs.append((name, source, variant, stages, gpus))
    for number, path in enumerate(sorted(glob.glob(os.path.join(emit, "*.cu")))):
        with open(path) as file:
            parts = file.read().split("//--- kernel.cu\n")
        if len(parts) < 2:
            continue  # several files: text is what it is about
        source = parts[1].split("//--- drive.h\n")[0]
        variant, stages, _ = VARIANTS[number % 4]
        jobs.append(("emit." + os.path.basename(path), source, variant, stages, ["80:80"]))
    if len(jobs) < 27 + 10:
        sys.exit("only %d things to compile" % len(jobs))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = list(pool.map(lambda job: check(*job, folder, compiler, tool), jobs))
    sys.exit("\n".join(b for b in bad if b) or 0)


main()
