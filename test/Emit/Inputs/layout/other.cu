// Builds that this one knows nothing of.
#ifndef W
#define W 32
#endif

#ifdef WIDE
constexpr int ROW = 64;
#else
constexpr int ROW = 32;
#endif
#ifndef REAL
#define REAL float
#endif
using real = REAL;
struct Sizes {
  static constexpr int row = W;
};
__device__ inline int place(int k) {
#ifdef WIDE
  return 2 * k;
#else
  return k;
#endif
}

__global__ void __launch_bounds__(1024) branch(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32][32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x][k];
    __syncthreads();
  }
#ifdef CHECK_ALL
  for (int i = 0; i < 1024; ++i)
    sum += tile[0][i];
#endif
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) number(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32 * 32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.x / 32 * 32 + threadIdx.x % W] = in[t * 1024 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x % 32 * 32 + k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) variable(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32 * ROW];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.x / 32 * ROW + threadIdx.x % 32] = in[t * 1024 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x % 32 * ROW + k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) member(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32 * Sizes::row];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.x / 32 * Sizes::row + threadIdx.x % 32] = in[t * 1024 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x % 32 * Sizes::row + k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) helper(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[1024];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.x / 32 * 32 + threadIdx.x % 32] = in[t * 1024 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x % 32 * 32 + place(k)];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) element(const real *__restrict__ in, real *out, int turns) {
  __shared__ real tile[1024];
  real sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.x / 32 * 32 + threadIdx.x % 32] = in[t * 1024 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x % 32 * 32 + k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) taken(const float *__restrict__ in, float *out, int tile_PITCH) {
  __shared__ float tile[32][32];
  float sum = 0;
  for (int t = 0; t < tile_PITCH; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x][k];
    __syncthreads();
  }
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}

void launch(const float *in, float *out, int turns) {
  branch<<<1, dim3(32, 32)>>>(in, out, turns);
  number<<<1, 1024>>>(in, out, turns);
  variable<<<1, 1024>>>(in, out, turns);
  member<<<1, 1024>>>(in, out, turns);
  helper<<<1, 1024>>>(in, out, turns);
  element<<<1, 1024>>>(in, out, turns);
  taken<<<1, dim3(32, 32)>>>(in, out, turns);
}
