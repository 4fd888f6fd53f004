// What is made of the variable asks whether it is one.
struct W { int v; };
__device__ inline bool operator<(W a, int b) { return a.v < b; }
__global__ void __launch_bounds__(64) z_op_lt2(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  const W w{100};
  for (int k = 0; k < n; k += 64) {
    bool v = w < k;
    if (3 == v + 2)
      v = n & 1;
    const int m = (n - k < 60 ? n - k : 60) + v * 0;
    tile[threadIdx.x] = threadIdx.x < m ? in[k + threadIdx.x + v] : 0.f;
    __syncthreads();
    for (int i = 0; i < m; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x) + v;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: z_op_lt2
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 190}, {n: 193}, {n: 449}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
