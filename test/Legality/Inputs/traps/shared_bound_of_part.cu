/* launch
kernel: list
cases: [{N: 3}]
grid: [1]
block: [128]
arguments:
  - {name: x, buffer: float, count: 128 * 16, role: input}
  - {name: y, buffer: float, count: 128, role: output}
  - {name: n, value: N}
*/
// The two halves of the block meet apart, and read different bounds.
__global__ void list(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float part[128];
  __shared__ int end;
  if (threadIdx.x == 0)
    end = n;
  asm volatile("bar.sync 1, 128;" ::: "memory");
  float sum = 0.0f;
  for (int t = 0; t < end; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
