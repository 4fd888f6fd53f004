// The second barrier is for the scores, which some threads go through behind it; no third one is needed, as the next turn's
// first barrier comes before the scores are written again. One barrier in a turn is too few for that.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single --wrong=ldg,cp-async:3 "--count=ours:16 * 16" -- %cpr
//--- bad.cu
__global__ void match(const float *__restrict__ ours, const float *__restrict__ theirs, float *__restrict__ best, int tiles) {
  __shared__ float tile[8][17];
  __shared__ float scores[8][16];
  const int col = threadIdx.x % 16, row = threadIdx.x / 16;
  float most = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[row][col] = theirs[(t * 8 + row) * 16 + col];
    __syncthreads();
    float score = 0.0f;
    for (int d = 0; d < 16; ++d)
      score += ours[col * 16 + d] * tile[row][d];
    scores[row][col] = score;
    __syncthreads();
    if (row == 0)
      for (int i = 0; i < 8; ++i)
        most = fmaxf(most, scores[i][col]); // refused: barrier-orders-other
    // says: 'scores'
  }
  best[threadIdx.x] = most;
}
//--- good.cu
__global__ void match(const float *__restrict__ ours, const float *__restrict__ theirs, float *__restrict__ best, int tiles) {
  __shared__ float tile[8][17];
  __shared__ float scores[8][16];
  const int col = threadIdx.x % 16, row = threadIdx.x / 16;
  float most = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[row][col] = theirs[(t * 8 + row) * 16 + col];
    __syncthreads();
    float score = 0.0f;
    for (int d = 0; d < 16; ++d)
      score += ours[col * 16 + d] * tile[row][d];
    scores[row][col] = score;
    __syncthreads();
    if (row == 0)
      for (int i = 0; i < 8; ++i)
        most = fmaxf(most, score);
  }
  best[threadIdx.x] = most;
}
