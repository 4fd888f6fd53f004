// The address of the first member is that of the object, by which its pointer is set.
struct Row {
  float *p;
  int *st;
  __device__ float &operator[](int i) const { return p[st[0] * i]; }
};
struct Matrix {
  int st[2];
  float *p;
};
__global__ void k(Matrix a, float *__restrict__ out, int n) {
  __shared__ float tile[64], other[64];
  const int tx = threadIdx.x;
  other[tx] = tx;
  __syncthreads();
  int *first = a.st;
  reinterpret_cast<Matrix *>(first)->p = other;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[tx] = a.p[63 - tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    other[tx] = sum;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(Matrix a, float *o, int n) { k<<<2, 64>>>(a, o, n); }
