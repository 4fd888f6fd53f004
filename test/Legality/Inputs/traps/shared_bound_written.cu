// The compute phase sets the bound.
/* launch
kernel: gat
cases: [{N: 0}, {N: 64}, {N: 128}, {N: 320}]
grid: 3
block: 64
arguments:
  - {name: A, buffer: float, count: N * 64 + 64, role: input}
  - {name: idx, buffer: int, count: 64, role: input, fill: "uniform(0, 64)"}
  - {name: C, buffer: float, count: 192, role: output}
  - {name: n, value: N}
*/
__global__ void gat(const float *__restrict__ A, const int *__restrict__ idx, float *__restrict__ C, int n) {
  __shared__ float s[64];
  __shared__ int where[64];
  __shared__ int count, skip[64];
  int tx = threadIdx.x;
  where[tx] = idx[tx];
  skip[tx] = idx[63 - tx] & 1;
  if (tx == 0)
    count = n;
  __syncthreads();
  float acc = 0;
  for (int t = 0; t < count; t += 64) {
    const int j = where[63 - tx];
    if (skip[tx])
      s[tx] = A[t * 64 + j];
    else
      s[tx] = 0.f;
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * (k + tx + j);
    if (tx == 0 && t == 128) count = 0;
    __syncthreads();
  }
  C[blockIdx.x * 64 + tx] = acc;
}
