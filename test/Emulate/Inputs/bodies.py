#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every device function that the bundled CUDA declarations declare has a body for emulation.

  bodies.py DECLS TEMPLATES.cu ARCH

Clang lists what is declared (its AST of all bundled headers, read as for the analysis) and what has
code (the same headers with __CPR_EMULATE__, all functions emitted):
 1. the symbol of every declared device function is defined;
 2. the name of every declared device template occurs in TEMPLATES.cu, which uses them all;
 3. what stays undefined is a function of the machine (emulate/machine.h), a function of the host
    (emulate/host_functions.def), or an intrinsic of LLVM.
Prints one line per complaint, and how much was looked at.
"""

import json
import os
import re
import subprocess
import sys

# Clang makes intrinsics of these, which need no body.
INTRINSICS = {"memcpy", "memset"}
# The runtime's functions, which a kernel calls to launch others: the emulator names the one that is
# called (Lower.cpp), bodies would say no more.
RUNTIME = re.compile(r"cuda[A-Z]\w+$")


def headers(decls):
    """All headers that a file can include, the prelude apart."""
    for folder in ("", "cuda", "cooperative_groups"):
        for name in sorted(os.listdir(os.path.join(decls, folder))):
            path = os.path.join(folder, name)
            public = name.endswith(".h") if folder != "cuda" else "." not in name
            # clang_supplement.h is for the toolkit's headers.
            if os.path.isfile(os.path.join(decls, path)) and public and name != "clang_supplement.h":
                yield path


def clang(decls, arch, *args, text=None):
    command = ["clang++", "--cuda-device-only", "-xcuda", "--cuda-gpu-arch=" + arch, "-w"]
    command += ["-nocudalib", "-nocudainc", "--cuda-path=" + decls, "-isystem", decls]
    command += ["-include", os.path.join(decls, "cuda_runtime.h")]
    command += ["-Xclang", "-target-sdk-version=12.9", "-O1", "-Xclang", "-disable-llvm-passes"]
    # The newest PTX: an atomic add of double or a bfloat16 needs more than the default.
    command += ["-Xclang", "-target-feature", "-Xclang", "+ptx87", "-std=c++17", *args]
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    if run.returncode:
        sys.exit("clang failed:\n" + run.stderr)
    return run.stdout


def has(node, kind):
    return any(child.get("kind") == kind for child in node.get("inner", ()))


FUNCTIONS = ("FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl")


class Declared:
    """Device functions and templates without a body in the declarations."""

    def __init__(self):
        self.symbols = {}  # mangled -> name with type
        self.templates = set()

    def visit(self, node, in_template=False):
        kind = node.get("kind")
        if kind in ("FunctionTemplateDecl", "ClassTemplateDecl", "ClassTemplatePartialSpecializationDecl"):
            in_template = True
        if kind in FUNCTIONS:
            # Clang's own header has the built-in variables.
            missing = has(node, "CUDADeviceAttr") and not has(node, "CompoundStmt")
            if missing and not node.get("isImplicit") and not node.get("explicitlyDefaulted"):
                name = re.sub(r"<.*", "", node["name"])  # of constructors
                if RUNTIME.match(name):
                    return
                if in_template:
                    self.templates.add(name)
                elif not node.get("explicitlyDeleted") and name not in INTRINSICS:
                    self.symbols[node["mangledName"]] = name + ": " + node["type"]["qualType"]
            return
        for child in node.get("inner", ()):
            # Instantiations repeat what the template says.
            if in_template and child.get("kind") == "ClassTemplateSpecializationDecl":
                continue
            self.visit(child, in_template)


def symbols(module):
    defined = set(re.findall(r'^define .*?@"?([^"(]+)"?\(', module, re.M))
    undefined = set(re.findall(r'^declare .*?@"?([^"(]+)"?\(', module, re.M))
    return defined, undefined


def names_in(path, pattern):
    with open(path, encoding="utf-8") as file:
        return set(re.findall(pattern, file.read()))


def main():
    decls, template_file, arch = sys.argv[1:]
    decls = os.path.realpath(decls)
    all_headers = "".join("#include <%s>\n" % h for h in headers(decls))
    complaints = []

    declared = Declared()
    tree = clang(decls, arch, "-fsyntax-only", "-Xclang", "-ast-dump=json", "-", text=all_headers)
    declared.visit(json.loads(tree))

    allowed = names_in(os.path.join(decls, "emulate/machine.h"), r"\b(__cpr_emu_\w+)")
    allowed |= names_in(os.path.join(decls, "emulate/host_functions.def"), r"HOST_FUNCTION\((\w+)\)")

    emulate = ["-D__CPR_EMULATE__", "-S", "-emit-llvm", "-o", "-", "-Xclang", "-femit-all-decls", "-"]
    defined, undefined = symbols(clang(decls, arch, *emulate, text=all_headers))
    for symbol, name in sorted(declared.symbols.items()):
        if symbol not in defined:
            complaints.append("no body: " + name)

    with open(template_file, encoding="utf-8") as file:
        used = file.read()
    module = clang(decls, arch, *emulate, text=all_headers + used)
    undefined |= symbols(module)[1]
    for name in sorted(declared.templates):
        if name.startswith("~"):
            continue  # every object is destroyed
        operator = re.match(r"operator\s*(.*)", name)
        if operator and (re.match(r"\w", operator[1]) or operator[1] in used):
            continue  # conversions have no name of their own
        if not re.search(r"(?<!\w)" + re.escape(name) + r"(?!\w)", used):
            complaints.append("template without a use in %s: %s" % (os.path.basename(template_file), name))
    for symbol in sorted(undefined):
        if symbol not in allowed and not symbol.startswith("llvm."):
            complaints.append("undefined: " + symbol)

    print("\n".join(complaints))
    print("%d functions, %d templates, %d complaints"
          % (len(declared.symbols), len(declared.templates), len(complaints)))
    for name in sorted(u for u in undefined if u.startswith("llvm.nvvm.")):
        print("intrinsic:", name)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
