//===- CarriedNames.cpp - Names go where their declarations go ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A statement of the loop that moves may name only declarations that move along: in front of the
/// loop the name would mean nothing there, or something else. The model has decided what each part
/// needs; here it is held against what the part's text says, whatever way it has come by. What is
/// found is a mistake of the model, and the loop stays as it is.
///
//===----------------------------------------------------------------------===//

#include "../Model/RawTokens.h"
#include "Emitter.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Names that begin a name in \p Text: none behind `.`, `->` and `::`.
std::map<std::string, unsigned> firstNames(StringRef Text) {
  std::map<std::string, unsigned> Names;
  bool Member = false;
  forEachRawToken(Text.str(), [&](const Token &T, unsigned) {
    if (T.is(tok::raw_identifier) && !Member)
      ++Names[T.getRawIdentifier().str()];
    Member = T.isOneOf(tok::period, tok::arrow, tok::coloncolon);
  });
  return Names;
}

/// A declaration by its place: an instantiation may name that of its template, where no argument
/// matters.
using Place = SourceLocation::UIntTy;
Place placeOf(const Decl *D) { return D->getLocation().getRawEncoding(); }

/// What a statement declares, at any depth.
struct Declarations : ConstDynamicRecursiveASTVisitor {
  std::set<Place> All;
  bool VisitDecl(const Decl *D) override {
    if (D->getLocation().isValid()) // else of the compiler's own
      All.insert(placeOf(D));
    return true;
  }
};

std::set<Place> declaredIn(const Stmt *S) {
  Declarations V;
  V.TraverseStmt(S);
  return std::move(V.All);
}

/// A name as the file has it.
struct WrittenName {
  std::string Word;     ///< the name itself, or that of the macro that it comes out of
  SourceLocation Where; ///< of the word
};

WrittenName asWritten(const NamedAt &Name, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation At = Name.Where;
  while (At.isMacroID() && SM.isMacroArgExpansion(At))
    At = SM.getImmediateSpellingLoc(At);
  if (!At.isMacroID())
    return {Name.Decl->getNameAsString(), At};
  // The outermost macro is the one that the file has.
  for (SourceLocation Caller = SM.getImmediateMacroCallerLoc(At); Caller.isMacroID();
       Caller = SM.getImmediateMacroCallerLoc(At))
    At = Caller;
  return {Lexer::getImmediateMacroName(At, SM, Context.getLangOpts()).str(),
          SM.getExpansionLoc(At)};
}
std::string wordFor(const NamedAt &Name, const ASTContext &Context) {
  return asWritten(Name, Context).Word;
}

/// Which words of a text made of \p Whole by patches may be meant for a name of the file. What is
/// not replaced stands between the same braces as before, and so means what it meant. What stands
/// for something else may be of any part of the loop; but as often as that has said a word, what
/// stands for it says it about the same.
class WordsOfHalf {
public:
  WordsOfHalf(StringRef File, TextRange Whole, const Patches &Made, StringRef Text)
      : Whole(Whole), All(firstNames(Text)) {
    for (const auto &[Range, By] : Made.all()) {
      Replaced.push_back(Range);
      const std::map<std::string, unsigned> Before = firstNames(File.slice(Range.Begin, Range.End));
      for (const auto &[Word, Times] : firstNames(By))
        if (const auto It = Before.find(Word); It == Before.end() || It->second < Times)
          Anywhere.insert(Word);
        else
          InPlace[Word].push_back(Range);
    }
  }

  bool mayMean(const WrittenName &Name, const SourceManager &SM) const {
    if (!All.count(Name.Word))
      return false;
    const unsigned At = SM.getFileOffset(Name.Where);
    auto IsAt = [&](const TextRange &R) { return R.Begin <= At && At < R.End; };
    if (!isInMainFile(SM, Name.Where) || !IsAt(Whole) || Anywhere.count(Name.Word))
      return true;
    const auto It = InPlace.find(Name.Word);
    return none_of(Replaced, IsAt) || (It != InPlace.end() && any_of(It->second, IsAt));
  }

private:
  TextRange Whole;
  std::map<std::string, unsigned> All; ///< words, and how often
  std::vector<TextRange> Replaced;
  std::set<std::string> Anywhere; ///< words of which nobody knows where they come from
  std::map<std::string, std::vector<TextRange>> InPlace; ///< words of what was replaced by them
};

} // namespace

