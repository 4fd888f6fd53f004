//===- Ablation.cpp - A tile loop without one of its halves -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What pipelining can reach at most is the time of the longer half, so each is timed alone. The
/// compiler must not make more of that than was meant: tiles that nobody reads would not be stored,
/// and values of a tile that nobody changes would be read once. An empty assembly statement that
/// has the tile's address, and may touch all of memory, stands for the half that is missing.
///
///   loads only     load phase | barrier | assembly, and what advances state | barrier
///   compute only   load phase for the first tile only; assembly | barrier | compute phase |
///   barrier
///
/// The first tile is loaded since what lies in shared memory by chance may be an index out of
/// bounds.
///
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class Ablator {
public:
  Ablator(const TileModel &M, ASTContext &Context, const SourceText &Source,
          const GivenNames &Given)
      : M(M), Context(Context), Source(Source), Given(Given), File(mainFileText(Context)) {}

  Draft run(Ablation Which) {
    if (locate()) {
      if (Which == Ablation::LoadsOnly)
        loadsOnly();
      else
        computeOnly();
    }
    llvm::sort(Out.Result.List, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
    return std::move(Out);
  }

private:
  const TileModel &M;
  ASTContext &Context;
  const SourceText &Source;
  const GivenNames &Given;
  StringRef File;
  Draft Out;
  unsigned LoopBegin = 0, BodyOpen = 0,
           BodyClose = 0; ///< in front of its pragmas; behind the one brace, at the other
  TextRange Barrier[2];
  std::string Indent, Newline; ///< of the body

  bool refuse(Reason Why, SourceLocation Where, std::string What) {
    Out.Refusals.push_back({Why, Where, {std::move(What)}, {}});
    return false;
  }

  bool locate() {
    const SourceManager &SM = Context.getSourceManager();
    const KLoop &L = *M.Loop;
    auto Range = textRange(L.Loop->getSourceRange(), Context);
    if (!Range || !L.Body || L.Loop->getBeginLoc().isMacroID() ||
        L.Body->getLBracLoc().isMacroID() || L.Body->getRBracLoc().isMacroID())
      return refuse(Reason::MacroText, L.Begin, "the loop");
    LoopBegin = Range->Begin;
    BodyOpen = SM.getFileOffset(L.Body->getLBracLoc()) + 1;
    BodyClose = SM.getFileOffset(L.Body->getRBracLoc());
    for (const SourceText::Directive &D : reverse(Source.Directives)) {
      if (D.Begin > LoopBegin && D.Begin < BodyClose && D.Name != "pragma") {
        Out.Refusals.push_back({Reason::PreprocessorInLoop, L.Begin, {}, {}});
        return false;
      }
      if (D.Begin < LoopBegin && D.Name == "pragma" && File.slice(D.End, LoopBegin).trim().empty())
        LoopBegin = D.Begin;
    }
    if (M.FillNested)
      return refuse(Reason::NotYet, L.Begin,
                    "leaving out a half of turns without a barrier of their own");
    if (M.Skip)
      return refuse(Reason::NotYet, M.Skip->getBeginLoc(), "leaving out a half of some turns");
    for (unsigned I : {0u, 1u}) {
      if (!M.Barriers[I])
        continue;
      auto R = statementRange(M.Barriers[I], Context);
      if (!R)
        return refuse(Reason::MacroText, M.Barriers[I]->getBeginLoc(), "the barrier");
      Barrier[I] = *R;
    }
    Indent = File.drop_front(lineStart(File, Barrier[0].Begin))
                 .take_while([](char C) { return C == ' ' || C == '\t'; })
                 .str();
    Newline = File.slice(0, File.find('\n')).ends_with("\r") ? "\r\n" : "\n";
    return true;
  }

  /// The missing half, as far as the compiler can see.
  std::string touchTiles() const {
    std::string Operands;
    for (const auto &B : M.Buffers) {
      const bool IsPointer = B->Decl->getType()->isPointerType();
      Operands += (Operands.empty() ? "" : ", ") +
                  ("\"l\"((const void *)" + std::string(IsPointer ? "" : "&")) +
                  B->Decl->getNameAsString() + ")";
    }
    return "asm volatile(\"\" : : " + Operands + " : \"memory\");";
  }

  bool isAdvance(const Stmt *S) const {
    return any_of(M.Advances, [&](const Advance &A) { return A.Statement == S; });
  }

  /// Their text, each on a line of its own; none: something has no text of its own.
  std::optional<std::string> textOfAll(ArrayRef<const Stmt *> Some) {
    std::string Text;
    for (const Stmt *S : Some) {
      auto R = statementRange(S, Context);
      if (!R) {
        refuse(Reason::MacroText, S->getBeginLoc(), "this statement");
        return std::nullopt;
      }
      Text += Newline + Indent + File.slice(R->Begin, R->End).str();
    }
    return Text;
  }

  void loadsOnly() {
    std::vector<const Stmt *> Kept;
    DeclSet<VarDecl> Named; // by what is left
    bool Drops = false;
    for (const Stmt *S : M.Segments[1]) {
      if (is_contained(M.MovedToCompute, S))
        continue; // in front of the barrier, where it may stay
      if (isAdvance(S) || is_contained(M.Neutral, S))
        Kept.push_back(S);
      else
        Drops = true;
    }
    for (const Stmt *S : Kept)
      for (const VarDecl *V : mentionedVars(S))
        Named.insert(V);
    for (const Stmt *S : M.Segments[2])
      for (const VarDecl *V : mentionedVars(S))
        Named.insert(V);
    for (const Stmt *S : M.Segments[1])
      if (!is_contained(Kept, S) && !is_contained(M.MovedToCompute, S))
        for (const VarDecl *V : Named)
          if (declares(S, V)) {
            refuse(Reason::NotYet, S->getBeginLoc(),
                   "leaving out a compute phase that declares what the loop goes on with");
            return;
          }
    if (!Drops) {
      refuse(Reason::NotYet, M.Loop->Begin, "leaving out a compute phase that consists of nothing");
      return;
    }
    const bool ToTheEnd = M.BarrierFirst || M.TrailingNested;
    const unsigned From = Barrier[0].End, To = ToTheEnd ? BodyClose : Barrier[1].Begin;
    std::optional<std::string> Text = textOfAll(Kept);
    if (!Text || From > To)
      return;
    std::string Last = ToTheEnd ? "" : Indent;
    if (M.TrailingNested) // those of the compute phase go with it
      Last = Indent + File.slice(Barrier[0].Begin, Barrier[0].End).str() + Newline;
    Out.Result.List.push_back({From, To - From,
                               Newline + Indent + "// Loads only: nothing is computed." + Newline +
                                   Indent + touchTiles() + *Text + Newline + Last});
  }

  void computeOnly() {
    const KLoop &L = *M.Loop;
    ArrayRef<const Stmt *> Around(L.Ancestors);
    while (!Around.empty() && isa<AttributedStmt>(Around.back()))
      Around = Around.drop_back();
    if (Around.empty() || !isa<CompoundStmt>(Around.back())) {
      refuse(Reason::NotYet, L.Begin,
             "leaving out the load phase of a loop that is the only statement of another one");
      return;
    }
    unsigned From = M.BarrierFirst ? Barrier[1].End : BodyOpen, To = Barrier[0].Begin;
    auto startBehind = [&](const Stmt *S) {
      if (auto R = statementRange(S, Context); R && R->Begin >= BodyOpen && R->End < To)
        From = std::max(From, R->End);
    };
    for (const auto &B : M.Buffers)
      if (B->DeclaredInLoop && B->Statement)
        startBehind(B->Statement);
    // What belongs to the compute phase must run for every tile.
    if (!M.Segments[0].empty())
      for (const Stmt *S : M.MovedToCompute) {
        const auto R = statementRange(S, Context),
                   First = statementRange(M.Segments[0].front(), Context),
                   Last = statementRange(M.Segments[0].back(), Context);
        if (R && First && R->End <= First->Begin) {
          startBehind(S);
        } else if (R && Last && R->Begin >= Last->End) {
          To = std::min(To, R->Begin);
        } else {
          refuse(Reason::NotYet, S->getBeginLoc(),
                 "leaving out a load phase that a part of the compute phase stands in");
          return;
        }
      }
    std::vector<const Stmt *> Advances, Again;
    for (const Stmt *S : M.Segments[0]) {
      if (isAdvance(S))
        Advances.push_back(S);
      if (is_contained(M.SharedScalars, S) || is_contained(M.Neutral, S))
        Again.push_back(S);
    }
    if (!M.ChangedInLoad.empty() || !M.StoreState.empty() ||
        (!Advances.empty() && !Again.empty())) {
      refuse(Reason::NotYet, L.Begin,
             "leaving out a load phase that changes what the compute phase goes on with");
      return;
    }
    std::optional<std::string> Else = textOfAll(Advances), Behind = textOfAll(Again);
    if (!Else || !Behind || From > To)
      return;
    std::string Flag = "first_tile";
    for (unsigned I = 2; isTaken(Flag, Source, Context) || Given.Names.count(Flag); ++I)
      Flag = "first_tile" + std::to_string(I);
    Out.Names.Names.insert(Flag);
    const StringRef OfLoop = File.drop_front(lineStart(File, LoopBegin)).take_while([](char C) {
      return C == ' ' || C == '\t';
    });
    Out.Result.List.push_back({LoopBegin, 0, "bool " + Flag + " = true;" + Newline + OfLoop.str()});
    Out.Result.List.push_back(
        {From, 0, Newline + Indent + "if (" + Flag + ") { // Compute only: one tile is loaded."});
    std::string Text = "}";
    if (!Else->empty())
      Text += " else {" + *Else + Newline + Indent + "}";
    Text += Newline + Indent + Flag + " = false;" + Newline + Indent + touchTiles() + *Behind +
            Newline + Indent;
    Out.Result.List.push_back({To, 0, Text});
  }
};

} // namespace

Draft ablate(const TileModel &Model, Ablation Which, ASTContext &Context, const SourceText &Source,
             const GivenNames &Given) {
  return Ablator(Model, Context, Source, Given).run(Which);
}

} // namespace cuda_pipeline
