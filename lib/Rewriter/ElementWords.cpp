//===- ElementWords.cpp - Elements of tiles, in the words of the text ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementWords.h"
#include "../Model/AstUtil.h"
#include "../Model/LoopFacts.h"
#include "../Model/PtxText.h"
#include "AsyncOperations.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// \p S is \p Where, and no more.
static bool isSame(const Stmt *S, const Stmt *Where) {
  if (const auto *E = dyn_cast<Expr>(S))
    S = E->IgnoreUnlessSpelledInSource();
  return S == Where;
}

void ElementWords::takeOutUnused(ArrayRef<const Stmt *> Gone, Rewording &Out) const {
  if (Replaced.empty())
    return;
  struct Uses : ConstDynamicRecursiveASTVisitor {
    const std::set<const Stmt *> &Gone;
    DeclMap<VarDecl, unsigned> Count;
    DeclMap<VarDecl, const DeclStmt *> Declared;
    explicit Uses(const std::set<const Stmt *> &Gone) : Gone(Gone) {}
    bool TraverseStmt(const Stmt *S) override {
      return !S || Gone.count(S) || ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      if (const VarDecl *Var = mentionedVar(Ref))
        ++Count[Var];
      return true;
    }
    bool VisitDeclStmt(const DeclStmt *S) override {
      if (S->isSingleDecl())
        if (const auto *Var = dyn_cast<VarDecl>(S->getSingleDecl()))
          Declared[Var] = S;
      return true;
    }
  };
  std::set<const Stmt *> Left(Gone.begin(), Gone.end());
  for (bool Again = true; Again;) {
    Again = false;
    Uses U(Left);
    U.TraverseStmt(M.Loop->Function->getBody());
    for (const VarDecl *Var : Replaced)
      if (auto It = U.Declared.find(Var);
          U.Count.count(Var) == 0 && It != U.Declared.end() && Left.insert(It->second).second)
        if (std::optional<Edit> E = withoutStatement(It->second, Context)) {
          Out.Edits.push_back(*E);
          Again = true;
        }
  }
}

bool ElementWords::replace(const Stmt *S, const std::string &Text, Rewording &Out) const {
  std::optional<TextRange> R = textRange(S->getSourceRange(), Context);
  if (R)
    Out.Edits.push_back({R->Begin, R->End - R->Begin, Text});
  return R.has_value();
}

const Expr *ElementWords::pointer(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts();
    const auto *Cast = dyn_cast<ExplicitCastExpr>(E);
    if (!Cast || !Cast->getType()->isVoidPointerType())
      return E;
    E = Cast->getSubExpr();
  }
}

QualType ElementWords::pointee(const Expr *E) const {
  QualType T = E->getType();
  T = T->isArrayType() ? Context.getAsArrayType(T)->getElementType() : T->getPointeeType();
  if (T.isNull() || T->isIncompleteType() || T->isFunctionType() || T->isDependentType() ||
      T.isVolatileQualified())
    return QualType();
  return T->isArrayType() ? QualType() : T.getUnqualifiedType();
}

bool ElementWords::isPlain(QualType T) const {
  if (T->isArithmeticType())
    return !T->isBooleanType();
  const auto *Record = T->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() && vectorOf(Record->getName());
}

bool ElementWords::vectorOf(StringRef Name) {
  static const char *const Elements[] = {"char", "uchar",    "short",     "ushort", "int",
                                         "uint", "longlong", "ulonglong", "float",  "double"};
  return !Name.empty() && is_contained({'2', '4'}, Name.back()) &&
         is_contained(Elements, Name.drop_back());
}

std::string ElementWords::wide(QualType T, uint64_t Bytes) const {
  const bool Float = !T.isNull() && T->isSpecificBuiltinType(BuiltinType::Float);
  const bool Int = !T.isNull() && T->isSpecificBuiltinType(BuiltinType::Int);
  switch (Bytes) {
  case 4:
    return Float ? "float" : Int ? "int" : "unsigned";
  case 8:
    return Float ? "float2" : Int ? "int2" : "uint2";
  case 16:
    return Float ? "float4" : Int ? "int4" : "uint4";
  }
  return "";
}

