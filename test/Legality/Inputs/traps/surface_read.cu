// A surface is written to.
__global__ void __launch_bounds__(64) k(float *out, cudaSurfaceObject_t surface, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < n; k += 64) {
    tile[tx] = surf2Dread<float>(surface, (k + tx) * 4, blockIdx.x);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    surf2Dwrite(sum, surface, (k + 64 + tx) * 4, blockIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 130}, {n: 200}, {n: 449}]
grid: 2
block: 64
arguments:
  - {name: out, buffer: float, count: 128, role: output}
  - {value: 78}
  - {name: n, scalar: int, value: n}
*/
