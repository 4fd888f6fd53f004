// Which window comes next depends on what was found in this one: one thread moves the top of the window, which lies in shared
// memory, and the loop's condition, the addresses, or both are read there; or each thread has its top in a register.
// RUN: split-file %s %t && cp %t/launch.yaml %t/condition && cp %t/launch.yaml %t/address && cp %t/launch.yaml %t/both && cp %t/launch.yaml %t/register
// RUN: %python %S/../Inputs/legality.py %t/condition -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/address -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/both "--no-twin=without the one reason there is the other, and each has its twin above" -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/register -- %cpr
//--- condition/bad.cu
__global__ void merge(const int *__restrict__ list, int *__restrict__ out, int n) {
  __shared__ int window[128];
  __shared__ int top;
  int sum = 0, at = 0;
  if (threadIdx.x == 0)
    top = 0;
  __syncthreads();
  for (int i = 0; top < n; i += 128) { // refused: condition-reads-memory
    window[threadIdx.x] = list[i + threadIdx.x];
    __syncthreads();
    sum = sum * 3 + window[127 - threadIdx.x];
    if (threadIdx.x == 0)
      top += 65 + (window[0] & 63);
    __syncthreads();
  }
  out[threadIdx.x] = sum + at;
}
//--- condition/good.cu
__global__ void merge(const int *__restrict__ list, int *__restrict__ out, int n) {
  __shared__ int window[128];
  __shared__ int top;
  int sum = 0, at = 0;
  if (threadIdx.x == 0)
    top = 0;
  __syncthreads();
  for (int i = 0; i < n; i += 128) {
    window[threadIdx.x] = list[i + threadIdx.x];
    __syncthreads();
    sum = sum * 3 + window[127 - threadIdx.x];
    if (threadIdx.x == 0)
      top += 65 + (window[0] & 63);
    __syncthreads();
  }
  out[threadIdx.x] = sum + at;
}
//--- address/bad.cu
__global__ void merge(const int *__restrict__ list, int *__restrict__ out, int n) {
  __shared__ int window[128];
  __shared__ int top;
  int sum = 0, at = 0;
  if (threadIdx.x == 0)
    top = 0;
  __syncthreads();
  for (int i = 0; i < n; i += 128) {
    window[threadIdx.x] = list[top + threadIdx.x]; // refused: load-reads-shared
    // says: 'top'
    __syncthreads();
    sum = sum * 3 + window[127 - threadIdx.x];
    if (threadIdx.x == 0)
      top += 65 + (window[0] & 63);
    __syncthreads();
  }
  out[threadIdx.x] = sum + at;
}
//--- address/good.cu
__global__ void merge(const int *__restrict__ list, int *__restrict__ out, int n) {
  __shared__ int window[128];
  __shared__ int top;
  int sum = 0, at = 0;
  if (threadIdx.x == 0)
    top = 0;
  __syncthreads();
  for (int i = 0; i < n; i += 128) {
    window[threadIdx.x] = list[i + threadIdx.x];
    __syncthreads();
    sum = sum * 3 + window[127 - threadIdx.x];
    if (threadIdx.x == 0)
      top += 65 + (window[0] & 63);
    __syncthreads();
  }
  out[threadIdx.x] = sum + at;
}
//--- both/bad.cu
__global__ void merge(const int *__restrict__ list, int *__restrict__ out, int n) {
  __shared__ int window[128];
  __shared__ int top;
  int sum = 0, at = 0;
  if (threadIdx.x == 0)
    top = 0;
  __syncthreads();
  for (int i = 0; top < n; i += 128) { // refused: condition-reads-memory
    window[threadIdx.x] = list[top + threadIdx.x];
    __syncthreads();
    sum = sum * 3 + window[127 - threadIdx.x];
    if (threadIdx.x == 0)
      top += 65 + (window[0] & 63);
    __syncthreads();
  }
  out[threadIdx.x] = sum + at;
}
//--- register/bad.cu
__global__ void merge(const int *__restrict__ list, int *__restrict__ out, int n) {
  __shared__ int window[128];
  __shared__ int top;
  int sum = 0, at = 0;
  if (threadIdx.x == 0)
    top = 0;
  __syncthreads();
  for (int i = 0; i < n; i += 128) {
    window[threadIdx.x] = list[at + threadIdx.x];
    __syncthreads();
    sum = sum * 3 + window[127 - threadIdx.x];
    at += 65 + (window[0] & 63); // refused: counter-modified
    // says: 'at'
    __syncthreads();
  }
  out[threadIdx.x] = sum + at;
}
//--- register/good.cu
__global__ void merge(const int *__restrict__ list, int *__restrict__ out, int n) {
  __shared__ int window[128];
  __shared__ int top;
  int sum = 0, at = 0;
  if (threadIdx.x == 0)
    top = 0;
  __syncthreads();
  for (int i = 0; i < n; i += 128) {
    window[threadIdx.x] = list[at + threadIdx.x];
    __syncthreads();
    sum = sum * 3 + window[127 - threadIdx.x];
    at += 65 + (i & 63);
    __syncthreads();
  }
  out[threadIdx.x] = sum + at;
}
//--- launch.yaml
kernel: merge
cases: [{n: 0}, {n: 1}, {n: 128}, {n: 200}, {n: 700}]
grid: 1
block: 128
arguments:
  - {name: list, buffer: int, count: "ceildiv(n, 128) * 128", role: input, fill: "uniform(0, 100)"}
  - {name: out, buffer: int, count: 128, role: output}
  - {value: n}
