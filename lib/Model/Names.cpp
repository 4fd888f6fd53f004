//===- Names.cpp - Which variables have other names -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "AstUtil.h"
#include "KnownFunctions.h"
#include "ReachedCode.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>
#include <vector>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr unsigned MaxCallDepth = 32;

/// What becomes of a variable, bits. To be loaded is none.
enum : unsigned {
  Read = 0,
  Write = 1,   ///< by a mention of it
  Alias = 2,   ///< there is another name, which only reads
  Changes = 4, ///< there is another name, which may write
  Named = Alias | Changes,
  Returned = 8, ///< the function returns a reference to it, or to a part of it
  Handed = 16,  ///< the same by a pointer, which may be a part of what it returns
  Member = 32,  ///< the name that only reads is a member of an object, which lives on
};

/// What becomes of a variable, and of what in it is or may be a pointer: another name for a part
/// without any leads to no other part.
struct Becomes {
  unsigned All = Read, Pointers = Read;
  Becomes() = default;
  Becomes(unsigned Both) : All(Both), Pointers(Both) {}
  void add(const Becomes &More) {
    All |= More.All;
    Pointers |= More.Pointers;
  }
};

/// \p Ref: a reference variable that is bound to it.
struct Use {
  Becomes Of;
  const ValueDecl *Ref = nullptr;
  bool InNumbers = false; ///< of a part without pointers
  Use operator|(unsigned More) const {
    Use Out = *this;
    Out.Of.add(InNumbers ? Becomes() : Becomes(More));
    Out.Of.All |= More;
    return Out;
  }
};

/// Of the variables that a function mentions; null: its object.
using Uses = DeclMap<ValueDecl, Becomes>;

/// What becomes of what the members of reference type are bound to, in whatever object.
struct HeldReferences {
  bool Followed = false; ///< all that is done with them is seen
  DeclMap<FieldDecl, unsigned> Of;
};

/// Of all functions that have been looked into.
struct Memo {
  const ASTContext &Context;
  const FunctionDecl *Around = nullptr; ///< what runs in it is all that runs; null: not known
  std::shared_ptr<HeldReferences> Held = nullptr; ///< null: not asked for yet
  DeclMap<FunctionDecl, Uses> Done = {};
  DeclSet<FunctionDecl> Running = {};

  const HeldReferences &held();
};

/// The value of `this`, maybe as one of its bases, also by a cast that is written out.
bool isThis(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (!isa<ImplicitCastExpr>(Cast) &&
        !is_contained({CK_NoOp, CK_DerivedToBase, CK_UncheckedDerivedToBase}, Cast->getCastKind()))
      return false;
    E = Cast->getSubExpr()->IgnoreParens();
  }
  return isa<CXXThisExpr>(E);
}

/// The operand is in a register: nobody gets its address.
bool inRegister(StringRef Constraint) {
  return Constraint.find_first_not_of("=+&%hrlqfdbnC0123456789") == StringRef::npos;
}

bool isCopy(const CXXConstructorDecl *Ctor) {
  return Ctor->isCopyOrMoveConstructor() && (Ctor->isTrivial() || isCudaNumber(Ctor->getParent()));
}

/// `+`, `+=` and their like of CUDA's number types.
bool isNumberOperator(const FunctionDecl *Callee, const ASTContext &Context) {
  return Callee->isOverloadedOperator() && isLibraryFunction(Callee, Context) &&
         Callee->getNumParams() > 0 && all_of(Callee->parameters(), [](const ParmVarDecl *Param) {
           return isCudaNumber(Param->getType().getNonReferenceType()->getAsCXXRecordDecl());
         });
}

/// Walks through a function from the top, and knows for each expression what happens to the object
/// that it names.
class Walk {
public:
  explicit Walk(Memo &Functions) : Functions(Functions), Context(Functions.Context) {}

  Uses Found;
  const ClosureSet *InPlace = nullptr; ///< see namedElsewhere()

  /// What the method does with its object, bits.
  Becomes ofObject(const CXXMethodDecl *Method) { return ofFunction(Method, nullptr); }
  /// What the function does with what the reference parameter \p Param is bound to.
  Becomes ofArgument(const FunctionDecl *Function, const ParmVarDecl *Param) {
    return ofFunction(Function, Param);
  }

