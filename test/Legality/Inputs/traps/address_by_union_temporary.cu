// Another member of a union without a name is the address as a number.
union Word {
  const float *at;
  unsigned long long bits;
};
__device__ unsigned long long bitsOf(const Word &word) { return word.bits; }
__global__ void k(unsigned long long *slots, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], before[64];
  const int tx = threadIdx.x;
  before[tx] = tx;
  __syncthreads();
  slots[0] = bitsOf(Word{before});
  const float *from = *reinterpret_cast<const float **>(slots);
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
