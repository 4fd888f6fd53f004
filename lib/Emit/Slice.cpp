//===- Slice.cpp - The halves of the load phase as text -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A slice is the user's text of segment 0 with the statements that the other half runs taken out.
///
///   Fetch   global memory -> registers: `As_reg = A[..];`
///   Store   registers -> tile:          `As[..] = As_reg;`
///   Async   both at once:               `__pipeline_memcpy_async(&As[..], &A[..], ...);`
///
//===----------------------------------------------------------------------===//

#include "../Model/RawTokens.h"
#include "Emitter.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

namespace {

bool declaresShared(const Stmt *S) {
  if (const auto *Decl = dyn_cast<DeclStmt>(S))
    for (const clang::Decl *D : Decl->decls())
      if (D->hasAttr<CUDASharedAttr>())
        return true;
  return false;
}

/// `#pragma unroll` in one of its forms, in front of \p Loop, somewhere in \p S.
bool hasUnrollHint(const Stmt *S, const ForStmt *Loop) {
  if (!S)
    return false;
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S);
      Attributed && Attributed->getSubStmt() == Loop)
    return any_of(Attributed->getAttrs(), [](const Attr *A) { return isa<LoopHintAttr>(A); });
  return any_of(S->children(), [&](const Stmt *Child) { return hasUnrollHint(Child, Loop); });
}

constexpr size_t MaxColumns = 100; ///< what is longer is broken, where that is easy

/// At most one empty line in a row, none at the ends.
std::string withoutBlankRuns(StringRef Text) {
  std::string Out;
  bool LastBlank = true;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    Line = Line.rtrim();
    if (Line.trim().empty()) {
      if (!LastBlank)
        Out += '\n';
      LastBlank = true;
      continue;
    }
    LastBlank = false;
    Out += Line;
    Out += '\n';
  }
  while (StringRef(Out).ends_with("\n\n"))
    Out.pop_back();
  return Out;
}

} // namespace

/// The store of a copy that stands where the value is loaded.
bool Emitter::standsWithLoad(const Stmt *S) const {
  return any_of(M.Copies,
                [&](const TileCopy &C) { return C.Store == S && C.LoadedBy && P.isAsync(C); });
}

/// With one buffer the stores stand in front of the compute phase, and what that has of the load
/// phase behind them. Unless they change what it reads, or need what it sets: then it keeps its
/// place.
void Emitter::keepOrderInStore() {
  struct Part {
    const Stmt *S;
    DeclSet<VarDecl> Reads, Writes;
    bool Again; ///< for the compute phase
  };
  std::vector<Part> Parts;
  for (const Stmt *S : M.Segments[0]) {
    Part Of{S, mentionedVars(S), {}, is_contained(M.SharedScalars, S)};
    for (const Advance &A : M.Advances)
      Of.Again |= A.Statement == S && onComputeSide(A);
    for (const Access &A : M.Facts->Collector->collect(S).Accesses)
      for (const MemoryRoot &R : A.Roots)
        if (const auto *V = dyn_cast_or_null<VarDecl>(R.Decl))
          (A.Write ? Of.Writes : Of.Reads).insert(V);
    if (const auto *Decl = dyn_cast<DeclStmt>(S))
      for (const clang::Decl *D : Decl->decls())
        if (const auto *V = dyn_cast<VarDecl>(D))
          Of.Writes.insert(V);
    Parts.push_back(std::move(Of));
  }
  const auto Meet = [](const DeclSet<VarDecl> &A, const DeclSet<VarDecl> &B) {
    return any_of(A, [&](const VarDecl *V) { return B.count(V) != 0; });
  };
  for (bool Changed = true; std::exchange(Changed, false);) {
    for (auto It = Parts.begin(); It != Parts.end(); ++It) {
      if (!It->Again || keeps(It->S, Half::Store))
        continue;
      const bool Passed = any_of(make_range(It + 1, Parts.end()), [&](const Part &Behind) {
        return keeps(Behind.S, Half::Store) &&
               (Meet(Behind.Writes, It->Reads) || Meet(Behind.Writes, It->Writes) ||
                Meet(Behind.Reads, It->Writes));
      });
      if (Passed && InOrder.insert(It->S).second) {
        forgetHalves();
        Changed = true;
      }
    }
  }
}

bool Emitter::keepsLeaf(const Stmt *S, Half H) {
  if (H == Half::Store && InOrder.count(S))
    return true;
  if (declaresShared(S) || Unnamed[int(H)].count(S) || (startsCopies(H) && standsWithLoad(S)))
    return false;
  for (const Advance &A : M.Advances)
    if (A.Statement == S && !(H == Half::Store ? A.LoadSide : loadSide(A)))
      return false;
  // The fetch has stepped it, a turn ahead of the stores.
  if (H == Half::Store && P.Stages > 1 && Cut.Steps.count(S) && Cut.FetchStatements.count(S))
    return false;
  if (is_contained(M.Neutral, S))
    return isNamedIn(S, H);
  // What the compute phase alone uses of what both can declare.
  if (H == Half::Async)
    return !is_contained(M.SharedScalars, S) || Cut.FetchStatements.count(S) ||
           Cut.StoreStatements.count(S);
  if (H == Half::Fetch)
    return Cut.FetchStatements.count(S) ||
           any_of(Cut.Loads, [&](const GlobalLoad &G) { return G.Leaf == S; });
  return Cut.StoreStatements.count(S) != 0;
}

bool Emitter::keeps(const Stmt *S, Half H) {
  if (!S)
    return false;
  auto &Cache = KeepCache[int(H)];
  auto It = Cache.find(S);
  if (It != Cache.end())
    return It->second;
  bool Keep = false;
  if (S == M.Skip) {
    Keep = H != Half::Async; // both ask
  } else if (isa<CompoundStmt>(S)) {
    for (const Stmt *Child : S->children())
      Keep |= !is_contained(M.Neutral, Child) && keeps(Child, H); // not for their sake alone
  } else if (const auto *Attributed = dyn_cast<AttributedStmt>(S)) {
    Keep = keeps(Attributed->getSubStmt(), H);
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    bool Fill = any_of(Cut.Loads, [&](const GlobalLoad &G) { return G.FillIf == If; });
    Keep = (Fill && H != Half::Async) || keeps(If->getThen(), H) || keeps(If->getElse(), H);
  } else if (const auto *For = dyn_cast<ForStmt>(S)) {
    Keep = keeps(For->getBody(), H);
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    Keep = keeps(While->getBody(), H);
  } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
    Keep = keeps(Do->getBody(), H);
  } else if (!isa<NullStmt>(S)) {
    Keep = keepsLeaf(S, H);
  }
  Cache[S] = Keep;
  return Keep;
}

/// Takes a statement out, with its line when it has it for itself.
void Emitter::remove(const Stmt *S, Patches &To, bool InCompound, bool WithComments) {
  auto R = statementRange(S, Context);
  if (!R) {
    refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
    return;
  }
  if (!InCompound) {
    To.replace(*R, ";");
    return;
  }
  unsigned LineBegin = lineStart(File, R->Begin);
  size_t LineEnd = File.find('\n', R->End);
  if (LineEnd == StringRef::npos)
    LineEnd = File.size();
  TextRange All = withTrailingComment(*R);
  if (File.slice(LineBegin, R->Begin).trim().empty() &&
      File.slice(All.End, LineEnd).trim().empty()) {
    // The comments above it go with it. The line break in front goes too, so that the range stays
    // inside of the statement's block.
    if (R->Begin > BodyOpen && WithComments)
      LineBegin = commentsAbove(R->Begin).Begin;
    unsigned Begin = LineBegin ? LineBegin - 1 : 0;
    unsigned End = All.End;
    if (Begin > 0 && File[Begin - 1] == '\r')
      --Begin;
    To.replace({Begin, End}, "");
    return;
  }
  To.replace(*R, "");
}

/// `float4 tmp;` in front of the loop, when the copies were all that used it.
void Emitter::removeUnusedDeclaration(const VarDecl *Var) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const VarDecl *Var;
    const DeclStmt *Found = nullptr;
    bool VisitDeclStmt(const DeclStmt *S) override {
      if (is_contained(S->decls(), Var))
        Found = S;
      return !Found;
    }
  } V;
  V.Var = Var;
  V.TraverseStmt(M.Loop->Function->getBody());
  if (V.Found && V.Found->isSingleDecl())
    remove(V.Found, Edited, true);
}

std::string Emitter::slice(Half H) {
  Patches List;
  std::string Lead;
  if (startsCopies(H)) {
    copiesInPlace(M.Segments[0]);
    // Staging variables from outside of the body get a pointer of their own in here.
    for (const TileCopy &C : M.Copies)
      if (C.Staging && P.isAsync(C) && !SourceName.count(C.Staging) &&
          none_of(InPlace, [&](const auto &P) { return P.second.Copy == &C; })) {
        SourceName[C.Staging] = fresh(C.Staging->getNameAsString() + "_src");
        if (!M.Facts->DeclaredInBody.count(C.Staging)) {
          removeUnusedDeclaration(C.Staging);
          Lead +=
              Indent + Unit + "const " + typeText(C.Staging) + " *" + SourceName[C.Staging] + ";\n";
        }
      }
  }
  // Nor does an array get a value any more of which every copy stands where it is loaded.
  for (const TileCopy &C : M.Copies)
    if (startsCopies(H) && C.LoadedBy && !M.Facts->DeclaredInBody.count(C.Through) &&
        all_of(M.Copies,
               [&](const TileCopy &Other) {
                 return Other.Through != C.Through || (Other.LoadedBy && P.isAsync(Other));
               }) &&
        Undeclared.insert(C.Through).second)
      removeUnusedDeclaration(C.Through);
  for (const Stmt *S : M.Segments[0])
    sliceStmt(S, H, List, true);
  for (const Stmt *S : M.MovedToCompute)
    remove(S, List, true);
  if (M.BarrierFirst)
    remove(M.Barriers[1], List, true);
  std::string Text = List.apply(File, LoadText);
  std::string Body = withoutBlankRuns(Text);
  if (LoadText.Begin == BodyOpen) // the statements began behind the brace
    Body = Indent + Unit + StringRef(Body).ltrim(" \t").str();
  // Advances of later segments belong to the load side as well.
  if (H != Half::Store)
    for (const Advance &A : M.Advances)
      if (A.Segment > 0 && loadSide(A)) {
        auto R = statementRange(A.Statement, Context);
        if (!R) {
          refuse(Reason::MacroText, A.Statement->getBeginLoc(), {"this statement"});
          continue;
        }
        // Its comments go where it goes.
        if (!onComputeSide(A))
          R = withComments(*R);
        Body += Indent + Unit + File.slice(R->Begin, R->End).str() + "\n";
      }
  if (H == Half::Store)
    for (const auto &[Var, Name] : KeptNames)
      if (beginsWithValue(Var))
        Body += Indent + Unit + Name + " = " + Var->getNameAsString() + ";\n";
  // The parts of a declaration's uses that are left out here (a condition, a store) may have been
  // all that named it.
  if (leavesUnnamed(H, Body))
    return Lead + slice(H);
  carriesItsNames(H, Body, List);
  return Lead + Body;
}

