# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is a page of the HTML report what it is to be?

    html_check.py PAGE [--json REPORT [--falsify]]

Valid HTML (well nested, known elements, no id twice, no reference into nothing; by html5lib also by the rules of the standard);
accessible (language, landmarks, headings without a gap, named tables, pictures and scrolling regions, no phase by colour alone);
contrasts of at least 4.5 in both colour schemes; nothing that would ask the network for something. Prints what is wrong; nothing but
"valid" if nothing is.

With --json the page says what that report says, neither more nor less nor otherwise: it is read as a list of cells, sentences, lines of
source and words in pictures, and each of them must be the one that said.py makes of the report. The sources are those beside the page.

With --falsify every word and number of the page is replaced by another one, one at a time, and each of these pages must be found
wrong. Of a line of source one word stands for all. What need not be found: words and numbers of lines of an output that was not written
(their phases must be), and the tool's version where the report does not have it."""

import json
import os
import re
import sys
from html.parser import HTMLParser

import said

VOID = {"meta", "link", "br"}
BLOCKS = {"div", "p", "ul", "table", "figure", "section", "article", "h1", "h2", "h3", "h4", "h5", "pre", "header", "nav", "main", "footer"}
KNOWN = VOID | BLOCKS | {
    "html", "head", "body", "title", "style", "a", "span", "i", "strong", "code", "data", "li", "caption", "thead", "tbody", "tr", "th",
    "td", "figcaption", "svg", "desc", "path", "rect", "circle", "text"}
UNITS = {"a", "p", "h1", "h2", "h3", "h4", "h5", "li", "th", "td", "figcaption", "caption", "title", "desc", "text", "pre"}
PHASES = ("load", "barrier", "compute", "advance")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


