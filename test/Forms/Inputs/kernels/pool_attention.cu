// Attention: the queries, keys, values and scores in one array, of which the loop loads two.
#define BR 32
#define BC 32
#define D 32
__global__ void attn(const float *__restrict__ Q, const float *__restrict__ K, const float *__restrict__ V, float *__restrict__ O, int n, float scale) {
  extern __shared__ float pool[];
  float *Qs = pool;
  float *Ks = pool + BR * D;
  float *Vs = Ks + BC * D;
  float *S = Vs + BC * D;
  int tid = threadIdx.x;
  int q0 = blockIdx.x * BR;
  for (int i = tid; i < BR * D; i += 128)
    Qs[i] = Q[q0 * D + i];
  float m = -1e30f, l = 0.f;
  float o[D / 4];
  for (int d = 0; d < D / 4; ++d) o[d] = 0.f;
  int row = tid / 4, part = tid % 4;
  for (int j0 = 0; j0 < n; j0 += BC) {
    for (int i = tid; i < BC * D; i += 128) {
      Ks[i] = K[j0 * D + i];
      Vs[i] = V[j0 * D + i];
    }
    __syncthreads();
    for (int c = part; c < BC; c += 4) {
      float s = 0.f;
      for (int d = 0; d < D; ++d) s += Qs[row * D + d] * Ks[c * D + d];
      S[row * BC + c] = s * scale;
    }
    __syncthreads();
    float mn = m;
    for (int c = 0; c < BC; ++c) mn = fmaxf(mn, S[row * BC + c]);
    float f = __expf(m - mn);
    l *= f;
    for (int d = 0; d < D / 4; ++d) o[d] *= f;
    for (int c = 0; c < BC; ++c) {
      float p = __expf(S[row * BC + c] - mn);
      l += p;
      for (int d = 0; d < D / 4; ++d) o[d] += p * Vs[c * D + part * (D / 4) + d];
    }
    m = mn;
    __syncthreads();
  }
  for (int d = 0; d < D / 4; ++d)
    O[(q0 + row) * D + part * (D / 4) + d] = o[d] / l;
}
void launch(const float *Q, const float *K, const float *V, float *O, int n) {
  int bytes = (BR * D + 2 * BC * D + BR * BC) * sizeof(float);
  attn<<<n / BR, 128, bytes>>>(Q, K, V, O, n, 0.125f);
}
/* launch
kernel: attn
cases: [{n: 32}, {n: 64}, {n: 96}, {n: 160}]
grid: [1, 1]
block: [128, 1]
shared: 16384
arguments:
  - {name: Q, buffer: float, count: 32 * 32, role: input}
  - {name: K, buffer: float, count: n * 32, role: input}
  - {name: V, buffer: float, count: n * 32, role: input}
  - {name: O, buffer: float, count: 32 * 32, role: output}
  - {value: n}
  - {value: 0.125}
*/
