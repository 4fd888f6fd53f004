// Index variables that the load phase declares and the compute phase sets anew: a transpose.
__global__ void __launch_bounds__(256) k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[16][17];
  for (int t = 0; t < tiles; ++t) {
    int x = t * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * tiles * 16 + x];
    __syncthreads();
    x = blockIdx.x * 16 + threadIdx.x;
    y = t * 16 + threadIdx.y;
    out[y * 32 + x] = tile[threadIdx.x][threadIdx.y];
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 5}]
grid: 2
block: [16, 16]
arguments:
  - {name: in, buffer: float, count: T * 16 * 32, role: input}
  - {name: out, buffer: float, count: T * 16 * 32, role: output}
  - {name: tiles, value: T}
*/
// The compute phase writes global memory, through another pointer that is __restrict__.

// LDG: int x = t * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
