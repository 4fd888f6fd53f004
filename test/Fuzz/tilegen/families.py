# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kinds of kernels: which tiles there are, and what is computed with them.

Each family draws the block's shape, the tiles' extents and layouts, lets plan.py draw the rest, and
builds the compute phase. Kernels are legal by construction: in bounds, free of races, deterministic,
and every result depends on the order of the tiles, so that a wrong one shows.
"""

from .code import Block, add, mul, paren
from .elements import ELEMENTS, Elem, common_kind, value
from .loops import Loop
from .plan import load_phase, plan
from .storage import choose, declare
from .suspects import change
from .tiles import Along, Down, Flat, Gather, Halo, Slab, Sym, Tile

BARRIER = "__syncthreads();"

_ZERO = {"float": "0.0f", "double": "0.0", "unsigned": "0u"}
# What an accumulator is multiplied with before the next term, so that the order shows. Near one: what
# the first tile contributes must not fall below the last bit before the kernel ends.
_DECAY = {"float": "0.99f", "double": "0.99", "unsigned": "31u"}
# What the rewriter calls its own variables; a kernel may have these names already.
INVENTED = ["stage", "t_next", "t_load", "load_tile", "fetch_tile", "store_tile", "As_stages", "As_reg",
            "has_next", "xs_stages", "xs_reg"]


_NARROW = ("elem-int8", "elem-uchar", "elem-short", "elem-bits16", "elem-half", "elem-struct12")


def _elements(k, scope, weights=None):
    if weights and k.async_only:
        weights = {f: w for f, w in weights.items() if f not in _NARROW}
    feature = k.choices.pick(scope + ".elem", weights or {
        "elem-float": 40, "elem-double": 6, "elem-int": 8, "elem-unsigned": 3, "elem-int8": 4,
        "elem-uchar": 3, "elem-short": 3, "elem-bits16": 3, "elem-half": 5, "elem-float2": 5,
        "elem-float4": 7, "elem-int4": 3, "elem-int2": 3, "elem-struct": 3, "elem-struct12": 3,
        "elem-struct16": 3})
    if k.async_only and feature in _NARROW:
        k.choices.features.remove(feature)
        feature = "elem-float"
        k.choices.use(feature)
    return ELEMENTS[feature]


_GENERIC = Elem("T", 4, "float", "(float){}", ["T(0)"], "T(2)")


def _bound(k, unit, ragged_percent=45, scope="axis", size_name="n"):
    """How the loop's length is given: (size, tiles, ragged)."""
    c = k.choices
    if c.flag(scope + ".constant", "trip-constant", 7):
        # Named like every other constant, so that a template has instantiations that differ in it.
        return None, str(k.const("TILES", c.number(scope + ".count", [3, 1, 2, 0, 5, 4]))), False
    draw = c.stream(scope + ".bound").below(100)
    if draw < ragged_percent and c.allowed("trip-ceil"):
        return size_name, None, True
    if draw < ragged_percent + 30 and c.allowed("trip-quotient"):
        return size_name, None, False
    return None, "tiles", False


def _accumulator(k, kind, scope=""):
    c = k.choices
    if c.flag("collisions" + scope, "compute-collisions", 10):
        return k.name("acc" + scope, INVENTED)
    return k.name("acc" + scope, ["acc", "sum", "total", "result", "value"])


def _step(k, acc, kind, term):
    return "{0} = {0} * {1} + {2};".format(acc, _DECAY[kind], term)


def out_elem(kind):
    return ELEMENTS["elem-" + kind]


# --- stream ----------------------------------------------------------------------------------------
def _row_of(tile, row):
    """(the address of a row of the array, elements in a row, number of rows)."""
    if len(tile.dims) == 1:
        return tile.place or tile.name, tile.dims[0], None
    if tile.transposed:
        return "&" + tile.plain_at(["0", row]), tile.dims[0], tile.dims[1]
    return "&" + tile.plain_at([row, "0"]), tile.dims[1], tile.dims[0]


def _helper_of_array(k, tile, kind, form, tid):
    """A call of a function that is given the tile, or a row of it, and reads two elements."""
    by_reference = form == "compute-reference"
    generic = tile.elem is _GENERIC
    rows = len(tile.dims) == 2 and not tile.flat and by_reference
    name = "".join(["pick" if by_reference else "peek", kind.capitalize(), "Of",
                    tile.elem.name.strip("_").title().replace(" ", ""), "Rows" * rows])
    one = "a[r % rows][i % count]" if rows else "a[i % count]"
    other = "a[r % rows][(i + 1) % count]" if rows else "a[(i + 1) % count]"
    heads = (["typename E"] if generic else []) + (["int R"] * rows + ["int N"]) * by_reference
    elem = "E" if generic else tile.elem.name
    parameter = "const {} *a".format(elem)
    if by_reference:
        parameter = "const {} (&a){}[N]".format(elem, "[R]" * rows)
    parameters = [parameter] + (["int r", "int rows"] if rows else []) + ["int i", "int count"]
    k.helper(name, (["template <{}>".format(", ".join(heads))] if heads else []) + [
        "__device__ {}{} {}({}) {{".format(k.choices.of(name + ".kind", ["", "__forceinline__ ", "inline "]),
                                           kind, name, ", ".join(parameters)),
        "  return {} - {};".format(value(tile.elem, kind, one), value(tile.elem, kind, other)), "}"])
    address, count, row_count = _row_of(tile, "{} % {}".format(
        tid, paren(tile.dims[0 if not tile.transposed else 1])) if len(tile.dims) == 2 else "0")
    if by_reference:
        arguments = [tile.place or tile.name] + ([tid, str(row_count)] if rows else [])
    else:
        arguments = [address]
    return "{}({})".format(name, ", ".join(arguments + [tid, str(count)]))


