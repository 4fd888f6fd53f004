//===- Isl.h - Owners for isl's objects -----------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// isl's C interface with C++ ownership. A value holds its object and copies it by isl's reference
/// count. isl answers null, or isl_bool_error, past the context's limit of operations, and passes
/// it on through every further operation; so whoever asks at the end sees it as "unknown".
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_ISL_H
#define CUDA_PIPELINE_LIB_ANALYSIS_ISL_H

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <utility>

namespace cuda_pipeline {

enum class Answer { No, Yes, Unknown };

inline Answer answer(isl_bool B) {
  return B == isl_bool_error ? Answer::Unknown : B == isl_bool_true ? Answer::Yes : Answer::No;
}

template <typename T, T *(*Copy)(T *), T *(*Free)(T *)> class IslOwner {
public:
  IslOwner() = default;
  /// Takes what an `__isl_give` function returned.
  explicit IslOwner(T *Taken) : P(Taken) {}
  IslOwner(const IslOwner &O) : P(O.P ? Copy(O.P) : nullptr) {}
  IslOwner(IslOwner &&O) noexcept : P(std::exchange(O.P, nullptr)) {}
  IslOwner &operator=(IslOwner O) noexcept {
    std::swap(P, O.P);
    return *this;
  }
  ~IslOwner() {
    if (P)
      Free(P);
  }
  /// For an `__isl_keep` parameter.
  T *get() const { return P; }
  /// For an `__isl_take` parameter: another reference.
  T *take() const { return P ? Copy(P) : nullptr; }
  explicit operator bool() const { return P; }

private:
  T *P = nullptr;
};

namespace isl_free {
// isl's free functions differ in what they return.
inline isl_set *set(isl_set *S) { return isl_set_free(S); }
inline isl_map *map(isl_map *M) { return isl_map_free(M); }
inline isl_val *val(isl_val *V) { return isl_val_free(V); }
inline isl_pw_aff *pwAff(isl_pw_aff *A) { return isl_pw_aff_free(A); }
} // namespace isl_free

using IslSet = IslOwner<isl_set, isl_set_copy, isl_free::set>;
using IslMap = IslOwner<isl_map, isl_map_copy, isl_free::map>;
using IslVal = IslOwner<isl_val, isl_val_copy, isl_free::val>;
using IslPwAff = IslOwner<isl_pw_aff, isl_pw_aff_copy, isl_free::pwAff>;

/// A context whose operations are counted.
class IslContext {
public:
  explicit IslContext(unsigned long MaxOperations) : Context(isl_ctx_alloc()) {
    isl_options_set_on_error(Context, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(Context, MaxOperations);
  }
  IslContext(const IslContext &) = delete;
  IslContext &operator=(const IslContext &) = delete;
  ~IslContext() { isl_ctx_free(Context); }
  isl_ctx *get() const { return Context; }
  /// From here on, so many operations and no more.
  void allow(unsigned long MaxOperations) {
    isl_ctx_reset_error(Context);
    isl_ctx_reset_operations(Context);
    isl_ctx_set_max_operations(Context, MaxOperations);
  }
  bool exhausted() const { return isl_ctx_last_error(Context) == isl_error_quota; }

private:
  isl_ctx *Context;
};

inline IslSet operator&(const IslSet &A, const IslSet &B) {
  return IslSet(isl_set_intersect(A.take(), B.take()));
}
inline IslSet operator|(const IslSet &A, const IslSet &B) {
  return IslSet(isl_set_union(A.take(), B.take()));
}
inline IslSet operator-(const IslSet &A, const IslSet &B) {
  return IslSet(isl_set_subtract(A.take(), B.take()));
}
inline IslPwAff operator+(const IslPwAff &A, const IslPwAff &B) {
  return IslPwAff(isl_pw_aff_add(A.take(), B.take()));
}
inline IslPwAff operator-(const IslPwAff &A, const IslPwAff &B) {
  return IslPwAff(isl_pw_aff_sub(A.take(), B.take()));
}

} // namespace cuda_pipeline

#endif
