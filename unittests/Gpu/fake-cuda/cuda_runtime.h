//===- cuda_runtime.h - As much of CUDA's runtime as the harness uses -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Device memory is the heap, a launch is a loop over all threads. FAKE_GPU in the environment makes
/// it fail: "none" has no device, "hang" never ends a kernel, "crash" crashes in the first query.
///
//===----------------------------------------------------------------------===//
#ifndef FAKE_CUDA_RUNTIME_H
#define FAKE_CUDA_RUNTIME_H

#include <cstddef>
#include <cstdlib>
#include <cstring>

#define __global__
#define __device__
#define __constant__
#define __host__

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorNoDevice = 100,
  cudaErrorNotReady = 600,
  cudaErrorLaunchFailure = 719
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum cudaDeviceAttr { cudaDevAttrClockRate, cudaDevAttrMemoryClockRate };
using cudaStream_t = void *;
using cudaEvent_t = int;
struct cudaDeviceProp {
  char name[256];
  int major, minor, multiProcessorCount;
  size_t sharedMemPerBlockOptin;
};
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned X = 1, unsigned Y = 1, unsigned Z = 1) : x(X), y(Y), z(Z) {}
};

static dim3 threadIdx, blockIdx, blockDim, gridDim;
static cudaError_t FakeError = cudaSuccess;
static size_t FakeShared = 0, FakeAllowed = 48 * 1024;
[[maybe_unused]] static void fakeTrap() { FakeError = cudaErrorLaunchFailure; }

inline bool fakeGpu(const char *Word) {
  const char *Value = std::getenv("FAKE_GPU");
  return Value && std::strcmp(Value, Word) == 0;
}

static inline const char *cudaGetErrorString(cudaError_t) { return "fake error"; }
static inline const char *cudaGetErrorName(cudaError_t E) {
  return E == cudaErrorLaunchFailure ? "cudaErrorLaunchFailure" : "cudaErrorFake";
}
static inline cudaError_t cudaGetDeviceCount(int *Count) {
  *Count = 1;
  return fakeGpu("none") ? cudaErrorNoDevice : cudaSuccess;
}
static inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *P, int) {
  std::strcpy(P->name, "Fake \"GPU\"");
  P->major = 9;
  P->minor = 0;
  return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetPCIBusId(char *, int, int) { return cudaErrorInvalidValue; }
static inline cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Which, int) {
  *Value = Which == cudaDevAttrClockRate ? 1500000 : 2600000;
  return cudaSuccess;
}
static inline cudaError_t cudaDriverGetVersion(int *V) {
  *V = 12080;
  return cudaSuccess;
}
static inline cudaError_t cudaRuntimeGetVersion(int *V) {
  *V = 13000;
  return cudaSuccess;
}
static inline cudaError_t cudaGetLastError() {
  cudaError_t E = FakeError;
  FakeError = cudaSuccess;
  return E;
}
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline cudaError_t cudaStreamQuery(cudaStream_t) {
  if (fakeGpu("crash"))
    std::abort();
  return fakeGpu("hang") ? cudaErrorNotReady : cudaSuccess;
}
static inline cudaError_t cudaMalloc(void **To, size_t Size) {
  *To = std::malloc(Size);
  return cudaSuccess;
}
static inline cudaError_t cudaFree(void *Address) {
  std::free(Address);
  return cudaSuccess;
}
static inline cudaError_t cudaMemcpy(void *To, const void *From, size_t Size, cudaMemcpyKind) {
  std::memcpy(To, From, Size);
  return cudaSuccess;
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *E) {
  *E = 0;
  return cudaSuccess;
}
static inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
static inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t, cudaEvent_t) {
  *Milliseconds = 0.25f;
  return cudaSuccess;
}
template <class T> cudaError_t cudaGetSymbolAddress(void **To, T &Symbol) {
  *To = &Symbol;
  return cudaSuccess;
}
template <class T> cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int Value) {
  FakeAllowed = Value;
  return cudaSuccess;
}

// Calls with the arguments behind the pointers, as the driver would copy them.
template <unsigned... I> struct FakeIndices {};
template <unsigned N, unsigned... I> struct FakeMake : FakeMake<N - 1, N - 1, I...> {};
template <unsigned... I> struct FakeMake<0, I...> {
  using Type = FakeIndices<I...>;
};
template <class T> T fakeArgument(void *From) {
  T Value;
  std::memcpy(static_cast<void *>(&Value), From, sizeof(T));
  return Value;
}
template <class... P, unsigned... I>
void fakeCall(void (*F)(P...), void **Arguments, FakeIndices<I...>) {
  F(fakeArgument<P>(Arguments[I])...);
}
template <class... P>
cudaError_t cudaLaunchKernel(void (*F)(P...), dim3 Grid, dim3 Block, void **Arguments, size_t Shared,
                             cudaStream_t) {
  if (Shared > FakeAllowed)
    return cudaErrorInvalidValue;
  FakeShared = Shared;
  gridDim = Grid;
  blockDim = Block;
  for (unsigned B = 0; B < Grid.x * Grid.y * Grid.z; ++B)
    for (unsigned T = 0; T < Block.x * Block.y * Block.z; ++T) {
      blockIdx = dim3(B % Grid.x, B / Grid.x % Grid.y, B / Grid.x / Grid.y);
      threadIdx = dim3(T % Block.x, T / Block.x % Block.y, T / Block.x / Block.y);
      fakeCall(F, Arguments, typename FakeMake<sizeof...(P)>::Type());
    }
  return cudaSuccess;
}

#endif
