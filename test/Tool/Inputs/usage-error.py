"""Runs a command that must be a usage error: exit 2, one line on stderr, nothing on stdout."""

import subprocess
import sys

run = subprocess.run(sys.argv[1:], capture_output=True, text=True, stdin=subprocess.DEVNULL)
sys.stderr.write(run.stderr)
problems = []
if run.returncode != 2:
    problems.append("exit code %d instead of 2" % run.returncode)
if run.stdout:
    problems.append("standard output: %r" % run.stdout)
if len(run.stderr.splitlines()) != 1:
    problems.append("%d lines on standard error instead of 1" % len(run.stderr.splitlines()))
for problem in problems:
    print("usage-error.py: " + problem)
sys.exit(1 if problems else 0)
