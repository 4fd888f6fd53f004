# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All examples in all their variants for several GPUs, as machine code: a line for each.

    examples.py TOOL TOOLKIT EXAMPLES FOLDER ARCH...

    sgemm_tile ldg sm_80: overlapped, was serialized; compute equal; 0 differ; pass

All of them are compiled as one file for each GPU, in namespaces of their own: reading the headers takes longer than the kernels.
`0 differ`: instructions that the disassembler (where there is one) classifies otherwise than the built-in reader.
"""
import glob
import json
import os
import re
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit("%s\nexit %d\n%s%s" % (" ".join(command), done.returncode, done.stdout, done.stderr))
    return done.stdout


VARIANTS = ("cp-async", "ldg", "ldg-single", "mixed")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def in_one_file(path, texts):
    """{namespace: text}"""
    includes = sorted({line for text in texts.values() for line in re.findall(r"^#include .*", text, re.M)})
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(includes) + "\n")
        for name, text in texts.items():
            file.write("namespace %s {\n%s}\n" % (name, re.sub(r"^#include .*", "", text, flags=re.M)))
    return path


def main():
    tool, toolkit, examples, folder = sys.argv[1:5]
    archs = sys.argv[5:]
    os.makedirs(folder, exist_ok=True)
    sources = sorted(glob.glob(os.path.join(examples, "*.cu")))
    said = run(tool, "--variant=each", "-q", "--format=json", "--inspect=off", "--output-dir=" + folder, "--cuda-path=" + toolkit, *sources)
    files = iter(json.loads(said)["files"])
    titles, old, new = [], {}, {}
    for source in sources:
        for variant in VARIANTS:
            file, title = next(files), "%s %s" % (os.path.splitext(os.path.basename(source))[0], variant)
            if file["path"] != source:
                sys.exit("%s: the report is about %s" % (title, file["path"]))
            space = re.sub(r"\W", "_", title)
            titles.append((title, space))
            if file["output"]:
                old[space], new[space] = read(source), read(file["output"])
    both = [in_one_file(os.path.join(folder, name), texts) for name, texts in (("old.cu", old), ("new.cu", new))]
    text = run(tool, "verify", "--engine=sass", "--format=json", "--cuda-path=" + toolkit, "-j2", *both, *["--arch=" + a for a in archs])
    lines = {space: [] for space in new}
    for arch in json.loads(text)["archs"]:
        for kernel in arch["kernels"]:
            for before, now in zip(kernel["old"]["loops"], kernel["new"]["loops"]):
                lines[kernel["kernel"].split("::")[0]].append("%s: %s, was %s; compute %s; %d differ; %s" % (
                    arch["arch"], now["overlap"], before["overlap"], kernel["compute"], arch["differences"], kernel["verdict"]))
    for title, space in titles:
        if space not in new:
            if not title.endswith(" mixed"):  # one example has copies of both kinds
                print("%s: refused" % title)
        for line in lines.get(space, []):
            print("%s %s" % (title, line))


if __name__ == "__main__":
    main()
