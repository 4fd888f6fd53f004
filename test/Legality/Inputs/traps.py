"""Kernels in each of which something is easily overlooked: they are refused, or what is written is right.

  traps.py FOLDER EXPECTED [--sample] -- TOOL...

Every FOLDER/*.cu is rewritten by each variant, and what is written is run in the emulator against the kernel. A comment
`// options: ...` has further options, the comment `/* launch ... */` how the kernel is launched; without one, launches are searched
for (pointers in memory cannot be described). Where a kernel has comments for FileCheck (`// LDG:`, `// SINGLE:`, `// ASYNC:`), what is written is checked against them. A comment
`/* elsewhere ... */` has code that the tool does not see (another instantiation): it stands behind the kernel, and behind what
is written, where they are run; what is written may also refuse it by a static_assert. One line per kernel is
compared with the file EXPECTED: the name, and for each variant the reasons, or that it was rewritten. With
CPR_UPDATE_TRAPS=1 in the environment EXPECTED is written anew, unless something came out wrong.

What has passed need not be run again as long as nothing of it changes: EXPECTED.passed (traps.passed.txt) has a hash for each kernel, of its
text and of all that is written for it. A kernel whose hash is another one, or that has none, is run; of the others one in eight, by the
checksums of the names, so that a mistake of the emulator is seen as well. With CPR_UPDATE_TRAPS=1 this file is written anew, too; that is
the only way in, and what is not known has passed then. With CPR_LONG=1 all are run.

Of the two numbers of stages of cp-async one is run, by the kernel's name, and with --sample two of the three variants are; and the data of
one seed, in two runs, as one run without a race is every schedule of that launch (docs/verify.md). With CPR_LONG=1 in the environment all
of it is.

Most of the time goes into reading what CUDA declares. So the tool rewrites many kernels at a time, by all variants, and what it has
made of several is run as one file, each in a namespace of its own, where that is the same: without macros, and with the same
includes. What does not pass so is run by itself; with CPR_LONG=1 everything is.
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

VARIANTS = {"cp-async:2": ["--variant=cp-async", "--stages=2"], "cp-async:3": ["--variant=cp-async", "--stages=3"],
            "ldg": ["--variant=ldg"], "ldg-single": ["--variant=ldg-single"], "mixed": ["--variant=mixed"]}
SELDOM = "mixed"  # few kernels have copies of both kinds: a line says what became of one that is rewritten, and of no other


SHORT = [] if os.environ.get("CPR_LONG") else ["--seed=1", "--runs=2"]
PREFIXES = {"cp-async:2": "ASYNC", "ldg": "LDG", "ldg-single": "SINGLE"}
CHECKS = re.compile(r"^ *// *(ASYNC|LDG|SINGLE)(-[A-Z]+)?:.*\n", re.M)


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


def call(command, text=None):
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def is_run(name, variant, sample):
    """Most of the time goes into these runs."""
    number = zlib.crc32(name.encode())
    spared = ["cp-async:%d" % (2 + number % 2)]
    if sample:
        spared.append(("ldg", "ldg-single", "cp-async:%d" % (3 - number % 2))[number // 2 % 3])
    return variant not in spared or bool(os.environ.get("CPR_LONG"))


def is_sampled(name):
    """Of the kernels that have passed."""
    return zlib.crc32(name.encode()) // 64 % 8 == 0 or bool(os.environ.get("CPR_LONG"))


def read_words(path):
    """{first word of a line: the others}"""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return {words[0]: words[1:] for words in map(str.split, file)}
    except FileNotFoundError:
        return {}


def check_text(path, text, variant, out):
    """What FileCheck objects to in the file that was written."""
    prefix = PREFIXES.get(variant)
    if not prefix or not any(m.group(1) == prefix for m in CHECKS.finditer(text)):
        return ""
    return call(["FileCheck", path, "--check-prefix=" + prefix, "--input-file=-"], CHECKS.sub("", read(out))).stderr


def append(path, text, to):
    write(to, read(path) + text)
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
        self.text = read(self.path)
        options = re.search(r"^// options: (.*)$", self.text, re.M)
        self.options = options.group(1).split() if options else []
        self.extra = [o for o in self.options if o.startswith("--extra-arg=")]
        launch = re.search(r"^/\* launch\n(.*?)^\*/", self.text, re.M | re.S)
        self.launch = os.path.join(work, name + ".yaml") if launch else None
        if launch:
            write(self.launch, launch.group(1))
        elsewhere = re.search(r"^/\* elsewhere\n(.*?)^\*/", self.text, re.M | re.S)
        self.elsewhere = elsewhere.group(1) if elsewhere else None
        self.loops = {}       # by variant, as the report has them
        self.became = {}      # by variant
        self.wrong = []
        self.to_run = []      # variant, file; those that can be run together with others
        self.hash = None      # of the text and all that was written, if anything was

    def line(self):
        return self.name + ":" + "".join(" %s %s" % (variant, became) for variant, became in self.became.items()
                                         if variant != SELDOM or became.startswith("rewritten"))

    def written(self, variant):
        return os.path.join(self.work, "%s.%s.cu" % (self.name, variant.replace(":", "-")))

    def rewrite(self):
        """By itself, by each variant that nothing is known of yet."""
        for variant, selected in VARIANTS.items():
            if variant in self.loops:
                continue
            # The ldg variants have a number of buffers of their own.
            here = [o for o in self.options if "cp-async" in variant or not o.startswith("--stages=")]
            result = call(self.tool + selected + here + ["--format=json", "-o", self.written(variant), self.path])
            if result.returncode not in (0, 1):
                self.wrong.append("%s, %s: exit %d\n%s" % (self.name, variant, result.returncode, result.stderr))
                continue
            self.loops[variant] = without_outer(json.loads(result.stdout)["files"][0]["loops"])

    def written_hash(self):
        """The same for as long as nothing is to be run that was not run before."""
        found = hashlib.sha256(self.text.encode("utf-8", "surrogateescape"))
        for variant in VARIANTS:
            if any(l["status"] == "rewritten" for l in self.loops.get(variant, ())):
                found.update(("\0%s\0" % variant).encode() + read(self.written(variant)).encode("utf-8", "surrogateescape"))
        return found.hexdigest()[:16]

    def look_at(self, sample, passed, known):
        """passed: hashes by name; known: what became of it then, by variant."""
        if any(l["status"] == "rewritten" for loops in self.loops.values() for l in loops):
            self.hash = self.written_hash()
        same = bool(known) and passed.get(self.name) == [self.hash] and not is_sampled(self.name)
        for variant in VARIANTS:
            loops = self.loops.get(variant)
            if loops is None:
                continue
            reasons = sorted({r["id"] for l in loops for r in l["reasons"] if l["status"] == "refused"})
            if reasons and any(l["status"] == "rewritten" for l in loops):
                reasons.append("rewritten")
            self.became[variant] = "+".join(reasons) or "/".join(l["status"] for l in loops) or "no-loop"
            if not any(l["status"] == "rewritten" for l in loops):
                continue
            out = self.written(variant)
            objections = check_text(self.path, self.text, variant, out)
            if objections:
                self.wrong.append("%s, %s:\n%s" % (self.name, variant, objections))
            if same:
                if self.elsewhere and known.get(variant) == self.became[variant] + "+asserted":
                    self.became[variant] += "+asserted"
            elif self.elsewhere:
                self.run_with_elsewhere(variant, out)
            elif is_run(self.name, variant, sample):
                self.to_run.append((variant, out))

    def run_with_elsewhere(self, variant, out):
        original = append(self.path, self.elsewhere, os.path.join(self.work, self.name + ".cu"))
        plain = read(out).count("\n")
        out = append(out, self.elsewhere, out[:-3] + ".elsewhere.cu")
        result = call(self.tool + ["verify", original, out, "--launch=" + self.launch] + SHORT + self.extra)
        if result.returncode == 3 and asserted_elsewhere(result.stderr, plain):
            self.became[variant] += "+asserted"
        else:
            self.judge(variant, result.returncode, result.stdout, result.stderr)

    def judge(self, variant, code, output, errors):
        if not passes(code, output):
            self.wrong.append("%s, %s: exit %d\n%s%s" % (self.name, variant, code, output, errors))


def chunks(of, size):
    return [of[at:at + size] for at in range(0, len(of), size)]


def rewrite_together(tool, kernels, work):
    """Kernels with the same options. Where something goes wrong nothing is known of them, and each is rewritten by itself."""
    result = call(tool + ["--variant=each", "--stages=2,3"] + kernels[0].options + ["--format=json", "--output-dir=" + work] + [k.path for k in kernels])
    if result.returncode not in (0, 1):
        return
    files = json.loads(result.stdout)["files"]
    wanted = [(kernel, variant) for kernel in kernels for variant in VARIANTS]
    if [f["path"] for f in files] != [kernel.path for kernel, _ in wanted]:
        sys.exit("not the files that were named: " + " ".join(f["path"] for f in files))
    for (kernel, variant), file in zip(wanted, files):
        kernel.loops[variant] = without_outer(file["loops"])
        if file["output"]:
            # The first line says where such a file comes from.
            write(kernel.written(variant), read(file["output"]).split("\n", 1)[1])


def rewrite_all(tool, kernels, work, pool):
    alike = {}
    for kernel in kernels:
        # With a number of stages there is another one for each variant.
        if not any(o.startswith("--stages=") for o in kernel.options):
            alike.setdefault(tuple(kernel.options), []).append(kernel)
    some = [part for group in alike.values() for part in chunks(group, 16)]
    list(pool.map(lambda job: rewrite_together(tool, job[1], os.path.join(work, "of-%d" % job[0])), enumerate(some)))
    list(pool.map(Kernel.rewrite, kernels))


# Directives, names of the global namespace, and what says where in which file it stands.
OPEN = re.compile(r"^[ \t]*#(?![ \t]*(?:include <|pragma unroll))|^[ \t]*#.*\\\n|\b_Pragma\b|\bextern\b|(?<![\w>:])::"
                  r"|\b__(?:LINE|FILE|BASE_FILE|FILE_NAME|COUNTER|INCLUDE_LEVEL|PRETTY_FUNCTION|FUNCTION|func)__", re.M)


def is_closed(text):
    """Two of these in one file, in namespaces, are what they are alone."""
    return not OPEN.search(text)


def includes_of(text):
    return frozenset(re.findall(r"^[ \t]*(#[ \t]*include <.*)", text, re.M))


def in_one_file(stem, pairs):
    """(old, new, launch): the files of all of `pairs` (kernel, variant, file)."""
    texts, launches = ["", ""], []
    for number, (kernel, _, out) in enumerate(pairs):
        for at, text in enumerate((kernel.text, read(out))):
            body = re.sub(r"^[ \t]*#[ \t]*include <.*", "", text, flags=re.M)
            texts[at] = texts[at] or "".join(i + "\n" for i in sorted(includes_of(text)))
            texts[at] += "namespace v%d {\n%s\n}\n" % (number, body)
        launches.append(re.sub(r"^kernel: '?([^'\n]*)'?$", r"kernel: 'v%d::\1'" % number, read(kernel.launch), flags=re.M))
    result = [stem + end for end in (".old.cu", ".new.cu", ".yaml")]
    for path, text in zip(result, texts + ["---\n".join(launches)]):
        write(path, text)
    return result


def run_batch(tool, batch, files, extra):
    """Of each pair of `files` (old, new, launch): exit code, text, report, what was said of all of them."""
    write(batch, "".join(" ".join("'%s'" % f for f in pair if f) + "\n" for pair in files))
    result = call(tool + ["verify", "--batch=" + batch, "-j%d" % os.cpu_count(), "-v", "--all-data=off",
                          "--report=" + batch + ".json"] + SHORT + extra)
    # One text for each, in the order of the list.
    texts = re.split(r"^== .*\n", result.stdout, flags=re.M)[1:]
    if len(texts) != len(files):
        sys.exit("verify --batch: exit %d\n%s%s" % (result.returncode, result.stdout, result.stderr))
    with open(batch + ".json", encoding="utf-8") as file:
        return [(run["exit"], text, run["report"], result.stderr) for text, run in zip(texts, json.load(file)["runs"])]


def all_pass(count, code, text, report):
    """Of a file in which `count` kernels have namespaces."""
    passed = {c["kernel"].split("::")[0]: True for c in report["cases"]} if report else {}
    for case in report["cases"] if report else ():
        passed[case["kernel"].split("::")[0]] &= case["verdict"] == "pass"
    return passes(code, text) and passed == {"v%d" % n: True for n in range(count)}


def run_all(tool, kernels, work):
    """Together: each old file is compiled once."""
    for extra in sorted({tuple(k.extra) for k in kernels}):
        batch, alike, alone = os.path.join(work, "batch"), {}, []
        for pair in [(k, variant, out) for k in kernels if tuple(k.extra) == extra for variant, out in k.to_run]:
            texts = pair[0].text, read(pair[2])
            if os.environ.get("CPR_LONG") or not pair[0].launch or not all(map(is_closed, texts)):
                alone.append(pair)
            else:
                alike.setdefault(tuple(map(includes_of, texts)), []).append(pair)
        several = [part for group in alike.values() for part in chunks(group, 12)]
        found = run_batch(tool, batch, [in_one_file(os.path.join(work, "several-%d" % n), part) for n, part in enumerate(several)],
                          list(extra)) if several else []
        for part, (code, text, report, _) in zip(several, found):
            if not all_pass(len(part), code, text, report):
                alone += part
        if alone:
            found = run_batch(tool, batch, [(k.path, out, k.launch) for k, _, out in alone], list(extra))
            for (kernel, variant, _), (code, text, report, errors) in zip(alone, found):
                kernel.judge(variant, code, text, errors if report is None else "")


def became_of(words):
    """{variant: what became of the kernel}, of the words of its line."""
    return dict(zip(words[::2], words[1::2])) if words else {}


def main():
    folder, expected = sys.argv[1:3]
    sample = sys.argv[3] == "--sample"
    tool = sys.argv[sys.argv.index("--") + 1:]
    lines, wrong = [], []
    passed_file = expected[:-len(".txt")] + ".passed.txt"
    passed, known_words = read_words(passed_file), read_words(expected)
    with tempfile.TemporaryDirectory() as work:
        names = sorted(f[:-3] for f in os.listdir(folder) if f.endswith(".cu"))
        kernels = [Kernel(tool, folder, name, work) for name in names]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            rewrite_all(tool, kernels, work, pool)
            list(pool.map(lambda kernel: kernel.look_at(sample, passed, became_of(known_words.get(kernel.name + ":"))), kernels))
        run_all(tool, kernels, work)
        for kernel in kernels:
            lines.append(kernel.line() + "\n")
            wrong += kernel.wrong
    if wrong:
        sys.exit("\n".join(wrong))
    if os.environ.get("CPR_UPDATE_TRAPS"):
        write(expected, "".join(lines))
        write(passed_file, "".join("%s %s\n" % (kernel.name, kernel.hash) for kernel in kernels if kernel.hash))
    with open(expected, encoding="utf-8", errors="surrogateescape", newline="") as file:
        known = file.readlines()
    if lines != known:
        sys.exit("".join(difflib.unified_diff(known, lines, "expected", "now")))


if __name__ == "__main__":
    main()
