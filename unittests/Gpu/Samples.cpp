//===- Samples.cpp - Writes GPU harnesses of a few kernels ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// GpuHarnessSamples DIR EXAMPLE.cu...
///   Writes one harness per folder below DIR: of each example against itself, of kernels with
///   everything that could be hard to launch, and of pairs that differ in known ways:
///   test/Verify/harness-nvcc.test says what is expected of them.
///
//===----------------------------------------------------------------------===//

#include "Requests.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

// Names that a harness might use itself, macros that would break it, things that nvcc finds only by
// name, and two versions that share every symbol.
constexpr StringLiteral Odd = R"cuda(
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define Side broken(
#define Shape broken(
#define launch broken(
#define Status broken(
#define Grid 16

namespace math {
template <class T, int Unroll> __global__ void scale(T *data, T factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * factor;
}
} // namespace math

struct Params {
  const char tag;
  half2 bias;
  double2 range;
  int n;
};

static __constant__ float weights[Grid];
__device__ int counters[Grid][2];

namespace {
__global__ void blend(const half2 *__restrict__ in, half2 *out, Params p, __nv_bfloat16 w, bool flip) {
  extern __shared__ half2 tile[];
  int i = threadIdx.x;
  tile[i] = in[i + 1];
  __syncthreads();
  half2 v = __hadd2(tile[blockDim.x - 1 - i], p.bias);
  if (flip)
    v = __lowhigh2highlow(v);
  if (i < p.n)
    out[i] = __hmul2(v, __float2half2_rn(weights[i % Grid] * __bfloat162float(w) + (float)p.range.y));
  if (i < 2 * Grid)
    counters[i / 2][i % 2] += p.tag;
}
__global__ void blend(int *out) { out[threadIdx.x] = DELTA + helper(threadIdx.x); }
} // namespace

template __global__ void math::scale<float, 4>(float *, float, int);

int main() {
  std::printf("not the harness's main\n");
}
)cuda";

HarnessRequest request(std::string Text) {
  HarnessRequest R;
  R.Versions[0].Text = R.Versions[1].Text = std::move(Text);
  R.Arch = "sm_80";
  return R;
}

HarnessRequest odd(StringRef OldDelta, StringRef NewDelta) {
  auto text = [](StringRef Delta) {
    return ("inline __device__ int helper(int i) { return i * 2; }\n#define DELTA " + Delta + "\n" +
            Odd)
        .str();
  };
  HarnessRequest R = request(text(OldDelta));
  R.Versions[1].Text = text(NewDelta);
  add(R, signature("math::scale<float, 4>", {"float *data", "float factor", "int n"}),
      "kernel: math::scale<float, 4>\ncases: [{n: 0}, {n: 1000}]\ngrid: [8]\nblock: "
      "[128]\narguments:\n"
      "- {buffer: float, count: n}\n- {value: 1.5}\n- {value: n}\n");
  add(R,
      signature("blend",
                {"const half2 *in", "half2 *out", "bytes:48 p", "__nv_bfloat16 w", "bool flip"}),
      "kernel: blend\ncases: [{n: 100, s: 512}, {n: 128, s: 65536}]\ngrid: 1\nblock: 128\nshared: "
      "s\n"
      "arguments:\n- {buffer: half2, count: 129, role: input}\n- {buffer: half2, count: n, role: "
      "output}\n"
      "- fields: [{scalar: char, value: 3}, {scalar: half2, value: [0.5, -1]},\n"
      "    {scalar: double2, value: [1, 0.25]}, {scalar: int, value: n}, {scalar: int, value: 0},\n"
      "    {scalar: double, value: 0}]\n"
      "- {value: 0.5}\n- {value: true}\n"
      "globals:\n- {name: weights, type: float, fill: uniform(-2, 2)}\n"
      "- {name: counters, type: int, fill: index(7)}\n");
  add(R, signature("blend", {"int *out"}),
      "kernel: blend\ngrid: 1\nblock: 64\narguments:\n- {buffer: int, count: 64, role: output}\n");
  R.Kernels[1].Old.Parameters[2].Type = "Params";
  R.Kernels[1].New = R.Kernels[1].Old;
  return R;
}

// a * b + c with the product at hand twice: nvcc contracts one version and not the other.
HarnessRequest contraction() {
  constexpr StringLiteral Text = R"cuda(
__global__ void axpy(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = SUM;
}
)cuda";
  HarnessRequest R = request(("#define SUM a[i] * b[i] + c[i]" + Text).str());
  R.Versions[1].Text = ("#define SUM __fmul_rn(a[i], b[i]) + c[i]" + Text).str();
  add(R, signature("axpy", {"const float *a", "const float *b", "float *c", "int n"}),
      "kernel: axpy\ncases: [{n: 4000}]\ngrid: [16]\nblock: [256]\narguments:\n"
      "- {buffer: float, count: n, role: input}\n- {buffer: float, count: n, role: input}\n"
      "- {buffer: float, count: n}\n- {value: n}\n");
  return R;
}

// A kernel of examples/ against itself.
bool example(StringRef Name, StringRef Text, HarnessRequest &R) {
  R = request(Text.str());
  if (Name == "sgemm_tile") {
    add(R,
        signature("sgemm_tile", {"const float *A", "const float *B", "float *C", "int N", "int K"}),
        "kernel: sgemm_tile\ncases: [{N: 64, K: 0}, {N: 64, K: 32}, {N: 256, K: 224}]\n"
        "grid: [N / 32, 2]\nblock: [32, 32]\narguments:\n"
        "- {buffer: float, count: 64 * K, role: input}\n- {buffer: float, count: K * N, role: "
        "input}\n"
        "- {buffer: float, count: 64 * N, role: output}\n- {value: N}\n- {value: K}\n");
    return true;
  }
  if (Name == "nbody") {
    add(R,
        signature("nbody", {"const float4 *bodies", "const float4 *sources", "float4 *accels",
                            "int numSources"}),
        "kernel: nbody\ncases: [{n: 256}, {n: 1024}]\ngrid: [2]\nblock: [256]\narguments:\n"
        "- {buffer: float4, count: 512, role: input}\n- {buffer: float4, count: n, role: input}\n"
        "- {buffer: float4, count: 512, role: output}\n- {value: n}\n");
    return true;
  }
  return false;
}

bool write(const HarnessRequest &R, StringRef Folder, StringRef Name) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  Expected<Harness> H = makeHarness(R);
  Error E = H ? writeHarness(*H, Path) : H.takeError();
  if (!E)
    return true;
  errs() << Name << ": " << toString(std::move(E)) << "\n";
  return false;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    errs() << "usage: GpuHarnessSamples DIR EXAMPLE.cu...\n";
    return 2;
  }
  bool Good = write(odd("1", "1"), argv[1], "odd") && write(odd("1", "2"), argv[1], "different") &&
              write(contraction(), argv[1], "contraction");
  for (int I = 2; I < argc; ++I) {
    auto File = MemoryBuffer::getFile(argv[I]);
    HarnessRequest R;
    StringRef Name = sys::path::stem(argv[I]);
    if (!File || !example(Name, (*File)->getBuffer(), R)) {
      errs() << argv[I] << ": no such example\n";
      return 2;
    }
    Good = Good && write(R, argv[1], Name);
  }
  return Good ? 0 : 1;
}
