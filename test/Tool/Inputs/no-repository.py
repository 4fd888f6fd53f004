# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""no-repository.py PROJECT COMPILER TOOL...: which headers are the project's where nothing says how far it goes.

The tests may lie in a repository, so a copy of PROJECT (src/, include/ and third_party/) is looked at elsewhere.
"""

import os
import shutil
import subprocess
import sys
import tempfile

project, compiler, tool = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]


def say(what, folder, *arguments, home="/nonexistent"):
    run = subprocess.run(tool + list(arguments), cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=dict(os.environ, HOME=home))
    text = run.stdout + run.stderr
    print("%s: exit %d%s%s%s" % (what, run.returncode, ", kernels.cuh" if "kernels.cuh:3:3: warning" in text else "",
                                 ", theirs.cuh" if "theirs.cuh:2:3: warning" in text else "", ", other-file" if "[other-file]" in text else ""))


def check(file, *folders):
    return ["check", "--project-headers", file, "--"] + ["-I" + folder for folder in folders]


with tempfile.TemporaryDirectory() as folder:
    top = os.path.join(os.path.realpath(folder), "work", "p")
    for name in ("src", "include", "third_party"):
        shutil.copytree(os.path.join(project, name), os.path.join(top, name))
    say("launch", os.path.join(top, "src"), "launch", "--fail-on=opportunity", "--", sys.executable, compiler, "-I../include", "-I../third_party", "-c", "a.cu")
    say("check", top, *check("src/a.cu", "include", "third_party"))
    say("the user's own folder", top, *check("src/a.cu", "include", "third_party"), home=top)
    os.makedirs(os.path.join(top, "src", "deep"))
    os.rename(os.path.join(top, "src", "a.cu"), os.path.join(top, "src", "deep", "a.cu"))
    say("deeper", top, *check("src/deep/a.cu", "include", "third_party"))
    os.rename(os.path.join(top, "include"), os.path.join(top, "elsewhere"))
    say("another name", top, *check("src/deep/a.cu", "elsewhere", "third_party"))
