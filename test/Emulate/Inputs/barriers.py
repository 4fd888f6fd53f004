# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants each bug of barriers.cu and prints the kernel that fails and why.

    python3 barriers.py KERNELS.cu PLAIN.cu LAUNCH.yaml FOLDER TOOL...
"""

import os
import re
import subprocess
import sys

kernels, plain, launch, folder, *tool = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
source = open(kernels).read()
for bug in sorted({int(n) for n in re.findall(r"BUG [!=]= (\d+)", source)}):
    path = os.path.join(folder, "bug-{}.cu".format(bug))
    with open(path, "w") as file:
        file.write("#define BUG {}\n".format(bug) + source)
    run = subprocess.run(tool + ["verify", plain, path, "--launch=" + launch, "--seed=1"], stdout=subprocess.PIPE,
                         universal_newlines=True)
    failed = [line for line in run.stdout.splitlines() if " FAIL " in line]
    assert run.returncode == 1 and failed, (bug, run.returncode, run.stdout)
    assert len({line.split()[0] for line in failed}) == 1, (bug, failed)
    print("{:<2} {:<14} {}".format(bug, failed[0].split()[0], failed[0].split(" FAIL ")[1].strip()))
