// A statement for the compute phase alone moves behind the load phase: the macro in it names a type that is declared there.
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  typedef int T;
#define TT T
  for (int t = 0; t < tiles; ++t) {
    float w[2] = {1, 0}; for (int i = 0; i < 2; ++i) w[i] += (TT)1.5f; typedef float T; S[tx] = A[t*64+tx]; __syncthreads(); for (int i = 0; i < 64; ++i) acc = acc * 0.98f + S[(i + tx) & 63]; acc += w[1] + (T)0.5; __syncthreads();
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
