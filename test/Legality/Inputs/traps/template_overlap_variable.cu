// A variable template says how far apart two copies are.
template <class T> constexpr int Apart = 64;
template <> constexpr int Apart<double> = 0;
template <typename T> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int tiles) {
  __shared__ T s[128];
  const int tx = threadIdx.x;
  T acc = T(0);
  for (int t = 0; t < tiles; ++t) {
    s[tx] = in[t * 64 + tx];
    s[tx + Apart<T>] = in[t * 64 + tx + 64];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc * T(3) + s[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
template __global__ void k<float>(const float *, float *, int);
template __global__ void k<int>(const int *, int *, int);

/* elsewhere
template __global__ void k<double>(const double *, double *, int);
*/
/* launch
kernel: k<double>
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {buffer: double, count: 64 * tiles + 320, role: input}
  - {buffer: double, count: 128, role: output}
  - {value: tiles}
*/
