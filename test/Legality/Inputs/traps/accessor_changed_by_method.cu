// The compute phase changes the stride by way of a pointer that a method returns.
struct Row {
  float *p;
  int *st;
  __device__ float &operator[](int i) const { return p[st[0] * i]; }
};
struct Matrix {
  float *p;
  int sz[2], st[2];
  __device__ Row operator[](int i) { return {p + sz[0] * i, st}; }
  __device__ int *strides() { return st; }
};
__global__ void k(Matrix a, float *__restrict__ out, int n) {
  __shared__ float tile[64], other[64];
  const int tx = threadIdx.x;
  other[tx] = tx;
  __syncthreads();
  a.st[0] = 1;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[tx] = a.p[t * a.st[0] + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    a.strides()[0] = 2 - (t & 1);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(Matrix a, float *o, int n) { k<<<2, 64>>>(a, o, n); }
