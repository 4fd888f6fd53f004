"""A compiler that says what it was told, on its two outputs: compiler.py [--exit=N | --signal] ARGUMENT..."""
import os
import signal
import sys

print("compiler: " + " ".join(sys.argv[1:]))
print("compiler: warning", file=sys.stderr)
sys.stdout.flush()
for argument in sys.argv[1:]:
    if argument.startswith("--exit="):
        sys.exit(int(argument[len("--exit="):]))
    if argument == "--signal":
        os.kill(os.getpid(), signal.SIGKILL)
    if argument == "--read":
        print("compiler: read " + sys.stdin.read())