  void function(const FunctionDecl *Body) {
    SaveAndRestore Reference(ReturnsReference, Body->getReturnType()->isReferenceType());
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Body))
      for (const CXXCtorInitializer *Init : Ctor->inits()) {
        Found[nullptr].add(Write | constructed(Init->getInit()));
        member(Init->getAnyMember(), Init->getInit());
      }
    statement(Body->getBody());
    finish();
  }
  void statement(const Stmt *S) {
    if (!S)
      return;
    if (const auto *E = dyn_cast<Expr>(S)) {
      // Nothing is done with its value.
      E->isGLValue() ? object(E, {Read}) : value(E);
    } else if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Declaration->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          declare(Var);
    } else if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
      if (const Expr *Value = Return->getRetValue();
          Value && ReturnsReference && Value->isGLValue())
        object(Value, {Returned});
      else if (Value)
        handed(Value);
    } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(S)) {
      for (unsigned I = 0; I < Asm->getNumOutputs(); ++I)
        object(Asm->getOutputExpr(I),
               {inRegister(Asm->getOutputConstraint(I)) ? Write : Named | Write});
      for (unsigned I = 0; I < Asm->getNumInputs(); ++I)
        any(Asm->getInputExpr(I));
    } else if (isa<AsmStmt>(S)) {
      for (const Stmt *Child : S->children())
        any(dyn_cast_or_null<Expr>(Child));
    } else {
      for (const Stmt *Child : S->children())
        statement(Child);
    }
  }
  /// What is bound to a reference is what becomes of the reference, and so is what a pointer is
  /// made of that is only handed on.
  void finish() {
    while (!Pointers.empty()) { // later ones are made of those in front
      const VarDecl *Var = Pointers.pop_back_val();
      const bool OnlyHanded =
          HandedOn[Var] != 0 && Found[Var].All == Read && Mentions[Var] == HandedOn[Var];
      OnlyHanded ? handed(Var->getInit()) : any(Var->getInit());
    }
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (auto [Ref, To, InNumbers] : Bound) {
        const auto *Field = dyn_cast<FieldDecl>(Ref);
        const unsigned Bits = Field ? ofField(Field) : Found[Ref].All;
        Becomes &Of = Found[To];
        const Becomes Before = Of;
        const unsigned More = (Bits & (Write | Changes) ? Named : Alias) |
                              (Bits & (Returned | Handed)) | (Field ? Member : Read);
        Of.All |= More;
        Of.Pointers |= InNumbers ? Read : More;
        Changed |= Of.All != Before.All || Of.Pointers != Before.Pointers;
      }
    }
  }

