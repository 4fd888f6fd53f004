#include "scale.h"

#ifndef BLOCK
#error "corpus.ini says -DBLOCK"
#endif

// Every thread sums all elements, each weighted by its distance.
__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[BLOCK];
  float sum = 0.0f;
  // The tile loop.
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * BLOCK + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < BLOCK; ++i)
      sum = scaled(sum) * tile[(threadIdx.x + i) % BLOCK];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
