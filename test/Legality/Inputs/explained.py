"""The examples of `explain` are true: refused for that reason and no other, and rewritten.

  explained.py FOLDER [--exchange] -- TOOL...

The texts are those that the tool prints. They are made for a reader, so what is around them is missing; here it is put
back: includes, the parameters and variables that an example names and does not declare, the rest of a loop that breaks
off, closing braces, and the result. What stands in front of the first empty line belongs in front of the kernel.

What is refused must be refused by the variants that the reason is about, for this reason alone, and be rewritten by
the others. What is accepted must be rewritten by all of them, and what comes out is run in the emulator. SETUPS has
what a reason takes beyond that. With --exchange the two examples change places, and it is an error if a reason still
passes: so it shows that a wrong example is noticed.
"""

import json
import os
import re
import subprocess
import sys

VARIANTS = ("cp-async", "ldg", "ldg-single")
MIXED = ("mixed",)  # looked at where the reason is about it: few examples have copies of both kinds
TWO_BUFFERS, REGISTERS, ASYNC = ("cp-async", "ldg"), ("ldg", "ldg-single"), ("cp-async",)

# The type, and what the launch says of it.
PARAMETERS = {
    "in": ("const float *__restrict__ ", "buffer: float, count: 65536, role: input"),
    "extra": ("const float *__restrict__ ", "buffer: float, count: 65536, role: input"),
    "coefficients": ("const float *__restrict__ ", "buffer: float, count: 65536, role: input"),
    "halves": ("const half *__restrict__ ", "buffer: half, count: 65536, role: input"),
    "pairs": ("const half2 *__restrict__ ", "buffer: half2, count: 65536, role: input"),
    "count": ("const int *__restrict__ ", "buffer: int, count: 256, role: input, fill: 'uniform(0, 6)'"),
    "row_end": ("const int *__restrict__ ", "buffer: int, count: 256, role: input, fill: 'uniform(0, 6)'"),
    "visited": ("int *__restrict__ ", "buffer: int, count: 65536, role: inout"),
    "out": ("float *__restrict__ ", "buffer: float, count: 65536, role: inout"),
    "tiles": ("int ", "value: tiles"),
    "n": ("int ", "value: 'max(0, tiles * 256 - 100)'"),
    "first": ("int ", "value: 1"),
    "border": ("int ", "value: 40"),
    "passes": ("int ", "value: 2"),
    "limit": ("float ", "value: 0.5"),
    "scale": ("float ", "value: 0.5"),
}
LOCALS = {
    "tx": "const int tx = threadIdx.x;",
    "ty": "const int ty = threadIdx.y;",
    "tile": "__shared__ float tile[256];",
    "other": "__shared__ float other[256];",
    "partial": "__shared__ float partial[256];",
    "last": "__shared__ float last;",
    "start": "__shared__ int start[256];\n  start[threadIdx.x] = 300;\n  __syncthreads();",
    "offset": "int offset = 0;",
    "sum": "float sum = 0.0f;",
}
INCLUDES = {"cooperative_groups": "cooperative_groups.h", "half": "cuda_fp16.h", "half2": "cuda_fp16.h",
            "__pipeline_commit": "cuda_pipeline.h"}

COMPUTE = "__syncthreads();\nsum += tile[255 - tx];\n__syncthreads();\n"
LOAD = "tile[tx] = in[t * 256 + tx];\n"
LOOP = "for (int t = 0; t < tiles; ++t) {\n" + LOAD + COMPUTE + "}\n"
STANDS_FOR = {"/* tile loop */": LOOP, "/* load, barrier, compute, barrier */": LOAD + COMPUTE,
              "/* barrier, compute, barrier */": COMPUTE}


class Setup:
    """refused: by which variants; block: of the launch; header: beside the file, which
    is then as the example says, and what its command line names is rewritten; verified: False, where the example cannot be compiled."""

    def __init__(self, refused=VARIANTS, options=(), block="256", header="", verified=True):
        self.refused, self.options, self.block = refused, tuple(options), block
        self.header, self.verified = header, verified


SETUPS = {
    "racing-stores": Setup(options=["--block-size=16x4"], block="[16, 4]"),
    "load-not-global": Setup(ASYNC),
    "barrier-nested": Setup(TWO_BUFFERS),
    "copy-width": Setup(ASYNC),
    "nothing-to-mix": Setup(MIXED),
    "copy-converted": Setup(ASYNC),
    "copy-overlap": Setup(ASYNC),
    "stale-tile": Setup(TWO_BUFFERS),
    "tile-written": Setup(TWO_BUFFERS),
    "tile-used-outside": Setup(TWO_BUFFERS),
    "tile-escapes": Setup(TWO_BUFFERS),
    "shared-memory-limit": Setup(TWO_BUFFERS),
    "barrier-orders-other": Setup(TWO_BUFFERS),
    "block-size-needed": Setup(REGISTERS, block="[8, 32]"),
    "instantiations-disagree": Setup(TWO_BUFFERS),
    "archs-disagree": Setup(REGISTERS, options=["--arch=sm_80,sm_90"]),
    "shared-decl-form": Setup(TWO_BUFFERS),
    "dynamic-shared-memory": Setup(TWO_BUFFERS),
    "other-file": Setup(header="gemm.cuh"),
    "file-errors": Setup(options=["--keep-going"], verified=False),
    "self-check-undecided": Setup(options=["--self-check=require", "--assume=co-resident,dynamic-shared"]),
}


