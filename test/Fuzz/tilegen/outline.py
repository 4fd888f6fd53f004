# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel's work in a function that it calls: all of it, or the tile loop alone."""

import re

from .code import Block, render, Style

_DECLARED = re.compile(
    r"^(?P<shared>(?:extern )?__shared__ (?:(?:__align__|alignas)\(\d+\) )?)?"
    r"(?P<kind>(?:const |constexpr )?(?:unsigned short|unsigned char|unsigned|"
    r"signed char|long long|[A-Za-z_]\w*)) (?P<star>\*?)(?P<name>\w+)(?P<dims>(?:\[[^\]]*\])*)"
    r"(?: = [^;]*)?;$")
# Statements that declare nothing.
_OTHER = re.compile(r"^(//|/\*|#|\w+(\[[^;]*\])? [-+*]?= )|^\w+(::\w+)*\([^;]*\);$|^\w+\.sync\(\);$|^$|^::")


# What needs to know how large an array is.
_BY_REFERENCE = {"compute-reference", "work-by-reference", "fetch-function-reference", "own-called-reference",
                 "fetch-size-bound"}


def is_tile_loop(statement):
    return isinstance(statement, Block) and statement.tile_loop


def _text(statements):
    return "\n".join(render(statements, Style()))


def _used(name, text):
    return re.search(r"\b{}\b".format(name), text) is not None


def _split(statements):
    """(in front of the tile loop, the loop with its pragma, behind it), or None."""
    places = [n for n, s in enumerate(statements) if is_tile_loop(s)]
    if len(places) != 1:
        return None
    first = last = places[0]
    if first and isinstance(statements[first - 1], str) and statements[first - 1].startswith("#pragma"):
        first -= 1
    return statements[:first], statements[first:last + 1], statements[last + 1:]


def _single(statement):
    """`int a = 0, b = 0;` as the declarations of one variable each."""
    kind = re.match(r"(?:(?:const|unsigned|signed|long) )*\w+ (?=\w+ = )", statement)
    if not kind:
        return [statement]
    parts, depth = [""], 0
    for character in statement[kind.end():].rstrip(";"):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [kind.group() + part.strip() + ";" for part in parts] if len(parts) > 1 else [statement]


def _loop_parts(k, statements, parameters):
    """(parameters of the function, arguments, its body, the kernel's statements around the call), or None
    where the loop uses something that has no simple declaration."""
    parts = _split(statements)
    if not parts:
        return None
    before, loop, after = parts
    text = _text(loop)
    if "__shared__" in text:
        return None
    # What macros name is used, too.
    text += "".join("\n" + m for m in k.macros if _used(m.split("(")[0].split()[1], text))
    declared, arguments, constants = [], [], []
    for parameter in parameters:
        name = parameter.split()[-1].lstrip("*")
        if _used(name, text):
            declared.append(parameter)
            arguments.append(name)
    for statement in (one for s in before for one in (_single(s) if isinstance(s, str) else [s])):
        if not isinstance(statement, str):
            # A function object that the loop calls has no type that could be named.
            made = re.match(r"auto (\w+) = ", statement.header)
            if made and _used(made.group(1), text):
                return None
            continue
        match = _DECLARED.match(statement)
        if not match:
            if _OTHER.match(statement):
                continue
            return None
        if re.search(r"[=}][^()]*, \*", statement):
            return None  # several pointers in one declaration
        kind, name, dims = match["kind"], match["name"], match["dims"]
        if k.const_style == "const-local":
            # The names are not known where the function is declared.
            for constant, symbol in k.consts.items():
                dims = re.sub(r"\b{}\b".format(constant), str(symbol.value), dims)
        if not _used(name, text):
            continue
        if kind.startswith("constexpr"):
            constants.append(statement)
            continue
        if kind.endswith("auto"):
            return None
        if dims:
            rows = dims[dims.index("]") + 1:]
            # What takes an array by reference cannot be given a pointer.
            pointer = match["shared"] and (
                dims == "[]" or not _BY_REFERENCE & set(k.choices.features) and
                k.choices.of("device.array." + name, [0, 1]))
            inner = "(*{}){}".format(name, rows) if rows else "*" + name
            declared.append("{} {}".format(kind, inner if pointer else "{}(&{}){}".format(match["star"] or "", name, dims)))
        elif match["star"] or kind.startswith("const "):
            declared.append("{} {}{}".format(kind, match["star"], name))
        else:
            declared.append("{} &{}".format(kind, name))
        arguments.append(name)
    return declared, arguments, constants + loop, (before, after)


def _returned(k, before, body, declared):
    """(the type, the variable) that the function returns in place of changing a variable of its caller; the
    parameter becomes a copy. None where there is none: what the block shares, all threads would set."""
    shared = set(re.findall(r"__shared__ [\w ]*\b(\w+);", _text(before)))
    changed = [n for n, d in enumerate(declared)
               if re.match(r"(float|double|unsigned|int) &\w+$", d) and d.split("&")[1] not in shared]
    if not changed:
        return None
    at = k.choices.of("device.returned", changed)
    kind, name = declared[at].split(" &")
    declared[at] = "{} {}".format(kind, name)
    body.append("return {};".format(name))
    return kind, name


def _given_index(k, statements):
    """(parameters, arguments, statements): the thread's number is computed by the caller."""
    taken = [s for s in statements if isinstance(s, str) and any(
        s == "const int {} = {};".format(name, text) for name, text in k.thread_names.items())]
    if not taken:
        return [], [], statements
    names = [s.split()[2] for s in taken]
    return (["int " + n for n in names], [k.thread_names[n] for n in names],
        [s for s in statements if s not in taken])


