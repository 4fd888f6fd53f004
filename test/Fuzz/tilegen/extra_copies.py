# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the additional tile of extra.py is loaded."""

from .code import Block, add, mul, paren
from .elements import ELEMENTS
from .extra_async import (asm_functions, asm_macros, asm_templates, asm_vectors, asynchronous,
    asynchronous_block,
                          pipeline)
from .extra_forms import (braced, by_rank, chain, constexpr, declares, fills_variable, function_nested,
                          function_or_zero,
                          gathered_or_zero, index_anew, loader, local_function, method, pointer_array,
                          predicated,
                          row_pointer, size_bound, structure_part, structure_walked, swizzled)
from .extra_open import chosen, counted_by_nobody, jumps, stepped
from .extra_lanes import chained, cleared, divided, in_place, pointer_to_accessor, rotated, shuffled, until_loaded
from .extra_places import each, scoped, source_at, store
from .extra_values import (CLASSES, alias, alias_elem, alias_ldg, alias_source, initialised, initialised_nonzero,
                           initialised_template, load_to, mentioned, open_type, reference, shadowing)
from .extra_reads import blocks_set, clipped, several, texture
from .extra_turns import difference, distance, downwards, group, pointers
from .extra_ways import (by_const_reference, bytes_copied, kept, kept_array, packed, packed_source, pointer_in_shared,
                         register_vectors, shared_counter, summed, together, views_of_views, what_is_left)


# Where a block cannot race with another one.
ALONE = "if (gridDim.x * gridDim.y == 1)"


class Fetch:
    """emit(s, own, feed): the statements of the load phase go to s.load(). rows: how many rows the tile may
    have; elems: of what (None: anything); needs: pointer or array, what of `own` is used; async: cp.async can do
    it; source: the element that is in global memory where not that of the tile. own(s), from(s): the element of
    the tile, and that in global memory, where they are made for it; warps: whole ones; stores: back to where
    the elements are from."""

    def __init__(self, emit, rows=(1, 1, 2, 3), elems=None, needs=None, async_=True, source=None, aligned=0,
                 own=None, from_=None, warps=False, stores=False):
        self.emit, self.rows, self.elems, self.needs, self.warps, self.stores = emit, rows, elems, needs, warps, stores
        self.async_, self.source, self.aligned = async_, source, aligned
        self.own, self.from_ = own, from_


_FLOAT = ("elem-float",)
_WIDE = ("elem-float", "elem-int", "elem-unsigned", "elem-double", "elem-float4", "elem-int2")
_WORDS = ("elem-float", "elem-int", "elem-unsigned")
# Those of a class have an operator that assigns, which the tool takes for a name of the method's class.
_PLAIN = _WORDS + ("elem-double", "elem-short")


def _simple(s, own, loaded):
    """Each thread its own elements; `loaded(at)`: the value."""
    if own.elem is own.source and own.elem.name in ("float", "int") and not s.spoil and s.k.choices.flag(
            "simple.condition", "words-load-condition", 35):
        return _by_condition(s, own, loaded)
    if own.rows == 1 and not s.spoil and s.k.choices.flag("simple.clamp", "words-clamp", 25):
        return _by_clamp(s, own, loaded)
    if own.elem is own.source and not s.spoil and s.k.choices.flag("simple.closure", "words-closure", 50):
        return _by_closure(s, own, loaded)
    s.load(*each(s, own, lambda row: ["{} = {};".format(
        store(own, row, s.tid), loaded(source_at(s, own, row)))]))


def plain(s, own, feed):
    if own.elem is ELEMENTS["elem-float"] and not s.spoil and s.k.choices.flag("plain.words", "words-asm-store", 40):
        return _by_assembly(s, own, feed)
    if own.elem is own.source and not s.spoil and s.k.choices.flag("plain.object", "words-object", 50):
        return _by_object(s, own, feed)
    if own.elem is own.source and not s.spoil and s.k.choices.flag("plain.given", "words-load-given", 75):
        return _by_given(s, own, feed)
    _simple(s, own, lambda at: "{}[{}]".format(feed, at))


def _by_clamp(s, own, loaded):
    """The place is said in two statements, and the compute phase has it, too."""
    at, form = s.name("clamped", ["at_", "place_", "from_"]), s.of("simple.clamp.form", ["one", "else", "chain", "later"])
    place = source_at(s, own, "0")
    low = s.of("simple.clamp.low", ["{0} % 3 == 1", "({0} & 1) == 1", "{0} > {1}"]).format(at, own.count)
    kind = s.of("simple.clamp.type", ["int", "int", "long long"])
    less = "{} - {}".format(at, 1) if "%" in low or "&" in low else str(s.of("simple.clamp.to", [own.count, 0, 3]))
    one = [Block("if ({})".format(low), ["{} = {};".format(at, less)])]
    if form == "else":
        odd = s.of("simple.clamp.odd", ["{} % 2 == 0", "{} < 5"]).format(s.tid)
        lines = ["{} {};".format(kind, at), Block("if ({})".format(odd), ["{} = {};".format(at, place)], Block("", [
            "{} = {} / 2;".format(at, paren(place))]))]
    elif form == "later":
        lines = ["{} {};".format(kind, at), "{} = {};".format(at, place)] + one
    else:
        lines = ["{} {} = {};".format(kind, at, place)] + one
        if form == "chain":
            lines.append(Block("if ({} > 64)".format(at), ["{} = 64;".format(at)]))
    s.load(*lines, "{} = {};".format(store(own, "0", s.tid), loaded(at)))
    s.compute(s.see(ELEMENTS["elem-int"], "(int){}".format(at)))


