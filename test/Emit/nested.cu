// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t --loops=cp-async:3=1,cp-async:4=1 -- %cpr
// RUN: %cpr --variant=cp-async --stages=2 --exit-zero -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC
// RUN: %cpr --variant=ldg-single --exit-zero -o - %t/kernel.cu 2> %t/report.SINGLE | FileCheck %s --check-prefix=SINGLE

// The next turn's prologue fills what this turn's last iteration may still be reading: a barrier behind the loop.
// ASYNC-LABEL: persistent(
// ASYNC: stage ^= 1;
// ASYNC-NEXT: }
// ASYNC: __syncthreads();
// ASYNC: out[tile * 64 + threadIdx.x] = s;
// ASYNC-LABEL: conditional(
// ASYNC: stage ^= 1;
// ASYNC-NEXT: }
// ASYNC: __syncthreads();
// ASYNC: } while (--turns > 0);
//   A second call finds in the tile what the first one left, and writes the same elements anew.
// ASYNC-LABEL: accumulate(
// ASYNC: load_tile
// ASYNC: return s;

// SINGLE-LABEL: persistent(
// SINGLE: // Prologue
// SINGLE: buf[threadIdx.x] = buf_reg;
// SINGLE-NEXT: __syncthreads();
// SINGLE: fetch_tile(t_next);
// SINGLE: __syncthreads();
// SINGLE-NEXT: }
// SINGLE-LABEL: accumulate(
// SINGLE: fetch_tile(t_next);

//--- kernel.cu
// In a loop over the tiles of the result: the next turn's prologue fills the buffers again.
__global__ void __launch_bounds__(64) persistent(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float buf[64];
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float s = 0.f;
    for (int t = 0; t < n; ++t) {
      buf[threadIdx.x] = in[(tile * n + t) * 64 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        s = s * 0.5f + buf[i];
      __syncthreads();
    }
    out[tile * 64 + threadIdx.x] = s;
  }
}

// Under a condition, and in a do loop; the pointer goes on from turn to turn.
__global__ void __launch_bounds__(64) conditional(const float *__restrict__ in, float *__restrict__ out, int n, int turns) {
  __shared__ float buf[64];
  const float *p = in;
  float s = 0.f;
  if (turns > 0) {
    do {
      for (int t = 0; t < n; ++t) {
        buf[threadIdx.x] = p[threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
          s = s * 0.5f + buf[i];
        p += 64;
        __syncthreads();
      }
    } while (--turns > 0);
  }
  out[threadIdx.x] = s;
}

// In a device function, which a kernel calls twice.
__device__ float accumulate(const float *__restrict__ in, int n, float s) {
  __shared__ float buf[64];
  for (int t = 0; t < n; ++t) {
    buf[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      s = s * 0.5f + buf[i];
    __syncthreads();
  }
  return s;
}
__global__ void __launch_bounds__(64) twice(const float *__restrict__ in, float *__restrict__ out, int n) {
  float s = accumulate(in, n, 0.f);
  out[threadIdx.x] = accumulate(in, n, s);
}
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    float *in = data<float>(64 * n * 5), *o = data<float>(64 * 5);
    launch(2, 64, [=] { persistent(in, o, 5, n); });
    show("persistent", o, 320);
    for (int turns : {0, 1, 5}) {
      launch(1, 64, [=] { conditional(in, o, n, turns); });
      show("cond", o, 64);
    }
    launch(1, 64, [=] { twice(in, o, n); });
    show("twice", o, 64);
  }
}
