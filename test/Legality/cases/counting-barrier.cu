// A barrier that counts the threads that are done: where the block leaves the loop by it, at the top or behind the compute
// phase, what was loaded ahead would be under way.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t/leaves -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/leaves-at-top --several "--larger=the barrier moves to the end" -- %cpr
//--- leaves/bad.cu
__global__ void rasterize(const float *__restrict__ splat, float *__restrict__ out, int batches) {
  __shared__ float batch[128];
  float light = 1.0f;
  for (int b = 0; b < batches; ++b) {
    batch[threadIdx.x] = splat[b * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i += 7)
      light *= 1.0f - batch[i] * 0.1f;
    if (__syncthreads_count(light < 0.5f) >= 128) break; // refused: early-exit
    // says: 'break'
  }
  out[threadIdx.x] = light;
}
//--- leaves/good.cu
__global__ void rasterize(const float *__restrict__ splat, float *__restrict__ out, int batches) {
  __shared__ float batch[128];
  float light = 1.0f;
  for (int b = 0; b < batches; ++b) {
    batch[threadIdx.x] = splat[b * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i += 7)
      light *= 1.0f - batch[i] * 0.1f;
    __syncthreads();
  }
  out[threadIdx.x] = light;
}
//--- leaves-at-top/bad.cu
__global__ void rasterize(const float *__restrict__ splat, float *__restrict__ out, int batches) {
  __shared__ float batch[128];
  float light = 1.0f;
  for (int b = 0; b < batches; ++b) {
    const int done = __syncthreads_count(light < 0.5f); // refused: barrier-shape
    // says: '__syncthreads_count'
    if (done == 128)
      break; // refused: early-exit
    batch[threadIdx.x] = splat[b * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i += 7)
      light *= 1.0f - batch[i] * 0.1f;
  }
  out[threadIdx.x] = light;
}
//--- leaves-at-top/good.cu
__global__ void rasterize(const float *__restrict__ splat, float *__restrict__ out, int batches) {
  __shared__ float batch[128];
  float light = 1.0f;
  for (int b = 0; b < batches; ++b) {
    batch[threadIdx.x] = splat[b * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i += 7)
      light *= 1.0f - batch[i] * 0.1f;
    __syncthreads();
  }
  out[threadIdx.x] = light;
}
