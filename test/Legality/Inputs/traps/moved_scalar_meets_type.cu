// A scalar that both phases need is declared behind the stores under ldg-single: a type of the load phase would come first.
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  typedef int T;
  for (int t = 0; t < tiles; ++t) {
    T u = (T)(t * 1.5f); typedef float T; S[tx] = A[t*64+tx+(u&1)]; __syncthreads(); for (int i = 0; i < 64; ++i) acc = acc * 0.98f + S[(i + tx) & 63]; acc += u + (T)0.5; __syncthreads();
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
