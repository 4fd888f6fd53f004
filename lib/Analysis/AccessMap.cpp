//===- AccessMap.cpp - Elements that the stores of a tile touch -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessMap.h"
#include "../Model/AstUtil.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr unsigned long MaxIslOperations = 200000;
constexpr unsigned MaxDepth = 32;

/// Writes expressions in isl's notation.
class AffineText {
public:
  AffineText(const TileModel &Model, const ASTContext &Context)
      : Facts(*Model.Facts), Context(Context) {}

  std::vector<std::string> Parameters;
  std::vector<std::string> Constraints; ///< on parameters

  /// Counters of the enclosing copy loops and their isl names.
  using Counters = std::map<const VarDecl *, std::string>;

  /// Byte offset of the lvalue inside of its array; none when not quasi-affine.
  std::optional<std::string> offset(const Expr *LValue, const Counters &C, unsigned Depth = 0) {
    if (Depth > MaxDepth)
      return std::nullopt;
    const Expr *E = LValue->IgnoreParens();
    if (isa<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(cast<DeclRefExpr>(E)->getDecl());
      if (Var && Var->getType()->isReferenceType() && Var->hasInit())
        return offset(Var->getInit(), C, Depth + 1);
      return std::string("0");
    }
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
      std::optional<std::string> Base = pointer(Sub->getBase(), C, Depth + 1);
      std::optional<std::string> Index = value(Sub->getIdx(), C, Depth + 1);
      if (!Base || !Index)
        return std::nullopt;
      int64_t Size = Context.getTypeSizeInChars(E->getType()).getQuantity();
      return "(" + *Base + " + " + std::to_string(Size) + "*(" + *Index + "))";
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->getOpcode() == UO_Deref)
      return pointer(Op->getSubExpr(), C, Depth + 1);
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      if (!Field || Field->isBitField())
        return std::nullopt;
      std::optional<std::string> Base = Member->isArrow()
                                            ? pointer(Member->getBase(), C, Depth + 1)
                                            : offset(Member->getBase(), C, Depth + 1);
      if (!Base)
        return std::nullopt;
      uint64_t Bits = Context.getFieldOffset(Field);
      return "(" + *Base + " + " + std::to_string(Bits / 8) + ")";
    }
    if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->isGLValue())
      return offset(Cast->getSubExpr(), C, Depth + 1);
    return std::nullopt;
  }

  /// The same in every turn of the copy loops.
  bool isInvariant(const Expr *E, const Counters &C) { return parameter(E, C).has_value(); }
  bool dependsOnCounter(const Expr *E, const Counters &C) { return mentionsCounter(E, C); }

