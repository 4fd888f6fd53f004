__device__ void load(float &to, const float &from, bool inside) {
  if (inside)
    to = from;
  else
    to = 0.f;
}

__global__ void k(const float *__restrict__ g, float *__restrict__ o, int n, int last) {
  __shared__ float s[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  const bool inside = true;
  const float from = 3.f;
  for (int t = 0; t < n; ++t) {
    load(s[tx], g[t * 64 + tx], t * 64 + tx < last);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc * 0.5f + s[(i + tx) & 63];
    __syncthreads();
  }
  acc += inside ? from : 0.f;
  o[blockIdx.x * 64 + tx] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 7}]
grid: 2
block: 64
arguments:
  - {name: g, buffer: float, count: n * 64 + 64, role: input}
  - {name: o, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
  - {name: last, scalar: int, value: n * 64 - 5}
*/
