// What --print=legality says: of each variant, of assumptions, and of the barrier behind the loop.
// RUN: %cpr --print=legality %s | FileCheck %s --check-prefixes=ALL,STRICT
// RUN: %cpr --print=legality --assume=uniform %s | FileCheck %s --check-prefixes=ALL,GRANTED

// ALL-LABEL: loop plain
// ALL-NEXT: {{^}}  cp-async: legal
// ALL-NEXT: {{^}}  ldg: legal
// ALL-NEXT: {{^}}  ldg-single: legal
// ALL-NEXT: {{^}}  barrier behind the loop: not needed
__global__ void plain(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[128];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    s += tile[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

// A byte is no copy of cp.async. Other threads still read what is overwritten behind the loop.
// ALL-LABEL: loop bytes
// ALL-NEXT: {{^}}  cp-async: refused
// ALL-NEXT: copy-width
// ALL-NEXT: {{^}}  ldg: legal
// ALL-NEXT: {{^}}  ldg-single: legal
// ALL-NEXT: {{^}}  barrier behind the loop: needed
__global__ void bytes(const char *__restrict__ x, int *y, int n) {
  __shared__ char tile[128];
  int s = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    s += tile[127 - threadIdx.x] * y[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

// ALL-LABEL: loop divergent
// STRICT-NEXT: {{^}}  refused:
// STRICT-NEXT: divergent-loop
// STRICT-NOT: {{^}}  {{cp-async|ldg|ldg-single|barrier}}
// GRANTED-NEXT: {{^}}  cp-async: legal
// GRANTED-NEXT: {{^}}  ldg: legal
// GRANTED-NEXT: {{^}}  ldg-single: legal
// GRANTED-NEXT: {{^}}  assumes uniform
// GRANTED-NEXT: {{^}}  barrier behind the loop: not needed
__global__ void divergent(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[128];
  float s = 0;
  for (int t = 0; t < n + threadIdx.x / 128; ++t) {
    tile[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    s += tile[127 - threadIdx.x];
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = s;
}
