// Two numbers at a time.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < n; k += 64) {
    const int end = min(n, k + 64) - k;
    for (int j = threadIdx.x * 2; j < end; j += blockDim.x * 2)
      *reinterpret_cast<float2 *>(&tile[j]) = *reinterpret_cast<const float2 *>(&in[k + j]);
    __syncthreads();
    for (int i = 0; i < end; ++i)
      sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 16>>>(in, out, n); }
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 200}, {n: 449}]
grid: 2
block: 16
arguments:
  - {name: in, buffer: float, count: n + 2, role: input}
  - {name: out, buffer: float, count: 2 * 16, role: output}
  - {name: n, value: n}
*/
