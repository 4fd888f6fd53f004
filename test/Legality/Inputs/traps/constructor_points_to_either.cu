// The object points to the one tile or to the other, as its constructor sees fit; the compute phase writes by it.
struct Place {
  float *to;
  __device__ Place(float *x, float *y, bool first) {
    to = x;
    if (!first)
      to = y;
  }
};
__global__ void __launch_bounds__(64) constructor_points_to_either(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  __shared__ float r[64];
  r[threadIdx.x] = 1;
  const Place place(s, r, n % 128 == 0);
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[t + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x) + r[i];
    }
    __syncthreads();
    place.to[threadIdx.x] += 3;
    __syncthreads();
    sum += s[63 - threadIdx.x] + r[63 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: constructor_points_to_either
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
