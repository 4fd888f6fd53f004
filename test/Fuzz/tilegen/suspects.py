# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What makes the tile loop of any kernel illegal, and next to each kind what looks like it and is legal.

A kind changes the loop of one of the families (families.py) at a Site: statements in its phases, its
barriers, its header. It brings an array of its own, with what it is loaded from, and a result of its own,
so that it goes with all forms of the family's tiles. The twin of a kind differs in one point and is legal
by construction, in every variant or where one buffer is kept.

Which of them a rewriter may touch is not decided here but by whoever runs the kernel before and after.
Some originals have a race or no defined result, which shows when they are run.
"""

from .code import Block, add, mul, paren
from .elements import ELEMENTS, value
from .features import HEADLESS
from .plan import need
from .suspects_unseen import UNSEEN

BARRIER = "__syncthreads();"
_ZERO = {"float": "0.0f", "double": "0.0", "unsigned": "0u"}
_DECAY = {"float": "0.99f", "double": "0.99", "unsigned": "31u"}
# Loops whose tiles come in the order of their numbers, from the first one.
_FROM_ZERO = ("loop-lt", "loop-ne", "loop-le", "loop-reversed", "loop-offset-lt", "loop-offset-ne",
              "loop-offset-le", "loop-two-counters", "loop-one-based", "loop-while", "loop-body-advance")


class Site:
    """The first tile loop of a kernel, open for changes."""

    def __init__(self, k, kind, legal):
        self.k, self.kind, self.legal = k, kind, legal
        self.loop = None
        self.outside, self.before, self.after = [], [], []
        self.front, self.back = [], []   # of the load phase
        self.early, self.late = [], []   # of the compute phase
        self.end = []                    # behind the trailing barrier
        self.first = self.last = BARRIER
        self.guard = None                # a condition around the loop
        self.guard_loop = None           # or the header of a loop of one turn
        self.wrap = None                 # what becomes of the load phase
        self.alone = False               # nothing else is in the loop
        self.condition = None            # one more condition of the loop
        self.whole_condition = None      # the loop's condition, in place of its own
        self.parameters = []             # done when the kernel's grid is known
        self._turn = None
        self.static_bytes = 0     # of the tiles that are there already

    # --- Names and values.
    def name(self, key, options):
        return self.k.name("suspect." + key, options)

    def of(self, key, options):
        return self.k.choices.of("suspect." + key, options)

    @property
    def P(self):
        return self.k.threads_text()

    @property
    def tid(self):
        return self.k.tid()

    def mirrored(self):
        return "{} - 1 - {}".format(self.P, self.tid)

    def turn(self):
        """The number of iterations so far."""
        if not self._turn and self.loop.form in _FROM_ZERO and self.of("turn.own", [0, 0, 1]) == 0:
            self._turn = paren(self.loop.position)
        if not self._turn:
            self._turn = self.name("turn", ["turn", "round", "iter", "visits"])
            self.before.append("int {} = 0;".format(self._turn))
            self.loop.bumps.append((self.of("turn.at", ["compute", "end"]), "++{};".format(self._turn)))
        return self._turn

    def place(self):
        """Of the tile that is loaded: the tile's number or the iteration's."""
        return self.turn() if self.of("place", [0, 1]) else self.loop.position

    def elem(self, scalar=False):
        names = ["elem-float"] * 5 + ["elem-unsigned", "elem-unsigned", "elem-double"]
        if not scalar and self.k.threads <= 128:
            names += ["elem-float4", "elem-float4", "elem-int2", "elem-short"]
        elem = ELEMENTS[self.of("elem", names)]
        need(self.k, elem)
        return elem

    def blocks(self):
        return mul(*[paren(g) for g in self.k.grid])

    def block(self):
        return "(blockIdx.y * gridDim.x + blockIdx.x)"

    def trips(self):
        """At most that many iterations, for the launch description."""
        loop = self.loop
        if loop.tiles is not None:
            return str(loop.tiles)
        return loop.size if str(loop.unit) == "1" else "ceildiv({}, {})".format(loop.size, loop.unit.name)

    # --- Parts.
    def array(self, elem, times=1, key="own"):
        name = self.name(key, ["extra", "side", "ring", "lane_buf"])
        self.outside.append("__shared__ {} {}[{}];".format(elem.name, name, mul(times, self.P)))
        return name

    def scalar(self, name, expression, kind="int"):
        self.k.taken.add(name)
        self.parameters.append(lambda: self.k.scalar(name, kind, str(expression)))
        return name

    def feed(self, elem, count=None, key="feed", const=True, restrict=None, fill=None, role=None, parts=False):
        """A pointer to `count` elements (as many as all iterations and one more need). `parts`: each
        block has its own."""
        name = self.name(key, {"feed": ["feed", "more", "aux"], "sink": ["sink", "trail", "dst"],
                               "flags": ["flags", "live", "mask"], "chain": ["chain", "nexts", "links"],
                               "quota": ["quota", "limits"]}[key])
        count = count or "({} + 2) * {}".format(self.trips(), self.k.threads)

        def declare():
            self.k.pointer(name, elem, "({}) * {}".format(count, paren(self.blocks())) if parts else count,
                           role=role or ("input" if const else "inout"), const=const, restrict=restrict,
                           fill=fill)
        self.parameters.append(declare)
        return name

    def result(self, kind):
        """A variable that ends up in an output of its own."""
        seen = self.name("seen", ["seen", "witness", "extraSum", "tally"])
        out = self.name("seen.out", ["seenOut", "witnessOut", "tallies"])
        self.before.append("{} {} = {};".format(kind, seen, _ZERO[kind]))
        self.after.append("{}[{} * {} + {}] = {};".format(out, self.block(), self.P, self.tid, seen))
        self.parameters.append(lambda: self.k.pointer(
            out, ELEMENTS["elem-" + kind], "({}) * {}".format(self.blocks(), self.k.threads), role="output",
            const=False, restrict=True))
        self.seen, self.seen_kind = seen, kind
        return seen

    def see(self, elem, text):
        return "{0} = {0} * {1} + {2};".format(self.seen, _DECAY[self.seen_kind],
                                               value(elem, self.seen_kind, text))

    def compute(self, *statements):
        (self.early if self.of("compute.at", [0, 1]) else self.late).extend(statements)

    def load(self, *statements):
        (self.front if self.of("load.at", [0, 1]) else self.back).extend(statements)

    def plain(self, elem=None, own=None, feed=None):
        """own[tid] = feed[..]: what most kinds are built on. (elem, own, feed)"""
        elem = elem or self.elem()
        own, feed = own or self.array(elem), feed or self.feed(elem)
        self.load("{}[{}] = {}[{}];".format(own, self.tid, feed, self.at()))
        self.result(elem.kind)
        return elem, own, feed

    def at(self, place=None):
        return add(mul(place or self.place(), self.P), self.tid)

    def read_other(self, elem, own):
        self.compute(self.see(elem, "{}[{}]".format(own, self.mirrored())))

    # --- The loop.
    def apply(self):
        SUSPECTS[self.kind](self)

    def phases(self, load, compute):
        if self.alone:
            load, compute = [], []
        if self.wrap:
            load = self.wrap(load)
        return self.front + load + self.back, self.early + compute + self.late

    def around(self, statements):
        """`statements`: the loop and what belongs in front of it."""
        at = next(n for n, s in enumerate(statements) if _has_tile_loop(s))
        statements = list(statements)
        _edit(statements[at], self)
        start = at
        while start and isinstance(statements[start - 1], str) and statements[start - 1].startswith("#pragma"):
            start -= 1
        # The first load of a loop whose turns end with the next one's, and the barrier behind it.
        if start > 1 and isinstance(statements[start - 2], Block) and statements[start - 2].in_front:
            start -= 2
        loop = statements[start:at + 1]
        if self.guard:
            loop = [Block("if ({})".format(self.guard), loop)]
        elif self.guard_loop:
            loop = [Block(self.guard_loop, loop)]
        return statements[:start] + self.before + loop + self.after + statements[at + 1:]

    def finish(self):
        for declare in self.parameters:
            declare()


def _has_tile_loop(statement):
    return isinstance(statement, Block) and (
        statement.tile_loop or any(_has_tile_loop(s) for s in statement.body))


def _asked(header, site):
    """`header` of a loop, or of the if around one, with the conditions of `site`."""
    if header == "do":
        return header
    if header.startswith("for"):
        head, condition, step = (part.strip() for part in header[:-1].partition("(")[2].split(";"))
    else:
        head, condition, step = None, header[:-1].partition("(")[2], None
    conditions = [site.whole_condition or condition] + [site.condition] * bool(site.condition)
    text = " && ".join(paren_and(c) for c in conditions if c)
    if head is None:
        return "{} ({})".format(header.partition(" (")[0], text)
    return "for ({}; {}; {})".format(head, text, step).replace("; )", ";)").replace("(; ", "(; ")


def paren_and(text):
    return "(" + text + ")" if "||" in text or "?" in text else text


def _edit(block, site):
    """Barriers and header of the tile loop that is `block` or in it."""
    if not block.tile_loop:
        for at, inner in enumerate(block.body):
            if _has_tile_loop(inner):
                if isinstance(inner, Block) and inner.header == "do" and (site.whole_condition or site.condition):
                    block.header, block.body[at + 1] = (
                        _asked(block.header, site), _asked(block.body[at + 1][:-1], site) + ";")
                return _edit(inner, site)
    # Of a loop that leaves turns out all may stand in an if.
    body = next(b for b in [block.body] + [s.body for s in block.body if isinstance(s, Block)] if BARRIER in b)
    barriers = [n for n, s in enumerate(body) if s == BARRIER]
    for at, text in ((barriers[-1], site.last), (barriers[0], site.first)):
        if text != BARRIER:
            body[at:at + 1] = [text] if text else []
    if site.whole_condition or site.condition:
        block.header = _asked(block.header, site)
    return None


# --- What the compute phase reads and the load phase has not written --------------------------------
def stale_guard(s):
    turn, c = s.turn(), s.k.choices
    condition = s.of("when", ["{} % 2 == 0".format(s.tid), "({} & 1) == 0".format(turn),
                              "{} < {} / 2".format(s.tid, s.P), "({} + {}) % 3 != 1".format(turn, s.tid)])
    if not s.legal:
        s.wrap = lambda load: [Block("if ({} == 0 || {})".format(turn, condition), load)]
    elif s.of("twin", [0, 1]):
        s.wrap = lambda load: [Block("if ({})".format(condition), load, Block("", list(load)))]
    else:
        s.scalar("enabled", 1)
        s.wrap = lambda load: [Block("if (enabled != 0)", load)]


def no_else(s):
    """A guard that changes from iteration to iteration; without else, or with one that is not zero."""
    elem = s.elem(scalar=True)
    own, feed = s.array(elem), s.feed(elem)
    s.result(elem.kind)
    turn = s.turn()
    condition = s.of("when", ["({} + {}) % 3 != 1".format(turn, s.tid), "{} % 4 >= {}".format(s.tid, paren(turn + " % 4"))])
    target, loaded = "{}[{}]".format(own, s.tid), "{}[{}]".format(feed, s.at(turn))
    if s.legal:
        other = s.of("other", [elem.other, elem.zero[0]])
        s.load(s.of("form", [
            "{} = {} ? {} : {};".format(target, condition, loaded, other),
            Block("if ({})".format(condition), ["{} = {};".format(target, loaded)],
                  Block("", ["{} = {};".format(target, other)]))]))
    else:
        s.load(Block("if ({} == 0 || {})".format(turn, condition), ["{} = {};".format(target, loaded)]))
    s.read_other(elem, own)


def moving_bound(s):
    """Only the first elements are loaded, how many differs; the compute phase reads those, or all."""
    elem = s.elem()
    own, feed = s.array(elem), s.feed(elem)
    s.result(elem.kind)
    turn = s.turn()
    live = s.name("live", ["live", "valid", "used"])
    bound = "{} == 0 || {} % 2 == 0 ? {} : {}".format(turn, turn, s.P, paren("{} / 2 + 1".format(s.P)))
    variable = s.of("variable", [0, 1])
    if variable:
        s.front.append("const int {} = {};".format(live, bound))
    bound = live if variable else "(" + bound + ")"
    s.back.append(Block("if ({} < {})".format(s.tid, bound), ["{}[{}] = {}[{}];".format(
        own, s.tid, feed, s.at(turn))]))
    s.compute(Block("for (int q = 0; q < {}; ++q)".format(bound if s.legal else s.P), [
        s.see(elem, own + "[q]")]))
    s.k.cost += s.k.threads * s.k.threads


def halo_once(s):
    elem = s.elem()
    own, feed = s.array(elem, 2), s.feed(elem)
    halo = s.feed(elem, key="sink", count="({} + 2) * {}".format(s.trips(), s.k.threads))
    s.result(elem.kind)
    s.load("{}[{}] = {}[{}];".format(own, s.tid, feed, s.at()))
    side = "{}[{} + {}] = {}[{}];"
    if s.legal:
        s.load(side.format(own, s.P, s.tid, halo, s.at()))
    else:
        s.before.append(side.format(own, s.P, s.tid, halo, s.tid))
    s.compute(s.see(elem, "{}[{}]".format(own, s.mirrored())),
              s.see(elem, "{}[2 * {} - 1 - {}]".format(own, s.P, s.tid)))


def sliding_parity(s):
    elem = s.elem()
    own, feed = s.array(elem, 2), s.feed(elem)
    s.result(elem.kind)
    turn = s.turn()
    if s.legal:
        s.load("{}[{}] = {}[{}];".format(own, s.tid, feed, s.at(turn)),
               "{}[{} + {}] = {}[{}];".format(own, s.P, s.tid, feed, s.at("({} + 1)".format(turn))))
    else:
        s.before.append("{}[{} + {}] = {}[{}];".format(own, s.P, s.tid, feed, s.tid))
        s.load("{}[({} & 1) * {} + {}] = {}[{}];".format(own, turn, s.P, s.tid, feed, s.at(turn)))
    s.compute(s.see(elem, "{}[{}]".format(own, s.mirrored())),
              s.see(elem, "{}[2 * {} - 1 - {}]".format(own, s.P, s.tid)))


def sliding_load(s):
    """tile[i] = tile[i + W] in the load phase."""
    elem = s.elem()
    own, feed = s.array(elem, 2), s.feed(elem)
    s.result(elem.kind)
    turn = s.turn()
    late = "{}[{} + {}]".format(own, s.P, s.tid)
    if s.legal:
        early = "{}[{}]".format(feed, s.at(turn))
    else:
        early = late
        s.before.append("{} = {}[{}];".format(late, feed, s.tid))
    s.load("{}[{}] = {};".format(own, s.tid, early),
           "{} = {}[{}];".format(late, feed, s.at("({} + 1)".format(turn))))
    s.compute(s.see(elem, "{}[{}]".format(own, s.mirrored())),
              s.see(elem, "{}[2 * {} - 1 - {}]".format(own, s.P, s.tid)))


def clear_before(s):
    """The array is cleared in front of the loop; then all of it is loaded, or only a part."""
    elem = s.elem()
    own, feed = s.array(elem), s.feed(elem)
    s.result(elem.kind)
    s.before.append("{}[{}] = {};".format(own, s.tid, elem.other))
    copy = "{}[{}] = {}[{}];".format(own, s.tid, feed, s.at())
    if s.legal:
        s.load(copy)
    else:
        s.scalar("part", max(1, s.k.threads // 2))
        s.load(Block("if ({} < part)".format(s.tid), [copy]))
    s.read_other(elem, own)


def part_of_threads(s):
    """Half of the threads load; what they load is all that is read, or the rest comes from elsewhere."""
    elem = s.elem()
    half = max(1, s.k.threads // 2)
    own = s.array(elem)
    feed = s.feed(elem)
    s.result(elem.kind)
    s.load(Block("if ({} < {})".format(s.tid, half), ["{}[{}] = {}[{}];".format(own, s.tid, feed, s.at())]))
    if s.legal:
        s.compute(s.see(elem, "{}[({} + 1) % {}]".format(own, s.tid, half)))
    else:
        turn = s.turn()
        # The others, once.
        s.load(Block("if ({} == 0 && {} >= {})".format(turn, s.tid, half), [
            "{}[{}] = {}[{}];".format(own, s.tid, feed, s.tid)]))
        s.read_other(elem, own)


# --- What the compute phase writes -------------------------------------------------------------------
def tile_carried(s):
    elem = s.elem(scalar=True)
    own, feed = s.array(elem, 2), s.feed(elem)
    s.result(elem.kind)
    state = "{}[{} + {}]".format(own, s.P, s.tid)
    s.load("{}[{}] = {}[{}];".format(own, s.tid, feed, s.at()))
    if s.legal:
        s.load("{} = {};".format(state, elem.zero[0]))
    else:
        s.before.append("{} = {};".format(state, elem.zero[0]))
    term = "{}[{}]".format(own, s.mirrored())
    form = s.of("form", ["statement", "function"])
    if form == "function":
        name = "addTo" + elem.name.capitalize()
        s.k.helper(name, ["__device__ {0}void {1}({2} *to, {2} x) {{".format(
            s.of("inline", ["", "__forceinline__ "]), name, elem.name),
            "  *to = *to * {} + x;".format(_DECAY[elem.kind]), "}"])
        s.compute("{}(&{}, {});".format(name, state, term), s.see(elem, state))
    else:
        s.compute("{0} = {0} * {1} + {2};".format(state, _DECAY[elem.kind], term), s.see(elem, state))


def scratch_behind(s):
    """Written in the compute phase, read behind the trailing barrier: the neighbour's, or one's own."""
    elem = s.elem(scalar=True)
    s.result(elem.kind)
    scratch = s.array(elem)
    s.compute("{}[{}] = {} + {};".format(scratch, s.tid, s.seen, s.turn()))
    s.end.append(s.see(elem, "{}[{}]".format(scratch, s.tid if s.legal else s.mirrored())))


def scratch_relay(s):
    """Written behind the trailing barrier, read in the next compute phase."""
    elem = s.elem(scalar=True)
    s.result(elem.kind)
    scratch = s.array(elem)
    s.before.append("{}[{}] = {};".format(scratch, s.tid, elem.other))
    s.compute(s.see(elem, "{}[{}]".format(scratch, s.tid if s.legal else s.mirrored())))
    s.end.append("{}[{}] = {} + {};".format(scratch, s.tid, s.seen, s.turn()))


def scratch_parity(s):
    """Two halves in turns need one barrier per iteration; one half needs two and has none between."""
    elem = s.elem(scalar=True)
    s.result(elem.kind)
    scratch = s.array(elem, 2)
    s.before.append("{}[{} + {}] = {};".format(scratch, s.P, s.tid, elem.other))
    turn = s.turn()
    other = "(({} + 1) & 1) * {} + {}".format(turn, s.P, s.mirrored()) if s.legal else s.mirrored()
    mine = "({} & 1) * {} + {}".format(turn, s.P, s.tid) if s.legal else s.tid
    s.compute("{}[{}] = {} + 1;".format(scratch, mine, s.seen), s.see(elem, "{}[{}]".format(scratch, other)))


def read_behind(s):
    """A tile's element is read behind the trailing barrier: another thread's (a race), or one's own."""
    elem, own, _ = s.plain()
    s.end.append(s.see(elem, "{}[{}]".format(own, s.tid if s.legal else s.mirrored())))


