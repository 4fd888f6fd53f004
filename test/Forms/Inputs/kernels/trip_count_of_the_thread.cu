// Warps leave the loop one after the other, and wait for nothing behind it.
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64];
  float sum = 0.0f;
  s[threadIdx.x] = 0.0f;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 64) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    sum += s[(threadIdx.x + 63) % 64 < n % 64 ? threadIdx.x : 0];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 32}, {n: 64}, {n: 96}, {n: 352}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 'n + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
