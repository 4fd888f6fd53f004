// Which barrier it is, a template's argument says: for one warp it is none for the block.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
template <int SIZE> __global__ void rasterize(const float *__restrict__ splat, float *__restrict__ out, int batches) {
  __shared__ float batch[SIZE];
  float light = 1.0f;
  for (int b = 0; b < batches; ++b) {
    batch[threadIdx.x] = splat[b * SIZE + threadIdx.x];
    if constexpr (SIZE <= 32) __syncwarp(); else __syncthreads(); // refused: barrier-partial
    for (int i = 0; i < SIZE; i += 7)
      light *= 1.0f - batch[i] * 0.001f;
    __syncthreads();
  }
  out[threadIdx.x] = light;
}
template __global__ void rasterize<32>(const float *, float *, int);
//--- good.cu
template <int SIZE> __global__ void rasterize(const float *__restrict__ splat, float *__restrict__ out, int batches) {
  __shared__ float batch[SIZE];
  float light = 1.0f;
  for (int b = 0; b < batches; ++b) {
    batch[threadIdx.x] = splat[b * SIZE + threadIdx.x];
    if constexpr (SIZE <= 32) __syncwarp(); else __syncthreads();
    for (int i = 0; i < SIZE; i += 7)
      light *= 1.0f - batch[i] * 0.001f;
    __syncthreads();
  }
  out[threadIdx.x] = light;
}
template __global__ void rasterize<128>(const float *, float *, int);
