//===- OpenText.cpp - What the text of a template says of waiting and filling ---===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenText.h"
#include "AstUtil.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

namespace {

/// What is called, as far as it has a name.
std::string calledName(const CallExpr *Call) {
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  DeclarationName Name;
  if (const auto *Scoped = dyn_cast<DependentScopeDeclRefExpr>(Callee))
    Name = Scoped->getDeclName();
  else if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(Callee))
    Name = Member->getMember();
  else if (const auto *Overloaded = dyn_cast<OverloadExpr>(Callee))
    Name = Overloaded->getName();
  else if (const FunctionDecl *F = Call->getDirectCallee())
    Name = F->getDeclName();
  return Name.getAsString();
}

/// A class whose methods give out shared memory: `template <class T> struct SharedMemory`.
bool givesShared(QualType T) {
  if (T.isNull())
    return false;
  auto Gives = [](const CXXRecordDecl *Class) {
    Class = Class->getDefinition();
    return Class && any_of(Class->decls(), [](const Decl *D) {
             const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
             return declaresShared(Template ? Template->getTemplatedDecl()
                                            : dyn_cast<FunctionDecl>(D));
           });
  };
  if (const auto *Open = T->getAs<TemplateSpecializationType>())
    if (const auto *Template =
            dyn_cast_or_null<ClassTemplateDecl>(Open->getTemplateName().getAsTemplateDecl()))
      return Gives(Template->getTemplatedDecl()) || any_of(Template->specializations(), Gives);
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return Class && Gives(Class);
}

/// A parameter of the function, a member of its object; of a member that a base may have, the name.
using Place = const void *;

class OpenFills : public ConstDynamicRecursiveASTVisitor {
public:
  bool Found = false;
  const ParmVarDecl *Given = nullptr; ///< by which that is stored, if it is no shared array

  OpenFills(const Stmt *Loop, const FunctionDecl *Function, bool MayBeGiven)
      : MayBeGiven(MayBeGiven) {
    if (!Function->hasAttr<CUDAGlobalAttr>())
      countPlaces(Loop);
    TraverseStmt(Loop);
    // A sum that is exchanged has been loaded before the loop.
    Found = Found && readsElsewhere(Loop);
  }

  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->getOpcode() == BO_Assign)
      fillFrom(Op->getLHS(), Op->getRHS());
    return !Found;
  }
  // `tile[i] = A[j];` of types that are not known
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *Call) override {
    if (Call->getOperator() == OO_Equal && Call->getNumArgs() == 2)
      fillFrom(Call->getArg(0), Call->getArg(1));
    return !Found;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    if (isa<CXXOperatorCallExpr>(Call) || !Call->isTypeDependent()) {
      // `fill(tile, in + t * 64);`, where it may be given a tile itself
      for (unsigned I = objectArguments(Call); MayBeGiven && I < Call->getNumArgs(); ++I)
        if (storesBy(Call->getDirectCallee(), I - objectArguments(Call), 0))
          fill(Call->getArg(I), Call->arguments());
      return !Found;
    }
    // What is called to look at a value is given no place to put it.
    for (const Expr *Arg : Call->arguments())
      if (const Expr *E = Arg->IgnoreParenImpCasts();
          isa<DeclRefExpr, UnaryOperator, BinaryOperator, ArraySubscriptExpr, MemberExpr,
              CXXDependentScopeMemberExpr>(E))
        fill(E, Call->arguments());
    fill(objectOfOpen(Call), Call->arguments()); // `tile[i].set(p)`
    return !Found;
  }
  /// An object of a type that is not known is made of both: `Loader load(tile, in);`
  bool VisitCXXUnresolvedConstructExpr(const CXXUnresolvedConstructExpr *Made) override {
    return made(SmallVector<const Expr *, 4>(Made->arguments()));
  }
  bool VisitVarDecl(const VarDecl *Var) override {
    if (!Var->getType()->isDependentType() || Var->getType()->getContainedAutoType())
      return true;
    if (const auto *List = dyn_cast_or_null<ParenListExpr>(Var->getInit()))
      return made(SmallVector<const Expr *, 4>(const_cast<ParenListExpr *>(List)->exprs()));
    if (const auto *Braces = dyn_cast_or_null<InitListExpr>(Var->getInit()))
      return made(SmallVector<const Expr *, 4>(Braces->inits()));
    return true;
  }
  bool VisitCXXNewExpr(const CXXNewExpr *New) override { // `new (&tile[i]) float(A[j])`
    if (New->getNumPlacementArgs() == 1 && New->getInitializer())
      fillFrom(New->getPlacementArg(0), New->getInitializer());
    return !Found;
  }

