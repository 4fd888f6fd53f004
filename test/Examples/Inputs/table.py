"""table.py EXAMPLES OUT -- TOOL...: rewrites all examples with all variants, and what comes out again."""

import json
import os
import subprocess
import sys

EXAMPLES = ["conv1d", "hgemm_wmma", "igemm_wmma", "nbody", "sgemm_float4", "sgemm_tile"]
VARIANTS = [("ldg", 2), ("ldg-single", 1), ("cp-async", 2), ("cp-async", 3), ("cp-async", 4)]


def run(tool, options, path, out):
    result = subprocess.run(tool + options + ["--format=json", "-o", out, path],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if result.returncode not in (0, 1):
        sys.exit("%s %s: exit %d\n%s" % (path, options, result.returncode, result.stderr))
    return result.returncode, json.loads(result.stdout)["files"][0]["loops"]


def read(path):
    with open(path) as file:
        return file.read()


def main():
    dash = sys.argv.index("--")
    examples, folder = sys.argv[1:dash]
    tool = sys.argv[dash + 1:]
    bad, turn = [], 0
    for example in EXAMPLES:
        source = os.path.join(examples, example + ".cu")
        for variant, stages in VARIANTS:
            name = "%s.%s%d" % (example, variant, stages)
            out = os.path.join(folder, name + ".cu")
            options = ["--variant=" + variant]
            if variant == "cp-async":
                options.append("--stages=%d" % stages)
            code, loops = run(tool, options, source, out)
            if (example, variant) == ("igemm_wmma", "cp-async"):
                if code != 1 or read(out) != read(source) or \
                        [(l["status"], {r["id"] for r in l["reasons"]}) for l in loops] != [("refused", {"copy-width"})]:
                    bad.append("%s: expected refused for copy-width: exit %d, %s" % (name, code, loops))
                continue
            got = [(l["status"], l["variant"], l["stages"]) for l in loops]
            if code != 0 or got != [("rewritten", variant, stages)]:
                bad.append("%s: exit %d, %s" % (name, code, got))
                continue
            text = read(out)
            for part in ("// Prologue", "// Main loop", "// Epilogue"):
                if text.count(part) != 1:
                    bad.append("%s: %d times '%s'" % (name, text.count(part), part))
            if ("#include <cuda_pipeline_primitives.h>" in text) != (variant == "cp-async"):
                bad.append(name + ": the include of cuda_pipeline_primitives.h")
            # Again, with auto and with a variant by turns: nothing left to do, nothing changed.
            turn += 1
            for again in ("auto", ("ldg", "ldg-single", "cp-async")[turn % 3]):
                twice = os.path.join(folder, "twice.cu")
                code, loops = run(tool, ["--variant=" + again], out, twice)
                if code != 0 or [l["status"] for l in loops] != ["already-pipelined"] or read(twice) != text:
                    bad.append("%s, %s again: exit %d, %s" % (name, again, code, [l["status"] for l in loops]))
    sys.exit("\n".join(bad) or 0)


main()
