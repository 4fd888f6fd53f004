// The address's bits choose an element.
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f; int cnt = 0;
  for (int t = 0; t < tiles; ++t) {
    S[tx] = A[t * 64 + tx];
    __syncthreads();
    float *p = &S[tx ^ 1]; unsigned sa = __cvta_generic_to_shared(p); acc += S[(tx + (sa >> 8)) & 63];
    __syncthreads();
  }
  out[tx] = acc + cnt;
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