# --- Global memory -------------------------------------------------------------------------------------
def feedback(s):
    """The next tile is stored by the compute phase, or what is stored lies behind all tiles, which only the
    launch tells, or it is the tile that has been read."""
    elem = s.elem(scalar=True)
    own = s.array(elem)
    count = "(2 * {} + 4) * {}".format(s.trips(), s.k.threads)
    feed = s.feed(elem, count=count, const=False, restrict=s.of("restrict", [0, 1]), parts=True)
    pitch = s.scalar(s.name("pitch", ["pitch", "per_block"]), count)
    s.result(elem.kind)
    turn = s.turn()
    base = "{} * {}".format(s.block(), pitch)
    s.load("{}[{}] = {}[{} + {}];".format(own, s.tid, feed, base, s.at(turn)))
    s.read_other(elem, own)
    if s.of("apart", ["parameter", "literal"]) == "parameter":
        half = s.scalar(s.name("half", ["half_count", "tilesMax"]), "{} + 2".format(s.trips()) if s.legal else 1)
        target = "({} + {})".format(turn, half)
    else:
        target = turn if s.legal else "({} + 1)".format(turn)
    s.compute("{}[{} + {}] = {};".format(feed, base, s.at(target), s.seen))


def alias(s):
    """The store goes through another pointer: one that some launch lets point to the same memory, or a
    __restrict__ one to other memory."""
    elem = s.elem(scalar=True)
    own = s.array(elem)
    pitch_text = "({} + 2) * {}".format(s.trips(), s.k.threads)
    restrict = s.of("restrict", ["both", "load", "store"]) if s.legal else None
    feed = s.feed(elem, const=s.of("const", [0, 1]) or s.legal, restrict=restrict in ("both", "load"), parts=True,
                  role="inout" if not s.legal else None)
    pitch = s.scalar(s.name("pitch", ["pitch", "per_block"]), pitch_text)
    sink = s.name("sink", ["sink", "trail", "dst"])
    s.result(elem.kind)
    turn = s.turn()
    base = "{} * {}".format(s.block(), pitch)
    s.load("{}[{}] = {}[{} + {}];".format(own, s.tid, feed, base, s.at(turn)))
    s.read_other(elem, own)
    s.compute("{}[{} + {}] = {};".format(sink, base, s.at("({} + 1)".format(turn)), s.seen))

    def declare():
        words = "__restrict__ " if restrict in ("both", "store") else ""
        entry = {"name": sink}
        if s.legal:
            entry.update({"buffer": s_type(elem), "count": "({}) * {}".format(pitch_text, paren(s.blocks())),
                          "role": "inout"})
            if elem.fill:
                entry["fill"] = elem.fill
        else:
            entry["same_as"] = feed
        s.k.params.append(("{} *{}{}".format(elem.name, words, sink), entry))
    s.parameters.append(declare)


