struct Pair {
  float x, y;
};

__global__ void k(const Pair *__restrict__ g, float *__restrict__ o, int n) {
  __shared__ Pair s[64];
  float acc = 0;
  for (int t = 0; t < n; t += 64) {
    Pair v = Pair();
    if (t + threadIdx.x < n)
      v = g[t + threadIdx.x];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc * 0.5f + s[(i + threadIdx.x) & 63].x - s[(i + threadIdx.x) & 63].y;
    __syncthreads();
  }
  o[blockIdx.x * 64 + threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 150}, {n: 256}]
grid: 2
block: 64
arguments:
  - {name: g, buffer: float2, count: 320, role: input}
  - {name: o, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
