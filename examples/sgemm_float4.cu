// Single-precision matrix product with a 128x128 tile per block and an 8x8 tile in the registers of
// each thread. Both tiles are read as float4; A is transposed on its way into shared memory, so
// that the inner product reads both tiles along their rows.
//
// Build: nvcc -O3 -arch=sm_80 examples/sgemm_float4.cu -o sgemm_float4
// Run:   ./sgemm_float4 [M [N [K]]] [--seed N] [--raw FILE] [--no-time] [--again]
//        (multiples of 128, 128, 8; K may be 0)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

constexpr int BM = 128; // tile of C per block
constexpr int BN = 128;
constexpr int BK = 8;
constexpr int TM = 8; // tile of C per thread
constexpr int TN = 8;
constexpr int THREADS = (BM / TM) * (BN / TN);

static_assert(BM * BK == 4 * THREADS, "one float4 of A per thread and step");
static_assert(BK * BN == 4 * THREADS, "one float4 of B per thread and step");

// C = A * B in row-major order.
__global__ void __launch_bounds__(THREADS)
    sgemm_float4(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                 int N, int K) {
  __shared__ __align__(16) float As[BK][BM]; // transposed
  __shared__ __align__(16) float Bs[BK][BN];

  const int tid = threadIdx.x;
  // What this thread loads: one float4 of each tile.
  const int aRow = tid / (BK / 4);
  const int aCol = tid % (BK / 4) * 4;
  const int bRow = tid / (BN / 4);
  const int bCol = tid % (BN / 4) * 4;
  // What it computes.
  const int row = tid / (BN / TN) * TM;
  const int col = tid % (BN / TN) * TN;

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[TM][TN] = {};
  float a[TM];
  float b[TN];

  for (int k = 0; k < K; k += BK) {
    const float4 va = *reinterpret_cast<const float4 *>(&A[aRow * K + aCol]);
    As[aCol + 0][aRow] = va.x;
    As[aCol + 1][aRow] = va.y;
    As[aCol + 2][aRow] = va.z;
    As[aCol + 3][aRow] = va.w;
    *reinterpret_cast<float4 *>(&Bs[bRow][bCol]) =
        *reinterpret_cast<const float4 *>(&B[bRow * N + bCol]);
    __syncthreads();

    A += BK;
    B += BK * N;

#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
#pragma unroll
      for (int i = 0; i < TM; i += 4)
        *reinterpret_cast<float4 *>(&a[i]) = *reinterpret_cast<const float4 *>(&As[kk][row + i]);
#pragma unroll
      for (int j = 0; j < TN; j += 4)
        *reinterpret_cast<float4 *>(&b[j]) = *reinterpret_cast<const float4 *>(&Bs[kk][col + j]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      *reinterpret_cast<float4 *>(&C[(row + i) * N + col + j]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
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

static void launch(const float *A, const float *B, float *C, int M, int N, int K) {
  const dim3 grid(N / BN, M / BM);
  sgemm_float4<<<grid, THREADS>>>(A, B, C, N, K);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char **argv) {
  const Options options = parseOptions(argc, argv, {4096, 4096, 4096}, "[M [N [K]]]");
  const int M = options.sizes[0], N = options.sizes[1], K = options.sizes[2];
  if (M == 0 || N == 0 || M % BM != 0 || N % BN != 0 || K % BK != 0) {
    std::fprintf(stderr, "sizes must be multiples of 128, 128 and 8, M and N not 0\n");
    return 2;
  }

  std::mt19937 rng(options.seed);
  std::vector<float> A(static_cast<size_t>(M) * K), B(static_cast<size_t>(K) * N);
  for (float &value : A)
    value = static_cast<float>(rng() >> 8) * (2.0f / (1 << 24)) - 1.0f;
  for (float &value : B)
    value = static_cast<float>(rng() >> 8) * (2.0f / (1 << 24)) - 1.0f;

  float *dA = deviceCopy(A), *dB = deviceCopy(B);
  float *dC = deviceBuffer<float>(static_cast<size_t>(M) * N);
  launch(dA, dB, dC, M, N, K);
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::vector<float> C = hostCopy(dC, static_cast<size_t>(M) * N);
  if (options.rawFile)
    writeRaw(options.rawFile, C);

  // Every entry of a small product, a sample of a large one.
  const size_t entries = C.size();
  const size_t samples = static_cast<double>(entries) * K <= 1 << 26 ? entries : 4096;
  for (size_t s = 0; s < samples; ++s) {
    const size_t at = samples == entries ? s : (static_cast<size_t>(rng()) << 16 ^ rng()) % entries;
    const int row = static_cast<int>(at / N), col = static_cast<int>(at % N);
    double expected = 0.0, magnitude = 0.0;
    for (int k = 0; k < K; ++k) {
      const double product =
          double(A[static_cast<size_t>(row) * K + k]) * double(B[static_cast<size_t>(k) * N + col]);
      expected += product;
      magnitude += std::fabs(product);
    }
    if (!(std::fabs(C[at] - expected) <= 1e-5 * magnitude)) {
      std::printf("sgemm_float4: mismatch at (%d, %d): %g, expected %g\n", row, col, C[at],
                  expected);
      return 1;
    }
  }

  const std::string size = std::to_string(M) + "x" + std::to_string(N) + "x" + std::to_string(K);
  for (bool more = options.time; more; more = options.again && std::getchar() != EOF) {
    const double ms = medianMs([&] { launch(dA, dB, dC, M, N, K); });
    std::printf("sgemm_float4 %s %.5f ms %.1f GFLOP/s\n", size.c_str(), ms,
                2.0 * M * N * K / ms * 1e-6);
    std::fflush(stdout);
  }
  CUDA_CHECK(cudaFree(dA));
  CUDA_CHECK(cudaFree(dB));
  CUDA_CHECK(cudaFree(dC));
  return 0;
}
