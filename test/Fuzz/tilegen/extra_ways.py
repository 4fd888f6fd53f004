# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More of how the additional tile of extra.py is loaded: what else becomes of a value that is loaded (sums,
registers that the compute phase needs, functions by reference, conversions by a class), and the variables that
the load phase shares with others."""

from .code import Block, add, mul, paren
from .elements import ELEMENTS, Elem, value
from .extra_places import each, scoped, source_at, store


def _held(s):
    return s.name("held", ["v", "value", "val_", "item", "r_"])


# --- What else becomes of the value -----------------------------------------------------------------------
def summed(s, own, feed):
    """The load phase sums up what it loads, or counts, or keeps the largest; behind the loop that is a result."""
    kind, name, total = own.elem.kind, _held(s), s.name("sum.load", ["total_", "norm", "loadSum"])
    more = s.name("sum.count", ["above", "seenSome"])
    forms = ["sum", "sum", "guarded"] + ["largest"] * (own.elem.name in ("float", "double"))
    form = s.of("sum.form", forms)
    s.before.append("{} {} = 0;".format(kind, total))
    loaded = value(own.elem, kind, name)
    add_ = {"sum": "{0} = {0} * {1} + {2};".format(total, s.decay(), loaded) if kind == s.seen_kind else
            "{} += {};".format(total, loaded), "guarded": "{} += {};".format(total, loaded),
            "largest": "{0} = fmax({0}, {1});".format(total, loaded)}[form]
    if form == "guarded":
        s.before.append("int {} = 0;".format(more))
    test = "{} > {}".format(loaded, "1" if kind == "unsigned" else "0")

    def body(row):
        sums = [add_] if form != "guarded" else [Block("if ({})".format(test), [add_, "++{};".format(more)])]
        stored = ["{} = {};".format(store(own, row, s.tid), name)]
        return ["const {} {} = {}[{}];".format(own.elem.name, name, feed, source_at(s, own, row))] + (
            sums + stored if s.of("sum.first", [0, 1]) else stored + sums)
    s.load(*scoped(own, each(s, own, body)))
    elem = ELEMENTS["elem-" + kind]
    if s.spoil == "sum":
        # What the compute phase sees of it is that of its own turn.
        s.late.append(s.see(elem, total))
        return
    s.after.insert(0, s.see(elem, total))
    if form == "guarded":
        s.after.insert(0, s.see(ELEMENTS["elem-int"], more))


def kept(s, own, feed):
    """The compute phase needs the value, too, from the register; at times there is one only for some threads."""
    name, form = _held(s), s.of("kept.form", ["plain", "guarded", "two"])
    if form == "guarded":
        end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} / 2 + 3".format(s.trips(), s.k.threads))
        test = "{} < {}".format(source_at(s, own, "0"), end)
        more = s.name("kept.second", ["beside_", "w_"])
        s.back += ["{} {}, {};".format(own.elem.name, name, more), Block("if ({})".format(test), [
            "{} = {}[{}];".format(name, feed, source_at(s, own, "0")), "{} = {};".format(more, name)]),
            "{} = {}[{}];".format(store(own, "0", s.tid), feed, source_at(s, own, "0", s.mirrored()))]
        s.compute(Block("if ({})".format(test), [s.see(own.elem, name), s.see(own.elem, more)]))
        return
    s.back += ["const {} {} = {}[{}];".format(own.elem.name, name, feed, source_at(s, own, "0")),
               "{} = {};".format(store(own, "0", s.tid), name)]
    if form == "two":
        used = s.name("kept.used", ["used_", "flags_"])
        s.back.append("int {} = ({}) > {} ? 1 : 0;".format(used, value(own.elem, own.elem.kind, name), "1" if (
            own.elem.kind == "unsigned") else "0"))
        s.compute(s.see(ELEMENTS["elem-int"], used))
    s.compute(s.see(own.elem, name))


def kept_array(s, own, feed):
    """An array of registers goes to the tile, in part, and the compute phase reads it."""
    name, used = s.name("regs_", ["staging", "q_", "frag_"]), s.name("kept.used", ["used_", "flags_"])
    counts = s.of("kept.counts", [0, 1])
    s.back += ["{} {}[{}];".format(own.elem.name, name, own.rows)] + ["int {} = 0;".format(used)] * counts
    s.back += [*s.k.unroll("kept"), Block("for (int r = 0; r < {}; ++r)".format(own.rows), [
        "{}[r] = {}[{}];".format(name, feed, source_at(s, own, "r"))] + ["{} += {} > {};".format(used, paren(
            value(own.elem, own.elem.kind, name + "[r]")), "1" if own.elem.kind == "unsigned" else "0")] * counts)]
    s.back += ["{} = {}[{}];".format(store(own, str(row), s.tid), name, (row + 1) % own.rows) for row in range(own.rows)]
    s.compute(*s.k.unroll("kept.read"), Block("for (int r = 0; r < {}; ++r)".format(own.rows), [
        s.see(own.elem, name + "[r]")]), *([s.see(ELEMENTS["elem-int"], used)] * counts))


def by_const_reference(s, own, feed):
    """A function takes the loaded value by reference and returns what is stored."""
    name, where = _held(s), s.of("value.where", ["before", "load"])
    form = s.of("value.function", ["template", "plain", "two"])
    call = {"template": "turnedBy<3>({})", "plain": "halved({})", "two": "between({0}, {0})"}[form]
    words = s.of("copy.words", ["", "__forceinline__ ", "inline "])
    lines = {
        "template": ["template <int N> __device__ %sfloat turnedBy(const float &x) { return x * N - 1.0f; }"],
        "plain": ["__device__ %sfloat halved(const float &x) {", "  const float y = x * 0.5f;", "  return y;", "}"],
        "two": ["__device__ %sfloat between(const float &x, const float &y) { return x * 0.25f + y; }"]}[form]
    s.k.helper(call.split("(")[0].split("<")[0], [lines[0] % words] + lines[1:])
    if where == "before":
        s.before.append("float {};".format(name))
    lines = [] if where == "before" else ["float {};".format(name)]
    for row in range(own.rows):
        lines += ["{} = {}[{}];".format(name, feed, source_at(s, own, str(row))),
                  "{} = {};".format(store(own, str(row), s.tid), call.format(name))]
    s.load(*lines)


_BODIES = {
    "intrinsic": ["    return __uint_as_float((unsigned)bits << 16);"],
    "memcpy": ["    const unsigned all = (unsigned)bits << 16;", "    float f;", "    memcpy(&f, &all, 4);", "    return f;"],
    "union": ["    union {", "      unsigned u;", "      float f;", "    } all;", "    all.u = (unsigned)bits << 16;",
              "    return all.f;"],
    "half": ["    return __half2float(__ushort_as_half(bits));"],
    "pointer": ["    return __half2float(*reinterpret_cast<const __half *>(&bits));"],
    "copied": ["    __half h;", "    memcpy(&h, &bits, 2);", "    return __half2float(h);"]}


def packed_source(s):
    """A class of two bytes that converts itself."""
    body = s.of("packed.body", list(_BODIES))
    kind = s.name("packed.type", ["Packed16", "Stored", "Narrow"])
    if "cuda_fp16.h" not in s.k.includes:
        s.k.includes.append("cuda_fp16.h")
    method = s.of("packed.method", ["operator float", "operator float", "get"])
    s.k.structs.append(["struct {} {{".format(kind), "  unsigned short bits;", "  __device__ {}{}() const {{".format(
        "" if method != "get" else "float ", method)] + _BODIES[body] + ["  }", "};"])
    return Elem(kind, 2, "float", "{}.get()" if method == "get" else "{}", ["0.0f"], "0.0f", launch="half")


def packed(s, own, feed):
    form = s.of("packed.form", ["{}", "{} * 0.5f", "(float){} + 1.0f"])
    if own.source.value != "{}":
        form = form.replace("(float)", "")
    s.load(*each(s, own, lambda row: ["{} = {};".format(store(own, row, s.tid), form.format(own.source.value.format(
        "{}[{}]".format(feed, source_at(s, own, row)))))]))


# --- Variables of both phases, and several in one declaration ------------------------------------------------
def shared_counter(s, own, feed):
    """One counter for the loops of both phases, and perhaps for one behind."""
    kind, name = s.of("counter.type", ["int", "int", "unsigned", "size_t"]), s.name("counter", ["l_", "i_", "jj"])
    nested = own.rows == 4 and s.of("counter.nested", [0, 1])
    other = s.name("counter.other", ["m_", "j_"])
    s.before.append("{} {};".format(kind, "{}, {}".format(name, other) if nested else name))
    copy = lambda row: "{} = {}[{}];".format(store(own, row, s.tid), feed, source_at(s, own, row))
    if s.spoil == "counter":
        # The tile's place depends on what the compute phase has counted.
        s.before[-1] = "{} {} = 0;".format(kind, name)
        held = s.name("counter.kept", ["from_l", "was"])
        s.load("const int {} = {} > 1 ? 1 : 0;".format(held, name), Block("for ({0} = 0; {0} < {1}; ++{0})".format(
            name, own.rows), ["{} = {}[{} + {}];".format(store(own, name, s.tid), feed, source_at(s, own, name), held)]))
        s.compute(Block("for ({0} = 0; {0} < 3 && {1} > {0}; ++{0})".format(name, paren("(int)" + paren(s.seen))), [
            s.see(own.elem, own.read("({} + {}) % {}".format(s.tid, name, own.count)))]))
        return
    if nested:
        s.load(Block("for ({0} = 0; {0} < 2; {0}++)".format(name), [Block("for ({0} = 0; {0} < 2; {0}++)".format(other), [
            copy("({} * 2 + {})".format(name, other))])]))
        s.compute(Block("for ({0} = 0; {0} < 3; ++{0})".format(other), [
            Block("for ({0} = 0; {0} < 2; ++{0})".format(name), [s.see(own.elem, own.read("({} + {} * {} + {}) % {}".format(
                s.tid, name, 2, other, own.count)))])]))
    else:
        s.load(Block("for ({0} = 0; {0} < {1}; {0}++)".format(name, own.rows), [copy(name)]))
        s.compute(Block("for ({0} = 0; {0} < {1}; {0} += {2})".format(name, own.count, max(1, own.count // 16)), [
            s.see(own.elem, own.read(name))]))
    if s.of("counter.behind", [0, 0, 1]):
        s.after.insert(0, Block("for ({0} = 0; {0} < 2; ++{0})".format(name), [s.see(ELEMENTS["elem-int"], "(int)" + name)]))


def together(s, own, feed):
    """Several variables in one declaration, for two tiles."""
    more, other = s.feed(own.source, key="feed2"), s.name("other.tile", ["besides", "second_s"])
    first, second = _held(s), s.name("together", ["w_", "beside_", "other0"])
    s.outside.append("__shared__ {} {}[{}];".format(own.elem.name, other, s.k.threads))
    e, at, beside = own.elem.name, source_at(s, own, "0"), add(mul(s.place(), s.P), s.tid)
    form = s.of("together.form", ["plain", "guarded", "assigned", "walks"])
    if form in ("guarded", "assigned"):
        end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} / 2 + 3".format(s.trips(), s.k.threads))
    zero = own.elem.zero[0]
    if form == "plain":
        lines = ["{}{} {} = {}[{}], {} = {}[{}];".format(s.of("together.const", ["", "const "]), e, first, feed, at, second, more,
                                                       beside)]
    elif form == "guarded":
        lines = ["const {} {} = {} < {} ? {}[{}] : {}, {} = {} >= {} ? {}[{}] : {};".format(
            e, first, at, end, feed, at, zero, second, beside, s.k.threads, more, beside, zero)]
    elif form == "assigned":
        lines = ["{} {} = {}, {} = {};".format(e, first, zero, second, zero),
                 Block("if ({} < {})".format(at, end), ["{} = {}[{}];".format(first, feed, at)]),
                 Block("if ({} < {})".format(beside, end), ["{} = {}[{}];".format(second, more, beside)])]
    else:
        # A pointer that goes on by a declaration of its own.
        walker, next_, last = s.name("walker", ["walk_", "row_"]), s.name("next", ["next_", "onwards"]), s.name("last", ["last_", "was_"])
        s.before.append("const {} *{} = {} + {};".format(e, walker, feed, s.tid))
        lines = ["{} {} = *{}, {}({}[{}]);".format(e, first, walker, second, more, beside),
                 "const {0} *{1} = {2} + {3}, *const {4} = {2};".format(e, next_, walker, s.P, last),
                 "{} = {};".format(walker, next_)]
    s.back += lines + ["{} = {};".format(store(own, "0", s.tid), first), "{}[{}] = {};".format(other, s.tid, second)]
    s.compute(s.see(own.elem, "{}[{}]".format(other, s.mirrored())))


# --- Registers and bounds -------------------------------------------------------------------------------------
def register_vectors(s, own, feed):
    """Four elements at once through an array of registers, by a macro or a cast."""
    name, many = s.name("regs_", ["ldg_a_reg", "rA", "frag_"]), own.rows // 4
    s.k.macros += [m for m in ("#define REG4(x) (reinterpret_cast<float4 *>(&(x))[0])",
                               "#define CREG4(x) (reinterpret_cast<const float4 *>(&(x))[0])") if m not in s.k.macros]
    declared, regs = s.of("regs.form", [("float {}[{}][4];", "REG4({}[{}][0])"),
                                        ("float4 {}[{}];", "{}[{}]"),
                                        ("float {}[{} * 4];", "REG4({}[4 * ({})])")])
    where = s.of("staging.where", ["load", "before"])
    if where == "before":
        s.before.append(declared.format(name, many))
    place = mul(s.place(), own.rows, s.P)
    turn = lambda r: add(mul(r, 4, s.P), mul(4, s.tid))
    lines = [] if where == "before" else [declared.format(name, many)]
    lines += [*s.k.unroll("staging"), Block("for (int r = 0; r < {}; ++r)".format(many), [
        "{} = CREG4({}[{}]);".format(regs.format(name, "r"), feed, add(place, turn("r")))]),
        *s.k.unroll("staging"), Block("for (int r = 0; r < {}; ++r)".format(many), [
            "REG4({}) = {};".format(own.flat(turn("r")), regs.format(name, "r"))])]
    s.load(*lines)


def what_is_left(s, own, feed):
    """As far as what is left: for (j = tid; j < min(n, k + W) - k; j += blockDim.x)"""
    end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} - {}".format(
        paren("{} + {}".format(s.trips(), s.of("left.more", ["0", "0", "2"]))), own.count, own.count // 3))
    k, left = s.name("left.k", ["kStart", "first_"]), s.name("left", ["have", "valid_", "rest_"])
    at = "(int)" + paren(mul(s.place(), own.rows, s.P))
    form = s.of("left.form", ["min({n}, {k} + {w}) - {k}", "{n} - {k} < {w} ? {n} - {k} : {w}", "min({w}, {n} - {k})",
                              "{k} + {w} <= {n} ? {w} : {n} - {k}"])
    x, y, z = s.k.block
    step = s.P
    if (s.k.launched or s.k.async_only) and y * z == 1 and s.of("left.step", [0, 1]):
        step = "blockDim.x"
    s.front += ["const int {} = {};".format(k, at), "const int {} = {};".format(left, form.format(n=end, k=k, w=own.count))]
    s.back.append(Block("for (int j = {0}; j < {1}; j += {2})".format(s.tid, left, step), [
        "{} = {}[{} + j];".format(own.flat("j"), feed, k)]))
    own.limit, own.may_be_empty = left, True
    if s.spoil == "left":
        # The compute phase reads on.
        s.late.append(Block("if ({} > 0)".format(s.turn()), [s.see(own.elem, own.flat(str(own.count - 1)))]))


# --- Pointers ------------------------------------------------------------------------------------------------
def pointer_in_shared(s, own, feed):
    """The pointer is in shared memory, where one thread has put it, or a member of something there."""
    if s.k.repeated:
        # The next turn of the loop around would set it while others still read it.
        s.load(*each(s, own, lambda row: ["{} = {}[{}];".format(store(own, row, s.tid), feed, source_at(s, own, row))]))
        return
    name, e = s.name("chosen", ["chosen_", "basePtr"]), own.source.name
    if s.of("chosen.form", ["plain", "struct"]) == "plain":
        s.outside.append("__shared__ const {} *{};".format(e, name))
        pointer = name
    else:
        kind = s.name("chosen.type", ["Operand_", "Where_"])
        s.k.structs.append(["struct {} {{".format(kind), "  int pitch;", "  const {} *data;".format(e), "};"])
        s.outside.append("__shared__ {} {};".format(kind, name))
        pointer = name + ".data"
    s.before += [Block("if ({} == 0)".format(s.tid), ["{} = {};".format(pointer, feed)]), "__syncthreads();"]
    if s.spoil == "pointer":
        # It leads elsewhere from the next turn on, or back.
        s.late += ["__syncthreads();", Block("if ({} == 0)".format(s.tid), [
            "{0} = {0} == {1} ? {1} + {2} : {1};".format(pointer, feed, s.k.threads)])]
    elif s.of("chosen.held", [0, 1]):
        held = s.name("chosen.held", ["mine_", "source_"])
        s.before.append("const {} *{} = {};".format(e, held, pointer))
        pointer = held
    s.load(*each(s, own, lambda row: ["{} = {}[{}];".format(store(own, row, s.tid), pointer, source_at(s, own, row))]))


def views_of_views(s, own, feed):
    """view[place][row][i]: each index makes a view of what is left, with a pointer to the strides that are."""
    shape, row, name = s.name("views.type", ["TensorShape", "Layout_", "Extents"]), s.name("views.row.type", [
        "TensorView", "SubView", "Accessor_"]), s.name("views", ["viewOf_", "tensor_"])
    e, given = own.source.name, s.name("views.shape", ["shapeOf", "layout_"])
    const = s.of("views.const", [" const", " const", ""])
    words = s.of("copy.words", ["", "__forceinline__ "])
    constructor = "  __device__ {0}(const E *d, const int *s) : data(d), strides(s) {{}}".format(row)
    s.k.structs.append([
        "struct {} {{".format(shape), "  int sizes[1], strides[3];", "};",
        "template <typename E, int N> struct {} {{".format(row), "  const E *data;", "  const int *strides;", constructor,
        "  __device__ {2}{0}<E, N - 1> operator[](int i){1} {{ return {0}<E, N - 1>(data + strides[0] * i, strides + 1); }}".format(
            row, const, words), "};",
        "template <typename E> struct {}<E, 1> {{".format(row), "  const E *data;", "  const int *strides;", constructor,
        "  __device__ {1}const E &operator[](int i){0} {{ return data[strides[0] * i]; }}".format(const, words), "};"])
    s.k.taken.add(given)
    fields = ", ".join("{{scalar: int, value: {}}}".format(n) for n in (own.rows, own.count, s.k.threads, 1))
    s.parameters.append(lambda: s.k.params.append(("{}{} {}".format(s.of("views.param.const", ["", "const "]), shape, given), {
        "name": given, "fields": "[" + fields + "]"})))
    s.before.append("{}{}<{}, 3> {}({}, {}.strides);".format("const " if const else "", row, e, name, feed, given))
    if s.of("views.kept", [0, 0, 1]):
        part = s.name("views.row", ["part_", "slab"])
        s.back.append("{}{}<{}, 2> {} = {}[{}];".format("const " if const else "", row, e, part, name, s.place()))
        s.back += each(s, own, lambda r: ["{} = {}[{}][{}];".format(store(own, r, s.tid), part, r, s.tid)])
    else:
        s.load(*each(s, own, lambda r: ["{} = {}[{}][{}][{}];".format(store(own, r, s.tid), name, s.place(), r, s.tid)]))


def bytes_copied(s, own, feed):
    """memcpy(&tile[i], &in[i], sizeof(float))"""
    size = s.of("memcpy.size", ["sizeof({})".format(own.elem.name), str(own.elem.size)])
    s.load(*each(s, own, lambda row: ["memcpy(&{}, &{}[{}], {});".format(store(own, row, s.tid), feed, source_at(s, own, row), size)]))
