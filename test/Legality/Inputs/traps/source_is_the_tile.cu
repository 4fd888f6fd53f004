// The source may be the tile itself, whose address has become a number.
__global__ void k(const float *in, const unsigned long long *place, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], table[128];
  const int tx = threadIdx.x;
  table[tx] = in[tx];
  table[64 + tx] = in[tx] * 0.5f;
  __syncthreads();
  const float *from = table;
  tile[tx] = in[tx];
  if (tiles > 1)
    from = reinterpret_cast<const float *>(reinterpret_cast<unsigned long long>(&tile[0]) ^ 0);
  __syncthreads();
  if (place)
    from = reinterpret_cast<const float *>(reinterpret_cast<unsigned long long>(from));
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = from[t % 4 * 16 + 63 - tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
void run(const float *in, const unsigned long long *p, float *out, int n) { k<<<1, 64>>>(in, p, out, n); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 5}, {tiles: 8}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 128 + tiles * 16, role: input}
  - {name: place, buffer: unsigned long long, count: 1, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, value: tiles}
*/
