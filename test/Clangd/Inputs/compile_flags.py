"""The flags by which clangd reads a CUDA file without a toolkit."""


def flags(decls):
    return ["-nocudainc", "-nocudalib", "--cuda-path=" + decls, "-isystem", decls, "-include", "cuda_runtime.h", "--cuda-gpu-arch=sm_80",
            "-Xclang", "-target-sdk-version=12.9", "-Wno-unknown-cuda-version"]
