// Attention over several heads: the loop around fills the queries, a part of the array that the keys are in.
#define BR 16
#define BC 32
#define DH 32
__global__ void fa(const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ o, int n, int heads) {
  extern __shared__ float sm[];
  float *sq = sm;
  float *sk = sq + BR * DH;
  float *sv = sk + BC * DH;
  float *sp = sv + BC * DH;
  const int tid = threadIdx.x;
  const int r = tid / 8, lane = tid % 8;
  for (int h = 0; h < heads; ++h) {
    const float *qh = q + h * n * DH, *kh = k + h * n * DH, *vh = v + h * n * DH;
    for (int i = tid; i < BR * DH; i += 128) sq[i] = qh[blockIdx.x * BR * DH + i];
    __syncthreads();
    float acc[DH / 8] = {}, l = 0.f;
    for (int j = 0; j < n; j += BC) {
      for (int i = tid; i < BC * DH; i += 128) { sk[i] = kh[j * DH + i]; sv[i] = vh[j * DH + i]; }
      __syncthreads();
      for (int c = lane; c < BC; c += 8) {
        float s = 0.f;
        for (int d = 0; d < DH; ++d) s += sq[r * DH + d] * sk[c * DH + d];
        sp[r * BC + c] = s;
      }
      __syncthreads();
      for (int c = 0; c < BC; ++c) {
        float p = sp[r * BC + c];
        l += p;
        for (int d = 0; d < DH / 8; ++d) acc[d] += p * sv[c * DH + lane * (DH / 8) + d];
      }
      __syncthreads();
    }
    for (int d = 0; d < DH / 8; ++d) o[(h * n + blockIdx.x * BR + r) * DH + lane * (DH / 8) + d] = acc[d] + l;
    __syncthreads();
  }
}
void run(const float *q, const float *k, const float *v, float *o, int n, int heads) { fa<<<n / BR, 128, (BR * DH + 2 * BC * DH + BR * BC) * sizeof(float)>>>(q, k, v, o, n, heads); }
/* launch
kernel: fa
cases: [{n: 32, heads: 1}, {n: 32, heads: 2}, {n: 64, heads: 2}, {n: 96, heads: 3}, {n: 160, heads: 1}]
grid: [2, 1]
block: [128, 1]
shared: 12288
arguments:
  - {name: q, buffer: float, count: heads * n * 32, role: input}
  - {name: k, buffer: float, count: heads * n * 32, role: input}
  - {name: v, buffer: float, count: heads * n * 32, role: input}
  - {name: o, buffer: float, count: heads * n * 32, role: output}
  - {value: n}
  - {value: heads}
*/
