// 8-bit integer matrix product on the tensor cores for matrices of any size: a 64x64 tile per block
// of four warps, 32 of K per step. The tiles are loaded byte by byte, with zeros past the edges.
//
// Build: nvcc -O3 -arch=sm_80 examples/igemm_wmma.cu -o igemm_wmma
// Run:   ./igemm_wmma [M [N [K]]] [OPTION]...     (any M, N > 0; K may be 0; -h: the options)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>
#include <mma.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace nvcuda;

constexpr int BM = 64; // tile of C per block
constexpr int BN = 64;
constexpr int BK = 32;
constexpr int WM = 32; // tile of C per warp
constexpr int WN = 32;
constexpr int WARPS = (BM / WM) * (BN / WN);
constexpr int THREADS = 32 * WARPS;

// C = A * B in row-major order.
__global__ void __launch_bounds__(THREADS)
    igemm_wmma(const int8_t *__restrict__ A, const int8_t *__restrict__ B, int32_t *__restrict__ C,
               int M, int N, int K) {
  __shared__ __align__(32) int8_t As[BM * BK];
  __shared__ __align__(32) int8_t Bs[BK * BN];
  __shared__ __align__(32) int32_t patch[WARPS][16 * 16];

  const int tid = threadIdx.x;
  const int warp = tid / 32;
  const int lane = tid % 32;
  const int warpRow = warp / (BN / WN) * WM;
  const int warpCol = warp % (BN / WN) * WN;
  const int blockRow = blockIdx.y * BM;
  const int blockCol = blockIdx.x * BN;

  wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc[WM / 16][WN / 16];
  for (int i = 0; i < WM / 16; ++i)
    for (int j = 0; j < WN / 16; ++j)
      wmma::fill_fragment(acc[i][j], 0);

  const int numTiles = (K + BK - 1) / BK;
  for (int tile = 0; tile < numTiles; ++tile) {
    for (int i = tid; i < BM * BK; i += THREADS) {
      const int row = blockRow + i / BK;
      const int col = tile * BK + i % BK;
      As[i] = (row < M && col < K) ? A[row * K + col] : 0;
    }
    for (int i = tid; i < BK * BN; i += THREADS) {
      const int row = tile * BK + i / BN;
      const int col = blockCol + i % BN;
      Bs[i] = (row < K && col < N) ? B[row * N + col] : 0;
    }
    __syncthreads();

    for (int kk = 0; kk < BK; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a[WM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> b[WN / 16];
      for (int i = 0; i < WM / 16; ++i)
        wmma::load_matrix_sync(a[i], &As[(warpRow + i * 16) * BK + kk], BK);
      for (int j = 0; j < WN / 16; ++j)
        wmma::load_matrix_sync(b[j], &Bs[kk * BN + warpCol + j * 16], BN);
      for (int i = 0; i < WM / 16; ++i)
        for (int j = 0; j < WN / 16; ++j)
          wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }

  // The edges cut through fragments, so each goes through shared memory and is stored by element.
  for (int i = 0; i < WM / 16; ++i)
    for (int j = 0; j < WN / 16; ++j) {
      wmma::store_matrix_sync(patch[warp], acc[i][j], 16, wmma::mem_row_major);
      __syncwarp();
      for (int e = lane; e < 16 * 16; e += 32) {
        const int row = blockRow + warpRow + i * 16 + e / 16;
        const int col = blockCol + warpCol + j * 16 + e % 16;
        if (row < M && col < N)
          C[row * N + col] = patch[warp][e];
      }
      __syncwarp();
    }
}

//===----------------------------------------------------------------------===//
// Host side
//===----------------------------------------------------------------------===//

static void check(cudaError_t status, const char *what) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}
#define CUDA_CHECK(call) check((call), #call)

struct Options {
  std::vector<int> sizes;
  unsigned seed = 1;
  const char *rawFile = nullptr;
  bool time = true;
  bool again = false;
};

// Sizes that are not given keep their defaults.
static Options parseOptions(int argc, char **argv, std::vector<int> sizes, const char *usage) {
  Options options{sizes};
  size_t given = 0;
  for (int i = 1; i < argc; ++i) {
    char *end = nullptr;
    const long value = std::strtol(argv[i], &end, 10);
    if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      options.seed = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10));
    } else if (std::strcmp(argv[i], "--raw") == 0 && i + 1 < argc) {
      options.rawFile = argv[++i];
    } else if (std::strcmp(argv[i], "--no-time") == 0) {
      options.time = false;
    } else if (std::strcmp(argv[i], "--again") == 0) {
      options.again = true;
    } else if (end != argv[i] && *end == '\0' && value >= 0 && given < sizes.size()) {
      options.sizes[given++] = static_cast<int>(value);
    } else {
      std::fprintf(stderr,
                   "usage: %s %s [OPTION]...\n"
                   "  --seed N    seed of the random input\n"
                   "  --raw FILE  writes the result as it lies in memory\n"
                   "  --no-time   checks only\n"
                   "  --again     measures once more for every line of standard input\n",
                   argv[0], usage);
      std::exit(2);
    }
  }
  return options;
}

