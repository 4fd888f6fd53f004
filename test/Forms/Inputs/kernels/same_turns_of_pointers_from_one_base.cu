// Both pointers are made of the base, by what differs from thread to thread; some blocks stop
// earlier.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n, int most) {
  __shared__ float tile[128];
  const int i = threadIdx.x, own = i * 2;
  const float *p = in + blockIdx.x * 16 + own, *const end = in + (n + own);
  float sum = 0.f;
  int turn = 0;
  while (p < end && turn < most) {
    tile[own] = p[0];
    tile[own + 1] = p[1];
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      sum = sum * 0.9f + tile[(i + j) & 127];
    __syncthreads();
    p = p + 128;
    ++turn;
  }
  out[blockIdx.x * 64 + i] = sum;
}
