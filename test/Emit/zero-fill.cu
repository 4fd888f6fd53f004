// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=cp-async --stages=2 --exit-zero -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC

// The guard stays in front of the load: nothing is read that the original would not have read.
// LDG-LABEL: ternary(
// LDG: As_reg = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
// LDG-NEXT: Bs_reg = kb < K && col < N ? B[kb * N + col] : 0.f;
// LDG: As[threadIdx.y][threadIdx.x] = As_reg;
// LDG-LABEL: branches(
// LDG: if (row < M && t * 16 + threadIdx.x < K)
// LDG-NEXT: As_reg = A[row * K + t * 16 + threadIdx.x];
// LDG-NEXT: else
// LDG-NEXT: As_reg = 0.0f;
// LDG: // outside of the matrix
// LDG-NEXT: Bs_reg = 0;
// LDG: As[threadIdx.y][threadIdx.x] = As_reg;
// LDG-NEXT: Bs[threadIdx.y][threadIdx.x] = Bs_reg;
// LDG-LABEL: secondArm(
// LDG: t * 96 + i >= len ? 1 : in[t * 96 + i];
// LDG-LABEL: nested(
// LDG: As_reg = row < M ? (ka < K ? A[row * K + ka] : 0.5f) : 0.0f;
// LDG-NEXT: Bs_reg = kb >= K ? 0.0f : col < N ? B[kb * N + col] : -0.0f;
// LDG: As[threadIdx.y][threadIdx.x] = As_reg;
// LDG-NEXT: Bs[threadIdx.y][threadIdx.x] = Bs_reg;
// LDG-LABEL: nestedBranches(

// A plain store fills; it is made before the barrier that the copies are waited for.
// ASYNC-LABEL: ternary(
// ASYNC: if (row < M && ka < K) {
// ASYNC-NEXT: __pipeline_memcpy_async(&As[threadIdx.y][threadIdx.x], &A[row * K + ka], sizeof(float));
// ASYNC-NEXT: } else {
// ASYNC-NEXT: As[threadIdx.y][threadIdx.x] = 0.0f;
// ASYNC-NEXT: }
// ASYNC-LABEL: branches(
// ASYNC: if (row < M && t * 16 + threadIdx.x < K)
// ASYNC-NEXT: __pipeline_memcpy_async(&As[threadIdx.y][threadIdx.x],
// ASYNC-NEXT: &A[row * K + t * 16 + threadIdx.x], sizeof(float));
// ASYNC-NEXT: else
// ASYNC-NEXT: As[threadIdx.y][threadIdx.x] = 0.0f;
// ASYNC-LABEL: secondArm(
// ASYNC: if (!(t * 96 + i >= len)) {
// ASYNC-NEXT: __pipeline_memcpy_async(&tile[i], &in[t * 96 + i], sizeof(int));
// ASYNC-NEXT: } else {
// ASYNC-NEXT: tile[i] = 1;
// ASYNC-LABEL: vectorFill(
// ASYNC: tile[threadIdx.x] = make_float4(0.f, 0.f, 0.f, 0.f);
// ASYNC: &in[min(at, len - 1)]
// ASYNC-LABEL: nested(
// ASYNC: if (row < M) {
// ASYNC-NEXT: {{^      }}if (ka < K) {
// ASYNC-NEXT: {{^        }}__pipeline_memcpy_async(&As[threadIdx.y][threadIdx.x], &A[row * K + ka], sizeof(float));
// ASYNC-NEXT: {{^      }}} else {
// ASYNC-NEXT: {{^        }}As[threadIdx.y][threadIdx.x] = 0.5f;
// ASYNC-NEXT: {{^      }}}
// ASYNC-NEXT: {{^    }}} else {
// ASYNC-NEXT: {{^      }}As[threadIdx.y][threadIdx.x] = 0.0f;
// ASYNC-NEXT: {{^    }}}
// ASYNC-NEXT: if (!(kb >= K)) {
// ASYNC-NEXT: if (col < N) {
// ASYNC-NEXT: __pipeline_memcpy_async(&Bs[threadIdx.y][threadIdx.x], &B[kb * N + col], sizeof(float));
// ASYNC-NEXT: } else {
// ASYNC-NEXT: Bs[threadIdx.y][threadIdx.x] = -0.0f;
// ASYNC-NEXT: }
// ASYNC-NEXT: } else {
// ASYNC-NEXT: Bs[threadIdx.y][threadIdx.x] = 0.0f;
// ASYNC-NEXT: }
// ASYNC-LABEL: nestedBranches(

