// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG

// A constant number of turns, so that the registers are registers; the condition stays where some
// threads have no element in the last turn.
// LDG-LABEL: strided(
// LDG: float buf_reg[(TILE + NT - 1) / NT];
// LDG: #pragma unroll
// LDG-NEXT: for (int turn = 0; turn < (TILE + NT - 1) / NT; ++turn) {
// LDG-NEXT: const int i = threadIdx.x + turn * NT;
// LDG-NEXT: if (i < TILE)
// LDG-NEXT: buf_reg[turn] = in[t * TILE + i];
// LDG: for (int turn = 0; turn < (TILE + NT - 1) / NT; ++turn) {
// LDG: if (i < TILE)
// LDG-NEXT: buf[i] = buf_reg[turn];
//   As many turns as blocks of 64 threads need, which the kernel asks for.
// LDG-LABEL: stridedByBlock(
// LDG: if (blockDim.x >= 64) {
// LDG: float buf_reg{{[0-9]*}}[(TILE + 64 - 1) / 64];
// LDG: for (int turn{{[0-9]*}} = 0; turn{{[0-9]*}} < (TILE + 64 - 1) / 64; ++turn{{[0-9]*}}) {
// LDG-NEXT: const int i = threadIdx.x + turn{{[0-9]*}} * blockDim.x;
// LDG-NEXT: if (i < TILE)
// LDG: } else {
// LDG: for (int i = threadIdx.x; i < TILE; i += blockDim.x)
// LDG-LABEL: blocked(
// LDG: float buf_reg{{[0-9]*}}[2][2];
// LDG: #pragma unroll
// LDG-NEXT: for (int i = 0; i < 2; ++i)
// LDG-NEXT: #pragma unroll
// LDG-NEXT: for (int j = 0; j < 16; j += 8)
// LDG-NEXT: buf_reg{{[0-9]*}}[i][j / 8] = in[
// LDG-LABEL: offsets(
// LDG: int buf_reg{{[0-9]*}}[5];
// LDG: [(r - 1) / 2] = in[
//   Every thread has an element in every turn: 192 elements, 64 threads.
// LDG-LABEL: linear(
// LDG: double As_reg[3];
// LDG: const int idx = tid + turn{{[0-9]*}} * 64;
// LDG-NOT: if (idx
// LDG: As_reg[turn{{[0-9]*}}] = A[row * lda + k0 + col];

//--- kernel.cu
#define TILE 100
#define NT 32
// A stride that is a constant; the last turn is for some of the threads only.
__global__ void __launch_bounds__(NT) strided(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float buf[TILE];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < TILE; i += NT)
      buf[i] = in[t * TILE + i];
    __syncthreads();
    for (int i = 0; i < TILE; i++) s = s * 0.5f + buf[i];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// The stride is the block size.
__global__ void stridedByBlock(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float buf[TILE];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < TILE; i += blockDim.x)
      buf[i] = in[t * TILE + i];
    __syncthreads();
    for (int i = 0; i < TILE; i++) s = s * 0.5f + buf[i];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// A constant number of turns; rows in the outer loop, columns in the inner one.
__global__ void __launch_bounds__(64) blocked(const float *__restrict__ in, float *__restrict__ out, int n, int pitch) {
  __shared__ float buf[16][20];
  const int tx = threadIdx.x % 8, ty = threadIdx.x / 8;
  float s = 0;
  for (int t = 0; t < n; ++t) {
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 16; j += 8)
        buf[i * 8 + ty][j + tx] = in[(t * 16 + i * 8 + ty) * pitch + j + tx];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      s = s * 0.5f + buf[i][threadIdx.x % 16] * buf[ty][i];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// The counter does not begin at zero, and the loop goes to and with its end.
__global__ void __launch_bounds__(32) offsets(const int *__restrict__ in, int *__restrict__ out, int n) {
  __shared__ int buf[5 * 32];
  int s = 0;
  for (int t = 0; t < n; ++t) {
    for (int r = 1; r <= 9; r += 2) {
      int at = (r - 1) / 2 * 32 + threadIdx.x;
      buf[at] = in[t * 160 + at];
    }
    __syncthreads();
    for (int i = 0; i < 160; i++)
      s = s * 3 + buf[i];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

// Division and remainder of the linear index.
__global__ void __launch_bounds__(64) linear(const double *__restrict__ A, double *__restrict__ out, int n, int lda) {
  __shared__ double As[24][8];
  int tid = threadIdx.x;
  double s = 0;
  for (int k0 = 0; k0 < n * 8; k0 += 8) {
    for (int idx = tid; idx < 24 * 8; idx += 64) {
      int row = idx / 8;
      int col = idx % 8;
      As[row][col] = A[row * lda + k0 + col];
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      s += As[tid % 24][k] * As[(tid + 5) % 24][k];
    __syncthreads();
  }
  out[tid] = s;
}
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    float *o = data<float>(64);
    float *in = data<float>(TILE * n);
    launch(1, NT, [=] { strided(in, o, n); });
    show("strided", o, NT);
    for (int b : {7, 32, 64}) {
      launch(1, b, [=] { stridedByBlock(in, o, n); });
      show("byBlock", o, b);
    }
    float *bl = data<float>(n * 16 * 16);
    launch(1, 64, [=] { blocked(bl, o, n, 16); });
    show("blocked", o, 64);
    int *ii = data<int>(n * 160), *oo = data<int>(32);
    launch(1, 32, [=] { offsets(ii, oo, n); });
    show("offsets", oo, 32);
    double *d = data<double>(24 * n * 8), *od = data<double>(64);
    launch(1, 64, [=] { linear(d, od, n, n * 8); });
    show("linear", od, 64);
  }
}
