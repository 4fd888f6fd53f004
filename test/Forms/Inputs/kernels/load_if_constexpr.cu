// The load phase of a template has branches that instantiations leave out: each of them is rewritten with both.
template <bool Transposed, int Scale> __global__ void __launch_bounds__(256)
k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  __shared__ float As[16][17];
  __shared__ float Bs[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0.f;
  for (int t = 0; t < n; t += 16) {
    if constexpr (Transposed) {
      As[tx][ty] = a[(t + ty) * 16 + tx]; // columns
    } else {
      As[ty][tx] = a[ty * n + t + tx];
    }
    if constexpr (Scale != 1)
      Bs[ty][tx] = b[(t + ty) * 16 * Scale + tx * Scale];
    else
      Bs[ty][tx] = b[(t + ty) * 16 + tx];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  out[ty * 16 + tx] = sum;
}
template __global__ void k<true, 1>(const float *__restrict__, const float *__restrict__, float *__restrict__, int);
template __global__ void k<false, 2>(const float *__restrict__, const float *__restrict__, float *__restrict__, int);
/* launch
kernel: k<true, 1>
cases: [{n: 0}, {n: 16}, {n: 32}, {n: 80}]
grid: 1
block: [16, 16]
arguments:
  - {name: a, buffer: float, count: n * 16, role: input}
  - {name: b, buffer: float, count: n * 16, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {name: n, scalar: int, value: n}
---
kernel: k<false, 2>
cases: [{n: 0}, {n: 16}, {n: 32}, {n: 80}]
grid: 1
block: [16, 16]
arguments:
  - {name: a, buffer: float, count: n * 16, role: input}
  - {name: b, buffer: float, count: n * 32, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {name: n, scalar: int, value: n}
*/

// LDG: if (Transposed) {
// ASYNC: if (Scale != 1)
