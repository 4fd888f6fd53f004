// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=cp-async --stages=3 --exit-zero -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC

// The load is one iteration ahead: it has a counter of its own, of the same type, which starts where the
// loop starts, is tested with the loop's condition and moves by the loop's step. Where it starts with a plain value it
// needs no place in front of the loop.

// LDG-LABEL: void __launch_bounds__(64) upTo(
// LDG: // Prologue
// LDG-NEXT: if (n > 0) {
// LDG-NEXT: fetch_tile(0);
// LDG: for (int t = 0; t < n; t++) {
// LDG-NEXT: const int t_next = t + 1;
// LDG-NEXT: if (t_next < n)
// LDG-LABEL: upToAndWith(
// LDG: // Prologue
// LDG-NEXT: if (first <= last) {
// LDG: for (int k = first; k <= last; k += 64) {
// LDG-NEXT: const int k_next = k + 64;
// LDG-NEXT: if (k_next <= last)
//   The compute phase keeps the loop's own k.
// LDG: sum += tile[i] * k;
// LDG-LABEL: until(
// LDG: // Prologue
// LDG-NEXT: if (end != 0) {
// LDG: const int k_next = k + 64;
// LDG-NEXT: if (k_next != end)
// LDG-LABEL: downwards(
// LDG: int t_next = n - 1;
// LDG-NEXT: if (t_next >= 0) {
// LDG: t_next = t - 1;
// LDG-NEXT: if (t_next >= 0)
// LDG-LABEL: downwardsUnsigned(
// LDG: // Prologue
// LDG-NEXT: if (n > 0) {
// LDG: const unsigned int left_next = left - 1;
// LDG-NEXT: if (left_next > 0)
// LDG-LABEL: void __launch_bounds__(64) two(
// LDG: // Prologue
// LDG-NEXT: if (aBegin <= aEnd) {
// LDG-NEXT: fetch_tile(aBegin, bBegin);
// LDG: for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
// LDG-NEXT: const int a_next = a + aStep;
// LDG-NEXT: const int b_next = b + bStep;
// LDG-NEXT: if (a_next <= aEnd)
// LDG-NEXT: fetch_tile(a_next, b_next);
// LDG-LABEL: outside(
// LDG: int t_next = 0;
// LDG: for (t = 0; t < n; ++t) {
// LDG: sum / t;
// LDG-LABEL: rest(
// LDG: int K_next = K;
// LDG-NEXT: if (K_next > 0) {
// LDG: for (; K > 0; K -= 64) {
// LDG-NEXT: K_next = K - 64;
// LDG-LABEL: wide(
// LDG: fetch_tile(0);
// LDG: const size_t k_next = k + stride;
// LDG-LABEL: gridStride(
// LDG: int t_next = blockIdx.x;
// LDG: t_next = t + gridDim.x;
// LDG-LABEL: doubling(
// LDG: int w_next = 1;
//   A step that is no sum is made on a copy.
// LDG: w_next = w;
// LDG-SAME: w_next <<= 1;
// LDG-LABEL: bounded(
// LDG: if (t_next < n && t_next < min(most, 5)) {

//   Further ahead than one iteration the load steps by itself, and stops by itself.
// ASYNC-LABEL: downwardsUnsigned(
// ASYNC: unsigned int left_load = n;
// ASYNC-NEXT: for (int stage = 0; stage < STAGES - 1; ++stage) {
// ASYNC-NEXT: if (left_load > 0) {
// ASYNC-NEXT: load_tile(stage, left_load);
// ASYNC-NEXT: left_load -= 1;
// ASYNC-NEXT: }
// ASYNC-NEXT: __pipeline_commit();
// ASYNC-NEXT: }
// ASYNC: for (unsigned left = n; left > 0; left -= 1) {
// ASYNC: if (left_load > 0) {
// ASYNC-NEXT: load_tile(stage == 0 ? STAGES - 1 : stage - 1, left_load);
// ASYNC-NEXT: left_load -= 1;
// ASYNC-LABEL: void __launch_bounds__(64) two(
// ASYNC: a_load += aStep, b_load += bStep;

