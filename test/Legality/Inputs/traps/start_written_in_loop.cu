__global__ void k(const float *__restrict__ in, const int *__restrict__ part, float *__restrict__ out) {
  __shared__ float tile[64];
  __shared__ int from, to;
  const int tx = threadIdx.x;
  if (tx == 0) { from = part[blockIdx.x]; to = part[blockIdx.x + 1]; }
  __syncthreads();
  float sum = 0.f;
  for (int t = from; t < to; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + tx) & 63];
    if (tx == 0 && t == 4) from = 0;
    __syncthreads();
  }
  sum += from;
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 1}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 640, role: input}
  - {name: part, buffer: int, count: 3, role: input, fill: "uniform(0, 9)"}
  - {name: out, buffer: float, count: 128, role: output}
*/
