"""hostile.py DIR COMMAND...: for each hostile database, COMMAND -p DIR/N DIR/N/a.cu; no file appears, and none changes.

hostile.py --extra DIR COMMAND...: those for Clang's front end as --extra-arg, which gets them there. They may not be understood."""
import json
import os
import subprocess
import sys

EXTRA = sys.argv[1] == "--extra"
if EXTRA:
    del sys.argv[1]
HERE = os.path.abspath(sys.argv[1])
TARGET = "{target}"


def front(*words):
    out = []
    for word in words:
        out += ["-Xclang", word]
    return out


CASES = [
    # Dependencies.
    front("-dependency-file", TARGET, "-MT", "text"),
    front("-dependency-file", TARGET, "-MT", "text", "-sys-header-deps", "-MP"),
    front("-dependency-dot", TARGET),
    front("-module-dependency-dir", TARGET),
    front("-header-include-file", TARGET, "-H"),
    front("-header-include-file", TARGET, "-header-include-format=json", "-header-include-filtering=only-direct-system", "-sys-header-deps"),
    front("-show-includes", "-dependency-file", TARGET, "-MT", "x"),
    ["-MD", "-MF", TARGET],
    ["-MMD", "-MF", TARGET, "-MT", "text"],
    ["-Wp,-MD," + TARGET],
    ["-Wp,-MMD," + TARGET],
    ["-MJ", TARGET],
    ["-gen-cdb-fragment-path", TARGET],
    # What is said, and how long it took.
    front("-serialize-diagnostic-file", TARGET),
    ["--serialize-diagnostics", TARGET],
    front("-diagnostic-log-file", TARGET),
    front("-stats-file=" + TARGET),
    front("-ftime-trace=" + TARGET),
    ["-ftime-trace=" + TARGET],
    ["-fproc-stat-report=" + TARGET],
    ["-fcrash-diagnostics-dir=" + TARGET],
    front("-dump-minimization-hints=" + TARGET),
    front("-print-stats", "-stats-file", TARGET),
    # Outputs.
    ["-o", TARGET],
    front("-o", TARGET, "-emit-pch"),
    front("-o", TARGET, "-emit-llvm"),
    front("-o", TARGET, "-ast-print"),
    front("-o", TARGET, "-E"),
    front("-fixit", "-fixit-recompile", "-fixit-to-temporary"),
    front("-fixit=new"),
    front("-foptimization-record-file=" + TARGET, "-opt-record-file", TARGET),
    ["-fsave-optimization-record", "-foptimization-record-file=" + TARGET],
    ["-save-temps=obj", "-dumpdir", TARGET],
    ["--save-temps", "--keep", "--keep-dir", TARGET],
    front("-split-dwarf-output", TARGET, "-split-dwarf-file", TARGET, "-debug-info-kind=limited"),
    ["-gsplit-dwarf", "-dumpdir", TARGET],
    front("-coverage-notes-file", TARGET, "-coverage-data-file", TARGET),
    ["--coverage", "-fprofile-dir=" + TARGET],
    front("-stack-usage-file", TARGET),
    front("-symbol-graph-dir=" + TARGET, "-extract-api", "-o", TARGET),
    # Modules and precompiled headers.
    front("-fmodules", "-fimplicit-module-maps", "-fmodules-cache-path=" + TARGET),
    ["-fmodules", "-fmodules-cache-path=" + TARGET, "-fcxx-modules"],
    ["-fmodule-output=" + TARGET],
    # Code of somebody else's.
    front("-load", "{library}"),
    front("-plugin", "{library}", "-plugin-arg-x", TARGET),
    ["-fplugin={library}"],
    ["-fpass-plugin={library}"],
    front("-mllvm", "-load={library}"),
    front("-mllvm", "-info-output-file=" + TARGET, "-mllvm", "-time-passes"),
    # The same through other doors.
    ["@{response}"],
    ["--options-file", "{response}"],
    ["-Xcompiler", "-Xclang -dependency-file -Xclang " + TARGET + " -Xclang -MT -Xclang x"],
    ["-Xarch_device", "-Xclang", "-Xarch_device", "-dependency-file", "-Xarch_device", "-Xclang", "-Xarch_device", TARGET],
    ["-Xpreprocessor", "-MD", "-Xpreprocessor", "-MF", "-Xpreprocessor", TARGET],
    ["-Xptxas", "--output-file=" + TARGET],
]


def contents(folder):
    found = {}
    for at, folders, files in os.walk(folder):
        for name in files:
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                found[path] = file.read()
        for name in folders:
            found[os.path.join(at, name)] = None
    return found


def main():
    with open(os.path.join(os.path.dirname(__file__), "tile.cu"), encoding="utf-8") as file:
        source = file.read()
    bad = 0
    cases = [c for c in CASES if not EXTRA or set(c[::2]) == {"-Xclang"}]
    for number, flags in enumerate(cases):
        for exists in (False, True):
            folder = os.path.join(HERE, "%d%s" % (number, "-exists" if exists else ""))
            os.makedirs(folder)
            names = {"target": os.path.join(folder, "target"), "library": os.path.join(folder, "library.so"), "response": os.path.join(folder, "response")}
            flags_here = [f.format(**names) for f in flags]
            with open(os.path.join(folder, "a.cu"), "w", encoding="utf-8") as file:
                file.write(source)
            with open(names["response"], "w", encoding="utf-8") as file:
                file.write("-Xclang -dependency-file -Xclang %s -Xclang -MT -Xclang text\n" % names["target"])
            if exists:
                with open(names["target"], "w", encoding="utf-8") as file:
                    file.write("of the user\n")
            program = "clang++" if number % 2 else "nvcc"
            with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
                json.dump([{"directory": folder, "file": "a.cu", "arguments": [program, "-xcu" if program == "nvcc" else "-xcuda"] + ([] if EXTRA else flags_here) + ["-c", "a.cu"]}], file)
            before = contents(folder)
            extra = ["--extra-arg=" + f for f in flags_here] if EXTRA else []
            run = subprocess.run(sys.argv[2:] + extra + ["-p", folder, os.path.join(folder, "a.cu")], cwd=folder, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, check=False)
            after = contents(folder)
            if before != after:
                bad += 1
                print("%d: %s: changed: %s" % (number, flags, sorted(set(k for k in {**before, **after} if before.get(k, 0) != after.get(k, 0)))))
            if run.returncode not in ((0, 1, 3) if EXTRA else (0, 1)):
                bad += 1
                print("%d: %s: exit %d: %s" % (number, flags, run.returncode, run.stderr))
    print("%d databases, %d faults" % (len(cases), bad))


main()
