# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is done with the additional tile of extra.py, how the barriers around it are written, and what else
the body of the loop can hold."""

from .code import Block, add, mul, paren
from .elements import ELEMENTS, value
from .extra_reads import asserts, prints, tile_of_warp
from .features import HEADLESS

BARRIER = "__syncthreads();"


class Work:
    """emit(s, own). elems: None: anything; needs: as in extra_copies.py; warps: whole ones; power: of two;
    whole: all elements are loaded; rows: at least that many elements; aligned: to 16 bytes."""

    def __init__(self, emit, elems=None, needs=None, warps=False, power=False, least=1, aligned=0):
        self.emit, self.elems, self.needs, self.warps, self.power = emit, elems, needs, warps, power
        self.least, self.aligned = least, aligned


def _some(s, own, shift=0):
    """An element that another thread has loaded."""
    if own.limit:
        return own.read("({} + {}) % {}".format(s.tid, 1 + shift, own.limit))
    if shift == 0:
        return own.read("{} - 1 - {}".format(own.count, s.tid))
    return own.read("({} + {}) % {}".format(s.tid, shift, own.count))


def mirror(s, own):
    statements = [s.see(own.elem, _some(s, own))]
    if own.rows > 1 and not own.limit:
        statements.append(s.see(own.elem, own.at("0", s.mirrored())))
    s.compute(*statements)


def total(s, own):
    if own.array and own.complete and not own.limit and not own.reads and s.k.choices.flag(
            "total.words", "words-range", 50):
        return s.compute(Block("for ({} e : {})".format(
            s.of("total.name", ["const {} &", "{}", "auto", "const auto &"]).format(own.elem.name), own.array), [
                s.see(own.elem, "e")]))
    step = "++q"
    if not own.limit and own.count > 64:
        step = "q += {}".format(own.count // 32 | 1)
    elif own.limit:
        step = "q += {}".format(max(1, own.count // 32))
    s.compute(Block("for (int q = 0; q < {}; {})".format(own.readable(), step),
        [s.see(own.elem, own.read("q"))]))


def _function(s, own, reference):
    kind, elem = own.elem.kind, own.elem
    name = ("foldIn" if reference else "foldOf") + "".join(w.capitalize() for w in elem.name.strip("_").split())
    parameter = "const {} (&a)[N]".format(elem.name) if reference else "const {} *a".format(elem.name)
    head = ["template <int N>"] if reference else []
    s.k.helper(name, head + ["__device__ {}{} {}({}, int i, int n) {{".format(
        s.of("fold.words", ["", "__forceinline__ ", "inline ", "__noinline__ "]), kind, name, parameter),
        "  return {} - {};".format(value(elem, kind, "a[i % n]"), value(elem, kind, "a[(i + 1) % n]")), "}"])
    text = "{}({}, {}, {})".format(name, own.array if reference else own.pointer, s.tid, own.readable())
    s.compute("{0} = {0} * {1} + {2};".format(s.seen, s.decay(), text))


def by_pointer(s, own):
    _function(s, own, False)


def by_reference(s, own):
    _function(s, own, True)


def by_lambda(s, own):
    name = s.name("peek", ["peek_", "readBack"])
    s.compute("auto {} = [&](int i) {{ return {}; }};".format(name, own.flat("i")),
              s.see(own.elem, "{}({} % {})".format(name, s.tid, own.readable())))


def asm_registers(s, own):
    s.compute(Block("", ["float x_ = {};".format(_some(s, own)),
                         'asm {}("fma.rn.f32 %0, %0, 0f3F7D70A4, %1;" : "+f"({}) : "f"(x_));'.format(
                             s.of("asm.volatile", ["volatile", "volatile", ""]), s.seen)]))


def asm_shared(s, own):
    place = own.limit and "({} % {})".format(s.tid, own.limit) or s.of("asm.place", [s.mirrored(), s.tid])
    form = s.of("asm.form", ["at", "base", "clobber"])
    address = "&{}".format(own.flat(place))
    index = ""
    if form == "base" and own.pointer:
        address, index = own.pointer, " + 4 * {}".format(paren(place))
    s.compute(Block("", ["unsigned a_ = {}(__cvta_generic_to_shared({})){};".format(
        s.of("asm.cast", ["static_cast<unsigned>", "(unsigned)"]), address, index), "float x_;",
        'asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x_) : "r"(a_){});'.format(
            ' : "memory"' if form == "clobber" else ""), s.see(own.elem, "x_")]))


def ldmatrix(s, own):
    s.compute(Block("", [
        "unsigned m_, a_ = __cvta_generic_to_shared({} + 4 * ({} % 8));".format(own.pointer, s.tid),
        'asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(m_) : "r"(a_));',
        s.see(ELEMENTS["elem-float"], "(float)(m_ & 0xff)")]))


def mma(s, own):
    """A product of fragments that come from the tile."""
    frags = s.name("frags", ["dFrag", "cAcc"])
    s.before.append("float {}[4] = {{}};".format(frags))
    reads = ["__float_as_uint({})".format(_some(s, own, n)) for n in range(6)]
    s.compute(Block("", [
        "unsigned f_[6] = {{{}}};".format(", ".join(reads)),
        'asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {{%0, %1, %2, %3}}, {{%4, %5, %6, %7}}, '
        '{{%8, %9}}, {{%0, %1, %2, %3}};" : "+f"({0}[0]), "+f"({0}[1]), "+f"({0}[2]), "+f"({0}[3]) : "r"(f_[0]), '
        '"r"(f_[1]), "r"(f_[2]), "r"(f_[3]), "r"(f_[4]), "r"(f_[5]));'.format(frags),
        "{0} = {0} * 0.99f + {1}[0] * 0.125f - {1}[3];".format(s.seen, frags)]))


def wmma(s, own):
    """16 x 16 halves."""
    if "mma.h" not in s.k.includes:
        s.k.includes.append("mma.h")
    space = "nvcuda::wmma::"
    s.compute(Block("", [
        space + "fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> a_;",
        space + "fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::col_major> b_;",
        space + "fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c_;",
        space + "fill_fragment(c_, 0.0f);",
        space + "load_matrix_sync(a_, {}, 16);".format(own.pointer),
        space + "load_matrix_sync(b_, {}, 16);".format(own.pointer),
        space + "mma_sync(c_, a_, b_, c_);", s.see(ELEMENTS["elem-float"], "c_.x[0]")]))


def _scratch(s, kind, count=None):
    name = s.name("scratch", ["scratch_", "partials_", "exchange"])
    s.outside.append("__shared__ {} {}[{}];".format(kind, name, count or s.k.threads))
    return name


def inner_barriers(s, own):
    name = _scratch(s, s.seen_kind)
    s.compute("{}[{}] = {} - {};".format(name, s.tid, s.seen, value(own.elem, s.seen_kind, _some(s, own))), BARRIER,
              "{0} = {0} * {1} + {2}[{3}];".format(s.seen, s.decay(), name, s.mirrored()), BARRIER)


def reduction(s, own):
    """By halves, with a barrier in each turn."""
    name = _scratch(s, s.seen_kind)
    s.compute("{}[{}] = {};".format(name, s.tid, value(own.elem, s.seen_kind, _some(s, own))), BARRIER,
              Block("for (int half_ = {} / 2; half_ > 0; half_ /= 2)".format(s.P), [
                  Block("if ({} < half_)".format(s.tid), ["{0}[{1}] += {0}[{1} + half_];".format(name, s.tid)]), BARRIER]),
              "{0} = {0} * {1} + {2}[0];".format(s.seen, s.decay(), name), BARRIER)


def own_scratch(s, own):
    name = _scratch(s, s.seen_kind)
    s.compute("{}[{}] = {};".format(name, s.tid, value(own.elem, s.seen_kind, _some(s, own))),
              "{0} = {0} * {1} + {2}[{3}];".format(s.seen, s.decay(), name, s.tid))


def shuffle(s, own):
    s.compute(Block("", ["{} v_ = {};".format(s.seen_kind, value(own.elem, s.seen_kind, _some(s, own))),
                         Block("for (int delta = 16; delta > 0; delta >>= 1)", [
                             "v_ += __shfl_{}_sync(0xffffffff, v_, delta);".format(s.of("shfl", ["xor", "down"]))]),
                         "{0} = {0} * {1} + v_;".format(s.seen, s.decay())]))


def atomics(s, own):
    """A histogram in shared memory."""
    name = _scratch(s, "int", 8)
    s.compute(Block("if ({} < 8)".format(s.tid), ["{}[{}] = 0;".format(name, s.tid)]), BARRIER,
              "atomicAdd(&{}[(int){} & 7], 1);".format(name, paren(_some(s, own))), BARRIER,
              s.see(ELEMENTS["elem-int"], "{}[{} & 7]".format(name, s.tid)), BARRIER)


def counted(s, own):
    """A histogram by a function whose result nobody takes."""
    name = _scratch(s, "int", 8)
    s.k.helper("countOne", ["__device__ {}int countOne(int *at) {{".format(s.of("counted.words", ["", "__forceinline__ ", "inline "])),
                            "  return atomicAdd(at, 1);", "}"])
    s.compute(Block("if ({} < 8)".format(s.tid), ["{}[{}] = 0;".format(name, s.tid)]), BARRIER,
              s.of("counted.void", ["countOne(&{}[(int){} & 7]);", "(void)countOne({} + ((int){} & 7));"]).format(
                  name, paren(_some(s, own))), BARRIER, s.see(ELEMENTS["elem-int"], "{}[{} & 7]".format(name, s.tid)), BARRIER)


def vectors(s, own):
    """Four elements at once."""
    s.compute(Block("", ["const float4 v_ = *reinterpret_cast<const float4 *>(&{});".format(
        own.flat("4 * ({} % {})".format(s.tid, own.count // 4))), s.see(own.elem, "(v_.x - v_.y * v_.z + v_.w)")]))


def walked(s, own):
    """A pointer that goes through the tile."""
    name = s.name("walker", ["walker", "from_tile"])
    count = min(own.count, 24)
    s.compute(Block("", ["const {} *{} = {};".format(own.elem.name, name, own.pointer), Block(
        "for (int q = 0; q < {}; ++q)".format(min(count, int(own.limit)) if own.limit and own.limit.isdigit() else
                                              own.limit or count), [
            "const {} got_ = *{}++;".format(own.elem.name, name), s.see(own.elem, "got_")])]))


def stored(s, own):
    """What has been read of each tile goes to memory."""
    count = "({} + 2) * {}".format(s.trips(), s.k.threads)
    sink = s.feed(ELEMENTS["elem-" + s.seen_kind], count=count, key="sink", const=False, restrict=True, parts=True)
    pitch = s.scalar(s.name("pitch", ["pitch", "per_block"]), count)
    s.k.restrict_all = True
    s.compute(s.see(own.elem, _some(s, own)),
              "{}[{} * {} + {}] = {};".format(sink, s.block(), pitch, s.at(s.turn()), s.seen))


def before(s, own):
    """What the state was before this tile: copied in front of the barrier, used behind it."""
    name = s.name("state.before", ["before", "previous_", "oldSum"])
    (s.front if s.of("state.at", [0, 1]) else s.back).append("{}{} {} = {};".format(
        s.of("state.const", ["", "const "]), s.seen_kind, name, s.seen))
    s.compute(s.see(own.elem, _some(s, own)), "{0} = {0} + {1};".format(
        s.seen, "{} * 3u".format(name) if s.seen_kind == "unsigned" else "0.125f * {}".format(name)))


def weights(s, own):
    """What the compute phase needs is computed in front of the barrier."""
    elem = ELEMENTS["elem-int" if s.seen_kind == "unsigned" else "elem-float"]
    many = s.of("weights.many", [1, 2, 4])
    feed = s.feed(elem, count="({} + 2) * {}".format(s.trips(), many), key="weights", restrict=True)
    name, twice = s.name("weight", ["weight", "rowScale"]), s.name("weight.twice", ["twice_", "doubled"])
    place = s.turn()
    if many == 1:
        s.front.append("{} {} = {}[{}];".format(elem.name, name, feed, place))
    else:
        s.front += ["{} {} = {};".format(elem.name, name, elem.zero[0]), Block(
            "for (int q = 0; q < {}; ++q)".format(many), ["{} += {}[{}];".format(name, feed,
                add(mul(place, many), "q"))])]
    used = name
    if s.of("weights.twice", [0, 1]):
        s.back.append("const {} {} = {} * 2;".format(elem.name, twice, name))
        used = twice
    s.compute(s.see(own.elem, _some(s, own)), s.see(elem, used))


def behind(s, own):
    """The last tile is read behind the loop, too, through what was made in front of it."""
    mirror(s, own)
    name, elem = s.name("last.tile", ["lastTile", "left_", "kept"]), own.elem.name
    forms = ["pointer", "structure", "name"] + ["reference"] * bool(own.array)
    form = s.of("behind.form", forms if own.pointer else ["name"])
    element = own.flat
    if form == "pointer":
        s.before.append("{}{} *{}{} = {};".format(s.of("behind.const", ["const ", ""]), elem, s.of(
            "behind.fixed", ["", "const "]), name, own.pointer))
    elif form == "reference":
        s.before.append("const {} (&{})[{}] = {};".format(elem, name, own.count, own.array))
    elif form == "structure":
        kind = s.name("last.type", ["Place", "Kept"])
        s.k.structs.append(["struct {} {{".format(kind), "  const {} *first;".format(elem), "};"])
        s.before.append("{} {} = {{{}}};".format(kind, name, own.pointer))
        name += ".first"
    if form != "name":
        element = lambda i: "{}[{}]".format(name, i)
    read = s.see(own.elem, element("({} + 1) % {}".format(s.tid, paren(own.readable()))))
    if s.of("behind.none", ["counted", "filled"]) == "counted":
        turns = s.name("behind.turns", ["turns", "tilesSeen"])
        s.before.append("int {} = 0;".format(turns))
        s.loop.bumps.append((s.of("turns.at", ["between", "compute", "end"]), "++{};".format(turns)))
        reads = [Block("if ({} > 0)".format(turns), [read])]
    else:
        # For the loop that takes no turn.
        s.before += [Block("for (int q = {}; q < {}; q += {})".format(s.tid, own.count, s.P), [
            "{} = {};".format(own.flat("q"), own.elem.other)]), BARRIER]
        reads = [read]
    s.after[0:0] = reads
    if s.k.repeated:
        s.after.append(BARRIER)


def results(s, own):
    """Functions that write what they find to variables of the thread."""
    s.compute(Block("", ["float s_, c_;", "int e_;", "{}({}, &s_, &c_);".format(
        s.of("results.function", ["sincosf", "__sincosf"]), _some(s, own)), s.see(
            ELEMENTS["elem-float"], "(s_ * c_ + frexpf(s_, &e_))")]))


def mode(s, own):
    """What only some instantiations are, as a condition."""
    k = s.k
    if k.const_style in (None, "const-literal"):
        return s.of("constexpr.plain", ["sizeof({}) == 4", "sizeof({}) > 4", "alignof({}) != 2"]).format(
            own.elem.name)
    name = s.name("constexpr.name", ["REVERSED", "MODE", "Transposed"])
    if name not in k.modes:
        k.modes.append(name)
    return s.of("constexpr.test", ["{} == 1", "{} != 0", "{} > 0", "!({} == 0)"]).format(
        k.const(name, s.of("constexpr.value", [0, 1])))


def by_branch(s, own):
    """What an instantiation does with the tile, another does not."""
    s.compute(Block("if constexpr ({})".format(mode(s, own)), [s.see(own.elem, _some(s, own))],
                    Block("", [s.see(own.elem, _some(s, own, 1))])))


def by_macro(s, own):
    """Statements that come out of a macro, or are in one that is a header."""
    if s.of("macro.form", ["value", "header"]) == "value":
        name = s.of("macro.name", ["ADD_TO", "ACCUMULATE"])
        s.k.macros.append("#define {}(sum, x) (sum) = (sum) * {} + (x)".format(name, s.decay()))
        s.compute("{}({}, {});".format(name, s.seen, value(own.elem, s.seen_kind, _some(s, own))))
    else:
        name = s.of("macro.name", ["REPEAT", "UP_TO"])
        s.k.macros.append("#define {}(i, n) for (int i = 0; i < (n); ++i)".format(name))
        s.compute(Block("{}(q, 3)".format(name), [s.see(own.elem, own.flat("({} + q) % {}".format(
            s.tid, paren(own.readable()))))]))


WORK = {
    "work-mirror": Work(mirror), "work-total": Work(total), "work-by-pointer": Work(by_pointer, needs="pointer"),
    "work-by-reference": Work(by_reference, needs="array"), "work-lambda": Work(by_lambda),
    "work-asm-registers": Work(asm_registers, ("elem-float",)),
    "work-asm-shared": Work(asm_shared, ("elem-float",)),
    "work-ldmatrix": Work(ldmatrix, ("elem-float",), "pointer", warps=True, least=32, aligned=16),
    "work-mma": Work(mma, ("elem-float",), warps=True),
    "work-wmma": Work(wmma, ("elem-half",), "pointer", warps=True, least=256, aligned=32),
    "work-barriers": Work(inner_barriers), "work-reduction": Work(reduction, power=True),
    "work-scratch": Work(own_scratch), "work-shuffle": Work(shuffle, warps=True),
    "work-atomics": Work(atomics, ("elem-int", "elem-short"), least=8),
    "work-counted": Work(counted, ("elem-int", "elem-short"), least=8),
    "work-vectors": Work(vectors, ("elem-float",), "pointer", least=4, aligned=16), "work-walked": Work(walked, needs="pointer"),
    "work-stored": Work(stored), "work-macro": Work(by_macro), "work-before": Work(before),
    "work-weights": Work(weights),
    "work-behind": Work(behind), "work-constexpr": Work(by_branch),
    "work-results": Work(results, ("elem-float",)),
    "work-prints": Work(prints), "work-asserts": Work(asserts),
    "work-tile-of-warp": Work(tile_of_warp, ("elem-float",), warps=True)}


# --- Barriers ----------------------------------------------------------------------------------------
def block_group(s):
    if "cooperative_groups.h" not in s.k.includes:
        s.k.includes.append("cooperative_groups.h")
    name = s.name("cta", ["cta_", "blockGroup"])
    text = "{} {} = cooperative_groups::this_thread_block();".format(
        s.of("cta.type", ["auto", "cooperative_groups::thread_block"]), name)
    if text not in s.outside:
        s.outside.append(text)
    return name


def _sync_cg(s):
    return "cooperative_groups::sync({});".format(block_group(s))


def _sync_member(s):
    return block_group(s) + ".sync();"


def _sync_temporary(s):
    block_group(s)
    return "cooperative_groups::this_thread_block().sync();"


def _sync_asm(s):
    return s.of("sync.asm", ['asm volatile("bar.sync 0;" ::: "memory");', 'asm volatile("bar.sync 0;\\n" : : : "memory");',
                             'asm volatile("barrier.sync 0;" ::: "memory");'])


def _sync_function(s):
    s.k.helper("waitForBlock", ["__device__ {}void waitForBlock() {{".format(
        s.of("sync.words", ["", "__forceinline__ ", "static inline "])), "  __syncthreads();", "}"])
    return "waitForBlock();"


def _sync_template(s):
    s.k.helper("waitIf", ["template <bool WAIT> __device__ __forceinline__ void waitIf() {",
                          "  if constexpr (WAIT)", "    __syncthreads();", "}"])
    return "waitIf<true>();"


def _sync_macro(s):
    text = s.of("sync.macro", ["#define BLOCK_WAIT __syncthreads()", "#define BLOCK_WAIT do { __syncthreads(); } while (0)"])
    if text not in s.k.macros:
        s.k.macros.append(text)
    return "BLOCK_WAIT;"


def _sync_constexpr(s):
    return Block("if constexpr ({})".format(s.of("sync.constexpr", ["true", "sizeof(float) == 4", "{} > 0".format(
        s.k.threads)])), [BARRIER])


def _sync_lambda(s):
    name = s.name("waits", ["syncAll", "wait_"])
    text = "auto {} = [&] {{ __syncthreads(); }};".format(name)
    if text not in s.outside:
        s.outside.append(text)
    return name + "();"


def _sync_method(s):
    text = ["struct BlockBarrier {", "  static __device__ __forceinline__ void wait() { __syncthreads(); }", "};"]
    if text not in s.k.structs:
        s.k.structs.append(text)
    return "BlockBarrier::wait();"


def nested(s):
    """The last barrier of a turn is one of the compute phase's: in an inner loop, or it counts."""
    form, more = s.of("sync.nested", ["loop", "halves", "count", "down"]), s.name("waiting", ["lap", "w_"])
    folds = "{0} = {0} + 1;".format(s.seen)
    if form == "count":
        return "{0} = {0} + __syncthreads_count({1} {2});".format(s.seen, s.tid, s.of("sync.count", ["> 2", "& 1"]))
    head = {"loop": "for (int {0} = 0; {0} < 2; ++{0})", "halves": "for (int {0} = 4; {0} > 0; {0} >>= 1)",
            "down": "for (int {0} = 3; {0}--;)"}[form].format(more)
    return Block(head, [folds, BARRIER])


