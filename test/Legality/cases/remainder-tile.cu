// Behind the loop the remainder goes through the same tile, by a pointer that was set in front of the loop: only the
// trailing barrier orders the two.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single --hunks=2 -- %cpr
//--- bad.cu
__global__ void scan(const float *__restrict__ query, float *__restrict__ out, int n) {
  __shared__ float part[128];
  float *place = part + threadIdx.x; // refused in line 17: tile-used-outside
  float sum = 0.0f;
  const int whole = n / 128 * 128;
  for (int i = 0; i < whole; i += 128) {
    part[threadIdx.x] = query[i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; k += 5)
      sum += part[k] * threadIdx.x;
    __syncthreads();
  }
  if (threadIdx.x < n - whole)
    *place = query[whole + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n - whole; ++k)
    sum += part[k] * 2.0f;
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void scan(const float *__restrict__ query, float *__restrict__ out, int n) {
  __shared__ float part[128];
  __shared__ float rest[128];
  float *place = rest + threadIdx.x;
  float sum = 0.0f;
  const int whole = n / 128 * 128;
  for (int i = 0; i < whole; i += 128) {
    part[threadIdx.x] = query[i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; k += 5)
      sum += part[k] * threadIdx.x;
    __syncthreads();
  }
  if (threadIdx.x < n - whole)
    *place = query[whole + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n - whole; ++k)
    sum += rest[k] * 2.0f;
  out[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: scan
cases: [{n: 5}, {n: 128}, {n: 200}, {n: 500}]
grid: 1
block: 128
arguments:
  - {name: query, buffer: float, count: n, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
