# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More kinds for suspects.py: what the text of the loop does not show. Functions whose bodies are in another file,
destructors, addresses that leave as bytes, blocks that wait for each other, and other builds of the file."""

from .code import Block, add, mul
from .elements import ELEMENTS

BARRIER = "__syncthreads();"
# These have a tile of their own in dynamic shared memory.
DYNAMIC = ("unseen-dynamic", "destructor-dynamic", "asm-dynamic")
_FLOAT = ELEMENTS["elem-float"]


def _unique(s, name):
    """A name for the other file: all kernels of a batch are in one."""
    return "{}_{}".format(name, s.k.choices.index)


def _lines(texts, **names):
    return [text.format(**names) for text in texts]


# --- Shared memory behind the tile -----------------------------------------------------------------------
def _dynamic_tile(s):
    """A tile in dynamic shared memory whose size the text says, with as much again behind it, and more. (name, elements)"""
    rows = s.of("rows", [1, 2, 3])
    count = rows * s.k.threads
    # A loop with tiles elsewhere cannot have more stages of this one.
    s.alone = True
    name = s.name("own", ["extra", "side", "ring", "lane_buf"])
    s.outside.append("extern __shared__ __align__(16) float {}[];".format(name))
    s.k.dynamic_bytes = str(6 * 4 * count)
    feed = s.feed(_FLOAT, "({} + 2) * {}".format(s.trips(), count))
    s.result("float")
    place = mul(s.place(), count)
    s.load(Block("for (int i = {}; i < {}; i += {})".format(s.tid, count, s.k.threads), [
        "{}[i] = {}[{}];".format(name, feed, add(place, "i"))]))
    s.compute(Block("for (int q = 0; q < {}; q += {})".format(count, s.of("step", [1, 1, 3])), [
        s.see(_FLOAT, name + "[q]")]))
    s.k.cost += 2 * count
    return name, count


def unseen_dynamic(s):
    """Functions in another file have a table behind the tile; or one in static shared memory."""
    _, count = _dynamic_tile(s)
    fill, look = _unique(s, "fillTable"), _unique(s, "fromTable")
    both = s.of("declared", ["extern __device__ void {}(int lane);", "__device__ void {}(int lane);"])
    s.k.structs.append([both.format(fill), "extern __device__ float {}(int lane);".format(look)])
    if s.of("called", ["directly", "directly", "pointer"]) == "pointer":
        call = s.name("call", ["call_", "step_"])
        s.before.append("void (*{})(int) = {};".format(call, fill))
        s.before += ["{}({});".format(call, s.tid), BARRIER]
    else:
        s.before += ["{}({});".format(fill, s.tid), BARRIER]
    s.after.insert(0, s.see(_FLOAT, "{}({})".format(look, s.mirrored())))
    if s.k.repeated:
        s.after.append(BARRIER)
    table = _unique(s, "table")
    declared, at = ("  extern __shared__ float {t}[];", "{c} + lane") if not s.legal else (
        "  __shared__ float {t}[{n}];", "lane")
    if s.legal:
        # One array for both functions.
        s.k.unseen.append("__shared__ float {}[{}];".format(table, s.k.threads))
        declared = ""
    s.k.unseen += [line for line in _lines([
        "__device__ void {f}(int lane) {{", declared, "  {t}[" + at + "] = 0.5f * (float)lane + 1.0f;", "}}",
        "__device__ float {l}(int lane) {{", declared, "  return {t}[" + at + "];", "}}"],
        f=fill, l=look, t=table, c=count, n=s.k.threads) if line]


def destructor_dynamic(s):
    """The table is written and read by destructors, of objects around the loop."""
    _, count = _dynamic_tile(s)
    writer, reader = s.name("writer", ["FillsTable", "Leaves"]), s.name("reader", ["ReadsTable", "Collects"])
    table = "table_"
    declared, at = "extern __shared__ float {}[];".format(table), "{} + lane".format(count)
    if s.legal:
        declared, at = "__shared__ float {}[{}];".format(table, s.k.threads), "lane"
        s.k.helper("tableOf", ["__device__ float *tableOf() {", "  " + declared, "  return table_;", "}"])
        declared = "float *table_ = tableOf();"
        s.k.helper(writer, _destructors(writer, reader, declared, at))
    else:
        s.k.structs.append(_destructors(writer, reader, declared, at))
    how = s.of("how", ["object", "object", "temporary", "member", "base", "array"])
    made = {"object": "{} fills_{{{}}};", "temporary": "{}{{{}}};", "member": "Holds_ fills_{{{{{1}}}, 0}};",
            "base": "Derived_ fills_{{{{{1}}}, 0}};", "array": "{} fills_[1] = {{{{{}}}}};"}[how]
    if how in ("member", "base"):
        s.k.helper("Holds_", ["struct Holds_ {{ {} inner; int more; }};".format(writer)] if how == "member" else [
            "struct Derived_ : {} {{ int more; }};".format(writer)])
    s.before += [Block("", [made.format(writer, s.tid)]), BARRIER]
    reads = "{} reads_{{{}, &{}}};".format(reader, s.mirrored(), s.seen)
    s.after.insert(0, Block("", [reads]))
    if s.k.repeated:
        s.after.append(BARRIER)


def _destructors(writer, reader, declared, at):
    return ["struct {} {{".format(writer), "  int lane;", "  __device__ ~{}() {{".format(writer), "    " + declared,
            "    table_[{}] = 0.25f * (float)lane - 1.0f;".format(at), "  }", "};",
            "struct {} {{".format(reader), "  int lane;", "  float *to;", "  __device__ ~{}() {{".format(reader),
            "    " + declared, "    *to = *to * 0.5f + table_[{}];".format(at), "  }", "};"]


def asm_dynamic(s):
    """Assembly stores behind the tile, and loads from there; the twin's has an array of its own."""
    name, count = _dynamic_tile(s)
    if s.legal:
        other = s.name("other", ["table_s", "pad_s"])
        s.outside.append("__shared__ float {}[{}];".format(other, s.P))
        base = other
    else:
        base = s.of("base", [name, "&{}[{}]".format(name, count)])
    start = 0 if s.legal or base != name else 4 * count
    address = s.name("address", ["addr_", "at_s"])
    s.before += ["const unsigned {} = (unsigned)__cvta_generic_to_shared({}) + {};".format(address, base, start),
                 'asm volatile("st.shared.f32 [%0], %1;" : : "r"({} + 4 * {}), "f"(0.5f * (float){}){});'.format(
                     address, s.tid, s.tid, s.of("clobber", [' : "memory"', ""])), BARRIER]
    found = s.name("found", ["fromTable", "kept_s"])
    s.after[0:0] = ["float {};".format(found),
                    'asm volatile("ld.shared.f32 %0, [%1];" : "=f"({}) : "r"({} + 4 * ({})){});'.format(
                        found, address, s.mirrored(), s.of("clobber", [' : "memory"', ""])),
                    s.see(_FLOAT, found)]
    if s.k.repeated:
        s.after.append(BARRIER)


