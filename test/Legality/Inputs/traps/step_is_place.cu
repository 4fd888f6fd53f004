// The tile is filled from where the step says.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[128];
  const int tx = threadIdx.x;
  int step = 64;
  float sum = 0.f;
  for (int j = 0; j < n; j += step) {
    if (j > 100)
      step = 32;
    if (j + tx < n)
      tile[(tx + step) % 64] = in[j + tx];
    __syncthreads();
    for (int i = 0; i < step; ++i)
      sum = sum * 0.98f + tile[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum + step;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 64}, {n: 65}, {n: 300}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
