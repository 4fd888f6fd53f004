# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""path-options.py FOLDER TOOL...: every option that writes, against every file that a run reads or writes besides.

No case may change anything in the folder: exit 2, one line on standard error, and all files as they were. What the options are
comes from --help: one that is not in READS, WRITES, FOLDERS or OTHERS below fails the test.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

folder, tool = os.path.abspath(sys.argv[1]), sys.argv[2:]

READS = {"--config", "--cuda-path", "-p", "--bench-report", "--launch", "--from-result", "--batch"}
# Each with the commands that have it, {} stands for the path. What is written is not run here, but further below it is.
WRITES = {
    "-o": [["k.cu", "--variant=ldg", "--self-check=off", "-o", "{}"], ["verify", "--emit-launch", "k.cu", "-o", "{}"]],
    "--report": [["k.cu", "--variant=ldg", "--self-check=off", "-o", "new.cu", "--report={}"], ["check", "k.cu", "--report={}"],
                 ["verify", "k.cu", "k2.cu", "--launch=l.yaml", "--runs=1", "--seed=1", "--report={}"],
                 ["verify", "--batch=list.txt", "--runs=1", "--seed=1", "--report={}"]],
    "--export-fixes": [["k.cu", "--variant=ldg", "--self-check=off", "--export-fixes={}"], ["check", "k.cu", "--export-fixes={}"]],
    "--depfile": [["k.cu", "--variant=ldg", "--self-check=off", "-o", "new.cu", "--depfile={}", "--depfile-target=t"], ["check", "k.cu", "--depfile={}", "--depfile-target=t"]],
}
FOLDERS = {"--output-dir", "--emit-harness", "--write-clang-database", "--cache"}  # cache.test has the last one
OTHERS = {"--variant", "--stages", "--width", "--layout", "--min-gain", "--kernel", "--lines", "--assume", "--arch", "--block-size", "--extra-arg", "--file-timeout",
          "--suffix", "--format", "--color", "-j", "--progress", "--depfile-target", "--fail-on", "--verify", "--engine", "--seed", "--runs",
          "--timeout", "--all-data", "--emit-launch", "--inspect", "--self-check", "--self-check-budget", "--variants", "--rounds", "--time-limit", "--print"}

KERNEL = """#include "%s"
__global__ void __launch_bounds__(SIZE) k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 tile[SIZE]; float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * SIZE + threadIdx.x];
    __syncthreads();
    sum += tile[SIZE - 1 - threadIdx.x].x;
    __syncthreads();
  }
  out[blockIdx.x * SIZE + threadIdx.x] = sum;
}
"""
LAUNCH = """kernel: k
cases:
  - {n: 2}
grid: [1]
block: [SIZE]
arguments:
  - {name: in, buffer: float4, count: n * SIZE}
  - {name: out, buffer: float, count: SIZE, role: output}
  - {name: n, scalar: int, value: n}
""".replace("SIZE", "32")

failed, count = [], 0


def put(name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def set_up():
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "build"))
    # A report is known by its suffix, so everything has a name with one of these, too.
    put("size.json", "#define SIZE 32\n")
    put("k.cu", KERNEL % "size.json")
    put("k2.cu", KERNEL % "size.json")
    put("l.yaml", LAUNCH)
    put("list.txt", "k.cu k2.cu l.yaml\n")
    put(".clang-tidy", "CheckOptions: {cuda-pipeline-tile-loop.MinGain: 1.01}\n")
    put("bench.json", '{"command": "bench", "cases": []}\n')
    put("build/compile_commands.json", json.dumps([{"directory": folder, "file": "k.cu", "command": "nvcc -c k.cu"}]))
    put("flags.json", "--options-file more.json\n")
    put("more.json", "-DUNUSED\n")
    put("flagged/compile_commands.json", json.dumps([{"directory": folder, "file": name, "command": "nvcc -c -optf flags.json " + name} for name in ("k.cu", "k2.cu")]))
    os.symlink(".", os.path.join(folder, "here"))
    for name in ("k.cu", "size.json", "l.yaml", "bench.json", "build/compile_commands.json", ".clang-tidy", "flags.json", "more.json"):
        short = os.path.basename(name).lstrip(".").split(".")[0]
        os.symlink(name, os.path.join(folder, "link-" + short + ".json"))
        os.link(os.path.join(folder, name), os.path.join(folder, "hard-" + short + ".json"))
    os.symlink("not-yet.json", os.path.join(folder, "link-not-yet.json"))


