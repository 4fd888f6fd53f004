// A pointer that is moved on reads the tile behind the loop.
#define NT 64
__global__ void k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n, int m) {
  extern __shared__ float pool[];
  int tid = threadIdx.x;
  float s = 0.f;
  float *Q = pool, *X = pool + NT, *Y = X + NT, *S = Y + NT;
  for (int t = 0; t < m; ++t) {
    Q[tid] = b[tid + t];
    float *z = Q + 1;
    z += m;
    __syncthreads();
  for (int j = 0; j < n; j += NT) {
    X[tid] = a[j + tid];
    Y[tid] = b[j + tid];
    __syncthreads();
    S[tid] = Q[tid] * X[NT - 1 - tid];
    __syncthreads();
    for (int d = 0; d < NT; ++d) s += S[d] * Y[d];
    __syncthreads();
  }
    s += z[NT];
  __syncthreads();
  }
  out[blockIdx.x * NT + tid] = s;
}
void launch(const float *a, const float *b, float *out, int n, int g) {
  k<<<g, NT, 6 * NT * sizeof(float)>>>(a, b, out, n, 2);
}
/* launch
kernel: k
cases: [{n: 64, m: 1}, {n: 192, m: 3}, {n: 64, m: 2}, {n: 128, m: 2}, {n: 192, m: 2}, {n: 320, m: 2}]
grid: [2, 1]
block: [64, 1]
shared: 1536
arguments:
  - {name: a, buffer: float, count: 1024, role: input}
  - {name: b, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
  - {value: m}
*/
