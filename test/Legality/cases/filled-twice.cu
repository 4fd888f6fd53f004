// One tile is filled twice in a turn, with four barriers: the second filling is part of the compute phase, which writes
// the tile. With one buffer the first filling can still be fetched ahead.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single "--count=act:n * 256" "--count=w:n * 2" "--larger=a phase less is four statements" -- %cpr
//--- bad.cu
__global__ void quantised(const signed char *__restrict__ w, const int *__restrict__ act, int *__restrict__ out, int n) {
  __shared__ int ys[128];
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    ys[threadIdx.x] = act[i * 256 + threadIdx.x];
    __syncthreads();
    sum += ys[127 - threadIdx.x] * w[i * 2];
    __syncthreads();
    ys[threadIdx.x] = act[i * 256 + 128 + threadIdx.x]; // refused: tile-written
    __syncthreads();
    sum -= ys[127 - threadIdx.x] * w[i * 2 + 1];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void quantised(const signed char *__restrict__ w, const int *__restrict__ act, int *__restrict__ out, int n) {
  __shared__ int ys[128];
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    ys[threadIdx.x] = act[i * 256 + threadIdx.x];
    __syncthreads();
    sum += ys[127 - threadIdx.x] * w[i * 2];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
