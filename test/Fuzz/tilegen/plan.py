# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How one tile is declared and copied: everything that does not depend on what is computed."""

from .guards import NEED_LOOP, NEED_TWO
from .elements import ELEMENTS
from .features import HEADLESS
from .tiles import LOOPS, Along, Down, Flat, Gather, Halo, enumerate_copies, feasible

# Elements that __ldg is declared for.
_LDG = {"float", "double", "int", "unsigned", "signed char", "unsigned char", "short", "unsigned short",
        "float2", "float4", "int2", "int4"}


def need(k, elem):
    if elem.include and elem.include not in k.includes:
        k.includes.append(elem.include)
    if elem.declare and elem.declare not in k.structs:
        k.structs.append(elem.declare)


def _width(k, tile, guarded, vectors):
    """How much one copy moves."""
    c, key, elem, layout = k.choices, tile.source, tile.elem, tile.layout
    last = tile.dims[-1].value
    widths = {"copy-scalar": 60}
    if vectors and not isinstance(layout, Halo) and not (isinstance(layout, Gather) and
                                                         layout.width is None):
        for width in elem.vectors:
            if last % width == 0:
                bytes_ = width * elem.size
                widths["copy-vector{}".format(bytes_)] = 30 if bytes_ == 16 else 15
    width = c.pick(key + ".width", widths)
    if elem.name == "__half" and width == "copy-vector4" and guarded:
        if c.allowed("guard-half2-fill"):
            c.use("guard-half2-fill")
        else:
            c.features.remove(width)
            width = "copy-vector16" if "copy-vector16" in widths else "copy-scalar"
            c.use(width)
    if k.async_only and elem.size < 4 and width == "copy-scalar":
        # Bytes and halves come in words.
        width = next((f for f in widths if f != "copy-scalar"), width)
        c.use(width)
    for w in elem.vectors:
        if width == "copy-vector{}".format(w * elem.size):
            tile.width = w
    if tile.width > 1:
        for size in layout.sizes_of_last:
            k.multiple[str(size)] = max(k.multiple.get(str(size), 1), tile.width)
        if tile.width == 4 and elem.size == 4 and c.flag(key + ".macro", "vector-macro", 35):
            tile.macro = tile.wide().upper()
            text = "#define {}(x) (*({} *)&(x))".format(tile.macro, tile.wide())
            if text not in k.macros:
                k.macros.append(text)


def _array(k, tile, transposable):
    """How the tile is laid out."""
    c, key, elem = k.choices, tile.source, tile.elem
    components = elem.size * tile.width in (8, 16) and elem.name in ("float", "int", "double")
    if tile.width > 1:
        tile.align = c.of(key + ".align", ["__align__(16)", "alignas(16)"])
    if len(tile.dims) == 2 and transposable and not (k.async_only and tile.width > 1) and (
            tile.width == 1 or components) and not tile.macro and c.flag(
                key + ".transposed", "store-transposed", 15):
        tile.transposed = True
    if len(tile.dims) > 1 or c.of(key + ".pad1d", [0, 0, 0, 1]):
        if c.flag(key + ".pad", "tile-padded", 30):
            tile.pad = c.of(key + ".pad.by", [1, 1, 2, 5])
            if tile.width > 1 and not tile.transposed:
                tile.pad = tile.width
    if len(tile.dims) > 1 and c.flag(key + ".flat", "tile-flat", 25):
        tile.flat = True
    if tile.width > 1 and components and not tile.transposed and not tile.macro and not tile.flat and \
            c.flag(key + ".vector", "tile-vector", 30):
        wide = tile.wide()
        tile.vector = "lane" + wide.capitalize()
        names = "xyzw"[:tile.width]
        text = "".join("i == {} ? v.{} : ".format(n, name) for n, name in enumerate(names[:-1]))
        k.helper(tile.vector, ["__device__ __forceinline__ {} {}({} v, int i) {{".format(
            elem.name, tile.vector, wide), "  return {}v.{};".format(text, names[-1]), "}"])
        tile.align = None
    if not tile.align and c.flag(key + ".aligned", "tile-aligned", 12):
        tile.align = c.of(key + ".align", ["__align__(16)", "alignas(16)", "__align__(8)"])
        if tile.vector:
            tile.align = "__align__(16)"
    c.use("tile-{}d".format(len(tile.dims) if not tile.flat else 1))
    if len(tile.dims) == 2 and not tile.flat and not tile.align and not tile.vector and \
            c.flag(key + ".accessor", "tile-accessor-macro", 6):
        tile.accessor = key + "_AT"


def _same_array(tile, like):
    """The array of `like` once more."""
    tile.pad, tile.flat, tile.transposed = like.pad, like.flat, like.transposed
    tile.align, tile.accessor, tile.vector = like.align, like.accessor, like.vector
    tile.place, tile.member, tile.array = like.place, like.member, like.array


