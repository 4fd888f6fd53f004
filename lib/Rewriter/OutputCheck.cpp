//===- OutputCheck.cpp - The written text is read again -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputCheck.h"
#include "../Model/AstUtil.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Where \p Loc, that of its expansion, stands in the main file; none: elsewhere.
std::optional<unsigned> offsetOf(SourceLocation Loc, const SourceManager &SM) {
  const SourceLocation At = SM.getExpansionLoc(Loc);
  if (At.isInvalid() || !isInMainFile(SM, At))
    return std::nullopt;
  return SM.getFileOffset(At);
}

/// Something that a function declares, and that another declaration could hide.
bool isLocal(const NamedDecl *D) {
  return D->getIdentifier() && D->getDeclContext()->isFunctionOrMethod() &&
         isa<VarDecl, BindingDecl, TypedefNameDecl, TagDecl>(D);
}

/// Local or not: what a name of this kind in a function may mean.
bool mayBeHidden(const NamedDecl *D) {
  return D->getIdentifier() &&
         isa<VarDecl, BindingDecl, TypedefNameDecl, TagDecl, EnumConstantDecl, FunctionDecl>(D) &&
         !D->isCXXClassMember();
}

NamesMeant::Side sideOf(const NamedDecl *D, unsigned Begin, unsigned End, const SourceManager &SM) {
  const std::optional<unsigned> At = offsetOf(D->getLocation(), SM);
  return At && Begin <= *At && *At < End && isLocal(D) ? NamesMeant::Inside : NamesMeant::Outside;
}

} // namespace

NamesMeant namesMeant(const TileModel &Model, const ASTContext &Context) {
  NamesMeant Out;
  const SourceManager &SM = Context.getSourceManager();
  const PhaseText Loop = phaseText(Model, Context);
  auto Add = [&](const Stmt *S) {
    for (const NamedAt &Name : namesOf(S))
      if (mayBeHidden(Name.Decl))
        Out.Of[Name.Decl->getNameAsString()] |= sideOf(Name.Decl, Loop.Begin, Loop.End, SM);
  };
  Add(Model.Loop->Loop);
  for (const TileView &V : Model.Views) // they are declared anew in it
    Add(V.Statement);
  for (const auto &B : Model.Buffers)
    Out.Rebound.insert(B->Decl->getNameAsString());
  for (const TileView &V : Model.Views)
    Out.Rebound.insert(V.Var->getNameAsString());
  return Out;
}

std::vector<OutputProblem> checkOutput(ArrayRef<ParseRequest> Ways, const std::string &Text,
                                       ArrayRef<WrittenLoop> Loops) {
  std::vector<OutputProblem> Problems;
  auto LoopAt = [&](std::optional<unsigned> At) -> std::optional<size_t> {
    for (size_t I = 0; At && I < Loops.size(); ++I)
      if (Loops[I].Begin <= *At && *At < Loops[I].End)
        return I;
    return std::nullopt;
  };
  auto Add = [&](std::optional<size_t> Loop, std::string What) {
    if (none_of(Problems, [&](const OutputProblem &P) { return P.Loop == Loop; }))
      Problems.push_back({Loop, std::move(What)});
  };

  struct Reader : ConstDynamicRecursiveASTVisitor {
    ArrayRef<WrittenLoop> Loops;
    const SourceManager &SM;
    function_ref<void(size_t, const NamedDecl *)> Found;
    Reader(ArrayRef<WrittenLoop> Loops, const SourceManager &SM,
           function_ref<void(size_t, const NamedDecl *)> Found)
        : Loops(Loops), SM(SM), Found(Found) {}
    bool TraverseDecl(const Decl *D) override {
      // Whole functions alone are looked at, and of them those with a loop.
      const auto *Function = dyn_cast_or_null<FunctionDecl>(D);
      if (!Function || !Function->hasBody() || !Function->isThisDeclarationADefinition())
        return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
      const std::optional<unsigned> Begin = offsetOf(Function->getBody()->getBeginLoc(), SM),
                                    End = offsetOf(Function->getBody()->getEndLoc(), SM);
      if (!Begin || !End || none_of(Loops, [&](const WrittenLoop &L) {
            return *Begin <= L.Begin && L.End <= *End + 1;
          }))
        return true;
      for (const NamedAt &Name : namesOf(Function->getBody()))
        if (std::optional<unsigned> At =
                mayBeHidden(Name.Decl) ? offsetOf(Name.Where, SM) : std::nullopt)
          for (size_t I = 0; I < Loops.size(); ++I)
            if (Loops[I].Begin <= *At && *At < Loops[I].End)
              Found(I, Name.Decl);
      return true;
    }
  };

  for (ParseRequest R : Ways) {
    (R.Edited ? R.EditedContents : R.Contents) = Text;
    std::vector<SourceError> Errors;
    IgnoringDiagConsumer Silent;
    CompilerQuestions Questions;
    std::shared_ptr<ASTUnit> Written = parse(R, &Silent, &Errors, &Questions);
    if (!Written && R.Edited && Questions.NotIncluded)
      continue; // the header is none of this one
    if (!Written) {
      Add(std::nullopt, "it cannot be read");
      continue;
    }
    const ASTContext &Context = Written->getASTContext();
    const SourceManager &SM = Context.getSourceManager();
    // The original's own errors, elsewhere, are its own affair (--keep-going).
    for (const SourceError &E : Errors)
      if (const std::optional<size_t> Loop =
              LoopAt(E.Where.isValid() ? offsetOf(E.Where, SM) : std::nullopt))
        Add(Loop, "it does not compile");
      else if (!R.KeepGoing)
        Add(std::nullopt, "it does not compile");
    if (!R.KeepGoing && Errors.empty() && Written->getDiagnostics().hasErrorOccurred())
      Add(std::nullopt, "it does not compile");
    const auto MeansTheSame = [&](size_t I, const NamedDecl *D) {
      const WrittenLoop &L = Loops[I];
      const std::string Name = D->getNameAsString();
      const auto Meant = L.Meant->Of.find(Name);
      // State that the load side steps by itself is a parameter of its function, by its own name.
      if (Meant == L.Meant->Of.end() || L.Meant->Rebound.count(Name) || isa<ParmVarDecl>(D))
        return;
      if (!(Meant->second & sideOf(D, L.Begin, L.End, SM)))
        Add(I, "'" + Name + "' means another thing in it");
    };
    Reader Names(Loops, SM, MeansTheSame);
    Names.TraverseAST(Context);
  }
  return Problems;
}

} // namespace cuda_pipeline
