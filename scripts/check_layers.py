#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that dependencies point one way (docs/TOUR.md, "Layers").

    check_layers.py ROOT              fails on an upward #include, and on the other rules below
    check_layers.py --link BUILD NM   the same of what the archives of BUILD call, as NM (llvm-nm) lists it
    check_layers.py --self-test       shows that each rule fails when it is violated

Rules
  1. A file includes only headers of its own layer and of the layers that LAYERS lists for it.
     --link: nor does it call what only other layers define.
  2. The value types and everything built on them alone (NO_CLANG) include no Clang header.
  3. Only tool/ and unittests/ declare options (llvm::cl); they are data everywhere else.
  4. A public header includes no private one (of lib/ or tool/).
  5. Every file under lib/ and include/ belongs to a layer that is listed here.
  6. The command line prints through lib/Support/Terminal.h alone, which keeps harm from terminals.
  7. Files are written through lib/Report/OutputFile.h, which knows what may not be overwritten; WRITERS fill folders of their own.
  8. Files are read through lib/Support/ReadFile.h, which remembers them for rule 7, and maps none into memory; READERS read what they wrote.
"""

import os
import re
import subprocess
import sys
import tempfile

# Layer -> the layers that it may use. Written out, so that reading it shows the whole picture.
# Values are types without Clang and without behaviour of their own that several steps exchange.
LAYERS = {
    "Values": [],
    "Support": [],  # processes, bytes, lines
    "Gpu": ["Values"],  # GPU table, occupancy, budget: plain arithmetic
    "Reasons": ["Values"],  # the registry of reasons, the names of variants
    "Source": ["Support", "Values", "Gpu"],
    "Model": ["Values", "Gpu", "Reasons", "Source"],
    "Analysis": ["Values", "Gpu", "Reasons", "Source", "Model"],
    "Device": ["Support", "Values", "Source", "Model"],  # bitcode for verification
    "Plan": ["Values", "Gpu", "Reasons", "Source", "Model", "Analysis"],
    "Emit": ["Values", "Gpu", "Reasons", "Source", "Model", "Analysis", "Plan"],
    "Mutate": ["Values", "Gpu", "Reasons", "Source", "Model", "Emit"],  # for tests alone
    "Report": ["Support", "Values", "Gpu", "Reasons"],
    "Verify": ["Support", "Values", "Gpu", "Reasons", "Report"],
    "Rewriter": ["Support", "Values", "Gpu", "Reasons", "Source", "Model", "Analysis", "Plan", "Emit", "Report"],
    "SelfCheck": ["Support", "Values", "Gpu", "Reasons", "Source", "Device", "Report", "Verify", "Rewriter"],
    "tool": ["Mutate", "Support", "Values", "Gpu", "Reasons", "Source", "Device", "Report", "Verify", "Rewriter", "SelfCheck"],
}
NO_CLANG = {"Support", "Values", "Gpu", "Reasons", "Report", "Verify"}
MAY_USE_CL = {"tool", "unittests"}

# Public headers by layer.
PUBLIC = {
    "Reasons.h": "Reasons",
    "Reasons.def": "Reasons",
    "Assumptions.def": "Reasons",
    "GpuTarget.h": "Gpu",
    "BankConflicts.h": "Gpu",
    "Budget.h": "Gpu",
    "Ratio.h": "Values",
    "Methods.def": "Reasons",
    "Variant.h": "Reasons",
    "DeviceModule.h": "Values",
    "Fix.h": "Values",
    "NoLint.h": "Report",
    "Source.h": "Source",
    "KLoop.h": "Model",
    "TileModel.h": "Model",
    "DeclSet.h": "Model",
    "Legality.h": "Analysis",
    "TileLayout.h": "Analysis",
    "CopyWidth.h": "Analysis",
    "LaunchShape.h": "Analysis",
    "Plan.h": "Plan",
    "Schedule.h": "Plan",
    "Contraction.h": "Analysis",
    "Edits.h": "Emit",
    "PipelinedLoop.h": "Emit",
    "Report.h": "Report",
    "Rewriter.h": "Rewriter",
    "LoopsOfTree.h": "Rewriter",
    "CompileDevice.h": "Device",
    "Launch.h": "Verify",
    "GpuHarness.h": "Verify",
    "Bench.h": "Verify",
    "Verify.h": "Verify",
    "SelfCheck.h": "SelfCheck",
    "Sass.h": "Verify",
    "SassClasses.def": "Verify",
}
# Files that write into temporary folders of their own, and the program for a GPU, which is no part of the tool.
WRITERS = {"lib/Mutate/Generated.cpp", "lib/Report/OutputFile.cpp", "lib/Source/Prelude.cpp", "lib/Source/ToolFlags.cpp", "lib/Verify/Sass/CheckSass.cpp", "lib/Verify/Gpu/MakeHarness.cpp"}
WRITER_FOLDERS = ("lib/Verify/Gpu/harness/", "lib/Source/cuda-decls/")

READERS = {"lib/Support/ReadFile.cpp", "lib/Report/OutputFile.cpp", "lib/Verify/Sass/CheckSass.cpp", "lib/Verify/Gpu/RunHarness.cpp"}

# A list of names that the device headers and the emulator share.
DATA_FILES = {"lib/Source/cuda-decls/emulate/host_functions.def": "Values"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)
# cl::TokenizeGNUCommandLine() and the like declare no option.
CL_USE = re.compile(
    r"\bcl::(opt|list|bits|alias|OptionCategory|SubCommand|ParseCommandLineOptions)\b"
    r"|clang/Tooling/CommonOptionsParser\.h"
)
PRINTS = re.compile(r"llvm::(errs|outs|dbgs)\b|std::(cout|cerr|clog)\b|\b(f?printf|puts|perror)\s*\(")
OPENS_TO_WRITE = re.compile(r"\braw_fd_ostream\s+\w+\s*\(|\bopenFileForWrite\b|\bofstream\b|\bfopen\s*\(|\bO_(WRONLY|RDWR|CREAT)\b")
OPENS_TO_READ = re.compile(r"\bMemoryBuffer::get(File|OpenFile|FileOrSTDIN|FileSlice|FileAsStream)\b|\bWritableMemoryBuffer::getFile\b|\bifstream\b")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
SUFFIXES = (".h", ".cpp", ".def", ".inc", ".c", ".cc", ".hpp")
PREFIX = "cuda-pipeline/"


def layer_of(path):
    """The layer of a file, by its path relative to the root; None where no rule applies."""
    if path in DATA_FILES:
        return DATA_FILES[path]
    parts = path.split("/")
    if parts[0] == "include":
        return PUBLIC.get(parts[-1], "?")
    if parts[0] == "lib" and len(parts) > 2:
        return parts[1] if parts[1] in LAYERS else "?"
    if parts[0] == "tool":
        return "tool"
    return None


def resolve(root, path, name):
    """The included file relative to the root, or None when it is not one of the project's."""
    if name.startswith(PREFIX):
        return "include/" + name
    for base in (os.path.dirname(path), "include", "lib", ""):
        candidate = os.path.normpath(os.path.join(base, name))
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
    return None


