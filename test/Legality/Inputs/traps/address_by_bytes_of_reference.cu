// A function copies the bytes of what its reference is bound to.
#include <cstring>
__device__ void put(const float **at, const float *const &value) { memcpy(at, &value, sizeof value); }
__global__ void k(const float **slots, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], before[64];
  const int tx = threadIdx.x;
  before[tx] = tx;
  __syncthreads();
  const float *mine = before;
  put(slots, mine);
  const float *from = slots[0];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = from[63 - tx] + t;
    __syncthreads();
    sum = sum * 0.5f + tile[63 - tx];
    before[tx] = sum;
    __syncthreads();
  }
  out[tx] = sum;
}
