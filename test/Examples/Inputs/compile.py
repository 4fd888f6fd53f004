"""nvcc compiles what the tool writes, and says nothing new.

    compile.py examples EXAMPLES FOLDER NVCC      all that table.py has made of the examples
    compile.py emit EMIT FOLDER NVCC -- TOOL...   every kernel of test/Emit in one of the variants, in turn

From PTX to machine code is cheap; from C++ to PTX is not, so one PTX serves several GPUs, and the examples that are for
the same ones are compiled as one file, in namespaces of their own. What nvcc has something to say of is compiled by itself.
"""

import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

# What PTX is made of and assembled for.
AMPERE, HOPPER, TURING = "80:80,86", "90:90", "75:75"
GPUS = {("ldg", 2): (TURING, AMPERE, HOPPER), ("ldg-single", 1): (TURING, AMPERE, HOPPER), ("cp-async", 3): (AMPERE, HOPPER),
        ("cp-async", 2): ("80:80,86,90",), ("mixed", 2): (AMPERE, HOPPER), ("cp-async", 4): ("80:80,86,90",)}


def run(command, folder):
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            universal_newlines=True)
    return result.returncode, result.stdout


def read(path):
    with open(path) as file:
        return file.read()


def nvcc(compiler, gpus, folder, source):
    """Status, text, and the messages of compiling `source`, without their places."""
    os.makedirs(folder)
    with open(os.path.join(folder, "kernel.cu"), "w") as file:
        file.write(source)
    command = [compiler, "-fatbin", "-o", "out.fatbin", "kernel.cu"]
    for gpu in gpus:
        virtual, real = gpu.split(":")
        command += ["-gencode", "arch=compute_%s,code=[%s]" %
                    (virtual, ",".join("sm_" + r for r in real.split(",")))]
    code, text = run(command, folder)
    lines = [re.sub(r"\(\d+\)|line \d+|:\d+:\d+", "", l) for l in text.splitlines()
             if "warning" in l or "error" in l]
    return code, text, collections.Counter(lines)


def check(name, original, written, gpus, folder, compiler):
    """Empty, or what is wrong with this cell of the table."""
    after = os.path.join(folder, name)
    code, text, messages = nvcc(compiler, gpus, after, written)
    if code == 0 and not text.strip():
        return ""
    code_before, _, known = nvcc(compiler, gpus, after + ".original", original)
    if code_before:
        return name + ": the original does not compile either"
    if code or messages - known:
        return "%s: nvcc exit %d\n%s" % (name, code, text)
    return ""


def in_namespaces(texts):
    includes = sorted({line for text in texts for line in re.findall(r"^#include .*", text, re.M)})
    return "\n".join(includes + ["namespace v%d {\n%s}" % (n, re.sub(r"^#include .*", "", text, flags=re.M))
                                 for n, text in enumerate(texts)]) + "\n"


def of_examples(examples, written, compiler, folder):
    """Lists of what is wrong, one for each sort of GPUs."""
    # With the same includes: none of them gets what it does not ask for.
    alike = collections.defaultdict(list)
    for path in sorted(glob.glob(os.path.join(written, "*.*.*.cu"))):
        example, variant, stages, _ = os.path.basename(path).split(".")
        text = read(path)
        includes = frozenset(re.findall(r"^#include .*", text, re.M))
        alike[GPUS[variant, int(stages)], includes].append((os.path.basename(path), read(os.path.join(examples, example + ".cu")), text))

    def compile_all(job):
        number, (gpus, _), cells = job
        code, text, _ = nvcc(compiler, gpus, os.path.join(folder, "all-%d" % number), in_namespaces([t for _, _, t in cells]))
        if code == 0 and not text.strip():
            return []
        return [check(*cell, gpus, folder, compiler) for cell in cells]
    count = sum(map(len, alike.values()))
    if count < 27:
        sys.exit("only %d things to compile" % count)
    return compile_all, [(n, *item) for n, item in enumerate(alike.items())]


def of_emit(emit, tool, compiler, folder):
    jobs = []
    for number, path in enumerate(sorted(glob.glob(os.path.join(emit, "*.cu")))):
        parts = read(path).split("//--- kernel.cu\n")
        if len(parts) < 2:
            continue  # several files: text is what it is about
        jobs.append((os.path.basename(path), parts[1].split("//--- drive.h\n")[0], *list(GPUS)[number % 4]))
    if len(jobs) < 10:
        sys.exit("only %d things to compile" % len(jobs))

    def rewrite_and_compile(job):
        name, source, variant, stages = job
        before, after = (os.path.join(folder, name + end) for end in (".before.cu", ".after.cu"))
        with open(before, "w") as file:
            file.write(source)
        # Such a kernel may have one loop that this variant refuses (exit 1).
        command = tool + ["--variant=" + variant, "-o", after, before] + ["--stages=%d" % stages] * (variant == "cp-async")
        code, text = run(command, folder)
        if code not in (0, 1) or not re.search(r"\b[1-9]\d* (?:loops? )?rewritten", text):
            return ["%s: exit %d\n%s" % (name, code, text)]
        return [check(name, source, read(after), ["80:80"], folder, compiler)]
    return rewrite_and_compile, jobs


def main():
    words = sys.argv[1:] + ["--"] * ("--" not in sys.argv)
    dash = words.index("--")
    kind, of, folder, compiler = words[:dash]
    own = os.path.join(folder, "nvcc")
    os.makedirs(own)
    work, jobs = of_examples(of, folder, compiler, own) if kind == "examples" else of_emit(of, words[dash + 1:], compiler, own)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = [b for some in pool.map(work, jobs) for b in some if b]
    sys.exit("\n".join(bad) or 0)


main()
