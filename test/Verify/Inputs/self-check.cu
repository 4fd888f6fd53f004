// Kernels that differ in what running them can show.

// The copy is guarded: what a guard that is left out would do shows at the end of the data.
__global__ void guarded(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int t = 0; t < n; t += 64) {
    tile[threadIdx.x] = t + threadIdx.x < n ? in[t + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + threadIdx.x) % 64];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// In a function that a kernel calls.
__device__ float summed(const float *__restrict__ in, float *tile, int tiles) {
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum = sum * 0.5f + tile[(i + threadIdx.x) % 128];
    __syncthreads();
  }
  return sum;
}
__global__ void calling(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  out[blockIdx.x * 128 + threadIdx.x] = summed(in, tile, tiles);
}

// Nothing instantiates it.
template <class V> __global__ void nobody(const V *__restrict__ in, V *__restrict__ out, int tiles) {
  __shared__ V tile[256];
  V sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 256 + threadIdx.x];
    __syncthreads();
    sum += tile[255 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// It uses what only the linker finds.
extern __device__ float elsewhere(float);
__global__ void linked(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum = sum * 0.5f + tile[(i + threadIdx.x) % 128];
    __syncthreads();
  }
  out[threadIdx.x] = elsewhere(sum);
}
