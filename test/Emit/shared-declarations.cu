// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t --loops=cp-async=1 -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG

// Each tile gets its stages; what is no tile stays.
// LDG-LABEL: several(
// LDG: __shared__ float As_stages[2][DIM][DIM], scratch[DIM * DIM], Bs_stages[2][DIM][DIM + 1]; // padded
// LDG-LABEL: spelled(
// LDG: __shared__ Tile As_stages[2];
// LDG-NEXT: __align__(16) __shared__ float Bs_stages[2][DIM][DIM];
// LDG-LABEL: cells(
// LDG: __shared__ Cell box_stages[2][4][4][4];
// LDG: Cell box_reg;

//--- kernel.cu
#define DIM 8
typedef float Tile[DIM][DIM];
// Several tiles in one declaration, with one array that is none.
__global__ void __launch_bounds__(64) several(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ float As[DIM][DIM], scratch[DIM * DIM], Bs[DIM][DIM + 1]; // padded
  const unsigned x = threadIdx.x % DIM, y = threadIdx.x / DIM;
  float c = 0.f;
  for (unsigned t = 0; t < (unsigned)n; ++t) {
    As[y][x] = A[y * n * DIM + t * DIM + x];
    Bs[y][x] = B[(t * DIM + y) * DIM + x];
    __syncthreads();
    for (unsigned k = 0; k < DIM; ++k)
      c += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  scratch[threadIdx.x] = c;
  __syncthreads();
  C[threadIdx.x] = c + scratch[63 - threadIdx.x];
}

// A typedef of an array, the specifiers in another order, and an alignment of the author's own.
__global__ void __launch_bounds__(64) spelled(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ Tile As;
  __align__(16) __shared__ float Bs[DIM][DIM];
  const unsigned x = threadIdx.x % DIM, y = threadIdx.x / DIM;
  float c = 0.f;
  for (int t = 0; t < n; ++t) {
    As[y][x] = A[y * n * DIM + t * DIM + x];
    Bs[y][x] = B[(t * DIM + y) * DIM + x];
    __syncthreads();
    for (int k = 0; k < DIM; ++k)
      c += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  C[threadIdx.x] = c;
}

// Three dimensions; a struct as element.
struct Cell { float value; int weight; };
__global__ void __launch_bounds__(64) cells(const Cell *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Cell box[4][4][4];
  const int i = threadIdx.x % 4, j = threadIdx.x / 4 % 4, k = threadIdx.x / 16;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    box[k][j][i] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int m = 0; m < 4; ++m)
      sum += box[m][j][i].value * box[k][m][i].weight + box[k][j][m].value;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- drive.h
void drive() {
  float *C = data<float>(64);
  for (int n : {0, 1, 2, 3, 4, 7}) {
    float *A = data<float>(64 * n), *B = data<float>(64 * n);
    launch(1, 64, [=] { several(A, B, C, n); });
    show("several", C, 64);
    launch(1, 64, [=] { spelled(A, B, C, n); });
    show("spelled", C, 64);
    Cell *cs = data<Cell, int>(64 * n);
    for (int i = 0; i < 64 * n; ++i)
      cs[i] = {float(Values() % 9), int(Values() % 5)};
    launch(1, 64, [=] { cells(cs, C, n); });
    show("cells", C, 64);
  }
}
