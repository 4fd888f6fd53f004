// What nothing names in a part of the load phase is not declared there: the store's place in the fetch, the condition's constant in the
// store. nvcc warns of such (177-D).
// RUN: rm -rf %t && mkdir %t
// RUN: %cpr %s --variant=ldg -q -o %t/ldg.cu > %t/report
// RUN: FileCheck %s --check-prefix=LDG < %t/ldg.cu
// RUN: %cpr %s --variant=ldg-single -q -o %t/single.cu > %t/report
// RUN: FileCheck %s --check-prefix=SINGLE < %t/single.cu
// RUN: %cpr %s --variant=cp-async -q -o %t/async.cu > %t/report
// RUN: FileCheck %s --check-prefix=ASYNC < %t/async.cu
// RUN: %python -c "print('kernel: k\ncases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]\ngrid: 1\nblock: 64\narguments:\n  - {name: in, buffer: float, count: n * 64 + 64, role: input}\n  - {name: out, buffer: float, count: 64, role: output}\n  - {value: n * 64 - 20}\n  - {value: n}')" > %t/launch.yaml
// RUN: %{exit} 0 %cpr verify %s %t/ldg.cu --launch=%t/launch.yaml
// RUN: %{exit} 0 %cpr verify %s %t/single.cu --launch=%t/launch.yaml
// RUN: %{exit} 0 %cpr verify %s %t/async.cu --launch=%t/launch.yaml

// LDG-LABEL: {{^}}  auto fetch_tile
// LDG-NOT: auto &tile
// LDG-NOT: &to
// LDG: const int at = t * 64 + tx;
// LDG-NEXT: static constexpr int margin = 3;
// LDG-NEXT: if (at < LIMIT)
// LDG: };
// LDG-LABEL: {{^}}  auto store_tile
// LDG-NOT: margin
// LDG: float &to = tile[tx];
// LDG-NEXT: to = tile_reg;
// LDG-NEXT: };
// SINGLE-LABEL: {{^}}  auto fetch_tile
// SINGLE-NOT: &to
// SINGLE: {{^}}  for (int t
// SINGLE-NOT: margin
// SINGLE: __syncthreads
// ASYNC-LABEL: {{^}}  auto load_tile
// ASYNC: float &to = tile[tx];
// ASYNC: margin = 3
#define LIMIT n - margin

__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n, int tiles) {
  __shared__ float tile[64];
  int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float &to = tile[tx];
    const int at = t * 64 + tx;
    static constexpr int margin = 3;
    if (at < LIMIT)
      to = in[at];
    else
      to = 0.f;
    __syncthreads();
    sum = sum * 0.5f + tile[63 - tx];
    __syncthreads();
  }
  out[tx] = sum;
}
