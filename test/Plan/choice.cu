// What auto takes. The width of the copies decides first: 4-byte asynchronous copies have lost in every
// kernel that was measured, 16-byte ones have won.
// RUN: %cpr --print=plan --arch=sm_80 %s | FileCheck %s --check-prefixes=ALL,SM80
// RUN: %cpr --print=plan --arch=sm_75 %s | FileCheck %s --check-prefixes=ALL,SM75
// RUN: %cpr --print=plan --variant=cp-async --stages=3 --kernel=narrow %s | FileCheck %s --check-prefix=ASKED
// RUN: %cpr --print=plan --stages=3 --kernel=wide %s | FileCheck %s --check-prefix=STAGES
// RUN: %cpr --print=plan --arch=sm_86,sm_90 --kernel=half %s | FileCheck %s --check-prefix=BOTH

// ALL-LABEL: loop narrow
// ALL-NOT: * cp-async
// ALL: * ldg
// ALL-NOT: * cp-async
// ASKED: * cp-async 3
// ASKED-NOT: {{ldg|cp-async [245678]}}
__global__ void __launch_bounds__(128) narrow(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[128];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      s += tile[i];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

// sm_75 has no asynchronous copies.
// ALL-LABEL: loop wide
// SM80: * cp-async
// SM75-NOT: * cp-async
// SM75: * ldg
// STAGES: * cp-async 3
// STAGES-NOT: {{cp-async [245678]|ldg}}
__global__ void __launch_bounds__(128) wide(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 tile[128];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      s += tile[i].x * tile[i].w;
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

// 28 KB: twice that is too much for static shared memory, and no launch here would give dynamic shared memory: nothing is
// gained. The one way that is left does not double. With 4 stages it is too much for any of sm_75 (64 KB) and sm_86 (99 KB).
// ALL-LABEL: loop half
// SM80: - cp-async 2: score 1.000
// SM75: - cp-async 4: {{.*}}114688 {{.*}}49152
// ALL: - ldg 2: score {{0.*|1.000}},
// ALL: ldg-single 1: score
// BOTH-DAG: - cp-async 3: score 0
// BOTH-DAG: - cp-async 4: {{.*}}114688
// BOTH-DAG: - ldg 2: score {{0.*|1.000}},
__global__ void __launch_bounds__(256) half(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 tile[1792];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 1792; i += 256)
      tile[i + threadIdx.x] = x[t * 1792 + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 1792; ++i)
      s += tile[i].x * tile[i].w;
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

// Exactly 24 KB twice is exactly 48 KB.
// ALL-LABEL: loop exactly
// ALL-NEXT: {{[*-]}} cp-async 2: score {{[0-9.]+}}{{($|, predicted)}}
// ALL: {{[*-]}} ldg 2: score
__global__ void __launch_bounds__(256) exactly(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 tile[1536];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 1536; i += 256)
      tile[i + threadIdx.x] = x[t * 1536 + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 1536; ++i)
      s += tile[i].x * tile[i].w;
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

// Two tile loops in one kernel share the 48 KB: 14 KB each; only one of them can be doubled there.
// ALL-LABEL: loop both
// ALL-LABEL: loop both
// RUN: %cpr --variant=ldg --exit-zero --kernel=both -o %t.cu %s | FileCheck %s --check-prefix=SHARED
// SHARED: pipelined with ldg
// SHARED: 28672 -> 43008 of 49152
// SHARED: 43008 -> 57344 of 166912
// SHARED: launches with less than 1 * (14336) bytes of it run the loop as it was
// SHARED: 2 rewritten, 0 refused
__global__ void __launch_bounds__(256) both(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  __shared__ float left[3584];
  __shared__ float right[3584];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 3584; i += 256)
      left[i + threadIdx.x] = a[t * 3584 + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 3584; ++i)
      s += left[i];
    __syncthreads();
  }
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 3584; i += 256)
      right[i + threadIdx.x] = b[t * 3584 + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 3584; ++i)
      s -= right[i];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}