private:
  Memo &Functions;
  const ASTContext &Context;
  struct Binding {
    const ValueDecl *Ref, *To;
    bool InNumbers;
  };
  std::vector<Binding> Bound;
  DeclSet<ValueDecl> Captured;              ///< by reference, by a lambda around
  DeclSet<ValueDecl> CapturedInPlace;       ///< by one of InPlace
  SmallVector<const VarDecl *, 4> Pointers; ///< what they begin with is looked at last
  /// How often a variable is mentioned, and how often its value is handed on.
  DeclMap<ValueDecl, unsigned> Mentions, HandedOn;
  const ValueDecl *Declared = nullptr; ///< the variable whose initialiser this is
  const ValueDecl *Object = nullptr;   ///< what `this` is; null: the function's
  bool ReturnsReference = false;

  void mention(const ValueDecl *D, Use U) {
    if (Captured.count(D))
      U = U | (U.Of.All & (Write | Changes) ? Named : Alias);
    else if (CapturedInPlace.count(D) && U.Of.All & (Write | Changes))
      U = U | Named;
    Found[D].add(U.Of);
    ++Mentions[D];
    if (U.Ref)
      Bound.push_back({U.Ref, D, U.InNumbers});
  }

  void declare(const VarDecl *Var) {
    if (const auto *Parts = dyn_cast<DecompositionDecl>(Var))
      for (const BindingDecl *Part : Parts->bindings())
        if (const VarDecl *Holding = Part->getHoldingVar())
          declare(Holding);
    const Expr *Init = Var->getInit();
    if (!Init)
      return;
    if (Var->getType()->isReferenceType() && Init->isGLValue())
      return object(Init, {Var->isStaticLocal() ? Named : Read, Var});
    if (Var->getType()->isPointerType() && Var->isLocalVarDecl() && Var->hasLocalStorage() &&
        Captured.empty() && CapturedInPlace.empty())
      return Pointers.push_back(Var);
    SaveAndRestore Initialised(Declared, static_cast<const ValueDecl *>(Var));
    if (unsigned Bits = constructed(Init))
      mention(Var, {Bits});
    any(Init);
  }

  /// A member of an object is made of \p Init.
  void member(const FieldDecl *Field, const Expr *Init) {
    if (!Field || !Field->getType()->isReferenceType() || !Init->isGLValue() ||
        !Functions.held().Followed)
      return any(Init);
    object(Init, {Read, Field});
  }

  /// What becomes, by the member of reference type, of what it is bound to.
  unsigned ofField(const FieldDecl *Field) {
    const HeldReferences &Held = Functions.held();
    const auto It = Held.Of.find(Field);
    return !Held.Followed ? Write : It == Held.Of.end() ? Read : It->second;
  }

  /// What the constructor does with the address of what it makes.
  unsigned constructed(const Expr *Init) {
    const auto *Construct = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
    if (!Construct || Construct->getConstructor()->isTrivial() ||
        isCudaNumber(Construct->getConstructor()->getParent()))
      return Read;
    return ofFunction(Construct->getConstructor(), nullptr).All & Named; // returns nothing
  }

  /// \p E where nothing is known of what is done with the object.
  void any(const Expr *E) {
    if (E)
      E->isGLValue() ? object(E, {Named}) : value(E);
  }
  void children(const Stmt *S) {
    for (const Stmt *Child : S->children())
      if (const auto *E = dyn_cast_or_null<Expr>(Child))
        any(E);
      else
        statement(Child);
  }

  //===-- Expressions that name an object ----------------------------------------===//

  void object(const Expr *E, Use U) {
    if (!E->isGLValue())
      return value(E); // a temporary
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      return object(Full->getSubExpr(), U);
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      return any(Temporary->getSubExpr());
    if (const auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
      return object(Bind->getSubExpr(), U);
    if (const auto *Substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      return object(Substituted->getReplacement(), U);
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
      return object(Default->getExpr(), U);
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
      return defaultInit(Default);
    if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E)) {
      if (Opaque->getSourceExpr())
        object(Opaque->getSourceExpr(), U);
      return;
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      if (const auto *Part = dyn_cast<BindingDecl>(Ref->getDecl()); Part && Part->getBinding())
        object(Part->getBinding(), U);
      if (isa<VarDecl>(Ref->getDecl()) || isa<BindingDecl>(Ref->getDecl()))
        mention(Ref->getDecl(), U);
      return;
    }
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return member(Member, U);
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
      value(Sub->getIdx());
      return element(Sub->getBase(), U);
    }
    if (const auto *Swizzle = dyn_cast<ExtVectorElementExpr>(E))
      return Swizzle->isArrow() ? any(Swizzle->getBase()) : object(Swizzle->getBase(), U);
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      switch (Cast->getCastKind()) {
      case CK_NoOp:
      case CK_DerivedToBase:
      case CK_UncheckedDerivedToBase:
      case CK_BaseToDerived:
        return object(Cast->getSubExpr(), U);
      default:
        return any(Cast->getSubExpr());
      }
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->getOpcode() == UO_Deref)
        return behind(Op, U);
      if (Op->isIncrementDecrementOp())
        return object(Op->getSubExpr(), U | Write);
      if (Op->getOpcode() == UO_Real || Op->getOpcode() == UO_Imag ||
          Op->getOpcode() == UO_Extension)
        return object(Op->getSubExpr(), U);
      return any(Op->getSubExpr());
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (Op->isAssignmentOp()) {
        any(Op->getRHS());
        return object(Op->getLHS(), U | Write);
      }
      if (Op->getOpcode() == BO_Comma) {
        statement(Op->getLHS());
        return object(Op->getRHS(), U);
      }
      return children(Op);
    }
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E)) {
      value(Cond->getCond());
      object(Cond->getTrueExpr(), U);
      return object(Cond->getFalseExpr(), U);
    }
    if (const auto *Cond = dyn_cast<BinaryConditionalOperator>(E)) {
      object(Cond->getCommon(), U);
      return object(Cond->getFalseExpr(), U);
    }
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return call(Call, U);
    otherExpression(E);
  }

  void member(const MemberExpr *Member, Use U) {
    const Expr *Base = Member->getBase();
    // A member that is a reference stands for something that has been bound before.
    if (!isa<FieldDecl>(Member->getMemberDecl()) ||
        Member->getMemberDecl()->getType()->isReferenceType()) {
      if (isa<VarDecl>(Member->getMemberDecl()) || isa<FieldDecl>(Member->getMemberDecl()))
        mention(Member->getMemberDecl(), U);
      U = {Read};
    }
    if (isOfNumbers(Member)) {
      U.Of.Pointers = Read;
      U.InNumbers = true;
    }
    if (!Member->isArrow())
      return object(Base, U);
    isThis(Base) ? mention(Object, U) : any(Base);
  }

  /// `*p`
  void behind(const UnaryOperator *Deref, Use U) {
    const Expr *Base = Deref->getSubExpr();
    const auto *Cast = dyn_cast<CastExpr>(Base->IgnoreParens());
    if (Base->isTypeDependent() || (Cast && Cast->getCastKind() == CK_ArrayToPointerDecay) ||
        isThis(Base) || Deref->getType()->isIncompleteType())
      return element(Base, U);
    pointed(Base, uint64_t(Context.getTypeSizeInChars(Deref->getType()).getQuantity()), U);
  }

  /// Of an array, or behind a pointer.
  void element(const Expr *Base, Use U) {
    const auto *Decay = dyn_cast<ImplicitCastExpr>(Base->IgnoreParens());
    if (Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
      return object(Decay->getSubExpr(), U);
    if (Base->isGLValue() && (Base->getType()->isVectorType() || Base->isTypeDependent()))
      return object(Base, U);
    isThis(Base) ? mention(Object, U) : any(Base);
  }

  /// So many bytes of what \p Pointer points to, where that can be seen: `&x` under casts, which
  /// make another type of its bytes. Who looks at more has the address. Written in that way it is
  /// written under another name.
  void pointed(const Expr *Pointer, std::optional<uint64_t> Bytes, Use U) {
    if (U.Of.All & (Write | Changes))
      U = U | Named;
    const auto Covers = [&](QualType T) {
      return Bytes && !T->isIncompleteType() && !T->isDependentType() &&
             *Bytes <= uint64_t(Context.getTypeSizeInChars(T).getQuantity());
    };
    if (const Expr *Of = addressedObject(Pointer); Of && Of->isGLValue() && Covers(Of->getType()))
      return object(Of, U);
    const Expr *This = withoutPointerCasts(Pointer);
    if (isThis(This) && Covers(This->getType()->getPointeeType()))
      return mention(Object, U);
    any(Pointer);
  }

  //===-- Values ------------------------------------------------------------------===//

  void value(const Expr *E) {
    if (E->isGLValue())
      return any(E);
    E = E->IgnoreParens();
    if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, TypeTraitExpr>(E))
      return; // not evaluated
    if (const auto *Full = dyn_cast<FullExpr>(E))
      return any(Full->getSubExpr());
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
      return any(Default->getExpr());
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
      return defaultInit(Default);
    if (isa<CXXThisExpr>(E))
      return mention(Object, {Named});
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      bool Loads = Cast->getCastKind() == CK_LValueToRValue ||
                   Cast->getCastKind() == CK_LValueToRValueBitCast ||
                   Cast->getCastKind() == CK_ToVoid;
      const Expr *Sub = Cast->getSubExpr();
      return Loads && Sub->isGLValue() ? object(Sub, {Read}) : any(Sub);
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->isIncrementDecrementOp() && Op->getSubExpr()->isGLValue())
        return object(Op->getSubExpr(), {Write});
      return any(Op->getSubExpr());
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      Op->getOpcode() == BO_Comma ? statement(Op->getLHS()) : any(Op->getLHS());
      return any(Op->getRHS());
    }
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
      if (isCopy(Construct->getConstructor()) && Construct->getNumArgs() == 1 &&
          Construct->getArg(0)->isGLValue())
        return object(Construct->getArg(0), {Read});
      return arguments(Construct->getConstructor(),
                       ArrayRef<const Expr *>(Construct->getArgs(), Construct->getNumArgs()));
    }
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return call(Call, {Read});
    if (const auto *Loop = dyn_cast<ArrayInitLoopExpr>(E)) {
      // Copies an array, element by element.
      object(Loop->getCommonExpr()->getSourceExpr(), {Read});
      return any(Loop->getSubExpr());
    }
    otherExpression(E);
  }

  /// A value that the function returns: addresses in it are the caller's.
  void handed(const Expr *E) {
    if (E->isGLValue())
      return any(E);
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      return handed(Full->getSubExpr());
    if (isa<CXXThisExpr>(E))
      return mention(Object, {Handed});
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      const Expr *Of = Cast->getSubExpr();
      switch (Cast->getCastKind()) {
      case CK_ArrayToPointerDecay:
        return object(Of, {Handed});
      case CK_NoOp:
      case CK_BitCast:
      case CK_ConstructorConversion:
        return handed(Of);
      case CK_LValueToRValue:
        if (const VarDecl *Var = referencedVar(Of))
          ++HandedOn[Var];
        return value(E);
      default:
        return value(E);
      }
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->getOpcode() == UO_AddrOf)
      return object(Op->getSubExpr(), {Handed});
    if (const auto *Op = dyn_cast<BinaryOperator>(E);
        Op && Op->isAdditiveOp() && Op->getType()->isPointerType()) {
      handed(Op->getLHS());
      return handed(Op->getRHS());
    }
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E)) {
      value(Cond->getCond());
      handed(Cond->getTrueExpr());
      return handed(Cond->getFalseExpr());
    }
    if (const auto *List = dyn_cast<InitListExpr>(E))
      return static_cast<void>(for_each(List->inits(), [&](const Expr *Init) { handed(Init); }));
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
        Construct && onlySetsMembers(Construct->getConstructor()) &&
        none_of(Construct->arguments(), [](const Expr *Arg) { return Arg->isGLValue(); }))
      return static_cast<void>(
          for_each(Construct->arguments(), [&](const Expr *Arg) { handed(Arg); }));
    value(E);
  }

  /// What the constructor is given gets into the object, and nowhere else.
  bool onlySetsMembers(const CXXConstructorDecl *Ctor) const {
    const FunctionDecl *Body = nullptr;
    if (isLibraryFunction(Ctor, Context) || !Ctor->hasBody(Body) || Body->isDependentContext())
      return false;
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Body->getBody());
    return Block && Block->body_empty() &&
           all_of(cast<CXXConstructorDecl>(Body)->inits(), [&](const CXXCtorInitializer *Init) {
             const Expr *Value = Init->getInit()->IgnoreImplicit();
             const auto *Inner = dyn_cast<CXXConstructExpr>(Value);
             if (!Inner)
               return !Value->HasSideEffects(Context);
             return (Inner->getConstructor()->isTrivial() ||
                     onlySetsMembers(Inner->getConstructor())) &&
                    none_of(Inner->arguments(),
                            [&](const Expr *Arg) { return Arg->HasSideEffects(Context); });
           });
  }

  void otherExpression(const Expr *E) {
    if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
      return lambda(Lambda);
    if (const auto *List = dyn_cast<InitListExpr>(E); List && List->getType()->isRecordType())
      return initialise(List);
    children(E);
  }

  /// `Row{tensor, p}`
  void initialise(const InitListExpr *List) {
    const auto *Class = dyn_cast<CXXRecordDecl>(List->getType()->castAsRecordDecl());
    const RecordDecl *Record = List->getType()->castAsRecordDecl()->getDefinition();
    auto Field = Record ? Record->field_begin() : RecordDecl::field_iterator();
    const bool Pairs =
        Record && !Record->isUnion() && !(Class && Class->getNumBases()) &&
        none_of(Record->fields(), [](const FieldDecl *F) { return F->isUnnamedBitField(); });
    for (const Expr *Init : List->inits()) {
      const FieldDecl *To = Pairs && Field != Record->field_end() ? *Field++ : nullptr;
      member(To, Init);
    }
  }

  /// `this` is the object that is being made.
  void defaultInit(const CXXDefaultInitExpr *Default) {
    SaveAndRestore This(Object, Declared);
    any(Default->getExpr());
  }

  void lambda(const LambdaExpr *Lambda) {
    SaveAndRestore Reference(ReturnsReference, false); // what it returns is not followed
    const DeclSet<ValueDecl> Before = Captured, BeforeInPlace = CapturedInPlace;
    const bool IsInPlace = InPlace && InPlace->contains(Lambda);
    for (auto [C, Init] : zip(Lambda->captures(), Lambda->capture_inits())) {
      const auto *Var = C.capturesVariable() ? dyn_cast<VarDecl>(C.getCapturedVar()) : nullptr;
      if (Var && Var->isInitCapture()) {
        declare(Var);
      } else if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef && IsInPlace) {
        CapturedInPlace.insert(C.getCapturedVar());
      } else if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef) {
        Captured.insert(C.getCapturedVar());
        mention(C.getCapturedVar(), {Alias});
      } else {
        any(Init);
      }
    }
    if (const FunctionTemplateDecl *Generic = Lambda->getDependentCallOperator()) {
      for (const FunctionDecl *Instance : Generic->specializations())
        statement(Instance->getBody());
    } else {
      statement(Lambda->getBody());
    }
    Captured = Before;
    CapturedInPlace = BeforeInPlace;
  }

  //===-- Calls --------------------------------------------------------------------===//

  void call(const CallExpr *Call, Use U) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    ArrayRef<const Expr *> Args(Call->getArgs(), Call->getNumArgs());
    if (!Callee) {
      any(Call->getCallee());
      for_each(Args, [&](const Expr *Arg) { any(Arg); });
      return;
    }
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    const Expr *On = operandsOf(Call).Object;
    Args = operandsOf(Call).Args;
    // An assignment that copies the bytes; its value is its left side.
    if (Method && On && Args.size() == 1 &&
        (Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator()) &&
        (Method->isTrivial() || isCudaNumber(Method->getParent()))) {
      object(Args[0], {Read});
      return onObject(On, U | Write);
    }
    if (isNumberOperator(Callee, Context)) {
      if (On)
        onObject(On, U | Write);
      for (auto [Param, Arg] : zip(Callee->parameters(), Args))
        object(Arg, Param->getType()->isReferenceType() &&
                            !isConstObject(Param->getType()->getPointeeType())
                        ? U | Write
                        : Use{Read});
      return;
    }
    if (On) {
      bool Virtual = Method->isVirtual();
      Becomes Of = Method->isStatic() ? Becomes(Read)
                   : Virtual          ? Becomes(Named | Write)
                                      : ofCall(ofFunction(Callee, nullptr));
      // The closure's own copies.
      if (Method->getParent()->isLambda() && !Method->isConst() && !Method->isStatic())
        Of.add(Write);
      onObject(On, {Of});
      if (Virtual) {
        for_each(Args, [&](const Expr *Arg) { any(Arg); });
        return;
      }
    }
    arguments(Callee, Args, U);
  }

  void onObject(const Expr *On, Use U) {
    if (On->isGLValue())
      return object(On, U);
    isThis(On) ? mention(Object, U) : any(On);
  }

  /// \p Result: what is done with the object that the call names, if it names one.
  void arguments(const FunctionDecl *Callee, ArrayRef<const Expr *> Args, Use Result = {Read}) {
    if (classifyCall(Callee, Args, Context) == FunctionKind::MemoryCopy) {
      std::optional<uint64_t> Bytes;
      if (const std::optional<int64_t> N = constantValue(Args[2], Context); N && *N >= 0)
        Bytes = *N;
      pointed(Args[0], Bytes, {Write});
      pointed(Args[1], Bytes, {Read});
      return value(Args[2]);
    }
    for (unsigned I = 0; I < Args.size(); ++I) {
      const ParmVarDecl *Param = I < Callee->getNumParams() ? Callee->getParamDecl(I) : nullptr;
      if (!Args[I]->isGLValue())
        value(Args[I]);
      else if (!Param || !Param->getType()->isReferenceType())
        any(Args[I]);
      else if (isKnown(Callee))
        object(Args[I], ofKnown(Callee, Param, Result));
      else
        object(Args[I], {ofCall(ofFunction(Callee, Param))});
    }
  }

  /// What the caller does with a reference that is returned is not followed here.
  static unsigned ofCall(unsigned Bits) {
    return Bits & (Returned | Handed) ? (Bits & ~(Returned | Handed)) | Named : Bits;
  }
  static Becomes ofCall(const Becomes &Of) {
    Becomes Out;
    Out.All = ofCall(Of.All);
    Out.Pointers = ofCall(Of.Pointers);
    return Out;
  }

  /// A library's function that keeps nothing of what it is given.
  bool isKnown(const FunctionDecl *Callee) const {
    if (!isLibraryFunction(Callee, Context))
      return false;
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
        Method && isCudaNumber(Method->getParent()))
      return true;
    FunctionKind Kind = classifyFunction(Callee, Context);
    return Kind != FunctionKind::Unknown && Kind != FunctionKind::AsyncCopy &&
           !Callee->getReturnType()->isPointerType();
  }
  Use ofKnown(const FunctionDecl *Callee, const ParmVarDecl *Param, Use Result) const {
    // std::max: one of the arguments.
    Use U = Callee->getReturnType()->isReferenceType() ? Result : Use{Read};
    return Param && Param->getType()->getPointeeType().isConstQualified() ? U : U | Write;
  }

  /// What \p Callee does with its parameter \p Param of reference type; null: with its object.
  Becomes ofFunction(const FunctionDecl *Callee, const ParmVarDecl *Param) {
    if (isKnown(Callee))
      return Write; // the object
    const FunctionDecl *Body = nullptr;
    if (!Callee->hasBody(Body) || !Body->getBody() || Functions.Running.size() >= MaxCallDepth ||
        Functions.Running.count(Body))
      return Named | Write;
    // Hands on to the base's constructor what nobody names.
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Body);
        Ctor && Ctor->isInheritingConstructor())
      return Named | Write;
    auto Known = Functions.Done.find(Body);
    if (Known == Functions.Done.end()) {
      Functions.Running.insert(Body);
      Walk Inside(Functions);
      Inside.function(Body);
      Functions.Running.erase(Body);
      Known = Functions.Done.insert({Body, std::move(Inside.Found)}).first;
    }
    const ValueDecl *Key = Param ? Body->getParamDecl(Param->getFunctionScopeIndex()) : nullptr;
    auto It = Known->second.find(Key);
    return It == Known->second.end() ? Becomes() : It->second;
  }
};

