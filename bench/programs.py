# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the GPU benchmarks have in common: how a program is run, and the harness under compute-sanitizer."""

import os
import subprocess

# What a sanitizer says last where it has found nothing.
CLEAN = {
    "memcheck": "ERROR SUMMARY: 0 errors",
    "racecheck": "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)",
}


def run(command, timeout=600, **options):
    """Exit status and output; 124 where the time was up, 127 where it could not start."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            **options,
        )
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as expired:
        return 124, (expired.stdout or b"").decode(errors="replace") + "\ntime limit\n"
    except OSError as error:
        return 127, str(error)


def sanitize_harness(folder, tool, sanitizer="compute-sanitizer"):
    """Runs the harness in `folder` (docs/gpu-harness.md) under `tool`: "clean", or what it says."""
    status, text = run([sanitizer, "--tool", tool, "--error-exitcode", "9", os.path.join(folder, "harness"),
                        "--rounds=0", "--guard=0", "--poison=0", "--seeds=1",
                        "--result=" + os.path.join(folder, tool + ".json")])
    if CLEAN[tool] in text:
        return "clean"
    lines = [line for line in text.splitlines() if line.startswith("=========") and line.strip("= ")]
    return "\n".join(lines[:6] + lines[-1:]) or "exit {}: {}".format(status, text[-500:])
