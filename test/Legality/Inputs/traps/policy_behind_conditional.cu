// the class is another one in another build
template <class P> __global__ void sums(const typename P::Element *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ typename P::Element tile[P::Size];
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
#ifdef OTHER
template <class T> struct Any { using Element = float; static constexpr int Size = 64; };
typedef Any<int> Small;
#else
struct Small { using Element = float; static constexpr int Size = 64; };
#endif
void run(const float *in, float *out, int n) { sums<Small><<<2, 64>>>(in, out, n); }
/* launch
kernel: sums<Small>
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, value: n}
*/
