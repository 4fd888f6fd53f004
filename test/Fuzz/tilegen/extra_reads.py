# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More of how the additional tile of extra.py is loaded and used: textures, values of several loads, a width that is
clipped, variables of the function that blocks set first, and words of the compute phase that say something."""

from .code import Block, add, mul, paren
from .elements import ELEMENTS
from .extra_places import each, scoped, source_at, store


def texture(s, own, feed):
    """What a texture object leads to, in place of a pointer."""
    image, e = s.name("image", ["image_", "texIn", "pixels"]), own.elem.name
    s.before.append("const cudaTextureObject_t {} = {};".format(image, s.of("image.number", [3, 78, 4096])))
    form = s.of("image.form", ["line", "plane", "function", "fraction"])
    if form == "function":
        s.k.helper("texelOf", ["template <typename E> __device__ {}E texelOf(cudaTextureObject_t image, int x, int y) {{".format(
            s.of("image.words", ["", "inline ", "__forceinline__ "])), "  return tex2D<E>(image, x + 0.5f, y + 0.5f);", "}"])

    def value(row):
        at = source_at(s, own, row)
        return {"line": "tex1Dfetch<{}>({}, {})".format(e, image, at),
                "plane": "tex2D<{}>({}, {}, {})".format(e, image, s.tid, add(mul(s.place(), own.rows), row)),
                "function": "texelOf<{}>({}, {}, {})".format(e, image, s.tid, add(mul(s.place(), own.rows), row)),
                "fraction": "tex1D<{}>({}, {} * 0.5f)".format(e, image, paren(at))}[form]
    s.load(*each(s, own, lambda row: ["{} = {};".format(store(own, row, s.tid), value(row))]))


def several(s, own, feed):
    """A value of two loads, or none."""
    other = s.feed(own.elem, key="feed2", count="({} + 2) * {}".format(s.trips(), own.count))
    end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} / 2 + 3".format(s.trips(), own.count))
    operator = s.of("several.operator", ["+", "-", "*"])
    held = s.of("several.held", [0, 1])

    def body(row):
        at = source_at(s, own, row)
        text = "{0} < {1} ? {2}[{0}] {3} {4}[{0}] : {5}".format(at, end, feed, operator, other, own.elem.zero[0])
        if not held:
            return ["{} = {};".format(store(own, row, s.tid), text)]
        return ["const {} v_ = {};".format(own.elem.name, text), "{} = v_;".format(store(own, row, s.tid))]
    s.load(*scoped(own, each(s, own, body)))


def clipped(s, own, feed):
    """A width that the last tile makes smaller, under a condition in the load phase."""
    width = s.name("width", ["width_", "step_", "chunkLength"])
    end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} - {}".format(
        s.trips(), own.count, s.of("clipped.less", [0, 1, own.count // 2])))
    first = mul(s.place(), own.count)
    s.before.append("int {} = {};".format(width, own.count))
    test = s.of("clipped.test", ["{f} + {w} > {e}", "{e} - {w} < {f}", "{e} < {f} + {w}"]).format(f=first, w=width, e=end)
    s.front.append(Block("if ({})".format(test), ["{} = {} - {};".format(width, end, paren(first))]))
    s.load(*each(s, own, lambda row: ["{} = {} < {} ? {}[{}] : {};".format(
        store(own, row, s.tid), add(mul(row, s.P), s.tid), width, feed, source_at(s, own, row), own.elem.zero[0])]))
    s.compute(s.see(ELEMENTS["elem-int" if s.seen_kind == "unsigned" else "elem-float"], "({})({} & 15)".format(
        "int" if s.seen_kind == "unsigned" else "float", width)))


def blocks_set(s, own, feed):
    """Variables in front of the loop, which blocks of both phases set before they use them."""
    held, at = s.name("held", ["v", "value", "val_", "item"]), s.name("slot", ["at_", "slot_", "pos_"])
    e = own.elem.name
    s.before.append(s.of("blocks.declared", ["{e} {v}; int {a};", "{e} {v} = 0; int {a} = -1;"]).format(e=e, v=held, a=at))
    s.load(*scoped(own, each(s, own, lambda row: [
        "{} = {};".format(at, source_at(s, own, row)), "{} = {}[{}];".format(held, feed, at),
        "{} = {};".format(store(own, row, s.tid), held)])))
    s.compute(Block("for (int q = 0; q < 3; ++q)", [
        "{} = ({} + q) % {};".format(at, s.tid, own.readable()), "{} = {};".format(held, own.read(at)),
        s.of("blocks.test", [s.see(own.elem, held), Block("if ({} != 0)".format(at), [s.see(own.elem, held)])])]))


# --- The compute phase ------------------------------------------------------------------------------------
def _element(s, own):
    return own.read("({} + 1) % {}".format(s.tid, own.readable()))


def prints(s, own):
    """Says something where something is wrong."""
    if "cstdio" not in s.k.includes:
        s.k.includes.append("cstdio")
    s.compute(Block("if ({} < 0)".format(s.turn()), ['printf("tile %d of thread %d\\n", (int){}, (int){});'.format(
        paren(s.turn()), paren(s.tid))]), s.see(own.elem, _element(s, own)))


def asserts(s, own):
    if "cassert" not in s.k.includes:
        s.k.includes.append("cassert")
    s.compute(s.of("asserts.form", ["assert({} >= 0);", "if ({} < 0) __trap();"]).format(s.turn()),
              s.see(own.elem, _element(s, own)))


def tile_of_warp(s, own):
    """A cooperative group of a warp, or of a part of it, exchanges what its threads have found."""
    for name in ("cooperative_groups.h", "cooperative_groups/reduce.h"):
        if name not in s.k.includes:
            s.k.includes.append(name)
    size, name = s.of("warp.size", [32, 32, 8, 4]), s.name("warp", ["warp_", "lanes"])
    s.compute(Block("", [
        "auto {} = cooperative_groups::tiled_partition<{}>(cooperative_groups::this_thread_block());".format(name, size),
        "const float x_ = {};".format(_element(s, own)), s.see(ELEMENTS["elem-float"], s.of("warp.how", [
            "{w}.shfl_down(x_, 1)", "{w}.shfl_xor(x_, 3)", "{w}.shfl(x_, 2)",
            "cooperative_groups::reduce({w}, x_, cooperative_groups::plus<float>())"]).format(w=name))]))
