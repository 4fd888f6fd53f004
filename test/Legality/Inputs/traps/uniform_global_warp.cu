// One lane reads it when another one has written it, without a race.
__global__ void k(int *count, const float *values, float *out) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  if (tx == 1) {
    __syncwarp(3);
    __syncwarp(3);
  }
  const int end = count[blockIdx.x];
  if (tx == 0) {
    __syncwarp(3);
    count[blockIdx.x] = 1;
    __syncwarp(3);
  }
  float sum = 0.f;
  for (int j = 0; j < end; ++j) {
    tile[tx] = values[j * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + tile[(i + tx) & 63];
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
grid: 2
block: 64
arguments:
  - {name: count, buffer: int, count: 2, role: inout, fill: "uniform(2, 5)"}
  - {name: values, buffer: float, count: 640, role: input}
  - {name: out, buffer: float, count: 128, role: output}
*/
