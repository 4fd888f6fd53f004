# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a copy is kept inside of its array: what is tested, where, and what is stored otherwise."""

from .code import Block

# Guards that leave the copy's loop early, so that the copy has to be the last thing in one.
NEED_LOOP = ("guard-continue",)
# Guards that test the conditions one after the other, so that there have to be two.
NEED_TWO = ("guard-nested", "guard-apart")


def all_of(conditions):
    return " && ".join("(" + c + ")" if "?" in c or "||" in c else c for c in conditions)


def _negated(condition):
    """The opposite, as one writes it."""
    if "?" not in condition and "&&" not in condition and "||" not in condition:
        for sign, opposite in ((" < ", " >= "), (" >= ", " < ")):
            if condition.count(sign) == 1:
                return condition.replace(sign, opposite)
    return "!({})".format(condition)


def _outside(conditions):
    return " || ".join(_negated(c) for c in conditions)


def _nested(conditions, inside, outside):
    """if (first) { if (second) .. else .. } else .."""
    if not conditions:
        return inside
    return [Block("if ({})".format(conditions[0]), _nested(conditions[1:], inside, outside),
                  Block("", outside))]


def _apart(conditions, loaded, fill):
    """first ? (second ? .. : ..) : .."""
    if not conditions:
        return loaded
    inner = _apart(conditions[1:], loaded, fill)
    if len(conditions) > 1:
        inner = "(" + inner + ")"
    return "{} ? {} : {}".format(conditions[0], inner, fill)


def assign(k, guard, conditions, kind, key, target, loaded, fill):
    """Statements that store `loaded` to `target` where all conditions hold, and `fill` elsewhere.

    kind   the type of the value          key   what names of variables start with
    """
    condition = all_of(conditions)
    value = key + "Value"
    load, clear = "{} = {};".format(target, loaded), "{} = {};".format(target, fill)
    if guard in ("guard-ternary", "guard-other-fill"):
        test = "(" + condition + ")" if " && " in condition else condition
        return ["{} = {} ? {} : {};".format(target, test, loaded, fill)]
    if guard == "guard-else":
        return [Block("if (" + condition + ")", [load], Block("", [clear]))]
    if guard == "guard-clear":
        return [clear, Block("if (" + condition + ")", [load])]
    if guard == "guard-variable":
        return ["{} {} = {};".format(kind, value, fill),
                Block("if (" + condition + ")", ["{} = {};".format(value, loaded)]),
                "{} = {};".format(target, value)]
    if guard == "guard-no-else":
        return [Block("if (" + condition + ")", [load])]
    if guard == "guard-negated":
        return [Block("if (" + _outside(conditions) + ")", [clear], Block("", [load]))]
    if guard == "guard-continue":
        if k.choices.of(key + ".continue", [0, 1]):
            return [clear, Block("if (" + _outside(conditions) + ")", ["continue;"]), load]
        return [Block("if (" + _outside(conditions) + ")", [clear, "continue;"]), load]
    if guard == "guard-bool":
        name = key + "In"
        declared = ["const bool {} = {};".format(name, condition)]
        if k.choices.of(key + ".bool.else", [0, 1]):
            return declared + [Block("if ({})".format(name), [load], Block("", [clear]))]
        return declared + ["{} = {} ? {} : {};".format(target, name, loaded, fill)]
    if guard == "guard-nested":
        return _nested(conditions, [load], [clear])
    assert guard == "guard-apart", guard
    return ["{} = {};".format(target, _apart(conditions, loaded, fill))]