def check(root):
    problems = []
    for top in ("include", "lib", "tool", "unittests"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if not name.endswith(SUFFIXES):
                    continue
                path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    text = file.read()
                problems += check_file(root, path, text)
    return problems


def check_file(root, path, text):
    problems = []

    def report(position, message):
        problems.append("%s:%d: %s" % (path, text.count("\n", 0, position) + 1, message))

    def bare():
        # Comments may speak of anything; blanks keep the line numbers.
        return COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)

    if path.startswith("tool/cuda-pipeline-rewrite/"):
        for use in PRINTS.finditer(bare()):
            # Whether standard output could be written can only be asked where it is.
            if not (path.endswith("/main.cpp") and use.group() == "llvm::outs"):
                report(use.start(), "print through outs() and errs() of lib/Support/Terminal.h")
    if path.startswith(("lib/", "tool/")) and path not in WRITERS and not path.startswith(WRITER_FOLDERS):
        for use in OPENS_TO_WRITE.finditer(bare()):
            report(use.start(), "write files through lib/Report/OutputFile.h")

    if path.startswith(("lib/", "tool/")) and path not in READERS and not path.startswith(WRITER_FOLDERS):
        for use in OPENS_TO_READ.finditer(bare()):
            report(use.start(), "read files through lib/Support/ReadFile.h")

    layer = layer_of(path)
    if layer == "?":
        report(0, "belongs to no layer; add it to LAYERS or PUBLIC in scripts/check_layers.py")
        return problems
    if path.split("/")[0] not in MAY_USE_CL:
        for use in CL_USE.finditer(bare()):
            report(use.start(), "only tool/ declares options; pass them as data")
            break
    if layer is None:
        return problems

    for include in INCLUDE.finditer(text):
        name = include.group(2)
        if layer in NO_CLANG and name.startswith(("clang/", "clang-c/", "clang-tidy/")):
            report(include.start(), "layer %s includes no Clang header, but includes %s" % (layer, name))
            continue
        target = resolve(root, path, name)
        if target is None:
            continue
        if path.startswith("include/") and not target.startswith("include/"):
            report(include.start(), "a public header includes the private %s" % target)
        other = layer_of(target)
        if other in (None, "?") or other == layer or other in LAYERS[layer]:
            continue
        report(include.start(), "layer %s must not depend on layer %s (%s)" % (layer, other, target))
    return problems


