//===- ceilings.h - What this GPU can do at most, measured --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Three small kernels in the same run as what is timed, so under the same clocks: a copy within
/// device memory, chains of FFMA, and products of half-precision matrices through mma.h. The last is
/// what mma.sync reaches; the wgmma instructions of sm_90 go higher, and no tile loop of a kernel
/// that uses mma.h can.
///
//===----------------------------------------------------------------------===//
#ifndef CPR_HARNESS_CEILINGS_H
#define CPR_HARNESS_CEILINGS_H

#include <cuda_runtime.h>
#ifdef __CUDACC__
#include <cuda_fp16.h>
#include <mma.h>
#endif

namespace cpr_harness {

/// 0: not measured.
struct Ceilings {
  double CopyGBps = 0, FfmaGflops = 0, TensorGflops = 0;
};

#ifdef __CUDACC__

__global__ void copyCeiling(const uint4 *__restrict__ From, uint4 *__restrict__ To, size_t Count) {
  const size_t Step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t I = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; I < Count; I += Step)
    To[I] = From[I];
}

constexpr int FfmaChains = 16, FfmaTurns = 2048;
__global__ void ffmaCeiling(float X, float Y, float *Out) {
  float Sum[FfmaChains];
  for (int I = 0; I < FfmaChains; ++I)
    Sum[I] = static_cast<float>(threadIdx.x + I);
  for (int T = 0; T < FfmaTurns; ++T)
#pragma unroll
    for (int I = 0; I < FfmaChains; ++I)
      Sum[I] = fmaf(Sum[I], X, Y);
  float All = 0;
  for (int I = 0; I < FfmaChains; ++I)
    All += Sum[I];
  if (All == 12345.678f) // never; but only the kernel's caller knows
    *Out = All;
}

constexpr int TensorSums = 8, TensorTurns = 512;
__global__ void tensorCeiling(unsigned Seed, float *Out) {
#if __CUDA_ARCH__ >= 700
  using namespace nvcuda;
  // Values of many bits: products of zeros take less power, and run at higher clocks.
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> B;
  unsigned Bits = Seed + threadIdx.x * 2654435761u + blockIdx.x;
  auto Random = [&] {
    Bits = Bits * 1664525u + 1013904223u;
    return __float2half(static_cast<float>(Bits >> 8) * (2.0f / (1 << 24)) - 1.0f);
  };
  for (int I = 0; I < A.num_elements; ++I)
    A.x[I] = Random();
  for (int I = 0; I < B.num_elements; ++I)
    B.x[I] = Random();
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sum[TensorSums];
  for (int I = 0; I < TensorSums; ++I)
    wmma::fill_fragment(Sum[I], 0.0f);
  for (int T = 0; T < TensorTurns; ++T)
#pragma unroll
    for (int I = 0; I < TensorSums; ++I)
      wmma::mma_sync(Sum[I], A, B, Sum[I]);
  float All = 0;
  for (int I = 0; I < TensorSums; ++I)
    for (int E = 0; E < Sum[I].num_elements; ++E)
      All += Sum[I].x[E];
  if (All == 12345.678f)
    *Out = All;
#endif
}

/// Shortest of several launches, in seconds; 0: it cannot be run.
template <class Launch> double shortest(Launch Run) {
  cudaEvent_t Start, Stop;
  if (cudaEventCreate(&Start) != cudaSuccess || cudaEventCreate(&Stop) != cudaSuccess)
    return 0;
  float Best = 0;
  for (int I = 0; I < 12; ++I) {
    float Milliseconds = 0;
    cudaEventRecord(Start, 0);
    Run();
    cudaEventRecord(Stop, 0);
    if (cudaEventSynchronize(Stop) != cudaSuccess || cudaGetLastError() != cudaSuccess ||
        cudaEventElapsedTime(&Milliseconds, Start, Stop) != cudaSuccess)
      return 0;
    if (I >= 2 && (Best == 0 || Milliseconds < Best))
      Best = Milliseconds;
  }
  cudaEventDestroy(Start);
  cudaEventDestroy(Stop);
  return Best / 1000;
}

inline Ceilings measureCeilings(const cudaDeviceProp &Device) {
  Ceilings C;
  size_t Free = 0, Total = 0;
  cudaMemGetInfo(&Free, &Total);
  // Much more than the L2 cache holds.
  size_t Size = static_cast<size_t>(Device.l2CacheSize) * 8;
  Size = Size < (256u << 20) ? (256u << 20) : Size;
  Size = (Size < Free / 4 ? Size : Free / 4) / 4096 * 4096;
  uint4 *From = nullptr, *To = nullptr;
  if (Size && cudaMalloc(&From, Size) == cudaSuccess && cudaMalloc(&To, Size) == cudaSuccess) {
    cudaMemset(From, 0x5a, Size);
    const double T = shortest([&] {
      copyCeiling<<<Device.multiProcessorCount * 8, 512>>>(From, To, Size / sizeof(uint4));
    });
    C.CopyGBps = T > 0 ? 2.0 * static_cast<double>(Size) / T / 1e9 : 0; // read and written
  }
  cudaFree(To);
  float *Out = reinterpret_cast<float *>(From);
  if (Out) {
    const unsigned Blocks = Device.multiProcessorCount * 16, Threads = 256;
    double T = shortest([&] { ffmaCeiling<<<Blocks, Threads>>>(1.0000001f, 0.5f, Out); });
    const double Ffma = 2.0 * FfmaChains * FfmaTurns * Blocks * Threads;
    C.FfmaGflops = T > 0 ? Ffma / T / 1e9 : 0;
    if (Device.major >= 7) {
      T = shortest([&] { tensorCeiling<<<Blocks, Threads>>>(7, Out); });
      const double Mma = 2.0 * 16 * 16 * 16 * TensorSums * TensorTurns * Blocks * (Threads / 32);
      C.TensorGflops = T > 0 ? Mma / T / 1e9 : 0;
    }
  }
  cudaFree(From);
  cudaGetLastError();
  return C;
}

#else
inline Ceilings measureCeilings(const cudaDeviceProp &) { return {}; }
#endif

} // namespace cpr_harness

#endif
