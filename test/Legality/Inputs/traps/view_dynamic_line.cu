// A view of dynamic memory says in which line it stands.
#define NT 64
__global__ void k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n, int m) {
  extern __shared__ float pool[];
  int tid = threadIdx.x;
  float s = 0.f;
  int off = NT;
#line 3
  float *X = pool, *Y = pool + __LINE__ * 32;
  {
    int o2 = 9;
    s += o2;
    for (int j = 0; j < n; j += NT) {
      X[tid] = a[j + tid];
      Y[tid] = b[j + tid];
      __syncthreads();
      for (int d = 0; d < NT; ++d) s += X[d] * Y[NT - 1 - d];
      __syncthreads();
    }
  }
  out[blockIdx.x * NT + tid] = s;
}
void launch(const float *a, const float *b, float *out, int n, int g) { k<<<g, NT, 1024>>>(a, b, out, n, 2); }
/* launch
kernel: k
cases: [{n: 64}, {n: 128}, {n: 192}, {n: 320}]
grid: [2, 1]
block: [64, 1]
shared: 1024
arguments:
  - {name: a, buffer: float, count: 1024, role: input}
  - {name: b, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
  - {value: 2}
*/
