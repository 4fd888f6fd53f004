// Attention, one head: the queries of the block, keys, values and scores in one array; the loop goes through the keys.
#define ROWS 32
#define KEYS 32
#define DIM 64
__global__ void attention(const float *__restrict__ Q, const float *__restrict__ K, const float *__restrict__ V, float *__restrict__ O, int n, float scale) {
  extern __shared__ float pool[];
  float *Qs = pool;
  float *S = Qs + ROWS * DIM;
  float *Ks = S + ROWS * KEYS;
  float *Vs = Ks + KEYS * DIM;
  const int tid = threadIdx.x, row = tid / 4, part = tid % 4;
  const int first = blockIdx.x * ROWS;
  for (int i = tid; i < ROWS * DIM; i += 128)
    Qs[i] = Q[first * DIM + i];
  float most = -1e30f, sum = 0.f, o[DIM / 4] = {};
  for (int j = 0; j < n; j += KEYS) {
    for (int i = tid; i < KEYS * DIM / 4; i += 128) {
      ((float4 *)Ks)[i] = ((const float4 *)(K + j * DIM))[i];
      ((float4 *)Vs)[i] = ((const float4 *)(V + j * DIM))[i];
    }
    __syncthreads();
    for (int c = part; c < KEYS; c += 4) {
      float s = 0.f;
      for (int d = 0; d < DIM; ++d)
        s += Qs[row * DIM + d] * Ks[c * DIM + d];
      S[row * KEYS + c] = s * scale;
    }
    __syncthreads();
    float m = most;
    for (int c = 0; c < KEYS; ++c)
      m = fmaxf(m, S[row * KEYS + c]);
    const float f = __expf(most - m);
    sum *= f;
    for (int d = 0; d < DIM / 4; ++d)
      o[d] *= f;
    for (int c = 0; c < KEYS; ++c) {
      const float p = __expf(S[row * KEYS + c] - m);
      sum += p;
      for (int d = 0; d < DIM / 4; ++d)
        o[d] += p * Vs[c * DIM + part * (DIM / 4) + d];
    }
    most = m;
    __syncthreads();
  }
  for (int d = 0; d < DIM / 4; ++d)
    O[(first + row) * DIM + part * (DIM / 4) + d] = o[d] / sum;
}
void launch(const float *Q, const float *K, const float *V, float *O, int n) {
  const int bytes = (ROWS * DIM + 2 * KEYS * DIM + ROWS * KEYS) * sizeof(float);
  attention<<<n / ROWS, 128, bytes>>>(Q, K, V, O, n, 0.125f);
}
