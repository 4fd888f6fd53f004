// The same by a copy of its bytes.
struct Matrix;
struct Row {
  Matrix &of;
  const float *p;
  __device__ Row(Matrix &m, const float *q) : of(m), p(q) {}
  __device__ const float &operator[](int i) const;
  __device__ void next();
};
struct Matrix {
  const float *p;
  int off, width;
  __device__ Row operator[](int r) { return Row(*this, p + r * width); }
  __device__ int size() const { return width; }
};
__device__ inline const float &Row::operator[](int i) const { return p[i + of.off]; }
__device__ inline void Row::next() { of.off += 1; }
struct Raw { Matrix *of; const float *p; };

__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  Matrix m{in, 0, 512};
  auto row = m[blockIdx.x];
  for (int t = 0; t < n; t += 64) {
    tile[tx] = row[t + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    __builtin_bit_cast(Raw, row).of->off += 1;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 192}, {n: 448}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 2048, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
