// A pointer into the previous tile is kept and read through after the slot was filled again: with any number of
// buffers there is one too few.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void smooth(const short *__restrict__ in, int *__restrict__ out, int n) {
  __shared__ short window[128];
  const short *last = nullptr;
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    window[threadIdx.x] = in[i * 128 + threadIdx.x];
    __syncthreads();
    sum += window[127 - threadIdx.x] + (last ? *last : 0);
    last = &window[(threadIdx.x + i) % 128]; // refused: tile-escapes
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void smooth(const short *__restrict__ in, int *__restrict__ out, int n) {
  __shared__ short window[128];
  const short *last = nullptr;
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    window[threadIdx.x] = in[i * 128 + threadIdx.x];
    __syncthreads();
    sum += window[127 - threadIdx.x] + (last ? *last : 0);
    const short *now = &window[(threadIdx.x + i) % 128];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
