# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""saved-meanwhile.py FOLDER TOOL...: somebody saves a file while the tool is at work.

The tool is held where it writes to standard error: that is a pipe which is full. With -v that is when all inputs have been read and
none has been analysed, with --progress=always when the first one has been. Or it is held while Clang reads: what is included next is
a pipe. No time is involved.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import threading
import time

folder, tool = os.path.abspath(sys.argv[1]), sys.argv[2:]
SIZE = 4096

KERNEL = """#include "size.h"
__global__ void __launch_bounds__(SIZE) k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 tile[SIZE]; float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * SIZE + threadIdx.x];
    __syncthreads();
    sum += tile[SIZE - 1 - threadIdx.x].x;
    __syncthreads();
  }
  out[blockIdx.x * SIZE + threadIdx.x] = sum;
}
"""


def path(name):
    return os.path.join(folder, name)


def put(name, text):
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)


def get(name):
    if os.path.islink(path(name)):
        return "-> " + os.readlink(path(name))
    if not os.path.exists(path(name)):
        return None
    with open(path(name), encoding="utf-8") as file:
        return file.read()


def snapshot():
    return {name: get(name) for name in os.listdir(folder)}


def set_up():
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    put("size.h", "#define SIZE 32\n")
    put("a.cu", KERNEL)
    put("b.cu", KERNEL.replace("k(", "l("))
    put("h.cuh", KERNEL.replace("k(", "m(").replace('#include "size.h"\n', ""))
    put("c.cu", '#include "size.h"\n#include "h.cuh"\n')
    subprocess.run(tool + ["--variant=ldg", "-q", "b.cu", "--suffix=.old"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def save(name):
    """As some editors do: into the file itself."""
    with open(path(name), "a", encoding="utf-8") as file:
        file.write("// saved\n")


def replace(name, text=None):
    """As others do: under another name, which is then renamed."""
    put("new", get(name) + "// saved\n" if text is None else text)
    os.rename(path("new"), path(name))


def link(name):
    os.rename(path(name), path("elsewhere"))
    os.symlink("elsewhere", path(name))


def foreign(name):
    put(name, "// mine\n")


def writes_to_errors(process):
    """It waits within a call whose first argument is the descriptor 2."""
    try:
        with open("/proc/%d/syscall" % process.pid, encoding="ascii") as file:
            return file.read().split()[1:2] == ["0x2"]
    except OSError:
        return False


def run_held(arguments, hold, act):
    """(exit code, standard error), with `act` done while the tool waits."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, 1031, SIZE)  # F_SETPIPE_SZ
    os.write(writer, b"x" * SIZE)
    process = subprocess.Popen(tool + arguments + [hold], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=writer)
    os.close(writer)
    end = time.monotonic() + 120
    while not writes_to_errors(process) and process.poll() is None:
        if time.monotonic() > end:
            process.kill()
            sys.exit("the tool has not written to standard error: " + " ".join(arguments))
        time.sleep(0.01)
    act()
    between = snapshot()
    with os.fdopen(reader, "rb") as file:
        said = file.read()[SIZE:].decode(errors="replace")
    return process.wait(), said, between


failed = 0


def case(what, arguments, act, message="since it was read", holds=("-v", "--progress=always")):
    """All is as it was when the file had been saved: exit 2, and one line says why."""
    global failed
    for hold in holds:
        set_up()
        code, said, between = run_held(arguments, hold, act)
        after = snapshot()
        errors = [line for line in said.splitlines() if ": error: " in line]
        if code != 2 or len(errors) != 1 or message not in errors[0] or after != between:
            changed = [name for name in sorted(set(after) | set(between)) if after.get(name) != between.get(name)]
            print("FAILED %s, %s: exit %d, changed %s: %s" % (what, hold, code, changed, said.strip()[-400:]))
            failed += 1


LDG = ["--variant=ldg"]
case("saved in place", LDG + ["-i", "a.cu"], lambda: save("a.cu"))
case("replaced", LDG + ["-i", "a.cu"], lambda: replace("a.cu"))
case("replaced by the same", LDG + ["-i", "a.cu"], lambda: replace("a.cu", get("a.cu")))
case("emptied", LDG + ["-i", "a.cu"], lambda: put("a.cu", ""))
case("a link now", LDG + ["-i", "a.cu"], lambda: link("a.cu"), "")
case("gone", LDG + ["-i", "a.cu"], lambda: os.remove(path("a.cu")), "", ["--progress=always"])
case("the second of two", LDG + ["-i", "a.cu", "b.cu"], lambda: save("b.cu"))
case("a header that is not named", LDG + ["-i", "a.cu"], lambda: save("size.h"), holds=["--progress=always"])
case("a header that is", LDG + ["-i", "c.cu", "h.cuh"], lambda: replace("h.cuh"))
case("who reads it", LDG + ["-i", "c.cu", "h.cuh"], lambda: save("c.cu"))
case("beside it", LDG + ["a.cu"], lambda: save("a.cu"))
case("under a name", LDG + ["a.cu", "-o", "x.cu"], lambda: replace("a.cu"))
case("fixes", LDG + ["a.cu", "--export-fixes=f.yaml"], lambda: save("a.cu"))
case("fixes of check", ["check", "a.cu", "--export-fixes=f.yaml"], lambda: save("a.cu"))
case("a diff", LDG + ["a.cu", "--diff"], lambda: save("a.cu"))
case("with a report", LDG + ["-i", "a.cu", "--report=r.json"], lambda: save("a.cu"))
case("an output of ours that is somebody else's now", LDG + ["b.cu", "--suffix=.old"], lambda: foreign("b.old.cu"), "it is kept")
case("one that comes up", LDG + ["a.cu"], lambda: foreign("a.pipelined.cu"), "it is kept")

LONG = "".join("// line %d of a file that a program may map into memory\n" % line for line in range(2000))


def cut_while_read(what, arguments, name, code, message):
    """`name` includes a pipe, and is emptied while Clang waits for what comes out of that."""
    global failed
    set_up()
    os.mkfifo(path("pipe.h"))
    put("a.cu", KERNEL + LONG)
    put("size.h", "#define SIZE 32\n" + LONG)
    put(name, '#include "pipe.h"\n' + get(name))
    process = subprocess.Popen(tool + arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def serve():
        first = True
        while True:
            pipe = os.open(path("pipe.h"), os.O_WRONLY)  # waits for a reader
            if process.poll() is None:
                if first:
                    os.truncate(path(name), 10)
                first = False
                try:
                    os.write(pipe, b"\n")
                except BrokenPipeError:
                    pass
            os.close(pipe)
            if process.poll() is not None:
                return

    server = threading.Thread(target=serve)
    server.start()
    said = process.communicate()[1].decode(errors="replace")
    last = os.open(path("pipe.h"), os.O_RDONLY | os.O_NONBLOCK)  # nobody else reads it any more
    server.join()
    os.close(last)
    with open(path(name), "rb") as file:
        size = len(file.read())
    if process.returncode != code or message not in said or "internal error" in said or size != 10:
        print("FAILED %s, cut while it is read: exit %d, %d bytes: %s" % (what, process.returncode, size, said.strip()[-400:]))
        failed += 1


cut_while_read("the input", LDG + ["-i", "a.cu"], "a.cu", 2, "'a.cu' has changed since it was read")
cut_while_read("one that goes elsewhere", LDG + ["a.cu", "-o", "x.cu"], "a.cu", 2, "'a.cu' has changed since it was read")
cut_while_read("a header", LDG + ["-i", "a.cu"], "size.h", 2, "' has changed since it was read for 'a.cu'")
cut_while_read("what is only checked", ["check", "a.cu"], "a.cu", 1, "")
cut_while_read("what is only verified", ["verify", "--emit-launch", "a.cu"], "a.cu", 0, "")

# Nobody has done anything.
for hold in ("-v", "--progress=always"):
    set_up()
    code, said, _ = run_held(LDG + ["-i", "a.cu", "c.cu", "h.cuh", "--report=r.json"], hold, lambda: None)
    if code != 0 or get("a.cu") == KERNEL or "h.cuh" not in os.listdir(folder) or "tile_reg" not in get("h.cuh") or get("r.json") is None:
        print("FAILED undisturbed, %s: exit %d: %s" % (hold, code, said[-400:]))
        failed += 1
print("all kept" if not failed else "%d failed" % failed)
sys.exit(1 if failed else 0)
