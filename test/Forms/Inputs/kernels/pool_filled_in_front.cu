// Before the loop: the query goes into the pool.
#define NT 64
#define D 32
__global__ void scores(const float *__restrict__ q, const float *__restrict__ keys, float *__restrict__ best, int n) {
  extern __shared__ float pool[];
  int tid = threadIdx.x;
  if (tid < D) pool[tid] = q[blockIdx.x * D + tid];
  float m = -1e30f;
  for (int j = 0; j < n; j += NT) {
    for (int i = tid; i < NT * D; i += NT)
      pool[D + i] = keys[j * D + i];
    __syncthreads();
    float s = 0.f;
    for (int d = 0; d < D; ++d) s += pool[d] * pool[D + tid * D + d];
    m = fmaxf(m, s);
    __syncthreads();
  }
  best[blockIdx.x * NT + tid] = m;
}
void launch(const float *q, const float *keys, float *best, int n, int b) {
  scores<<<b, NT, (D + NT * D) * sizeof(float)>>>(q, keys, best, n);
}
