/* launch
kernel: one
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 5}]
grid: 2
block: 128
new_shared: 30000
arguments:
  - {buffer: float, count: 7000 * (T + 1), role: input}
  - {buffer: float, count: 256, role: output}
  - {value: T}
*/
// Launches whose size is not changed: the kernel runs its loop as it was.
__device__ float turn(float sum, const float *tile) {
  for (int k = 0; k < 7000; k += 31)
    sum = sum * 0.5f + tile[(k + threadIdx.x) % 7000];
  return sum;
}
__global__ void one(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[7000];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < 7000; i += 128)
      tile[i] = in[t * 7000 + i];
    __syncthreads();
    sum = turn(sum, tile);
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
__global__ void two(const float *in, float *out) { out[threadIdx.x] = in[0]; }
__global__ void two(const double *in, double *out, int tiles) {
  __shared__ double tile[4000];
  double sum = 0;
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < 4000; i += 128)
      tile[i] = in[t * 4000 + i];
    __syncthreads();
    for (int k = 0; k < 4000; k += 31)
      sum += tile[(k + threadIdx.x) % 4000];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
#define LAUNCH(kernel, ...) kernel<<<2, 128>>>(__VA_ARGS__)
void launches(const float *in, float *out, const double *from, double *to, int tiles, int bytes) {
  LAUNCH(one, in, out, tiles);
  one<<<2, 128, bytes>>>(in, out, tiles);
  two<<<1, 128>>>(from, to, tiles);
  if (tiles)
    one<<<2, 128>>>(in, out, tiles);
}

// ASYNC: LAUNCH(one, in, out, tiles);
// ASYNC-NEXT: one<<<2, 128, bytes>>>(in, out, tiles);
// ASYNC-NEXT: two<<<1, 128>>>(from, to, tiles);
// ASYNC-NEXT: if (tiles)
// ASYNC-NEXT: one<<<2, 128, cudaFuncSetAttribute(one, cudaFuncAttributeMaxDynamicSharedMemorySize, 28000) == cudaSuccess ? 28000 : (cudaGetLastError(), 0)>>>(in, out, tiles);
