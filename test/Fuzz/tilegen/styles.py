# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways of writing the same kernel: spellings, comments, line breaks, what is around the kernel."""

import re

from .code import Block

BARRIER = "__syncthreads();"


def _mapped(statements, change):
    """The tree with `change` done to each line."""
    result = []
    for statement in statements:
        if isinstance(statement, str):
            result.append(change(statement))
            continue
        follow = _mapped([statement.follow], change)[0] if statement.follow else None
        result.append(Block(statement.header, _mapped(statement.body, change), follow))
        result[-1].tile_loop, result[-1].tail = statement.tile_loop, statement.tail
        result[-1].in_front = statement.in_front
    return result


def spelled(k, body):
    """(opening statements, body): how barriers and variables are written."""
    c, opening = k.choices, []
    barrier = BARRIER
    if c.flag("barrier.group", "barrier-group", 6):
        k.includes.append("cooperative_groups.h")
        form = c.of("barrier.group.form", ["member", "member", "at once"])
        barrier = "cooperative_groups::this_thread_block().sync();"
        if form == "member":
            name = k.name("group", ["block", "cta", "group", "tb"])
            opening = ["cooperative_groups::thread_block {} = "
                       "cooperative_groups::this_thread_block();".format(name)]
            if c.of("group.auto", [0, 1]):
                opening = [opening[0].replace("cooperative_groups::thread_block", "auto", 1)]
            barrier = name + ".sync();"
    elif c.flag("barrier.macro", "barrier-macro", 3):
        name = c.of("barrier.macro.name", ["SYNC", "BLOCK_SYNC", "BARRIER"])
        text = "#define {}() __syncthreads()".format(name)
        if text not in k.macros:
            k.macros.append(text)
        barrier = name + "();"
    elif c.flag("barrier.spelling", "barrier-spelling", 6):
        barrier = c.of("barrier.text", ["__syncthreads ();", "__syncthreads( );", "__syncthreads() ;",
                                        "::__syncthreads();"])
    elif c.flag("barrier.other", "barrier-other", 5):
        barrier = c.of("barrier.other.text", ["__barrier_sync(0);", 'asm volatile("bar.sync 0;" ::: "memory");',
                                              'asm volatile("barrier.sync.aligned 0;" : : : "memory");', "wait();"])
        if barrier == "wait();":
            name = k.name("barrier.function", ["syncBlock", "waitForAll", "block_barrier"])
            k.helper(name, ["__device__ {}void {}() {{".format(
                c.of("barrier.function.kind", ["", "__forceinline__ ", "inline "]), name), "  __syncthreads();", "}"])
            barrier = name + "();"
    auto = c.flag("auto", "style-auto", 8)

    def change(line):
        line = line.replace(BARRIER, barrier)
        if auto:
            # The initial value has the type that the variable is declared with.
            line = re.sub(r"^(float|double|unsigned) (?=\w+ = (0\.0f|0\.0|0u);$)", "auto ", line)
        return line
    return opening, _mapped(body, change)


def _simple(line):
    text = line.strip()
    return text.endswith(";") and not text.startswith(("#", "//", "/*", "for", "if", "else", "while", "}")) \
        and "//" not in text


def _indent(line):
    return line[:len(line) - len(line.lstrip())]


def _joined(c, lines):
    """Some statements share a line."""
    result = []
    for number, line in enumerate(lines):
        if result and _simple(line) and _simple(result[-1]) and _indent(line) == _indent(result[-1]) and \
                c.of("join.{}".format(number), [0, 1]):
            result[-1] += " " + line.strip()
        else:
            result.append(line)
    # Whole blocks of one statement.
    at = 0
    while at + 2 < len(result):
        first, inner, last = result[at:at + 3]
        if first.endswith("{") and _simple(inner) and last.strip() == "}" and \
                c.of("join.block.{}".format(at), [0, 0, 1]):
            result[at:at + 3] = ["{} {} }}".format(first, inner.strip())]
        at += 1
    return result


_NOTES = ["next", "one by one", "see above", "for all threads", "in order", "TODO: faster"]


def _commented(c, lines):
    """Comments where a rewriter does not expect them."""
    result = []
    for number, line in enumerate(lines):
        where = c.stream("comment.{}".format(number)).below(12)
        note = _NOTES[c.stream("comment.text.{}".format(number)).below(len(_NOTES))]
        if line.strip() and not line.strip().startswith(("#", "//", "/*")):
            if where < 3 and line.endswith(") {"):
                line = "{} /* {} */ {{".format(line[:-2], note)
            elif where in (3, 4, 5) and line.endswith(("{", ";", "}")):
                line += "  // " + note
            elif where in (6, 7) and " = " in line:
                line = line.replace(" = ", " = /* {} */ ".format(note), 1)
            elif where == 8 and "} else" in line:
                line = line.replace("} else", "}} /* {} */ else".format(note), 1)
            elif where == 9 and line.strip().startswith("for ("):
                line = line.replace("for (", "for /* {} */ (".format(note), 1)
            elif where == 10 and _simple(line):
                line = line[:-1] + " /* {} */;".format(note)
            elif where == 11 and line.strip() == "}":
                line = _indent(line) + "/* {} */ }}".format(note)
        result.append(line)
    return result


