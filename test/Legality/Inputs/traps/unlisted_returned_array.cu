// The tile is what a function returns that has it: the loop is not listed.
__device__ void part(float *tile, const float *in, float *out, int n) {
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__device__ float *get() {
  __shared__ float tile[64];
  return tile;
}
__global__ void __launch_bounds__(64) unlisted_returned_array(const float *in, float *out, int n) {
  part(get(), in, out, n);
}
/* launch
kernel: unlisted_returned_array
cases: [{n: 1}, {n: 4}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
