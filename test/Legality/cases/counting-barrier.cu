// The barrier at the top counts the threads that are done: its value is used, so it can neither go nor move.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void rasterize(const float *__restrict__ splat, float *__restrict__ out, int batches) {
  __shared__ float batch[128];
  float light = 1.0f;
  for (int b = 0; b < batches; ++b) {
    batch[threadIdx.x] = splat[b * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i += 7)
      light *= 1.0f - batch[i] * 0.001f;
    light += __syncthreads_count(light < 0.5f); // refused: barrier-shape
    // says: '__syncthreads_count'
  }
  out[threadIdx.x] = light;
}
//--- good.cu
__global__ void rasterize(const float *__restrict__ splat, float *__restrict__ out, int batches) {
  __shared__ float batch[128];
  float light = 1.0f;
  for (int b = 0; b < batches; ++b) {
    batch[threadIdx.x] = splat[b * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i += 7)
      light *= 1.0f - batch[i] * 0.001f;
    __syncthreads();
  }
  out[threadIdx.x] = light;
}
