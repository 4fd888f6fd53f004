"""What clang-tidy makes of a file is what the command line makes of it, byte for byte.

  same_fixes.py PLUGIN DECLS WORK FILE... -- TOOL...
  same_fixes.py PLUGIN DECLS WORK --generated COUNT -- TOOL...

For all files, in several ways: the tool; clang-tidy -fix; clang-tidy -export-fixes and clang-apply-replacements; --export-fixes of
the tool, of rewrite and of check, and clang-apply-replacements. At least one of the files has to be changed by them.
"""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from flags import generated, tidy_flags


def run(command, allowed=(0,)):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if result.returncode not in allowed:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), result.returncode, result.stdout))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    arguments, tool = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    plugin, decls, work = arguments[:3]
    shutil.rmtree(work, ignore_errors=True)
    files = arguments[3:]
    if files[0] == "--generated":
        files = generated(int(files[1]), os.path.join(work, "generated"))
    tidy = ["clang-tidy", "--load=" + plugin, "--checks=-*,cuda-pipeline-tile-loop", "--quiet"]
    results = {}
    for way in ("tool", "fix", "export", "rewrite", "check"):
        folder = os.path.join(work, way)
        os.makedirs(folder)
        copies = [shutil.copy(path, folder) for path in files]
        yaml = os.path.join(folder, "fixes.yaml")
        if way == "tool":
            run(tool + copies + ["-i", "-q", "--arch=sm_80"])
        elif way == "fix":
            run(tidy + ["--fix"] + copies + ["--"] + tidy_flags(decls))
        elif way == "export":
            run(tidy + ["--export-fixes=" + yaml] + copies + ["--"] + tidy_flags(decls))
        else:
            run(tool + [way] + copies + ["--export-fixes=" + yaml, "-q", "--arch=sm_80"], allowed=(0, 1))
        if way not in ("tool", "fix"):
            run(["clang-apply-replacements", folder])
        results[way] = [read(path) for path in copies]
    wrong = ["%s: %s gives other bytes than the tool" % (path, way) for way, contents in results.items()
             for path, text, expected in zip(files, contents, results["tool"]) if text != expected]
    changed = sum(read(path) != text for path, text in zip(files, results["tool"]))
    if not changed:
        wrong.append("nothing was changed")
    if wrong:
        sys.exit("\n".join(wrong))
    print("%d of %d changed" % (changed, len(files)))


main()
