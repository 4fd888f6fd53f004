"""database.py DIR FILE COMMAND...: writes DIR/compile_commands.json with one entry."""

import json
import os
import sys

directory, file, command = sys.argv[1], sys.argv[2], sys.argv[3:]
with open(os.path.join(directory, "compile_commands.json"), "w", encoding="utf-8") as out:
    json.dump([{"directory": directory, "file": file, "arguments": command}], out)
