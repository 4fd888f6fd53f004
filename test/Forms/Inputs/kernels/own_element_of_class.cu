__device__ float size(float2 a) { return a.x * a.x + a.y * a.y; }
__global__ void k(const float2 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float2 s[64];
  const int x = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t++) {
    s[x] = in[t * 64 + x];
    __syncthreads();
    for (int q = 1; q < 6; q++) {
      const float2 v = s[x];
      __syncthreads();
      s[x ^ (1 << q)] = v;
      __syncthreads();
    }
    __syncthreads();
    if (x >= 3)
      sum = sum * 0.75f + size(s[x]);
  }
  out[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float2, count: n * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
