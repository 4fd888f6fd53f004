# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function of the host that launches the kernel: it says how large the blocks are. Nothing calls it."""

import re


def _bytes(k, instance):
    """The size of dynamic shared memory, or None where that is known at run time only."""
    names = dict(instance.consts, ceildiv=lambda a, b: -(-a // b), max=max, min=min)
    try:
        return eval(k.dynamic_bytes.replace("/", "//"), {"__builtins__": {}}, names)
    except NameError:
        return None


def _block(k):
    """The block of the launch. Where the launch description has another one, the kernel runs in a block that
    the file does not know of."""
    x, y, z = k.block
    if k.choices.flag("launch.other", "launch-other-block", 20):
        if y % 2 == 0:
            y //= 2
        elif x % 2 == 0:
            x //= 2
        else:
            x = 2 * x + 1
    return x, y, z


def _dim3(c, key, numbers):
    """The size in the ways in which it is written: (statements in front of the launch, the size)."""
    numbers = list(numbers)
    while len(numbers) > 1 and numbers[-1] == 1:
        numbers.pop()
    text = ", ".join(str(n) for n in numbers)
    single = len(numbers) == 1
    form = c.of("launch." + key, ["plain", "variable", "number" if single else "plain"])
    name = {"grid": "blocks_", "block": "threads_"}[key]
    if form == "number":
        return ["const int {} = {};".format(name, text)], name
    if form == "variable":
        return ["{}dim3 {}({});".format(c.of("launch.const", ["", "const "]), name, text)], name
    return [], text if single else "dim3({})".format(text)


def launches(k, instances, parameters):
    """The lines of the functions, one for each of `instances`; `parameters`: the kernel's, as declared."""
    c, lines = k.choices, []
    block = _block(k)
    for number, instance in enumerate(instances):
        size = _bytes(k, instance) if k.dynamic_bytes else 0
        if size is None:
            continue
        types = "|".join(instance.types)
        declared = [re.sub(r"\b({})\b".format(types), lambda m: instance.types[m.group(0)], p) if types else p
                    for p in parameters]
        arguments = ", ".join(p.split()[-1].lstrip("*") for p in parameters)
        blocks, grid = [], "gridSize"
        if c.of("launch.grid.form", [0, 1]):
            blocks, grid = _dim3(c, "grid", [2] * len(k.grid))
        else:
            declared = declared + ["unsigned gridSize" if len(k.grid) == 1 else "dim3 gridSize"]
        threads, block_text = _dim3(c, "block", block)
        configuration = [grid, block_text]
        stream = c.of("launch.stream", [0, 0, 1])
        if size or stream:
            configuration.append(str(size))
        if stream:
            configuration.append("stream")
            declared = declared + ["cudaStream_t stream"]
        call = "{}{}<<<{}>>>({});".format(
            k.kernel_name + k.suffix, instance.arguments, ", ".join(configuration), arguments)
        lines += ["", "void launch{}{}({}) {{".format(
            k.kernel_name[0].upper() + k.kernel_name[1:], number or "", ", ".join(declared))]
        lines += ["  " + line for line in blocks + threads]
        lines += ["  " + call] * c.of("launch.times", [1, 1, 2]) + ["}"]
    return lines
