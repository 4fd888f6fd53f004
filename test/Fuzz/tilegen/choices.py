# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random decisions that can be repeated, and taken back one at a time.

A kernel is a function of (seed, index). Every decision about it has a name ("loop.form",
"A.guard") and draws from a stream of its own, which is seeded by seed, index and that name. So a
decision does not move when another one is added, taken away or fixed, which is what the shrinker
lives on: it switches a feature off, and everything else stays as it was. Python's `random` is not
used, because its streams may change between versions.
"""

from .features import FEATURES

_MASK = (1 << 64) - 1


def mix(x):
    """The output function of splitmix64."""
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


class Stream:
    """splitmix64."""

    def __init__(self, *parts):
        state = 0
        for part in parts:
            if isinstance(part, str):
                for byte in part.encode():
                    state = mix(state ^ byte)
                state = mix(state ^ 0x5F)
            else:
                state = mix(state ^ (part & _MASK))
        self.state = state

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        return mix(self.state)

    def below(self, n):
        # The bias of the remainder is below 2**-50 for the small numbers in use here.
        return self.next() % n


def turned(seed, index, name, options):
    """The option whose turn it is: each comes once in as many indices, in an order of its own."""
    options = list(options)
    cycle, slot = divmod(index, len(options))
    stream = Stream(seed, cycle, name)
    for at in range(len(options) - 1, 0, -1):
        other = stream.below(at + 1)
        options[at], options[other] = options[other], options[at]
    return options[slot]


class Choices:
    """The decisions of one kernel.

    off      features that must not be used, and names of numbers ("number:BK") that take their
             first value
    all_forms  also draw features that the tool does not claim to handle yet
    """

    def __init__(self, seed, index, off=(), all_forms=False):
        self.seed, self.index = seed, index
        self.off = frozenset(off)
        self.all_forms = all_forms
        self.features = []
        self.numbers = {}

    def stream(self, name):
        return Stream(self.seed, self.index, name)

    def use(self, feature):
        assert feature in FEATURES, feature
        if feature not in self.features:
            self.features.append(feature)

    def allowed(self, feature):
        assert feature in FEATURES, feature
        return feature not in self.off and (self.all_forms or FEATURES[feature].claimed)

    def pick(self, name, options):
        """One of `options` {feature: weight}; the first one is the plainest and the fallback."""
        plain = next(iter(options))
        total = sum(options.values())
        at = self.stream(name).below(total)
        chosen = plain
        for feature, weight in options.items():
            if at < weight:
                chosen = feature
                break
            at -= weight
        if chosen != plain and not self.allowed(chosen):
            chosen = plain
        self.use(chosen)
        return chosen

    def flag(self, name, feature, percent):
        if self.stream(name).below(100) < percent and self.allowed(feature):
            self.use(feature)
            return True
        return False

    def number(self, name, values):
        """One of `values`; the first one is the smallest or simplest."""
        values = list(values)
        value = values[self.stream(name).below(len(values))]
        if "number:" + name in self.off:
            value = values[0]
        if value != values[0]:
            self.numbers[name] = value
        return value

    def of(self, name, values):
        """One of `values`, where it makes no difference to anything but the looks."""
        values = list(values)
        return values[self.stream(name).below(len(values))]
