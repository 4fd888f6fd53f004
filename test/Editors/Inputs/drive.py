"""Lets an editor apply the quick-fixes of the project's clangd.

  drive.py EDITOR CLANGD DECLS WORK FILE LAUNCH ILLEGAL -- TOOL...

EDITOR is nvim, emacs or ale (Vim with ALE). It is started without anybody's settings, with the snippet of docs/editors.md that is
marked for it as its only configuration, and with a script of this folder that does what somebody at the keyboard does: at each
diagnostic asks for the code actions, chooses one, saves, undoes it and saves, until each has been chosen; then puts the line
ILLEGAL behind each barrier, and undoes that.

What the script saw is in WORK/transcript, a line each, fields with tabs between them:

  shown LINE MESSAGE             the diagnostics
  offered LINE TITLE             the code actions at LINE that are ours
  fixed N LINE TITLE             this one has been applied and saved; the file is now also fixed.N.cu
  undone N same|different        the buffer against the text from before
  illegal COUNT, again COUNT     diagnostics with the loops illegal, and after the undo
  failed WHAT                    something did not come, or is not as it should be
  end

Here that is held against the command line: what is offered is what it calls legal, each saved file has its bytes, and passes in
the emulator. Of a file with one loop that is so as well for the code actions that run a quick-fix before they apply it.
"""
import fcntl
import functools
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Tidy", "Inputs"))
from flags import tidy_flags

PATIENCE = 120  # seconds for one thing to come; the scripts have it in CPR_PATIENCE
LIMIT = 400  # seconds for the editor


def snippet(name):
    """The indented block of docs/editors.md behind the marker with this name."""
    with open(os.path.join(HERE, "..", "..", "..", "docs", "editors.md"), encoding="utf-8") as file:
        block = re.search(r"<!-- snippet: %s -->\n\n((?:    .*\n|\n)+)" % re.escape(name), file.read())
    if not block:
        sys.exit("docs/editors.md has no snippet " + name)
    return "".join(line[4:] if line.strip() else "\n" for line in block.group(1).splitlines(True))


