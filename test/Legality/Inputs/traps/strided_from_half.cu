// Two threads begin at one place.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < n; k += 64) {
    const int end = min(n, k + 64) - k;
    for (int j = threadIdx.x / (k % 128 == 0 ? 1 : 2); j < end; j += blockDim.x / (k % 128 == 0 ? 1 : 2))
      if (k % 128 == 0 || tx % 2 == 0)
        tile[j] = in[k + j];
    __syncthreads();
    for (int i = 0; i < end; ++i)
      sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 32>>>(in, out, n); }
/* launch
kernel: k
cases: [{n: 0}, {n: 64}, {n: 65}, {n: 128}, {n: 200}, {n: 449}]
grid: 2
block: 32
arguments:
  - {name: in, buffer: float, count: n + 1, role: input}
  - {name: out, buffer: float, count: 2 * 32, role: output}
  - {name: n, value: n}
*/
