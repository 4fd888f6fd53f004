// Sums of products that need nothing of the tile may be fused or not: the report names it.
// RUN: %python %S/Inputs/assumed.py %s %cpr
__device__ float blend(float old, float item) { return old * 0.75f + item; }
template <int N> __device__ float last(const float (&tile)[N], float by) { return by * tile[N - 1] + 1.0f; }

__global__ void kernels(const float *__restrict__ in, float *__restrict__ out, int n, float w) {
  __shared__ float s[64];
  int tx = threadIdx.x;
  float sum = 0, other = 0;
  double wide = 0;
  int count = 0;
  for (int t = 0; t < n; ++t) {
    s[tx] = in[t * 64 + tx];
    __syncthreads();
    // COMPUTE
    __syncthreads();
  }
  out[tx] = sum + other + float(wide) + count;
}
// contraction: sum = sum * 0.99f + s[63 - tx];
// contraction: sum = s[63 - tx] - other * w;
// contraction: sum += w * 0.5f; other += s[63 - tx];
// contraction: float old = sum * w; sum = old + s[63 - tx];
// contraction: sum *= w; sum += s[63 - tx];
// contraction: for (int j = 0; j < 64; ++j) sum = (sum * 0.99f) + s[j];
// contraction: sum = blend(sum, s[63 - tx]);
// contraction: wide = wide * 0.5 + s[63 - tx];
// none: sum += s[63 - tx];
// none: sum += s[63 - tx] * s[tx];
// none: sum += s[63 - tx] * w;
// none: sum = (sum + s[63 - tx]) * w;
// none: float item = s[63 - tx]; sum += item * w;
// none: count = count * 3 + (s[63 - tx] > 0);
// none: sum = fmaf(sum, 0.99f, s[63 - tx]);
// none: sum = blend(s[tx], s[63 - tx]);
// none: sum += last(s, s[tx]);
// none: wide = (double)(s[63 - tx] * 2.0f) + wide;