private:
  std::optional<std::string> pointer(const Expr *P, const Counters &C, unsigned Depth) {
    if (Depth > MaxDepth)
      return std::nullopt;
    const Expr *E = P->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (Cast->getCastKind() == CK_ArrayToPointerDecay)
        return offset(Cast->getSubExpr(), C, Depth + 1);
      if (Cast->getCastKind() == CK_LValueToRValue) {
        if (const VarDecl *Var = referencedVar(Cast->getSubExpr());
            Var && Facts.Values->isSetOnce(Var))
          return pointer(Var->getInit(), C, Depth + 1);
        return std::nullopt;
      }
      return pointer(Cast->getSubExpr(), C, Depth + 1);
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->getOpcode() == UO_AddrOf)
      return offset(Op->getSubExpr(), C, Depth + 1);
    if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isAdditiveOp()) {
      bool Left = Op->getLHS()->getType()->isPointerType();
      const Expr *Base = Left ? Op->getLHS() : Op->getRHS();
      const Expr *Index = Left ? Op->getRHS() : Op->getLHS();
      if (!Base->getType()->isPointerType() || Index->getType()->isPointerType())
        return std::nullopt;
      std::optional<std::string> B = pointer(Base, C, Depth + 1), I = value(Index, C, Depth + 1);
      if (!B || !I)
        return std::nullopt;
      int64_t Size =
          Context.getTypeSizeInChars(Base->getType()->getPointeeType()).getQuantity();
      return "(" + *B + (Op->getOpcode() == BO_Add ? " + " : " - ") + std::to_string(Size) + "*(" +
             *I + "))";
    }
    return std::nullopt;
  }

  bool mentionsCounter(const Expr *E, const Counters &C, unsigned Depth = 0) {
    if (Depth > MaxDepth)
      return true;
    if (const VarDecl *Var = referencedVar(E)) {
      if (C.count(Var))
        return true;
      if (Facts.DeclaredInBody.count(Var))
        return !Facts.Values->isSetOnce(Var) ||
               mentionsCounter(Var->getInit(), C, Depth + 1);
      return false;
    }
    for (const Stmt *Child : E->children())
      if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
        if (mentionsCounter(Sub, C, Depth + 1))
          return true;
    return false;
  }

  /// Something that the thread does not change while it loads one tile.
  std::optional<std::string> parameter(const Expr *E, const Counters &C) {
    if (mentionsCounter(E, C))
      return std::nullopt;
    Effects Eff = Facts.Collector->collect(E);
    for (const Access &A : Eff.Accesses) {
      if (A.Write)
        return std::nullopt;
      for (const MemoryRoot &R : A.Roots) {
        if (R.In != Space::Local && R.In != Space::Param && R.In != Space::Constant)
          return std::nullopt;
        // State that the load phase itself steps has several values in one phase.
        for (const Access &W : Facts.Segment[0].Accesses)
          if (W.Write && R.Decl && W.touches(R.Decl) &&
              !(isa<VarDecl>(R.Decl) && Facts.Values->isSetOnce(cast<VarDecl>(R.Decl))))
            return std::nullopt;
      }
    }
    for (const Action &A : Eff.Actions)
      if (A.Kind != Action::Call || A.Function != FunctionKind::Pure)
        return std::nullopt;
    FoldingSetNodeID Id;
    E->IgnoreParenImpCasts()->Profile(Id, Context, true);
    for (auto &[Known, Name] : Names)
      if (Known == Id)
        return Name;
    std::string Name = "p" + std::to_string(Names.size());
    Names.push_back({Id, Name});
    Parameters.push_back(Name);
    if (std::optional<ValueRange> R = Facts.Values->range(E))
      Constraints.push_back(std::to_string(R->Lo) + " <= " + Name + " <= " + std::to_string(R->Hi));
    return Name;
  }

  std::optional<std::string> value(const Expr *Ex, const Counters &C, unsigned Depth) {
    if (Depth > MaxDepth)
      return std::nullopt;
    if (std::optional<int64_t> V = Facts.Values->fold(Ex))
      return "(" + std::to_string(*V) + ")";
    const Expr *E = Ex->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      switch (Cast->getCastKind()) {
      case CK_LValueToRValue:
      case CK_NoOp:
        return value(Cast->getSubExpr(), C, Depth + 1);
      case CK_IntegralCast: {
        // Unsigned and narrow types wrap; fine where the value is known to fit.
        if (Facts.Values->range(E) || widens(Cast))
          return value(Cast->getSubExpr(), C, Depth + 1);
        if (mentionsCounter(E, C) && fitsWithCounters(Cast->getSubExpr(), Cast->getType()))
          return value(Cast->getSubExpr(), C, Depth + 1);
        return parameter(E, C);
      }
      default:
        return parameter(E, C);
      }
    }
    if (const VarDecl *Var = referencedVar(E)) {
      auto It = C.find(Var);
      if (It != C.end())
        return It->second;
      if (Facts.DeclaredInBody.count(Var) && Facts.Values->isSetOnce(Var))
        return value(Var->getInit(), C, Depth + 1);
      return parameter(E, C);
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      switch (Op->getOpcode()) {
      case BO_Add:
      case BO_Sub: {
        if (mayWrap(Op))
          break;
        auto L = value(Op->getLHS(), C, Depth + 1), R = value(Op->getRHS(), C, Depth + 1);
        if (L && R)
          return "(" + *L + (Op->getOpcode() == BO_Add ? " + " : " - ") + *R + ")";
        break;
      }
      case BO_Mul: {
        if (mayWrap(Op))
          break;
        auto LV = Facts.Values->fold(Op->getLHS()), RV = Facts.Values->fold(Op->getRHS());
        if (LV || RV) {
          auto Other = value(LV ? Op->getRHS() : Op->getLHS(), C, Depth + 1);
          if (Other)
            return "(" + std::to_string(LV ? *LV : *RV) + "*" + *Other + ")";
        }
        break;
      }
      case BO_Shl: {
        if (mayWrap(Op))
          break;
        auto RV = Facts.Values->fold(Op->getRHS());
        auto L = value(Op->getLHS(), C, Depth + 1);
        if (RV && *RV >= 0 && *RV < 20 && L)
          return "(" + std::to_string(int64_t(1) << *RV) + "*" + *L + ")";
        break;
      }
      case BO_Div:
      case BO_Rem:
      case BO_Shr:
      case BO_And: {
        auto RV = Facts.Values->fold(Op->getRHS());
        if (!RV || *RV <= 0 || !nonNegative(Op->getLHS()))
          break;
        int64_t Divisor = *RV;
        bool Remainder = Op->getOpcode() == BO_Rem;
        if (Op->getOpcode() == BO_Shr) {
          if (*RV >= 31)
            break;
          Divisor = int64_t(1) << *RV;
        } else if (Op->getOpcode() == BO_And) {
          // x & (2^n - 1)
          if ((*RV & (*RV + 1)) != 0)
            break;
          Divisor = *RV + 1;
          Remainder = true;
        }
        auto L = value(Op->getLHS(), C, Depth + 1);
        if (!L)
          break;
        if (Remainder)
          return "((" + *L + ") mod " + std::to_string(Divisor) + ")";
        return "(floor((" + *L + ")/" + std::to_string(Divisor) + "))";
      }
      default:
        break;
      }
      return parameter(E, C);
    }
    return parameter(E, C);
  }

  /// isl's division floors, C++'s truncates: the same only for non-negative values.
  bool nonNegative(const Expr *E) {
    const Expr *Inner = E->IgnoreParenImpCasts();
    if (Inner->getType()->isUnsignedIntegerType() && !isa<BinaryOperator>(Inner) &&
        !isa<UnaryOperator>(Inner))
      return true; // a plain unsigned value
    if (std::optional<ValueRange> R = Facts.Values->range(E))
      return R->Lo >= 0;
    return counterRange(E, 0).has_value() && counterRange(E, 0)->Lo >= 0;
  }

  /// Unsigned arithmetic is modelled only where it is known not to wrap.
  bool mayWrap(const BinaryOperator *Op) {
    if (!Op->getType()->isUnsignedIntegerType())
      return false;
    std::optional<ValueRange> R = counterRange(Op, 0);
    return !R || R->Lo < 0 || R->Hi >= (1ll << 32);
  }

  /// Ranges that also know the copy loops' counters.
  std::optional<ValueRange> counterRange(const Expr *E, unsigned Depth) {
    if (Depth > MaxDepth)
      return std::nullopt;
    if (std::optional<ValueRange> R = Facts.Values->range(E))
      return R;
    E = E->IgnoreParenImpCasts();
    if (const VarDecl *Var = referencedVar(E)) {
      auto It = CounterRanges.find(Var);
      if (It != CounterRanges.end())
        return It->second;
      if (Facts.Values->isSetOnce(Var))
        return counterRange(Var->getInit(), Depth + 1);
      return std::nullopt;
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      auto L = counterRange(Op->getLHS(), Depth + 1), R = counterRange(Op->getRHS(), Depth + 1);
      if (!L || !R || L->Lo < 0 || R->Lo < 0 || L->Hi > (1ll << 30) || R->Hi > (1ll << 30))
        return std::nullopt;
      switch (Op->getOpcode()) {
      case BO_Add:
        return ValueRange{L->Lo + R->Lo, L->Hi + R->Hi};
      case BO_Sub:
        return ValueRange{L->Lo - R->Hi, L->Hi - R->Lo};
      case BO_And:
        return ValueRange{0, std::min(L->Hi, R->Hi)};
      case BO_Shr:
        return R->Hi < 31 ? std::optional<ValueRange>({L->Lo >> R->Hi, L->Hi >> R->Lo})
                          : std::nullopt;
      case BO_Shl:
        return R->Hi < 20 ? std::optional<ValueRange>({L->Lo << R->Lo, L->Hi << R->Hi})
                          : std::nullopt;
      case BO_Mul:
        return ValueRange{L->Lo * R->Lo, L->Hi * R->Hi};
      case BO_Div:
        return R->Lo > 0 ? std::optional<ValueRange>({L->Lo / R->Hi, L->Hi / R->Lo}) : std::nullopt;
      case BO_Rem:
        return R->Lo > 0 ? std::optional<ValueRange>({0, R->Hi - 1}) : std::nullopt;
      default:
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  bool widens(const CastExpr *Cast) const {
    QualType From = Cast->getSubExpr()->getType(), To = Cast->getType();
    if (!From->isIntegralOrEnumerationType() || !To->isIntegralOrEnumerationType())
      return false;
    unsigned FromBits = Context.getIntWidth(From), ToBits = Context.getIntWidth(To);
    bool FromSigned = From->isSignedIntegerOrEnumerationType(),
         ToSigned = To->isSignedIntegerOrEnumerationType();
    if (FromSigned == ToSigned)
      return ToBits >= FromBits;
    return !FromSigned && ToSigned && ToBits > FromBits;
  }

  bool fitsWithCounters(const Expr *E, QualType T) {
    std::optional<ValueRange> R = counterRange(E, 0);
    unsigned Bits = Context.getIntWidth(T) - (T->isSignedIntegerOrEnumerationType() ? 1 : 0);
    return R && R->Lo >= 0 && R->Hi < (int64_t(1) << std::min(Bits, 31u));
  }

public:
  std::map<const VarDecl *, ValueRange> CounterRanges;

private:
  const LoopFacts &Facts;
  const ASTContext &Context;
  std::vector<std::pair<FoldingSetNodeID, std::string>> Names;

  friend class OverlapQuestion;
};

/// Copies in different arms of one if.
enum class Exclusion {
  None,
  PerTurn, ///< not both in the same turn of the copy loops around the if
  Always
};

Exclusion exclusive(const TileCopy &A, const TileCopy &B, const TileModel &Model) {
  struct Finder {
    const Expr *A, *B;
    unsigned LoopDepth = 0;
    std::optional<unsigned> IfDepth; ///< loops around the if that separates them
    /// Bit 1: contains A, bit 2: contains B.
    unsigned find(const Stmt *S) {
      if (!S)
        return 0;
      unsigned Mask = S == A ? 1 : S == B ? 2 : 0;
      if (const auto *If = dyn_cast<IfStmt>(S)) {
        unsigned T = find(If->getThen()), E = find(If->getElse());
        if ((T == 1 && E == 2) || (T == 2 && E == 1))
          IfDepth = LoopDepth;
        return T | E;
      }
      bool Loop = isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S);
      LoopDepth += Loop;
      for (const Stmt *Child : S->children())
        Mask |= find(Child);
      LoopDepth -= Loop;
      return Mask;
    }
  } F{A.Store, B.Store, 0, std::nullopt};
  for (const Stmt *S : Model.Segments[0])
    F.find(S);
  if (!F.IfDepth)
    return Exclusion::None;
  if (*F.IfDepth == 0)
    return Exclusion::Always;
  return A.Loops == B.Loops && *F.IfDepth == A.Loops.size() ? Exclusion::PerTurn : Exclusion::None;
}

} // namespace

