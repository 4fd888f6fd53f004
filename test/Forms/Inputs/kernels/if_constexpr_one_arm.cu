// a tile that one instantiation alone fills, and that has one element in the other
template <bool Weighted>
__global__ void sums(const float *__restrict__ in, const float *__restrict__ weights, float *__restrict__ out, int n) {
  __shared__ float values[64];
  __shared__ float w[Weighted ? 64 : 1];
  const int x = threadIdx.x;
  float sum = 0.f;
  for (int first = 0; first < n; first += 64) {
    __syncthreads();
    if constexpr (Weighted)
      w[x] = weights[first + x];
    values[x] = in[first + x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      float v = values[(x + i) & 63];
      if constexpr (Weighted)
        v *= w[i];
      sum = sum * 0.5f + v;
    }
  }
  out[blockIdx.x * 64 + x] = sum;
}
void run(const float *in, const float *weights, float *out, int n, bool weighted) {
  if (weighted)
    sums<true><<<2, 64>>>(in, weights, out, n);
  else
    sums<false><<<2, 64>>>(in, weights, out, n);
}
/* launch
kernel: sums<true>
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n, role: input}
  - {name: weights, buffer: float, count: n, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, value: n}
*/
