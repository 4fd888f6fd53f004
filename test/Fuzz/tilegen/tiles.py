# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles: where their elements come from, how the threads share the copying, what a copy looks like.

A Layout says which global element belongs to an element of the tile in an iteration, and under which
conditions it exists. An enumerator (COPIES) says which elements a thread copies. The copy of one
element, or of a vector, is the same for all of them: guard, fill, conversion, cast.
"""

from . import guards
from .code import Block, add, mul, paren


class Sym:
    """A constant: how it is spelled in the code, its value, and its name in the launch description."""

    def __init__(self, text, value, name=None):
        self.text, self.value, self.name = text, value, name or text

    def __str__(self):
        return self.text


# --- Layouts ---------------------------------------------------------------------------------------
class Layout:
    """`unit`: elements along the loop's axis per iteration; `off`: that axis's position, "" where
    the pointer itself advances."""

    gather = False
    sizes_of_last = ()  # run-time sizes that a vector copy needs to be multiples of its width
    index_function = None  # at(row, column, length of a row)

    def joined(self, row, length, *column):
        """The place of (row, column)."""
        if self.index_function:
            return "{}({}, {}, {})".format(self.index_function, row, add(*column), length)
        return add(mul(row, length), *column)

    def locals(self, idx, off):
        return [], idx

    def address(self, idx, off):
        raise NotImplementedError

    def conditions(self, idx, off):
        return []

    step = None   # what the pointer advances by
    base = ""     # what can be added to the pointer once


class Flat(Layout):
    """src[off + i]: consecutive chunks; `times` elements per position."""

    def __init__(self, limit, ragged, times=1, base="", extent=None):
        self.limit, self.ragged, self.times, self.base = limit, ragged, times, base
        self.step = str(extent)
        self.sizes_of_last = (limit,) if ragged or base else ()

    def address(self, idx, off):
        return add(self.base, mul(off, self.times) if off else "", idx[0])

    def conditions(self, idx, off):
        if not self.ragged:
            return []
        limit = mul(self.limit, self.times)
        return ["{} < {}".format(add(mul(off, self.times), idx[0]), limit)]

    def clamped(self, idx, off):
        at = add(mul(off, self.times), idx[0])
        return add(self.base, "min((int)({}), {} - 1)".format(at, mul(self.limit, self.times)))


class Along(Layout):
    """src[(row0 + i) * ld + off + j]: the loop goes along the rows (A of A * B)."""

    def __init__(self, row0, rows, rows_ragged, size, ragged, ld, unit):
        self.row0, self.rows, self.rows_ragged = row0, rows, rows_ragged
        self.size, self.ragged, self.ld = size, ragged, ld
        self.step = str(unit)
        self.base = mul(row0, ld) if row0 else ""
        self.sizes_of_last = (ld,)

    def address(self, idx, off):
        return self.joined(add(self.row0, idx[0]), self.ld, off, idx[1])

    def address_from_base(self, idx, off):
        return self.joined(idx[0], self.ld, off, idx[1])

    def conditions(self, idx, off):
        result = []
        if self.rows_ragged:
            result.append("{} < {}".format(add(self.row0, idx[0]), self.rows))
        if self.ragged:
            result.append("{} < {}".format(add(off, idx[1]), self.size))
        return result

    def clamped(self, idx, off):
        row = "min((int)({}), {} - 1)".format(add(self.row0, idx[0]), self.rows)
        return self.joined(row, self.ld, off, idx[1])


class Down(Layout):
    """src[(off + i) * ld + col0 + j]: the loop goes down the columns (B of A * B)."""

    def __init__(self, col0, cols, cols_ragged, size, ragged, ld, unit):
        self.col0, self.cols, self.cols_ragged = col0, cols, cols_ragged
        self.size, self.ragged, self.ld = size, ragged, ld
        self.step = mul(unit, ld)
        self.base = col0
        self.sizes_of_last = (ld,) if not str(ld).isdigit() else ()

    def address(self, idx, off):
        return self.joined(add(off, idx[0]), self.ld, self.col0, idx[1])

    def address_from_base(self, idx, off):
        return self.joined(add(off, idx[0]), self.ld, idx[1])

    def conditions(self, idx, off):
        result = []
        if self.ragged:
            result.append("{} < {}".format(add(off, idx[0]), self.size))
        if self.cols_ragged:
            result.append("{} < {}".format(add(self.col0, idx[1]), self.cols))
        return result

    def clamped(self, idx, off):
        column = "min((int)({}), {} - 1)".format(add(self.col0, idx[1]), self.cols)
        return self.joined(add(off, idx[0]), self.ld, column)


class Gather(Layout):
    """src[index[off + i]], or rows of `width` of it."""

    gather = True

    def __init__(self, index, limit, ragged, width=None):
        self.index, self.limit, self.ragged, self.width = index, limit, ragged, width

    def address(self, idx, off):
        at = "{}[{}]".format(self.index, add(off, idx[0]))
        return at if self.width is None else add(mul(at, self.width), idx[1])

    def conditions(self, idx, off):
        return ["{} < {}".format(add(off, idx[0]), self.limit)] if self.ragged else []


class Halo(Layout):
    """src[off * length + first + i - radius], where that exists: a row with its surroundings."""

    def __init__(self, length, first, radius, name):
        self.length, self.first, self.radius, self.name = length, first, radius, name
        self.step = str(length)

    def locals(self, idx, off):
        return (["const int {} = {} - {};".format(self.name, add(self.first, idx[0]), self.radius)],
                [self.name])

    def address(self, idx, off):
        return add(mul(off, self.length) if off else "", idx[0])

    def conditions(self, idx, off):
        return ["{} >= 0".format(idx[0]), "{} < {}".format(idx[0], self.length)]


class Slab(Layout):
    """src[((off + i) * height + j) * width + k]: slabs of a volume."""

    def __init__(self, height, width, size, ragged, unit):
        self.height, self.width, self.size, self.ragged = height, width, size, ragged
        self.step = mul(unit, height, width)

    def address(self, idx, off):
        return add(mul(add(mul(add(off, idx[0]), self.height), idx[1]), self.width), idx[2])

    def conditions(self, idx, off):
        return ["{} < {}".format(add(off, idx[0]), self.size)] if self.ragged else []


# --- Tiles -----------------------------------------------------------------------------------------
class Tile:
    """One shared array of a loop, and how it is filled.

    dims are those of the data: [rows, columns]; with `transposed` the array has them the other way
    round. `k` is the kernel under construction (build.py).
    """

    def __init__(self, name, source, elem, dims, layout):
        self.name, self.source, self.dims, self.layout = name, source, dims, layout
        self.elem = self.source_elem = elem
        self.place = None       # how the array is named where it is no variable (storage.py)
        self.array = True       # the name is an array, not a pointer
        self.member = None      # the member, where an element of the array has one per tile
        self.pad = 0
        self.flat = False
        self.transposed = False
        self.width = 1
        self.vector = False     # declared as an array of vectors
        self.guard, self.zero = None, None
        self.form = None
        self.cache = self.macro = self.accessor = None  # cache: __ldg, __ldcg
        self.index_function = None
        self.call = None        # a function that returns an element
        self.convert = None
        self.temporary = None   # the type of the variable that a value passes through
        self.pointer = source   # the name that is indexed
        self.wide_pointer = False  # that points to vectors
        self.from_base = False
        self.bump = None
        self.align = None
        self.hoisted = None     # names of row and column, computed before the loop

    def size(self):
        result = 1
        for dim in self.dims:
            result *= dim.value
        return result

    def wide(self):
        """The type that is copied."""
        return self.elem.vectors[self.width][0] if self.width > 1 else self.elem.name

    def type_name(self):
        """The type that the array is declared with."""
        return self.wide() if self.vector else self.elem.name

    def extents(self):
        dims = [str(d) for d in self.dims]
        if self.transposed:
            dims.reverse()
        if self.vector:
            dims[-1] = "{} / {}".format(paren(dims[-1]), self.width)
        if self.pad:
            dims[-1] = add(dims[-1], self.pad // self.width if self.vector else self.pad)
        return dims

    def bytes(self, values=None):
        """`values`: those of an instantiation, by the constants' names."""
        dims = [(values or {}).get(d.name, d.value) for d in self.dims]
        if self.transposed:
            dims.reverse()
        dims[-1] += self.pad
        result = self.elem.size
        for d in dims:
            result *= d
        return result

    def brackets(self):
        dims = self.extents()
        if self.flat:
            return "[" + mul(*dims) + "]"
        return "".join("[" + d + "]" for d in dims)

    def declarator(self):
        """The declaration without `__shared__`."""
        align = self.align + " " if self.align else ""
        return "{}{} {}{};".format(align, self.type_name(), self.name, self.brackets())

    def at(self, idx):
        """The value of the element with the data's indices `idx`; an lvalue where no vectors are."""
        if self.accessor:
            return "{}({})".format(self.accessor, ", ".join(str(i) for i in idx))
        if self.vector:
            # The component is known at run time only.
            return "{}({}, {} % {})".format(self.vector, self.whole(idx), paren(idx[-1]), self.width)
        return self.plain_at(idx)

    def whole(self, idx):
        """The vector that the element with the data's indices `idx` is in."""
        return self.plain_at(list(idx[:-1]) + ["{} / {}".format(paren(idx[-1]), self.width)])

    def plain_at(self, idx):
        idx = [str(i) for i in idx]
        if self.transposed:
            idx.reverse()
        member = "." + self.member if self.member else ""
        place = self.place or self.name
        if self.flat:
            dims = self.extents()
            text = idx[0]
            for dim, i in zip(dims[1:], idx[1:]):
                text = "{}({}, {}, {})".format(self.index_function, text, i, dim) if (
                    self.index_function) else add(mul(text, dim), paren(i) if "?" in i else i)
            return "{}[{}]{}".format(place, text, member)
        return place + "".join("[" + i + "]" for i in idx) + member

    # --- The copy of one element or vector.
    def load(self, address):
        if self.wide_pointer:
            place = "{}[{} / {}]".format(self.pointer, paren(address), self.width)
        else:
            place = "{}[{}]".format(self.pointer, address)
        if self.call and self.width == 1:
            return "{}({}, {})".format(self.call, self.pointer, address)
        if self.width == 1 or self.wide_pointer:
            return "{}(&{})".format(self.cache, place) if self.cache else place
        if self.macro:
            return "{}({})".format(self.macro, place)
        cast = "reinterpret_cast<const {} *>(&{})".format(self.wide(), place)
        return "{}({})".format(self.cache, cast) if self.cache else "*" + cast

    def filling(self, other):
        if self.width > 1:
            return self.elem.vectors[self.width][1]
        return self.elem.other if other else self.zero

    def target(self, idx):
        """What a copy stores to."""
        if self.vector:
            return self.whole(idx)
        if self.width == 1:
            return self.at(idx)
        if self.macro:
            return "{}({})".format(self.macro, self.at(idx))
        return "*reinterpret_cast<{} *>(&{})".format(self.wide(), self.at(idx))

    def copy(self, k, idx, off):
        """Statements that copy the element at `idx`; the last index is that of the first of a vector."""
        before, where = self.layout.locals(idx, off)
        bumped = "" if self.bump else off
        address = (self.layout.address_from_base if self.from_base else self.layout.address)(
            where, bumped)
        loaded = self.load(address)
        if self.convert:
            loaded = self.convert.format(loaded)
        conditions = self.layout.conditions(where, off)
        guard = self.guard if conditions else None
        if guard == "guard-clamped":
            # The index is kept inside instead: only where nothing depends on what is outside.
            loaded, guard, conditions = self.load(self.layout.clamped(where, off)), None, []
        fill = self.filling(guard == "guard-other-fill")
        if self.transposed and self.width > 1:
            return before + self._apart(guard, conditions, idx, loaded, fill)
        target = self.target(idx)
        if guard in (None, "guard-none"):
            if self.temporary:
                name = self.source.lower() + "Value"
                return before + ["const {} {} = {};".format(self.temporary, name, loaded),
                                 "{} = {};".format(target, name)]
            return before + ["{} = {};".format(target, loaded)]
        return before + guards.assign(k, guard, conditions, self.wide(), self.source.lower(), target,
                                      loaded, fill)

    def _apart(self, guard, conditions, idx, loaded, fill):
        """One load, its components stored one by one."""
        name = self.source.lower() + "Vec"
        condition = guards.all_of(conditions)
        stores = ["{} = {}.{};".format(self.at([idx[0], add(idx[1], n)]), name, "xyzw"[n])
                  for n in range(self.width)]
        if guard in (None, "guard-none"):
            return ["const {} {} = {};".format(self.wide(), name, loaded)] + stores
        if guard in ("guard-variable", "guard-clear"):
            return ["{} {} = {};".format(self.wide(), name, fill),
                    Block("if (" + condition + ")", [name + " = " + loaded + ";"])] + stores
        return ["const {} {} = {} ? {} : {};".format(self.wide(), name, condition, loaded, fill)
                ] + stores


