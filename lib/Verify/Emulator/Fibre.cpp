//===- Fibre.cpp - Stacks that can be switched ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fibre.h"
#include "llvm/Support/ErrorHandling.h"
#include <cassert>
#include <cstring>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define CPR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CPR_ASAN 1
#endif
#endif
#ifdef CPR_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

using namespace cuda_pipeline::emulator;

#if defined(__x86_64__)
// void cpr_switch(void **Save, void *Load): callee-saved registers of the System V ABI.
asm(R"(
.text
.p2align 4
.type cpr_switch,@function
cpr_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cpr_switch,.-cpr_switch
)");
#define CPR_SWITCH 1
static constexpr unsigned SavedWords = 6;
#endif

#ifdef CPR_SWITCH
extern "C" void cpr_switch(void **Save, void *Load);
#endif

/// The fibre that starts next; there is one machine per process.
static Fibre *Starting;

Stacks &Stacks::get() {
  static Stacks All;
  return All;
}

Stacks::Stacks() {
  void *P = mmap(nullptr, Most * Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (P == MAP_FAILED)
    llvm::report_bad_alloc_error("no address space for the stacks of emulated threads");
  Base = static_cast<char *>(P);
}

void *Stacks::stack(size_t Index) {
  assert(Index < Most);
  for (; Guarded <= Index; ++Guarded)
    mprotect(Base + Guarded * Bytes, GuardBytes, PROT_NONE);
  return Base + Index * Bytes;
}

void Stacks::clear() {
  // A page that is given back costs far more to get again than its bytes cost to write, and hardly
  // a thread uses more than the last ones of its stack.
  constexpr size_t Kept = 2 * 4096;
  for (char *Stack = Base, *End = Base + Guarded * Bytes; Stack != End; Stack += Bytes) {
    madvise(Stack, Bytes - Kept, MADV_DONTNEED);
    std::memset(Stack + Bytes - Kept, 0, Kept);
  }
}

Fibre::Fibre(void *Stack) : Base(Stack) {
  Self.StackBottom = static_cast<char *>(Base) + Stacks::GuardBytes;
  Self.StackSize = Stacks::Bytes - Stacks::GuardBytes;
}

static void aboutToSwitch(Context *From, const Context &To) {
#ifdef CPR_ASAN
  __sanitizer_start_switch_fiber(From ? &From->FakeStack : nullptr, To.StackBottom, To.StackSize);
#endif
}
static void didSwitch(Context &Into, Context *CameFrom) {
#ifdef CPR_ASAN
  __sanitizer_finish_switch_fiber(Into.FakeStack, CameFrom ? &CameFrom->StackBottom : nullptr,
                                  CameFrom ? &CameFrom->StackSize : nullptr);
#endif
}

/// Where the fibre that is starting was entered from.
static Context *EnteredFrom;

void Fibre::start() {
  Fibre *F = Starting;
  didSwitch(F->Self, EnteredFrom);
  F->Entry(F->Argument);
  llvm_unreachable("a fibre must not return");
}

void Fibre::reset(void (*E)(void *), void *A) {
  Entry = E;
  Argument = A;
  // One that did not get to its end keeps what the sanitizer gave it.
#ifdef CPR_SWITCH
  // A frame as cpr_switch() leaves one, which "returns" to start(), with the alignment of a call.
  auto *Top = reinterpret_cast<uint64_t *>(stackEnd()) - 1;
  *Top = 0; // no caller
  *--Top = reinterpret_cast<uint64_t>(&Fibre::start);
  for (unsigned I = 0; I != SavedWords; ++I)
    *--Top = 0;
  Self.StackPointer = Top;
#else
  getcontext(&Self.Portable);
  Self.Portable.uc_stack.ss_sp = static_cast<char *>(Base) + Stacks::GuardBytes;
  Self.Portable.uc_stack.ss_size = Stacks::Bytes - Stacks::GuardBytes;
  Self.Portable.uc_link = nullptr;
  makecontext(&Self.Portable, &Fibre::start, 0);
#endif
}

void Fibre::enter(Context &From) {
  Starting = this;
  EnteredFrom = &From;
  aboutToSwitch(&From, Self);
#ifdef CPR_SWITCH
  cpr_switch(&From.StackPointer, Self.StackPointer);
#else
  swapcontext(&From.Portable, &Self.Portable);
#endif
  didSwitch(From, nullptr);
}

void Fibre::finish(Context &To) {
  aboutToSwitch(nullptr, To);
  Self.FakeStack = nullptr;
#ifdef CPR_SWITCH
  cpr_switch(&Self.StackPointer, To.StackPointer);
#else
  swapcontext(&Self.Portable, &To.Portable);
#endif
}

void Fibre::leave(Context &To) {
  aboutToSwitch(&Self, To);
#ifdef CPR_SWITCH
  cpr_switch(&Self.StackPointer, To.StackPointer);
#else
  swapcontext(&Self.Portable, &To.Portable);
#endif
  didSwitch(Self, EnteredFrom);
}
