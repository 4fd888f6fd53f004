//===- DynamicStages.cpp - Stages in dynamic shared memory -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 7 of docs/soundness.md, It still launches, and rule 11 for the block that the kernel asks
/// for. Stages of a tile in dynamic shared memory lie behind each other, so nothing else may use
/// that memory. How much of it the loop uses must be said in front of the loop, because the kernel
/// asks there whether the launch gave enough.
///
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Why the tile \p B is not all that is known of dynamic shared memory; empty: it is.
std::string otherDynamicMemory(const RuleContext &RC, const TileBuffer &B) {
  if (!RC.M.Loop->IsKernel)
    return "the callers of the function may use it, too";
  if (RC.M.Buffers.size() > 1)
    return "another tile of the loop has a memory of its own";
  const auto *Tile = B.Decl->getCanonicalDecl();
  const SharedArrays &All = RC.sharedArrays();
  if (All.AsksForSize)
    return "the kernel looks at that size";
  for (const auto &[Array, In] : All.Dynamic) {
    if (Array != Tile)
      return "'" + Array->getNameAsString() + "' begins at the same place";
    if (In != RC.M.Loop->Function)
      return "'" + In->getNameAsString() + "', which is called, names it as well";
  }
  return "";
}

/// No other variable of the function has its name.
bool isOnlyOne(const RuleContext &RC, const VarDecl *Var) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const VarDecl *Var;
    bool Other = false;
    explicit Visitor(const VarDecl *Var) : Var(Var) {}
    bool VisitNamedDecl(const NamedDecl *D) override {
      Other |= D != Var && D->getIdentifier() && D->getIdentifier() == Var->getIdentifier();
      return !Other;
    }
  } V(Var);
  V.TraverseStmt(RC.M.Loop->Function->getBody());
  return !V.Other;
}

/// Of an array with parts the further stages need not have what is in front of all else. (What is
/// carried is carried whole.)
void leaveOutParts(RuleContext &RC, const TileBuffer &B, DynamicStages &Stages) {
  if (!RC.F.Parts || !RC.F.Parts->any(B.Decl) || !Stages.Constant || !RC.L.Carried.empty())
    return;
  SymbolicIteration &Turn = RC.turn(RC.F.Parts->AsksBlock);
  if (!Turn.runAll())
    return;
  std::vector<const MappedAccess *> Tile;
  for (const MappedAccess &A : Turn.accesses())
    if (A.Array == B.Decl && !ofPart(RC, A))
      Tile.push_back(&A);
  const std::optional<int64_t> Least = Turn.leastTouched(B.Decl, Tile);
  if (!Least || *Least <= 0 || uint64_t(*Least) >= *Stages.Constant)
    return;
  Stages.InFront = alignDown(uint64_t(*Least), Stages.Alignment);
  Stages.Bytes = std::to_string(*Stages.Constant - Stages.InFront);
}

/// \p WithBlock: \p End is said with the extents of the block.
DynamicStages stagesOf(const TileBuffer &B, const SymbolicIteration::Extent &End, bool WithBlock) {
  using Extent = SymbolicIteration::Extent;
  DynamicStages Stages;
  Stages.Alignment = std::max<uint64_t>(B.Alignment, Stages.Alignment);
  const auto Multiple = [&](int64_t N) { return N % int64_t(Stages.Alignment) == 0; };
  if (End.Terms.empty()) {
    Stages.Constant = alignTo(uint64_t(End.Constant), Stages.Alignment);
    Stages.Bytes = std::to_string(*Stages.Constant);
    // With the extents of the block at hand, a number is one that does not depend on them.
    Stages.OfLargestBlock = !WithBlock;
  } else {
    for (const Extent::Term &T : End.Terms)
      Stages.Bytes += (Stages.Bytes.empty() ? "" : " + ") +
                      (T.Factor == 1 ? "" : std::to_string(T.Factor) + " * ") +
                      (T.Variable ? "size_t(" + T.Name + ")" : T.Name);
    if (End.Constant)
      Stages.Bytes += (End.Constant < 0 ? " - " : " + ") + std::to_string(std::abs(End.Constant));
    if (!Multiple(End.Constant) ||
        !all_of(End.Terms, [&](const Extent::Term &T) { return Multiple(T.Factor); })) {
      const std::string A = std::to_string(Stages.Alignment);
      Stages.Bytes = "(" + Stages.Bytes + " + " + std::to_string(Stages.Alignment - 1) + ") / " +
                     A + " * " + A;
    }
  }
  return Stages;
}

} // namespace

