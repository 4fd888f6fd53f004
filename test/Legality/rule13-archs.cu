// Rule 13: the copy takes two turns for one architecture and four for the other.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single --options=--arch=sm_75,sm_86 -- %cpr
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single --options=--arch=sm_86,sm_75 -- %cpr
// RUN: %cpr %t/bad.cu --variant=ldg --arch=sm_86 -o - 2> %t/one | FileCheck %s
// CHECK: // Main loop
//--- bad.cu
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int THREADS = 128;
#else
constexpr int THREADS = 64;
#endif
__global__ void depends(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: archs-disagree
    const int twice = 512;
    for (int i = 0; i < twice >> 1; i += THREADS)
      part[i + threadIdx.x] = x[t * 256 + i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
constexpr int THREADS = 128;
#else
constexpr int THREADS = 64;
#endif
__global__ void depends(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const int twice = 512;
    for (int i = 0; i < twice >> 1; i += THREADS)
      part[i + threadIdx.x] = x[t * 256 + i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: depends
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: tiles * 256, role: input}
  - {name: y, buffer: float, count: 256, role: output}
  - {value: tiles}
