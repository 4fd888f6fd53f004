// The ways in which some threads come to a return: each must be seen, since their elements are not stored any more.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t/leaves-alone --refused=ldg,cp-async --legal=ldg-single -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/by-switch --refused=ldg,cp-async --legal=ldg-single -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/by-continue --refused=ldg,cp-async --legal=ldg-single -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/by-lambda --refused=ldg,cp-async --legal=ldg-single -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/in-expression --refused=ldg-single -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/in-assembly --refused=ldg-single -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/in-called-assembly --refused=ldg-single -- %cpr
//--- leaves-alone/bad.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  do {
    if (threadIdx.x < 60)
      break;
    return;
  } while (0);
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x]; // refused: stale-tile
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- leaves-alone/good.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  do {
    if (blockIdx.x < 60)
      break;
    return;
  } while (0);
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- leaves-alone/launch.yaml
kernel: waves
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
//--- by-switch/bad.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  int n = 5;
  switch (tiles) {
  default:
    if (threadIdx.x < 60)
      break;
    n = 7;
  }
  if (n == 7)
    return;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x]; // refused: stale-tile
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- by-switch/good.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  int n = 5;
  switch (tiles) {
  default:
    if (blockIdx.x < 60)
      break;
    n = 7;
  }
  if (n == 7)
    return;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- by-switch/launch.yaml
kernel: waves
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
//--- by-continue/bad.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  int n = 5;
  for (int i = 0; i < 1; ++i) {
    switch (tiles) {
    default:
      if (threadIdx.x < 60)
        break;
      continue;
    }
    n = 7;
  }
  if (n == 5)
    return;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x]; // refused: stale-tile
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- by-continue/good.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  int n = 5;
  for (int i = 0; i < 1; ++i) {
    switch (tiles) {
    default:
      if (blockIdx.x < 60)
        break;
      continue;
    }
    n = 7;
  }
  if (n == 5)
    return;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- by-continue/launch.yaml
kernel: waves
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
//--- by-lambda/bad.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  int n = 5;
  auto choose = [&]() {
    if (threadIdx.x >= 60)
      n = 7;
  };
  choose();
  if (n == 7)
    return;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x]; // refused: stale-tile
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- by-lambda/good.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  int n = 5;
  auto choose = [&]() {
    if (threadIdx.x >= 60)
      n = 7;
  };
  choose();
  if (tiles == 7)
    return;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- by-lambda/launch.yaml
kernel: waves
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
//--- in-expression/bad.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  if (({ if (threadIdx.x >= 60) return; tiles; }) > 1000) // refused: divergent-loop
    out[0] = 1.0f;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- in-expression/good.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  if (({ if (threadIdx.x >= 60) (void)ids[0]; tiles; }) > 1000)
    out[0] = 1.0f;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- in-expression/launch.yaml
kernel: waves
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
//--- in-assembly/bad.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  if (threadIdx.x >= 60)
    asm volatile("exit;"); // refused: divergent-loop
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- in-assembly/good.cu
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  if (threadIdx.x >= 60)
    asm volatile("");
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- in-called-assembly/bad.cu
static __device__ void leave() { asm volatile("exit;"); }
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  if (threadIdx.x >= 60)
    leave(); // refused: divergent-loop
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- in-called-assembly/good.cu
static __device__ void leave() { asm volatile(""); }
static __global__ void waves(const float *__restrict__ in, const int *__restrict__ ids, float *__restrict__ out, int tiles) {
  __shared__ float tile[96];
  if (threadIdx.x >= 60)
    leave();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 96] = in[t * 96 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 60 + t && k < 96; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, const int *ids, float *out, int tiles) { waves<<<1, 96>>>(in, ids, out, tiles); }
//--- in-assembly/launch.yaml
kernel: waves
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
//--- in-called-assembly/launch.yaml
kernel: waves
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 96
arguments:
  - {name: in, buffer: float, count: tiles * 96, role: input}
  - {name: ids, buffer: int, count: 96, role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 96, role: inout}
  - {value: tiles}
