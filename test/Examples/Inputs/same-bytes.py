"""same-bytes.py EXAMPLES OUT TOOLKIT -- TOOL...: compares --cuda-path=none with --cuda-path=TOOLKIT."""

import filecmp
import glob
import os
import subprocess
import sys


def main():
    dash = sys.argv.index("--")
    examples, folder, toolkit = sys.argv[1:dash]
    tool = sys.argv[dash + 1:]
    bad, count = [], 0
    for source in sorted(glob.glob(os.path.join(examples, "*.cu"))):
        for options in (["--variant=auto"], ["--variant=ldg"], ["--variant=ldg-single"],
                        ["--variant=cp-async"], ["--variant=ldg", "--arch=sm_90"]):
            outs = []
            for number, path in enumerate(("none", toolkit)):
                out = os.path.join(folder, "%d.cu" % number)
                result = subprocess.run(tool + options + ["--cuda-path=" + path, "--inspect=off", "-o", out, source],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                outs.append((out, result.returncode))
            count += 1
            if outs[0][1] != outs[1][1] or outs[0][1] not in (0, 1):
                bad.append("%s %s: exit %d and %d" % (source, options, outs[0][1], outs[1][1]))
            elif not filecmp.cmp(outs[0][0], outs[1][0], shallow=False):
                bad.append("%s %s: different bytes" % (source, options))
    if count < 30:
        bad.append("only %d compared" % count)
    sys.exit("\n".join(bad) or 0)


main()
