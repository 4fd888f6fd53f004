// What the stores alone need has the name of what the loads around it need.
struct Half {
  unsigned short bits;
  __device__ operator float() const { return __uint_as_float((unsigned)bits << 16); }
};
__global__ void k(const Half *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64], other[64];
  const int lane = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int place = t * 64 + lane;
    other[lane] = place < n ? static_cast<float>(in[place]) : 1.f;
    {
      const int at = place + 64, value = lane ^ 1;
      const int place = value;
      tile[place] = at < n ? static_cast<float>(in[at]) : 0.f;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[(i + lane) & 63] * other[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + lane] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: uint16_t, count: tiles * 64 + 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {name: n, scalar: int, value: tiles * 64 - 7}
*/
