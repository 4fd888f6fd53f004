# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile.py FOLDER TOOL...: names, options, comments and other programs' words with bytes that act on a terminal.

Nothing of it may come out as it is: on standard error whatever is asked for, on standard output in what is to be read.
"""

import json
import os
import re
import shutil
import subprocess
import sys

folder, tool = os.path.abspath(sys.argv[1]), sys.argv[2:]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
BAD = "\x1b[2J\x9b31m\u202e\x07"  # a command, one in another form, one that turns the text around, and the bell
ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
TILE = """__global__ void __launch_bounds__(128) k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 tile[128]; float sum = 0.f;
  for (int t = 0; t < n; ++t) { // %s
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x].x;
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
""" % BAD
NAME = "k" + BAD + ".cu"
LINES = "line\n::error::x" + BAD + ".cu"
for name in (NAME, LINES):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(TILE)
with open(os.path.join(folder, "broken" + BAD + ".cu"), "w", encoding="utf-8") as file:
    file.write("nonsense // %s\n" % BAD)
with open(os.path.join(folder, "error.cu"), "w", encoding="utf-8") as file:
    file.write("#error %s\n" % BAD)
with open(os.path.join(folder, "launch" + BAD + ".yaml"), "w", encoding="utf-8") as file:
    file.write("kernel: none%s\n" % "\u202e")
with open(os.path.join(folder, "result.json"), "w", encoding="utf-8") as file:
    json.dump({"command": BAD}, file)
with open(os.path.join(folder, "comment.cu"), "w", encoding="utf-8") as file:
    file.write(TILE + "// NOLINTBEGIN(cuda-pipeline,%s)\n" % BAD)
os.makedirs(os.path.join(folder, "conf" + BAD))
shutil.copy(os.path.join(folder, NAME), os.path.join(folder, "conf" + BAD, "a.cu"))
with open(os.path.join(folder, "conf" + BAD, ".clang-tidy"), "w", encoding="utf-8") as file:
    file.write("CheckOptions: [%s\n" % "\u202e")

BROKEN, LAUNCH = "broken" + BAD + ".cu", "launch" + BAD + ".yaml"
RUNS = [
    ["check", NAME, "--progress=always"], ["check", LINES, "--progress=always"], ["check", NAME, BROKEN, "-j2", "--progress=always", "-v"],
    ["check", NAME, "--format=github"], ["check", LINES, "--format=github"], ["check", BROKEN, LINES, "--format=github"],
    [NAME, "--variant=ldg", "--progress=always"], [NAME, "--variant=ldg", "-o", "nowhere" + BAD + "/x.cu"], [NAME, "--output-dir=" + NAME + "/x"],
    ["check", "none" + BAD + ".cu"], ["check", "error.cu"], ["check", "error.cu", "--format=github"], ["check", "comment.cu"],
    ["verify", NAME, NAME, "--launch=" + LAUNCH], ["verify", NAME, BROKEN], ["verify", NAME, "error.cu"], ["verify", NAME, LINES], ["verify", "none" + BAD, NAME],
    ["verify", "--emit-launch", BROKEN], ["verify", NAME, NAME, "--from-result=result.json"], ["verify", NAME, NAME, "--engine=sass"],
    ["bench", NAME, "--launch=" + LAUNCH], ["bench", BROKEN], ["bench", "error.cu", NAME],
    ["explain", BAD], ["rules", BAD], ["check", "conf" + BAD + "/a.cu"], ["check", NAME, "--config=" + LAUNCH], ["check", NAME, "--bench-report=result.json"],
    ["check", "-p", BAD], ["check", NAME, "--cache=" + NAME], ["check", NAME, "--kernel=" + BAD], ["launch", "--", BAD],
    ["check", NAME, "--", "--options-file", BAD], ["check", NAME, "-v", "--", "-DX=" + BAD, "--some-flag=" + BAD],
] + [["check", NAME, option + BAD] for option in (
    "--", "--variant=", "--stages=", "--kernel=(", "--lines=", "--assume=", "--arch=", "--cuda-path=", "--block-size=", "--format=", "--report=", "--color=", "-j",
    "--progress=", "--fail-on=", "--print=", "--engine=", "--seed=", "--runs=", "--verify=", "--suffix=/", "--unsafe-fixes=", "-q=", "-i=", "--help=",
    "--min-gain=", "--file-timeout=", "-")]

failed = 0
for arguments in RUNS:
    run = subprocess.run(tool + arguments, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
    for what, said in (("standard error", run.stderr), ("standard output", run.stdout)):
        text = said.decode("utf-8", errors="replace")
        found = ACTS.search(text)
        command = [line for line in text.split("\n") if re.match(r"\s*::", line) and not re.match(r"::(notice|warning|error) file=[^:\n]*,title=[^:\n]*::", line)]
        if found or (command and "--format=github" in arguments):
            print("FAILED %s, %s: %r" % (ascii(arguments), what, command or text[max(0, found.start() - 80) : found.end() + 20]))
            failed += 1
    if run.returncode < 0 or not run.stderr + run.stdout:
        print("FAILED %s: exit %d, and nothing is said" % (ascii(arguments), run.returncode))
        failed += 1
print("%d runs%s" % (len(RUNS), "" if failed else ", all harmless"))
sys.exit(1 if failed else 0)
