# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The statements of a kernel as a tree, and the ways in which people lay it out.

A statement is a string (one line, also a comment or a directive) or a Block. The layout (indent,
place of the brace, braces around single statements) is one decision per kernel.
"""

import re


class Block:
    """`header { body }`; `follow` is an else branch, itself a Block."""

    def __init__(self, header, body, follow=None):
        self.header, self.body, self.follow = header, list(body), follow
        self.tile_loop = False
        self.in_front = False  # it goes with the tile loop behind it
        self.tail = ""  # what stands behind the closing brace


class Style:
    def __init__(self, indent="  ", allman=False, braces=True):
        self.indent, self.allman, self.braces = indent, allman, braces


def _is_directive(statement):
    return isinstance(statement, str) and statement.startswith("#")


def _single(body):
    """Whether a body may go without braces: one statement that declares nothing."""
    if len(body) != 1:
        return False
    only = body[0]
    if isinstance(only, Block):
        # A nested if without braces would take the else of the outer one.
        return only.header.startswith("for") and _single(only.body)
    return only.endswith(";") and not only.startswith(("//", "#")) and "; " not in only


def render(statements, style, depth=1):
    lines = []
    for statement in statements:
        pad = style.indent * depth
        if isinstance(statement, str):
            if statement == "":
                lines.append("")
            elif _is_directive(statement) and not statement.startswith("#pragma"):
                lines.append(statement)
            else:
                lines.append(pad + statement)
            continue
        node, prefix, was_bare = statement, "", False
        while node is not None:
            header = prefix + node.header
            # Braces without a header make a scope.
            bare = not style.braces and header and _single(node.body) and (
                node.follow is None or _single(node.follow.body))
            bare = bare and (not prefix or was_bare) and not node.tail
            if bare:
                lines.append(pad + header)
            elif style.allman or not header:
                if header:
                    lines.append(pad + header)
                lines.append(pad + "{")
            elif prefix and not was_bare:
                lines[-1] = pad + "} " + header + " {"
            else:
                lines.append(pad + header + " {")
            lines += render(node.body, style, depth + 1)
            if not bare:
                lines.append(pad + "}" + node.tail)
            was_bare = bare
            node, prefix = node.follow, "else " if node.follow and node.follow.header else "else"
    return lines


def texts(statements):
    """All text in them."""
    for s in statements:
        if isinstance(s, str):
            yield s
        elif s is not None:
            yield s.header
            yield from texts(s.body)
            yield from texts([s.follow])


def renamed(statements, name, new):
    """The same with another variable."""
    def of(s):
        if s is None:
            return None
        if isinstance(s, str):
            return re.sub(r"(?<![.>])\b{}\b".format(name), new, s)
        block = Block(of(s.header), [of(inner) for inner in s.body], of(s.follow))
        block.tail = s.tail
        return block
    return [of(s) for s in statements]


# Expressions. Terms and factors that do nothing are left out, as a person would.
def add(*terms):
    terms = [str(t) for t in terms if t is not None and str(t) not in ("", "0")]
    return " + ".join(terms) if terms else "0"


def _closed(text):
    """Whether `text` can be a factor as it stands."""
    depth = 0
    for at, ch in enumerate(text):
        if ch in "([":
            depth += 1
        elif ch in ")]":
            depth -= 1
        elif depth == 0 and ch in "+-?<>&|^%/= ,":
            return False
    return True


def paren(text):
    text = str(text)
    return text if _closed(text) else "(" + text + ")"


def mul(*factors):
    factors = [str(f) for f in factors if str(f) != "1"]
    if "0" in factors:
        return "0"
    if len(factors) == 1:
        return factors[0]
    return " * ".join(paren(f) for f in factors) if factors else "1"
