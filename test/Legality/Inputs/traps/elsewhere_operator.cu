// Another element's sum counts how many were made before it.
__device__ int made;
template <class T> __global__ void k(const T *__restrict__ a, const T *__restrict__ b, float *__restrict__ out, int tiles) {
  __shared__ T S[64];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < tiles; ++t) {
    S[tx] = a[t * 64 + tx] + b[tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc * 0.5f + float(S[(i + tx) & 63]);
    if (tx == 0)
      made = t;
    __syncthreads();
  }
  out[tx] = acc;
}
template __global__ void k<float>(const float *, const float *, float *, int);

/* elsewhere
struct Numbered {
  float v;
  __device__ explicit operator float() const { return v; }
};
__device__ Numbered operator+(const Numbered &x, const Numbered &y) { return {x.v + y.v * made}; }
template __global__ void k<Numbered>(const Numbered *, const Numbered *, float *, int);
*/
/* launch
kernel: k<Numbered>
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: 64 * tiles, role: input}
  - {buffer: float, count: 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: tiles}
*/
