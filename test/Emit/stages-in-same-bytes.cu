// The stages behind the first of two loops are in the same dynamic shared memory: the first loop ends with a barrier, which its own
// tiles do not need. A kernel's only loop needs none.
// RUN: rm -rf %t && mkdir %t
// RUN: %cpr %s --variant=cp-async --stages=3 -q -o %t/new.cu > %t/report
// RUN: FileCheck %s < %t/new.cu
// RUN: %cpr %s --variant=cp-async --stages=3 -q -o %t/alone.cu -- -DALONE > %t/report
// RUN: FileCheck %s --check-prefix=ALONE < %t/alone.cu
// RUN: %python -c "print('kernel: both\ncases: [{n: 1, m: 2}, {n: 2, m: 2}, {n: 0, m: 1}, {n: 5, m: 4}]\ngrid: 1\nblock: 256\nnew_shared: 98304\narguments:\n  - {name: A, buffer: float, count: n * 4096 + 64, role: input}\n  - {name: B, buffer: float, count: m * 6144 + 64, role: input}\n  - {name: out, buffer: float, count: 256, role: output}\n  - {value: n}\n  - {value: m}')" > %t/launch.yaml
// RUN: %{exit} 0 %cpr verify %s %t/new.cu --launch=%t/launch.yaml

#ifndef ALONE
// CHECK-LABEL: {{ }}both(
// CHECK:      {{^ +}}auto load_tile =
// CHECK:      {{^ +}}int stage = 0;
// CHECK:      {{^ +}}stage = stage == 2 ? 0 : stage + 1;
// CHECK-NEXT: {{^ +}}}
// CHECK-NEXT: {{^ +}}// Epilogue: all threads are done with the last tile
// CHECK-NEXT: {{^ +}}__syncthreads();
// CHECK-NEXT: {{^ +}}} else {
// CHECK:      {{^ +}}auto load_tile2 =
__global__ void __launch_bounds__(256) both(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, int n, int m) {
  __shared__ float first[4096];
  __shared__ float second[6144];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 4096; i += 256)
      first[i] = A[t * 4096 + i];
    __syncthreads();
    for (int i = 0; i < 4096; i += 61)
      sum = sum * 0.99f + first[(i + threadIdx.x * 7) % 4096];
    __syncthreads();
  }
  for (int t = 0; t < m; ++t) {
    for (int i = threadIdx.x; i < 6144; i += 256)
      second[i] = B[t * 6144 + i];
    __syncthreads();
    for (int i = 0; i < 6144; i += 97)
      sum = sum * 0.99f + second[(i + threadIdx.x * 5) % 6144];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
#else
// ALONE-LABEL: {{ }}alone(
// ALONE:      {{^ +}}stage = stage == 2 ? 0 : stage + 1;
// ALONE-NEXT: {{^ +}}}
// ALONE-NEXT: {{^ +}}// Epilogue
__global__ void __launch_bounds__(256) alone(const float *__restrict__ A, float *__restrict__ out, int n) {
  __shared__ float tile[6144];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 6144; i += 256)
      tile[i] = A[t * 6144 + i];
    __syncthreads();
    for (int i = 0; i < 6144; i += 61)
      sum = sum * 0.99f + tile[(i + threadIdx.x * 7) % 6144];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
#endif