def _value(k, tile):
    """What happens to the value on its way."""
    c, key, elem = k.choices, tile.source, tile.elem
    if tile.width == 1 and not k.async_only:
        convert = c.pick(key + ".convert", {"convert-none": 86, "convert-scale": 6,
                                            "convert-type": 6, "convert-function": 5})
        if convert == "convert-type" and elem.name == "float":
            source, text = c.of(key + ".from", [
                ("elem-int8", "(float){}"), ("elem-half", "__half2float({})"),
                ("elem-int", "0.125f * (float){}"), ("elem-uchar", "static_cast<float>({}) / 255.0f")])
            c.use(source)
            tile.source_elem, tile.convert = ELEMENTS[source], text
            need(k, tile.source_elem)
        elif convert == "convert-scale" and elem.name == "float":
            k.scalar("alpha", "float", "3")
            tile.convert = "alpha * {}"
        elif convert == "convert-function" and elem.name in ("float", "int"):
            name = "decode" + elem.name.capitalize()
            k.helper(name, ["__device__ __forceinline__ {0} {1}({0} x) {{".format(elem.name, name),
                            "  return x * x - x;" if elem.name == "float" else "  return x * 3 - 1;",
                            "}"])
            tile.convert = name + "({})"
        elif convert != "convert-none":
            c.features.remove(convert)
    if tile.source_elem.name in _LDG and not tile.macro:
        if c.flag(key + ".ldg", "load-ldg", 10):
            tile.cache = "__ldg"
        elif c.flag(key + ".ldcg", "load-ldcg", 5):
            tile.cache = "__ldcg"
    if not tile.cache and not tile.macro and tile.width == 1 and c.flag(key + ".call", "load-function", 8):
        # What a function returns is no place that cp.async could copy from.
        reference = k.async_only or c.of(key + ".call.form", [0, 0, 1])
        name = k.name("load.function", ["element", "fetch", "value", "get"]) + ("Ref" if reference else "")
        k.helper(name, ["template <typename E> __device__ {}{}(const E *from, long long i) {{".format(
            c.of("load.function.kind", ["", "__forceinline__ ", "inline "]) + ("const E &" if reference else "E "), name),
                        "  return from[i];", "}"])
        tile.call = name


def _guard(k, tile, guarded, limited):
    c, key, elem, layout = k.choices, tile.source, tile.elem, tile.layout
    tile.zero = c.of(key + ".zero", elem.zero)
    if not guarded:
        c.use("guard-none")
        if not tile.transposed and not isinstance(layout, Halo) and c.flag(
                key + ".temporary", "copy-temporary", 15):
            tile.temporary = tile.wide()
            if c.flag(key + ".auto", "style-auto", 40):
                tile.temporary = "auto"
        return
    guards = {"guard-ternary": 30, "guard-else": 20, "guard-variable": 13, "guard-clear": 12,
              "guard-bool": 7, "guard-negated": 7, "guard-nested": 14, "guard-apart": 20,
              "guard-continue": 6}
    if tile.width == 1:
        guards["guard-other-fill"] = 8
        if not tile.convert and not tile.cache and not tile.from_base and not layout.base and \
                isinstance(layout, Flat):
            guards["guard-clamped"] = 6
        if isinstance(layout, (Along, Down)) and not layout.ragged and not tile.convert and not tile.cache:
            # What is outside of the rows or columns belongs to results that nobody stores.
            guards["guard-clamped"] = 25
    conditions = layout.conditions(["i"] * len(tile.dims), "o")
    if k.async_only:
        guards = {g: guards[g] for g in ("guard-ternary", "guard-else", "guard-bool", "guard-negated",
                                         "guard-nested", "guard-apart")}
    if tile.convert:
        # In a ternary, the conversion stands between the condition and the load.
        guards.pop("guard-other-fill", None)
        if c.allowed("guard-ternary-converted"):
            c.use("guard-ternary-converted")
        else:
            guards = {g: w for g, w in guards.items() if g not in (
                "guard-ternary", "guard-bool", "guard-apart")}
    if tile.transposed and tile.width > 1:
        guards = {g: w for g, w in guards.items() if g in (
            "guard-ternary", "guard-else", "guard-variable", "guard-clear")}
    if limited:
        guards = {"guard-no-else": 3} if tile.convert else {"guard-ternary": 2, "guard-no-else": 3}
    guards = {g: w for g, w in guards.items() if not (
        g in NEED_LOOP and tile.form not in LOOPS or g in NEED_TWO and len(conditions) < 2)}
    tile.guard = c.pick(key + ".guard", guards)


