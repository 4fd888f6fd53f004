#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how long after an edit cuda-pipeline-clangd has its answers, against clangd by itself.

    python3 bench/clangd_latency.py [--tool FILE] [--clangd FILE] [--cuda-path DIR] [--edits N] [--out DIR] [FILE...]

Both servers have the same file open, with the same compile_flags.txt: without a toolkit (the bundled declarations) and with
one. An edit changes a few letters of a kernel: a number in a comment inside of the tile loop, or the constant with which the sum
begins. It is sent to one server, and when that has said all that it will say, to the other one; who is the first changes with each
edit. Taken is the time from `textDocument/didChange` until

    first   textDocument/publishDiagnostics for this version of the text, whatever is in it
    own     of cuda-pipeline-clangd: the one that has this tool's own diagnostic
    fixes   and the answer to textDocument/codeAction for it, with quick-fixes

clangd waits a little before it reads a changed text (it might change once more): that is part of the time of both.

Reported for each file are the medians, with their quartiles, and the ratios of the medians to that of clangd. DIR gets
clangd-latency.md (the table) and clangd-latency.raw.txt (every edit).

Exit status: 0 every ratio is within its limit (--limit-first 1.3, --limit-own 2); 1 one is not; 2 usage; 4 a server is not here.
"""

import argparse
import datetime
import os
import re
import shutil
import statistics
import sys
import tempfile
import time

from check_cost import cpu_name, quartiles
from clang_alone import ROOT, Unusable, make_decls, output_of

sys.path.insert(0, os.path.join(ROOT, "test/Clangd/Inputs"))
from lsp import Client, uri_of

FILES = ["examples/sgemm_tile.cu", "examples/hgemm_wmma.cu", "bench/kernels/gemm_helper.cu"]
CODE = "cuda-pipeline-tile-loop"
PLACES = {  # the first line of the loop that is edited, and the constant that its sum begins with
    "sgemm_tile": (r"for \(int t = 0; t < numTiles; \+\+t\) \{", r"(float sum = )[0-9.]+(f;)"),
    "hgemm_wmma": (r"for \(int k0 = 0; k0 < K; k0 \+= BK\) \{", r"(fill_fragment\(acc\[i\]\[j\], )[0-9.]+(f\))"),
    "gemm_helper": (r"for \(int k = 0; k < K; k \+= TILE\) \{", r"(float sum\[TILE / ROWS\] = \{)[0-9.]+(f\};)"),
}


def edited(text, places, number):
    """The text of edit `number`: a comment and a constant take turns."""
    loop, constant = places
    text, loops = re.subn("(" + loop + ")", r"\1 // edit %d" % (number // 2), text, count=1)
    text, constants = re.subn(constant, r"\g<1>%d.0\g<2>" % ((number + 1) // 2), text, count=1)
    if not loops or not constants:
        raise Unusable("the file does not have the places that are to be edited")
    return text


class Server:
    def __init__(self, command, has_own):
        self.client, self.has_own, self.version = Client(command, timeout=120, tells=False), has_own, 0

    def said(self):
        message = self.client.said.get(timeout=self.client.timeout)
        if message is None:
            raise Unusable("a server has ended")
        return message

    def edit(self, path, text):
        """{what: ms} from the edit on."""
        self.version += 1
        uri, times = uri_of(path), {}
        document = {"uri": uri, "version": self.version}
        begin = time.monotonic()
        if self.version == 1:
            self.client.notify("textDocument/didOpen", {"textDocument": {**document, "languageId": "cuda-cpp", "text": text}})
        else:
            self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        while True:
            said = self.said()
            if said["uri"] != uri or said.get("version") != self.version:
                continue
            now = (time.monotonic() - begin) * 1000
            times.setdefault("first", now)
            if any(d["severity"] == 1 for d in said["diagnostics"]):
                raise Unusable("the file does not compile: " + str(said["diagnostics"]))
            if not self.has_own:
                return times
            own = [d for d in said["diagnostics"] if d.get("code") == CODE]
            if own:
                times["own"] = now
                if not self.client.fixes(path, own[0]):
                    raise Unusable("a diagnostic without quick-fixes")
                times["fixes"] = (time.monotonic() - begin) * 1000
                return times


def measure(options, path, places, say):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    servers = [Server([program, "--log=error", "--enable-config=false"], program == options.tool) for program in (options.clangd, options.tool)]
    runs = {"clangd first": []}
    for s in servers:
        s.edit(path, edited(text, places, 0))
    for number in range(1, options.edits + options.warm + 1):
        new, line = edited(text, places, number), []
        for s in servers if number % 2 else servers[::-1]:
            time.sleep(options.rest)  # clangd has things to do for a text after it was told
            for what, ms in s.edit(path, new).items():
                key = ("own " if s.has_own else "clangd ") + what
                line.append((key, ms))
                if number > options.warm:
                    runs.setdefault(key, []).append(ms)
        say(f"  {number - options.warm:3}  " + "   ".join(f"{key} {ms:.1f}" for key, ms in line))
    for s in servers:
        s.client.close()
    return runs


def main():
    parser = argparse.ArgumentParser(description="how long after an edit there are answers, against clangd by itself")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build/bin/cuda-pipeline-clangd"))
    parser.add_argument("--clangd", default="clangd-22")
    parser.add_argument("--cuda-path", default="/usr/local/cuda", help="a toolkit; without one only the bundled declarations are measured")
    parser.add_argument("--edits", type=int, default=20, help="of each file, to each server")
    parser.add_argument("--warm", type=int, default=3, help="edits before those that count: clangd learns how long it takes")
    parser.add_argument("--rest", type=float, default=0.3, help="seconds between an answer and the next edit")
    parser.add_argument("--limit-first", type=float, default=1.3)
    parser.add_argument("--limit-own", type=float, default=2)
    parser.add_argument("--out", default=os.path.join(ROOT, "docs/measurements"))
    parser.add_argument("--remark", default="", help="a sentence for the report")
    parser.add_argument("files", nargs="*", help="default: " + " ".join(FILES))
    options = parser.parse_args()
    for program in (options.tool, options.clangd):
        if not shutil.which(program):
            raise Unusable(f"{program} is not here")
    raw, table, over = [], [], []

    def say(line):
        raw.append(line)
        print(line, flush=True)

    say(f"Date: {datetime.date.today()}")
    say(f"CPU: {cpu_name()}")
    say("clangd: " + output_of([options.clangd, "--version"]).stdout.splitlines()[0])
    facts = list(raw)
    say(f"Load at the start: {os.getloadavg()[0]:.2f}")
    with tempfile.TemporaryDirectory() as folder:
        make_decls(folder)
        bundled = os.path.join(folder, "bundled-cuda", "include")
        settings = [("bundled", ["-nocudainc", "-nocudalib", "--cuda-path=" + bundled, "-isystem", bundled, "-include", "cuda_runtime.h"])]
        if os.path.isdir(options.cuda_path):
            settings.append(("toolkit", ["-nocudalib", "--cuda-path=" + options.cuda_path]))
        common = ["--cuda-gpu-arch=sm_80", "-std=c++17", "-Xclang", "-target-sdk-version=12.9", "-Wno-unknown-cuda-version"]
        for source in options.files or [os.path.join(ROOT, f) for f in FILES]:
            name = os.path.splitext(os.path.basename(source))[0]
            for setting, flags in settings:
                work = os.path.join(folder, setting)
                os.makedirs(work, exist_ok=True)
                with open(os.path.join(work, "compile_flags.txt"), "w", encoding="utf-8") as file:
                    file.write("\n".join(flags + common) + "\n")
                path = shutil.copy(source, work)
                say(f"\n{name}, {setting}: ms after the edit")
                runs = measure(options, path, PLACES[name], say)
                base = statistics.median(runs["clangd first"])
                cells = [name, setting]
                for key in ("clangd first", "own first", "own own", "own fixes"):
                    low, middle, high = quartiles(runs[key])
                    ratio = "" if key == "clangd first" else f", **{middle / base:.2f}**"
                    cells.append(f"{middle:.0f} ({low:.0f}-{high:.0f}){ratio}")
                    limit = options.limit_first if key == "own first" else options.limit_own
                    if middle > base * limit:
                        over.append(f"{name}, {setting}: {key.replace('own ', '')} {middle / base:.2f}")
                table.append("| " + " | ".join(cells) + " |")
                say("  " + table[-1])
    say(f"\nLoad at the end: {os.getloadavg()[0]:.2f}")

    text = ["# How long an edit waits for cuda-pipeline-clangd", "", "    python3 bench/clangd_latency.py"
            + (f" --edits {options.edits}" if options.edits != 20 else ""), ""]
    text += [fact + "  " for fact in facts]
    text += [
        "",
        f"{options.edits} edits of each file, sent to clangd and to cuda-pipeline-clangd in turns, with the same flags. Milliseconds from",
        "`textDocument/didChange` to `publishDiagnostics` for the new text: the median, its quartiles, and the ratio of the medians.",
        "`first`: whatever the diagnostics are; `own`: this tool's own is among them; `fixes`: `textDocument/codeAction`",
        "has answered with its quick-fixes. `bundled`: without a toolkit, on the declarations that the tool brings along.",
    ]
    if options.remark:
        text += ["", options.remark]
    text += ["", "| file | headers | clangd, first | first | own | fixes |", "|---|---|---|---|---|---|"] + table
    text += ["", f"Demanded: at most {options.limit_first:g} for `first`, {options.limit_own:g} for `own` and `fixes`. "
             + ("Held everywhere." if not over else "Not held:"), ""]
    text += [f"- {line}" for line in over]
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, "clangd-latency.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(text).rstrip() + "\n")
    with open(os.path.join(options.out, "clangd-latency.raw.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(raw) + "\n")
    for line in over:
        print(f"over the limit: {line}")
    return 1 if over else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unusable as error:
        print(f"clangd_latency.py: {error}", file=sys.stderr)
        sys.exit(4)
