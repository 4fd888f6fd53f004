// An object that is made in memory holds it.
struct Row {
  const float *at;
};
__device__ inline void *operator new(size_t, Row *at) { return at; }
__global__ void k(Row *rows, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], before[64];
  const int tx = threadIdx.x;
  before[tx] = tx;
  __syncthreads();
  new (rows) Row{before};
  const float *from = rows[0].at;
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
