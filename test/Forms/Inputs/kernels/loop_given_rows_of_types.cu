// The kernel is a template, too; rows are given.
template <class T> __device__ void walk(const T *in, int n, T (*s)[17], T &sum) {
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x / 16][threadIdx.x % 16] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum = sum * T(3) + s[j % 4][(j + threadIdx.x) % 16];
    __syncthreads();
  }
}
template <class T> __global__ void __launch_bounds__(64) k(const T *in, T *out, int n) {
  __shared__ T p[4][17], q[9][17];
  T x = 0, y = 0;
  walk<T>(in, n, p, x);
  walk<T>(in + 3, n, q + 4, y);
  out[threadIdx.x] = x - y;
}
template __global__ void k<float>(const float *, float *, int);
template __global__ void k<double>(const double *, double *, int);
/* launch
kernel: k<float>
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
