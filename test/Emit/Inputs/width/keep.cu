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

__global__ void __launch_bounds__(THREADS) sums(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += THREADS) {
      float v = in[t * N + i];
      tile[i] = v;
      sum += v; // the thread keeps what it has copied
    }
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) bytes(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (unsigned char i = threadIdx.x; i < 192; i += THREADS)
      tile[i] = in[t * N + i];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % 192];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) lead(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n + int(threadIdx.x & 1); ++t) {
    for (int i = threadIdx.x; i < N; i += THREADS)
      tile[i] = in[t * N + i];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tile[(threadIdx.x * 3 + j) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// What the number is made of is negative for some, and division rounds towards zero.
__global__ void negative(const float *in, float *out, int n) {
  __shared__ float tile[16][32];
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x) {
      const int m = i - 64u;
      tile[i / 32][i % 32] = in[(m / 48) * n + m % 48 + 64 + 2 * n + t];
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += tile[threadIdx.x % 16][j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The pitch is what n was.
__global__ void other_time(const float *in, float *out, int n, int last) {
  __shared__ float tile[16][32];
  int pitch;
  pitch = n;
  n = 64;
  float sum = last + n;
  for (int t = 0; t < last; t += 32) {
    for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x)
      tile[i / 32][i % 32] = in[(i / 32) * pitch + t + i % 32];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += tile[threadIdx.x % 16][j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The pitch is stepped, or something else is.
__global__ void either_one(const float *in, float *out, int n) {
  __shared__ float tile[16][32];
  int pitch = n, other = 0;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x)
      tile[i / 32][i % 32] = in[(i / 32) * pitch + t + i % 32];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += tile[threadIdx.x % 16][j];
    __syncthreads();
    (t & 32 ? other : pitch) += 1;
  }
  out[threadIdx.x] = sum + other;
}

// A half of a multiple of four need not be one.
__global__ void halved(const float *in, float *out, int n) {
  __shared__ float tile[16][32];
  int pitch = n;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x)
      tile[i / 32][i % 32] = in[(i / 32) * pitch + t + i % 32];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += tile[threadIdx.x % 16][j];
    __syncthreads();
    pitch *= 0.5f;
  }
  out[threadIdx.x] = sum;
}

// The word stands in a comment, where an alignment would say nothing.
#define SMEM __shared__
__global__ void hidden(const float *in, float *out, int n) {
  SMEM /* __shared__ */ float tile[16][32];
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x)
      tile[i / 32][i % 32] = in[(i / 32) * n + t + i % 32];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += tile[threadIdx.x % 16][j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A name of CUDA's that is somebody else's here.
__global__ void shadowed(const float *in, float *out, int n) {
  __shared__ float tile[16][32];
  const int tid = threadIdx.x;
  struct {
    int x = 128, y = 1;
  } blockDim;
  float sum = blockDim.y;
  for (int t = 0; t < n; t += 32) {
    for (int i = tid; i < 16 * 32; i += 128)
      tile[i / 32][i % 32] = in[(i / 32) * n + t + i % 32];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += tile[tid % 16][j];
    __syncthreads();
  }
  out[tid] = sum;
}
