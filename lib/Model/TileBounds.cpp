//===- TileBounds.cpp - How far a counter gets in an array ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBounds.h"
#include "AstUtil.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Numbers of this size, their products and sums, have no part in an unsigned number going round.
constexpr int64_t Small = 1 << 12;
constexpr int64_t Moderate = 1 << 24;
constexpr unsigned MaxDepth = 16;

class ArrayReader {
public:
  ArrayReader(const ForStmt *For, const VarDecl *Counter, ValueRange Begin, int64_t MostStep,
              const FunctionValues &Of, const ASTContext &Context)
      : For(For), Counter(Counter), IsSmall(Begin.Hi <= Small && MostStep <= Small), Of(Of),
        Context(Context) {}

  std::optional<MostInArray> run() const {
    if (leaves(For->getBody()))
      return std::nullopt;
    std::optional<MostInArray> Most;
    forEachStore(For->getBody(), [&](const Expr *Element) {
      if (const std::optional<MostInArray> N = mostAt(Element);
          N && (!Most || N->Value < Most->Value))
        Most = N;
    });
    return Most;
  }

private:
  const ForStmt *For;
  const VarDecl *Counter;
  bool IsSmall; ///< the counter comes by all the values that are its own, not round
  const FunctionValues &Of;
  const ASTContext &Context;

  /// A number that is `Slope * counter` and between Lo and Hi; without Hi nobody knows how large.
  struct Line {
    int64_t Slope = 0, Lo = 0;
    std::optional<int64_t> Hi = 0;
  };
  /// In bytes behind the beginning of the array.
  struct Place {
    const VarDecl *Array;
    Line At;
  };

  /// A turn need not get to the end of the body.
  static bool leaves(const Stmt *S) {
    return S && (isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt,
                     SwitchStmt, AsmStmt, LambdaExpr>(S) ||
                 any_of(S->children(), leaves));
  }

  static bool declaredIn(const Stmt *S, const VarDecl *Var) {
    return S && (declares(S, Var) ||
                 any_of(S->children(), [&](const Stmt *Child) { return declaredIn(Child, Var); }));
  }

