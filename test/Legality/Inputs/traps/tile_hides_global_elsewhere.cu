// With -DMORE what stands behind the loop means the variable of the file, which has the tile's name.
__device__ float tile[64] = {1, 2, 3, 4, 5, 6, 7};
__global__ void __launch_bounds__(64) tile_hides_global_elsewhere(const float *__restrict__ in, float *__restrict__ out, int n) {
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
#ifdef MORE
  sum += tile[threadIdx.x & 7];
#endif
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: tile_hides_global_elsewhere
cases: [{n: 0}, {n: 64}, {n: 130}, {n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
