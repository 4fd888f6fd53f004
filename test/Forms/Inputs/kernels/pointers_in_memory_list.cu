// What is behind a pointer in memory is memory, too.
struct Matrix {
  const float *values;
  int pitch;
};
__device__ const float *valuesOf(const Matrix *const *list, int number) {
  const Matrix *m = list[number];
  return m->values;
}
__global__ void k(const Matrix *const *lists, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  const float *values = valuesOf(lists, blockIdx.x);
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = values[t * 64 + tx];
    __syncthreads();
    sum = sum * 0.5f + tile[63 - tx];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const Matrix *const *l, float *out, int n) { k<<<1, 64>>>(l, out, n); }
