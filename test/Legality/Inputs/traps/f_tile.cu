// Two functions as template arguments.
__device__ float get(float *x) { return *x; }
template <float (*F)(float *)>
__global__ void __launch_bounds__(64) f_tile(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + F(tile + i) * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void f_tile<get>(const float *, float *, int);
/* elsewhere
__device__ float put(float *x) { float v = *x; __syncthreads(); *x = v * 0.5f; __syncthreads(); return v; }
template __global__ void f_tile<put>(const float *, float *, int);
*/
/* launch
kernel: 'f_tile<put>'
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
