/* launch
kernel: k
cases: [{T: 0, X: 32}, {T: 1, X: 32}, {T: 2, X: 32}, {T: 5, X: 32}, {T: 3, X: 16}, {T: 2, X: 48}, {T: 2, X: 64}]
grid: 2
block: [X, 4]
arguments:
  - {name: in, buffer: half, count: T * 200 + 200, role: input}
  - {name: scales, buffer: float, count: T * 72 + 72, role: input}
  - {name: out, buffer: float, count: 2 * X * 4, role: output}
  - {name: tiles, value: T}
*/
#include <cuda_fp16.h>
// Strides of the whole block, which a launch tells; in blocks of another size a thread has more or fewer elements.
__global__ void k(const __half *__restrict__ in, const float *__restrict__ scales, float *__restrict__ out, int tiles) {
  __shared__ float tile[200];
  __shared__ float scale[72];
  const int me = threadIdx.y * blockDim.x + threadIdx.x, all = blockDim.x * blockDim.y;
  float *const first = scale;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = me; i < 200; i += all)
      tile[i] = __half2float(in[t * 200 + i]) * 0.25f;
    for (int i = me; i < 72; i += blockDim.x * blockDim.y)
      first[i] = scales[t * 72 + i];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + me) % 200] * first[(i * 3 + me) % 72];
    __syncthreads();
  }
  out[blockIdx.x * all + me] = sum;
}
void launch(const __half *in, const float *scales, float *out, int tiles) { k<<<2, dim3(32, 4)>>>(in, scales, out, tiles); }

// LDG: if (blockDim.x == 32 && blockDim.y == 4 && blockDim.z == 1) {
// LDG: } else {
// SINGLE: if (blockDim.x == 32 && blockDim.y == 4 && blockDim.z == 1) {
