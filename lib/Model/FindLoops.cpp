//===- FindLoops.cpp - Finds the candidate loops --------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AstUtil.h"
#include "Barriers.h"
#include "CallSites.h"
#include "LoopMatchers.h"
#include "PtxText.h"
#include "cuda-pipeline/KLoop.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace clang::ast_matchers;
using namespace llvm;

namespace cuda_pipeline {

const Expr *KLoop::condition() const { return conditionOf(Loop); }

namespace {

class Finder {
public:
  Finder(ASTContext &Context, function_ref<bool(const FunctionDecl *)> IsSound)
      : Context(Context), SM(Context.getSourceManager()), IsSound(IsSound) {}

  template <class RangeT> void scanDecls(const RangeT &Decls) {
    for (const Decl *D : Decls) {
      if (isa<NamespaceDecl>(D) || isa<LinkageSpecDecl>(D)) {
        scanDecls(cast<DeclContext>(D)->decls());
        continue;
      }
      // A method that is defined outside of the template of its class is one of its classes'.
      if (const FunctionDecl *F = asFunction(D);
          F && F->isOutOfLine() && isa<CXXMethodDecl>(F) &&
          cast<CXXMethodDecl>(F)->getParent()->isDependentContext())
        continue;
      if (placeOf(D->getLocation()) != Place::Elsewhere)
        scanDecl(D);
    }
  }

  FoundLoops Found;

private:
  enum class Place { MainFile, Header, Elsewhere };

  /// Asked for every declaration of the file, most of which stand in a row in one system header.
  Place placeOf(SourceLocation Loc) {
    if (Loc.isInvalid())
      return Place::Elsewhere;
    FileID File = SM.getFileID(SM.getExpansionLoc(Loc));
    if (File == SM.getMainFileID()) // a #line in it may say that it comes from elsewhere
      return isInMainFile(SM, Loc) ? Place::MainFile : Place::Elsewhere;
    if (File != LastFile) {
      LastFile = File;
      LastPlace = SM.isInSystemHeader(Loc) || !SM.getFileEntryRefForID(File) ? Place::Elsewhere
                                                                             : Place::Header;
    }
    return LastPlace;
  }

  void scanDecl(const Decl *D) {
    if (const auto *Function = dyn_cast<FunctionDecl>(D))
      return scanFunction(Function, false, false);
    if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D)) {
      bool Any = false;
      for (const FunctionDecl *Spec : Template->specializations()) {
        const FunctionDecl *Definition = Spec->getDefinition();
        if (!Definition ||
            Definition->getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
          continue; // an explicit specialisation is a declaration of its own
        scanFunction(Definition, true, false);
        Any = true;
      }
      if (const FunctionDecl *Pattern = Template->getTemplatedDecl(); !Any)
        scanFunction(Pattern->getDefinition() ? Pattern->getDefinition() : Pattern, true, true);
      return;
    }
    if (const auto *Class = dyn_cast<ClassTemplateDecl>(D)) {
      // The methods that some class has been given, of the template's; the others nobody calls.
      DenseSet<const FunctionDecl *> Used;
      bool Any = false;
      for (const ClassTemplateSpecializationDecl *Spec : Class->specializations())
        if (Spec->getTemplateSpecializationKind() != TSK_ExplicitSpecialization &&
            Spec->isCompleteDefinition()) {
          scanRecord(Spec, true, false);
          addUsed(Spec, Used);
          Any = true;
        }
      if (!Any)
        scanRecord(Class->getTemplatedDecl(), true, true);
      else
        scanUnused(Class->getTemplatedDecl(), Used);
      return;
    }
    if (const auto *Record = dyn_cast<CXXRecordDecl>(D))
      scanRecord(Record, false, false);
    if (const auto *Friend = dyn_cast<FriendDecl>(D); Friend && Friend->getFriendDecl())
      scanDecl(Friend->getFriendDecl());
  }