def _address(k, tile, loop, no_bump):
    """The pointer, and how the address is written."""
    c, key, layout = k.choices, tile.source, tile.layout
    if layout.gather:
        c.use("copy-gather")
        return
    if isinstance(layout, (Along, Down)) and c.flag(key + ".index", "index-function", 12):
        name = k.name("index.function", ["at", "idx", "rowMajor", "flatIndex"])
        k.helper(name, ["__device__ {}int {}(int row, int column, int length) {{".format(
            c.of("index.function.kind", ["", "__forceinline__ ", "inline "]), name),
                        "  return row * length + column;", "}"])
        layout.index_function = name
        if c.of(key + ".index.tile", [0, 1]):
            tile.index_function = name
    base = layout.base
    if tile.width == 1 and not tile.cache and c.flag(key + ".struct", "pointer-struct", 7):
        kind, name = k.name("struct.type", ["Source", "View", "Operand"]) + "_" + key, k.name(key + ".struct.name", [
            key + "_view", "of" + key, "view" + key])
        k.structs.append(["template <typename E> struct {} {{".format(kind), "  const E *data;", "  int rows;", "};"])
        kind += "<{}>".format(tile.source_elem.name)
        if c.of(key + ".struct.form", [0, 1]):
            k.before.append("{} {} = {{{}, 1}};".format(kind, name, key))
        else:
            k.before += ["{} {};".format(kind, name), "{}.data = {};".format(name, key)]
        tile.pointer = name + ".data"
        return
    if tile.width > 1 and not tile.macro and c.flag(key + ".wide", "pointer-vector", 25):
        tile.wide_pointer, tile.pointer = True, k.name(key + ".ptr", [
            key + str(tile.width), key + "_vec", "v" + key])
        k.before.append("const {0} *{1} = reinterpret_cast<const {0} *>({2});".format(
            tile.wide(), tile.pointer, key))
        return
    clamped = tile.guard == "guard-clamped"
    if base and base != "0" and not clamped and c.flag(key + ".pointer", "pointer-hoisted", 30):
        tile.pointer = k.name(key + ".ptr", [key + "_blk", key + "Ptr", "p" + key, "src" + key])
        kind = tile.source_elem.name
        if c.flag(key + ".ptr.auto", "style-auto", 20):
            kind = "auto"
        k.before.append("const {} *{} = {} + {};".format(kind, tile.pointer, tile.source, base))
        if isinstance(layout, (Along, Down)):
            tile.from_base = True
        else:
            layout.base = ""
    if isinstance(layout, Flat) and not layout.base and layout.times == 1 and not layout.ragged and not (
            tile.cache or tile.width > 1 or no_bump or k.repeated) and loop.can_count_with_pointer() and \
            c.flag(key + ".counter", "loop-pointer", 35):
        tile.pointer = loop.count_with_pointer(tile.source_elem.name, key)
        tile.bump = "header"
        return
    # Behind a first position, the pointer would not start where the tiles do.
    can_move = loop.upwards and not loop.origin and layout.step and not isinstance(layout, Halo)
    if can_move and not no_bump and not clamped and c.flag(key + ".bump", "pointer-bump", 22):
        if tile.pointer == tile.source and k.repeated:
            tile.pointer = k.name(key + ".ptr", [key + "_cur", "p" + key, key + "Pos"])
            k.before.append("const {} *{} = {};".format(tile.source_elem.name, tile.pointer,
                                                        tile.source))
        places = ["load", "between", "compute", "end"]
        if loop.form not in HEADLESS:
            address_taken = tile.cache or tile.width > 1
            if not address_taken or c.allowed("bump-header-address"):
                places.append("header")
        where = c.of(key + ".bump.at", places)
        c.use("bump-" + where)
        if where == "header" and address_taken:
            c.use("bump-header-address")
        tile.bump = where
        k.bumped.append(tile.pointer)
        loop.bumps.append((where, "{} += {};".format(tile.pointer, layout.step)))


def plan(k, tile, loop, no_bump=False, limited=False, transposable=True, vectors=True, like=None):
    """Draws the form of `tile`, whose name, element and layout are known. `limited`: the compute
    phase reads only what the guards let through, so that they need no else. `like`: the tile is in
    the array of that one."""
    c, key = k.choices, tile.source
    need(k, tile.elem)
    guarded = bool(tile.layout.conditions(["i"] * len(tile.dims), "o"))
    if like:
        # Rows of an array that was not made for vectors have no alignment.
        tile.width = like.width
        if tile.elem.name == "__half" and tile.width == 2 and guarded:
            if c.allowed("guard-half2-fill"):
                c.use("guard-half2-fill")
            else:
                tile.width = 1
        if tile.width > 1:
            for size in tile.layout.sizes_of_last:
                k.multiple[str(size)] = max(k.multiple.get(str(size), 1), tile.width)
        _same_array(tile, like)
    else:
        _width(k, tile, guarded, vectors)
        _array(k, tile, transposable)
    _value(k, tile)
    tile.form = c.pick(key + ".form", feasible(tile, k))
    if tile.form in ("copy-thread", "copy-split", "copy-subset", "copy-straight", "copy-chunk",
                     "copy-rows") or tile.width > 1 or tile.pad > 1:
        k.scalable.clear()
        k.fixed = True
    _guard(k, tile, guarded, limited)
    _address(k, tile, loop, no_bump)


def load_phase(k, tiles, loop):
    result = k.note("load")
    for number, tile in enumerate(tiles):
        copies = enumerate_copies(tile, k, loop.offset if str(loop.unit) != "1" else loop.position)
        if number and k.choices.of("blank." + tile.source, [0, 0, 0, 1]):
            result.append("")
        result += copies
    return result
