__device__ __forceinline__ void sts32(const float &v, const unsigned &address) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(v));
}
extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[256];
  const unsigned at = (unsigned)__cvta_generic_to_shared(t + threadIdx.x);
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 4; ++i)
      sts32(in[(k * gridDim.x + blockIdx.x) * 256 + i * 64 + threadIdx.x], at + i * 256);
    __syncthreads();
    for (int j = 0; j < 256; ++j)
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
  - {name: in, buffer: float, count: 3840, role: input}
  - {name: out, buffer: float, count: 192, role: output}
  - {value: n}
*/
