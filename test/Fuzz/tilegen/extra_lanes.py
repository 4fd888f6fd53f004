# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More of how the additional tile of extra.py is loaded: where an element comes from or goes to is found by the
lanes of a warp together, by loops that copy nothing, in memory, or behind a pointer to an accessor; and an
assignment that stores to two arrays."""

from .code import Block, add, mul
from .elements import ELEMENTS
from .extra_places import each, scoped, source_at, store

_ALL = ("0xffffffff", "0xffffffffu", "~0u", "(unsigned)-1")


def shuffled(s, own, feed):
    """Where from is what the lanes of the warp have found together: whole warps alone."""
    at, form = s.name("lane.at", ["hop", "found_", "lanePos"]), s.of("lane.form", ["butterfly", "up", "one", "vote", "ballot"])
    mask = s.of("lane.mask", _ALL)
    first = s.of("lane.first", ["{}".format(s.tid), "{} & 7".format(s.tid), "{} * 3".format(s.tid)])
    more = {
        "butterfly": [*s.k.unroll("lanes"), Block("for (int w = {}; w > 0; w >>= 1)".format(s.of("lane.width", ["16", "4", "warpSize / 2"])), [
            "{0} ^= __shfl_xor_sync({1}, {0}, w);".format(at, mask)])],
        "up": [Block("for (int w = 1; w < 8; w *= 2)", [
            "{0} += __shfl_up_sync({1}, {0}, w);".format(at, mask)])],
        "one": ["{0} = __shfl_sync({1}, {0}, {2});".format(at, mask, s.of("lane.which", ["3", "({} + 1) & 31".format(s.tid), "0, 16"]))],
        "vote": ["{0} = __any_sync({1}, {0} > {2}) ? {0} : 1;".format(at, mask, s.of("lane.limit", ["6", "1000"]))],
        "ballot": ["{0} = __popc(__ballot_sync({1}, ({0} & 1) != 0));".format(at, mask)]}[form]

    def body(row):
        return ["int {} = {};".format(at, first)] + more + ["{} = {}[{}];".format(
            store(own, row, s.tid), feed, source_at(s, own, row, "({} ^ ({} & 1))".format(s.tid, at)))]
    s.load(*scoped(own, each(s, own, body)))


def divided(s, own, feed):
    """A loop that copies nothing takes the place apart, digit by digit."""
    digits, rest, at = s.name("digits", ["shape_", "dims_"]), s.name("digits.rest", ["rest_", "left0"]), s.name("lane.at", ["hop", "found_", "pos0"])
    base = s.of("digits.base", [2, 3, 4])
    s.before.append("const int {}[3] = {{{}, {}, {}}};".format(digits, base, s.of("digits.second", [2, 5]), s.k.threads))

    def body(row):
        loop = s.of("digits.loop", [Block("for (int d = 0; d < 3; ++d)", [
            "{} += {} % {}[d];".format(at, rest, digits), "{} /= {}[d];".format(rest, digits)]),
            Block("while ({} > 0)".format(rest), ["{} += {} & 1;".format(at, rest), "{} >>= 1;".format(rest)])])
        return ["int {} = {}, {} = 0;".format(rest, s.tid, at), loop, "{} = {}[{}];".format(
            store(own, row, s.tid), feed, source_at(s, own, row, "({} % {})".format(at, s.P)))]
    s.load(*scoped(own, each(s, own, body)))


def rotated(s, own, feed):
    """Where to is read from memory, too."""
    shifts = s.feed(ELEMENTS["elem-int"], key="index", count="{} + 2".format(s.trips()),
                    fill="uniform(0, {})".format(s.k.threads), restrict=True)
    at, shift = s.name("rotated", ["slot_", "dest0"]), "{}[{}]".format(shifts, s.place())
    form = s.of("rotated.form", ["held", "direct"])

    def body(row):
        column = "({} + {}) % {}".format(s.tid, shift, s.P)
        if form == "held":
            return ["const int {} = {};".format(at, column), "{} = {}[{}];".format(
                own.at(row, at), feed, source_at(s, own, row))]
        return ["{} = {}[{}];".format(own.at(row, "(" + column + ")"), feed, source_at(s, own, row))]
    s.load(*scoped(own, each(s, own, body)))


def until_loaded(s, own, feed):
    """How many elements there are is read from memory; nothing but the tile's size says that they fit."""
    ends = s.feed(ELEMENTS["elem-int"], key="index", count="{} + 2".format(s.trips()),
                  fill="uniform(1, {})".format(own.count + 1), restrict=True)
    count = s.name("loaded.end", ["have", "valid_", "members"])
    s.front.append("const int {} = {}[{}];".format(count, ends, s.place()))
    s.back.append(Block("for (int j = {0}; j < {1}; j += {2})".format(s.tid, count, s.P), [
        "{} = {}[{}];".format(own.flat("j"), feed, add(mul(s.place(), own.rows, s.P), "j"))]))
    own.limit = count
    if s.spoil == "left":
        # The compute phase reads on.
        s.late.append(Block("if ({} > 0)".format(s.turn()), [s.see(own.elem, own.flat(str(own.count - 1)))]))


