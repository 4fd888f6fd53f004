//===- Fusion.cpp - Keeps products and sums of the compute phase together --===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `asm volatile("" : "+f"(sum));` is no instruction; it is a place that neither the value of `sum`
/// before it nor what is computed from it behind it can be moved across. Put around the compute
/// phase it keeps the compiler from taking a product and its sum apart (Contraction.h), so that
/// both are fused as before.
///
/// Of arrays, only those are named whose elements the compute phase names by loop counters and
/// constants: they are in registers. One that is indexed at run time is in local memory, where
/// nothing moves.
///
//===----------------------------------------------------------------------===//
#include "../Model/LoopFacts.h"
#include "Emitter.h"
#include "cuda-pipeline/Contraction.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr uint64_t MaxElements = 256; ///< as many registers as a thread has

/// The operands of an asm statement for one element, "$" for its name; empty for other types.
std::string operandsOf(QualType T) {
  const auto *Builtin = T->getAs<BuiltinType>();
  if (Builtin && Builtin->getKind() == BuiltinType::Float)
    return "\"+f\"($)";
  if (Builtin && Builtin->getKind() == BuiltinType::Double)
    return "\"+d\"($)";
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  if (!Record || !Record->getIdentifier() || !Record->getDeclContext()->isTranslationUnit())
    return "";
  StringRef Name = Record->getName();
  std::string Code = Name.starts_with("float") ? "\"+f\"" : "\"+d\"";
  unsigned Members = StringSwitch<unsigned>(Name)
                         .Cases({"float2", "double2"}, 2)
                         .Cases({"float3", "double3"}, 3)
                         .Cases({"float4", "double4"}, 4)
                         .Default(0);
  std::string Text;
  for (unsigned I = 0; I != Members; ++I)
    Text += (I ? ", " : "") + Code + "($." + "xyzw"[I] + ")";
  return Text;
}

/// Every subscript of the array is made of constants and of variables that the body declares.
struct RegisterIndices : ConstDynamicRecursiveASTVisitor {
  const VarDecl *Array;
  const DeclSet<VarDecl> &InBody;
  bool Good = true;
  RegisterIndices(const VarDecl *Array, const DeclSet<VarDecl> &InBody)
      : Array(Array), InBody(InBody) {}

  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *Sub) override {
    const Expr *Base = Sub;
    std::vector<const Expr *> Indices;
    while (const auto *Next = dyn_cast<ArraySubscriptExpr>(Base->IgnoreParenImpCasts())) {
      Indices.push_back(Next->getIdx());
      Base = Next->getBase();
    }
    if (referencedVar(Base) == Array)
      for (const Expr *Index : Indices)
        Good &= isStatic(Index);
    return Good;
  }
  bool isStatic(const Stmt *S) const {
    if (isa<CallExpr>(S) || isa<ArraySubscriptExpr>(S) || isa<MemberExpr>(S))
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      if (const VarDecl *Var = mentionedVar(Ref))
        return InBody.count(Var) || Var->isConstexpr();
    return all_of(S->children(), [&](const Stmt *C) { return !C || isStatic(C); });
  }
};

} // namespace

/// It has no value in front of the loop, and gets one before it is read: nothing is summed up in
/// it, and to name it there would be a use of what was never set.
bool Emitter::isSetFirst(const VarDecl *Var) const {
  if (Var->hasInit() || isa<ParmVarDecl>(Var))
    return false;
  auto Touches = [&](const Access &A) {
    return any_of(A.Roots, [&](const MemoryRoot &R) { return R.Decl == Var; });
  };
  for (const Effects &E : M.Facts->Segment)
    if (const auto First = find_if(E.Accesses, Touches); First != E.Accesses.end()) {
      if (First->Read || !First->Write)
        return false;
      break;
    }
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = SM.getExpansionLoc(M.Loop->Loop->getBeginLoc()),
                       End = SM.getExpansionLoc(M.Loop->Loop->getEndLoc());
  return none_of(M.Facts->Function->whole().Accesses, [&](const Access &A) {
    return A.Write && Touches(A) && !SM.isPointWithin(SM.getExpansionLoc(A.Loc), Begin, End);
  });
}