def snapshot():
    found = {}
    for at, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(at, name)
            if os.path.islink(path):
                found[path] = "-> " + os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[path] = "%d %s" % (os.stat(path).st_ino, hashlib.sha256(file.read()).hexdigest())
            else:
                found[path] = "folder"
    return found


def expect_kept(*arguments):
    """Nothing is written, and one line says why."""
    global count
    count += 1
    before = snapshot()
    run = subprocess.run(tool + list(arguments), cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    after = snapshot()
    problems = [name for name in sorted(set(before) | set(after)) if before.get(name) != after.get(name)]
    if problems or run.returncode != 2 or len(run.stderr.splitlines()) != 1:
        failed.append("%s: exit %d, changed %s; %s" % (" ".join(arguments), run.returncode, [os.path.relpath(p, folder) for p in problems], run.stderr.strip()))
        set_up()


def expect_done(*arguments):
    run = subprocess.run(tool + list(arguments), cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if run.returncode not in (0, 1):
        failed.append("%s: exit %d: %s" % (" ".join(arguments), run.returncode, run.stderr.strip()))


def names_of(name):
    """Other names of a file in the folder."""
    short = os.path.basename(name).lstrip(".").split(".")[0]
    return [name, "./" + name, os.path.join(folder, name), "here/" + name, "build/../" + name, "link-" + short + ".json", "hard-" + short + ".json"]


def usable(option, command, name):
    return option != "--report" or name.endswith((".json", ".txt"))


shown = subprocess.run(tool[:1] + ["--help"], capture_output=True, text=True).stdout
options = set(re.findall(r"^  (-[a-z](?= [A-Z])|--[a-z-]+(?==))", shown, re.MULTILINE))
known = READS | set(WRITES) | FOLDERS | OTHERS
for name in sorted(options ^ known):
    failed.append("%s is %s" % (name, "not in the table of this script" if name in options else "in the table, and there is no such option"))

set_up()
# Each with the commands that read it, and with how: behind all other arguments.
DATABASE = ["-p", "build", "--cache=none"]
FLAGGED = ["-p", "flagged", "--cache=none"]
OPTIONS = ["--", "--options-file", "flags.json"]
ALWAYS = ("rewrite", "check", "verify", "emit")
READ = [("size.json", ALWAYS, []), (".clang-tidy", ("rewrite", "check"), []), ("l.yaml", ("verify",), []), ("bench.json", ("rewrite", "check"), ["--bench-report=bench.json"]),
        ("build/compile_commands.json", ("rewrite", "check"), DATABASE)]
for read in ("flags.json", "more.json"):
    READ += [(read, ALWAYS, OPTIONS), (read, ALWAYS, FLAGGED)]
for option, commands in WRITES.items():
    for command in commands:
        kind = command[0] if command[0] in ("check", "verify") else "rewrite"

        def against(path, *more):
            expect_kept(*[word.format(path) for word in command], *more)

        for name in names_of("k.cu"):
            if usable(option, command, name):
                against(name)
        # Files that are read.
        for read, kinds, how in READ:
            if ("emit" if "--emit-launch" in command else kind) not in kinds:
                continue
            # A database's flags are read as those behind "--" are.
            for name in names_of(read)[:1 if how is FLAGGED or read == "more.json" else None]:
                if usable(option, command, name):
                    against(name, *how)
        # What another option writes, as it is named there and otherwise.
        for other in ("--report={}",) if kind == "verify" else ("--report={}", "--depfile={}"):
            if "--emit-launch" in command or (other.startswith("--depfile") and option == "--depfile"):
                continue
            for first, second in (("not-yet.json", "not-yet.json"), ("not-yet.json", "./not-yet.json"), ("not-yet.json", "here/not-yet.json"),
                                  ("build/not-yet.json", "here/build/../build/not-yet.json"), ("not-yet.json", "link-not-yet.json")):
                extra = ["--depfile-target=t"] if other.startswith("--depfile") else []
                against(first, other.format(second), *extra)

# The rewritten file has its name from the input.
put("other.pipelined.cu", "int other;\n")
put("other.cu", KERNEL % "other.pipelined.cu" + "#define SIZE 32\n")
put("other.cu", "#define SIZE 32\n" + KERNEL % "other.pipelined.cu")
expect_kept("other.cu", "--variant=ldg")
expect_kept("other.cu", "other.pipelined.cu", "--variant=ldg")
put("other.pipelined.cu", "// Generated by cuda-pipeline-rewrite; the next run overwrites this file.\nint other;\n")
expect_kept("other.cu", "--variant=ldg")  # it is ours, and it is read
expect_kept("other.cu", "other.pipelined.cu", "--variant=ldg")
if os.path.exists(os.path.join(folder, "other.pipelined.cu")):
    os.remove(os.path.join(folder, "other.pipelined.cu"))
put("other.cu", KERNEL % "size.json")
os.rename(os.path.join(folder, "other.cu"), os.path.join(folder, "other.json"))
expect_kept("other.json", "--variant=ldg", "--report=other.pipelined.json")
expect_kept("other.json", "--variant=ldg", "--report=here/other.pipelined.json")
expect_kept("other.json", "--variant=ldg", "--suffix=.x", "--depfile=other.x.json", "--depfile-target=t")
expect_kept("other.json", "--variant=ldg", "--output-dir=build", "--report=build/other.pipelined.json")
expect_kept("other.json", "--variant=ldg", "--output-dir=here", "--suffix=")
expect_kept("other.json", "--variant=ldg", "-i", "--report=other.json")
expect_kept("other.json", "--variant=ldg", "-i", "--depfile=./other.json", "--depfile-target=t")
put("sub/other.json", KERNEL % "../size.json")
expect_kept("other.json", "sub/other.json", "--variant=ldg", "--output-dir=build")
put("size.pipelined.json", "// Generated by cuda-pipeline-rewrite; the next run overwrites this file.\n#define SIZE 32\n")
put("other.json", KERNEL % "size.pipelined.json")
os.rename(os.path.join(folder, "other.json"), os.path.join(folder, "size.cu"))
expect_kept("size.cu", "--variant=ldg", "-o", "size.pipelined.json")

# Folders that are written as a whole.
set_up()
HARNESS = ("verify", "k.cu", "k2.cu", "--launch=l.yaml", "--arch=sm_80", "--emit-harness=h")
os.makedirs(os.path.join(folder, "h"))
put("h/build.sh", "#!/bin/sh\n")
expect_kept(*HARNESS)
os.remove(os.path.join(folder, "h/build.sh"))
os.link(os.path.join(folder, "k.cu"), os.path.join(folder, "h/build.sh"))
expect_kept(*HARNESS)
os.remove(os.path.join(folder, "h/build.sh"))
os.symlink("../l.yaml", os.path.join(folder, "h/build.sh"))
expect_kept(*HARNESS)
os.remove(os.path.join(folder, "h/build.sh"))
os.symlink("../made.sh", os.path.join(folder, "h/build.sh"))
expect_kept(*HARNESS)
os.remove(os.path.join(folder, "h/build.sh"))
expect_done(*HARNESS)
expect_done(*HARNESS)
put("k2.cu", KERNEL.replace("sum +=", "sum = sum +") % "size.json")
expect_done(*HARNESS)  # its own files
with open(os.path.join(folder, "h/build.sh"), "a", encoding="utf-8") as script:
    script.write("# mine\n")
expect_kept(*HARNESS)
expect_kept("bench", "k.cu", "k2.cu", "--launch=l.yaml", "--arch=sm_80", "--no-ablation", "--emit-harness=h")
expect_kept("-p", "build", "--write-clang-database=build")
expect_kept("-p", "build", "--write-clang-database=here/build")
os.makedirs(os.path.join(folder, "db"))
put("db/compile_commands.json", "[]\n")
expect_kept("-p", "build", "--write-clang-database=db")

# Where standard output goes.
for redirected in ("k.cu", "size.json"):
    count += 1
    before = snapshot()
    with open(os.path.join(folder, redirected), "a", encoding="utf-8") as out:
        run = subprocess.run(tool + ["check", "k.cu"], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True)
    if run.returncode != 2 or before != snapshot():
        failed.append("check k.cu >> %s: exit %d" % (redirected, run.returncode))

for line in failed:
    print("FAILED " + line)
print("%d cases%s" % (count, "" if failed else ", all kept"))
sys.exit(1 if failed else 0)
