// A turn that ends with the load of the next tile: that is what the next turn begins with. Lines of the report are those of the file.
// RUN: %{exit} 1 %cpr %s --variant=ldg-single --self-check=off --diff 2>%t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.said
// RUN: %{exit} 1 %cpr check %s 2>&1 | FileCheck %s --check-prefix=AUTO
// CHECK:      +  auto fetch_tile = [&](int t) {
// CHECK-NEXT: +    if (t != first) {
// CHECK-NEXT: +      int t_before = t - step;
// CHECK-NEXT: +      const int next = t_before + step;
// CHECK-NEXT: +      // The next one.
// CHECK-NEXT: +      if (next < n)
// CHECK-NEXT: +        tile_reg = a[next * 64 + threadIdx.x];
// CHECK-NEXT: +    }
// CHECK:         for (int t = first; t < n; t += step) {
// CHECK-NEXT: +    if (t != first) {
// CHECK-NEXT: +      int t_before = t - step;
// CHECK-NEXT: +      const int next = t_before + step;
// CHECK-NEXT: +      if (next < n)
// CHECK-NEXT: +        tile[threadIdx.x] = tile_reg;
// CHECK-NEXT: +    }
// CHECK-NEXT: +    __syncthreads();
// CHECK-NEXT: +    const int t_next = t + step;
// CHECK-NEXT: +    if (t_next < n)
// CHECK-NEXT: +      fetch_tile(t_next);
__global__ void __launch_bounds__(64)
    ends(const float *__restrict__ a, float *__restrict__ out, int first, int n) {
  __shared__ float tile[64];
  constexpr int step = 2;
  tile[threadIdx.x] = a[first * 64 + threadIdx.x];
  __syncthreads();
  float x = 0.f;
  // SAID: [[@LINE+2]]:3: remark: pipelined with ldg-single, 1 stage
  // AUTO: [[@LINE+1]]:3: {{.*}}pipeline this tile loop with ldg-single
  for (int t = first; t < n; t += step) {
    const int next = t + step;
    for (int i = 0; i < 64; ++i)
      x = x * 0.5f + tile[i];
    // SAID: load-ends-turn.cu:[[@LINE+4]]: note: copy into 'tile' by registers, 4 bytes at a time
    __syncthreads(); // all are done with it
    // The next one.
    if (next < n)
      tile[threadIdx.x] = a[next * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = x;
}
// SAID: note: what a turn loads at its end is taken as what the next one loads first
