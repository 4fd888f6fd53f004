// Types that are declared in inner blocks of the load phase, used there or not.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float s[64], s2[64];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    if (n > 5)
      typedef int Nothing;
    if (n > 6) {
      using Unused = int;
    }
    for (int i = threadIdx.x; i < 64; i += 64) {
      static_assert(sizeof(float) == 4, "");
      using Source = const float;
      typedef Source *Pointer;
      s[i] = Pointer(in)[t * 64 + i];
    }
    if (n > 7) {
      using Wide = double;
      s2[threadIdx.x] = float(Wide(in[t * 64 + 63 - threadIdx.x]) * 0.1);
    } else {
      s2[threadIdx.x] = 0.f;
    }
    __syncthreads();
    sum = sum * 0.5f + s[63 - threadIdx.x] + s2[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0, n: 8}, {tiles: 1, n: 8}, {tiles: 2, n: 1}, {tiles: 5, n: 8}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
  - {value: n}
*/