def _plain_end(line):
    """Whether a line comment can stand behind it."""
    return line.strip() and not line.strip().startswith("#") and "//" not in line and not line.endswith("\\")


# Characters of two bytes, of which the second is that of a backslash, as files in Shift-JIS have them.
_TWO_BYTES = ["\udc83\\", "\udc95\\", "\udc8f\\"]


def _continued(c, lines, quiet, two_bytes):
    """Line comments that end in a backslash go on in the next line, which is empty."""
    result = []
    for number, line in enumerate(lines):
        result.append(line)
        if number in quiet or not _plain_end(line) or c.stream("continued.{}".format(number)).below(3):
            continue
        which = c.stream("continued.text.{}".format(number)).below(12)
        if two_bytes:
            end = "\udc83e\udc81[\udc83" + "u\udc83\udc8b " + _TWO_BYTES[which % 3]
        else:
            end = ["from C:\\data\\", "see C:\\kernels\\", "in d:\\", "a \\ b \\"][which % 4] + ["", "", " ", "   "][which // 3]
        result[-1] = "{}{}// {}".format(line, " " if which % 2 else "", end)
        # An empty line, one with blanks, or one that is a comment anyhow.
        result.append(["", "", "  ", "// and on"][which // 3])
    return result


def _every_line(c, lines, quiet):
    notes = ["load", "tile", "x", "copy; wait", "{", "} else", "stage = 0;", "__syncthreads();", "TODO"]
    return [line + " // " + notes[c.stream("every.{}".format(n)).below(len(notes))] if (
        _plain_end(line) and n not in quiet) else line for n, line in enumerate(lines)]


def _between_tokens(c, lines, quiet):
    """Block comments inside of statements, some of more lines than one."""
    result = []
    for number, line in enumerate(lines):
        where, text = c.stream("between.{}".format(number)).below(4), _BETWEEN[
            c.stream("between.text.{}".format(number)).below(len(_BETWEEN))]
        if number not in quiet and _plain_end(line) and '"' not in line and "'" not in line and "/*" not in line:
            for token in [(" = ", "[", ";"), ("] = ", " + ", ";"), ("(", ") ", ", "), (" < ", "++", ";")][where]:
                if token in line:
                    line = line.replace(token, token.rstrip() + text + " ", 1) if token[-1] == " " else line.replace(
                        token, text + token, 1)
                    break
        result += line.split("\n")
    return result


_BETWEEN = [" /* here */", "/**/", " /* a; b */", " /* don't */", ' /* "quoted */', " /* in\n   two lines */", " /* // */",
            " /* } */", " /* \\ */"]


def _quotes(c, lines, quiet):
    notes = ["it's", 'the "tile', "/* never closed", "R\"(raw", "don't; \"stop", "'"]
    result = []
    for number, line in enumerate(lines):
        note = notes[c.stream("quotes.text.{}".format(number)).below(len(notes))]
        where = c.stream("quotes.{}".format(number)).below(6)
        if number in quiet:
            where = None
        if where == 0 and _plain_end(line):
            line += " // " + note
        elif where == 1 and _simple(line):
            result.append("{}/* {} */".format(_indent(line), note.replace("/*", "")))
        result.append(line)
    return result


def _oddly_commented(c, lines):
    """Comments where a rewriter does not expect them; at most one kind, because it shows best alone."""
    # The tool leaves an exit alone rather than lose what is said in it.
    quiet = set() if c.all_forms else {
        at for n, line in enumerate(lines) if "break;" in line for at in (n - 2, n - 1, n, n + 1)}
    for name, feature, change in (
            ("backslash", "comment-backslash", lambda: _continued(c, lines, quiet, False)),
            ("bytes", "comment-bytes", lambda: _continued(c, lines, quiet, True)),
            ("every", "comment-every-line", lambda: _every_line(c, lines, quiet)),
            ("between", "comment-between", lambda: _between_tokens(c, lines, quiet)),
            ("quotes", "comment-quotes", lambda: _quotes(c, lines, quiet))):
        if c.flag("comment." + name, feature, 3):
            return change()
    return lines


def dressed(k, lines):
    """The lines of the kernel's body."""
    c = k.choices
    if c.flag("joined", "style-joined", 8):
        lines = _joined(c, lines)
    if c.flag("commented", "style-comments", 8):
        lines = _commented(c, lines)
    return _oddly_commented(c, lines)


def surroundings(k, template):
    """Draws the words in front of the kernel and the namespace around it: (words, namespace)."""
    c = k.choices
    space = ""
    if c.flag("namespace", "kernel-namespace", 6):
        space = c.of("namespace.name", ["tiles_impl", "detail", "kernels::v2", "app"])
    if not template and c.flag("extern.c", "kernel-extern-c", 6):
        return 'extern "C" ', space
    if c.flag("static", "kernel-static", 6):
        return "static ", space
    return "", space


def parameters(k):
    """The declarations of the parameters."""
    declared = [d for d, _ in k.params]
    if not k.choices.flag("const", "style-const", 10):
        return declared
    result = []
    for text in declared:
        name = text.split()[-1].lstrip("*")
        if "*" not in text:
            text = "const " + text
        elif name not in k.bumped:
            head, tail = text.rsplit("*", 1)
            text = "{}*const {}".format(head, tail)
        result.append(text)
    return result
