# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asynchronous copies of the additional tile of extra.py, which are waited for at once: by the toolkit's
functions, by a pipeline object, by inline assembly."""

from .code import add, mul, paren
from .extra_compute import block_group
from .extra_places import each, scoped, source_at, store


def _needs(s, header):
    if header not in s.k.includes:
        s.k.includes.append(header)


def _source(s, own, feed, row):
    """Where the thread's own element in `row` is copied from."""
    return s.of("async.source", ["{0} + {1}", "&{0}[{1}]"]).format(feed, source_at(s, own, row))


def _end(s, own):
    """Behind which element zeros are filled in; None: nowhere."""
    if s.of("asm.fills", [0, 0, 1]):
        return s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} / 2 + 3".format(
            s.trips(), own.rows * s.k.threads))
    return None


def asynchronous(s, own, feed):
    """Asynchronous copies that are waited for at once."""
    _needs(s, "cuda_pipeline.h")
    size, end = s.of("async.size", ["sizeof({})".format(own.elem.name), str(own.elem.size)]), _end(s, own)
    # How many of the bytes are zeros.
    zeros = ", {} < {} ? 0 : " + size if end else ""
    s.back += each(s, own, lambda row: ["__pipeline_memcpy_async(&{}, {}, {}{});".format(
        store(own, row, s.tid), _source(s, own, feed, row), size, zeros.format(source_at(s, own, row), end))])
    s.late_load += ["__pipeline_commit();", "__pipeline_wait_prior(0);"]


def asynchronous_block(s, own, feed):
    """The block copies all of it, and waits."""
    _needs(s, "cooperative_groups/memcpy_async.h")
    group = block_group(s)
    s.back.append("cooperative_groups::memcpy_async({}, {}, {} + {}, {});".format(
        group, own.pointer, feed, paren(mul(s.place(), own.rows, s.P)), s.of("async.size", [
            "sizeof({}) * {}", "{1} * sizeof({0})"]).format(own.elem.name, own.count)))
    s.late_load.append("cooperative_groups::wait({});".format(group))


def pipeline(s, own, feed):
    """By a cuda::pipeline of the thread."""
    _needs(s, "cuda/pipeline")
    pipe = s.name("pipe", ["pipe", "stages_", "copies"])
    where = s.of("pipe.where", [s.outside, s.before])
    where.append(s.of("pipe.kind", [
        "cuda::pipeline<cuda::thread_scope_thread> {} = cuda::make_pipeline();",
        "auto {} = cuda::make_pipeline();"]).format(pipe))
    sizes = ["sizeof({0})", "{1}", "cuda::aligned_size_t<alignof({0})>(sizeof({0}))"]
    size = s.of("async.size", sizes).format(own.elem.name, own.elem.size)
    if s.of("pipe.size", [0, 0, 1]):
        name = s.name("pipe.size", ["copyBytes", "elementBytes"])
        where.append("const auto {} = {};".format(name, size))
        size = name
    if s.of("pipe.acquire", [1, 1, 0]):
        s.back.append("{}.producer_acquire();".format(pipe))
        release = s.late if s.of("pipe.release", [0, 0, 0, 1]) else s.end
        release.append("{}.consumer_release();".format(pipe))
    s.back += each(s, own, lambda row: ["cuda::memcpy_async(&{}, {}, {}, {});".format(
        store(own, row, s.tid), _source(s, own, feed, row), size, pipe)])
    s.late_load += ["{}.producer_commit();".format(pipe), "{}.consumer_wait();".format(pipe)]


# --- Inline assembly ---------------------------------------------------------------------------------
def _instruction(s, size):
    """cp.async without its operands."""
    kind = s.of("cp.kind", ["ca", "cg"]) if size == 16 else "ca"
    return "cp.async.{}.shared.global{}".format(kind, s.of("cp.hint", ["", "", ".L2::128B", ".L2::256B"]))


def _macro(s, name, parameters, text, operands):
    """A macro that is one instruction."""
    end = s.of("asm.end", ["", "\\n"])
    line = '#define {}({}) asm volatile("{}{}" {})'.format(name, parameters, text, end, operands)
    if line not in s.k.macros:
        s.k.macros.append(line)


def _number(s, declared=False):
    """How the pointer {} into the tile becomes a number. `declared`: where an unsigned is set."""
    casts = ["(unsigned){}", "static_cast<unsigned>({})", "(unsigned int)({})"] + ["{}"] * declared
    return s.of("asm.number", casts).format("__cvta_generic_to_shared({})")


