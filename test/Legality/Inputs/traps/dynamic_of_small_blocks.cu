/* launch
kernel: k
cases: [{K: 0, W: 16}, {K: 4, W: 4}, {K: 8, W: 16}, {K: 20, W: 12}, {K: 40, W: 16}]
grid: 1
block: [16, 2]
shared: 64 + 512
new_shared: 2 * (64 + 512)
arguments:
  - {name: A, buffer: float, count: 2 * K + 8, role: input}
  - {name: B, buffer: float, count: K * W + 64, role: input}
  - {name: out, buffer: float, count: 32, role: output}
  - {name: n, value: K}
  - {name: width, value: W}
*/
// The largest block would use more of the memory than there is, but for an n of 0 or less: what all of these use is no bound for
// what smaller blocks do.
__global__ void k(const float *A, const float *B, float *out, int n, int width) {
  extern __shared__ __align__(16) float both[];
  const int tid = threadIdx.y * 16 + threadIdx.x;
  float *a = both;
  float *b = a + 2 * 8;
  const int first = blockIdx.x * 16;
  float sum = 0.f;
  for (int t = 0; t < (n + 8 - 1) / 8; t += 1) {
    if (tid < 2 * 2) {
      const int r = tid / 2;
      const int c = tid % 2;
      *reinterpret_cast<float4 *>(&a[r * 8 + c * 4]) = t * 8 + c * 4 < n ? *reinterpret_cast<const float4 *>(&A[r * n + t * 8 + c * 4]) : make_float4(0.f, 0.f, 0.f, 0.f);
    }
    const int r = tid / 4;
    const int c = tid % 4;
    *reinterpret_cast<float4 *>(&b[r * 16 + c * 4]) = (t * 8 + r < n && first + c * 4 < width) ? *reinterpret_cast<const float4 *>(&B[(t * 8 + r) * width + first + c * 4]) : make_float4(0.f, 0.f, 0.f, 0.f);
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      sum += a[threadIdx.y * 8 + k] * b[k * 16 + threadIdx.x];
    __syncthreads();
  }
  out[tid] = sum;
}
