struct Copy {
  float *dst;
  const float *src;
  __device__ void operator()(int i, int j) const { dst[i] = src[j]; }
};
extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    Copy c{t, in + (k * gridDim.x + blockIdx.x) * 64};
    auto next = [c]() mutable { c.src += 1; return c.src; };
    next();
    c.dst[threadIdx.x] = c.src[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 3
block: 64
arguments:
  - {name: in, buffer: float, count: 960, role: input}
  - {name: out, buffer: float, count: 192, role: output}
  - {value: n}
*/
