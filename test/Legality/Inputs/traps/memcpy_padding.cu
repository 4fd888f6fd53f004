#include <string.h>
struct Pad {
  char a;
  float b;
};
extern "C" __global__ void __launch_bounds__(64)
k(const Pad *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Pad t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    memcpy(&t[threadIdx.x], &in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x], sizeof(Pad));
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + reinterpret_cast<const char *>(&t[j])[2];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
