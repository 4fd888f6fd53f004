// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=cp-async --stages=3 --exit-zero -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC

// New names keep out of the way of those that are there, in the code and anywhere else in the file.
// LDG-LABEL: taken(
// LDG: __shared__ float tile_stages2[2][64];
// LDG-NEXT: __shared__ float tile_stages[2];
// LDG: float tile_reg2;
// LDG-NEXT: auto fetch_tile2 = [&](int t) {
// LDG: auto store_tile2 = [&](int stage2) {
// LDG-NEXT: auto &tile = tile_stages2[stage2];
// LDG: const int t_next2 = t + 1;
// LDG: s = s * tile_reg + tile[i] * stage;
// LDG-NEXT: stage += has_next + t_next + t_load;
// LDG-LABEL: twoLoops(
// LDG: __shared__ float left_stages[2][64];
// LDG-NEXT: __shared__ float right_stages[2][64];
// LDG: int [[STAGE:stage[0-9]*]] = 0;
// LDG: s = s * 0.5f + left[i];
// LDG-NEXT: [[STORE:store_tile[0-9]*]]([[STAGE]] ^ 1);
// LDG-NEXT: __syncthreads();
//   Both are in one scope: the second loop must not declare what the first one has declared.
// LDG-NOT: {{int|auto}} {{\[\[STAGE\]\]|\[\[STORE\]\]}} =
// LDG: s = s * 0.5f - right[i];
// LDG-LABEL: hidden(
// LDG: int t = 5, i = 11;
// LDG: auto fetch_tile{{[0-9]*}} = [&](int t) {
// LDG: out[threadIdx.x] = s + t + i;

// ASYNC-LABEL: taken(
// ASYNC: constexpr int STAGES2 = 3;
// ASYNC-NEXT: __shared__ float tile_stages2[STAGES2][64];
// ASYNC: for (int stage2 = 0; stage2 < STAGES2 - 1; ++stage2) {
// ASYNC: load_tile2(stage2, t_load2);

//--- kernel.cu
// All the names that a rewrite would like to have are taken.
__global__ void __launch_bounds__(64) taken(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  __shared__ float tile_stages[2];
  int stage = 3, has_next = 5, t_next = 7, t_load = 9, STAGES = 11;
  float tile_reg = 0.25f, load_tile = 2.f, fetch_tile = 4.f, store_tile = 8.f;
  tile_stages[threadIdx.x & 1] = 1.f;
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      s = s * tile_reg + tile[i] * stage;
    stage += has_next + t_next + t_load;
    __syncthreads();
  }
  out[threadIdx.x] = s + STAGES + load_tile + fetch_tile + store_tile + tile_stages[threadIdx.x & 1];
}

// Two loops, one after the other, each with a tile of its own.
__global__ void __launch_bounds__(64) twoLoops(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n, int m) {
  __shared__ float left[64];
  __shared__ float right[64];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    left[threadIdx.x] = a[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      s = s * 0.5f + left[i];
    __syncthreads();
  }
  for (int t = 0; t < m; ++t) {
    right[threadIdx.x] = b[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      s = s * 0.5f - right[i];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// Inner names that hide outer ones.
__global__ void __launch_bounds__(64) hidden(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float s = 0.f;
  int t = 5, i = 11;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      s = s * 0.5f + tile[i] * t;
    __syncthreads();
  }
  out[threadIdx.x] = s + t + i;
}
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7})
    for (int m : {0, 2}) {
      float *in = data<float>(n * 64), *b = data<float>(m * 64), *o = data<float>(64);
      launch(1, 64, [=] { taken(in, o, n); });
      show("taken", o, 64);
      launch(1, 64, [=] { twoLoops(in, b, o, n, m); });
      show("two", o, 64);
      launch(1, 64, [=] { hidden(in, o, n); });
      show("hidden", o, 64);
    }
}