std::vector<const VarDecl *> Emitter::accumulators() const {
  const DeclSet<VarDecl> &InBody = M.Facts->DeclaredInBody;
  SetVector<const VarDecl *> Found;
  for (unsigned I = 1; I < 3; ++I)
    for (const Access &A : M.Facts->Segment[I].Accesses)
      for (const MemoryRoot &R : A.Roots) {
        const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
        if (!A.Write || !Var || !Var->hasLocalStorage() || InBody.count(Var) ||
            !Var->getIdentifier())
          continue;
        QualType T = Var->getType();
        if (T->isReferenceType() || T.isConstQualified() || T.isVolatileQualified())
          continue;
        // It is a closure's own, or another variable has its name here. A loop in a closure sees
        // what is around that.
        const NamedDecl *Meant = declaredAround(*M.Loop, Var->getIdentifier());
        if (Var->isInitCapture() ||
            (Meant != Var && (Meant || !isLambdaCallOperator(M.Loop->Function))))
          continue;
        // float in one instantiation, double in another: other letters.
        if (Pattern.isDependent(Var->getLocation()))
          continue;
        // Another variable of that name would be meant.
        if (any_of(InBody,
                   [&](const VarDecl *V) { return V->getIdentifier() == Var->getIdentifier(); }))
          continue;
        uint64_t Elements = 1;
        while (const auto *Array = Context.getAsConstantArrayType(T)) {
          Elements *= Array->getSize().getZExtValue();
          T = Array->getElementType();
        }
        if (T->isArrayType() || operandsOf(T).empty() || Elements == 0 || Elements > MaxElements ||
            isSetFirst(Var))
          continue;
        if (Var->getType()->isArrayType()) {
          RegisterIndices Indices(Var, InBody);
          for (unsigned K = 1; K < 3; ++K)
            for (const Stmt *S : M.Segments[K])
              Indices.TraverseStmt(S);
          if (!Indices.Good)
            continue;
        }
        Found.insert(Var);
      }
  std::vector<const VarDecl *> Result(Found.begin(), Found.end());
  const SourceManager &SM = Context.getSourceManager();
  sort(Result, [&](const VarDecl *A, const VarDecl *B) {
    return SM.isBeforeInTranslationUnit(A->getLocation(), B->getLocation());
  });
  return Result;
}

/// The store half of \p S branches: what follows it is another basic block.
bool Emitter::storeBranches(const Stmt *S) {
  if (!S || !keeps(S, Half::Store))
    return false;
  if (isa<IfStmt>(S) || isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S))
    return true;
  if (!isa<CompoundStmt>(S) && !isa<AttributedStmt>(S))
    return false;
  return any_of(S->children(), [&](const Stmt *Child) { return storeBranches(Child); });
}

/// Decides whether the compute phase is to be held together in front of it, and behind it, where
/// \p Branches may follow; returns the declaration of what does so.
LoopParts Emitter::declareHold(bool Branches) {
  Contraction Sums = findContraction(M);
  bool Before = Sums.Loose, Behind = Sums.Fusable && Branches;
  std::string In = Indent + Unit, Body;
  if (!Before && !Behind)
    return {};
  std::vector<std::string> Plain;
  static constexpr llvm::StringLiteral Names[] = {"i", "j", "k", "l"};
  std::vector<std::string> Counters;
  for (const VarDecl *Var : accumulators()) {
    QualType T = Var->getType();
    std::string Element = Var->getNameAsString(), Pad = In;
    for (unsigned Depth = 0; const auto *Array = Context.getAsConstantArrayType(T); ++Depth) {
      if (Depth == Counters.size())
        Counters.push_back(fresh(Names[std::min<size_t>(Depth, std::size(Names) - 1)]));
      const std::string &Index = Counters[Depth];
      Body += Pad + "#pragma unroll\n" + Pad + "for (unsigned " + Index + " = 0; " + Index +
              " < sizeof(" + Element + ") / sizeof(" + Element + "[0]); ++" + Index + ")\n";
      Element += "[" + Index + "]";
      Pad += Unit;
      T = Array->getElementType();
    }
    std::string Operands = operandsOf(T);
    for (size_t P = Operands.find('$'); P != std::string::npos; P = Operands.find('$'))
      Operands.replace(P, 1, Element);
    if (Var->getType()->isArrayType())
      Body += Pad + "asm volatile(\"\" : " + Operands + ");\n";
    else
      Plain.push_back(std::move(Operands));
  }
  // An asm statement has at most 30 operands.
  for (size_t I = 0; I < Plain.size(); I += 6)
    Body += In + "asm volatile(\"\" : " +
            join(ArrayRef(Plain).slice(I, std::min<size_t>(6, Plain.size() - I)), ", ") + ");\n";
  if (Body.empty())
    return {};
  std::string Name = fresh("keep_rounding");
  if (Before)
    HoldBefore = In + Name + "();\n";
  if (Behind)
    HoldBehind = In + Name + "();\n";
  return {LoopPart::comment("Emits no instruction: keeps products and sums fused as they were, so "
                            "that nothing rounds differently."),
          LoopPart::function(Name, "", {LoopPart::text(std::move(Body))})};
}

} // namespace cuda_pipeline
