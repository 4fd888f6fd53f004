// Another argument's member is a pointer that another one may alias, not an array.
struct Loc { float v[64]; };
template <class Q> __device__ void f(const float *src, Q a, int tiles) {
  __shared__ float S[64]; const int tx = threadIdx.x; float acc = 0;
  for (int t = 0; t < tiles; ++t) {
    S[tx] = src[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.5f + S[(i + tx) & 63];
    a.v[tx] = acc;
    __syncthreads();
  }
  if (tx == 0) a.v[0] = acc;
}
__global__ void k(const float *src, int tiles) { Loc l; f(src, l, tiles); }

/* elsewhere
struct Ptr { float *v; }; __global__ void k2(float *src, int tiles) { f(src, Ptr{src + 64}, tiles); }
*/
/* launch
kernel: k2
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: 64 * tiles + 640, role: inout}
  - {value: tiles}
*/