/// `float v = 0; if (in) v = A[i]; S[j] = v;`, one behind the other: the copy stands where the load
/// does, and the fill is its else. Without that a pointer would have to say which of the two it is.
void Emitter::copiesInPlace(ArrayRef<const Stmt *> List) {
  for (size_t I = 0; I < List.size(); ++I) {
    if (const auto *Compound = dyn_cast<CompoundStmt>(List[I]))
      copiesInPlace(SmallVector<const Stmt *>(Compound->body()));
    else if (isa<IfStmt, ForStmt, WhileStmt, DoStmt, AttributedStmt>(List[I]))
      copiesInPlace(SmallVector<const Stmt *>(make_filter_range(
          List[I]->children(), [](const Stmt *S) { return S && !isa<Expr>(S); })));
    const auto *If = dyn_cast<IfStmt>(List[I]);
    const auto *Store = If && I + 1 < List.size() ? dyn_cast<Expr>(List[I + 1]) : nullptr;
    const auto Copy =
        find_if(M.Copies, [&](const TileCopy &C) { return Store && C.Store == Store; });
    if (Copy == M.Copies.end() || !P.isAsync(*Copy) || !Copy->Staging || !Copy->StagingFill ||
        Copy->Sources.size() != 1 || referencedVar(stripNoOps(Copy->Value)) != Copy->Staging ||
        count_if(M.Copies, [&](const TileCopy &C) { return C.Staging == Copy->Staging; }) != 1)
      continue;
    const auto *Declaration = find_if(List.take_front(I), [&](const Stmt *S) {
      const auto *Decl = dyn_cast<DeclStmt>(S);
      return Decl && Decl->isSingleDecl() && Decl->getSingleDecl() == Copy->Staging;
    });
    // What is done if the condition holds: one statement is the load, and no other names the
    // variable.
    const auto *Body = dyn_cast<CompoundStmt>(If->getThen());
    const Expr *Load = nullptr;
    bool Others = false;
    for (const Stmt *S : Body ? SmallVector<const Stmt *>(Body->body())
                              : SmallVector<const Stmt *>{If->getThen()}) {
      const auto *E = dyn_cast<Expr>(S);
      const bool Loads = E && leftHandSide(E) && referencedVar(leftHandSide(E)) == Copy->Staging &&
                         stripNoOps(rightHandSide(E)) == stripNoOps(Copy->SourceAccess);
      Others |= Loads ? Load != nullptr : mentions(S, Copy->Staging);
      if (Loads)
        Load = E;
    }
    const Expr *Filled = singleStatement(If->getElse());
    const bool FillsElse =
        Filled && leftHandSide(Filled) && referencedVar(leftHandSide(Filled)) == Copy->Staging &&
        textOf(rightHandSide(Filled), Context) == textOf(Copy->StagingFill, Context);
    if (Declaration == List.take_front(I).end() || !Load || Others || If->getInit() ||
        If->getConditionVariable() || mentions(If->getCond(), Copy->Staging) ||
        (If->getElse() ? !FillsElse : Copy->StagingFill != Copy->Staging->getInit()) ||
        any_of(List.slice(Declaration - List.begin() + 1, I - 1 - (Declaration - List.begin())),
               [&](const Stmt *S) { return mentions(S, Copy->Staging); }))
      continue;
    // Inside of the `if` the place of the store is the same.
    const auto To = textRange(Copy->Destination->getSourceRange(), Context),
               Whole = statementRange(If, Context);
    auto placeOf = [&](const VarDecl *Var) {
      const SourceManager &SM = Context.getSourceManager();
      const SourceLocation At = SM.getExpansionLoc(Var->getLocation());
      const unsigned Begin = isInMainFile(SM, At) ? SM.getFileOffset(At) : 0;
      return TextRange{Begin, Begin};
    };
    if (!To || !Whole || (If->getElse() && !statementRange(If->getElse(), Context)) ||
        !statementRange(Load, Context) || !statementRange(Store, Context) ||
        !statementRange(*Declaration, Context) ||
        declaredAnew(namesIn(*To), Whole->Begin, Whole->End) ||
        any_of(M.Facts->Collector->collect(If).Accesses, [&](const Access &A) {
          return A.Write && any_of(A.Roots, [&](const MemoryRoot &R) {
                   const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
                   return R.In != Space::Local || !Var ||
                          (Var != Copy->Staging && !Whole->contains(placeOf(Var)));
                 });
        }))
      continue;
    InPlace[If] = {&*Copy, Load};
    Gone.insert(*Declaration);
    Gone.insert(Store);
  }
}

/// The `if` of one of these.
void Emitter::sliceInPlace(const IfStmt *If, const CopyInPlace &What, Patches &To) {
  const auto Whole = statementRange(If, Context), Load = replacedRange(What.Load, Context);
  const auto Else = If->getElse() ? statementRange(If->getElse(), Context) : Whole;
  if (!Whole || !Load || !Else)
    return refuse(Reason::MacroText, If->getBeginLoc(), {"this statement"});
  const AsyncCopy Copy = makeCopy(*What.Copy);
  To.replace(*Load, copyText(Copy, *What.Copy));
  // Its last guard is this `if`.
  if (Copy.Guards.empty() || Copy.Guards.back().Fill.empty())
    return;
  const std::string At = indentAt(Whole->Begin), &Fill = Copy.Guards.back().Fill;
  const bool Braces = isa<CompoundStmt>(If->getThen());
  const std::string Arm = Braces ? "{\n" + At + Unit + Fill + "\n" + At + "}" : Fill;
  if (If->getElse())
    To.replace(*Else, isa<CompoundStmt>(If->getElse()) && !Braces ? "{ " + Fill + " }" : Arm);
  else if (Braces)
    To.replace({Whole->End, Whole->End}, " else " + Arm);
  else
    To.replace({Whole->End, Whole->End}, "\n" + At + "else\n" + At + Unit + Fill);
}

/// Where a turn is left out the fetch of its tile ends; the loop goes on with the next one
/// (emitLdgSingle()).
void Emitter::sliceSkip(Half H, Patches &To) {
  const auto R = statementRange(M.Skip, Context);
  if (!R)
    return refuse(Reason::MacroText, M.Skip->getBeginLoc(), {"this statement"});
  To.replace(*R, H == Half::Fetch
                     ? "if (" + skipCondition() + ")\n" + indentAt(R->Begin) + Unit + "return;"
                     : (SkipBegin + "if (" + skipCondition() + ")" + SkipEnd).str());
}

void Emitter::sliceStmt(const Stmt *S, Half H, Patches &To, bool InCompound) {
  if (S == M.Skip)
    return sliceSkip(H, To);
  if (!S || isa<NullStmt>(S))
    return;
  if (!keeps(S, H))
    return remove(S, To, InCompound);
  if (startsCopies(H) && Gone.count(S))
    return remove(S, To, InCompound, /*WithComments=*/false);
  // What both halves have is explained once, in the fetch.
  if (H == Half::Store && InCompound && keeps(S, Half::Fetch))
    if (auto R = statementRange(S, Context))
      if (TextRange Above = commentsAbove(R->Begin); Above.Begin < Above.End)
        To.replace(Above, "");
  if (startsCopies(H) &&
      any_of(M.Copies, [&](const TileCopy &C) { return C.ClearedBy == S && P.isAsync(C); }))
    return remove(S, To, InCompound); // it becomes an else
  if (isa<CompoundStmt>(S)) {
    for (const Stmt *Child : S->children())
      sliceStmt(Child, H, To, true);
    return;
  }
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return sliceStmt(Attributed->getSubStmt(), H, To, InCompound);
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    if (const auto It = InPlace.find(If); It != InPlace.end() && startsCopies(H)) {
      sliceStmt(If->getThen(), H, To, false);
      return sliceInPlace(If, It->second, To);
    }
    if (H != Half::Async)
      for (const GlobalLoad &G : Cut.Loads)
        if (G.FillIf == If) {
          if (H == Half::Fetch) {
            for (const Stmt *Arm : {If->getThen(), If->getElse()})
              if (const Expr *Store = singleStatement(Arm)) {
                if (auto R = textRange(leftHandSide(Store)->getSourceRange(), Context))
                  To.replace(*R, registerReference(G));
                else
                  refuse(Reason::MacroText, Store->getExprLoc(), {"this store"});
              }
          } else {
            auto R = replacedRange(If, Context);
            const Expr *Store = singleStatement(If->getThen());
            if (!R || !Store) {
              refuse(Reason::MacroText, If->getBeginLoc(), {"this statement"});
              return;
            }
            To.replace(*R,
                       expressionText(leftHandSide(Store)) + " = " + registerReference(G) + ";");
          }
          return;
        }
    if (startsCopies(H))
      for (const TileCopy &C : M.Copies)
        if (C.ClearedBy && P.isAsync(C) && C.Store == singleStatement(If->getThen()))
          if (auto R = replacedRange(If, Context)) {
            const std::string At = indentAt(R->Begin), Clear = statementText(C.ClearedBy);
            if (!isa<CompoundStmt>(If->getThen()))
              return To.replace(
                  *R, copyText(makeCopy(C, AsyncCopy::Guard{expressionText(If->getCond()), Clear}),
                               C, At));
            To.replace({R->End, R->End}, " else {\n" + At + Unit + Clear + "\n" + At + "}");
          }
    if (keeps(If->getThen(), H)) {
      sliceStmt(If->getThen(), H, To, false);
    } else if (auto R = statementRange(If->getThen(), Context)) {
      To.replace(*R, "{\n" + Indent + Unit + "}");
    }
    if (If->getElse()) {
      if (keeps(If->getElse(), H)) {
        sliceStmt(If->getElse(), H, To, false);
      } else if (auto R = statementRange(If->getElse(), Context)) {
        if (!InCompound) {
          // An else further out must not bind to this if.
          To.replace(*R, "{\n" + Indent + Unit + "}");
          return;
        }
        unsigned ElseBegin = Context.getSourceManager().getFileOffset(If->getElseLoc());
        while (ElseBegin > 0 && isspace(static_cast<unsigned char>(File[ElseBegin - 1])))
          --ElseBegin;
        To.replace({ElseBegin, R->End}, "");
      }
    }
    return;
  }
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    // Of nested ones the outer one ends behind the inner one, which stands one deeper by then.
    std::string End = H != Half::Async ? sliceFor(For, H, To) : "";
    {
      SaveAndRestore Deeper(Nested,
                            End.empty() || !isa<ForStmt>(For->getBody()) ? "" : Nested + Unit);
      sliceStmt(For->getBody(), H, To, false);
    }
    for (size_t At = End.find('\n'); At != std::string::npos; At = End.find('\n', At + 1))
      End.insert(At + 1, Nested);
    if (const auto Body = statementRange(For->getBody(), Context); Body && !End.empty())
      To.replace({Body->End, Body->End}, End);
    return;
  }
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return sliceStmt(While->getBody(), H, To, false);
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return sliceStmt(Do->getBody(), H, To, false);
  sliceLeaf(S, H, To, InCompound);
}