class Page(HTMLParser):
    """What is wrong with a page, and `events`: its elements and texts, in order."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.wrong = []
        self.open = []  # elements: (name, attributes, contents)
        self.ids, self.references = set(), []
        self.headings, self.count = [], {}
        self.style, self.title = "", ""
        self.metas = {}
        self.row_widths = None
        self.line = None  # of source: [class, label]
        self.lines = []
        self.events = []  # ["<", name, attributes], [">", name], ["t", text]

    def bad(self, message):
        self.wrong.append("line %d: %s" % (self.getpos()[0], message))

    def handle_decl(self, decl):
        if decl.lower() != "doctype html":
            self.bad("not HTML 5")
        self.count["doctype"] = 1

    def handle_startendtag(self, tag, attributes):
        if not any(e[0] == "svg" for e in self.open):
            self.bad("<%s/> outside of a picture" % tag)
        self.element(tag, dict(attributes))

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(set(names)) != len(names):
            self.bad("an attribute of <%s> twice" % tag)
        attributes = dict(attributes)
        self.element(tag, attributes)
        self.events.append(["<", tag, attributes])
        if tag not in VOID:
            self.open.append((tag, attributes, []))

    def element(self, tag, a):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in KNOWN:
            self.bad("an element <%s>" % tag)
        for parent, _, contents in self.open[-1:]:
            contents.append(tag)
            if tag in BLOCKS and parent in ("p", "span", "h1", "h2", "h3", "h4", "h5", "a", "code"):
                self.bad("<%s> in <%s>" % (tag, parent))
            if parent in ("ul",) and tag != "li" or parent == "tr" and tag not in ("th", "td"):
                self.bad("<%s> in <%s>" % (tag, parent))
        if "id" in a:
            if a["id"] in self.ids:
                self.bad("the id %s twice" % a["id"])
            self.ids.add(a["id"])
        for name in ("aria-labelledby", "aria-describedby"):
            self.references += a.get(name, "").split()
        for name in ("href", "src", "srcset", "action", "poster"):
            if name not in a:
                continue
            if a[name].startswith("#"):
                self.references.append(a[name][1:])
            elif not a[name].startswith("data:"):
                self.bad("asks for %s" % a[name])
        if any(name.startswith("on") for name in a):
            self.bad("a script in <%s>" % tag)
        if tag == "html" and a.get("lang") != "en":
            self.bad("no language")
        if tag == "meta":
            self.metas[a.get("name") or a.get("http-equiv") or "charset"] = a.get("content") or a.get("charset")
        if re.fullmatch("h[1-6]", tag):
            level = int(tag[1])
            if level > (self.headings[-1] if self.headings else 0) + 1:
                self.bad("<%s> behind a heading of level %d" % (tag, self.headings[-1] if self.headings else 0))
            self.headings.append(level)
        if tag == "th" and a.get("scope") not in ("col", "row"):
            self.bad("a <th> without scope")
        if tag == "table":
            self.row_widths = []
        if a.get("tabindex") and not (a.get("role") == "group" and a.get("aria-label")):
            self.bad("a stop of the keyboard without role and name")
        if tag == "nav" and not a.get("aria-label"):
            self.bad("a <nav> without a name")
        if tag in ("section", "article") and not a.get("aria-labelledby"):
            self.bad("%s <%s> without a name" % ("an" if tag[0] == "a" else "a", tag))
        if tag == "svg" and not (a.get("role") == "img" and len(a.get("aria-labelledby", "").split()) == 2):
            self.bad("a picture without role or name")
        classes = (a.get("class") or "").split()
        if tag == "span" and "l" in classes:
            self.line = [next((c for c in classes if c in PHASES), None), ""]
            self.lines.append(self.line)
        if tag == "pre":
            self.lines = []

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.bad("</%s>, but <%s> is open" % (tag, self.open[-1][0] if self.open else "nothing"))
            return
        self.events.append([">", tag])
        _, attributes, contents = self.open.pop()
        if tag == "table":
            if contents[:1] != ["caption"]:
                self.bad("a table without caption")
            if len(set(self.row_widths)) > 1:
                self.bad("rows of different widths: %s" % sorted(set(self.row_widths)))
        if tag == "tr":
            self.row_widths.append(len(contents))
        if tag == "svg" and contents[:2] != ["title", "desc"]:
            self.bad("a picture without title and description")
        if tag == "figure" and "figcaption" not in contents:
            self.bad("a figure without caption")
        if tag == "pre":
            last = None
            for phase, label in self.lines:
                words = label.split("+") if label else []
                if phase and phase != last and not words:
                    self.bad("a run of %s that only its colour tells" % phase)
                last = phase

    def handle_data(self, data):
        if any(e[0] == "style" for e in self.open):
            self.style += data
            return
        self.events.append(["t", data])
        if any(e[0] == "title" for e in self.open) and not any(e[0] == "svg" for e in self.open):
            self.title += data
            return
        if self.line and any("w" in (e[1].get("class") or "").split() for e in self.open):
            self.line[1] += data

    def finish(self):
        for name in self.references:
            if name not in self.ids:
                self.wrong.append("a reference to %s, which is not there" % name)
        if self.open:
            self.wrong.append("not closed: %s" % [e[0] for e in self.open])
        for name in ("doctype", "html", "head", "title", "body", "main", "header", "footer", "h1"):
            least = 1
            if self.count.get(name, 0) - (self.count.get("svg", 0) if name == "title" else 0) != least:
                self.wrong.append("%d of %s" % (self.count.get(name, 0), name))
        if self.metas.get("charset") != "utf-8" or "width=device-width" not in self.metas.get("viewport", ""):
            self.wrong.append("no charset or viewport")
        if self.metas.get("Content-Security-Policy") != POLICY:
            self.wrong.append("another content policy: %s" % self.metas.get("Content-Security-Policy"))
        if not self.title.strip():
            self.wrong.append("no title")
        for found in re.findall(r"url\((?!data:)[^)]*\)|@import[^;]*|https?:", self.style):
            self.wrong.append("the style asks for %s" % found)
        for media in ("screen and (prefers-color-scheme: dark)", "print"):
            if "@media " + media not in self.style:
                self.wrong.append("no style for %s" % media)
        self.wrong += contrasts(self.style)


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrasts(style):
    """WCAG 2 AA: 4.5 for text, 3 for what is drawn. Words on what they can stand on."""
    schemes = re.findall(r":root \{(.*?)\}", style, re.S)[:2]
    light = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", schemes[0]))
    dark = dict(light, **dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", schemes[1])))
    pairs = [(word, ground, 4.5) for word in ("ink", "muted", "link", "good", "bad") for ground in ("paper", "panel")]
    for phase in PHASES:
        pairs += [(word, phase + "-back", 4.5) for word in (phase, "ink", "muted")]
        pairs += [(phase + "-bar", "paper", 3)]
    pairs += [("strong-line", "paper", 3)]
    wrong = []
    for name, colours in ("light", light), ("dark", dark):
        for word, ground, least in pairs:
            a, b = luminance(colours[word]), luminance(colours[ground])
            ratio = (max(a, b) + 0.05) / (min(a, b) + 0.05)
            if ratio < least:
                wrong.append("%s: %s on %s has a contrast of %.2f" % (name, word, ground, ratio))
    return wrong


#===--- the page as a list ----------------------------------------------------===#

def units_of(events):
    """(kind, text, extras): cells, sentences, lines of source, words of pictures, names of regions; in order. Extras are what is said by
    class or attribute: the colour of a status, the exact number behind a rounded one, the phase and number of a line."""
    units, stack, now = [], [], None
    for event in events:
        if event[0] == "<":
            _, tag, a = event
            classes = (a.get("class") or "").split()
            stack.append((tag, classes)) if tag not in VOID else None
            if a.get("tabindex"):
                units.append(("region", a["aria-label"], ()))
            if tag == "nav":
                units.append(("nav", a["aria-label"], ()))
            if tag == "span" and ("l" in classes or "gap" in classes or "said" in classes):
                kind = "fill" if "fill" in classes else "line" if "l" in classes else "gap" if "gap" in classes else "said"
                now = [kind, "", {"n": a.get("data-n", ""), "phase": next((c for c in classes if c in PHASES), ""), "s": "", "w": "", "a": ""}, len(stack)]
            elif tag in UNITS and (now is None or tag == "a" and now[0] == "a"):
                now = [tag, "", [], len(stack)]
            if now and tag == "a" and a.get("aria-label"):
                now[2].append("label: " + a["aria-label"])
            if now and tag == "a" and a.get("href") and now[0] != "a":
                now[2].append("to")
            if now and tag == "data":
                now[2].append("value: %r" % float(a["value"]))
            if now and "status" in classes:
                now[2].append("status: " + "".join(c for c in classes if c in ("good", "bad")))
            if now and tag == "br":
                now[1] += "\n"
        elif event[0] == ">":
            if now and len(stack) == now[3]:
                kind, text, extras = now[:3]
                if isinstance(extras, dict):
                    units.append((kind, text.rstrip("\n"), tuple(extras[k] for k in ("n", "phase", "s", "w", "a"))))
                elif kind != "pre" or text.strip():
                    units.append((kind, " ".join(text.split()), tuple(extras)))
                now = None
            stack.pop()
        else:
            if now is None:
                if event[1].strip():
                    units.append(("loose", event[1].strip(), ()))
            elif isinstance(now[2], dict) and any(k in ("s", "w", "a") for _, c in stack[now[3]:] for k in c):
                key = next(k for _, c in stack[now[3]:] for k in c if k in ("s", "w", "a"))
                now[2][key] += event[1]
            else:
                now[1] += event[1]
    return units


#===--- the report as such a list -----------------------------------------------===#

HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\ufeff]")
NOTHING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")


def shown(text):
    return HIDDEN.sub(lambda m: "[U+%04X]" % ord(m.group()), NOTHING.sub("\ufffd", text))


def unit(kind, text, *extras):
    return (kind, " ".join(shown(text).split()), extras)


def with_status(kind, text, words, good, behind=True):
    return unit(kind, text + " " + words if behind else words + " " + text, "status: " + good)


def clang_lines(path):
    """None: the file is not there."""
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return None
    if text.startswith(b"\xef\xbb\xbf"):
        text = text[3:]
    return [line.decode("utf-8", "replace") for line in re.split(b"\r\n|\n|\r", text)]


class Source:
    """A block of source: which lines it shows is up to the page; what it says of them is not."""

    def __init__(self, lines, phases, least, reasons=None):
        self.lines, self.phases, self.least, self.reasons = lines, phases, set(least), dict(reasons or {})

    def take(self, units, at):
        """Where it ends, and what is wrong."""
        shown_lines, last, last_word, need = set(), 0, None, []
        while at < len(units) and units[at][0] in ("line", "gap", "said", "fill"):
            kind, text, extras = units[at]
            at += 1
            if kind == "gap":
                last_word = None
                if text != "\u22ef":
                    return at, "a gap says %r" % text
            elif kind == "fill":
                last_word = None
            elif kind == "said":
                if not need or text != "\u2191 " + need.pop():
                    return at, "below a line of source: %r" % text
            else:
                if need:
                    return at, "line %d does not say %r" % (last, need)
                n = int(extras[0])
                if n <= last:
                    return at, "line %d behind line %d" % (n, last)
                kinds = list(dict.fromkeys(p["kind"] for p in self.phases if p["line"] <= n <= p["end_line"]))
                word = "+".join(kinds)
                expected = word if word != last_word or last + 1 != n else ""
                if extras[1] != (kinds[0] if kinds else "") or extras[3] != expected:
                    return at, "line %d has the phase %r, %r and not %r" % (n, extras[1], extras[3], word)
                if extras[2] not in (" ", "+", "\u2212"):
                    return at, "line %d has the sign %r" % (n, extras[2])
                if self.lines is not None and text != shown(self.lines[n - 1] if n <= len(self.lines) else ""):
                    return at, "line %d is %r, and not %r" % (n, text, self.lines[n - 1:n])
                last, last_word = n, word
                shown_lines.add(n)
                need = [shown(self.reasons[n])] if n in self.reasons else []
        if need:
            return at, "line %d does not say %r" % (last, need)
        missing = self.least - shown_lines
        return at, "lines are not shown: %s" % sorted(missing)[:5] if missing else None


def table(caption, label, head, rows):
    if label:
        yield unit("region", label)
    yield unit("caption", caption)
    for column in head:
        yield unit("th", column)
    for row in rows:
        for index, cell in enumerate(row):
            kind = "td" if index else "th"
            yield unit(kind, *cell) if isinstance(cell, tuple) else unit(kind, cell)


def measured(value, digits):
    return ("",) if value is None else (said.number(value, digits), "value: %r" % float(value))


def spread(low, high):
    return ("",) if low is None or high is None else (said.number(low, 3) + " to " + said.number(high, 3), "value: %r" % float(low), "value: %r" % float(high))


def whole(value):
    return "" if value is None else str(value)


def score(candidate):
    return ("%.2fx" % candidate["score"], "value: %r" % float(candidate["score"])) if candidate and candidate["score"] else ("",)


def page_of(report):
    yield unit("a", "Skip to the content")
    yield unit("p", "cuda-pipeline-rewrite")
    if "files" not in report:
        bench = report.get("command") == "bench"
        yield unit("h1", "Benchmark" if bench else "Verification")
        yield from bench_of(report) if bench else verification_of(report, "Result")
        version = None
    else:
        yield unit("h1", "Tile loops")
        yield from loops_of(report)
        version = report["tool_version"]
    yield ("p", re.compile("Written by cuda-pipeline-rewrite %s. The page needs no network and no script; it prints." %
                           (re.escape(version) if version else r"[0-9.]+")), ())


def loops_of(report):
    files, archs = report["files"], report["archs"]
    yield unit("p", said.summary(report) + (", for " + ", ".join(archs) if archs else "") + ".")
    if report.get("withheld"):
        yield unit("p", "Nothing was written: %s." % report["withheld"])
    total = sum(len(f["loops"]) for f in files)
    if total:
        yield unit("p", "A tile loop brings a tile of data from global to shared memory, waits at a barrier, and computes on the tile. Pipelined, the "
                        "next tile is on its way while this one is computed on. In the source these are the phases of an iteration:")
        for words in ("load brings the tile to shared memory", "barrier waits for the block, or for copies", "compute works on the tile",
                      "advance goes on to the next tile"):
            yield unit("li", words)
        yield unit("nav", "Loops")
        rows = []
        for f in files:
            for loop in f["loops"]:
                words, good = said.status(loop)
                rows.append([(said.name_of(loop), "label: " + shown(said.name_of(loop) + ", " + f["path"]), "to"), (words, "status: " + good),
                             said.plan(loop["variant"], loop["stages"]), score(said.chosen(loop) if loop["variant"] else None), f["path"]])
        yield from table("%s in %s, in the order of the files." % (said.count(total, "loop", "loops"), said.count(len(files), "file", "files")),
                         "All loops", ["Loop", "Status", "Plan", "Predicted", "File"], rows)
    if not files:
        yield unit("p", "No file was looked at.")
    for f in files:
        yield from file_of(report, f)
    if report["verify"]:
        yield from verification_of(report["verify"], "Verification")
    if report.get("bench"):
        yield from bench_of(report["bench"])


def file_of(report, f):
    yield unit("h2", f["path"])
    if f.get("error"):
        yield unit("p", "Not analysed: " + f["error"]["kind"])
        yield unit("p", f["error"]["message"])
    if f.get("read_by"):
        yield unit("p", "Included, as these files read it: %s." % ", ".join(f["read_by"]))
    if f.get("configurations"):
        yield unit("p", "Looked at for %s." % "; ".join(f["configurations"]))
    if f.get("left_out"):
        yield unit("p", "Too old to be looked at: %s." % ", ".join(f["left_out"]))
    if f["output"]:
        yield unit("p", "Written to %s." % ("standard output" if f["output"] == "-" else f["output"]))
    if len(report["archs"]) > 1 and f["arch"]:
        yield unit("p", "Occupancy is that of %s." % f["arch"])
    if not f["loops"] and not f.get("error"):
        yield unit("p", "No tile loop: no loop of a kernel here fills shared memory from global memory around a barrier.")
    for loop in f["loops"]:
        yield from loop_of(report, f, loop)


def loop_of(report, f, loop):
    words, good = said.status(loop)
    yield with_status("h3", said.name_of(loop), words, good, behind=False)
    yield unit("p", said.headline(loop)[1])
    if loop["reasons"]:
        yield unit("h4", "Why it is not sound" if loop.get("although_refused") else "Why, and what would make it possible")
    for reason in loop["reasons"]:
        yield unit("p", reason["message"])
        yield unit("p", "%s, rule %d%s" % (reason["id"], reason["rule"], ", line %d" % reason["line"] if reason["line"] else ""))
        for note in reason["notes"]:
            yield unit("p", ("Line %d: " % note["line"] if note["line"] else "") + note["message"])
        if reason["remedy"]:
            yield unit("p", "To make it possible: " + reason["remedy"])
    facts = list(said.facts(loop, f["arch"]))
    if facts:
        yield unit("h4", "What it is, and what it rests on")
    for line, words in facts:
        yield unit("li", ("Line %d: " % line if line and line != loop["line"] else "") + words)
    yield from source_of(f, loop)
    if said.planned(loop):
        yield unit("h4", "Pictures")
        yield Timeline(report, f, loop)
        if loop["smem"]["complete"]:
            yield from budget_of(f, loop)
            yield Staircase(f, loop)
    if loop["candidates"]:
        yield unit("h4", "Candidates")
        yield from table("Every way that was considered. Predicted is the time of the loop as it is over the time of the candidate: more than 1 is faster.", None,
                         ["Variant", "Stages", "Predicted", "Outcome"],
                         [[c["variant"], str(c["stages"]), score(c), "not chosen: " + c["rejected"] if c["rejected"] else "chosen" if loop["variant"] else "not rejected"]
                          for c in loop["candidates"]])
    yield unit("p", "To the table of all loops", "to")


def source_of(f, loop):
    old = clang_lines(f["path"])
    if not old or not loop["line"]:
        return
    planned, name, last = said.planned(loop), said.name_of(loop), max(loop["line"], loop["end_line"])
    yield unit("h4", "Source, before and after" if planned else "Source")
    if planned:
        yield unit("p", "A minus is a line that goes, a plus one that is new.")
    unknown = not loop["phases"] and loop["status"] not in ("not-selected", "suppressed")
    reasons = {}
    for r in loop["reasons"]:
        if r["line"]:
            reasons[r["line"]] = (reasons[r["line"]] + ", " if r["line"] in reasons else "") + r["id"]
    yield unit("figcaption", ("Before: " if planned else "") + "%s, from line %d." % (f["path"], loop["line"]) + (" What belongs to which phase is not known." if unknown else ""))
    yield unit("region", ("Source before, " if planned else "Source, ") + name)
    yield Source(old, loop["phases"], range(loop["line"], last + 1) if planned or last - loop["line"] <= 160 else [loop["line"], last], reasons)
    if planned:
        written = f["output"] and f["output"] != "-"
        yield unit("figcaption", "After: %s." % f["output"] if written else "After, as it would be.")
        yield unit("region", "Source after, " + name)
        yield Source(clang_lines(f["output"]) if written else None, loop["new_phases"],
                     [n for p in loop["new_phases"] for n in range(p["line"], p["end_line"] + 1)])


class Picture:
    """Title, description, words, caption."""

    def take(self, units, at):
        kinds = [u[0] for u in units[at:at + 2]]
        if kinds != ["title", "desc"]:
            return at, "no %s" % type(self).__name__
        end = at + 2
        while end < len(units) and units[end][0] == "text":
            end += 1
        if end == len(units) or units[end][0] != "figcaption":
            return end, "no caption"
        return end + 1, self.wrong(units[at][1], units[at + 1][1], [u[1] for u in units[at + 2:end]], units[end][1])


class Timeline(Picture):
    def __init__(self, report, f, loop):
        self.report, self.f, self.loop = report, f, loop

    def parts(self):
        """(loads, compute, of what), or why there are none: the same words as measuredParts()."""
        bench, loop, f = self.report.get("bench"), self.loop, self.f
        if not bench:
            return "nothing was measured"
        plain = loop["kernel"].split("<")[0]

        def of_kernel(name):
            name = name.split("<")[0]
            return name == plain or "::" not in name and plain.endswith("::" + name)

        cases = [c for c in bench["cases"] if of_kernel(c["kernel"])]
        if not cases:
            return "this kernel was not measured"
        old = next((v["file"] for v in bench["versions"] if v["kind"] == "old"), "")
        if os.path.basename(old) not in map(os.path.basename, [f["path"]] + f.get("read_by", [])):
            return "what was measured is '%s'" % old
        arch = bench["arch"] if bench["arch"] != "native" else "sm_" + bench["compute_capability"].replace(".", "")
        if arch != f["arch"]:
            return "what was measured is for %s, and this is for %s" % (arch, f["arch"])
        if sum(1 for o in f["loops"] if o["kernel"] == loop["kernel"]) > 1:
            return "the kernel has several tile loops, and it was measured as a whole"
        names = list(dict.fromkeys(c["kernel"] for c in cases))
        if len(names) > 1:
            return "several instantiations of the kernel were measured: " + ", ".join(names)
        for c in cases:
            if c["loads_only_us"] and c["compute_only_us"]:
                of = c["kernel"] + (", " + c["case"] if c["case"] else "") + (" on " + bench["gpu"] if bench["gpu"] else "")
                return c["loads_only_us"], c["compute_only_us"], of + (", one of %d cases" % len(cases) if len(cases) > 1 else "")
        return "loads and compute were not timed alone"

    def wrong(self, title, desc, words, caption):
        parts, loop = self.parts(), self.loop
        measured_ = isinstance(parts, tuple)
        load, compute = (2 * parts[0] / (parts[0] + parts[1]), 2 * parts[1] / (parts[0] + parts[1])) if measured_ else (1, 1)
        expected, ahead = [], loop["stages"] - 1 if loop["variant"] == "cp-async" and loop["stages"] > 2 else 1
        for which in "before", "after":
            expected += [which, "load", "compute"]
            for tile in range(4):
                expected += [str(tile)] * ((load * 37 >= 9) + (compute * 37 >= 9))
        expected += ["time \u2192", "measured parts" if measured_ else "schematic, not measured"]
        order = "Tiles 0 to 3 on their way; a thin bar is a barrier. "
        return differs([
            (title, "The first 4 tiles, before and after"),
            (desc, "Before: the load of a tile, then the compute on it, one after the other. After: while a tile is computed on, " + (
                "the load of the next one is under way." if ahead == 1 else "the loads of the next %d are under way." % ahead)),
            (words, expected),
            (caption, order + ("The lengths are measured: loads alone take %s us, compute alone %s us (%s); the order is that of the code." % (
                said.number(parts[0], 3), said.number(parts[1], 3), parts[2]) if measured_ else
                "This is a sketch of the order: loads and compute are drawn equally long, because %s." % parts))])


def differs(pairs):
    for is_, expected in pairs:
        expected = shown(" ".join(expected.split())) if isinstance(expected, str) else expected
        if is_ != expected:
            return "a picture says %r, and not %r" % (is_, expected)
    return None


def memory(f, loop):
    """Of the kernel with all of its loops: before, after, how many, what this one adds, and the sentence about it."""
    all_ = [o for o in f["loops"] if o["kernel"] == loop["kernel"] and o["function"] == loop["function"] and o["variant"] and o["smem"]]
    before, after = min(o["smem"]["before"] for o in all_), max(o["smem"]["after"] for o in all_)
    share = ""
    if len(all_) > 1:
        share = " After is the kernel with all %d loops rewritten: this one adds %d of %d bytes." % (
            len(all_), loop["smem"]["after"] - loop["smem"]["before"], after - before)
    return before, after, len(all_), share


def budget_of(f, loop):
    before, after, _, share = memory(f, loop)
    limit = loop["smem"]["limit"]
    yield unit("title", "Shared memory of '%s'" % loop["kernel"])
    yield unit("desc", "Before: %d bytes. After: %d bytes. Limit: %d bytes." % (before, after, limit))
    scale = 296 / (max(limit, before, after) * 1.02)
    for which, size, stages in ("before", before, 1), ("after", after, loop["stages"]):
        yield unit("text", which)
        tiles = loop["buffers"]
        total = sum(b["bytes"] for b in tiles)
        if total and total * stages <= size and all(b["bytes"] for b in tiles):
            for _ in range(stages):
                for b in tiles:
                    if b["bytes"] * scale > 6.2 * len(b["name"].encode()) + 4:
                        yield unit("text", b["name"])
        yield unit("text", "%d bytes" % size)
    yield unit("text", "limit %d bytes" % limit)
    tiles = ", ".join("'%s' %s" % (b["name"], "%d bytes" % b["bytes"] if b["bytes"] else "of a size that is not known") for b in loop["buffers"])
    yield unit("figcaption", "Shared memory of one block against the limit. " + ("Tiles, one stage: %s." % tiles if tiles else "") + share)


# Shared memory of an SM, from NVIDIA's programming guide; a block takes 1 KiB more than it asks for, in steps of 128 bytes.
OF_SM = {"sm_80": 164, "sm_86": 100, "sm_87": 164, "sm_89": 100, "sm_90": 228}


class Staircase(Picture):
    def __init__(self, f, loop):
        self.f, self.loop = f, loop

    def wrong(self, title, desc, words, caption):
        loop, arch = self.loop, self.f["arch"]
        before, after, loops, share = memory(self.f, loop)
        threads, occupancy = loop["block_threads"], loop["occupancy"]
        drawn = re.fullmatch(r"Before: (\d+) bytes, (\d+) blocks?\. After: (\d+) bytes, (\d+) blocks?\. (?:Steps: (.*)\.|No step in this range\.)", desc)
        if not drawn:
            return "the description of the staircase is %r" % desc
        steps = []
        for step in (drawn.group(5) or "").split("; ") if drawn.group(5) else []:
            parts = re.fullmatch(r"(\d+) (blocks?) up to (\d+) bytes", step)
            if not parts or parts.group(2) != ("block" if parts.group(1) == "1" else "blocks"):
                return "a step is %r" % step
            steps.append((int(parts.group(1)), int(parts.group(3))))
        most = max(loop["smem"]["limit"], before, after) * 1.08
        for (n, size), following in zip(steps, steps[1:] + [None]):
            # The most that fits that often, and not once more.
            if arch in OF_SM and size != OF_SM[arch] * 1024 // n // 128 * 128 - 1024:
                return "%d blocks of %s do not fit up to %d bytes" % (n, arch, size)
            if following and following[0] != n - 1:
                return "there is no step behind %d blocks" % n
        if arch in OF_SM and steps and steps[-1][0] > 1 and OF_SM[arch] * 1024 // (steps[-1][0] - 1) // 128 * 128 - 1024 < most:
            return "a step is missing"

        def blocks(size):
            at = [n for n, cliff in steps if size <= cliff]
            return max(at) if at else (steps[-1][0] - 1 if steps else int(drawn.group(2)))

        top = max([n for n, _ in steps], default=int(drawn.group(2)))
        count_ = {size: said.count(blocks(size), "block", "blocks") for size in (before, after)}
        axis, step = [], 1.0
        while top / step > 5:
            step *= [2, 2.5, 2][len(axis) % 3]
            axis.append(step)
        labels, n = [], 0.0
        while n <= top:
            labels.append(str(int(n)))
            n += step
        step = 1.0
        while most / 1024 / step > 5:
            step *= 2
        k = 0.0
        while k * 1024 <= most:
            labels.append(said.number(k, 2))
            k += step
        labels += ["KiB of shared memory per block", "blocks per SM", "limit %d bytes" % loop["smem"]["limit"]]
        scale, next_ = 328 / most, 454.0
        for _, size in reversed(steps):
            here = 26 + size * scale
            if next_ - here >= 50 and here + 50 <= 354:
                labels.append(str(size))
                next_ = here
        labels += ["before: %d bytes, %s" % (before, count_[before]), "after: %d bytes, %s" % (after, count_[after])]
        if loops == 1 and threads and occupancy and not loop.get("registers") and (occupancy["before"], occupancy["after"]) != (blocks(before), blocks(after)):
            return "the staircase has %s, and the report %r" % (count_, occupancy)
        of = said.count(threads, "thread", "threads") if threads else "a size that is not known"
        return differs([
            (title, "Blocks per SM of %s against bytes of shared memory per block" % arch),
            (desc.split(" Steps:")[0].split(" No step")[0], "Before: %d bytes, %s. After: %d bytes, %s." % (before, count_[before], after, count_[after])),
            (words, labels),
            (caption, "How many blocks of %s fit on one SM of %s at a time, by %s; registers are not in it. The numbers at the edges are the most bytes with "
                      "which that many still fit.%s" % (of, arch, "threads and shared memory" if threads else "shared memory alone", share))])


def verification_of(v, heading):
    yield with_status("h2", heading, *said.verdict(v["verdict"]))
    if "files" in v and not v["files"]:
        yield unit("p", "Nothing was rewritten, so there was nothing to verify.")
    for one in v.get("files", [v]):
        yield with_status("h3", said.ENGINES[one["engine"]], *said.verdict(one["verdict"]))
        yield unit("p", said.compared(one))
        if one["engine"] == "sass":
            yield from machine_code_of(one)
        else:
            yield from ran_of(one)
        yield from repeat_of(one)


def repeat_of(v):
    if v.get("repeat"):
        yield unit("p", "Repeat with:")
        yield unit("region", "Command")
        yield unit("pre", v["repeat"])


def ran_of(v):
    yield unit("p", said.counts(v))
    timed, failed = any(c["timing"] for c in v["cases"]), any(list(said.faults(c)) for c in v["cases"])
    rows = []
    for c in v["cases"]:
        words, good = said.verdict(c["verdict"])
        row = [c["kernel"], c["case"], (words, "status: " + good), str(c["runs"]), str(c["accesses"]), str(c["async_copies"])]
        if failed:
            row.append(" ".join(said.faults(c)))
        if timed:
            t = c["timing"]
            row += [measured(t["old_microseconds"], 2), measured(t["new_microseconds"], 2), str(t["rounds"])] if t else ["", "", ""]
        rows.append(row)
    if rows:
        yield from table("Both versions on the same data, compared bit for bit.", "Cases",
                         ["Kernel", "Case", "Verdict", "Runs", "Accesses", "Asynchronous copies"] + ["What was found"] * failed + ["Old, us", "New, us", "Rounds"] * timed, rows)
    for words in said.not_covered(v):
        yield unit("p", words)


PHASE_OF_MARK = {"load": "load", "store": "load", "barrier": "barrier", "wait": "barrier", "compute": "compute", "read": "compute"}


def machine_code_of(v):
    yield unit("p", "Read from what nvcc makes of both versions: is the load of the next tile under way while this one is computed on? In the excerpts the "
                    "number in front is the line of the source, the next one the address, and the word says what the instruction is to the loop.")
    for arch in v["archs"]:
        yield with_status("h4", arch["arch"], *said.verdict(arch["verdict"]))
        for words in said.readers(arch):
            yield unit("p", words)
        for k in arch["kernels"]:
            name = k["kernel"] or k["symbol"]
            yield with_status("h5", name, *said.verdict(k["verdict"]))
            yield unit("p", "In the machine code it is %s." % k["symbol"])
            if k["reason"]:
                yield unit("p", k["reason"])
            for remedy in k["remedies"]:
                yield unit("p", "To make it better: " + remedy)
            yield from table("What the compiler needs for it; the compute is %s." % k["compute"], None, ["", "Old", "New"],
                             [[words, str(k["old"][key]), str(k["new"][key])] for key, words in said.RESOURCES])
            for index in range(max(len(k["old"]["loops"]), len(k["new"]["loops"]))):
                for which, side in ("Old, ", k["old"]), ("New, ", k["new"]):
                    if index < len(side["loops"]):
                        yield from excerpt_of(which, side["loops"][index], name)


def excerpt_of(which, loop, kernel):
    caption = which + said.sass_verdict(loop)
    yield unit("figcaption", caption)
    if loop["excerpt"]:
        yield unit("region", "Machine code, %s, %s" % (shown(caption).split(":")[0], kernel))
    for line in loop["excerpt"]:
        if "skipped" in line:
            yield ("gap", shown("\u22ef " + said.left_out(line)), ("", "", "", "", ""))
        else:
            mark = "" if line["mark"] == "other" else line["mark"]
            yield ("line", shown(line["text"]), (str(line.get("line", "")), PHASE_OF_MARK.get(mark, ""), "", mark, "%04x" % line["address"]))
    for words in said.sass_numbers(loop):
        yield unit("p", words)


def bench_of(b):
    yield with_status("h2", "Measured times", *said.verdict(b["verdict"]))
    for words in said.bench_head(b):
        yield unit("p", words)
    yield from table("The versions that were timed.", "Versions", ["Version", "File", "Kind", "How it was made"],
                     [[v["name"], v["file"], v["kind"], said.version_made(v)] for v in b["versions"]])
    for c in b["cases"]:
        name = c["kernel"] + (", " + c["case"] if c["case"] else "")
        yield with_status("h3", name, *said.verdict(c["verdict"]))
        if c["reason"]:
            yield unit("p", c["reason"])
        rows = []
        for r in c["results"]:
            rate = [measured(r[key], 1) for key in ("gbps", "gflops")]
            rate = [(cell[0] + said.part_of_ceiling(b, c, r, key),) + cell[1:] for cell, key in zip(rate, ("gbps", "gflops"))]
            rows.append([r["version"], measured(r["median_us"], 3), spread(r["q1_us"], r["q3_us"]), measured(r["min_us"], 3), str(r["n"]), str(r["launches_per_round"]),
                         measured(r["ratio"], 3), spread(r["ratio_low"], r["ratio_high"])] + rate + [measured(r["overlap_efficiency"], 3), whole(r.get("dynamic_shared_bytes"))])
        yield from table("Time of one launch, microseconds, of n rounds of so many launches. Ratio is the old version's time over this one's, with the quartiles of "
                         "the rounds: more than 1 is faster. In brackets is the part of what this GPU was seen to reach. Overlap efficiency is the longer one of "
                         "loads alone and compute alone, over the time: 1 is all that pipelining can give.", "Timings, " + name,
                         ["Version", "Median", "Quartiles", "Least", "n", "Launches", "Ratio", "Quartiles of the ratio", "GB/s", "GFLOP/s", "Overlap efficiency",
                          "Dynamic shared memory, bytes"], rows)
        for r in c["results"]:
            if r["reason"]:
                words, good = said.verdict(r["verdict"])
                yield unit("p", "%s %s: %s" % (r["version"], words, r["reason"]), "status: " + good)
        of = [r for r in c["results"] if r["stalls"]]
        if of:
            most = {}
            for r in of:
                for what, warps in r["stalls"].items():
                    most[what] = max(warps, most.get(what, warps))
            width = 15 + sum(2 + max([5] + [len(word) for word in r["version"].split(" ")]) for r in of)
            yield from table("What warps wait for: so many of them, on average, when an instruction is issued.", "Waits, " + name if width > 36 else None,
                             ["Waits for"] + [r["version"] for r in of],
                             [[what] + [measured(r["stalls"].get(what), 3) for r in of] for what in sorted(most, key=lambda w: (-most[w], w))])
        for words in said.case_sentences(c):
            yield unit("p", words)
        yield from bars_of(c)
    for words in b["not_made"]:
        yield unit("p", "Not made: " + words)
    yield from repeat_of(b)


def bars_of(c):
    bars = [r for r in c["results"] if r["median_us"] is not None]
    if not bars:
        return
    three = [(r, said.number(r["median_us"], 3), said.number(r["q1_us"], 3), said.number(r["q3_us"], 3)) for r in bars]
    yield unit("title", "Time of each version, microseconds")
    yield unit("desc", " ".join("%s: median %s, quartiles %s to %s." % (r["version"], m, low, high) for r, m, low, high in three))
    for r, m, _, _ in three:
        yield unit("text", m + " us")
        for at in range(0, max(1, len(r["version"])), 36):
            yield unit("text", r["version"][at:at + 36])
    yield unit("text", "0")
    yield unit("text", "microseconds, less is better")
    yield unit("figcaption", "The bar ends at the median of the launches; the thick line goes from the first to the third quartile.")


def compare(units, expected):
    """What the first difference is; None: there is none."""
    at = 0
    for e in expected:
        if hasattr(e, "take"):
            at, wrong = e.take(units, at)
            if wrong:
                return wrong
            continue
        is_ = units[at] if at < len(units) else ("nothing", "", ())
        same = is_[0] == e[0] and is_[2] == e[2] and (e[1].fullmatch(is_[1]) if hasattr(e[1], "fullmatch") else is_[1] == e[1])
        if not same:
            return "the page says %r, and the report %r, behind %r" % (is_, e, units[at - 1][1] if at else "")
        at += 1
    return None if at == len(units) else "the page says %r, and the report nothing of it" % (units[at],)


#===--- what that is worth -----------------------------------------------------------===#

TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?")


def falsified(word):
    return str(int(word) + 1) if word.isdigit() else "%g" % (float(word) + 1) if word[0].isdigit() else word[::-1] if word != word[::-1] else word + "x"


def falsify(events, expected, unseen_lines, knows_version):
    """Every word and number of the page otherwise, by itself."""
    tried, missed, inside = 0, [], []
    for event in events:
        if event[0] == "<":
            if event[1] not in VOID:
                inside.append(event)
            classes = (event[2].get("class") or "").split()
            named = [k for k in ("aria-label", "value", "data-n") if event[2].get(k)]
            if id(event) in unseen_lines and not set(classes) & set(PHASES):
                named = []
            places = [(event[2], k) for k in named]
            if "status" in classes:
                places.append((event[2], "class"))
        elif event[0] == ">":
            inside.pop()
            continue
        else:
            places = [(event, 1)]
        in_line = next((e for e in inside if "l" in (e[2].get("class") or "").split()), None)
        if any(e[1] in ("title", "style") and not any(x[1] == "svg" for x in inside) for e in inside) and event[0] == "t":
            continue
        for holder, key in places:
            was = holder[key]
            if key == "class":
                for other in ("status", "status good", "status bad"):
                    same = "status" + "".join(" " + c for c in was.split() if c in ("good", "bad"))
                    if other != same:
                        holder[key] = other
                        tried += 1
                        if compare(units_of(events), expected) is None:
                            missed.append("%s for %s" % (other, was))
                holder[key] = was
                continue
            found = list(TOKEN.finditer(was))
            if was.startswith("Written by cuda-pipeline-rewrite") and not knows_version:
                found = [m for m in found if not m.group()[0].isdigit()]
            if in_line and event[0] == "t" and id(in_line) in unseen_lines and not any("w" in (e[2].get("class") or "").split() for e in inside):
                continue
            if in_line and event[0] == "t":
                found = found[:1]  # one word of a line of source stands for all
            for m in found:
                holder[key] = was[:m.start()] + falsified(m.group()) + was[m.end():]
                tried += 1
                if compare(units_of(events), expected) is None:
                    missed.append("%r for %r in %r" % (falsified(m.group()), m.group(), was[:100]))
            holder[key] = was
    return tried, missed


def unseen(events, expected):
    """Lines of blocks whose text is in no file."""
    blocks = [e.lines is None for e in expected if isinstance(e, Source)]
    out, block, name = set(), -1, ""
    for event in events:
        if event[0] != "<":
            continue
        label = event[2].get("aria-label", "")
        if event[2].get("tabindex"):
            name = label
            block += label.startswith("Source")
        if "l" in (event[2].get("class") or "").split() and name.startswith("Source") and blocks[block]:
            out.add(id(event))
    return out


def main():
    page = Page()
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        source = file.read()
    page.feed(source)
    page.close()
    page.finish()
    wrong = page.wrong
    # A page that browsers correct without a word is not valid; nothing else here knows all the rules.
    import html5lib

    parser = html5lib.HTMLParser()
    parser.parse(source)
    wrong += ["line %d: %s" % (place[0], what) for place, what, _ in parser.errors]
    if sys.argv[2:3] == ["--json"]:
        with open(sys.argv[3], encoding="utf-8") as file:
            report = json.load(file)
        body = next(i for i, e in enumerate(page.events) if e[:2] == ["<", "body"])
        events = page.events[body:page.events.index([">", "body"]) + 1]
        if "files" in report:
            title = "Tile loops: " + said.summary(report)
            if page.title != shown(title):
                wrong.append("the title is %r, and not %r" % (page.title, title))
        difference = compare(units_of(events), page_of(report))
        if difference:
            wrong.append(difference)
        elif sys.argv[4:5] == ["--falsify"]:
            expected = list(page_of(report))
            tried, missed = falsify(events, expected, unseen(events, expected), "files" in report)
            wrong += ["not found: " + m for m in missed]
            print("%d falsified pages" % tried)
    for line in wrong[:20]:
        print(line)
    if wrong:
        sys.exit(1)
    print("valid")


if __name__ == "__main__":
    main()
