// Kernels whose launches `verify` has to find by itself: nothing here says how they are launched.
#include <cuda_fp16.h>
#define BLOCK 128

// A struct of sizes and pointers by value.
struct Params {
  const float *a;
  const float *b;
  float *c;
  int m, n, k;
  int lda, ldb, ldc;
  float alpha;
};
__global__ void by_struct(Params p) {
  __shared__ float as[16][17], bs[16][17];
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < p.k; k0 += 16) {
    as[threadIdx.y][threadIdx.x] = row < p.m && k0 + threadIdx.x < p.k ? p.a[row * p.lda + k0 + threadIdx.x] : 0.f;
    bs[threadIdx.y][threadIdx.x] = col < p.n && k0 + threadIdx.y < p.k ? p.b[(k0 + threadIdx.y) * p.ldb + col] : 0.f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k)
      acc += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < p.m && col < p.n)
    p.c[row * p.ldc + col] = p.alpha * acc;
}

// Compressed rows: neighbours in an array of integers bound the loop, another one has indices.
__global__ void csr(const int *__restrict__ rowptr, const int *__restrict__ colidx, const float *__restrict__ vals,
                    const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float v[BLOCK];
  __shared__ int c[BLOCK];
  const int begin = rowptr[blockIdx.x], end = rowptr[blockIdx.x + 1];
  float sum = 0;
  for (int at = begin; at < end; at += BLOCK) {
    const int i = at + threadIdx.x;
    v[threadIdx.x] = i < end ? vals[i] : 0.f;
    c[threadIdx.x] = i < end ? colidx[i] : 0;
    __syncthreads();
    for (int k = 0; k < BLOCK; ++k)
      sum += v[k] * x[c[k] + threadIdx.x];
    __syncthreads();
  }
  y[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

// An array of pointers, one for each problem of a batch.
__global__ void batched(const float *const *__restrict__ inputs, float *const *__restrict__ outputs, int tiles) {
  __shared__ float tile[BLOCK];
  const float *in = inputs[blockIdx.x];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * BLOCK + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < BLOCK; ++k)
      sum = sum * 0.5f + tile[k];
    __syncthreads();
  }
  outputs[blockIdx.x][threadIdx.x] = sum;
}

// Dynamic shared memory, threads of the block as the launch says.
extern __shared__ float pool[];
__global__ void dynamic_nbody(const float4 *__restrict__ pos, float4 *__restrict__ acc, int n) {
  float4 *sh = reinterpret_cast<float4 *>(pool);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = pos[i];
  float3 a = {0, 0, 0};
  for (int j = 0; j < n; j += blockDim.x) {
    sh[threadIdx.x] = pos[j + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      const float4 o = sh[k];
      const float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
      const float d = dx * dx + dy * dy + dz * dz + 0.01f;
      const float w = o.w * rsqrtf(d * d * d);
      a.x += dx * w, a.y += dy * w, a.z += dz * w;
    }
    __syncthreads();
  }
  acc[i] = make_float4(a.x, a.y, a.z, 0);
}

// Half precision, a flag, a stride of its own for each matrix, batches in z.
template <bool Trans>
__global__ void __launch_bounds__(256) hgemm(const __half *A, const __half *B, __half *C, int M, int N, int K, long long strideA,
                                             long long strideB, long long strideC, bool relu) {
  __shared__ __half As[64][16];
  __shared__ __half Bs[16][64];
  A += blockIdx.z * strideA, B += blockIdx.z * strideB, C += blockIdx.z * strideC;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = threadIdx.x; i < 64 * 16; i += 256) {
      const int r = row0 + i / 16, c = k0 + i % 16;
      As[i / 16][i % 16] = r < M && c < K ? A[Trans ? c * M + r : r * K + c] : __float2half(0.f);
    }
    for (int i = threadIdx.x; i < 16 * 64; i += 256) {
      const int r = k0 + i / 64, c = col0 + i % 64;
      Bs[i / 64][i % 64] = r < K && c < N ? B[r * N + c] : __float2half(0.f);
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += __half2float(As[ty * 4 + i][k]) * __half2float(Bs[k][tx * 4 + j]);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int r = row0 + ty * 4 + i, c = col0 + tx * 4 + j;
      if (r < M && c < N)
        C[r * N + c] = __float2half(relu && acc[i][j] < 0 ? 0.f : acc[i][j]);
    }
}
template __global__ void hgemm<false>(const __half *, const __half *, __half *, int, int, int, long long, long long, long long, bool);
template __global__ void hgemm<true>(const __half *, const __half *, __half *, int, int, int, long long, long long, long long, bool);

