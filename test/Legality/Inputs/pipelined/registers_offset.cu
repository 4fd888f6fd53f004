// The stage is an offset into one array, which is turned over.
__global__ void k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 pool[128];
  const int i = threadIdx.x;
  float sum = 0.f;
  float4 next;
  pool[i] = in[i];
  __syncthreads();
  unsigned offset = 0;
  for (int t = 1; t <= n; ++t) {
    if (t < n) next = in[t * 64 + i];
    for (int j = 0; j < 64; ++j) sum += pool[offset + (j ^ i)].y;
    offset ^= 64;
    if (t < n) pool[offset + i] = next;
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
