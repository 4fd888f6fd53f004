// The body reads the tile and then overwrites it, for the threads that come next: a write after a read, carried around
// the loop's end.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void exchange(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float slot[4][32];
  float sum = 0.0f;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < n; ++i) {
    slot[warp][lane] = in[i * 128 + threadIdx.x];
    __syncthreads();
    float mine = slot[warp][31 - lane];
    __syncwarp();
    slot[warp][lane] = mine * 2.0f; // refused: tile-written
    __syncwarp();
    sum += slot[warp][lane ^ 1];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void exchange(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float slot[4][32];
  float sum = 0.0f;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < n; ++i) {
    slot[warp][lane] = in[i * 128 + threadIdx.x];
    __syncthreads();
    float mine = slot[warp][31 - lane];
    __syncwarp();
    sum += mine * 2.0f;
    __syncwarp();
    sum += slot[warp][lane ^ 1];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