//===-- Members of reference type ------------------------------------------------===//

/// Looks for ways to what a member of reference type is bound to that do not name the member: its
/// object's bytes, and what a library does with them.
class ReferencesSeen : public ConstDynamicRecursiveASTVisitor {
public:
  explicit ReferencesSeen(const ASTContext &Context) : Context(Context) {
    ShouldVisitImplicitCode = true;
  }
  bool Seen = true;

  bool VisitExpr(const Expr *E) override {
    // The members of a union share their bytes.
    if (!E->getType().isNull() && E->getType()->isUnionType())
      Seen &= !leadsToReference(E->getType());
    return Seen;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (Field && Field->getParent()->isUnion())
      Seen &= !leadsToReference(Field->getType());
    return Seen;
  }
  bool VisitCastExpr(const CastExpr *Cast) override {
    if (is_contained({CK_BitCast, CK_LValueBitCast, CK_LValueToRValueBitCast, CK_PointerToIntegral,
                      CK_AddressSpaceConversion},
                     Cast->getCastKind()))
      Seen &= !leadsToReference(Cast->getSubExpr()->getType());
    return Seen;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        !Callee || isLibraryFunction(Callee, Context))
      for (const Expr *Arg : Call->arguments())
        Seen &= !leadsToReference(Arg->getType());
    return Seen;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    if (isLibraryFunction(Construct->getConstructor(), Context))
      for (const Expr *Arg : Construct->arguments())
        Seen &= !leadsToReference(Arg->getType());
    return Seen;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    for (unsigned I = 0; I < Asm->getNumInputs(); ++I)
      Seen &= !leadsToReference(Asm->getInputExpr(I)->getType());
    for (unsigned I = 0; I < Asm->getNumOutputs(); ++I)
      Seen &= !leadsToReference(Asm->getOutputExpr(I)->getType());
    return Seen;
  }

