"""same-bytes.py EXAMPLES OUT TOOLKIT -- TOOL...: compares --cuda-path=none with --cuda-path=TOOLKIT."""

import glob
import json
import os
import subprocess
import sys


def main():
    dash = sys.argv.index("--")
    examples, folder, toolkit = sys.argv[1:dash]
    tool = sys.argv[dash + 1:]
    bad, count, changed = [], 0, 0
    sources = sorted(glob.glob(os.path.join(examples, "*.cu")))
    # From one reading all variants, and for another GPU than auto's.
    for options in (["--variant=auto"], ["--variant=each", "--arch=sm_90"]):
        sides = []
        for name, path in (("none", "none"), ("toolkit", toolkit)):
            command = tool + options + ["--cuda-path=" + path, "--inspect=off", "--format=json", "--output-dir=" + os.path.join(folder, name)]
            result = subprocess.run(command + sources, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if result.returncode not in (0, 1):
                sys.exit("%s, %s: exit %d\n%s" % (options, path, result.returncode, result.stderr.decode()))
            side = []
            for file in json.loads(result.stdout)["files"]:
                written = file["output"] and open(file["output"], "rb").read()
                side.append((file["path"], [(l["status"], l["variant"], l["stages"]) for l in file["loops"]], written))
            sides.append((result.returncode, side))
        (code, side), (other_code, other_side) = sides
        count += len(side)
        changed += sum(bool(written) for _, _, written in side)
        if code != other_code or len(side) != len(other_side):
            bad.append("%s: exit %d and %d" % (options, code, other_code))
        for (path, loops, written), (_, other_loops, other_written) in zip(side, other_side):
            if loops != other_loops:
                bad.append("%s %s: %s and %s" % (path, options, loops, other_loops))
            elif written != other_written:
                bad.append("%s %s: different bytes" % (path, options))
    if count < 30 or changed < 22:
        bad.append("only %d compared, %d of them rewritten" % (count, changed))
    sys.exit("\n".join(bad) or 0)


main()
