"""Drives clangd over LSP as an editor does.

  quick_fixes.py CLANGD DECLS WORK FILE LAUNCH ILLEGAL -- TOOL...

Opens FILE, asks for the quick-fixes of each diagnostic, applies each of them to the text, and holds it against what the command
line writes for this loop and this variant, byte for byte; what was written is verified in the emulator. Then the text
is edited: with `ILLEGAL`, a line that is put behind each first barrier, no loop can be pipelined, and the diagnostics go; when it is taken
out again they come back.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compile_flags import flags
from lsp import Client, apply_edits


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return result.returncode, result.stdout, result.stderr.decode(errors="replace")


def main():
    arguments, tool = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    clangd, decls, work, source, launch, illegal = arguments
    os.makedirs(work, exist_ok=True)
    path = os.path.join(work, os.path.basename(source))
    with open(source, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(work, "compile_flags.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(flags(decls)) + "\n")
    client = Client([clangd, "--log=error", "--enable-config=false"])
    ours = lambda said: [d for d in said if str(d.get("code", "")).startswith("cuda-pipeline")]
    diagnostics = ours(client.diagnostics(path, text))
    count = 0
    for d in diagnostics:
        line = d["range"]["start"]["line"] + 1
        fixes = client.fixes(path, d)
        for title, edits in fixes:
            match = re.match(r"(?:or )?pipeline this tile loop with ([a-z-]+), (\d) stages?", title)
            if not match:
                sys.exit("line %d: what is this? %s" % (line, title))
            new = apply_edits(text, edits)
            options = ["--variant=" + match.group(1), "--lines=%d:%d" % (line, line), "--arch=sm_80", "-q"]
            if match.group(1) == "cp-async":
                options.append("--stages=" + match.group(2))
            code, expected, errors = run(tool + [path, "-o", "-"] + options)
            if code != 0 or expected.decode("utf-8") != new:
                sys.exit("line %d, %s: not what the command line writes (exit %d)\n%s" % (line, title, code, errors))
            out = os.path.join(work, "fixed.%d.cu" % count)
            with open(out, "w", encoding="utf-8") as file:
                file.write(new)
            if launch != "-":
                code, said, errors = run(tool + ["verify", path, out, "--launch=" + launch, "--arch=sm_80"])
                if code != 0:
                    sys.exit("line %d, %s: does not pass: %s%s" % (line, title, said.decode(), errors))
            count += 1
        print("line %d: %s" % (line, "; ".join(title for title, _ in fixes)))
    edited = re.sub(r"^([ \t]*)__syncthreads\(\);\n", lambda m: m.group(0) + m.group(1) + illegal + "\n", text, flags=re.M)
    left = ours(client.diagnostics(path, edited))
    print("illegal: %d left" % len(left))
    print("half-written: %d left" % len(ours(client.diagnostics(path, text[: len(text) // 2]))))
    back = ours(client.diagnostics(path, text))
    print("again: %d of %d" % (len(back), len(diagnostics)))
    print("%d fixes, exit %d" % (count, client.close()))


main()
