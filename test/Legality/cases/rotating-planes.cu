// Three planes rotate through shared memory: what this turn loads becomes the next turn's lower neighbour. With one
// buffer it is still there when it is moved; with two it would be in the other one.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void laplace(const float *__restrict__ u, float *__restrict__ out, int planes) {
  __shared__ float plane[2][128];
  float sum = 0.0f;
  for (int z = 0; z < planes; ++z) {
    plane[0][threadIdx.x] = z ? plane[1][threadIdx.x] : 0.0f; // refused: load-reads-shared
    plane[1][threadIdx.x] = u[z * 128 + threadIdx.x];
    __syncthreads();
    sum += plane[0][127 - threadIdx.x] - plane[1][threadIdx.x ^ 1];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void laplace(const float *__restrict__ u, float *__restrict__ out, int planes) {
  __shared__ float plane[2][128];
  float sum = 0.0f;
  for (int z = 0; z < planes; ++z) {
    plane[0][threadIdx.x] = z ? u[z * 128 - 128 + threadIdx.x] : 0.0f;
    plane[1][threadIdx.x] = u[z * 128 + threadIdx.x];
    __syncthreads();
    sum += plane[0][127 - threadIdx.x] - plane[1][threadIdx.x ^ 1];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
