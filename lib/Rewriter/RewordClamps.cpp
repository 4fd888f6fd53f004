//===- RewordClamps.cpp - A value that is set in two statements -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `int rows = 32; if (rows > n - k) rows = n - k;` is one value, that the load phase and the
/// compute phase may each make for themselves, said in two statements. It becomes
/// `int rows = 32 > n - k ? n - k : 32;`; and so does `int rows; if (c) rows = a; else rows = b;`.
///
/// What is more than a number is given a name, so that it is computed once; what is computed under
/// the condition alone stays so.
///
//===----------------------------------------------------------------------===//

#include "../Model/KnownFunctions.h"
#include "../Model/ModelStep.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

bool isOfOneType(const ValueDecl *D, const TileModel &M, const ASTContext &Context) {
  const SourceLocation Here = M.Loop->Begin;
  const OtherMeanings &Others = otherMeaningsOf(M, Context);
  QualType T = D->getType().getNonReferenceType();
  while (T->isPointerType())
    T = T->getPointeeType();
  while (const auto *Alias = T->getAs<TypedefType>()) {
    if (OtherMeanings::isInBranch(Alias->getDecl()->getLocation(), Here, Context))
      return false;
    T = Alias->desugar();
  }
  return !Others.has(D->getType().getNonReferenceType()) &&
         !OtherMeanings::isInBranch(D->getLocation(), Here, Context);
}

bool isOfNumbers(const Expr *E, const TileModel &M, const ASTContext &Context) {
  if (asBuiltinIndex(E))
    return true;
  if (!E->getType()->isArithmeticType() && !E->getType()->isEnumeralType())
    return false;
  const auto AllAre = [&](const Stmt *S) {
    return all_of(S->children(), [&](const Stmt *Child) {
      const auto *Part = dyn_cast_or_null<Expr>(Child);
      return Part && isOfNumbers(Part, M, Context);
    });
  };
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr>(E))
    return true;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return isOfOneType(Ref->getDecl(), M, Context);
  if (isa<ParenExpr, ConstantExpr, SubstNonTypeTemplateParmExpr, ConditionalOperator>(E))
    return AllAre(E);
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return isa<ImplicitCastExpr, CStyleCastExpr, CXXFunctionalCastExpr, CXXStaticCastExpr>(E) &&
           !Cast->getConversionFunction() && AllAre(E);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return is_contained({UO_Plus, UO_Minus, UO_Not, UO_LNot}, Op->getOpcode()) && AllAre(E);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return !Op->isAssignmentOp() && !Op->isPtrMemOp() && AllAre(E);
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const Expr *Base = Member->getBase()->IgnoreParenImpCasts();
    while (const auto *Outer = dyn_cast<MemberExpr>(Base))
      Base = Outer->getBase()->IgnoreParenImpCasts();
    return isa<DeclRefExpr, CXXThisExpr>(Base) && !Member->refersToBitField();
  }
  // `min(m, n - k)` of the toolkit's.
  const auto *Call = dyn_cast<CallExpr>(E);
  return Call && !isa<CXXOperatorCallExpr, CXXMemberCallExpr>(Call) && Call->getDirectCallee() &&
         classifyFunction(Call->getDirectCallee(), Context) == FunctionKind::Pure &&
         all_of(Call->arguments(), [&](const Expr *Arg) { return isOfNumbers(Arg, M, Context); });
}

namespace {

class Clamps {
public:
  Clamps(const TileModel &M, const ASTContext &Context, const std::set<std::string> &Taken)
      : M(M), Context(Context), Taken(Taken), SM(Context.getSourceManager()),
        File(mainFileText(Context)) {}

  Rewording run() {
    if (hasOtherMeanings(M, Context))
      return std::move(Out);
    const Stmt *Before = nullptr;
    for (const Stmt *S : M.Segments[0]) {
      const auto *If = dyn_cast<IfStmt>(S);
      if (If && (isRefused(If) || (Before && isRefused(Before)))) {
        std::optional<Edit> E = Before ? merged(Before, If) : std::nullopt;
        if (!E)
          E = alone(If);
        if (E) {
          Out.Edits.push_back(*E);
          break; // the next one may begin with this
        }
      }
      Before = S;
    }
    return std::move(Out);
  }

private:
  const TileModel &M;
  const ASTContext &Context;
  const std::set<std::string> &Taken;
  const SourceManager &SM;
  const StringRef File;
  std::vector<QualType> Arms; ///< of what is chosen from
  Rewording Out;

  /// What is set in it stands in the way.
  bool isRefused(const Stmt *S) const {
    const Reason Why[] = {Reason::LoadSideEffect, Reason::CounterModified};
    return isRefusedIn(S, M.Refusals, Why, Context) ||
           isRefusedIn(S, M.TwoBufferRefusals, Why, Context) ||
           isRefusedIn(S, M.Registers.Refusals, Why, Context);
  }

