// An index of a tensor makes an object with a pointer that refers to the tensor, and so on down to an element, which converts.
template <typename P, int D> struct Part;
template <typename P> struct Part<P, 0> {
  __device__ Part(P &p, typename P::Type *d) : parent(p), data(d) {}
  __device__ Part operator=(typename P::Type v) {
    *data = v;
    return *this;
  }
  __device__ operator typename P::Type &() { return *data; }
  __device__ operator const typename P::Type &() const { return *data; }
  __device__ typename P::Type *operator&() { return data; }

private:
  P &parent;
  typename P::Type *const data;
};
template <typename P, int D> struct Part {
  __device__ Part(P &p, typename P::Type *d) : parent(p), data(d) {}
  __device__ Part<P, D - 1> operator[](long i) { return Part<P, D - 1>(parent, data + i * parent.stride(P::Rank - D)); }
  __device__ const Part<P, D - 1> operator[](long i) const { return Part<P, D - 1>(parent, data + i * parent.stride(P::Rank - D)); }

private:
  P &parent;
  typename P::Type *const data;
};
template <typename T, int D> struct Tensor {
  typedef T Type;
  enum { Rank = D };
  __host__ __device__ Tensor(const Tensor &t) : data(t.data) {
    for (int i = 0; i < D; ++i) {
      sizes[i] = t.sizes[i];
      strides[i] = t.strides[i];
    }
  }
  __host__ __device__ long stride(int i) const { return strides[i]; }
  __host__ __device__ long size(int i) const { return sizes[i]; }
  __device__ Part<Tensor, D - 1> operator[](long i) { return Part<Tensor, D - 1>(Part<Tensor, D>(*this, data)[i]); }
  __device__ const Part<Tensor, D - 1> operator[](long i) const { return Part<Tensor, D - 1>(Part<Tensor, D>(const_cast<Tensor &>(*this), data)[i]); }

private:
  T *data;
  long strides[D], sizes[D];
};
template <typename T> __global__ void k(Tensor<T, 2> a, const Tensor<unsigned char, 2> b, Tensor<float, 2> out) {
  __shared__ T s[64];
  __shared__ unsigned char m[64];
  const int tx = threadIdx.x;
  auto row = a[blockIdx.x];
  float sum = 0.f;
  for (long t = 0; t < a.size(1); t += 64) {
    const bool in = t + tx < a.size(1);
    s[tx] = in ? row[t + tx] : T(0);
    m[tx] = in ? b[blockIdx.x][t + tx] : 0;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(i + tx) & 63] * m[i];
    __syncthreads();
  }
  out[blockIdx.x][tx] = sum;
}
void run(Tensor<float, 2> a, Tensor<unsigned char, 2> b, Tensor<float, 2> o) { k<float><<<2, 64>>>(a, b, o); }
