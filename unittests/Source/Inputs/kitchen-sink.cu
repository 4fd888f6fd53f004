// Uses every family of declarations once. It must parse without an error both against a toolkit and
// against the bundled declarations (ParseTest.cpp), for sm_80 and sm_90.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <algorithm>
#include <limits>
#include <vector>
#include <cassert>
#include <cuda_runtime.h>
#include <cuda.h>
#include <device_launch_parameters.h>
#include <vector_types.h>
#include <vector_functions.h>
#include <math_constants.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <mma.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_primitives.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#if !defined(__CUDACC__) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800
#error "not read as device code of the requested architecture"
#endif

namespace cg = cooperative_groups;

// --- Qualifiers, variables -----------------------------------------------------------------
__constant__ float Coefficients[64];
__device__ int Counter;
__device__ __managed__ int Shared;
extern __shared__ __align__(16) unsigned char Dynamic[];
struct __align__(16) Aligned {
  float Values[4];
};
static_assert(sizeof(Aligned) == 16 && alignof(Aligned) == 16, "");

// --- Vector types: the sizes and alignments that decide how wide a copy may be ----------------
#define LAYOUT(T, Size, Align) static_assert(sizeof(T) == Size && alignof(T) == Align, #T)
LAYOUT(char1, 1, 1);
LAYOUT(char2, 2, 2);
LAYOUT(char3, 3, 1);
LAYOUT(char4, 4, 4);
LAYOUT(uchar4, 4, 4);
LAYOUT(short2, 4, 4);
LAYOUT(short3, 6, 2);
LAYOUT(ushort4, 8, 8);
LAYOUT(int1, 4, 4);
LAYOUT(int2, 8, 8);
LAYOUT(int3, 12, 4);
LAYOUT(int4, 16, 16);
LAYOUT(uint4, 16, 16);
LAYOUT(long2, 16, 16);
LAYOUT(longlong2, 16, 16);
LAYOUT(ulonglong2, 16, 16);
LAYOUT(float1, 4, 4);
LAYOUT(float2, 8, 8);
LAYOUT(float3, 12, 4);
LAYOUT(float4, 16, 16);
LAYOUT(double1, 8, 8);
LAYOUT(double2, 16, 16);
LAYOUT(double3, 24, 8);
LAYOUT(double4, 32, 16);
LAYOUT(dim3, 12, 4);
LAYOUT(__half, 2, 2);
LAYOUT(__half2, 4, 4);
LAYOUT(__nv_bfloat16, 2, 2);
LAYOUT(__nv_bfloat162, 4, 4);
LAYOUT(__nv_fp8_e4m3, 1, 1);
LAYOUT(__nv_fp8x4_e5m2, 4, 4);
LAYOUT(cuda::barrier<cuda::thread_scope_block>, 8, 8);
LAYOUT(cuda::aligned_size_t<16>, 8, 8);
static_assert(sizeof(cuda::pipeline_shared_state<cuda::thread_scope_block, 2>) == 40, "");
static_assert(__is_trivially_copyable(__half) && __is_trivially_copyable(float4), "");
static_assert(!__is_trivially_copyable(__half2), "a pair has a copy constructor of its own");

__global__ void builtins(unsigned *Out, int N) {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x + (blockIdx.y + gridDim.y) * threadIdx.z;
  dim3 Block = blockDim;
  uint3 Thread = threadIdx;
  dim3 Three(Thread);
  Out[I] = Block.x + Thread.y + warpSize + gridDim.x + Three.z + blockIdx.z + blockDim.z;
  if (I < N)
    atomicAdd(&Counter, 1);
}

__global__ void vectors(float4 *F, int4 *I, double2 *D, const float2 *__restrict__ In) {
  F[0] = make_float4(1.f, 2.f, 3.f, 4.f);
  I[0] = make_int4(1, 2, 3, 4);
  D[0] = make_double2(1, 2);
  uchar4 C = make_uchar4(1, 2, 3, 4);
  ushort2 S = make_ushort2(1, 2);
  longlong2 L = make_longlong2(1, 2);
  float3 V = {1.f, 2.f, 3.f};
  float2 W = In[0];
  F[1] = *reinterpret_cast<const float4 *>(&Coefficients[4]);
  F[1].x += V.x + W.y + C.z + S.y + L.x;
  uint3 U = make_uint3(1, 2, 3);
  I[1].x = U.x;
}