def _in_lambda(k, statements):
    """The statement with the tile loop becomes the body of a function object; None where it cannot."""
    at = next((n for n, s in enumerate(statements) if _has_tile_loop(s)), None)
    if at is None or re.search(r"\breturn\b", _text([statements[at]])):
        return None
    first = at
    if at and isinstance(statements[at - 1], str) and statements[at - 1].startswith("#pragma"):
        first -= 1
    name = k.name("lambda", ["run", "allTiles", "loopOver"])
    made = Block("auto {} = [&]{}".format(name, k.choices.of("lambda.head", ["()", "() -> void", ""])),
                 statements[first:at + 1])
    made.tail = ";"
    return statements[:first] + [made, "{}();".format(name)] + statements[at + 1:]


def _has_tile_loop(statement):
    return isinstance(statement, Block) and (
        statement.tile_loop or any(_has_tile_loop(s) for s in statement.body))


def _method(k, statements, heads, template_arguments, parameters):
    """All of the kernel in a method of a structure of its parameters: what outlined() returns."""
    c = k.choices
    kind = k.name("method.type", ["Job", "TileWorker", "KernelBody"])
    name = c.of("method.name", ["run", "operator()", "execute"])
    const = "" if "device-method-mutable" in c.features else " const"
    template = "template <{}>\n".format(", ".join(heads)) if heads else ""
    head = "\n".join(["{}struct {} {{".format(template, kind)] + ["  {};".format(p) for p in parameters] + [
        "__device__ {}void {}(){}".format(c.of("device.words", ["", "__forceinline__ "]), name, const)])
    words = const.strip() + " " if const and c.of("method.object", [0, 1]) else ""
    arguments = ", ".join(p.split()[-1].lstrip("*") for p in parameters)
    whole, tail = kind + template_arguments, ["};"]
    declared = "{}{} job_{{{}}};".format(words, whole, arguments)
    if "device-method-reference" in c.features:
        tail += ["{}__device__ void runOf({}{} &job) {{".format(template, const.strip() + " " if const else "", whole),
                 "  job.{}();".format(name), "}"]
        return head, statements, [declared, "runOf(job_);"], tail
    return head, statements, [declared, "job_.{}();".format(name)], tail


def outlined(k, statements, heads, template_arguments, parameters):
    """(head of a function or None, its body, the kernel's statements, what is behind the function)."""
    c = k.choices
    # Asynchronous copies are those of a kernel's own loops.
    if any(f.startswith("fetch-async") for f in c.features) and c.of("device.async", [0] * 7 + [1]) == 0:
        return None, [], statements, []
    if not k.suspect and c.flag("device.lambda", "device-lambda", 4):
        made = _in_lambda(k, statements)
        if made:
            return None, [], made, []
        c.features.remove("device-lambda")
    more = ["device-method-template"] * bool(heads) + ["device-method-mutable"] * bool(k.bumped or c.of("method.mutable", [0, 0, 1])) + [
        "device-method-reference"] * c.of("method.reference", [0, 0, 1])
    if not k.suspect and all(c.allowed(f) for f in more) and c.flag("device.method", "device-method", 7):
        for feature in more:
            c.use(feature)
        return _method(k, statements, heads, template_arguments, parameters)
    whole = c.flag("device.body", "device-body", 4)
    # What suspects are looks at the loop in the kernel.
    if not whole and (k.suspect and not c.all_forms or not c.flag("device.loop", "device-loop", 9)):
        return None, [], statements, []
    name = k.name("device", ["tileLoop", "runTiles", "body", "process"])
    parts = None if whole else _loop_parts(k, statements, parameters)
    if not parts and not whole:
        # The loop does not come off; then all of it.
        c.features.remove("device-loop") if "device-loop" in c.features else None
        c.use("device-body")
    kind = "void"
    if parts:
        declared, arguments, body, (before, after) = parts
    else:
        more, given, body = [], [], statements
        if not k.suspect and c.flag("device.index", "device-body-index", 50):
            more, given, body = _given_index(k, statements)
            if not more:
                c.features.remove("device-body-index")
        declared = parameters + more
        arguments = [p.split()[-1].lstrip("*") for p in parameters] + given
        before, after = [], []
    words = c.of("device.words", ["", "__forceinline__ ", "static ", "inline ", "__noinline__ "])
    template = "template <{}>\n".format(", ".join(heads)) if heads else ""
    call, behind = "{}{}({});".format(name, template_arguments, ", ".join(arguments)), []
    if not parts and not k.suspect and c.flag("device.nested", "device-body-nested", 30):
        middle = k.name("device.middle", ["allOf", "throughHere"])
        names = ", ".join(d.split()[-1].lstrip("*") for d in declared)
        behind = template.split("\n")[:-1] + [
            "__device__ {}void {}({}) {{".format(words, middle, ", ".join(declared)),
            "  {}{}({});".format(name, template_arguments, names), "}"]
        call = middle + call[len(name):]
    if parts and c.flag("device.returns", "device-loop-returns", 45):
        returned = _returned(k, before, body, declared)
        if returned:
            kind, call = returned[0], "{} = {}".format(returned[1], call)
        else:
            c.features.remove("device-loop-returns")
    head = "{}__device__ {}{} {}({})".format(template, words, kind, name, ", ".join(declared))
    return head, body, before + [call] + after, behind
