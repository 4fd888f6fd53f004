// A break behind a number that is converted to another integer type.
template <unsigned C>
__global__ void break_converted(const int *__restrict__ index, const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[C];
  float sum = 0;
  for (int t = 0; t < (n + int(C) - 1) / int(C); ++t) {
    __syncthreads();
    for (int i = threadIdx.x; i < C; i += 64) {
      const int at = t * C + i;
      if (at >= n)
        break;
      tile[i] = in[index[at]];
    }
    __syncthreads();
    const int rows = min(int(C), n - t * int(C));
    for (int i = 0; i < rows; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
void run(const int *index, const float *in, float *out, int n) { break_converted<128><<<2, 64>>>(index, in, out, n); }
