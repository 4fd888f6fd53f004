"""Takes the code actions that verify a quick-fix before it is applied.

  verify_and_apply.py CLANGD DECLS WORK FILE WHAT... [-- OPTION...]

Opens FILE, with OPTIONs of clangd, and does each WHAT:

  offered         the code actions of each loop beside its quick-fixes, and where else they are offered
  all             takes each of them: what is shown, and whether the text is that of the quick-fix, or stays
  LINE:VARIANT    takes this one
  changed, closed, read-only, twice, killed, left
                  takes the first one, and in the meantime changes the text; closes the file; and is an editor that refuses;
                  asks for it again; kills the process in which it runs; ends

Then asks the server for something else. What is shown goes to standard output, a line each.
"""
import os
import re
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tidy/Inputs"))
from flags import tidy_flags
from lsp import Client, apply_edits, uri_of


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


class Session:
    def __init__(self, clangd, decls, work, source, options):
        os.makedirs(work, exist_ok=True)
        write(os.path.join(work, "compile_flags.txt"), "\n".join(tidy_flags(decls)) + "\n")
        self.path, self.text = os.path.join(work, os.path.basename(source)), read(source)
        write(self.path, self.text)
        self.command = [clangd, "--log=error", "--enable-config=false"] + options
        self.client = None

    def start(self, **how):
        self.client = Client(self.command, **how)
        self.loops = self.open()

    def open(self):
        return [d for d in self.client.diagnostics(self.path, self.text) if d.get("code") == "cuda-pipeline-tile-loop"]

    def actions(self, range):
        """(variant and stages, command) of each."""
        found = []
        for title, kind, command in self.client.commands(self.path, range):
            match = re.fullmatch(r"verify and apply: pipeline with ([a-z-]+, \d stages?), after a run against the original", title)
            if not match or kind != "quickfix.verify":
                sys.exit("what is this? %s (%s)" % (title, kind))
            found.append((match.group(1), command))
        return found

    def fixes(self, diagnostic):
        """What each quick-fix makes of the text, by variant; the first one's title need not have it."""
        found, plans = {}, [plan for plan, _ in self.actions(diagnostic["range"])]
        for n, (title, edits) in enumerate(self.client.fixes(self.path, diagnostic)):
            match = re.match(r"(?:or )?pipeline this tile loop with ([a-z-]+, \d stages?)", title)
            found[match.group(1) if match else plans[n]] = apply_edits(self.text, edits)
        return found

    def at(self, line, column=0):
        place = {"line": line, "character": column}
        return {"start": place, "end": place}

    def offered(self):
        for d in self.loops:
            line = d["range"]["start"]["line"]
            plans = [plan for plan, _ in self.actions(d["range"])]
            if plans != list(self.fixes(d)):
                sys.exit("line %d: %s beside quick-fixes %s" % (line + 1, plans, list(self.fixes(d))))
            text = self.text.split("\n")
            beside = [[plan for plan, _ in self.actions(self.at(*place))] for place in ((line, 0), (line, len(text[line])), (line - 1, 0), (line + 1, 0))]
            if beside != [plans, plans, [], []]:
                sys.exit("line %d: %s" % (line + 1, beside))
            if self.client.commands(self.path, d["range"], ["refactor"]):
                sys.exit("line %d: is a refactoring, too" % (line + 1))
            print("line %d: %s" % (line + 1, "; ".join(plans)))
        # Of a text that does not parse nothing is known, though this line is as it was.
        self.client.diagnostics(self.path, self.text + "}\n")
        if any(self.actions(d["range"]) for d in self.loops):
            sys.exit("offered for another text")

    def take(self, command):
        """The answer comes before anything else does."""
        if self.client.execute(command) != "Tweak applied." or not self.client.edits.empty():
            sys.exit("not answered at once")
        kind, said = self.client.message()
        print("%d: %s" % (kind, said), flush=True)

    def end_of_it(self):
        """True: it has passed, and the text is to be changed."""
        kind, said = self.client.message()
        print("%d: %s" % (kind, said), flush=True)
        return kind == 3

    def new_text(self):
        """What the server asks for, which follows what it says."""
        edit = self.client.edits.get(timeout=self.client.timeout)
        if "documentChanges" in edit:
            (change,) = edit["documentChanges"]
            if change["textDocument"] != {"uri": uri_of(self.path), "version": self.client.versions[self.path]}:
                sys.exit("for what is this? %s" % change["textDocument"])
            print("for version %d" % change["textDocument"]["version"])
            return apply_edits(self.text, change["edits"])
        return apply_edits(self.text, edit["changes"][uri_of(self.path)])

    def hold_against_fix(self, diagnostic, plan):
        if self.end_of_it():
            print("as the quick-fix" if self.new_text() == self.fixes(diagnostic)[plan] else "NOT as the quick-fix", flush=True)

    def child(self, then):
        """The process that the server has started; sends it a signal."""
        end = time.monotonic() + self.client.timeout
        while time.monotonic() < end:
            for task in os.listdir("/proc/%d/task" % self.client.process.pid):
                children = read("/proc/%d/task/%s/children" % (self.client.process.pid, task)).split()
                # Until it is another program the thread that starts it waits for it.
                if children and "--cuda-pipeline-run-fix" in read("/proc/%s/cmdline" % children[0]):
                    os.kill(int(children[0]), then)
                    return int(children[0])
            time.sleep(0.01)
        sys.exit("nothing was started")

    def do(self, what):
        if self.client is None:
            self.start(takes_edits=what != "read-only", workspace={"workspaceEdit": {"documentChanges": True}} if what == "all" else None)
        first = lambda: self.actions(self.loops[0]["range"])[0][1]
        if what == "offered":
            self.offered()
        elif what == "all" or ":" in what:
            for d in self.loops:
                for plan, command in self.actions(d["range"]):
                    if what in ("all", "%d:%s" % (d["range"]["start"]["line"] + 1, plan.split(",")[0])):
                        self.take(command)
                        self.hold_against_fix(d, plan)
        elif what == "left":
            self.take(first())
            # It would not come to its end by itself.
            child, begin = self.child(signal.SIGSTOP), time.monotonic()
            print("exit %d" % self.client.close())
            if time.monotonic() - begin > 30 or os.path.exists("/proc/%d" % child):
                sys.exit("the process was waited for, or is still there")
            self.client = None
            return
        elif what == "twice":
            plan, command = self.actions(self.loops[0]["range"])[0]
            self.take(command)
            child = self.child(signal.SIGSTOP)
            self.take(command)
            os.kill(child, signal.SIGCONT)
            self.hold_against_fix(self.loops[0], plan)
        else:
            self.take(first())
            if what == "changed":
                # While it runs the server has an answer for the same file.
                child = self.child(signal.SIGSTOP)
                self.client.diagnostics(self.path, self.text + "// more\n")
                os.kill(child, signal.SIGCONT)
            elif what == "closed":
                child = self.child(signal.SIGSTOP)
                self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(self.path)}})
                os.kill(child, signal.SIGCONT)
            elif what == "killed":
                self.child(signal.SIGKILL)
            if self.end_of_it() and what == "read-only":
                self.new_text()
                self.end_of_it()
            if what == "closed":
                self.client.versions.pop(self.path)
        if what != "changed":  # of the same text nothing is said again
            self.client.diagnostics(self.path, self.text + "// something else\n")
        self.loops = self.open()
        if not (self.client.edits.empty() and self.client.messages.empty()):
            sys.exit("more was said, or asked for")
        print("goes on: %d loops" % len(self.loops), flush=True)


def main():
    arguments = sys.argv[1:]
    options = arguments[arguments.index("--") + 1 :] if "--" in arguments else []
    clangd, decls, work, source, *whats = arguments[: len(arguments) - len(options) - bool(options)]
    session = Session(clangd, decls, work, source, options)
    for what in whats:
        session.do(what)
    if session.client:
        print("exit %d" % session.client.close())


main()