# Mistakes of the tool: no text provokes them.
UNPROVOKED = ["self-check-failed"]


def call(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, **options)


def explanations(tool, reasons):
    """{reason: what `explain` prints of it}"""
    parts = re.split(r"^(%s) \((?!an assumption)" % "|".join(reasons), call(tool + ["explain"] + reasons).stdout, flags=re.M)[1:]
    if parts[::2] != reasons:
        sys.exit("explained.py: not what was asked for: %s" % parts[::2])
    return dict(zip(reasons, parts[1::2]))


def examples(text, reason):
    """(refused, accepted)"""
    if reason in UNPROVOKED and "\nRefused:" not in text:
        return None
    match = re.search(r"\nRefused:\n\n(.*?)\nAccepted, as far as this reason goes:\n\n(.*?)\nWhat makes it", text, re.S)
    if not match:
        sys.exit("explained.py: no two examples in what `explain %s` prints:\n%s" % (reason, text))
    return [re.sub(r"^ {4}", "", code, flags=re.M) for code in match.groups()]


def names_in(code):
    return set(re.findall(r"[A-Za-z_]\w*", re.sub(r"//.*", "", code)))


def declared(name, code):
    """By the example itself; V is a parameter of a template."""
    return re.search(r"\b(int|float|half|half2|V)\b[ *]*(__restrict__ )?\b%s\b *[\[=;,)]" % name, code) is not None


def finished(body):
    """The body with what the example leaves out."""
    for mark, code in STANDS_FOR.items():
        body = body.replace(mark, "\n" + code)
    if not re.search(r"\b(for|while) \(", body):
        body += LOOP
    depth = body.count("{") - body.count("}")
    if depth:  # it breaks off in the tile loop
        body += COMPUTE[COMPUTE.index("sum"):] if "__syncthreads" in body else COMPUTE
    return body + "}\n" * depth


# Signature, body, and what stands behind; the body ends with the example if no brace in the first column, or behind a
# comment, ends it.
KERNEL = re.compile(r"""((?:template.*\s)?__global__\ void\ .*\)\ \{)
                        ((?:.|\n)*?) (?: ^\} | (?<=\*/\ )\} | \Z )
                        ((?:.|\n)*)""", re.M | re.X)


def as_file(code):
    head, _, body = code.rpartition("\n\n")
    head += "\n"
    kernel = KERNEL.match(body)
    signature, body, behind = kernel.groups() if kernel else ("", body, "")
    body = finished(body)
    if not re.search(r"\bout\[", body):
        body += "out[%s] = sum;\n" % ("ty * blockDim.x + tx" if "ty" in names_in(body) else "tx")
    names = names_in(head + body)
    missing = [n for n in names if not declared(n, head + signature + body)]
    if not signature:
        parameters = [type + name for name, (type, _) in PARAMETERS.items() if name in missing]
        signature = "__global__ void kernel(%s) {" % ", ".join(parameters)
    variables = "".join("  %s\n" % line for name, line in LOCALS.items() if name in missing)
    includes = {"#include <%s>\n" % INCLUDES[n] for n in names_in(head + signature + body) if n in INCLUDES}
    return "".join(sorted(includes)) + head + signature + "\n" + variables + body + "}" + behind + "\n"


def launches(code, setup, namespace):
    """Of the kernel, or of each instance of its template: what the rewrite changed and nothing ran is not verified."""
    name, parameters = re.search(r"__global__ void (\w+)\((.*)\) \{", code).groups()
    texts = []
    for instance, argument_of in re.findall(r"^template __global__ void (\w+<(.*?)>)", code, re.M) or [(name, "")]:
        text = "kernel: '%s%s'\n" % (namespace, instance)
        text += "cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]\ngrid: 1\nblock: %s\narguments:\n" % setup.block
        for parameter in parameters.split(","):
            argument = re.search(r"(\w+)$", parameter).group(1)
            kind = PARAMETERS[argument][1]
            if argument_of and re.search(r"\bV\b", parameter):
                kind = re.sub(r"buffer: \w+", "buffer: " + argument_of, kind)
            text += "  - {name: %s, %s}\n" % (argument, kind)
        texts.append(text)
    return texts


