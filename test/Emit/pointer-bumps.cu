// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t --loops=cp-async=1 -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=ldg-single --exit-zero -o - %t/kernel.cu 2> %t/report.SINGLE | FileCheck %s --check-prefix=SINGLE
// RUN: %cpr --variant=cp-async --stages=2 --exit-zero -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC

// A pointer that only the load uses moves with the load; nothing is left of it in the main loop.
// LDG-LABEL: bumpBefore(
// LDG: auto fetch_tile = [&]() {
// LDG: sB_reg = B[r * N + c];
// LDG-NEXT: A += 16;
// LDG-NEXT: B += 16 * N;
// LDG-NEXT: };
// LDG: for (int k = 0; k < K; k += 16) {
// LDG-NOT: {{[AB]}} += 16
// LDG-LABEL: bumpAfter(
// LDG: sB_reg = B[r * N + c];
// LDG-NEXT: A += 16;
// LDG-NEXT: B += 16 * N;
// LDG-NEXT: };
// LDG: for (int k = 0; k < K; k += 16) {
// LDG-NOT: {{[AB]}} += 16
// LDG-LABEL: bumpInLoad(
// LDG: ++row;
// LDG: src += 64;
// LDG: for (int t = 0; t < n; ++t) {
// LDG-NOT: ++row;
// LDG-NOT: src +=
//   One that the compute phase uses as well is there twice, a tile apart.
// LDG-LABEL: bumpShared(
// LDG: in += 64;
// LDG: const float *in_load = in;
// LDG: fetch_tile(in_load);
// LDG: for (int t = 0; t < n; ++t) {
// LDG: tile[i] * in[0];
// LDG-NEXT: in += 64;
// LDG-LABEL: growing(
// LDG-DAG: int step_load = step;
// LDG-DAG: offset += step;
// LDG-DAG: step += 64;
// LDG: for (int t = 0; t < n; ++t) {
// LDG: tile[i] + step;
// LDG-NEXT: step += 64;
// LDG-LABEL: skipping(
// LDG: t += skip;
// LDG: for (int t = 0; t < n; ++t) {
// LDG: t += skip;

// SINGLE-LABEL: bumpShared(
// SINGLE: in += 64;
// SINGLE: const float *in_load = in;
// SINGLE: tile[threadIdx.x] = tile_reg;
// SINGLE: in += 64;

// ASYNC-LABEL: bumpBefore(
// ASYNC: auto load_tile = [&](int stage) {
// ASYNC: A += 16;
// ASYNC-NEXT: B += 16 * N;
// ASYNC-NEXT: };
// ASYNC-LABEL: bumpInLoad(
// ASYNC-NOT: __pipeline
// ASYNC: sum + row + (src - in);

//--- kernel.cu
// In front of the trailing barrier; the compute phase does not use them.
__global__ void __launch_bounds__(256) bumpBefore(const float *A, const float *B, float *__restrict__ C, int N, int K) {
  __shared__ float sA[16][16];
  __shared__ float sB[16][16];
  const int r = threadIdx.x / 16, c = threadIdx.x % 16;
  A += blockIdx.y * 16 * K;
  B += blockIdx.x * 16;
  float acc = 0.f;
  for (int k = 0; k < K; k += 16) {
    sA[r][c] = A[r * K + c];
    sB[r][c] = B[r * N + c];
    __syncthreads();
    A += 16;
    B += 16 * N;
    for (int i = 0; i < 16; ++i)
      acc += sA[r][i] * sB[i][c];
    __syncthreads();
  }
  C[(blockIdx.y * 16 + r) * N + blockIdx.x * 16 + c] = acc;
}

// Behind the trailing barrier.
__global__ void __launch_bounds__(256) bumpAfter(const float *A, const float *B, float *__restrict__ C, int N, int K) {
  __shared__ float sA[16][16];
  __shared__ float sB[16][16];
  const int r = threadIdx.x / 16, c = threadIdx.x % 16;
  A += blockIdx.y * 16 * K;
  B += blockIdx.x * 16;
  float acc = 0.f;
  for (int k = 0; k < K; k += 16) {
    sA[r][c] = A[r * K + c];
    sB[r][c] = B[r * N + c];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += sA[r][i] * sB[i][c];
    __syncthreads();
    A += 16;
    B += 16 * N;
  }
  C[(blockIdx.y * 16 + r) * N + blockIdx.x * 16 + c] = acc;
}

// In the load phase, behind the copy; and one in front of it.
__global__ void __launch_bounds__(64) bumpInLoad(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const float *src = in + threadIdx.x;
  int row = -1;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    ++row;
    tile[threadIdx.x] = *src + in[row * 64];
    src += 64;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum + row + (src - in);
}

// The compute phase reads through the pointer, too: load and compute are one tile apart.
__global__ void __launch_bounds__(64) bumpShared(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * in[0];
    in += 64;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Two advances, one of which changes the step of the other.
__global__ void __launch_bounds__(64) growing(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0.f;
  int offset = 0, step = 64;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[offset + threadIdx.x];
    __syncthreads();
    offset += step;
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] + step;
    step += 64;
    __syncthreads();
  }
  out[threadIdx.x] = sum + offset;
}

// The counter is advanced by more than the header says.
__global__ void __launch_bounds__(64) skipping(const float *__restrict__ in, float *__restrict__ out, int n, int skip) {
  __shared__ float tile[64];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] + t;
    __syncthreads();
    t += skip;
  }
  out[threadIdx.x] = sum;
}
//--- drive.h
void drive() {
  float *out = data<float>(64 * 64);
  for (int n : {0, 1, 2, 3, 4, 9}) {
    int N = 32, K = n * 16;
    float *A = data<float>(32 * K), *B = data<float>(K * N);
    launch(dim3(2, 2), 256, [=] { bumpBefore(A, B, out, N, K); });
    show("bumpBefore", out, 32 * 32);
    launch(dim3(2, 2), 256, [=] { bumpAfter(A, B, out, N, K); });
    show("bumpAfter", out, 32 * 32);
    float *in = data<float>(n * 64);
    launch(1, 64, [=] { bumpInLoad(in, out, n); });
    show("bumpInLoad", out, 64);
    launch(1, 64, [=] { bumpShared(in, out, n); });
    show("bumpShared", out, 64);
    launch(1, 64, [=] { skipping(in, out, n, 1); });
    show("skipping", out, 64);
    float *g = data<float>((n * (n - 1) / 2 + 1) * 64 + (n == 0 ? 0 : 0));
    launch(1, 64, [=] { growing(g, out, n); });
    show("growing", out, 64);
  }
}
