// Copies that stay as narrow as they are, each for one reason.
#include <cuda_runtime.h>

constexpr int N = 256, THREADS = 64;

__global__ void __launch_bounds__(THREADS) cut(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    for (int i = threadIdx.x; i < N; i += THREADS)
      tile[i] = t + i <= n ? in[t + i] : 0.f; // the last group has some
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) no_zero(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    for (int i = threadIdx.x; i < N; i += THREADS)
      tile[i] = t + i < n ? in[t + i] : -0.f;
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) columns(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += THREADS)
      tile[i] = in[i * n + t];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) in_front(const float *in, float *out, int n) {
  __shared__ float tile[N];
  tile[threadIdx.x] = 1; // the same thread stores to it again, and no other one
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += THREADS)
      tile[i] = in[t * N + i];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) twice(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += THREADS)
      tile[i] = in[t * N + i];
    if (threadIdx.x == 5)
      tile[5] = 2;
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) own(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += THREADS)
      tile[i] = in[t * N + i];
    sum += tile[threadIdx.x]; // what the thread itself has stored
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) leaves(const float *in, float *out, int n, int last) {
  __shared__ float tile[N];
  if (threadIdx.x >= last)
    return;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += THREADS)
      tile[i] = in[t * N + i];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) some(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 48)
      for (int i = threadIdx.x; i < N; i += 48)
        tile[i] = in[t * N + i];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) gaps(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x * 2; i < N; i += 128)
      tile[i] = in[t * N + i];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) written(float *in, float *out, int n) {
  __shared__ float tile[N];
  for (int i = threadIdx.x; i < N; i += THREADS)
    in[i] *= 2; // read again by the same thread, and no barrier between
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += THREADS)
      tile[i] = in[t * N + i];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) odd_rows(const float *in, float *out, int n) {
  __shared__ float tile[8][33];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 8 * 32; i += THREADS)
      tile[i / 32][i % 32] = in[t * N + i];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += tile[threadIdx.x % 8][j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) per_thread(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += THREADS)
      tile[i] = threadIdx.x < 60 ? in[t * N + i] : 0.f; // whose element it is matters
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) turns(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 3; ++i) {
      const int k = threadIdx.x + i * THREADS;
      tile[k] = in[t * N + k];
    }
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % 192];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) counted(const float *in, float *out, int n) {
  __shared__ float tile[N];
  int copied = 0;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += THREADS) {
      tile[i] = in[t * N + i];
      ++copied; // as often as the thread copies
    }
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum + copied;
}