// Constant memory, and a size in it.
__constant__ float taps[9];
__constant__ int length;
__global__ void conv(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[BLOCK + 8];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    const int base = (blockIdx.x * tiles + t) * BLOCK;
    tile[threadIdx.x] = in[base + threadIdx.x];
    if (threadIdx.x < 8)
      tile[BLOCK + threadIdx.x] = base + BLOCK + threadIdx.x < length ? in[base + BLOCK + threadIdx.x] : 0.f;
    __syncthreads();
    for (int k = 0; k < 9; ++k)
      sum += tile[threadIdx.x + k] * taps[k];
    __syncthreads();
  }
  out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

// Part of the loop for each block along z.
__global__ void split_k(const float *A, const float *B, float *partial, int M, int N, int K) {
  __shared__ float as[8][32], bs[8][32];
  const int per = (K / 8 + gridDim.z - 1) / gridDim.z;
  const int first = blockIdx.z * per, last = min(first + per, K / 8);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * 32 + tx, row = blockIdx.y * 8 + ty;
  float acc = 0;
  for (int t = first; t < last; ++t) {
    as[ty][tx] = tx < 8 ? A[row * K + t * 8 + tx] : 0.f;
    bs[ty][tx] = B[(t * 8 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      acc += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  partial[(blockIdx.z * M + row) * N + col] = acc;
}

// What the threads store behind a pass, others read in the next one, behind its first barrier: if 'last' leads to where 'out' does.
__global__ void relax(const float *__restrict__ in, float *out, const float *last, int n, int passes) {
  __shared__ float tile[64], former[64];
  const int tid = threadIdx.x;
  for (int pass = 0; pass < passes; ++pass) {
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
      tile[tid] = in[t + tid];
      __syncthreads();
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * 0.25f;
      __syncthreads();
      former[tid] = last[t + 63 - tid];
      __syncthreads();
      sum += former[tid];
      __syncthreads();
    }
    out[pass * 64 + tid] = sum;
  }
}

// Lanes wait for each other, and more than one warp would leave the array.
__global__ void one_warp(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[32];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 32 + threadIdx.x];
    __syncthreads();
    sum += __shfl_xor_sync(~0u, tile[31 - threadIdx.x], 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
// The file launches one warp, and two would do as well.
__global__ void launched_with_a_warp(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 256 + threadIdx.x];
    __syncthreads();
    sum += __shfl_xor_sync(~0u, tile[threadIdx.x ^ 1], 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
void run_warp(const float *in, float *out, int n) { launched_with_a_warp<<<1, 32>>>(in, out, n); }
// The same where nobody can launch more.
__global__ void __launch_bounds__(32) bounded_to_a_warp(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[32];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 32 + threadIdx.x];
    __syncthreads();
    sum += __shfl_xor_sync(~0u, tile[31 - threadIdx.x], 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A loop that nothing makes turn more than once.
__global__ void once(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < min(n, 1); ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// One that turns twice, whatever it is given: there is no more to be seen.
__global__ void twice(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < 2; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A table of functions, which is not that long for every grid.
__device__ float doubled(float v) { return v * 2; }
__device__ float halved(float v) { return v / 2; }
__device__ float (*const functions[2])(float) = {doubled, halved};
__global__ void table(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = functions[blockIdx.x](sum);
}
