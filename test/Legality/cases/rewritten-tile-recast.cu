// Behind the loop the tile's memory is used as an array of another type.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void match(const float4 *__restrict__ theirs, float *__restrict__ best, int tiles) {
  __shared__ float4 buffer[128], more[32];
  float score = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    buffer[threadIdx.x] = theirs[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i += 3)
      score = fmaxf(score, buffer[i].x * threadIdx.x - buffer[i].w);
    __syncthreads();
  }
  float *scores = (float *)buffer;
  scores[threadIdx.x] = score;
  __syncthreads();
  best[threadIdx.x] = fmaxf(score, scores[threadIdx.x ^ 64]);
}
