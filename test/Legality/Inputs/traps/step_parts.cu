// What the expression is made of has commas and questions of its own.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[128];
  const int tx = threadIdx.x;
  int step = 64;
  float sum = 0.f;
  for (int j = 0; j < n; j += step) {
    if (j > 100 ? n > 200 : n > 90)
      step = (n, j > 50 ? 32 : 48);
    if (j + tx < n)
      tile[tx] = in[j + tx];
    __syncthreads();
    for (int i = 0; i < step; ++i)
      sum = sum * 0.98f + tile[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum + step;
}
/* launch
kernel: k
cases: [{n: 64}, {n: 256}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
