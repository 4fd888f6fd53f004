extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[64][5];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x < 64)
      __builtin_memcpy(t[threadIdx.x], &in[((k * gridDim.x + blockIdx.x) * 64 + threadIdx.x) * 5], sizeof(t[0]));
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j][4] + t[j][0] * t[j][1] - t[j][2] * t[j][3];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 3
block: 64
arguments:
  - {name: in, buffer: float, count: 4800, role: input}
  - {name: out, buffer: float, count: 192, role: output}
  - {value: n}
*/
