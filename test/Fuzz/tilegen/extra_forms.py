# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More of how the additional tile of extra.py is loaded: where an element is found in a roundabout way, what
loads it, and what else the load phase declares."""

from .code import Block, add, mul, paren
from .elements import ELEMENTS
from .extra_compute import block_group, mode
from .extra_places import each, scoped, source_at, store


def _row(s, own, row):
    """The number of the row in global memory."""
    return s.place() if own.rows == 1 else add(mul(s.place(), own.rows), row)


# --- Methods, functions and function objects ------------------------------------------------------------
def method(s, own, feed):
    """The tile is an object that fills itself."""
    if own.object:
        s.load("{}.{}({}, {}, {});".format(own.object, own.fills, feed, s.place(), s.tid))
    else:
        loader(s, own, feed)


def loader(s, own, feed):
    """An object that knows where the elements are fills the tile that it is given."""
    kind, name = s.name("loader", ["RowLoader", "TileLoader", "Loader"]), s.name("loader.object",
        ["loader_", "rowsFrom"])
    call = s.of("loader.method", ["fill", "load", "operator()"])
    const = s.of("loader.const", [" const", ""])
    head = "template <typename E> " if s.of("loader.template", [0, 1]) else ""
    e = "E" if head else own.source.name
    index = "r * pitch + lane"
    s.k.structs.append([
        head + "struct {} {{".format(kind), "  const {} *from;".format(e), "  int pitch;",
        "  __device__ {}void {}({} *to, int place, int lane){} {{".format(
            s.of("copy.words", ["", "__forceinline__ "]), call, e, const),
        "    for (int r = 0; r < {}; ++r)".format(own.rows),
        "      to[{}] = {}from[place * {} * pitch + {}];".format(
            index, s.of("loader.this", ["", "this->"]), own.rows, index), "  }", "};"])
    s.before.append("{}{} {}{}{{{}, {}}};".format(
        "const " if const and s.of("loader.object.const", [0, 1]) else "",
        kind + ("<{}>".format(own.source.name) if head else ""), name, s.of("loader.init", ["", " = "]),
            feed, s.P))
    s.load("{}{}({}, {}, {});".format(
        name, "" if call == "operator()" else "." + call, own.pointer, s.place(), s.tid))


def function_nested(s, own, feed):
    """A function of a function, which steps the pointers that it was given."""
    words = s.of("copy.words", ["", "__forceinline__ ", "inline ", "static "])
    s.k.helper("moveOne",
        ["template <typename E> __device__ {}void moveOne(E *to, const E *from) {{".format(words),
                           "  *to = *from;", "}"])
    s.k.helper("moveSome", [
        "template <typename E>",
        "__device__ {}void moveSome(E *to, const E *from, int count, int lane) {{".format(words),
        "  to += lane;", "  from += lane;"] + s.of("moves.form", [
            ["  for (int i = 0; i < count; i += {})".format(s.k.threads), "    moveOne(to + i, from + i);"],
            ["  for (int i = lane; i < count; i += {}) {{".format(s.k.threads), "    moveOne(to, from);",
             "    to += {};".format(s.k.threads), "    from += {};".format(s.k.threads), "  }"]]) + ["}"])
    s.load("moveSome({}, {}, {}, {});".format(
        own.pointer, s.of("moves.source", ["{} + {}", "&{}[{}]"]).format(feed,
            paren(mul(s.place(), own.rows, s.P))),
        own.count, s.tid))


def function_or_zero(s, own, feed):
    """A function returns the element, or zero behind the end."""
    end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} / 2 + 3".format(
        s.trips(), own.rows * s.k.threads))
    e, zero, name = own.source.name, own.elem.zero[0], "loadOrZero"
    s.k.helper(name, ["__device__ {}{} {}(const {} *p, int i, int end) {{".format(
        s.of("copy.words", ["", "__forceinline__ ", "inline "]), e, name, e), s.of("or.zero", [
            "  return i < end ? p[i] : {};", "  return i >= end ? {} : p[i];"]).format(zero), "}"])
    s.load(*each(s, own, lambda row: ["{} = {}({}, {}, {});".format(
        store(own, row, s.tid), name, feed, source_at(s, own, row), end)]))


def local_function(s, own, feed):
    """A function object returns the elements."""
    name = s.name("peeks", ["elementOf", "fromInput", "get_"])
    captures = s.of("peeks.captures", ["&", "=", "{0} = {0}"]).format(feed)
    if s.of("peeks.form", [0, 1]):
        s.before.append("auto {} = [{}](int i) {{ return {}[i]; }};".format(name, captures, feed))
        s.load(*each(s, own, lambda row: ["{} = {}({});".format(
            store(own, row, s.tid), name, source_at(s, own, row))]))
    else:
        captures = "&" if captures != "=" else captures
        s.before.append("auto {} = [{}](int row) {{ return {}[{}]; }};".format(
            name, captures, feed, add(mul("row", s.P), s.tid)))
        s.load(*each(s, own, lambda row: ["{} = {}({});".format(store(own, row, s.tid), name, _row(s, own,
            row))]))


# --- Where an element is --------------------------------------------------------------------------------
def pointer_array(s, own, feed):
    """Two sources in turns."""
    more, name = s.feed(own.source, count="({} + 2) * {}".format(s.trips(), own.count), key="feed2"), s.name(
        "sources", ["sources_", "inputs_", "ptrs"])
    s.before.append("const {} *{}[2] = {{{}, {}}};".format(own.source.name, name, feed, more))
    which = s.of("sources.which", ["{} & 1", "{} % 2", "{} > 1 ? 1 : 0"]).format(paren(s.turn()))
    s.load(*each(s, own, lambda row: ["{} = {}[{}][{}];".format(
        store(own, row, s.tid), name, which, source_at(s, own, row))]))


def row_pointer(s, own, feed):
    """A function returns where the row begins."""
    s.k.helper("rowAt", ["template <typename E> __device__ {}const E *rowAt(const E *p, int row) {{".format(
        s.of("copy.words", ["", "__forceinline__ ", "inline "])),
        "  return p + row * {};".format(s.k.threads), "}"])
    form = s.of("row.form", ["rowAt({}, {})[{}]", "*(rowAt({}, {}) + {})"])
    s.load(*each(s, own, lambda row: ["{} = {};".format(
        store(own, row, s.tid), form.format(feed, _row(s, own, row), s.tid))]))


def structure_part(s, own, feed):
    """A part of a matrix, as a structure that a function returns."""
    kind, name, part = s.name("part.type", ["MatrixView", "Strided", "Block2D"]), s.name(
        "part.whole", ["wholeOf", "matrix_"]), s.name("part.part", ["part_", "sub_"])
    e = own.source.name
    s.k.structs.append(["struct {} {{".format(kind), "  int stride;", "  const {} *p;".format(e), "};"])
    s.k.helper("partOf", ["__device__ {}{} partOf({} whole, int row) {{".format(
        s.of("copy.words", ["", "__forceinline__ "]), kind, kind), "  {} part;".format(kind),
        "  part.stride = whole.stride;", "  part.p = &whole.p[row * whole.stride];", "  return part;", "}"])
    element = "{}.p[{}]"
    if s.of("part.element", [0, 0, 1]) and not s.k.async_only:
        s.k.helper("elementOf", ["__device__ {} elementOf(const {} from, int row, int column) {{".format(e,
            kind),
                                 "  return from.p[row * from.stride + column];", "}"])
        element = "elementOf({}, 0, {})"
    s.before.append("{} {} = {{{}, {}}};".format(kind, name, s.P, feed))

    def body(row):
        return ["{} {} = partOf({}, {});".format(kind, part, name, _row(s, own, row)),
                "{} = {};".format(store(own, row, s.tid), element.format(part, s.tid))]
    s.load(*scoped(own, each(s, own, body)))


def structure_walked(s, own, feed):
    """A structure whose pointer goes from tile to tile."""
    kind = s.name("part.type", ["MatrixView", "Strided", "Block2D"])
    name = s.name("part.whole", ["walker_v", "current_"])
    s.k.structs.append(["struct {} {{".format(kind), "  int stride;",
                        "  const {} *p;".format(own.source.name), "};"])
    s.before.append("{} {} = {{{}, {}}};".format(kind, name, s.P, feed))
    pitch = s.of("walk.row", [s.P, name + ".stride"])
    s.back += each(s, own, lambda row: ["{} = {}.p[{}];".format(
        store(own, row, s.tid), name, add(mul(row, pitch), s.tid))])
    s.late_load.append("{}.p += {};".format(name, s.of("walk.step", [
        own.count, "{} * {}.stride".format(own.rows, name)])))


def chain(s, own, feed):
    """Indices are followed until one is small enough."""
    links = s.feed(ELEMENTS["elem-int"], key="index", count=str(s.k.threads),
        fill="uniform(0, {})".format(s.k.threads),
                   restrict=True)
    at, steps = s.name("picked", ["picked", "where_"]), s.name("steps", ["hops", "steps_"])
    few = s.of("chain.least", [2, 3, 5])

    def body(row):
        return ["int {} = {}, {} = 0;".format(at, s.tid, steps),
                Block("while ({} > {} && {} < {})".format(at, s.k.threads // 2, steps, few), [
                    "{0} = {1}[{0}];".format(at, links), "++{};".format(steps)]),
                "{} = {}[{}];".format(store(own, row, s.tid), feed, source_at(s, own, row, at))]
    s.load(*scoped(own, each(s, own, body)))


def gathered_or_zero(s, own, feed):
    """Rows that are left out have an index behind the last one."""
    count = "(({} + 2) * {})".format(s.trips(), own.count)
    index = s.feed(ELEMENTS["elem-int"], key="index", count=count, restrict=True,
                   fill="uniform(0, {})".format(s.k.threads + s.k.threads // 2 + 1))
    name, zero = s.name("picked", ["picked", "where_"]), own.elem.zero[0]
    form = s.of("gather.or", ["ternary", "else", "negated"])

    def body(row):
        target, loaded = store(own, row, s.tid), "{}[{}]".format(feed, name)
        lines = ["const int {} = {}[{}];".format(name, index, source_at(s, own, row))]
        load, clear = ["{} = {};".format(target, loaded)], ["{} = {};".format(target, zero)]
        if form == "ternary":
            return lines + ["{} = {} < {} ? {} : {};".format(target, name, s.P, loaded, zero)]
        if form == "else":
            return lines + [Block("if ({} < {})".format(name, s.P), load, Block("", clear))]
        return lines + [Block("if ({} >= {})".format(name, s.P), clear, Block("", load))]
    s.load(*scoped(own, each(s, own, body)))


def index_anew(s, own, feed):
    """The compute phase sets the variables of the load phase anew."""
    x, y = s.name("anew.x", ["gx", "col_", "x_"]), s.name("anew.y", ["gy", "row_", "y_"])
    at = s.of("anew.at", ["{1} * {2} + {0}", "{0} + {2} * {1}"]).format(x, y, s.P)
    first, second = s.of("anew.declared", [
        ["int {0} = {2}, {1} = {3};"], ["int {0} = {2};", "int {1} = {3};"]]), ["{0} = {2};", "{1} = {3};"]
    if s.of("anew.order", [0, 1]):
        second.reverse()
    s.back += [line.format(x, y, s.tid, s.place()) for line in first]
    s.back.append("{} = {}[{}];".format(store(own, "0", s.tid), feed, at))
    s.compute(*[line.format(x, y, s.mirrored(), s.of("anew.value", ["0", s.tid, "{} & 3".format(s.tid)]))
                for line in second],
              s.see(own.elem, own.flat(x)), s.see(ELEMENTS["elem-int"], "({} & 15)".format(y)))


def swizzled(s, own, feed):
    """Columns change places row by row."""
    if s.k.threads & (s.k.threads - 1) or s.k.threads < 4:
        return s.load(*each(s, own, lambda row: ["{} = {}[{}];".format(
            store(own, row, s.tid), feed, source_at(s, own, row))]))
    mask = s.of("swizzle.mask", [1, 3, 2])

    def column(row):
        # There may be more rows than columns (own-large).
        number = row if own.rows <= s.k.threads else "{} % {}".format(row, s.k.threads)
        return "({} ^ {})".format(s.tid, number if own.rows > 1 else mask)
    s.load(*each(s, own, lambda row: ["{} = {}[{}];".format(
        own.at(row, column(row)), feed, source_at(s, own, row))]))


# --- What is filled in ------------------------------------------------------------------------------------
def fills_variable(s, own, feed):
    """Behind the end is a variable, or an element."""
    end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} / 2 + 3".format(
        s.trips(), own.rows * s.k.threads))
    plain = own.elem.name in ("float", "double", "int", "unsigned")
    form = s.of("pad", ["variable", "element"] + ["moving"] * plain) if not s.k.async_only else "variable"
    pad = s.name("pad", ["pad", "padding_", "outside_"])
    if form == "element":
        pad = "{}[{}]".format(feed, s.tid)
    else:
        s.before.append("{}{} {} = {};".format("const " if form == "variable" else "", own.elem.name, pad,
            own.elem.other))
    if form == "moving":
        s.front.append("{0} = {0} + 1;".format(pad))
    staged = not s.k.async_only and s.of("pad.staged", [0, 0, 1])

    def body(row):
        at, target = source_at(s, own, row), store(own, row, s.tid)
        if staged:
            return ["{} fetched = {};".format(own.elem.name, pad), Block("if ({} < {})".format(at, end), [
                "fetched = {}[{}];".format(feed, at)]), "{} = fetched;".format(target)]
        return ["{} = {} < {} ? {}[{}] : {};".format(target, at, end, feed, at, pad)]
    s.back += scoped(own, each(s, own, body))


def predicated(s, own, feed):
    """Assembly that loads under a predicate."""
    end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} / 2 + 3".format(
        s.trips(), own.rows * s.k.threads))
    name = s.name("regs_", ["loaded_", "word_"])
    load = s.of("asm.load", ["ld.global.nc.f32", "ld.global.f32", "ld.global.nc.L1::no_allocate.f32"])
    text = s.of("asm.predicate", [
        "{{.reg .pred p;\\n setp.ne.b32 p, %2, 0;\\n mov.b32 %0, 0;\\n @p {} %0, [%1];}}\\n",
        "{{ .reg .pred p; setp.ne.b32 p, %2, 0; mov.b32 %0, 0; @p {} %0, [%1]; }}"]).format(load)

    def body(row):
        return ["float {};".format(name),
            'asm volatile("{}" : "={}f"({}) : "l"({} + {}), "r"((int)({} < {})));'.format(
            text, s.of("asm.early", ["", "&"]), name, feed, source_at(s, own, row), source_at(s, own, row),
                end),
            "{} = {};".format(store(own, row, s.tid), name)]
    s.load(*scoped(own, each(s, own, body)))


# --- Loops and declarations of the load phase -------------------------------------------------------------
def by_rank(s, own, feed):
    """Numbered by the cooperative group of the block."""
    group = block_group(s)
    s.load(Block("for ({0} i = {1}.thread_rank(); i < {2}; i += {1}.{3}())".format(
        s.of("rank.type", ["unsigned", "int", "auto"]), group, own.count, s.of("rank.size",
            ["size", "num_threads"])), [
        "{} = {}[{}];".format(own.flat("i"), feed, add(mul(s.place(), own.rows, s.P), "i"))]))


def size_bound(s, own, feed):
    """The copy loop asks for the tile's size."""
    text = s.of("size.text", ["sizeof({0}) / sizeof({0}[0])", "sizeof({0}) / sizeof({1})",
        "sizeof {0} / sizeof *{0}"]).format(
        own.array, own.elem.name)
    s.load(Block("for ({} i = {}; i < {}; i += {})".format(
        s.of("size.type", ["int", "unsigned", "size_t"]), s.tid, text, s.P), [
        "{} = {}[{}];".format(own.flat("i"), feed, add(mul(s.place(), own.rows, s.P), "i"))]))