def _by_condition(s, own, loaded):
    """Whether an element is copied is read from memory, too."""
    form = s.of("simple.condition.form", ["if", "else", "choice", "and"])
    ask = s.of("simple.condition.ask", ["{} > 0", "0 > {}", "{} != 3"])

    def one(row):
        to, value = store(own, row, s.tid), loaded(source_at(s, own, row))
        asked = ask.format(value)
        if form == "choice":
            return ["{} = {} ? {} : {};".format(to, asked, value, own.elem.other)]
        if form == "and":
            asked = "{} != 5 && {}".format(s.tid, asked)
        if form == "else":
            return [Block("if ({})".format(asked), ["{} = {};".format(to, value)], Block("", [
                "{} = {};".format(to, own.elem.other)]))]
        return ["{} = {};".format(to, own.elem.other), Block("if ({})".format(asked), ["{} = {};".format(to, value)])]

    s.load(*each(s, own, one))


def _by_given(s, own, feed):
    """What is called loads into a variable that it is given."""
    e, form = own.elem.name, s.of("plain.given.form", ["reference", "pointer", "object", "asm"])
    if form == "asm" and own.elem is not ELEMENTS["elem-float"]:
        form = "reference"
    name, v = s.name("loadInto", ["loadInto", "fetch_one", "ld_guarded"]), s.name("given", ["given_", "item", "fetched0"])
    head = {"pointer": "__device__ __forceinline__ void {}({} *v, const {} *from, int in) {{",
            "object": "__device__ {}({} &v, const {} *from, int in) {{"}.get(
                form, "__device__ __forceinline__ void {}({} &v, const {} *from, int in) {{").format(name, e, e)
    body = {"pointer": "  if (in) *v = *from;", "asm": (
        '  asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; mov.b32 %0, %3; @p ld.global.f32 %0, [%1]; }"'
        ' : "=f"(v) : "l"(from), "r"(in), "f"(v));')}.get(form, "  if (in) v = *from;")
    lines = [head, body, "}"]
    s.k.helper(name, ["struct {} {{".format(name)] + lines + ["};"] if form == "object" else lines)
    always, later = s.of("plain.given.in", ["1", "{} != 3".format(s.tid)]), s.of("plain.given.later", ["", "{0} = {0};".format(v)])
    s.load(*each(s, own, lambda row: [Block("", ["{} {} = {};".format(e, v, own.elem.other), "{}({}{}, {} + {}, {});".format(
        name, "&" if form == "pointer" else "", v, feed, source_at(s, own, row), always)] + [later] * bool(later) + [
            "{} = {};".format(store(own, row, s.tid), v)])]))


def _by_closure(s, own, loaded):
    """A lambda of the turn says what is loaded, or stores it."""
    form = s.of("plain.closure.form", ["value", "loaded", "stores", "generic", "given", "at once"])
    name, const = s.name("closure", ["at_", "pick", "one_"]), s.of("plain.closure.const", ["", "const "])
    if form == "given":
        s.k.helper("withPlace", ["template <class F> __device__ {}void withPlace(int place, F f) {{".format(
            s.of("copy.words", ["", "__forceinline__ "])), "  f(place);", "}"])

    def one(row):
        to, at = store(own, row, s.tid), source_at(s, own, row)
        if form == "value":
            return ["{}auto {} = [&](int place) {{ return {}; }};".format(const, name, loaded("place")), "{} = {}({});".format(to, name, at)]
        if form == "loaded":
            return ["{}auto {} = [&] {{ return {}; }};".format(const, name, loaded(at)), "{} = {}();".format(to, name)]
        if form == "stores":
            return ["{}auto {} = [&] {{ {} = {}; }};".format(const, name, to, loaded(at)), "{}();".format(name)]
        if form == "generic":
            return ["{}auto {} = [&](auto &to, auto place) {{ to = {}; }};".format(const, name, loaded("place")),
                    "{}({}, {});".format(name, to, at)]
        if form == "given":
            return ["withPlace({}, [&](int place) {{ {} = {}; }});".format(at, to, loaded("place"))]
        return ["{} = [&] {{ return {}; }}();".format(to, loaded(at))]

    s.load(*each(s, own, lambda row: [Block("", one(row))]))


def _by_object(s, own, feed):
    """An object says where an element comes from, and where it goes."""
    kind, name, e = s.name("way", ["Way", "CopyOf", "Move_"]), s.name("way.object", ["way_", "move", "w0"]), own.elem.name
    s.k.structs.append(["struct {} {{".format(kind), "  {} *to;".format(e), "  const {} *from;".format(e), "};"])
    form = s.of("plain.way", ["*{0}.to = *{0}.from;", "{0}.to[0] = {0}.from[0];"])
    s.load(*each(s, own, lambda row: [Block("", [
        "{}{} {}{{&{}, {} + {}}};".format(s.of("plain.way.const", ["", "const "]), kind, name, store(own, row, s.tid), feed,
                                          source_at(s, own, row)), form.format(name)])]))


