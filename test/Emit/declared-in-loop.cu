// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=ldg-single --exit-zero -o - %t/kernel.cu 2> %t/report.SINGLE | FileCheck %s --check-prefix=SINGLE
// RUN: %cpr --variant=cp-async --stages=3 --exit-zero -o - %t/kernel.cu 2> %t/report.ASYNC | FileCheck %s --check-prefix=ASYNC

// The tiles move in front of the loop, with their stages; the comments stay with what they are about.
// LDG: float Csub = 0;
// LDG: __shared__ float As_stages[2][BLOCK_SIZE][BLOCK_SIZE];
// LDG-NEXT: __shared__ float Bs_stages[2][BLOCK_SIZE][BLOCK_SIZE];
// LDG: auto fetch_tile = [&](int a, int b) {
// LDG: // Load the matrices from device memory to shared memory;
// LDG-NEXT: // each thread loads one element of each matrix
// LDG-NEXT: As_reg = A[a + wA * ty + tx];
// LDG-NEXT: Bs_reg = B[b + wB * ty + tx];
// LDG: auto store_tile = [&](int stage) {
// LDG-NEXT: auto &As = As_stages[stage];
// LDG-NEXT: auto &Bs = Bs_stages[stage];
// LDG-NEXT: As[ty][tx] = As_reg;
// LDG-NEXT: Bs[ty][tx] = Bs_reg;
// LDG-NEXT: };
// LDG: for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
// LDG-NOT: __shared__
// LDG: auto &As = As_stages[stage];
// LDG-NEXT: auto &Bs = Bs_stages[stage];
// LDG: // Multiply the two matrices together
// LDG-NEXT: #pragma unroll
// LDG-NEXT: for (int k = 0; k < BLOCK_SIZE; ++k) {
// LDG-NEXT: Csub += As[ty][k] * Bs[k][tx];
// LDG-NEXT: }
// LDG: store_tile(stage ^ 1);
// LDG-NEXT: // Synchronize before the next two sub-matrices are loaded
// LDG-NEXT: __syncthreads();
// LDG-NEXT: stage ^= 1;
// LDG-NEXT: }

// SINGLE: __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
// SINGLE-NEXT: __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
// SINGLE: for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
// SINGLE-NOT: __shared__
// SINGLE: As[ty][tx] = As_reg;
// SINGLE-NEXT: Bs[ty][tx] = Bs_reg;
// SINGLE: __syncthreads();
// SINGLE-NEXT: a_next = a + aStep;
// SINGLE: Csub +=
// SINGLE: __syncthreads();
// SINGLE-NEXT: }

// ASYNC: #include <cuda_pipeline_primitives.h>
// ASYNC: constexpr int STAGES = 3;
// ASYNC-NEXT: __shared__ float As_stages[STAGES][BLOCK_SIZE][BLOCK_SIZE];
// ASYNC: __pipeline_memcpy_async(&As[ty][tx], &A[a + wA * ty + tx], sizeof(float));
// ASYNC: __pipeline_memcpy_async(&Bs[ty][tx], &B[b + wB * ty + tx], sizeof(float));

//--- kernel.cu
// After the matrixMul sample: the tiles are declared in the loop.
template <int BLOCK_SIZE> __global__ void matrixMul(float *__restrict__ C, const float *__restrict__ A, const float *__restrict__ B, int wA, int wB) {
  int bx = blockIdx.x;
  int by = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;

  // Index of the first sub-matrix of A processed by the block
  int aBegin = wA * BLOCK_SIZE * by;
  int aEnd = aBegin + wA - 1;
  int aStep = BLOCK_SIZE;
  int bBegin = BLOCK_SIZE * bx;
  int bStep = BLOCK_SIZE * wB;

  float Csub = 0;

  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    // The sub-matrices of A and B
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

    // Load the matrices from device memory to shared memory;
    // each thread loads one element of each matrix
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];

    // Synchronize to make sure the matrices are loaded
    __syncthreads();

    // Multiply the two matrices together
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) {
      Csub += As[ty][k] * Bs[k][tx];
    }

    // Synchronize before the next two sub-matrices are loaded
    __syncthreads();
  }

  int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
  C[c + wB * ty + tx] = Csub;
}

void multiply(float *C, const float *A, const float *B, int wA, int wB, int hA) {
#ifdef __CUDACC__
  matrixMul<16><<<dim3(wB / 16, hA / 16), dim3(16, 16)>>>(C, A, B, wA, wB);
#endif
}
//--- drive.h
void drive() {
  for (int n : {1, 2, 3, 4, 7}) {
    int wA = n * 16, wB = 32;
    float *A = data<float>(32 * wA), *B = data<float>(wA * wB), *C = data<float>(32 * 32);
    launch(dim3(2, 2), dim3(16, 16), [=] { matrixMul<16>(C, A, B, wA, wB); });
    show("mm16", C, 32 * 32);
  }
  for (int n : {1, 2, 3, 4, 7}) {
    int wA = n * 8, wB = 16;
    float *A = data<float>(16 * wA), *B = data<float>(wA * wB), *C = data<float>(16 * 16);
    launch(dim3(2, 2), dim3(8, 8), [=] { matrixMul<8>(C, A, B, wA, wB); });
    show("mm8", C, 16 * 16);
  }
}