std::string ElementWords::text(const Expr *E) const { return textOf(E, Context); }

bool ElementWords::isPostfix(const Expr *E) {
  return isa<DeclRefExpr>(E) || isa<ArraySubscriptExpr>(E) || isa<MemberExpr>(E) ||
         isa<CallExpr>(E);
}

std::string ElementWords::element(const Expr *Pointer, const std::string &As, bool Const) const {
  const std::string Whole = text(Pointer);
  if (Whole.empty())
    return "";
  if (!As.empty())
    return "*reinterpret_cast<" + std::string(Const ? "const " : "") + As + " *>(" + Whole + ")";
  if (const auto *Address = dyn_cast<UnaryOperator>(Pointer);
      Address && Address->getOpcode() == UO_AddrOf)
    return text(Address->getSubExpr());
  return isPostfix(Pointer) ? "*" + Whole : "*(" + Whole + ")";
}

std::optional<ElementWords::SharedPlace> ElementWords::sharedPlace(const Expr *E, const Stmt *Where,
                                                                   int64_t Bytes, int64_t Offset) {
  SharedPlace Out;
  const bool IsPointer = E->getType()->isPointerType() || E->getType()->isArrayType();
  if (IsPointer && Offset == 0) {
    Out.Pointer = pointer(E);
    return Out;
  }
  // In units of the whole, or of what the pointer points to.
  for (int64_t Unit = Bytes; Unit != 0;) {
    std::vector<const VarDecl *> Through;
    Out = SharedPlace();
    Out.Unit = Unit;
    Out.Bytes = Offset;
    if (IsPointer)
      Out.Pointer = pointer(E);
    else if (!addressTerms(E, Where, Out, Through))
      return std::nullopt;
    if (Out.Bytes >= 0 && Out.Bytes % Unit == 0 &&
        all_of(Out.Terms, [&](const SharedPlace::Term &T) { return T.Bytes % Unit == 0; })) {
      Replaced.insert(Through.begin(), Through.end());
      return Out;
    }
    const QualType T = pointee(Out.Pointer);
    const int64_t Own = T.isNull() ? 0 : Context.getTypeSizeInChars(T).getQuantity();
    Unit = Own < Unit ? Own : 0;
  }
  return std::nullopt;
}

