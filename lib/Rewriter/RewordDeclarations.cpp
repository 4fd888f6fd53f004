//===- RewordDeclarations.cpp - One declaration for each variable ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `float a = A[i], b = B[j];` is two statements, of which each half of the load phase may want
/// another. The specifiers are said once more in front of each further declarator; what stands
/// behind these is left as it is.
///
//===----------------------------------------------------------------------===//

#include "../Model/Declarators.h"
#include "../Model/ModelStep.h"
#include "Rewordings.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class DeclarationSplitter {
public:
  DeclarationSplitter(const TileModel &M, ASTContext &Context)
      : M(M), Context(Context), SM(Context.getSourceManager()), File(mainFileText(Context)) {}

  Rewording run() {
    for (const Stmt *S : M.Segments[0])
      forEachLeaf(S, [&](const Stmt *Leaf) {
        const Effects E = M.Facts->Collector->collect(Leaf);
        if (readsLoadable(E))
          Loaded.merge(writtenVars(E));
      });
    within(M.Segments[0]);
    if (!Chains.empty()) {
      append_range(Out.Edits, Chains);
      // Where the places are of several types it means something else.
      Out.PinsArguments |= M.Loop->IsTemplate;
      Out.Said.push_back("stores of one value to several elements are taken as a statement for "
                         "each");
    }
    const size_t Others = Branches.size() + Chains.size();
    if (!Branches.empty()) {
      append_range(Out.Edits, Branches);
      Out.Said.push_back("a choice between values in the load phase, of several loads, is taken as "
                         "'if' and 'else'");
      // Where the two sides are converted to other types it means something else.
      Out.PinsArguments |= M.Loop->IsTemplate;
    }
    if (Out.Edits.size() > Others)
      Out.Said.push_back("a declaration of several variables in the load phase is taken as one for "
                         "each");
    return std::move(Out);
  }

