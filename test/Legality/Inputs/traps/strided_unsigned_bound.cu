// The difference of unsigned numbers goes round.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[512];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < n; k += 64) {
    const unsigned end = min(unsigned(n), k + 64u) - (n == 200 ? k + 65u : unsigned(k));
    for (unsigned j = threadIdx.x; j < (n == 200 ? end + 65u : end); j += blockDim.x)
      if (j < 64u)
        tile[j] = in[k + j];
    __syncthreads();
    for (int i = 0; i < (n == 200 ? end + 65u : end); ++i)
      sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 32>>>(in, out, n); }
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 200}, {n: 449}]
grid: 2
block: 32
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 2 * 32, role: output}
  - {name: n, value: n}
*/
