"""What the tests of clang-tidy and of clangd have in common: Clang's flags for the bundled declarations, and generated kernels."""
import os
import sys


def tidy_flags(decls):
    return ["-nocudainc", "-nocudalib", "--cuda-path=" + decls, "-isystem", decls, "-include", "cuda_runtime.h", "--cuda-gpu-arch=sm_80",
            "-Xclang", "-target-sdk-version=12.9", "-Wno-unknown-cuda-version", "-Wno-everything"]


def generated(count, folder):
    """Writes that many kernels of test/Fuzz/tilegen, every fifth of them in all forms, and returns their paths.

    Editors send text: files with bytes that are none are left to others.
    """
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Fuzz"))
    from tilegen.generate import generate

    os.makedirs(folder, exist_ok=True)
    paths, index = [], 0
    while len(paths) < count:
        text = generate(7, index, all_forms=index % 5 == 0).text()
        if not any("\udc80" <= c <= "\udcff" for c in text):
            paths.append(os.path.join(folder, "kernel%d.cu" % index))
            with open(paths[-1], "w", encoding="utf-8", newline="") as file:
                file.write(text)
        index += 1
    return paths