def _places(s, own):
    """target(row): (statements, number): where the copy of the thread's own element in `row` goes to."""
    form = s.of("asm.target", ["element", "variable", "base", "base in front"])
    if form.startswith("base") and not own.pointer or form == "base in front" and own.inside:
        form = "variable"
    number, declared = _number(s, form != "element"), "const unsigned {} = {};"
    name = s.name("asm.place", ["place_", "dstAddr", "smemAddr"])
    if form == "element":
        return lambda row: ([], number.format("&" + store(own, row, s.tid)))
    if form == "variable":
        return lambda row: ([declared.format(name, number.format("&" + store(own, row, s.tid)))], name)
    declared = declared.format(name, number.format(own.pointer))
    (s.before if form == "base in front" else s.back).append(declared)
    size = s.of("asm.bytes", ["sizeof({})".format(own.elem.name), str(own.elem.size)])
    to = s.name("asm.to", ["to_", "dst_"])

    def target(row):
        text = "{} + {}".format(name, mul(paren(add(mul(row, own.columns), s.tid)), size))
        # What sizeof is part of is too wide for the instruction.
        return (["const unsigned {} = {};".format(to, text)], to) if "sizeof" in size else ([], text)
    return target


def _wait(s, commit, wait, all_):
    """What ends the load phase; the three are statements, of which `all_` needs no group."""
    s.late_load += s.of("asm.wait", [[commit, wait], [commit, wait], [commit, all_], [all_]])


def asm_macros(s, own, feed):
    """cp.async by macros around assembly."""
    size, end = own.elem.size, _end(s, own)
    name = s.of("cp.name", ["CP_ASYNC_CA", "CP_ASYNC", "COPY_ASYNC"])
    prefix = s.of("cp.prefix", ["CP_ASYNC_", "ASYNC_"])
    text = _instruction(s, size) + " [%0], [%1], %2"
    if end:
        _macro(s, name + "_ZFILL", "dst, src, bytes, given", text + ", %3;",
               ':: "r"(dst), "l"(src), "n"(bytes), "r"(given)')
    else:
        _macro(s, name, "dst, src, bytes", text + ";", ':: "r"(dst), "l"(src), "n"(bytes)')
    target = _places(s, own)

    def body(row):
        before, place = target(row)
        source = _source(s, own, feed, row)
        if end:
            return before + ["{}_ZFILL({}, {}, {}, {} < {} ? {} : 0);".format(
                name, place, source, size, source_at(s, own, row), end, size)]
        return before + ["{}({}, {}, {});".format(name, place, source, size)]
    s.back += scoped(own, each(s, own, body)) if s.of("asm.scope", [0, 1]) else each(s, own, body)
    wait = s.of("cp.wait.name", ["WAIT_GROUP", "WAIT"])
    _macro(s, prefix + "COMMIT", "", "cp.async.commit_group;", "::")
    _macro(s, prefix + wait, "n", "cp.async.wait_group %0;", '::"n"(n)')
    _macro(s, prefix + "WAIT_ALL", "", "cp.async.wait_all;", "::")
    _wait(s, prefix + "COMMIT();", prefix + wait + "(0);", prefix + "WAIT_ALL();")


def _words(s):
    return s.of("asm.words", ["__forceinline__ ", "", "inline ", "static __forceinline__ "])


def _clobber(s):
    return s.of("asm.clobber", ["", ' : "memory"'])


_CONVERT = ["  unsigned place = __cvta_generic_to_shared(to);",
            "  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));",
            '  unsigned place; asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" '
            ': "=r"(place) : "l"(to));']


def _wait_functions(s, templates):
    """Functions around the instructions that wait."""
    commit, wait, all_ = s.of("asm.function.names", [
        ("commitCopies", "waitForCopies", "waitForAll"),
        ("cp_async_fence", "cp_async_wait", "cp_async_wait_all")])
    s.k.helper(commit, ["__device__ {}void {}() {{".format(_words(s), commit),
                        '  asm volatile("cp.async.commit_group;");', "}"])
    s.k.helper(all_, ["__device__ {}void {}() {{".format(_words(s), all_),
                      '  asm volatile("cp.async.wait_all;" ::: "memory");', "}"])
    clobber = _clobber(s)
    if templates:
        s.k.helper(wait, ["template <int LEFT> __device__ {}void {}() {{".format(_words(s), wait),
                          '  asm volatile("cp.async.wait_group %0;" :: "n"(LEFT){});'.format(clobber), "}"])
        wait += "<0>"
    else:
        s.k.helper(wait, ["__device__ {}void {}() {{".format(_words(s), wait),
                          '  asm volatile("cp.async.wait_group 0;" ::{});'.format(clobber), "}"])
    _wait(s, commit + "();", wait + "();", all_ + "();")