class Example:
    """One file, and what is expected of it."""

    def __init__(self, folder, reason, code, accepted):
        self.reason, self.setup, self.accepted = reason, SETUPS.get(reason, Setup()), accepted
        self.name = reason + (".accepted.cu" if accepted else ".refused.cu")
        self.text = as_file(code) if not self.setup.header else code
        os.makedirs(folder, exist_ok=True)
        if self.setup.header:
            with open(os.path.join(folder, self.setup.header), "w") as file:
                file.write(as_file(LOOP))
            self.name = re.search(r"// .*cuda-pipeline-rewrite (?:\S+ )*(\S+)", code).group(1)
            if accepted:
                self.text = as_file(LOOP)
        self.folder, self.path = folder, os.path.join(folder, self.name)
        with open(self.path, "w") as file:
            file.write(self.text)

    def expected(self, variant):
        if self.accepted or variant not in self.setup.refused:
            return ["rewritten"], []
        return ["refused"], [self.reason]


def rewrite(tool, folder, some, wrong):
    """{variant: examples with the same options, and what was made of those that were rewritten}."""
    out = os.path.join(folder, "written")
    result = call(tool + list(some[0].setup.options) + ["--variant=each", "--format=json", "--output-dir=" + out] +
                  [e.path for e in some])
    if result.returncode not in (0, 1):
        sys.exit("explained.py: exit %d\n%s" % (result.returncode, result.stderr))
    wanted, files = [(e, v) for e in some for v in VARIANTS + MIXED], json.loads(result.stdout)["files"]
    if [f["path"] for f in files] != [e.path for e, _ in wanted]:
        sys.exit("explained.py: not the files that were named: %s" % [f["path"] for f in files])
    done = {v: [] for v in VARIANTS + MIXED}
    for (e, variant), file in zip(wanted, files):
        if variant in MIXED and variant not in e.setup.refused:
            continue
        got = [l["status"] for l in file["loops"]], sorted({r["id"] for l in file["loops"] for r in l["reasons"]})
        if got != e.expected(variant):
            wrong[e.reason].append("%s, %s: expected %s %s, got %s %s" % (e.path, variant, *e.expected(variant), *got))
        elif not got[1]:
            done[variant].append((e, file["output"]))
    return done


def verify(tool, stem, pairs):
    """Examples and what was made of them, in one run: what is wrong with it. Each has a namespace of its own."""
    texts, description = ["", ""], []
    for number, (example, written) in enumerate(pairs):
        with open(written) as file:
            both = example.text, file.read()
        for i, text in enumerate(both):
            includes = "".join(re.findall(r"^#include <.*\n", text, re.M))
            rest = re.sub(r"^#include <.*\n", "", text, flags=re.M)
            texts[i] = includes + texts[i] + "namespace v%d {\n%s}\n" % (number, rest)
        description += launches(example.text, example.setup, "v%d::" % number)
    names = [stem + end for end in (".cu", ".out.cu", ".yaml")]
    for name, text in zip(names, texts + ["---\n".join(description)]):
        with open(name, "w") as file:
            file.write(text)
    result = call(tool + ["verify", names[0], names[1], "--launch=" + names[2], "--seed=1", "--runs=2"])
    return result.stdout + result.stderr if result.returncode else ""


def main():
    dash = sys.argv.index("--")
    tool, (folder, *exchange) = sys.argv[dash + 1:], sys.argv[1:dash]
    all_examples, wrong = [], {}
    reasons = [r["id"] for r in json.loads(call(tool + ["rules", "--format=json"]).stdout)]
    for reason, text in explanations(tool, reasons).items():
        wrong[reason] = []
        texts = examples(text, reason)
        if not texts:
            del wrong[reason]
            continue
        for accepted, code in enumerate(texts[::-1] if exchange else texts):
            all_examples.append(Example(os.path.join(folder, reason), reason, code, bool(accepted)))
    # Those with the same options at once, by all variants: most of the time would go into starting the tool and into reading.
    alike, written = {}, {v: [] for v in VARIANTS + MIXED}
    for e in all_examples:
        alike.setdefault((e.setup.options, e.setup.header and e.path), []).append(e)
    for some in alike.values():
        for variant, done in rewrite(tool, folder, some, wrong).items():
            written[variant] += [(e, out) for e, out in done if e.accepted and e.setup.verified]
    for variant in VARIANTS + MIXED:
        stem = os.path.join(folder, "verify-" + variant)
        if not exchange and verify(tool, stem, written[variant]):
            for pair in written[variant]:
                text = verify(tool, stem, [pair])
                if text:
                    wrong[pair[0].reason].append("%s, %s: not verified\n%s" % (pair[0].path, variant, text))
    for reason in SETUPS:
        if reason not in wrong:
            sys.exit("explained.py: SETUPS has '%s', which is no reason" % reason)
    if exchange:
        passed = [reason for reason, texts in wrong.items() if not texts]
        sys.exit("not noticed: %s" % ", ".join(passed) if passed else 0)
    for texts in wrong.values():
        for text in texts:
            print(text)
    if any(wrong.values()):
        sys.exit(1)
    print("%d reasons, refused and accepted as their examples say" % len(wrong))


if __name__ == "__main__":
    main()
