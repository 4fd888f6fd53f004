// A constructor puts it there.
struct Put {
  __device__ Put(const float **at, const float *value) { *at = value; }
};
__global__ void k(const float **slots, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], before[64];
  const int tx = threadIdx.x;
  before[tx] = tx;
  __syncthreads();
  Put(slots, before);
  const float *from = slots[0];
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