# --- Destructors in the loop -----------------------------------------------------------------------------
def destructor_writes(s):
    """An object of the loop's body stores what is loaded next when it ends; the twin's stores elsewhere."""
    elem = _FLOAT
    own = s.array(elem)
    count = "({} + 2) * {}".format(s.trips(), s.k.threads)
    pitch = s.scalar(s.name("pitch", ["pitch", "per_block"]), count)
    feed = s.feed(elem, count=count, const=s.legal, restrict=True, parts=True)
    target = s.feed(elem, count=count, key="sink", const=False, restrict=True, parts=True) if s.legal else feed
    kind, name = s.name("undo.type", ["Leaves", "AtExit", "Marks"]), s.name("undo", ["undo_", "atEnd"])
    s.k.structs.append(["struct {} {{".format(kind), "  float *p;", "  float v;", "  __device__ ~{}() {{ *p = v; }}".format(
        kind), "};"])
    s.result("float")
    turn, base = s.turn(), "{} * {}".format(s.block(), pitch)
    s.load("{}[{}] = {}[{} + {}];".format(own, s.tid, feed, base, s.at(turn)))
    s.read_other(elem, own)
    made = "{} {}{{{} + {} + {}, 0.25f * (float){}}};".format(kind, name, target, base, s.at("({} + 1)".format(turn)), s.tid)
    where = s.of("scope", ["body", "compute", "inner"])
    if where == "body":
        s.front.append(made)
    else:
        s.late.append(made if where == "compute" else Block("", [made]))


