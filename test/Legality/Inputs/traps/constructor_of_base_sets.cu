// The base sets the pointer by a method that the constructor calls; the compute phase writes the source by it.
struct Base {
  float *to;
  __device__ void set(float *g) { to = g; }
};
struct Mark : Base {
  int n;
  __device__ Mark(float *s, float *g) {
    to = s;
    n = 1;
    set(g);
  }
};
__global__ void __launch_bounds__(64) constructor_of_base_sets(float *a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  float own[1];
  Mark mark(own, a + threadIdx.x);
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[blockIdx.x == 0 ? t + threadIdx.x : n + 192 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    }
    if (blockIdx.x == 0)
      mark.to[t + 64] += 1;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: constructor_of_base_sets
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 512, role: inout}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
