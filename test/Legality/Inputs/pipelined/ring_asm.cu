// Four stages by assembly; the stage is a number that starts again.
#define CP_ASYNC(dst, src) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(dst), "l"(src))
#define CP_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_WAIT(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))
__global__ void k(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  extern __shared__ float4 pool[];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int s = 0; s < 3; ++s) {
    unsigned to = (unsigned)__cvta_generic_to_shared(pool + s * 64 + i);
    CP_ASYNC(to, in + s * 64 + i);
    CP_COMMIT();
  }
  int read = 0, write = 3;
  for (int t = 0; t < n; ++t) {
    CP_WAIT(2);
    __syncthreads();
    const float4 *tile = pool + read * 64;
    for (int j = 0; j < 64; ++j) sum += tile[j ^ i].x;
    unsigned to = (unsigned)__cvta_generic_to_shared(pool + write * 64 + i);
    if (t + 3 < n) CP_ASYNC(to, in + (t + 3) * 64 + i);
    CP_COMMIT();
    if (++read == 4) read = 0;
    if (++write == 4) write = 0;
  }
  out[blockIdx.x * 64 + i] = sum;
}