/// The argument whose place in shared memory is the number that \p Call returns: of a function that
/// does nothing else, by `__cvta_generic_to_shared()` or by `cvta.to.shared.u64`. Null: it is none.
static const Expr *pointerOfCall(const CallExpr *Call, const ASTContext &Context) {
  const FunctionDecl *Callee = Call->getDirectCallee(), *Defined = nullptr;
  if (!Callee || !Callee->hasBody(Defined) || isa<CXXMethodDecl>(Callee) ||
      Call->getNumArgs() != Callee->getNumParams() || !Callee->getReturnType()->isIntegerType() ||
      Context.getTypeSize(Callee->getReturnType()) < 32)
    return nullptr;
  const auto *Body = dyn_cast<CompoundStmt>(Defined->getBody());
  DeclMap<VarDecl, const Expr *> Known;
  DeclMap<VarDecl, const Expr *> Converted; ///< set by assembly
  const Expr *Value = nullptr;
  if (!Body)
    return nullptr;
  for (const Stmt *S : Body->body()) {
    if (const auto *Declared = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Declared->decls()) {
        const auto *Var = dyn_cast<VarDecl>(D);
        if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType())
          return nullptr;
        if (Var->hasInit())
          Known[Var] = Var->getInit();
      }
    } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(S)) {
      const VarDecl *Var =
          Asm->getNumOutputs() == 1 ? referencedVar(Asm->getOutputExpr(0)) : nullptr;
      if (!Var || Asm->getNumInputs() != 1 || !readPtx(Asm, Context).MovesOnly ||
          !StringRef(Asm->getAsmString()).contains("cvta.to.shared") || Known.count(Var) ||
          !Converted.try_emplace(Var, Asm->getInputExpr(0)).second)
        return nullptr;
    } else if (const auto *Return = dyn_cast<ReturnStmt>(S); Return && !Value) {
      Value = Return->getRetValue();
    } else {
      return nullptr;
    }
  }
  bool IsPlace = false;
  for (unsigned I = 0; Value && I != 16; ++I) {
    Value = Value->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(Value)) {
      const bool Number =
          Cast->getType()->isIntegerType() && Cast->getSubExpr()->getType()->isIntegerType();
      if (!is_contained({CK_LValueToRValue, CK_NoOp, CK_IntegralCast, CK_BitCast},
                        Cast->getCastKind()) ||
          (Number && Context.getTypeSize(Cast->getType()) < 32))
        return nullptr;
      Value = Cast->getSubExpr();
      continue;
    }
    if (const Expr *Pointer = IsPlace ? nullptr : pointerOfNumber(Value)) {
      IsPlace = true;
      Value = Pointer;
      continue;
    }
    const VarDecl *Var = referencedVar(Value);
    if (!Var)
      return nullptr;
    if (const auto *Param = dyn_cast<ParmVarDecl>(Var))
      return IsPlace && Param->getType()->isPointerType() && Param->getDeclContext() == Defined
                 ? Call->getArg(Param->getFunctionScopeIndex())
                 : nullptr;
    if (const auto It = Converted.find(Var); It != Converted.end() && !IsPlace) {
      IsPlace = true;
      Value = It->second;
    } else if (const auto At = Known.find(Var); At != Known.end()) {
      Value = At->second;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

const Expr *ElementWords::withElements(const Expr *Pointer, const Stmt *Where,
                                       std::vector<const VarDecl *> &Through) const {
  for (unsigned I = 0; I != 8; ++I) {
    Pointer = pointer(Pointer);
    const VarDecl *Var = referencedVar(Pointer);
    if (!Var || !Var->getType()->isVoidPointerType() || !Var->hasInit() ||
        !M.Facts->Values->isSetOnce(Var) || !sameStill(Var, Where))
      break;
    Through.push_back(Var);
    Pointer = Var->getInit();
  }
  return Pointer;
}

bool ElementWords::addressTerms(const Expr *E, const Stmt *Where, SharedPlace &Out,
                                std::vector<const VarDecl *> &Through) const {
  E = withoutConversions(E);
  if (!E || Through.size() > 8)
    return false;
  const auto *Call = dyn_cast<CallExpr>(E);
  const Expr *Pointer = pointerOfNumber(E);
  if (!Pointer && Call)
    Pointer = pointerOfCall(Call, Context);
  if (Pointer) {
    Out.Pointer = withElements(Pointer, Where, Through);
    return Out.Pointer->getType()->isPointerType() || Out.Pointer->getType()->isArrayType();
  }
  if (const auto *Sum = dyn_cast<BinaryOperator>(E); Sum && Sum->getOpcode() == BO_Add) {
    for (auto [Address, Offset] :
         {std::pair(Sum->getLHS(), Sum->getRHS()), {Sum->getRHS(), Sum->getLHS()}}) {
      // The sum of numbers wraps around, that of a pointer and a number does not.
      const std::optional<ValueRange> Range = M.Facts->Values->range(Offset);
      SharedPlace Inner = Out;
      std::vector<const VarDecl *> Names = Through;
      if (Range && Range->Lo >= 0 && offsetTerms(Offset, 1, Inner) &&
          addressTerms(Address, Where, Inner, Names)) {
        Out = std::move(Inner);
        Through = std::move(Names);
        return true;
      }
    }
    return false;
  }
  const VarDecl *Var = referencedVar(E);
  if (!Var || !Var->hasInit())
    return false;
  // Another name, by which nothing is changed, of a number that stays the same.
  const bool Once = Var->getType()->isReferenceType()
                        ? Var->getType()->getPointeeType().isConstQualified()
                        : M.Facts->Values->isSetOnce(Var);
  if (!Once || !sameStill(Var, Where))
    return false;
  Through.push_back(Var);
  return addressTerms(Var->getInit(), Where, Out, Through);
}

const Expr *ElementWords::withoutConversions(const Expr *E) const {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(E)) {
      E = Full->getSubExpr();
      continue;
    }
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
      E = Temporary->getSubExpr();
      continue;
    }
    const auto *Cast = dyn_cast<CastExpr>(E);
    if (!Cast)
      return E;
    if (Cast->getCastKind() != CK_LValueToRValue && Cast->getCastKind() != CK_NoOp &&
        Cast->getCastKind() != CK_IntegralCast)
      return nullptr;
    if (!Cast->getType()->isIntegerType() || Context.getTypeSize(Cast->getType()) < 32)
      return nullptr;
    E = Cast->getSubExpr();
  }
}