private:
  const TileModel &M;
  ASTContext &Context;
  const SourceManager &SM;
  const StringRef File;
  VarSet Loaded; ///< set by statements of the load phase that read memory
  std::vector<Edit> Branches, Chains;
  Rewording Out;

  bool isRefusedIn(const Stmt *S, ArrayRef<Refusal> Refusals) const {
    return cuda_pipeline::isRefusedIn(S, Refusals, Reason::LoadForm, Context);
  }
  template <typename Range> void within(const Range &Statements) {
    for (const Stmt *S : Statements)
      if (branch(S) || chain(S) || comma(S))
        continue;
      else if (const auto *Decl = dyn_cast_or_null<DeclStmt>(S))
        split(Decl);
      else
        inside(S);
  }
  /// Of other statements the blocks in them: a declaration by itself has no room for another.
  void inside(const Stmt *S) {
    if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S))
      return within(Block->body());
    if (!isa_and_nonnull<AttributedStmt, IfStmt, ForStmt, WhileStmt, DoStmt>(S))
      return;
    for (const Stmt *Child : S->children())
      inside(Child);
    SmallVector<const Stmt *, 2> Alone;
    if (const auto *If = dyn_cast<IfStmt>(S))
      Alone = {If->getThen(), If->getElse()};
    else if (const auto *For = dyn_cast<ForStmt>(S))
      Alone = {For->getBody()};
    for (const Stmt *Child : Alone)
      if (isa_and_nonnull<Expr>(Child) && !branch(Child, /*Braces=*/true) &&
          !chain(Child, /*Braces=*/true))
        comma(Child, /*Braces=*/true);
  }

  /// The two sides of `a = b`, also of a class of which an assignment copies the bytes.
  std::pair<const Expr *, const Expr *> assignment(const Stmt *S) const {
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->getOpcode() == BO_Assign)
      return {Op->getLHS(), Op->getRHS()};
    if (const auto *Full = dyn_cast<FullExpr>(S))
      S = Full->getSubExpr();
    const auto *Call = dyn_cast<CXXOperatorCallExpr>(S);
    if (Call && Call->getOperator() == OO_Equal && Call->getNumArgs() == 2 &&
        copiesBytes(Call->getArg(0)->getType(), Context))
      return {Call->getArg(0), Call->getArg(1)};
    return {};
  }
  /// `c ? a : b`, which may be handed on as a temporary.
  static const ConditionalOperator *choiceIn(const Expr *Value) {
    Value = Value->IgnoreParens();
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Value))
      Value = Temporary->getSubExpr()->IgnoreParens();
    while (const auto *Cast = dyn_cast<ImplicitCastExpr>(Value)) {
      if (Cast->getCastKind() != CK_NoOp)
        break;
      Value = Cast->getSubExpr()->IgnoreParens();
    }
    return dyn_cast<ConditionalOperator>(Value);
  }
  /// `float v = c ? a * b : 1e30;`, of which the whole is a double because of the constant alone:
  /// the other arm is a float that is computed, and the same behind the way there and back.
  const ConditionalOperator *narrowedChoice(const Expr *Value) const {
    const auto *Narrow = dyn_cast<ImplicitCastExpr>(Value->IgnoreParens());
    const auto *Cond = Narrow && Narrow->getCastKind() == CK_FloatingCast
                           ? dyn_cast<ConditionalOperator>(Narrow->getSubExpr()->IgnoreParens())
                           : nullptr;
    if (!Cond || !Narrow->getType()->isSpecificBuiltinType(BuiltinType::Float) ||
        !Cond->getType()->isSpecificBuiltinType(BuiltinType::Double))
      return nullptr;
    unsigned Computed = 0;
    for (const Expr *Arm : {Cond->getTrueExpr(), Cond->getFalseExpr()}) {
      const auto *Widen = dyn_cast<ImplicitCastExpr>(Arm->IgnoreParens());
      const auto *Op = Widen && Widen->getCastKind() == CK_FloatingCast
                           ? dyn_cast<BinaryOperator>(Widen->getSubExpr()->IgnoreParens())
                           : nullptr;
      llvm::APFloat Number(0.0);
      if (Op && (Op->isAdditiveOp() || Op->isMultiplicativeOp()) &&
          Op->getType()->isSpecificBuiltinType(BuiltinType::Float))
        ++Computed;
      else if (!Arm->EvaluateAsFloat(Number, Context))
        return nullptr;
    }
    return Computed != 0 ? Cond : nullptr;
  }
  /// `unsigned v = c ? a[i] + 1 : 0;`: both are of the type that is converted, so that each of them
  /// may be.
  const ConditionalOperator *convertedChoice(const Expr *Value) const {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(Value->IgnoreParens());
    const auto *Cond = Cast && is_contained({CK_IntegralCast, CK_IntegralToFloating,
                                             CK_FloatingToIntegral, CK_FloatingCast},
                                            Cast->getCastKind())
                           ? dyn_cast<ConditionalOperator>(Cast->getSubExpr()->IgnoreParens())
                           : nullptr;
    const auto IsOfType = [&](const Expr *Arm) {
      return Context.hasSameUnqualifiedType(Arm->IgnoreUnlessSpelledInSource()->getType(),
                                            Cond->getType());
    };
    return Cond && Cond->getType()->isArithmeticType() && IsOfType(Cond->getTrueExpr()) &&
                   IsOfType(Cond->getFalseExpr())
               ? Cond
               : nullptr;
  }
  /// Both are of the class already: none is converted because of the other one.
  bool isCopiedFromBoth(QualType Of, const ConditionalOperator &Cond) const {
    return Of->isRecordType() && copiesBytes(Of, Context) &&
           all_of(ArrayRef{Cond.getTrueExpr(), Cond.getFalseExpr()}, [&](const Expr *Arm) {
             return Context.hasSameUnqualifiedType(Arm->IgnoreImplicit()->getType(), Of);
           });
  }

  /// `v = in ? f(A[i], B[i]) : 0;`, of which the fetch can take no part: as `if` and `else`. What
  /// is chosen is of the type that is set, so that each of the two is converted in the same way.
  bool branch(const Stmt *S, bool Braces = false) {
    if (!S || !isRefusedIn(S, M.Registers.Refusals))
      return false;
    const Expr *Value = nullptr;
    std::string Set, InFront;
    QualType Of;
    const std::optional<TextRange> Whole = statementRange(S, Context);
    if (!Whole || !commentsIn(File.slice(Whole->Begin, Whole->End)).empty())
      return false;
    if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
      const auto *Var = Decl->isSingleDecl() ? dyn_cast<VarDecl>(Decl->getSingleDecl()) : nullptr;
      if (!Var || !Var->hasLocalStorage() || !Var->hasInit() || Var->hasAttrs() ||
          Var->getInitStyle() != VarDecl::CInit || Var->getLocation().isMacroID())
        return false;
      const unsigned Name = SM.getFileOffset(Var->getLocation());
      if (Name <= Whole->Begin || Name >= Whole->End ||
          // An empty macro in front may be a qualifier in another build.
          Whole->Begin != SM.getFileOffset(SM.getExpansionLoc(Decl->getBeginLoc())))
        return false;
      // The type as it is written.
      StringRef Type = File.slice(Whole->Begin, Name).trim();
      while (Type.consume_front("const ") || Type.consume_back(" const"))
        Type = Type.trim();
      if (Type.empty() ||
          !all_of(Type,
                  [](char C) { return isAsciiIdentifierContinue(C) || C == ' ' || C == ':'; }) ||
          Type.contains("auto") || Type.contains("const"))
        return false;
      InFront = (Type + " " + Var->getName() + ";").str();
      Set = Var->getNameAsString();
      Of = Var->getType();
      Value = Var->getInit();
    } else if (const auto [To, From] = assignment(S); To) {
      const Effects E = M.Facts->Collector->collect(To);
      if (!E.Actions.empty() || readsLoadable(E) ||
          any_of(E.Accesses, [](const Access &A) { return A.Write; }))
        return false;
      Set = textOf(To, Context);
      Of = To->getType();
      Value = From;
    }
    const auto *Cond = Value ? choiceIn(Value) : nullptr;
    const bool Narrowed = !Cond && Value;
    if (Narrowed)
      Cond = narrowedChoice(Value);
    if (Narrowed && !Cond)
      Cond = convertedChoice(Value);
    // A condition that is loaded is one of an `if` as little.
    if (!Cond || !readsLoadable(M.Facts->Collector->collect(Cond)) ||
        readsLoadable(M.Facts->Collector->collect(Cond->getCond())) ||
        !(Of->isArithmeticType() || isCopiedFromBoth(Of, *Cond)) || Of.isVolatileQualified() ||
        (!Narrowed && !Context.hasSameUnqualifiedType(Of, Cond->getType())))
      return false;
    const std::string If = textOf(Cond->getCond(), Context),
                      Then = textOf(Cond->getTrueExpr(), Context),
                      Else = textOf(Cond->getFalseExpr(), Context);
    // `c ? (a, b) : d` may do without its brackets.
    const auto *Comma = dyn_cast<BinaryOperator>(Cond->getTrueExpr()->IgnoreImpCasts());
    if (Set.empty() || If.empty() || Then.empty() || Else.empty() || (Comma && Comma->isCommaOp()))
      return false;
    const std::string Break = breakAt(File, Whole->Begin);
    Branches.push_back({Whole->Begin, Whole->End - Whole->Begin,
                        (Braces ? "{" + Break : "") + InFront + (InFront.empty() ? "" : Break) +
                            "if (" + If + ")" + Break + "  " + Set + " = " + Then + ";" + Break +
                            "else" + Break + "  " + Set + " = " + Else + ";" +
                            (Braces ? Break + "}" : "")});
    return true;
  }

  /// Numbers that every arithmetic type has: what another build calls by the same names may be
  /// other types.
  bool isNoughtOrOne(const Expr *Value) const {
    Expr::EvalResult Result;
    if (!Value->EvaluateAsRValue(Result, Context) || Result.HasSideEffects)
      return false;
    if (Result.Val.isFloat())
      return Result.Val.getFloat().isPosZero() || Result.Val.getFloat().isExactlyValue(1.0);
    return Result.Val.isInt() && (Result.Val.getInt().isZero() || Result.Val.getInt().isOne());
  }

  /// `a[i] = b[i] = 0.f;`: each gets the constant, or what is read once.
  bool chain(const Stmt *S, bool Braces = false) {
    const auto *Outer = dyn_cast_or_null<BinaryOperator>(S);
    if (!Outer || Outer->getOpcode() != BO_Assign || !isRefusedIn(S, M.Refusals))
      return false;
    std::vector<std::string> Places;
    std::vector<QualType> Types; // as they are written
    const Expr *Value = Outer;
    while (const auto *Op = dyn_cast<BinaryOperator>(Value->IgnoreParens())) {
      if (Op->getOpcode() != BO_Assign)
        break;
      const Effects E = M.Facts->Collector->collect(Op->getLHS());
      const QualType T = Op->getLHS()->getType();
      Places.push_back(textOf(Op->getLHS(), Context));
      Types.push_back(T);
      // What is read there was there before.
      if (Places.back().empty() || !T->isArithmeticType() || T.isVolatileQualified() ||
          Op->getLHS()->refersToBitField() ||
          !Context.hasSameUnqualifiedType(T, Outer->getType()) || !onlyPureActions(E) ||
          any_of(E.Accesses, [](const Access &A) {
            return A.Write || any_of(A.Roots, [](const MemoryRoot &R) {
                     return R.In != Space::Local && R.In != Space::Param;
                   });
          }))
        return false;
      // A value that comes back from a reference was loaded again; the number is the same.
      Value = Op->getRHS();
      while (const auto *Cast = dyn_cast<ImplicitCastExpr>(Value->IgnoreParens())) {
        if (Cast->getCastKind() != CK_LValueToRValue)
          break;
        Value = Cast->getSubExpr();
      }
    }
    const std::optional<TextRange> Whole = statementRange(S, Context);
    const std::string Text = textOf(Value, Context);
    if (Places.size() < 2 || !Whole || Text.empty() ||
        !commentsIn(File.slice(Whole->Begin, Whole->End)).empty())
      return false;
    const std::string Break = breakAt(File, Whole->Begin);
    std::string New;
    if (!isNoughtOrOne(Value)) {
      // Read once, and of the type that all of them have: the innermost one is set first.
      const Effects E = M.Facts->Collector->collect(Value);
      if (!Context.hasSameUnqualifiedType(Value->getType(), Outer->getType()) ||
          !onlyPureOrLoads(E) || !readsLoadable(M.Facts->Collector->collect(S)) ||
          any_of(E.Accesses, [](const Access &A) { return A.Volatile || A.Write; }))
        return false;
      // What goes through one of another type is another number: none of the types has a name that
      // another build may give to another one.
      if (any_of(Types, [](QualType T) { return !isa<BuiltinType>(T.getTypePtr()); }) ||
          !isa<BuiltinType>(Value->getType().getTypePtr()) ||
          any_of(mentionedVars(S),
                 [](const VarDecl *Var) { return Var->getTypeSpecStartLoc().isMacroID(); }))
        return false;
      std::string Name = "value";
      while (any_of(mentionedVars(S), [&](const VarDecl *Var) { return Var->getName() == Name; }))
        Name += "_";
      New = "{" + Break + "  const " +
            Outer->getType().getUnqualifiedType().getAsString(Context.getPrintingPolicy()) + " " +
            Name + " = " + Text + ";";
      for (const std::string &Place : reverse(Places))
        New += Break + "  " + Place + " = " + Name + ";";
      Chains.push_back({Whole->Begin, Whole->End - Whole->Begin, New + Break + "}"});
      return true;
    }
    for (const std::string &Place : Places)
      New += (New.empty() ? "" : Break) + Place + " = " + Text + ";";
    Chains.push_back({Whole->Begin, Whole->End - Whole->Begin, Braces ? "{ " + New + " }" : New});
    return true;
  }

  /// `s[i] = a[j], t[i] = b[j];`: one after the other, as they are.
  bool comma(const Stmt *S, bool Braces = false) {
    const auto *Outer = dyn_cast_or_null<BinaryOperator>(S);
    if (!Outer || !Outer->isCommaOp() ||
        !(isRefusedIn(S, M.Refusals) || isRefusedIn(S, M.Registers.Refusals)))
      return false;
    const std::optional<TextRange> Whole = statementRange(S, Context);
    if (!Whole || !commentsIn(File.slice(Whole->Begin, Whole->End)).empty())
      return false;
    std::string New;
    for (const Expr *Part : commaParts(Outer)) {
      const std::string Text = textOf(Part, Context);
      if (Text.empty())
        return false;
      New += (New.empty() ? "" : breakAt(File, Whole->Begin)) + Text + ";";
    }
    Chains.push_back({Whole->Begin, Whole->End - Whole->Begin, Braces ? "{ " + New + " }" : New});
    return true;
  }

  void split(const DeclStmt *Decl) {
    std::vector<const VarDecl *> Vars;
    bool Wanted = false;
    for (const clang::Decl *D : Decl->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var || isa<DecompositionDecl>(Var) || !Var->hasLocalStorage() ||
          Var->getLocation().isMacroID() || !isInMainFile(SM, Var->getLocation()) ||
          Var->getEndLoc().isMacroID())
        return;
      Wanted |= Loaded.count(Var) ||
                (Var->hasInit() && readsLoadable(M.Facts->Collector->collect(Var->getInit())));
      Vars.push_back(Var);
    }
    const std::optional<TextRange> Whole = statementRange(Decl, Context);
    if (Vars.size() < 2 || !Wanted || !Whole || Decl->getBeginLoc().isMacroID())
      return;
    const std::optional<StringRef> Specifiers = commonSpecifiers(*Whole, Vars.front(), Context);
    if (!Specifiers)
      return;
    const std::string Break = breakAt(File, Whole->Begin);
    std::vector<Edit> Edits;
    for (size_t I = 1; I < Vars.size(); ++I) {
      const std::optional<DeclaratorGap> Between = gapBetween(Vars[I - 1], Vars[I], Context);
      if (!Between)
        return;
      Edits.push_back({Between->Comma, 1, ";"});
      const StringRef Space = File.slice(Between->Comma + 1, Between->Declarator);
      if (Space.trim(" \t").empty())
        Edits.push_back(
            {Between->Comma + 1, unsigned(Space.size()), Break + Specifiers->str() + " "});
      else
        Edits.push_back({Between->Declarator, 0, Specifiers->str() + " "});
    }
    append_range(Out.Edits, Edits);
  }
};

} // namespace

Rewording rewordDeclarations(const TileModel &M, ASTContext &Context) {
  // Without both barriers there is no load phase.
  if (!M.Loop->Body || M.Loop->IsPattern || !M.Facts || !M.Facts->Collector || !hasLoadPhase(M))
    return Rewording();
  return DeclarationSplitter(M, Context).run();
}

} // namespace cuda_pipeline
