// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --strict-whitespace

// A copy loop that is strided by the thread's index gets a fixed number of turns, and a condition: its body stands one
// deeper, nested loops with their pragmas as well.
// CHECK-LABEL: {{ }}deeper(
// CHECK:      {{^}}    for (int turn = 0; turn < 1; ++turn) {
// CHECK-NEXT: {{^}}      const int i = threadIdx.x + turn * 64;
// CHECK-NEXT: {{^}}      if (i < 40) {
// CHECK-NEXT: {{^}}        // Both halves.
// CHECK-NEXT: {{^}}        #pragma unroll
// CHECK-NEXT: {{^}}        for (int h = 0; h < 2; ++h) {
// CHECK-NEXT: {{^}}          const int at = i +
// CHECK-NEXT: {{^}}                         40 * h;
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}          tile_reg[turn][h] = in[t * 80 + at];
// CHECK-NEXT: {{^}}        }
// CHECK-NEXT: {{^}}      }
// CHECK-NEXT: {{^}}    }

// A string that goes on in the next line stays as it is.
// CHECK-LABEL: {{ }}spliced(
// CHECK:      {{^}}      if (i < 40) {
// CHECK-NEXT: {{^}}      const int at = i + sizeof("a\
// CHECK-NEXT:{{^}} b") - 4;

//--- kernel.cu
__global__ void __launch_bounds__(64) deeper(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[80];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < 40; i += 64) {
      // Both halves.
      for (int h = 0; h < 2; ++h) {
        const int at = i +
                       40 * h;

        tile[at] = in[t * 80 + at];
      }
    }
    __syncthreads();
    for (int i = 0; i < 80; ++i)
      sum = sum * 0.5f + tile[(threadIdx.x + i) % 80];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(64) spliced(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[80];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < 40; i += 64) {
      const int at = i + sizeof("a\
 b") - 4;
      tile[at] = in[t * 80 + at];
      tile[at + 40] = in[t * 80 + 40 + at];
    }
    __syncthreads();
    for (int i = 0; i < 80; ++i)
      sum = sum * 0.5f + tile[(threadIdx.x + i) % 80];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 5}) {
    float *in = data<float>(80 * n), *out = data<float>(64);
    launch(1, 64, [=] { deeper(in, out, n); });
    show("deeper", out, 64);
    launch(1, 64, [=] { spliced(in, out, n); });
    show("spliced", out, 64);
  }
}
