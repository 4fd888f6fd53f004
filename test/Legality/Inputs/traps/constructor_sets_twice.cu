// The body sets the pointer again, behind its initialiser, in a branch; the compute phase writes by it.
struct Mark {
  float *to, *other;
  __device__ Mark(float *s, float *g, int n) : to(s), other(g) {
    if (n > 64) {
      float *keep = to;
      to = other;
      other = keep;
    }
  }
};
__global__ void __launch_bounds__(64) constructor_sets_twice(float *a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  float own[640];
  Mark mark(own, a + threadIdx.x, n);
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[blockIdx.x == 0 ? t + threadIdx.x : n + 192 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    }
    if (blockIdx.x == 0)
      mark.to[t + 64] = 1;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: constructor_sets_twice
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 512, role: inout}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
