# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tile loop's header: which counters there are, and where the tile's position comes from.

A loop goes along an axis of `size` elements, `unit` of them per iteration. How `size` is given, and
whether it is a multiple of `unit`, is the trip form:

    trip-parameter  the number of tiles is a parameter
    trip-quotient   size / unit, size is a multiple
    trip-ceil       (size + unit - 1) / unit, size is any number; the copies have guards
    trip-variable, trip-function, trip-macro  the same through a local variable, a function or a macro
    trip-rest       what is left behind a first position, which is a parameter
    trip-constant   a constant
"""

import re

from .code import Block, add, mul, paren, renamed, texts
from .elements import ELEMENTS
from .features import HEADLESS
from .suspects import BARRIER, form_fits

TYPES = {
    "counter-int": ("int", True),
    "counter-unsigned": ("unsigned", False),
    "counter-size_t": ("size_t", False),
    "counter-short": ("short", True),
    "counter-long": ("long long", True),
    "counter-auto": ("auto", True),
}

_SKIPS = ("loop-lt", "loop-ne", "loop-le", "loop-reversed", "loop-offset-lt", "loop-one-based", "loop-down-ge")
_UP = ("loop-lt", "loop-ne", "loop-le", "loop-reversed", "loop-offset-lt", "loop-offset-ne",
       "loop-offset-le", "loop-two-counters", "loop-one-based", "loop-while", "loop-body-advance",
       "loop-offset-blockdim")
# Those that can start behind a first position.
_REST = ("loop-lt", "loop-ne", "loop-le", "loop-reversed", "loop-offset-lt", "loop-two-counters",
         "loop-one-based")

class Loop:
    def __init__(self, k, name, unit, size, tiles, ragged, wanted=None):
        """`unit` a Sym or 1; `size`, `tiles`: names of the parameters; exactly one of the two bounds
        the loop: `tiles` is None where the size does."""
        self.k, self.name = k, name
        self.unit, self.size, self.tiles, self.ragged = unit, size, tiles, ragged
        c = k.choices
        one = str(unit) == "1"
        forms = {"loop-lt": 30, "loop-ne": 6, "loop-le": 4, "loop-reversed": 3}
        if not one:
            forms.update({"loop-offset-lt": 28, "loop-two-counters": 7, "loop-offset-down": 3})
            if not ragged and tiles is None:
                forms.update({"loop-offset-ne": 8, "loop-offset-le": 8})
        forms.update({"loop-one-based": 4, "loop-down-ge": 5, "loop-down-gt": 3, "loop-grid-stride": 4,
                      "loop-body-advance": 3, "loop-while": 3})
        if tiles is not None:
            forms.update({"loop-range": 6, "loop-do-while": 2})
        self.form = c.pick(name + ".form", forms)
        if k.suspect and not form_fits(k.suspect.kind, self.form):
            c.features.remove(self.form)
            self.form = "loop-lt"
            c.use(self.form)
        if not k.suspect and k.illegal != "illegal-extra-bound":
            self._by_hand()
        if not one and not k.suspect:
            self._by_thread(unit, ragged)
        self.kind = c.pick(name + ".counter", {"counter-int": 70, "counter-unsigned": 9,
                                               "counter-size_t": 6, "counter-short": 5,
                                               "counter-long": 5, "counter-auto": 5})
        if self.form in ("loop-le", "loop-offset-le", "loop-down-ge", "loop-offset-down") and \
                not TYPES[self.kind][1]:
            self.kind = "counter-int"
        self.type = TYPES[self.kind][0]
        self.trip_form = "trip-parameter"
        if tiles is None:
            plain = "trip-ceil" if ragged else "trip-quotient"
            self.trip_form = c.pick(name + ".trip", {plain: 50, "trip-variable": 25,
                                                     "trip-function": 12, "trip-macro": 8})
            if not k.suspect and c.stream(name + ".float").below(100) < 7 and c.allowed("trip-float"):
                c.features.remove(self.trip_form)
                self.trip_form = "trip-float"
                c.use("trip-float")
        elif k.is_constant(tiles):
            c.use("trip-constant")
        else:
            c.use("trip-parameter")
        self.origin = None  # where the first tile is, if not at 0
        if tiles is None and not one and self.form in _REST and c.flag(name + ".rest", "trip-rest", 10):
            self.origin = k.name(name + ".origin", ["kBegin", "start", "from"])
            # A multiple of the tile, so that vectors stay aligned.
            k.scalar(self.origin, "int", "{0} > {1} ? {1} : 0".format(size, unit.name))
        # A suspect says what is behind the trailing barrier.
        self.barrier_first = self.form not in HEADLESS and not k.suspect and c.flag(
            name + ".barrier.first", "barrier-first", 8)
        self.upwards = self.form in _UP
        self.before, self.top, self.bottom = [], [], []
        self.bumps = []  # (where, statement)
        self._build()

    def _by_hand(self):
        """Headers that say little: how often there is a turn is said in the body, or by what is left."""
        c = self.k.choices
        at = c.stream(self.name + ".by.hand").below(100)
        for form in ("loop-do-while", "loop-exit-top", "loop-exit-end", "loop-counted-down",
                     "loop-counted-up"):
            if at < 4 and c.allowed(form):
                c.features.remove(self.form)
                self.form = form
                c.use(form)
                return
            at -= 4

    def _by_thread(self, unit, ragged):
        """Headers that the block or the thread is in."""
        k, c = self.k, self.k.choices
        for form, percent, fits in (
                ("loop-offset-blockdim", 20, unit.value == k.block[0] == k.threads),
                ("loop-thread-start", 5, unit.value >= k.threads and not ragged)):
            if fits and c.stream(self.name + "." + form).below(100) < percent and c.allowed(form):
                c.features.remove(self.form)
                self.form = form
                c.use(form)
                if unit.name in k.scalable:
                    k.scalable.remove(unit.name)
                return

    def trips(self):
        """The number of iterations, as an expression; needs `before`."""
        k, c = self.k, self.k.choices
        text = self._trips()
        if k.suspect:
            return text
        # A loop that counts down would start with what is read.
        down = self.form in ("loop-down-ge", "loop-down-gt", "loop-offset-down", "loop-counted-down")
        if not k.repeated and not down and c.flag(self.name + ".shared", "trip-shared", 3):
            name = k.name(self.name + ".count", ["tileCount_s", "countOfBlock"])
            self.before += ["__shared__ int {};".format(name),
                            Block("if ({} == 0)".format(k.tid()), ["{} = {};".format(name, text)]), BARRIER]
            return name
        if c.flag(self.name + ".method", "trip-method", 3):
            kind = k.name("extent.type", ["Extent", "LoopBounds", "Shape"])
            name = k.name(self.name + ".extent", ["extent_", "bounds_", "shape_"])
            method = c.of("extent.method", ["tiles", "size"])
            const = c.of("extent.const", [" const", " const", ""])
            lines = ["struct {} {{".format(kind), "  int pad[2], count;",
                     "  __device__ int {}(){} {{ return count; }}".format(method, const), "};"]
            if lines not in k.structs:
                k.structs.append(lines)
            self.before.append("{} {}{{{{0, 0}}, {}}};".format(kind, name, text))
            return "{}.{}()".format(name, method)
        return text

    def _trips(self):
        c = self.k.choices
        if not self.k.suspect and not self.origin and not (self.tiles and self.k.is_constant(self.tiles)) and c.flag(
                self.name + ".memory", "trip-memory", 5):
            name = self.k.name(self.name + ".counts", ["counts", "lengths", "tileCount"])
            value = self.tiles or (self.size if str(self.unit) == "1" else "ceildiv({}, {})".format(
                self.size, self.unit.name))
            self.k.pointer(name, ELEMENTS["elem-int"], "1", fill="value({})".format(value), restrict=True)
            text = c.of(self.name + ".memory.form", ["*{}", "{}[0]"]).format(name)
            if c.of(self.name + ".memory.held", [0, 1]):
                return text
            held = self.k.name(self.name + ".trips", ["tiles", "numTiles", "steps", "num_tiles", "iterations"])
            self.before.append("const int {} = {};".format(held, text))
            return held
        if self.tiles is not None:
            return self.tiles
        if str(self.unit) == "1":
            return self.size
        size = "{} - {}".format(self.size, self.origin) if self.origin else self.size
        if self.ragged:
            text = "({0} + {1} - 1) / {1}".format(size, self.unit)
        else:
            text = "{} / {}".format(paren(size), self.unit)
        if self.trip_form == "trip-variable":
            name = self.k.name(self.name + ".trips", ["tiles", "numTiles", "steps", "num_tiles", "iterations"])
            if not any(name + " =" in b for b in self.before):
                self.before.append("const int {} = {};".format(name, text))
            return name
        if self.trip_form == "trip-float":
            return c.of(self.name + ".float", ["(int)ceilf((float){} / {})", "int(ceil((double){} / {}))",
                                               "static_cast<int>(ceil({} / (float){}))"]).format(paren(size), self.unit)
        if self.trip_form == "trip-function":
            self.k.helper("ceilDiv", ["__host__ __device__ constexpr int ceilDiv(int a, int b) {",
                                      "  return (a + b - 1) / b;", "}"])
            return "ceilDiv({}, {})".format(size, self.unit)
        if self.trip_form == "trip-macro":
            name = self.k.name("trip.macro", ["NUM_TILES", "TILES_OF", "DIV_UP"])
            text = "#define {}(a, b) (((a) + (b) - 1) / (b))".format(name)
            if text not in self.k.macros:
                self.k.macros.append(text)
            return "{}({}, {})".format(name, size, self.unit)
        return text

    def limit(self):
        """The bound of a counter of elements."""
        if self.tiles is not None:
            return mul(self.tiles, self.unit)
        return self.size

    def _build(self):
        c, f, T, ragged = self.k.choices, self.form, self.type, self.ragged
        t = self.k.name(self.name + ".t", ["t", "tile", "step", "it", "ph", "chunk"])
        o = self.k.name(self.name + ".o", ["k0", "kt", "base", "kk", "off"])
        inc = c.of(self.name + ".inc", ["++{}", "{}++", "{} += 1", "++{}"])
        advance = "{} += {}"
        if c.flag(self.name + ".assign", "step-assign", 10):
            inc, advance = "{0} = {0} + 1", "{0} = {0} + {1}"
        unit = str(self.unit)
        stride = unit
        if not unit.isdigit() and f in ("loop-offset-lt", "loop-offset-ne", "loop-offset-le",
                                        "loop-two-counters", "loop-offset-down") and c.flag(
                                            self.name + ".stride", "step-constant", 12):
            stride = self.k.name(self.name + ".stride", ["stride", "kStride", "advance"])
            self.before.append("{} int {} = {};".format(
                c.of(self.name + ".stride.kind", ["constexpr", "const"]), stride, unit))
        # Unsigned counters against int bounds: as people do, with a cast or without.
        trips = self.trips() if not f.startswith("loop-offset-") or f == "loop-offset-down" else None
        self.position = t           # the number of the tile
        self.offset = add(self.origin, mul(t, unit))  # and of its first element
        start, cond, step, name = "0", None, inc.format(t), t
        if f == "loop-lt":
            cond = "{} < {}".format(t, trips)
        elif f == "loop-ne":
            cond = "{} != {}".format(t, trips)
        elif f == "loop-le":
            cond = "{} <= {} - 1".format(t, trips)
        elif f == "loop-reversed":
            cond = "{} > {}".format(trips, t)
        elif f.startswith("loop-offset-") and f != "loop-offset-down":
            name, step = o, advance.format(o, "blockDim.x" if f == "loop-offset-blockdim" else stride)
            start = self.origin or "0"
            self.position, self.offset = "{} / {}".format(
                "({} - {})".format(o, start) if self.origin else o, paren(unit)), o
            limit = self.limit()
            cond = {"loop-offset-lt": "{} < {}".format(o, limit),
                    "loop-offset-blockdim": "{} < {}".format(o, limit),
                    "loop-offset-ne": "{} != {}".format(o, limit),
                    "loop-offset-le": "{} <= {} - {}".format(o, limit, unit)}[f]
        elif f == "loop-offset-down":
            name, step = o, advance.replace("+", "-").format(o, stride)
            start = mul("{} - 1".format(paren(trips)), unit)
            cond = "{} >= 0".format(o)
            self.position, self.offset = "{} / {}".format(o, paren(unit)), o
        elif f == "loop-thread-start":
            name, start, step = o, self.k.tid(), advance.format(o, unit)
            cond = "{} < {}".format(o, self.limit())
            self.position, self.offset = "{} / {}".format(o, paren(unit)), "({} - {})".format(o, self.k.tid())
        elif f == "loop-two-counters":
            cond = "{} < {}".format(t, trips)
            self.offset = o
            second = self.origin or "0"
            if not self.k.suspect and c.flag(self.name + ".second", "loop-thread-second", 40):
                second = add(self.origin, self.k.tid())
                self.offset = "({} - {})".format(o, paren(self.k.tid()))
        elif f == "loop-one-based":
            start, cond = "1", "{} <= {}".format(t, trips)
            self.position = "({} - 1)".format(t)
            self.offset = add(self.origin, mul("{} - 1".format(t), unit))
        elif f == "loop-down-ge":
            start, cond, step = "{} - 1".format(trips), "{} >= 0".format(t), inc.replace("+", "-").format(t)
        elif f == "loop-down-gt":
            start, cond, step = trips, "{} > 0".format(t), inc.replace("+", "-").format(t)
            self.position = "({} - 1)".format(t)
            self.offset = mul("{} - 1".format(t), unit)
        elif f == "loop-counted-down":
            name, start, step = self.k.name(self.name + ".left", ["left", "remaining", "todo"]), trips, ""
            # Nothing is left for what is loaded last.
            self.position = paren("{} - 1 - {}".format(paren(trips), name))
            self.offset = add(self.origin, mul(self.position, unit))
            cond = c.of(self.name + ".left.form", ["{}--", "{}-- > 0", "{}-- != 0"]).format(name)
        elif f == "loop-counted-up":
            step, self.position = "", "({} - 1)".format(t)
            self.offset = add(self.origin, mul("{} - 1".format(t), unit))
            cond = c.of(self.name + ".up.form", ["{}++ < {}", "++{} <= {}"]).format(t, trips)
        elif f == "loop-grid-stride":
            start, cond, step = "blockIdx.x", "{} < {}".format(t, trips), "{} += gridDim.x".format(t)
        elif f == "loop-range":
            self.k.scalar("first", "int", "{} < 2 ? 0 : 1".format(self.tiles))
            start, cond = "first", "{} < {}".format(t, trips)
        else:
            cond = "{} < {}".format(t, trips)
        self.counter = name
        self.condition, self.step = cond, step

        initial = "{} = {}".format(name, start)
        if f == "loop-two-counters":
            initial += ", {} = {}".format(o, second)
            self.step += ", " + advance.format(o, stride)
        outside = c.flag(self.name + ".outside", "counter-outside", 8) or f in HEADLESS
        if outside and c.of(self.name + ".outside.init", [0, 1]) or f in HEADLESS:
            self.before.append("{} {};".format(T, initial))
            self.header_init = ""
        elif outside:
            declared = "{}, {}".format(name, o) if f == "loop-two-counters" else name
            self.before.append("{} {};".format("int" if T == "auto" else T, declared))
            self.header_init = initial
        else:
            # One `auto` is one type.
            self.header_init = "{} {}".format("int" if T == "auto" and f == "loop-two-counters" else T, initial)

        # The element offset as a variable of its own.
        if o not in (name, self.offset) and self.offset != name and unit != "1" and f != "loop-two-counters":
            how = c.of(self.name + ".offset", ["inline"] * 5 + ["variable"] * 4 + ["state"] * 2)
            if how == "variable" and c.allowed("offset-variable"):
                c.use("offset-variable")
                self.top.append("const {} {} = {};".format(
                    T if T in ("size_t", "auto") else "int", o, self.offset))
                self.offset = o
            elif how == "state" and self.upwards and c.allowed("offset-state") and (
                    not ragged or c.allowed("offset-state-guarded")):
                c.use("offset-state")
                if ragged:
                    c.use("offset-state-guarded")
                self.before.append("int {} = {};".format(o, self.origin or "0"))
                self.bumps.append(("compute" if c.of(self.name + ".at", [0, 1]) else "end",
                                   "{} += {};".format(o, unit)))
                self.offset = o

    def can_count_with_pointer(self):
        """Whether a pointer can take the counter's place in the header."""
        return self.form == "loop-lt" and not self.origin and not self.ragged and (
            self.header_init.startswith(self.type + " "))

    def count_with_pointer(self, kind, source):
        """for (const float *p = in; p < in + tiles * W; p += W); the counter stays for the others."""
        name = self.k.name(self.name + ".pointer", ["p", "ptr", "cursor", "from"])
        self.before.append("{} {} = 0;".format("int" if self.type == "auto" else self.type, self.counter))
        self.header_init = "const {} *{} = {}".format(kind, name, source)
        sign = self.k.choices.of(self.name + ".pointer.sign", ["<", "!="])
        self.condition = "{} {} {} + {}".format(name, sign, source, self.limit())
        self.step = "{} += {}, {}".format(name, self.unit, self.step)
        return name

    def _skip(self, body):
        """Some turns are left out, by all threads alike."""
        k, c = self.k, self.k.choices
        if self.form not in _SKIPS or self.type == "auto" or k.suspect or k.illegal or not c.flag(
                self.name + ".skip", "loop-skip", 6):
            return body
        turn = self.counter if str(self.unit) == "1" or "offset" not in self.form else "{} / {}".format(
            self.counter, self.unit)
        out = c.of(self.name + ".skip.when", ["({}) % 3 == 1", "({}) % 2 == 0", "({}) == 1"]).format(turn)
        if c.of(self.name + ".skip.form", ["continue", "continue", "if"]) == "if":
            return [Block("if (!({}))".format(out), body)]
        front = [Block("if ({})".format(out), ["continue;"])]
        if c.flag(self.name + ".skip.block", "loop-skip-block", 33):
            # Under another condition, by a number of its own.
            at = self.k.name(self.name + ".skip.at.turn", ["turn_", "which", "nth"])
            asks = c.of(self.name + ".skip.when", ["({}) % 3 == 1", "({}) % 2 == 0", "({}) == 1"]).format(at)
            front = [Block("if ({} >= 0)".format(self.counter), ["const int {} = {};".format(at, turn), Block("if ({})".format(asks), ["continue;"])])]
        return front + body if c.of(self.name + ".skip.at", [0, 1]) else self.top + front + body[len(self.top):] if (
            body[:len(self.top)] == self.top) else front + body

    def _loads_last(self, load, compute):
        """The first load in front of the loop, and that of the next tile, which ends a turn; None: not here."""
        k, c = self.k, self.k.choices
        step = re.match(r"(?:\+\+{0}|{0}\+\+|{0} ([+-])= (\w+))$".format(self.counter), self.step or "")
        init = re.match(r"([\w ]+) {} = (.+)$".format(self.counter), self.header_init or "")
        whole = [*texts(self.top + load)]
        declared = {name for s in load if isinstance(s, str) and re.match(r"[\w:<>]+ [\w *&:<>]*\w ?[,;=\[({]", s)
                    for name in re.findall(r"(\w+) ?(?=[,;=\[({])", s)}
        if not step or not init or self.barrier_first or self.bumps or k.suspect or k.illegal or any(
                not isinstance(s, str) or not s.startswith("const ") for s in self.top) or any(
                s.startswith("#") and not s.startswith("#pragma") or re.search(
                    r"__shared__|\b(break|continue|goto)\b", s) for s in whole) or any(
                re.search(r"\b{}\b".format(name), text) for name in declared for text in texts(compute)):
            return None
        if not c.flag(self.name + ".last", "barrier-last", 7):
            return None
        name = k.name(self.name + ".ahead", ["ahead", "following", "t_1"])
        ahead = "{} {} {}".format(self.counter, step.group(1) or "+", step.group(2) or "1")
        there = "{} {} = {};".format(init.group(1), name, ahead)
        condition = renamed([self.condition], self.counter, name)[0]
        body = [*renamed(self.top + load, self.counter, name)]
        first = Block("", [self.header_init + ";", Block("if ({})".format(self.condition), self.top + load)])
        first.in_front = True
        return ([first],
                [there, Block("if ({})".format(condition), body)])

    def statement(self, load, compute, barrier, bumps):
        """The loop. bumps: (where, statement), where they stand: load, between, compute, end."""
        bumps = self.bumps + bumps

        def at(where):
            return [s for w, s in bumps if w == where]

        k = self.k
        body = list(self.top)
        end = [barrier]
        if self.barrier_first:
            first, init = barrier, re.match(r"[\w ]+ {} = (\w+)$".format(self.counter), self.header_init or "")
            # In its first turn there is nothing to wait for.
            if init and not k.suspect and not k.extra and not self.bumps and k.choices.flag(
                    self.name + ".guarded", "barrier-guarded", 40):
                first = Block("if ({} != {})".format(self.counter, init.group(1)), [barrier])
            body, end = [first] + body, []
        last = None if bumps else self._loads_last(load, compute)
        if last:
            body += k.note("compute") + compute + [barrier] + last[1] + [barrier]
        else:
            body += load + at("load") + [barrier] + k.note("compute")
            body += at("between") + compute + at("compute") + end + at("end")
        pragma = []
        if self.form == "loop-do-while":
            loop = Block("do", body + [self.step + ";"] + at("header"))
            loop.tile_loop = True
            return [Block("if ({})".format(self.condition), [loop, "while ({});".format(self.condition)])]
        step = ([self.step + ";"] if self.step else []) + at("header")
        if self.form == "loop-exit-top":
            # Not for (;;): a header may get one more condition.
            result = Block(k.choices.of(self.name + ".endless", ["while (true)", "while (1)"]), [
                Block("if (!({}))".format(self.condition), ["break;"])] + body + step)
        elif self.form == "loop-exit-end":
            loop = Block(k.choices.of(self.name + ".endless", ["while (true)", "for (;;)"]), body + step + [
                Block("if (!({}))".format(self.condition), ["break;"])])
            loop.tile_loop = True
            return [Block("if ({})".format(self.condition), [loop])]
        elif self.form in ("loop-while", "loop-counted-down", "loop-counted-up"):
            head = k.choices.of(self.name + ".head", ["while ({})", "while ({})", "for (; {};)"]) if (
                self.form == "loop-counted-up") else "while ({})"
            result = Block(head.format(self.condition), body + step)
        elif self.form == "loop-body-advance":
            result = Block("for ({}; {};)".format(self.header_init, self.condition), body + step)
        else:
            step = ", ".join([self.step] + [s.rstrip(";") for s in at("header")])
            if not bumps and not last:
                body = self._skip(body)
            result = Block("for ({}; {}; {})".format(self.header_init, self.condition, step), body)
            if k.choices.flag(self.name + ".pragma", "loop-pragma", 8):
                pragma = [k.choices.of(self.name + ".pragma.text", [
                    "#pragma unroll 1", "#pragma unroll", "#pragma unroll 2", "#pragma nounroll"])]
        result.tile_loop = True
        return (last[0] + [barrier] if last else []) + pragma + [result]