def self_test():
    """Each violation in a tree of its own: exactly one problem, and it names the rule."""
    cases = [
        ("lib/Model/A.cpp", '#include "cuda-pipeline/Plan.h"\n', "must not depend on layer Plan"),
        ("lib/Plan/A.cpp", '#include "../Emit/Names.h"\n', "must not depend on layer Emit"),
        ("lib/Emit/A.cpp", '#include "cuda-pipeline/Rewriter.h"\n', "must not depend on layer Rewriter"),
        ("lib/Report/A.cpp", '#include "cuda-pipeline/TileModel.h"\n', "must not depend on layer Model"),
        ("lib/Report/A.cpp", "#include <clang/AST/Decl.h>\n", "includes no Clang header"),
        ("lib/Verify/A.h", '#include "clang/Basic/LLVM.h"\n', "includes no Clang header"),
        ("include/cuda-pipeline/Budget.h", '#include "clang/AST/Expr.h"\n', "includes no Clang header"),
        ("lib/Gpu/GpuTarget.cpp", '#include "cuda-pipeline/KLoop.h"\n', "must not depend on layer Model"),
        ("include/cuda-pipeline/Plan.h", '#include "../../lib/Emit/Names.h"\n', "private"),
        ("lib/Emit/A.cpp", "static llvm::cl::opt<bool> X;\n", "only tool/ declares options"),
        ("lib/Source/A.cpp", '#include "clang/Tooling/CommonOptionsParser.h"\n', "only tool/ declares"),
        ("tool/t/main.cpp", '#include "cuda-pipeline/TileModel.h"\n', "must not depend on layer Model"),
        ("tool/cuda-pipeline-rewrite/A.cpp", 'void f() { llvm::errs() << "x"; }\n', "print through"),
        ("tool/cuda-pipeline-rewrite/main.cpp", "void f() { std::cerr << 1; }\n", "print through"),
        ("tool/t/A.cpp", "void f() { llvm::raw_fd_ostream OS(Path, EC); }\n", "write files through"),
        ("lib/Emit/A.cpp", "int f() { return sys::fs::openFileForWrite(P, FD); }\n", "write files through"),
        ("lib/Emit/A.cpp", "void f() { auto B = MemoryBuffer::getFile(P); }\n", "read files through"),
        ("lib/Extra/A.cpp", "\n", "belongs to no layer"),
        ("include/cuda-pipeline/Extra.h", "\n", "belongs to no layer"),
    ]
    good = [
        ("lib/Emit/A.cpp", '#include "cuda-pipeline/Plan.h"\n#include "clang/AST/Expr.h"\n'),
        ("lib/Rewriter/A.cpp", '#include "cuda-pipeline/Edits.h"\n#include "../Report/Out.h"\n'),
        ("lib/Source/A.cpp", "// not a cl::opt<bool>: options are data\n"),
        ("lib/Source/B.cpp", "cl::TokenizeGNUCommandLine(Text, Saver, Tokens);\n"),
        ("tool/t/main.cpp", '#include "cuda-pipeline/Rewriter.h"\nllvm::cl::opt<bool> X;\n'),
        ("tool/cuda-pipeline-rewrite/main.cpp", "void f() { llvm::outs().flush(); errs() << 1; } // no std::cerr\n"),
        ("lib/Report/OutputFile.cpp", "void f() { raw_fd_ostream OS(Path, EC); }\n"),
    ]
    failed = 0
    for path, text, expected in cases + [(p, t, None) for p, t in good]:
        with tempfile.TemporaryDirectory() as root:
            for header in list(PUBLIC):
                write(root, "include/cuda-pipeline/" + header, "\n")
            for header in ("lib/Emit/Names.h", "lib/Report/Out.h"):
                write(root, header, "\n")
            write(root, path, text)
            problems = check(root)
        wanted = 0 if expected is None else 1
        if path == "include/cuda-pipeline/Plan.h":
            wanted = 2  # private, and upward
        if len(problems) != wanted or (expected and not any(expected in p for p in problems)):
            failed += 1
            print("self-test: %s with %r: expected %r, got %r" % (path, text, expected, problems))
    calls = [({"Plan": ["f U"], "Emit": ["f T 0 0"]}, "must not depend on layer Emit"),
             ({"Model": ["f U"], "Report": ["f T 0 0"]}, "must not depend on layer Report"),
             ({"Extra": ["f T 0 0"]}, "belongs to no layer"),
             ({"Emit": ["f U"], "Plan": ["f T 0 0"]}, None),
             ({"Plan": ["f U", "g U"], "Emit": ["f W 0 0"], "Model": ["f W 0 0"]}, None)]
    for symbols, expected in calls:
        problems = check_calls(symbols)
        if len(problems) != (expected is not None) or (expected and expected not in problems[0]):
            failed += 1
            print("self-test: %s: expected %r, got %r" % (symbols, expected, problems))
    print("%d passed, %d failed" % (len(cases) + len(good) + len(calls) - failed, failed))
    return failed


