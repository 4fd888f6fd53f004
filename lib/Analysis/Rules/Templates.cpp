//===- Templates.cpp - What another instantiation need not share -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 12 of docs/soundness.md, Templates. The text is rewritten once for all instantiations, but
/// it is shown to be right for those that are there. So this file says which arguments the rewrite
/// depends on, for a `static_assert` to name, and refuses where they cannot be named.
///
//===----------------------------------------------------------------------===//

#include "../../Model/AstUtil.h"
#include "../../Model/TemplatePattern.h"
#include "../TemplateFacts.h"
#include "Rules.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Which arguments cp.async depends on. Which elements a copy loop or several copies write depends
/// on extents and strides, and only what has one type may be copied as bytes.
void matterForAsync(RuleContext &RC, const TemplatePattern &Pattern) {
  ArgumentsMatter &Matter = RC.L.MatterForAsync;
  const bool OfTypes =
      RC.F.Function->once<NumbersOfTypes>([&] { return NumbersOfTypes(RC.M.Loop->Function); }).Any;
  std::set<const TileBuffer *> Seen;
  for (const TileCopy &C : RC.M.Copies) {
    bool Several = !C.Loops.empty() || !Seen.insert(C.Buffer).second;
    bool Element = RC.Context.hasSameUnqualifiedType(C.Destination->getType(), C.Buffer->Element);
    Matter.Values |= Several;
    Matter.Types |= (Several && (!Element || OfTypes)) || C.LoadedBy;
    Matter.Values |= C.LoadedBy != nullptr;
    // That source and tile have the same type, so that bytes may be copied.
    for (const Expr *Access : C.Sources) {
      const Expr *Source = stripNoOps(Access);
      SourceRange To =
          Element ? SourceRange(C.Buffer->Decl->getLocation()) : C.Destination->getSourceRange();
      bool Same = Pattern.haveSameType(Source->getSourceRange(), To);
      if (C.Staging)
        Same &= Pattern.haveSameType(Source->getSourceRange(), C.Staging->getLocation());
      if (!Same)
        Matter.Types = Matter.Values = true;
    }
  }
}

} // namespace

void checkTemplates(RuleContext &RC) {
  if (!RC.M.Loop->IsTemplate)
    return;
  Effects Whole = RC.F.Collector->collect(RC.M.Loop->Loop);
  RC.L.Arguments = templateArguments(RC.M.Loop->Function, RC.M.Loop->Begin);
  // Other arguments choose other statements and other functions.
  RC.L.Matter.Values = Whole.ConstexprIf || Whole.UserCalls;
  RC.L.Matter.Types = Whole.ConstexprIf || Whole.UserCalls || RC.SetsMatter;
  RC.L.Matter.Values |= RC.SetsMatter;
  // So do the statements around the loop: what uses the tile, what the last barrier orders, who
  // comes here.
  if (RC.F.Function->once<ChosenByArguments>([&] { return ChosenByArguments(RC.M.Loop->Function); })
          .Any)
    RC.L.Matter.Values = RC.L.Matter.Types = true;
  const TemplatePattern &Pattern =
      RC.F.Function->once<TemplatePattern>([&] { return TemplatePattern(RC.M.Loop->Function); });
  RC.L.Matter.add(movedValues(RC.M, Pattern, RC.Context));
  // An access to the tile elsewhere may ask for more alignment of its stages.
  auto AsAnotherType = [&](const Access &A) {
    return A.Where && !A.InCallee && Pattern.isDependent(typedPlace(A.Where)) &&
           any_of(RC.M.Buffers, [&](const auto &B) {
             return A.touches(B->Decl) &&
                    !RC.Context.hasSameUnqualifiedType(objectOf(A.Where)->getType(), B->Element);
           });
  };
  if (any_of(RC.F.Function->whole().Accesses, AsAnotherType))
    RC.L.Matter.Values = RC.L.Matter.Types = true;
  matterForAsync(RC, Pattern);
  if (RC.L.Arguments)
    return;
  Refusal R = {
      Reason::NotYet,
      RC.M.Loop->Begin,
      {"a template with arguments other than numbers, types and functions of file scope that are "
       "declared in front of it"},
      {}};
  if (RC.L.Matter.Values || !RC.L.Matter.Copied.empty() || !RC.L.Matter.Numbers.empty())
    RC.refuse({R, Needs::Everything});
  else if (RC.L.MatterForAsync.Values)
    RC.refuse({R, Needs::AsyncBytes | Needs::Mixing});
}

} // namespace cuda_pipeline
