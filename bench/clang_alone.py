# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clang by itself on what the tool parses: same headers, architecture, language, builtin headers.

The tool shows with -v what it parses with. Two of the paths there exist in the tool's memory only: the
bundled CUDA declarations. make_decls() writes them into a folder, clang_command() puts that folder in
their place.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading

ROOT = os.path.relpath(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DECLS = "lib/Source/cuda-decls"
VIRTUAL = "/cuda-pipeline-rewrite"  # where the tool has its bundled files in memory
# These and no others: a checkout may lie in a folder of that name.
IN_MEMORY = re.compile(r"^(-[A-Za-z-]+=?)?" + re.escape(VIRTUAL) + r"(?=/bundled-cuda(/|$)|/clang_supplement\.h$)")


class Unusable(Exception):
    """The measurement cannot be made here."""


def output_of(command, timeout=None):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          timeout=timeout, check=False)


def timed(command, timeout):
    """(exit code or None if it was stopped, seconds of CPU time, standard error) of one process."""
    stopped = threading.Event()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)

        def stop():
            stopped.set()
            process.kill()

        timer = threading.Timer(timeout, stop)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    return None if stopped.is_set() else process.returncode, usage.ru_utime + usage.ru_stime, text


def make_decls(folder):
    """The bundled declarations as files, laid out as the tool has them in memory."""
    include = os.path.join(folder, "bundled-cuda", "include")
    shutil.copytree(os.path.join(ROOT, DECLS), include)
    shutil.copy(os.path.join(ROOT, DECLS, "clang_supplement.h"), folder)


def clang_command(clang, tool, folder, timeout=None):
    """What the tool says that it parses with, for the Clang of the command line."""
    end = tool.index("--") if "--" in tool else len(tool)  # what follows is for the compiler
    shown = output_of(tool[:end] + ["-v"] + tool[end:], timeout).stderr
    lines = re.findall(r"^\S.*?: clang (-fsyntax-only .*)$", shown, re.MULTILINE)
    if len(lines) != 1:
        raise Unusable(f"{shlex.join(tool)} -v shows {len(lines)} command lines instead of one:\n{shown}")
    return [clang] + [IN_MEMORY.sub(lambda found: (found.group(1) or "") + folder, argument) for argument in shlex.split(lines[0])]