def nvim(path, configure):
    version = subprocess.run(["nvim", "--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
    version = tuple(int(n) for n in re.search(r"v(\d+)\.(\d+)", version).groups())
    init = configure("nvim-0.11" if version >= (0, 11) else "nvim-0.7")
    script = os.path.join(HERE, "nvim.lua")
    return ["nvim", "--headless", "--clean", "-u", init, path, "-c", "lua vim.schedule(function() dofile([[%s]]) end)" % script]


def emacs(path, configure):
    # Nothing is compiled on the way.
    variables = ("native-comp-deferred-compilation nil", "native-comp-jit-compilation nil", "native-comp-async-report-warnings-errors 'silent")
    script = os.path.join(HERE, "emacs.el")
    return ["emacs", "-nw", "-q", "--eval", "(setq %s)" % " ".join(variables), "-l", configure("emacs"), "-l", script, path]


def ale(path, configure):
    return ["vim", "-N", "-i", "NONE", "--cmd", "filetype plugin on", "-u", configure("ale"), "-S", os.path.join(HERE, "ale.vim"), path]


EDITORS = {"nvim": nvim, "emacs": emacs, "ale": ale}


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return result.returncode, result.stdout, result.stderr.decode(errors="replace")


class Session:
    """One run of the editor, in a home of its own."""

    def __init__(self, editor, clangd, decls, work, source, illegal):
        shutil.rmtree(work, ignore_errors=True)
        self.work, self.name = work, os.path.basename(source)
        self.path = os.path.join(work, self.name)
        self.transcript, self.log, self.output = (os.path.join(work, n) for n in ("transcript", "clangd.log", "editor.log"))
        os.makedirs(os.path.join(work, "bin"))
        os.makedirs(os.path.join(work, "home"))
        shutil.copyfile(source, self.path)
        database = [{"directory": work, "file": self.path, "arguments": ["clang++"] + tidy_flags(decls) + ["-c", self.path]}]
        with open(os.path.join(work, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump(database, file)
        # The editor finds the server by its name, as users have it; what it says is kept. No index is made, which would lie beside the headers.
        server = os.path.join(work, "bin", "cuda-pipeline-clangd")
        with open(server, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nexec "%s" --log=info --enable-config=false --background-index=false "$@" 2>>"%s"\n' % (clangd, self.log))
        os.chmod(server, 0o755)
        self.environment = dict(
            os.environ,
            PATH=os.path.join(work, "bin") + os.pathsep + os.environ["PATH"],
            HOME=os.path.join(work, "home"),
            TERM="xterm",
            CPR_FILE=self.path,
            CPR_WORK=work,
            CPR_ILLEGAL=illegal,
            CPR_PATIENCE=str(PATIENCE),
        )
        for name in list(self.environment):
            if name.startswith(("XDG_", "VIM", "NVIM", "EMACS", "MYVIM")):
                del self.environment[name]
        self.command = EDITORS[editor](self.path, self.configure)

    def configure(self, name):
        path = os.path.join(self.work, "home", "init.lua" if name.startswith("nvim") else "init")
        with open(path, "w", encoding="utf-8") as file:
            file.write(snippet(name))
        return path

    def fail(self, what):
        print("FAILED: " + what, file=sys.stderr)
        for name in (self.transcript, self.output, self.log):
            if os.path.exists(name):
                with open(name, encoding="utf-8", errors="replace") as file:
                    text = re.sub(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b.|[^\n\t -~]", "", file.read())
                    print("--- %s\n%s" % (os.path.basename(name), "\n".join(text.split("\n")[-60:])), file=sys.stderr)
        sys.exit(1)

    def drive(self):
        """Runs the editor to its end, at a terminal, and returns what its script saw."""
        editor, terminal = pty.fork()
        if editor == 0:
            os.chdir(self.work)
            os.execvpe(self.command[0], self.command, self.environment)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        end, code = time.monotonic() + LIMIT, None
        with open(self.output, "ab") as output:
            while code is None and time.monotonic() < end:
                if select.select([terminal], [], [], 0.1)[0]:
                    try:
                        output.write(os.read(terminal, 65536))
                        output.flush()
                        continue
                    except OSError:  # closed
                        pass
                pid, status = os.waitpid(editor, os.WNOHANG)
                if pid:
                    code = os.waitstatus_to_exitcode(status)
        if code is None:
            os.killpg(editor, signal.SIGKILL)
            os.waitpid(editor, 0)
        os.close(terminal)
        said = []
        if os.path.exists(self.transcript):
            with open(self.transcript, encoding="utf-8") as file:
                said = [line.rstrip("\n").split("\t") for line in file]
        for line in said:
            if line[0] == "failed":
                self.fail(" ".join(line[1:]))
        if code != 0 or not said or said[-1] != ["end"]:
            self.fail("the editor did not come to its end (%s)" % ("killed after %d s" % LIMIT if code is None else "exit %d" % code))
        return said


def verify(session, tool, original, names, launch):
    """The texts of these files, all of which pass; what two have in common is run once, and the original is compiled once."""
    texts = {}
    for name in names:
        with open(os.path.join(session.work, name), "rb") as file:
            texts.setdefault(file.read(), os.path.join(session.work, name))
    pairs = os.path.join(session.work, "pairs")
    with open(pairs, "w", encoding="utf-8") as file:
        file.writelines("'%s' '%s' '%s'\n" % (original, path, os.path.abspath(launch)) for path in texts.values())
    code, words, errors = run(tool + ["verify", "--batch=" + pairs, "--arch=sm_80", "--runs=1", "--seed=1"]) if texts else (0, b"", "")
    if code != 0 or texts and b"%d pairs: %d passed" % (len(texts), len(texts)) not in words:
        session.fail("does not pass: %s%s" % (words.decode(), errors))
    return set(texts)


def main():
    arguments, tool = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    editor, clangd, decls, work, source, launch, illegal = arguments
    work = os.path.abspath(work)
    session = Session(editor, clangd, decls, work, source, illegal)
    said = session.drive()
    with open(source, "rb") as file:
        text = file.read()
    with open(session.path, "rb") as file:
        if file.read() != text:
            session.fail("the file is not what it was")
    original = os.path.join(work, "original.cu")
    shutil.copyfile(source, original)

    @functools.lru_cache(maxsize=None)
    def written(line, variant, *more):
        """What the command line writes for one loop, or nothing where it refuses."""
        options = ["-o", "-", "-q", "--arch=sm_80", "--lines=%d:%d" % (line, line), "--variant=" + variant]
        code, out, _ = run(tool + [original] + options + list(more))
        return out if code == 0 and out != text else None

    _, report, _ = run(tool + ["check", original, "--arch=sm_80", "--format=json"])
    loops = [loop["line"] for loop in json.loads(report)["files"][0]["loops"]]
    legal = [(l, v) for l in loops for v in ("cp-async", "ldg", "ldg-single") if written(l, v)]
    verified_texts = verify(session, tool, original, ["fixed.%s.cu" % line[1] for line in said if line[0] == "fixed"], launch)
    offered, ran = [], []
    for line in said:
        if line[0] == "shown":
            print("line %s: %s" % tuple(line[1:]))
        elif line[0] == "fixed":
            number, at, title = line[1], int(line[2]), line[3]
            match = re.match(r"(?:(?:or )?pipeline this tile loop with|(verify) and apply: pipeline with) ([a-z-]+), (\d) stages?", title)
            if not match:
                session.fail("what is this? " + title)
            verified, variant, stages = match.groups()
            (ran if verified else offered).append((at, variant))
            out = os.path.join(work, "fixed.%s.cu" % number)
            with open(out, "rb") as file:
                new = file.read()
            if new != written(at, variant, *(["--stages=" + stages] if variant == "cp-async" else [])):
                session.fail("%s: line %d, %s: not what the command line writes" % (out, at, title))
            if new not in verified_texts:
                session.fail("%s: line %d, %s: not verified" % (out, at, title))
            print("line %d: %s: the command line's bytes, verified" % (at, title))
        elif line[0] != "offered" and line[0] != "end":
            print(" ".join(line))
    if sorted(offered) != sorted(legal):
        session.fail("offered are %s, legal are %s" % (sorted(offered), sorted(legal)))
    if sorted(ran) != (sorted(offered) if len(loops) == 1 else []):
        session.fail("verified are %s" % sorted(ran))
    if not os.path.exists(session.log):
        session.fail("the server was not asked")
    print("%d fixes, as many as are legal" % len(offered))


main()