def _by_assembly(s, own, feed):
    """The stores are instructions of a function, which is given the address as a number."""
    s.k.helper("storeShared", ["__device__ __forceinline__ void storeShared(unsigned at, float v) {", s.of("plain.asm", [
        '  asm volatile("st.shared.f32 [%0], %1;" :: "r"(at), "f"(v));',
        '  asm volatile("st.shared.b32 [%0], %1;" :: "r"(at), "f"(v) : "memory");',
        '  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0xffffffff; @p st.shared.f32 [%0], %1; }" :: "r"(at), "f"(v));']), "}"])
    s.load(*each(s, own, lambda row: ["storeShared({}(&{}), {}[{}]);".format(
        s.of("plain.address", ["(unsigned)__cvta_generic_to_shared", "(unsigned int)__cvta_generic_to_shared"]),
        store(own, row, s.tid), feed, source_at(s, own, row))]))


def _flat_loop(s, own, feed, step, bound=None):
    place = mul(s.place(), own.rows, s.P)
    s.load(Block("for (int i = {}; i < {}; i += {})".format(s.tid, bound or own.count, step), [
        "{} = {}[{}];".format(own.flat("i"), feed, add(place, "i"))]))


def strided(s, own, feed):
    _flat_loop(s, own, feed, s.P)


def by_blockdim(s, own, feed):
    x, y, z = s.k.block
    _flat_loop(s, own, feed, "blockDim.x" if y * z == 1 else (
        "blockDim.x * blockDim.y" if z == 1 else "blockDim.x * blockDim.y * blockDim.z"))


def until_parameter(s, own, feed):
    count = s.scalar(s.name("used", ["usedCount", "activeElements"]), max(1, own.count - s.of("used.less", [0, 1, 3])))
    _flat_loop(s, own, feed, s.P, count)
    own.limit = count


def walked(s, own, feed):
    """Pointers that move in the copy loop."""
    to, source = s.name("to", ["dstPtr", "to_"]), s.name("from", ["srcPtr", "from_"])
    if s.of("walked.both", [0, 1]):
        lines = ["const {} *{} = {} + {};".format(own.source.name, source, feed, source_at(s, own, "0")),
                 "{} *{} = {} + {};".format(own.elem.name, to, own.pointer, s.tid),
                 Block("for (int r = 0; r < {}; ++r)".format(own.rows), [
                     "*{} = *{};".format(to, source), "{} += {};".format(to, s.P),
                     "{} += {};".format(source, s.P)])]
    else:
        chunk = add(mul(s.tid, own.rows)) if own.rows > 1 else s.tid
        lines = ["{} *{} = {} + {};".format(own.elem.name, to, own.pointer, chunk),
                 Block("for (int r = 0; r < {}; ++r)".format(own.rows), [
                     "*{}++ = {}[{}];".format(to, feed, source_at(s, own, "r" if own.rows > 1 else "0"))])]
    s.load(Block("", lines) if s.of("walked.scope", [0, 1]) else Block("if ({} < {})".format(
        s.tid, s.P), lines) if s.of("walked.guard", [0, 0, 1]) else Block("", lines))


def fills(s, own, feed):
    """Zero, or something else, behind the end."""
    end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} * {} - 1".format(
        paren("{} + 2".format(s.trips())), own.rows, s.k.threads) if s.of("end", [0, 1]) else
        "{} * {} / 2 + 3".format(s.trips(), own.rows * s.k.threads))
    form = s.of("fill", ["ternary", "else", "variable", "clear", "negated"])
    zero = s.of("fill.zero", own.elem.zero + [own.elem.other])
    if s.k.async_only:
        form, zero = s.of("fill", ["ternary", "else"]), own.elem.zero[0]

    def body(row):
        at, target = source_at(s, own, row), store(own, row, s.tid)
        loaded = "{}[{}]".format(feed, at)
        test = "{} < {}".format(at, end)
        if form == "ternary":
            return ["{} = {} ? {} : {};".format(target, test, loaded, zero)]
        if form == "else":
            return [Block("if ({})".format(test), ["{} = {};".format(target, loaded)],
                          Block("", ["{} = {};".format(target, zero)]))]
        if form == "negated":
            return [Block("if ({} >= {})".format(at, end), ["{} = {};".format(target, zero)],
                          Block("", ["{} = {};".format(target, loaded)]))]
        if form == "clear":
            return ["{} = {};".format(target, zero), Block("if ({})".format(test), [
                "{} = {};".format(target, loaded)])]
        return ["{} fetched = {};".format(own.elem.name, zero), Block("if ({})".format(test), [
            "fetched = {};".format(loaded)]), "{} = fetched;".format(target)]
    lines = each(s, own, body)
    s.load(*([Block("", lines)] if form == "variable" and own.rows == 1 else lines))


def subset(s, own, feed):
    """Some threads load, and what they load is all that is read."""
    half = max(1, s.k.threads // 2)
    s.load(Block("if ({} < {})".format(s.tid, half), ["{} = {}[{}];".format(
        own.flat(s.tid), feed, add(mul(s.place(), s.P), s.tid))]))
    own.limit = str(half)


def no_else(s, own, feed):
    """A guard without else; the compute phase stays within it."""
    end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} - {}".format(
        s.trips(), s.k.threads, s.k.threads // 3))
    at = add(mul(s.place(), s.P), s.tid)
    s.load(Block("if ({} < {})".format(at, end), ["{} = {}[{}];".format(store(own, "0", s.tid), feed, at)]))
    own.limit = "min({}, {} - (int){})".format(own.count, end, paren(mul(s.place(), s.P)))
    own.may_be_empty = True