def s_type(elem):
    return {"unsigned": "unsigned int"}.get(elem.launch, elem.launch)


def flag_feedback(s):
    """The guard of the copy is in memory, which the compute phase changes, or changes elsewhere."""
    elem = s.elem()
    own, feed = s.array(elem), s.feed(elem)
    s.result(elem.kind)
    turn = s.turn()
    count = "({} + 2) * {}".format(s.trips(), s.k.threads)
    flags = s.feed(ELEMENTS["elem-int"], count=count, key="flags", const=bool(s.legal), restrict=True,
                   fill="uniform(0, 2)", parts=True)
    pitch = s.scalar(s.name("pitch", ["pitch", "per_block"]), count)
    base = "{} * {}".format(s.block(), pitch)
    target, loaded = "{}[{}]".format(own, s.tid), "{}[{}]".format(feed, s.at(turn))
    flag = "{}[{} + {}]".format(flags, base, s.at(turn))
    if s.of("form", ["variable", "ternary"]) == "variable":
        held = s.name("held", ["held", "flagged", "wanted"])
        s.load("const int {} = {};".format(held, flag),
               Block("if ({} != 0)".format(held), ["{} = {};".format(target, loaded)],
                     Block("", ["{} = {};".format(target, elem.zero[0])])))
    else:
        s.load("{} = {} != 0 ? {} : {};".format(target, flag, loaded, elem.zero[0]))
    s.read_other(elem, own)
    target = flags
    if s.legal:
        target = s.feed(ELEMENTS["elem-int"], count=count, key="sink", const=False, restrict=True, parts=True)
    s.compute("{}[{} + {}] = {} & 1;".format(target, base, s.at("({} + 1)".format(turn)),
                                           paren("{} + {}".format(turn, s.tid))))


