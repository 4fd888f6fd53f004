"""Runs the tool on bad.cu and good.cu of a folder, which differ in one edit.

  legality.py FOLDER --refused=VARIANT,... [--legal=VARIANT,...] [--count=ARRAY:EXPR] [--options=...] -- TOOL...

bad.cu marks the place with a comment `// refused: REASON` (or `// refused in line N: REASON`).
Each variant of --refused must be refused for that one reason and no other, at that line, with what
would make it possible, and the output must be the input, byte for byte. Each variant of --legal must
rewrite bad.cu all the same. good.cu must be rewritten by every variant named. A line `// says: TEXT`
holds text that the reason's message must contain, a line `// note: TEXT` text of one of its notes.
With --several, and only then, bad.cu may be marked with several reasons, also at one line (`// refused: REASON +
REASON`): all of them must be given, and no other.

Each variant of --wrong is refused, too, and rightly: it is emitted all the same (--emit-refused), and the emulator finds
that it is wrong.

One edit is: one statement that is there or is not, or something within one statement (a qualifier, an operand, a
condition) that is something else, is there or is not. See find_edit(). --larger=WHY allows more, --no-twin=WHY
does without good.cu.

Whatever is rewritten is run in the emulator against what it was made from, all of it in one run if that can be, for no
tile, one, two and an odd number. How it is launched is made up: one block of 128 threads, small integers. An input has 128
elements for each tile, so that a tile behind the last one is a read behind the array; where that is not what the kernel
reads, --count says it (--count=x:tiles*256; as often as there are such arrays), in the names of the kernel's parameters.
What is written has 16384 elements. launch.yaml in the folder says otherwise. Without CPR_LONG=1 in the environment there is one seed, and two runs. --unverified=WHY leaves it out.

Without bad.cu and with `--refused=`, good.cu is all there is. A variant may have a number of stages: cp-async:3.
"""

import argparse
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Inputs"))
from outer_loops import without_outer


def fail(text):
    sys.exit("legality.py: " + text)


def read(path):
    with open(path, newline="") as file:
        return file.read()


def run(tool, options, variant, path, end=""):
    """By itself: exit code, loops, what was written, the report's text, and where what was written is."""
    stem = path + end + "." + variant.replace(":", "-")
    out, text = stem + ".out.cu", stem + ".txt"
    name, _, stages = variant.partition(":")
    command = tool + options + ["--variant=" + name, "--format=json", "--report=" + text]
    command += ["--stages=" + stages] if stages else []
    result = subprocess.run(command + ["-o", out, path], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, universal_newlines=True)
    if result.returncode not in (0, 1):
        fail("%s, %s: exit %d\n%s" % (path, variant, result.returncode, result.stderr))
    loops = json.loads(result.stdout)["files"][0]["loops"]
    mine = without_outer(loops)
    # With an outer one the exit code says nothing of the others.
    return result.returncode if len(mine) == len(loops) else None, mine, read(out), read(text), out


EACH = ("cp-async", "ldg", "ldg-single", "mixed")