def macro_vector(s, own, feed):
    """FLOAT4(x), LDST128BITS(x): four elements at once."""
    name, text = s.of("vector.macro", [
        ("FETCH4", "(reinterpret_cast<float4 *>(&(x))[0])"), ("LDST128BITS", "(reinterpret_cast<float4 *>(&(x))[0])"),
        ("AS_FLOAT4", "(*(float4 *)&(x))")])
    s.k.macros.append("#define {}(x) {}".format(name, text))
    place = mul(s.place(), own.rows, s.P)
    cast = "const_cast<float &>({}[{}])".format(feed, add(place, mul(4, s.tid)))
    s.load("{}({}) = {}({});".format(name, own.flat(mul(4, s.tid)), name, cast))


def macro_offset(s, own, feed):
    name = s.of("offset.macro", ["OFFSET", "IDX2D", "AT_ROW"])
    s.k.macros.append("#define {}(row, col, ld) ((row) * (ld) + (col))".format(name))
    s.load(*each(s, own, lambda row: ["{} = {}[{}({}, {}, {})];".format(
        store(own, row, s.tid), feed, name,
        s.place() if own.rows == 1 else add(mul(s.place(), own.rows), row), s.tid, s.P)]))


def hint(s, own, feed):
    # In front of cp.async, only those that say how the load is cached.
    name = s.of("hint", ["__ldg", "__ldcg", "__ldcs", "__ldca"])
    if s.of("hint.last", [0, 1]) and s.k.choices.allowed("fetch-hint-last-use"):
        s.k.choices.use("fetch-hint-last-use")
        name = "__ldlu"
    _simple(s, own, lambda at: "{}(&{}[{}])".format(name, feed, at) if s.of("hint.form", [0, 1]) else
            "{}({} + {})".format(name, feed, at))


def scaled(s, own, feed):
    factor = s.scalar(s.name("factor", ["gain", "factor_"]), "3", "float")
    form = s.of("scale", ["{1} * {0}", "{0} * {1} - 1.0f", "fmaf({0}, {1}, 0.5f)"])
    if s.spoil == "value":
        # What the compute phase has found scales the next tile.
        own_factor = s.name("moving", ["movingGain", "scale_"])
        s.before.append("float {} = {};".format(own_factor, factor))
        s.late.append("{0} = {0} * 0.5f + {1};".format(own_factor, own.flat("0")))
        factor = own_factor
    if s.spoil or s.of("scale.steps", [0, 0, 1]) == 0:
        return _simple(s, own, lambda at: form.format("{}[{}]".format(feed, at), factor))
    name, other = s.name("scaled.from", ["plain_", "raw_v"]), s.name("scaled.to", ["scaled_", "moved_v"])
    s.load(*scoped(own, each(s, own, lambda row: [
        "float {} = {}[{}];".format(name, feed, source_at(s, own, row)),
        "float {} = {};".format(other, form.format(name, factor)),
        "{} = {};".format(store(own, row, s.tid), other)])))


def dequantised(s, own, feed):
    """Bytes and a scale for each tile."""
    spoiled = s.spoil == "value"
    scales = s.feed(ELEMENTS["elem-float"], key="scales", count="{} + 2".format(s.trips()), const=not spoiled,
                    restrict=True)
    held = s.of("scale.held", [0, 1])
    scale = "{}[{}]".format(scales, s.place())
    if spoiled:
        s.late.append(Block("{} && {} == 0)".format(ALONE[:-1], s.tid), ["{}[{} + 1] = {};".format(
            scales, paren(s.place()), own.flat("0"))]))
    lines = []
    if held:
        name = s.name("scale", ["scale_", "tileScale"])
        lines, scale = ["const float {} = {};".format(name, scale)], name
    lines += each(s, own, lambda row: ["{} = (float){}[{}] * {};".format(
        store(own, row, s.tid), feed, source_at(s, own, row), scale)])
    s.load(*lines)


def nibbles(s, own, feed):
    """Two numbers in each byte."""
    name = s.name("packed", ["packed", "pair_"])
    at = add(mul(s.place(), s.P), s.tid)
    s.load("const unsigned char {} = {}[{}];".format(name, feed, at),
           "{} = (float)({} & 15) - 8.0f;".format(own.flat(mul(2, s.tid)), name),
           "{} = (float)({} >> 4) - 8.0f;".format(own.flat(add(mul(2, s.tid), 1)), name))


def converted(s, own, feed):
    text = {"__half": "__half2float({})", "int": "(float){}", "short": "static_cast<float>({})",
            "double": "(float){}"}[own.source.name]
    _simple(s, own, lambda at: text.format("{}[{}]".format(feed, at)))


def gathered(s, own, feed):
    """Through a list of places."""
    spoiled = s.spoil == "value"
    count = "(({} + 2) * {})".format(s.trips(), own.rows * s.k.threads)
    index = s.feed(ELEMENTS["elem-int"], key="index", count=count, fill="uniform(0, {})".format(s.k.threads),
                   const=not spoiled, restrict=True)
    if spoiled:
        s.late.append(Block(ALONE, ["{0}[{1}] = ({0}[{1}] * 3 + 1) % {2};".format(
            index, add(mul("({} + {})".format(s.place(), 1), own.rows, s.P), s.tid), s.k.threads)]))
    form = s.of("gather", [0, 1])
    if form:
        s.load(*each(s, own, lambda row: ["{} = {}[{}[{}]];".format(
            store(own, row, s.tid), feed, index, source_at(s, own, row))]))
    else:
        name = s.name("picked", ["picked", "where_"])

        def body(row):
            return ["const int {} = {}[{}];".format(name, index, source_at(s, own, row)),
                    "{} = {}[{}];".format(store(own, row, s.tid), feed, name)]
        lines = each(s, own, body)
        s.load(*([Block("", lines)] if own.rows == 1 else lines))


