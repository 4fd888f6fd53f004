/* launch
kernel: k
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 3}, {T: 6}]
grid: [2]
block: [32]
arguments:
  - {name: in, buffer: unsigned char, count: 64 * (T + 2), role: input}
  - {name: out, buffer: unsigned char, count: 256, role: output}
  - {name: tiles, value: T}
*/
// Structures of bytes.
struct Bytes {
  unsigned char b[21];
};
__global__ void k(const unsigned char *__restrict__ in, unsigned char *__restrict__ out, int tiles) {
  __shared__ Bytes tile[3];
  const int tx = threadIdx.x;
  for (int i = tx; i < 63; i += 32)
    tile[i / 21].b[i % 21] = i;
  __syncthreads();
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[tx / 16].b[tx % 16] = in[t * 32 + tx];
    __syncthreads();
    for (int j = 0; j < 63; ++j)
      sum = sum * 5 + tile[j % 3].b[(j + tx) % 21];
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 32 + tx] = sum + tile[tx % 3].b[tx % 21];
}
