struct M { float *p; };
template <class T> __global__ void k(const float *in, const int *__restrict__ idx, float *__restrict__ out, int n) {
  __shared__ float s[64];
  int tx = threadIdx.x;
  float acc = 0;
  M m{out}; auto set = [&](auto q) { m = q; }; set(M{const_cast<float *>(in)});
  for (int t = 0; t < n; ++t) {
    s[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc += s[(tx + j) & 63] * (j + 1); acc *= 0.001f; m.p[(t + 1) * 64 + tx] = acc;
    __syncthreads();
  }
  out[tx] = acc;
}
void go(float *a, int *b) { k<int><<<1, 64>>>(a, b, a, 3);  }
/* launch
kernel: k<int>
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: "(n+2)*64*2", role: inout}
  - {name: idx, buffer: int, count: "n+2", role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 128, role: inout}
  - {name: n, value: n}
*/
