//===- LaunchHints.cpp - What the code says of how it is launched ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchHints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace cuda_pipeline {
namespace emulator {

static constexpr unsigned SharedSpace = 3;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {

std::optional<uint64_t> positive(const Value *V) {
  const auto *C = dyn_cast<ConstantInt>(V);
  if (!C || C->getValue().getActiveBits() > 32 || C->isZero())
    return std::nullopt;
  return C->getZExtValue();
}

/// What is multiplied, compared and divided, starting from one of a thread's numbers.
class FollowNumber {
public:
  /// \p OfThread: of threadIdx, whose factors also count where something was added before: (z * 3 +
  /// y) * 5 + x.
  FollowNumber(std::set<uint64_t> &Factors, std::set<uint64_t> &Limits, std::set<uint64_t> &Steps,
               bool OfThread)
      : Factors(Factors), Limits(Limits), Steps(Steps), OfThread(OfThread) {}

  void follow(const Value *V, bool Scaled) {
    if (!Seen.insert(V).second)
      return;
    for (const User *U : V->users()) {
      const auto *I = dyn_cast<Instruction>(U);
      if (!I)
        continue;
      const Value *Other =
          I->getNumOperands() == 2 ? I->getOperand(I->getOperand(0) == V ? 1 : 0) : nullptr;
      const std::optional<uint64_t> Constant = Other ? positive(Other) : std::nullopt;
      switch (I->getOpcode()) {
      case Instruction::ZExt:
      case Instruction::SExt:
      case Instruction::Trunc:
      case Instruction::Freeze:
        follow(I, Scaled);
        break;
      case Instruction::Add:
      case Instruction::Or:
        follow(I, /*Scaled=*/true); // the number among all threads of the block, for one
        break;
      case Instruction::PHI:
        for (const Value *Next : cast<PHINode>(I)->incoming_values())
          if (const auto *Add = dyn_cast<BinaryOperator>(Next);
              Add && Add->getOpcode() == Instruction::Add && is_contained(Add->operands(), I))
            for (const Value *By : Add->operands())
              if (std::optional<uint64_t> C = positive(By))
                Steps.insert(*C);
        follow(I, /*Scaled=*/true);
        break;
      case Instruction::Mul:
        if (Constant && (!Scaled || OfThread))
          Factors.insert(*Constant);
        if (Constant)
          follow(I, /*Scaled=*/true);
        break;
      case Instruction::Shl:
        if (Constant && (!Scaled || OfThread) && I->getOperand(0) == V && *Constant < 20)
          Factors.insert(uint64_t(1) << *Constant);
        follow(I, /*Scaled=*/true);
        break;
      case Instruction::ICmp:
        if (Constant)
          Limits.insert(*Constant);
        break;
      case Instruction::UDiv:
      case Instruction::SDiv:
      case Instruction::URem:
      case Instruction::SRem:
        if (Constant && I->getOperand(0) == V)
          Limits.insert(*Constant);
        break;
      case Instruction::LShr:
        if (Constant && I->getOperand(0) == V && *Constant < 20)
          Limits.insert(uint64_t(1) << *Constant);
        break;
      case Instruction::And:
        if (Constant && isPowerOf2_64(*Constant + 1))
          Limits.insert(*Constant + 1);
        break;
      default:
        break;
      }
    }
  }

private:
  std::set<uint64_t> &Factors, &Limits, &Steps;
  const bool OfThread;
  SmallPtrSet<const Value *, 16> Seen;
};

} // namespace

/// Of an array, or of arrays in a struct.
static void addExtents(const Type *T, std::vector<std::vector<uint64_t>> &To) {
  std::vector<uint64_t> Extents;
  while (const auto *Array = dyn_cast<ArrayType>(T)) {
    Extents.push_back(Array->getNumElements());
    T = Array->getElementType();
  }
  if (const auto *Struct = dyn_cast<StructType>(T))
    for (const Type *Element : Struct->elements())
      addExtents(Element, To);
  if (!Extents.empty())
    To.push_back(std::move(Extents));
}

LaunchHints launchHints(const Module &M) {
  LaunchHints H;
  for (const GlobalVariable &G : M.globals()) {
    if (G.getAddressSpace() != SharedSpace || G.isDeclaration())
      continue;
    addExtents(G.getValueType(), H.SharedExtents);
  }
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      if (const auto *Call = dyn_cast<CallInst>(&I)) {
        StringRef Name = Call->getCalledFunction() ? Call->getCalledFunction()->getName() : "";
        if (!Name.consume_front("llvm.nvvm.read.ptx.sreg.") || Name.size() < 2 ||
            Name[Name.size() - 2] != '.')
          continue;
        const int D = Name.back() - 'x';
        Name = Name.drop_back(2);
        if (D < 0 || D > 2)
          continue;
        std::set<uint64_t> Ignored, Unused;
        if (Name == "tid") {
          H.Threads[D] = true;
          FollowNumber(H.ThreadFactors[D], H.ThreadLimits[D], H.Steps, true).follow(Call, false);
        } else if (Name == "ctaid") {
          H.Blocks[D] = true;
          FollowNumber(H.PerBlock[D], Ignored, Unused, false).follow(Call, false);
        } else if (Name == "ntid") {
          H.BlockDim[D] = true;
        } else if (Name == "nctaid") {
          H.Blocks[D] = true;
        }
        continue;
      }
      if (isa<ICmpInst>(I) || I.getOpcode() == Instruction::UDiv ||
          I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::URem ||
          I.getOpcode() == Instruction::SRem || I.getOpcode() == Instruction::Add)
        for (const Value *Operand : I.operands())
          if (std::optional<uint64_t> N = positive(Operand); N && *N > 1 && *N <= 4096)
            H.Numbers.insert(*N);
    }
  return H;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

namespace {

/// Goes back from what decides something to the loads that it is made of, through functions of the
/// user's and through memory that the kernel itself has written: shared arrays and locals.
class LoadUses {
public:
  explicit LoadUses(Module &M) : M(M) {
    for (Function &F : M)
      for (Instruction &I : instructions(F)) {
        if (auto *S = dyn_cast<StoreInst>(&I))
          Stored[getUnderlyingObject(S->getPointerOperand(), /*MaxLookup=*/0)].push_back(
              S->getValueOperand());
        else if (auto *Call = dyn_cast<CallInst>(&I);
                 Call && Call->getCalledFunction() && !Call->getCalledFunction()->isDeclaration())
          Calls[Call->getCalledFunction()].push_back(Call);
        else if (auto *Return = dyn_cast<ReturnInst>(&I); Return && Return->getReturnValue())
          Returned[&F].push_back(Return->getReturnValue());
      }
  }

