// The static shared memory of a called function counts: 14,336 + 24,576 bytes, and 53,248 with two stages.
// RUN: %cpr --print=budget --variant=ldg %s | FileCheck %s
// RUN: %cpr --print=legality %s | FileCheck %s --check-prefix=LEGAL
// CHECK: ldg 2: 38912 -> 53248 of 166912 bytes
// LEGAL: ldg: legal
__device__ float total(float v) {
  __shared__ float all[6144];
  all[threadIdx.x] = v;
  __syncthreads();
  return all[255 - threadIdx.x];
}
__global__ void __launch_bounds__(256) called(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float left[3584];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 3584; i += 256)
      left[i + threadIdx.x] = a[t * 3584 + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 3584; ++i)
      s += left[i];
    __syncthreads();
  }
  out[threadIdx.x] = total(s);
}
