# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the tiles of a loop are: arrays of their own, members of a struct, parts of dynamic memory."""

from .code import add, mul


def _alignment(tile):
    """What the start of the tile must be a multiple of."""
    if tile.align:
        return 32 if "32" in tile.align else 16
    return 16 if tile.width > 1 else min(16, tile.elem.size & -tile.elem.size)


def _instances(k):
    """Values of the constants, by name: as they are, and as a second instantiation may have them."""
    doubled = {n: 2 * k.consts[n].value for n in k.scalable}
    return [{}] + ([doubled] if doubled else [])


def _yaml_bytes(tile):
    """The tile's size, for the launch description."""
    dims = [d.name for d in tile.dims]
    if tile.transposed:
        dims.reverse()
    if tile.pad:
        dims[-1] = add(dims[-1], tile.pad)
    # A template's element type may be wider in another instantiation.
    return mul(*dims, 8 if tile.elem.name == "T" else tile.elem.size)


def _aligned_parts(k, tiles):
    """Whether each tile ends where the next one may start, in every instantiation."""
    for values in _instances(k):
        at = 0
        for tile in tiles:
            if at % _alignment(tile):
                return False
            at += tile.bytes(values)
    return True


def choose(k, tiles, key="", dynamic=True, static=True):
    """Draws where `tiles` are, which are planned; k.storage has the declarations. `dynamic`: there is
    no other dynamic array in the kernel; `static`: nothing needs arrays of their own."""
    c = k.choices
    k.storage[key] = None
    # Only one buffer, which asynchronous copies cannot do with.
    if not k.async_only and static:
        plain = all(t.width == 1 and not t.align for t in tiles)
        shapes = {(t.brackets(), t.flat, t.transposed) for t in tiles}
        rows = all(len(t.dims) == 1 or t.flat for t in tiles)
        together = dynamic and rows and not k.type_name
        if c.flag(key + "struct", "tiles-struct", 6):
            _struct(k, tiles, key)
        elif len(tiles) > 1 and plain and len(shapes) == 1 and c.flag(key + "aos", "tiles-interleaved", 45):
            _interleaved(k, tiles, key)
        elif together and len(tiles) == 1 and c.flag(key + "dynamic", "context-dynamic-shared", 12):
            _dynamic_array(k, tiles, key)
        elif together and len({t.type_name() for t in tiles}) == 1 and _aligned_parts(k, tiles) and c.flag(
                key + "pointers", "dynamic-pointers", 25):
            _dynamic_pointers(k, tiles, key)
        elif dynamic and (rows or c.allowed("dynamic-rows")) and c.flag(
                key + "bytes", "dynamic-bytes", 7 if rows else 3):
            _dynamic_bytes(k, tiles, key)
    for tile in tiles:
        if tile.accessor:
            i, j = ("j", "i") if tile.transposed else ("i", "j")
            k.macros.append("#define {}(i, j) {}[{}][{}]{}".format(
                tile.accessor, tile.place or tile.name, i, j, "." + tile.member if tile.member else ""))


def declare(k, tiles, key=""):
    """The declarations; some in one."""
    if k.storage[key]:
        return k.storage[key]
    kinds = {(t.type_name(), t.align) for t in tiles}
    if len(tiles) > 1 and len(kinds) == 1 and k.choices.flag(
            key + "declared.together", "tiles-one-declaration", 25):
        return ["__shared__ " + tiles[0].declarator()[:-1] + "".join(
            ", {}{}".format(t.name, t.brackets()) for t in tiles[1:]) + ";"]
    return ["__shared__ " + t.declarator() for t in tiles]


def _struct_type(k, key, name, members):
    """(statements in the kernel, the type's name); the type is in front of the kernel where all that it
    mentions is known there."""
    outer = k.const_style in ("const-literal", "const-file", "const-macro", None) and not k.type_name
    style = k.choices.of(key + "struct.place", ["file", "file", "local", "variable"])
    if style == "file" and outer:
        k.structs.append(["struct {} {{".format(name)] + ["  " + m for m in members] + ["};"])
        return [], name
    if style == "variable":
        return [], "struct {} {{ {} }}".format(name, " ".join(members))
    return ["struct {} {{ {} }};".format(name, " ".join(members))], name


