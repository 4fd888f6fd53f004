// Another argument's member counts how often it is looked at.
struct A1 { int n; };
template <class Q> __device__ float f(const float *__restrict__ src, Q q, int o) {
  __shared__ float S[64]; const int tx = threadIdx.x; float acc = 0;
  for (int t = 0; t < q.n; ++t) {
    S[tx] = src[t * 64 + tx + o];
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.5f + S[(i + tx) & 63];
    __syncthreads();
  }
  return acc;
}
__global__ void k(const float *__restrict__ src, float *__restrict__ out, int tiles) { out[threadIdx.x] = f(src, A1{tiles}, 0); }

/* elsewhere
struct Cnt { mutable int v; __device__ operator int() const { return v--; } };
struct A2 { Cnt n; };
__global__ void k2(const float *__restrict__ src, float *__restrict__ out, int tiles) { out[threadIdx.x] = f(src, A2{{tiles * 2}}, 3); }
*/
/* launch
kernel: k2
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: 64 * tiles + 640, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: tiles}
*/
