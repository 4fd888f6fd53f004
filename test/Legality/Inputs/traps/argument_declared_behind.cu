// The namespace stands in front of the loop, and the class behind it.
namespace n {
struct A;
} // namespace n
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
namespace n {
struct T { float v; int w; };
} // namespace n
void run(const n::T *in, float *out, int n) { k<<<1, 64>>>(in, out, n); }
