// The last barrier of a turn counts, in the middle of an expression.
__global__ void k(const float *__restrict__ splat, float *out, int n) {
  __shared__ float batch[128];
  float light = 1.f;
  for (int b = 0; b < n; ++b) {
    batch[threadIdx.x] = splat[b * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i += 7)
      light *= 1.f - batch[(i + threadIdx.x) % 128] * 0.001f;
    light += __syncthreads_count(light < 0.5f);
  }
  out[threadIdx.x] = light;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 128
arguments:
  - {name: splat, buffer: float, count: n * 128 + 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
