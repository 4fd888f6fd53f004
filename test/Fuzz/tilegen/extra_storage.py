# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the additional tile of extra.py is, and how its elements are named.

A tile has `rows` rows with one element per thread. Each function here declares it at a site and says how
an element is written there.
"""

from .code import Block, add, mul, paren
from .elements import ELEMENTS
from .suspects import BARRIER


class Own:
    """The tile: at(row, column) and flat(i) are lvalues. pointer: an expression for the first element, None
    where the elements are not behind each other; array: the name of an array of all of them, or None."""

    def __init__(self, elem, rows, width):
        self.elem, self.rows, self.width = elem, rows, width  # width: the threads, as a number
        self.columns = str(width)
        self.pointer = self.array = None
        self.complete = False   # `array` has its size, and one dimension
        self.inside = False     # it is not known in front of the loop
        self.by_pointer = False # something needs a pointer, or the array
        self.object = self.fills = None  # an object that the tile is, and its method that fills it
        self.reads = None       # reads(i): how the compute phase names an element, where not by flat(i)
        self.flat = None
        self.limit = None       # so many elements are loaded, where not all are
        self.aligned = 0        # to so many bytes, where vectors are copied

    @property
    def count(self):
        return self.rows * self.width

    def at(self, row, column):
        return self.flat(add(mul(row, self.columns), column))

    def read(self, i):
        return self.reads(i) if self.reads else self.flat(i)

    def readable(self):
        return self.limit or str(self.count)

    def declared(self, name, count=None):
        return "{}{} {}[{}]".format("__align__({}) ".format(self.aligned) if self.aligned else "", self.elem.name, name,
                                    count or self.count)

    def named(self, name, array=True):
        """An array, or a pointer, of that name."""
        self.flat = lambda i: "{}[{}]".format(name, i)
        self.pointer, self.array = name, name if array else None


def _name(s):
    return s.name("own", ["extra", "side", "ring", "lane_buf"])


def _name_in_file(s):
    """In functions of C's linkage an extern array is the same in all of them."""
    return "{}_{}".format(_name(s), s.k.choices.index)


def plain(s, own):
    name = _name(s)
    s.outside.append("__shared__ {};".format(own.declared(name)))
    own.named(name)
    own.complete = True


def inside(s, own):
    name = _name(s)
    s.loop.top.insert(0, "__shared__ {};".format(own.declared(name)))
    own.named(name)
    own.inside = True


def macro(s, own):
    plain(s, own)
    name = own.array
    accessor = s.name("accessor", ["EXTRA", "SIDE_AT", "ELEM"])
    if s.of("macro.rows", [0, 1]):
        s.k.macros.append("#define {0}(r, c) {1}[(r) * {2} + (c)]".format(accessor, name, own.columns))
        own.at = lambda row, column: "{}({}, {})".format(accessor, row, column)
    else:
        s.k.macros.append("#define {0}(i) {1}[i]".format(accessor, name))
        own.flat = lambda i: "{}({})".format(accessor, i)


def macro_name(s, own):
    """The macro has the array's own name: without parentheses that is still the array."""
    plain(s, own)
    name = own.array
    if s.of("macro.rows", [0, 1]):
        s.k.macros.append("#define {0}(r, c) {0}[(r) * {1} + (c)]".format(name, own.columns))
        own.at = lambda row, column: "{}({}, {})".format(name, row, column)
        own.flat = lambda i: "{}(0, {})".format(name, i)
    else:
        s.k.macros.append("#define {0}(i) {0}[i]".format(name))
        own.flat = lambda i: "{}({})".format(name, i)


def rows(s, own, by_view=False):
    name = _name(s)
    pad = s.of("rows.pad", [0, 0, 1, 4])
    if own.aligned or by_view and own.by_pointer:
        pad = 0
    own.name, own.pad = name, pad
    s.outside.append("__shared__ {}{} {}[{}][{}];".format(
        "__align__({}) ".format(own.aligned) if own.aligned else "", own.elem.name, name, own.rows, own.width + pad))
    own.at = lambda row, column: "{}[{}][{}]".format(name, row, column)
    own.flat = lambda i: "{0}[({1}) / {2}][({1}) % {2}]".format(name, i, own.columns)
    own.pointer = None if pad else "&{}[0][0]".format(name)