def by_table(s, own, feed):
    """Through a list that was staged in shared memory in front of the loop."""
    index = s.feed(ELEMENTS["elem-int"], key="index", count=str(s.k.threads),
                   fill="uniform(0, {})".format(s.k.threads), restrict=True)
    table = s.name("table", ["table", "order_s", "where_s"])
    s.outside.append("__shared__ int {}[{}];".format(table, s.k.threads))
    s.before += ["{}[{}] = {}[{}];".format(table, s.tid, index, s.tid), "__syncthreads();"]
    if s.k.repeated:
        s.after.append("__syncthreads();")
    if s.spoil == "value":
        s.late.append("{0}[{1}] = ({0}[{1}] + 1) % {2};".format(table, s.tid, s.k.threads))
    _simple_at(s, own, feed, "{}[{}]".format(table, s.of("table.at", [s.tid, s.mirrored()])))


def _simple_at(s, own, feed, column):
    s.load(*each(s, own, lambda row: ["{} = {}[{}];".format(
        store(own, row, s.tid), feed, source_at(s, own, row, column))]))


def by_block_list(s, own, feed):
    """A list says which tile comes next, and the compute phase needs that number as well."""
    blocks = s.feed(ELEMENTS["elem-int"], key="index", count="{} + 2".format(s.trips()),
                    fill="uniform(0, {} + 1)".format(s.trips()), restrict=True)
    name = s.name("picked", ["tileId", "page"])
    s.front.append("const int {} = {}[{}];".format(name, blocks, s.place()))
    s.back.extend(each(s, own, lambda row: ["{} = {}[{}];".format(store(own, row, s.tid), feed, add(
        mul(name if own.rows == 1 else "({})".format(add(mul(name, own.rows), row)), s.P), s.tid))]))
    if s.of("page.used", [0, 1]):
        s.compute(s.see(ELEMENTS["elem-int"], name))


def staged(s, own, feed):
    """An array of registers in between."""
    regs = s.name("regs_", ["staging", "prefetch_", "frag_"])
    place = s.of("staging.where", ["load", "before"])
    if place == "before":
        s.before.append("{} {}[{}];".format(own.elem.name, regs, own.rows))
    lines = [] if place == "before" else ["{} {}[{}];".format(own.elem.name, regs, own.rows)]
    lines += [*s.k.unroll("staging"), Block("for (int r = 0; r < {}; ++r)".format(own.rows), [
        "{}[r] = {}[{}];".format(regs, feed, source_at(s, own, "r"))]),
        *s.k.unroll("staging"), Block("for (int r = 0; r < {}; ++r)".format(own.rows), [
            "{} = {}[r];".format(store(own, "r" if own.rows > 1 else "0", s.tid), regs)])]
    if s.spoil == "value":
        # The registers of this tile are still needed.
        s.late.append(s.see(own.elem, regs + "[0]"))
        if place != "before":
            s.before.append("{} {}[{}] = {{}};".format(own.elem.name, regs, own.rows))
            lines = lines[1:]
    s.load(*lines)


def staged_again(s, own, feed):
    """One temporary for one row after the other."""
    name = s.name("regs_", ["tmp_", "moved", "held_"])
    where = s.of("staging.where", ["load", "before"])
    declared = "{} {};".format(own.elem.name, name)
    lines = [] if where == "before" else [declared]
    if where == "before":
        s.before.append(declared)
    for row in range(own.rows):
        lines += ["{} = {}[{}];".format(name, feed, source_at(s, own, str(row))),
                  "{} = {};".format(store(own, str(row), s.tid), name)]
    s.load(*lines)


def staged_twice(s, own, feed):
    """One temporary for two arrays, one after the other."""
    name, other = s.name("regs_", ["tmp_", "moved", "held_"]), s.name("other.tile", ["besides", "second_s"])
    more = s.feed(own.source, key="feed2")
    s.outside.append("__shared__ {} {}[{}];".format(own.elem.name, other, s.k.threads))
    declared = "{} {};".format(own.elem.name, name)
    before = s.of("staging.where", ["load", "before"]) == "before"
    if before:
        s.before.append(declared)
    s.load(*[] if before else [declared], "{} = {}[{}];".format(name, feed, source_at(s, own, "0")),
           "{} = {};".format(store(own, "0", s.tid), name),
           "{} = {}[{}];".format(name, more, add(mul(s.place(), s.P), s.tid)), "{}[{}] = {};".format(other, s.tid, name))
    s.compute(s.see(own.elem, "{}[{}]".format(other, s.mirrored())))


def staged_used(s, own, feed):
    """The temporary is used by the compute phase as well: what was loaded, or as a place for something else."""
    name = s.name("regs_", ["tmp_", "moved", "held_"])
    form = s.of("staging.used", ["again", "again", "reloaded"])
    kind = ""
    if form == "reloaded" or s.of("staging.where", ["load", "before"]) == "before":
        s.before.append("{} {};".format(own.elem.name, name))
    else:
        kind = own.elem.name + " "
    s.back += ["{}{} = {}[{}];".format(kind, name, feed, source_at(s, own, "0")),
               "{} = {};".format(store(own, "0", s.tid), name)]
    if form == "reloaded":
        s.compute("{} = {};".format(name, own.flat(s.mirrored())), s.see(own.elem, name))
    else:
        s.compute(s.see(own.elem, name))


