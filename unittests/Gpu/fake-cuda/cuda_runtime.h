//===- cuda_runtime.h - As much of CUDA's runtime as the harness uses -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Device memory is the heap, a launch is a loop over all threads. FAKE_GPU in the environment
/// makes it fail: "none" has no device, "hang" never ends a kernel, "crash" crashes in the first
/// query. Kernels may do the same: fakeTrap() fails the launch, fakeBreak() the device, fakeHang()
/// never ends. An event's time is that of the launches so far: a quarter of a millisecond each, or
/// what FAKE_TIMES says, by the version's file ("old.cu=100,new.cu=50": microseconds), and
/// "~10" behind it a part that goes up and down. FAKE_LOG names a file that gets a line for every
/// launch of a version.
///
/// What all parts of a harness have in common is in the environment: each has the variables of this
/// file for itself.
///
//===----------------------------------------------------------------------===//
#ifndef FAKE_CUDA_RUNTIME_H
#define FAKE_CUDA_RUNTIME_H

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

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
using cudaEvent_t = double *;
struct cudaDeviceProp {
  char name[256];
  int major, minor, multiProcessorCount;
  size_t sharedMemPerBlockOptin;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes;
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
  P->sharedMemPerBlockOptin = 100 * 1024;
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
[[maybe_unused]] static void fakeBreak() { ::setenv("FAKE_BROKEN", "1", 1); }
[[maybe_unused]] static void fakeHang() { ::setenv("FAKE_GPU", "hang", 1); }
static inline bool fakeBroken() { return std::getenv("FAKE_BROKEN") != nullptr; }
static inline double fakeClock() {
  const char *Now = std::getenv("FAKE_CLOCK");
  return Now ? std::atof(Now) : 0;
}
/// A launch of this version; microseconds.
static inline void fakePass() {
#ifdef CPR_HARNESS_SOURCE
  double Time = 250, Jitter = 0;
  const char *Times = std::getenv("FAKE_TIMES");
  if (const char *Own = Times ? std::strstr(Times, CPR_HARNESS_SOURCE) : nullptr) {
    char *End;
    Time = std::strtod(Own + std::strlen(CPR_HARNESS_SOURCE) + 1, &End);
    if (*End == '~')
      Jitter = std::atof(End + 1);
  }
  static unsigned Number = 0;
  Number = Number * 1664525u + 1013904223u;
  char Text[40];
  std::snprintf(Text, sizeof(Text), "%.6f", fakeClock() + Time + Jitter * (Number >> 20) / 4096);
  ::setenv("FAKE_CLOCK", Text, 1);
  if (const char *Log = std::getenv("FAKE_LOG")) {
    std::FILE *F = std::fopen(Log, "a");
    std::fprintf(F, "%s\n", CPR_HARNESS_SOURCE);
    std::fclose(F);
  }
#endif
}
static inline cudaError_t cudaDeviceSynchronize() {
  return fakeBroken() ? cudaErrorLaunchFailure : cudaSuccess;
}
static inline cudaError_t cudaStreamQuery(cudaStream_t) {
  if (fakeBroken())
    return cudaErrorLaunchFailure;
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
  *E = new double(0);
  return cudaSuccess;
}
static inline cudaError_t cudaEventDestroy(cudaEvent_t E) {
  delete E;
  return cudaSuccess;
}
static inline cudaError_t cudaEventRecord(cudaEvent_t E, cudaStream_t) {
  *E = fakeClock();
  return cudaSuccess;
}
static inline cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t From,
                                               cudaEvent_t To) {
  *Milliseconds = static_cast<float>((*To - *From) / 1000);
  return cudaSuccess;
}
template <class T> cudaError_t cudaGetSymbolAddress(void **To, T &Symbol) {
  *To = &Symbol;
  return cudaSuccess;
}
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *A, T *) {
  A->sharedSizeBytes = 4 * 1024;
  return cudaSuccess;
}
template <class T> cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int Value) {
  if (Value > 96 * 1024)
    return cudaErrorInvalidValue;
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
cudaError_t cudaLaunchKernel(void (*F)(P...), dim3 Grid, dim3 Block, void **Arguments,
                             size_t Shared, cudaStream_t) {
  if (Shared > FakeAllowed)
    return cudaErrorInvalidValue;
  if (fakeBroken())
    return cudaErrorLaunchFailure;
  fakePass();
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
