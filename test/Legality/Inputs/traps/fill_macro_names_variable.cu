// The fill is a macro, which names a constant that the loop declares anew.
enum { Z = 3 };
#define FILL Z
__device__ inline float zz() { return 6.f; }
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles, int n) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float v = FILL; if (t * 64 + tx < n) v = A[t * 64 + tx]; const int Z = tx; S[Z] = v;
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.98f + S[(i + tx) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: A, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: tiles}
  - {name: n, value: "tiles * 64 - 17"}
*/
