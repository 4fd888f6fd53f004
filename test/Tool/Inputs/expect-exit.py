"""expect-exit.py N COMMAND...: fails unless the command exits with N."""

import subprocess
import sys

code = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode
if code != int(sys.argv[1]):
    sys.exit("expect-exit.py: exit code %d instead of %s" % (code, sys.argv[1]))