private:
  const bool MayBeGiven;
  DenseMap<Place, unsigned> Mentions, Stores; ///< of what the function has been given

  bool made(ArrayRef<const Expr *> Of) {
    for (const Expr *E : Of)
      fill(E, Of);
    return !Found;
  }
  static const Expr *objectOfOpen(const CallExpr *Call) {
    const auto *Member =
        dyn_cast<CXXDependentScopeMemberExpr>(Call->getCallee()->IgnoreParenImpCasts());
    return Member && !Member->isImplicitAccess() ? Member->getBase() : nullptr;
  }

  /// \p Callee stores where its parameter number \p I leads, or calls one that does.
  static bool storesBy(const FunctionDecl *Callee, unsigned I, unsigned Depth) {
    const FunctionDecl *Body = nullptr;
    if (!Callee || Depth > 4 || !Callee->hasBody(Body) || I >= Body->getNumParams())
      return false;
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const ParmVarDecl *Param;
      const unsigned Depth;
      bool Stores = false;
      Visitor(const ParmVarDecl *Param, unsigned Depth) : Param(Param), Depth(Depth) {}
      bool VisitExpr(const Expr *E) override {
        if (const Expr *To = leftHandSide(E); To && !pointerItself(To))
          for (const Expr *Part = To; Part; Part = partOf(Part))
            Stores |= givenPlace(Part->IgnoreParenImpCasts()) == Param;
        if (const auto *Call = dyn_cast<CallExpr>(E))
          for (unsigned I = objectArguments(Call); I < Call->getNumArgs(); ++I)
            Stores |= mentionedVars(Call->getArg(I)).count(Param) &&
                      storesBy(Call->getDirectCallee(), I - objectArguments(Call), Depth + 1);
        return !Stores;
      }
    } V(Body->getParamDecl(I), Depth);
    const QualType T = V.Param->getType();
    if (!T->isPointerType() && !T->isReferenceType())
      return false;
    V.TraverseStmt(Body->getBody());
    return V.Stores;
  }

  template <class RangeT> void fill(const Expr *To, const RangeT &From) {
    if (Found || !To)
      return;
    const ParmVarDecl *By = nullptr;
    Found =
        leadsToShared(To, By) && any_of(From, [&](const Expr *E) { return comesFromElsewhere(E); });
    if (Found)
      Given = By;
  }
  void fillFrom(const Expr *To, const Expr *From) {
    if (!pointerItself(To))
      fill(To, ArrayRef<const Expr *>(From));
  }

  static Place givenPlace(const Expr *E) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return isa<ParmVarDecl>(Ref->getDecl()) ? Ref->getDecl() : nullptr;
    auto OfObject = [](const Expr *Base) { return isa<CXXThisExpr>(Base->IgnoreParenImpCasts()); };
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return isa<FieldDecl>(Member->getMemberDecl()) && OfObject(Member->getBase())
                 ? Member->getMemberDecl()
                 : nullptr;
    if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(E))
      return Member->isImplicitAccess() || OfObject(Member->getBase())
                 ? Member->getMember().getAsOpaquePtr()
                 : nullptr;
    return nullptr;
  }
  /// A parameter that is set to another place, and nothing is stored by it.
  static const ParmVarDecl *pointerItself(const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    const auto *Param = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
    return Param && Param->getType()->isPointerType() ? Param : nullptr;
  }
  void countPlaces(const Stmt *Loop) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      OpenFills &Of;
      explicit Visitor(OpenFills &Of) : Of(Of) {}
      bool VisitExpr(const Expr *E) override {
        if (Place P = givenPlace(E))
          ++Of.Mentions[P];
        else if (const auto *Ref = dyn_cast<DeclRefExpr>(E); Ref && isa<VarDecl>(Ref->getDecl()))
          ++Of.Mentions[Ref->getDecl()];
        const Expr *LHS = leftHandSide(E);
        // `in = in + 64`, a step
        if (!LHS ||
            (pointerItself(LHS) && mentionedVars(rightHandSide(E)).count(pointerItself(LHS))))
          return true;
        for (const Expr *Part = LHS; Part; Part = partOf(Part))
          if (Place P = givenPlace(Part->IgnoreParenImpCasts()))
            ++Of.Stores[P];
        return true;
      }
    } V(*this);
    V.TraverseStmt(const_cast<Stmt *>(Loop));
  }
  /// Of what the place \p E is a part.
  static const Expr *partOf(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return Sub->getBase();
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return Member->getBase();
    if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(E))
      return Member->isImplicitAccess() ? nullptr : Member->getBase();
    if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E))
      return Call->getNumArgs() ? Call->getArg(0) : nullptr;
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return Call->getCallee();
    const auto *Op = dyn_cast<UnaryOperator>(E);
    return Op && Op->getOpcode() == UO_Deref ? Op->getSubExpr() : nullptr;
  }
  /// It may be a tile: what is read through it is what was written, maybe by others.
  bool isGivenTile(const Expr *E, const ParmVarDecl *&By, bool Again) const {
    const Place P = givenPlace(E);
    if (!P || (!Again && Mentions.lookup(P) < 2) || (isa<DeclRefExpr>(E) && !MayBeGiven))
      return false;
    QualType T = E->getType();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      T = Ref->getDecl()->getType();
    const QualType To =
        T->isPointerType() || T->isReferenceType() ? T->getPointeeType() : QualType();
    if (!To.isNull() ? To.isConstQualified() || To->isFunctionType()
                     : !(T->isDependentType() || T->isArrayType()))
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      By = cast<ParmVarDecl>(Ref->getDecl());
    return true;
  }

  /// Where the place \p E is, or points to. \p Again: it is what an object has that the loop makes
  /// use of in another place as well.
  bool leadsToShared(const Expr *E, const ParmVarDecl *&By, unsigned Depth = 0, bool Loaded = false,
                     bool Again = false) const {
    if (!E || Depth > 16)
      return false;
    auto On = [&](const Expr *Part) { return leadsToShared(Part, By, Depth + 1, Loaded, Again); };
    E = E->IgnoreParenImpCasts();
    if ((!Loaded && isGivenTile(E, By, Again)) || givesShared(E->getType()))
      return true;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      // `View v{tile}; v(i) = in[i];`
      if (const auto *Made = Var && MayBeGiven ? madeOf(Var) : nullptr)
        return any_of(Made->arguments(), [&](const Expr *Arg) {
          return leadsToShared(Arg, By, Depth + 1, Loaded, Again || Mentions.lookup(Var) > 1);
        });
      // A pointer that is read from what the function has been given leads to something else.
      return Var &&
             (Var->hasAttr<CUDASharedAttr>() ||
              (leadsOn(Var) && leadsToShared(Var->getInit(), By, Depth + 1,
                                             Loaded || !isAddressOnly(Var->getInit()),
                                             Again || (MayBeGiven && Mentions.lookup(Var) > 1))));
    }
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return On(Sub->getBase()) || On(Sub->getIdx());
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return On(Member->getBase());
    if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(E))
      return !Member->isImplicitAccess() && On(Member->getBase());
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf) && On(Op->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return Op->isPtrMemOp() ? On(Op->getLHS())
                              : Op->isAdditiveOp() && (On(Op->getLHS()) || On(Op->getRHS()));
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      return On(Cast->getSubExpr());
    if (const auto *Call = dyn_cast<CallExpr>(E)) // `tile.at(i)`, `tile(i, j)`, `tile[i]`
      return On(Call->getCallee()) || declaresShared(Call->getDirectCallee()) ||
             (isa<CXXOperatorCallExpr>(Call) && Call->getNumArgs() && On(Call->getArg(0))) ||
             (Call->isTypeDependent() && // `make_tensor(tile, layout)`
              any_of(Call->arguments(), [&](const Expr *Arg) {
                return isa<DeclRefExpr>(Arg->IgnoreParenImpCasts()) && On(Arg);
              }));
    if (const auto *Scoped = dyn_cast<DependentScopeDeclRefExpr>(E)) // `SharedMemory<T>::get()`
      return Scoped->getQualifier().getKind() == NestedNameSpecifier::Kind::Type &&
             givesShared(QualType(Scoped->getQualifier().getAsType(), 0));
    if (const auto *Overloaded = dyn_cast<OverloadExpr>(E)) // `get<T>()`
      return any_of(Overloaded->decls(), [](const NamedDecl *D) {
        return declaresShared(dyn_cast_or_null<FunctionDecl>(
            isa<FunctionTemplateDecl>(D) ? cast<FunctionTemplateDecl>(D)->getTemplatedDecl() : D));
      });
    if (const auto *List = dyn_cast<ParenListExpr>(E))
      return List->getNumExprs() == 1 && On(List->getExpr(0));
    if (const auto *List = dyn_cast<InitListExpr>(E))
      return List->getNumInits() == 1 && On(List->getInit(0));
    return false;
  }
  /// The constructor that makes a local object with a pointer in it of something; null: it is none.
  static const CXXConstructExpr *madeOf(const VarDecl *Var) {
    const Expr *Init = Var->isLocalVarDecl() && Var->hasInit() ? Var->getInit() : nullptr;
    const auto *Made = Init ? dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit()) : nullptr;
    return Made && anyField(Var->getType(),
                            [](const FieldDecl *Field) {
                              return Field->getType()->isPointerType() ||
                                     Field->getType()->isReferenceType();
                            })
               ? Made
               : nullptr;
  }
  static bool isAddressOnly(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      return isAddressOnly(Cast->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return Op->isAdditiveOp() && isAddressOnly(Op->getLHS());
    const auto *AddressOf = dyn_cast<UnaryOperator>(E);
    return (AddressOf && AddressOf->getOpcode() == UO_AddrOf) || givenPlace(E);
  }
  /// A variable that may be another way to what it is made of: no number, and no value of a
  /// dependent type that was read there.
  static bool leadsOn(const VarDecl *Var) {
    const QualType T = Var->getType();
    if (!Var->hasInit() || isa<ParmVarDecl>(Var))
      return false;
    if (T->isPointerType() || T->isReferenceType())
      return true;
    // `auto s = reinterpret_cast<T *>(smem)`
    const Expr *Init = Var->getInit()->IgnoreParenImpCasts();
    return T->getContainedAutoType() &&
           (Init->getType()->isPointerType() || isa<ExplicitCastExpr>(Init) ||
            (isa<CallExpr>(Init) && Init->isTypeDependent() && !isa<CXXOperatorCallExpr>(Init)) ||
            (isa<UnaryOperator>(Init) && cast<UnaryOperator>(Init)->getOpcode() == UO_AddrOf) ||
            (isa<BinaryOperator>(Init) && cast<BinaryOperator>(Init)->isAdditiveOp()));
  }

  /// Something in \p E is no number and not in shared memory.
  bool comesFromElsewhere(const Expr *E, unsigned Depth = 0) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const OpenFills &Of;
      const unsigned Depth;
      bool Elsewhere = false;
      Visitor(const OpenFills &Of, unsigned Depth) : Of(Of), Depth(Depth) {}
      bool VisitExpr(const Expr *E) override {
        if (const Place P = givenPlace(E); P && Of.Stores.count(P))
          return true;
        if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
          const VarDecl *Var = mentionedVar(Ref);
          Elsewhere |= Var && Of.leadsElsewhere(Var, Depth);
        } else if (isa<MemberExpr, CXXDependentScopeMemberExpr>(E)) {
          const ParmVarDecl *By = nullptr;
          Elsewhere |= (E->getType()->isPointerType() || E->getType()->isDependentType()) &&
                       givenPlace(E) && !Of.leadsToShared(E, By);
        } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
          Elsewhere |= StringRef(calledName(Call)).starts_with("tex");
        }
        return !Elsewhere;
      }
    } V(*this, Depth);
    V.TraverseStmt(E);
    return V.Elsewhere;
  }
  /// The loop looks at something that is neither its thread's nor in shared memory.
  bool readsElsewhere(const Stmt *Loop) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const OpenFills &Of;
      bool Reads = false;
      explicit Visitor(const OpenFills &Of) : Of(Of) {}
      void through(const Expr *E) {
        const ParmVarDecl *By = nullptr;
        if (Reads || !E || Of.leadsToShared(E, By))
          return;
        E = E->IgnoreParenImpCasts();
        const auto *Ref = dyn_cast<DeclRefExpr>(E);
        const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
        const QualType T = Var ? Var->getType() : QualType();
        if (!Var || T->isPointerType())
          Reads = Of.comesFromElsewhere(E);
        else if (T->isArrayType() || T->isReferenceType())
          Reads = !Var->isLocalVarDecl() && Of.leadsElsewhere(Var, 0) &&
                  (T->isArrayType() || Ref->getType()->isArrayType() || isObject(T));
        else // an iterator, a view
          Reads =
              T->isDependentType() &&
              (isa<ParmVarDecl>(Var) || (Var->hasInit() && Of.comesFromElsewhere(Var->getInit())));
      }
      /// No `T &sum`.
      static bool isObject(QualType T) {
        return !T->getPointeeType()->isScalarType() &&
               !T->getPointeeType()->isTemplateTypeParmType();
      }
      bool VisitArraySubscriptExpr(const ArraySubscriptExpr *Sub) override {
        through(Sub->getBase());
        return !Reads;
      }
      bool VisitUnaryOperator(const UnaryOperator *Op) override {
        if (Op->getOpcode() == UO_Deref)
          through(Op->getSubExpr());
        return !Reads;
      }
      bool VisitMemberExpr(const MemberExpr *Member) override {
        if (Member->isArrow() && !givenPlace(Member))
          through(Member->getBase());
        return !Reads;
      }
      bool VisitCallExpr(const CallExpr *Call) override {
        Reads |= StringRef(calledName(Call)).starts_with("tex");
        for (const Expr *Arg : Call->arguments())
          through(Arg);
        if (Call->isTypeDependent()) {
          const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
          if (isa<DeclRefExpr>(Callee))
            through(Callee); // `view(i, j)`
          through(objectOfOpen(Call));
        }
        return !Reads;
      }
      bool VisitVarDecl(const VarDecl *Var) override {
        // `Loader load(tile, in);`
        if (const auto *List = dyn_cast_or_null<ParenListExpr>(Var->getInit()))
          for (const Expr *E : const_cast<ParenListExpr *>(List)->exprs())
            through(E);
        else if (const auto *Braces = dyn_cast_or_null<InitListExpr>(Var->getInit()))
          for_each(Braces->inits(), [&](const Expr *E) { through(E); });
        return !Reads;
      }
      bool VisitCXXUnresolvedConstructExpr(const CXXUnresolvedConstructExpr *Made) override {
        for (const Expr *E : Made->arguments())
          through(E);
        return !Reads;
      }
    } V(*this);
    V.TraverseStmt(Loop);
    return V.Reads;
  }
  bool leadsElsewhere(const VarDecl *Var, unsigned Depth) const {
    if (Var->hasAttr<CUDASharedAttr>() || Depth > 16)
      return false;
    const QualType T = Var->getType();
    const bool Initialised = Var->hasInit() && !isa<ParmVarDecl>(Var);
    // Of what was read of a shared array another thread's element may be made.
    if (T->isPointerType() || T->isReferenceType() || T->isDependentType())
      return !Initialised || !onlyShared(Var->getInit());
    if (T->isArrayType())
      return true;
    // A value that was loaded before, and has a type of its own.
    return !T->isIntegralOrEnumerationType() && Var->isLocalVarDecl() &&
           (!Initialised || comesFromElsewhere(Var->getInit(), Depth + 1));
  }
  /// It is made of shared arrays, and of no other pointer.
  bool onlyShared(const Expr *E) const {
    bool Shared = false;
    const ParmVarDecl *By = nullptr;
    for (const VarDecl *Var : mentionedVars(E)) {
      const bool Is =
          Var->hasAttr<CUDASharedAttr>() || (leadsOn(Var) && leadsToShared(Var->getInit(), By));
      Shared |= Is;
      if (!Is && Var->getType()->isPointerType())
        return false;
    }
    return Shared;
  }
};

} // namespace

bool mayWaitOpenly(const Stmt *Loop) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    bool Found = false;
    bool VisitStmt(const Stmt *S) override {
      if (isa<Expr, DeclStmt, ReturnStmt>(S))
        return true;
      for (const Stmt *Child : S->children())
        if (const auto *Call = dyn_cast_or_null<CallExpr>(Child); Call && Call->isTypeDependent()) {
          const std::string Name = StringRef(calledName(Call)).lower();
          Found |= any_of(ArrayRef<StringRef>{"sync", "wait", "barrier"},
                          [&](StringRef Word) { return StringRef(Name).contains(Word); });
        }
      return !Found;
    }
  } V;
  V.TraverseStmt(Loop);
  return V.Found;
}

bool fillsShared(const Stmt *Loop, const FunctionDecl *Function, bool MayBeGiven,
                 const ParmVarDecl **Given) {
  const OpenFills Fills(Loop, Function, MayBeGiven);
  if (Given)
    *Given = Fills.Given;
  return Fills.Found;
}

} // namespace cuda_pipeline
