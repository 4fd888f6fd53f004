// Three planes: a turn ends with the roles of two of them and the load of one, as far down as there is one.
__global__ void __launch_bounds__(64) load_ends_turn_ring(const float *__restrict__ in, float *out, int planes) {
  __shared__ float plane[3][66];
  __shared__ float folded[2];
  int low = 0, mid = 1, high = 2;
  const float *__restrict__ next = in;
  for (int p = 0; p < 3; ++p) {
    plane[p][threadIdx.x + 1] = next[threadIdx.x];
    if (threadIdx.x < 2)
      plane[p][threadIdx.x * 65] = 0;
    next += 64;
  }
  __syncthreads();
  float worst = 0;
  for (unsigned z = planes; z > 3; --z) {
    float v = plane[low][threadIdx.x + 1] + plane[mid][threadIdx.x] + plane[mid][threadIdx.x + 2] - plane[high][threadIdx.x + 1];
    for (int i = 0; i < 8; ++i)
      worst = worst * 0.5f + v * plane[mid][i + 1];
    __syncthreads();
    const int last = low;
    low = mid, mid = high;
    high = last;
    plane[last][threadIdx.x + 1] = next[threadIdx.x];
    next += 64;
    __syncthreads();
  }
  if (threadIdx.x < 2)
    folded[threadIdx.x] = worst;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = folded[0] + folded[1] * worst;
}
