// A tile loop as the only statement of another one: what comes in front of it must stay with it.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr

//--- kernel.cu
__global__ void __launch_bounds__(64) inFor(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float s = 0.f;
  for (int b = 0; b < 3; ++b)
    for (int t = 0; t < n; ++t) {
      tile[threadIdx.x] = in[(t + b * n) * 64 + threadIdx.x];
      __syncthreads();
      for (int k = 0; k < 64; ++k)
        s = s * 0.5f + tile[k];
      __syncthreads();
    }
  out[threadIdx.x] = s;
}
__global__ void __launch_bounds__(64) inIf(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float s = 0.f;
  if (n > 2)
#pragma unroll 1
    for (int t = 0; t < n; ++t) {
      tile[threadIdx.x] = in[t * 64 + threadIdx.x];
      __syncthreads();
      for (int k = 0; k < 64; ++k)
        s = s * 0.5f + tile[k];
      __syncthreads();
    }
  else
    s = 1.f;
  out[threadIdx.x] = s;
}
__global__ void __launch_bounds__(64) inElse(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float s = 0.f;
  if (n > 2) s = 1.f; else for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      s = s * 0.5f + tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}
__global__ void __launch_bounds__(64) inSwitch(const float *__restrict__ in, float *__restrict__ out, int n, int mode) {
  __shared__ float tile[64];
  float s = 0.f;
  switch (mode) {
  case 0:
    s = 1.f;
    break;
  case 1: {
    for (int t = 0; t < n; ++t) {
      tile[threadIdx.x] = in[t * 64 + threadIdx.x];
      __syncthreads();
      for (int k = 0; k < 64; ++k)
        s = s * 0.5f + tile[k];
      __syncthreads();
    }
    break;
  }
  default:
    s = 2.f;
  }
  out[threadIdx.x] = s;
}
__global__ void __launch_bounds__(64) behindOther(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float s = 0.f; for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      s = s * 0.5f + tile[k];
    __syncthreads();
  } out[threadIdx.x] = s;
}
// A start that is given in another order than the variables are declared.
__global__ void __launch_bounds__(64) order(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float s = 0.f;
  int offset, t;
  for (t = n > 3, offset = t * 64; t < n; ++t, offset += 64) {
    tile[threadIdx.x] = in[offset + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      s = s * 0.5f + tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = s + offset;
}
// What the compute phase reads is written behind the loop, by other threads.
__global__ void __launch_bounds__(64) feedback(const float *__restrict__ in, float *state, int n) {
  __shared__ float tile[64];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      s = s * 0.5f + tile[k] * state[k];
    __syncthreads();
  }
  state[threadIdx.x] = s;
}
//--- drive.h
void drive() {
  float *out = data<float>(64);
  for (int n : {0, 1, 2, 3, 4, 7}) {
    float *in = data<float>(n * 64), *three = data<float>(3 * n * 64);
    launch(1, 64, [=] { inFor(three, out, n); });
    show("inFor", out, 64);
    launch(1, 64, [=] { inIf(in, out, n); });
    show("inIf", out, 64);
    launch(1, 64, [=] { inElse(in, out, n); });
    show("inElse", out, 64);
    for (int mode = 0; mode < 3; ++mode) {
      launch(1, 64, [=] { inSwitch(in, out, n, mode); });
      show("inSwitch", out, 64);
    }
    launch(1, 64, [=] { behindOther(in, out, n); });
    show("behindOther", out, 64);
    launch(1, 64, [=] { order(in, out, n); });
    show("order", out, 64);
    launch(1, 64, [=] { feedback(in, out, n); });
    show("feedback", out, 64);
  }
}
