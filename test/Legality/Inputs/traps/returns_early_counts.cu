// What is asked counts; and an object of the function says at its end how far it got.
struct Tally {
  int *to, n = 0;
  __device__ Tally(int *to) : to(to) {}
  __device__ ~Tally() { *to += n; }
};
__device__ void load(float *s, const float *__restrict__ g, int t, int n, int &asked, int *done) {
  Tally tally(done);
  if (asked++ % 3 == 1)
    return;
  tally.n = 1;
  Tally again(done);
  if (t + (int)threadIdx.x >= n) return;
  again.n = 10;
  s[threadIdx.x] = g[t + threadIdx.x];
}
__global__ void __launch_bounds__(64) returns_early_counts(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  int asked = threadIdx.x & 1, done = 0;
  s[threadIdx.x] = 0;
  for (int t = 0; t < n; t += 64) {
    load(s, a, t, n, asked, &done);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x) + done;
    __syncthreads();
  }
  out[threadIdx.x] = sum + asked * 100 + done;
}
/* launch
kernel: returns_early_counts
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 320}, {n: 500}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
