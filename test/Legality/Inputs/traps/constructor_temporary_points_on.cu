// A temporary whose constructor sets pointers writes through them in a method; a copy of it is kept.
struct Mark {
  float *to;
  __device__ Mark(float *g) { to = g; }
  __device__ Mark next() const { return Mark(to + 64); }
  __device__ void put(float v) const { *to = v; }
};
__global__ void __launch_bounds__(64) constructor_temporary_points_on(float *a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  Mark mark(a + threadIdx.x);
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[blockIdx.x == 0 ? t + threadIdx.x : n + 192 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    }
    mark = mark.next();
    if (blockIdx.x == 0)
      mark.put(3);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: constructor_temporary_points_on
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 512, role: inout}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
