// A function reads what its reference is bound to as a number.
__device__ void put(unsigned long long *at, const float *const &value) { *at = reinterpret_cast<const unsigned long long &>(value); }
__global__ void k(unsigned long long *slots, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], before[64];
  const int tx = threadIdx.x;
  before[tx] = tx;
  __syncthreads();
  const float *mine = before;
  put(slots, mine);
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