bool ElementWords::offsetTerms(const Expr *E, int64_t Scale, SharedPlace &Out) const {
  if (std::optional<int64_t> Value = constantValue(E, Context)) {
    Out.Bytes += *Value * Scale;
    return std::abs(Out.Bytes) < (1 << 20) && std::abs(Scale) < (1 << 20);
  }
  const Expr *Inner = E->IgnoreParenImpCasts();
  if (const auto *Op = dyn_cast<BinaryOperator>(Inner);
      Op && Scale % Out.Unit != 0 && M.Facts->Values->range(Op)) {
    if (Op->getOpcode() == BO_Add)
      return offsetTerms(Op->getLHS(), Scale, Out) && offsetTerms(Op->getRHS(), Scale, Out);
    for (auto [Factor, Other] :
         {std::pair(Op->getLHS(), Op->getRHS()), {Op->getRHS(), Op->getLHS()}})
      if (const auto N = constantValue(Factor, Context);
          N && *N > 0 && *N < (1 << 20) && Scale < (1 << 20) && Op->getOpcode() == BO_Mul)
        return offsetTerms(Other, Scale * *N, Out);
    if (const auto N = constantValue(Op->getRHS(), Context);
        N && *N >= 0 && *N < 20 && Scale < (1 << 20) && Op->getOpcode() == BO_Shl)
      return offsetTerms(Op->getLHS(), Scale << *N, Out);
  }
  const std::optional<ValueRange> Range = M.Facts->Values->range(Inner);
  if (!Range || Range->Lo < 0)
    return false;
  Out.Terms.push_back({Inner, Scale});
  return true;
}

bool ElementWords::sameStill(const VarDecl *Var, const Stmt *Where) const {
  const DeclSet<VarDecl> Named = mentionedVars(Var->getInit());
  auto Keeps = [&](const VarDecl *V) {
    return M.Facts->Values->isSetOnce(V) || M.Facts->Values->isUnchangedParameter(V) ||
           V->getType()->isArrayType() || V->hasGlobalStorage();
  };
  if (readsMemory(Var->getInit()) ||
      any_of(Named, [](const VarDecl *V) { return V->getType()->isReferenceType(); }))
    return false;
  // Declared in front of it in the same block, and nothing changes between the two.
  if (const CompoundStmt *Block = blockWith(Var, M.Loop->Body))
    if (keptBetween(Block, Var, Where, Named))
      return true;
  // Another variable of the name would be taken for it.
  struct Others : ConstDynamicRecursiveASTVisitor {
    const DeclSet<VarDecl> &Named;
    bool Found = false;
    explicit Others(const DeclSet<VarDecl> &Named) : Named(Named) {}
    bool VisitVarDecl(const VarDecl *V) override {
      Found |= any_of(
          Named, [&](const VarDecl *N) { return N != V && N->getDeclName() == V->getDeclName(); });
      return true;
    }
  } O(Named);
  O.TraverseStmt(M.Loop->Function->getBody());
  return !O.Found && all_of(Named, Keeps);
}

bool ElementWords::keptBetween(const CompoundStmt *Block, const VarDecl *Var, const Stmt *Where,
                               const DeclSet<VarDecl> &Named) const {
  bool Since = false;
  for (const Stmt *S : Block->body()) {
    if (Since && encloses(S, Where))
      return isSame(S, Where);
    if (Since)
      for (const Access &A : M.Facts->Collector->collect(S).Accesses)
        if (A.Write && any_of(A.Roots, [&](const MemoryRoot &R) {
              return !R.Decl || any_of(Named, [&](const VarDecl *V) { return V == R.Decl; });
            }))
          return false;
    Since |= isa<DeclStmt>(S) && declares(S, Var);
  }
  return false;
}

