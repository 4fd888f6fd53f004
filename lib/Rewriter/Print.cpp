//===- Print.cpp - What --print shows of each step ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Print.h"
#include "../Model/AstUtil.h"
#include "../Support/Lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

unsigned lineOf(SourceLocation Loc, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return Loc.isValid() ? SM.getExpansionLineNumber(Loc) : 0;
}

void printRefusals(ArrayRef<Refusal> List, const ASTContext &Context, raw_ostream &OS) {
  for (const Refusal &R : List)
    OS << "    " << info(R.Why).Id << " line " << lineOf(R.Where, Context) << ": "
       << formatReason(R.Why, R.Args) << "\n";
}

template <typename Range> void printNames(StringRef Title, const Range &Vars, raw_ostream &OS) {
  if (Vars.empty())
    return;
  OS << "  " << Title << ":";
  for (const auto *V : Vars)
    OS << " " << V->getName();
  OS << "\n";
}

} // namespace

void printLoop(const KLoop &L, raw_ostream &OS) {
  OS << "loop " << L.Kernel << " " << L.Line << ":" << L.Column << "-" << L.EndLine << " "
     << (isa<ForStmt>(L.Loop)     ? "for"
         : isa<WhileStmt>(L.Loop) ? "while"
                                  : "do")
     << " " << (L.IsKernel ? "__global__" : "__device__")
     << (L.IsPattern    ? " uninstantiated-template"
         : L.IsTemplate ? " template"
                        : "")
     << "\n";
}

void printTiles(const TileModel &M, ASTContext &Context, raw_ostream &OS) {
  if (M.AlreadyPipelined) {
    OS << "  already pipelined\n";
    return;
  }
  for (const Phase &P : M.Phases) {
    const char *Names[] = {"load", "barrier", "compute", "advance"};
    OS << "  phase " << Names[int(P.Kind)] << ": " << P.Statements.size()
       << (P.Statements.size() == 1 ? " statement" : " statements") << " from line "
       << lineOf(P.Statements.front()->getBeginLoc(), Context) << "\n";
  }
  for (const auto &B : M.Buffers) {
    OS << "  buffer " << B->Decl->getName() << " "
       << (B->Origin == BufferOrigin::Static ? "static " : "dynamic ");
    for (uint64_t E : B->Extents)
      OS << "[" << E << "]";
    OS << " " << B->Element.getAsString() << " " << B->Bytes << " bytes, aligned " << B->Alignment
       << (B->DeclaredInLoop ? ", declared in the loop" : "")
       << (B->usedOutside() ? ", used outside" : "") << "\n";
  }
  for (const TileView &V : M.Views)
    OS << "  view " << V.Var->getName() << " line " << lineOf(V.Var->getLocation(), Context)
       << "\n";
  for (const TileCopy &C : M.Copies) {
    OS << "  copy to " << C.Buffer->Decl->getName() << " line "
       << lineOf(C.Store->getExprLoc(), Context) << ": " << C.Bytes << " bytes"
       << (C.IsFill      ? ", fill"
           : C.Converted ? ", computed"
                         : "")
       << (C.Ternary                        ? ", zero-fill"
           : C.Guard == GuardKind::ZeroFill ? ", zero-fill"
           : C.Guard == GuardKind::Other    ? ", guarded"
                                            : "");
    if (C.Staging)
      OS << ", through " << C.Staging->getName();
    if (C.SourceRoot)
      OS << ", from " << C.SourceRoot->getName() << (C.SourceIsGlobal ? " (global)" : "");
    for (const CopyLoop *L : C.Loops) {
      if (L->OfAny.MaxTrips)
        OS << ", " << (L->OfAny.ConstantTrips ? "" : "at most ") << *L->OfAny.MaxTrips << " turns";
      else
        OS << ", unknown turns";
    }
    OS << "\n";
  }
  for (const GlobalLoad &G : M.Registers.Loads)
    OS << "  register for " << G.NameHint << ": " << G.Type.getAsString() << " line "
       << lineOf(G.Cut->getExprLoc(), Context) << "\n";
  for (const Advance &A : M.Advances)
    OS << "  advance line " << lineOf(A.Statement->getBeginLoc(), Context)
       << (A.LoadSide ? " load" : "") << (A.ComputeSide ? " compute" : "") << "\n";
  printNames("load state", M.LoadState, OS);
  printNames("split", M.Split, OS);
  printRefusals(M.Refusals, Context, OS);
}

void printLegality(const TileModel &M, const Legality &L, ASTContext &Context, raw_ostream &OS) {
  if (const std::vector<Refusal> Common = L.common(); !Common.empty()) {
    OS << "  refused:\n";
    printRefusals(Common, Context, OS);
    return;
  }
  for (Variant V : allVariants()) {
    if (V == Variant::Mixed && !L.MixedCut)
      continue; // few loops have anything to mix
    OS << "  " << toString(V) << ": " << (L.legal(V) ? "legal" : "refused") << "\n";
    printRefusals(L.of(V), Context, OS);
  }
  for (const std::string &A : L.Assumptions)
    OS << "  assumes " << A << "\n";
  if (!L.NeedsEntryBarrier)
    OS << "  barrier in front of the first tile: not needed\n";
  OS << "  barrier behind the loop: " << (L.NeedsFinalBarrier ? "needed" : "not needed") << "\n";
}

