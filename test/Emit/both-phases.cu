// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=ldg-single --exit-zero -o - %t/kernel.cu 2> %t/report.SINGLE | FileCheck %s --check-prefix=SINGLE

// What both phases use is computed by both, each for its own iteration.
// LDG-LABEL: bothPhases(
// LDG: auto fetch_tile = [&](int t) {
// LDG-NEXT: const int base = t * CHUNK;         // both
// LDG-NEXT: const int mine = base + threadIdx.x; // the load only
// LDG-NEXT: buf_reg = mine < len ? in[mine] : 0.f;
// LDG-NEXT: };
// LDG: for (int t = 0; t < n; ++t) {
// LDG: const int base = t * CHUNK;
// LDG-NOT: int mine
// LDG: int last = base + CHUNK - 1;
// LDG: scale[base + i] + last;
// LDG-LABEL: ragged(
// LDG: for (int k = 0; k < len; k += CHUNK) {
// LDG: int count = min(CHUNK, len - k);
// LDG-LABEL: afterwards(
// LDG: store_tile(stage ^ 1);
// LDG-NEXT: __syncthreads();
// LDG-NEXT: stage ^= 1;
// LDG-NEXT: total = odd ? total - s : total + s * t;
// LDG-NEXT: odd = !odd;

// SINGLE-LABEL: ragged(
// SINGLE: for (int k = 0; k < len; k += CHUNK) {
// SINGLE-NEXT: buf[threadIdx.x] = buf_reg;
// SINGLE-NEXT: __syncthreads();
// SINGLE: int count = min(CHUNK, len - k);

//--- kernel.cu
#define CHUNK 64
// `base` and `last` belong to load and compute.
__global__ void __launch_bounds__(CHUNK) bothPhases(const float *__restrict__ in, const float *__restrict__ scale, float *__restrict__ out, int n, int len) {
  __shared__ float buf[CHUNK];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    const int base = t * CHUNK;         // both
    const int mine = base + threadIdx.x; // the load only
    int last = base + CHUNK - 1;
    buf[threadIdx.x] = mine < len ? in[mine] : 0.f;
    __syncthreads();
    for (int i = 0; i < CHUNK; ++i)
      s = s * 0.5f + buf[i] * scale[base + i] + last;
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// The last tile is shorter; the compute phase counts on it.
__global__ void __launch_bounds__(CHUNK) ragged(const float *__restrict__ in, float *__restrict__ out, int len) {
  __shared__ float buf[CHUNK];
  float s = 0.f;
  for (int k = 0; k < len; k += CHUNK) {
    int count = min(CHUNK, len - k);
    if (k + threadIdx.x < len)
      buf[threadIdx.x] = in[k + threadIdx.x];
    else
      buf[threadIdx.x] = 0.f;
    __syncthreads();
    for (int i = 0; i < count; ++i)
      s = s * 0.5f + buf[i];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// What follows the trailing barrier belongs to the iteration that ends.
__global__ void __launch_bounds__(CHUNK) afterwards(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float buf[CHUNK];
  float s = 0.f, total = 0.f;
  int odd = 0;
  for (int t = 0; t < n; ++t) {
    buf[threadIdx.x] = in[t * CHUNK + threadIdx.x];
    __syncthreads();
    s = 0.f;
    for (int i = 0; i < CHUNK; ++i)
      s = s * 0.5f + buf[i];
    __syncthreads();
    total = odd ? total - s : total + s * t;
    odd = !odd;
  }
  out[threadIdx.x] = total;
}
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    int len = n ? n * 64 - 7 : 0;
    float *in = data<float>(len), *f = data<float>(n * 64), *sc = data<float>(64 * n),
          *o = data<float>(64);
    launch(1, 64, [=] { bothPhases(in, sc, o, n, len); });
    show("both", o, 64);
    launch(1, 64, [=] { ragged(in, o, len); });
    show("ragged", o, 64);
    launch(1, 64, [=] { afterwards(f, o, n); });
    show("after", o, 64);
  }
}
