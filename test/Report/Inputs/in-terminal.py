# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""in-terminal.py COLUMNS COMMAND...: what a command writes to a terminal of that width."""

import fcntl
import os
import pty
import struct
import sys
import termios

child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[1]), 0, 0))
    os.environ.pop("COLUMNS", None)
    os.environ["TERM"] = "xterm-256color"
    os.execvp(sys.argv[2], sys.argv[2:])
text = b""
while True:
    try:
        more = os.read(terminal, 4096)
    except OSError:  # the other end is closed
        break
    if not more:
        break
    text += more
sys.stdout.buffer.write(text.replace(b"\r\n", b"\n").replace(b"\x1b", b"<ESC>"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
