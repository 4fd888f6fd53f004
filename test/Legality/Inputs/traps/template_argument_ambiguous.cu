// A directive in the function makes the argument's name ambiguous where the static_assert would say it.
struct P { float a; __device__ static float get(const float *p) { return *p; } };
namespace nn { struct P { double z; }; }
template <class T, int N> __global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  using namespace nn; const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    S[tx] = T::get(&A[t * 64 + tx]);
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.98f + S[(i + tx) & 63];
    __syncthreads();
  }
  out[tx] = acc;
}
template __global__ void k<::P, 3>(const float *__restrict__, float *__restrict__, int);
/* launch
kernel: "k<P, 3>"
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: A, buffer: float, count: 64 * (tiles + 8), role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
