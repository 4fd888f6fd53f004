/* launch
kernel: bytes
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {buffer: uint4, count: 64 * n + 1, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
// Bytes that are loaded as a vector: where the array stands in memory it is aligned to what the vector needs.
__global__ void bytes(const uint4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64 * 16];
  unsigned char data[16];
  float sum = 0, last;
  for (int t = 0; t < n; ++t) {
    reinterpret_cast<uint4 *>(data)[0] = in[t * 64 + threadIdx.x];
    for (int j = 0; j < 16; ++j)
      tile[threadIdx.x * 16 + j] = data[j];
    __syncthreads();
    for (int j = 0; j < 16; ++j) {
      last = tile[j * 64 + (threadIdx.x ^ 1)];
      sum += last * last;
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// LDG: __align__(16) unsigned char data[16];
// LDG: asm volatile("" : "+f"(sum));
// SINGLE: __align__(16) unsigned char data[16];
