// Arms of other types, one of them a float.
__global__ void __launch_bounds__(64) mixed_arms_float(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    float v;
    if (n - k < 64)
      v = 60u;
    else
      v = -1;
    const int m = n - k < 64 ? n - k : 64;
    tile[threadIdx.x] = threadIdx.x < m ? in[k + threadIdx.x + (v > 1.f)] : 0.f;
    __syncthreads();
    for (int i = 0; i < m; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x) + v;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: mixed_arms_float
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 190}, {n: 193}, {n: 449}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
