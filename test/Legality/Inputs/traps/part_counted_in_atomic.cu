// What counts in an atomic's argument counts once: the part is written where the tile is.
#define NT 64
__global__ void k(const float *__restrict__ a, int *__restrict__ count, float *__restrict__ out, int n) {
  extern __shared__ float pool[];
  int tid = threadIdx.x;
  float s = 0.f;
  float *X = pool, *S = X + NT;
  for (int j = 0; j < n; j += NT) {
    X[tid] = a[j + tid];
    __syncthreads();
    int i = 0;
    s = s * 0.5f + X[tid];
    atomicAdd(&count[tid + i++], 1);
    S[(i - 2) * NT + tid] = s;
    s += X[tid];
    __syncthreads();
  }
  out[blockIdx.x * NT + tid] = s;
}
void launch(const float *a, int *count, float *out, int n, int g) {
  k<<<g, NT, 2 * NT * sizeof(float)>>>(a, count, out, n);
}
/* launch
kernel: k
cases: [{n: 64}, {n: 128}, {n: 320}]
grid: 1
block: 64
shared: 512
arguments:
  - {buffer: float, count: n, role: input}
  - {buffer: int, count: 64, role: inout}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