  void scanRecord(const CXXRecordDecl *Record, bool IsTemplate, bool IsPattern) {
    if (!Record->isThisDeclarationADefinition() || Record->isImplicit())
      return;
    for (const Decl *D : Record->decls()) {
      if (const auto *Method = dyn_cast<FunctionDecl>(D))
        scanFunction(Method->getDefinition() ? Method->getDefinition() : Method, IsTemplate,
                     IsPattern);
      else
        scanDecl(D);
    }
  }

  static const FunctionDecl *asFunction(const Decl *D) {
    const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
    return Template ? Template->getTemplatedDecl() : dyn_cast<FunctionDecl>(D);
  }
  static void addUsed(const CXXRecordDecl *Class, DenseSet<const FunctionDecl *> &Used) {
    auto Add = [&](const FunctionDecl *F) {
      const FunctionDecl *Definition = F->getDefinition();
      if (const FunctionDecl *Of =
              Definition ? Definition->getTemplateInstantiationPattern() : nullptr)
        Used.insert(Of->getCanonicalDecl());
    };
    for (const Decl *D : Class->decls())
      if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
        for_each(Template->specializations(), Add);
      else if (const auto *F = dyn_cast<FunctionDecl>(D))
        Add(F);
      else if (const auto *Inner = dyn_cast<CXXRecordDecl>(D); Inner && !Inner->isImplicit())
        addUsed(Inner, Used);
  }
  void scanUnused(const CXXRecordDecl *Class, const DenseSet<const FunctionDecl *> &Used) {
    for (const Decl *D : Class->decls())
      if (const FunctionDecl *F = asFunction(D); F && !Used.count(F->getCanonicalDecl()))
        if (const FunctionDecl *Definition = F->getDefinition())
          scanFunction(Definition, true, true);
    for (const Decl *D : Class->decls())
      if (const auto *Inner = dyn_cast<CXXRecordDecl>(D); Inner && !Inner->isImplicit())
        scanUnused(Inner, Used);
  }

  static DeclarationMatcher forEachLoop(const StatementMatcher &Like) {
    return functionDecl(hasBody(forEachDescendant(stmt(Like).bind("loop"))));
  }

  void scanFunction(const FunctionDecl *F, bool IsTemplate, bool IsPattern) {
    if (!F->doesThisDeclarationHaveABody())
      return;
    if (!F->hasAttr<CUDAGlobalAttr>() && !F->hasAttr<CUDADeviceAttr>())
      return;
    for (const Decl *D : F->decls())
      if (const auto *Local = dyn_cast<CXXRecordDecl>(D); Local && !Local->isLambda())
        scanRecord(Local, IsTemplate, IsPattern);
    if (F->isDependentContext() && !IsPattern)
      IsPattern = true;
    if (IsPattern && placeOf(F->getLocation()) == Place::Header)
      return;
    // Who is asked whether the function is sound says so where it is not: not of one without loops.
    if (match(HasLoop, *F, Context).empty() || !IsSound(F))
      return;
    // Most functions have no loop with a barrier: what is exact is asked of the others.
    Possible.clear();
    for (const BoundNodes &Nodes : match(IsPattern ? FillLoops : TileLoops, *F, Context))
      Possible.insert(Nodes.getNodeAs<Stmt>("loop"));
    if (Possible.empty())
      return;
    EffectCollector Collector(Context, F);
    SmallVector<const Stmt *, 8> Ancestors;
    Current = {F, IsTemplate, IsPattern};
    scanStmt(F->getBody(), Ancestors, Collector);
  }

