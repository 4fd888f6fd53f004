"""make-repository.py FOLDER WHAT...: a folder with a file WHAT.cu for each WHAT that fake-corpus-tool.py knows.

One that is to be read with a toolkit mentions __shared__.
"""

import os
import sys

os.makedirs(os.path.join(sys.argv[1], "src"))
for what in sys.argv[2:]:
    with open(os.path.join(sys.argv[1], "src", what + ".cu"), "w", encoding="utf-8") as file:
        file.write("// {}\n{}".format(what, "__shared__ float tile[32];\n" if what == "toolkit" else ""))