def macro_statement(s, own, feed):
    name = s.of("statement.macro", ["COPY_ONE", "STAGE_ELEMENT"])
    braced = s.of("statement.semicolon", [0, 1])
    s.k.macros.append("#define {}(to, from) (to) = (from){}".format(name, ";" if braced else ""))
    s.load(*each(s, own, lambda row: ["{}({}, {}[{}]){}".format(
        name, store(own, row, s.tid), feed, source_at(s, own, row), "" if braced else ";")]))


def _helper_words(s):
    return s.of("copy.words", ["", "__forceinline__ ", "inline ", "static ", "__noinline__ "])


def function(s, own, feed):
    e = own.source.name
    name = "copyRows" + "".join(w.capitalize() for w in e.strip("_").split())
    s.k.helper(name, ["__device__ {}void {}({} *to, const {} *from, int rows, int lane) {{".format(
        _helper_words(s), name, e, e),
        "  for (int r = 0; r < rows; ++r)",
        "    to[r * {0} + lane] = from[r * {0} + lane];".format(s.k.threads), "}"])
    s.load("{}({}, {} + {}, {}, {});".format(name, own.pointer, feed, paren(mul(s.place(), own.rows, s.P)),
                                             own.rows, s.tid))


def function_template(s, own, feed):
    copying = s.of("template.pragma", [[], ["#pragma unroll"]]) + [
        "  for (int r = 0; r < R_; ++r)", "    to[r * W_ + lane] = from[r * W_ + lane];"]
    # What is left out need not mean anything.
    arms = s.of("template.arm", ["", "", "if", "else"])
    if arms == "if":
        copying = ["  if constexpr (R_ < 1 || sizeof(E) > 64) {", "    to[lane] = from[lane].nothing;", "  } else {", *copying, "  }"]
    elif arms == "else":
        copying = ["  if constexpr (W_ > 0 && sizeof(E) <= 64) {", *copying, "  } else", "    to = E::nowhere(lane);"]
    s.k.helper("copyTileRows", [
        "template <int R_, int W_, typename E>",
        "__device__ {}void copyTileRows(E *to, const E *from, int lane) {{".format(_helper_words(s)), *copying, "}"])
    s.load("copyTileRows<{}, {}>({}, {} + {}, {});".format(
        own.rows, s.k.threads, own.pointer, feed, paren(mul(s.place(), own.rows, s.P)), s.tid))


def function_reference(s, own, feed):
    s.k.helper("copyInto", [
        "template <typename E, int N>",
        "__device__ {}void copyInto(E (&to)[N], const E *from, int place, int lane) {{".format(_helper_words(s)),
        "  for (int i = lane; i < N; i += {})".format(s.k.threads),
        "    to[i] = from[place * N + i];", "}"])
    s.load("copyInto({}, {}, {}, {});".format(own.array, feed, s.place(), s.tid))


def closure(s, own, feed):
    name = s.name("closure", ["loadExtra", "fetchSide", "bring"])
    captures = "&"
    if s.of("captures", [1, 0, 1]) and s.k.choices.allowed("fetch-closure-captures"):
        s.k.choices.use("fetch-closure-captures")
        captures = "&, {0} = {0}".format(feed)
    place = "place"
    body = each(s, own, lambda row: ["{} = {}[{}];".format(own.at(row, s.tid), feed, add(mul(
        place if own.rows == 1 else "({})".format(add(mul(place, own.rows), row)), s.P), s.tid))])
    definition = Block("auto {} = [{}](int place)".format(name, captures), body)
    definition.tail = ";"
    s.before.append(definition)
    s.load("{}({});".format(name, s.place()))


def static_method(s, own, feed):
    kind = s.name("loader", ["RowLoader", "TileLoader", "Loader"])
    e = own.source.name
    s.k.structs.append([
        "struct {} {{".format(kind),
        "  static __device__ {}void load({} *to, const {} *from, int lane{}) {{".format(
            s.of("copy.words", ["", "__forceinline__ "]), e, e,
            s.of("loader.more", ["", ", bool = true", ", int = 0"])),
        "    for (int r = 0; r < {}; ++r)".format(own.rows),
        "      to[r * {0} + lane] = from[r * {0} + lane];".format(s.k.threads)] + [
            "    return;"] * s.of("loader.returns", [0, 0, 1]) + ["  }", "};"])
    s.load("{}::load({}, {} + {}, {});".format(kind, own.pointer, feed, paren(mul(s.place(), own.rows, s.P)), s.tid))


def accessor(s, own, feed):
    """An object that knows where the elements are."""
    kind, name = s.name("accessor.type", ["RowView", "Grid2D", "GmemView"]), s.name("accessor.object", ["gview", "rowsOf"])
    result = s.of("accessor.result", ["const E &", "const E &", "E "]) if not s.k.async_only else "const E &"
    method = s.of("accessor.method", ["at", "operator()"])
    s.k.structs.append([
        "template <typename E> struct {} {{".format(kind), "  const E *p;", "  int ld;",
        "  __device__ {}{}(int row, int column) const {{ return p[row * ld + column]; }}".format(result, method),
        "};"])
    kind += "<{}>".format(own.source.name)
    const = "" if s.spoil == "value" else s.of("accessor.const", ["", "const "])
    s.before.append("{}{} {}{}{{{}, {}}};".format(
        const, kind, name, s.of("accessor.init", ["", " = "]), feed, s.P))
    if s.spoil == "value":
        # The object points elsewhere from then on, as the tile says.
        s.late.append(Block("if ({} > {})".format(own.flat("0"), own.elem.zero[0]), [
            "{0}.p = {1} + ({0}.p == {1} ? {2} : 0);".format(name, feed, s.k.threads)]))
    call = name + (".at" if method == "at" else "")
    s.load(*each(s, own, lambda row: ["{} = {}({}, {});".format(
        store(own, row, s.tid), call, s.place() if own.rows == 1 else add(mul(s.place(), own.rows), row),
            s.tid)]))


