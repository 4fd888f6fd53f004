struct alignas(8) Pair {
  float re, im;
};
__global__ void k(const Pair *__restrict__ x, Pair *__restrict__ y, int rows, unsigned ld) {
  __shared__ Pair tile[64];
  const unsigned i = threadIdx.x;
  x += blockIdx.x * 64 + i;
  const Pair *end = &x[rows * ld];
  Pair sum = {0.f, 0.f};
  for (; x != end; x += ld) {
    tile[i] = *x;
    __syncthreads();
    for (int j = 0; j < 64; ++j) {
      const Pair p = tile[(i + j) & 63];
      sum.re = sum.re * 0.5f + p.re;
      sum.im = sum.im * 0.25f - p.im;
    }
    __syncthreads();
  }
  y[blockIdx.x * 64 + i] = sum;
}