/// In every instantiation of a template.
bool Emitter::startsAtZero(const CopyLoop &C) const {
  const Expr *Begin = C.Begin;
  while (const auto *Cast = dyn_cast<ImplicitCastExpr>(Begin->IgnoreParens()))
    Begin = Cast->getSubExpr();
  return C.turns().BeginValue && *C.turns().BeginValue == 0 &&
         (!M.Loop->IsTemplate || isa<IntegerLiteral>(Begin->IgnoreParens()));
}

/// warpSize is in it, or in what a variable in it begins with.
static bool isMadeOfWarpSize(const Stmt *S, unsigned Depth = 0) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  if (!S || Depth > 64)
    return false;
  if (const std::optional<BuiltinIndex> B = E ? asBuiltinIndex(E) : std::nullopt)
    return B->Var == BuiltinVar::WarpSize;
  const auto *Ref = dyn_cast<DeclRefExpr>(S);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return (Var && isMadeOfWarpSize(Var->getInit(), Depth + 1)) ||
         any_of(S->children(),
                [&](const Stmt *Child) { return isMadeOfWarpSize(Child, Depth + 1); });
}

/// A value that every instantiation knows, spelled with constants of the template: local variables
/// that are set once are replaced by what they are set to.
std::optional<std::string> Emitter::constantText(const Expr *E, unsigned Depth) {
  // Clang's headers have a number for warpSize, nvcc has a variable.
  if (Depth > 16 || isMadeOfWarpSize(E))
    return std::nullopt;
  // Not by names that the loop's body declares: the registers stand in front of the loop.
  bool Inside = any_of(M.Facts->DeclaredInBody, [&](const VarDecl *V) { return mentions(E, V); }) ||
                any_of(M.Views, [&](const TileView &V) { return mentions(E, V.Var); });
  if (auto R = textRange(E->getSourceRange(), Context)) {
    // Nor by those that mean something else by then: it may stand in front of the loop, as a
    // variable's value.
    const unsigned From = std::min(R->End, LoopText.Begin);
    Inside |= declaredAnew(namesIn(*R), From, LoopText.End) != nullptr;
    Inside |= any_of(Source.Directives, [&](const SourceText::Directive &D) {
      return D.Begin >= From && D.Begin < LoopText.Begin && D.Name != "pragma";
    });
  }
  const Expr *Inner = E->IgnoreParenImpCasts();
  // The text says what stands there, not what a variable's type makes of it.
  if (!Inner->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  if (const std::optional<int64_t> Value = constantValue(E, Context);
      Value && constantValue(Inner, Context) != Value)
    return std::nullopt;
  else if (Value && !Inside)
    return withFirstStages(E);
  else if (!Value && Context.getTypeSize(E->getType()) < Context.getTypeSize(Inner->getType()))
    return std::nullopt;
  if (const VarDecl *Var = referencedVar(Inner))
    return Var->hasInit() && M.Facts->Values->isSetOnce(Var) && Var->getType()->isIntegerType()
               ? constantText(initialValue(Var), Depth + 1)
               : std::nullopt;
  const auto *Op = dyn_cast<BinaryOperator>(Inner);
  if (!Op || (!Op->isAdditiveOp() && !Op->isMultiplicativeOp()))
    return std::nullopt;
  std::optional<std::string> L = constantText(Op->getLHS(), Depth + 1),
                             R = constantText(Op->getRHS(), Depth + 1);
  if (!L || !R)
    return std::nullopt;
  return "(" + *L + " " + Op->getOpcodeStr().str() + " " + *R + ")";
}

/// A name that stands for a number: a macro, a constant, an enumerator.
static bool namesNumber(const Stmt *S) {
  return S && (S->getBeginLoc().isMacroID() || isa<DeclRefExpr>(S) ||
               isa<UnaryExprOrTypeTraitExpr>(S) || any_of(S->children(), namesNumber));
}

/// Where the loop's range has names, the number of turns has them too: who changes `#define BK`
/// changes both. Empty: it has none, or they do not say the number.
std::string Emitter::namedTripCount(const CopyLoop &C) {
  const CopyLoop::Turns &T = C.turns();
  const std::optional<int64_t> Step = !C.Step ? 1 : T.StepValue ? T.StepValue : T.StepLeast;
  if (!T.EndValue || !Step || *Step < 1 || (T.ConstantTrips && !T.BeginValue))
    return "";
  const int64_t First = T.ConstantTrips ? *T.BeginValue : 0;
  const int64_t Span = *T.EndValue + (C.Inclusive ? 1 : 0) - First;
  if ((Span + *Step - 1) / *Step != int64_t(*T.MaxTrips))
    return "";
  std::string Text;
  bool Names = false;
  auto Add = [&](StringRef Sign, const Expr *E) {
    std::optional<std::string> Part = constantText(E);
    if (!Part)
      return false;
    Names |= namesNumber(E);
    // In a sum, products need no parentheses.
    const auto *Op = dyn_cast<BinaryOperator>(E->IgnoreImpCasts());
    StringRef Bare = *Part;
    if (Op && Op->isMultiplicativeOp() && !Op->getBeginLoc().isMacroID() &&
        !Op->getEndLoc().isMacroID() && Bare.consume_front("(") && Bare.consume_back(")"))
      Part = Bare.str();
    Text += (Sign + *Part).str();
    return true;
  };
  if (!Add("", C.End) || (C.Margin && !Add(" - ", C.Margin)) ||
      (First != 0 && !Add(" - ", C.Begin)))
    return "";
  if (C.Inclusive)
    Text += " + 1";
  if (*Step != 1) {
    const std::optional<std::string> By =
        T.StepValue ? constantText(C.Step) : std::to_string(*Step);
    if (!By)
      return "";
    Names |= T.StepValue && namesNumber(C.Step);
    Text = "(" + Text + " + " + *By + " - 1) / " + *By;
  }
  return Names ? Text : "";
}

/// The numbers that \p S is made of, where they have names: other builds have to have the same.
/// \p Around: the words of what it is a part of, which is no number.
void Emitter::pinNumbers(const Stmt *S, std::optional<TextRange> Around, unsigned Depth) {
  constexpr unsigned MaxDepth = 32;
  if (!S)
    return;
  const auto *E = dyn_cast<Expr>(S);
  const auto Refuse = [&] {
    E && E->getBeginLoc().isMacroID()
        ? refuse(Reason::MacroText, E->getBeginLoc(), {"this number"})
        : refuse(Reason::NotYet, S->getBeginLoc(),
                 {"a number of turns made of '" + (E ? textOf(E, Context) : "") +
                  "', which cannot be said in front of the loop,"});
  };
  if (Depth > MaxDepth)
    return Refuse();
  if (const auto Index = E ? asBuiltinIndex(E->IgnoreParenImpCasts()) : std::nullopt;
      Index && Index->Var == BuiltinVar::WarpSize) // as all builds have it
    return;
  const std::optional<int64_t> Value =
      E && E->getType()->isIntegerType() ? M.Facts->Values->fold(E) : std::nullopt;
  const auto Words = textRange(S->getSourceRange(), Context);
  if (!Value) {
    for (const Stmt *Child : S->children())
      pinNumbers(Child, Words, Depth + 1);
    // What a variable has been given once.
    if (const VarDecl *Var = E ? referencedVar(E) : nullptr;
        Var && M.Facts->Values->isSetOnce(Var) &&
        (Var->getType()->isIntegerType() || Var->getType()->isPointerType())) {
      const Expr *Said = saidOnce(E);
      Said ? pinNumbers(Said, std::nullopt, Depth + 1) : Refuse();
    }
    return;
  }
  // The arguments of a template are pinned where they matter.
  if (!namesNumber(E) || (M.Loop->IsTemplate && Pattern.isDependent(E->getSourceRange())))
    return;
  // Of a macro of all of that these are the words.
  const bool OfAll = Words && Around && Words->contains(*Around);
  const Expr *Inner = E->IgnoreParenImpCasts(); // the brackets may be a macro's
  // Of all numbers of the loop the names alone.
  if (PinsLoop && isa<BinaryOperator, UnaryOperator, ConditionalOperator>(Inner)) {
    for (const Stmt *Child : Inner->children())
      pinNumbers(Child, Words, Depth + 1);
    return;
  }
  const size_t Refused = Out.Refusals.size();
  const std::optional<std::string> Text = OfAll ? std::nullopt : constantText(Inner);
  if (!Text || Text->empty() || Out.Refusals.size() != Refused) {
    Out.Refusals.resize(Refused);
    // Its parts, or the macro that stands for it inside of another one.
    if (std::string Name = macroOf(Inner); !Name.empty())
      return pinNumber(Name, *Value);
    if (const Expr *Said = saidOnce(Inner))
      return pinNumbers(Said, std::nullopt, Depth + 1);
    if (isa<IntegerLiteral>(Inner) && isFixed(Inner->getBeginLoc()))
      return;
    if (!isa<BinaryOperator, UnaryOperator, ConditionalOperator>(Inner))
      return Refuse();
    for (const Stmt *Child : Inner->children())
      pinNumbers(Child, Words, Depth + 1);
    return;
  }
  if (isa<IntegerLiteral>(Inner) && isDigit(Text->front())) // what a macro was given
    return;
  pinNumber(*Text, *Value);
}

/// All numbers of the loop.
void Emitter::pinLoop() {
  SaveAndRestore All(PinsLoop, true);
  for (const auto &Segment : M.Segments)
    for (const Stmt *S : Segment)
      pinNumbers(S);
  pinNumbers(M.Loop->condition());
}

/// What the variable or enumerator \p E was given where every build with the loop declares it;
/// null: it is none, or that is not known.
const Expr *Emitter::saidOnce(const Expr *E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation At = Ref ? Ref->getDecl()->getLocation() : SourceLocation();
  if (At.isInvalid() || At.isMacroID() || !isInMainFile(SM, At) || isInBranch(SM.getFileOffset(At)))
    return nullptr;
  if (const auto *Constant = dyn_cast<EnumConstantDecl>(Ref->getDecl()))
    return Constant->getInitExpr();
  const VarDecl *Var = referencedVar(E);
  return Var ? Var->getInit() : nullptr;
}

void Emitter::pinNumber(const std::string &Text, int64_t Value) {
  assertOnce("static_assert(" + Text + " == " + std::to_string(Value) + ", \"" +
             (PinsLoop ? "the size of a stage was" : "the turns of a copy loop were") +
             " counted by this\");\n" + Indent);
}

/// What stands at \p Loc, in whatever macros, stands there in other builds as well: none of these
/// is defined in a branch that the loop is not in.
bool Emitter::isFixed(SourceLocation Loc) const {
  const SourceManager &SM = Context.getSourceManager();
  if (!Loc.isMacroID())
    return true;
  const SourceLocation Spelled = SM.getSpellingLoc(Loc);
  if (!SM.isInSystemHeader(Spelled) &&
      (!isInMainFile(SM, Spelled) || isInBranch(SM.getFileOffset(Spelled))))
    return false;
  // What a macro is given is said elsewhere, and goes where the macro has its parameter.
  return isFixed(SM.getImmediateExpansionRange(Loc).getBegin()) &&
         (!SM.isMacroArgExpansion(Loc) || isFixed(SM.getImmediateSpellingLoc(Loc)));
}

/// In a branch of the preprocessor that the loop is not in: a build may have the loop without it.
bool Emitter::isInBranch(unsigned At) const {
  const auto Branches = [this](unsigned At) {
    SmallVector<unsigned, 4> Open; // the beginnings of those around
    for (const SourceText::Directive &D : Source.Directives) {
      const StringRef Name = D.Name;
      if (D.Begin >= At)
        break;
      if (Name.starts_with("if"))
        Open.push_back(D.Begin);
      else if (!Open.empty() && Name.starts_with("el"))
        Open.back() = D.Begin;
      else if (!Open.empty() && Name == "endif")
        Open.pop_back();
    }
    return Open;
  };
  const SmallVector<unsigned, 4> There = Branches(At), Here = Branches(LoopText.Begin);
  return There.size() > Here.size() || !std::equal(There.begin(), There.end(), Here.begin());
}

/// The macro that is the number \p E and nothing else, inside of others that every build has;
/// empty: there is none, or it means something else at the loop.
std::string Emitter::macroOf(const Expr *E) const {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Begin = E->getBeginLoc();
  for (; Begin.isMacroID() && SM.isMacroArgExpansion(Begin);
       Begin = SM.getImmediateSpellingLoc(Begin))
    if (!isFixed(SM.getImmediateExpansionRange(Begin).getBegin()))
      return "";
  if (!isa<IntegerLiteral>(E) || !Begin.isMacroID() ||
      !isInMainFile(SM, SM.getSpellingLoc(Begin)) ||
      !isFixed(SM.getImmediateExpansionRange(Begin).getBegin()) || !isSameMacro(Begin))
    return "";
  const StringRef Name = Lexer::getImmediateMacroName(Begin, SM, Context.getLangOpts());
  const unsigned At = SM.getFileOffset(SM.getSpellingLoc(Begin));
  const auto Defined = find_if(Source.Directives, [At](const SourceText::Directive &D) {
    return D.Name == "define" && D.Begin <= At && At < D.End;
  });
  if (Defined == Source.Directives.end() || !isValidAsciiIdentifier(Name))
    return "";
  // `#define BK 16`, maybe with brackets around it.
  StringRef Body = File.slice(Defined->Begin, Defined->End);
  Body = Body.drop_front(Body.find(Name) + Name.size());
  Body = Body.split("//").first.split("/*").first.trim("() \t\r\n");
  return !Body.empty() && all_of(Body, [](char C) { return isAlphanumeric(C); }) ? Name.str() : "";
}

/// The turns of \p C are written as a number, which was counted in this build.
std::string Emitter::countedTurns(const CopyLoop &C) {
  for (const Expr *E : {C.Begin, C.End, C.Step, C.Margin, C.turns().BoundAt})
    pinNumbers(E);
  if (C.turns().BoundBy)
    pinSize(*C.turns().BoundBy);
  if (const auto *Bounds = M.Loop->Function->getAttr<CUDALaunchBoundsAttr>();
      Bounds && !C.turns().ConstantTrips)
    pinNumbers(Bounds->getMaxThreads());
  return std::to_string(std::max<uint64_t>(1, *C.turns().MaxTrips));
}

/// The same of what is as large as \p Array.
void Emitter::pinSize(const VarDecl &Array) {
  const auto R = textRange(Array.getSourceRange(), Context);
  bool Named = !R;
  if (R)
    forEachRawToken(File.slice(R->Begin, R->End).str(), [&](const Token &T, unsigned) {
      Named |= T.is(tok::raw_identifier) && T.getRawIdentifier() != Array.getName() &&
               T.getRawIdentifier() != "__shared__" &&
               Context.Idents.get(T.getRawIdentifier()).getTokenID() == tok::identifier;
    });
  if (!Named)
    return;
  const auto Tile = find_if(M.Buffers, [&](const auto &B) { return B->Decl == &Array; });
  if (Tile != M.Buffers.end() && (*Tile)->DeclaredInLoop)
    return refuse(Reason::NotYet, Array.getLocation(),
                  {"a copy loop that ends with an array of the loop's body"});
  const auto Staged = StageArray.find(&Array);
  const std::string Name = Staged != StageArray.end() && !P.isBeside() && !P.Dynamic
                               ? Staged->second + "[0]"
                               : Array.getNameAsString();
  const std::string Assert =
      "static_assert(sizeof(" + Name +
      ") == " + std::to_string(Context.getTypeSizeInChars(Array.getType()).getQuantity()) +
      ", \"the turns of a copy loop were counted by this\");\n" + Indent;
  assertOnce(Assert);
}

/// Number of turns as source text: a constant expression.
std::string Emitter::tripCountText(const CopyLoop &C) {
  if (C.Ahead)
    return std::to_string(C.Ahead);
  if (!M.Loop->IsTemplate) {
    // There are no empty arrays.
    const size_t Refused = Out.Refusals.size();
    std::string Named = *C.turns().MaxTrips ? namedTripCount(C) : "";
    if (Out.Refusals.size() != Refused) { // it cannot be written: the number can
      Out.Refusals.resize(Refused);
      Named.clear();
    }
    return Named.empty() ? countedTurns(C) : Named;
  }
  if (*C.turns().MaxTrips == 0)
    refuse(Reason::NotYet, C.Loop->getBeginLoc(),
           {"a copy loop that has no turn in an instantiation of the template"});
  const size_t Refused = Out.Refusals.size();
  if (C.OfAny.MaxTrips || C.turns().StepLeast || stepOfBlock(C))
    if (std::optional<std::string> Text = openTripCount(C))
      return *Text;
  // The number is that of the instantiations at hand; no other one is let in.
  Out.Refusals.resize(Refused);
  TypesMatter = true;
  return countedTurns(C);
}

/// The step of \p C in the blocks that are known, or asked for, where it is made of their size:
/// `i += blockDim.x`. None: it is a constant, or not known.
std::optional<int64_t> Emitter::stepOfBlock(const CopyLoop &C) {
  if (!C.Step || !C.OfBlock || C.turns().StepLeast || constantText(C.Step))
    return std::nullopt;
  return C.turns().StepValue;
}

/// In a template: from what the loop says, for every instantiation. None: that is not made of
/// constant expressions.
std::optional<std::string> Emitter::openTripCount(const CopyLoop &C) {
  bool Constant = true;
  auto Text = [&](const Expr *E) -> std::string {
    const std::optional<std::string> T = constantText(E);
    Constant &= T.has_value();
    return T.value_or("1");
  };
  std::string Count;
  if (C.Margin && C.Step && C.Inclusive && startsAtZero(C) && Text(C.Margin) == Text(C.Step)) {
    // `i + S <= N; i += S`: N / S turns from zero.
    Count = Text(C.End) + " / " + Text(C.Step);
  } else {
    Count = Text(C.End);
    if (C.Inclusive)
      Count += " + 1";
    if (C.Margin)
      Count += " - " + Text(C.Margin);
    if (C.turns().ConstantTrips && !startsAtZero(C))
      Count += " - " + Text(C.Begin);
    if (C.Step) {
      const std::optional<int64_t> OfBlock = stepOfBlock(C);
      if (OfBlock)
        pinNumbers(C.Step);
      const std::string Step = C.turns().StepLeast ? std::to_string(*C.turns().StepLeast)
                               : OfBlock           ? std::to_string(*OfBlock)
                                                   : Text(C.Step);
      Count = "(" + Count + " + " + Step + " - 1) / " + Step;
    }
  }
  return Constant ? std::optional(Count) : std::nullopt;
}

/// `(a + b)`, and not `(a) + (b)`.
static bool isEnclosed(StringRef Text) {
  unsigned Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    Depth += Text[I] == '(' ? 1 : Text[I] == ')' ? -1 : 0;
    if (Depth == 0)
      return I + 1 == Text.size() && I > 0;
  }
  return false;
}