  /// Returns true when a candidate loop was found inside of \p S.
  bool scanStmt(const Stmt *S, SmallVectorImpl<const Stmt *> &Ancestors,
                const EffectCollector &Collector) {
    if (!S)
      return false;
    bool Inner = false;
    const size_t Before = Found.InMainFile.size() + Found.InHeaders.size();
    Ancestors.push_back(S);
    for (const Stmt *Child : S->children())
      Inner |= scanStmt(Child, Ancestors, Collector);
    Ancestors.pop_back();
    if (Inner || !Possible.count(S))
      return Inner;
    Effects E = Collector.collect(S);
    const bool Barrier = isBarrierIn(E) || (Current.IsPattern && mayWaitOpenly(S));
    // Some people's tiles belong to one warp: told apart later, but not passed over in silence. A
    // loop around it may still be a tile loop of the block.
    bool WarpOnly = !Barrier && hasWarpBarrier(S, Collector);
    // What is not seen may wait, between stores to a tile and the use of it.
    if (!Barrier && !WarpOnly &&
        !(E.writes(Space::Shared) && E.reads(Space::Shared) && any_of(E.Actions, isUnseenCall)))
      return false;
    bool AsyncCopies = E.has(FunctionKind::AsyncCopy) || startsCopiesInAssembly(E, Context);
    const bool AsmStores = storesInAssembly(E, Collector, Context);
    const bool ReadsGlobal = readsGlobal(E) || AsyncCopies;
    const bool Alone = Before == Found.InMainFile.size() + Found.InHeaders.size();
    // Named, as those of a warp are, and no reason to pass over a loop around it that has a tile of
    // its own.
    const ParmVarDecl *Passed = nullptr;
    if (!Current.IsPattern && ReadsGlobal && !E.writes(Space::Shared) && !AsyncCopies &&
        E.writes(Space::Unknown) && Alone)
      Passed = passedTile(S);
    // An object that has kept the address of the array stores to it, and nobody follows the object.
    const bool Unseen = !Current.IsPattern && !Passed && Barrier && ReadsGlobal &&
                        !E.writes(Space::Shared) && E.writes(Space::Unknown) && Alone &&
                        mayStoreUnseen(S, E);
    if (!Current.IsPattern &&
        !((E.writes(Space::Shared) || AsyncCopies || AsmStores || Passed || Unseen) && ReadsGlobal))
      return false;
    if (Current.IsPattern && !E.writes(Space::Shared) && !AsmStores && !AsyncCopies &&
        !fillsShared(S))
      return false;
    return add(S, Ancestors, Passed) && !WarpOnly && !Passed && !Unseen;
  }

  static bool isUnseenCall(const Action &A) {
    const auto *Call = dyn_cast_or_null<CallExpr>(A.Where);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return A.Kind == Action::UnknownCall && Call &&
           !(Callee && isLibraryFunction(Callee, Callee->getASTContext()));
  }

  /// All threads of a block, or of a grid, wait for each other.
  static bool isBarrierIn(const Effects &E) {
    return E.hasBarrier() || any_of(E.Actions, [](const Action &A) {
             if (A.Function == FunctionKind::GridBarrier)
               return StringRef(A.Name).ends_with("sync");
             const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(A.Where);
             const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
             return Method && Method->getIdentifier() && Method->getParent()->getIdentifier() &&
                    Method->getParent()->getName() == "barrier" &&
                    Method->getName().contains("wait");
           });
  }

