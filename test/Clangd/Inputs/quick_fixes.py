"""Drives clangd over LSP as an editor does.

  quick_fixes.py CLANGD DECLS WORK FILE LAUNCH ILLEGAL -- TOOL...
  quick_fixes.py CLANGD DECLS WORK --all FILE... -- TOOL...
  quick_fixes.py CLANGD DECLS WORK --generated COUNT -- TOOL...

Opens FILE, asks for the quick-fixes of each diagnostic, applies each of them to the text, and holds it against what the command
line writes for this loop and this variant, byte for byte; what was written is verified in the emulator. Then the text
is edited: with `ILLEGAL`, a line that is put behind each first barrier, no loop can be pipelined, and the diagnostics go; when it is taken
out again they come back. With --all, and --generated for kernels of test/Fuzz/tilegen, only the bytes are compared.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tidy/Inputs"))
from flags import generated, tidy_flags
from lsp import Client, apply_edits


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return result.returncode, result.stdout, result.stderr.decode(errors="replace")


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def ours(said):
    return [d for d in said if str(d.get("code", "")).startswith("cuda-pipeline")]


def check_fixes(client, path, diagnostics, tool, launch=None, quiet=False):
    """Of all loops of the file. Returns how many there were."""
    text, count = read(path), 0
    for d in diagnostics:
        line = d["range"]["start"]["line"] + 1
        fixes = client.fixes(path, d)
        if not fixes:
            sys.exit("%s:%d: no quick-fix" % (path, line))
        for title, edits in fixes:
            match = re.match(r"(?:or )?pipeline this tile loop with ([a-z-]+), (\d) stages?", title)
            if not match:
                sys.exit("%s:%d: what is this? %s" % (path, line, title))
            new = apply_edits(text, edits)
            options = ["--lines=%d:%d" % (line, line), "--arch=sm_80", "-q"]
            named = ["--variant=" + match.group(1)]
            if match.group(1) == "cp-async":
                named.append("--stages=" + match.group(2))
            # The first is what auto does, which may leave copies alone that a variant by its name would move;
            # where auto finds that nothing pays, it is the variant.
            code, expected, errors = (1, b"", "") if title.startswith("or ") else run(tool + [path, "-o", "-", "--variant=auto"] + options)
            if code != 0:
                code, expected, errors = run(tool + [path, "-o", "-"] + options + named)
            if code != 0 or expected.decode("utf-8") != new:
                write(path + ".fixed", new)
                sys.exit("%s:%d, %s: not what the command line writes (exit %d)\n%s" % (path, line, title, code, errors))
            if launch:
                out = "%s.fixed.%d.cu" % (path[:-3], count)
                write(out, new)
                code, said, errors = run(tool + ["verify", path, out, "--launch=" + launch, "--arch=sm_80"])
                if code != 0:
                    sys.exit("%s:%d, %s: does not pass: %s%s" % (path, line, title, said.decode(), errors))
            count += 1
        if not quiet:
            print("line %d: %s" % (line, "; ".join(title for title, _ in fixes)))
    return count


def main():
    arguments, tool = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    clangd, decls, work = arguments[:3]
    os.makedirs(work, exist_ok=True)
    write(os.path.join(work, "compile_flags.txt"), "\n".join(tidy_flags(decls)) + "\n")
    client = Client([clangd, "--log=error", "--enable-config=false"])
    if arguments[3] in ("--all", "--generated"):
        sources = arguments[4:] if arguments[3] == "--all" else generated(int(arguments[4]), os.path.join(work, "generated"))
        fixes, loops = 0, 0
        for source in sources:
            path = os.path.join(work, os.path.basename(source))
            write(path, read(source))
            diagnostics = ours(client.diagnostics(path, read(path)))
            loops += len(diagnostics)
            fixes += check_fixes(client, path, diagnostics, tool, quiet=True)
        print("%d files, %d loops, %d fixes, exit %d" % (len(sources), loops, fixes, client.close()))
        return
    source, launch, illegal = arguments[3:]
    path = os.path.join(work, os.path.basename(source))
    text = read(source)
    write(path, text)
    diagnostics = ours(client.diagnostics(path, text))
    count = check_fixes(client, path, diagnostics, tool, launch if launch != "-" else None)
    edited = re.sub(r"^([ \t]*)__syncthreads\(\);\n", lambda m: m.group(0) + m.group(1) + illegal + "\n", text, flags=re.M)
    left = ours(client.diagnostics(path, edited))
    print("illegal: %d left" % len(left))
    print("half-written: %d left" % len(ours(client.diagnostics(path, text[: len(text) // 2]))))
    back = ours(client.diagnostics(path, text))
    print("again: %d of %d" % (len(back), len(diagnostics)))
    print("%d fixes, exit %d" % (count, client.close()))


main()