//--- kernel.cu
// By a ternary.
__global__ void __launch_bounds__(256) ternary(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[16][16];
  __shared__ float Bs[16][16 + 1];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < (K + 15) / 16; ++t) {
    int ka = t * 16 + threadIdx.x;
    int kb = t * 16 + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
    Bs[threadIdx.y][threadIdx.x] = kb < K && col < N ? B[kb * N + col] : 0.f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// By if and else, with and without braces.
__global__ void __launch_bounds__(256) branches(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[16][16];
  __shared__ float Bs[16][16 + 1];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < (K + 15) / 16; ++t)
  {
    if (row < M && t * 16 + threadIdx.x < K)
      As[threadIdx.y][threadIdx.x] = A[row * K + t * 16 + threadIdx.x];
    else
      As[threadIdx.y][threadIdx.x] = 0.0f;
    if (col < N && t * 16 + threadIdx.y < K)
    {
      Bs[threadIdx.y][threadIdx.x] = B[(t * 16 + threadIdx.y) * N + col];
    }
    else
    {
      // outside of the matrix
      Bs[threadIdx.y][threadIdx.x] = 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// The load is the second arm; the fill is one; a copy loop around it.
__global__ void __launch_bounds__(32) secondArm(const int *__restrict__ in, int *__restrict__ out, int n, int len) {
  __shared__ int tile[96];
  int s = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 96; i += 32)
      tile[i] = t * 96 + i >= len ? 1 : in[t * 96 + i];
    __syncthreads();
    for (int i = 0; i < 96; ++i)
      s = s * 3 + tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// float4 or zeros, and a row that is clamped instead of filled.
__global__ void __launch_bounds__(32) vectorFill(const float4 *__restrict__ in, float *__restrict__ out, int n, int len) {
  __shared__ float4 tile[32];
  __shared__ float4 edge[32];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    int at = t * 32 + threadIdx.x;
    tile[threadIdx.x] = at < len ? in[at] : make_float4(0.f, 0.f, 0.f, 0.f);
    edge[threadIdx.x] = in[min(at, len - 1)];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      s = s * 0.5f + tile[i].x * edge[31 - i].y + tile[i].w;
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// Conditionals in conditionals: rows and columns have a fill each.
__global__ void __launch_bounds__(256) nested(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[16][16];
  __shared__ float Bs[16][16 + 1];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < (K + 15) / 16; ++t) {
    int ka = t * 16 + threadIdx.x, kb = t * 16 + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = row < M ? (ka < K ? A[row * K + ka] : 0.5f) : 0.0f;
    Bs[threadIdx.y][threadIdx.x] = kb >= K ? 0.0f : col < N ? B[kb * N + col] : -0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc = acc * 0.75f + As[threadIdx.y][k] + Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// Ifs in ifs and a chain of them: every way stores to the same element.
__global__ void __launch_bounds__(256) nestedBranches(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[16][16];
  __shared__ float Bs[16][16 + 1];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < (K + 15) / 16; ++t) {
    if (t * 16 + threadIdx.x < K) {
      if (row < M)
        As[threadIdx.y][threadIdx.x] = A[row * K + t * 16 + threadIdx.x];
      else
        As[threadIdx.y][threadIdx.x] = 0.25f;
    } else
      As[threadIdx.y][threadIdx.x] = 0.0f;
    if (t * 16 + threadIdx.y >= K)
      Bs[threadIdx.y][threadIdx.x] = 0.0f;
    else if (col < N)
      Bs[threadIdx.y][threadIdx.x] = B[(t * 16 + threadIdx.y) * N + col];
    else {
      Bs[threadIdx.y][threadIdx.x] = 0.125f;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc = acc * 0.75f + As[threadIdx.y][k] + Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
//--- drive.h
void drive() {
  for (int K : {0, 1, 15, 16, 17, 33, 70})
    for (int M : {16, 21}) {
      int N = 19;
      float *A = data<float>(M * K), *B = data<float>(K * N), *C = data<float>(M * N);
      launch(dim3(2, 2), dim3(16, 16), [=] { ternary(A, B, C, M, N, K); });
      show("ternary", C, M * N);
      launch(dim3(2, 2), dim3(16, 16), [=] { branches(A, B, C, M, N, K); });
      show("branches", C, M * N);
      launch(dim3(2, 2), dim3(16, 16), [=] { nested(A, B, C, M, N, K); });
      show("nested", C, M * N);
      launch(dim3(2, 2), dim3(16, 16), [=] { nestedBranches(A, B, C, M, N, K); });
      show("nestedBranches", C, M * N);
    }
  for (int n : {0, 1, 2, 3, 5}) {
    int len = n ? n * 96 - 31 : 0;
    int *i = data<int>(len), *o = data<int>(32);
    launch(1, 32, [=] { secondArm(i, o, n, len); });
    show("second", o, 32);
    int l2 = n ? n * 32 - 9 : 0;
    float4 *f = data<float4, float>(l2);
    float *of = data<float>(32);
    launch(1, 32, [=] { vectorFill(f, of, n, l2); });
    show("vfill", of, 32);
  }
}