SYNCS = {"sync-plain": lambda s: BARRIER, "sync-cg": _sync_cg, "sync-member": _sync_member,
         "sync-temporary": _sync_temporary, "sync-number": lambda s: "__barrier_sync(0);", "sync-asm": _sync_asm,
         "sync-function": _sync_function, "sync-template": _sync_template, "sync-macro": _sync_macro,
         "sync-constexpr": _sync_constexpr, "sync-lambda": _sync_lambda, "sync-method": _sync_method}


def partial(s):
    """No barrier of the whole block: a race, where the block is more than a warp."""
    if s.k.threads % 32 or s.k.threads == 32:
        return s.of("partial", [Block("if constexpr (false)", [BARRIER]), None])
    return s.of("partial", [
        "cooperative_groups::tiled_partition<32>({}).sync();".format(block_group(s)), "__syncwarp();",
        'asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");', Block("if constexpr (false)", [BARRIER]),
        "__barrier_sync_count(1 + {} / 32, 32);".format(s.tid)])


# --- What else the body holds ---------------------------------------------------------------------------
def one_more_bound(s, own):
    """One more bound, which is looked at at the top of a turn."""
    if s.loop.form in HEADLESS or s.loop.barrier_first:
        return
    most = s.scalar(s.name("most", ["most", "cutoff"]), s.of("most", ["{} + 1", "{}", "3"]).format(s.trips()))
    s.loop.top.insert(0, Block("if ({} >= {})".format(s.turn(), most), ["break;"]))