  DenseMap<const Instruction *, uint8_t> run() {
    for (Function &F : M) {
      if (F.isDeclaration())
        continue;
      DominatorTree Tree(F);
      LoopInfo Loops(Tree);
      for (Instruction &I : instructions(F)) {
        if (auto *Branch = dyn_cast<BranchInst>(&I); Branch && Branch->isConditional()) {
          const Loop *L = Loops.getLoopFor(I.getParent());
          const bool Exit = L && L->isLoopExiting(I.getParent());
          push(Branch->getCondition(), static_cast<uint8_t>(ToAddress | (Exit ? ToBound : 0)));
        } else if (auto *Switch = dyn_cast<SwitchInst>(&I)) {
          push(Switch->getCondition(), ToAddress);
        } else if (auto *Select = dyn_cast<SelectInst>(&I)) {
          push(Select->getCondition(), ToAddress);
        } else if (auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
          for (Value *Index : Gep->indices())
            push(Index, ToAddress);
        } else if (isa<IntToPtrInst>(I)) {
          push(I.getOperand(0), ToAddress);
        } else if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm()) {
          for (Value *Argument : Call->args())
            if (Argument->getType()->isIntegerTy())
              push(Argument, ToAddress);
        }
      }
    }
    while (!Work.empty()) {
      auto [V, Flags] = Work.pop_back_val();
      step(V, Flags);
    }
    return std::move(Found);
  }

private:
  void push(Value *V, uint8_t Flags) {
    if (!isa<Instruction>(V) && !isa<Argument>(V))
      return;
    uint8_t &Has = Seen[V];
    if ((Has & Flags) == Flags)
      return;
    Has |= Flags;
    Work.push_back({V, Has});
  }

  void step(Value *V, uint8_t Flags) {
    if (auto *A = dyn_cast<Argument>(V)) {
      for (CallInst *Call : Calls[A->getParent()])
        if (A->getArgNo() < Call->arg_size())
          push(Call->getArgOperand(A->getArgNo()), Flags);
      return;
    }
    auto *I = cast<Instruction>(V);
    if (auto *L = dyn_cast<LoadInst>(I)) {
      Found[L] |= Flags;
      const Value *Object = getUnderlyingObject(L->getPointerOperand(), /*MaxLookup=*/0);
      auto *Variable = dyn_cast<GlobalVariable>(Object);
      if (isa<AllocaInst>(Object) || (Variable && Variable->getAddressSpace() == SharedSpace))
        for (Value *Was : Stored[Object])
          push(Was, Flags);
      return;
    }
    if (auto *Call = dyn_cast<CallInst>(I)) {
      if (Function *Callee = Call->getCalledFunction(); Callee && !Callee->isDeclaration()) {
        for (Value *Result : Returned[Callee])
          push(Result, Flags);
        return;
      }
      for (Value *Argument : Call->args())
        if (Argument->getType()->isIntOrIntVectorTy())
          push(Argument, Flags);
      return;
    }
    for (Value *Operand : I->operands())
      if (!Operand->getType()->isPointerTy())
        push(Operand, Flags);
  }

  Module &M;
  DenseMap<const Value *, SmallVector<Value *, 4>> Stored;
  DenseMap<const Function *, SmallVector<CallInst *, 4>> Calls;
  DenseMap<const Function *, SmallVector<Value *, 2>> Returned;
  DenseMap<const Value *, uint8_t> Seen;
  SmallVector<std::pair<Value *, uint8_t>> Work;
  DenseMap<const Instruction *, uint8_t> Found;
};

} // namespace

DenseMap<const Instruction *, uint8_t> loadHints(Module &M) { return LoadUses(M).run(); }

} // namespace emulator
} // namespace cuda_pipeline
