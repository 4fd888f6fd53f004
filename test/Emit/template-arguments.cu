// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=cp-async --stages=2 --exit-zero -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC

// What was shown for the instantiations in the file is asserted, and nothing else is.
// LDG-LABEL: calls(
// LDG: static_assert((std::is_same<Op, Max>::value && BM == 64 && BK == 4 && Twice) ||
// LDG-NEXT: (std::is_same<Op, Sum>::value && BM == 32 && BK == 8 && !Twice),
// LDG-NEXT: "the pipelined loop was checked for these arguments");
// LDG: float As_reg[((BM * BK) + 64 - 1) / 64];
// LDG-LABEL: member(
// LDG-NOT: static_assert
//   A class may copy in its own way.
// LDG: static_assert(std::is_trivially_copyable<V>::value,
// LDG-NEXT: "what is loaded is copied as bytes");
// LDG-NOT: static_assert
// LDG: V v_reg;
// LDG-LABEL: spelled(
// LDG: static_assert(std::is_same<T, float>::value,
// LDG: float2 v_reg;
// LDG-LABEL: byValue(
//   The type depends on a number.
// LDG: static_assert(N == 4,
// LDG: float tile_reg;
// LDG-LABEL: alias(
// LDG-NOT: static_assert
//   Once, although the type has two names.
// LDG: static_assert(std::is_trivially_copyable<T>::value,
// LDG-NEXT: "what is loaded is copied as bytes");
// LDG-NOT: static_assert
// LDG: T tile_reg[((64 / W) + stride - 1) / stride];
// LDG-LABEL: margin(
// LDG-NOT: static_assert
// LDG: float tile_reg[N / stride];
// LDG: for (int i = 0; i + stride <= N; i += stride) tile_reg[i / stride] = in[t * N + i + threadIdx.x];
// LDG: for (int i = 0; i + stride <= N; i += stride) tile[i + threadIdx.x] = tile_reg[i / stride];
// LDG-LABEL: several(
//   Not one line for each of five.
// LDG: static_assert((BM == 64 && (BK == 4 || BK == 8)) ||
// LDG-NEXT: (BM == 32 && BK == 16 && Twice),
// LDG-NEXT: "the pipelined
// LDG-LABEL: start(
// LDG: float tile_reg[(FIRST + 4) - FIRST];
// LDG: tile_reg[i - FIRST]


// ASYNC-LABEL: calls(
// ASYNC: static_assert((std::is_same<Op, Max>::value && BM == 64
// ASYNC-LABEL: alias(
//   Which elements the copies of one thread write depends on W.
// ASYNC: static_assert(W == 2,
// ASYNC: static_assert((sizeof(Value) == 4 || sizeof(Value) == 8 || sizeof(Value) == 16) && alignof(Value) >= sizeof(Value),
// ASYNC-LABEL: one(
// ASYNC: static_assert(BK == 4 || BK == 8,
// ASYNC-NEXT: "the pipelined
// ASYNC-LABEL: single(
// ASYNC-NOT: static_assert(N
// ASYNC: static_assert((sizeof(T) == 4

//--- kernel.cu
struct Max { __device__ float operator()(float a, float b) const { return a > b ? a : b; } };
struct Sum { __device__ float operator()(float a, float b) const { return a + b; } };
template <typename Op, int BM, int BK, bool Twice>
__global__ void calls(const float *__restrict__ A, float *C, int n) {
  __shared__ float As[BM][BK];
  int tid = threadIdx.x;
  float acc = 0.f;
  Op op;
  for (int t = 0; t < n; ++t) {
    for (int i = tid; i < BM * BK; i += 64)
      As[i / BK][i % BK] = A[t * BM * BK + i];
    __syncthreads();
    for (int j = 0; j < BK; ++j) {
      acc = op(acc, As[tid % BM][j]);
      if constexpr (Twice)
        acc += As[(tid + 1) % BM][j];
    }
    __syncthreads();
  }
  C[tid] = acc;
}