  /// In a template that nobody uses: a call that stands for itself may be of a barrier, if it is
  /// called so.
  static bool mayWaitOpenly(const Stmt *S) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      bool Found = false;
      bool VisitCompoundStmt(const CompoundStmt *Block) override {
        for (const Stmt *Child : Block->body())
          if (const auto *Call = dyn_cast<CallExpr>(Child); Call && Call->isTypeDependent())
            Found |= isNamedSo(Call->getCallee()->IgnoreParenImpCasts());
        return !Found;
      }
      static bool isNamedSo(const Expr *Callee) {
        DeclarationName Name;
        if (const auto *Scoped = dyn_cast<DependentScopeDeclRefExpr>(Callee))
          Name = Scoped->getDeclName();
        else if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(Callee))
          Name = Member->getMember();
        else if (const auto *Overloaded = dyn_cast<OverloadExpr>(Callee))
          Name = Overloaded->getName();
        const std::string Text = StringRef(Name.getAsString()).lower();
        return any_of(ArrayRef<StringRef>{"sync", "wait", "barrier"},
                      [&](StringRef Word) { return StringRef(Text).contains(Word); });
      }
    } V;
    V.TraverseStmt(S);
    return V.Found;
  }

  bool readsGlobal(const Effects &E) const {
    return E.reads(Space::Global) || E.reads(Space::Texture) || E.reads(Space::Unknown) ||
           any_of(E.Actions,
                  [&](const Action &A) {
                    const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where);
                    return Asm && readPtx(Asm, Context).LoadsElsewhere;
                  }) ||
           any_of(E.Accesses, [](const Access &A) {
             return A.Read &&
                    any_of(A.Roots, [](const MemoryRoot &R) { return isConstantMemory(R.Decl); });
           });
  }

  /// Somebody who is not followed may store to a shared array.
  bool mayStoreUnseen(const Stmt *Loop, const Effects &E) {
    if (letsSharedOut(Current.F->getBody()) || mentionsSharedNumber(Current.F->getBody()))
      return true;
    // A function that is not seen, to an array that all functions can name.
    if (any_of(E.Actions, [](const Action &A) { return A.Kind == Action::UnknownCall; }) &&
        any_of(E.Accesses, [](const Access &A) {
          return any_of(A.Roots, [](const MemoryRoot &R) {
            return R.In == Space::Shared && R.Decl &&
                   R.Decl->getDeclContext()->getRedeclContext()->isFileContext();
          });
        }))
      return true;
    if (Current.F->hasAttr<CUDAGlobalAttr>())
      return false;
    if (!Calls)
      Calls.emplace(Context);
    if (const std::vector<CallSite> *Sites = Calls->of(Current.F))
      return any_of(*Sites, [](const CallSite &Site) {
        return letsSharedOut(Site.Caller->getBody()) ||
               mentionsSharedNumber(Site.Caller->getBody());
      });
    return false;
  }

  /// An address is made of a number for shared memory.
  static bool mentionsSharedNumber(const Stmt *S) {
    if (!S)
      return false;
    const auto *Call = dyn_cast<CallExpr>(S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return (Callee && Callee->getIdentifier() && Callee->getName() == "__cvta_shared_to_generic") ||
           any_of(S->children(), mentionsSharedNumber);
  }

  /// The name of a shared array or object stands somewhere for its address, not for an element.
  static bool letsSharedOut(const Stmt *S) {
    if (!S)
      return false;
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(S)) {
      const Expr *Base = Sub->getBase()->IgnoreParenImpCasts();
      return (!isa<DeclRefExpr>(Base) && letsSharedOut(Base)) || letsSharedOut(Sub->getIdx());
    }
    if (const auto *Member = dyn_cast<MemberExpr>(S);
        Member && isa<FieldDecl>(Member->getMemberDecl()))
      if (const Expr *Base = Member->getBase()->IgnoreParenImpCasts(); isa<DeclRefExpr>(Base))
        return false;
    if (const auto *Made = dyn_cast<CXXConstructExpr>(S)) {
      const CXXConstructorDecl *Ctor = Made->getConstructor();
      if (Ctor->isCopyOrMoveConstructor() && Ctor->isTrivial())
        return false;
      // `cuda::atomic_ref cell(tile[i])` keeps the place.
      for (unsigned I = 0; I < std::min(Made->getNumArgs(), Ctor->getNumParams()); ++I)
        if (const QualType T = Ctor->getParamDecl(I)->getType();
            T->isLValueReferenceType() && !T->getPointeeType().isConstQualified() &&
            any_of(mentionedVars(Made->getArg(I)),
                   [](const VarDecl *Var) { return Var->hasAttr<CUDASharedAttr>(); }))
          return true;
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      return Ref->getDecl()->hasAttr<CUDASharedAttr>() &&
             (Ref->getType()->isArrayType() || Ref->getType()->isRecordType());
    return any_of(S->children(), letsSharedOut);
  }

  /// A parameter of the __device__ function that the loop uses, and for which a caller gives a
  /// shared array.
  const ParmVarDecl *passedTile(const Stmt *Loop) {
    if (Current.F->hasAttr<CUDAGlobalAttr>())
      return nullptr;
    if (!Calls)
      Calls.emplace(Context);
    const std::vector<CallSite> *Sites = Calls->of(Current.F);
    const DeclSet<VarDecl> Used = mentionedVars(Loop);
    auto IsShared = [](const VarDecl *Var) { return Var->hasAttr<CUDASharedAttr>(); };
    for (const ParmVarDecl *Param : Current.F->parameters())
      if (const QualType T = Param->getType();
          Sites && Used.count(Param) && (T->isPointerType() || T->isReferenceType()))
        for (const CallSite &Site : *Sites) {
          const unsigned I = Param->getFunctionScopeIndex() + objectArguments(Site.Call);
          if (I < Site.Call->getNumArgs() && any_of(mentionedVars(Site.Call->getArg(I)), IsShared))
            return Param;
        }
    return nullptr;
  }

  /// A fill in the text of a template, of whose types nothing is known: something is stored through
  /// the name of a shared array, or of a pointer or reference that is made of one, and it comes
  /// from another pointer; or both are handed to a function.
  bool fillsShared(const Stmt *S) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      bool Found = false;
      bool OfDevice = false; ///< the function is no kernel: its object may be in shared memory
      bool VisitBinaryOperator(const BinaryOperator *Op) override {
        Found |= Op->getOpcode() == BO_Assign && isShared(Op->getLHS()) &&
                 comesFromElsewhere(Op->getRHS());
        return !Found;
      }
      bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *Call)
          override { // `tile[i] = A[j];` of types that are not known
        Found |= Call->getOperator() == OO_Equal && Call->getNumArgs() == 2 &&
                 isShared(Call->getArg(0)) && comesFromElsewhere(Call->getArg(1));
        return !Found;
      }
      bool VisitCallExpr(const CallExpr *Call) override {
        if (isa<CXXOperatorCallExpr>(Call))
          return true;
        // What is called to look at a value is given no place to put it.
        auto IsPlace = [](const Expr *Arg) {
          const Expr *E = Arg->IgnoreParenImpCasts();
          return isa<DeclRefExpr>(E) || isa<UnaryOperator>(E) || isa<BinaryOperator>(E) ||
                 isa<ArraySubscriptExpr>(E);
        };
        Found |=
            Call->isTypeDependent() &&
            (any_of(Call->arguments(),
                    [&](const Expr *Arg) { return IsPlace(Arg) && isShared(Arg); }) ||
             isShared(objectOfOpen(Call))) && // `tile[i].set(p)`
            any_of(Call->arguments(), [&](const Expr *Arg) { return comesFromElsewhere(Arg); });
        return !Found;
      }
      /// An object of a type that is not known is made of both: `Loader load(tile, in);`
      void made(ArrayRef<const Expr *> Of) {
        Found |= any_of(Of, [&](const Expr *E) { return isShared(E); }) &&
                 any_of(Of, [&](const Expr *E) { return comesFromElsewhere(E); });
      }
      bool VisitCXXUnresolvedConstructExpr(const CXXUnresolvedConstructExpr *Made) override {
        made(SmallVector<const Expr *, 4>(Made->arguments()));
        return !Found;
      }
      bool VisitVarDecl(const VarDecl *Var) override {
        if (!Var->getType()->isDependentType() || Var->getType()->getContainedAutoType())
          return true;
        if (const auto *List = dyn_cast_or_null<ParenListExpr>(Var->getInit()))
          made(SmallVector<const Expr *, 4>(const_cast<ParenListExpr *>(List)->exprs()));
        else if (const auto *Braces = dyn_cast_or_null<InitListExpr>(Var->getInit()))
          made(SmallVector<const Expr *, 4>(Braces->inits()));
        return !Found;
      }
      static const Expr *objectOfOpen(const CallExpr *Call) {
        const auto *Member =
            dyn_cast<CXXDependentScopeMemberExpr>(Call->getCallee()->IgnoreParenImpCasts());
        return Member && !Member->isImplicitAccess() ? Member->getBase() : nullptr;
      }
      bool VisitCXXNewExpr(const CXXNewExpr *New) override { // `new (&tile[i]) float(A[j])`
        Found |= New->getNumPlacementArgs() == 1 && isShared(New->getPlacementArg(0)) &&
                 New->getInitializer() && comesFromElsewhere(New->getInitializer());
        return !Found;
      }
      /// Where the place \p E is, or points to.
      bool isShared(const Expr *E, unsigned Depth = 0) const {
        if (!E || Depth > 16)
          return false;
        E = E->IgnoreParenImpCasts();
        if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
          const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
          return Var && (Var->hasAttr<CUDASharedAttr>() ||
                         (leadsOn(Var) && isShared(Var->getInit(), Depth + 1)));
        }
        if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
          return isShared(Sub->getBase(), Depth + 1) || isShared(Sub->getIdx(), Depth + 1);
        if (const auto *Member = dyn_cast<MemberExpr>(E))
          return (OfDevice && Member->isImplicitAccess() && Member->getType()->isArrayType()) ||
                 isShared(Member->getBase(), Depth + 1);
        if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(E))
          return !Member->isImplicitAccess() && isShared(Member->getBase(), Depth + 1);
        if (const auto *Op = dyn_cast<UnaryOperator>(E))
          return (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf) &&
                 isShared(Op->getSubExpr(), Depth + 1);
        if (const auto *Op = dyn_cast<BinaryOperator>(E))
          return Op->isPtrMemOp() ? isShared(Op->getLHS(), Depth + 1)
                                  : Op->isAdditiveOp() && (isShared(Op->getLHS(), Depth + 1) ||
                                                           isShared(Op->getRHS(), Depth + 1));
        if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
          return isShared(Cast->getSubExpr(), Depth + 1);
        if (const auto *Call = dyn_cast<CallExpr>(E)) // `tile.at(i)`, `tile(i, j)`, `tile[i]`
          return isShared(Call->getCallee(), Depth + 1) ||
                 (isa<CXXOperatorCallExpr>(Call) && Call->getNumArgs() &&
                  isShared(Call->getArg(0), Depth + 1)) ||
                 (Call->isTypeDependent() && // `make_tensor(tile, layout)`
                  any_of(Call->arguments(), [&](const Expr *Arg) {
                    return isa<DeclRefExpr>(Arg->IgnoreParenImpCasts()) && isShared(Arg, Depth + 1);
                  }));
        if (const auto *List = dyn_cast<ParenListExpr>(E))
          return List->getNumExprs() == 1 && isShared(List->getExpr(0), Depth + 1);
        if (const auto *List = dyn_cast<InitListExpr>(E))
          return List->getNumInits() == 1 && isShared(List->getInit(0), Depth + 1);
        return false;
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
                (isa<CallExpr>(Init) && Init->isTypeDependent() &&
                 !isa<CXXOperatorCallExpr>(Init)) ||
                (isa<UnaryOperator>(Init) && cast<UnaryOperator>(Init)->getOpcode() == UO_AddrOf) ||
                (isa<BinaryOperator>(Init) && cast<BinaryOperator>(Init)->isAdditiveOp()));
      }
      bool comesFromElsewhere(const Expr *E) const {
        return any_of(mentionedVars(E), [&](const VarDecl *Var) {
          if (Var->hasAttr<CUDASharedAttr>() ||
              !(Var->getType()->isPointerType() || Var->getType()->isDependentType()))
            return false;
          // Of what was read of a shared array another thread's element may be made.
          return !Var->hasInit() || isa<ParmVarDecl>(Var) || !onlyShared(Var->getInit());
        });
      }
      /// It is made of shared arrays, and of no other pointer.
      bool onlyShared(const Expr *E) const {
        bool Shared = false;
        for (const VarDecl *Var : mentionedVars(E)) {
          const bool Is =
              Var->hasAttr<CUDASharedAttr>() || (leadsOn(Var) && isShared(Var->getInit()));
          Shared |= Is;
          if (!Is && Var->getType()->isPointerType())
            return false;
        }
        return Shared;
      }
    } V;
    V.OfDevice = !Current.F->hasAttr<CUDAGlobalAttr>();
    V.TraverseStmt(S);
    return V.Found;
  }

  /// `__syncwarp();` as a statement of the loop's own body.
  bool hasWarpBarrier(const Stmt *Loop, const EffectCollector &Collector) const {
    const auto *Body = dyn_cast<CompoundStmt>(bodyOf(Loop));
    return Body && any_of(Body->body(), [&](const Stmt *Child) {
             return barrierOf(Child, Collector, Context) == FunctionKind::WarpBarrier;
           });
  }

  bool add(const Stmt *S, ArrayRef<const Stmt *> Ancestors, const ParmVarDecl *PassedTile) {
    KLoop Loop;
    Loop.PassedTile = PassedTile;
    Loop.Function = Current.F;
    Loop.IsKernel = Current.F->hasAttr<CUDAGlobalAttr>();
    Loop.IsTemplate = Current.IsTemplate;
    Loop.IsPattern = Current.IsPattern;
    Loop.Kernel = Current.F->getQualifiedNameAsString();
    Loop.Loop = S;
    Loop.Ancestors.assign(Ancestors.begin(), Ancestors.end());
    if (!Ancestors.empty())
      Loop.Pragma = dyn_cast<AttributedStmt>(Ancestors.back());
    Loop.Body = dyn_cast<CompoundStmt>(bodyOf(S));
    Loop.Begin = SM.getExpansionLoc(S->getBeginLoc());
    const Place Where = placeOf(Loop.Begin);
    if (Where == Place::Elsewhere || (Where == Place::Header && Current.IsPattern))
      return false;
    Loop.Line = SM.getSpellingLineNumber(Loop.Begin);
    Loop.Column = SM.getSpellingColumnNumber(Loop.Begin);
    Loop.EndLine = SM.getSpellingLineNumber(SM.getExpansionLoc(S->getEndLoc()));
    (Where == Place::MainFile ? Found.InMainFile : Found.InHeaders).push_back(std::move(Loop));
    return true;
  }

  ASTContext &Context;
  const SourceManager &SM;
  const function_ref<bool(const FunctionDecl *)> IsSound;
  const LoopMatchers Matchers;
  const DeclarationMatcher HasLoop = functionDecl(hasBody(hasDescendant(Matchers.anyLoop))),
                           TileLoops = forEachLoop(Matchers.tileLoop),
                           FillLoops = forEachLoop(Matchers.fillLoop);
  DenseSet<const Stmt *> Possible; ///< loops of the function, by the matchers
  std::optional<CallSites> Calls;  ///< when somebody asks
  FileID LastFile;
  Place LastPlace = Place::Elsewhere;
  struct {
    const FunctionDecl *F = nullptr;
    bool IsTemplate = false, IsPattern = false;
  } Current;
};

} // namespace

FoundLoops findLoops(ASTContext &Context, function_ref<bool(const FunctionDecl *)> IsSound) {
  Finder F(Context, IsSound);
  F.scanDecls(Context.getTraversalScope());
  const SourceManager &SM = Context.getSourceManager();
  for (std::vector<KLoop> *Loops : {&F.Found.InMainFile, &F.Found.InHeaders}) {
    // What some arguments are known for is no longer open.
    DenseSet<SourceLocation> Known;
    for (const KLoop &L : *Loops)
      if (!L.IsPattern)
        Known.insert(L.Begin);
    llvm::erase_if(*Loops, [&](const KLoop &L) { return L.IsPattern && Known.count(L.Begin); });
    llvm::stable_sort(*Loops, [&](const KLoop &A, const KLoop &B) {
      return SM.isBeforeInTranslationUnit(A.Begin, B.Begin);
    });
  }
  return std::move(F.Found);
}

} // namespace cuda_pipeline
