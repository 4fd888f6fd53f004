// the method of a class template, of whose argument the class stands behind it
namespace kernels {
template <class P> struct Sums {
  const float *in;
  float *out;
  int n;
  __device__ void operator()() const {
    __shared__ float tile[P::Size];
    const int x = threadIdx.x;
    float sum = 0.f;
    for (int t = 0; t < n; t += P::Size) {
      tile[x] = in[t + x];
      __syncthreads();
      for (int i = 0; i < P::Size; ++i)
        sum = sum * 0.5f + tile[(i + x) % P::Size];
      __syncthreads();
    }
    out[blockIdx.x * 64 + x] = sum;
  }
};
struct Small {
  static constexpr int Size = 64;
};
} // namespace kernels
template <class S> __global__ void launched(const float *__restrict__ in, float *__restrict__ out, int n) {
  const S sums{in, out, n};
  sums();
}
void run(const float *in, float *out, int n) { launched<kernels::Sums<kernels::Small>><<<2, 64>>>(in, out, n); }
/* launch
kernel: launched<kernels::Sums<kernels::Small>>
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, value: n}
*/
