"""Kernels in each of which something is easily overlooked: they are refused, or what is written is right.

  traps.py FOLDER EXPECTED [--sample] -- TOOL...

Every FOLDER/*.cu is rewritten by each variant, and what is written is run in the emulator against the kernel. A comment
`// options: ...` has further options, the comment `/* launch ... */` how the kernel is launched. Where a kernel has
comments for FileCheck (`// LDG:`, `// SINGLE:`, `// ASYNC:`), what is written is checked against them. A comment
`/* elsewhere ... */` has code that the tool does not see (another instantiation): it stands behind the kernel, and behind what
is written, where they are run; what is written may also refuse it by a static_assert. One line per kernel is
compared with the file EXPECTED: the name, and for each variant the reasons, or that it was rewritten. With
CPR_UPDATE_TRAPS=1 in the environment EXPECTED is written anew, unless something came out wrong.

Of the two numbers of stages of cp-async one is run, by the kernel's name, and with --sample two of the three variants are. With
CPR_LONG=1 in the environment all of it is.
"""
import concurrent.futures
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

VARIANTS = {"cp-async:2": ["--variant=cp-async", "--stages=2"], "cp-async:3": ["--variant=cp-async", "--stages=3"],
            "ldg": ["--variant=ldg"], "ldg-single": ["--variant=ldg-single"]}


PREFIXES = {"cp-async:2": "ASYNC", "ldg": "LDG", "ldg-single": "SINGLE"}
CHECKS = re.compile(r"^ *// *(ASYNC|LDG|SINGLE)(-[A-Z]+)?:.*\n", re.M)


