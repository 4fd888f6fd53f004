// What the loop keeps from turn to turn is in a part that the loop declares anew.
#define NT 64
__global__ void k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n, int m) {
  extern __shared__ float pool[];
  int tid = threadIdx.x;
  float s = 0.f;
  float *Q = pool, *X = pool + NT, *Y = X + NT;
  Q[tid] = b[tid];
  (pool + 3 * NT)[tid] = 0.f;
  for (int j = 0; j < n; j += NT) {
    X[tid] = a[j + tid];
    Y[tid] = b[j + tid];
    __syncthreads();
    float *S = pool + 3 * NT;
    S[tid] += Q[tid] * X[NT - 1 - tid];
    __syncthreads();
    for (int d = 0; d < NT; ++d) s += S[d] * Y[d];
    __syncthreads();
  }
  out[blockIdx.x * NT + tid] = s;
}
void launch(const float *a, const float *b, float *out, int n, int g) {
  k<<<g, NT, 5 * NT * sizeof(float)>>>(a, b, out, n, 2);
}
/* launch
kernel: k
cases: [{n: 0, m: 2}, {n: 64, m: 2}, {n: 128, m: 2}, {n: 192, m: 2}, {n: 320, m: 2}]
grid: [2, 1]
block: [64, 1]
shared: 1280
arguments:
  - {name: a, buffer: float, count: 1024, role: input}
  - {name: b, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
  - {value: m}
*/
