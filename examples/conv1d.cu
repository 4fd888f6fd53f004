// One-dimensional convolution over many input channels. A block computes 256 positions of eight
// output channels; for each input channel it stages the row's tile with a halo on both sides (zeros
// past the ends) and the taps that belong to the channel.
//
// Build: nvcc -O3 -arch=sm_80 examples/conv1d.cu -o conv1d
// Run:   ./conv1d [length [inputs [outputs]]] [--seed N] [--raw FILE] [--no-time] [--again]
//        (any length > 0; outputs a multiple of 8; inputs may be 0)
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

constexpr int THREADS = 256; // positions per block
constexpr int RADIUS = 4;
constexpr int TAPS = 2 * RADIUS + 1;
constexpr int GROUP = 8; // output channels per block
constexpr int ROW = THREADS + 2 * RADIUS;

// input[inputs][length], taps[outputs / GROUP][inputs][TAPS][GROUP], output[outputs][length]
__global__ void __launch_bounds__(THREADS)
    conv1d(const float *__restrict__ input, const float *__restrict__ taps,
           float *__restrict__ output, int length, int inputs) {
  __shared__ float row[ROW];
  __shared__ float weights[TAPS * GROUP];

  const int tid = threadIdx.x;
  const int first = blockIdx.x * THREADS;
  const float *groupTaps = taps + blockIdx.y * inputs * TAPS * GROUP;

  float sum[GROUP] = {};
  for (int c = 0; c < inputs; ++c) {
    for (int i = tid; i < ROW; i += THREADS) {
      const int x = first + i - RADIUS;
      if (x >= 0 && x < length)
        row[i] = input[c * length + x];
      else
        row[i] = 0.0f;
    }
    for (int i = tid; i < TAPS * GROUP; i += THREADS)
      weights[i] = groupTaps[c * TAPS * GROUP + i];
    __syncthreads();

#pragma unroll
    for (int t = 0; t < TAPS; ++t) {
      const float value = row[tid + t];
#pragma unroll
      for (int o = 0; o < GROUP; ++o)
        sum[o] += value * weights[t * GROUP + o];
    }
    __syncthreads();
  }

  const int x = first + tid;
  if (x < length)
    for (int o = 0; o < GROUP; ++o)
      output[(blockIdx.y * GROUP + o) * length + x] = sum[o];
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

static void launch(const float *input, const float *taps, float *output, int length, int inputs,
                   int outputs) {
  const dim3 grid((length + THREADS - 1) / THREADS, outputs / GROUP);
  conv1d<<<grid, THREADS>>>(input, taps, output, length, inputs);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char **argv) {
  const Options options =
      parseOptions(argc, argv, {131072, 128, 64}, "[length [inputs [outputs]]]");
  const int length = options.sizes[0], inputs = options.sizes[1], outputs = options.sizes[2];
  if (length == 0 || outputs == 0 || outputs % GROUP != 0) {
    std::fprintf(stderr, "length must not be 0, outputs a multiple of 8 and not 0\n");
    return 2;
  }

  std::mt19937 rng(options.seed);
  auto random = [&] { return static_cast<float>(rng() >> 8) * (2.0f / (1 << 24)) - 1.0f; };
  std::vector<float> input(static_cast<size_t>(inputs) * length);
  std::vector<float> taps(static_cast<size_t>(outputs) * inputs * TAPS);
  for (float &value : input)
    value = random();
  for (float &value : taps)
    value = random();

  float *dInput = deviceCopy(input), *dTaps = deviceCopy(taps);
  float *dOutput = deviceBuffer<float>(static_cast<size_t>(outputs) * length);
  launch(dInput, dTaps, dOutput, length, inputs, outputs);
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::vector<float> output = hostCopy(dOutput, static_cast<size_t>(outputs) * length);
  if (options.rawFile)
    writeRaw(options.rawFile, output);

  // Every value of a small convolution, a sample of a large one.
  const size_t entries = output.size();
  const size_t samples = static_cast<double>(entries) * inputs <= 1 << 23 ? entries : 16384;
  for (size_t s = 0; s < samples; ++s) {
    const size_t at = samples == entries ? s : (static_cast<size_t>(rng()) << 16 ^ rng()) % entries;
    const int o = static_cast<int>(at / length), x = static_cast<int>(at % length);
    double expected = 0.0, magnitude = 0.0;
    for (int c = 0; c < inputs; ++c)
      for (int t = 0; t < TAPS; ++t) {
        const int source = x + t - RADIUS;
        if (source < 0 || source >= length)
          continue;
        const size_t tap = ((static_cast<size_t>(o / GROUP) * inputs + c) * TAPS + t) * GROUP;
        const double product = static_cast<double>(taps[tap + o % GROUP]) *
                               input[static_cast<size_t>(c) * length + source];
        expected += product;
        magnitude += std::fabs(product);
      }
    if (!(std::fabs(output[at] - expected) <= 1e-5 * magnitude)) {
      std::printf("conv1d: mismatch at channel %d, position %d: %g, expected %g\n", o, x,
                  output[at], expected);
      return 1;
    }
  }

  const std::string size =
      std::to_string(length) + "x" + std::to_string(inputs) + "x" + std::to_string(outputs);
  for (bool more = options.time; more; more = options.again && std::getchar() != EOF) {
    const double ms = medianMs([&] { launch(dInput, dTaps, dOutput, length, inputs, outputs); });
    const double gflops = 2.0 * length * inputs * outputs * TAPS / ms * 1e-6;
    std::printf("conv1d %s %.5f ms %.1f GFLOP/s\n", size.c_str(), ms, gflops);
    std::fflush(stdout);
  }
  CUDA_CHECK(cudaFree(dInput));
  CUDA_CHECK(cudaFree(dTaps));
  CUDA_CHECK(cudaFree(dOutput));
  return 0;
}
