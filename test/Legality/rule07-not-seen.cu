// Rule 7: what is not seen may wait for other blocks, and may use dynamic shared memory, unless the user says otherwise.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/pointer --refused=ldg,cp-async --legal=ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/virtual --refused=ldg,cp-async --legal=ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/elsewhere --refused=ldg,cp-async --legal=ldg-single "--unverified=a body is missing" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/destructor --refused=ldg,cp-async --legal=ldg-single "--unverified=a body is missing" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/function --refused=ldg,cp-async:2 --legal=ldg-single "--unverified=a body is missing" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/launched --refused=ldg,cp-async --legal=ldg-single --options=--assume=co-resident -- %cpr
// RUN: %python %S/Inputs/legality.py %t/dynamic --refused=ldg,cp-async --legal=ldg-single --options=--assume=co-resident -- %cpr
// RUN: %python %S/Inputs/legality.py %t/assembly --refused=ldg,cp-async --legal=ldg-single "--unverified=an address is a number" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/number --refused=ldg,cp-async --legal=ldg-single "--unverified=an address is a number" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/converted --refused=ldg,cp-async --legal=ldg-single "--unverified=an address is a number" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/granted --refused= --legal=ldg,cp-async,ldg-single --options=--assume=co-resident,dynamic-shared -- %cpr
// RUN: %cpr %t/granted/good.cu --variant=ldg --assume=co-resident,dynamic-shared -o %t/out.cu | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s --check-prefix=COMMENT < %t/out.cu
// RUN: %{exit} 1 %cpr %t/elsewhere/bad.cu --variant=ldg -o %t/out.cu | FileCheck %s --check-prefix=REMEDY
// RUN: %cpr %t/elsewhere/good.cu --variant=ldg --assume=co-resident,dynamic-shared -o %t/out.cu | FileCheck %s --check-prefix=NONE
// REPORT: assumes: co-resident
// REPORT: assumes: dynamic-shared
// COMMENT: // Assumes that no block of the grid waits for another one (--assume=co-resident).
// COMMENT-NEXT: // Assumes that what this kernel calls and is not seen here uses no dynamic shared memory (--assume=dynamic-shared).
// REMEDY: the kernel may wait for other blocks: the function 'finish', whose body is not in this file, is not looked into
// REMEDY: to make it possible: {{.*}}grant --assume=co-resident{{.*}} Or try --variant=ldg-single.
// NONE-NOT: assumes: co-resident
// NONE-NOT: assumes: dynamic-shared
//--- pointer/bad.cu
__device__ void store(float *to, float v) { *to = v; }
__device__ void choose(void (**end)(float *, float)) { *end = store; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  void (*end)(float *, float) = store;
  choose(&end);
  end(y + threadIdx.x, sum); // refused: co-resident
}
//--- pointer/good.cu
__device__ void store(float *to, float v) { *to = v; }
__device__ void choose(void (**end)(float *, float)) { *end = store; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  void (*end)(float *, float) = store;
  end(y + threadIdx.x, sum);
}
//--- virtual/bad.cu
struct Base { __device__ virtual float end(float v) { return v; } };
struct Twice : Base { __device__ float end(float v) override { return 2 * v; } };
__device__ float end(Base &of, float v) { return of.end(v); }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  Twice twice;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = end(twice, sum); // refused: co-resident
}
//--- virtual/good.cu
struct Base { __device__ virtual float end(float v) { return v; } };
struct Twice : Base { __device__ float end(float v) override { return 2 * v; } };
__device__ float end(Base &of, float v) { return of.Base::end(v); }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  Twice twice;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = end(twice, sum);
}
//--- elsewhere/bad.cu
extern __device__ float finish(float);
__device__ inline float half(float v) { return 0.5f * v; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = finish(sum); // refused: co-resident
}
//--- elsewhere/good.cu
extern __device__ float finish(float);
__device__ inline float half(float v) { return 0.5f * v; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = half(sum);
}
//--- destructor/bad.cu
struct Guard { float f; __device__ ~Guard(); };
struct Plain { float f; };
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  if (tiles == 0)
    return;
  Guard last = {1.0f}; // refused: co-resident
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum + last.f;
}
//--- destructor/good.cu
struct Guard { float f; __device__ ~Guard(); };
struct Plain { float f; };
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  if (tiles == 0)
    return;
  Plain last = {1.0f};
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum + last.f;
}
//--- function/bad.cu
// The loop is in a function, and a kernel that calls it does something more.
extern __device__ float finish(float);
__device__ inline float half(float v) { return 0.5f * v; }
__device__ float total(const float *__restrict__ x, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  return sum;
}
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  y[threadIdx.x] = finish(total(x, tiles)); // refused: co-resident
}
//--- function/good.cu
// The loop is in a function, and a kernel that calls it does something more.
extern __device__ float finish(float);
__device__ inline float half(float v) { return 0.5f * v; }
__device__ float total(const float *__restrict__ x, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  return sum;
}
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  y[threadIdx.x] = half(total(x, tiles));
}
//--- launched/bad.cu
// With what the launch gives to others, static tiles of twice the size may be too much.
__device__ void store(float *to, float v) { *to = v; }
__device__ void choose(void (**end)(float *, float)) { *end = store; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  void (*end)(float *, float) = store;
  choose(&end);
  end(y + threadIdx.x, sum); // refused: dynamic-shared-memory
}
//--- launched/good.cu
// With what the launch gives to others, static tiles of twice the size may be too much.
__device__ void store(float *to, float v) { *to = v; }
__device__ void choose(void (**end)(float *, float)) { *end = store; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  void (*end)(float *, float) = store;
  end(y + threadIdx.x, sum);
}
//--- dynamic/bad.cu
__device__ void store(float *to, float v) { *to = v; }
__device__ void choose(void (**end)(float *, float)) { *end = store; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  extern __shared__ float part[]; // refused: dynamic-shared-memory
  // note: a call through a pointer
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[(threadIdx.x + 5) & 127];
    __syncthreads();
  }
  void (*end)(float *, float) = store;
  choose(&end);
  end(y + threadIdx.x, sum);
}
//--- dynamic/good.cu
__device__ void store(float *to, float v) { *to = v; }
__device__ void choose(void (**end)(float *, float)) { *end = store; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  extern __shared__ float part[];
  // note: a call through a pointer
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[(threadIdx.x + 5) & 127];
    __syncthreads();
  }
  void (*end)(float *, float) = store;
  end(y + threadIdx.x, sum);
}
//--- dynamic/launch.yaml
kernel: calls
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
shared: 1024
arguments:
  - {name: x, buffer: float, count: tiles * 128, role: input}
  - {name: y, buffer: float, count: 128, role: output}
  - {value: tiles}
