template <class T, bool Half> struct Reader {
  static __device__ void read(const T *from, int i, T &v) { v = Half ? from[i] / 2 : from[i]; }
};
template <class T, bool Half> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int n) {
  __shared__ T s[64], u[64];
  const int x = threadIdx.x;
  T sum = 0;
  for (int t = 0; t < n; ++t) {
    T v;
    Reader<T, Half>::read(in, t * 128 + x, v);
    s[x] = v;
    T w = x;
    if (x < 33)
      Reader<T, !Half>::read(in, t * 128 + 64 + x, w);
    u[x] = w;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.75f + s[j] - u[(j * x) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
template __global__ void k<float, true>(const float *, float *, int);
template __global__ void k<double, false>(const double *, double *, int);
/* launch
kernel: k<float, true>
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n * 128 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
