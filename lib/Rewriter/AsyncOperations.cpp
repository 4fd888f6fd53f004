//===- AsyncOperations.cpp - Copies under way, in a function ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncOperations.h"
#include "../Model/AstUtil.h"
#include "../Model/KnownFunctions.h"
#include "../Model/PtxText.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

const Expr *pointerOfNumber(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() && Call->getNumArgs() == 1 &&
                 (Callee->getName() == "__cvta_generic_to_shared" ||
                  Callee->getName() == "__cvta_generic_to_global") &&
                 Callee->getDeclContext()->getRedeclContext()->isTranslationUnit()
             ? Call->getArg(0)
             : nullptr;
}

namespace {

/// Conversions that keep a place what it is: between pointers, and to numbers that can be addresses
/// in shared memory. Of a condition those that keep it false or true.
const Expr *withoutCasts(const Expr *E, bool AsCondition, const ASTContext &Context) {
  for (;;) {
    E = E->IgnoreParens();
    const auto *Cast = dyn_cast<CastExpr>(E);
    if (!Cast)
      return E;
    const QualType From = Cast->getSubExpr()->getType(), To = Cast->getType();
    const bool Keeps =
        Cast->getCastKind() == CK_LValueToRValue || Cast->getCastKind() == CK_NoOp ||
        (AsCondition ? Cast->getCastKind() == CK_IntegralToBoolean ||
                           (Cast->getCastKind() == CK_IntegralCast && From->isBooleanType())
                     : !To->isIntegerType() || Context.getTypeSize(To) >= 32);
    if (!Keeps)
      return E;
    E = Cast->getSubExpr();
  }
}

/// Variables of a function's body that are set once, and what they are worth.
using Locals = DeclMap<VarDecl, const Expr *>;

class Finder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Finder(ASTContext &Context) : Context(Context) {}
  std::map<const Stmt *, AsyncOperation> Found;

  bool VisitCallExpr(const CallExpr *Call) override {
    if (std::optional<AsyncOperation> Op = ofCall(Call, 0))
      Found.emplace(Call, *Op);
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    if (readPtx(Asm, Context).AboutCopies)
      Found.emplace(Asm, ofAssembly(Asm));
    return true;
  }

private:
  ASTContext &Context;

  /// `c ? 16 : 0` bytes, of \p Op.Bytes, are copied, or filled; \p Known: what variables are worth.
  /// False: it is another number.
  bool setCondition(AsyncOperation &Op, const Expr *Size, bool Filled, const Locals &Known) const {
    const int64_t All = Filled ? 0 : Op.Bytes, None = Filled ? Op.Bytes : 0;
    Size = worth(Size, Known);
    if (constantValue(Size, Context) == All)
      return true;
    // A variable that holds it says by itself which of the two it is.
    if (const VarDecl *Var = referencedVar(Size);
        Var && Var->getType().isConstQualified() && !Var->getType().isVolatileQualified() &&
        Var->getType()->isIntegerType() && Var->hasInit()) {
      const auto *Chosen = dyn_cast<ConditionalOperator>(Var->getInit()->IgnoreParenImpCasts());
      if (!Chosen)
        return false;
      const auto A = constantValue(Chosen->getTrueExpr(), Context),
                 B = constantValue(Chosen->getFalseExpr(), Context);
      Op.If = Size;
      Op.Unless = Filled;
      return (A == 0 && B == int64_t(Op.Bytes)) || (B == 0 && A == int64_t(Op.Bytes));
    }
    const auto *Cond = dyn_cast<ConditionalOperator>(Size);
    if (!Cond)
      return false;
    const auto A = constantValue(Cond->getTrueExpr(), Context),
               B = constantValue(Cond->getFalseExpr(), Context);
    Op.If = Cond->getCond();
    Op.Unless = A == None && B == All;
    return Op.Unless || (A == All && B == None);
  }

  static const Expr *worth(const Expr *E, const Locals &Known) {
    for (unsigned I = 0; I != 16; ++I) {
      E = E->IgnoreParenImpCasts();
      auto It = Known.find(referencedVar(E));
      if (It == Known.end())
        break;
      E = It->second;
    }
    return E;
  }

