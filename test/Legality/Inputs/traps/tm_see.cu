// One instantiation sees the variable in front of its step.
template <bool SEE>
__global__ void __launch_bounds__(64) tm_see(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int left = n;
  for (int k = 0; k < n; k += 64) {
    const int m = left < 64 ? left : 64;
    tile[threadIdx.x] = threadIdx.x < m ? in[k + threadIdx.x] : 0.f;
    __syncthreads();
    for (int i = 0; i < m; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    if constexpr (SEE)
      sum += left;
    left -= m;
    __syncthreads();
  }
  out[threadIdx.x] = sum + left;
}
template __global__ void tm_see<false>(const float *, float *, int);
/* elsewhere
template __global__ void tm_see<true>(const float *, float *, int);
*/
/* launch
kernel: 'tm_see<true>'
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 190}, {n: 193}, {n: 449}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
