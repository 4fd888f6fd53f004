// The stage that was read last is the one that is filled next.
__global__ void k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  constexpr int kStages = 4;
  extern __shared__ float4 smem[];
  const int i = threadIdx.x;
  float sum = 0.f;
  int fetched = 0;
  for (int s = 0; s < kStages - 1; ++s, ++fetched) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(smem + s * 64 + i)), "l"(in + s * 64 + i));
    asm volatile("cp.async.commit_group;");
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2));
  __syncthreads();
  int pipe_read = 0, pipe_write = kStages - 1;
  for (int t = 0; t < n; ++t) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(smem + pipe_write * 64 + i)), "l"(in + fetched * 64 + i));
    asm volatile("cp.async.commit_group;");
    for (int j = 0; j < 64; ++j) sum += smem[pipe_read * 64 + (j ^ i)].x;
    pipe_write = pipe_read;
    pipe_read = pipe_read == kStages - 1 ? 0 : pipe_read + 1;
    ++fetched;
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2));
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
