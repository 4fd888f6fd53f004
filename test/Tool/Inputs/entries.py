"""entries.py DIR FILE [FLAG...] [/ FLAG...]...: writes DIR/compile_commands.json, with an entry for FILE per list of FLAGs."""
import json
import os
import sys

folder, file, flags = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
ways = [[]]
for flag in flags:
    if flag == "/":
        ways.append([])
    else:
        ways[-1].append(flag)
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as out:
    json.dump([{"directory": folder, "file": file, "output": "%d.o" % i,
                "arguments": (way if way[:1] == ["clang++"] else ["nvcc"] + way) + ["-c", file, "-o", "%d.o" % i]}
               for i, way in enumerate(ways)], out)