//--- kernel.cu
// a < n
__global__ void __launch_bounds__(64) upTo(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int t = 0; t < n; t++) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// a <= last
__global__ void __launch_bounds__(64) upToAndWith(const float *__restrict__ in, float *__restrict__ out, int first, int last) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int k = first; k <= last; k += 64) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i] * k;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// a != end
__global__ void __launch_bounds__(64) until(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  const int end = n * 64;
  for (int k = 0; k != end; k += 64) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// downwards, signed
__global__ void __launch_bounds__(64) downwards(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int t = n - 1; t >= 0; --t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// downwards, unsigned: it ends at 0 and must not wrap
__global__ void __launch_bounds__(64) downwardsUnsigned(const float *__restrict__ in, float *__restrict__ out, unsigned n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (unsigned left = n; left > 0; left -= 1) {
    tile[threadIdx.x] = in[(left - 1) * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// two induction variables, as in the samples
__global__ void __launch_bounds__(64) two(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out,
                                          int aBegin, int aEnd, int aStep, int bBegin, int bStep) {
  __shared__ float As[64], Bs[64];
  float sum = 0.0f;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    As[threadIdx.x] = A[a + threadIdx.x];
    Bs[threadIdx.x] = B[b + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += As[i] * Bs[63 - i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// the counter lives on behind the loop
__global__ void __launch_bounds__(64) outside(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  int t;
  for (t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum / t;
}

// no first part; a parameter counts down
__global__ void __launch_bounds__(64) rest(const float *__restrict__ in, float *__restrict__ out, int K) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (; K > 0; K -= 64) {
    tile[threadIdx.x] = in[K - 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum + K;
}

// wide types; the step is a variable
__global__ void __launch_bounds__(64) wide(const float *__restrict__ in, float *__restrict__ out, size_t n, long long stride) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (size_t k = 0; k < n; k += stride) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// split over the blocks of the grid
__global__ void __launch_bounds__(64) gridStride(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int t = blockIdx.x; t < n; t += gridDim.x) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// powers of two
__global__ void __launch_bounds__(64) doubling(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int w = 1; w < n; w <<= 1) {
    tile[threadIdx.x] = in[w * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i] * w;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// the end is the smaller of two, and a condition of two parts
__global__ void __launch_bounds__(64) bounded(const float *__restrict__ in, float *__restrict__ out, int n, int most) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int t = 0; t < n && t < min(most, 5); ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- drive.h
void drive() {
  float *out = data<float>(128);
  for (int n : {0, 1, 2, 3, 4, 9}) {
    float *in = data<float>(n * 64);
    launch(1, 64, [=] { upTo(in, out, n); });
    show("upTo", out, 64);
    launch(1, 64, [=] { upToAndWith(in, out, 0, n * 64 - 1); });
    show("upToAndWith", out, 64);
    launch(1, 64, [=] { until(in, out, n); });
    show("until", out, 64);
    launch(1, 64, [=] { downwards(in, out, n); });
    show("downwards", out, 64);
    launch(1, 64, [=] { downwardsUnsigned(in, out, n); });
    show("downwardsU", out, 64);
    float *b = data<float>(n * 128);
    launch(1, 64, [=] { two(in, b, out, 0, n * 64 - 1, 64, 0, 128); });
    show("two", out, 64);
    launch(1, 64, [=] { outside(in, out, n); });
    show("outside", out, 64);
    launch(1, 64, [=] { rest(in, out, n * 64); });
    show("rest", out, 64);
    launch(1, 64, [=] { wide(in, out, n * 64, 64); });
    show("wide", out, 64);
    launch(2, 64, [=] { gridStride(in, out, n); });
    show("gridStride", out, 128);
    launch(1, 64, [=] { doubling(in, out, n); });
    show("doubling", out, 64);
    launch(1, 64, [=] { bounded(in, out, n, 3); });
    show("bounded", out, 64);
  }
}
