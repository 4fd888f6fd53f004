// The user has both.
__global__ void both(const float *in, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  const bool aligned = reinterpret_cast<size_t>(in) % 16 == 0;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (aligned)
      for (int i = threadIdx.x; i < 64; i += blockDim.x) reinterpret_cast<float4 *>(tile)[i] = reinterpret_cast<const float4 *>(in)[t * 64 + i];
    else
      for (int i = threadIdx.x; i < 256; i += blockDim.x)
        tile[i] = in[t * 256 + i];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += tile[threadIdx.x % 64 + j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
