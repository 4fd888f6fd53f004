// What the break asks for is made of the template's number, and other numbers are made of it in front of the break.
template <int M>
__global__ void __launch_bounds__(64) break_of_template_number(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    const int begin = t * M;
    const int end = min(begin + M, n), length = begin + M > n ? n - begin : M;
    if (begin >= n)
      break;
    tile[threadIdx.x] = begin + (int)threadIdx.x < end ? in[begin + threadIdx.x] : 0.f;
    __syncthreads();
    for (int i = 0; i < length; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
template __global__ void break_of_template_number<64>(const float *, float *, int, int);
template __global__ void break_of_template_number<32>(const float *, float *, int, int);
