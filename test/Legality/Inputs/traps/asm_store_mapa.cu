extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    const unsigned a = (unsigned)__cvta_generic_to_shared(&t[threadIdx.x]);
    asm volatile("{ .reg .u32 b; mapa.shared::cluster.u32 b, %0, 0; st.shared.f32 [b], %1; }" :: "r"(a), "f"(in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x]) : "memory");
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
