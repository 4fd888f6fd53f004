// A bound that is made of floating-point constants, and one that is rounded up.
#define RATE 2.5f
#define COUNT (int)(8 * RATE / 2 + 1.5f)
__global__ void __launch_bounds__(64) float_constants_in_header(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < COUNT - 4; ++k) {
    tile[threadIdx.x] = in[k * 64 % 448 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  for (int k = 0; k < ceil(n / 64.0f); ++k) {
    tile[threadIdx.x] = k * 64 + threadIdx.x < n ? in[k * 64 + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f - tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: float_constants_in_header
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 63}, {n: 64}, {n: 65}, {n: 130}, {n: 320}, {n: 450}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
