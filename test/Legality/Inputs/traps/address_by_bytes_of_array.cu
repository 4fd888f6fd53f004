// A function copies the bytes of an array that it is given by reference.
#include <cstring>
__device__ void put(const float **at, const float *const (&values)[2]) { memcpy(at, values, sizeof values); }
__global__ void k(const float **slots, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], before[64];
  const int tx = threadIdx.x;
  before[tx] = tx;
  __syncthreads();
  const float *mine[2] = {before, before};
  put(slots, mine);
  const float *from = slots[1];
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
