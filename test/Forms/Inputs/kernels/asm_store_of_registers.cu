__device__ __forceinline__ void sts128(const float &a, const float &b, const float &c, const float &d, const unsigned &address) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(a), "f"(b), "f"(c), "f"(d));
}
extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ __align__(16) float t[256];
  const unsigned at = (unsigned)__cvta_generic_to_shared(t + threadIdx.x * 4);
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    float r[4];
    for (int i = 0; i < 4; ++i)
      r[i] = in[(k * gridDim.x + blockIdx.x) * 256 + threadIdx.x * 4 + i];
    sts128(r[0], r[1], r[2], r[3], at);
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