void printWidths(const std::vector<CopyWidth> &Widths, ASTContext &Context, raw_ostream &OS) {
  const SourceManager &SM = Context.getSourceManager();
  for (const CopyWidth &W : Widths) {
    OS << formatv("  line {0}: ", SM.getExpansionLineNumber(W.Loop->getForLoc()));
    for (const VarDecl *Tile : W.Tiles)
      OS << Tile->getName() << " ";
    OS << "by " << W.Bytes;
    if (W.changes())
      OS << " -> " << W.NewBytes;
    OS << " bytes\n";
    for (const MultipleTest &T : W.Tests)
      OS << "    if " << (T.IsAddress ? "the address " : "") << textOf(T.Of, Context)
         << " is a multiple of " << T.Multiple << "\n";
    if (!W.BlockTest.empty())
      OS << "    if " << W.BlockTest << "\n";
    if (!W.WhyNot.empty())
      OS << "    stays: " << W.WhyNot << " (line " << SM.getExpansionLineNumber(W.Where) << ")\n";
  }
}

void printLayouts(const std::vector<TileLayout> &Layouts, ASTContext &Context, raw_ostream &OS) {
  const SourceManager &SM = Context.getSourceManager();
  for (const TileLayout &L : Layouts) {
    OS << formatv("  {0}: rows of {1} bytes", L.Tile->getName(), L.Pitch);
    if (L.changes())
      OS << formatv(", {0} with {1} more", L.NewPitch, L.NewPitch - L.Pitch);
    OS << formatv("; wavefronts of a warp in a turn: {0:F1}", L.before());
    if (L.changes())
      OS << formatv(" -> {0:F1}", L.after());
    OS << formatv(", at least {0:F1}\n", L.least());
    for (const BankPicture &A : L.Accesses) {
      OS << formatv("    line {0}: {1} {2} bytes, {3:F1} times, {4:F2}",
                    SM.getExpansionLineNumber(A.Where), A.Write ? "stores" : "reads", A.Bytes,
                    A.Times, A.Before);
      if (L.changes())
        OS << formatv(" -> {0:F2}", A.After);
      OS << formatv(" wavefronts of {0:F2}\n", A.Least);
    }
    if (!L.WhyNot.empty())
      OS << "    stays: " << L.WhyNot << " (line " << SM.getExpansionLineNumber(L.Where) << ")\n";
  }
}

void printBudget(const std::vector<Candidate> &Candidates, const PlanInputs &In, raw_ostream &OS) {
  if (In.Ratio.Known)
    OS << formatv("  ratio {0:F2} ({1} flops, {2} bytes)\n", In.Ratio.value(), In.Ratio.Flops,
                  In.Ratio.Bytes);
  else
    OS << "  ratio unknown (" << In.Ratio.Bytes << " bytes)\n";
  if (In.Shape.known())
    OS << "  block " << In.Shape.X << "x" << In.Shape.Y << "x" << In.Shape.Z
       << (In.Shape.Exact ? " exact" : " bound or claim") << "\n";
  else
    OS << "  block unknown\n";
  OS << "  instructions per thread and tile: " << In.ComputeInstructions << "\n";
  for (const Candidate &C : Candidates) {
    if (!C.Asked)
      continue;
    OS << "  " << toString(C.Plan.Preset) << " " << C.Plan.Stages << ": " << C.Budget.SharedBefore
       << " -> " << C.Budget.SharedAfter << " of " << C.Budget.Limit << " bytes";
    if (C.Budget.HasOccupancy)
      OS << ", " << C.Budget.Before.Blocks << " -> " << C.Budget.After.Blocks << " blocks per SM ("
         << toString(C.Budget.After.Limiter) << ")";
    OS << "\n";
  }
}

static StringRef toString(TilePlace Place) {
  switch (Place) {
  case TilePlace::Array:
    return "as an array";
  case TilePlace::Dynamic:
    return "in dynamic shared memory";
  case TilePlace::Beside:
    return "the first in place, the others in dynamic shared memory";
  }
  llvm_unreachable("a place");
}

static void printSchedule(const Schedule &S, const TileModel &M, ASTContext &Context,
                          raw_ostream &OS) {
  for (const TileCopy &C : M.Copies)
    OS << "      copy line " << lineOf(C.Store->getExprLoc(), Context) << " to "
       << C.Buffer->Decl->getName() << ": " << toString(S.methodOf(C)) << ", " << C.Bytes
       << " bytes\n";
  for (const auto &B : M.Buffers) {
    const auto Tile = S.Tiles.find(B->Decl->getLocation());
    if (Tile == S.Tiles.end())
      continue;
    OS << "      tile " << B->Decl->getName() << ": " << Tile->second.Stages
       << (Tile->second.Stages == 1 ? " stage, " : " stages, ") << toString(Tile->second.Place)
       << ", aligned to " << S.alignmentOf(*B) << " bytes\n";
  }
}

void printPlan(const Decision &D, const TileModel &M, ASTContext &Context, raw_ostream &OS) {
  for (size_t I = 0; I < D.Candidates.size(); ++I) {
    const Candidate &C = D.Candidates[I];
    OS << formatv("  {0} {1} {2}: score {3:F3}", D.Chosen && *D.Chosen == I ? "*" : "-",
                  toString(C.Plan.Preset), C.Plan.Stages, C.Score);
    if (!C.Rejected.empty())
      OS << ", " << C.Rejected;
    OS << "\n";
    if (D.Chosen && *D.Chosen == I)
      printSchedule(C.Plan, M, Context, OS);
  }
  OS << "  " << D.Why << "\n";
}

void printEdits(const std::vector<Edit> &List, StringRef File, raw_ostream &OS) {
  for (const Edit &E : List)
    OS << "  edit " << E.Offset << "+" << E.Length << " line "
       << lineEnds(File.take_front(E.Offset)) + 1 << ":\n"
       << E.Text << "\n  end\n";
}

} // namespace cuda_pipeline
