// The same with pointers that are exchanged.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float pool[128];
  const int i = threadIdx.x;
  float *now = pool, *then = pool + 64;
  float sum = 0.f;
  now[i] = in[i];
  __syncthreads();
  for (int t = 1; t <= n; ++t) {
    if (t < n)
      then[i] = in[t * 64 + i];
    for (int j = 0; j < 64; ++j) sum += now[j ^ i];
    float *other = now;
    now = then;
    then = other;
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