private:
  const ASTContext &Context;
  DenseMap<const RecordDecl *, bool> Known;

  static const RecordDecl *recordOf(QualType T) {
    while (!T.isNull() && (T->isAnyPointerType() || T->isArrayType() || T->isReferenceType()))
      T = T->isArrayType() ? T->getAsArrayTypeUnsafe()->getElementType() : T->getPointeeType();
    const RecordDecl *Record = T.isNull() ? nullptr : T->getAsRecordDecl();
    return Record ? Record->getDefinition() : nullptr;
  }
  /// The type has a member of reference type, or has or is a pointer to one that has.
  bool leadsToReference(QualType T) {
    const RecordDecl *First = recordOf(T);
    if (!First)
      return false;
    auto [It, New] = Known.try_emplace(First, false);
    if (!New)
      return It->second;
    SetVector<const RecordDecl *> All;
    All.insert(First);
    bool Leads = false;
    auto Add = [&](QualType Of) {
      if (const RecordDecl *Record = recordOf(Of))
        All.insert(Record);
    };
    for (size_t I = 0; I < All.size() && !Leads; ++I) {
      for (const FieldDecl *Field : All[I]->fields()) {
        Leads |= Field->getType()->isReferenceType();
        Add(Field->getType());
      }
      if (const auto *Class = dyn_cast<CXXRecordDecl>(All[I]))
        for (const CXXBaseSpecifier &Base : Class->bases())
          Add(Base.getType());
    }
    return Known[First] = Leads;
  }
};