def index_feedback(s):
    """The same with the index of a gather, by an atomic at times."""
    elem = s.elem()
    own, feed = s.array(elem), s.feed(elem, count="64")
    s.result(elem.kind)
    turn = s.turn()
    count = "({} + 2) * {}".format(s.trips(), s.k.threads)
    index = s.feed(ELEMENTS["elem-int"], count=count, key="flags", const=bool(s.legal), restrict=True,
                   fill="uniform(0, 64)", parts=True)
    pitch = s.scalar(s.name("pitch", ["pitch", "per_block"]), count)
    base = "{} * {}".format(s.block(), pitch)
    s.load("{}[{}] = {}[{}[{} + {}]];".format(own, s.tid, feed, index, base, s.at(turn)))
    s.read_other(elem, own)
    target = index
    if s.legal:
        target = s.feed(ELEMENTS["elem-int"], count=count, key="sink", const=False, restrict=True, parts=True,
                        fill="uniform(0, 64)")
    place = "{}[{} + {}]".format(target, base, s.at("({} + 1)".format(turn)))
    if s.of("atomic", [0, 0, 1]):
        s.compute("atomicXor(&{}, 5);".format(place))
    else:
        s.compute("{0} = ({0} * 5 + {1}) & 63;".format(place, s.tid))


