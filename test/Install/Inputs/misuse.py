"""misuse.py PREFIX WORK TOOLCHAIN CASE...: what CMake says about the wrong calls of misuse/CMakeLists.txt."""

import os
import re
import shutil
import subprocess
import sys

prefix, work, toolchain = sys.argv[1:4]
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "misuse")
for case in sys.argv[4:]:
    shutil.rmtree(work, ignore_errors=True)
    command = ["cmake", "-S", source, "-B", work, "-G", "Ninja", "-DCASE=" + case, "-DCMAKE_PREFIX_PATH=" + prefix,
               "-DCMAKE_CUDA_ARCHITECTURES=80", "-DCMAKE_TOOLCHAIN_FILE=" + toolchain]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    # CMake breaks lines.
    text = re.sub(r"\s+", " ", result.stdout.replace(source, "SOURCE"))
    said = re.findall(r"cuda_pipeline_check: .*?(?= Call Stack| CMake |$)|Could not find a configuration file .*? requested version \"[^\"]*\"", text)
    print("%s: %s: %s" % (case, "error" if result.returncode else "configured", " / ".join(said) or result.stdout))
    if case == "nothing":
        build = subprocess.run(["cmake", "--build", work, "--target", "headers-pipeline-check", "host-pipeline-check"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        print("  build: %d" % build.returncode)
