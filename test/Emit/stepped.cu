// A value that is set in two statements has a name in between, and a step goes with what is said of it in its line.
// RUN: %{exit} 1 %cpr %s --variant=ldg-single --self-check=off --diff | FileCheck %s
// CHECK:      +  auto fetch_tile = [&](int &left) {
// CHECK-NEXT: +    const int rows_before = SIZE;
// CHECK-NEXT: +    int rows = rows_before > left ? left : rows_before;
// CHECK:      +    left -= rows; // these are done
// CHECK-NEXT: +  };
// CHECK:      +    left -= rows; // these are done
// CHECK-NEXT:  __syncthreads();
// CHECK:      -    left -= rows; // these are done
// CHECK-NEXT:  __syncthreads();
enum { SIZE = 60 };
__global__ void __launch_bounds__(64) stepped(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int left = n;
  while (left > 0) {
    int rows = SIZE;
    if (rows > left)
      rows = left;
    if (threadIdx.x < rows)
      tile[threadIdx.x] = in[threadIdx.x + n - left];
    __syncthreads();
    for (int i = 0; i < rows; ++i)
      sum += tile[i] * threadIdx.x;
    left -= rows; // these are done
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