def pair(s, own):
    """Another tile is loaded and worked on in the same iteration. `spoil`: it depends on what comes before."""
    elem = ELEMENTS[s.of("pair.elem", ["elem-float", "elem-int"])]
    # The blocks would race with each other.
    alone = "if (gridDim.x * gridDim.y == 1)"
    writes = s.spoil == "pair-source"
    name, more = s.name("second", ["later_", "valuesTile"]), s.feed(elem, key="tags2", const=not writes)
    at, column = s.at(s.turn()), s.tid
    if s.spoil == "pair-index":
        column = "({} + ({} > 1 ? 1 : 0)) % {}".format(s.tid, s.seen, s.P)
        at = add(mul(s.turn(), s.P), column)
    if s.spoil == "pair-tile" and own.elem.name == elem.name and not own.limit:
        target = own.flat(s.tid)
        see = s.see(elem, own.flat(s.mirrored()))
    else:
        s.outside.append("__shared__ {} {}[{}];".format(elem.name, name, s.k.threads))
        target, see = "{}[{}]".format(name, s.tid), s.see(elem, "{}[{}]".format(name, s.mirrored()))
    copies = s.of("pair.form", [["{} = {}[{}];".format(target, more, at)], [
        "const {} later_v = {}[{}];".format(elem.name, more, at), "{} = later_v;".format(target)],
        ["bringLater({}, {} + {}, {});".format(name, more, paren(mul(s.turn(), s.P)), s.tid)]])
    if len(copies) == 1 and "bringLater" in copies[0]:
        if s.spoil:
            copies = ["{} = {}[{}];".format(target, more, at)]
        else:
            s.k.helper("bringLater", [
                "template <typename E> __device__ void bringLater(E *to, const E *from, int lane) {",
                "  to[lane] = from[lane];", "}"])
    barriers = [BARRIER] if s.of("pair.barrier", [0, 1]) or s.spoil in ("pair-tile", "pair-before") else []
    if writes:
        barriers = [Block(alone, ["{}[{}] = {};".format(
            more, at, "{} > 1 ? 1 : 2".format(s.seen))])] + barriers
    if s.spoil == "pair-before":
        s.before.append("{} = {};".format(target, elem.other))
        if s.k.repeated:
            s.after.append(BARRIER)
        barriers = [see] + barriers
    s.late += barriers + copies + [BARRIER, see]


