#include <cuda_pipeline.h>

// In place, and each block reads what the other one writes: who runs first decides. No rewrite can be to blame for it.
__global__ void halo(float *a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const float left = i > 0 ? a[i - 1] : 0.0f, right = i + 1 < n ? a[i + 1] : 0.0f, here = a[i];
  __syncthreads();
  a[i] = 0.25f * left + 0.5f * here + 0.25f * right;
}

// A barrier of half of the block.
__global__ void half_of_them(float *a) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (blockIdx.x != 0)
    return;
  if (t < 32) {
    s[t] = a[t];
    asm volatile("bar.sync 1, 32;" ::: "memory");
    a[t] = s[31 - t];
    asm volatile("bar.sync 1, 32;" ::: "memory");
    s[t] = 1.0f;
  } else {
    a[t] = 2.0f;
  }
}

// What a block writes another one has read, and this one as well.
__global__ void read_before(float *a) {
  const float v = threadIdx.x == 0 ? a[5] : 0.0f;
  if (blockIdx.x == 1 && threadIdx.x == 0)
    a[5] = v + 1.0f;
  a[64 + blockIdx.x * 64 + threadIdx.x] = v;
}

// The copy may read its source as late as at the wait, which nothing orders in front of the other thread's write.
__global__ void source(float *a) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (blockIdx.x != 0)
    return;
  if (t == 0)
    __pipeline_memcpy_async(&s[0], &a[3], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (t == 40)
    a[3] = 1.0f;
  __syncthreads();
  a[64 + t] = s[0];
}

// The plain write of the first thread is ordered in front of the atomic one of the second, and of nobody else's.
__global__ void behind_an_atomic(int *n) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (blockIdx.x != 0)
    return;
  if (t == 0)
    count = 0;
  if (t < 32)
    __syncwarp();
  atomicAdd(&count, 1);
  __syncthreads();
  n[t] = count;
}
