__device__ float g[64 * 8];
struct D { float *o; 
  __device__ ~D() {
    __shared__ float s[64]; int tx = threadIdx.x; float acc = 0;
    for (int t = 0; t < blockIdx.x; ++t) {
      s[tx] = g[t * 64 + tx];
      __syncthreads();
      for (int j = 0; j < 64; ++j) acc += s[j] * (j + 1);
      __syncthreads();
    }
    o[blockIdx.x * 64 + tx] += acc;
  } };
__global__ void k(float *out) {
  D d{out}; d.~D(); 
  if (blockIdx.x == 0 && threadIdx.x < 32) { D e{out}; } __syncthreads(); out[blockIdx.x * 64 + (threadIdx.x ^ 32)] += 1; __syncthreads();
}
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
