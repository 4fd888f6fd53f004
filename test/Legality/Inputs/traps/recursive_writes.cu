// A function of numbers that calls itself writes what is loaded.
__device__ float table[1024];
__device__ int lg(int n, int p) { if (n <= 1) { table[threadIdx.x + 64] += 1.f; return p; } return lg(n / 2, p + 1); }

__global__ void k(float *in, float *out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  table[tx] = 1.f;
  table[tx + 64] = 1.f;
  __syncthreads();
  for (int t = 0; t < n; t += 64) {
    tile[tx] = table[(t & 64) + tx] + in[tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    sum += lg(8, 0);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