def call(command, text=None):
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def is_run(name, variant, sample):
    """Most of the time goes into these runs."""
    number = zlib.crc32(name.encode())
    spared = ["cp-async:%d" % (2 + number % 2)]
    if sample:
        spared.append(("ldg", "ldg-single", "cp-async:%d" % (3 - number % 2))[number // 2 % 3])
    return variant not in spared or bool(os.environ.get("CPR_LONG"))


def check_text(path, text, variant, out):
    """What FileCheck objects to in the file that was written."""
    prefix = PREFIXES.get(variant)
    if not prefix or not any(m.group(1) == prefix for m in CHECKS.finditer(text)):
        return ""
    with open(out, encoding="utf-8", errors="surrogateescape", newline="") as file:
        written = CHECKS.sub("", file.read())
    return call(["FileCheck", path, "--check-prefix=" + prefix, "--input-file=-"], written).stderr


def append(path, text, to):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        before = file.read()
    with open(to, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(before + text)
    return to


def asserted_elsewhere(errors, lines):
    """Nothing is wrong but static_asserts, each for what stands behind the first `lines` lines."""
    wrong = [e for e in errors.split("error: ")[1:] if not re.search(r"does not compile for emulation", e)]
    places = []
    for e in wrong:  # where it is instantiated is said once
        places.append(re.findall(r"\.elsewhere\.cu:(\d+):\d+: note: in instantiation", e) or places[-1:] and places[-1])
    return bool(wrong) and all(e.startswith("static assertion failed") and any(int(n) > lines for n in at)
                               for e, at in zip(wrong, places))


def passes(code, output):
    """The launches that are described pass. Other kernels of the file, other instances of a template, may have changed as well."""
    if code not in (0, 4):
        return False
    doubts = [line for line in output.splitlines() if "cannot tell" in line and not line.startswith("== ")]
    return re.search(r"^[0-9]+ cases? .*: [1-9][0-9]* passed, 0 failed$", output, re.M) and \
        all("not run, because no launch of it is described" in line for line in doubts)


class Kernel:
    """One of the folder: what became of it."""

    def __init__(self, tool, folder, name, work):
        self.tool, self.name, self.work = tool, name, work
        self.path = os.path.join(folder, name + ".cu")
        with open(self.path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            self.text = file.read()
        options = re.search(r"^// options: (.*)$", self.text, re.M)
        self.options = options.group(1).split() if options else []
        self.extra = [o for o in self.options if o.startswith("--extra-arg=")]
        self.launch = os.path.join(work, name + ".yaml")
        with open(self.launch, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(re.search(r"^/\* launch\n(.*?)^\*/", self.text, re.M | re.S).group(1))
        elsewhere = re.search(r"^/\* elsewhere\n(.*?)^\*/", self.text, re.M | re.S)
        self.elsewhere = elsewhere.group(1) if elsewhere else None
        self.became = {}      # by variant
        self.wrong = []
        self.to_run = []      # variant, file; those that can be run together with others

    def line(self):
        return self.name + ":" + "".join(" %s %s" % item for item in self.became.items())

    def look_at(self, sample):
        for variant, selected in VARIANTS.items():
            out = os.path.join(self.work, "%s.%s.cu" % (self.name, variant.replace(":", "-")))
            # The ldg variants have a number of buffers of their own.
            here = [o for o in self.options if "ldg" not in variant or not o.startswith("--stages=")]
            result = call(self.tool + selected + here + ["--format=json", "-o", out, self.path])
            if result.returncode not in (0, 1):
                self.wrong.append("%s, %s: exit %d\n%s" % (self.name, variant, result.returncode, result.stderr))
                continue
            loops = json.loads(result.stdout)["files"][0]["loops"]
            reasons = sorted({r["id"] for l in loops for r in l["reasons"] if l["status"] == "refused"})
            self.became[variant] = "+".join(reasons) or "/".join(l["status"] for l in loops) or "no-loop"
            if not any(l["status"] == "rewritten" for l in loops):
                continue
            objections = check_text(self.path, self.text, variant, out)
            if objections:
                self.wrong.append("%s, %s:\n%s" % (self.name, variant, objections))
            if self.elsewhere:
                self.run_with_elsewhere(variant, out)
            elif is_run(self.name, variant, sample):
                self.to_run.append((variant, out))
        return self

    def run_with_elsewhere(self, variant, out):
        original = append(self.path, self.elsewhere, os.path.join(self.work, self.name + ".cu"))
        plain = len(open(out, encoding="utf-8", errors="surrogateescape", newline="").readlines())
        out = append(out, self.elsewhere, out[:-3] + ".elsewhere.cu")
        result = call(self.tool + ["verify", original, out, "--launch=" + self.launch] + self.extra)
        if result.returncode == 3 and asserted_elsewhere(result.stderr, plain):
            self.became[variant] += "+asserted"
        else:
            self.judge(variant, result.returncode, result.stdout, result.stderr)

    def judge(self, variant, code, output, errors):
        if not passes(code, output):
            self.wrong.append("%s, %s: exit %d\n%s%s" % (self.name, variant, code, output, errors))


def run_all(tool, kernels, work):
    """Together: each old file is compiled once."""
    for extra in sorted({tuple(k.extra) for k in kernels}):
        pairs = [(k, variant, out) for k in kernels if tuple(k.extra) == extra for variant, out in k.to_run]
        if not pairs:
            continue
        batch = os.path.join(work, "batch")
        with open(batch, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines("'%s' '%s' '%s'\n" % (k.path, out, k.launch) for k, variant, out in pairs)
        result = call(tool + ["verify", "--batch=" + batch, "-j%d" % os.cpu_count(), "-v", "--report=" + batch + ".json"] + list(extra))
        # One text for each, in the order of the list.
        texts = re.split(r"^== .*\n", result.stdout, flags=re.M)[1:]
        if len(texts) != len(pairs):
            sys.exit("verify --batch: exit %d\n%s%s" % (result.returncode, result.stdout, result.stderr))
        with open(batch + ".json", encoding="utf-8") as file:
            runs = json.load(file)["runs"]
        for (kernel, variant, _), text, run in zip(pairs, texts, runs):
            kernel.judge(variant, run["exit"], text, result.stderr if run["report"] is None else "")


def main():
    folder, expected = sys.argv[1:3]
    sample = sys.argv[3] == "--sample"
    tool = sys.argv[sys.argv.index("--") + 1:]
    lines, wrong = [], []
    with tempfile.TemporaryDirectory() as work:
        names = sorted(f[:-3] for f in os.listdir(folder) if f.endswith(".cu"))
        kernels = [Kernel(tool, folder, name, work) for name in names]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda kernel: kernel.look_at(sample), kernels))
        run_all(tool, kernels, work)
        for kernel in kernels:
            lines.append(kernel.line() + "\n")
            wrong += kernel.wrong
    if wrong:
        sys.exit("\n".join(wrong))
    if os.environ.get("CPR_UPDATE_TRAPS"):
        with open(expected, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.writelines(lines)
    with open(expected, encoding="utf-8", errors="surrogateescape", newline="") as file:
        known = file.readlines()
    if lines != known:
        sys.exit("".join(difflib.unified_diff(known, lines, "expected", "now")))


if __name__ == "__main__":
    main()
