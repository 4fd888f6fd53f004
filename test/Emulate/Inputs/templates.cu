// All templates of the bundled declarations that have bodies for emulation (bodies.py).
namespace cg = cooperative_groups;
namespace wmma = nvcuda::wmma;

template <class A, class C, class D, int m, int n, int k, class LA, class LB>
__device__ void product(const typename wmma::helper_traits<A>::__memory_type *a, const C *c, D *d) {
  wmma::fragment<wmma::matrix_a, m, n, k, A, LA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, A, LB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, C> fc;
  wmma::fragment<wmma::accumulator, m, n, k, D> fd;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::fill_fragment(fc, C(1.0f));
  wmma::mma_sync(fd, fa, fb, fc, true);
  wmma::store_matrix_sync(d, fd, 16, wmma::mem_col_major);
}

template <class A, class C, class D, int m, int n, int k, class T>
__device__ void layouts(const T *a, const C *c, D *d) {
  product<A, C, D, m, n, k, wmma::row_major, wmma::row_major>(a, c, d);
  product<A, C, D, m, n, k, wmma::row_major, wmma::col_major>(a, c, d);
  product<A, C, D, m, n, k, wmma::col_major, wmma::row_major>(a, c, d);
  product<A, C, D, m, n, k, wmma::col_major, wmma::col_major>(a, c, d);
}

template <class A, class C, class D, class T>
__device__ void shapes(const T *a, const C *c, D *d) {
  layouts<A, C, D, 16, 16, 16>(a, c, d);
  layouts<A, C, D, 32, 8, 16>(a, c, d);
  layouts<A, C, D, 8, 32, 16>(a, c, d);
}

__global__ void fragments(half *h, __nv_bfloat16 *b, float *f, double *d, signed char *s,
                          unsigned char *u, int *i) {
  shapes<half, float, float>(h, f, f);
  shapes<half, half, half>(h, h, h);
  shapes<half, half, float>(h, h, f);
  shapes<half, float, half>(h, f, h);
  shapes<__nv_bfloat16, float, float>(b, f, f);
  shapes<signed char, int, int>(s, i, i);
  shapes<unsigned char, int, int>(u, i, i);
  layouts<wmma::precision::tf32, float, float, 16, 16, 8>(f, f, f);
  layouts<double, double, double, 8, 8, 4>(d, d, d);
  using namespace wmma::experimental;
  product<precision::s4, int, int, 8, 8, 32, wmma::row_major, wmma::col_major>(s, i, i);
  product<precision::u4, int, int, 8, 8, 32, wmma::row_major, wmma::col_major>(s, i, i);
  wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> ba;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> bb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> bc;
  wmma::bmma_sync(bc, ba, bb, bc);
}

template <class Group> __device__ void warpPart(const Group &g, float *f, int *i) {
  f[0] = g.shfl(f[0], 1) + g.shfl_up(f[1], 1) + g.shfl_down(f[2], 1);
  int all = 0;
  i[0] = g.any(i[0]) + g.all(i[1]) + g.ballot(i[2]) + g.match_any(i[3]) + g.match_all(i[4], all);
  i[1] = g.thread_rank() + g.num_threads() + g.size() + g.meta_group_rank() + g.meta_group_size();
  g.sync();
  f[1] = cg::reduce(g, f[3], cg::plus<float>()) + cg::reduce(g, f[4], cg::less<float>()) +
         cg::reduce(g, f[5], cg::greater<float>());
  i[2] = cg::reduce(g, i[5], cg::bit_and<int>()) + cg::reduce(g, i[6], cg::bit_or<int>()) +
         cg::reduce(g, i[7], cg::bit_xor<int>()) +
         cg::reduce(g, i[8], [](int a, int b) { return a * b; });
  cg::reduce_update_async(g, i[0], 1, cg::plus<int>());
  cg::reduce_store_async(g, i, 1, cg::plus<int>());
  f[2] = cg::inclusive_scan(g, f[6]) + cg::exclusive_scan(g, f[7]) +
         cg::inclusive_scan(g, f[8], cg::plus<float>()) + cg::exclusive_scan(g, f[9], cg::plus<float>());
  cg::binary_partition(g, i[9] > 0).sync();
  cg::labeled_partition(g, i[10]).sync();
  cg::sync(g);
  i[3] = cg::thread_rank(g) + cg::group_size(g);
  cg::invoke_one(g, [=] { i[4] = 1; });
}

