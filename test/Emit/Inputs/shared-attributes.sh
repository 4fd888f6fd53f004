# shared-attributes.sh TOOL: rewrites a kernel for each spelling of its tile's declaration, and verifies.
set -eu
cat > k.yaml <<'Y'
kernel: k
cases:
  - {tiles: 3}
grid: [1]
block: [32]
arguments:
  - {name: in, buffer: float, count: tiles * 32, role: input}
  - {name: out, buffer: float, count: 32, role: output}
  - {name: tiles, scalar: int, value: tiles}
Y
for spelling in '__shared__' '__shared__ alignas(16)' 'alignas(16) __shared__' '__shared__ __align__(16)' \
    '__align__(16) __shared__' '__shared__ __attribute__((aligned(16)))' '[[maybe_unused]] __shared__' \
    'static __shared__' '__shared__ static'; do
  for inside in yes no; do
    declaration="$spelling float xs[32];"
    {
      echo '__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {'
      echo '  float s = 0.0f;'
      [ $inside = yes ] || echo "  $declaration"
      echo '  for (int t = 0; t < tiles; ++t) {'
      [ $inside = no ] || echo "    $declaration"
      echo '    const int at = t * 32;'
      echo '    xs[threadIdx.x] = in[at + threadIdx.x];'
      echo '    __syncthreads();'
      echo '    s = s * 0.5f + xs[31 - threadIdx.x];'
      echo '    __syncthreads();'
      echo '  }'
      echo '  out[threadIdx.x] = s;'
      echo '}'
    } > k.cu
    for variant in ldg ldg-single 'cp-async --stages=3'; do
      echo "$declaration inside: $inside variant: $variant"
      "$1" --cuda-path=none k.cu --variant=$variant -o new.cu > report
      "$1" --cuda-path=none verify k.cu new.cu --launch=k.yaml --seed=1 --runs=1 -q
    done
  done
done
