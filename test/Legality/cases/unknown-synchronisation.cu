// A function that is defined elsewhere may synchronise: no load is hoisted over it.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
extern __device__ void teamWait(int);
__device__ inline void spin(int) {}
__global__ void consume(const float4 *__restrict__ queue, float *__restrict__ out, int messages) {
  __shared__ float4 message[128];
  float sum = 0.0f;
  for (int m = 0; m < messages; m++) {
    message[threadIdx.x] = queue[m * 128 + threadIdx.x];
    __syncthreads();
    sum += message[127 - threadIdx.x].y;
    teamWait(m); // refused: unknown-call
    // says: 'teamWait'
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
extern __device__ void teamWait(int);
__device__ inline void spin(int) {}
__global__ void consume(const float4 *__restrict__ queue, float *__restrict__ out, int messages) {
  __shared__ float4 message[128];
  float sum = 0.0f;
  for (int m = 0; m < messages; m++) {
    message[threadIdx.x] = queue[m * 128 + threadIdx.x];
    __syncthreads();
    sum += message[127 - threadIdx.x].y;
    spin(m);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