template <typename T> static T *deviceBuffer(size_t count) {
  T *device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, std::max<size_t>(count, 1) * sizeof(T)));
  CUDA_CHECK(cudaMemset(device, 0xff, std::max<size_t>(count, 1) * sizeof(T)));
  return device;
}

template <typename T> static T *deviceCopy(const std::vector<T> &host) {
  T *device = deviceBuffer<T>(host.size());
  CUDA_CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <typename T> static std::vector<T> hostCopy(const T *device, size_t count) {
  std::vector<T> host(count);
  CUDA_CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

template <typename T> static void writeRaw(const char *path, const std::vector<T> &data) {
  std::FILE *file = std::fopen(path, "wb");
  const bool written =
      file && std::fwrite(data.data(), sizeof(T), data.size(), file) == data.size();
  if (!written || std::fclose(file) != 0) {
    std::fprintf(stderr, "cannot write %s\n", path);
    std::exit(2);
  }
}

// Median time of a launch: 11 samples of as many launches as take a millisecond, after 50 ms to
// warm up.
template <typename Function> static double medianMs(Function run) {
  cudaEvent_t begin, end;
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));
  int launches = 1;
  auto sample = [&] {
    float ms = 0.0f;
    CUDA_CHECK(cudaEventRecord(begin));
    for (int i = 0; i < launches; ++i)
      run();
    CUDA_CHECK(cudaEventRecord(end));
    CUDA_CHECK(cudaEventSynchronize(end));
    CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));
    return ms;
  };
  for (float spent = 0.0f; spent < 50.0f;) {
    const float ms = sample();
    spent += ms;
    if (ms < 1.0f)
      launches *= 2;
  }
  std::vector<float> times;
  for (int i = 0; i < 11; ++i)
    times.push_back(sample() / launches);
  CUDA_CHECK(cudaEventDestroy(begin));
  CUDA_CHECK(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

static void launch(const int8_t *A, const int8_t *B, int32_t *C, int M, int N, int K) {
  const dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM);
  igemm_wmma<<<grid, THREADS>>>(A, B, C, M, N, K);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char **argv) {
  const Options options = parseOptions(argc, argv, {4096, 4096, 4096}, "[M [N [K]]]");
  const int M = options.sizes[0], N = options.sizes[1], K = options.sizes[2];
  if (M == 0 || N == 0) {
    std::fprintf(stderr, "M and N must not be 0\n");
    return 2;
  }

  std::mt19937 rng(options.seed);
  std::vector<int8_t> A(static_cast<size_t>(M) * K), B(static_cast<size_t>(K) * N);
  for (int8_t &value : A)
    value = static_cast<int8_t>(static_cast<int>(rng() % 256) - 128);
  for (int8_t &value : B)
    value = static_cast<int8_t>(static_cast<int>(rng() % 256) - 128);

  int8_t *dA = deviceCopy(A), *dB = deviceCopy(B);
  int32_t *dC = deviceBuffer<int32_t>(static_cast<size_t>(M) * N);
  launch(dA, dB, dC, M, N, K);
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::vector<int32_t> C = hostCopy(dC, static_cast<size_t>(M) * N);
  if (options.rawFile)
    writeRaw(options.rawFile, C);

  // Every entry of a small product, a sample of a large one.
  const size_t entries = C.size();
  const size_t samples = static_cast<double>(entries) * K <= 1 << 26 ? entries : 4096;
  for (size_t s = 0; s < samples; ++s) {
    const size_t at = samples == entries ? s : (static_cast<size_t>(rng()) << 16 ^ rng()) % entries;
    const int row = static_cast<int>(at / N), col = static_cast<int>(at % N);
    int expected = 0;
    for (int k = 0; k < K; ++k)
      expected += A[static_cast<size_t>(row) * K + k] * B[static_cast<size_t>(k) * N + col];
    if (C[at] != expected) {
      std::printf("igemm_wmma: mismatch at (%d, %d): %d, expected %d\n", row, col, C[at], expected);
      return 1;
    }
  }

  const std::string size = std::to_string(M) + "x" + std::to_string(N) + "x" + std::to_string(K);
  for (bool more = options.time; more; more = options.again && std::getchar() != EOF) {
    const double ms = medianMs([&] { launch(dA, dB, dC, M, N, K); });
    std::printf("igemm_wmma %s %.5f ms %.1f GFLOP/s\n", size.c_str(), ms,
                2.0 * M * N * K / ms * 1e-6);
    std::fflush(stdout);
  }
  CUDA_CHECK(cudaFree(dA));
  CUDA_CHECK(cudaFree(dB));
  CUDA_CHECK(cudaFree(dC));
  return 0;
}
