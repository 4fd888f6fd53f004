__device__ __forceinline__ void sts128(unsigned address, float4 v) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w));
}
extern "C" __global__ void __launch_bounds__(64)
k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 t[64];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(t));
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    sts128(base + threadIdx.x * 16, in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j].x * t[j].y - t[j].z + t[j].w;
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