/// All threads take all turns of \p C: the largest start is small enough. Where the number of turns
/// is said in names, who changes these is told when that is so no longer.
bool Emitter::takesAllTurns(const CopyLoop &C) {
  const CopyLoop::Turns &T = C.turns();
  if (!T.EndValue || !T.StepValue || C.EndsOtherwise)
    return false;
  const int64_t Last = *T.EndValue + (C.Inclusive ? 1 : 0);
  if (M.Loop->IsTemplate || !T.LastBegin ||
      *T.LastBegin + int64_t(*T.MaxTrips - 1) * *T.StepValue >= Last)
    return false;
  if (!namesNumber(C.End) && !(C.Step && namesNumber(C.Step)))
    return true;
  if (C.Inclusive || C.Margin || Last % *T.StepValue != 0 || *T.LastBegin >= *T.StepValue)
    return false;
  const size_t Refused = Out.Refusals.size();
  auto Operand = [&](const Expr *E) {
    const std::optional<std::string> Text = constantText(E);
    return !Text                        ? ""
           : *Text == expressionText(E) ? operandText(E)
           : isEnclosed(*Text)          ? *Text
                                        : "(" + *Text + ")";
  };
  const std::string End = Operand(C.End), Step = C.Step ? Operand(C.Step) : "1";
  if (Out.Refusals.size() != Refused || End.empty() || Step.empty()) {
    Out.Refusals.resize(Refused);
    return false;
  }
  const std::string Assert = "static_assert(" + End + " % " + Step +
                             " == 0, \"every thread copies as many elements\");\n" + Indent;
  assertOnce(Assert);
  return true;
}

