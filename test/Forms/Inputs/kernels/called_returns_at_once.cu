// What is asked is the same for all threads in all turns; then nothing is loaded, and the tile keeps what it had.
struct Given {
  int off;
  __device__ explicit operator bool() const { return off == 0; }
  __device__ bool operator!() const { return off > 100; }
};
template <int N, typename C>
__device__ void load(float *s, const float *__restrict__ g, C on, int some) {
  if (!static_cast<bool>(on)) // the class has another '!'
    return;
  if (some < 0) return; /* never */
#pragma unroll
  for (int i = threadIdx.x; i < N; i += 64)
    s[i] = g[i];
}
template <int N>
__global__ void __launch_bounds__(64) called_returns_at_once(const float *__restrict__ a, float *__restrict__ out, int n, int off) {
  __shared__ float s[N];
  const Given given = {off};
  for (int i = threadIdx.x; i < N; i += 64)
    s[i] = i;
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    load<N>(s, a + t, given, n);
    __syncthreads();
    for (int i = 0; i < N; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void called_returns_at_once<128>(const float *, float *, int, int);
/* launch
kernel: called_returns_at_once<128>
cases: [{n: 0, off: 0}, {n: 128, off: 1}, {n: 256, off: 0}, {n: 384, off: 0}, {n: 640, off: 1}, {n: 640, off: 0}, {n: 640, off: 101}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
  - {value: off}
*/
