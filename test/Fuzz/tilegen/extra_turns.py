# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops in which each thread has a way of its own, from where to where is as far for all of them.

The additional tile of extra.py is loaded from where the thread is, and the loop's condition asks whether the
thread has arrived: in place of what the header asked before, or besides it. `turns` as what is wrong: the ways
are not of one length.
"""

from .code import add, mul, paren
from .extra_places import each, scoped, store
from .features import HEADLESS
from .suspects import _FROM_ZERO


def _turns(s):
    """The number of turns as text of the kernel, and whether nothing else has to be asked. Where the loop starts
    or steps in a way of its own it is some parameter."""
    turns, whole = _count(s)
    if "(" in turns and s.of("turns.held", [1, 1, 1, 0]):
        name = s.name("turns.name", ["turnsOf", "rounds_"])
        s.before.append("const int {} = {};".format(name, turns))
        turns = name
    return turns, whole


def _count(s):
    loop = s.loop
    if loop.form in _FROM_ZERO:
        if loop.tiles is not None:
            return str(loop.tiles), True
        size = "{} - {}".format(loop.size, loop.origin) if loop.origin else loop.size
        if str(loop.unit) == "1":
            return paren(size), True
        return "(({0} + {1} - 1) / {1})".format(size, loop.unit), True
    return s.scalar(s.name("turns.most", ["mostTurns", "upTo"]), s.of("turns.count", ["{} + 1", "{}", "2"]).format(
        s.trips())), False


def _ask(s, condition, whole):
    """The loop goes on as long as `condition` holds."""
    if whole and s.of("turns.asked", [1, 1, 1, 0]):
        s.whole_condition = condition
    else:
        s.condition = condition


def _advance(s, statement):
    """`statement` behind the loads, where one may stand."""
    where = ["load", "between", "compute", "end"] + ["header"] * (s.loop.form not in HEADLESS)
    s.loop.bumps.append((s.of("turns.advance", where), statement))


def _base(s, own):
    """A first element that all threads share, or none."""
    if s.of("turns.base", [0, 1]):
        return s.scalar(s.name("turns.first", ["firstOf", "startAt"]), s.of("turns.base.value", [str(own.count), "0", "1"]))
    return ""


def _uneven(s, own, end):
    """Where another thread stops elsewhere."""
    if s.spoil != "turns":
        return end
    half = max(1, s.k.threads // 2)
    return s.of("turns.uneven", [
        "{0} + ({1} & 1) * {2}".format(end, s.tid, own.count), "{0} + {1} / {3} * {2}".format(end, s.tid, own.count, half),
        "{0} - ({1} < {3} ? {2} : 0)".format(end, s.tid, own.count, half)])


def difference(s, own, feed):
    """int at = base + tid; at < base + turns * W + tid; at += W"""
    turns, whole = _turns(s)
    base, at, end = _base(s, own), s.name("turns.at", ["at_", "pos_", "idx_"]), s.name("turns.end", ["end_", "stop_"])
    total, way = mul(turns, own.count), add(base, s.tid)
    far = _uneven(s, own, add(base, total, s.tid))
    kind = s.of("turns.type", ["int", "int", "long long"])
    if s.spoil == "turns" and s.of("turns.wrap", [0, 0, 1]):
        # Some threads start just below 2^32 and are at the end at once.
        kind, way, far = "unsigned", "{} - {}".format(add(base, s.tid), s.k.threads // 2), add(base, total, s.tid)
    start = s.of("turns.start", ["{} {} = {};", "{} {} = {};", "scaled", "steps"])
    if start == "steps" and kind == "int" and base:
        s.before += ["int {} = {};".format(at, s.tid), "{} += {};".format(at, base)]
    elif start == "scaled":
        s.before.append("{} {} = {};".format(kind, at, add(base, "2 * {0} - {0}".format(paren(s.tid))) if kind != "unsigned" else way))
    else:
        s.before.append("{} {} = {};".format(kind, at, way))
    form = s.of("turns.condition", ["{a} < {e}", "{e} > {a}", "named", "named", "distance", "{a} <= {e} - 1"])
    if kind == "unsigned" and form == "distance":
        form = "named"
    if form == "named":
        s.before.append("const {} {} = {};".format("unsigned" if kind == "unsigned" else "int", end, far))
        form, far = s.of("turns.named", ["{a} < {e}", "{e} > {a}", "{a} + 1 <= {e}"]), end
    if form == "distance":
        _ask(s, "{} - {} < {}".format(at, paren(s.tid), _uneven(s, own, add(base, total))), whole)
    else:
        _ask(s, form.format(a=at, e=far), whole)
    s.back += each(s, own, lambda row: ["{} = {}[{}];".format(store(own, row, s.tid), feed, add(at, mul(row, s.P)))])
    _advance(s, s.of("turns.step", ["{0} += {1};", "{0} = {0} + {1};"]).format(at, own.count))


def downwards(s, own, feed):
    """int at = tid + turns * W; at > tid; at -= W"""
    turns, whole = _turns(s)
    base, at = _base(s, own), s.name("turns.at", ["at_", "pos_", "idx_"])
    s.before.append("int {} = {};".format(at, add(base, s.tid, mul(turns, own.count))))
    last = _uneven(s, own, add(base, s.tid))
    _ask(s, s.of("turns.down", ["{} > {}", "{} >= {} + 1"]).format(at, last), whole)
    s.back += each(s, own, lambda row: ["{} = {}[{}];".format(store(own, row, s.tid), feed, add(at, mul(row, s.P)))])
    _advance(s, s.of("turns.step", ["{0} -= {1};", "{0} = {0} - {1};"]).format(at, own.count))


def pointers(s, own, feed):
    """const float *p = in + tid, *end = p + turns * W; p < end; p += W"""
    turns, whole = _turns(s)
    base, at, end = _base(s, own), s.name("turns.cursor", ["walk_", "from_", "pIn"]), s.name("turns.end", ["end_", "stop_", "pEnd"])
    e, total = own.source.name, mul(turns, own.count)
    form = s.of("turns.ends", ["of p", "of p", "of the base", "at once", "stepped"])
    if form == "stepped":
        s.before += ["const {} *{} = {};".format(e, at, feed), "{} += {};".format(at, add(base, s.tid))]
    else:
        s.before.append("const {} *{} = {};".format(e, at, add(feed, base, s.tid)))
    far = _uneven(s, own, "{} + {}".format(at, total) if form != "of the base" else add(feed, base, total, s.tid))
    if form == "at once":
        # Only of what does not move.
        far = _uneven(s, own, add(feed, base, s.tid, total))
    else:
        s.before.append("const {} *{}{} = {};".format(e, s.of("turns.fixed", ["", "const "]), end, far))
        far = end
    _ask(s, s.of("turns.condition", ["{} < {}", "{1} > {0}", "{} <= {} - 1"]).format(at, far), whole)
    s.back += each(s, own, lambda row: ["{} = {};".format(store(own, row, s.tid), (
        "*" + at if str(row) == "0" and s.of("turns.star", [0, 1]) else "{}[{}]".format(at, mul(row, s.P))))])
    _advance(s, s.of("turns.step", ["{0} += {1};", "{0} = {0} + {1};"]).format(at, own.count))


def distance(s, own, feed):
    """The bound is how far two pointers are apart, which is as far in all threads."""
    turns, whole = _turns(s)
    base, at, end = _base(s, own), s.name("turns.cursor", ["walk_", "from_", "pIn"]), s.name("turns.end", ["end_", "stop_", "pEnd"])
    offset, e = s.name("turns.offset", ["off_", "done_"]), own.source.name
    s.before += ["const {} *{} = {}{}".format(e, at, add(feed, base, s.tid), ", *{}{} = {};".format(
        s.of("turns.fixed", ["", "const "]), end, _uneven(s, own, "{} + {}".format(at, mul(turns, own.count))))),
        "{} {} = 0;".format(s.of("turns.type", ["long long", "int"]), offset)]
    _ask(s, s.of("turns.condition", ["{o} < {e} - {a}", "{e} - {a} > {o}"]).format(o=offset, e=end, a=at), whole)
    s.back += scoped(own, each(s, own, lambda row: ["{} = {}[{}];".format(store(own, row, s.tid), at, add(
        offset, mul(row, s.P)))]))
    _advance(s, "{} += {};".format(offset, own.count))


def group(s, own, feed):
    """int at = tid, end = n / W * W; at < end; at += W: all threads are in the same group of W numbers."""
    turns, whole = _turns(s)
    at, end, most = s.name("turns.at", ["at_", "pos_", "idx_"]), s.name("turns.end", ["end_", "stop_"]), s.name(
        "turns.number", ["howMany", "elements_"])
    s.before += ["const int {} = {};".format(most, add(mul(turns, own.count), s.of("turns.rest", ["0", "1", str(own.count - 1)]))),
                 "int {} = {};".format(at, s.tid)]
    form = s.of("turns.group", ["{n} / {w} * {w}", "{n} - {n} % {w}", "wholeGroups({n}, {w})", "({n} / {w}) * {w}"])
    if "wholeGroups" in form:
        s.k.helper("wholeGroups", ["__host__ __device__ {}int wholeGroups(int n, int w) {{".format(
            s.of("turns.words", ["", "inline ", "constexpr "])), "  return n / w * w;", "}"])
    s.before.append("const int {} = {};".format(end, _uneven(s, own, form.format(n=most, w=own.count))))
    _ask(s, s.of("turns.condition", ["{a} < {e}", "{e} > {a}"]).format(a=at, e=end), whole)
    s.back += each(s, own, lambda row: ["{} = {}[{}];".format(store(own, row, s.tid), feed, add(at, mul(row, s.P)))])
    _advance(s, s.of("turns.step", ["{0} += {1};", "{0} = {0} + {1};"]).format(at, own.count))
