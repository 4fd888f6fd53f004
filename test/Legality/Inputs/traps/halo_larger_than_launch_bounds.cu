// A block is larger than the slice that it changes.
__global__ void __launch_bounds__(64) k(float *a, float *__restrict__ y, int n) {
  __shared__ float s[66];
  float sum = 0.0f;
  if (threadIdx.x < 2)
    s[threadIdx.x * 65] = 0.0f;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x + 1] = a[t * 48 + threadIdx.x];
    __syncthreads();
    const float v = s[threadIdx.x] + s[threadIdx.x + 2] - s[threadIdx.x + 1];
    a[t * 48 + threadIdx.x] = v;
    sum += v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: n * 48 + 65, role: inout}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: 'n'}
*/
