// A function that is called in front of the loop fills more than the part.
#define NT 64
__device__ void fill(float *p, const float *g, int i) { p[i] = g[i]; p[i + NT] = g[i]; }
static __global__ void k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n, int m) {
  __shared__ float pool[6 * NT];
  int tid = threadIdx.x;
  float s = 0.f;
  float *Q = pool, *X = pool + NT, *Y = X + NT, *S = Y + NT;
  for (int t = 0; t < m; ++t) {
    fill(Q, b + t, tid);
    __syncthreads();
  for (int j = 0; j < n; j += NT) {
    if (tid < NT - 9) X[tid] = a[j + tid];
    Y[tid] = b[j + tid];
    __syncthreads();
    S[tid] = Q[tid] * X[NT - 1 - tid];
    __syncthreads();
    for (int d = 0; d < NT; ++d) s += S[d] * Y[d];
    __syncthreads();
  }
  __syncthreads();
  }
  out[blockIdx.x * NT + tid] = s;
}
void launch(const float *a, const float *b, float *out, int n, int g) {
  k<<<g, NT>>>(a, b, out, n, 2);
}
/* launch
kernel: k
cases: [{n: 64, m: 1}, {n: 192, m: 3}, {n: 64, m: 2}, {n: 128, m: 2}, {n: 192, m: 2}, {n: 320, m: 2}]
grid: [2, 1]
block: [64, 1]
shared: 0
arguments:
  - {name: a, buffer: float, count: 1024, role: input}
  - {name: b, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
  - {value: m}
*/
