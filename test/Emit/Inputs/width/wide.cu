// Copies of neighbours, in the forms that programs have.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int BM = 32, BK = 32, THREADS = 64;

// Guarded bytes with zeros behind the edges; the rows are K bytes apart.
__global__ void __launch_bounds__(THREADS) bytes(const int8_t *A, int *out, int M, int K) {
  __shared__ int8_t As[BM][BK];
  const int tid = threadIdx.x, row0 = blockIdx.x * BM;
  int sum = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    // Rows of A.
    for (int i = tid; i < BM * BK; i += THREADS) {
      const int r = i / BK, c = i % BK;
      As[r][c] = (row0 + r < M && k0 + c < K) ? A[(row0 + r) * K + k0 + c] : 0;
    }
    __syncthreads();
    for (int c = 0; c < BK; ++c)
      sum += As[tid % BM][c] * (c + 1);
    __syncthreads();
  }
  out[blockIdx.x * THREADS + tid] = sum;
}

// Turns of a loop that is unrolled, an array of one dimension, a type that is a parameter.
template <typename T, int N> __global__ void turns(const T *in, T *out, int tiles) {
  __shared__ T tile[N];
  T sum = T(0);
  for (int t = 0; t < tiles; ++t) {
#pragma unroll
    for (int i = 0; i < N / THREADS; ++i) {
      const int n = i * THREADS + threadIdx.x;
      tile[n] = in[t * N + n];
    }
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      sum += tile[(threadIdx.x * 5 + i) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void turns<short, 1024>(const short *, short *, int);

struct Shape {
  int rows, pitch;
};

// A block of two dimensions, the header's own step, a pitch in a structure, branches.
__global__ void planes(const __half *in, float *out, Shape shape, int tiles) {
  __shared__ __half tile[16][64];
  const int tid = threadIdx.y * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    for (int first = 0; first < 16 * 64; first += 128) {
      int n = first + tid;
      int r = n >> 6, c = n & 63;
      if (r < shape.rows && t * 64 + c < shape.pitch)
        tile[r][c] = in[r * shape.pitch + t * 64 + c];
      else
        tile[r][c] = __float2half(0.f);
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += __half2float(tile[tid % 16][i]);
    __syncthreads();
  }
  out[tid] = sum;
}

// As many threads as there are, two tiles in one loop, a pointer that is stepped, __ldg.
__global__ void strided(const float *__restrict__ x, const float *__restrict__ y, float *out,
                        int tiles) {
  __shared__ float xs[256], ys[256];
  float sum = 0;
  const float *from = y + blockIdx.x * 256;
  for (int t = 0; t < tiles; ++t, from += 256) {
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {
      xs[i] = __ldg(&x[t * 256 + i]);
      ys[i] = from[i];
    }
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += xs[threadIdx.x % 64 + i] * ys[i];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Rows of the tile that are multiples of 8 bytes and no more.
__global__ void odd_rows(const float *in, double *out, int n) {
  __shared__ float tile[8][34];
  double sum = 0;
  for (int k = 0; k < n; k += 32) {
    for (int i = threadIdx.x; i < 8 * 32; i += 64)
      tile[i / 32][i % 32] = in[(i / 32) * n + k + i % 32];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      sum += tile[threadIdx.x % 8][i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Nothing to be tested: the array says how it is aligned, and the block is known.
__device__ __align__(16) float table[64 * 128];
__global__ void always(float *out) {
  __shared__ float tile[128];
  float sum = 0;
  for (int t = 0; t < 64; ++t) {
    for (int i = threadIdx.x; i < 128; i += blockDim.x)
      tile[i] = table[t * 128 + i];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      sum += tile[(threadIdx.x + i) % 128];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Elements go through variables.
__global__ void through(const __half *in, float *out, int rows, int pitch) {
  __shared__ __half tile[16][32], more[512];
  float sum = 0;
  for (int k = 0; k < pitch; k += 32) {
    for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x) {
      __half v = __float2half(0.f);
      if (i / 32 < rows && k + i % 32 < pitch)
        v = in[i / 32 * pitch + k + i % 32];
      tile[i / 32][i % 32] = v;
      const __half w = in[k * 16 + i];
      more[i] = w;
    }
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      sum += __half2float(tile[threadIdx.x % 16][i]) * __half2float(more[i]);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
