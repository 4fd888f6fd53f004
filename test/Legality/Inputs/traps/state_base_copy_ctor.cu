struct B { int t; __device__ B() : t(-1) {} __device__ B(const B &) : t(-1) {} }; struct It : B { int n; __device__ bool next() { return ++t < n; } };
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64]; int tx = threadIdx.x; float acc = 0; It it; it.n = n; ++it.t; --it.t; it.next(); --it.t;
  while (it.next()) {
    s[tx] = in[(blockIdx.x * n + it.t) * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc += s[i] * (i + it.t); 
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc + it.t;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: "n*128", role: input}
  - {name: out, buffer: float, count: 128, role: inout}
  - {name: n, value: n}
*/
