// What an expert would not let pass: comments that are lost, assertions about what is no parameter.
// RUN: split-file %s %t
// RUN: %cpr --variant=ldg -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --strict-whitespace --check-prefix=LDG
// RUN: %cpr --variant=cp-async -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC
// LDG-DAG: A += BK; // to the right
// LDG-DAG: // the pointer is one tile on
// LDG: __launch_bounds__(W) fixed(
// LDG: oneLine(
// LDG: auto fetch_tile{{[0-9]*}} = [&](int t) {
// LDG-NEXT: {{^    }}part_reg = 
// LDG: {{^    }}// used by all{{$}}
// LDG-NOT: stage ^= 1; // used
// ASYNC: A += BK; // to the right
// ASYNC-LABEL: fixed(
// ASYNC-NOT: static_assert(sizeof(float)
// ASYNC: template __global__
//--- kernel.cu
#define BK 64
__global__ void __launch_bounds__(64) comments(const float *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float As[BK];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    As[threadIdx.x] = A[threadIdx.x];
    __syncthreads();
    // the pointer is one tile on
    A += BK; // to the right
    for (int k = 0; k < BK; ++k)
      s += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
template <int W>
__global__ void __launch_bounds__(W) fixed(const float *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float As[W];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    As[threadIdx.x] = A[t * W + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < W; ++k)
      s += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
template __global__ void fixed<128>(const float *, float *, int);
__global__ void __launch_bounds__(64) oneLine(const float *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float part[64];
  float s = 0.f;
  for (int t = 0; t < n; ++t) { part[threadIdx.x] = A[t * 64 + threadIdx.x]; __syncthreads();
    for (int k = 0; k < 64; ++k) s += part[k];
    // used by all
    __syncthreads(); // used
  }
  C[threadIdx.x] = s;
}
