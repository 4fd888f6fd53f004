// How long the aligned array is a trait says.
template <class T> struct Length {
  static constexpr int N = 64;
  using Wide = float2;
};
template <> struct Length<double> {
  static constexpr int N = 65;
  using Wide = double2;
};
template <typename T> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int tiles) {
  __shared__ alignas(16) T s[Length<T>::N];
  const int tx = threadIdx.x;
  T acc = T(0);
  for (int t = 0; t < tiles; ++t) {
    if (tx < 16)
      *(float4 *)&s[tx * (16 / sizeof(T))] = *(const float4 *)&in[t * 64 + tx * (16 / sizeof(T))];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      acc = acc * T(3) + s[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
template __global__ void k<float>(const float *, float *, int);

/* elsewhere
template __global__ void k<double>(const double *, double *, int);
*/
/* launch
kernel: k<double>
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {buffer: double, count: 64 * tiles + 64, role: input}
  - {buffer: double, count: 128, role: output}
  - {value: tiles}
*/
