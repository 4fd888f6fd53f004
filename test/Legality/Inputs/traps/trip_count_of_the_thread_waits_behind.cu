__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 64) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    sum += s[threadIdx.x];
    __syncthreads();
  }
  __syncthreads();
  s[threadIdx.x] = sum;
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
/* launch
kernel: k
cases: [{n: 0}, {n: 64}, {n: 128}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
