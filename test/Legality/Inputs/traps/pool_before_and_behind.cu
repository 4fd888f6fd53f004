// Before and behind: the scale lies where the second stage would.
#define NT 64
__global__ void scaled(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  extern __shared__ float pool[];
  int tid = threadIdx.x;
  pool[NT + tid] = b[tid];
  float m = 0.f;
  for (int j = 0; j < n; j += NT) {
    pool[tid] = a[j + tid];
    __syncthreads();
    for (int d = 0; d < NT; ++d) m += pool[d];
    __syncthreads();
  }
  c[blockIdx.x * NT + tid] = m * pool[NT + (tid ^ 1)];
}
void launch(const float *a, const float *b, float *c, int n, int g) {
  scaled<<<g, NT, 2 * NT * sizeof(float)>>>(a, b, c, n);
}
