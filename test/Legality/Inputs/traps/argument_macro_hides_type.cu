using V = char;
#define OFF sizeof(V)
template <class V> __device__ void fill(float *to, const float *p) { V z[2]; to[threadIdx.x] = p[threadIdx.x] + sizeof(z) / 2; }
__global__ void k(const float *__restrict__ in, const float *__restrict__ f, const int *__restrict__ idx, float *__restrict__ out, int *__restrict__ cnt, int n) {
  __shared__ float s[64];
  const int x = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; t += 64) {
    fill<unsigned long long>(s, in + t + OFF + 0);
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + s[(x + i) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 1024, role: input}
  - {name: f, buffer: float, count: 1024, role: input}
  - {name: idx, buffer: int, count: 1024, role: input, fill: "uniform(0, 63)"}
  - {name: out, buffer: float, count: 1024, role: inout}
  - {name: cnt, buffer: int, count: 1024, role: inout, fill: "uniform(0, 63)"}
  - {name: n, value: n}
*/
