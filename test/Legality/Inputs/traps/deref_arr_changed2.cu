// The step is made of an element that the compute phase changes.
__global__ void __launch_bounds__(64) deref_arr_changed2(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int left = n;
  int w[2] = {3, 64};
  const int *q = w;
  for (int k = 0; k < n; k += 64) {
    const int m = left < 64 ? left : 64;
    tile[threadIdx.x] = threadIdx.x < m ? in[k + threadIdx.x] : 0.f;
    __syncthreads();
    w[1] = w[1] - 3;
    for (int i = 0; i < m; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    left -= q[1];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: deref_arr_changed2
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 190}, {n: 193}, {n: 449}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
