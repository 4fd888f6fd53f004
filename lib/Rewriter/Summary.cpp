//===- Summary.cpp - What the report says of one loop --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summary.h"
#include "../Model/AstUtil.h"
#include "cuda-pipeline/Contraction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

ReasonReport reasonReport(const Refusal &R, const SourceManager &SM) {
  ReasonReport Out;
  Out.Id = R.Why;
  Out.Message = formatReason(R.Why, R.Args);
  Out.Remedy = R.Remedy.empty() ? info(R.Why).Remedy.str() : R.Remedy;
  auto Place = [&](SourceLocation Loc, unsigned &Line, unsigned &Column) {
    if (Loc.isInvalid())
      return;
    Loc = SM.getExpansionLoc(Loc);
    if (!isInMainFile(SM, Loc))
      return;
    Line = SM.getSpellingLineNumber(Loc);
    Column = SM.getSpellingColumnNumber(Loc);
  };
  Place(R.Where, Out.Line, Out.Column);
  for (const auto &[Message, Loc] : R.Notes) {
    Note N;
    N.Message = Message;
    Place(Loc, N.Line, N.Column);
    if (N.Line == 0 && Loc.isValid()) // the report's lines are those of one file
      N.Message += (" (" + sys::path::filename(SM.getFilename(SM.getExpansionLoc(Loc))) + ":" +
                    Twine(SM.getExpansionLineNumber(Loc)) + ")")
                       .str();
    Out.Notes.push_back(N);
  }
  return Out;
}

void addReason(std::vector<ReasonReport> &To, ReasonReport R) {
  for (const ReasonReport &Have : To)
    if (Have.Id == R.Id && Have.Line == R.Line && Have.Message == R.Message)
      return;
  To.push_back(std::move(R));
}

void sayFacts(LoopReport &Report, ArrayRef<Instance> Instances, const SourceManager &SM) {
  const Instance &I = Instances.front();
  for (const auto &B : I.model().Buffers)
    Report.Buffers.push_back({B->Decl->getNameAsString(), B->Bytes});
  if (I.Inputs.Ratio.Known) {
    Report.HasRatio = true;
    Report.Ratio.FlopsPerByte = I.Inputs.Ratio.value();
    Report.Ratio.Flops = I.Inputs.Ratio.Flops;
    Report.Ratio.Bytes = I.Inputs.Ratio.Bytes;
  }
  const LaunchShape &Shape = I.Inputs.Shape;
  Report.MaxThreads = Shape.MaxThreads;
  if (Shape.known()) {
    Report.BlockThreads = Shape.threads();
    const char *Origin = Shape.Origin == ShapeOrigin::LaunchBounds ? "launch bounds"
                         : Shape.Origin == ShapeOrigin::Launch
                             ? (mainFileIsHeader(SM) ? "launch in a file that includes this one"
                                                     : "launch in this file")
                         : Shape.Origin == ShapeOrigin::CommandLine ? "command line"
                                                                    : "unknown";
    const char *Kind = Shape.Exact                                 ? "exact"
                       : Shape.Origin == ShapeOrigin::LaunchBounds ? "upper bound"
                       : Shape.Origin == ShapeOrigin::CommandLine  ? "claim"
                                                                   : "not all launches seen";
    Report.BlockSize =
        formatv("{0}x{1}x{2} ({3}, {4})", Shape.X, Shape.Y, Shape.Z, Origin, Kind).str();
  }
}

std::vector<WidthReport> widthReports(ArrayRef<CopyWidth> Widths, bool Planned,
                                      ArrayRef<std::string> Tests, const SourceManager &SM) {
  std::vector<WidthReport> Out;
  for (const auto &[I, W] : enumerate(Widths)) {
    WidthReport R;
    for (const VarDecl *Tile : W.Tiles)
      R.Buffers.push_back(Tile->getNameAsString());
    R.BytesBefore = W.Bytes;
    R.BytesAfter = Planned ? W.NewBytes : W.Bytes;
    R.Line = SM.getExpansionLineNumber(W.Loop->getForLoc());
    if (Planned && I < Tests.size())
      R.Test = Tests[I];
    R.WhyNot = W.WhyNot;
    if (!W.WhyNot.empty() && W.Where.isValid())
      R.WhyLine = SM.getExpansionLineNumber(W.Where);
    Out.push_back(std::move(R));
  }
  return Out;
}

std::vector<LayoutReport> layoutReports(ArrayRef<TileLayout> Layouts, bool Planned,
                                        const SourceManager &SM) {
  std::vector<LayoutReport> Out;
  for (const TileLayout &L : Layouts) {
    LayoutReport R;
    R.Buffer = L.Tile->getNameAsString();
    R.PitchBefore = L.Pitch;
    R.PitchAfter = Planned ? L.NewPitch : L.Pitch;
    for (const BankPicture &A : L.Accesses)
      R.Accesses.push_back({SM.getExpansionLineNumber(A.Where), A.Write, A.Bytes, A.Times, A.Before,
                            Planned ? A.After : A.Before, A.Least});
    R.WhyNot = L.WhyNot;
    if (!L.WhyNot.empty() && L.Where.isValid())
      R.Line = SM.getExpansionLineNumber(L.Where);
    Out.push_back(std::move(R));
  }
  return Out;
}