/// `for (int i = tid; i < n; i += T)`, which turns as often as it happens: the first turns by
/// registers, in the loop's own order and with its own questions, and the others as they stood.
std::string Emitter::sliceAhead(const CopyLoop &C, Half H, unsigned HeadBegin, Patches &To) {
  const ForStmt *For = C.Loop;
  const auto Whole = statementRange(For, Context), Body = statementRange(For->getBody(), Context),
             Init = statementRange(For->getInit(), Context);
  std::string Lead;
  // The user's own hint is for a loop of so many turns as this one has.
  if (isUnrolled(For)) {
    const StringRef Before = File.take_front(HeadBegin).rtrim();
    const unsigned Hint = lineStart(File, unsigned(Before.size()));
    const StringRef Line = File.slice(Hint, Before.size()).ltrim();
    if (Whole && Line.starts_with("#") && Line.contains("unroll")) {
      HeadBegin = Hint;
      Lead = indentAt(Whole->Begin);
    } else
      refuse(Reason::NotYet, For->getBeginLoc(), {"a copy loop with a hint of this form"});
  }
  if (!Whole || !Body || !Init) {
    refuse(Reason::MacroText, For->getBeginLoc(), {"this loop"});
    return "";
  }
  std::string &Turn = TurnName[For];
  if (Turn.empty())
    Turn = fresh("turn");
  const std::string Outer = indentAt(Whole->Begin), Inner = Outer + Unit;
  const std::string Condition = expressionText(For->getCond()),
                    Step = expressionText(For->getInc());
  const bool Braced = isa<CompoundStmt>(For->getBody());
  const std::string Head =
      Lead + "{\n" + Inner + StringRef(File.slice(Init->Begin, Init->End)).rtrim("; \t\r\n").str() +
      ";\n" + Inner + "#pragma unroll\n" + Inner + "for (int " + Turn + " = 0; " + Turn + " < " +
      tripCountText(C) + "; ++" + Turn + ", " + Step + ") {\n" + Inner + Unit + "if (!(" +
      Condition + "))\n" + Inner + Unit + Unit + "break;" + (Braced ? "" : "\n" + Inner + Unit);
  const StringRef Text = File.slice(Body->Begin, Body->End);
  const bool Moves = !mayHaveStringOfLines(Text);
  std::string Rest;
  if (H == Half::Store) {
    Patches Deeper;
    if (Moves)
      Deeper.indent(*Body, Unit);
    Rest = "\n" + Inner + "// The rest is loaded where it is stored.\n" + Inner + "for (; " +
           Condition + "; " + Step + ")" + (Braced ? " " : "\n" + Inner + Unit) +
           Deeper.apply(File, *Body);
  }
  To.replace({HeadBegin, Body->Begin + (Braced ? 1 : 0)}, Head);
  if (Moves)
    To.indent({Body->Begin + (Braced ? 1 : 0), Body->End}, Unit);
  return (Braced ? "" : "\n" + Inner + "}") + Rest + "\n" + Outer + "}";
}

/// It has a hint of the user's how far it is to be unrolled.
bool Emitter::isUnrolled(const ForStmt *For) const {
  return any_of(M.Segments[0], [&](const Stmt *S) { return hasUnrollHint(S, For); });
}

std::string Emitter::sliceFor(const ForStmt *For, Half H, Patches &To) {
  const CopyLoop *C = nullptr;
  bool HasLoad = false;
  for (const GlobalLoad &G : Cut.Loads)
    for (const CopyLoop *Loop : G.Loops)
      if (Loop->Loop == For) {
        C = Loop;
        HasLoad = true;
      }
  if (!HasLoad)
    return "";
  const auto Node = statementNodeRange(For, Context), Whole = statementRange(For, Context);
  const auto Body = statementRange(For->getBody(), Context);
  if (!Node || !Body) {
    refuse(Reason::MacroText, For->getBeginLoc(), {"this loop"});
    return "";
  }
  // Registers are only registers when every index is a constant after unrolling.
  unsigned HeadBegin = Node->Begin;
  const unsigned LineBegin = lineStart(File, Whole->Begin);
  StringRef Lead = File.slice(LineBegin, Whole->Begin);
  if (!C->Ahead && !isUnrolled(For)) {
    if (Lead.trim().empty())
      To.replace({LineBegin, LineBegin}, (Lead + "#pragma unroll\n").str());
    else
      To.replace({Whole->Begin, Whole->Begin}, "\n#pragma unroll\n" + Indent + Unit);
    // `UNROLL for`, empty in this build: two hints for one loop are an error in another.
    if (File.slice(Whole->Begin, HeadBegin).contains_insensitive("unroll"))
      HeadBegin = Whole->Begin;
  }
  if (C->Ahead)
    return sliceAhead(*C, H, HeadBegin, To);
  if (C->turns().ConstantTrips) {
    To.replace({HeadBegin, Node->Begin}, "");
    return "";
  }
  // `for (int i = tid; i < N; i += T)`: a constant number of turns, each with its condition.
  std::string &Turn = TurnName[For];
  if (Turn.empty())
    Turn = fresh("turn");
  std::string Type = typeText(C->Counter);
  std::string Begin = operandText(C->Begin);
  std::string Step = C->Step ? operandText(C->Step) : "1";
  std::string Name = C->Counter->getNameAsString();
  std::string Outer = Lead.trim().empty() ? Lead.str() : Indent + Unit;
  std::string Inner = Outer + Unit;
  const bool Always = takesAllTurns(*C);
  std::string Head = "for (int " + Turn + " = 0; " + Turn + " < " + tripCountText(*C) + "; ++" +
                     Turn + ") {\n" + Inner + "const " + Type + " " + Name + " = " +
                     (Begin == "0" ? "" : Begin + " + ") + Turn +
                     (Step == "1" ? "" : " * " + Step) + ";\n" + Inner;
  bool Braced = isa<CompoundStmt>(For->getBody());
  // Behind the first turn in which it does not hold, another condition than that of the counter may
  // hold again.
  if (C->EndsOtherwise)
    Head += "if (!(" + expressionText(For->getCond()) + "))\n" + Inner + Unit + "break;\n" + Inner;
  else if (!Always)
    Head += "if (" + expressionText(For->getCond()) + ")" + (Braced ? " " : "\n" + Inner + Unit);
  if ((Always || C->EndsOtherwise) && Braced) {
    // The body's own braces serve.
    std::string Open = Head;
    while (!Open.empty() && Open.back() == ' ')
      Open.pop_back();
    if (!Open.empty() && Open.back() == '\n')
      Open.pop_back();
    To.replace({HeadBegin, Body->Begin + 1}, Open);
    return "";
  }
  To.replace({HeadBegin, Body->Begin}, Head);
  // The body stands one deeper than it did; a string that goes on in the next line must stay as it
  // is.
  const StringRef Text = File.slice(Body->Begin, Body->End);
  if (Braced && !mayHaveStringOfLines(Text))
    To.indent({Body->Begin + 1, Body->End}, Unit);
  return "\n" + Outer + "}";
}

/// The load whose register takes the place of the variable that \p S declares or assigns; null: it
/// is another variable.
const GlobalLoad *Emitter::stagedBy(const Stmt *S) const {
  const VarDecl *Var = nullptr;
  if (const auto *Decl = dyn_cast<DeclStmt>(S))
    Var = Decl->isSingleDecl() ? dyn_cast<VarDecl>(Decl->getSingleDecl()) : nullptr;
  else if (const auto *E = dyn_cast<Expr>(S))
    if (const Expr *To = leftHandSide(E))
      Var = referencedVar(To);
  if (!Var)
    return nullptr;
  const auto It = find_if(Cut.Loads, [&](const GlobalLoad &G) { return G.Staged == Var; });
  return It == Cut.Loads.end() ? nullptr : &*It;
}

/// The value that \p Var begins with as the right side of an assignment to another variable of its
/// type.
std::string Emitter::initialValueText(const VarDecl *Var) {
  const std::optional<InitialWords> Words = initialWords(Var, Context);
  if (!Words) {
    refuse(Reason::MacroText, Var->getLocation(),
           {"the value of '" + Var->getNameAsString() + "'"});
    return "{}";
  }
  const StringRef Text = File.slice(Words->Text.Begin, Words->Text.End);
  // What one instantiation could say by a list alone, another could not.
  const bool Dependent = Pattern.isDependent(Var->getLocation());
  const CXXRecordDecl *Class = Var->getType()->getAsCXXRecordDecl();
  switch (Words->Form) {
  case InitialWords::Expression:
    return Text.str();
  case InitialWords::Braces:
    // A class chooses among its assignments what a list becomes, unless it has none but the plain
    // one.
    if (!Dependent && (!Class || Class->isAggregate()))
      return Text.str();
    break;
  case InitialWords::Parens:
    if (!Dependent && !Class)
      return expressionText(Var->getInit());
    break;
  case InitialWords::Nothing:
    return typeText(Var) + "()";
  }
  return typeText(Var) + Text.str();
}

/// `float v = 0;` of a variable that a register takes the place of.
void Emitter::sliceStaged(const Stmt *S, const GlobalLoad &G, Half H, Patches &To) {
  const auto R = replacedRange(S, Context);
  const auto *Decl = dyn_cast<DeclStmt>(S);
  if (!R)
    return refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
  if (H == Half::Store) {
    const unsigned Name = Context.getSourceManager().getFileOffset(G.Staged->getLocation());
    return To.replace(*R, File.slice(R->Begin, Name + G.Staged->getName().size()).str() + " = " +
                              registerReference(G) + ";");
  }
  const std::string Value =
      Decl ? initialValueText(G.Staged) : expressionText(rightHandSide(cast<Expr>(S)));
  To.replace(*R, registerReference(G) + " = " + Value + ";");
}

/// A part of an asynchronous copy. False: \p S is none.
bool Emitter::sliceCopy(const Stmt *S, Patches &To) {
  for (const TileCopy &C : M.Copies)
    if ((C.LoadedBy ? C.LoadedBy : C.Store) == S && P.isAsync(C)) {
      if (C.IsFill)
        return true;
      auto R = replacedRange(S, Context);
      if (!R)
        refuse(Reason::MacroText, S->getBeginLoc(), {"this store"});
      else
        To.replace(*R, copyText(makeCopy(C), C));
      return true;
    }
  // A staging variable becomes a pointer to where its value would have come from.
  if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
    bool Any = false, All = true;
    std::string Text;
    for (const clang::Decl *D : Decl->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      auto It = Var ? SourceName.find(Var) : SourceName.end();
      if (It == SourceName.end()) {
        All = false;
        continue;
      }
      Any = true;
      const bool Init = Var->hasInit() && !leavesUnset(Var->getInit());
      Text += (Text.empty() ? "" : "\n" + Indent + Unit) + std::string("const ") + typeText(Var) +
              " *" + It->second + (Init ? " = " + sourceText(Var->getInit()) : std::string()) + ";";
    }
    if (!Any)
      return false;
    auto R = statementRange(S, Context);
    if (!All || !R)
      refuse(Reason::LoadForm, S->getBeginLoc(), {"a declaration of several kinds of variables"});
    else
      To.replace(*R, Text);
    return true;
  }
  const auto *E = dyn_cast<Expr>(S);
  const Expr *LHS = E ? leftHandSide(E) : nullptr;
  const VarDecl *Var = LHS ? referencedVar(LHS) : nullptr;
  auto It = Var ? SourceName.find(Var) : SourceName.end();
  if (It == SourceName.end())
    return false;
  if (auto R = replacedRange(S, Context))
    To.replace(*R, It->second + " = " + sourceText(rightHandSide(E)) + ";");
  else
    refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
  return true;
}

