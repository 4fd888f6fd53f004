// A value of the tile is used after its slot was filled again: a pointer to it is kept from turn to turn. With one buffer
// it points to the tile of this turn; with two, and with any number, to one of another turn.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async:2,cp-async:3 --legal=ldg-single --wrong=ldg,cp-async:2,cp-async:3 -- %cpr
//--- bad.cu
__global__ void smooth(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float window[128];
  const float *last = nullptr;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    window[threadIdx.x] = in[i * 128 + threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + window[127 - threadIdx.x] + (last ? *last : 0);
    last = &window[(threadIdx.x + i) % 128]; // refused: tile-escapes
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void smooth(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float window[128];
  const float *last = nullptr;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    window[threadIdx.x] = in[i * 128 + threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + window[127 - threadIdx.x] + (last ? *last : 0);
    last = &in[(threadIdx.x + i) % 128];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
