// Another element has the size of a copy and less alignment.
template <typename T> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int tiles) {
  __shared__ T s[64];
  const int tx = threadIdx.x;
  T last;
  for (int t = 0; t < tiles; ++t) {
    s[tx] = in[t * 64 + tx];
    __syncthreads();
    last = s[63 - tx];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = last;
}
template __global__ void k<float>(const float *, float *, int);
template __global__ void k<double>(const double *, double *, int);

/* elsewhere
struct Pair { float a, b; };
template __global__ void k<Pair>(const Pair *, Pair *, int);
*/
/* launch
kernel: k<Pair>
cases: [{tiles: 1}, {tiles: 2}, {tiles: 3}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: 128 * tiles + 2, offset: 1, role: input}
  - {buffer: float, count: 258, offset: 1, role: output}
  - {value: tiles}
*/
