// A step of the compute phase's that reads what the stores step behind it.
__global__ void k(const float *__restrict__ in, const float *__restrict__ more, const int *__restrict__ idx, float *__restrict__ out, int n) {
  __shared__ float s[96];
  float acc = 0;
  int a = 3;
  long long b = 3;
  int c = 5;
  int d = 4;
  int t = 0;
  while (t < n) {
    int l1 = a;
    s[0 + threadIdx.x] = more[((l1) & 7) * 32 + threadIdx.x];
    s[32 + threadIdx.x] = in[((((c & b) == (a | a) ? (b + b) : (c + a))) & 7) * 32 + threadIdx.x] * c;
    s[64 + threadIdx.x] = ((d | (b == b ? a : 1)) & 1) ? more[(((int)threadIdx.x) & 7) * 32 + threadIdx.x] : 0.f;
    ++t;
    a += ((c & b) * (d | a));
    c += 1;
    __syncthreads();
    for (int i = 0; i < 96; ++i) acc = acc * 0.5f + s[i] + a + d;
    __syncthreads();
  }
  out[blockIdx.x * 32 + threadIdx.x] = acc + b;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 7}]
grid: 1
block: 32
arguments:
  - {name: in, buffer: float, count: n * 256 + 1280, role: input}
  - {name: more, buffer: float, count: n * 256 + 1280, role: input}
  - {name: idx, buffer: int, count: n * 256 + 1280, role: input, fill: uniform(0, 7)}
  - {name: out, buffer: float, count: 32, role: output}
  - {name: n, scalar: int, value: n}
*/
