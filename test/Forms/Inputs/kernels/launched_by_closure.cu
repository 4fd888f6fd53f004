// Dispatched as extensions of frameworks do: the launch stands in a closure, in the argument of a macro.
#define DISPATCH(NAME, ...) [&] { using scalar_t = float; static_assert(sizeof(scalar_t) == 4); return __VA_ARGS__(); }()
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[256];
  const int tx = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 256) {
    for (int l = tx; l < 256; l += blockDim.x)
      tile[l] = t + l < n ? in[t + l] : 0.f;
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 255];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, float *out, int n) {
  int threads = 64;
  const dim3 blocks(2);
  DISPATCH("run", ([&] { k<<<blocks, threads>>>(in, out, n); }));
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 256}, {n: 257}, {n: 1000}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
