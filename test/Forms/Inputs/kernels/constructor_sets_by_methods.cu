// An object is made in the compute phase by a constructor that sets its members by methods, in an order of its own.
// What these write is the object that is made, and no memory that anything is loaded from.
struct Complex {
  __device__ Complex(float r, float i) {
    real(r);
    this->imag(i);
    at(1) += 1;
  }
  __device__ void real(float r) { m[0] = r; }
  __device__ void imag(float i) { m[1] = i; }
  __device__ float &at(int i) { return m[i]; }
  __device__ float real() const { return m[0]; }
  __device__ float imag() const { return m[1]; }
  float m[2];
};
__device__ Complex turned(const Complex &z) { return Complex(z.imag(), -z.real()); }
__global__ void __launch_bounds__(64) constructor_sets_by_methods(const float *a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[t + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      const Complex z = turned(Complex(s[i], a[i]));
      sum = sum * 0.5f + z.real() * (i ^ threadIdx.x) + z.imag();
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: constructor_sets_by_methods
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
