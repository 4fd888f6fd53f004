// A scalar that is assigned a list.
__global__ void k(const long long *__restrict__ A, float *__restrict__ out, int tiles, int n) {
  __shared__ long long S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    long long v; if (t * 64 + tx < n) v = A[t * 64 + tx]; else v = {7}; S[tx] = v;
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.5f + (float)(S[(i + tx) & 63] % 1021);
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
  - {name: A, buffer: long long, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: tiles}
  - {name: n, value: "tiles * 64 - 17"}
*/
