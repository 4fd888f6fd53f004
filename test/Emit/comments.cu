// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG

// Comments are taken as a whole or not at all.
// LDG-LABEL: block(
// LDG: /* was: A += 64;
// LDG-NEXT: // __syncthreads(); */
// LDG-NEXT: A += 32;
// LDG-NEXT: };
// LDG: s = s * 0.5f + As[k];
// LDG-NEXT: s += 1;
// LDG-LABEL: continued(
// LDG: A += 32; // the next tile \
// LDG-NEXT: s = 5;
// LDG-NEXT: };
// LDG: s = s * 0.5f + As[k];
// LDG-NOT: s = 5;
// LDG: __syncthreads(); // done \
// LDG-NEXT: s = 6;
// LDG-NEXT: stage ^= 1;
//--- kernel.cu
__global__ void __launch_bounds__(32) block(const float *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float As[32];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    As[threadIdx.x] = A[threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s = s * 0.5f + As[k];
    /* was: A += 64;
    // __syncthreads(); */
    A += 32;
    s += 1;
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
__global__ void __launch_bounds__(32) continued(const float *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float As[32];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    float v = A[threadIdx.x]; // fetch it \
    s = 3;
    As[threadIdx.x] = v;
    __syncthreads(); // filled \
    s = 4;
    for (int k = 0; k < 32; ++k) s = s * 0.5f + As[k];
    A += 32; // the next tile \
    s = 5;
    __syncthreads(); // done \
    s = 6;
  }
  C[threadIdx.x] = s;
}
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    float *in = data<float>(32 * n), *out = data<float>(32);
    launch(1, 32, [=] { block(in, out, n); });
    show("block", out, 32);
    launch(1, 32, [=] { continued(in, out, n); });
    show("continued", out, 32);
  }
}