def load_stores(s):
    """The load phase stores to global memory; the twin does it in the compute phase."""
    elem, own, feed = s.plain(s.elem(scalar=True))
    s.read_other(elem, own)
    count = "({} + 2) * {}".format(s.trips(), s.k.threads)
    sink = s.feed(elem, count=count, key="sink", const=False, restrict=True, parts=True)
    pitch = s.scalar(s.name("pitch", ["pitch", "per_block"]), count)
    store = "{}[{} * {} + {}] = {};".format(sink, s.block(), pitch, s.at(s.turn()), s.seen)
    if s.legal:
        s.compute(store)
    else:
        s.load(store)


# --- Addresses -----------------------------------------------------------------------------------------
def carried_address(s):
    """The next tile's place is what the compute phase says, or plain arithmetic, or a list."""
    elem = s.elem(scalar=True)
    own, feed = s.array(elem), s.feed(elem)
    s.result(elem.kind)
    at = s.name("at", ["at", "where_", "cursor", "node"])
    s.before.append("int {} = 0;".format(at))
    count = s.scalar(s.name("tilesOf", ["places", "slots"]), "{} + 2".format(s.trips()))
    load = "{}[{}] = {}[{}];".format(own, s.tid, feed, s.at(at))
    s.read_other(elem, own)
    form = s.of("form", ["arithmetic", "chain"]) if s.legal else s.of("form", ["tile", "tile", "shared", "chain"])
    if form == "arithmetic":
        s.load(load)
        s.late.append("{0} = {0} + 1 < {1} ? {0} + 1 : 0;".format(at, count))
    elif form == "chain":
        chain = s.feed(ELEMENTS["elem-int"], count="{} + 2".format(s.trips()), key="chain",
                       fill="uniform(0, {} + 2)".format(s.trips()), const=bool(s.legal), restrict=True, parts=True)
        link = "{}[{} * {} + {}]".format(chain, s.block(), count, at)
        s.back += [load, "{} = {};".format(at, link)]
        if not s.legal:
            # The list is changed on the way.
            s.late.append(Block("if ({} == 0)".format(s.tid), ["{0} = ({0} + 1) % {1};".format(link, count)]))
    elif form == "shared":
        box = s.name("box", ["next_tile", "head", "mailbox"])
        s.outside.append("__shared__ int {};".format(box))
        s.before += [BARRIER, Block("if ({} == 0)".format(s.tid), [box + " = 0;"]), BARRIER]
        s.load("{}[{}] = {}[{}];".format(own, s.tid, feed, s.at(box)))
        s.late.append(Block("if ({} == 0)".format(s.tid), ["{} = ({} + {}) % {};".format(
            box, s.turn(), "2", count)]))
    else:
        s.load(load)
        test = "{}[0] > {}".format(own, elem.zero[0])
        if elem.kind == "unsigned":
            test = "({}[0] & 1u) != 0u".format(own)
        s.late.append("{0} = ({0} + ({1} ? 1 : 2)) % {2};".format(at, test, count))


