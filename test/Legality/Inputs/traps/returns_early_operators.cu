// The class has a '!', '>=' and '||' of its own: what is asked must be asked in the same words.
struct Place {
  int at, end;
  __device__ operator bool() const { return at >= end; }
  __device__ bool operator!() const { return at > end + 7; }
  __device__ bool operator>=(int n) const { return at + 3 >= n; }
  __device__ bool operator<(int n) const { return at > n; }
};
__device__ bool operator==(const Place &a, const Place &b) { return a.at < b.at + 2; }
__device__ bool operator!=(const Place &a, const Place &b) { return a.at > b.at; }
template <typename T>
__device__ void load(float *s, const float *__restrict__ g, const T &p, const T &none) {
  s[threadIdx.x] = 1;
  if (p)
    return;
  if (p >= p.end)
    return;
  if (p != none)
    s[threadIdx.x] = 2;
  if (p == none)
    return;
  s[threadIdx.x] = g[p.at];
}
__global__ void __launch_bounds__(64) returns_early_operators(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    load(s, a, Place{t + (int)threadIdx.x, n}, Place{3, 3});
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: returns_early_operators
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 127}, {n: 192}, {n: 330}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
