// Another shared array is used behind the loop, and it was used in the last turn's compute: the barrier that
// orders the two must stay. And no copy may still be under way there, not even one that fills.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void reduce(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[128];
  __shared__ float best[128];
  best[threadIdx.x] = 0.0f;
  for (int i = 0; i < n; i += 128) {
    tile[threadIdx.x] = i + threadIdx.x < n ? in[i + threadIdx.x] : 0.0f;
    __syncthreads();
    best[threadIdx.x] = fmaxf(best[threadIdx.x], tile[(threadIdx.x * 5 + 1) % 128]);
    __syncthreads();
  }
  for (int half = 64; half > 0; half /= 2) {
    float other = best[threadIdx.x ^ half];
    __syncthreads();
    best[threadIdx.x] = fmaxf(best[threadIdx.x], other);
    __syncthreads();
  }
  out[threadIdx.x] = best[threadIdx.x];
}
//--- launch.yaml
kernel: reduce
cases: [{n: 1}, {n: 128}, {n: 200}, {n: 600}]
grid: 1
block: 128
arguments:
  - {name: in, buffer: float, count: n, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