def counter_body(s):
    """The counter is changed in the body, too: as the tile says, or by what a parameter says."""
    elem, own, feed = s.plain(s.elem(scalar=True))
    s.read_other(elem, own)
    counter = s.loop.counter
    if s.legal:
        skip = s.scalar(s.name("skip", ["skip", "stride_more"]), s.of("skip", [0, 1]))
        s.late.append("{} += {};".format(counter, skip))
    else:
        test = "{}[0] > {}".format(own, elem.zero[0])
        if elem.kind == "unsigned":
            test = "({}[0] & 1u) != 0u".format(own)
        s.late.append(Block("if ({})".format(test), ["++{};".format(counter)]))


def staging_reused(s):
    """The register on the way to the tile: the compute phase reads what was loaded, or its own value."""
    elem = s.elem(scalar=True)
    own, feed = s.array(elem), s.feed(elem)
    s.result(elem.kind)
    reg = s.name("reg", ["reg", "staged", "tmp", "value_in"])
    s.before.append("{} {} = {};".format(elem.name, reg, elem.zero[0]))
    s.load("{} = {}[{}];".format(reg, feed, s.at()), "{}[{}] = {};".format(own, s.tid, reg))
    if s.legal:
        s.compute("{} = {}[{}];".format(reg, own, s.mirrored()), s.see(elem, reg))
    else:
        s.compute(s.see(elem, reg), s.see(elem, "{}[{}]".format(own, s.mirrored())))


def condition_shared(s):
    """The loop ends when shared or global memory says so; the twin's bound is a parameter."""
    elem, own, feed = s.plain()
    s.read_other(elem, own)
    turn = s.turn()
    if s.legal:
        s.condition = "{} < {}".format(turn, s.scalar(s.name("most", ["most", "roundsMax"]), 3))
        return
    if s.of("where", [0, 1]):
        stop = s.name("stop", ["stop", "finished", "done_flag"])
        s.outside.append("__shared__ int {};".format(stop))
        s.before += [BARRIER, Block("if ({} == 0)".format(s.tid), [stop + " = 0;"]), BARRIER]
        s.condition = stop + " == 0"
        s.compute(Block("if ({} == 0 && {} == 1)".format(s.tid, turn), [stop + " = 1;"]))
    else:
        limit = s.feed(ELEMENTS["elem-int"], count="1", key="quota", const=False, restrict=s.of("restrict", [0, 1]),
                       fill="value(100)", parts=True)
        s.condition = "{} < {}[{}]".format(turn, limit, s.block())
        s.compute(Block("if ({} == 0 && {} == 1)".format(s.tid, turn), ["{}[{}] = 2;".format(limit, s.block())]))


# --- Barriers and exits --------------------------------------------------------------------------------
def missing_barrier(s):
    """A race; the twin has the barrier."""
    elem, own, _ = s.plain()
    s.read_other(elem, own)
    if not s.legal:
        if s.of("which", [0, 0, 1]):
            s.first = None
        else:
            s.last = None


def warp_barrier(s):
    """__syncwarp() instead: enough for a block that is one warp."""
    elem, own, _ = s.plain()
    s.read_other(elem, own)
    if s.legal and s.k.threads > 32:
        return
    # A block of one warp, or with half a one: then there is none at all.
    text = "__syncwarp();" if s.legal or s.k.threads > 32 and s.k.threads % 32 == 0 else None
    setattr(s, s.of("which", ["first", "last"]), text)


def conditional_barrier(s):
    """Under a condition that is always true; the illegal one is false at times."""
    elem, own, _ = s.plain()
    s.read_other(elem, own)
    turn = s.turn()
    condition = "{} >= 0".format(turn) if s.legal else "{} % 3 != 1".format(turn)
    if s.of("one.line", [0, 1]):
        text = "if ({}) __syncthreads();".format(condition)
    else:
        text = Block("if ({})".format(condition), [BARRIER])
    setattr(s, s.of("which", ["first", "last"]), text)


def group_barrier(s):
    """A group of the block instead of the block: a tile of 32, or all of it."""
    elem, own, _ = s.plain()
    s.read_other(elem, own)
    if not s.legal and (s.k.threads % 32 or s.k.threads == 32):
        s.last = None
        return
    if "cooperative_groups.h" not in s.k.includes:
        s.k.includes.append("cooperative_groups.h")
    space = "cooperative_groups::"
    text = "{0}tiled_partition<32>({0}this_thread_block()).sync();".format(space)
    if s.legal:
        text = "{}this_thread_block().sync();".format(space)
    setattr(s, s.of("which", ["first", "last"]), text)


def counting_barrier(s):
    """__syncthreads_count: its result ends the loop, or is not used."""
    elem = s.elem(scalar=True)
    turn = s.turn()
    own = s.array(elem)
    feed = s.feed(elem, count="({} + 1) * {}".format(s.trips() if s.legal else "min({}, 2)".format(s.trips()),
                                                       s.k.threads))
    s.result(elem.kind)
    s.load("{}[{}] = {}[{}];".format(own, s.tid, feed, s.at(turn)))
    s.read_other(elem, own)
    if s.legal:
        s.last = "__syncthreads_count({} > 2);".format(turn)
    else:
        # The turn's number is advanced in front of the barrier or behind it.
        s.last = "if (__syncthreads_count({} >= 2) == {}) break;".format(turn, s.P)


