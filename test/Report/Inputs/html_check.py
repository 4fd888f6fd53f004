# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is a page of the HTML report what it is to be?

    html_check.py PAGE [--json REPORT]

Valid HTML (well nested, known elements, no id twice, no reference into nothing; with html5lib, where it is installed, also by the
rules of the standard); accessible (language, landmarks, headings without a gap, named tables, pictures and scrolling regions, no
phase by colour alone); contrasts of at least 4.5 in both colour schemes; nothing that would ask the network for something. With --json:
every sentence and number of that report is in the page, in the same order. Prints what is wrong; nothing but "valid" if nothing is."""

import json
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "link", "br"}
BLOCKS = {"div", "p", "ul", "table", "figure", "section", "article", "h1", "h2", "h3", "h4", "pre", "header", "nav", "main", "footer"}
KNOWN = VOID | BLOCKS | {
    "html", "head", "body", "title", "style", "a", "span", "i", "strong", "code", "data", "li", "caption", "thead", "tbody", "tr", "th",
    "td", "figcaption", "svg", "desc", "path", "rect", "circle", "text"}
PHASES = ("load", "barrier", "compute", "advance")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.wrong = []
        self.open = []  # elements: (name, attributes, contents)
        self.ids, self.references = set(), []
        self.headings, self.count = [], {}
        self.text, self.style, self.title = [], "", ""
        self.metas = {}
        self.row_widths = None
        self.line = None  # of source: [class, label]
        self.lines = []

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
        if tag not in VOID:
            self.open.append((tag, attributes, []))

    def element(self, tag, a):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in KNOWN:
            self.bad("an element <%s>" % tag)
        for parent, _, contents in self.open[-1:]:
            contents.append(tag)
            if tag in BLOCKS and parent in ("p", "span", "h1", "h2", "h3", "h4", "a", "code"):
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
        if tag in ("section", "article") and not a.get("aria-labelledby") and tag == "section":
            self.bad("a <section> without a name")
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
        if any(e[0] == "title" for e in self.open) and not any(e[0] == "svg" for e in self.open):
            self.title += data
            return
        self.text.append(data)
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
        for media in ("(prefers-color-scheme: dark)", "print"):
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


def sentences(report):
    """What the report says of files and loops, in its order. Lists keep theirs; keys of an object are in the order of the page."""
    for file in report.get("files", []):
        yield file["path"]
        if file.get("error"):
            yield file["error"]["kind"]
            yield file["error"]["message"]
        yield from file.get("read_by", [])
        if file["output"] and file["output"] != "-":
            yield file["output"]
        for loop in file["loops"]:
            yield loop["status"].replace("already-", "already ").replace("not-", "not ")
            yield loop["kernel"]
            yield str(loop["line"])
            if loop.get("in_file"):
                yield loop["in_file"]
            for reason in loop["reasons"]:
                yield reason["message"]
                yield reason["id"]
                yield str(reason["rule"])
                if reason["line"]:
                    yield str(reason["line"])
                for note in reason["notes"]:
                    yield note["message"]
                yield reason["remedy"]
            planned = loop["status"] in ("rewritten", "opportunity")
            if planned and loop["why"]:
                yield loop["why"]
            if loop["smem"]:
                yield str(loop["smem"]["before"])
                if planned:
                    yield str(loop["smem"]["after"])
                yield str(loop["smem"]["limit"])
            if loop["occupancy"]:
                yield str(loop["occupancy"]["before"])
                if planned:
                    yield str(loop["occupancy"]["after"])
            if planned:
                if loop["occupancy"] and loop["block_size"]:
                    yield loop["block_size"]
                if loop["ratio"]:
                    yield str(loop["ratio"]["flops"])
                    yield str(loop["ratio"]["bytes"])
                for copy in loop["copies"]:
                    yield copy["buffer"]
                    yield copy["method"] or ""
                    yield str(copy["bytes_per_thread"])
                for name in loop.get("inlined", []) + loop.get("reworded", []) + loop.get("hints", []) + loop.get("gathered", []):
                    yield name
                for assumption in loop["assumptions"]:
                    yield assumption
                for buffer in loop["buffers"]:
                    yield buffer["name"]
                    yield str(buffer["bytes"])
            for candidate in loop["candidates"]:
                yield candidate["variant"]
                yield str(candidate["stages"])
                if candidate["score"]:
                    yield "%.2fx" % candidate["score"]
                yield candidate["rejected"] or ""
    verify = report.get("verify") or (report if "engine" in report else None)
    if verify:
        yield verify["verdict"].replace("-", " ")
        for one in verify.get("files", [verify]):
            yield one["verdict"].replace("-", " ")
            yield one["old"]
            yield one["new"]
            for case in one.get("cases", []):
                yield case["kernel"]
                yield case["case"]
                yield case["verdict"].replace("-", " ")
                yield str(case["runs"])
                yield case["reason"] or ""
            for arch in one.get("archs", []):
                yield arch["arch"]
                yield arch["compiler"]
                for kernel in arch["kernels"]:
                    yield kernel["kernel"]
                    yield kernel["verdict"].replace("-", " ")
                    yield kernel["reason"]
                    yield from kernel["remedies"]
                    for key in ("registers", "stack_bytes", "spill_store_bytes", "spill_load_bytes", "smem_bytes"):
                        yield str(kernel["old"][key])
                        yield str(kernel["new"][key])


def main():
    page = Page()
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        source = file.read()
    page.feed(source)
    page.close()
    page.finish()
    wrong = page.wrong
    try:
        import html5lib
    except ImportError:
        pass
    else:
        parser = html5lib.HTMLParser()
        parser.parse(source)
        wrong += ["line %d: %s" % (place[0], what) for place, what, _ in parser.errors]
    if sys.argv[2:3] == ["--json"]:
        with open(sys.argv[3], encoding="utf-8") as file:
            report = json.load(file)
        text = " ".join("".join(page.text[:]).split())
        start = text.index("Skip to the content")
        # The table of all loops is in front.
        at = text.find(" File ", start)
        at = 0 if at < 0 else at
        for sentence in sentences(report):
            sentence = " ".join(sentence.split())
            found = text.find(sentence, at)
            if found < 0:
                wrong.append("the page does not say %r behind %r" % (sentence, text[max(0, at - 60):at]))
                break
            at = found + len(sentence)
    for line in wrong[:20]:
        print(line)
    if wrong:
        sys.exit(1)
    print("valid")


if __name__ == "__main__":
    main()
