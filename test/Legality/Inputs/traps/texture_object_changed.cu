// The compute phase chooses the next tile's texture.
__global__ void __launch_bounds__(64) k(float *out, cudaTextureObject_t *objects, cudaTextureObject_t image, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < n; k += 64) {
    tile[tx] = tex2D<float>(objects[blockIdx.x], k + tx, blockIdx.x);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    if (tx == 5) objects[blockIdx.x] = image + (sum > 0.f);
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
  - {buffer: unsigned long long, count: 2, role: inout}
  - {value: 78}
  - {name: n, scalar: int, value: n}
*/
