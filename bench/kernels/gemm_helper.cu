// The largest file of clangd_latency.py: layers of a network as a file of a project has them, with the tiles filled by functions that the
// kernels call. Helpers, several kernels, and the host code around them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace layers {

constexpr int TILE = 32;
constexpr int ROWS = 8; // of threads
constexpr int BM = 64, BN = 64, BK = 16;

enum class Activation { None, Relu, Gelu };

struct Shape {
  int M = 0, N = 0, K = 0;
  bool valid() const { return M > 0 && N > 0 && K > 0 && K % TILE == 0; }
};

//===--- On the device --------------------------------------------------------===//

template <Activation A> __device__ float activate(float x) {
  if (A == Activation::Relu)
    return x > 0.0f ? x : 0.0f;
  if (A == Activation::Gelu)
    return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
  return x;
}

/// A tile of a row-major matrix with \p stride, from its element (\p row, \p col) on.
__device__ void loadTile(float (&tile)[TILE][TILE + 1], const float *__restrict__ from, int stride, int row, int col) {
  for (int i = threadIdx.y; i < TILE; i += ROWS)
    tile[i][threadIdx.x] = from[(row + i) * stride + col + threadIdx.x];
}

__device__ void multiplyTiles(float (&sum)[TILE / ROWS], const float (&a)[TILE][TILE + 1], const float (&b)[TILE][TILE + 1]) {
  for (int k = 0; k < TILE; ++k)
    for (int i = 0; i < TILE / ROWS; ++i)
      sum[i] += a[threadIdx.y + i * ROWS][k] * b[k][threadIdx.x];
}

// out = activate(in * weights + bias)
template <Activation A>
__global__ void __launch_bounds__(TILE *ROWS)
    dense(const float *__restrict__ in, const float *__restrict__ weights, const float *__restrict__ bias, float *__restrict__ out, int N, int K) {
  __shared__ float As[TILE][TILE + 1];
  __shared__ float Bs[TILE][TILE + 1];
  const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
  float sum[TILE / ROWS] = {0.0f};
  for (int k = 0; k < K; k += TILE) {
    loadTile(As, in, K, row, k);
    loadTile(Bs, weights, N, k, col);
    __syncthreads();
    multiplyTiles(sum, As, Bs);
    __syncthreads();
  }
  for (int i = 0; i < TILE / ROWS; ++i)
    out[(row + threadIdx.y + i * ROWS) * N + col + threadIdx.x] = activate<A>(sum[i] + bias[col + threadIdx.x]);
}

// C = A * B by 64x64 tiles, 256 threads with 4x4 elements each.
__global__ void __launch_bounds__(256) gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[BK * BM];
  __shared__ float Bs[BK * BN];
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  const int rowA = threadIdx.x / (BK / 4), colA = threadIdx.x % (BK / 4) * 4;
  const int rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;
  float sum[4][4] = {};
  for (int k = 0; k < K; k += BK) {
    const float4 a = *reinterpret_cast<const float4 *>(&A[(row + rowA) * K + k + colA]);
    As[(colA + 0) * BM + rowA] = a.x;
    As[(colA + 1) * BM + rowA] = a.y;
    As[(colA + 2) * BM + rowA] = a.z;
    As[(colA + 3) * BM + rowA] = a.w;
    *reinterpret_cast<float4 *>(&Bs[rowB * BN + colB]) = *reinterpret_cast<const float4 *>(&B[(k + rowB) * N + col + colB]);
    __syncthreads();
    for (int i = 0; i < BK; ++i) {
      const float4 u = *reinterpret_cast<const float4 *>(&As[i * BM + y * 4]);
      const float4 v = *reinterpret_cast<const float4 *>(&Bs[i * BN + x * 4]);
      const float m[4] = {u.x, u.y, u.z, u.w}, n[4] = {v.x, v.y, v.z, v.w};
      for (int p = 0; p < 4; ++p)
        for (int q = 0; q < 4; ++q)
          sum[p][q] += m[p] * n[q];
    }
    __syncthreads();
  }
  for (int p = 0; p < 4; ++p)
    *reinterpret_cast<float4 *>(&C[(row + y * 4 + p) * N + col + x * 4]) = make_float4(sum[p][0], sum[p][1], sum[p][2], sum[p][3]);
}