  /// The stores that every turn comes by.
  void forEachStore(const Stmt *S, function_ref<void(const Expr *)> Do) const {
    if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S)) {
      for (const Stmt *Child : Block->body())
        forEachStore(Child, Do);
    } else if (const auto *Attributed = dyn_cast_or_null<AttributedStmt>(S)) {
      forEachStore(Attributed->getSubStmt(), Do);
    } else if (const auto *Inner = dyn_cast_or_null<ForStmt>(S)) {
      if (hasATurn(Inner))
        forEachStore(Inner->getBody(), Do);
    } else if (const auto *E = dyn_cast_or_null<Expr>(S)) {
      const Expr *To = nullptr, *Value = nullptr;
      if (matchAssignment(E, To, Value))
        Do(To);
    }
  }
  bool hasATurn(const ForStmt *Inner) const {
    const auto *Init = dyn_cast_or_null<DeclStmt>(Inner->getInit());
    const auto *Var =
        Init && Init->isSingleDecl() ? dyn_cast<VarDecl>(Init->getSingleDecl()) : nullptr;
    const auto *Compare = dyn_cast_or_null<BinaryOperator>(
        Inner->getCond() ? Inner->getCond()->IgnoreParenImpCasts() : nullptr);
    if (!Var || !Var->hasInit() || !Compare || referencedVar(Compare->getLHS()) != Var ||
        (Compare->getOpcode() != BO_LT && Compare->getOpcode() != BO_LE))
      return false;
    const std::optional<ValueRange> First = Of.range(Var->getInit());
    const std::optional<int64_t> End = Of.fold(Compare->getRHS());
    return First && End && First->Lo >= 0 && First->Hi < *End;
  }

  std::optional<MostInArray> mostAt(const Expr *Element) const {
    const std::optional<Place> P = placeOf(Element, 0);
    if (!P || P->At.Slope <= 0)
      return std::nullopt;
    const int64_t Bytes = Context.getTypeSizeInChars(P->Array->getType()).getQuantity();
    // The first byte of the element is one of the array.
    // That all of it lies further behind may be so in this build alone.
    const int64_t Room = Bytes - 1 - std::min<int64_t>(P->At.Lo, 0);
    return MostInArray{Room < 0 ? -1 : Room / P->At.Slope, P->Array, Element};
  }

  std::optional<Place> placeOf(const Expr *E, unsigned Depth) const {
    E = E->IgnoreParens();
    if (Depth > MaxDepth)
      return std::nullopt;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      if (!Var || !Var->hasAttr<CUDASharedAttr>() || Var->hasExternalStorage() ||
          Var->getType()->isReferenceType() || Var->getType()->isIncompleteType() ||
          Var->getType()->isDependentType())
        return std::nullopt;
      return Place{Var, Line()};
    }
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E); Cast && Cast->getCastKind() == CK_NoOp)
      return placeOf(Cast->getSubExpr(), Depth + 1);
    // Further on in the same element.
    if (const auto *Member = dyn_cast<MemberExpr>(E);
        Member && !Member->isArrow() && isa<FieldDecl>(Member->getMemberDecl()) &&
        !Member->getMemberDecl()->getType()->isReferenceType())
      return placeOf(Member->getBase(), Depth + 1);
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return movedBy(Sub->getBase(), Sub->getIdx(), Sub->getType(), Depth);
    if (const auto *Deref = dyn_cast<UnaryOperator>(E); Deref && Deref->getOpcode() == UO_Deref)
      return pointedBy(Deref->getSubExpr(), Depth + 1);
    return std::nullopt;
  }

  std::optional<Place> pointedBy(const Expr *Pointer, unsigned Depth) const {
    Pointer = Pointer->IgnoreParens();
    if (Depth > MaxDepth)
      return std::nullopt;
    if (const auto *Cast = dyn_cast<CastExpr>(Pointer)) {
      if (Cast->getCastKind() == CK_ArrayToPointerDecay)
        return placeOf(Cast->getSubExpr(), Depth + 1);
      if (is_contained({CK_BitCast, CK_NoOp, CK_LValueToRValue}, Cast->getCastKind()))
        return pointedBy(Cast->getSubExpr(), Depth + 1);
      return std::nullopt;
    }
    if (const VarDecl *Var = referencedVar(Pointer))
      return Var->getType()->isPointerType() && Of.isSetOnce(Var) && !Of.hasOtherNames(Var)
                 ? pointedBy(Var->getInit(), Depth + 1)
                 : std::nullopt;
    if (const auto *Op = dyn_cast<UnaryOperator>(Pointer); Op && Op->getOpcode() == UO_AddrOf)
      return placeOf(Op->getSubExpr(), Depth + 1);
    if (const auto *Sum = dyn_cast<BinaryOperator>(Pointer);
        Sum && Sum->getOpcode() == BO_Add && Sum->getLHS()->getType()->isPointerType())
      return movedBy(Sum->getLHS(), Sum->getRHS(), Sum->getType()->getPointeeType(), Depth);
    return std::nullopt;
  }

  std::optional<Place> movedBy(const Expr *Base, const Expr *Index, QualType T,
                               unsigned Depth) const {
    std::optional<Place> From = pointedBy(Base, Depth + 1);
    const std::optional<Line> By =
        From && !T->isIncompleteType() ? lineOf(Index, Depth + 1) : std::nullopt;
    if (!By)
      return std::nullopt;
    const std::optional<Line> Bytes = times(*By, Context.getTypeSizeInChars(T).getQuantity());
    const std::optional<Line> Sum = Bytes ? plus(From->At, *Bytes) : std::nullopt;
    return Sum ? std::optional(Place{From->Array, *Sum}) : std::nullopt;
  }

  static bool fits(int64_t N) { return N > -(int64_t(1) << 40) && N < int64_t(1) << 40; }
  static std::optional<Line> plus(const Line &A, const Line &B) {
    Line Sum{A.Slope + B.Slope, A.Lo + B.Lo, std::nullopt};
    if (A.Hi && B.Hi && fits(*A.Hi + *B.Hi))
      Sum.Hi = *A.Hi + *B.Hi;
    return fits(Sum.Slope) && fits(Sum.Lo) ? std::optional(Sum) : std::nullopt;
  }
  static std::optional<Line> times(const Line &A, int64_t By) {
    if (By < 0 || By > Moderate)
      return std::nullopt;
    Line Product{A.Slope * By, A.Lo * By, std::nullopt};
    if (A.Hi && fits(*A.Hi * By))
      Product.Hi = *A.Hi * By;
    return fits(Product.Slope) && fits(Product.Lo) ? std::optional(Product) : std::nullopt;
  }

  /// What a sum or product of type \p T is: one that goes round is a line no longer. Up to the turn
  /// that leaves the array it does not, if all its parts are small; of a signed number that has no
  /// meaning.
  std::optional<Line> in(QualType T, std::optional<Line> L) const {
    if (!L || Context.getIntWidth(T) < 32)
      return std::nullopt;
    if (T->isUnsignedIntegerType() &&
        (L->Lo < 0 || !L->Hi || *L->Hi > Moderate || L->Slope > Small || !IsSmall))
      return std::nullopt;
    return L;
  }

  std::optional<Line> lineOf(const Expr *E, unsigned Depth) const {
    E = E->IgnoreParens();
    if (Depth > MaxDepth || !E->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    if (const std::optional<Line> L = sumOf(E, Depth))
      return L;
    const std::optional<ValueRange> R = Of.range(E);
    if (!R || !fits(R->Lo))
      return std::nullopt;
    return Line{0, R->Lo, fits(R->Hi) ? std::optional(R->Hi) : std::nullopt};
  }

  /// With the counter in it; nothing: it is not, or not in this way.
  std::optional<Line> sumOf(const Expr *E, unsigned Depth) const {
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      const QualType From = Cast->getSubExpr()->getType();
      if (Cast->getCastKind() == CK_LValueToRValue || Cast->getCastKind() == CK_NoOp)
        return sumOf(Cast->getSubExpr()->IgnoreParens(), Depth + 1);
      if (Cast->getCastKind() != CK_IntegralCast || !From->isIntegralOrEnumerationType() ||
          Context.getIntWidth(E->getType()) < Context.getIntWidth(From))
        return std::nullopt;
      const std::optional<Line> L = lineOf(Cast->getSubExpr(), Depth + 1);
      // A number that becomes a signed one of its own width may lose its meaning.
      if (L && From->isUnsignedIntegerType() && E->getType()->isSignedIntegerType() &&
          Context.getIntWidth(E->getType()) == Context.getIntWidth(From) &&
          (!IsSmall || L->Slope > Small || !L->Hi || *L->Hi > Moderate))
        return std::nullopt;
      return in(E->getType(), L);
    }
    if (const VarDecl *Var = referencedVar(E)) {
      if (Var == Counter)
        return in(E->getType(), Line{1, 0, 0});
      // Of this turn.
      return Of.isSetOnce(Var) && !Of.hasOtherNames(Var) && declaredIn(For->getBody(), Var) &&
                     Context.hasSameUnqualifiedType(Var->getType(), Var->getInit()->getType())
                 ? lineOf(Var->getInit(), Depth + 1)
                 : std::nullopt;
    }
    const auto *Op = dyn_cast<BinaryOperator>(E);
    if (!Op || !is_contained({BO_Add, BO_Sub, BO_Mul, BO_Shl}, Op->getOpcode()))
      return std::nullopt;
    const std::optional<Line> A = lineOf(Op->getLHS(), Depth + 1),
                              B = A ? lineOf(Op->getRHS(), Depth + 1) : std::nullopt;
    if (!B)
      return std::nullopt;
    auto Number = [](const Line &L) {
      return L.Slope == 0 && L.Hi == L.Lo ? std::optional(L.Lo) : std::nullopt;
    };
    switch (Op->getOpcode()) {
    case BO_Add:
      return in(E->getType(), plus(*A, *B));
    case BO_Sub:
      if (B->Slope != 0 || !B->Hi)
        return std::nullopt;
      return in(E->getType(), plus(*A, Line{0, -*B->Hi, -B->Lo}));
    case BO_Mul:
      if (const std::optional<int64_t> N = Number(*B))
        return in(E->getType(), times(*A, *N));
      if (const std::optional<int64_t> N = Number(*A))
        return in(E->getType(), times(*B, *N));
      return std::nullopt;
    default:
      if (const std::optional<int64_t> N = Number(*B); N && *N >= 0 && *N < 24)
        return in(E->getType(), times(*A, int64_t(1) << *N));
      return std::nullopt;
    }
  }
};

} // namespace

std::optional<MostInArray> mostInArrays(const ForStmt *For, const VarDecl *Counter,
                                        ValueRange Begin, int64_t MostStep,
                                        const FunctionValues &Of, const ASTContext &Context) {
  // From there on upwards.
  if (Begin.Lo < 0)
    return std::nullopt;
  return ArrayReader(For, Counter, Begin, MostStep, Of, Context).run();
}

} // namespace cuda_pipeline
