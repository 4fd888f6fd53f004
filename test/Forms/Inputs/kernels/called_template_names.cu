// Names of the function that fills the tile are the kernel's template parameters, with other values: its own parameters, and
// a variable in a block. No block may declare them anew there.
template <int N, bool Half>
__device__ void load(const float *a, float *s, unsigned t, float Scale) {
  const unsigned Step = 64;
  for (unsigned o = threadIdx.x; o < N; o += Step) {
    const unsigned Tile = t + o;
    s[o] = Half ? a[Tile] * Scale : a[Tile];
  }
}
template <int N, bool Half, int Step, int Scale, typename Tile>
__global__ void __launch_bounds__(64) called_template_names(const Tile *__restrict__ a, Tile *__restrict__ out, unsigned n) {
  __shared__ Tile s[N];
  Tile sum = 0;
  for (unsigned t = 0; t < n; t += N) {
    load<N, true>(a, s, t, Scale + 1);
    __syncthreads();
    for (unsigned j = 0; j < N; j += Step)
      sum = sum * 0.5f + s[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = Half ? sum * .5f : sum;
}
template __global__ void called_template_names<128, false, 2, 3, float>(const float *, float *, unsigned);
/* launch
kernel: called_template_names<128, false, 2, 3, float>
cases: [{n: 0}, {n: 128}, {n: 256}, {n: 384}, {n: 896}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
