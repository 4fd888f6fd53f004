// Behind the loop the remainder goes through the same tile, by a pointer that was set in front of the loop: only the
// trailing barrier orders the two.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void scan(const float *__restrict__ query, float *__restrict__ out, int n) {
  __shared__ float part[128], rest[128];
  float *place = part;
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
    place[threadIdx.x] = query[whole + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n - whole; ++k)
    sum += place[k] * 2.0f;
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
