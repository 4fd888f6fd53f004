// With -DFOO somebody else sees the variable that is stepped.
#ifdef FOO
__device__ inline int *keep(int &v) { return &v; }
__device__ inline int see(int *p) { return *p; }
#else
__device__ inline int keep(int v) { return v; }
__device__ inline int see(int v) { return v; }
#endif
__global__ void __launch_bounds__(64) t_ref3(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int left = n;
  auto other = keep(left);
  for (int k = 0; k < n; k += 64) {
    const int m = left < 64 ? left : 64;
    tile[threadIdx.x] = threadIdx.x < m ? in[k + threadIdx.x] : 0.f;
    __syncthreads();
    sum += see(other);
    for (int i = 0; i < m; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    left -= m;
    __syncthreads();
  }
  out[threadIdx.x] = sum + left;
}
/* launch
kernel: t_ref3
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 190}, {n: 193}, {n: 449}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
