//===- ceilings.h - What this GPU can do at most, measured --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Small kernels in the same run as what is timed: a copy within device memory, chains of FFMA and
/// of DFMA, and products of matrices of halves and of bytes through mma.h. The last two are what
/// mma.sync reaches; the wgmma instructions of sm_90 go higher, and no tile loop of a kernel that
/// uses mma.h can. One wave of blocks, so that no multiprocessor waits for others, for a
/// millisecond or more, when the clocks have come up; the best of several launches.
///
//===----------------------------------------------------------------------===//
#ifndef CPR_HARNESS_CEILINGS_H
#define CPR_HARNESS_CEILINGS_H

#include <algorithm>
#include <chrono>
#include <cuda_runtime.h>
#ifdef __CUDACC__
#include <cuda_fp16.h>
#include <mma.h>
#endif

namespace cpr_harness {

/// 0: not measured.
struct Ceilings {
  double CopyGBps = 0, FfmaGflops = 0, DfmaGflops = 0, TensorGflops = 0, ImmaGops = 0;
};

#ifdef __CUDACC__

constexpr int CopiesAtOnce = 4;
/// \p Count is a multiple of CopiesAtOnce.
__global__ void copyCeiling(const uint4 *__restrict__ From, uint4 *__restrict__ To, size_t Count) {
  const size_t Step = static_cast<size_t>(gridDim.x) * blockDim.x, Part = Count / CopiesAtOnce;
  for (size_t I = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; I < Part; I += Step) {
    uint4 Data[CopiesAtOnce];
#pragma unroll
    for (int J = 0; J < CopiesAtOnce; ++J)
      Data[J] = From[I + J * Part];
#pragma unroll
    for (int J = 0; J < CopiesAtOnce; ++J)
      To[I + J * Part] = Data[J];
  }
}

constexpr int Chains = 16, FfmaTurns = 16384, DfmaTurns = 2048;
template <class T> __global__ void fmaCeiling(T X, T Y, int Turns, T *Out) {
  T Sum[Chains];
  for (int I = 0; I < Chains; ++I)
    Sum[I] = static_cast<T>(threadIdx.x + I);
  for (int Turn = 0; Turn < Turns; ++Turn)
#pragma unroll
    for (int I = 0; I < Chains; ++I)
      Sum[I] = fma(Sum[I], X, Y);
  T All = 0;
  for (int I = 0; I < Chains; ++I)
    All += Sum[I];
  if (All == static_cast<T>(12345.678)) // never; but only the kernel's caller knows
    *Out = All;
}

constexpr int TensorSums = 8, TensorTurns = 8192;
/// Half or signed char, into float or int.
template <class T, class SumT> __global__ void tensorCeiling(unsigned Seed, SumT *Out) {
#if __CUDA_ARCH__ >= 720
  using namespace nvcuda;
  // Values of many bits: products of zeros take less power, and run at higher clocks.
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> A;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> B;
  unsigned Bits = Seed + threadIdx.x * 2654435761u + blockIdx.x;
  auto Random = [&] {
    Bits = Bits * 1664525u + 1013904223u;
    const float Between = static_cast<float>(Bits >> 8) * (2.0f / (1 << 24)) - 1.0f; // -1 and 1
    return static_cast<T>(sizeof(T) == 1 ? 127 * Between : Between);
  };
  for (int I = 0; I < A.num_elements; ++I)
    A.x[I] = Random();
  for (int I = 0; I < B.num_elements; ++I)
    B.x[I] = Random();
  wmma::fragment<wmma::accumulator, 16, 16, 16, SumT> Sum[TensorSums];
  for (int I = 0; I < TensorSums; ++I)
    wmma::fill_fragment(Sum[I], static_cast<SumT>(0));
  for (int Turn = 0; Turn < TensorTurns; ++Turn)
#pragma unroll
    for (int I = 0; I < TensorSums; ++I)
      wmma::mma_sync(Sum[I], A, B, Sum[I]);
  SumT All = 0;
  for (int I = 0; I < TensorSums; ++I)
    for (int E = 0; E < Sum[I].num_elements; ++E)
      All += Sum[I].x[E];
  if (All == static_cast<SumT>(12345))
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

constexpr unsigned CeilingThreads = 256; ///< of a block

/// Blocks that are resident at the same time.
template <class F> unsigned oneWave(F *Kernel, const cudaDeviceProp &Device) {
  int Resident = 0;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Resident, Kernel, CeilingThreads, 0) !=
          cudaSuccess ||
      Resident < 1)
    Resident = 1;
  return static_cast<unsigned>(Resident * Device.multiProcessorCount);
}

/// Billions of operations per second.
template <class T> double fmaRate(int Turns, const cudaDeviceProp &Device, void *Out) {
  const unsigned Blocks = oneWave(fmaCeiling<T>, Device);
  const double Seconds = shortest([&] {
    fmaCeiling<T><<<Blocks, CeilingThreads>>>(static_cast<T>(1.0000001), static_cast<T>(0.5), Turns,
                                              static_cast<T *>(Out));
  });
  return Seconds > 0 ? 2.0 * Chains * Turns * Blocks * CeilingThreads / Seconds / 1e9 : 0;
}

template <class T, class SumT> double tensorRate(const cudaDeviceProp &Device, void *Out) {
  if (Device.major * 10 + Device.minor < 72)
    return 0;
  const unsigned Blocks = oneWave(tensorCeiling<T, SumT>, Device);
  const double Seconds = shortest(
      [&] { tensorCeiling<T, SumT><<<Blocks, CeilingThreads>>>(7, static_cast<SumT *>(Out)); });
  return Seconds > 0 ? 2.0 * 16 * 16 * 16 * TensorSums * TensorTurns * Blocks *
                           (CeilingThreads / 32) / Seconds / 1e9
                     : 0;
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
  if (Size == 0 || cudaMalloc(&From, Size) != cudaSuccess) {
    cudaGetLastError();
    return C;
  }
  // The clocks of an idle device take a while to come up.
  const auto Until = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (std::chrono::steady_clock::now() < Until && fmaRate<float>(FfmaTurns, Device, From) > 0)
    ;
  C.FfmaGflops = fmaRate<float>(FfmaTurns, Device, From);
  C.DfmaGflops = fmaRate<double>(DfmaTurns, Device, From);
  C.TensorGflops = tensorRate<half, float>(Device, From);
  C.ImmaGops = tensorRate<signed char, int>(Device, From);
  if (cudaMalloc(&To, Size) == cudaSuccess) {
    cudaMemset(From, 0x5a, Size);
    const unsigned Blocks = oneWave(copyCeiling, Device);
    const double Ours =
        shortest([&] { copyCeiling<<<Blocks, CeilingThreads>>>(From, To, Size / sizeof(uint4)); });
    const double Theirs =
        shortest([&] { cudaMemcpyAsync(To, From, Size, cudaMemcpyDeviceToDevice, 0); });
    const double Seconds = Ours > 0 && Theirs > 0 ? std::min(Ours, Theirs) : std::max(Ours, Theirs);
    C.CopyGBps =
        Seconds > 0 ? 2.0 * static_cast<double>(Size) / Seconds / 1e9 : 0; // read and written
  }
  cudaFree(To);
  cudaFree(From);
  cudaGetLastError();
  return C;
}

#else
inline Ceilings measureCeilings(const cudaDeviceProp &) { return {}; }
#endif

} // namespace cpr_harness

#endif
