// The argument of the kernel's template is a class of a namespace without a name.
namespace {
struct Raw {
  __device__ __forceinline__ static float get(const float *p, unsigned i) { return p[i]; }
};
template <class Fetcher> __global__ void k(const float *src, float *dst, unsigned n) {
  __shared__ float tile[64];
  const unsigned tx = threadIdx.x;
  float sum = 0.f;
  for (unsigned i = 0; i < n; i += 64) {
    tile[tx] = Fetcher::get(src, i + tx);
    __syncthreads();
    for (unsigned j = 0; j < 64; ++j) sum = sum * 0.5f + tile[(tx + j) & 63];
    __syncthreads();
  }
  dst[blockIdx.x * 64 + tx] = sum;
}
} // namespace
void run(float *in, float *out, unsigned n) { k<Raw><<<2, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 320}]
grid: 2
block: 64
arguments:
  - {name: src, buffer: float, count: n + 64, role: input}
  - {name: dst, buffer: float, count: 128, role: output}
  - {name: n, value: n}
*/
