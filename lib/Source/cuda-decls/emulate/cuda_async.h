//===- emulate/cuda_async.h - Bodies of cuda::barrier, cuda::pipeline, cuda::memcpy_async
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Emulated is what can be told apart exactly: a pipeline of one thread, which is a queue of groups
/// of copies, and a barrier of the whole block at which every thread arrives and waits in one call.
/// A barrier with arrive() and wait() apart, and the pipelines of a block that are made of it,
/// order accesses in ways that the detector of races does not follow.
///
/// __barrier keeps the number of threads that are expected.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "copy.h"

namespace cuda {
inline namespace __4 {

#define __cpr_barrier template <thread_scope Scope, class Completion>
__cpr_barrier __cpr_both_body barrier<Scope, Completion>::barrier(ptrdiff_t Count, Completion)
    : __barrier((unsigned long long)Count) {}
__cpr_barrier __cpr_both_body typename barrier<Scope, Completion>::arrival_token
barrier<Scope, Completion>::arrive(ptrdiff_t) __cpr_unsupported("cuda::barrier::arrive")
__cpr_barrier __cpr_both_body void barrier<Scope, Completion>::wait(arrival_token &&) const
    __cpr_unsupported("cuda::barrier::wait")
__cpr_barrier __cpr_both_body bool barrier<Scope, Completion>::try_wait(arrival_token &&) const
    __cpr_unsupported("cuda::barrier::try_wait")
__cpr_barrier __cpr_both_body void barrier<Scope, Completion>::wait_parity(bool) const
    __cpr_unsupported("cuda::barrier::wait_parity")
__cpr_barrier __cpr_both_body bool barrier<Scope, Completion>::try_wait_parity(bool) const
    __cpr_unsupported("cuda::barrier::try_wait_parity")
__cpr_barrier __cpr_both_body void barrier<Scope, Completion>::arrive_and_drop()
    __cpr_unsupported("cuda::barrier::arrive_and_drop")
__cpr_barrier __cpr_both_body void barrier<Scope, Completion>::arrive_and_wait() {
  if (sizeof(Completion) > 1)
    __cpr_emu_unsupported("a cuda::barrier with a completion function");
  if (!__cpr_emu_is_space(this, "shared"))
    __cpr_emu_unsupported("a cuda::barrier that is not in shared memory");
  if (__barrier != (unsigned long long)blockDim.x * blockDim.y * blockDim.z)
    __cpr_emu_unsupported("a cuda::barrier of other than all threads of the block");
  __cpr_emu_wait_all(); // copies that were bound to the barrier
  __cpr_emu_barrier(0, 0, 0);
}
#undef __cpr_barrier
namespace device {
template <thread_scope Scope>
__cpr_body unsigned long long *barrier_native_handle(barrier<Scope> &)
    __cpr_unsupported("cuda::device::barrier_native_handle")
template <thread_scope Scope>
__cpr_body typename barrier<Scope>::arrival_token barrier_arrive_tx(barrier<Scope> &, ptrdiff_t,
                                                                    ptrdiff_t)
    __cpr_unsupported("cuda::device::barrier_arrive_tx")
template <thread_scope Scope>
__cpr_body void barrier_expect_tx(barrier<Scope> &, ptrdiff_t)
    __cpr_unsupported("cuda::device::barrier_expect_tx")
template <class T, class Size, thread_scope Scope>
__cpr_body void memcpy_async_tx(T *, const T *, Size, barrier<Scope> &)
    __cpr_unsupported("cuda::device::memcpy_async_tx")
} // namespace device

// __head counts stages that were committed, __tail stages that were released; both run over.
template <thread_scope Scope> __cpr_both_body pipeline<Scope>::~pipeline() {}
template <thread_scope Scope> __cpr_both_body bool pipeline<Scope>::quit() {
  __cpr_emu_unsupported("cuda::pipeline::quit");
}
template <thread_scope Scope> __cpr_both_body void pipeline<Scope>::producer_acquire() {
  // A thread does not wait for itself.
}
template <thread_scope Scope> __cpr_both_body void pipeline<Scope>::producer_commit() {
  __cpr_emu_commit_group();
  ++__head;
}
template <thread_scope Scope> __cpr_both_body void pipeline<Scope>::consumer_wait() {
  unsigned char Stages = (unsigned char)(__head - __tail);
  if (Stages == 0)
    __cpr_emu_fault("cuda::pipeline::consumer_wait without a stage that was committed");
  __cpr_emu_wait_group(Stages - 1u);
}
template <thread_scope Scope> __cpr_both_body void pipeline<Scope>::consumer_release() { ++__tail; }

__cpr_both_body pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>();
}
#define __cpr_shared_pipeline(...)                                                                 \
  template <class Group, thread_scope Scope, unsigned char Stages>                                 \
  __cpr_both_body pipeline<Scope> make_pipeline(                                                   \
      const Group &, pipeline_shared_state<Scope, Stages> *__VA_ARGS__)                            \
      __cpr_unsupported("a cuda::pipeline that threads share")
__cpr_shared_pipeline()
__cpr_shared_pipeline(, size_t)
__cpr_shared_pipeline(, pipeline_role)
#undef __cpr_shared_pipeline
template <unsigned char Prior>
__cpr_both_body void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {
  __cpr_emu_wait_group(Prior);
}
template <thread_scope Scope>
__cpr_both_body void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<Scope> &)
    __cpr_unsupported("cuda::pipeline_producer_commit")

// The group of one.
template <class Group> __cpr_both_body unsigned __cpr_group_rank(const Group &g) {
  return (unsigned)g.thread_rank();
}
template <class Group> __cpr_both_body unsigned __cpr_group_size(const Group &g) {
  return (unsigned)g.size();
}
#define __cpr_memcpy_async(Head, Group, Rank, Count, Sink)                                         \
  template <Head class T, class Size, thread_scope Scope __cpr_more>                               \
  __cpr_both_body async_contract_fulfillment memcpy_async(Group T *To, const T *From, Size Bytes,  \
                                                          Sink &) {                                \
    __cpr_check_promise(To, From, Bytes);                                                          \
    __cpr_copy_part(To, From, (size_t)Bytes, Rank, Count);                                         \
    return async_contract_fulfillment::async;                                                      \
  }
#define __cpr_comma ,
#define __cpr_more , class Completion
__cpr_memcpy_async(, , 0, 1, barrier<Scope __cpr_comma Completion>)
__cpr_memcpy_async(class Group __cpr_comma, const Group &g __cpr_comma, __cpr_group_rank(g),
                   __cpr_group_size(g), barrier<Scope __cpr_comma Completion>)
#undef __cpr_more
#define __cpr_more
__cpr_memcpy_async(, , 0, 1, pipeline<Scope>)
__cpr_memcpy_async(class Group __cpr_comma, const Group &g __cpr_comma, __cpr_group_rank(g),
                   __cpr_group_size(g), pipeline<Scope>)
#undef __cpr_more
#undef __cpr_comma
#undef __cpr_memcpy_async

} // namespace __4
} // namespace cuda