Answer storesOfOneThreadOverlap(const TileModel &Model, const TileBuffer &Buffer,
                                const ASTContext &Context) {
  std::vector<const TileCopy *> Copies;
  for (const TileCopy &C : Model.Copies)
    if (C.Buffer == &Buffer)
      Copies.push_back(&C);
  if (Copies.size() == 1 && Copies[0]->Loops.empty())
    return Answer::No;

  isl_ctx *Isl = isl_ctx_alloc();
  isl_options_set_on_error(Isl, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(Isl, MaxIslOperations);
  Answer Result = Answer::No;

  for (size_t I = 0; I < Copies.size() && Result == Answer::No; ++I)
    for (size_t J = I; J < Copies.size() && Result == Answer::No; ++J) {
      const TileCopy &A = *Copies[I], &B = *Copies[J];
      if (I == J && A.Loops.empty())
        continue;
      Exclusion Arms = I == J ? Exclusion::PerTurn : exclusive(A, B, Model);
      if (Arms == Exclusion::Always)
        continue;
      AffineText Text(Model, Context);
      std::vector<std::string> Dims, Conditions;
      std::string Different;
      bool Good = true;
      auto Bind = [&](const TileCopy &C, StringRef Prefix, AffineText::Counters &Map) {
        for (const CopyLoop *Loop : C.Loops) {
          if (!Loop->Counter || (Loop->StepValue && *Loop->StepValue <= 0)) {
            Good = false;
            return;
          }
          if (!Loop->StepValue) {
            // `i += blockDim.x`: the counter itself is the dimension. A loop that ends never has the
            // same counter in two turns, as long as it always goes on by the same step.
            if (!Text.isInvariant(Loop->Step, Map)) {
              Good = false;
              return;
            }
            std::string Counter = (Prefix + Twine(Dims.size())).str();
            Dims.push_back(Counter);
            Map[Loop->Counter] = Counter;
            std::optional<ValueRange> Step = Model.Facts->Values->range(Loop->Step);
            std::optional<ValueRange> First = Model.Facts->Values->range(Loop->Begin);
            bool Rising = Step && Step->Lo > 0 && First && First->Lo >= 0;
            if (Rising)
              Conditions.push_back(std::to_string(First->Lo) + " <= " + Counter);
            if (Loop->EndValue && Rising) {
              Conditions.push_back(Counter + (Loop->Inclusive ? " <= " : " < ") +
                                   std::to_string(*Loop->EndValue));
              Text.CounterRanges[Loop->Counter] = {First->Lo, *Loop->EndValue};
            }
            continue;
          }
          // A start that depends on an outer copy loop is not the same in all of its turns.
          if (!Loop->BeginValue && Text.dependsOnCounter(Loop->Begin, Map)) {
            Good = false;
            return;
          }
          std::string Turn = (Prefix + Twine(Dims.size())).str();
          Dims.push_back(Turn);
          Conditions.push_back("0 <= " + Turn);
          if (Loop->MaxTrips)
            Conditions.push_back(Turn + " < " + std::to_string(*Loop->MaxTrips));
          // Counter = Begin + Step * turn; Begin as a parameter of the thread.
          std::string Begin;
          if (Loop->BeginValue) {
            Begin = std::to_string(*Loop->BeginValue);
          } else {
            Begin = "b" + std::to_string(reinterpret_cast<uintptr_t>(Loop) & 0xffffff);
            if (!is_contained(Text.Parameters, Begin))
              Text.Parameters.push_back(Begin);
            if (auto R = Model.Facts->Values->range(Loop->Begin))
              Text.Constraints.push_back(std::to_string(R->Lo) + " <= " + Begin +
                                         " <= " + std::to_string(R->Hi));
          }
          Map[Loop->Counter] =
              "(" + Begin + " + " + std::to_string(*Loop->StepValue) + "*" + Turn + ")";
          if (auto First = Model.Facts->Values->range(Loop->Begin); First && Loop->EndValue)
            Text.CounterRanges[Loop->Counter] = {First->Lo, *Loop->EndValue};
          if (Loop->EndValue && !Loop->BeginValue)
            Conditions.push_back(Map[Loop->Counter] + (Loop->Inclusive ? " <= " : " < ") +
                                 std::to_string(*Loop->EndValue));
        }
      };
      AffineText::Counters MapA, MapB;
      Bind(A, "i", MapA);
      size_t Split = Dims.size();
      Bind(B, "j", MapB);
      if (!Good) {
        Result = Answer::Unknown;
        break;
      }
      if (Arms == Exclusion::PerTurn) {
        for (size_t K = 0; K < Split; ++K)
          Different += (K ? " or " : "") + Dims[K] + " != " + Dims[Split + K];
      }
      std::optional<std::string> OA = Text.offset(A.Destination, MapA);
      std::optional<std::string> OB = Text.offset(B.Destination, MapB);
      if (!OA || !OB) {
        Result = Answer::Unknown;
        break;
      }
      std::string Set = "[" + join(Text.Parameters, ", ") + "] -> { [" + join(Dims, ", ") + "] : ";
      std::vector<std::string> All = Conditions;
      All.insert(All.end(), Text.Constraints.begin(), Text.Constraints.end());
      All.push_back(*OA + " < " + *OB + " + " + std::to_string(B.Bytes));
      All.push_back(*OB + " < " + *OA + " + " + std::to_string(A.Bytes));
      if (!Different.empty())
        All.push_back("(" + Different + ")");
      Set += join(All, " and ") + " }";
      isl_set *Overlap = isl_set_read_from_str(Isl, Set.c_str());
      isl_bool Empty = Overlap ? isl_set_is_empty(Overlap) : isl_bool_error;
      isl_set_free(Overlap);
      if (Empty == isl_bool_error)
        Result = Answer::Unknown;
      else if (Empty == isl_bool_false)
        Result = Answer::Yes;
    }
  isl_ctx_free(Isl);
  return Result;
}

} // namespace cuda_pipeline