  bool computesOnly(const Expr *E) const {
    const Effects Does = M.Facts->Collector->collect(E);
    return isOfNumbers(E, M, Context) && onlyPureActions(Does) && onlyLocalAccesses(Does) &&
           none_of(Does.Accesses, [](const Access &A) { return A.Write || A.Volatile; });
  }

  /// `v = e`, and nothing else.
  static const Expr *valueFor(const VarDecl *Var, const Stmt *S) {
    const auto *Set = dyn_cast_or_null<BinaryOperator>(singleStatement(S));
    const auto *Left = Set && Set->getOpcode() == BO_Assign
                           ? dyn_cast<DeclRefExpr>(Set->getLHS()->IgnoreParens())
                           : nullptr;
    return Left && Left->getDecl() == Var ? Set->getRHS() : nullptr;
  }

  /// \p E with \p Value for \p Var; none: it cannot be said so.
  std::optional<std::string> withValue(const Expr *E, const VarDecl *Var,
                                       const std::string &Value) const {
    const std::optional<TextRange> R = textRange(E->getSourceRange(), Context);
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const VarDecl *Var;
      std::vector<const DeclRefExpr *> Found;
      bool Hidden = false;
      explicit Visitor(const VarDecl *Var) : Var(Var) {}
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        if (Ref->getDecl() == Var)
          Found.push_back(Ref);
        return true;
      }
      bool VisitLambdaExpr(const LambdaExpr *) override { return Hidden = true; }
    } V(Var);
    V.TraverseStmt(E);
    if (!R || V.Hidden || (Value.empty() && !V.Found.empty()))
      return std::nullopt;
    std::string Text = File.slice(R->Begin, R->End).str();
    for (const DeclRefExpr *Ref : reverse(V.Found)) {
      const std::optional<TextRange> At = textRange(Ref->getSourceRange(), Context);
      // A macro may say it more than once.
      if (!At || !R->contains(*At) || Ref->getLocation().isMacroID())
        return std::nullopt;
      Text.replace(At->Begin - R->Begin, At->End - At->Begin, Value);
    }
    return Text;
  }

  /// As an operand of `?:`.
  static std::string asArm(const Expr *E, const std::string &Text) {
    const Expr *Inner = E->IgnoreImpCasts();
    const auto *Op = dyn_cast<BinaryOperator>(Inner);
    return isa<ConditionalOperator>(Inner) || (Op && (Op->isAssignmentOp() || Op->isCommaOp()))
               ? "(" + Text + ")"
               : Text;
  }

  /// Each becomes what the variable is by way of the type of them all, and is the same as by
  /// itself: that is the type of each, or one of integers that is no narrower than the variable.
  bool areAlike(const VarDecl *Var) const {
    const auto IsInteger = [](QualType T) { return T->isIntegerType() && !T->isEnumeralType(); };
    return all_of(Arms,
                  [&](QualType T) { return Context.hasSameUnqualifiedType(T, Arms.front()); }) ||
           (IsInteger(Var->getType()) &&
            (Context.getTypeSize(Var->getType()) <= Context.getTypeSize(Context.IntTy) ||
             any_of(
                 Arms,
                 [&](QualType T) { return Context.hasSameUnqualifiedType(T, Var->getType()); })) &&
            all_of(Arms, IsInteger));
  }

  /// What \p S gives \p Var, which was \p Given before (empty: nothing), and it does nothing else.
  std::optional<std::string> valueText(const Stmt *S, const VarDecl *Var,
                                       const std::string &Given) {
    if (const Expr *Value = valueFor(Var, S)) {
      Arms.push_back(Value->IgnoreUnlessSpelledInSource()->getType());
      const std::optional<std::string> Text = withValue(Value, Var, Given);
      return computesOnly(Value) && !isa<InitListExpr>(Value->IgnoreImpCasts()) && Text
                 ? std::optional(asArm(Value, *Text))
                 : std::nullopt;
    }
    const auto *If = dyn_cast<IfStmt>(S);
    return If ? choiceText(If, Var, Given) : std::nullopt;
  }
  std::optional<std::string> choiceText(const IfStmt *If, const VarDecl *Var,
                                        const std::string &Given) {
    if (If->isConstexpr() || If->getInit() || If->getConditionVariable() ||
        (!If->getElse() && Given.empty()) || !computesOnly(If->getCond()) ||
        !If->getCond()->IgnoreUnlessSpelledInSource()->getType()->isScalarType())
      return std::nullopt;
    const Expr *Then = valueFor(Var, If->getThen());
    const auto Condition = withValue(If->getCond(), Var, Given);
    const auto OnTrue = Then ? valueText(If->getThen(), Var, Given) : std::nullopt;
    const auto OnFalse =
        If->getElse() ? valueText(If->getElse(), Var, Given) : std::optional(Given);
    if (!Condition || !OnTrue || !OnFalse)
      return std::nullopt;
    return asArm(If->getCond(), *Condition) + " ? " + *OnTrue + " : " + *OnFalse;
  }

  bool isNumber(const VarDecl *Var) const {
    return isPlainNumber(Var, /*OrFloat=*/true) && !Var->getType().isVolatileQualified() &&
           isOfOneType(Var, M, Context);
  }
  /// Nobody knows it by another name.
  bool isKnown(const VarDecl *Var) const {
    return isNumber(Var) && !M.Facts->Values->hasOtherNames(Var) &&
           !isCaptured(Var, M.Loop->Function);
  }

  /// Nothing that somebody would miss is between the two, or in what is replaced.
  bool areWords(unsigned Before, TextRange Replaced) const {
    const StringRef Text = File.slice(Replaced.Begin, Replaced.End);
    return Before <= Replaced.Begin && File.slice(Before, Replaced.Begin).trim().empty() &&
           commentsIn(Text).empty() && !Text.contains('#');
  }

  /// `T v = e; if ..` and `v = e; if ..`, or `T v; if .. else ..`
  std::optional<Edit> merged(const Stmt *S, const IfStmt *If) {
    const auto *Declared = dyn_cast<DeclStmt>(S);
    const auto *Var = Declared && Declared->isSingleDecl()
                          ? dyn_cast<VarDecl>(Declared->getSingleDecl())
                          : nullptr;
    const Expr *First = nullptr;
    if (Var) {
      if (!isNumber(Var) || (Var->hasInit() && Var->getInitStyle() != VarDecl::CInit))
        return std::nullopt;
      First = Var->getInit();
    } else {
      const auto *Set = dyn_cast<BinaryOperator>(S);
      Var = Set && Set->getOpcode() == BO_Assign ? referencedVar(Set->getLHS()) : nullptr;
      First = Var ? valueFor(Var, S) : nullptr;
      if (!First || !isKnown(Var) || mentionedVars(First).count(Var))
        return std::nullopt;
    }
    const std::optional<TextRange> Whole = replacedRange(If, Context),
                                   Before = textRange(S->getSourceRange(), Context),
                                   Value = First ? textRange(First->getSourceRange(), Context)
                                                 : std::nullopt;
    if (!Whole || !Before || (First && (!Value || !computesOnly(First))))
      return std::nullopt;
    Arms.clear();
    std::string Given, InFront;
    if (First) {
      const std::string Text = File.slice(Value->Begin, Value->End).str();
      const bool Short = isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr>(First);
      Given = Short ? Text : freeName(Var->getNameAsString() + "_before", Taken, Context);
      if (!Short) // computed once, and of the type that it has got
        InFront = "const " + Var->getType().getAsString(Context.getPrintingPolicy()) + " " + Given +
                  " = " + Text + ";" + breakAt(File, Before->Begin);
      Arms.push_back(Var->getType());
    }
    const std::optional<std::string> Text = choiceText(If, Var, Given);
    // An expression's semicolon is not in its range.
    const unsigned End = Declared ? Before->End : unsigned(File.find(';', Before->End)) + 1;
    if (!Text || !areAlike(Var) || !areWords(End, *Whole) ||
        (!Declared && File.slice(Before->End, End) != ";"))
      return std::nullopt;
    say(Var);
    if (First)
      return Edit{Before->Begin, Whole->End - Before->Begin,
                  InFront + File.slice(Before->Begin, Value->Begin).str() + *Text + ";"};
    const StringRef Declaration = File.slice(Before->Begin, Before->End).rtrim("; \t\n\r");
    return Edit{Before->Begin, Whole->End - Before->Begin,
                (Declaration + " = " + *Text + ";").str()};
  }

  /// `if (c) v = a; else v = b;`
  std::optional<Edit> alone(const IfStmt *If) {
    const Expr *Then = singleStatement(If->getThen());
    const auto *Set = dyn_cast_or_null<BinaryOperator>(Then);
    const VarDecl *Var =
        Set && Set->getOpcode() == BO_Assign ? referencedVar(Set->getLHS()) : nullptr;
    const std::optional<TextRange> Whole = replacedRange(If, Context);
    Arms.clear();
    const std::optional<std::string> Text =
        Var && isKnown(Var) ? choiceText(If, Var, /*Given=*/"") : std::nullopt;
    if (!Whole || !Text || !areAlike(Var) || !areWords(Whole->Begin, *Whole))
      return std::nullopt;
    say(Var);
    return Edit{Whole->Begin, Whole->End - Whole->Begin,
                Var->getNameAsString() + " = " + *Text + ";"};
  }

  void say(const VarDecl *Var) {
    // Where a type is another one the values may be converted in another way.
    Out.PinsArguments |= M.Loop->IsTemplate;
    Out.Said.push_back("'" + Var->getNameAsString() +
                       "', which the load phase sets under a condition, is given one value");
  }
};

} // namespace

Rewording rewordClamps(const TileModel &M, ASTContext &Context,
                       const std::set<std::string> &Taken) {
  if (!M.Loop->Body || !M.Barriers[0] || !M.Facts || !M.Facts->Function ||
      M.Facts->Function->HasGoto)
    return Rewording();
  return Clamps(M, Context, Taken).run();
}

} // namespace cuda_pipeline
