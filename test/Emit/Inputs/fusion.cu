// The compute phases here have products and sums that a compiler can take apart.
__device__ float blend(float old, float item) { return old * 0.75f + item; }

// The guards of the stores are branches behind the compute phase.
__global__ void guarded(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[72];
  int tx = threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = tx; i < 72; i += 64)
      s[i] = in[t * 72 + i];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      sum += s[tx + k] * s[k];
    __syncthreads();
  }
  out[tx] = sum;
}

// The first product needs nothing of the tile.
__global__ void carried(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[64];
  int tx = threadIdx.x;
  float value = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    s[tx] = in[t * 64 + tx];
    __syncthreads();
    value = value * 0.99f + s[63 - tx] - s[tx ^ 1] * s[tx];
    value = blend(value, s[tx ^ 2]);
    __syncthreads();
  }
  out[tx] = value;
}

// Arrays, vectors and doubles; an array in local memory stays out of it.
__global__ void several(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[72];
  int tx = threadIdx.x, i = 7;
  float tile[4][2] = {}, local[8] = {};
  float2 pair = make_float2(0.0f, 0.0f);
  double wide = 0.0;
  for (int t = 0; t < tiles; ++t) {
    for (int e = tx; e < 72; e += 64)
      s[e] = in[t * 72 + e];
    __syncthreads();
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 2; ++c)
        tile[r][c] += s[r] * s[tx + c];
    local[tx % 8] += s[tx] * s[3];
    pair.x += s[tx] * s[1];
    pair.y += s[tx] * s[2];
    wide = wide * 0.5 + s[tx + i];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    out[tx * 4 + r] = tile[r][0] - tile[r][1] + local[r] + pair.x * pair.y + float(wide);
}

// A guard without blanks; types that depend on the template's arguments are left alone.
template <class T> struct Wide { typedef T type; };
template <> struct Wide<int> { typedef double type; };
template <class T> __global__ void dense(const T *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ T s[40];
  int tx = threadIdx.x;
  auto sum = 0.0f;
  auto twice = T(0);
  typename Wide<T>::type other = 0;
  for (int t = 0; t < tiles; ++t) {
    if(tx<40)
      s[tx] = in[t * 40 + tx];
    __syncthreads();
    sum += (float)s[tx % 40] * (float)s[(tx + 1) % 40];
    other += s[tx % 40] * 3;
    twice += s[tx % 40] * T(2);
    __syncthreads();
  }
  out[tx] = sum + (float)other + (float)twice;
}
template __global__ void dense<float>(const float *, float *, int);
template __global__ void dense<int>(const int *, float *, int);

// Sums without products, and products that no sum takes: nothing to hold.
__global__ void nothing(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[72];
  int tx = threadIdx.x;
  float sum = 0.0f, product = 1.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = tx; i < 72; i += 64)
      s[i] = in[t * 72 + i];
    __syncthreads();
    sum += s[tx + 8];
    product *= s[tx];
    __syncthreads();
  }
  out[tx] = sum + product;
}
