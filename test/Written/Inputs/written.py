"""What the tool writes for every kernel of the tests, as hashes: a change of the tool's insides leaves them as they are.

  written.py FOLDER variants.txt auto.txt [--part=K/N] -- TOOL...

The kernels are the .cu files under FOLDER (test/) and of examples/; a file for split-file is as many kernels as it has .cu files.
One line of variants.txt for each kernel for which any variant writes something: its name, and for each variant the beginning of the
SHA-256 of what is written, or `-`. One line of auto.txt for each kernel that auto changes: what auto chose for each tile loop, and
the hash. A kernel's own options are its comment `// options: ...`. The tool is called with the bundled declarations and without
running anything, so that the bytes are the same on every machine.

--part=K/N looks at each Nth kernel by its name's checksum, and at those lines only; with CPR_LONG=1 in the environment it means nothing.
With CPR_UPDATE_WRITTEN=1 the two files are written anew, or those lines of them; the commit says why a line changed.
"""
import concurrent.futures
import difflib
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Inputs"))
from outer_loops import without_outer

# The schedules, and the options that select them. A report names its files in the order of the command line, each once per schedule.
# What --variant=each looks at comes in this order.
RUNS = {("cp-async:2", "cp-async:3", "ldg", "ldg-single", "mixed"): ["--variant=each", "--stages=2,3"],
        ("auto",): ["--variant=auto"]}
VARIANTS = ["cp-async:2", "ldg", "ldg-single", "mixed", "cp-async:3"]
PARTS = re.compile(r"^//--- (\S+)\n", re.M)


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Kernel:
    def __init__(self, name, path, text):
        self.name, self.path = name, path
        found = re.search(r"^// options: (.*)$", text, re.M)
        # A number of stages is what the variants are told apart by.
        self.options = tuple(o for o in (found.group(1).split() if found else ()) if not o.startswith(("--stages=", "--variant=")))
        self.written, self.chosen = {}, []


def kernels_of(folder, work):
    """By name, the file that split-file would make."""
    top = os.path.dirname(os.path.abspath(folder))
    for root in (os.path.join(top, "examples"), os.path.join(top, "test")):
        for at, folders, files in os.walk(root):
            folders.sort()
            for file in sorted(f for f in files if f.endswith((".cu", ".test"))):
                path = os.path.join(at, file)
                name = os.path.relpath(path, top).replace(os.sep, "/").replace(" ", "%20")
                text = read(path).decode("utf-8", "surrogateescape")
                parts = PARTS.split(text)
                if len(parts) == 1 and file.endswith(".cu"):
                    yield Kernel(name, path, text)
                for part, body in zip(parts[1::2], parts[2::2]):
                    if part.endswith(".cu"):
                        # A folder for each file: parts include each other.
                        to = os.path.join(work, name, part)
                        yield Kernel(name + ":" + part, to, body)


def split(kernels, folder, work):
    top = os.path.dirname(os.path.abspath(folder))
    for name in sorted({k.name.split(":")[0] for k in kernels if ":" in k.name}):
        to = os.path.join(work, name)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        subprocess.run(["split-file", os.path.join(top, name.replace("%20", " ")), to], check=True)


def rewrite(tool, kernels, variants, out):
    os.makedirs(out)
    command = tool + RUNS[variants] + list(kernels[0].options) + ["--format=json", "--output-dir=" + out] + [k.path for k in kernels]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode not in (0, 1, 2, 3):
        sys.exit("written.py: exit %d: %s\n%s" % (result.returncode, " ".join(command), result.stderr.decode(errors="replace")))
    if result.returncode > 1:
        if len(kernels) > 1:  # one that cannot be read: then nothing is written for any
            for number, kernel in enumerate(kernels):
                rewrite(tool, [kernel], variants, os.path.join(out, str(number)))
        return
    files = json.loads(result.stdout)["files"]
    wanted = [(kernel, variant) for kernel in kernels for variant in variants]
    by_path = {}
    for kernel, variant in wanted:
        by_path.setdefault(os.path.realpath(kernel.path), []).append((kernel, variant))
    for file in files:
        of = by_path.get(os.path.realpath(file["path"]))
        if not of:
            continue  # a header that came along
        kernel, variant = of.pop(0)
        if variant == "auto":
            kernel.chosen = [l["variant"] + ":%d" % l["stages"] if l["status"] == "rewritten" else l["status"] for l in without_outer(file["loops"])]
        if file["output"]:
            # The first line says where such a file comes from.
            kernel.written[variant] = hashlib.sha256(read(file["output"]).split(b"\n", 1)[1]).hexdigest()[:12]


def compare(path, lines, names):
    if os.environ.get("CPR_UPDATE_WRITTEN"):
        with open(path, encoding="utf-8") as file:
            others = [] if names is None else [line for line in file if line.split(" ", 1)[0] not in names]
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(sorted(lines + others, key=lambda line: line.split(" ", 1)[0]))
    with open(path, encoding="utf-8") as file:
        known = [line for line in file if names is None or line.split(" ", 1)[0] in names]
    return "".join(difflib.unified_diff(known, lines, os.path.basename(path), "now", n=0))


def main():
    folder, variants_file, auto_file = sys.argv[1:4]
    options, tool = sys.argv[4:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    whole = not options or os.environ.get("CPR_LONG")
    part, of = (0, 1) if whole else map(int, options[0].split("=")[1].split("/"))
    with tempfile.TemporaryDirectory() as work:
        kernels = [k for k in kernels_of(folder, os.path.join(work, "in")) if zlib.crc32(k.name.encode()) % of == part]
        split(kernels, folder, os.path.join(work, "in"))
        alike = {}
        for kernel in kernels:
            alike.setdefault(kernel.options, []).append(kernel)
        jobs = [(group[at:at + 24], variants) for group in alike.values() for at in range(0, len(group), 24) for variants in RUNS]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda job: rewrite(tool, *job[1], os.path.join(work, "out-%d" % job[0])), enumerate(jobs)))
    kernels.sort(key=lambda k: k.name)
    # Few kernels have copies of both kinds.
    lines = ["%s %s\n" % (k.name, " ".join(v + " " + k.written.get(v, "-") for v in VARIANTS if v != "mixed" or v in k.written)) for k in kernels
             if any(v in k.written for v in VARIANTS)]
    auto = ["%s %s %s\n" % (k.name, "/".join(k.chosen), k.written["auto"]) for k in kernels if "auto" in k.written]
    names = None if whole else {k.name for k in kernels}
    wrong = compare(variants_file, lines, names) + compare(auto_file, auto, names)
    print("%d kernels, %d written by a variant, %d by auto" % (len(kernels), len(lines), len(auto)))
    if wrong:
        sys.exit(wrong)


if __name__ == "__main__":
    main()
