"""What clang-tidy makes of a file is what the command line makes of it, byte for byte.

  same_fixes.py PLUGIN DECLS WORK FILE... -- TOOL...

For every file: the tool; clang-tidy -fix; clang-tidy -export-fixes and clang-apply-replacements; --export-fixes of the tool, of
rewrite and of check, and clang-apply-replacements. At least one of the files has to be changed by them.
"""
import os
import shutil
import subprocess
import sys


def tidy_flags(decls):
    return ["-nocudainc", "-nocudalib", "--cuda-path=" + decls, "-isystem", decls, "-include", "cuda_runtime.h", "--cuda-gpu-arch=sm_80",
            "-Xclang", "-target-sdk-version=12.9", "-Wno-unknown-cuda-version", "-Wno-everything"]


def run(command, allowed=(0,), **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, **options)
    if result.returncode not in allowed:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), result.returncode, result.stdout))
    return result.stdout


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    arguments, tool = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    plugin, decls, work = arguments[:3]
    changed, wrong = 0, []
    for path in arguments[3:]:
        name = os.path.basename(path)
        shutil.rmtree(os.path.join(work, name), ignore_errors=True)
        copies = {}
        for way in ("tool", "fix", "export", "rewrite", "check"):
            folder = os.path.join(work, name, way)
            os.makedirs(folder)
            copies[way] = shutil.copy(path, folder)
        run(tool + [copies["tool"], "-i", "-q", "--arch=sm_80"])
        tidy = ["clang-tidy", "--load=" + plugin, "--checks=-*,cuda-pipeline-tile-loop", "--quiet"]
        run(tidy + ["--fix", copies["fix"], "--"] + tidy_flags(decls))
        fixes = os.path.join(work, name, "export", "fixes.yaml")
        run(tidy + ["--export-fixes=" + fixes, copies["export"], "--"] + tidy_flags(decls))
        run(["clang-apply-replacements", os.path.dirname(fixes)])
        for way in ("rewrite", "check"):
            fixes = os.path.join(work, name, way, "fixes.yaml")
            run(tool + [way, copies[way], "--export-fixes=" + fixes, "-q", "--arch=sm_80"], allowed=(0, 1))
            run(["clang-apply-replacements", os.path.dirname(fixes)])
        expected = read(copies["tool"])
        changed += expected != read(path)
        for way in ("fix", "export", "rewrite", "check"):
            if read(copies[way]) != expected:
                wrong.append("%s: %s gives other bytes than the tool" % (path, way))
    if not changed:
        wrong.append("nothing was changed")
    if wrong:
        sys.exit("\n".join(wrong))
    print("%d of %d changed" % (changed, len(arguments) - 3))


main()
