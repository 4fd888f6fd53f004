extern "C" __global__ void __launch_bounds__(64)
k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    const float4 v = in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x];
    const unsigned a = (unsigned)__cvta_generic_to_shared(&t[threadIdx.x]);
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" :: "r"(a), "f"(v.y), "f"(v.x), "f"(v.z), "f"(v.w) : "memory");
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j].x - t[j].y * t[j].z + t[j].w;
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