def chained(s, own, feed):
    """One assignment stores to the tile and to another one."""
    other, e = s.name("other.tile", ["besides", "second_s"]), own.elem.name
    s.outside.append("__shared__ {} {}[{}];".format(e, other, s.k.threads))
    beside = "{}[{}]".format(other, s.tid)
    form = s.of("chained.form", ["loaded", "zero", "three"])

    def body(row):
        to, value = store(own, row, s.tid), "{}[{}]".format(feed, source_at(s, own, row))
        if form == "loaded":
            return ["{} = {} = {};".format(beside, to, value)]
        if form == "three":
            v = s.name("chained.value", ["both_", "v0"])
            return ["{} {};".format(e, v), "{} = {} = {} = {};".format(to, beside, v, value)]
        end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} / 2 + 3".format(s.trips(), s.k.threads))
        return [Block("if ({} < {})".format(source_at(s, own, row), end), [
            "{} = {};".format(to, value), "{} = {};".format(beside, value)],
            Block("", ["{} = {} = {};".format(beside, to, own.elem.zero[0])]))]
    s.load(*scoped(own, body("0")))
    s.compute(s.see(own.elem, "{}[{}]".format(other, s.mirrored())))


def cleared(s, own, feed):
    """memset where nothing is loaded."""
    end = s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} / 2 + 3".format(
        s.trips(), own.rows * s.k.threads))
    size, form = s.of("memcpy.size", ["sizeof({})".format(own.elem.name), str(own.elem.size)]), s.of("cleared.form", ["else", "first"])

    def body(row):
        to, at = store(own, row, s.tid), source_at(s, own, row)
        clear, load = "memset(&{}, 0, {});".format(to, size), "{} = {}[{}];".format(to, feed, at)
        if form == "else":
            return [Block("if ({} < {})".format(at, end), [load], Block("", [clear]))]
        return [clear, Block("if ({} < {})".format(at, end), [load])]
    s.load(*each(s, own, body))


def pointer_to_accessor(s, own, feed):
    """An accessor that is reached by a pointer variable, or that hands its own pointer on."""
    kind, name, to = s.name("view.type", ["PlaneView", "Access2", "RowsOf"]), s.name("view.object", ["plane_", "acc0"]), s.name(
        "view.pointer", ["via_", "pAcc"])
    const, words = s.of("view.const", [" const", " const", ""]), s.of("copy.words", ["", "__forceinline__ "])
    e = own.source.name
    s.k.structs.append([
        "template <typename E> struct {} {{".format(kind), "  const E *data_;", "  int pitch_;",
        "  __device__ {0}{1}E &at(int r, int c){2} {{ return data_[r * pitch_ + c]; }}".format(words, "const ", const),
        "  __device__ {0}const E *data(){1} {{ return data_; }}".format(words, const), "};"])
    s.before.append("{}{}<{}> {}{{{}, {}}};".format("const " if const and s.of("view.object.const", [0, 1]) else "", kind, e, name, feed, s.P))
    word = "const " if s.before[-1].startswith("const ") else ""
    form = s.of("view.form", ["pointer", "data", "kept"])
    rows = lambda row: s.place() if own.rows == 1 else add(mul(s.place(), own.rows), row)
    if form == "pointer":
        s.before.append("{}{}<{}> *{} = &{};".format(word, kind, e, to, name))
        s.load(*each(s, own, lambda row: ["{} = {}->at({}, {});".format(store(own, row, s.tid), to, rows(row), s.tid)]))
    elif form == "data":
        s.load(*each(s, own, lambda row: ["{} = {}.data()[{}];".format(store(own, row, s.tid), name, source_at(s, own, row))]))
    else:
        s.before.append("const {} *{} = {}.data();".format(e, to, name))
        s.load(*each(s, own, lambda row: ["{} = {}[{}];".format(store(own, row, s.tid), to, source_at(s, own, row))]))


def in_place(s, own, feed):
    """What the compute phase has made of a tile goes back to where it was."""
    s.load(*each(s, own, lambda row: ["{} = {}[{}];".format(store(own, row, s.tid), feed, source_at(s, own, row))]))
    back = each(s, own, lambda row: ["{}[{}] = {};".format(feed, source_at(s, own, row), own.at(row, s.mirrored()))])
    # Another block would race.
    s.late.append(Block("if (gridDim.x * gridDim.y == 1)", back))
