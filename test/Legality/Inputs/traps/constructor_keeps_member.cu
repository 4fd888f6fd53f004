// The same; it is a pointer to a member, and set by a method.
struct Sum {
  float v, *at;
  __device__ Sum(float x) { v = x; set(); }
  __device__ void set() { at = &v; }
};
__global__ void __launch_bounds__(64) constructor_keeps_member(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  Sum all(2);
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[t + threadIdx.x] + all.v;
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      *all.at = *all.at * 0.5f + s[i] * (i ^ threadIdx.x);
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = all.v + sum;
}
/* launch
kernel: constructor_keeps_member
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