const HeldReferences &Memo::held() {
  if (Held)
    return *Held;
  Held = std::make_shared<HeldReferences>();
  if (!Around || !Around->hasBody() || Around->isDependentContext())
    return *Held;
  const ReachedCode Code(Around);
  ReferencesSeen Seen(Context);
  for (const ReachedCode::Body &B : Code.Bodies)
    if (!B.Known)
      Seen.TraverseDecl(const_cast<FunctionDecl *>(B.Function));
  if (!Code.NotSeen.empty() || !Seen.Seen)
    return *Held;
  // What one does may depend on what becomes of the others.
  Held->Followed = true;
  for (bool Changed = true; Changed;) {
    Changed = false;
    Memo Inner{Context, Around, Held};
    for (const ReachedCode::Body &B : Code.Bodies) {
      if (B.Known)
        continue;
      Walk W(Inner);
      W.function(B.Function);
      for (const auto &[D, Of] : W.Found)
        if (const auto *Field = dyn_cast_or_null<FieldDecl>(D)) {
          unsigned &Bits = Held->Of[Field];
          // What is done with a reference that a function returns is not followed.
          const unsigned More = Of.All & (Returned | Handed) ? Of.All | Changes : Of.All;
          Changed |= (Bits | More) != Bits;
          Bits |= More;
        }
    }
  }
  return *Held;
}

} // namespace

