// Tiles that would gain by longer rows, and whose rows have to stay as they are.
// The whole tile is read as one row behind the loop.
__global__ void __launch_bounds__(1024) wholeBehind(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32][32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x][k];
    __syncthreads();
  }
  tile[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  float all = 0;
  for (int i = 0; i < 1024; ++i)
    all += (&tile[0][0])[i];
  out[threadIdx.y * 32 + threadIdx.x] = all;
}

// A row goes on into the next one.
__global__ void __launch_bounds__(1024) intoTheNext(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32][32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x][k] - tile[threadIdx.x / 2][k + threadIdx.y];
    __syncthreads();
  }
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}

// How many elements a row has is asked.
__global__ void __launch_bounds__(1024) measured(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32][32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < int(sizeof(tile[0]) / sizeof(float)); ++k)
      sum += tile[threadIdx.x][k];
    __syncthreads();
  }
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}

// A pointer to rows has their length in its type.
__global__ void __launch_bounds__(1024) pointerToRows(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32][32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    const auto *rows = tile;
    for (int k = 0; k < 32; ++k)
      sum += rows[threadIdx.x][k];
    __syncthreads();
  }
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}

// The distance of two elements is a value.
__global__ void __launch_bounds__(1024) distance(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32][32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x][k];
    sum += float(&tile[1][0] - &tile[0][0]);
    __syncthreads();
  }
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}

// So is an address.
__global__ void __launch_bounds__(1024) address(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32][32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x][k];
    sum += float(__cvta_generic_to_shared(&tile[1][0]) - __cvta_generic_to_shared(&tile[0][0]));
    __syncthreads();
  }
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}

// Where another block has other rows: nothing says that threadIdx.x is below 32.
__global__ void __launch_bounds__(1024) anyBlock(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32 * 32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.y * 32 + threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x * 32 + k];
    __syncthreads();
  }
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}

// An index is computed elsewhere, and goes through the rows where everybody waits for it.
__global__ void __launch_bounds__(1024) throughRows(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32 * 32];
  const int first = threadIdx.x % 32 * 32;
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    for (int i = threadIdx.x; i < 1024; i += 1024)
      tile[i / 32 * 32 + i % 32] = in[t * 1024 + i];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[first + k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

void launch(const float *in, float *out, int turns) {
  const dim3 block(32, 32);
  wholeBehind<<<1, block>>>(in, out, turns);
  intoTheNext<<<1, block>>>(in, out, turns);
  measured<<<1, block>>>(in, out, turns);
  pointerToRows<<<1, block>>>(in, out, turns);
  distance<<<1, block>>>(in, out, turns);
  address<<<1, block>>>(in, out, turns);
  anyBlock<<<1, block>>>(in, out, turns);
  throughRows<<<1, 1024>>>(in, out, turns);
}