# --- Addresses --------------------------------------------------------------------------------------------
def pointer_bytes(s):
    """A pointer into the tile is kept as bytes in front of the loop; the twin's are those of another array, or are
    made anew in every turn."""
    elem, own, _ = s.plain(s.elem(scalar=True))
    e = elem.name
    p, bytes_ = s.name("hoisted", ["base_", "rowPtr", "view"]), s.name("bytes", ["bits_", "raw_v", "word_"])
    q = s.name("plainly", ["q_", "direct_"])
    form = s.of("form", ["memcpy", "memcpy", "function", "unseen", "union", "cast", "array"])
    anew = s.legal and form != "unseen" and s.of("anew", [0, 1])
    target = own
    if s.legal and not anew:
        target = s.array(elem, key="other")
        s.before += ["{}[{}] = {};".format(target, s.tid, elem.other), BARRIER]
    qualified = "const {} *".format(e)
    if form == "memcpy":
        lines = ["{}{} = {};".format(qualified, q, target), "size_t {};".format(bytes_),
                 "memcpy(&{}, &{}, sizeof({}));".format(bytes_, q, q),
                 s.of("back", ["{1}{0} = ({1}){2};", "{1}{0} = reinterpret_cast<{1}>({2});",
                               "{1}{0}; memcpy(&{0}, &{2}, sizeof({0}));"]).format(p, qualified, bytes_)]
    elif form == "function":
        s.k.helper("copyBytes", ["__device__ {}void copyBytes(void *to, const void *from, int n) {{".format(
            s.of("words", ["", "inline ", "__noinline__ "])), "  for (int i = 0; i < n; ++i)",
            "    ((char *)to)[i] = ((const char *)from)[i];", "}"])
        lines = ["{}{} = {};".format(qualified, q, target), "{}{};".format(qualified, p),
                 "copyBytes(&{}, &{}, (int)sizeof({}));".format(p, q, q)]
    elif form == "unseen":
        same = _unique(s, "sameAs")
        s.k.structs.append(["extern __device__ {}{}({}p);".format(qualified, same, qualified)])
        s.k.unseen += ["__device__ {}{}({}p) {{ return p; }}".format(qualified, same, qualified)]
        lines = ["{}{} = {}({});".format(qualified, p, same, target)]
    elif form == "union":
        lines = ["union {{ {}pointer; size_t bits; }} {}, {};".format(qualified, q, bytes_),
                 "{}.pointer = {};".format(q, target), "{}.bits = {}.bits;".format(bytes_, q),
                 "{}{} = {}.pointer;".format(qualified, p, bytes_)]
    elif form == "cast":
        lines = ["const size_t {} = {};".format(bytes_, s.of("cast.to", ["(size_t){}", "reinterpret_cast<size_t>({})"]).format(
            "&{}[0]".format(target))), "{}{} = ({}){};".format(qualified, p, qualified, bytes_)]
    else:
        lines = ["{}{}[1] = {{{}}};".format(qualified, q, target), "unsigned long long {};".format(bytes_),
                 "*({}*)&{} = {}[0];".format(qualified, bytes_, q), "{}{} = *({}*)&{};".format(qualified, p, qualified, bytes_)]
    read = s.see(elem, "{}[{}]".format(p, s.mirrored()))
    if anew:
        s.late += lines + [read]
    else:
        s.before += lines
        s.compute(read)
    s.compute(s.see(elem, "{}[{}]".format(own, s.mirrored())))