  AsyncOperation ofAssembly(const GCCAsmStmt *Asm, const Locals &Known = Locals()) const {
    const PtxCopy C = readPtx(Asm, Context).Copy;
    AsyncOperation Op;
    switch (C.Is) {
    case PtxCopy::None:
      return Op;
    case PtxCopy::Commit:
      Op.Is = AsyncOperation::Commit;
      return Op;
    case PtxCopy::Wait:
      Op.Is = AsyncOperation::Wait;
      return Op;
    case PtxCopy::WaitAll:
      Op.Is = AsyncOperation::WaitAll;
      return Op;
    case PtxCopy::Copy:
      Op.To = C.To;
      Op.From = C.From;
      Op.Bytes = C.Bytes;
      if (!C.Size || setCondition(Op, C.Size, false, Known))
        Op.Is = AsyncOperation::Copy;
      return Op;
    }
    return Op;
  }

  std::optional<AsyncOperation> ofCall(const CallExpr *Call, unsigned Depth) const {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee)
      return std::nullopt;
    if (classifyFunction(Callee, Context) == FunctionKind::AsyncCopy)
      return ofKnown(Call, Callee);
    return isLibraryFunction(Callee, Context) || Depth > 2 ? std::nullopt
                                                           : ofWrapper(Call, Callee, Depth);
  }

  AsyncOperation ofKnown(const CallExpr *Call, const FunctionDecl *Callee) const {
    const std::string Name = Callee->getQualifiedNameAsString();
    AsyncOperation Op;
    if (Name == "__pipeline_memcpy_async" && Call->getNumArgs() >= 3) {
      Op.To = Call->getArg(0);
      Op.From = Call->getArg(1);
      const Expr *Fill = Call->getNumArgs() > 3 ? Call->getArg(3)->IgnoreParenImpCasts() : nullptr;
      if (setBytes(Op, constantValue(Call->getArg(2), Context)) &&
          (!Fill || isa<CXXDefaultArgExpr>(Fill) || setCondition(Op, Fill, true, Locals())))
        Op.Is = AsyncOperation::Copy;
    } else if (Name == "__pipeline_commit") {
      Op.Is = AsyncOperation::Commit;
    } else if (Name == "__pipeline_wait_prior" && Call->getNumArgs() == 1 &&
               constantValue(Call->getArg(0), Context) == 0) {
      Op.Is = AsyncOperation::Wait;
    } else if (StringRef(Name).starts_with("cooperative_groups::")) {
      const StringRef Last = StringRef(Name).rsplit(':').second;
      Op.Kind = AsyncOperation::OfGroup;
      Op.Is = Last == "memcpy_async" ? AsyncOperation::GroupCopy
              : Last == "wait"       ? AsyncOperation::GroupWait
                                     : AsyncOperation::Other;
    } else if (StringRef(Name).starts_with("cuda::")) {
      return ofPipeline(Call, Callee);
    }
    return Op;
  }

  static bool setBytes(AsyncOperation &Op, std::optional<int64_t> Bytes) {
    if (!Bytes || (*Bytes != 4 && *Bytes != 8 && *Bytes != 16))
      return false;
    Op.Bytes = unsigned(*Bytes);
    return true;
  }

  static const ClassTemplateSpecializationDecl *specialization(QualType T, StringRef Name) {
    const auto *Of = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        T.getNonReferenceType()->getAsCXXRecordDecl());
    return Of && Of->getIdentifier() && Of->getName() == Name && Of->getTemplateArgs().size() != 0
               ? Of
               : nullptr;
  }

  /// `cuda::pipeline<cuda::thread_scope_thread>`, by its name.
  static bool isPipelineOfThread(const Expr *E) {
    const auto *Of = isa<DeclRefExpr>(E->IgnoreParenImpCasts())
                         ? specialization(E->getType(), "pipeline")
                         : nullptr;
    if (!Of || Of->getTemplateArgs()[0].getKind() != TemplateArgument::Integral)
      return false;
    const auto *Scope = Of->getTemplateArgs()[0].getIntegralType()->getAsEnumDecl();
    return Scope && any_of(Scope->enumerators(), [&](const EnumConstantDecl *Value) {
             return Value->getName() == "thread_scope_thread" &&
                    llvm::APSInt::isSameValue(Value->getInitVal(),
                                              Of->getTemplateArgs()[0].getAsIntegral());
           });
  }

  AsyncOperation ofPipeline(const CallExpr *Call, const FunctionDecl *Callee) const {

    AsyncOperation Op;
    Op.Kind = AsyncOperation::OfPipeline;
    const StringRef Name = Callee->getIdentifier() ? Callee->getName() : "";
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
      if (Call->getNumArgs() == 0 && isPipelineOfThread(Member->getImplicitObjectArgument()))
        Op.Is = Name == "producer_commit" ? AsyncOperation::Commit
                : Name == "consumer_wait" ? AsyncOperation::WaitFirst
                : Name == "producer_acquire" || Name == "consumer_release" ? AsyncOperation::Nothing
                                                                           : AsyncOperation::Other;
      return Op;
    }
    if (Name == "make_pipeline" && Call->getNumArgs() == 0) {
      Op.Is = AsyncOperation::Elsewhere;
    } else if (Name == "memcpy_async" && Call->getNumArgs() == 4 &&
               isPipelineOfThread(Call->getArg(3))) {
      Op.To = Call->getArg(0);
      Op.From = Call->getArg(1);
      if (setBytes(Op, sizeOfShape(Call->getArg(2))))
        Op.Is = AsyncOperation::Copy;
    }
    return Op;
  }

  /// Of a number, or of `cuda::aligned_size_t<16>(number)`, maybe by a name.
  std::optional<int64_t> sizeOfShape(const Expr *E) const {
    for (unsigned I = 0; I != 8; ++I) {
      if (std::optional<int64_t> Value = constantValue(E, Context))
        return Value;
      E = E->IgnoreUnlessSpelledInSource();
      const VarDecl *Var = referencedVar(E);
      const auto *Made = dyn_cast<CXXConstructExpr>(E);
      const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E);
      if (Var && Var->getType().isConstQualified() && Var->hasInit() &&
          specialization(Var->getType(), "aligned_size_t"))
        E = Var->getInit();
      else if (Made && Made->getNumArgs() == 1 &&
               (specialization(Made->getType(), "aligned_size_t") ||
                Made->getConstructor()->isCopyOrMoveConstructor()))
        E = Made->getArg(0);
      else if (Cast)
        E = Cast->getSubExpr();
      else
        return std::nullopt;
    }
    return std::nullopt;
  }

  //===-- Functions around one of them ----------------------------------------------===//

  /// The body declares numbers and pointers that are made of its parameters, does one thing, and no
  /// more.
  std::optional<AsyncOperation> ofWrapper(const CallExpr *Call, const FunctionDecl *Callee,
                                          unsigned Depth) const {
    const auto *Body = dyn_cast_or_null<CompoundStmt>(Callee->getBody(Callee));
    if (!Body || isa<CXXMethodDecl>(Callee) || Callee->isVariadic() ||
        Call->getNumArgs() != Callee->getNumParams())
      return std::nullopt;
    Locals Known;
    std::optional<AsyncOperation> Op;
    for (const Stmt *S : Body->body()) {
      if (const auto *Declared = dyn_cast<DeclStmt>(S)) {
        for (const Decl *D : Declared->decls()) {
          const auto *Var = dyn_cast<VarDecl>(D);
          if (!Var || Op)
            return std::nullopt;
          if (Var->hasInit() && !isPlain(Var->getInit()))
            return std::nullopt;
          if (Var->hasInit())
            Known[Var] = Var->getInit();
        }
      } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(S)) {
        const PtxText Ptx = readPtx(Asm, Context);
        // `cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a;`
        if (Ptx.MovesOnly && !Op && Asm->getNumOutputs() == 1 && Asm->getNumInputs() == 1 &&
            isPlain(Asm->getInputExpr(0)) &&
            StringRef(Asm->getAsmString()).contains("cvta.to.shared")) {
          const VarDecl *Var = referencedVar(Asm->getOutputExpr(0));
          if (!Var || Var->hasInit() || !Known.try_emplace(Var, Asm->getInputExpr(0)).second)
            return std::nullopt;
          continue;
        }
        if (Op || !Ptx.AboutCopies)
          return std::nullopt;
        Op = ofAssembly(Asm, Known);
      } else if (const auto *E = dyn_cast<Expr>(S)) {
        const auto *Inner = dyn_cast<CallExpr>(E->IgnoreUnlessSpelledInSource());
        if (Op || !Inner || !all_of(Inner->arguments(), isPlain))
          return std::nullopt;
        Op = ofCall(Inner, Depth + 1);
        if (!Op)
          return std::nullopt;
      } else if (!isa<NullStmt>(S)) {
        return std::nullopt;
      }
    }
    if (!Op)
      return std::nullopt;
    if (Op->Is == AsyncOperation::Copy) {
      const bool Always = !Op->If;
      Op->If = Always ? nullptr : atCall(Op->If, Call, Callee, Known, true);
      Op->To = atCall(Op->To, Call, Callee, Known, false);
      Op->From = atCall(Op->From, Call, Callee, Known, false);
      if (!Op->To || !Op->From || (!Always && !Op->If))
        Op->Is = AsyncOperation::Other;
    } else if (Op->Is == AsyncOperation::GroupCopy || Op->Is == AsyncOperation::GroupWait ||
               Op->Kind == AsyncOperation::OfPipeline) {
      Op->Is = AsyncOperation::Other;
    }
    return Op;
  }

  /// Nothing happens but that a value is made.
  static bool isPlain(const Expr *E) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      bool Plain = true;
      bool VisitCallExpr(const CallExpr *Call) override {
        return Plain = pointerOfNumber(Call) != nullptr;
      }
      bool VisitBinaryOperator(const BinaryOperator *Op) override {
        return Plain = !Op->isAssignmentOp();
      }
      bool VisitUnaryOperator(const UnaryOperator *Op) override {
        return Plain = !Op->isIncrementDecrementOp();
      }
      bool VisitLambdaExpr(const LambdaExpr *) override { return Plain = false; }
      bool VisitStmtExpr(const StmtExpr *) override { return Plain = false; }
      bool VisitCXXNewExpr(const CXXNewExpr *) override { return Plain = false; }
    } V;
    V.TraverseStmt(const_cast<Expr *>(E));
    return V.Plain;
  }

  /// The argument that \p E, of the function's body, is; null: it is no argument's value, or
  /// something is made of it. The number of a pointer's place in shared memory is taken for the
  /// pointer.
  static const Expr *atCall(const Expr *E, const CallExpr *Call, const FunctionDecl *Callee,
                            const Locals &Known, bool AsCondition) {
    for (unsigned I = 0; I != 16; ++I) {
      E = withoutCasts(E, AsCondition, Callee->getASTContext());
      if (const Expr *Pointer = AsCondition ? nullptr : pointerOfNumber(E)) {
        E = Pointer;
        continue;
      }
      const VarDecl *Var = referencedVar(E);
      if (!Var)
        return nullptr;
      if (const auto *Param = dyn_cast<ParmVarDecl>(Var)) {
        if (Param->getDeclContext() != Callee)
          return nullptr;
        const Expr *Arg = Call->getArg(Param->getFunctionScopeIndex());
        const QualType T = Param->getType().getNonReferenceType();
        // A number is the same one in the parameter; of a condition, only whether it is zero
        // matters.
        const bool Same = AsCondition
                              ? T->isBooleanType() ||
                                    Param->getASTContext().hasSameUnqualifiedType(T, Arg->getType())
                              : T->isPointerType() || Param->getASTContext().getTypeSize(T) >= 32;
        return Same && !isa<CXXDefaultArgExpr>(Arg) ? Arg : nullptr;
      }
      auto It = Known.find(Var);
      if (It == Known.end())
        return nullptr;
      E = It->second;
    }
    return nullptr;
  }
};

} // namespace

std::map<const Stmt *, AsyncOperation> asyncOperations(const FunctionDecl *Function,
                                                       ASTContext &Context) {
  Finder F(Context);
  F.TraverseStmt(Function->getBody());
  return std::move(F.Found);
}

} // namespace cuda_pipeline
