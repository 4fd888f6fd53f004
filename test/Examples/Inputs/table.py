"""table.py EXAMPLES OUT -- TOOL...: rewrites all examples with all variants, and what comes out again.

What is written stays in OUT, as EXAMPLE.VARIANT.STAGES.cu."""

import json
import os
import subprocess
import sys

EXAMPLES = ["conv1d", "hgemm_wmma", "igemm_wmma", "nbody", "sgemm_float4", "sgemm_tile"]
MIXED = ("sgemm_float4", "mixed", 2)  # the others have no copies of both kinds
VARIANTS = [("ldg", 2), ("ldg-single", 1), ("cp-async", 2), ("cp-async", 3), ("cp-async", 4)]
REFUSED = ("igemm_wmma", "cp-async")  # single bytes cannot be copied asynchronously


def run(tool, options, paths):
    """Exit code, and of each file what is said of its loops and where the output is."""
    result = subprocess.run(tool + options + ["--format=json"] + paths,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if result.returncode not in (0, 1):
        sys.exit("%s %s: exit %d\n%s" % (paths, options, result.returncode, result.stderr))
    files = json.loads(result.stdout)["files"]
    if sorted({f["path"] for f in files}) != sorted(paths):
        sys.exit("%s %s: the report is about %s" % (paths, options, [f["path"] for f in files]))
    return result.returncode, [(f["path"], f["loops"], f["output"]) for f in files]


def read(path):
    with open(path) as file:
        return file.read()


def main():
    dash = sys.argv.index("--")
    examples, folder = sys.argv[1:dash]
    tool = sys.argv[dash + 1:]
    sources = [os.path.join(examples, example + ".cu") for example in EXAMPLES]
    bad, made = [], {}  # made: what became of an example under a variant

    def add(source, variant, stages, loops, written):
        made[os.path.basename(source)[:-len(".cu")], variant, stages] = loops, written

    # By each variant and number of stages, from one reading.
    made_by_each = [("cp-async", 2), ("cp-async", 3), ("cp-async", 4), ("ldg", 2), ("ldg-single", 1), ("mixed", 2)]
    files = run(tool, ["--variant=each", "--stages=2,3,4", "--output-dir=" + folder], sources)[1]
    for at, (source, loops, written) in enumerate(files):
        variant, stages = made_by_each[at % len(made_by_each)]
        example = os.path.basename(source)[:-len(".cu")]
        if variant == "mixed" and bool(written) != (example == MIXED[0]):
            bad.append("%s, mixed: %s" % (example, [l["status"] for l in loops]))
        if (example, variant, stages) == MIXED or written or variant != "mixed" and (example, variant) != REFUSED:
            add(source, variant, stages, loops, written)
    for stages in (2, 3, 4):
        for source in [s for s, e in zip(sources, EXAMPLES) if (e, "cp-async") == REFUSED]:
            out = os.path.join(folder, "refused.cu")
            code, [(_, loops, _)] = run(tool, ["--variant=cp-async", "--stages=%d" % stages, "-o", out], [source])
            if code != 1 or read(out) != read(source) or \
                    [(l["status"], {r["id"] for r in l["reasons"]}) for l in loops] != [("refused", {"copy-width"})]:
                bad.append("%s, cp-async, %d stages: expected refused for copy-width: exit %d, %s" % (source, stages, code, loops))

    again = {"auto": [], "ldg": [], "ldg-single": [], "cp-async": []}
    for turn, (example, variant, stages) in enumerate([(e, v, s) for e in EXAMPLES for v, s in VARIANTS if (e, v) != REFUSED] + [MIXED]):
        name = "%s.%s%d" % (example, variant, stages)
        loops, written = made[example, variant, stages]
        got = [(l["status"], l["variant"], l["stages"]) for l in loops]
        if not written or got != [("rewritten", variant, stages)]:
            bad.append("%s: %s" % (name, got))
            continue
        text = read(written)
        for part in ("// Prologue", "// Main loop", "// Epilogue"):
            if text.count(part) != 1:
                bad.append("%s: %d times '%s'" % (name, text.count(part), part))
        if ("#include <cuda_pipeline_primitives.h>" in text) != (variant in ("cp-async", "mixed")):
            bad.append(name + ": the include of cuda_pipeline_primitives.h")
        # Again, with auto or a variant by turns: nothing left to do, nothing changed.
        path = os.path.join(folder, "%s.%s.%d.cu" % (example, variant, stages))
        os.rename(written, path)
        again[("auto", "ldg", "ldg-single", "cp-async")[turn % 4]].append(path)
    for by, paths in again.items():
        code, files = run(tool, ["--variant=" + by, "--output-dir=" + os.path.join(folder, "twice")], paths) if paths else (0, [])
        for path, loops, written in files:
            if code or [l["status"] for l in loops] != ["already-pipelined"] or written:
                bad.append("%s, %s again: exit %d, %s" % (path, by, code, [l["status"] for l in loops]))
    if sum(map(len, again.values())) != (len(EXAMPLES) * len(VARIANTS) - 3 + 1):
        bad.append("not all of them were there again")
    sys.exit("\n".join(bad) or 0)


main()
