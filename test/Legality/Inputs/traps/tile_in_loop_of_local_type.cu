// The tile's declaration moves in front of the loop, where its type's name means another type.
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  typedef double T;
  for (int t = 0; t < tiles; ++t) {
    typedef float T; __shared__ T U[64]; U[tx] = A[t*64+tx]; __syncthreads(); for (int i = 0; i < 64; ++i) acc = acc * 0.98f + U[(i + tx) & 63]; __syncthreads();
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
