// The compute phase reads on behind what is written, and throws it away: in another stage it must not leave the memory.
__global__ void k(const float *__restrict__ in, float *out, int n) {
  extern __shared__ float s[];
  float acc = 0.f;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 3; ++i) {
      const float v = s[threadIdx.x + 64 * i];
      acc = i == 0 ? acc * 0.5f + v : acc;
    }
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 64
shared: 768
arguments:
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
