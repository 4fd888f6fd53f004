#include <string.h>
extern "C" __global__ void __launch_bounds__(64)
k(const bool *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ bool t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    memcpy(&t[threadIdx.x], &in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x], 1);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + reinterpret_cast<const unsigned char *>(t)[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