template <typename T> struct Traits;
template <> struct Traits<float> { using vec = float2; };
template <typename T>
__global__ void member(const typename Traits<T>::vec *__restrict__ A, T *C, int n) {
  using V = typename Traits<T>::vec;
  __shared__ V tile[64];
  T acc = 0;
  for (int t = 0; t < n; ++t) {
    V v = A[t * 64 + threadIdx.x];
    tile[threadIdx.x] = v;
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc = acc * 0.5f + tile[j].x - tile[63 - j].y;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

template <typename T>
__global__ void spelled(const typename Traits<T>::vec *__restrict__ A, T *C, int n) {
  __shared__ typename Traits<T>::vec tile[64];
  T acc = 0;
  for (int t = 0; t < n; ++t) {
    typename Traits<T>::vec v = A[t * 64 + threadIdx.x];
    tile[threadIdx.x] = v;
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc = acc * 0.5f + tile[j].x - tile[63 - j].y;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

template <int N> struct Sized;
template <> struct Sized<4> { using type = float; };
template <int N>
__global__ void byValue(const typename Sized<N>::type *__restrict__ in, float *out, int n) {
  __shared__ typename Sized<N>::type tile[64];
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc = acc * 0.5f + tile[j];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

template <typename T, int W>
__global__ void alias(const T *__restrict__ in, T *out, int n) {
  using Value = T;
  __shared__ Value tile[64];
  T acc = 0;
  const int stride = 64 / W;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64 / W; i += stride) {
      tile[W * i + threadIdx.x] = in[t * 64 + i + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc = acc * 0.5f + tile[j];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

template <int N>
__global__ void margin(const float *__restrict__ in, float *out, int n) {
  __shared__ float tile[N];
  constexpr int stride = 64;
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i + stride <= N; i += stride) tile[i + threadIdx.x] = in[t * N + i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < N; ++j) acc = acc * 0.5f + tile[j];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

template <int BM, int BK, bool Twice>
__global__ void several(const float *__restrict__ A, float *C, int n) {
  __shared__ float As[BM][BK];
  int tid = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int i = tid; i < BM * BK; i += 64)
      As[i / BK][i % BK] = A[t * BM * BK + i];
    __syncthreads();
    for (int j = 0; j < BK; ++j) {
      acc = acc * 0.5f + As[tid % BM][j];
      if constexpr (Twice)
        acc += As[(tid + 1) % BM][j];
    }
    __syncthreads();
  }
  C[tid] = acc;
}

template <int BK>
__global__ void one(const float *__restrict__ A, float *C, int n) {
  __shared__ float As[32][BK];
  int tid = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int i = tid; i < 32 * BK; i += 64)
      As[i / BK][i % BK] = A[t * 32 * BK + i];
    __syncthreads();
    for (int j = 0; j < BK; ++j)
      acc = acc * 0.5f + As[tid % 32][j];
    __syncthreads();
  }
  C[tid] = acc;
}

template <int FIRST>
__global__ void start(const float *__restrict__ in, float *out, int n) {
  __shared__ float tile[4][64];
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = FIRST; i < FIRST + 4; ++i) tile[i - FIRST][threadIdx.x] = in[(t * 4 + i) * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 4; ++j) acc = acc * 0.5f + tile[j][63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

template <typename T, int N>
__global__ void single(const T *__restrict__ in, T *out, int n) {
  __shared__ T tile[N];
  T acc = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * N + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < N; ++j) acc = acc * 0.5f + tile[j];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

template __global__ void calls<Max, 64, 4, true>(const float *, float *, int);
template __global__ void calls<Sum, 32, 8, false>(const float *, float *, int);
template __global__ void member<float>(const float2 *, float *, int);
template __global__ void spelled<float>(const float2 *, float *, int);
template __global__ void byValue<4>(const float *, float *, int);
template __global__ void alias<float, 2>(const float *, float *, int);
template __global__ void margin<128>(const float *, float *, int);
template __global__ void several<64, 4, true>(const float *, float *, int);
template __global__ void several<64, 4, false>(const float *, float *, int);
template __global__ void several<64, 8, true>(const float *, float *, int);
template __global__ void several<64, 8, false>(const float *, float *, int);
template __global__ void several<32, 16, true>(const float *, float *, int);
template __global__ void one<4>(const float *, float *, int);
template __global__ void one<8>(const float *, float *, int);
template __global__ void start<0>(const float *, float *, int);
template __global__ void single<float, 64>(const float *, float *, int);
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    float *in = data<float>(256 * n + 64), *out = data<float>(64);
    launch(1, 64, [=] { calls<Max, 64, 4, true>(in, out, n); });
    show("calls", out, 64);
    launch(1, 64, [=] { calls<Sum, 32, 8, false>(in, out, n); });
    show("calls", out, 64);
    float2 *pairs = data<float2, float>(64 * n);
    launch(1, 64, [=] { member<float>(pairs, out, n); });
    show("member", out, 64);
    launch(1, 64, [=] { spelled<float>(pairs, out, n); });
    show("spelled", out, 64);
    launch(1, 64, [=] { margin<128>(in, out, n); });
    show("margin", out, 64);
    float *many = data<float>(512 * n);
    launch(1, 64, [=] { several<64, 8, true>(many, out, n); });
    show("several", out, 64);
    launch(1, 64, [=] { several<32, 16, true>(many, out, n); });
    show("several", out, 64);
    launch(1, 64, [=] { one<8>(many, out, n); });
    show("one", out, 64);
    launch(1, 64, [=] { start<0>(in, out, n); });
    show("start", out, 64);
    launch(1, 64, [=] { single<float, 64>(in, out, n); });
    show("single", out, 64);
  }
}
