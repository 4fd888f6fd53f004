# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The element that a thread copies of the additional tile of extra.py: where from, where to, row by row."""

from .code import Block, add, mul


def store(own, row, column):
    """What a copy of the thread's own element in `row` stores to."""
    stores = getattr(own, "stores", None)
    return stores(row) if stores else own.at(row, column)


def source_at(s, own, row, column=None):
    """The element in global memory: of the tile's place, in `row`."""
    place = s.place()
    base = place if own.rows == 1 else add(mul(place, own.rows), row)
    return add(mul(base, s.P), column or s.tid)


def each(s, own, body):
    """body(row) for every row: one after the other, or in a loop."""
    if own.rows == 1:
        return body("0")
    if own.rows <= 3 and s.of("rows.unrolled", [0, 1]):
        result = []
        for row in range(own.rows):
            some = body(str(row))
            result += some if len(some) == 1 else [Block("", some)]
        return result
    return [*s.k.unroll("extra"), Block("for (int r = 0; r < {}; ++r)".format(own.rows), body("r"))]


def scoped(own, lines):
    """The statements for all rows, in a scope of their own where they declare something."""
    return [Block("", lines)] if own.rows == 1 and len(lines) > 1 else lines