def early_break(s):
    """The loop is left before its end; the arrays end there, too. In the twin they do not, and nothing is
    left."""
    elem = s.elem()
    turn = s.turn()
    limit = s.scalar(s.name("most", ["most", "cutoff"]), 2 if not s.legal else 1000000)
    own = s.array(elem)
    feed = s.feed(elem, count="min({}, {}) * {}".format(s.trips(), 2 if not s.legal else 1000000, s.k.threads))
    s.result(elem.kind)
    count = s.name("count", ["passed", "counted"])
    s.before.append("int {} = 0;".format(count))
    s.load("{}[{}] = {}[{}];".format(own, s.tid, feed, s.at(turn)))
    s.read_other(elem, own)
    leave = Block("if (++{} >= {})".format(count, limit), ["break;"])
    if s.of("where", ["end", "compute"]) == "end":
        s.end.append(leave)
    else:
        s.late.append(leave)


def early_continue(s):
    """continue, behind the trailing barrier; the illegal one jumps over that barrier."""
    elem, own, _ = s.plain()
    s.read_other(elem, own)
    turn = s.turn()
    leave = Block("if ({} % 2 == 1)".format(turn), ["continue;"])
    if s.legal:
        s.end += [leave, "{0} = {0} + 1;".format(s.seen)]
    else:
        s.late += [leave]


def thread_return(s):
    """A thread leaves in front of the loop: by a limit that is reached, or not."""
    elem, own, _ = s.plain()
    s.compute(s.see(elem, "{}[{}]".format(own, s.tid)))
    limit = s.scalar(s.name("limit", ["limit", "active", "count_"]), s.k.threads if s.legal else s.k.threads - 1)
    s.before.append(Block("if ({} >= {})".format(s.tid, limit), ["return;"]))


def thread_condition(s):
    """The loop is under a condition, or has a bound, that depends on the thread; all agree, or not."""
    elem, own, _ = s.plain()
    s.compute(s.see(elem, "{}[{}]".format(own, s.tid)))
    if s.of("form", [0, 1]):
        limit = s.scalar(s.name("limit", ["limit", "active"]), s.k.threads if s.legal else s.k.threads - 1)
        s.guard = "{} < {}".format(s.tid, limit)
    else:
        quota = s.feed(ELEMENTS["elem-int"], count=str(s.k.threads), key="quota",
                       fill="value(1000)" if s.legal else "uniform(1, 4)", restrict=True)
        s.before.append("const int mine_ = {}[{}];".format(quota, s.tid))
        s.condition = "{} < mine_".format(s.turn())


# --- Effects ----------------------------------------------------------------------------------------------
def volatile(s):
    """Each access is what it is; the twin's pointer is plain."""
    elem = s.elem(scalar=True)
    own, feed = s.array(elem), s.feed(elem, restrict=False)
    s.result(elem.kind)
    source = "{}[{}]".format(feed, s.at())
    if not s.legal:
        source = "((const volatile {} *){})[{}]".format(elem.name, feed, s.at())
    s.load("{}[{}] = {};".format(own, s.tid, source))
    s.read_other(elem, own)


def ticket(s):
    """A counter in memory is advanced by an atomic: the next tile depends on it, or nothing does."""
    elem = s.elem(scalar=True)
    own, feed = s.array(elem), s.feed(elem)
    s.result(elem.kind)
    turn = s.turn()
    counter = s.feed(ELEMENTS["elem-int"], count="1", key="quota", const=False, fill="value(0)", parts=True,
                     restrict=s.of("restrict", [1, 1, 0]) or s.legal)
    place = "{}[{}]".format(counter, s.block())
    # Ordered by the loop's barriers: advanced in the compute phase, read in the load phase.
    advance = Block("if ({} == 0)".format(s.tid), ["atomicAdd(&{}, 1);".format(place)])
    if s.legal:
        s.load("{}[{}] = {}[{}];".format(own, s.tid, feed, s.at(turn)))
    else:
        # The loop may be one of several turns.
        count = s.scalar(s.name("tilesOf", ["places", "slots"]), "{} + 2".format(s.trips()))
        s.load("{}[{}] = {}[{}];".format(own, s.tid, feed, s.at("({} % {})".format(place, count))))
    s.read_other(elem, own)
    s.compute(advance)


def ordered(s):
    """Nothing may move across: a fence, an asm statement with a memory clobber, an assertion, output.
    The twin's stands in front of the loop."""
    elem, own, _ = s.plain()
    s.read_other(elem, own)
    text = s.of("what", ["__threadfence();", "__threadfence_block();", 'asm volatile("" ::: "memory");',
                         Block("if (gridDim.x > 1000000u)", ["__trap();"]),
                         Block("if (gridDim.x > 1000000u)", ['printf("never\\n");'])])
    if s.legal:
        s.before.append(text)
    elif s.of("phase", [0, 0, 1]):
        s.load(text)
    else:
        s.compute(text)


# --- Pointers and uses around the loop ---------------------------------------------------------------------
def pointer_kept(s):
    """A pointer into the tile lives on to the next iteration, or is made anew."""
    elem, own, _ = s.plain()
    kept = s.name("kept", ["kept", "window_", "last_seen"])
    form = s.of("form", ["assignment", "function"])
    make = "{} = {} + {};".format(kept, own, s.mirrored())
    if form == "function":
        name = "remember" + elem.name.title().replace(" ", "").strip("_")
        s.k.helper(name, ["__device__ void {0}(const {1} **to, const {1} *from) {{".format(name, elem.name),
                          "  *to = from;", "}"])
        make = "{}(&{}, {} + {});".format(name, kept, own, s.mirrored())
    if s.legal:
        s.late += ["const {} *{};".format(elem.name, kept), make, s.see(elem, kept + "[0]")]
    else:
        s.before.append("const {} *{} = nullptr;".format(elem.name, kept))
        s.late += [Block("if ({})".format(kept), [s.see(elem, kept + "[0]")]), make]