//--- assembly/bad.cu
__device__ void put(unsigned at, float v) { asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory"); }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  extern __shared__ float part[]; // refused: dynamic-shared-memory
  __shared__ float other[128];
  float sum = 0.0f;
  put(1024, 1.0f);
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[(threadIdx.x + 5) & 127];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- assembly/good.cu
__device__ void put(unsigned at, float v) { asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory"); }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  extern __shared__ float part[];
  __shared__ float other[128];
  float sum = 0.0f;
  put((unsigned)__cvta_generic_to_shared(other), 1.0f);
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[(threadIdx.x + 5) & 127];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- granted/good.cu
__device__ void store(float *to, float v) { *to = v; }
__device__ void choose(void (**end)(float *, float)) { *end = store; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  void (*end)(float *, float) = store;
  choose(&end);
  end(y + threadIdx.x, sum);
}
//--- number/bad.cu
__global__ void uses(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  extern __shared__ float part[]; // refused: dynamic-shared-memory
  __shared__ float other[128];
  float sum = 0.0f;
  float *kept = (float *)__cvta_shared_to_generic(1024 + threadIdx.x * 4);
  *kept = sum;
  sum += other[threadIdx.x];
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[(threadIdx.x + 5) & 127];
    __syncthreads();
  }
  y[threadIdx.x] = sum + *kept;
}
//--- number/good.cu
__global__ void uses(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  extern __shared__ float part[];
  __shared__ float other[128];
  float sum = 0.0f;
  float *kept = (float *)__cvta_shared_to_generic(__cvta_generic_to_shared(&other[threadIdx.x]));
  *kept = sum;
  sum += other[threadIdx.x];
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[(threadIdx.x + 5) & 127];
    __syncthreads();
  }
  y[threadIdx.x] = sum + *kept;
}
//--- converted/bad.cu
__global__ void uses(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  extern __shared__ float part[]; // refused: dynamic-shared-memory
  __shared__ float other[128];
  float sum = 0.0f;
  unsigned long long at;
  asm("cvta.shared.u64 %0, %1;" : "=l"(at) : "l"(1024ull + threadIdx.x * 4));
  float *kept = (float *)at;
  *kept = sum;
  sum += other[threadIdx.x];
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[(threadIdx.x + 5) & 127];
    __syncthreads();
  }
  y[threadIdx.x] = sum + *kept;
}
//--- converted/good.cu
__global__ void uses(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  extern __shared__ float part[];
  __shared__ float other[128];
  float sum = 0.0f;
  unsigned long long at;
  asm("cvta.shared.u64 %0, %1;" : "=l"(at) : "l"((unsigned long long)__cvta_generic_to_shared(&other[threadIdx.x])));
  float *kept = (float *)at;
  *kept = sum;
  sum += other[threadIdx.x];
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[(threadIdx.x + 5) & 127];
    __syncthreads();
  }
  y[threadIdx.x] = sum + *kept;
}
