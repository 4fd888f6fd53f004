// Rule 1: what ordinary kernels make their trip counts of is the same for all threads of the block.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused= --legal=ldg,cp-async -- %cpr
//--- good.cu
struct Sizes {
  int first, count;
  __host__ __device__ int last() const { return first + count; }
};
template <typename T, int N> __host__ __device__ constexpr int length(const T (&)[N]) { return N; }
__host__ __device__ constexpr int ceilDiv(int a, int b) { return (a + b - 1) / b; }
__device__ int clamped(int n) {
  int half = (2 * n + 1) / 2;
  auto less = [&] { return min(half, 100); };
  return less();
}
struct Counter {
  int n;
  __device__ void add(int v) { n += v; }
};
struct Out {
  float *p;
  __device__ float &operator[](int i) const { return p[i]; }
};

__global__ void values(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f, more[4] = {0.0f};
  Sizes sizes = {int(blockIdx.x), tiles};
  Counter counter = {0};
  counter.add(tiles);
  const int &count = sizes.count;
  const dim3 block(128, 1, 1);
  auto rounded = [](int a, int b) { return ceilDiv(a, b) * b; };
  auto all = [&] { return min(count, counter.n); };
  int end = clamped(min(all(), sizes.last()));
  Out out = {y};
  out[threadIdx.x] = 0.0f;
  end = rounded(end, ceilDiv(block.x, 128));
  for (int t = 0; t < end; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < length(more); ++i)
      more[i] += part[127 - threadIdx.x] * i;
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum + more[0] + more[1] + more[2] + more[3];
}
