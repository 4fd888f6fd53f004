// A switch jumps into the loop, past the counter's start.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int r = i * 2;
  switch (n & 64) {
  case 0:
    for (r = i; r < i + n; r += 64) {
    case 64:
      for (int t = 0; t < n; t += 64) {
        tile[i] = in[t + i];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
          sum = sum * 0.98f + tile[(j + i) & 63];

        __syncthreads();
      }
    }
  }
  out[blockIdx.x * 64 + i] = sum;
}