def asm_functions(s, own, feed):
    """cp.async in functions of their own."""
    size = own.elem.size
    by_number = s.of("asm.by.number", [0, 0, 1])
    name = s.of("asm.copy.name", ["copyAsync", "cp_async", "ldgsts"]) + str(size) + "At" * by_number
    place = [] if by_number else [s.of("asm.convert", _CONVERT)]
    s.k.helper(name, ["__device__ {}void {}({}, const void *from) {{".format(
        _words(s), name, "unsigned place" if by_number else "void *to")] + place + [
            '  asm volatile("{} [%0], [%1], {};" :: "r"(place), "l"(from){});'.format(
                _instruction(s, size), size, _clobber(s)), "}"])
    target = _places(s, own) if by_number else lambda row: ([], "&" + store(own, row, s.tid))

    def body(row):
        before, to = target(row)
        return before + ["{}({}, {});".format(name, to, _source(s, own, feed, row))]
    s.back += scoped(own, each(s, own, body)) if s.of("asm.scope", [0, 1]) else each(s, own, body)
    _wait_functions(s, False)


def asm_templates(s, own, feed):
    """cp.async in function templates, at times with zeros behind the end."""
    size, end = own.elem.size, _end(s, own)
    typed = s.of("asm.typed", [0, 1])
    name = s.of("asm.copy.name", ["copyAsync", "cp_async", "ldgsts"]) + ("If" if end else "")
    head = ("template <typename E> __device__ {}void {}(E *to, const E *from{}) {{" if typed else
            "template <int BYTES> __device__ {}void {}(void *to, const void *from{}) {{")
    bytes_ = "(int)sizeof(E)" if typed else "BYTES"
    lines = [head.format(_words(s), name, ", bool inside" if end else ""), s.of("asm.convert", _CONVERT)]
    if end:
        lines += ["  const int given = inside ? {} : 0;".format(bytes_),
                  '  asm volatile("{} [%0], [%1], %2, %3;" '
                  ':: "r"(place), "l"(from), "n"({}), "r"(given){});'.format(
                      _instruction(s, size), bytes_, _clobber(s))]
    else:
        lines.append('  asm volatile("{} [%0], [%1], %2;" :: "r"(place), "l"(from), "n"({}){});'.format(
            _instruction(s, size), bytes_, _clobber(s)))
    s.k.helper(name, lines + ["}"])
    argument = "" if typed else "<{}>".format(s.of("asm.argument", [
        str(size), "sizeof({})".format(own.elem.name)]))
    inside = ", {} < {}" if end else ""
    s.back += each(s, own, lambda row: ["{}{}(&{}, {}{});".format(
        name, argument, store(own, row, s.tid), _source(s, own, feed, row),
        inside.format(source_at(s, own, row), end))])
    _wait_functions(s, True)


def asm_vectors(s, own, feed):
    """Four elements by one instruction."""
    name = s.of("cp.name", ["CP_ASYNC_16", "CP_ASYNC_VECTOR", "COPY_VECTOR"])
    _macro(s, name, "dst, src", _instruction(s, 16) + " [%0], [%1], 16;", ':: "r"(dst), "l"(src)')
    in_variable = bool(own.pointer and s.of("asm.target", [0, 1]))
    number = _number(s, in_variable)
    source = "{} + {}".format(feed, add(mul(s.place(), own.rows, s.P), mul(4, s.tid)))
    if in_variable:
        place = s.name("asm.place", ["place_", "dstAddr", "smemAddr"])
        (s.back if own.inside or s.of("asm.where", [0, 1]) else s.before).append(
            "const unsigned {} = {};".format(place, number.format(own.pointer)))
        target = "{} + {}".format(place, mul(s.tid, 16))
    else:
        target = number.format("&" + own.flat(mul(4, s.tid)))
    s.back.append("{}({}, {});".format(name, target, source))
    _macro(s, "CP_ASYNC_COMMIT", "", "cp.async.commit_group;", "::")
    _macro(s, "CP_ASYNC_WAIT", "n", "cp.async.wait_group %0;", '::"n"(n)')
    _macro(s, "CP_ASYNC_WAIT_ALL", "", "cp.async.wait_all;", "::")
    _wait(s, "CP_ASYNC_COMMIT();", "CP_ASYNC_WAIT(0);", "CP_ASYNC_WAIT_ALL();")