template <unsigned Size, class Parent> __device__ void tile(const Parent &p, float *f, int *i) {
  cg::thread_block_tile<Size, Parent> t = cg::tiled_partition<Size>(p);
  cg::thread_block_tile<Size> plain = t;
  warpPart(t, f, i);
  warpPart(plain, f, i);
  f[0] = t.shfl_xor(f[0], 1);
}

__global__ void groups(float *f, int *i) {
  __shared__ float s[256];
  __shared__ cg::block_tile_memory<256> memory;
  cg::thread_block b = cg::this_thread_block();
  cg::this_thread_block(memory).sync();
  tile<1>(b, f, i);
  tile<2>(b, f, i);
  tile<4>(b, f, i);
  tile<8>(b, f, i);
  tile<16>(b, f, i);
  tile<32>(b, f, i);
  tile<64>(b, f, i);
  tile<4>(cg::tiled_partition<16>(b), f, i);
  warpPart(cg::coalesced_threads(), f, i);
  cg::memcpy_async(b, s, f, sizeof(s));
  cg::memcpy_async(b, s, f, cuda::aligned_size_t<16>(sizeof(s)));
  cg::memcpy_async(b, s, 256, f, 200);
  cg::wait_prior<1>(b);
  cg::wait(b);
#if __CUDA_ARCH__ >= 900
  f[0] = *cg::this_cluster().map_shared_rank(s, 0);
#endif
}

template <class A> __device__ void atomics(A &a, typename A::value_type v) {
  a.store(v);
  a = v + a.load() + a;
  a.exchange(v);
  a.compare_exchange_weak(v, v);
  a.compare_exchange_strong(v, v);
  a.fetch_add(v);
  a.fetch_sub(v);
  a.fetch_min(v);
  a.fetch_max(v);
  a.wait(v);
  a.notify_one();
  a.notify_all();
  ++a;
  a++;
  a += v;
  a -= v;
}
template <class A> __device__ void integerAtomics(A &a, typename A::value_type v) {
  atomics(a, v);
  a.fetch_and(v);
  a.fetch_or(v);
  a.fetch_xor(v);
}

template <cuda::thread_scope Scope> __global__ void library(float *f, int *i, unsigned long long *n) {
  __shared__ float s[256];
  __shared__ cuda::barrier<Scope> bar;
  __shared__ cuda::std::barrier<> standard;
  __shared__ cuda::pipeline_shared_state<Scope, 2> state;
  cg::thread_block b = cg::this_thread_block();
  init(&bar, 32);
  standard.arrive_and_wait();
  bar.wait(bar.arrive());
  bar.try_wait(bar.arrive());
  bar.wait_parity(true);
  bar.try_wait_parity(true);
  bar.arrive_and_wait();
  bar.arrive_and_drop();
  cuda::barrier<Scope> other(3);
  cuda::device::barrier_native_handle(bar);
  cuda::device::barrier_arrive_tx(bar, 1, 4);
  cuda::device::barrier_expect_tx(bar, 4);
  cuda::device::memcpy_async_tx(s, f, 16, bar);
  cuda::memcpy_async(s, f, 16, bar);
  cuda::memcpy_async(b, s, f, cuda::aligned_size_t<16>(16), bar);
  auto p = cuda::make_pipeline();
  cuda::memcpy_async(s, f, 16, p);
  cuda::memcpy_async(b, s, f, cuda::aligned_size_t<16>(16), p);
  cuda::pipeline_consumer_wait_prior<1>(p);
  cuda::pipeline_producer_commit(p, bar);
  auto q = cuda::make_pipeline(b, &state);
  auto q2 = cuda::make_pipeline(b, &state, 3);
  auto q3 = cuda::make_pipeline(b, &state, cuda::pipeline_role::consumer);
  q.producer_acquire();
  q.producer_commit();
  q.consumer_wait();
  q.consumer_release();
  q.quit();
  auto &ai = *reinterpret_cast<cuda::atomic<int, Scope> *>(i);
  auto &an = *reinterpret_cast<cuda::atomic<unsigned long long, Scope> *>(n);
  auto &af = *reinterpret_cast<cuda::atomic<float, Scope> *>(f);
  integerAtomics(ai, 1);
  integerAtomics(an, 1);
  atomics(af, 1);
  cuda::atomic_ref<int, Scope> ri(*i);
  cuda::atomic_ref<double, Scope> rd(*reinterpret_cast<double *>(n));
  integerAtomics(ri, 1);
  atomics(rd, 1);
  ai.compare_exchange_weak(*i, 1, cuda::memory_order_relaxed, cuda::memory_order_relaxed);
  ai.compare_exchange_strong(*i, 1, cuda::memory_order_relaxed, cuda::memory_order_relaxed);
  ri.compare_exchange_weak(*i, 1, cuda::memory_order_relaxed, cuda::memory_order_relaxed);
  ri.compare_exchange_strong(*i, 1, cuda::memory_order_relaxed, cuda::memory_order_relaxed);
}
template __global__ void library<cuda::thread_scope_block>(float *, int *, unsigned long long *);
template __global__ void library<cuda::thread_scope_thread>(float *, int *, unsigned long long *);

