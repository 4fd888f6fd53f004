// Some threads wait in the other branch, in an earlier turn of the loop around both: a barrier there is the next one here.
__global__ __launch_bounds__(64) void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int o = 0; o < 4; ++o) {
    if (o & 1) {
      if (tx < 64 - n)
        __syncthreads();
    } else {
      for (int j = 0; j < n; j += 64) {
        tile[tx] = in[j + tx];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
          sum = sum * 0.98f + tile[(i + tx) % 64];
        __syncthreads();
      }
    }
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 1024, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
