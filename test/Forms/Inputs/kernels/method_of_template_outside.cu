// The loop is in a method that is defined outside of the template of its class.
template <typename T> struct Sum {
  const T *in;
  __device__ T of(int tiles) const;
};
template <typename T> __device__ T Sum<T>::of(int tiles) const {
  __shared__ T tile[64];
  const int tx = threadIdx.x;
  T sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 128 + blockIdx.x * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * T(0.5) + tile[(i + tx) & 63];
    __syncthreads();
  }
  return sum;
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) { out[blockIdx.x * 64 + threadIdx.x] = Sum<float>{in}.of(tiles); }
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 128 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
