"""hooks.py HOOKS FILE...: runs each hook's command on each file, as pre-commit does: files behind the command."""

import os
import re
import shlex
import subprocess
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    hooks = file.read().split("\n- id: ")[1:]
for hook in hooks:
    fields = dict(re.findall(r"^  (\w+): (.*)$", hook, flags=re.M))
    assert fields["language"] == "system" and fields["types"] == "[cuda]", fields
    codes = []
    for path in sys.argv[2:]:
        run = subprocess.run(shlex.split(fields["entry"]) + [path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        codes.append("%s %d" % (os.path.basename(path), run.returncode))
    print("%s: %s" % (hook.split("\n")[0], ", ".join(codes)))
print("%d hooks" % len(hooks))
