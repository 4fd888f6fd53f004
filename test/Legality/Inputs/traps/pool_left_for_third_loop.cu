// The third loop reads what the first has left where the second would have its next stage.
#define NT 64
__global__ void three(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c, float *__restrict__ out, int n) {
  extern __shared__ float pool[];
  int tid = threadIdx.x;
  float s = 0.f;
  for (int j = 0; j < n; j += NT) {
    pool[tid] = a[j + tid];
    pool[NT + tid] = a[n + j + tid];
    __syncthreads();
    for (int d = 0; d < NT; ++d) s += pool[d] * pool[NT + d];
    __syncthreads();
  }
  for (int j = 0; j < n; j += NT) {
    pool[tid] = b[j + tid];
    __syncthreads();
    for (int d = 0; d < NT; ++d) s += pool[d];
    __syncthreads();
  }
  for (int j = 0; j < n; j += NT) {
    pool[tid] = c[j + tid];
    __syncthreads();
    for (int d = 0; d < NT; ++d) s += pool[d] * pool[NT + d];
    __syncthreads();
  }
  out[blockIdx.x * NT + tid] = s;
}
void launch(const float *a, const float *b, const float *c, float *out, int n, int g) {
  three<<<g, NT, 2 * NT * sizeof(float)>>>(a, b, c, out, n);
}
