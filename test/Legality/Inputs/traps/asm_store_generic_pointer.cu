extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    asm volatile("st.shared.f32 [%0], %1;" :: "l"(&t[threadIdx.x]), "f"(in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x]) : "memory");
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