DeclSet<ValueDecl> namedElsewhere(const Stmt *Body, const ASTContext &Context,
                                  const FunctionDecl *Around, NamesThat Which,
                                  const ClosureSet &InPlace) {
  Memo Functions{Context, Around};
  Walk Outermost(Functions);
  Outermost.InPlace = &InPlace;
  Outermost.statement(Body);
  Outermost.finish();
  DeclSet<ValueDecl> Names;
  for (const auto &[D, Of] : Outermost.Found) {
    if (!D || isa<FieldDecl>(D))
      continue;
    // Nobody can say which objects have a member that stands for it: it is as if what the variable
    // is set to were set by these.
    const bool Changed = Of.All & Changes || (Of.All & Member && Of.All & Write);
    if (Changed || (Which == NamesThat::Exist && Of.All & Named))
      Names.insert(D);
  }
  return Names;
}

ObjectUse useOfObject(const CXXMethodDecl *Method, const ASTContext &Context,
                      const FunctionDecl *Around) {
  if (Method->isVirtual() || Method->getParent()->hasMutableFields())
    return ObjectUse::MayChange;
  if (isLibraryFunction(Method, Context))
    return Method->isConst() ? ObjectUse::Keeps : ObjectUse::MayChange;
  Memo Functions{Context, Around};
  const unsigned Bits = Walk(Functions).ofObject(Method).All;
  return Bits & (Write | Changes)     ? ObjectUse::MayChange
         : Bits & (Returned | Handed) ? ObjectUse::Returns
                                      : ObjectUse::Keeps;
}