void Emitter::sliceLeaf(const Stmt *S, Half H, Patches &To, bool InCompound) {
  // Behind a macro that may be an `if` in another build there is one statement, too.
  if (const auto R = replacedRange(S, Context), Whole = statementRange(S, Context);
      R && R->Begin != Whole->Begin)
    InCompound = false;
  if (startsCopies(H) && sliceCopy(S, To))
    return;
  if (H == Half::Async)
    return;
  std::vector<const GlobalLoad *> Cuts;
  for (const GlobalLoad &G : Cut.Loads)
    if (G.Leaf == S)
      Cuts.push_back(&G);
  if (H == Half::Store)
    if (const std::string Kept = declarationOfKept(S, /*InStore=*/true); !Kept.empty())
      if (const auto R = statementRange(S, Context))
        return To.replace(*R, Kept);
  if (Cuts.empty()) {
    if (const GlobalLoad *G = stagedBy(S))
      sliceStaged(S, *G, H, To);
    return; // else as it is
  }
  if (Cuts.front()->IsSet)
    return sliceSet(Cuts, H, To, InCompound);
  if (Cuts.front()->Asm)
    return sliceAsm(Cuts, H, To, InCompound);
  const bool InBoth = Cut.FetchStatements.count(S) != 0;
  if (!InBoth && Cuts.size() == 1 && macroLeaf(S, *Cuts.front(), H, To))
    return;
  if (H == Half::Fetch && InBoth) {
    auto R = replacedRange(S, Context);
    Patches Inner;
    std::string Text;
    for (const GlobalLoad *G : Cuts) {
      const auto Load = narrowestRange(G->Cut, Context);
      if (!R || !Load || (!InCompound && isa<DeclStmt>(S)))
        return refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
      Text += registerReference(*G) + " = " + plainText(G->Cut) + ";" +
              (InCompound ? "\n" + indentAt(R->Begin) : " ");
      Inner.replace(*Load, registerReference(*G));
    }
    Text += Inner.apply(File, *R);
    To.replace(*R, InCompound ? Text : "{ " + Text + " }");
    return;
  }
  if (H == Half::Fetch) {
    auto R = replacedRange(S, Context);
    if (!R) {
      refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
      return;
    }
    std::string Text;
    for (const GlobalLoad *G : Cuts)
      Text += (Text.empty() ? "" : " ") + registerReference(*G) + " = " + plainText(G->Cut) + ";";
    To.replace(*R, Cuts.size() > 1 && !InCompound ? "{ " + Text + " }" : Text);
    return;
  }
  for (const GlobalLoad *G : Cuts) {
    auto R = narrowestRange(G->Cut, Context);
    if (!R) {
      refuse(Reason::MacroText, G->Cut->getExprLoc(), {"this load"});
      return;
    }
    // `tile[i] =\n        (load);` with a register in it is short.
    const std::string Register = registerReference(*G);
    unsigned Begin = R->Begin, End = R->End;
    const StringRef Before = File.take_front(Begin).rtrim(), Behind = File.drop_front(End).ltrim();
    if (Before.ends_with("(") && Before.drop_back().rtrim().ends_with("=") &&
        Behind.starts_with(")") && Behind.drop_front().ltrim().starts_with(";")) {
      Begin = Before.size() - 1;
      End = File.size() - Behind.size() + 1;
    }
    const StringRef Left = File.take_front(Begin).rtrim();
    const bool Split = Left.ends_with("=") && File.slice(Left.size(), Begin).contains('\n') &&
                       Left.size() - lineStart(File, Left.size()) + Register.size() < MaxColumns;
    To.replace({Split ? unsigned(Left.size()) : Begin, End}, (Split ? " " : "") + Register);
  }
}

/// A statement that loads into variables: the fetch has it, and keeps what they are behind it.
void Emitter::sliceSet(ArrayRef<const GlobalLoad *> Cuts, Half H, Patches &To, bool InCompound) {
  const Stmt *S = Cuts.front()->Leaf;
  const auto R = replacedRange(S, Context);
  if (!R)
    return refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
  const std::string Break = InCompound ? "\n" + indentAt(R->Begin) : " ";
  std::string Text;
  for (const GlobalLoad *G : Cuts) {
    const std::string Var = G->IsSet->getNameAsString(), Register = registerReference(*G);
    const auto *Array = Context.getAsConstantArrayType(G->IsSet->getType());
    const std::string I = Array ? fresh("element") : "", At = Array ? "[" + I + "]" : "";
    if (!Text.empty() || H == Half::Fetch)
      Text += Break;
    if (Array)
      Text += "for (int " + I + " = 0; " + I + " < " + toString(Array->getSize(), 10, false) +
              "; ++" + I + ")" + (InCompound ? Break + Unit : " ");
    Text += H == Half::Fetch ? Register + At + " = " + Var + At + ";"
                             : Var + At + " = " + Register + At + ";";
  }
  const bool Braces = !InCompound && (H == Half::Fetch || Cuts.size() > 1);
  if (H == Half::Store)
    return To.replace(*R, Braces ? "{ " + Text + " }" : Text);
  if (Braces)
    To.replace({R->Begin, R->Begin}, "{ ");
  const unsigned End = InCompound ? withTrailingComment({R->End, R->End}).End : R->End;
  To.replace({End, End}, Text + (Braces ? " }" : ""));
}

/// Assembly that loads: the fetch has it with registers as its outputs.
void Emitter::sliceAsm(ArrayRef<const GlobalLoad *> Cuts, Half H, Patches &To, bool InCompound) {
  const Stmt *Asm = Cuts.front()->Asm;
  auto Whole = replacedRange(Asm, Context);
  if (!Whole)
    return refuse(Reason::MacroText, Asm->getBeginLoc(), {"this statement"});
  std::string Stores;
  std::set<unsigned>
      Replaced; // an argument of a macro that names it several times stands there once
  for (const GlobalLoad *G : Cuts) {
    for (unsigned I = 0; H == Half::Fetch && I != G->Asm->getNumOutputs(); ++I) {
      const Expr *Out = G->Asm->getOutputExpr(I);
      if (const auto *Member = dyn_cast<MemberExpr>(Out->IgnoreParens());
          Member && Cuts.size() == 1 && Out != G->Cut)
        Out = Member->getBase();
      else if (Out != G->Cut)
        continue;
      auto Place = textRange(Out->getSourceRange(), Context);
      if (!Place || Place->Begin < Whole->Begin || Place->End > Whole->End)
        return refuse(Reason::MacroText, Out->getExprLoc(), {"what this statement sets"});
      if (Replaced.insert(Place->Begin).second)
        To.replace(*Place, registerReference(*G));
    }
    if (H == Half::Store)
      Stores += (Stores.empty() ? "" : " ") + expressionText(G->Cut) + " = " +
                registerReference(*G) + ";";
  }
  if (H == Half::Store)
    To.replace(*Whole, Cuts.size() > 1 && !InCompound ? "{ " + Stores + " }" : Stores);
}

/// `LOAD4(v, &A[i])`, a macro that is `v = *(float4 *)(&A[i]);`: the fetch uses it for the
/// register, and the store does without it.
bool Emitter::macroLeaf(const Stmt *S, const GlobalLoad &G, Half H, Patches &To) {
  const auto *E = dyn_cast<Expr>(S);
  const Expr *Left = E ? leftHandSide(E) : nullptr, *Value = E ? rightHandSide(E) : nullptr;
  if (!Left || !Value || narrowestRange(G.Cut, Context) || stripNoOps(Value) != stripNoOps(G.Cut))
    return false;
  const VarDecl *Var = referencedVar(Left);
  auto Whole = replacedRange(S, Context), Name = textRange(Left->getSourceRange(), Context);
  if (!Var || mentions(Value, Var) || !Whole || !Name || Name->Begin < Whole->Begin ||
      Name->End > Whole->End)
    return false;
  if (H == Half::Fetch)
    To.replace(*Name, registerReference(G));
  else
    To.replace(*Whole,
               File.slice(Name->Begin, Name->End).str() + " = " + registerReference(G) + ";");
  return true;
}

//===-- Registers -----------------------------------------------------------------===//

void Emitter::nameRegisters() {
  std::map<std::string, unsigned> Count, Seen;
  std::map<std::string, std::set<std::string>> From;
  for (const GlobalLoad &G : Cut.Loads)
    if (&Cut.registerOf(G) == &G) {
      ++Count[G.NameHint];
      if (G.Root)
        From[G.NameHint].insert(G.Root->getNameAsString());
    }
  for (const GlobalLoad &G : Cut.Loads) {
    if (&Cut.registerOf(G) != &G)
      continue;
    // Of one array that takes in several: each is called by what it comes from.
    const bool Several = Count[G.NameHint] > 1,
               ByRoot = Several && From[G.NameHint].size() == Count[G.NameHint];
    std::string Base = ByRoot ? G.Root->getNameAsString() : G.NameHint;
    Base += StringRef(Base).ends_with("reg") ? "_next" : "_reg";
    if (Several && !ByRoot)
      Base += std::to_string(Seen[G.NameHint]++);
    Registers[&G].Load = &G;
    Registers[&G].Used = Registers[&G].Declared = fresh(Base);
  }
  if (!MutatorOfTests)
    return;
  std::vector<StagingRegister> All;
  for (const GlobalLoad &G : Cut.Loads)
    if (&Cut.registerOf(G) == &G)
      All.push_back(Registers[&G]);
  MutatorOfTests->registers(All, Context);
  for (StagingRegister &R : All)
    Registers[R.Load] = R;
}

/// The counter of \p C, and what its turns are counted by, is said wherever a register is. Nothing
/// in its body may have the name.
void Emitter::indexMeansTheSame(const CopyLoop &C) {
  std::set<std::string> Names = {C.Counter->getNameAsString()};
  for (const Expr *E : {C.Begin, C.Step})
    if (const auto R = E ? textRange(E->getSourceRange(), Context) : std::nullopt)
      Names.merge(namesIn(*R));
  const auto Body = statementRange(bodyOf(C.Loop), Context);
  if (Body && declaredAnew(Names, Body->Begin, Body->End))
    refuse(Reason::NotYet, C.Loop->getBeginLoc(),
           {"a declaration that gives another meaning to a name in the load phase"});
}