// --- Mathematics ----------------------------------------------------------------------------
__device__ float mathFloat(float X, float Y, int N) {
  float R = fmaxf(X, Y) + fminf(X, Y) + sqrtf(X) + rsqrtf(X) + expf(X) + exp2f(X) + exp10f(X);
  R += logf(X) + log2f(X) + log10f(X) + powf(X, Y) + sinf(X) + cosf(X) + tanf(X) + tanhf(X);
  R += fabsf(X) + floorf(X) + ceilf(X) + roundf(X) + rintf(X) + truncf(X) + fmodf(X, Y);
  R += fmaf(X, Y, R) + hypotf(X, Y) + atan2f(X, Y) + erff(X) + copysignf(X, Y) + ldexpf(X, N);
  R += __expf(X) + __logf(X) + __log2f(X) + __powf(X, Y) + __sinf(X) + __cosf(X) + __tanf(X);
  R += __fdividef(X, Y) + __fmaf_rn(X, Y, R) + __fadd_rn(X, Y) + __fmul_rz(X, Y) + __fsub_ru(X, Y);
  R += __frcp_rn(X) + __fsqrt_rn(X) + __frsqrt_rn(X) + __saturatef(X) + __fdiv_rn(X, Y);
  R += fmax(X, Y) + fmin(X, Y) + sqrt(X) + exp(X) + log(X) + pow(X, Y) + fabs(X) + abs(X);
  R += min(X, Y) + max(X, Y) + std::max(X, Y) + std::min(X, Y) + std::sqrt(X) + std::abs(X);
  R += sqrt(N) + pow(2.f, N) + fmax(X, 1.0) + std::pow(X, 2) + norm3df(X, Y, R) + sinpif(X);
  R += std::numeric_limits<float>::max() + INFINITY + CUDART_INF_F + std::fma(X, Y, R);
  float Sin, Cos;
  sincosf(X, &Sin, &Cos);
  __sincosf(X, &Sin, &Cos);
  if (isnan(X) || isinf(Y) || !isfinite(R) || signbit(X) || std::isnan(X))
    R = nanf("");
  return R + Sin + Cos;
}
__device__ double mathDouble(double X, double Y) {
  double R = fmax(X, Y) + fmin(X, Y) + sqrt(X) + rsqrt(X) + exp(X) + log(X) + pow(X, Y);
  R += fma(X, Y, X);
  R += sin(X) + cos(X) + floor(X) + ceil(X) + fabs(X) + __dadd_rn(X, Y) + __fma_rn(X, Y, X);
  R += __dmul_rn(X, Y) + __ddiv_rn(X, Y) + __drcp_rn(X) + min(X, Y) + max(X, Y) + erf(X) + cbrt(X);
  return isnan(X) ? CUDART_PI : R;
}

// --- Integers, casts ------------------------------------------------------------------------
__device__ int integers(int A, unsigned B, long long L, float F, double D) {
  int R = __popc(B) + __popcll(L) + __clz(A) + __clzll(L) + __ffs(A) + __ffsll(L) + __brev(B);
  R += __byte_perm(B, B, 0x3210) + __mul24(A, A) + __umul24(B, B) + __mulhi(A, A) + __umulhi(B, B);
  R += __sad(A, A, B) + __usad(B, B, B) + __hadd(A, A) + __rhadd(A, A) + __uhadd(B, B);
  R += __dp4a(A, A, A) + __dp4a(B, B, B) + __dp2a_lo(A, A, A) + __dp2a_hi(A, A, A);
  R += __funnelshift_l(B, B, B) + __funnelshift_r(B, B, B) + __vadd4(B, B) + __vabsdiffu4(B, B);
  R += __float_as_int(F) + __float_as_uint(F) + __float2int_rn(F) + __float2int_rz(F);
  R += __int2float_rn(A) + __uint2float_rn(B) + __int_as_float(A) + __uint_as_float(B);
  R += __double2int_rn(D) + __double_as_longlong(D) + __longlong_as_double(L) + __double2hiint(D);
  R += __hiloint2double(A, A) + __double2float_rn(D) + __ll2float_rn(L) + __int2double_rn(A);
  R += min(A, 3) + max(B, 3u) + min(L, 3ll) + abs(A) + std::max(A, 1) + std::min(B, 1u) + labs(L);
  R += __umul64hi(1, 2) + __mul64hi(1, 2) + __brevll(3) + __float2uint_rn(F) + __float2ll_rn(F);
  return R;
}