/// Calls \p Do for all statements under \p S that a part has whole or not at all, and for the
/// headers and conditions around them: the statement whose keeping decides, and what there is of
/// it.
void Emitter::forEachPart(const Stmt *S, function_ref<void(const Stmt *, const Stmt *)> Do) const {
  if (!S)
    return;
  if (isa<CompoundStmt, AttributedStmt>(S)) {
    for (const Stmt *Child : S->children())
      forEachPart(Child, Do);
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    // A load and its fill are one statement.
    if (any_of(Cut.Loads, [&](const GlobalLoad &G) { return G.FillIf == If; }))
      return Do(S, S);
    Do(S, If->getInit());
    Do(S, If->getConditionVariableDeclStmt());
    Do(S, If->getCond());
    forEachPart(If->getThen(), Do);
    forEachPart(If->getElse(), Do);
  } else if (const auto *For = dyn_cast<ForStmt>(S)) {
    for (const Stmt *Part : {For->getInit(), static_cast<const Stmt *>(For->getCond()),
                             static_cast<const Stmt *>(For->getInc())})
      Do(S, Part);
    forEachPart(For->getBody(), Do);
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    Do(S, While->getCond());
    forEachPart(While->getBody(), Do);
  } else if (const auto *Loop = dyn_cast<DoStmt>(S)) {
    Do(S, Loop->getCond());
    forEachPart(Loop->getBody(), Do);
  } else {
    Do(S, S);
  }
}

/// Of the declarations that mean the same in every part: those that \p Parts name, and those that
/// these need.
std::set<const Stmt *> Emitter::neutralFor(ArrayRef<const Stmt *> Parts) const {
  std::set<Place> Named;
  auto Look = [&](const Stmt *S) {
    for (const NamedAt &Name : namesOf(S))
      Named.insert(placeOf(Name.Decl));
  };
  for (const Stmt *S : Parts)
    Look(S);
  auto IsNamed = [&](const Stmt *S) {
    return any_of(cast<DeclStmt>(S)->decls(), [&](const Decl *D) {
      const auto *Var = dyn_cast<VarDecl>(D);
      // An assertion holds anywhere; enumerators and what `using` brings have names of their own.
      return !isa<VarDecl, TypedefNameDecl>(D) || Named.count(placeOf(D)) ||
             (Var && isNamedElsewhere(Var));
    });
  };
  std::set<const Stmt *> Out;
  for (bool Changed = true; std::exchange(Changed, false);)
    for (const Stmt *S : M.Neutral)
      if (!Out.count(S) && IsNamed(S)) {
        Look(S);
        Out.insert(S);
        Changed = true;
      }
  return Out;
}

/// Of them, what the half goes without is left out.
bool Emitter::isNamedIn(const Stmt *Neutral, Half H) {
  std::optional<std::set<const Stmt *>> &Known = NeutralIn[int(H)];
  if (!Known) {
    Known.emplace(); // none is a reason to keep what it stands in
    std::vector<const Stmt *> Parts;
    for (const Stmt *S : M.Segments[0])
      forEachPart(S, [&](const Stmt *Whole, const Stmt *Part) {
        if (Part && !is_contained(M.Neutral, Part) && keeps(Whole, H))
          Parts.push_back(Part);
      });
    if (H != Half::Store)
      for (const Advance &A : M.Advances)
        if (A.Segment > 0 && loadSide(A))
          Parts.push_back(A.Statement);
    Known = neutralFor(Parts);
    for (const Stmt *S : M.Neutral)
      KeepCache[int(H)].erase(S);
  }
  return Known->count(Neutral) != 0;
}

/// What the half has of the load phase.
std::vector<const Stmt *> Emitter::partsOf(Half H) {
  std::vector<const Stmt *> Parts;
  for (const Stmt *S : M.Segments[0])
    forEachPart(S, [&](const Stmt *Whole, const Stmt *Part) {
      if (Part && keeps(Whole, H))
        Parts.push_back(Part);
    });
  return Parts;
}