def _struct(k, tiles, key):
    name = k.name(key + "struct.type", ["Tiles", "SharedStorage", "Smem", "Buffers"])
    variable = k.name(key + "struct.variable", ["sm", "st", "storage", "shared"])
    before, kind = _struct_type(k, key, name, [t.declarator() for t in tiles])
    k.storage[key] = before + ["__shared__ {} {};".format(kind, variable)]
    for tile in tiles:
        tile.place = variable + "." + tile.name


def _interleaved(k, tiles, key):
    name = k.name(key + "struct.type", ["Cell", "Pair", "Entry", "Item"])
    variable = k.name(key + "struct.variable", ["cellsOf", "entries", "sm", "items"])
    before, kind = _struct_type(k, key, name, ["{} {};".format(t.type_name(), t.name) for t in tiles])
    k.storage[key] = before + ["__shared__ {} {}{};".format(kind, variable, tiles[0].brackets())]
    for tile in tiles:
        tile.place, tile.member, tile.array = variable, tile.name, False


def _extern(k, tiles, kind, name):
    """extern __shared__ kind name[], aligned as the tiles need it."""
    most = max(_alignment(t) for t in tiles)
    own = 1 if kind == "char" else tiles[0].elem.size
    align = "__align__({}) ".format(max(most, 16)) if most > own or k.choices.of(
        "dynamic.align", [0, 0, 1]) else ""
    k.choices.use("context-dynamic-shared")
    k.dynamic_bytes = " + ".join(_yaml_bytes(t) for t in tiles)
    return "extern __shared__ {}{} {}[];".format(align, kind, name)


def _dynamic_array(k, tiles, key):
    k.storage[key] = [_extern(k, tiles, tiles[0].type_name(), tiles[0].name)]
    tiles[0].array = False


def _dynamic_pointers(k, tiles, key):
    """One array, and pointers to its parts."""
    whole = k.name(key + "dynamic.name", ["smem", "shmem", "dynamicMemory", "pool"])
    lines = [_extern(k, tiles, tiles[0].type_name(), whole)]
    from_whole, before = k.choices.of("dynamic.from", [0, 1]), []
    const = k.choices.of("dynamic.const", ["", "", "const "])
    previous = whole
    for tile in tiles:
        place = add(whole, *before) if from_whole else add(previous, *before[-1:])
        lines.append("{} *{}{} = {};".format(tile.type_name(), const, tile.name, place))
        before.append(mul(*tile.extents()))
        previous, tile.array = tile.name, False
    k.storage[key] = lines


def _dynamic_bytes(k, tiles, key):
    """An array of bytes, and pointers of several types to its parts."""
    c = k.choices
    c.use("dynamic-bytes")
    whole = k.name(key + "dynamic.name", ["smem", "raw", "dynamicBytes", "pool"])
    lines = [_extern(k, tiles, "char", whole)]
    cast = c.of("dynamic.cast", ["reinterpret_cast<{0}>({1})", "({0})({1})"])
    exact = _aligned_parts(k, tiles)
    chained, sizes, yaml = exact and c.of("dynamic.from", [0, 1]), [], []
    previous = whole
    for tile in tiles:
        row = "".join("[" + e + "]" for e in tile.extents()[1:]) if not tile.flat else ""
        kind = "{} (*){}".format(tile.type_name(), row) if row else tile.type_name() + " *"
        size = mul(*tile.extents(), "sizeof({})".format(tile.type_name()))
        declared = "{} (*{}){}".format(tile.type_name(), tile.name, row) if row else (
            "{} *{}".format(tile.type_name(), tile.name))
        place = previous if chained else add(whole, *sizes)
        lines.append("{} = {};".format(declared, cast.format(kind, place)))
        sizes.append(size if exact else "({} + 31) / 32 * 32".format(size))
        yaml.append(_yaml_bytes(tile) if exact else "ceildiv({}, 32) * 32".format(_yaml_bytes(tile)))
        previous, tile.array = add(tile.name, tile.extents()[0] if row else mul(*tile.extents())), False
        if row:
            c.use("dynamic-rows")
    k.dynamic_bytes = " + ".join(yaml)
    k.storage[key] = lines
