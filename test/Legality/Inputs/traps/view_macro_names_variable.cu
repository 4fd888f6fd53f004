// The view's initialiser is a macro, which names what is declared anew behind it.
#define B (S + o)
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles, int n) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  int o = 3; float *P = B; {
  int o = 9; for (int t = 0; t < tiles; ++t) {
    S[tx] = A[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 60; ++i) acc = acc * 0.98f + P[i & 31];
    __syncthreads();
  }
  acc += o; }
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
