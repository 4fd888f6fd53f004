// Tiles whose rows begin in the same banks.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

constexpr int BM = 64, BN = 64, BK = 32;

// Fragments of halves: eight lines of each begin in one or two places of the banks.
__global__ void __launch_bounds__(128)
    fragments(const half *__restrict__ A, const half *__restrict__ B, float *C, int N, int K) {
  __shared__ half As[BM][BK];
  __shared__ half Bs[BK][BN]; // 4 KB
  const int warp = threadIdx.x / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
  for (int j = 0; j < 4; ++j)
    wmma::fill_fragment(sum[j], 0.0f);
  for (int k = 0; k < K; k += BK) {
    for (int i = threadIdx.x; i < BM * BK / 8; i += 128)
      *reinterpret_cast<float4 *>(&As[i / (BK / 8)][i % (BK / 8) * 8]) =
          *reinterpret_cast<const float4 *>(&A[(blockIdx.y * BM + i / (BK / 8)) * K + k + i % (BK / 8) * 8]);
    for (int i = threadIdx.x; i < BK * BN / 8; i += 128)
      *reinterpret_cast<float4 *>(&Bs[i / (BN / 8)][i % (BN / 8) * 8]) =
          *reinterpret_cast<const float4 *>(&B[(k + i / (BN / 8)) * N + blockIdx.x * BN + i % (BN / 8) * 8]);
    __syncthreads();
    for (int kk = 0; kk < BK; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
      wmma::load_matrix_sync(a, &As[warp * 16][kk], BK);
      for (int j = 0; j < 4; ++j) {
        wmma::load_matrix_sync(b, &Bs[kk][j * 16], BN);
        wmma::mma_sync(sum[j], a, b, sum[j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    wmma::store_matrix_sync(&C[(blockIdx.y * BM + warp * 16) * N + blockIdx.x * BN + j * 16], sum[j], N,
                            wmma::mem_row_major);
}

// The same of one dimension, filled element by element; the rows are said by the tile's size.
__global__ void __launch_bounds__(128)
    flat(const signed char *__restrict__ A, const signed char *__restrict__ B, int *C, int N, int K) {
  __shared__ __align__(32) signed char As[BM * BK];
  __shared__ __align__(32) signed char Bs[BK * BN];
  const int warp = threadIdx.x / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum[4];
  for (int j = 0; j < 4; ++j)
    wmma::fill_fragment(sum[j], 0);
  for (int k = 0; k < K; k += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += 128)
      As[i] = A[(blockIdx.y * BM + i / BK) * K + k + i % BK];
    for (int i = threadIdx.x; i < BK * BN; i += 128)
      Bs[i] = B[(k + i / BN) * N + blockIdx.x * BN + i % BN];
    __syncthreads();
    for (int kk = 0; kk < BK; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> b;
      wmma::load_matrix_sync(a, As + warp * (16 * BK) + kk, BK);
      for (int j = 0; j < 4; ++j) {
        wmma::load_matrix_sync(b, &Bs[kk * BN + j * 16], BN);
        wmma::mma_sync(sum[j], a, b, sum[j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    wmma::store_matrix_sync(&C[(blockIdx.y * BM + warp * 16) * N + blockIdx.x * BN + j * 16], sum[j], N,
                            wmma::mem_row_major);
}

// A column of floats for each lane. The tile has one more dimension, and is used behind the loop as well; an index that
// goes through a row of rows says the pitch.
__global__ void __launch_bounds__(256)
    columns(const float *__restrict__ in, float *out, int n, int turns) {
  __shared__ float tile[2][32][32];
  const int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    for (int half = 0; half < 2; ++half)
      for (int r = ty; r < 32; r += 8)
        tile[half][r][tx] = in[((t * 2 + half) * 32 + r) * n + blockIdx.x * 32 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[0][tx][k] * tile[1][0][k * 32 + ty] - tile[1][tx][31 - k];
    __syncthreads();
  }
  tile[0][tx][ty] = sum;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = tile[0][ty * 4 + tx / 8][tx % 8];
}

// Rows of 40 bytes less than the banks' width, by a pointer that is set once and by one that is stepped.
template <int ROW, class T>
__global__ void __launch_bounds__(64) rows(const T *__restrict__ in, T *out, int turns) {
  __shared__ T tile[64 * ROW];
  T sum = 0;
  const T *mine = &tile[threadIdx.x * ROW];
  for (int t = 0; t < turns; ++t) {
    for (int i = threadIdx.x; i < 64 * ROW; i += 64)
      tile[i] = in[t * 64 * ROW + i];
    __syncthreads();
    const T *at = mine;
    for (int k = 0; k < ROW; ++k, ++at)
      sum += *at * T(k + 1) - mine[ROW - 1 - k];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch(const half *A, const half *B, float *C, const signed char *I, const signed char *J, int *S, const float *F,
            float *G, int n) {
  fragments<<<dim3(n / BN, n / BM), 128>>>(A, B, C, n, n);
  flat<<<dim3(n / BN, n / BM), 128>>>(I, J, S, n, n);
  columns<<<n / 32, 256>>>(F, G, n, n / 64);
  rows<32><<<n, 64>>>(F, G, n);
}
