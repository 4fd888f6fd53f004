template <class T> struct Rows {
  const T *data;
};
template <class T> struct Pitched : Rows<T> {
  unsigned long pitch;
  __device__ const T *row(int y) const {
    ((Rows<T> *)this)->data += 1;
    return (const T *)((const char *)((Rows<T> *)this)->data + y * pitch) - 1;
  }
};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  Pitched<float> view;
  view.data = in;
  view.pitch = 128 * sizeof(float);
  const int x = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    s[x] = view.row(t)[x] + view.data[0];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.75f + s[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n * 128 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
