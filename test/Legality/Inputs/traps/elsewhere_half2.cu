// Copied by a function of its own, which CUDA's headers say does nothing else; elsewhere there are plain numbers.
#include <cuda_fp16.h>
template <class T> __global__ void k(const T *__restrict__ src, T *__restrict__ out, int tiles) {
  __shared__ T S[64];
  const int tx = threadIdx.x;
  T acc = src[tx];
  for (int t = 0; t < tiles; ++t) {
    S[tx] = src[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc + S[(i + tx) & 63];
    __syncthreads();
  }
  out[tx] = acc;
}
template __global__ void k<__half2>(const __half2 *, __half2 *, int);

/* elsewhere
template __global__ void k<double>(const double *, double *, int);
*/
/* launch
kernel: k<double>
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {buffer: double, count: 64 * tiles, role: input}
  - {buffer: double, count: 64, role: output}
  - {value: tiles}
*/
// ASYNC: static_assert(std::is_trivially_copyable<T>::value || std::is_same<T, __half2>::value,
// LDG: static_assert(std::is_trivially_copyable<T>::value || std::is_same<T, __half2>::value,
