//===- Waits.cpp - Loops that wait for somebody else's store --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Waits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cuda_pipeline {
namespace emulator {

namespace {

constexpr unsigned SharedSpace = 3;

/// Of this thread or its block alone.
bool isNear(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  const auto *Variable = dyn_cast<GlobalVariable>(Object);
  return isa<AllocaInst>(Object) ||
         (Variable && (Variable->getAddressSpace() == SharedSpace || Variable->isConstant()));
}

/// It changes what it returns, so that the next turn sees something else whatever others do.
bool movesOn(const AtomicRMWInst &A) {
  const auto *By = dyn_cast<ConstantInt>(A.getValOperand());
  switch (A.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return By && !By->isZero();
  case AtomicRMWInst::UIncWrap:
  case AtomicRMWInst::UDecWrap:
    return true;
  default:
    return false;
  }
}

/// `seen = atomicCAS(p, seen, f(seen))`: it succeeds unless somebody interferes.
bool swapsWhatItSaw(const AtomicCmpXchgInst &C, const Loop *In) {
  const auto *Seen = dyn_cast<Instruction>(C.getCompareOperand());
  return Seen && C.getNewValOperand() != Seen && (!In || In->contains(Seen)) &&
         (isa<PHINode>(Seen) || isa<ExtractValueInst>(Seen) || isa<LoadInst>(Seen) ||
          isa<CastInst>(Seen));
}

class Finder {
public:
  explicit Finder(Module &M) : M(M) {}

  const Instruction *run() {
    for (Function &F : M) {
      if (F.isDeclaration())
        continue;
      for (const Instruction &I : instructions(F))
        if (const auto *Call = dyn_cast<CallInst>(&I);
            Call && Call->isInlineAsm() && turnsBySelf(*Call))
          return Call;
      Tree.recalculate(F);
      LoopInfo Loops(Tree);
      for (const Loop *L : Loops.getLoopsInPreorder())
        if (const Instruction *Found = inLoop(*L))
          return Found;
    }
    return nullptr;
  }

private:
  static StringRef textOf(const CallInst &Asm) {
    return cast<InlineAsm>(Asm.getCalledOperand())->getAsmString();
  }
  static bool readsMemory(StringRef Ptx) {
    return Ptx.contains("ld.") || Ptx.contains("atom") || Ptx.contains("red.");
  }
  /// A loop of its own that asks memory.
  static bool turnsBySelf(const CallInst &Asm) {
    return textOf(Asm).contains("bra") && readsMemory(textOf(Asm));
  }

  const Instruction *inLoop(const Loop &L) {
    Seen.clear();
    Work.clear();
    Fenced = any_of(L.blocks(), [&](const BasicBlock *B) {
      return any_of(*B, [&](const Instruction &I) { return fences(I, 0); });
    });
    SmallVector<BasicBlock *> Exiting;
    L.getExitingBlocks(Exiting);
    for (const BasicBlock *B : Exiting)
      for (const Value *Operand : B->getTerminator()->operands())
        push(Operand, &L);
    while (!Work.empty()) {
      auto [V, In] = Work.pop_back_val();
      if (const Instruction *Found = step(V, In))
        return Found;
    }
    return nullptr;
  }

  bool fences(const Instruction &I, unsigned Depth) const {
    if (isa<FenceInst>(I))
      return true;
    const auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      return Call && Call->isInlineAsm() &&
             (textOf(*Call).contains("fence") || textOf(*Call).contains("membar"));
    if (Callee->isDeclaration() || Depth == 8)
      return Callee->getName() == "__cpr_emu_fence" ||
             Callee->getName().starts_with("llvm.nvvm.membar");
    return any_of(instructions(*Callee),
                  [&](const Instruction &Of) { return fences(Of, Depth + 1); });
  }

  /// \p In: what is outside of it is not read anew; null: all of a function that the loop calls.
  void push(const Value *V, const Loop *In) {
    const auto *I = dyn_cast<Instruction>(V);
    if (I && (!In || In->contains(I)) && Seen.insert(I).second)
      Work.push_back({I, In});
  }

  /// Which way \p Phi is come to, where that is decided in the loop, or anywhere in a function that
  /// it calls.
  void pushWays(const PHINode &Phi, const Loop *In) {
    const BasicBlock *To = Phi.getParent();
    if (In && To == In->getHeader())
      return; // once more, that is
    const DomTreeNode *Node = In ? Tree.getNode(To) : nullptr;
    const BasicBlock *From = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
    SmallPtrSet<const BasicBlock *, 16> Between;
    SmallVector<const BasicBlock *> Left(predecessors(To));
    while (!Left.empty()) {
      const BasicBlock *B = Left.pop_back_val();
      if (B == To || !Between.insert(B).second)
        continue;
      for (const Value *Operand : B->getTerminator()->operands())
        push(Operand, In);
      if (B != From)
        Left.append(pred_begin(B), pred_end(B));
    }
  }

  const Instruction *step(const Instruction *I, const Loop *In) {
    if (const auto *Phi = dyn_cast<PHINode>(I))
      pushWays(*Phi, In);
    if (const auto *A = dyn_cast<AtomicRMWInst>(I))
      return isNear(A->getPointerOperand()) || movesOn(*A) ? nullptr : A;
    if (const auto *C = dyn_cast<AtomicCmpXchgInst>(I))
      return isNear(C->getPointerOperand()) || swapsWhatItSaw(*C, In) ? nullptr : C;
    if (const auto *L = dyn_cast<LoadInst>(I)) {
      if (!isNear(L->getPointerOperand())) {
        if (L->isVolatile() || L->isAtomic() || Fenced)
          return L;
      } else {
        // What was put there.
        for (const User *U : getUnderlyingObject(L->getPointerOperand(), /*MaxLookup=*/0)->users())
          if (const auto *S = dyn_cast<StoreInst>(U))
            push(S->getValueOperand(), In);
      }
      push(L->getPointerOperand(), In);
      return nullptr;
    }
    if (const auto *Call = dyn_cast<CallInst>(I)) {
      if (Call->isInlineAsm() && readsMemory(textOf(*Call)))
        return Call;
      if (const Function *Callee = Call->getCalledFunction(); Callee && !Callee->isDeclaration())
        for (const Instruction &Of : instructions(*Callee))
          if (const auto *Return = dyn_cast<ReturnInst>(&Of); Return && Return->getReturnValue())
            push(Return->getReturnValue(), nullptr);
    }
    for (const Value *Operand : I->operands())
      push(Operand, In);
    return nullptr;
  }

  Module &M;
  DominatorTree Tree; ///< of the function whose loops are looked at
  bool Fenced = false;
  SmallPtrSet<const Instruction *, 32> Seen;
  SmallVector<std::pair<const Instruction *, const Loop *>> Work;
};

} // namespace

const Instruction *waitsFor(Module &M) { return Finder(M).run(); }

} // namespace emulator
} // namespace cuda_pipeline
