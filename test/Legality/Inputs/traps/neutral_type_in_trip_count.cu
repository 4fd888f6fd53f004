// The trip count's type is another one in front of the loop, where the registers are declared.
typedef double T;
template <int N> __global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[256];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    typedef float T;
    for (int i = 0; i < 16 / sizeof(T); ++i) S[i * 64 + tx] = A[t * 256 + i * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 256; ++i) acc = acc * 0.98f + S[(i + tx) & 255];
    __syncthreads();
  }
  out[tx] = acc;
}
template __global__ void k<1>(const float *__restrict__, float *__restrict__, int);
/* launch
kernel: k<1>
cases: [{tiles: 0}, {tiles: 1}, {tiles: 3}]
grid: 1
block: 64
arguments:
  - {name: A, buffer: float, count: 256 * max(1, tiles), role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
