# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How one tile is declared and copied: everything that does not depend on what is computed."""

from .code import Block, mul
from .elements import ELEMENTS
from .tiles import Along, Down, Flat, Gather, Halo, Tile, enumerate_copies, feasible

# Elements that __ldg is declared for.
_LDG = {"float", "double", "int", "unsigned", "signed char", "unsigned char", "short", "unsigned short",
        "float2", "float4", "int2", "int4"}


def need(k, elem):
    if elem.include and elem.include not in k.includes:
        k.includes.append(elem.include)
    if elem.declare and elem.declare not in k.structs:
        k.structs.append(elem.declare)


def plan(k, tile, loop, no_bump=False, limited=False, transposable=True, vectors=True):
    """Draws the form of `tile`, whose name, element and layout are known. `limited`: the compute
    phase reads only what the guards let through, so that they need no else."""
    c, key, elem, layout = k.choices, tile.source, tile.elem, tile.layout
    need(k, elem)

    guarded = bool(layout.conditions(["i"] * len(tile.dims), "o"))

    # Width of a copy.
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
        tile.align = c.of(key + ".align", ["__align__(16)", "alignas(16)"])
        for size in layout.sizes_of_last:
            k.multiple[str(size)] = max(k.multiple.get(str(size), 1), tile.width)
        if tile.width == 4 and elem.size == 4 and c.flag(key + ".macro", "vector-macro", 35):
            wide = elem.vectors[4][0]
            tile.macro = wide.upper()
            text = "#define {}(x) (*({} *)&(x))".format(tile.macro, wide)
            if text not in k.macros:
                k.macros.append(text)

    # Layout of the array.
    components = elem.size * tile.width in (8, 16) and elem.name in ("float", "int", "double")
    if len(tile.dims) == 2 and transposable and not (k.async_only and tile.width > 1) and (tile.width == 1 or components) and \
            not tile.macro and c.flag(key + ".transposed", "store-transposed", 15):
        tile.transposed = True
    if len(tile.dims) > 1 or c.of(key + ".pad1d", [0, 0, 0, 1]):
        if c.flag(key + ".pad", "tile-padded", 30):
            tile.pad = c.of(key + ".pad.by", [1, 1, 2, 5])
            if tile.width > 1 and not tile.transposed:
                tile.pad = tile.width
    if len(tile.dims) > 1 and c.flag(key + ".flat", "tile-flat", 25):
        tile.flat = True
    if not tile.align and c.flag(key + ".aligned", "tile-aligned", 12):
        tile.align = c.of(key + ".align", ["__align__(16)", "alignas(16)", "__align__(8)"])
    c.use("tile-{}d".format(len(tile.dims) if not tile.flat else 1))
    if len(tile.dims) == 2 and not tile.flat and not tile.align and \
            c.flag(key + ".accessor", "tile-accessor-macro", 6):
        tile.accessor = key + "_AT"
        i, j = ("j", "i") if tile.transposed else ("i", "j")
        k.macros.append("#define {}(i, j) {}[{}][{}]".format(tile.accessor, tile.name, i, j))

    # What happens to the value on its way.
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
    if tile.source_elem.name in _LDG and not tile.macro and c.flag(key + ".ldg", "load-ldg", 10):
        tile.ldg = True

    # Guards.
    tile.zero = c.of(key + ".zero", elem.zero)
    if guarded:
        guards = {"guard-ternary": 30, "guard-else": 20, "guard-variable": 13, "guard-clear": 12}
        if tile.width == 1:
            guards["guard-other-fill"] = 8
            if isinstance(layout, Flat) and not layout.base and not tile.convert and not tile.ldg:
                guards["guard-clamped"] = 6
        if k.async_only:
            guards = {"guard-ternary": 30, "guard-else": 20}
        if tile.convert:
            # In a ternary, the conversion stands between the condition and the load.
            guards.pop("guard-other-fill", None)
            if c.allowed("guard-ternary-converted"):
                c.use("guard-ternary-converted")
            else:
                guards = {g: w for g, w in guards.items() if g != "guard-ternary"}
        if limited:
            guards = {"guard-ternary": 2, "guard-no-else": 3}
        tile.guard = c.pick(key + ".guard", guards)
        if tile.guard == "guard-clamped":
            no_bump = True
    else:
        c.use("guard-none")
        if not tile.transposed and not isinstance(layout, Halo):
            tile.temporary = c.flag(key + ".temporary", "copy-temporary", 15)

    # Who copies what.
    tile.form = c.pick(key + ".form", feasible(tile, k))
    if tile.form in ("copy-thread", "copy-split", "copy-subset", "copy-straight", "copy-chunk",
                     "copy-rows") or tile.width > 1 or tile.pad > 1:
        k.scalable.clear()
        k.fixed = True

    # The pointer.
    if layout.gather:
        c.use("copy-gather")
        return
    base = getattr(layout, "base", "")
    if base and base != "0" and c.flag(key + ".pointer", "pointer-hoisted", 30):
        tile.pointer = k.name(key + ".ptr", [key + "_blk", key + "Ptr", "p" + key, "src" + key])
        const = "const " if not c.of(key + ".ptr.const", [0, 0]) else ""
        k.before.append("{}{} *{} = {} + {};".format(const, tile.source_elem.name, tile.pointer,
                                                     tile.source, base))
        if isinstance(layout, (Along, Down)):
            tile.from_base = True
        else:
            layout.base = ""
    if loop.upwards and layout.step and not no_bump and not isinstance(layout, Halo) and \
            c.flag(key + ".bump", "pointer-bump", 22):
        if tile.pointer == tile.source and k.repeated:
            tile.pointer = k.name(key + ".ptr", [key + "_cur", "p" + key, key + "Pos"])
            k.before.append("const {} *{} = {};".format(tile.source_elem.name, tile.pointer,
                                                        tile.source))
        places = ["load", "between", "compute", "end"]
        if loop.form not in ("loop-while", "loop-do-while", "loop-body-advance"):
            address_taken = tile.ldg or tile.width > 1
            if not address_taken or c.allowed("bump-header-address"):
                places.append("header")
        where = c.of(key + ".bump.at", places)
        c.use("bump-" + where)
        if where == "header" and address_taken:
            c.use("bump-header-address")
        tile.bump = where
        loop.bumps.append((where, "{} += {};".format(tile.pointer, layout.step)))


def load_phase(k, tiles, loop):
    result = k.note("load")
    for number, tile in enumerate(tiles):
        copies = enumerate_copies(tile, k, loop.offset if str(loop.unit) != "1" else loop.position)
        if number and k.choices.of("blank." + tile.source, [0, 0, 0, 1]):
            result.append("")
        result += copies
    return result


def declare(k, tiles):
    """The shared arrays; some in one declaration."""
    c = k.choices
    lines = []
    kinds = {(t.elem.name, t.align) for t in tiles}
    if len(tiles) > 1 and len(kinds) == 1 and c.flag("declared.together", "tiles-one-declaration", 25):
        first = tiles[0]
        lines.append(first.declaration()[:-1] + "".join(
            ", {}{}".format(t.name, t.brackets()) for t in tiles[1:]) + ";")
    else:
        lines += [t.declaration() for t in tiles]
    return lines
