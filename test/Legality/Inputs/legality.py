"""Runs the tool on bad.cu and good.cu of a folder, which differ in one edit.

  legality.py FOLDER --refused=VARIANT,... [--legal=VARIANT,...] [--options=...] -- TOOL...

bad.cu marks the place with a comment `// refused: REASON` (or `// refused in line N: REASON`).
Each variant of --refused must be refused for exactly that reason, at that line, with what would
make it possible, and the output must be the input, byte for byte. Each variant of --legal must
rewrite bad.cu all the same. good.cu must be rewritten by every variant named. A line `// says: TEXT`
holds text that the reason's message must contain.
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
    out, text = path + "." + variant + ".out", path + "." + variant + ".txt"
    command = tool + options + ["--variant=" + variant, "--format=json", "--report=" + text]
    result = subprocess.run(command + ["-o", out, path], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, universal_newlines=True)
    if result.returncode not in (0, 1):
        fail("%s, %s: exit %d\n%s" % (path, variant, result.returncode, result.stderr))
    loops = json.loads(result.stdout)["files"][0]["loops"]
    return result.returncode, loops, read(out), read(text)


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
    args = parser.parse_args(sys.argv[1:dash])
    bad, good = os.path.join(args.folder, "bad.cu"), os.path.join(args.folder, "good.cu")
    options = args.options.split()

    source = read(bad)
    marks = []
    for number, line in enumerate(source.splitlines(), 1):
        match = re.search(r"// refused(?: in line (\d+))?: ([a-z-]+)", line)
        if match:
            marks.append((match.group(2), int(match.group(1) or number)))
    says = re.findall(r"// says: (.*)", source)
    if not marks:
        fail("bad.cu has no mark")

    for variant in split(args.refused):
        code, loops, out, text = run(tool, options, variant, bad)
        found = [(r["id"], r["line"]) for l in loops for r in l["reasons"]]
        if [l["status"] for l in loops] != ["refused"] or sorted(set(found)) != sorted(set(marks)):
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
        for reason, line in marks:
            if not re.search(r"bad\.cu:%d(:\d+)?: note: .* \[%s\]" % (line, reason), text):
                fail("%s: the report does not name line %d and %s:\n%s" % (variant, line, reason, text))
        if "to make it possible: " not in text:
            fail("%s: the report does not say what would make it possible:\n%s" % (variant, text))

    def rewritten(path, variant):
        code, loops, out, text = run(tool, options, variant, path)
        status = [(l["status"], [r["id"] for r in l["reasons"]]) for l in loops]
        if code != 0 or not loops or any(s != "rewritten" for s, _ in status):
            fail("%s, %s: expected rewritten, got %s, exit %d" % (path, variant, status, code))
        if out == read(path) or "// Main loop" not in out:
            fail("%s, %s: reported as rewritten, but there is no pipelined loop" % (path, variant))

    for variant in split(args.legal):
        rewritten(bad, variant)
    if os.path.exists(good):
        for variant in split(args.refused) + split(args.legal):
            rewritten(good, variant)
        strip = lambda text: [re.sub(r"\s*// (refused|says).*", "", l) for l in text.splitlines()]
        strip_lines = lambda text: [l for l in strip(text) if l.strip()]
        matcher = difflib.SequenceMatcher(None, strip_lines(source), strip_lines(read(good)), False)
        hunks = sum(op[0] != "equal" for op in matcher.get_opcodes())
        if hunks != args.hunks:
            fail("bad.cu and good.cu differ in %d places, expected %d" % (hunks, args.hunks))


main()
