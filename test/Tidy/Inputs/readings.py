"""Counts how often clang-tidy, with the plugin, reads a file: how often it opens "opened.h", which the file includes.

  readings.py PLUGIN DECLS WORK FILE...

WORK/library has headers of a library. Prints a line for each: its name, the readings, and the checks that said something.
"""
import ctypes
import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from flags import tidy_flags

IN_CLOSE_NOWRITE, IN_OPEN = 0x10, 0x20


class Opened:
    """Counts with the kernel's inotify. Equal events in a row become one: so closing is watched as well."""

    def __init__(self, path):
        libc = ctypes.CDLL(None, use_errno=True)
        self.events = libc.inotify_init1(os.O_NONBLOCK)
        if self.events < 0 or libc.inotify_add_watch(self.events, path.encode(), IN_OPEN | IN_CLOSE_NOWRITE) < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def count(self):
        found = 0
        try:
            while True:
                data = os.read(self.events, 1 << 16)
                while data:
                    _, mask, _, length = struct.unpack_from("iIII", data)
                    found += bool(mask & IN_OPEN)
                    data = data[16 + length:]
        except BlockingIOError:
            return found


def main():
    plugin, decls, work = sys.argv[1:4]
    header = os.path.join(work, "opened.h")
    with open(header, "w") as file:
        file.write("// Nothing.\n")
    opened = Opened(header)
    for path in sys.argv[4:]:
        said = subprocess.run(["clang-tidy", "--load=" + plugin, "--checks=-*,cuda-pipeline-*", "--quiet", path, "--", "-isystem", os.path.join(work, "library")] + tidy_flags(decls),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True).stdout
        count = opened.count()
        kinds = " ".join(re.findall(r": (?:warning|error): .*\[([a-z-]+)[],]", said))
        print("%s: read %s, says %s" % (os.path.basename(path), "once" if count == 1 else "%d times" % count, kinds or "nothing"))


main()