std::string Emitter::registerReference(const GlobalLoad &G) {
  std::string Text = Registers[&Cut.registerOf(G)].Used;
  for (const CopyLoop *C : G.Loops) {
    if (C->Ahead || !C->turns().ConstantTrips) {
      std::string &Turn = TurnName[C->Loop];
      if (Turn.empty())
        Turn = fresh("turn");
      Text += "[" + Turn + "]";
      continue;
    }
    indexMeansTheSame(*C);
    std::string Index = C->Counter->getNameAsString();
    bool Divided =
        C->Step && !(C->turns().StepValue && *C->turns().StepValue == 1 && !M.Loop->IsTemplate);
    if (!startsAtZero(*C)) {
      Index += " - " + operandText(C->Begin);
      if (Divided)
        Index = "(" + Index + ")";
    }
    if (Divided)
      Index += " / " + operandText(C->Step);
    Text += "[" + Index + "]";
  }
  return Text;
}

/// In a template, `S[i] = element(i);` of a function whose result has no type that can be said
/// here: the number is kept as what the assignment makes of it. Null: it is another load.
const Expr *Emitter::takesResult(const GlobalLoad &G) const {
  const auto *Assign = dyn_cast_or_null<BinaryOperator>(G.Leaf);
  if (!M.Loop->IsTemplate || !Assign || Assign->getOpcode() != BO_Assign ||
      stripNoOps(Assign->getRHS()) != stripNoOps(G.Cut) || !isa<CallExpr>(stripNoOps(G.Cut)) ||
      !G.Cut->getType()->isArithmeticType() || Pattern.ownParameter(G.Cut->getType()) ||
      !Pattern.isDependent(typedPlace(G.Cut)))
    return nullptr;
  return Assign;
}

std::string Emitter::registerDeclarations() {
  std::string Text;
  for (const GlobalLoad &G : Cut.Loads) {
    if (&Cut.registerOf(G) != &G)
      continue;
    // Of `if (in) S[i] = G[..]; else S[i] = 0;` the register has the tile's type.
    const Expr *Store = G.FillIf ? singleStatement(G.FillIf->getThen()) : takesResult(G);
    const Expr *Typed = Pattern.typedPart(Store ? leftHandSide(Store) : G.Cut);
    const auto *Array = G.IsSet ? Context.getAsConstantArrayType(G.Type) : nullptr;
    std::string Type =
        Array ? typeText(Array->getElementType(), G.IsSet->getLocation(), typeWritten(G.IsSet))
              : typeText(Typed, typedPlace(Typed));
    Text += Indent + Type + (StringRef(Type).ends_with("*") ? "" : " ") + Registers[&G].Declared;
    for (const CopyLoop *C : G.Loops)
      Text += "[" + tripCountText(*C) + "]";
    if (Array)
      Text += "[" + toString(Array->getSize(), 10, false) + "]";
    Text += ";\n";
  }
  return Text;
}

//===-- cp.async --------------------------------------------------------------------===//

/// Where a staging variable's value \p Value would have come from: null for what is not loaded.
std::string Emitter::sourceText(const Expr *Value) {
  if (const ConditionalOperator *Cond = asConditional(stripNoOps(Value)))
    return operandText(Cond->getCond()) + " ? " + sourceText(Cond->getTrueExpr()) + " : " +
           sourceText(Cond->getFalseExpr());
  bool Loads = any_of(M.Copies, [&](const TileCopy &C) {
    return any_of(C.Sources, [&](const Expr *E) { return stripNoOps(E) == stripNoOps(Value); });
  });
  return Loads ? addressText(Value) : "nullptr";
}

/// The constant that the copy's staging variable holds otherwise, at the place of the store.
std::string Emitter::fillText(const TileCopy &C, StringRef Path) {
  const bool Declared = C.StagingFill == C.Staging->getInit();
  const std::optional<InitialWords> Words =
      Declared ? initialWords(C.Staging, Context) : std::nullopt;
  std::string Fill = Declared ? initialValueText(C.Staging) : expressionText(C.StagingFill);
  // A list of its own has no type; a scalar takes one as it is.
  if (StringRef(Fill).starts_with("{") && C.Staging->getType()->isRecordType())
    Fill = typeText(C.Staging) + Fill;
  else if (!Path.empty() && (!Words || Words->Form == InitialWords::Expression))
    Fill = operandText(C.StagingFill);
  const std::optional<TextRange> Written =
      Words ? Words->Text : textRange(C.StagingFill->getSourceRange(), Context);
  if (!Written || declaredAnew(namesIn(*Written), LoopText.Begin, LoopText.End))
    refuse(Reason::LoadForm, C.Store->getExprLoc(),
           {"a store of a constant whose names the loop declares"});
  return Path.empty() ? Fill : Fill + "." + Path.str();
}

/// One copy for each piece of an element that is no 4, 8 or 16 bytes.
void Emitter::inPieces(AsyncCopy &Copy, const TileCopy &C, const std::string &Size, bool Said) {
  const std::string Piece = fresh("piece"), Bytes = std::to_string(C.AsyncBytes);
  // In another build, or for other arguments of a template, the element may have other members.
  const std::string Assert = "static_assert(sizeof(" + Size + ") % " + Bytes + " == 0" +
                             (Said ? " && alignof(" + Size + ") % " + Bytes + " == 0" : "") +
                             ",\n" + Indent + Unit + Unit + "\"cp.async copies pieces of " + Bytes +
                             " bytes, aligned as many\");\n" + Indent;
  assertOnce(Assert);
  Copy.Pieces = "for (unsigned " + Piece + " = 0; " + Piece + " < sizeof(" + Size + "); " + Piece +
                " += " + Bytes + ")";
  Copy.Destination = "reinterpret_cast<char *>(" + Copy.Destination + ") + " + Piece;
  Copy.Source = "reinterpret_cast<const char *>(" + Copy.Source + ") + " + Piece;
  Copy.Bytes = Bytes;
}

/// The copy that takes the place of \p C. \p Around: an `if` of the user's that is written anew.
AsyncCopy Emitter::makeCopy(const TileCopy &C, std::optional<AsyncCopy::Guard> Around) {
  std::string Destination = voidAddressText(C.Destination);
  std::string Source, Fill;
  const auto Direct = find_if(InPlace, [&](const auto &P) { return P.second.Copy == &C; });
  if (Direct != InPlace.end()) {
    Source = voidAddressText(C.SourceAccess);
  } else if (C.Staging) {
    // `v.x` -> `&v_src->x`
    const Expr *V = stripNoOps(C.Value);
    std::string Path;
    while (const auto *Member = dyn_cast<MemberExpr>(V)) {
      V = stripNoOps(Member->getBase());
      // What an anonymous member has is named without it.
      if (const std::string Name = Member->getMemberDecl()->getNameAsString(); !Name.empty())
        Path = Name + (Path.empty() ? "" : "." + Path);
    }
    Source = Path.empty() ? SourceName[C.Staging]
                          : addressOf(SourceName[C.Staging] + "->" + Path, C.Value->getType());
    if (C.StagingFill)
      Fill = fillText(C, Path);
  } else {
    Source = voidAddressText(C.SourceAccess);
  }
  // The elements of the tile, or what a cast makes of them.
  const bool Element = Context.hasSameUnqualifiedType(C.Destination->getType(), C.Buffer->Element);
  const QualType To = Element ? C.Buffer->Element : C.Destination->getType();
  const TypeLoc Written = Element ? typeWritten(C.Buffer->Decl) : typeWritten(C.Destination);
  const SourceRange Where =
      Element ? SourceRange(C.Buffer->Decl->getLocation()) : C.Destination->getSourceRange();
  const bool Said = isSaid(To, Where, Written) && (Element || !isOfVaryingClass(C.Destination));
  const std::string Size = !Said     ? expressionText(C.Destination)
                           : Element ? typeText(To, Where, Written)
                                     : typeText(C.Destination, Where);
  // What the two ends are called may mean one type here and two in another build: pointers to these
  // do not convert.
  if (Said && !Pattern.isDependent(Where)) {
    // A pointer that stands for a staging variable has that one's type; else what is loaded is
    // named itself.
    const Expr *From =
        C.Staging && Direct == InPlace.end() ? nullptr : Pattern.typedPart(C.SourceAccess);
    const QualType Of = From ? stripNoOps(From)->getType() : C.Staging->getType();
    const TypeLoc OfWritten = From ? typeWritten(From) : typeWritten(C.Staging);
    if ((isUsersAlias(To, Written) || isUsersAlias(Of, OfWritten)) &&
        Context.hasSameUnqualifiedType(To, Of) &&
        !(From && Pattern.isDependent(typedPlace(From))) &&
        (From ? typeText(From, typedPlace(From))
              : typeText(Of, C.Staging->getLocation(), OfWritten)) != Size)
      Source = "static_cast<const " + Size + " *>(" + Source + ")";
  }
  const bool Whole = C.AsyncBytes == C.Bytes; // else inPieces() has an assertion of its own
  if ((Whole && Pattern.isDependent(Where)) ||
      (Whole && Said &&
       (others().has(To) || (macroFor(Written) && others().hasMacro(Written.getBeginLoc()))))) {
    std::string Assert = "static_assert((sizeof(" + Size + ") == 4 || sizeof(" + Size +
                         ") == 8 || sizeof(" + Size + ") == 16) && alignof(" + Size +
                         ") >= sizeof(" + Size + "),\n" + Indent + Unit + Unit +
                         "\"cp.async copies 4, 8 or 16 bytes, aligned as many\");\n" + Indent;
    assertOnce(Assert);
  }
  AsyncCopy Out;
  Out.Function = ours("__pipeline_memcpy_async");
  Out.Destination = Destination;
  Out.Source = Source;
  Out.Bytes = "sizeof(" + Size + ")";
  if (!Whole)
    inPieces(Out, C, Size, Said);
  if (Around)
    Out.Guards.push_back(std::move(*Around));
  auto Fills = [&](const std::string &Value) {
    return expressionText(C.Destination) + " = " + Value + ";";
  };
  if (Direct != InPlace.end())
    Out.Guards.push_back({"", Fills(fillText(C, ""))});
  else if (C.StagingFill)
    Out.Guards.push_back({SourceName[C.Staging], Fills(Fill)});
  else if (C.Ternary)
    for (AsyncCopy::Guard &G : guardsOf(C))
      Out.Guards.push_back(std::move(G));
  if (MutatorOfTests)
    MutatorOfTests->copy(Out);
  return Out;
}

