extern "C" __global__ void __launch_bounds__(64)
k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ __align__(8) float t[384];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(t));
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    const float4 v = in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x];
    const unsigned a = base + threadIdx.x * 24;
    asm volatile("st.shared.v2.f32 [%0], {%1, %2}; st.shared.v2.f32 [%0+8], {%3, %4};" :: "r"(a), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[6 * j] * t[6 * j + 1] - t[6 * j + 2] + t[6 * j + 3];
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
  - {name: in, buffer: float4, count: 960, role: input}
  - {name: out, buffer: float, count: 192, role: output}
  - {value: n}
*/