def three(s, own):
    pair(s, own)
    name, more = s.name("third", ["last_", "weightsTile"]), s.feed(ELEMENTS["elem-float"], key="tags3")
    s.outside.append("__shared__ float {}[{}];".format(name, s.k.threads))
    s.late += [BARRIER, "{}[{}] = {}[{}];".format(name, s.tid, more, s.at(s.turn())), BARRIER,
               s.see(ELEMENTS["elem-float"], "{}[{}]".format(name, s.mirrored()))]


def _directive(s):
    name = s.of("directive", ["TILEGEN_CHECKS", "WITH_STATS", "USE_FAST_PATH"])
    return s.of("directive.form", ["#ifdef " + name, "#if defined(" + name + ")", "#if 0", "#ifdef __CUDA_ARCH__", "#if 1"])


def branches(s, own):
    """Preprocessor branches in the compute phase."""
    first = _directive(s)
    # One of the two is compiled, or none.
    both = ["{0} = {0} + 1;".format(s.seen)], ["{0} = {0} - 1;".format(s.seen)]
    s.late += [first] + both[0] + (["#else"] + both[1] if s.of("directive.else", [0, 1]) else []) + ["#endif"]


def defines(s, own):
    """A name that the compute phase defines, and perhaps defines again."""
    name = "STEP_{}".format(s.k.choices.index)
    use = "{0} = {0} + {1};".format(s.seen, name)
    s.late += ["#define {} 1".format(name), use] + s.of("defines.again", [[], [
        "#undef " + name, "#define {} \\".format(name), "  2", use]]) + ["#undef " + name]