__global__ void oldPipeline(float *f, float4 *v) {
  __shared__ float s[4];
  __shared__ float4 w;
  nvcuda::experimental::pipeline p;
  nvcuda::experimental::memcpy_async(w, v[0], p);
  nvcuda::experimental::memcpy_async(s, *reinterpret_cast<float (*)[3]>(f), p);
  p.wait_prior<1>();
}

// Integers go to the functions for double.
template <class T> __device__ double integers(T x) {
  double r = acos(x) + acosh(x) + asin(x) + asinh(x) + atan(x) + atanh(x) + cbrt(x) + ceil(x) + cos(x) +
             cosh(x) + erf(x) + erfc(x) + exp(x) + exp2(x) + expm1(x) + fabs(x) + floor(x) + lgamma(x) +
             log(x) + log10(x) + log1p(x) + log2(x) + logb(x) + nearbyint(x) + rint(x) + round(x) +
             sin(x) + sinh(x) + sqrt(x) + tan(x) + tanh(x) + tgamma(x) + trunc(x) + ilogb(x) + lrint(x) +
             lround(x) + llrint(x) + llround(x);
  r += atan2(x, 2.0f) + copysign(x, 2.0f) + fdim(x, 2.0f) + fmax(x, 2.0f) + fmin(x, 2.0f) +
       fmod(x, 2.0f) + hypot(x, 2.0f) + nextafter(x, 2.0f) + pow(2.0f, x) + remainder(x, 2.0f);
  return r + isfinite(x) + isinf(x) + isnan(x) + isnormal(x) + signbit(x);
}
template __device__ double integers<int>(int);
template __device__ double integers<unsigned char>(unsigned char);
template __device__ double integers<long long>(long long);

template <class T> __device__ void textures(cudaTextureObject_t t, cudaSurfaceObject_t s, T *p) {
  T v = tex1Dfetch<T>(t, 0);
  v = tex1D<T>(t, 0), v = tex2D<T>(t, 0, 0), v = tex2Dgather<T>(t, 0, 0), v = tex3D<T>(t, 0, 0, 0);
  v = tex1DLayered<T>(t, 0, 0), v = tex2DLayered<T>(t, 0, 0, 0), v = tex1DLod<T>(t, 0, 0);
  v = tex2DLod<T>(t, 0, 0, 0), v = tex3DLod<T>(t, 0, 0, 0, 0), v = texCubemap<T>(t, 0, 0, 0);
  tex1Dfetch(p, t, 0), tex1D(p, t, 0), tex2D(p, t, 0, 0), tex3D(p, t, 0, 0, 0);
  v = surf1Dread<T>(s, 0), v = surf2Dread<T>(s, 0, 0), v = surf3Dread<T>(s, 0, 0, 0);
  surf1Dread(p, s, 0), surf2Dread(p, s, 0, 0);
  surf1Dwrite(v, s, 0), surf2Dwrite(v, s, 0, 0), surf3Dwrite(v, s, 0, 0, 0);
}
template __device__ void textures<float>(cudaTextureObject_t, cudaSurfaceObject_t, float *);
