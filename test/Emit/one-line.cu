// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --strict-whitespace --check-prefix=LDG

// LDG-LABEL: oneLine(
// LDG: auto fetch_tile = [&](int t) {
// LDG-NEXT: buf_reg = in[AT(t)];
// LDG-NEXT: };
// LDG: for (int t = 0; t < n; ++t) {
// LDG: for (int i = 0; i < N; ++i) s = s * 0.5f + buf[i];
// LDG: stage ^= 1; }
// LDG-LABEL: twoOnALine(
// LDG: __shared__ float u_stages[2][N]; __shared__ float v_stages[2][N];
// LDG: s = s * 0.5f + u[i] * v[i]; // sum up

//--- kernel.cu
#define N 64
#define AT(t) ((t) * N + threadIdx.x)
__global__ void __launch_bounds__(N) oneLine(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float buf[N];
  float s = 0.f;
  for (int t = 0; t < n; ++t) { buf[threadIdx.x] = in[AT(t)]; __syncthreads(); for (int i = 0; i < N; ++i) s = s * 0.5f + buf[i]; __syncthreads(); }
  out[threadIdx.x] = s;
}
__global__ void __launch_bounds__(N) twoOnALine(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  __shared__ float u[N]; __shared__ float v[N];
  float s = 0.f;
  for (int t = 0; t < n; ++t) { // all tiles
    u[threadIdx.x] = a[AT(t)]; v[threadIdx.x] = b[AT(t)]; __syncthreads();
    for (int i = 0; i < N; ++i) s = s * 0.5f + u[i] * v[i]; // sum up
    /* done */ __syncthreads(); }
  out[threadIdx.x] = s;
}
//--- drive.h
#undef N
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    float *in = data<float>(n * 64), *b = data<float>(n * 64), *o = data<float>(64);
    launch(1, 64, [=] { oneLine(in, o, n); });
    show("one", o, 64);
    launch(1, 64, [=] { twoOnALine(in, b, o, n); });
    show("twoOn", o, 64);
  }
}