# --- Waiting for other blocks ------------------------------------------------------------------------------
def waits(s):
    """All blocks wait for each other in front of the loop; the twin's wait ends by itself. The tile is so large that
    two of them leave room for fewer blocks."""
    count = -(-3072 // s.k.threads) * s.k.threads
    if s.static_bytes:
        count = max(s.k.threads, min(count, (22000 - s.static_bytes // 2) // 4 // s.k.threads * s.k.threads))
    own = s.name("own", ["extra", "side", "ring"])
    s.outside.append("__shared__ float {}[{}];".format(own, count))
    feed = s.feed(_FLOAT, "({} + 2) * {}".format(s.trips(), count))
    s.result("float")
    s.load(Block("for (int i = {}; i < {}; i += {})".format(s.tid, count, s.k.threads), [
        "{}[i] = {}[{}];".format(own, feed, add(mul(s.place(), count), "i"))]))
    s.compute(Block("for (int q = {}; q < {}; q += {})".format(s.tid, count, 7 * s.k.threads + 1), [
        s.see(_FLOAT, own + "[q]")]))
    s.k.cost += 2 * count
    s.k.waits = not s.legal
    # All have arrived before the kernel is launched: the emulator runs one block after the other.
    blocks = s.scalar(s.name("most", ["blockCount", "everyone"]), s.blocks())
    arrived = s.feed(ELEMENTS["elem-int"], count="1", key="quota", const=False, restrict=False,
                     fill="value({})".format(s.blocks()))
    rounds = " && spins < 1000; ++spins" if s.legal else ";"
    test = s.of("test", ["atomicAdd({}, 0) < {}", "*(volatile int *){} < {}", "*{} < {}"]).format(arrived, blocks)
    form = s.of("form", ["unseen", "exchange", "constructor", "destructor", "fence", "loop", "asm"])
    if form == "asm" and s.legal:
        form = "loop"
    if form == "unseen":
        name = _unique(s, "waitForAll")
        s.k.structs.append(["extern __device__ void {}(int *arrived, int blocks);".format(name)])
        s.k.unseen += ["__device__ void {}(int *arrived, int blocks) {{".format(name)] + ([] if s.legal else [
            "  while (atomicAdd(arrived, 0) < blocks)", "    ;"]) + ["}"]
        wait = ["{}({}, {});".format(name, arrived, blocks)]
    elif form == "exchange":
        wait = [Block("for (int spins = 0; spins < 1000; ++spins)" if s.legal else s.of(
            "forever", ["while (true)", "for (;;)"]), [
            "int expected = {};".format(blocks),
            Block("if (atomicCAS({}, expected, expected) == expected)".format(arrived), ["break;"])])]
    elif form in ("constructor", "destructor"):
        kind = s.name("gate.type", ["Gate", "AllHere"])
        body = "for (int spins = 0; atomicAdd(a, 0) < n{})\n      ;".format(rounds).split("\n")
        if form == "constructor":
            lines = ["  __device__ {}(int *a, int n) {{".format(kind), "    " + body[0], body[1], "  }"]
            wait = ["{} gate_({}, {});".format(kind, arrived, blocks)]
        else:
            lines = ["  int *a;", "  int n;", "  __device__ ~{}() {{".format(kind), "    " + body[0], body[1], "  }"]
            wait = [Block("", ["{} gate_{{{}, {}}};".format(kind, arrived, blocks)])]
        s.k.structs.append(["struct {} {{".format(kind)] + lines + ["};"])
    elif form == "asm":
        wait = ['asm volatile("{{\\n .reg .pred p;\\n .reg .s32 v;\\nAGAIN:\\n ld.volatile.global.s32 v, [%0];\\n"'
                ' " setp.lt.s32 p, v, %1;\\n @p bra AGAIN;\\n}}" : : "l"({}), "r"({}) : "memory");'.format(arrived, blocks)]
    else:
        header = "for (int spins = 0; {}{})".format(test, rounds) if s.legal else "while ({})".format(test)
        wait = [Block(header, ["__threadfence();"])] if form == "fence" else [header, "  ;"]
    if s.of("leader", [0, 0, 1]):
        wait = [Block("if ({} == 0)".format(s.tid), wait), BARRIER]
    s.before += wait


# --- Other builds -------------------------------------------------------------------------------------------
_NVCC = ("__NVCC__", "__CUDACC_VER_MAJOR__", "__CUDACC_VER_MINOR__")


def configuration(s):
    """In another build, the loop reads what it has stored; in the twin's, another number is added."""
    elem = s.elem(scalar=True)
    own, k = s.array(elem), s.k
    pitch = s.scalar(s.name("pitch", ["pitch", "per_block"]), "({} + 2) * {}".format(s.trips(), k.threads))
    count = "({} + 2) * {}".format(s.trips(), k.threads)
    feed = s.feed(elem, count=count, const=True, restrict=True, parts=True)
    sink = s.feed(elem, count=count, key="sink", const=False, restrict=True, parts=True)
    s.result(elem.kind)
    turn, base = s.turn(), "{} * {}".format(s.block(), pitch)
    source, more = "SOURCE_{}".format(k.choices.index), "MORE_{}".format(k.choices.index)
    what = s.of("what", ["database", "nvcc", "arch"])
    if what == "database":
        flag = "-DINPLACE"
        condition = "#ifdef INPLACE"
        k.told = ("database", (), (flag,)) if s.of("first", [0, 0, 1]) == 0 else ("database", (flag,), ())
        k.builds.append(((flag,), ()))
    elif what == "nvcc":
        macro = s.of("macro", list(_NVCC))
        condition = s.of("condition", ["#ifdef {}", "#if defined({})"]).format(macro)
        k.builds.append((("-D{}=13".format(macro),), ()))
    else:
        condition = "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900"
        # Not native: what that is depends on where the test runs.
        k.told = ("flags", s.of("arch", ["-arch=all", "-arch=all-major"]))
        k.builds.append((("--arch=sm_90",), ()))
    k.structs.append([condition, "#define {} {}".format(source, feed if s.legal else sink), "#define {} 3".format(more), "#else",
                      "#define {} {}".format(source, feed), "#define {} 1".format(more), "#endif"])
    k.undefined += [source, more]
    s.load("{}[{}] = {}[{} + {}];".format(own, s.tid, source, base, s.at(turn)))
    s.read_other(elem, own)
    s.compute("{}[{} + {}] = ({}){};".format(sink, base, s.at("({} + 1)".format(turn)), elem.name, s.seen),
              "{0} = {0} + {1};".format(s.seen, more))


UNSEEN = {
    "unseen-dynamic": unseen_dynamic, "destructor-dynamic": destructor_dynamic, "asm-dynamic": asm_dynamic,
    "destructor-writes": destructor_writes, "pointer-bytes": pointer_bytes, "waits": waits, "configuration": configuration}
