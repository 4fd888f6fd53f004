// How it is accessed, and so how it is aligned, a trait says.
template <class T> struct Length {
  using Wide = float2;
};
template <> struct Length<int> {
  using Wide = int4;
};
template <typename T> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int tiles) {
  __shared__ T s[66];
  const int tx = threadIdx.x;
  T acc = T(0);
  for (int t = 0; t < tiles; ++t) {
    s[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      const auto v = *(const typename Length<T>::Wide *)&s[i * (sizeof(typename Length<T>::Wide) / 4)];
      acc = acc * T(3) + v.x + v.y;
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
template __global__ void k<float>(const float *, float *, int);

/* elsewhere
template __global__ void k<int>(const int *, int *, int);
*/
/* launch
kernel: k<int>
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {buffer: int, count: 64 * tiles + 64, role: input}
  - {buffer: int, count: 128, role: output}
  - {value: tiles}
*/