def planes(s, own):
    name = _name(s)
    inner = next(n for n in (4, 2, 3, 1) if own.width % n == 0)
    s.outside.append("__shared__ {}{} {}[{}][{}][{}];".format(
        "__align__({}) ".format(own.aligned) if own.aligned else "", own.elem.name, name, own.rows, own.width // inner, inner))
    own.at = lambda row, column: "{0}[{1}][{2} / {3}][{2} % {3}]".format(name, row, paren(column), inner)
    own.flat = lambda i: own.at("({}) / {}".format(i, own.columns), "(({}) % {})".format(i, own.columns))
    own.pointer = "&{}[0][0][0]".format(name)


def dynamic(s, own):
    name = _name_in_file(s)
    s.outside.append("extern __shared__ __align__(32) {} {}[];".format(own.elem.name, name))
    s.k.dynamic_bytes = str(own.count * own.elem.size)
    own.named(name, False)


def dynamic_rows(s, own):
    name = _name_in_file(s)
    s.outside.append("extern __shared__ __align__(32) {} {}[][{}];".format(own.elem.name, name, own.columns))
    s.k.dynamic_bytes = str(own.count * own.elem.size)
    own.at = lambda row, column: "{}[{}][{}]".format(name, row, column)
    own.flat = lambda i: "{0}[({1}) / {2}][({1}) % {2}]".format(name, i, own.columns)
    own.pointer = "&{}[0][0]".format(name)


def _second(s, own, tags):
    """Another tile, of numbers, in what the first one leaves."""
    more = s.feed(ELEMENTS["elem-int"], key="tags")
    s.load("{}[{}] = {}[{}];".format(tags, s.tid, more, s.at(s.turn())))
    s.compute(s.see(ELEMENTS["elem-int"], "{}[{}]".format(tags, s.mirrored())))


def dynamic_parts(s, own):
    whole, name, tags = s.name("whole", ["poolBytes", "dyn", "sharedBytes"]), _name(s), s.name("tags.at", ["tag_s", "marks"])
    # What an int is behind ends where an int may be.
    count = -(-own.count * own.elem.size // 4) * 4 // own.elem.size
    s.outside += ["extern __shared__ __align__(32) {} {}[];".format(s.of("whole.kind", ["char", "unsigned char"]), whole),
                  "{0} *{1} = reinterpret_cast<{0} *>({2});".format(own.elem.name, name, whole),
                  s.of("parts.form", ["int *{0} = (int *)({1} + {2});", "int *{0} = (int *)({3} + {4});"]).format(
                      tags, whole, "{} * sizeof({})".format(count, own.elem.name), name, count)]
    s.k.dynamic_bytes = str(count * own.elem.size + 4 * own.width + 16)
    own.named(name, False)
    s.later.append(lambda: _second(s, own, tags))


def bytes_(s, own):
    """An array of bytes that is cut into pieces by casts."""
    whole, name, tags = s.name("whole", ["rawBytes", "cut_up", "sharedBytes"]), _name(s), s.name("tags.at", ["tag_s", "marks"])
    size = own.count * own.elem.size
    at = (size + 15) // 16 * 16
    s.outside += ["__shared__ __align__(32) {} {}[{}];".format(
        s.of("whole.kind", ["char", "unsigned char"]), whole, at + 4 * own.width),
        s.of("cast", ["{0} *{1} = reinterpret_cast<{0} *>({2});", "{0} *{1} = ({0} *){2};",
                      "{0} *const {1} = ({0} *)&{2}[0];"]).format(own.elem.name, name, whole),
        "int *{} = reinterpret_cast<int *>({} + {});".format(tags, whole, at)]
    own.named(name, False)
    s.later.append(lambda: _second(s, own, tags))


def bytes_at_use(s, own):
    whole = s.name("whole", ["rawBytes", "cut_up", "sharedBytes"])
    s.outside.append("__shared__ __align__(32) char {}[{} * sizeof({})];".format(whole, own.count, own.elem.name))
    text = s.of("cast", ["reinterpret_cast<{} *>({})", "(({} *){})"]).format(own.elem.name, whole)
    own.flat = lambda i: "{}[{}]".format(text, i)
    own.pointer = text


def struct(s, own):
    kind, name = s.name("own.type", ["ExtraStage", "SideTile", "Staged"]), _name(s)
    members = [own.declared("data") + ";"]
    if s.of("struct.more", [0, 1]):
        members.insert(s.of("struct.where", [0, 1]), "int unused[4];")
    s.k.structs.append(["struct {} {{".format(kind)] + ["  " + m for m in members] + ["};"])
    s.outside.append("__shared__ {} {};".format(kind, name))
    own.named(name + ".data")


def struct_array(s, own):
    """An array of structs; the second member is loaded as well."""
    kind, name = s.name("own.type", ["ExtraCell", "SideItem", "Slot"]), _name(s)
    s.k.structs.append(["struct {} {{".format(kind), "  {} value;".format(own.elem.name), "  int tag;", "};"])
    s.outside.append("__shared__ {} {}[{}];".format(kind, name, own.count))
    own.flat = lambda i: "{}[{}].value".format(name, i)
    more = s.feed(ELEMENTS["elem-int"], key="tags")

    def second():
        s.load("{}[{}].tag = {}[{}];".format(name, s.tid, more, s.at(s.turn())))
        s.compute(s.see(ELEMENTS["elem-int"], "{}[{}].tag".format(name, s.mirrored())))
    s.later.append(second)


def struct_of_arrays(s, own):
    kind, name = s.name("own.type", ["ExtraArrays", "SideArrays", "Columns"]), _name(s)
    s.k.structs.append(["struct {} {{".format(kind), "  {};".format(own.declared("data")),
                        "  int tags[{}];".format(own.width), "};"])
    s.outside.append("__shared__ {} {};".format(kind, name))
    own.named(name + ".data")
    s.later.append(lambda: _second(s, own, name + ".tags"))


def union(s, own):
    kind, name = s.name("own.type", ["ExtraUnion", "SideUnion", "Views"]), _name(s)
    members = ["  {};".format(own.declared("data")), "  unsigned char raw[{}];".format(own.count * own.elem.size)]
    s.k.structs.append(["union {} {{".format(kind)] + (members if s.of("union.first", [0, 1]) else members[::-1]) + ["};"])
    s.outside.append("__shared__ {} {};".format(kind, name))
    own.named(name + ".data")


def pointer(s, own):
    """Stores go through a pointer to the thread's element that is made in front of the loop."""
    plain(s, own)
    name, mine = own.array, s.name("mine", ["slot_", "myElement", "target_"])
    form = s.of("pointer.form", [0, 1, 2])
    if form == 2 and own.rows == 1:
        s.before.append("{} &{} = {}[{}];".format(own.elem.name, mine, name, s.tid))
        own.stores = lambda row: mine
        return
    s.before.append("{} *{}{} = {}{};".format(
        own.elem.name, s.of("pointer.const", ["", "const "]), mine, "&{}[{}]".format(name, s.tid) if form else
        "{} + {}".format(name, s.tid), ""))
    own.stores = lambda row: "{}[{}]".format(mine, mul(row, own.columns)) if str(row) != "0" else "*" + mine


def view(s, own):
    """A pointer to all of it, made in front of the loop, in place of the array's name."""
    plain(s, own)
    name, other = own.array, s.name("view", ["viewOf", "base_", "tilePtr"])
    s.before.append(s.of("view.init", ["{} *{} = {};", "{} *{}{{{}}};", "{} *{} = &{}[0];"]).format(
        own.elem.name, other, name))
    own.flat = lambda i: "{}[{}]".format(other, i)
    own.pointer, own.array = other, None


def view_rows(s, own):
    """A pointer to rows in place of an array of two dimensions."""
    rows(s, own, True)
    name, other = own.name, s.name("view", ["rowsOf", "base_", "tileRows"])
    s.before.append("{} (*{})[{}] = {};".format(own.elem.name, other, own.width + own.pad, name))
    own.at = lambda row, column: "{}[{}][{}]".format(other, row, column)
    own.flat = lambda i: "{0}[({1}) / {2}][({1}) % {2}]".format(other, i, own.columns)
    own.pointer = None if own.pad else "&{}[0][0]".format(other)


def dynamic_operator(s, own):
    """Dynamic shared memory of any type, by an object that becomes a pointer to it."""
    kind, name = s.name("own.type", ["SharedMemory", "DynamicMemory"]), _name(s)
    cast = s.of("operator.cast", ["(E *)raw_", "reinterpret_cast<E *>(raw_)"])
    s.k.structs.append(["template <typename E> struct {} {{".format(kind), "  __device__ operator E *() {",
                        "    extern __shared__ __align__(32) int raw_[];", "    return {};".format(cast),
                        "  }", "};"])
    s.outside.append("{0} *{1} = {2}<{0}>();".format(own.elem.name, name, kind))
    s.k.dynamic_bytes = str(own.count * own.elem.size)
    own.named(name, False)


def reference(s, own):
    plain(s, own)
    name, other = own.array, s.name("view", ["viewOf", "ref_", "tileRef"])
    where = s.of("reference.where", [s.before, s.outside])
    where.append("{} (&{})[{}] = {};".format(own.elem.name, other, own.count, name))
    own.named(other)


def called_pointer(s, own):
    """A function that is given the array as a pointer says where an element is."""
    plain(s, own)
    name = own.array
    s.k.helper("slotOf", ["template <typename E> __device__ {}E &slotOf(E *p, int i) {{".format(
        s.of("slot.kind", ["", "__forceinline__ ", "inline "])), "  return p[i];", "}"])
    own.flat = lambda i: "slotOf({}, {})".format(name, i)


def called_reference(s, own):
    plain(s, own)
    name = own.array
    s.k.helper("slotIn", ["template <typename E, int N> __device__ {}E &slotIn(E (&a)[N], int i) {{".format(
        s.of("slot.kind", ["", "__forceinline__ ", "inline "])), "  return a[i];", "}"])
    own.flat = lambda i: "slotIn({}, {})".format(name, i)


def object_(s, own, nested=False):
    """An object with methods that fill it and read it. `nested`: it is a member of another one, which has it filled."""
    kind, name, member = s.name("own.type", ["SharedTile", "SmemTile", "TileStore"]), _name(s), s.of(
        "object.member", ["v", "data", "cells"])
    reads, fills = s.of("object.reads", ["at", "operator()", "operator[]", "get"]), s.of(
        "object.fills", ["load", "fill", "copyFrom"])
    template, two = s.of("object.template", [0, 1]), not own.by_pointer and s.of(
        "object.rows", [0, 1])
    e, rows, width = ("E", "R_", "W_") if template else (own.elem.name, own.rows, own.width)
    by_lane = s.of("object.copy", ["rows", "strided"])
    if two:
        pad = 0 if own.aligned else s.of("rows.pad", [0, 0, 1, 4])
        extents = "[{}][{}]".format(rows, "{} + {}".format(width, pad) if pad else width)
        place = lambda i, width=width: "{0}[({1}) / {2}][({1}) % {2}]".format(member, i, width)
    else:
        extents = "[{}]".format("R_ * W_" if template else own.count)
        place = lambda i, width=width: "{}[{}]".format(member, i)
    this = s.of("object.this", ["", "", "this->"])
    words = s.of("slot.kind", ["", "__forceinline__ ", "inline "])
    if by_lane == "rows":
        copy = ["    for (int r = 0; r < {}; ++r)".format(rows),
            "      {}{} = from[(place * {} + r) * {} + lane];".format(
            this, "{}[r][lane]".format(member) if two else "{}[r * {} + lane]".format(member, width), rows,
                width)]
    else:
        copy = ["    for (int i = lane; i < {0} * {1}; i += {1})".format(rows, width),
                "      {}{} = from[place * {} * {} + i];".format(this, place("i"), rows, width)]
    own.reads = lambda i: {"operator()": "{}({})", "operator[]": "{}[{}]"}.get(reads,
        "{}." + reads + "({})").format(name, i)
    s.k.structs.append([
        ("template <typename E, int R_, int W_> " if template else "") + "struct {} {{".format(kind),
        "  {}{} {}{};".format("__align__({}) ".format(own.aligned) if own.aligned else "", e, member,
            extents),
        "  __device__ {}void {}(const {} *from, int place, int lane) {{".format(words, fills,
            e)] + copy + ["  }",
        "  __device__ {}{} {}(int i) const {{ return {}; }}".format(
            words, s.of("object.result", [e, "const {} &".format(e)]), reads, place("i")), "};"])
    if template:
        kind += "<{}, {}, {}>".format(own.elem.name, own.rows, own.width)
    own.object, own.fills = name, fills
    if nested:
        outer, own.object, own.fills = s.name("own.outer", ["Storage", "AllTiles"]), name, s.of(
            "object.outer.fills", ["loadAll", "bring"])
        part = s.of("object.part", ["first", "tile"])
        s.k.structs.append([
            "struct {} {{".format(outer), *["  int unused[4];"] * s.of("object.more", [0, 1]),
            "  {} {};".format(kind, part),
            "  __device__ {}void {}(const {} *from, int place, int lane) {{".format(words, own.fills, own.elem.name),
            "    {}{}.{}(from, place, lane);".format(this, part, fills), "  }", "};"])
        whole, name = name, "{}.{}".format(name, part)  # which own.reads has, too
        kind = outer
        s.outside.append("__shared__ {} {};".format(kind, whole))
    else:
        s.outside.append("__shared__ {} {};".format(kind, name))
    array = "{}.{}".format(name, member)
    own.flat = lambda i: "{}.{}".format(name, place(i, own.columns))
    if two:
        own.at = lambda row, column: "{}[{}][{}]".format(array, row, column)
        own.pointer = None if pad else "&{}[0][0]".format(array)
    else:
        own.pointer, own.array = array, array


def border(s, own):
    """The elements at both ends are set once, in front of the loop."""
    name, lead = _name(s), max(1, own.aligned // own.elem.size)
    last = own.count + lead
    s.outside.append("__shared__ {};".format(own.declared(name, last + 1)))
    s.before.append(Block("if ({} == 0)".format(s.tid), [
        "{}[{}] = {};".format(name, lead - 1, own.elem.zero[0]), "{}[{}] = {};".format(name, last,
            own.elem.other)]))
    own.flat = lambda i: "{}[{}]".format(name, add(i, lead))
    own.pointer = "({} + {})".format(name, lead)
    s.later.append(lambda: s.compute(s.see(own.elem, "{}[{} == 0 ? {} : {}]".format(name, s.tid, lead - 1,
        last))))
    if s.k.repeated:
        s.after.append("__syncthreads();")


def object_nested(s, own):
    object_(s, own, True)


def _lead(own):
    """So many elements in front of the tile leave it where vectors may be."""
    return -(-own.width * own.elem.size // 32) * 32 // own.elem.size


def view_chain(s, own):
    """A pointer into an array, and another one made of it; what the first leads to is a tile as well."""
    name, first, second, lead = _name(s), s.name("chain.first", ["a_", "front_"]), s.name("chain.second", ["b_", "rear_"]), _lead(own)
    s.outside.append("__shared__ {};".format(own.declared(name, own.count + lead)))
    s.outside.append(s.of("chain.form", ["{0} *{1} = {2}, *const {3} = {1} + {4};", "{0} *{1} = {2}; {0} *{3} = {1} + {4};",
                                        "{0} *{1}{{{2}}}, *{3} = &{1}[{4}];"]).format(own.elem.name, first, name, second, lead))
    own.named(second, False)

    def other():
        more = s.feed(own.elem, key="feed3")
        s.load("{}[{}] = {}[{}];".format(first, s.tid, more, s.at(s.turn())))
        s.compute(s.see(own.elem, "{}[{}]".format(first, s.mirrored())))
    s.later.append(other)


def _pool(s, own, lead):
    name = _name_in_file(s)
    s.outside.append("extern __shared__ __align__(32) {} {}[];".format(own.elem.name, name))
    s.k.dynamic_bytes = str((own.count + lead) * own.elem.size)
    place = s.name("pool.tile", ["tileAt", "part_"])
    if not lead:
        own.named(name, False)
    elif s.of("pool.pointer", [0, 1]):
        s.outside.append("{} *{} = {} + {};".format(own.elem.name, place, name, lead))
        own.named(place, False)
    else:
        own.flat = lambda i: "{}[{}]".format(name, add(lead, i))
        own.pointer = "({} + {})".format(name, lead)
    return name


def pool_front(s, own):
    """What the loop needs in all turns is in front of the tile, in the same dynamic memory."""
    name = _pool(s, own, _lead(own))

    def front():
        more = s.feed(own.elem, key="feed3")
        s.before.append("{}[{}] = {}[{}];".format(name, s.tid, more, s.tid))
        s.compute(s.see(own.elem, "{}[{}]".format(name, s.mirrored())))
        if s.spoil == "pool":
            # In the turns behind it is something else.
            s.late += [BARRIER, "{0}[{1}] = {2};".format(name, s.tid, own.flat(s.tid)), BARRIER]
        if s.k.repeated:
            s.after.append(BARRIER)
    s.later.append(front)


def pool_behind(s, own):
    """The memory is used again behind the loop, for something else."""
    name = _pool(s, own, 0)

    def behind():
        scalar = own.elem.name in ("float", "double", "int", "unsigned", "short")
        kept = "({})({} + 1)".format(own.elem.name, s.tid) if scalar else own.elem.other
        reads = [s.see(own.elem, "{}[{}]".format(name, s.mirrored()))]
        if s.spoil == "pool":
            # What the last turn has left there is still read.
            reads.append(s.see(own.elem, "{}[{}]".format(name, own.count - 1)))
            kept = own.flat("{} < {} - 1 ? {} : 0".format(s.tid, s.P, s.tid))
        s.after[0:0] = ([BARRIER] if s.loop.barrier_first or s.of("pool.barrier", [0, 0, 1]) else []) + [
            "{}[{}] = {};".format(name, s.tid, kept), BARRIER] + reads
        if s.k.repeated:
            s.after.append(BARRIER)
    s.later.append(behind)


def large(s, own):
    """As much as fits into 48 KB."""
    free = 40000 - s.static_bytes
    own.rows = max(own.rows, min(48, free // (own.width * own.elem.size)))
    s.k.cost += 2 * own.count
    plain(s, own)


# {feature: function}; the first one is the plainest.
STORAGE = {
    "own-plain": plain, "own-inside": inside, "own-macro": macro, "own-macro-name": macro_name,
    "own-rows": rows, "own-planes": planes, "own-dynamic": dynamic, "own-dynamic-rows": dynamic_rows,
    "own-dynamic-parts": dynamic_parts, "own-bytes": bytes_, "own-bytes-at-use": bytes_at_use,
    "own-struct": struct, "own-struct-array": struct_array, "own-struct-of-arrays": struct_of_arrays,
    "own-union": union, "own-pointer": pointer, "own-view": view, "own-reference": reference,
    "own-called-pointer": called_pointer, "own-called-reference": called_reference, "own-large": large,
    "own-object": object_, "own-border": border, "own-view-rows": view_rows,
    "own-dynamic-operator": dynamic_operator, "own-object-nested": object_nested, "own-view-chain": view_chain,
    "own-pool-front": pool_front, "own-pool-behind": pool_behind}
DYNAMIC = ("own-dynamic", "own-dynamic-rows", "own-dynamic-parts", "own-dynamic-operator", "own-pool-front",
           "own-pool-behind")
# The elements are not behind each other; there is no array of all of them.
SCATTERED = ("own-struct-array", "own-rows")
NO_ARRAY = SCATTERED + DYNAMIC + ("own-planes", "own-bytes", "own-bytes-at-use", "own-view", "own-border",
                                 "own-view-rows", "own-view-chain")