def braced(s, own, feed):
    """Everything is initialised with braces."""
    kind, zero = s.of("braced.type", [("int", "0"), ("unsigned", "0U"), ("size_t", "0")])
    at, step = s.name("braced.at", ["at_", "place_"]), s.name("braced.step", ["step_", "width_"])
    s.load(Block("for ({} r{{{}}}; r < {}; ++r)".format(kind, zero, own.rows), [
        "constexpr {} {}{{{}}};".format(kind, step, s.k.threads),
        "{0} const {1}{{r * {2} + {3}}};".format(kind, at, step, "({}){}".format(kind, paren(s.tid))),
        "{} = {}[{}];".format(own.flat(at), feed, add(mul(s.place(), own.rows, s.P), at))]))


def declares(s, own, feed):
    """Types, constants and assertions that the load phase declares."""
    e = own.elem.name
    kind, value, width = s.name("declared.type", ["Element", "V_", "Word"]), s.name(
        "declared.value", ["value_", "moved"]), s.name("declared.width", ["WIDTH_", "Pitch"])
    lines = s.of("declared.constant", [
        ["constexpr int {} = {};"], ["static constexpr int {} = {};"], ["enum {{ {} = {} }};"]])
    lines = [line.format(width, s.k.threads) for line in lines]
    if s.of("declared.assert", [0, 1]):
        lines.append('static_assert(sizeof({}) == {}, "size of an element");'.format(e, own.elem.size))
    at = [add(mul(_row(s, own, str(row)), width), s.tid) for row in range(own.rows)]
    if s.of("declared.alias", [0, 1]) and not s.k.async_only:
        lines.append(s.of("declared.alias.form", ["using {} = {};", "typedef {1} {0};"]).format(kind, e))
        for row in range(own.rows):
            lines.append("{}{} = {}[{}];".format(kind + " " if row == 0 else "", value, feed, at[row]))
            lines.append("{} = {};".format(store(own, str(row), s.tid), value))
    else:
        lines += ["{} = {}[{}];".format(store(own, str(row), s.tid), feed,
            at[row]) for row in range(own.rows)]
    s.load(*lines)


def constexpr(s, own, feed):
    """Branches of which an instantiation has one."""
    test = mode(s, own)
    where = s.of("constexpr.arms", ["source", "tile"])

    def arm(turned):
        return each(s, own, lambda row: ["{} = {}[{}];".format(
            own.at(row, s.mirrored()) if turned and where == "tile" else store(own, row, s.tid), feed,
            source_at(s, own, row, s.mirrored() if turned and where == "source" else None))])
    # The tool knows branches without else where there is one alone.
    form = s.of("constexpr.form", ["else"] * 7 + ["apart"])
    if form == "else":
        s.load(Block("if constexpr ({})".format(test), arm(True), Block("", arm(False))))
    else:
        s.load(Block("if constexpr ({})".format(test), arm(True)),
            Block("if constexpr (!({}))".format(test), arm(False)))
