__device__ float g[64 * 8];
__device__ void f(float *o) {
    __shared__ float s[64]; int tx = threadIdx.x; float acc = 0;
    for (int t = 0; t < blockIdx.x; ++t) {
      s[tx] = g[t * 64 + tx];
      __syncthreads();
      for (int j = 0; j < 64; ++j) acc += s[j] * (j + 1);
      __syncthreads();
    }
    o[blockIdx.x * 64 + tx] += acc;
  }
struct S { __device__ S(float *o); __device__ void run(float *o) { f(o); } };
__device__ void h(float *out) {
  S s(out); int z = ({ if (blockIdx.x == 0 && threadIdx.x < 32) return; s.run(out); 1; });
}
__global__ void k(float *out) { h(out); __syncthreads(); out[blockIdx.x * 64 + (threadIdx.x ^ 32)] += 1; }
__device__ S::S(float *o) {}
/* launch
kernel: k
cases: [{n: 0}, {n: 3}]
grid: 3
block: 64
arguments:
  - {name: out, buffer: float, count: 64 * 8, role: inout}
globals:
  - {name: g, type: float, fill: "uniform(-1, 1)"}
*/
