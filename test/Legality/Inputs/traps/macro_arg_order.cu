// A macro turns its arguments round, and one of them says the variable that is set.
#define LESS(a, b) ((b) > (a))
__global__ void __launch_bounds__(64) macro_arg_order(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    int l = 64;
    if (LESS(n - k + l * 2, -l + 256))
      l = n - k;
    tile[threadIdx.x] = threadIdx.x < l ? in[k + threadIdx.x] : 0.f;
    __syncthreads();
    for (int i = 0; i < l; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: macro_arg_order
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 190}, {n: 193}, {n: 449}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
