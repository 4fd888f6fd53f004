"""What clangd says of a file, as it is configured: said.py CLANGD FILE [OPTION...]"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lsp import Client

client = Client([sys.argv[1], "--log=error"] + sys.argv[3:])
with open(sys.argv[2], encoding="utf-8") as file:
    for d in client.diagnostics(sys.argv[2], file.read()):
        print("%d: severity %d: %s [%s]" % (d["range"]["start"]["line"] + 1, d["severity"], d["message"].split("\n")[0], d.get("code")))
code = client.close()
for line in client.log:
    if line.startswith(b"cuda-pipeline-clangd:"):
        print(line.decode("utf-8", "replace").rstrip())
print("exit %d" % code)
