"""crlf.py to-crlf FROM TO: converts. crlf.py check FILE: fails on a line that does not end in CRLF."""

import sys

if sys.argv[1] == "to-crlf":
    with open(sys.argv[2], "rb") as source, open(sys.argv[3], "wb") as target:
        target.write(source.read().replace(b"\n", b"\r\n"))
else:
    with open(sys.argv[2], "rb") as file:
        for number, line in enumerate(file.read().split(b"\n")[:-1], 1):
            if not line.endswith(b"\r") or line.endswith(b"\r\r"):
                sys.exit("%s:%d: %r" % (sys.argv[2], number, line))
