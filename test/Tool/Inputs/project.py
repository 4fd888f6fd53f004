"""project.py DIR FILE... [-- FLAG...]: writes DIR/compile_commands.json, with nvcc's command for each FILE."""
import json
import os
import sys

arguments = sys.argv[1:]
flags = arguments[arguments.index("--") + 1 :] if "--" in arguments else []
files = arguments[1 : arguments.index("--")] if "--" in arguments else arguments[1:]
folder = os.path.abspath(arguments[0])
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as out:
    json.dump([{"directory": folder, "file": os.path.abspath(f),
                "arguments": ["nvcc", "-gencode", "arch=compute_86,code=sm_86", "--expt-relaxed-constexpr", "-Xcompiler=-Wall"] + flags +
                             ["-c", os.path.abspath(f), "-o", os.path.basename(f) + ".o"]} for f in files], out)
