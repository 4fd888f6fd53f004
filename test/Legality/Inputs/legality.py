"""Runs the tool on bad.cu and good.cu of a folder, which differ in one edit.

  legality.py FOLDER --refused=VARIANT,... [--legal=VARIANT,...] [--options=...] -- TOOL...

bad.cu marks the place with a comment `// refused: REASON` (or `// refused in line N: REASON`).
Each variant of --refused must be refused for that one reason and no other, at that line, with what
would make it possible, and the output must be the input, byte for byte. Each variant of --legal must
rewrite bad.cu all the same. good.cu must be rewritten by every variant named. A line `// says: TEXT`
holds text that the reason's message must contain, a line `// note: TEXT` text of one of its notes.

Whatever is rewritten is run in the emulator against what it was made from, all of it in one run if that can be, for no tile, one, two and
an odd number. How it is launched is made up: one block of 128 threads, arrays of 16384 elements, small
integers. launch.yaml in the folder says otherwise. --unverified=WHY leaves it out.

Without bad.cu and with `--refused=`, good.cu is all there is. A variant may have a number of stages: cp-async:3.
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys


def fail(text):
    sys.exit("legality.py: " + text)


def read(path):
    with open(path, newline="") as file:
        return file.read()


def run(tool, options, variant, path):
    stem = path + "." + variant.replace(":", "-")
    out, text = stem + ".out.cu", stem + ".txt"
    name, _, stages = variant.partition(":")
    command = tool + options + ["--variant=" + name, "--format=json", "--report=" + text]
    command += ["--stages=" + stages] if stages else []
    result = subprocess.run(command + ["-o", out, path], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, universal_newlines=True)
    if result.returncode not in (0, 1):
        fail("%s, %s: exit %d\n%s" % (path, variant, result.returncode, result.stderr))
    loops = json.loads(result.stdout)["files"][0]["loops"]
    return result.returncode, loops, read(out), read(text), out


def describe_launch(tool, folder, path):
    """launch.yaml of the folder, or one from what `verify --emit-launch` says of the file."""
    own = os.path.join(folder, "launch.yaml")
    if os.path.exists(own):
        return own
    result = subprocess.run(tool + ["verify", "--emit-launch", path], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, universal_newlines=True)
    if result.returncode:
        fail("%s: no launch: %s" % (path, result.stderr))
    lines, started = [], 0  # where the current kernel's description begins
    for line in result.stdout.splitlines():
        if line.startswith("kernel:"):
            started = len(lines)
        line = re.sub(r" *# check: .*", "", line)
        line = re.sub(r"^grid: .*", "grid: 1", line)
        line = re.sub(r"^block: .*", "block: 128", line)
        line = re.sub(r"count: [^,}]*", "count: 16384", line)
        line = re.sub(r"(buffer: (?:int|unsigned int|unsigned|long),.*role: in\w*)", r"\1, fill: uniform(0, 5)", line)
        case = re.match(r"  - \{(\w+: -?\d+(?:, \w+: -?\d+)*)\}$", line)
        if case:
            if any(l.startswith("  - {") and "buffer" not in l and "scalar" not in l for l in lines[started:]):
                continue  # the cases are made up all at once
            names = re.findall(r"(\w+):", case.group(1))
            for count in (0, 1, 2, 5):
                values = ", ".join("%s: %d" % (n, count if i == 0 else 3) for i, n in enumerate(names))
                lines.append("  - {%s}" % values)
            continue
        lines.append(line)
    made = path + ".yaml"
    with open(made, "w") as file:
        file.write("\n".join(lines) + "\n")
    return made


def together(path, pairs):
    """(old, new, launch): all of `pairs` (old, new, launch) in one file each, in namespaces of their own."""
    texts, documents = ([], []), []
    for number, (old, new, launch) in enumerate(pairs):
        for lines, source in zip(texts, (old, new)):
            lines += ["namespace v%d {" % number] + read(source).splitlines() + ["}"]
        documents.append(re.sub(r"^kernel: '?([^'\n]*)'?$", r"kernel: 'v%d::\1'" % number, read(launch), flags=re.M))
    result = [path + end for end in (".all.cu", ".all.out.cu", ".all.yaml")]
    for name, lines in zip(result, texts):
        includes = sorted({l for l in lines if l.startswith("#include <")})
        with open(name, "w") as file:
            file.write("\n".join(includes + [l for l in lines if l not in includes]) + "\n")
    with open(result[2], "w") as file:
        file.write("---\n".join(documents))
    return result


def split(text):
    return [v for v in text.split(",") if v]


def main():
    dash = sys.argv.index("--")
    tool = sys.argv[dash + 1:]
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--refused", default="ldg,ldg-single,cp-async")
    parser.add_argument("--legal", default="")
    parser.add_argument("--options", default="")
    parser.add_argument("--hunks", type=int, default=1)
    parser.add_argument("--unverified", default="")
    parser.add_argument("--no-twin", default="")
    args = parser.parse_args(sys.argv[1:dash])
    bad, good = os.path.join(args.folder, "bad.cu"), os.path.join(args.folder, "good.cu")
    options = args.options.split()

    alone = not split(args.refused) and not os.path.exists(bad)
    source = "" if alone else read(bad)
    marks = []
    for number, line in enumerate(source.splitlines(), 1):
        match = re.search(r"// refused(?: in line (\d+))?: ([a-z-]+)", line)
        if match:
            marks.append((match.group(2), int(match.group(1) or number)))
    says = re.findall(r"// says: (.*)", source)
    notes = re.findall(r"// note: (.*)", source)
    if not marks and not alone:
        fail("bad.cu has no mark")
    if len({reason for reason, _ in marks}) > 1:
        fail("bad.cu provokes several reasons: %s" % marks)

    for variant in split(args.refused):
        code, loops, out, text, _ = run(tool, options, variant, bad)
        found = [(r["id"], r["line"]) for l in loops for r in l["reasons"]]
        if not loops or any(l["status"] != "refused" for l in loops) or sorted(set(found)) != sorted(set(marks)):
            fail("%s: expected refused for %s\n  got %s for %s" %
                 (variant, marks, [l["status"] for l in loops], found))
        if code != 1:
            fail("%s: exit %d, expected 1: it was asked for by name" % (variant, code))
        if out != source:
            fail("%s: the output differs from the input" % variant)
        messages = " ".join(r["message"] for l in loops for r in l["reasons"])
        for words in says:
            if words not in messages:
                fail("%s: the message does not say '%s':\n  %s" % (variant, words, messages))
        said = " ".join(n["message"] for l in loops for r in l["reasons"] for n in r.get("notes", []))
        for words in notes:
            if words not in said:
                fail("%s: no note says '%s':\n  %s" % (variant, words, said))
        for reason, line in marks:
            if not re.search(r"bad\.cu:%d(:\d+)?: note: .* \[%s\]" % (line, reason), text):
                fail("%s: the report does not name line %d and %s:\n%s" % (variant, line, reason, text))
        if "to make it possible: " not in text:
            fail("%s: the report does not say what would make it possible:\n%s" % (variant, text))

    def rewritten(path, variant):
        code, loops, out, text, written = run(tool, options, variant, path)
        status = [(l["status"], [r["id"] for r in l["reasons"]]) for l in loops]
        if code != 0 or not loops or any(s != "rewritten" for s, _ in status):
            fail("%s, %s: expected rewritten, got %s, exit %d" % (path, variant, status, code))
        if out == read(path) or "// Main loop" not in out:
            fail("%s, %s: reported as rewritten, but there is no pipelined loop" % (path, variant))
        if args.unverified:
            return
        if path not in launches:
            launches[path] = describe_launch(tool, args.folder, path)
        pairs.append((path, written, launches[path], variant))

    def verify(old, new, launch):
        result = subprocess.run(tool + ["verify", old, new, "--launch=" + launch], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, universal_newlines=True)
        return result.returncode, result.stdout

    def verified():
        # One run for all of them takes half the time. What cannot be in one file, or does not pass, goes one by one.
        if len(pairs) > 1 and verify(*together(os.path.join(args.folder, "verify"), [p[:3] for p in pairs]))[0] == 0:
            return
        for path, written, launch, variant in pairs:
            code, text = verify(path, written, launch)
            if code != 0:
                fail("%s, %s: not verified, exit %d\n%s" % (path, variant, code, text))

    launches, pairs = {}, []
    for variant in split(args.legal) if not alone else []:
        rewritten(bad, variant)
    if bool(args.no_twin) == os.path.exists(good):
        fail("there is %s good.cu" % ("a" if args.no_twin else "no"))
    if os.path.exists(good):
        for variant in split(args.refused) + split(args.legal):
            rewritten(good, variant)
    verified()
    if os.path.exists(good):
        if alone:
            return
        strip = lambda text: [re.sub(r"\s*// (refused|says|note).*", "", l) for l in text.splitlines()]
        strip_lines = lambda text: [l for l in strip(text) if l.strip()]
        matcher = difflib.SequenceMatcher(None, strip_lines(source), strip_lines(read(good)), False)
        hunks = sum(op[0] != "equal" for op in matcher.get_opcodes())
        if hunks != args.hunks:
            fail("bad.cu and good.cu differ in %d places, expected %d" % (hunks, args.hunks))


main()
