// With -DFOO the words have another type.
#ifdef FOO
const double LIM = 60.7;
#else
const int LIM = 64;
#endif
__global__ void __launch_bounds__(64) c_const2(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    int m = LIM;
    if (m * 3 > 182)
      m = 64;
    if (m > n - k)
      m = n - k;
    tile[threadIdx.x] = threadIdx.x < m ? in[k + threadIdx.x] : 0.f;
    __syncthreads();
    for (int i = 0; i < m; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: c_const2
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 190}, {n: 193}, {n: 449}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
