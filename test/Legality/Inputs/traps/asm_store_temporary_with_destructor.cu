struct Guard {
  float v;
  float *at;
  __device__ Guard(float v, float *at) : v(v), at(at) {}
  __device__ ~Guard() { *at += 1.0f; }
};
__device__ void put(unsigned address, const Guard &g) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(g.v) : "memory");
}
extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[64];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(t));
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    float v = 0.0f;
    put(base + threadIdx.x * 4, Guard(in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x], &v));
    s += v;
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