// --- Warp, block, grid ------------------------------------------------------------------------
__global__ void synchronise(int *P, float *F, double *D, unsigned long long *U) {
  unsigned All = 0xffffffffu;
  int V = __shfl_sync(All, P[0], 0) + __shfl_up_sync(All, P[1], 1) + __shfl_xor_sync(All, P[2], 16);
  float W = __shfl_down_sync(All, F[0], 16) + __shfl_xor_sync(All, F[0], 8, 16);
  double X = __shfl_down_sync(All, D[0], 8);
  unsigned long long Y = __shfl_sync(All, U[0], 3);
  V += __ballot_sync(All, V > 0) + __any_sync(All, V) + __all_sync(All, V) + __activemask();
  V += __match_any_sync(All, V);
  int Same;
  V += __match_all_sync(All, V, &Same);
  V += __reduce_add_sync(All, 1u) + __reduce_max_sync(All, V) + __reduce_or_sync(All, 1u);
  __syncwarp();
  __syncwarp(All);
  __syncthreads();
  V += __syncthreads_count(V) + __syncthreads_and(V) + __syncthreads_or(V);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  __nanosleep(100);
  V += clock() + clock64();
  if (V == 12345)
    __trap();
  if (__isShared(P) || __isGlobal(P))
    V++;
  V += __cvta_generic_to_shared(Dynamic);
  __builtin_assume(V > 0);
  P[0] = V + W + X + Y;
  assert(V != 3);
  printf("%d\n", V);
}

__global__ void atomics(int *I, unsigned *U, unsigned long long *L, float *F, double *D) {
  atomicAdd(I, 1);
  atomicAdd(U, 1u);
  atomicAdd(L, 1ull);
  atomicAdd(F, 1.f);
  atomicAdd(D, 1.0);
  atomicSub(I, 1);
  atomicExch(F, 1.f);
  atomicExch(I, 1);
  atomicMin(I, 1);
  atomicMax(U, 1u);
  atomicMax(L, 1ull);
  atomicInc(U, 1u);
  atomicDec(U, 1u);
  atomicAnd(I, 1);
  atomicOr(U, 1u);
  atomicXor(L, 1ull);
  atomicCAS(I, 1, 2);
  atomicCAS(L, 1ull, 2ull);
  atomicAdd_block(I, 1);
  atomicAdd_system(F, 1.f);
  atomicCAS_block(U, 1u, 2u);
}

__global__ void cached(float *F, float4 *V, const int2 *__restrict__ I, unsigned char *C,
                       double *D) {
  F[0] = __ldg(F + 1) + __ldcg(F + 2) + __ldca(F + 3) + __ldcs(F + 4);
  F[0] += __ldlu(F + 5) + __ldcv(F + 6);
  V[0] = __ldg(V + 1);
  V[2] = __ldcs(V + 3);
  F[9] = __ldg(I).x + __ldg(C) + __ldg(D);
  __stcg(F, 1.f);
  __stcs(V, V[0]);
  __stwb(F, 1.f);
  __stwt(F, 1.f);
}

