extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ __align__(16) float t[256];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(t));
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    const float *g = in + ((k * gridDim.x + blockIdx.x) * 64 + threadIdx.x) * 4;
    const unsigned a = base + 16 * threadIdx.x;
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" :: "r"(a), "f"(g[0]), "f"(g[1]), "f"(g[2]), "f"(g[3]) : "memory");
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
