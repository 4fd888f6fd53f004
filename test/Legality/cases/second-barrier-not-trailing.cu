// The second barrier is not the trailing one: the values are still read behind it, and the next turn overwrites them.
// A race in the source, to be named with both places and the array.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg-single -- %cpr
//--- bad.cu
__global__ void attend(const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ out, int blocks) {
  __shared__ float keys[16][9];
  __shared__ float values[16][8];
  __shared__ float score[8][16];
  const int c = threadIdx.x % 16, r = threadIdx.x / 16;
  float acc = 0.0f;
  for (int b = 0; b < blocks; ++b) {
    keys[c][r] = k[(b * 16 + c) * 8 + r];
    values[c][r] = v[(b * 16 + c) * 8 + r];
    __syncthreads();
    float s = 0.0f;
    for (int d = 0; d < 8; ++d)
      s += keys[c][d] * keys[r][d];
    score[r][c] = s;
    __syncthreads();
    acc += score[r][15 - c] * values[15 - c][r]; // refused: missing-barrier
    // says: 'values'
    // note: overwritten here
  }
  out[threadIdx.x] = acc;
}
//--- good.cu
__global__ void attend(const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ out, int blocks) {
  __shared__ float keys[16][9];
  __shared__ float values[16][8];
  __shared__ float score[8][16];
  const int c = threadIdx.x % 16, r = threadIdx.x / 16;
  float acc = 0.0f;
  for (int b = 0; b < blocks; ++b) {
    keys[c][r] = k[(b * 16 + c) * 8 + r];
    values[c][r] = v[(b * 16 + c) * 8 + r];
    __syncthreads();
    float s = 0.0f;
    for (int d = 0; d < 8; ++d)
      s += keys[c][d] * keys[r][d];
    score[r][c] = s;
    __syncthreads();
    acc += score[r][15 - c];
  }
  out[threadIdx.x] = acc;
}
