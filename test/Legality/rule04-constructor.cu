// Rule 4: a constructor that nobody has written down reads what the members' initialisers, the members'
// own constructors and those of the base read.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/member --refused=cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/nested --refused=cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/base --refused=cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/inherited --refused=cp-async -- %cpr
// RUN: %python %S/Inputs/legality.py %t/delegated --refused=cp-async -- %cpr
//--- member/bad.cu
__device__ int carry[128], table[128];
struct Carried {
  int v = carry[127 - threadIdx.x];
};
__global__ void carried(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c;
    part[threadIdx.x] = x[t * 128 + c.v];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    carry[threadIdx.x] = t; // refused: may-alias
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- member/good.cu
__device__ int carry[128], table[128];
struct Carried {
  int v = table[127 - threadIdx.x];
};
__global__ void carried(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c;
    part[threadIdx.x] = x[t * 128 + c.v];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    carry[threadIdx.x] = t;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- nested/bad.cu
__device__ int carry[128], table[128];
struct Inner {
  int v;
  __device__ Inner() : v(carry[127 - threadIdx.x]) {}
};
struct Carried {
  Inner inner;
};
__global__ void carried(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c;
    part[threadIdx.x] = x[t * 128 + c.inner.v];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    carry[threadIdx.x] = t; // refused: may-alias
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- nested/good.cu
__device__ int carry[128], table[128];
struct Inner {
  int v;
  __device__ Inner() : v(table[127 - threadIdx.x]) {}
};
struct Carried {
  Inner inner;
};
__global__ void carried(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c;
    part[threadIdx.x] = x[t * 128 + c.inner.v];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    carry[threadIdx.x] = t;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- base/bad.cu
__device__ int carry[128], table[128];
struct Base {
  int v;
  __device__ Base() : v(carry[127 - threadIdx.x]) {}
};
struct Carried : Base {};
__global__ void carried(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c;
    part[threadIdx.x] = x[t * 128 + c.v];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    carry[threadIdx.x] = t; // refused: may-alias
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- base/good.cu
__device__ int carry[128], table[128];
struct Base {
  int v;
  __device__ Base() : v(table[127 - threadIdx.x]) {}
};
struct Carried : Base {};
__global__ void carried(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c;
    part[threadIdx.x] = x[t * 128 + c.v];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    carry[threadIdx.x] = t;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- inherited/bad.cu
__device__ int carry[128], table[128];
struct Base {
  int v;
  __device__ Base(int i) : v(carry[i]) {}
};
struct Carried : Base {
  using Base::Base;
};
__global__ void carried(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c(127 - threadIdx.x);
    part[threadIdx.x] = x[t * 128 + c.v];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    carry[threadIdx.x] = t; // refused: may-alias
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- inherited/good.cu
__device__ int carry[128], table[128];
struct Base {
  int v;
  __device__ Base(int i) : v(table[i]) {}
};
struct Carried : Base {
  using Base::Base;
};
__global__ void carried(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c(127 - threadIdx.x);
    part[threadIdx.x] = x[t * 128 + c.v];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    carry[threadIdx.x] = t;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- delegated/bad.cu
__device__ int carry[128], table[128];
struct Carried {
  int v;
  __device__ Carried(int i) : v(carry[i]) {}
  __device__ Carried() : Carried(127 - threadIdx.x) {}
};
__global__ void carried(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c;
    part[threadIdx.x] = x[t * 128 + c.v];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    carry[threadIdx.x] = t; // refused: may-alias
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- delegated/good.cu
__device__ int carry[128], table[128];
struct Carried {
  int v;
  __device__ Carried(int i) : v(table[i]) {}
  __device__ Carried() : Carried(127 - threadIdx.x) {}
};
__global__ void carried(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Carried c;
    part[threadIdx.x] = x[t * 128 + c.v];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    carry[threadIdx.x] = t;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