/// Its lines but for the first stand under the statement that it replaces. \p Around: how far the
/// `if` is indented that is the outermost guard; none: there is no such.
std::string Emitter::copyText(const AsyncCopy &A, const TileCopy &C,
                              std::optional<std::string> Around) const {
  const auto Direct = find_if(InPlace, [&](const auto &P) { return P.second.Copy == &C; });
  const std::string Function = A.Function + "(";
  std::string Copy = Function + A.Destination + ", " + A.Source + ", " + A.Bytes + ");";
  // Where the statement is that it takes the place of, and under how many conditions of its own.
  const auto Place = statementRange(Direct != InPlace.end() ? Direct->second.Load
                                    : C.LoadedBy            ? C.LoadedBy
                                                            : C.Store,
                                    Context);
  std::string Deeper;
  for (const ConditionalOperator *Guard = C.Ternary; Guard;) {
    Deeper += Unit;
    const ConditionalOperator *In = asConditional(Guard->getTrueExpr());
    Guard = In ? In : asConditional(Guard->getFalseExpr());
  }
  if (C.StagingFill && Direct == InPlace.end())
    Deeper += Unit;
  const std::string InLoop = A.Pieces.empty() ? "" : Unit;
  if (Place && !StringRef(Copy).contains('\n')) {
    const size_t Column = Place->Begin - lineStart(File, Place->Begin) + Deeper.size();
    const bool OwnLine =
        !A.Pieces.empty() || indentAt(Place->Begin).size() + Deeper.size() == Column;
    if (Column + InLoop.size() + Copy.size() > MaxColumns) {
      const std::string Pad = "\n" + indentAt(Place->Begin) + Deeper + InLoop +
                              (OwnLine ? std::string(Function.size(), ' ') : Unit + Unit);
      const bool Both =
          Column + Function.size() + A.Source.size() + 2 + A.Bytes.size() + 2 > MaxColumns;
      Copy = Function + A.Destination + "," + Pad + A.Source + "," + (Both ? Pad : " ") + A.Bytes +
             ");";
    }
  }
  if (!A.Pieces.empty())
    Copy =
        A.Pieces + "\n" + (Place ? indentAt(Place->Begin) : Indent + Unit) + Deeper + Unit + Copy;
  const auto R = statementRange(C.Store, Context);
  std::vector<std::string> At; // of each guard
  for (const AsyncCopy::Guard &G : A.Guards) {
    std::string Own = R ? indentAt(R->Begin) : Indent + Unit;
    if (Around && At.empty())
      Own = *Around;
    else if (At.size() > (Around ? 1 : 0))
      Own = At.back() + Unit;
    At.push_back(G.Test.empty() ? "" : Own);
  }
  for (size_t I = A.Guards.size(); I-- > 0;)
    if (!A.Guards[I].Test.empty())
      Copy = guardedText(A.Guards[I], Copy, At[I]);
  return Copy;
}

/// Braces, because the statement may be the body of an if with an else.
std::string Emitter::guardedText(const AsyncCopy::Guard &G, StringRef Then,
                                 const std::string &At) const {
  std::string Text = ("if (" + G.Test + ") {\n" + At + Unit + Then + "\n" + At + "}").str();
  if (!G.Fill.empty())
    Text += " else {\n" + At + Unit + G.Fill + "\n" + At + "}";
  return Text;
}

/// One of the arms of \p E, or of an arm's arms, is \p Arm.
static bool hasArm(const Expr *E, const Expr *Arm) {
  if (E == Arm)
    return true;
  const ConditionalOperator *Cond = asConditional(E);
  return Cond && (hasArm(Cond->getTrueExpr(), Arm) || hasArm(Cond->getFalseExpr(), Arm));
}

/// `in ? load : fill`: what the load is under, outermost first.
std::vector<AsyncCopy::Guard> Emitter::guardsOf(const TileCopy &C) {
  std::vector<AsyncCopy::Guard> Out;
  for (const ConditionalOperator *Guard = C.Ternary; Guard;) {
    const bool LoadIsTrueArm = hasArm(Guard->getTrueExpr(), C.SourceAccess);
    const Expr *Load = LoadIsTrueArm ? Guard->getTrueExpr() : Guard->getFalseExpr();
    const Expr *Fill = LoadIsTrueArm ? Guard->getFalseExpr() : Guard->getTrueExpr();
    const std::string Cond = expressionText(Guard->getCond());
    std::string Test = LoadIsTrueArm ? Cond : "!(" + Cond + ")";
    if (const auto *Paren = dyn_cast<ParenExpr>(Guard->getCond()->IgnoreImpCasts());
        Paren && LoadIsTrueArm && !Paren->getLParen().isMacroID() &&
        !Paren->getRParen().isMacroID() && StringRef(Cond).starts_with("("))
      Test = Cond.substr(1, Cond.size() - 2);
    Out.push_back(
        {std::move(Test), expressionText(C.Destination) + " = " + expressionText(Fill) + ";"});
    Guard = asConditional(Load);
  }
  return Out;
}

//===-- What a half reads ------------------------------------------------------------===//

DeclSet<VarDecl> Emitter::varsInHalf(Half H) {
  if (H == Half::Fetch)
    return namedInFetch();
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    Emitter &Em;
    Half H;
    DeclSet<VarDecl> Set;
    std::set<const Expr *> Skip;
    std::set<const Stmt *> Headers; ///< declarations in loop headers
    bool InFill = false;            ///< inside of a zero fill by if and else, which is one leaf
    Visitor(Emitter &Em, Half H) : Em(Em), H(H) {}
    bool TraverseStmt(const Stmt *S) override {
      if (!S)
        return true;
      if (const auto *E = dyn_cast<Expr>(S)) {
        if (Skip.count(E))
          return true;
        return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
      }
      if (const auto *For = dyn_cast<ForStmt>(S); For && For->getInit())
        Headers.insert(For->getInit());
      if (!InFill && !Headers.count(S) && !Em.keeps(S, H))
        return true;
      bool Fill = H == Half::Store &&
                  any_of(Em.Cut.Loads, [&](const GlobalLoad &G) { return G.FillIf == S; });
      SaveAndRestore Inside(InFill, InFill || Fill);
      return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      if (const VarDecl *Var = mentionedVar(Ref))
        Set.insert(Var);
      return true;
    }
  };
  Visitor V(*this, H);
  if (H == Half::Store)
    for (const GlobalLoad &G : Cut.Loads) {
      if (any_of(G.Loops, [](const CopyLoop *C) { return C->Ahead != 0; }))
        continue;    // the rest is loaded by the store
      if (G.IsSet) { // an assignment takes its place
        if (const auto *E = dyn_cast<Expr>(G.Leaf))
          V.Skip.insert(E);
        else if (const auto *Asm = dyn_cast<GCCAsmStmt>(G.Leaf))
          for (unsigned I = 0; I != Asm->getNumInputs(); ++I)
            V.Skip.insert(Asm->getInputExpr(I));
        V.Set.insert(G.IsSet);
        continue;
      }
      if (G.Asm) {
        for (unsigned I = 0; I != G.Asm->getNumInputs(); ++I)
          V.Skip.insert(G.Asm->getInputExpr(I));
        continue;
      }
      V.Skip.insert(G.Cut);
      if (G.FillIf) {
        V.Skip.insert(G.FillIf->getCond());
        for (const Stmt *Arm : {G.FillIf->getThen(), G.FillIf->getElse()})
          if (const Expr *Store = singleStatement(Arm))
            V.Skip.insert(rightHandSide(Store));
      }
    }
  for (const Stmt *S : M.Segments[0]) {
    if (!keeps(S, H) && !isa<Expr>(S))
      continue;
    if (isa<Expr>(S) && !keepsLeaf(S, H))
      continue;
    V.TraverseStmt(S);
  }
  if (H != Half::Store)
    for (const Advance &A : M.Advances)
      if (A.Segment > 0 && loadSide(A))
        V.TraverseStmt(A.Statement);
  if (startsCopies(H))
    V.Set.merge(placesWithLoad());
  return V.Set;
}

/// What the places of copies are made of that stand where their values are loaded.
DeclSet<VarDecl> Emitter::placesWithLoad() const {
  DeclSet<VarDecl> Out;
  for (const TileCopy &C : M.Copies)
    if (C.LoadedBy && P.isAsync(C))
      Out.merge(mentionedVars(C.Destination));
  return Out;
}

/// Of the statement \p S, of which the fetch has nothing but the loads.
void Emitter::namedInFetch(const Stmt *S, DeclSet<VarDecl> &Out) {
  if (!S)
    return;
  bool Loads = false;
  for (const GlobalLoad &G : Cut.Loads)
    if (G.Leaf == S || G.FillIf == S) {
      Loads = true;
      if (G.IsSet)
        Out.merge(mentionedVars(G.Leaf));
      else if (G.Asm)
        for (unsigned I = 0; I != G.Asm->getNumInputs(); ++I)
          Out.merge(mentionedVars(G.Asm->getInputExpr(I)));
      else
        Out.merge(mentionedVars(G.Cut));
      if (G.FillIf) {
        Out.merge(mentionedVars(G.FillIf->getCond()));
        for (const Stmt *Arm : {G.FillIf->getThen(), G.FillIf->getElse()})
          if (const Expr *Store = singleStatement(Arm))
            Out.merge(mentionedVars(rightHandSide(Store)));
      }
    }
  if (Loads && Cut.FetchStatements.count(S)) // also as it is, from the register
    Out.merge(mentionedVars(S));
  if (Loads || !keeps(S, Half::Fetch))
    return;
  const bool Control = isa<CompoundStmt, AttributedStmt, IfStmt, ForStmt, WhileStmt, DoStmt>(S);
  if (!Control)
    return void(Out.merge(mentionedVars(S)));
  auto IsPart = [&](const Stmt *Child) {
    if (const auto *If = dyn_cast<IfStmt>(S))
      return Child == If->getThen() || Child == If->getElse();
    if (const auto *For = dyn_cast<ForStmt>(S))
      return Child == For->getBody();
    if (const auto *While = dyn_cast<WhileStmt>(S))
      return Child == While->getBody();
    if (const auto *Do = dyn_cast<DoStmt>(S))
      return Child == Do->getBody();
    return true;
  };
  for (const Stmt *Child : S->children())
    if (Child && !isa<CompoundStmt>(S) && !IsPart(Child))
      Out.merge(mentionedVars(Child)); // a condition, a loop's header
    else
      namedInFetch(Child, Out);
}

DeclSet<VarDecl> Emitter::namedInFetch() {
  DeclSet<VarDecl> Named;
  for (const Stmt *S : M.Segments[0])
    namedInFetch(S, Named);
  for (const Advance &A : M.Advances)
    if (A.Segment > 0 && loadSide(A))
      Named.merge(mentionedVars(A.Statement));
  if (mixes())
    Named.merge(placesWithLoad());
  return Named;
}

bool Emitter::referencesLoadState(Half H) {
  for (const VarDecl *V : varsInHalf(H))
    if (M.LoadState.count(V))
      return true;
  return false;
}

std::vector<const VarDecl *> Emitter::splitVarsIn(Half H) {
  DeclSet<VarDecl> Used = varsInHalf(H);
  std::vector<const VarDecl *> Out;
  for (const VarDecl *V : Split)
    if (Used.count(V))
      Out.push_back(V);
  return Out;
}

} // namespace cuda_pipeline