void sayBudget(LoopReport &Report, const Candidate &C, bool After) {
  Report.Smem.Before = C.Budget.SharedBefore + C.Budget.Given;
  Report.Smem.After = (After ? C.Budget.SharedAfter : C.Budget.SharedBefore) + C.Budget.Given;
  Report.Smem.Limit = C.Budget.Limit;
  Report.Smem.Complete = C.Budget.Complete;
  if (C.Budget.HasOccupancy && C.Budget.Complete) {
    Report.HasOccupancy = true;
    Report.Occupancy.Before = C.Budget.Before.Blocks;
    Report.Occupancy.After = After ? C.Budget.After.Blocks : C.Budget.Before.Blocks;
    Report.Occupancy.Limiter =
        toString(After ? C.Budget.After.Limiter : C.Budget.Before.Limiter).str();
  }
}

void sayChosen(LoopReport &Report, const Candidate &C, ArrayRef<Instance> Instances,
               const RewriteOptions &Options, ASTContext &Context) {
  Report.Status = Options.CheckOnly ? LoopStatus::Opportunity : LoopStatus::Rewritten;
  Report.Variant = toString(C.Plan.Preset).str();
  Report.Stages = C.Plan.Stages;
  Report.Assumptions = C.Plan.Assumptions;
  Report.MachineApplicable = C.Plan.Assumptions.empty() && C.Waived.empty();
  Report.AlthoughRefused = !C.Waived.empty();
  for (const Refusal &R : C.Waived)
    addReason(Report.Reasons, reasonReport(R, Context.getSourceManager()));
  // Fails loudly at the launch if it does not hold, hence granted by default.
  Report.Assumptions.push_back("registers");
  // The source cannot decide it, and no input comes out wrong by more than a rounding: named.
  const bool Contracts = Context.getLangOpts().getDefaultFPContractMode() != LangOptions::FPM_Off;
  if (Contracts &&
      any_of(Instances, [](const auto &I) { return findContraction(I.model()).named(); }))
    Report.Assumptions.push_back("contraction");
  sayBudget(Report, C, /*After=*/true);
  if (const std::optional<DynamicStages> &Stages = C.Plan.Dynamic) {
    Report.Dynamic.emplace();
    Report.Dynamic->StageBytes = Stages->Bytes;
    Report.Dynamic->InFront = Stages->InFront;
    Report.Dynamic->Block = Stages->Block;
    for (const GrownSize &G : C.Plan.Grown)
      Report.Dynamic->Sizes.push_back({G.Line, G.newText()});
  }
  if (!Report.Dynamic && !C.Plan.isBeside())
    Report.AskedBlock = C.Plan.AskBlock.text();
  if (!C.Plan.AskBlock.empty()) {
    const auto &[X, Y, Z] = C.Plan.AskBlock.Extents;
    Report.AskedExtents = {X, Y, Z};
    Report.AsksAtLeast = C.Plan.AskBlock.isLeast();
  } else if (Report.Dynamic && !Report.Dynamic->Block.empty()) {
    const LaunchShape &Shape = Instances.front().Inputs.Shape;
    Report.AskedExtents = {Shape.X, Shape.Y, Shape.Z};
  }
  if (C.Plan.usesRegisters())
    for (const Instance &I : Instances)
      Report.StagedRegisters =
          std::max(Report.StagedRegisters, stagedRegisters(I.cutFor(C.Plan.Preset), Context));
  if (C.Plan.isBeside()) {
    Report.Dynamic.emplace();
    Report.Dynamic->Block = C.Plan.AskBlock.text();
    Report.Dynamic->Beside = true;
    uint64_t Bytes = 0;
    for (const Instance &I : Instances)
      Bytes = std::max(Bytes, stagesBesideBytes(I.model(), 2));
    Report.Dynamic->StageBytes = std::to_string(Bytes);
    for (const GrownSize &G : C.Plan.IfBeside)
      Report.Dynamic->Sizes.push_back({G.Line, StringRef(G.newText()).ltrim(", ").str()});
  }
  for (const TileCopy &Copy : Instances.front().model().Copies) {
    CopyReport R;
    R.Buffer = Copy.Buffer->Decl->getNameAsString();
    R.BytesPerThread = Copy.Bytes;
    R.Method = toString(C.Plan.methodOf(Copy)).str();
    R.Line = Context.getSourceManager().getExpansionLineNumber(Copy.Store->getExprLoc());
    Report.Copies.push_back(R);
  }
}

} // namespace cuda_pipeline
