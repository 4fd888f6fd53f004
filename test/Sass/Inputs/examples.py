# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All examples in all their variants for several GPUs, as machine code: a line for each.

    examples.py TOOL TOOLKIT EXAMPLES FOLDER ARCH...

    sgemm_tile ldg sm_80: overlapped, was serialized; compute equal; 0 differ; pass

`0 differ`: instructions that the disassembler (where there is one) classifies otherwise than the built-in reader.
"""
import glob
import json
import os
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit("%s\nexit %d\n%s%s" % (" ".join(command), done.returncode, done.stdout, done.stderr))
    return done.stdout


tool, toolkit, examples, folder = sys.argv[1:5]
archs = sys.argv[5:]
os.makedirs(folder, exist_ok=True)
for source in sorted(glob.glob(os.path.join(examples, "*.cu"))):
    name = os.path.splitext(os.path.basename(source))[0]
    for variant in ("cp-async", "ldg", "ldg-single"):
        new = os.path.join(folder, "%s.%s.cu" % (name, variant))
        run(tool, source, "--variant=" + variant, "-q", "--inspect=off", "-o", new, "--cuda-path=" + toolkit)
        if open(new).read() == open(source).read():
            print("%s %s: refused" % (name, variant))
            continue
        text = run(tool, "verify", "--engine=sass", "--format=json", "--cuda-path=" + toolkit, "-j2", source, new, *["--arch=" + a for a in archs])
        for arch in json.loads(text)["archs"]:
            for kernel in arch["kernels"]:
                for old, now in zip(kernel["old"]["loops"], kernel["new"]["loops"]):
                    print("%s %s %s: %s, was %s; compute %s; %d differ; %s" % (name, variant, arch["arch"], now["overlap"], old["overlap"],
                                                                               kernel["compute"], arch["differences"], kernel["verdict"]))
        sys.stdout.flush()