// --- 16-bit and 8-bit floating point ---------------------------------------------------------
__global__ void halves(half *H, half2 *P, const __nv_bfloat16 *B, __nv_bfloat162 *Q, float *F) {
  half X = H[0], Y = __float2half(1.f), Z = half(2.5f);
  half Sum = X + Y * Z - X / Y;
  Sum += Y;
  Sum = __hadd(X, Y);
  Sum = __hmul(Sum, __hsub(X, Y));
  Sum = __hfma(X, Y, Sum);
  Sum = __hmax(Sum, __hmin(X, Y));
  Sum = hexp(X) + hsqrt(Y) + hrcp(Z) + hlog(X) + __habs(X) + __hneg(Y);
  if (X > Y || __hgt(X, Y) || __heq(X, Z) || __hisnan(X))
    Sum = __int2half_rn(3);
  F[0] = __half2float(Sum) + float(X) + static_cast<float>(Y) + __half2int_rz(X);
  F[1] = X;
  H[1] = 0.f;
  H[2] = 1.0;
  H[3] = half(3);
  H[4] = __float2half_rn(F[2]);
  half2 V = __floats2half2_rn(1.f, 2.f), W = __half2half2(X), U = __halves2half2(X, Y);
  V = __hfma2(V, W, U);
  V = __hadd2(V, __hmul2(W, U));
  V = V * W + U;
  V.x = __low2half(W);
  V.y = __high2half(W);
  float2 G = __half22float2(V);
  F[3] = G.x + __low2float(V) + __high2float(V);
  P[0] = V;
  P[1] = make_half2(X, Y);
  P[2] = __float2half2_rn(1.f);
  P[3] = __ldg(P + 4);
  P[5] = __shfl_xor_sync(0xffffffff, P[5], 1);
  H[6] = __shfl_down_sync(0xffffffff, H[6], 1);
  H[7] = __ushort_as_half(__half_as_ushort(X));
  atomicAdd(P, V);
  atomicAdd(H, X);
  *reinterpret_cast<float4 *>(H + 8) = *reinterpret_cast<const float4 *>(H + 16);

  __nv_bfloat16 R = __float2bfloat16(1.f), S = B[0];
  R = __hadd(R, S);
  R = R * S + S;
  R = __hfma(R, S, S);
  F[4] = __bfloat162float(R) + float(S);
  __nv_bfloat162 T = __floats2bfloat162_rn(1.f, 2.f);
  T = __hfma2(T, T, T);
  Q[0] = T;
  Q[1] = __halves2bfloat162(R, S);
  F[5] = __low2float(T) + __bfloat1622float2(T).y;

  __nv_fp8_e4m3 E(1.f);
  __nv_fp8_e5m2 K = __nv_fp8_e5m2(X);
  F[6] = float(E) + static_cast<float>(K) + float(static_cast<half>(E));
  F[7] = __half2float(__nv_cvt_fp8_to_halfraw(E.__x, __NV_E4M3));
}

// --- Warp matrix functions --------------------------------------------------------------------
__global__ void wmma(const half *A, const half *B, float *C, const signed char *S, int *I,
                     const __nv_bfloat16 *G, const float *T, const double *D) {
  using namespace nvcuda;
  __shared__ half Tile[16 * 24];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> FA;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> FB;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> FC;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> FH;
  wmma::fill_fragment(FC, 0.0f);
  wmma::fill_fragment(FH, __float2half(0.f));
  wmma::load_matrix_sync(FA, A, 16);
  wmma::load_matrix_sync(FB, &Tile[0], 24);
  wmma::load_matrix_sync(FA, Tile, 24);
  wmma::mma_sync(FC, FA, FB, FC);
  wmma::mma_sync(FH, FA, FB, FH);
  for (int K = 0; K < FC.num_elements; ++K)
    FC.x[K] *= 2.f;
  static_assert(decltype(FA)::num_elements == 16 && decltype(FC)::num_elements == 8, "");
  wmma::store_matrix_sync(C, FC, 16, wmma::mem_row_major);
  wmma::load_matrix_sync(FC, C, 16, wmma::mem_col_major);

  wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::col_major> F2;
  wmma::fragment<wmma::matrix_a, 8, 32, 16, half, wmma::row_major> F3;
  wmma::load_matrix_sync(F2, A, 32);
  wmma::load_matrix_sync(F3, A, 32);

  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> SA;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> SB;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> SC;
  wmma::fill_fragment(SC, 0);
  wmma::load_matrix_sync(SA, S, 16);
  wmma::load_matrix_sync(SB, S, 16);
  wmma::mma_sync(SC, SA, SB, SC);
  wmma::store_matrix_sync(I, SC, 16, wmma::mem_row_major);
  static_assert(decltype(SA)::num_elements == 8, "");

  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> BA;
  wmma::load_matrix_sync(BA, G, 16);
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> TA;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> TB;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> TC;
  wmma::load_matrix_sync(TA, T, 8);
  wmma::load_matrix_sync(TB, T, 8);
  for (int K = 0; K < TA.num_elements; ++K)
    TA.x[K] = wmma::__float_to_tf32(TA.x[K]);
  wmma::mma_sync(TC, TA, TB, TC);
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> DA;
  wmma::load_matrix_sync(DA, D, 4);

  using namespace nvcuda::wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> OA;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> OB;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> OC;
  wmma::load_matrix_sync(OA, I, 128);
  wmma::load_matrix_sync(OB, I, 128);
  wmma::bmma_sync(OC, OA, OB, OC);
  wmma::bmma_sync(OC, OA, OB, OC, bmmaBitOpAND);
  wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> NA;
  static_assert(decltype(NA)::num_elements == 8 && decltype(NA)::num_storage_elements == 1, "");
  wmma::load_matrix_sync(NA, I, 32);
  static_assert(sizeof(OA) == 8 && sizeof(FC) == 32 && sizeof(FA) == 32, "");
}

