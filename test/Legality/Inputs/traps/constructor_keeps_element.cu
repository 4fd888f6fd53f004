// The same; the body says so itself, by an array, and then by the pointer that has it.
struct Sum {
  float v[2], *at, *too;
  __device__ Sum(float x) {
    v[0] = v[1] = x;
    at = v;
    too = at + 1;
  }
};
__global__ void __launch_bounds__(64) constructor_keeps_element(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  Sum all(2);
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[t + threadIdx.x] + all.v[1];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      *all.too = *all.too * 0.5f + s[i] * (i ^ threadIdx.x);
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = all.v[1] + sum;
}
/* launch
kernel: constructor_keeps_element
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
