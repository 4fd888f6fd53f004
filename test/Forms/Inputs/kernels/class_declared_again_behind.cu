// The classes are declared once more behind the loop.
namespace n { namespace m {
template <class N> struct V { struct T { N v; int w; }; };
} } // namespace n::m
struct S;
struct S { float v; int w; };
template <class E> __global__ void k(const E *in, float *out, int steps) {
  __shared__ E tile[64];
  float sum = 0.f;
  for (int t = 0; t < steps; ++t) {
    E e = in[t * 64 + threadIdx.x];
    e.v *= 2.f;
    tile[threadIdx.x] = e;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + tile[(j + threadIdx.x) % 64].v;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
struct S;
namespace n { namespace m {
template <class N> struct V;
} } // namespace n::m
void more(const n::m::V<float>::T *in, float *out, int n) { k<<<1, 64>>>(in, out, n); }
void run(const S *in, float *out, int n) { k<<<1, 64>>>(in, out, n); }
