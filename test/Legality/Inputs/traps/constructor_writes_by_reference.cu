// The object has a reference; a method of the constructor writes by it what the next tile is loaded from.
struct Mark {
  float &to;
  float had;
  __device__ Mark(float &g) : to(g) { step(); }
  __device__ void step() {
    had = to;
    to += 1;
  }
};
__global__ void __launch_bounds__(64) constructor_writes_by_reference(float *a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[blockIdx.x == 0 ? t + threadIdx.x : n + 192 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    }
    if (blockIdx.x == 0)
      sum += Mark(a[t + 64 + threadIdx.x]).had;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: constructor_writes_by_reference
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 512, role: inout}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
