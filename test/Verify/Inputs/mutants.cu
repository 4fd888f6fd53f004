// Kernels for the planted bugs: one per way to load a tile.

constexpr int T = 16;

// One scalar per thread and tile.
__global__ void scalar(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                       int N, int K) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float sum = 0.0f;
  for (int t = 0; t < K / T; ++t) {
    As[y][x] = A[row * K + t * T + x];
    Bs[y][x] = B[(t * T + y) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// Sizes that are no multiple of the tile.
__global__ void guarded(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                        int M, int N, int K) {
  __shared__ float As[T][T + 1];
  __shared__ float Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
    Bs[y][x] = col < N && k0 + y < K ? B[(k0 + y) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

// 16 bytes per copy, several copies per thread, pointers that walk.
__global__ void vectors(const float4 *__restrict__ a, const float4 *__restrict__ b,
                        float *__restrict__ out, int n) {
  __shared__ float4 as[128];
  __shared__ float4 bs[128];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  a += blockIdx.x * n * 128;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 2; ++i) {
      as[i * 64 + tid] = a[i * 64 + tid];
      bs[i * 64 + tid] = b[i * 64 + tid];
    }
    a += 128;
    b += 128;
    __syncthreads();
    for (int k = 0; k < 128; k += 3) {
      const float4 u = as[(k + tid) % 128], v = bs[k];
      sum += u.x * v.y + u.z * v.w - u.y * v.z;
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + tid] = sum;
}

// The tile is used again by the next turn of the loop around it.
__global__ void again(const double *__restrict__ in, double *__restrict__ out, int rows, int n) {
  __shared__ double tile[48];
  const int tid = threadIdx.x;
  for (int r = 0; r < rows; ++r) {
    double sum = 0.0;
    for (int t = 0; t < n; ++t) {
      tile[tid] = in[(r * n + t) * 48 + tid];
      __syncthreads();
      for (int k = 0; k < 48; ++k)
        sum = sum * 0.5 + tile[k] * (k + tid);
      __syncthreads();
    }
    out[(blockIdx.x * rows + r) * 48 + tid] = sum;
  }
}

// A counter that goes down, and one that goes along with it.
__global__ void downwards(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ out,
                          int n) {
  __shared__ int as[64];
  __shared__ int bs[64];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int t = n - 1, at = tid; t >= 0; --t, at += 64) {
    as[tid] = a[at];
    bs[tid] = b[t * 64 + tid];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum = sum * 31 + as[k] * bs[(k * 7 + tid) % 64];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tid] = sum;
}

// 8 bytes per copy, strided by the thread index.
__global__ void strided(const int2 *__restrict__ a, int *__restrict__ out, int n) {
  __shared__ int2 tile[200];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = tid; i < 200; i += 64)
      tile[i] = a[t * 200 + i];
    __syncthreads();
    for (int k = 0; k < 200; ++k)
      sum = sum * 17 + tile[(k + tid) % 200].x - tile[k].y;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tid] = sum;
}

// A border that is set in front of the loop; behind it, what the last iteration has left.
__global__ void border(const int *__restrict__ a, int *__restrict__ out, int n) {
  __shared__ int tile[66];
  const int tid = threadIdx.x;
  if (tid == 0) {
    tile[0] = 3;
    tile[65] = 4;
  }
  int sum = 0;
  for (int t = 0; t < n; ++t) {
    tile[tid + 1] = a[t * 64 + tid];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum = sum * 31 + tile[k] - tile[(k + tid) % 64 + 2];
    __syncthreads();
  }
  __syncthreads();
  if (n)
    sum += tile[64 - tid];
  out[blockIdx.x * 64 + tid] = sum;
}

// One tile is transposed on its way, and the other one copied as it is.
__global__ void transposed(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                           int n, int K) {
  __shared__ float at[16 * 16];
  __shared__ float bt[16 * 16];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < K; k += 16) {
    const float4 v = *reinterpret_cast<const float4 *>(&A[tid / 4 * K + k + tid % 4 * 4]);
    at[(tid % 4 * 4 + 0) * 16 + tid / 4] = v.x;
    at[(tid % 4 * 4 + 1) * 16 + tid / 4] = v.y;
    at[(tid % 4 * 4 + 2) * 16 + tid / 4] = v.z;
    at[(tid % 4 * 4 + 3) * 16 + tid / 4] = v.w;
    *reinterpret_cast<float4 *>(&bt[tid * 4]) = *reinterpret_cast<const float4 *>(&B[(k * 16) + tid * 4]);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += at[i * 16 + tid % 16] * bt[i * 16 + tid / 4] * n;
    __syncthreads();
  }
  C[tid] = sum;
}