// The sum of each row, by halving.
__global__ void __launch_bounds__(256) rowSums(const float *__restrict__ in, float *__restrict__ sums, int N) {
  __shared__ float part[256];
  float own = 0.0f;
  for (int i = threadIdx.x; i < N; i += 256)
    own += in[blockIdx.x * N + i];
  part[threadIdx.x] = own;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

__global__ void scaleRows(float *__restrict__ data, const float *__restrict__ sums, int N) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col < N)
    data[blockIdx.y * N + col] /= sums[blockIdx.y];
}

//===--- On the host ----------------------------------------------------------===//

static void check(cudaError_t status, const char *what) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}
#define CUDA_CHECK(call) ::layers::check((call), #call)

template <typename T> class Buffer {
public:
  explicit Buffer(size_t count) : Count(count) { CUDA_CHECK(cudaMalloc(reinterpret_cast<void **>(&Data), count * sizeof(T))); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { cudaFree(Data); }
  void fill(const std::vector<T> &from) {
    CUDA_CHECK(cudaMemcpy(Data, from.data(), std::min(Count, from.size()) * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> read() const {
    std::vector<T> all(Count);
    CUDA_CHECK(cudaMemcpy(all.data(), Data, Count * sizeof(T), cudaMemcpyDeviceToHost));
    return all;
  }
  T *get() const { return Data; }
  size_t size() const { return Count; }

private:
  T *Data = nullptr;
  size_t Count;
};

class Dense {
public:
  Dense(std::string name, Shape shape, Activation activation)
      : Name(std::move(name)), Of(shape), How(activation), Weights(size_t(shape.K) * shape.N), Bias(shape.N) {}

  void randomize(std::mt19937 &engine) {
    std::normal_distribution<float> values(0.0f, 1.0f / std::sqrt(float(Of.K)));
    std::vector<float> weights(Weights.size()), bias(Bias.size());
    std::generate(weights.begin(), weights.end(), [&] { return values(engine); });
    std::generate(bias.begin(), bias.end(), [&] { return values(engine); });
    Weights.fill(weights);
    Bias.fill(bias);
  }

  void run(const Buffer<float> &in, Buffer<float> &out) const {
    const dim3 block(TILE, ROWS), grid(Of.N / TILE, Of.M / TILE);
    switch (How) {
    case Activation::None:
      dense<Activation::None><<<grid, block>>>(in.get(), Weights.get(), Bias.get(), out.get(), Of.N, Of.K);
      break;
    case Activation::Relu:
      dense<Activation::Relu><<<grid, block>>>(in.get(), Weights.get(), Bias.get(), out.get(), Of.N, Of.K);
      break;
    case Activation::Gelu:
      dense<Activation::Gelu><<<grid, block>>>(in.get(), Weights.get(), Bias.get(), out.get(), Of.N, Of.K);
      break;
    }
    CUDA_CHECK(cudaGetLastError());
  }

  const Shape &shape() const { return Of; }
  const std::string &name() const { return Name; }

private:
  std::string Name;
  Shape Of;
  Activation How;
  Buffer<float> Weights, Bias;
};

class Network {
public:
  Network &add(std::string name, Shape shape, Activation activation) {
    if (!shape.valid() || ByName.count(name)) {
      std::fprintf(stderr, "layer '%s' cannot be added\n", name.c_str());
      std::exit(1);
    }
    Layers.push_back(std::make_unique<Dense>(name, shape, activation));
    ByName[name] = Layers.size() - 1;
    return *this;
  }

  void randomize(unsigned seed) {
    std::mt19937 engine(seed);
    for (const std::unique_ptr<Dense> &layer : Layers)
      layer->randomize(engine);
  }

  std::vector<float> run(const std::vector<float> &input) const {
    std::unique_ptr<Buffer<float>> current = std::make_unique<Buffer<float>>(input.size());
    current->fill(input);
    for (const std::unique_ptr<Dense> &layer : Layers) {
      auto next = std::make_unique<Buffer<float>>(size_t(layer->shape().M) * layer->shape().N);
      layer->run(*current, *next);
      current = std::move(next);
    }
    return normalized(*current);
  }

  size_t parameters() const {
    return std::accumulate(Layers.begin(), Layers.end(), size_t(0), [](size_t sum, const std::unique_ptr<Dense> &layer) {
      return sum + size_t(layer->shape().K) * layer->shape().N + layer->shape().N;
    });
  }

private:
  std::vector<std::unique_ptr<Dense>> Layers;
  std::map<std::string, size_t> ByName;

  std::vector<float> normalized(Buffer<float> &data) const {
    const Shape &last = Layers.back()->shape();
    Buffer<float> sums(last.M);
    rowSums<<<last.M, 256>>>(data.get(), sums.get(), last.N);
    CUDA_CHECK(cudaGetLastError());
    scaleRows<<<dim3((last.N + 255) / 256, last.M), 256>>>(data.get(), sums.get(), last.N);
    CUDA_CHECK(cudaGetLastError());
    return data.read();
  }
};

static std::vector<float> product(const std::vector<float> &a, const std::vector<float> &b, Shape of) {
  Buffer<float> A(a.size()), B(b.size()), C(size_t(of.M) * of.N);
  A.fill(a);
  B.fill(b);
  gemm<<<dim3(of.N / BN, of.M / BM), 256>>>(A.get(), B.get(), C.get(), of.M, of.N, of.K);
  CUDA_CHECK(cudaGetLastError());
  return C.read();
}

static double distance(const std::vector<float> &a, const std::vector<float> &b) {
  double most = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    most = std::max(most, std::abs(double(a[i]) - double(b[i])));
  return most;
}

static std::vector<float> onHost(const std::vector<float> &a, const std::vector<float> &b, Shape of) {
  std::vector<float> c(size_t(of.M) * of.N);
  for (int i = 0; i < of.M; ++i)
    for (int k = 0; k < of.K; ++k)
      for (int j = 0; j < of.N; ++j)
        c[size_t(i) * of.N + j] += a[size_t(i) * of.K + k] * b[size_t(k) * of.N + j];
  return c;
}

} // namespace layers

int main(int argc, char **argv) {
  using namespace layers;
  const unsigned seed = argc > 1 ? unsigned(std::strtoul(argv[1], nullptr, 10)) : 1;
  const std::map<std::string, std::function<int()>> tests = {
      {"product",
       [&] {
         std::mt19937 engine(seed);
         std::uniform_real_distribution<float> values(-1.0f, 1.0f);
         const Shape of{256, 192, 128};
         std::vector<float> a(size_t(of.M) * of.K), b(size_t(of.K) * of.N);
         for (float &x : a)
           x = values(engine);
         for (float &x : b)
           x = values(engine);
         const double most = distance(product(a, b, of), onHost(a, b, of));
         std::printf("product: differs by %g\n", most);
         return most < 1e-3 ? 0 : 1;
       }},
      {"network",
       [&] {
         Network network;
         network.add("in", {64, 128, 256}, Activation::Relu).add("hidden", {64, 128, 128}, Activation::Gelu).add("out", {64, 64, 128}, Activation::None);
         network.randomize(seed);
         const std::vector<float> out = network.run(std::vector<float>(64 * 256, 1.0f));
         std::printf("network: %zu parameters, first %g\n", network.parameters(), double(out.front()));
         return std::all_of(out.begin(), out.end(), [](float x) { return std::isfinite(x); }) ? 0 : 1;
       }},
  };
  int failed = 0;
  for (const auto &[name, test] : tests)
    failed += test();
  return failed != 0;
}
