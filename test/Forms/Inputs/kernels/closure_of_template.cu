// closures of a template, for several types
template <class T, int B> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int n) {
  __shared__ T s[B];
  const int x = threadIdx.x;
  T sum = 0;
  for (int t = 0; t < n; t += B) {
    const auto at = [&](int i) { return t + i < n ? in[t + i] : T(0); };
    s[x] = at(x);
    __syncthreads();
    const auto part = [&](auto i) { return s[(x + i) % B] * T(i); };
    for (int i = 0; i < B; ++i)
      sum = sum * T(3) + part(i);
    __syncthreads();
  }
  out[blockIdx.x * B + x] = sum;
}
template __global__ void k<float, 64>(const float *, float *, int);
template __global__ void k<int, 64>(const int *, int *, int);
template __global__ void k<double, 32>(const double *, double *, int);
/* launch
kernel: k<int, 64>
cases: [{n: 0}, {n: 64}, {n: 100}, {n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: int, count: 1024, role: input}
  - {name: out, buffer: int, count: 1024, role: output}
  - {name: n, value: n}
*/
