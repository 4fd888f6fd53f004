// One warp loads, the others compute; the stages are named.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float first[256], second[256];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float *now = first, *then = second;
  float sum = 0.f;
  for (int j = lane; warp == 0 && j < 256; j += 32) now[j] = in[j];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    if (warp == 0) {
      for (int j = lane; j < 256; j += 32) then[j] = in[(t + 1) * 256 + j];
    } else {
      for (int j = 0; j < 256; ++j) sum += now[j];
    }
    __syncthreads();
    float *swap = now;
    now = then;
    then = swap;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