bool ElementWords::readsMemory(const Expr *E) const {
  return any_of(M.Facts->Collector->collect(E).Accesses, [](const Access &A) {
    return A.Read && any_of(A.Roots, [](const MemoryRoot &R) {
             return R.In != Space::Local && R.In != Space::Param;
           });
  });
}

const CompoundStmt *ElementWords::blockWith(const VarDecl *Var, const Stmt *S) {
  if (!S)
    return nullptr;
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    if (any_of(Block->body(),
               [&](const Stmt *Child) { return isa<DeclStmt>(Child) && declares(Child, Var); }))
      return Block;
  for (const Stmt *Child : S->children())
    if (const CompoundStmt *Block = blockWith(Var, Child))
      return Block;
  return nullptr;
}

std::string ElementWords::elementAt(const SharedPlace &P, const std::string &As,
                                    unsigned Bytes) const {
  if (P.Terms.empty() && P.Bytes == 0)
    return element(P.Pointer, As, false);
  auto Sum = [&] {
    std::string Out;
    for (const SharedPlace::Term &T : P.Terms) {
      std::string Value = text(T.Value);
      if (Value.empty())
        return Value;
      const auto *Op = dyn_cast<BinaryOperator>(T.Value);
      const bool Tight = !Op || (T.Bytes == P.Unit &&
                                 (Op->isMultiplicativeOp() ||
                                  (Op->isAdditiveOp() && P.Terms.size() == 1 && P.Bytes == 0)));
      if (!Tight || isa<AbstractConditionalOperator>(T.Value))
        Value = "(" + Value + ")";
      Out += (Out.empty() ? "" : " + ") + Value +
             (T.Bytes == P.Unit ? "" : " * " + std::to_string(T.Bytes / P.Unit));
    }
    if (P.Bytes)
      Out += (Out.empty() ? "" : " + ") + std::to_string(P.Bytes / P.Unit);
    return Out;
  };
  const std::string Index = Sum();
  if (Index.empty())
    return "";
  const auto *Address = dyn_cast<UnaryOperator>(P.Pointer);
  const auto *At = Address && Address->getOpcode() == UO_AddrOf
                       ? dyn_cast<ArraySubscriptExpr>(Address->getSubExpr()->IgnoreParens())
                       : nullptr;
  // `&s[4]` and more: an element of s, if it has no rows that might end.
  if (At && As.empty() && referencedVar(At->getBase()->IgnoreParenImpCasts())) {
    const std::string Base = text(At->getBase()), First = text(At->getIdx());
    const Expr *I = At->getIdx()->IgnoreParenImpCasts();
    const bool Tight = isPostfix(I) || isa<IntegerLiteral>(I);
    return Base.empty() || First.empty() ? ""
                                         : Base + "[" +
                                               (constantValue(I, Context) == 0
                                                    ? ""
                                                    : (Tight ? First : "(" + First + ")") + " + ") +
                                               Index + "]";
  }
  if (P.Unit == Bytes) {
    const std::string Whole = indexed(P.Pointer, As, false);
    return Whole.empty() ? "" : Whole + "[" + Index + "]";
  }
  const std::string Whole = text(P.Pointer);
  const bool Tight = isPostfix(P.Pointer) || isa<UnaryOperator>(P.Pointer);
  return Whole.empty() || As.empty()
             ? ""
             : "*reinterpret_cast<" + As + " *>(" + (Tight ? Whole : "(" + Whole + ")") + " + " +
                   Index + ")";
}

std::string ElementWords::indexed(const Expr *Pointer, const std::string &As, bool Const) const {
  const std::string Whole = text(Pointer);
  if (Whole.empty())
    return "";
  if (!As.empty())
    return "reinterpret_cast<" + std::string(Const ? "const " : "") + As + " *>(" + Whole + ")";
  return isPostfix(Pointer) ? Whole : "(" + Whole + ")";
}
} // namespace cuda_pipeline