// --- Cooperative groups, pipelines, barriers ---------------------------------------------------
__global__ void groups(float *Out, const float *In, int N) {
  __shared__ float Tile[256];
  cg::grid_group Grid = cg::this_grid();
  cg::thread_block Block = cg::this_thread_block();
  cg::thread_block_tile<32> Warp = cg::tiled_partition<32>(Block);
  auto Quad = cg::tiled_partition<4>(Warp);
  cg::coalesced_group Active = cg::coalesced_threads();
  cg::memcpy_async(Block, Tile, In, sizeof(float) * Block.size());
  cg::wait(Block);
  cg::memcpy_async(Block, Tile, In + 256, cuda::aligned_size_t<16>(sizeof(float) * 256));
  cg::wait_prior<0>(Block);
  Block.sync();
  cg::sync(Block);
  Warp.sync();
  float V = Warp.shfl_down(Tile[Block.thread_rank()], 4) + Warp.shfl_xor(1.f, 2);
  V += Warp.shfl(V, 0) + Warp.any(1) + Warp.ballot(1) + Quad.meta_group_rank() + Quad.size();
  V = cg::reduce(Warp, V, cg::plus<float>());
  V = cg::reduce(Warp, V, cg::greater<float>());
  Out[Grid.thread_rank()] = V + Active.size() + Block.group_index().x + Block.thread_index().y;
  if (Warp.thread_rank() == 0 && Block.num_threads() > 32)
    Grid.sync();
}

__global__ void primitives(float *Out, const float4 *In) {
  __shared__ float4 Tile[2][64];
  for (int Stage = 0; Stage < 2; ++Stage) {
    __pipeline_memcpy_async(&Tile[Stage][threadIdx.x], &In[threadIdx.x], sizeof(float4));
    __pipeline_commit();
  }
  __pipeline_memcpy_async(&Tile[0][0], &In[0], 16, 8);
  __pipeline_wait_prior(1);
  __syncthreads();
  Out[threadIdx.x] = Tile[0][threadIdx.x].x;
  nvcuda::experimental::pipeline Pipe;
  nvcuda::experimental::memcpy_async(Tile[1][threadIdx.x], In[threadIdx.x], Pipe);
  Pipe.commit();
  Pipe.wait_prior<0>();
}

typedef cuda::pipeline_shared_state<cuda::thread_scope_block, 2> PipelineState;
__device__ void libcuPipeline(int *Out, const int *In, PipelineState &State) {
  __shared__ int Tile[2][128];
  auto Block = cg::this_thread_block();
  auto Pipe = cuda::make_pipeline(Block, &State);
  Pipe.producer_acquire();
  cuda::memcpy_async(Block, Tile[0], In, cuda::aligned_size_t<16>(sizeof(int) * 128), Pipe);
  Pipe.producer_commit();
  Pipe.consumer_wait();
  Out[threadIdx.x] = Tile[0][threadIdx.x];
  Pipe.consumer_release();
  auto Mine = cuda::make_pipeline();
  Mine.producer_acquire();
  cuda::memcpy_async(&Tile[1][threadIdx.x], In + threadIdx.x, sizeof(int), Mine);
  Mine.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(Mine);
}
__device__ void barriers(cuda::barrier<cuda::thread_scope_block> &Bar, int *To, const int *From) {
  if (threadIdx.x == 0)
    init(&Bar, blockDim.x);
  auto Token = Bar.arrive();
  Bar.wait(std::move(Token));
  Bar.arrive_and_wait();
  cuda::memcpy_async(To, From, sizeof(int), Bar);
}

// --- Textures, assembly, C++ ------------------------------------------------------------------
__global__ void textures(float *Out, cudaTextureObject_t Texture) {
  Out[0] = tex1Dfetch<float>(Texture, 3) + tex2D<float>(Texture, 1.f, 2.f);
  Out[1] = tex2D<float4>(Texture, 1.f, 2.f).x + tex3D<float>(Texture, 1.f, 2.f, 3.f);
}

__global__ void assembly(unsigned *Out, const float *In) {
  unsigned Address = static_cast<unsigned>(__cvta_generic_to_shared(Dynamic));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(Address), "l"(In));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(1));
  unsigned A[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(A[0]), "=r"(A[1]), "=r"(A[2]), "=r"(A[3])
               : "r"(Address));
  Out[0] = A[0];
}

