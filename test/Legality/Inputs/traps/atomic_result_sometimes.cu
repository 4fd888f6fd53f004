__device__ unsigned add(unsigned *p, unsigned v) { return atomicAdd(p, v); }
__device__ void put(unsigned *p, unsigned v) { atomicAdd(p, v); }
__device__ unsigned both(unsigned *p, unsigned v) { unsigned o = atomicAdd(p, v); return o + 1; }
__device__ unsigned twice(unsigned *p, unsigned v) { return add(p, v); }
__device__ unsigned some(unsigned *p, unsigned v) { if (v > 3) return atomicAdd(p, v); return 0; }
__global__ void k(const float *__restrict__ in, const float *__restrict__ f, const int *__restrict__ idx, float *__restrict__ out, int n) {
  __shared__ float s[64];
  const int x = threadIdx.x;
  float sum = 0.f;
  unsigned *o = reinterpret_cast<unsigned *>(out) + 256;
  for (int t = 0; t < n; t += 64) {
    s[x] = in[t + x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + s[(x + i) & 63]; some(o + x, 5);
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
  - {name: n, value: n}
*/