_ASM = {"float": ("f32", "f"), "int": ("s32", "r"), "unsigned": ("u32", "r")}


def _asm_load(s, kind, target, pointer):
    suffix, letter = _ASM[kind]
    text = s.of("asm.load", ["ld.global.nc.{}", "ld.global.{}", "ld.global.cg.{}", "ld.global.nc.L1::no_allocate.{}"])
    return 'asm volatile("{} %0, [%1];" : "={}"({}) : "l"({}));'.format(text.format(suffix), letter, target, pointer)


def assembly(s, own, feed):
    name = s.name("regs_", ["loaded_", "word_"])

    def body(row):
        return ["{} {};".format(own.elem.name, name),
                _asm_load(s, own.elem.name, name, "{} + {}".format(feed, source_at(s, own, row))),
                "{} = {};".format(store(own, row, s.tid), name)]
    lines = each(s, own, body)
    s.load(*([Block("", lines)] if own.rows == 1 else lines))


def assembly_function(s, own, feed):
    e = own.elem.name
    name = "ldNc" + e.capitalize()
    s.k.helper(name, ["__device__ {}{} {}(const {} *p) {{".format(s.of("copy.words", ["__forceinline__ ", "", "inline "]), e, name, e),
                      "  {} v;".format(e), "  " + _asm_load(s, e, "v", "p"), "  return v;", "}"])
    _simple(s, own, lambda at: "{}({} + {})".format(name, feed, at))


def assembly_vector(s, own, feed):
    name = s.name("regs_", ["quad", "loaded4"])
    at = add(mul(s.place(), own.rows, s.P), mul(4, s.tid))
    s.load("float4 {};".format(name),
           'asm volatile("ld.global.nc.v4.f32 {{%0, %1, %2, %3}}, [%4];" : "=f"({0}.x), "=f"({0}.y), "=f"({0}.z), '
           '"=f"({0}.w) : "l"({1} + {2}));'.format(name, feed, at),
           "*reinterpret_cast<float4 *>(&{}) = {};".format(own.flat(mul(4, s.tid)), name))