template <typename T, int Size> __device__ __forceinline__ T sum(const T (&Values)[Size]) {
  T S{};
#pragma unroll
  for (int I = 0; I < Size; ++I)
    S += Values[I];
  return S;
}
template <int Block, typename T>
__global__ void __launch_bounds__(Block, 2) templated(T *Out, const T *__restrict__ In) {
  __shared__ T Tile[Block];
  Tile[threadIdx.x] = In[threadIdx.x];
  __syncthreads();
  T Values[2] = {Tile[threadIdx.x], T(1)};
  auto Twice = [=] __device__(T X) { return X + X; };
  Out[threadIdx.x] = Twice(sum(Values));
}
struct Parameters {
  int N;
};
__global__ void parameters(const __grid_constant__ Parameters P, int *Out) { Out[0] = P.N; }
__host__ __device__ constexpr int divideUp(int A, int B) { return (A + B - 1) / B; }
__noinline__ __device__ int apart(int A) { return A; }

// --- Host code ----------------------------------------------------------------------------------
#define CHECK(X)                                                                                   \
  if (cudaError_t E = (X)) {                                                                       \
    fprintf(stderr, "%s\n", cudaGetErrorString(E));                                                \
    exit(EXIT_FAILURE);                                                                            \
  }
int main() {
  const int N = 1 << 20;
  std::vector<float> Host(N);
  float *A, *B;
  CHECK(cudaMalloc(&A, N * sizeof(float)));
  CHECK(cudaMalloc((void **)&B, N * sizeof(float)));
  float *Pinned, *Managed;
  cudaMallocHost(&Pinned, N);
  cudaHostAlloc(&Pinned, N, cudaHostAllocDefault);
  cudaMallocManaged(&Managed, N);
  CHECK(cudaMemcpy(A, Host.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  cudaMemset(B, 0, N);
  cudaMemcpyToSymbol(Coefficients, Host.data(), sizeof(Coefficients));
  cudaStream_t Stream;
  cudaEvent_t Start, Stop;
  cudaStreamCreate(&Stream);
  cudaEventCreate(&Start);
  cudaEventCreate(&Stop);
  cudaEventRecord(Start, Stream);
  templated<128, float><<<divideUp(N, 128), 128, 0, Stream>>>(A, B);
  templated<256><<<dim3(N / 256, 1), dim3(256), 0>>>((int *)A, (const int *)B);
  cudaEventRecord(Stop);
  cudaEventSynchronize(Stop);
  float Milliseconds;
  cudaEventElapsedTime(&Milliseconds, Start, Stop);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  cudaFuncSetAttribute(assembly, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaFuncSetAttribute(templated<128, float>, cudaFuncAttributePreferredSharedMemoryCarveout,
                       cudaSharedmemCarveoutMaxShared);
  assembly<<<1, 32, 65536>>>((unsigned *)A, B);
  cudaDeviceProp Properties;
  cudaGetDeviceProperties(&Properties, 0);
  int Blocks = Properties.multiProcessorCount * Properties.major;
  Blocks += Properties.sharedMemPerBlockOptin;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, groups, 256, 0);
  int Minimum;
  cudaOccupancyMaxPotentialBlockSize(&Minimum, &Blocks, assembly, 0, 0);
  int Count = N;
  void *Arguments[] = {&A, &B, &Count};
  cudaLaunchCooperativeKernel((void *)groups, Blocks, 256, Arguments);
  cudaLaunchKernel((void *)groups, dim3(1), dim3(256), Arguments, 0, Stream);
  cudaFuncAttributes Attributes;
  cudaFuncGetAttributes(&Attributes, groups);
  cudaGraph_t Graph;
  cudaGraphExec_t Executable;
  cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal);
  cudaStreamEndCapture(Stream, &Graph);
  cudaGraphInstantiate(&Executable, Graph, 0);
  cudaGraphLaunch(Executable, Stream);
  Parameters P{3};
  parameters<<<1, 1>>>(P, (int *)A);
  half H = __float2half(1.f);
  Host[0] = __half2float(H) + Attributes.numRegs + Milliseconds + std::sqrt(2.f) + sqrtf(3.f);
  cudaMemcpyAsync(Host.data(), A, N, cudaMemcpyDeviceToHost, Stream);
  cudaStreamSynchronize(Stream);
  cudaFree(A);
  cudaFreeHost(Pinned);
  cudaStreamDestroy(Stream);
  cudaEventDestroy(Start);
  printf("%f %d\n", Host[0], std::max(1, 2));
  return 0;
}
