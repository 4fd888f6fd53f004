# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More of how the additional tile of extra.py is loaded: by loops that jumps end or shorten, by a switch, by a do that
runs once, by loops of which nobody can say how often they turn, and where the stores need what the load phase has
stepped."""

from .code import Block, add, mul, paren
from .elements import ELEMENTS
from .extra_places import each, scoped, source_at, store


def _have(s, own):
    """The elements of a turn: all of them, or half of them in every third one."""
    have, end = s.name("have", ["inTile", "left_", "members"]), s.name("end", ["lastElement", "endOf"])
    s.front.append("const int {} = ({}) % 3 == 1 ? {} : {};".format(have, s.place(), own.count - own.count // 2, own.count))
    s.front.append("const int {} = {};".format(end, add(mul(s.place(), own.count), have)))
    own.limit = have
    return end, have


def stepped(s, own, feed):
    """The load phase steps a variable of the function, which says where the zeros are; perhaps the address and the
    compute phase need it as well."""
    at = s.name("stepped.at", ["upper", "phase_", "turnsSoFar"])
    s.before.append("int {} = {};".format(at, s.of("stepped.from", [0, 1, 3])))
    turn = paren(s.turn())
    step = s.of("stepped.step", ["{0} += 1;", "++{0};", "{0} = ({0} + 3) & 7;", "if ({1} & 1) {0} = {1} & 3;",
                                 "{0} = {1} > 2 ? 2 : {0};"]).format(at, turn)
    where = s.of("stepped.where", ["front", "front", "back"])
    if where == "front":
        s.front.append(step)
    hit = s.of("stepped.test", ["({t} + {a}) % 3 == 0", "({t} ^ {a}) & 1", "{t} % 5 < {a}"]).format(t=s.tid, a=at)
    address = lambda row: source_at(s, own, row)
    if s.of("stepped.address", [0, 1]):
        # Of the tile's own elements another one.
        address = lambda row: source_at(s, own, row, "({} + {}) % {}".format(s.tid, at, s.P))
    form = s.of("stepped.form", ["if", "if", "?:"]) if own.elem.name in ("int", "float", "unsigned", "double") else "if"
    if form == "if":
        s.load(*each(s, own, lambda row: [
            Block("if ({})".format(hit), ["{} = {};".format(store(own, row, s.tid), own.elem.zero[0])]),
            Block("else", ["{} = {}[{}];".format(store(own, row, s.tid), feed, address(row))])]))
    else:
        s.load(*each(s, own, lambda row: ["{} = {} ? {} : {}[{}];".format(
            store(own, row, s.tid), hit, own.elem.zero[0], feed, address(row))]))
    if where == "back":
        s.late_load.append(step)
    if s.of("stepped.used", [0, 1, 1]):
        s.compute(s.see(ELEMENTS["elem-int" if s.seen_kind == "unsigned" else "elem-float"], "({})({} & 15)".format(
            "int" if s.seen_kind == "unsigned" else "float", at)))


def jumps(s, own, feed):
    """What is not there is left out by a jump, or by a second condition."""
    total, have = _have(s, own)
    at = s.name("jump.at", ["g", "at_", "from0"])
    form = s.of("jump.form", ["break", "break-variable", "continue", "both", "condition", "while", "while"])
    base = mul(s.place(), own.count)
    copy = "{} = {}[{}];".format(own.flat("j"), feed, at)
    where = "const int {} = {};".format(at, add(base, "j"))
    out = s.of("jump.out", ["{} >= {}", "!({} < {})", "{} > {} - 1"]).format(at, total)
    head = "for (int j = {}; j < {}; j += {})".format(s.tid, own.count, s.P)
    if form == "break":
        s.back.append(Block(head, ["if ({} >= {}) break;".format(add(base, "j"), total), where, copy]))
    elif form == "break-variable":
        s.back.append(Block(head, [where, Block("if ({})".format(out), ["break;"]), copy]))
    elif form == "continue":
        s.back.append(Block(head, [where, "if ({}) continue;".format(out), copy]))
    elif form == "both":
        s.back.append(Block(head, [where, Block("if ({})".format(out), ["continue;"]), "if (j == {}) continue;".format(own.count), copy]))
    elif form == "condition":
        parts = ["j < {}".format(own.count), "{} < {}".format(add(base, "j"), total)]
        if s.of("jump.order", [0, 1]):
            parts.reverse()
        s.back.append(Block("for (int j = {}; {}; j += {})".format(s.tid, " && ".join(parts), s.P), [where, copy]))
    else:
        s.back.append("int j = {};".format(s.tid))
        s.back.append(Block("while (j < {})".format(have), [where, copy, "j += {};".format(s.P)]))
    if s.spoil == "left":
        # The compute phase reads on.
        s.late.append(Block("if ({} > 0)".format(s.turn()), [s.see(own.elem, own.flat(str(own.count - 1)))]))


def chosen(s, own, feed):
    """A switch says where from, or a do runs once."""
    form = s.of("chosen.form", ["switch", "switch", "do"])
    if form == "do":
        once = Block("do", each(s, own, lambda row: [
            "{} = {}[{}];".format(store(own, row, s.tid), feed, source_at(s, own, row))]))
        once.tail = " while (0);"
        s.load(*scoped(own, [once]))
        return
    which = s.scalar(s.name("switch.value", ["layout_", "mode0"]), s.of("switch.which", ["0", "1", "2", "5"]))

    def body(row):
        straight = "{} = {}[{}];".format(store(own, row, s.tid), feed, source_at(s, own, row))
        turned = "{} = {}[{}];".format(store(own, row, s.tid), feed, source_at(s, own, row, s.mirrored()))
        groups = [["case 0:", straight, "break;"], ["case 1:", "case 2:", turned, "break;"], ["default:", straight]]
        if s.of("switch.braces", [0, 1]):
            groups[1] = ["case 1:", "case 2: {", turned, "break; }"]
        return [Block("switch ({}{})".format(which, s.of("switch.and", ["", " & 3"])), [line for g in groups for line in g])]
    s.load(*scoped(own, each(s, own, body)))


def counted_by_nobody(s, own, feed):
    """As many turns as it happens: neither a number nor the size of an array says how many."""
    total, have = _have(s, own)
    step = s.of("open.step", [str(s.P), "stride"])
    if step == "stride":
        step = s.scalar(s.name("open.stride", ["stride_", "everyThreads"]), str(s.P))
    form = s.of("open.form", ["backwards", "reversed", "value"])
    base = mul(s.place(), own.count)
    mirrored = own.flat("({} - 1 - j)".format(have))
    if form == "backwards":
        s.back.append(Block("for (int j = {} - 1 - {}; j >= 0; j -= {})".format(have, s.tid, step), [
            "{} = {}[{}];".format(own.flat("j"), feed, add(base, "j"))]))
    elif form == "reversed":
        s.back.append(Block("for (int j = {}; j < {}; j += {})".format(s.tid, have, step), [
            "{} = {}[{}];".format(mirrored, feed, add(base, "j"))]))
    else:
        v = s.name("open.value", ["one_", "item"])
        s.back.append(Block("for (int j = {}; j < {}; j += {})".format(s.tid, have, step), [
            "const {} {} = {}[{}];".format(own.elem.name, v, feed, add(base, "j")), "{} = {};".format(mirrored, v)]))
    if s.spoil == "left":
        s.late.append(Block("if ({} > 0)".format(s.turn()), [s.see(own.elem, own.flat(str(own.count - 1)))]))
