template <int Bytes> struct load;
template <> struct load<16> {
  __device__ load(uint4 &v, const void *from, int in) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %5, 0;"
                 " mov.b32 %0, %6; mov.b32 %1, %7; mov.b32 %2, %8; mov.b32 %3, %9;"
                 " @p ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from), "r"(in & 1), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w));
  }
};
template <> struct load<4> {
  __device__ load(uint4 &v, const void *from, int in) {
    const unsigned *words = reinterpret_cast<const unsigned *>(from);
    for (int i = 0; i < 4; ++i) {
      unsigned &word = *(reinterpret_cast<unsigned *>(&v) + i);
      asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; mov.b32 %0, %3; @p ld.global.u32 %0, [%1]; }"
                   : "=r"(word)
                   : "l"(words + i), "r"(in & (1 << i)), "r"(word));
    }
  }
};
__global__ void k(const uint4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ uint4 s[64], u[64];
  const int x = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    uint4 v = make_uint4(1, 2, 3, 4);
    load<16>(v, in + t * 128 + x, x < 40);
    s[x] = v;
    uint4 w = make_uint4(5, 6, 7, 8);
    load<4>(w, in + t * 128 + 64 + x, x);
    u[x] = w;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.75f + float(s[j].x) - float(u[(j * x) & 63].w);
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: uint4, count: n * 128 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
