// A loop in a function that others may call can be rewritten with the text of its copy, but for a kernel of the file that waits. That
// is seen once all of the text is looked at; the others are rewritten all the same.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.cu
// RUN: %cpr %t/in.cu --cuda-path=none --variant=ldg --exit-zero -o %t/out.cu --report=%t/report.json
// RUN: FileCheck %s < %t/out.cu
// RUN: %python -c "import json; print([(l['status'], [r['id'] for r in l['reasons']]) for l in json.load(open(r'%t/report.json'))['files'][0]['loops']])" | FileCheck %s --check-prefix=LOOPS
// LOOPS: [('refused', ['co-resident']), ('rewritten', [])]
__device__ void copyRow(float *to, const float *from, int t) {
  to[threadIdx.x] = from[t * 128 + threadIdx.x];
}

// CHECK-LABEL: float total(
// CHECK: {{^}}    copyRow(row, x, t);
__device__ float total(const float *__restrict__ x, int tiles) {
  __shared__ float row[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    copyRow(row, x, t);
    __syncthreads();
    sum += row[127 - threadIdx.x];
    __syncthreads();
  }
  return sum;
}

__global__ void waits(volatile int *flag, const float *x, float *y, int tiles) {
  while (*flag == 0)
    ;
  y[threadIdx.x] = total(x, tiles);
}

// CHECK-LABEL: void plain(
// CHECK: row_stages[2]
__global__ void plain(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float row[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    copyRow(row, x, t);
    __syncthreads();
    sum += row[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