# Archives that are called otherwise than their layer.
ARCHIVES = {"Emulator": "Verify", "Ptx": "Verify", "Launch": "Verify", "Sass": "Verify", "GpuHarness": "Verify", "Bench": "Verify",
            "Tidy": "tool"}


def check_calls(symbols):
    """`symbols`: by archive, lines of nm's POSIX format (name, letter, ...)."""
    problems, owners, layers = [], {}, {}
    for archive in symbols:
        layers[archive] = ARCHIVES.get(archive, archive)
        if layers[archive] not in LAYERS:
            problems.append("lib%s: belongs to no layer; add it to ARCHIVES in scripts/check_layers.py" % archive)
    listed = {archive: [line.split()[:2] for line in lines if len(line.split()) > 1] for archive, lines in symbols.items()}
    for archive, names in listed.items():
        for name, letter in names:
            if letter in "TDRB":  # not what is defined wherever it is used
                owners.setdefault(name, set()).add(archive)
    for archive, names in listed.items():
        for name, letter in names:
            from_layers = {layers[o] for o in owners.get(name, ())}
            if letter == "U" and from_layers and not from_layers & {layers[archive], *LAYERS.get(layers[archive], ())}:
                problems.append("lib%s: layer %s must not depend on layer %s (%s)" %
                                (archive, layers[archive], "/".join(sorted(from_layers)), name))
    return problems


def symbols_of(build, nm):
    found = {}
    for name in sorted(os.listdir(os.path.join(build, "lib"))):
        match = re.fullmatch(r"libCpr(\w+)\.a", name)
        if match:
            run = subprocess.run([nm, "--format=posix", "--extern-only", os.path.join(build, "lib", name)],
                                 stdout=subprocess.PIPE, universal_newlines=True, check=True)
            found[match.group(1)] = run.stdout.splitlines()
    return found


def write(root, path, text):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    if sys.argv[1:2] == ["--link"] and len(sys.argv) == 4:
        symbols = symbols_of(*sys.argv[2:])
        problems = check_calls(symbols) if symbols else ["there is no libCpr*.a in %s/lib" % sys.argv[2]]
    elif len(sys.argv) == 2:
        problems = check(sys.argv[1])
    else:
        print(__doc__)
        return 2
    for problem in problems:
        print(problem)
    print("%d layering problem(s)" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