def _stream_piece(k, tile, kind, acc, scope, bound, limit):
    """Statements that work `tile` into `acc`. bound: elements (text, value); limit: a run-time one."""
    c, key = k.choices, tile.source
    tid = k.tid()
    text, count = bound
    many = max(2, 3000 // k.threads)

    def at(i):
        idx = [i] if len(tile.dims) == 1 else [i, str(c.of(key + ".column", range(tile.dims[1].value)))]
        return value(tile.elem, kind, tile.at(idx))

    k.cost += k.threads * min(count, many)
    options = {"compute-recurrence": 30, "compute-neighbours": 12, "compute-registers": 8,
               "compute-helper": 10, "compute-lambda": 8, "compute-skip": 8, "compute-scratch": 6,
               "compute-inner-barrier": 4}
    if not tile.vector and not tile.member:
        options["compute-pointer"] = 6
        if tile.array:
            options["compute-reference"] = 6
    if k.threads % 32 == 0:
        options["compute-shuffle"] = 10
    if limit:
        options = {"compute-recurrence": 1}
    form = c.pick(key + ".compute", options)
    mine = "{} % {}".format(tid, paren(text))
    if form == "compute-recurrence":
        step = -(-count // many)
        index = c.of(key + ".read", ["j", "{} - 1 - j".format(text),
                                     "({} + j) % {}".format(tid, paren(text))])
        if limit:
            index = c.of(key + ".read", ["j", "{} - 1 - j".format(limit)])
        advance = "++j" if step == 1 else "j += {}".format(step)
        return [*k.unroll("j" + key), Block("for (int j = 0; j < {}; {})".format(limit or text, advance),
                                            [_step(k, acc, kind, at(index))])]
    if form == "compute-neighbours":
        i = k.name(key + ".i", ["at", "pos", "me", "slot"])
        left, right = k.name(key + ".l", ["left", "prev", "lo"]), k.name(key + ".r", ["right", "succ", "hi"])
        return ["const int {} = {};".format(i, mine),
                "const {} {} = {};".format(kind, left, at("{0} > 0 ? {0} - 1 : 0".format(i))),
                "const {} {} = {};".format(kind, right, at("{0} + 1 < {1} ? {0} + 1 : {0}".format(i, text))),
                _step(k, acc, kind, "{} - {} * {}".format(left, right, at(i)))]
    if form == "compute-shuffle":
        v = k.name(key + ".v", ["v", "mine", "lane_value"])
        return ["{} {} = {};".format(kind, v, at(mine)),
                Block("for (int delta = 16; delta > 0; delta /= 2)", [
                    "{0} += __shfl_{1}_sync(0xffffffffu, {0}, delta);".format(
                        v, c.of(key + ".shfl", ["xor", "down"]))]),
                _step(k, acc, kind, v)]
    if form == "compute-registers":
        regs = k.name(key + ".regs", ["regs", "frag", "window"])
        return ["{} {}[4];".format(kind, regs),
                *k.unroll("r" + key),
                Block("for (int j = 0; j < 4; ++j)", [
                    "{}[j] = {};".format(regs, at("({} + j) % {}".format(tid, paren(text))))]),
                *k.unroll("r" + key),
                Block("for (int j = 0; j < 4; ++j)", [
                    _step(k, acc, kind, "{0}[j] * {0}[3 - j]".format(regs) if kind == "unsigned" else
                          "{0}[j] - 0.25f * {0}[3 - j]".format(regs))])]
    if form == "compute-helper":
        name = "blend" + kind.capitalize()
        k.helper(name, ["__device__ {0} {1}({0} a, {0} b) {{".format(kind, name),
                        "  return a * {} + b;".format(_DECAY[kind]), "}"])
        return [Block("for (int j = 0; j < 3; ++j)", [
            "{0} = {1}({0}, {2});".format(acc, name, at("({} + j) % {}".format(tid, paren(text))))])]
    if form in ("compute-pointer", "compute-reference"):
        return [_step(k, acc, kind, _helper_of_array(k, tile, kind, form, tid))]
    if form == "compute-lambda":
        name = k.name(key + ".fn", ["element", "peek", "fetch", "get"])
        return ["auto {} = [&](int i) {{ return {}; }};".format(name, at("i")),
                _step(k, acc, kind, "{0}({1}) - {0}({2} - 1)".format(name, mine, text))]
    if form == "compute-skip":
        v = k.name(key + ".v", ["v", "x", "item"])
        skip = "{} < 0".format(v) if kind != "unsigned" else "({} & 1u) == 0u".format(v)
        stop = "{} > 4".format(acc) if kind != "unsigned" else "{} > 0xc0000000u".format(acc)
        step = -(-count // many)
        return [Block("for (int j = 0; j < {}; j += {})".format(text, step), [
            "const {} {} = {};".format(kind, v, at("j")),
            Block("if ({})".format(skip), ["continue;"]),
            _step(k, acc, kind, v),
            Block("if ({})".format(stop), ["break;"])])]
    scratch = k.name("scratch" + key, ["scratch", "partial", "buf", "own"])
    k.shared.append("__shared__ {} {}[{}];".format(kind, scratch, k.threads_text()))
    if form == "compute-scratch":
        # Each thread uses its own element: no barrier.
        return ["{}[{}] = {} - {};".format(scratch, tid, acc, at(mine)),
                _step(k, acc, kind, "{}[{}]".format(scratch, tid))]
    assert form == "compute-inner-barrier", form
    return ["{}[{}] = {} - {};".format(scratch, tid, acc, at(mine)), BARRIER,
            _step(k, acc, kind, "{}[{} - 1 - {}]".format(scratch, k.threads_text(), tid)), BARRIER]


def _stream_loop(k, scope, like=None):
    """One tile loop over vectors. `like`: the tiles of a loop whose arrays it uses again. Returns
    (accumulator, kind, statements of the compute phase, tiles, loop)."""
    c = k.choices
    threads = k.threads
    k.before, k.shared = [], k.shared if scope else []
    if like:
        W = like[0].dims[0]
        width = W.value
    else:
        width = c.number(scope + "W", [threads, 2 * threads, threads + max(1, threads // 2), 3 * threads,
                                       max(3, threads // 2), 40, 33, threads + 1, 4 * threads])
        width = min(width, 512, 12 * threads)
        W = k.const(c.of(scope + "W.name", ["W", "CHUNK", "TILE", "BK", "SIZE"]) + scope, width,
                    scalable=not scope)
    if scope:
        # A loop behind the first one has a length of its own.
        size, tiles, ragged = _second_bound(k, scope)
    else:
        size, tiles, ragged = _bound(k, W)
        k.axis = (size, tiles, W, ragged)
        k.scalar(size or tiles, "int")
    total = size or mul(tiles, W.name)
    count = len(like) if like else c.number(scope + "tiles", [1, 1, 2, 2, 3, 4])
    c.use("tiles-{}".format(count))
    loop = Loop(k, "loop" + scope, W, size, tiles, ragged)
    per_block = c.of(scope + "per.block", [0, 1])

    names = c.of(scope + "names", [("xs", "x"), ("sA", "A"), ("tileX", "in"), ("buffer", "src"),
                                   ("As", "A"), ("s_data", "data")])
    suffixes = ["", "2", "3", "4"]
    tiles_made, bounds = [], []
    kinds, specs = [], []
    for n in range(count):
        source = names[1] + scope.upper() + suffixes[n]
        name = names[0] + scope.upper() + suffixes[n]
        k.taken.update((source, name))
        if like:
            name, elem = like[n].name, like[n].elem
        elif k.type_name and n == 0 and not scope:
            elem = _GENERIC
        else:
            elem = _elements(k, source)
        specs.append((source, name, elem))
        kinds.append(elem.kind)
    kind = common_kind(kinds)
    for n, (source, name, elem) in enumerate(specs):
        shape = c.of(source + ".shape", ["flat", "flat", "flat", "rows", "gather", "gather-rows"])
        if like:
            shape = ("gather" if shape == "gather" and like[n].width == 1 else "flat") if (
                len(like[n].dims) == 1) else (
                "gather-rows" if shape == "gather-rows" else "rows")
        if elem is _GENERIC:
            shape = "flat"
        if shape.startswith("gather") and not c.allowed("copy-gather"):
            shape = "flat" if not like or len(like[n].dims) == 1 else "rows"
        F = None
        if like and len(like[n].dims) == 2:
            F = like[n].dims[1].value
        elif shape in ("rows", "gather-rows"):
            F = c.number(source + ".columns", [2, 4, 3, 8])
            if width * F * elem.size > 8192 or width * F > 12 * threads:
                shape, F = "flat", None
        if shape == "flat":
            blocks = (per_block or k.block_x.startswith("(pass")) and n == 0
            base = mul(k.block_x, size or mul(tiles, W)) if blocks else ""
            layout = Flat(size, ragged, 1, base, W)
            dims = [W]
            amount = mul(total, k.blocks) if blocks else total
        elif shape == "rows":
            layout = Down("", None, False, size, ragged, str(F), W)
            layout.base = ""
            dims = [W, _number(F)]
            amount = mul(total, F)
        else:
            index = k.name(source + ".index", ["index", "perm", "ids", "map"])
            rows = c.number(source + ".rows", [7, 37, 64, 101])
            k.pointer(index, ELEMENTS["elem-int"], total, fill="uniform(0, {})".format(rows))
            layout = Gather(index, size, ragged, F)
            dims = [W] if F is None else [W, _number(F)]
            amount = str(rows * (F or 1))
        tile = Tile(name, source, elem, dims, layout)
        limited = ragged and shape == "flat" and not k.async_only and not like and c.of(
            source + ".limited", [0] * 4 + [1]) and c.allowed("guard-no-else")
        plan(k, tile, loop, limited=limited, like=like[n] if like else None)
        k.pointer(source, tile.source_elem, amount, const=not tile.macro or c.of("macro.const", [0, 1]))
        tiles_made.append(tile)
        bounds.append((str(W), width, limited and tile.guard == "guard-no-else"))
        k.cost += 2 * tile.size()
    acc = _accumulator(k, kind, scope)
    if not like:
        choose(k, tiles_made, scope, dynamic=not scope)

    compute = []
    for tile, (text, value_, limited) in zip(tiles_made, bounds):
        limit = None
        if limited:
            limit = k.name(tile.source + ".limit", ["valid", "live", "inside"])
            # Cast: the counter may be unsigned or wider.
            compute.append("const int {0} = {1} - (int){2} < {3} ? {1} - (int){2} : {3};".format(
                limit, paren(size), paren(loop.offset), text))
        compute += _stream_piece(k, tile, kind, acc, scope, (text, value_), limit)
    if count >= 2 and not any(b[2] for b in bounds) and c.flag(scope + "pair", "compute-pairwise", 40):
        a, b = tiles_made[:2]

        def first(tile, i):
            return value(tile.elem, kind, tile.at([i] if len(tile.dims) == 1 else [i, "0"]))

        step = max(1, width * threads // 3000)
        compute.append(Block("for (int j = 0; j < {}; j += {})".format(W, step), [
            "{} += {} * {};".format(acc, first(a, "j"),
                                    first(b, "({} + j) % {}".format(k.tid(), paren(str(W)))))]))
        k.cost += 2 * threads * width // step
    if not k.repeated and not scope and c.flag("global.write", "compute-global-write", 8):
        k.restrict_all = True
        name = k.name("history", ["history", "trace", "partials"])
        k.history = (name, kind)
        compute.append("{}[({} * gridDim.x + blockIdx.x) * {} + {}] = {};".format(
            name, paren(loop.position), k.threads_text(), k.tid(), acc))
        k.pointer(name, out_elem(kind), mul("({} + 1)".format("ceildiv({}, {})".format(
            size, W.name) if size else tiles), "gridX", k.threads), role="output", const=False,
            restrict=True)
    return acc, kind, compute, tiles_made, loop


def _number(n):
    return Sym(str(n), n)


def _around(k, tiles, loop, compute, key="", again=False):
    """The loop with the declarations of its tiles. `again`: another loop has declared them. Returns
    (outside of any repetition, the loop)."""
    c = k.choices
    load = load_phase(k, tiles, loop)
    site = (k.suspect or k.extra) if not key else None
    if site:
        site.static_bytes = 2 * sum(t.bytes() for t in tiles)
        load, compute = change(site, loop, load, compute)
    outside, declared = list(k.shared), []
    if not again:
        declared = declare(k, tiles, key)
    if declared and not k.used_outside and not k.storage[key] and len(declared) == len(tiles) and c.flag(
            key + "declared.inside", "context-declared-inside", 6):
        loop.top = declared + loop.top
    else:
        outside += declared
    ends = [("end", s) for s in site.end] if site else []
    statements = loop.before + k.before + loop.statement(load, compute, BARRIER, ends)
    if site:
        outside += site.outside
        statements = site.around(statements)
    if loop.barrier_first and (k.used_outside or c.of(key + "barrier.behind", [0, 0, 1])):
        statements.append(BARRIER)
    return outside, statements


def stream(k):
    c = k.choices
    shape = c.of("block", [(32,), (64,), (16,), (8,), (48,), (96,), (128,), (7,), (8, 4), (16, 3),
                           (16, 16), (4, 4, 2), (1,), (33,), (256,), (5, 3, 2), (64,), (32, 4), (512,)])
    if "block-odd" in c.off or "block-small" in c.off or "block-large" in c.off:
        shape = (32,)
    if "block-3d" in c.off and len(shape) == 3 or "block-2d" in c.off and len(shape) == 2:
        shape = (32,)
    k.set_block(*shape)
    if not k.async_only and c.flag("type", "template-type", 8):
        k.type_name = "float"
    grid = c.number("grid", [1, 2, 3, 4])
    k.grid = [str(grid)]
    k.let.append(("gridX", grid))
    nested, persistent, others, again = _stream_context(k)
    k.repeated = nested or persistent or bool(others)
    # A barrier divides all uses of the arrays from the loop.
    k.used_outside = again
    acc, kind, compute, tiles, loop = _stream_loop(k, "")
    first = tiles[0]
    scalar = len(first.dims) == 1 and first.elem.name in ("float", "int", "double", "unsigned") and \
        not k.type_name and not first.vector and not k.async_only and not others
    reuse = scalar and c.flag("reuse", "context-reuse-after", 60 if nested or persistent else 16)
    before_use = scalar and c.flag("reuse.before", "context-reuse-before", 45 if nested or persistent else 14)
    k.used_outside = reuse or before_use or again
    outside, body = _around(k, tiles, loop, compute)
    threads = k.threads_text()
    place = "blockIdx.x * {} + {}".format(threads, k.tid())
    common = min(first.dims[0].value, k.threads)
    read_back = "{} += {};".format(acc, value(first.elem, kind, first.at(["{} - 1 - {} % {}".format(
        common, k.tid(), common)])))

    def stored(text):
        return [Block("if ({} < {})".format(k.tid(), common), ["{} = {};".format(
            first.at([k.tid()]), text)]), BARRIER, read_back]

    if before_use:
        body = stored("({})({} + 1)".format(first.elem.name, k.tid())) + [BARRIER] + body
    epilogue = []
    if reuse:
        epilogue = stored(acc if first.elem.kind == kind and first.elem.name != "int" else (
            "({})({} > 1 ? 1 : 2)".format(first.elem.name, acc)))
    if nested or persistent:
        if k.used_outside:
            c.use("context-nested-reuse")
            epilogue.append(BARRIER)
        header, place, amount = _outer_loop(k, nested, place)
        k.body = outside + [Block(header, [
            "{} {} = ({}){};".format(kind, acc, kind, "pass" if nested else _ZERO[kind]), *body, *epilogue,
            "out[{}] = {};".format(place, acc)])]
        k.cost *= 3
        k.pointer("out", out_elem(kind), mul(amount, k.threads), role="output", const=False)
        return
    total = mul(grid, k.threads)
    k.body = outside + ["{} {} = {};".format(kind, acc, _ZERO[kind])] + _condition(k, body) + epilogue
    result = acc
    for scope in others:
        acc2, kind2, compute2, tiles2, loop2 = _stream_loop(k, scope, tiles if again else None)
        k.shared = [s for s in k.shared if s not in k.body]
        outside2, body2 = _around(k, tiles2, loop2, compute2, scope, again)
        if c.of("second.place" + scope, [0, 1]):
            k.body = outside2 + k.body
        else:
            k.body += outside2
        if again and c.of("second.barrier" + scope, [0, 0, 1]):
            k.body.append(BARRIER)
        k.body += ["{} {} = {};".format(kind2, acc2, _ZERO[kind2])] + body2
        # A conversion from floating point to integer could be out of range.
        if kind == "unsigned" and kind2 != kind:
            name = "out" + scope
            k.taken.add(name)
            k.body.append("{}[{}] = {};".format(name, place, acc2))
            k.pointer(name, out_elem(kind2), total, role="output", const=False)
        else:
            result += " + ({}){}".format(kind, acc2)
        k.cost *= 2
    k.body.append("out[{}] = {};".format(place, result))
    k.pointer("out", out_elem(kind), total, role="output", const=False)


def _stream_context(k):
    """What is around the loop: (nested, persistent, names of further loops, whether they use the same
    arrays)."""
    c = k.choices
    if c.flag("nested", "context-nested", 9):
        if not k.suspect and c.flag("batch", "context-batch", 45):
            k.block_x, k.blocks = "(pass * gridDim.x + blockIdx.x)", "(gridX * passes)"
        return True, False, [], False
    if c.flag("persistent", "context-persistent", 8):
        k.block_x, k.blocks = k.name("job", ["job", "blk", "work", "segment"]), "jobs"
        k.taken.add("jobs")
        k.scalar("jobs", "int")
        k.extra_sizes["jobs"] = [2, 1, 5, 4]
        return False, True, [], False
    if c.flag("two", "context-two-loops", 9):
        return False, False, ["b"], False
    if not k.async_only and c.flag("again", "context-shared-buffers", 16):
        return False, False, ["b", "c"] if c.flag("three", "context-three-loops", 45) else ["b"], True
    return False, False, [], False


def _outer_loop(k, nested, place):
    """(header, where a thread's result goes, how many blocks of results there are)."""
    if not nested:
        header = "for (int {0} = blockIdx.x; {0} < jobs; {0} += gridDim.x)".format(k.block_x)
        return header, place.replace("blockIdx.x", k.block_x, 1), "jobs"
    k.scalar("passes", "int")
    k.extra_sizes["passes"] = [2, 1, 3]
    k.taken.add("pass")
    return ("for (int pass = 0; pass < passes; ++pass)",
            place.replace("blockIdx.x", "(pass * gridDim.x + blockIdx.x)", 1), mul("gridX", "passes"))


def _second_bound(k, scope):
    """The length of a loop behind the first one."""
    c = k.choices
    ragged = c.of("second.ragged" + scope, [0, 1]) and c.allowed("trip-ceil")
    name = ("m" if ragged else "tiles") + {"b": "2", "c": "3"}[scope]
    k.taken.add(name)
    k.scalar(name, "int")
    k.extra_sizes[name] = [0, 1, 2, 3] if not ragged else [0, 5, 100, 64, 1]
    return (name, None, True) if ragged else (None, name, False)


def _condition(k, body):
    c = k.choices
    if c.flag("uniform.if", "context-uniform-if", 6):
        return [Block(c.of("uniform.if.text", ["if (blockIdx.x != 1)", "if (gridDim.x > blockIdx.x)"]),
                      body)]
    if k.axis[0] and c.flag("early.return", "context-early-return", 6):
        return [Block("if ({} < 0)".format(k.axis[0]), ["return;"])] + body
    return body


# --- gemm ------------------------------------------------------------------------------------------
def gemm(k):
    c = k.choices
    k.before, k.shared, k.repeated = [], [], False
    bx, by = c.of("block", [(8, 8), (16, 16), (8, 4), (16, 4), (4, 8), (5, 4), (16, 2), (12, 6), (32, 2),
                            (8, 1)])
    if "block-odd" in c.off or "block-small" in c.off or "block-large" in c.off:
        bx, by = 8, 8
    tm, tn = c.number("TM", [1, 1, 2, 4]), c.number("TN", [1, 1, 2, 4])
    flat_block = c.of("block.flat", [0, 0, 1]) and by > 1
    if flat_block:
        k.set_block(bx * by)
    else:
        k.set_block(bx, by)
    bm, bn = by * tm, bx * tn
    bk = c.number("BK", [4, 8, 16, 8, 5, 12, 16, by, bx])
    BM, BN = k.const("BM", bm), k.const("BN", bn)
    BK = k.const("BK", bk, scalable=True)
    size, tiles, ragged = _bound(k, BK, 50, size_name="K")
    m_ragged = c.of("M.ragged", [0, 1]) and c.allowed("guard-ternary")
    n_ragged = c.of("N.ragged", [0, 1]) and c.allowed("guard-ternary")
    ld = "K"
    if tiles:
        ld = mul(tiles, BK)
        if c.of("ld", [0, 1]):
            k.scalar("lda", "int", mul(tiles, BK.name))
            k.taken.add("lda")
            ld = "lda"
    k.axis = (size, tiles, BK, ragged)
    k.spans = [("M", BM, m_ragged, 2), ("N", BN, n_ragged, 2)]
    k.grid = ["ceildiv(N, BN)", "ceildiv(M, BM)"]
    loop = Loop(k, "loop", BK, size, tiles, ragged)
    depth = size or mul(tiles, BK.name)

    named = c.of("origin", [0, 1])
    row0, col0 = mul("blockIdx.y", BM), mul("blockIdx.x", BN)
    if named:
        r, cl = k.name("row0", ["row0", "rowStart", "by0"]), k.name("col0", ["col0", "colStart", "bx0"])
        k.before += ["const int {} = {};".format(r, row0), "const int {} = {};".format(cl, col0)]
        row0, col0 = r, cl
    names = c.of("names", [("As", "Bs"), ("sA", "sB"), ("a_tile", "b_tile"), ("s_a", "s_b"),
                           ("tileA", "tileB")])
    elem = _elements(k, "A", {"elem-float": 60, "elem-double": 8, "elem-int": 10, "elem-int8": 10,
                              "elem-half": 10})
    elem_b = elem if c.of("same", [1, 1, 1, 0]) else _elements(k, "B", {
        "elem-float": 60, "elem-half": 10, "elem-int8": 10})
    kind = common_kind([elem.kind, elem_b.kind])
    if c.of("A.t", [0, 0, 0, 1]):
        a = Tile(names[0], "A", elem, [BK, BM], Down(row0, "M", m_ragged, size, ragged, "M", BK))
        read_a = lambda i, kk: a.at([kk, i])
    else:
        a = Tile(names[0], "A", elem, [BM, BK], Along(row0, "M", m_ragged, size, ragged, ld, BK))
        read_a = lambda i, kk: a.at([i, kk])
    if c.of("B.t", [0, 0, 1]):
        b = Tile(names[1], "B", elem_b, [BN, BK], Along(col0, "N", n_ragged, size, ragged, ld, BK))
        read_b = lambda kk, j: b.at([j, kk])
    else:
        b = Tile(names[1], "B", elem_b, [BK, BN], Down(col0, "N", n_ragged, size, ragged, "N", BK))
        read_b = lambda kk, j: b.at([kk, j])
    k.taken.update((names[0], names[1], "A", "B"))
    made = [a, b]
    extra = c.number("extra", [0, 0, 0, 0, 1, 2])
    if extra and size:
        for n in range(extra):
            source, name = [("scale", "scales"), ("zero", "zeros")][n]
            k.taken.update((source, name))
            made.append(Tile(name, source, _elements(k, source, {"elem-float": 5, "elem-double": 1,
                                                                 "elem-int": 2}), [BK],
                             Flat(size, ragged, 1, "", BK)))
    c.use("tiles-{}".format(len(made)))
    if size == "K":
        k.scalar("M", "int"), k.scalar("N", "int"), k.scalar("K", "int")
    else:
        k.scalar("M", "int"), k.scalar("N", "int"), k.scalar(tiles, "int")
    for tile in made:
        plan(k, tile, loop)
        amount = {"A": mul("M", paren(depth)), "B": mul("N", paren(depth))}.get(tile.source, depth)
        k.pointer(tile.source, tile.source_elem, amount)
        k.cost += 2 * tile.size()
    choose(k, made)
    kind = common_kind([t.elem.kind for t in made])
    k.cost += k.threads * bk * (tm * tn + tm + tn)

    acc = _accumulator(k, kind)
    if flat_block:
        tx, ty = "col", "row"
        k.taken.update(("col", "row"))
        k.opening = ["const int row = {} / {};".format(k.tid(), bx),
                     "const int col = {} % {};".format(k.tid(), bx)]
    else:
        tx, ty = k.tx(), k.ty()
        k.opening = []
    strided = c.of("thread.tile", [0, 1])
    row = (lambda i: add(mul(i, by), ty)) if strided else (lambda i: add(mul(ty, tm), i))
    col = (lambda j: add(mul(j, bx), tx)) if strided else (lambda j: add(mul(tx, tn), j))
    c.use("compute-dot")

    def term(i, j):
        product = "{} * {}".format(value(a.elem, kind, read_a(i, "k")), value(b.elem, kind, read_b("k", j)))
        for tile in made[2:]:
            product += " * " + value(tile.elem, kind, tile.at(["k"]))
        return product

    unroll = k.unroll("k")
    if tm * tn == 1:
        inner = ["{} += {};".format(acc, term(ty, tx))]
        compute = unroll + [Block("for (int k = 0; k < {}; ++k)".format(BK), inner)]
        opening = ["{} {} = {};".format(kind, acc, _ZERO[kind])]
        results = ["out[({}) * N + {}] = {};".format(add(row0, ty), add(col0, tx), acc)]
        tests = [("M", add(row0, ty), m_ragged), ("N", add(col0, tx), n_ragged)]
    else:
        if c.of("fragments", [0, 1]):
            fa, fb = k.name("fa", ["a_frag", "regA", "ra"]), k.name("fb", ["b_frag", "regB", "rb"])
            extra_terms = "".join(" * " + value(t.elem, kind, t.at(["k"])) for t in made[2:])
            inner = ["{} {}[{}], {}[{}];".format(kind, fa, tm, fb, tn),
                     Block("for (int i = 0; i < {}; ++i)".format(tm), [
                         "{}[i] = {};".format(fa, value(a.elem, kind, read_a(row("i"), "k")))]),
                     Block("for (int j = 0; j < {}; ++j)".format(tn), [
                         "{}[j] = {};".format(fb, value(b.elem, kind, read_b("k", col("j"))))]),
                     Block("for (int i = 0; i < {}; ++i)".format(tm), [
                         Block("for (int j = 0; j < {}; ++j)".format(tn), [
                             "{}[i][j] += {}[i] * {}[j]{};".format(acc, fa, fb, extra_terms)])])]
        else:
            inner = [Block("for (int i = 0; i < {}; ++i)".format(tm), [
                Block("for (int j = 0; j < {}; ++j)".format(tn), [
                    "{}[i][j] += {};".format(acc, term(row("i"), col("j")))])])]
        compute = unroll + [Block("for (int k = 0; k < {}; ++k)".format(BK), inner)]
        opening = ["{} {}[{}][{}] = {{}};".format(kind, acc, tm, tn)]
        r, cl = add(row0, row("i")), add(col0, col("j"))
        results = ["out[({}) * N + {}] = {}[i][j];".format(r, cl, acc)]
        tests = [("M", r, m_ragged), ("N", cl, n_ragged)]
    conditions = ["{} < {}".format(text, name) for name, text, rag in tests if rag]
    if conditions:
        results = [Block("if ({})".format(" && ".join(conditions)), results)]
    if tm * tn > 1:
        results = [Block("for (int i = 0; i < {}; ++i)".format(tm), [
            Block("for (int j = 0; j < {}; ++j)".format(tn), results)])]
    outside, body = _around(k, made, loop, compute)
    opening_names = [s for s in k.before if s.startswith("const int")]
    body = [s for s in body if s not in opening_names]
    k.body = outside + k.opening + opening_names + opening + _condition_gemm(k, body) + results
    k.pointer("out", out_elem(kind), "M * N", role="output", const=False)


def _condition_gemm(k, body):
    if k.choices.flag("uniform.if", "context-uniform-if", 5):
        return [Block("if (blockIdx.x + blockIdx.y < 3)", body)]
    return body


# --- rows ------------------------------------------------------------------------------------------
def rows(k):
    c = k.choices
    k.before, k.shared, k.repeated = [], [], False
    bx, by = c.of("block", [(8, 4), (16, 4), (32, 2), (8, 8), (4, 3), (32, 8), (16, 16), (64, 1)])
    if "block-odd" in c.off or "block-small" in c.off or "block-large" in c.off:
        bx, by = 16, 4
    k.set_block(bx, by)
    R = k.const("ROWS", by * c.number("R", [1, 2, 3]))
    BK = k.const("BK", c.number("BK", [8, 16, bx, 2 * bx, 20, 12]), scalable=True)
    size, tiles, ragged = _bound(k, BK, 50)
    m_ragged = c.of("M.ragged", [0, 1]) and c.allowed("guard-ternary")
    k.axis, k.spans = (size, tiles, BK, ragged), [("M", R, m_ragged, 3)]
    k.grid = ["ceildiv(M, ROWS)"]
    ld = size or mul(tiles, BK)
    loop = Loop(k, "loop", BK, size, tiles, ragged)
    row0 = mul("blockIdx.x", R)
    elem = _elements(k, "mat", {"elem-float": 50, "elem-double": 8, "elem-half": 8, "elem-int8": 8,
                                "elem-int": 8, "elem-short": 5, "elem-bits16": 5})
    elem_v = _elements(k, "vec", {"elem-float": 50, "elem-double": 8, "elem-int": 8, "elem-half": 8})
    mat = Tile("mats", "mat", elem, [R, BK], Along(row0, "M", m_ragged, size, ragged, ld, BK))
    vec = Tile("vecs", "vec", elem_v, [BK], Flat(size, ragged, 1, "", BK))
    k.taken.update(("mats", "mat", "vecs", "vec"))
    made = [mat, vec]
    c.use("tiles-2")
    k.scalar("M", "int"), k.scalar(size or tiles, "int")
    depth = size or mul(tiles, BK.name)
    for tile in made:
        plan(k, tile, loop)
        k.cost += 2 * tile.size()
        k.pointer(tile.source, tile.source_elem, depth if tile is vec else mul("M", paren(depth)))
    choose(k, made)
    kind = common_kind([t.elem.kind for t in made])
    acc = _accumulator(k, kind)
    each = R.value // by
    k.cost += 2 * R.value * BK.value
    inner = Block("for (int j = {}; j < {}; j += {})".format(k.tx(), BK, bx), [
        "{} = {} * {} + {} * {};".format(
            acc + ("[i]" if each > 1 else ""), acc + ("[i]" if each > 1 else ""), _DECAY[kind],
            value(mat.elem, kind, mat.at([add(k.ty(), mul("i", by) if each > 1 else ""), "j"])),
            value(vec.elem, kind, vec.at(["j"])))])
    row = add(row0, k.ty(), mul("i", by) if each > 1 else "")
    write = ["out[({}) * {} + {}] = {};".format(row, bx, k.tx(), acc + ("[i]" if each > 1 else ""))]
    if m_ragged:
        write = [Block("if ({} < M)".format(row), write)]
    compute = [inner]
    opening = ["{} {} = {};".format(kind, acc, _ZERO[kind])]
    if each > 1:
        compute = [Block("for (int i = 0; i < {}; ++i)".format(each), [inner])]
        write = [Block("for (int i = 0; i < {}; ++i)".format(each), write)]
        opening = ["{} {}[{}] = {{}};".format(kind, acc, each)]
    outside, body = _around(k, made, loop, compute)
    k.body = outside + opening + body + write
    k.pointer("out", out_elem(kind), mul("M", bx), role="output", const=False)


# --- conv ------------------------------------------------------------------------------------------
def conv(k):
    c = k.choices
    k.before, k.shared, k.repeated = [], [], False
    threads = c.number("threads", [32, 64, 16, 48, 24])
    if "block-odd" in c.off or "block-small" in c.off:
        threads = 32
    k.set_block(threads)
    radius = c.number("radius", [1, 2, 3, 4])
    group = c.number("group", [1, 2, 4])
    P = k.const("POS", threads)
    R = k.const("RADIUS", radius)
    taps = 2 * radius + 1
    weights_count = k.const("TAPS", taps * group)
    row_size = k.const("ROW", threads + 2 * radius)
    k.axis, k.spans = (None, "channels", 1, False), [("L", P, True, 3)]
    k.taken.add("channels")
    loop = Loop(k, "loop", 1, None, "channels", False)
    elem = _elements(k, "img", {"elem-float": 50, "elem-double": 8, "elem-int": 8, "elem-half": 6,
                                "elem-int8": 6, "elem-float2": 6})
    first = k.name("origin", ["origin", "start", "x0"])
    k.before.append("const int {} = {};".format(first, mul("blockIdx.x", P)))
    image = Tile("line", "img", elem, [row_size], Halo("L", first, R, k.name("x", ["x", "gx", "column"])))
    filt = Tile("weights", "taps", _elements(k, "taps", {"elem-float": 5, "elem-double": 1,
                                                         "elem-int": 1}), [weights_count],
                Flat(None, False, str(weights_count), "", weights_count))
    k.taken.update(("line", "img", "weights", "taps"))
    made = [image, filt]
    c.use("tiles-2")
    k.scalar("L", "int"), k.scalar("channels", "int")
    for tile in made:
        plan(k, tile, loop)
        k.cost += 2 * tile.size()
        k.pointer(tile.source, tile.source_elem, "channels * " + ("L" if tile is image else "TAPS"))
    choose(k, made)
    kind = common_kind([t.elem.kind for t in made])
    acc = _accumulator(k, kind)
    k.cost += 2 * threads * taps * group
    compute = [Block("for (int q = 0; q < {}; ++q)".format(taps), [
        Block("for (int g = 0; g < {}; ++g)".format(group), [
            "{0}[g] += {1} * {2};".format(acc, value(image.elem, kind, image.at([add(k.tid(), "q")])),
                                          value(filt.elem, kind, filt.at([add(mul("q", group), "g")])))])])]
    outside, body = _around(k, made, loop, compute)
    at = add(first, k.tid())
    k.body = outside + [k.before[0]] + ["{} {}[{}] = {{}};".format(kind, acc, group)] + [
        s for s in body if s != k.before[0]] + [
        Block("if ({} < L)".format(at), [Block("for (int g = 0; g < {}; ++g)".format(group), [
            "out[g * L + {}] = {}[g];".format(at, acc)])])]
    k.grid = ["ceildiv(L, POS)"]
    k.pointer("out", out_elem(kind), mul(group, "L"), role="output", const=False)


# --- pairs -----------------------------------------------------------------------------------------
def pairs(k):
    c = k.choices
    k.before, k.shared, k.repeated = [], [], False
    threads = c.number("threads", [32, 64, 16, 48, 40])
    if "block-odd" in c.off or "block-small" in c.off:
        threads = 32
    k.set_block(threads)
    B = k.const(c.of("B.name", ["BODIES", "TILE", "P"]), threads)
    size, tiles, ragged = _bound(k, B, 60)
    k.axis = (size, tiles, B, ragged)
    total = size or mul(tiles, B.name)
    loop = Loop(k, "loop", B, size, tiles, ragged)
    k.scalar(size or tiles, "int")
    form = c.of("form", ["vector", "vector", "struct", "arrays"])
    made = []
    if form == "arrays":
        for axis in "xyz":
            made.append(Tile("s" + axis, "p" + axis, ELEMENTS["elem-float"], [B],
                             Flat(size, ragged, 1, "", B)))
        c.use("elem-float")
        component = lambda n, j: made[n].at([j])
    else:
        feature = "elem-float4" if form == "vector" else "elem-struct16"
        if not c.allowed(feature):
            feature = "elem-float4"
        c.use(feature)
        made.append(Tile(c.of("tile.name", ["bodies", "shPos", "spos"]), "pos", ELEMENTS[feature], [B],
                         Flat(size, ragged, 1, "", B)))
        component = lambda n, j: made[0].at([j]) + "." + "xyz"[n]
    k.taken.update(t.name for t in made)
    k.taken.update(t.source for t in made)
    c.use("tiles-{}".format(len(made)))
    for tile in made:
        plan(k, tile, loop, vectors=False)
        k.pointer(tile.source, tile.source_elem, total)
        k.cost += 2 * tile.size()
    choose(k, made)
    k.cost += 3 * threads * threads
    blocks = c.number("grid", [1, 2, 3])
    k.grid = [str(blocks)]
    if form == "arrays":
        mine = ["px0[{}]", "py0[{}]", "pz0[{}]"]
    name = k.name("own", ["me", "self", "mine"])
    k.pointer("own", ELEMENTS["elem-float4"], mul(blocks, threads))
    place = add(mul("blockIdx.x", B), k.tid())
    force = _accumulator(k, "float")
    compute = [*k.unroll("j"), Block("for (int j = 0; j < {}; ++j)".format(B), [
        "const float dx = {} - {}.x;".format(component(0, "j"), name),
        "const float dy = {} - {}.y;".format(component(1, "j"), name),
        "const float dz = {} - {}.z;".format(component(2, "j"), name),
        "const float w = 1.0f / (dx * dx + dy * dy + dz * dz + 0.125f);",
        "{0}.x += dx * w;".format(force), "{0}.y += dy * w;".format(force),
        "{0}.z = {0}.z * 0.99f + dz * w;".format(force)])]
    c.use("compute-pairwise")
    outside, body = _around(k, made, loop, compute)
    k.body = outside + ["const float4 {} = own[{}];".format(name, place),
                        "float4 {} = make_float4(0.f, 0.f, 0.f, 0.f);".format(force)] + _condition(
                            k, body) + ["out[{}] = {};".format(place, force)]
    k.pointer("out", ELEMENTS["elem-float4"], mul(blocks, threads), role="output", const=False)


# --- volume ----------------------------------------------------------------------------------------
def volume(k):
    c = k.choices
    k.before, k.shared, k.repeated = [], [], False
    x, y, z = c.of("block", [(8, 4, 1), (8, 4, 2), (4, 4, 4), (16, 2, 1), (5, 3, 2)])
    if "block-odd" in c.off or "block-small" in c.off or "block-3d" in c.off:
        x, y, z = 8, 8, 1
    k.set_block(x, y, z)
    DX, DY = k.const("DX", x * c.number("DX", [1, 1, 2])), k.const("DY", y * c.number("DY", [1, 1, 2]))
    DZ = k.const("DZ", z * c.number("DZ", [1, 2, 3]))
    size, tiles, ragged = _bound(k, DZ, 50, size_name="depth")
    k.taken.add("depth")
    k.axis = (size, tiles, DZ, ragged)
    loop = Loop(k, "loop", DZ, size, tiles, ragged)
    k.scalar(size or tiles, "int")
    elem = _elements(k, "vol", {"elem-float": 50, "elem-double": 8, "elem-int": 10, "elem-uchar": 6,
                                "elem-half": 6, "elem-float2": 5})
    tile = Tile("cells", "vol", elem, [DZ, DY, DX], Slab(DY, DX, size, ragged, DZ))
    k.taken.update(("cells", "vol"))
    c.use("tiles-1")
    plan(k, tile, loop)
    choose(k, [tile])
    k.pointer("vol", tile.source_elem, mul(size or mul(tiles, DZ.name), DY.name, DX.name))
    kind = tile.elem.kind
    acc = _accumulator(k, kind)
    k.cost += 2 * tile.size() + 4 * k.threads * DZ.value // z
    cx, cy = "{} % {}".format(k.tx(), DX), "{} % {}".format(k.ty(), DY)

    def at(zz, yy, xx):
        return value(tile.elem, kind, tile.at([zz, yy, xx]))

    zloop = "for (int s = {}; s < {}; s += {})".format(k.tz() if z > 1 else 0, DZ, z)
    compute = [Block(zloop, [
        "const int cx = {};".format(cx if DX.value == x else "({} * 2 + s) % {}".format(k.tx(), DX)),
        "const int cy = {};".format(cy),
        _step(k, acc, kind, "{} - {} * {}".format(
            at("s", "cy", "cx"), at("s > 0 ? s - 1 : 0", "cy", "{} - 1 - cx".format(DX)),
            at("s", "cy + 1 < {} ? cy + 1 : cy".format(DY), "cx")))])]
    k.taken.update(("cx", "cy", "s"))
    c.use("compute-neighbours")
    outside, body = _around(k, [tile], loop, compute)
    k.body = outside + ["{} {} = {};".format(kind, acc, _ZERO[kind])] + body + [
        "out[{}] = {};".format(k.tid(), acc)]
    k.pointer("out", out_elem(kind), str(k.threads), role="output", const=False)


# --- wmma ------------------------------------------------------------------------------------------
def wmma(k):
    c = k.choices
    k.before, k.shared, k.repeated = [], [], False
    k.async_only = False
    warps = c.number("warps", [1, 2, 4])
    k.set_block(32 * warps)
    BM, BN = k.const("BM", 16), k.const("BN", 16 * warps)
    BK = k.const("BK", c.number("BK", [16, 32]))
    size, tiles, ragged = _bound(k, BK, 40, size_name="K")
    k.axis, k.spans = (size, tiles, BK, ragged), [("M", BM, False, 2), ("N", BN, False, 1)]
    k.grid = ["N / BN", "M / BM"]
    loop = Loop(k, "loop", BK, size, tiles, ragged)
    depth, ld = size or mul(tiles, BK.name), size or mul(tiles, BK)
    half = ELEMENTS["elem-half"]
    c.use("elem-half")
    row0, col0 = mul("blockIdx.y", BM), mul("blockIdx.x", BN)
    a = Tile("As", "A", half, [BM, BK], Along(row0, "M", False, size, ragged, ld, BK))
    b = Tile("Bs", "B", half, [BK, BN], Down(col0, "N", False, size, ragged, "N", BK))
    made = [a, b]
    c.use("tiles-2")
    k.scalar("M", "int"), k.scalar("N", "int"), k.scalar(size or tiles, "int")
    for tile in made:
        plan(k, tile, loop, transposable=False)
        if tile.pad:
            tile.pad = 8
        tile.align = "__align__(32)"
        k.pointer(tile.source, half, mul("M" if tile is a else "N", paren(depth)))
        k.cost += 2 * tile.size() + warps * 512
    choose(k, made)
    k.includes.append("mma.h")
    lda, ldb = a.extents()[-1], b.extents()[-1]
    warp = "{} / 32 * 16".format(k.tid())
    compute = [Block("for (int kk = 0; kk < {}; kk += 16)".format(BK), [
        "nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> a;",
        "nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> b;",
        "nvcuda::wmma::load_matrix_sync(a, &{}, {});".format(a.at(["0", "kk"]), lda),
        "nvcuda::wmma::load_matrix_sync(b, &{}, {});".format(b.at(["kk", warp]), ldb),
        "nvcuda::wmma::mma_sync(c, a, b, c);"])]
    outside, body = _around(k, made, loop, compute)
    k.body = outside + [
        "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c;",
        "nvcuda::wmma::fill_fragment(c, 0.0f);"] + body + [
        "nvcuda::wmma::store_matrix_sync(&out[{} * N + {}], c, N, nvcuda::wmma::mem_row_major);".format(
            paren(row0), add(col0, warp))]
    k.pointer("out", out_elem("float"), "M * N", role="output", const=False)


# --- attention -------------------------------------------------------------------------------------
def attention(k):
    c = k.choices
    k.before, k.shared, k.repeated = [], [], False
    threads = c.number("threads", [32, 16, 64, 24])
    if "block-odd" in c.off or "block-small" in c.off:
        threads = 32
    k.set_block(threads)
    D = k.const("D", c.number("D", [4, 8, 6]))
    BK = k.const("BK", c.number("BK", [8, 16, 12]), scalable=True)
    size, tiles, ragged = _bound(k, BK, 60)
    k.axis, k.spans = (size, tiles, BK, ragged), []
    blocks = c.number("grid", [1, 2])
    k.grid = [str(blocks)]
    loop = Loop(k, "loop", BK, size, tiles, ragged)
    k.scalar(size or tiles, "int")
    total = size or mul(tiles, BK.name)
    elem = _elements(k, "keys", {"elem-float": 60, "elem-half": 20})
    made = []
    for name, source in (("Ks", "keys"), ("Vs", "vals")):
        layout = Down("", None, False, size, ragged, D, BK)
        layout.base = ""
        tile = Tile(name, source, elem, [BK, D], layout)
        k.taken.update((name, source))
        plan(k, tile, loop)
        k.pointer(source, tile.source_elem, mul(paren(total), D.name))
        made.append(tile)
        k.cost += 2 * tile.size()
    choose(k, made)
    k.cost += 2 * threads * BK.value * D.value
    c.use("tiles-2")
    k.pointer("query", ELEMENTS["elem-float"], mul(blocks, threads, D.name))
    q, o = k.name("q", ["q", "qr", "row"]), k.name("o", ["o", "accum", "ov"])
    place = add(mul("blockIdx.x", k.threads_text()), k.tid())
    ks, vs = made
    rest = []
    if ragged:
        rest = [Block("if ({} >= {})".format(add(loop.offset, "j"), size), ["break;"])]
    compute = [Block("for (int j = 0; j < {}; ++j)".format(BK), rest + [
        "float s = 0.0f;",
        Block("for (int d = 0; d < {}; ++d)".format(D), ["s += {}[d] * {};".format(
            q, value(ks.elem, "float", ks.at(["j", "d"])))]),
        "const float high = fmaxf(m, s);",
        "const float scaleOld = expf(m - high), p = expf(s - high);",
        "l = l * scaleOld + p;",
        Block("for (int d = 0; d < {}; ++d)".format(D), ["{0}[d] = {0}[d] * scaleOld + p * {1};".format(
            o, value(vs.elem, "float", vs.at(["j", "d"])))]),
        "m = high;"])]
    k.taken.update(("m", "l", "s", "d", "p", "high"))
    outside, body = _around(k, made, loop, compute)
    copy = Block("for (int d = 0; d < {}; ++d)".format(D), [
        "{}[d] = query[({}) * {} + d];".format(q, place, D), "{}[d] = 0.0f;".format(o)])
    k.body = outside + ["float {}[{}], {}[{}];".format(q, D, o, D), copy,
                        "float m = -1e30f, l = 0.0f;"] + body + [
        Block("for (int d = 0; d < {}; ++d)".format(D), [
            "out[({}) * {} + d] = {}[d] / (l + 1e-6f);".format(place, D, o)])]
    k.pointer("out", out_elem("float"), mul(blocks, threads, D.name), role="output", const=False)


FAMILIES = {
    "family-stream": (stream, 42), "family-gemm": (gemm, 30), "family-rows": (rows, 10),
    "family-conv": (conv, 5), "family-pairs": (pairs, 5), "family-volume": (volume, 5),
    "family-wmma": (wmma, 3), "family-attention": (attention, 4)}
