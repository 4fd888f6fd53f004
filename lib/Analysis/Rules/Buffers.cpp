//===- Buffers.cpp - Tiles get several buffers -------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The rules that several buffers add, for each tile: rule 7 for where it lies, rule 5 (the compute
/// phase does not write it), rule 6 (no pointer into it stays, nothing outside is misled) and rule
/// 3 (each turn reads what it has loaded). Every turn looks at another copy, so what one turn
/// leaves in its copy is not what the next one finds.
///
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "WriteSets.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// A view whose place is not what the same expression gives in the loop; null: there is none.
const TileView *varyingView(RuleContext &RC) {
  auto Keeps = [&](const VarDecl *Var) {
    return Var->hasAttr<CUDASharedAttr>() || (!Var->hasLocalStorage() && !isa<ParmVarDecl>(Var)) ||
           Var->getType()->isReferenceType() || RC.F.Values->isUnchangedParameter(Var) ||
           RC.F.Values->isSetOnce(Var);
  };
  for (const TileView &V : RC.M.Views)
    if (!computedFrom(RC, V.Var->getInit(), Keeps))
      return &V;
  return nullptr;
}

/// Rule 5: the compute phase does not write the tile, nor does what is behind it.
void checkWritten(RuleContext &RC, const TileBuffer &B, const std::string &Name) {
  for (unsigned I = 1; I < 3; ++I)
    for (const Access &A : RC.F.Segment[I].Accesses)
      if (A.Write && A.touches(B.Decl)) {
        RC.refuse({{Reason::TileWritten, A.Loc, {Name}, {}}, Needs::SeveralBuffers});
        return;
      }
}

/// The rules of one tile, in the order of the report.
void checkTile(RuleContext &RC, const TileBuffer &B) {
  const std::string Name = B.Decl->getNameAsString();
  if (B.Origin == BufferOrigin::Dynamic) {
    if (!checkDynamicMemory(RC, B))
      return;
  } else if (!B.Statement) {
    RC.refuse({{Reason::SharedDeclForm,
                B.Decl->getLocation(),
                {Name, "it is declared outside of the function"},
                {}},
               Needs::SeveralBuffers});
    return;
  }
  if (const TileView *V = varyingView(RC))
    RC.refuse({{Reason::TileUsedOutside, V->Var->getInit()->getExprLoc(), {Name}, {}},
               Needs::SeveralBuffers});
  checkWritten(RC, B, Name);
  checkEscapes(RC, B);
  // What asks for its size outside does not look into it.
  const bool Outside = B.usedOutside() && !(B.OnlyMeasuredOutside && B.OutsideInDoubt.isInvalid());
  if (!Outside || !checkOutsideUses(RC, B))
    checkCoverage(RC, B);
  if (B.Origin == BufferOrigin::Dynamic)
    checkDynamicStages(RC, B);
}

} // namespace

void checkBuffers(RuleContext &RC) {
  // What the model has seen on its way.
  for (const Refusal &R : RC.M.TwoBufferRefusals)
    RC.refuseOnce({R, Needs::SeveralBuffers}, Needs::SeveralBuffers);
  for (const auto &B : RC.M.Buffers)
    checkTile(RC, *B);
}

} // namespace cuda_pipeline