def pointer_before(s):
    """The pointer is made in front of the loop; the twin's in the compute phase."""
    elem, own, _ = s.plain()
    p = s.name("hoisted", ["base_", "rowPtr", "view"])
    make = "const {} *{} = {} + {};".format(elem.name, p, own, s.of("from", ["0", s.mirrored()]))
    index = "0" if own + " + 0" not in make else s.mirrored()
    if s.legal:
        s.compute(make, s.see(elem, "{}[{}]".format(p, index)))
    else:
        s.before.append(make)
        s.compute(s.see(elem, "{}[{}]".format(p, index)))


def used_after(s):
    """The last tile is read behind the loop; the twin uses an array of its own there."""
    elem, own, _ = s.plain()
    s.read_other(elem, own)
    if s.legal:
        other = s.array(elem, key="other")
        s.before.append("{}[{}] = {};".format(other, s.tid, elem.other))
        read = "{}[{}]".format(other, s.tid)
    else:
        s.before.append("{}[{}] = {};".format(own, s.tid, elem.other))
        read = "{}[{}]".format(own, s.mirrored())
    s.after.insert(0, s.see(elem, read))
    s.after.insert(0, BARRIER)
    if s.k.repeated:
        s.after.append(BARRIER)


# --- Copies ---------------------------------------------------------------------------------------------------
def written_twice(s):
    """One thread writes its element twice; the second copy counts. The twin writes two elements."""
    elem = s.elem()
    own, feed = s.array(elem, 2), s.feed(elem)
    more = s.feed(elem, key="sink")
    s.result(elem.kind)
    place = s.place()
    second = "{} + {}".format(s.P, s.tid) if s.legal else s.of("second", [
        s.tid, "{} + 0 * {}".format(s.tid, place)])
    s.load("{}[{}] = {}[{}];".format(own, s.tid, feed, s.at(place)),
           "{}[{}] = {}[{}];".format(own, second, more, s.at(place)))
    s.read_other(elem, own)


def two_threads(s):
    """Two threads write one element (a race); of the twin's, one of the two."""
    elem = s.elem()
    own, feed = s.array(elem), s.feed(elem)
    s.result(elem.kind)
    copy = "{}[{} / 2] = {}[{}];".format(own, s.tid, feed, s.at())
    s.load(Block("if ({} % 2 == 0)".format(s.tid), [copy]) if s.legal else copy)
    s.compute(s.see(elem, "{}[({}) / 2]".format(own, s.mirrored()) if s.k.threads % 2 == 0 else own + "[0]"))


def misaligned(s):
    """Vectors from a place that is a multiple of their size, or not."""
    elem = ELEMENTS["elem-float"]
    own = s.name("own", ["extra", "side"])
    s.outside.append("__shared__ __align__(16) float {}[4 * {}];".format(own, s.P))
    feed = s.feed(elem, count="({} + 2) * {}".format(s.trips(), 4 * s.k.threads))
    s.result("float")
    shift = s.scalar(s.name("shift", ["shift", "lead"]), 0 if s.legal else 1)
    s.load("*reinterpret_cast<float4 *>(&{}[4 * {}]) = *reinterpret_cast<const float4 *>(&{}[4 * ({}) + {}]);".format(
        own, paren(s.tid), feed, s.at(), shift))
    s.compute(s.see(elem, "{}[4 * {} - 1 - {}]".format(own, s.P, s.tid)))


SUSPECTS = {
    "stale-guard": stale_guard, "no-else": no_else, "moving-bound": moving_bound, "halo-once": halo_once,
    "sliding-parity": sliding_parity, "sliding-load": sliding_load, "clear-before": clear_before,
    "part-of-threads": part_of_threads, "tile-carried": tile_carried, "scratch-behind": scratch_behind,
    "scratch-relay": scratch_relay, "scratch-parity": scratch_parity, "read-behind": read_behind,
    "feedback": feedback, "alias": alias, "flag-feedback": flag_feedback, "index-feedback": index_feedback,
    "load-stores": load_stores, "carried-address": carried_address, "counter-body": counter_body,
    "staging-reused": staging_reused, "condition-memory": condition_shared,
    "missing-barrier": missing_barrier, "warp-barrier": warp_barrier,
    "conditional-barrier": conditional_barrier, "group-barrier": group_barrier,
    "counting-barrier": counting_barrier, "break": early_break, "continue": early_continue,
    "thread-return": thread_return, "thread-condition": thread_condition, "volatile": volatile,
    "ticket": ticket, "ordered": ordered, "pointer-kept": pointer_kept, "pointer-before": pointer_before,
    "used-after": used_after, "written-twice": written_twice, "two-threads": two_threads,
    "misaligned": misaligned}

# Kinds that need a header of a certain form, or cannot do with some.
_COUNTED = ("loop-lt", "loop-reversed", "loop-grid-stride")
SUSPECTS.update(UNSEEN)


def form_fits(kind, form):
    """Whether a loop of that form can have that kind."""
    if kind == "counter-body":
        return form in _COUNTED
    return form not in (HEADLESS if kind == "continue" else ("loop-do-while",))


def change(site, loop, load, compute):
    """The phases of the loop, changed; the rest of the site is for around()."""
    site.loop = loop
    site.apply()
    return site.phases(load, compute)
