# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose loop must not be pipelined, or only by some variants.

Each differs from a legal one in one point, which is its tag. Most are well defined, so that a rewrite
that should not have been made gives another result; the others (`RACES`) have no result to begin
with, and whoever runs the original finds the race or the divergent barrier.
"""

from .code import Block
from .elements import ELEMENTS
from .extra import SPOILS
from .plan import need

BARRIER = "__syncthreads();"

# Not defined before the rewrite either.
RACES = {"illegal-missing-barrier"}
# ldg-single keeps the one buffer and both barriers: legal there.
# Those of extra.py: whether a rewrite is wrong is seen when it is run.
BY_RESULT = {"illegal-extra-" + name for name in SPOILS}
LEGAL_SINGLE = {"illegal-stale-tile", "illegal-sliding-window", "illegal-tile-written"}


class _Frame:
    """A kernel over chunks of W elements, with its parts open for one change."""

    def __init__(self, k):
        c = k.choices
        self.k = k
        k.before, k.shared = [], []
        threads = c.number("threads", [32, 64, 16, 48, 96])
        k.set_block(threads)
        self.W = k.const(c.of("W.name", ["W", "CHUNK", "TILE"]), threads)
        feature = c.pick("elem", {"elem-float": 5, "elem-int": 3, "elem-double": 1})
        self.elem = ELEMENTS[feature]
        need(k, self.elem)
        self.name = k.name("tile", ["xs", "tileX", "window", "s_data"])
        self.tid = k.tid()
        self.t = k.name("t", ["t", "step", "chunk"])
        self.acc = k.name("acc", ["acc", "sum", "total"])
        self.kind = self.elem.name
        grid = c.number("grid", [1, 2, 3])
        k.grid = [str(grid)]
        self.blocks = grid
        k.axis = (None, "tiles", self.W, False)
        k.scalar("tiles", "int")
        k.cost = threads * 8
        k.restrict_input = True
        self.shared = "{}".format(self.W)
        self.extra_tiles = 0
        self.const_input, self.restrict = True, True
        self.in_type = self.elem.name

    def tile(self, index):
        return "{}[{}]".format(self.name, index)

    def source(self, index):
        return "in[{}]".format(index)

    def step(self, term):
        decay = {"float": "0.99f", "double": "0.99", "int": "3"}[self.kind]
        if self.kind == "int":
            # In unsigned arithmetic: it may wrap.
            return "{0} = (int)((unsigned){0} * 3u + (unsigned){1});".format(self.acc, term)
        return "{0} = {0} * {1} + {2};".format(self.acc, decay, term)

    def finish(self, load, compute, condition=None, after=(), barrier=BARRIER, before=()):
        k, c = self.k, self.k.choices
        condition = condition or "{} < tiles".format(self.t)
        body = load + [BARRIER] + compute + ([barrier] if barrier else []) + list(after)
        k.body = ["__shared__ {} {}[{}];".format(self.elem.name, self.name, self.shared),
                  "{} {} = 0;".format(self.kind, self.acc), *before,
                  Block("for (int {0} = 0; {1}; ++{0})".format(self.t, condition), body),
                  "out[blockIdx.x * {} + {}] = {};".format(k.threads_text(), self.tid, self.acc)]
        words = "const " if self.const_input else ""
        text = "{}{} *{}in".format(words, self.in_type, "__restrict__ " if self.restrict else "")
        entry = {"name": "in", "buffer": self.elem.launch,
                 "count": "(tiles + {}) * {}".format(self.extra_tiles, self.W.name),
                 "role": "input" if self.const_input else "inout"}
        if self.elem.fill:
            entry["fill"] = self.elem.fill
        k.params.insert(0, (text, entry))
        k.pointer("out", ELEMENTS["elem-" + self.kind], "{} * {}".format(self.blocks, k.threads),
                  role="output", const=False, restrict=self.restrict)

    def chunk(self, t=None):
        return "{} * {} + {}".format(t or self.t, self.W, self.tid)

    def mirrored(self):
        return self.tile("{} - 1 - {}".format(self.W, self.tid))


def stale_tile(k):
    f = _Frame(k)
    # Every other tile fills one half only.
    load = [Block("if ({} % 2 == 0 || {} < {} / 2)".format(f.t, f.tid, f.W),
                  ["{} = {};".format(f.tile(f.tid), f.source(f.chunk()))])]
    f.finish(load, [f.step(f.mirrored())])


def feedback(k):
    f = _Frame(k)
    k.grid, f.blocks = ["1"], 1
    f.const_input, f.restrict, f.extra_tiles = False, False, 1
    load = ["{} = {};".format(f.tile(f.tid), f.source(f.chunk()))]
    # What the next tile is made of.
    target = "in[({} + 1) * {} + {}]".format(f.t, f.W, f.tid)
    f.finish(load, [f.step(f.mirrored()), "{} = {};".format(target, f.acc)])


def tile_written(k):
    f = _Frame(k)
    load = [Block("if ({} % 2 == 0)".format(f.t), ["{} = {};".format(f.tile(f.tid), f.source(f.chunk()))])]
    f.finish(load, [f.step(f.tile(f.tid)), "{} = {};".format(f.tile(f.tid), f.acc)])


def break_uniform(k):
    f = _Frame(k)
    k.scalar("limit", "int", "2")
    load = ["{} = {};".format(f.tile(f.tid), f.source(f.chunk()))]
    f.finish(load, [f.step(f.mirrored())], after=[Block("if ({} >= limit)".format(f.t), ["break;"])])


def break_thread(k):
    f = _Frame(k)
    load = ["{} = {};".format(f.tile(f.tid), f.source(f.chunk()))]
    f.finish(load, [f.step(f.mirrored()), Block("if ({} == {})".format(f.tid, f.t), ["break;"])])


def missing_barrier(k):
    f = _Frame(k)
    load = ["{} = {};".format(f.tile(f.tid), f.source(f.chunk()))]
    if k.choices.of("which", [0, 1]):
        f.finish(load, [f.step(f.mirrored())], barrier=None)
    else:
        f.finish(load, [f.step(f.tile(f.tid)), BARRIER, f.step(f.mirrored())], barrier=None)


def carried_address(k):
    f = _Frame(k)
    f.k.taken.add("at")
    load = ["{} = {};".format(f.tile(f.tid), f.source("at * {} + {}".format(f.W, f.tid)))]
    f.finish(load, [f.step(f.mirrored()),
                    "at = (at + ({} > 0 ? 1 : 2)) % tiles;".format(f.tile("0"))], before=["int at = 0;"])


def sliding_window(k):
    f = _Frame(k)
    f.shared = "2 * {}".format(f.W)
    half = "{} + {}".format(f.W, f.tid)
    before = ["{} = 0;".format(f.tile(half))]
    # One half of the tile is written in each iteration; the other one is that of the iteration before.
    load = ["{} = {};".format(f.tile("({} % 2) * {} + {}".format(f.t, f.W, f.tid)), f.source(f.chunk()))]
    f.finish(load, [f.step(f.tile("2 * {} - 1 - {}".format(f.W, f.tid))), f.step(f.mirrored())],
             before=before)


def volatile(k):
    f = _Frame(k)
    f.in_type = "volatile " + f.elem.name
    load = ["{} = {};".format(f.tile(f.tid), f.source(f.chunk()))]
    f.finish(load, [f.step(f.mirrored())])


def atomic(k):
    f = _Frame(k)
    # One thread, one block: the order is that of the program.
    k.grid, f.blocks = ["1"], 1
    k.pointer("ticket", ELEMENTS["elem-int"], "1", role="inout", fill="value(0)", const=False, restrict=True)
    load = ["{} = {};".format(f.tile(f.tid), f.source(f.chunk()))]
    f.finish(load, [f.step(f.mirrored()), Block("if ({} == 0)".format(f.tid), [
        f.step("atomicAdd(ticket, 1)")])])


def condition_memory(k):
    f = _Frame(k)
    k.pointer("count", ELEMENTS["elem-int"], "1", role="inout", fill="value(tiles)", const=False,
              restrict=False)
    k.grid, f.blocks = ["1"], 1
    f.restrict = False
    load = ["{} = {};".format(f.tile(f.tid), f.source(f.chunk()))]
    # Thread 0 ends the loop behind the second tile.
    f.finish(load, [f.step(f.mirrored())], condition="{} < *count".format(f.t), after=[
        Block("if ({} == 0 && {} == 1)".format(f.tid, f.t), ["*count = 2;"]), BARRIER])


ILLEGAL = {
    "illegal-stale-tile": stale_tile, "illegal-feedback": feedback,
    "illegal-tile-written": tile_written, "illegal-break": break_uniform,
    "illegal-break-thread": break_thread, "illegal-missing-barrier": missing_barrier,
    "illegal-carried-address": carried_address, "illegal-sliding-window": sliding_window,
    "illegal-volatile": volatile, "illegal-atomic": atomic,
    "illegal-condition-memory": condition_memory}