FETCH = {
    "fetch-plain": Fetch(plain), "fetch-strided": Fetch(strided, (2, 3, 1)),
    "fetch-blockdim": Fetch(by_blockdim, (2, 3, 1)), "fetch-until-parameter": Fetch(until_parameter, (1, 2, 3)),
    "fetch-walked": Fetch(walked, (2, 3, 1), needs="pointer"), "fetch-fills": Fetch(fills),
    "fetch-subset": Fetch(subset, (1,)), "fetch-no-else": Fetch(no_else, (1,)),
    "fetch-macro-vector": Fetch(macro_vector, (4,), _FLOAT, "pointer", aligned=16),
    "fetch-macro-offset": Fetch(macro_offset),
    "fetch-hint": Fetch(hint, elems=("elem-float", "elem-int", "elem-double", "elem-float4", "elem-unsigned"), async_=False),
    "fetch-scaled": Fetch(scaled, elems=_FLOAT, async_=False),
    "fetch-dequantised": Fetch(dequantised, elems=_FLOAT, async_=False, source=("elem-int8", "elem-uchar")),
    "fetch-nibbles": Fetch(nibbles, (2,), _FLOAT, async_=False, source=("elem-uchar",)),
    "fetch-converted": Fetch(converted, elems=_FLOAT, async_=False,
                             source=("elem-half", "elem-int", "elem-short", "elem-double")),
    "fetch-gathered": Fetch(gathered), "fetch-by-table": Fetch(by_table), "fetch-by-list": Fetch(by_block_list),
    "fetch-staged": Fetch(staged, (2, 3, 4), async_=False),
    "fetch-staged-again": Fetch(staged_again, (2, 3), async_=False),
    "fetch-staged-twice": Fetch(staged_twice, (1,), async_=False),
    "fetch-staged-used": Fetch(staged_used, (1,), async_=False),
    "fetch-macro-statement": Fetch(macro_statement),
    "fetch-async": Fetch(asynchronous, elems=_WIDE),
    "fetch-async-block": Fetch(asynchronous_block, elems=_WIDE, needs="pointer"),
    "fetch-function": Fetch(function, needs="pointer"),
    "fetch-function-template": Fetch(function_template, needs="pointer"),
    "fetch-function-reference": Fetch(function_reference, needs="array"),
    "fetch-closure": Fetch(closure, async_=False), "fetch-static-method": Fetch(static_method, needs="pointer"),
    "fetch-accessor": Fetch(accessor),
    "fetch-asm": Fetch(assembly, elems=_WORDS, async_=False),
    "fetch-asm-function": Fetch(assembly_function, elems=_WORDS, async_=False),
    "fetch-asm-vector": Fetch(assembly_vector, (4,), _FLOAT, "pointer", async_=False, aligned=16),
    "fetch-asm-predicated": Fetch(predicated, elems=_FLOAT, async_=False),
    "fetch-async-asm": Fetch(asm_macros, elems=_WIDE), "fetch-async-asm-function": Fetch(asm_functions,
        elems=_WIDE),
    "fetch-async-asm-template": Fetch(asm_templates, elems=_WIDE),
    "fetch-async-asm-vector": Fetch(asm_vectors, (4,), _FLOAT, aligned=16),
    "fetch-async-pipeline": Fetch(pipeline, elems=_WIDE),
    "fetch-method": Fetch(method, elems=_PLAIN),
    "fetch-loader": Fetch(loader, elems=_PLAIN, needs="pointer"),
    "fetch-function-nested": Fetch(function_nested, needs="pointer"),
    "fetch-lambda": Fetch(local_function, async_=False), "fetch-pointer-array": Fetch(pointer_array),
    "fetch-row-pointer": Fetch(row_pointer), "fetch-structure-part": Fetch(structure_part),
    "fetch-structure-walked": Fetch(structure_walked),
    "fetch-function-or-zero": Fetch(function_or_zero, elems=_PLAIN, async_=False),
    "fetch-chain": Fetch(chain),
    "fetch-gathered-or-zero": Fetch(gathered_or_zero),
    "fetch-index-anew": Fetch(index_anew, (1,)), "fetch-swizzled": Fetch(swizzled),
    "fetch-fills-variable": Fetch(fills_variable), "fetch-group-rank": Fetch(by_rank, (2, 3, 1)),
    "fetch-size-bound": Fetch(size_bound, (2, 3, 1), needs="array"), "fetch-braced": Fetch(braced, (2, 3, 1)),
    "fetch-declares": Fetch(declares), "fetch-constexpr": Fetch(constexpr),
    "fetch-initialised": Fetch(initialised, own=lambda s: CLASSES[s.of("class", list(CLASSES))].elem, async_=False),
    "fetch-initialised-nonzero": Fetch(initialised_nonzero, elems=_FLOAT, async_=False),
    "fetch-initialised-template": Fetch(initialised_template, own=lambda s: open_type(s, s.k), async_=False),
    "fetch-reference": Fetch(reference, async_=False), "fetch-shadowing": Fetch(shadowing, async_=False),
    "fetch-mentioned": Fetch(mentioned, async_=False), "fetch-load-to": Fetch(load_to, async_=False),
    "fetch-alias": Fetch(alias, elems=_FLOAT, async_=False, from_=alias_source),
    "fetch-alias-ldg": Fetch(alias_ldg, async_=False, own=alias_elem),
    "fetch-turns-difference": Fetch(difference), "fetch-turns-down": Fetch(downwards),
    "fetch-turns-pointers": Fetch(pointers), "fetch-turns-distance": Fetch(distance),
    "fetch-summed": Fetch(summed, elems=_PLAIN, async_=False), "fetch-kept": Fetch(kept, (1,), async_=False),
    "fetch-kept-array": Fetch(kept_array, (2, 3), async_=False),
    "fetch-value-reference": Fetch(by_const_reference, (1, 2), _FLOAT, async_=False),
    "fetch-packed": Fetch(packed, elems=_FLOAT, async_=False, from_=packed_source),
    "fetch-counter-shared": Fetch(shared_counter, (4, 3)),
    "fetch-together": Fetch(together, (1,), async_=False),
    "fetch-register-vectors": Fetch(register_vectors, (4, 8), _FLOAT, "pointer", async_=False, aligned=16),
    "fetch-left": Fetch(what_is_left, (2, 3, 1)), "fetch-pointer-shared": Fetch(pointer_in_shared),
    "fetch-views": Fetch(views_of_views, elems=_PLAIN), "fetch-memcpy": Fetch(bytes_copied, async_=False),
    "fetch-turns-group": Fetch(group),
    "fetch-texture": Fetch(texture, elems=_PLAIN + ("elem-float4", "elem-int2"), async_=False),
    "fetch-several": Fetch(several, elems=_WORDS + ("elem-double",), async_=False),
    "fetch-clipped": Fetch(clipped, async_=False), "fetch-blocks-set": Fetch(blocks_set, elems=_PLAIN, async_=False),
    "fetch-shuffled": Fetch(shuffled, warps=True), "fetch-divided": Fetch(divided), "fetch-rotated": Fetch(rotated, async_=False),
    "fetch-until-loaded": Fetch(until_loaded, (1, 2, 3), async_=False), "fetch-chained": Fetch(chained, (1,), async_=False),
    "fetch-cleared": Fetch(cleared, elems=_PLAIN, async_=False), "fetch-accessor-pointer": Fetch(pointer_to_accessor),
    "fetch-jumps": Fetch(jumps, (1, 2, 3), async_=False), "fetch-chosen": Fetch(chosen, async_=False),
    "fetch-stepped": Fetch(stepped, async_=False), "fetch-open": Fetch(counted_by_nobody, (1, 2, 5), async_=False),
    "fetch-in-place": Fetch(in_place, elems=_PLAIN + ("elem-float4", "elem-int2"), stores=True)}
# Those of which something else can change from tile to tile (extra.py: "value").
VALUES = ("fetch-scaled", "fetch-dequantised", "fetch-gathered", "fetch-by-table", "fetch-staged", "fetch-accessor")
