// Three planes of a volume in a ring; the newest is loaded, then all of them are read.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float plane[3][64];
  const int i = threadIdx.x;
  plane[0][i] = in[i];
  plane[1][i] = in[64 + i];
  float sum = 0.f;
  for (int z = 0; z < n; ++z) {
    plane[(z + 2) % 3][i] = in[(z + 2) * 64 + i];
    __syncthreads();
    sum += plane[z % 3][63 - i] + plane[(z + 1) % 3][i] + plane[(z + 2) % 3][63 - i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
