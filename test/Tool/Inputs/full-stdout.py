"""Runs a command whose standard output is a full disk; prints its exit code and its messages."""

import subprocess
import sys

with open("/dev/full", "w") as full:
    run = subprocess.run(sys.argv[1:], stdout=full, stderr=subprocess.PIPE, text=True)
print("exit code %d" % run.returncode)
print(run.stderr)
