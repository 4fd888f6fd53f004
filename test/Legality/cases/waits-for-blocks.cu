// Waiting for other blocks where it does not stand in a loop's condition of the kernel itself.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t/called --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/variable --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/cooperative --refused=ldg,ldg-single,cp-async -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/any-launch --refused=ldg,ldg-single,cp-async -- %cpr
//--- called/bad.cu
__device__ void arrive(int *count, int blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    while (*(volatile int *)count < blocks)
      ;
  }
  __syncthreads();
}
__global__ void passes(const float *__restrict__ in, float *__restrict__ out, int *count, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  arrive(count, gridDim.x); // refused: co-resident
  out[threadIdx.x] = sum;
}
//--- called/good.cu
__device__ void arrive(int *count, int blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
  }
  __syncthreads();
}
__global__ void passes(const float *__restrict__ in, float *__restrict__ out, int *count, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  arrive(count, gridDim.x);
  out[threadIdx.x] = sum;
}
//--- variable/bad.cu
__global__ void follows(const float *__restrict__ in, float *__restrict__ out, volatile int *ready, int tiles) {
  __shared__ float tile[128];
  int seen = 0;
  do {
    seen = *ready;
  } while (seen < 1); // refused: co-resident
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- variable/good.cu
__global__ void follows(const float *__restrict__ in, float *__restrict__ out, volatile int *ready, int tiles) {
  __shared__ float tile[128];
  int seen = 0;
  do {
    seen += 1;
  } while (seen < 1);
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- cooperative/bad.cu
__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: co-resident
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
void run(void **arguments) {
  cudaLaunchCooperativeKernel((void *)sums, dim3(8), dim3(128), arguments);
}
//--- cooperative/good.cu
__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
void run(void **arguments) {
  cudaLaunchKernel((void *)sums, dim3(8), dim3(128), arguments);
}
//--- any-launch/bad.cu
__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: co-resident
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
void run(void **arguments) {
  const void *kernel = (const void *)sums;
  cudaLaunchCooperativeKernel(kernel, dim3(8), dim3(128), arguments);
}
//--- any-launch/good.cu
__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
void run(void **arguments) {
  const void *kernel = (const void *)run;
  cudaLaunchCooperativeKernel(kernel, dim3(8), dim3(128), arguments);
}