bool keepsPointers(const CXXMethodDecl *Method, const ASTContext &Context,
                   const FunctionDecl *Around) {
  if (Method->isVirtual() || Method->getParent()->hasMutableFields())
    return false;
  if (isLibraryFunction(Method, Context))
    return Method->isConst();
  Memo Functions{Context, Around};
  return !(Walk(Functions).ofObject(Method).Pointers & (Write | Changes | Returned | Handed));
}

bool keepsPointers(const FunctionDecl *Function, unsigned I, const ASTContext &Context,
                   const FunctionDecl *Around) {
  const QualType T = Function->getParamDecl(I)->getType();
  if (isLibraryFunction(Function, Context))
    return isConstObject(T.getNonReferenceType());
  Memo Functions{Context, Around};
  return !(Walk(Functions).ofArgument(Function, Function->getParamDecl(I)).Pointers &
           (Write | Changes | Returned | Handed));
}

bool isOfNumbers(const MemberExpr *Member) {
  const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
  if (!Field || Field->getParent()->isUnion() || Field->getParent()->isDependentContext() ||
      Field->isBitField() || Field->getFieldIndex() == 0)
    return false;
  // Of a class more could be reached by its address than itself, and a byte may be one of anything.
  const QualType T = Field->getType()->getBaseElementTypeUnsafe()->getCanonicalTypeInternal();
  return T->isArithmeticType() && !T->isCharType();
}

} // namespace cuda_pipeline
