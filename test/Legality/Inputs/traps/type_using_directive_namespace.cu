// A directive that brings in a namespace of the name of the type's.
namespace nn { struct P { float a, b; }; }
namespace mm { struct P { int z; }; namespace nn { struct P; } }
__global__ void k(const nn::P *__restrict__ A, float *__restrict__ out, int tiles, int n) {
  __shared__ ::nn::P S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  using namespace mm;
  for (int t = 0; t < tiles; ++t) {
    S[tx] = A[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.98f + S[(i + tx) & 63].a;
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
  - {name: A, buffer: float, count: tiles*128+128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: tiles}
  - {name: n, value: "tiles * 64 - 17"}
*/