def branches_load(s, own):
    """In the load phase: around what is loaded, one way or the other."""
    load = s.front if s.front else s.back
    both = list(load)
    load[:] = [_directive(s)] + both + ["#else"] + both + ["#endif"]


def branches_barrier(s, own):
    both = s.of("directive.which", ["first", "last"])
    text = getattr(s, both)
    setattr(s, both, Block("", []))
    s.directives = (both, [_directive(s), text, "#else", text, "#endif"])


def continues(s, own):
    """Some turns, or threads, have nothing to do behind the barrier. What the body advances would be left out."""
    if s.loop.form in HEADLESS or not s.loop.barrier_first or any(where != "header" for where, _ in s.loop.bumps):
        return
    s.early.insert(0, Block("if ({})".format(s.of("continue.if", ["{} % 3 == 1", "{} == 0", "({} & 3) == 2"]).format(
        paren(s.loop.position))), ["continue;"]))


def braces(s, own):
    s.wrap = lambda load: [Block("", load)]


def comments(s, own):
    notes = ["// The next tile: { not a block", "/* load();\n__syncthreads(); */".replace("\n", " "), "// #if 0 in a comment", "/**/"]
    s.front.insert(0, s.of("note1", notes))
    s.back.append(s.of("note2", notes))
    s.early.insert(0, s.of("note3", notes))
    s.end.append(s.of("note4", notes))


BODY = {"body-plain": lambda s, own: None, "body-pair": pair, "body-three": three, "body-branches": branches,
        "body-branches-load": branches_load, "body-defines": defines, "body-branches-barrier": branches_barrier, "body-braces": braces,
        "body-comments": comments, "body-bound": one_more_bound, "body-continue": continues}
