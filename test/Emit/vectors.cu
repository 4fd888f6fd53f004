// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=cp-async --stages=2 --exit-zero -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC

// The vector is the register; its components go to the tile. Stages keep the alignment of the widest access.
// LDG-LABEL: transposed(
// LDG: __shared__ float As_stages[2][BK * BM];
// LDG-NEXT: __shared__ __align__(16) float Bs_stages[2][BK * BM];
// LDG: float4 tmp_reg;
// LDG-NEXT: float4 Bs_reg;
// LDG: // transpose A while loading it
// LDG: tmp_reg = reinterpret_cast<const float4 *>(&A[innerRowA * K + innerColA * 4])[0];
// LDG: A += BK;
// LDG-NEXT: B += BK * N;
// LDG: float4 tmp = tmp_reg;
// LDG-NEXT: As[(innerColA * 4 + 0) * BM + innerRowA] = tmp.x;
// LDG-LABEL: pairs(
// LDG: __shared__ __align__(8) float t_stages[2][64];
// LDG: float2 t_reg;
// LDG-LABEL: quads(
// LDG: __shared__ int4 t_stages{{[0-9]*}}[2][2][32];
// LDG-LABEL: doubles(
// LDG: double t_reg

// ASYNC-LABEL: transposed(
// ASYNC: const float4 *tmp_src = reinterpret_cast<const float4 *>(&A[innerRowA * K + innerColA * 4]);
// ASYNC-NEXT: __pipeline_memcpy_async(&As[(innerColA * 4 + 0) * BM + innerRowA], &tmp_src->x, sizeof(float));
// ASYNC: &tmp_src->w, sizeof(float));
// ASYNC: __pipeline_memcpy_async(&Bs[innerRowB * BM + innerColB * 4],
// ASYNC-NEXT: &B[innerRowB * N + innerColB * 4], sizeof(float4));
// ASYNC-LABEL: pairs(
// ASYNC: __pipeline_memcpy_async(&t[2 * threadIdx.x], in + i * 64 + 2 * threadIdx.x, sizeof(float2));
// ASYNC-LABEL: quads(
// ASYNC: __pipeline_memcpy_async(&t[0][threadIdx.x], &in[i * 64 + threadIdx.x], sizeof(int4));
// ASYNC-NEXT: __pipeline_memcpy_async(&t[1][threadIdx.x], &in[i * 64 + 32 + threadIdx.x], sizeof(int4));
// ASYNC-LABEL: staged(
// ASYNC: const float4 *v_src;
// ASYNC: v_src = &in[i * 32 + threadIdx.x];
// ASYNC: &v_src->z
// ASYNC-LABEL: doubles(
// ASYNC: sizeof(double)

//--- kernel.cu
#define BK 8
#define BM 32
// float4 into a plain tile, float4 taken apart into a transposed one.
__global__ void __launch_bounds__(64) transposed(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K, int N) {
  __shared__ float As[BK * BM];
  __shared__ float Bs[BK * BM];
  int innerRowA = threadIdx.x / (BK / 4), innerColA = threadIdx.x % (BK / 4);
  int innerRowB = threadIdx.x / (BM / 4), innerColB = threadIdx.x % (BM / 4);
  float acc[4][4] = {0.0f};
  for (int bkIdx = 0; bkIdx < K; bkIdx += BK) {
    // transpose A while loading it
    float4 tmp = reinterpret_cast<const float4 *>(&A[innerRowA * K + innerColA * 4])[0];
    As[(innerColA * 4 + 0) * BM + innerRowA] = tmp.x;
    As[(innerColA * 4 + 1) * BM + innerRowA] = tmp.y;
    As[(innerColA * 4 + 2) * BM + innerRowA] = tmp.z;
    As[(innerColA * 4 + 3) * BM + innerRowA] = tmp.w;

    reinterpret_cast<float4 *>(&Bs[innerRowB * BM + innerColB * 4])[0] =
        reinterpret_cast<const float4 *>(&B[innerRowB * N + innerColB * 4])[0];
    __syncthreads();

    A += BK;     // move BK columns to right
    B += BK * N; // move BK rows down

    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += As[k * BM + threadIdx.x / 8 * 4 + i] * Bs[k * BM + threadIdx.x % 8 * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(threadIdx.x / 8 * 4 + i) * N + threadIdx.x % 8 * 4 + j] = acc[i][j];
}

// C casts; float2.
__global__ void __launch_bounds__(32) pairs(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[64];
  float s = 0.f;
  for (int i = 0; i < n; ++i) {
    *(float2 *)&t[2 * threadIdx.x] = *(const float2 *)(in + i * 64 + 2 * threadIdx.x);
    __syncthreads();
    for (int k = 0; k < 64; ++k) s = s * 0.5f + t[k];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// A tile of vectors; integers.
__global__ void __launch_bounds__(32) quads(const int4 *__restrict__ in, int *__restrict__ out, int n) {
  __shared__ int4 t[2][32];
  int s = 0;
  for (int i = 0; i < n; ++i) {
    t[0][threadIdx.x] = in[i * 64 + threadIdx.x];
    t[1][threadIdx.x] = __ldg(&in[i * 64 + 32 + threadIdx.x]);
    __syncthreads();
    for (int k = 0; k < 32; ++k) s = s * 3 + t[0][k].x - t[1][31 - k].w;
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// The vector waits in a variable from outside of the loop.
__global__ void __launch_bounds__(32) staged(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[4][33];
  float s = 0.f;
  float4 v;
  for (int i = 0; i < n; ++i) {
    v = in[i * 32 + threadIdx.x];
    t[0][threadIdx.x] = v.x; t[1][threadIdx.x] = v.y;
    t[2][threadIdx.x] = v.z; t[3][threadIdx.x] = v.w;
    __syncthreads();
    for (int k = 0; k < 32; ++k) s = s * 0.5f + t[k % 4][(k + threadIdx.x) % 32];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// double.
__global__ void __launch_bounds__(64) doubles(const double *__restrict__ in, double *__restrict__ out, int n) {
  __shared__ double t[64];
  double s = 0.0;
  for (int i = 0; i < n; ++i) {
    t[threadIdx.x] = in[i * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) s = s * 0.5 + t[k];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    int K = n * 8, N = 32;
    float *A = (float *)data<float4, float>(32 * K / 4),
          *B = (float *)data<float4, float>(K * N / 4), *C = data<float>(32 * 32);
    launch(1, 64, [=] { transposed(A, B, C, K, N); });
    show("transposed", C, 32 * 32);
    float *p = (float *)data<float2, float>(32 * n);
    launch(1, 32, [=] { pairs(p, C, n); });
    show("pairs", C, 32);
    int4 *q = data<int4, int>(64 * n);
    int *o = data<int>(32);
    launch(1, 32, [=] { quads(q, o, n); });
    show("quads", o, 32);
    float4 *f = data<float4, float>(32 * n);
    launch(1, 32, [=] { staged(f, C, n); });
    show("staged", C, 32);
    double *d = data<double>(64 * n), *od = data<double>(64);
    launch(1, 64, [=] { doubles(d, od, n); });
    show("doubles", od, 64);
  }
}
