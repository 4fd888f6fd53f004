__device__ void put(unsigned address, float4 v) {
  v.x *= 2.0f;
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(v.x) : "memory");
}
extern "C" __global__ void __launch_bounds__(64)
k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[64], u[64];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(t));
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    float4 v = in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x];
    put(base + threadIdx.x * 4, v);
    u[threadIdx.x] = v.x;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j] - u[j];
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