/// Finds declarations of the half, of which \p Text is the text, that nothing there names and that
/// do nothing: nvcc warns of these (177-D). True: there are new ones, and the text is to be made
/// without them.
bool Emitter::leavesUnnamed(Half H, StringRef Text) {
  const std::vector<const Stmt *> Parts = partsOf(H);
  const std::map<std::string, unsigned> Said = firstNames(Text);
  const auto IsNamed = [&](const Decl *D, const Stmt *Own) {
    if (const auto It = Said.find(cast<NamedDecl>(D)->getNameAsString());
        It == Said.end() || It->second > 1)
      return true;
    return any_of(Parts, [&](const Stmt *Part) { // by a macro
      return Part != Own && any_of(namesOf(Part), [&](const NamedAt &Name) {
               const std::string Word = wordFor(Name, Context);
               return placeOf(Name.Decl) == placeOf(D) && Word != Name.Decl->getNameAsString() &&
                      Said.count(Word);
             });
    });
  };
  bool Found = false;
  for (const Stmt *S : Parts) {
    const auto *Declaration = dyn_cast<DeclStmt>(S);
    const std::optional<TextRange> Own = statementRange(S, Context);
    // As the author wrote it: what has become of a load is none.
    if (!Declaration || !Own || (H == Half::Store && InOrder.count(S)) ||
        !Text.contains(File.slice(Own->Begin, Own->End)) ||
        !all_of(Declaration->decls(), [&](const Decl *D) {
          const auto *Var = dyn_cast<VarDecl>(D);
          return Var && !isa<DecompositionDecl>(Var) && Var->getIdentifier() &&
                 !Var->needsDestruction(Context) &&
                 (!Var->getInit() || !Var->getInit()->HasSideEffects(Context)) && !IsNamed(Var, S);
        }))
      continue;
    Found |= Unnamed[int(H)].insert(S).second;
  }
  if (Found)
    forgetHalves();
  return Found;
}

void Emitter::carriesItsNames(Half H, StringRef Text, const Patches &Made) {
  // Everything that the loop declares, and what of it comes along.
  std::set<Place> Declared = declaredIn(M.Loop->Loop), Carried;
  const std::vector<const Stmt *> Parts = partsOf(H);
  for (const Stmt *Part : Parts)
    Carried.merge(declaredIn(Part));
  // Tiles have their stages bound, and split variables are parameters.
  for (const auto &B : M.Buffers)
    Carried.insert(placeOf(B->Decl));
  for (const TileView &V : M.Views)
    Carried.insert(placeOf(V.Var));
  for (const VarDecl *V : Split)
    Carried.insert(placeOf(V));
  const WordsOfHalf Words(File, LoadText, Made, Text);
  auto Look = [&](const Stmt *S) {
    for (const NamedAt &Name : namesOf(S))
      if (Declared.count(placeOf(Name.Decl)) && !Carried.count(placeOf(Name.Decl)) &&
          Words.mayMean(asWritten(Name, Context), Context.getSourceManager()))
        return refuse(Reason::NotYet, Name.Where,
                      {"a statement of the load phase that names '" + Name.Decl->getNameAsString() +
                       "', which is declared in a part of the loop that does not move with it,"});
  };
  for (const Stmt *Part : Parts)
    Look(Part);
  if (H != Half::Store)
    for (const Advance &A : M.Advances)
      if (A.Segment > 0 && loadSide(A))
        Look(A.Statement);
}

void Emitter::computeFindsItsNames() {
  std::set<Place> Gone;
  const bool StoreStands = P.Stages == 1; // in front of the compute phase
  for (const Stmt *S : M.Segments[0]) {
    bool Stays = is_contained(M.SharedScalars, S) || is_contained(M.Neutral, S) ||
                 (StoreStands && keeps(S, Half::Store));
    for (const Advance &A : M.Advances)
      Stays |= A.Statement == S && onComputeSide(A);
    if (!Stays)
      Gone.merge(declaredIn(S));
  }
  for (const auto &B : M.Buffers)
    Gone.erase(placeOf(B->Decl));
  for (const TileView &V : M.Views)
    Gone.erase(placeOf(V.Var));
  for (const auto &[Var, Name] : KeptNames) // declared once more
    Gone.erase(placeOf(Var));
  auto Look = [&](const Stmt *S) {
    if (!S)
      return;
    for (const NamedAt &Name : namesOf(S))
      if (Gone.count(placeOf(Name.Decl)))
        return refuse(Reason::NotYet, Name.Where,
                      {"a statement of the compute phase that names '" +
                       Name.Decl->getNameAsString() + "', which the load phase alone declares,"});
  };
  for (unsigned I = 1; I < 3; ++I)
    for (const Stmt *S : M.Segments[I])
      if (!any_of(M.Advances,
                  [&](const Advance &A) { return A.Statement == S && !onComputeSide(A); }))
        Look(S);
  for (const Stmt *S : M.SharedScalars)
    Look(S);
}

} // namespace cuda_pipeline
