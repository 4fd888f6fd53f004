// Gravitational acceleration of N bodies by all pairs: each thread owns one body, and the block
// walks over the sources in tiles of 256 that it stages in shared memory, one float4 (x, y, z,
// mass) each.
//
// Build: nvcc -O3 -arch=sm_80 examples/nbody.cu -o nbody
// Run:   ./nbody [bodies [sources]] [--seed N] [--raw FILE] [--no-time] [--again]
//        (multiples of 256; sources may be 0)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

constexpr int THREADS = 256;
constexpr float SOFTENING = 1e-3f;

__device__ float3 addPull(float3 accel, float4 self, float4 other) {
  const float dx = other.x - self.x;
  const float dy = other.y - self.y;
  const float dz = other.z - self.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
  const float scale = other.w * inverse * inverse * inverse;
  accel.x += dx * scale;
  accel.y += dy * scale;
  accel.z += dz * scale;
  return accel;
}

__global__ void __launch_bounds__(THREADS)
    nbody(const float4 *__restrict__ bodies, const float4 *__restrict__ sources,
          float4 *__restrict__ accels, int numSources) {
  __shared__ float4 tile[THREADS];

  const int body = blockIdx.x * THREADS + threadIdx.x;
  const float4 self = bodies[body];
  float3 accel = make_float3(0.0f, 0.0f, 0.0f);

  for (int base = 0; base < numSources; base += THREADS) {
    tile[threadIdx.x] = sources[base + threadIdx.x];
    __syncthreads();

#pragma unroll 8
    for (int j = 0; j < THREADS; ++j)
      accel = addPull(accel, self, tile[j]);
    __syncthreads();
  }

  accels[body] = make_float4(accel.x, accel.y, accel.z, 0.0f);
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

static void launch(const float4 *bodies, const float4 *sources, float4 *accels, int numBodies,
                   int numSources) {
  nbody<<<numBodies / THREADS, THREADS>>>(bodies, sources, accels, numSources);
  CUDA_CHECK(cudaGetLastError());
}

static std::vector<float4> randomBodies(int count, std::mt19937 &rng) {
  auto unit = [&] { return static_cast<float>(rng() >> 8) * (1.0f / (1 << 24)); };
  std::vector<float4> bodies(count);
  for (float4 &body : bodies) {
    body.x = 2.0f * unit() - 1.0f;
    body.y = 2.0f * unit() - 1.0f;
    body.z = 2.0f * unit() - 1.0f;
    body.w = 0.5f + unit();
  }
  return bodies;
}

int main(int argc, char **argv) {
  const Options options = parseOptions(argc, argv, {65536, 65536}, "[bodies [sources]]");
  const int numBodies = options.sizes[0], numSources = options.sizes[1];
  if (numBodies == 0 || numBodies % THREADS != 0 || numSources % THREADS != 0) {
    std::fprintf(stderr, "sizes must be multiples of 256, bodies not 0\n");
    return 2;
  }

  std::mt19937 rng(options.seed);
  const std::vector<float4> bodies = randomBodies(numBodies, rng);
  const std::vector<float4> sources = randomBodies(numSources, rng);

  float4 *dBodies = deviceCopy(bodies), *dSources = deviceCopy(sources);
  float4 *dAccels = deviceBuffer<float4>(numBodies);
  launch(dBodies, dSources, dAccels, numBodies, numSources);
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::vector<float4> accels = hostCopy(dAccels, numBodies);
  if (options.rawFile)
    writeRaw(options.rawFile, accels);

  // All bodies of a small system, a sample of a large one.
  const int samples = static_cast<double>(numBodies) * numSources <= 1 << 24 ? numBodies : 256;
  for (int s = 0; s < samples; ++s) {
    const int i = samples == numBodies ? s : static_cast<int>(rng() % numBodies);
    double expected[3] = {}, magnitude = 0.0;
    for (const float4 &source : sources) {
      const double d[3] = {static_cast<double>(source.x) - bodies[i].x,
                           static_cast<double>(source.y) - bodies[i].y,
                           static_cast<double>(source.z) - bodies[i].z};
      const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFTENING;
      const double scale = source.w / (square * std::sqrt(square));
      for (int c = 0; c < 3; ++c)
        expected[c] += d[c] * scale;
      magnitude += scale * std::sqrt(square);
    }
    const float got[3] = {accels[i].x, accels[i].y, accels[i].z};
    for (int c = 0; c < 3; ++c)
      if (!(std::fabs(got[c] - expected[c]) <= 1e-5 * magnitude)) {
        std::printf("nbody: mismatch at body %d: %g, expected %g\n", i, got[c], expected[c]);
        return 1;
      }
  }

  for (bool more = options.time; more; more = options.again && std::getchar() != EOF) {
    const double ms = medianMs([&] { launch(dBodies, dSources, dAccels, numBodies, numSources); });
    // 20 floating-point operations an interaction, by convention.
    const double gflops = 20.0 * numBodies * numSources / ms * 1e-6;
    std::printf("nbody %dx%d %.5f ms %.1f GFLOP/s\n", numBodies, numSources, ms, gflops);
    std::fflush(stdout);
  }
  CUDA_CHECK(cudaFree(dBodies));
  CUDA_CHECK(cudaFree(dSources));
  CUDA_CHECK(cudaFree(dAccels));
  return 0;
}
