// What the inner loop computes says where the outer one loads.
__global__ void k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ y, int n) {
  __shared__ float s[64], u[64];
  float sum = 0.0f;
  int at = 0;
  for (int p = 0; p < n; ++p) {
    s[threadIdx.x] = a[at * 64 + threadIdx.x];
    for (int c = 0; c < 2; ++c) {
      u[threadIdx.x] = b[(p * 2 + c) * 64 + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum = sum * 0.5f + s[j] * u[63 - j];
      __syncthreads();
    }
    at = sum > 0.0f ? p : p + 1;
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: a, buffer: float, count: 'n * 64 + 64', role: input}
  - {name: b, buffer: float, count: 'n * 128 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