# --- Enumerators -----------------------------------------------------------------------------------
def _vector_dims(tile):
    """The dimensions in copies, as (text, value)."""
    dims = [(str(d), d.value) for d in tile.dims]
    if tile.width > 1:
        text, value = dims[-1]
        dims[-1] = (mul(text, "1") + " / " + str(tile.width) if not text.isdigit()
                    else str(value // tile.width), value // tile.width)
    return dims


def _split(e, dims):
    """Indices of the flat copy number `e`."""
    if len(dims) == 1:
        return [e]
    e = paren(e)
    if len(dims) == 2 and dims[1][1] == 1:
        return [e, "0"]
    if len(dims) == 2:
        width = paren(dims[1][0])
        return ["{} / {}".format(e, width), "{} % {}".format(e, width)]
    plane = "(" + mul(dims[1][0], dims[2][0]) + ")"
    return ["{} / {}".format(e, plane), "{} / {} % {}".format(e, paren(dims[2][0]), paren(dims[1][0])),
            "{} % {}".format(e, paren(dims[2][0]))]


def _scaled(idx, tile):
    if tile.width == 1:
        return idx
    return idx[:-1] + [mul(idx[-1], tile.width)]


# Those whose copies stand in a loop of their own.
LOOPS = ("copy-const-loop", "copy-chunk", "copy-strided", "copy-blockdim", "copy-rows", "copy-nested",
         "copy-nested-strided")


def feasible(tile, k):
    """The enumerators that can serve the tile in a block of that shape, {feature: weight}."""
    dims = _vector_dims(tile)
    values = [v for _, v in dims]
    count = 1
    for v in values:
        count *= v
    threads = k.threads
    bx, by, bz = k.block
    result = {"copy-strided": 4}
    if threads > 1 and count < threads:
        result = {"copy-subset": 5, "copy-strided": 2}
    if count == threads:
        if values == [bx] and by * bz == 1 or values == [by, bx] and bz == 1 or values == [bz, by, bx]:
            result = {"copy-thread": 10, "copy-strided": 1}
        else:
            result = {"copy-split": 8, "copy-strided": 1}
    elif count % threads == 0:
        result["copy-const-loop"] = 4
        result["copy-chunk"] = 2
        if 2 <= count // threads <= 4:
            result["copy-straight"] = 3
    if len(values) == 2:
        if threads % values[1] == 0 and threads > values[1]:
            if values[0] % (threads // values[1]) == 0 and values[0] > threads // values[1]:
                result["copy-rows"] = 5
        if bz == 1 and by > 1:
            if values[0] % by == 0 and values[1] % bx == 0 and count > threads:
                result["copy-nested"] = 5
            if values != [by, bx]:
                result["copy-nested-strided"] = 3
    if len(values) == 3 and bz > 1:
        result["copy-nested-strided"] = 4
    if k.launched and count > threads:
        result["copy-blockdim"] = 5
    if k.async_only and (count > threads or k.threads == 1):
        result = {"copy-strided": 1, "copy-blockdim": 3}
    return result


def enumerate_copies(tile, k, off):
    """The load phase's statements for one tile."""
    dims = _vector_dims(tile)
    count_text = mul(*[d for d, _ in dims])
    count = 1
    for _, v in dims:
        count *= v
    threads, per = k.threads, max(1, count // k.threads)
    form = tile.form
    tid = k.tid()

    def one(idx):
        return tile.copy(k, _scaled([str(i) for i in idx], tile), off)

    def flat(e):
        """Copy number e: an expression, which gets names where it is split."""
        if len(dims) == 1:
            return one([e])
        names = ["z", "r", "c"][-len(dims):]
        names = [tile.source.lower() + n.upper() for n in names] if form in (
            "copy-split", "copy-straight", "copy-subset") else names
        split = _split(e, dims)
        if k.choices.of(tile.name + ".split", [True, False, False]) and form != "copy-straight":
            return one(split)
        return ["const int {} = {};".format(n, s) for n, s in zip(names, split)] + one(names)

    if form == "copy-thread":
        names = [k.tx(), k.ty(), k.tz()]
        return one(list(reversed(names[:len(dims)])))
    if form == "copy-split":
        if tile.hoisted:
            return one(tile.hoisted)
        return flat(tid)
    if form == "copy-subset":
        return [Block("if ({} < {})".format(tid, count_text), flat(tid))]
    if form == "copy-straight":
        result = []
        if len(dims) == 1:
            for n in range(per):
                body = one([add(tid, mul(n, k.threads_text()))])
                # A copy with a variable of its own gets a scope.
                result += body if len(body) == 1 else [Block("", body)]
            return result
        for n in range(per):
            body = flat(add(tid, mul(n, k.threads_text())))
            result.append(Block("", body))
        return result
    if form == "copy-const-loop":
        trips = "{} / {}".format(paren(count_text), paren(k.threads_text()))
        e = add(mul("i", k.threads_text()), tid)
        if k.choices.of(tile.name + ".spell", [0, 1]):
            return [*k.unroll(tile.name), Block("for (int i = 0; i < {}; i += {})".format(
                count_text, k.threads_text()), flat(add("i", tid)))]
        return [*k.unroll(tile.name), Block("for (int i = 0; i < {}; ++i)".format(trips), flat(e))]
    if form == "copy-chunk":
        return [Block("for (int i = 0; i < {}; ++i)".format(per), flat(add(mul(tid, per), "i")))]
    if form == "copy-strided":
        return [Block("for (int i = {}; i < {}; i += {})".format(tid, count_text, k.threads_text()),
                      flat("i"))]
    if form == "copy-blockdim":
        step = "blockDim.x" if k.block[1] * k.block[2] == 1 else (
            "blockDim.x * blockDim.y" if k.block[2] == 1 else "blockDim.x * blockDim.y * blockDim.z")
        return [Block("for (int i = {}; i < {}; i += {})".format(tid, count_text, step), flat("i"))]
    if form == "copy-rows":
        rows = threads // dims[1][1]
        row, column = _split(tid, dims)
        if tile.hoisted:
            row, column = tile.hoisted
        if k.choices.of(tile.name + ".spell", [0, 1]):
            return [Block("for (int i = {}; i < {}; i += {})".format(row, dims[0][0], rows),
                          one(["i", column]))]
        return [*k.unroll(tile.name), Block("for (int i = 0; i < {}; i += {})".format(dims[0][0], rows),
                                            one([add(row, "i"), column]))]
    if form == "copy-nested":
        return [Block("for (int i = 0; i < {}; i += {})".format(dims[0][0], k.block_text(1)), [
            Block("for (int j = 0; j < {}; j += {})".format(dims[1][0], k.block_text(0)),
                  one([add(k.ty(), "i"), add(k.tx(), "j")]))])]
    assert form == "copy-nested-strided", form
    names, starts = ["z", "r", "c"][-len(dims):], [k.tz(), k.ty(), k.tx()][-len(dims):]
    steps = [k.block_text(2), k.block_text(1), k.block_text(0)][-len(dims):]
    body = one(names)
    for name, start, dim, step in reversed(list(zip(names, starts, dims, steps))):
        body = [Block("for (int {0} = {1}; {0} < {2}; {0} += {3})".format(name, start, dim[0], step),
                      body)]
    return body
