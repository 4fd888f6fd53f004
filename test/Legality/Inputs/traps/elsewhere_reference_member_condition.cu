// Another argument's member is a reference to what the loop changes.
struct A1 { int n; };
template <class Q> __device__ float f(const float *__restrict__ src, Q q, int *left) {
  __shared__ float S[64]; const int tx = threadIdx.x; float acc = 0;
  for (int t = 0; t < q.n; ++t) {
    S[tx] = src[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.5f + S[(i + tx) & 63];
    left[tx] = acc > 0.2f ? t / 2 + 1 : t / 2 + 2;
    __syncthreads();
  }
  return acc;
}
__global__ void k(const float *__restrict__ src, float *__restrict__ out, int *left, int tiles) { out[threadIdx.x] = f(src, A1{tiles}, left); }

/* elsewhere
struct A2 { int &n; };
__global__ void k2(const float *__restrict__ src, float *__restrict__ out, int *left, int tiles) { out[threadIdx.x] = f(src, A2{left[0]}, left); }
*/
/* launch
kernel: k2
cases: [{tiles: 3}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: 64 * 70, role: input}
  - {buffer: float, count: 64, role: output}
  - {buffer: int, count: 64, fill: value(3)}
  - {value: tiles}
*/
