"""Edits a file faster than it can be answered: newest_text.py CLANGD DECLS WORK FILE

What the check has to say comes behind clangd's own diagnostics, and for the newest text alone. Each edit makes the file a line
longer in front of the loop: what is said of a loop must be said of the line in which the newest text has it, and a quick-fix must
make of the newest text what the command line makes of it.
"""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tidy/Inputs"))
from flags import tidy_flags
from lsp import Client, uri_of

clangd, decls, work, source = sys.argv[1:]
os.makedirs(work, exist_ok=True)
with open(os.path.join(work, "compile_flags.txt"), "w", encoding="utf-8") as file:
    file.write("\n".join(tidy_flags(decls)) + "\n")
with open(source, encoding="utf-8") as file:
    text = file.read()
path = os.path.join(work, os.path.basename(source))
client = Client([clangd, "--log=error", "--enable-config=false"])
ours = lambda diagnostics: [d for d in diagnostics if d.get("code") == "cuda-pipeline-tile-loop"]


def line_of(diagnostic):
    return diagnostic["range"]["start"]["line"]


def fixes_at(line):
    """All that is offered for it, whatever the client says that it was told before."""
    end = {"line": line, "character": 200}
    known = [d for d in told if line_of(d) == line]
    actions = client.request("textDocument/codeAction", {
        "textDocument": {"uri": uri_of(path)}, "range": {"start": {"line": line, "character": 0}, "end": end},
        "context": {"diagnostics": known, "only": ["quickfix"]}})
    return [a["title"] for a in actions]


(first,) = ours(client.diagnostics(path, text))
told, base = [first], line_of(first)
begin = text.index("__global__")
wrong = 0

# The newest text wins: each edit comes while the one before it is being answered.
for rounds, pause in ((1, 0.15), (2, 0.3), (3, 0.6)):
    for edit in range(1, 6):
        added = 10 * rounds + edit
        client.send_text(path, text[:begin] + "// more\n" * added + text[begin:])
        time.sleep(pause)
        # Asked at once, with the diagnostic of the text before: nothing of that one is offered.
        for title in fixes_at(base):
            print("offered for another text: " + title)
            wrong += 1
    version = client.versions[path]
    while True:
        said = client.next_said()
        number = int(said["version"])
        if said.get("all"):
            if number == version:
                break
            continue
        for d in ours(said["diagnostics"]):
            # 5 edits of each round, in this order.
            of = 10 * ((number - 2) // 5 + 1) + (number - 2) % 5 + 1
            if line_of(d) != base + of:
                print("version %d: said of line %d, the loop is in %d" % (number, line_of(d), base + of))
                wrong += 1
        last = said
    (d,) = ours(last["diagnostics"])
    print("newest: %d added, %d fixes" % (line_of(d) - base, len(client.fixes(path, d))))
print("%d wrong, exit %d" % (wrong, client.close()))