def run_each(tool, options, paths):
    """{(path, variant): the same} of --variant=each, which reads a file once; there an exit code says nothing of one variant. Nothing
    where it does not do, or what it says cannot be told apart: then each variant is run by itself."""
    folder, text = os.path.dirname(paths[0]), paths[0] + ".each.txt"
    command = tool + options + ["--variant=each", "--format=json", "--report=" + text, "--output-dir=" + os.path.join(folder, "each")]
    result = subprocess.run(command + paths, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    files = json.loads(result.stdout)["files"] if result.returncode in (0, 1) else []
    # What is said of a loop begins with a line that is no note.
    parts = re.split(r"^(?=[^ \n].*?:\d+:\d+: (?!note: ))", read(text), flags=re.M)[1:] if files else []
    if [f["path"] for f in files] != [path for path in paths for _ in EACH] or len(parts) != sum(len(f["loops"]) for f in files):
        return {}
    found = {}
    for at, file in enumerate(files):
        said, parts = parts[:len(file["loops"])], parts[len(file["loops"]):]
        path, variant = paths[at // len(EACH)], EACH[at % len(EACH)]
        out = "%s.%s.out.cu" % (path, variant)
        # The first line says where such a file comes from.
        written = read(file["output"]).split("\n", 1)[1] if file["output"] else read(path)
        with open(out, "w", newline="") as copy:
            copy.write(written)
        found[path, variant] = None, without_outer(file["loops"]), written, "".join(said), out
    return found


def find_tokens(text):
    """What a compiler sees of it, roughly: no comments, no white space; a directive's line ends with a line break."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text.replace("\\\n", " "), flags=re.S)
    tokens = []
    for line in text.split("\n"):
        tokens += re.findall(r'"(?:\\.|[^"\\])*"|\w+|\S', line)
        if line.lstrip().startswith("#"):
            tokens.append("\n")
    return tokens


def find_edit(old, new):
    """What of the tokens `old` has become what of `new`, and why that is more than one edit, or None."""
    begin = 0
    while begin < min(len(old), len(new)) and old[begin] == new[begin]:
        begin += 1
    end = 0
    while end < min(len(old), len(new)) - begin and old[-1 - end] == new[-1 - end]:
        end += 1
    sides = old[begin:len(old) - end], new[begin:len(new) - end]
    ends, depth = [0, 0], 0
    for index, side in enumerate(sides):
        depth = 0
        for token in side:
            depth += (token in "([") - (token in ")]")
            # The semicolons in the head of a for loop end no statement.
            ends[index] += token in "{}\n" or (token == ";" and depth <= 0)
    # A statement that is there or is not takes its end with it. Else both sides are within one statement: what goes over
    # the end of one, or over a brace, has changed two.
    why = None
    if not any(sides):
        why = "nothing"
    elif any("{" in side or "}" in side for side in sides):
        why = "a block"
    elif all(sides) and any(ends):
        why = "more than one statement"
    elif max(ends) > 1:
        why = "several statements"
    elif max(ends) == 1:
        # Which tokens are gone is not certain: of `x = 1; x = 2;` it may be `x = 1;`, or `1; x =`. One of these readings
        # must be that of a whole statement.
        longer = old if sides[0] else new
        size, whole = len(sides[0] or sides[1]), False
        for start in range(begin, 0, -1):
            before, last = longer[start - 1], longer[start + size - 1]
            whole |= before in (";", "{", "}", ")", ":", "else", "\n") and last in (";", "\n")
            if before != last:
                break
        if not whole:
            why = "parts of two statements"
    return sides, why


def describe_launch(tool, folder, path, counts):
    """launch.yaml of the folder, or one from what `verify --emit-launch=template` says of the file."""
    own = os.path.join(folder, "launch.yaml")
    if os.path.exists(own):
        return own
    result = subprocess.run(tool + ["verify", "--emit-launch=template", path], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, universal_newlines=True)
    if result.returncode:
        fail("%s: no launch: %s" % (path, result.stderr))
    lines, started, first, unknown = [], 0, None, set(counts)  # where the current kernel's description begins
    for line in result.stdout.splitlines():
        if line.startswith("kernel:"):
            started, first = len(lines), None
        line = re.sub(r" *# check: .*", "", line)
        line = re.sub(r"^grid: .*", "grid: 1", line)
        line = re.sub(r"^block: .*", "block: 128", line)
        array = re.search(r"name: (\w+), buffer: .*count: .*, role: (\w+)", line)
        if array:
            name, role = array.groups()
            count = counts.get(name, "%s * 128" % first if role == "input" and first else "16384")
            line = re.sub(r"count: .*(?=, role:)", lambda _: 'count: "%s"' % count, line)
            unknown.discard(name)
        line = re.sub(r"(buffer: (?:int|unsigned int|unsigned|long),.*role: in\w*)", r"\1, fill: uniform(0, 5)", line)
        case = re.match(r"  - \{(\w+: -?\d+(?:, \w+: -?\d+)*)\}$", line)
        if case:
            if any(l.startswith("  - {") and "buffer" not in l and "scalar" not in l for l in lines[started:]):
                continue  # the cases are made up all at once
            names = re.findall(r"(\w+):", case.group(1))
            first = names[0]
            for count in (0, 1, 2, 5):
                values = ", ".join("%s: %d" % (n, count if i == 0 else 3) for i, n in enumerate(names))
                lines.append("  - {%s}" % values)
            continue
        lines.append(line)
    if unknown:
        fail("%s: there is no array %s" % (path, ", ".join(sorted(unknown))))
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
    parser.add_argument("--count", action="append", default=[])
    parser.add_argument("--wrong", default="")
    parser.add_argument("--several", action="store_true")
    parser.add_argument("--larger", default="")
    parser.add_argument("--unverified", default="")
    parser.add_argument("--no-twin", default="")
    args = parser.parse_args(sys.argv[1:dash])
    bad, good = os.path.join(args.folder, "bad.cu"), os.path.join(args.folder, "good.cu")
    options = args.options.split()
    counts = dict(count.split(":", 1) for count in args.count)

    alone = not split(args.refused) and not os.path.exists(bad)
    source = "" if alone else read(bad)
    marks = []
    for number, line in enumerate(source.splitlines(), 1):
        match = re.search(r"// refused(?: in line (\d+))?: ([a-z-]+(?: \+ [a-z-]+)*)", line)
        if match:
            marks += [(reason, int(match.group(1) or number)) for reason in match.group(2).split(" + ")]
    says = re.findall(r"// says: (.*)", source)
    notes = re.findall(r"// note: (.*)", source)
    if not marks and not alone:
        fail("bad.cu has no mark")
    if not alone and (len({reason for reason, _ in marks}) > 1) != args.several:
        fail("bad.cu provokes %s: %s" % ("one reason only" if args.several else "several reasons", marks))

    # The first one by itself, so that it is asked for by name.
    first, wanted = split(args.refused)[:1], split(args.refused)[1:] + split(args.legal)
    together_too = [path for path in (bad, good) if os.path.exists(path)]
    wanted += (split(args.refused) + split(args.legal)) * os.path.exists(good)
    known = run_each(tool, options, together_too) if sum(v in EACH for v in wanted) > 3 else {}

    def look_at(path, variant):
        return known.get((path, variant)) or run(tool, options, variant, path)

    for variant in split(args.refused):
        code, loops, out, text, _ = look_at(bad, variant) if [variant] != first else run(tool, options, variant, bad)
        found = [(r["id"], r["line"]) for l in loops for r in l["reasons"]]
        if not loops or any(l["status"] != "refused" for l in loops) or sorted(set(found)) != sorted(set(marks)):
            fail("%s: expected refused for %s\n  got %s for %s" %
                 (variant, marks, [l["status"] for l in loops], found))
        if code not in (1, None):
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
        code, loops, out, text, written = look_at(path, variant)
        status = [(l["status"], [r["id"] for r in l["reasons"]]) for l in loops]
        if code not in (0, None) or not loops or any(s != "rewritten" for s, _ in status):
            fail("%s, %s: expected rewritten, got %s, exit %s" % (path, variant, status, code))
        if out == read(path) or "// Main loop" not in out:
            fail("%s, %s: reported as rewritten, but there is no pipelined loop" % (path, variant))
        if args.unverified:
            return
        # Kernels with the same parameters are described in the same way, if what stands in front of them is the same, too.
        text = read(path)
        declared = (*find_tokens(text.partition("__global__")[0]), *re.findall(r"__global__[^{;]*", text))
        if declared not in launches:
            launches[declared] = describe_launch(tool, args.folder, path, counts)
        pairs.append((path, written, launches[declared], variant))

    def verify(old, new, launch):
        short = [] if os.environ.get("CPR_LONG") else ["--seed=1", "--runs=2"]
        result = subprocess.run(tool + ["verify", old, new, "--launch=" + launch] + short, stdout=subprocess.PIPE,
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

    for variant in split(args.wrong):
        # The refusal is no excess of caution: what it keeps from being written is caught.
        _, _, _, _, written = run(tool, options + ["--emit-refused"], variant, bad, ".wrong")
        code, text = verify(bad, written, describe_launch(tool, args.folder, bad, counts))
        if code != 1:
            fail("%s: to be caught, but exit %d\n%s" % (variant, code, text))

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
        sides, why = find_edit(find_tokens(source), find_tokens(read(good)))
        if bool(why) != bool(args.larger):
            fail("bad.cu and good.cu differ in %s:\n  %s\n  %s" %
                 (why or "one edit, so that --larger is not needed", " ".join(sides[0]), " ".join(sides[1])))



main()