bool checkDynamicMemory(RuleContext &RC, const TileBuffer &B) {
  const std::string Name = "'" + B.Decl->getNameAsString() + "'";
  if (const std::string Why = otherDynamicMemory(RC, B); !Why.empty()) {
    RC.refuse({{Reason::DynamicSharedMemory, B.Decl->getLocation(), {Name, Why}, {}},
               Needs::SeveralBuffers});
    return false;
  }
  const auto &Unseen = RC.sharedArrays().MayUseDynamic;
  if (!Unseen || RC.granted("dynamic-shared"))
    return true;
  Refusal Why{Reason::DynamicSharedMemory,
              B.Decl->getLocation(),
              {Name, "code that is not seen may use it, too"},
              {}};
  Why.Notes.push_back({Unseen->What + " is not looked into", Unseen->Where});
  Why.Remedy = "Use a static __shared__ array, or grant --assume=dynamic-shared, if that "
               "code uses no dynamic shared memory.";
  RC.refuse({std::move(Why), Needs::SeveralBuffers});
  return false;
}

void checkUnseenDynamicMemory(RuleContext &RC) {
  if (const auto &Unseen = RC.sharedArrays().MayUseDynamic) {
    RC.L.UnseenDynamic = {Unseen->What, Unseen->Where};
    RC.L.DynamicIsGranted = RC.Granted.contains("dynamic-shared");
  }
}

void checkDynamicStages(RuleContext &RC, const TileBuffer &B) {
  using Extent = SymbolicIteration::Extent;
  std::optional<Extent> End;
  bool WithBlock = true;
  for (auto Over :
       {SymbolicIteration::ExtentOver::Block, SymbolicIteration::ExtentOver::Parameters})
    for (bool Claimed : {false, true})
      if (!End && (Claimed ? RC.claimed() : !RC.BlockIsAsked) && RC.turn(Claimed).runAll()) {
        End = RC.turn(Claimed).extent(B.Decl, Over);
        WithBlock = Over == SymbolicIteration::ExtentOver::Block;
        RC.BlockIsAsked |= End && Claimed;
      }
  auto Shadowed = [&](const Extent::Term &T) { return T.Variable && !isOnlyOne(RC, T.Variable); };
  if (!End || any_of(End->Terms, Shadowed)) {
    RC.refuse({{Reason::DynamicSharedMemory,
                B.Decl->getLocation(),
                {"'" + B.Decl->getNameAsString() + "'",
                 "how much of it the loop uses cannot be said in front of the loop"},
                {}},
               Needs::SeveralBuffers});
    return;
  }
  // What is done around the loop with parts of it is to stay in front of the further stages.
  if (RC.F.Parts && RC.F.Parts->Around.count(B.Decl)) {
    if (!End->Terms.empty()) {
      RC.refuse({{Reason::DynamicSharedMemory,
                  B.Decl->getLocation(),
                  {"'" + B.Decl->getNameAsString() + "'",
                   "how much of it the loop and the code around it use is not a number"},
                  {}},
                 Needs::SeveralBuffers});
      return;
    }
    End->Constant = std::max(End->Constant, int64_t(RC.F.Parts->Around.at(B.Decl)));
  }
  // Extents and strides that another instantiation need not have.
  RC.SetsMatter = true;
  RC.L.Dynamic = stagesOf(B, *End, WithBlock);
  leaveOutParts(RC, B, *RC.L.Dynamic);
}

} // namespace cuda_pipeline
