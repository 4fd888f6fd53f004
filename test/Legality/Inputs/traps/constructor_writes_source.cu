// The constructor hands what it is given to a method, which writes what the next tile is loaded from.
struct Mark {
  int at;
  __device__ Mark(float *g, int i) { put(g, i); }
  __device__ void put(float *g, int i) {
    at = i;
    g[i] += 1;
  }
};
__global__ void __launch_bounds__(64) constructor_writes_source(float *a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[blockIdx.x == 0 ? t + threadIdx.x : threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    }
    const Mark mark(a, blockIdx.x == 0 ? t + 64 + threadIdx.x : n + 64 + 64 * blockIdx.x + threadIdx.x);
    sum += mark.at;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: constructor_writes_source
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 512, role: inout}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
