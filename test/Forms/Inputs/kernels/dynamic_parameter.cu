// How long a row is, is a parameter: bytes are asked for accordingly.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n, int width) {
  extern __shared__ __align__(16) float s[];
  float acc = 0.f;
  for (int t = n; t > 0; --t) {
    for (int i = threadIdx.x; i < width + 8; i += blockDim.x)
      s[i] = i < width ? in[(t - 1) * width + i] : 1.f;
    __syncthreads();
    for (int i = 0; i < width; ++i)
      acc = acc * 0.5f + s[i + (threadIdx.x & 7)];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}
// ASYNC: const size_t s_bytes = (4 * size_t(width) + 32 + 15) / 16 * 16;
/* launch
kernel: k
cases: [{n: 0, w: 5}, {n: 1, w: 64}, {n: 2, w: 33}, {n: 5, w: 7}, {n: 3, w: -9}]
grid: 2
block: 32
shared: 4 * max(w + 8, 1)
arguments:
  - {buffer: float, count: n * max(w, 1) + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
  - {value: w}
*/
