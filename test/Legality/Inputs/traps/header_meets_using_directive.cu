// So it is behind a directive that brings in other functions of the name.
__device__ inline int f(float) { return 3; }
namespace nn { __device__ inline int f(int) { return 5; } }
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  int q = 0; { using namespace nn; q = f(1); }
  for (int t = f(1) - 3; t < tiles + f(2) - 3; t += f(0) - 2) {
    S[tx] = A[t*64+tx]; __syncthreads(); for (int i = 0; i < 64; ++i) acc = acc * 0.98f + S[(i + tx) & 63]; using namespace nn; acc += f(1); __syncthreads();
  }
  out[tx] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: A, buffer: float, count: 64 * (tiles + 8), role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
