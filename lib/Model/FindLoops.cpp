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
#include "ModelStep.h"
#include "OpenText.h"
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
      // A method that is defined outside of the template of its class is found with the class.
      if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(asFunction(D));
          Method && Method->isOutOfLine() && Method->getParent()->isDependentContext() &&
          placeOf(Method->getParent()->getLocation()) != Place::Elsewhere)
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
      if (!Any)
        scanDefinition(Template->getTemplatedDecl(), true, true);
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
    // A function may be defined in its friend. A class is found where it is declared, and may be
    // the one at hand.
    if (const auto *Friend = dyn_cast<FriendDecl>(D);
        Friend && isa_and_nonnull<FunctionDecl, FunctionTemplateDecl>(Friend->getFriendDecl()))
      scanDecl(Friend->getFriendDecl());
    if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->hasInit())
      if (const auto *Lambda = dyn_cast<LambdaExpr>(Var->getInit()->IgnoreImplicit()))
        scanClosure(Lambda->getLambdaClass(), false, false);
  }

  void scanRecord(const CXXRecordDecl *Record, bool IsTemplate, bool IsPattern) {
    if (!Record->isThisDeclarationADefinition() || Record->isImplicit())
      return;
    for (const Decl *D : Record->decls()) {
      if (const auto *Method = dyn_cast<FunctionDecl>(D))
        scanDefinition(Method, IsTemplate, IsPattern);
      else
        scanDecl(D);
    }
  }

  static const FunctionDecl *asFunction(const Decl *D) {
    const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
    return Template ? Template->getTemplatedDecl() : dyn_cast<FunctionDecl>(D);
  }
  template <class FnT> static void forEachClassIn(const CXXRecordDecl *Class, FnT Fn) {
    for (const Decl *D : Class->decls())
      if (const auto *Inner = dyn_cast<CXXRecordDecl>(D); Inner && !Inner->isImplicit())
        Fn(Inner);
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
      else if (const auto *Template = dyn_cast<ClassTemplateDecl>(D))
        for (const CXXRecordDecl *Spec : Template->specializations())
          addUsed(Spec, Used);
      else if (const auto *F = dyn_cast<FunctionDecl>(D))
        Add(F);
    forEachClassIn(Class, [&](const CXXRecordDecl *Inner) { addUsed(Inner, Used); });
  }
  void scanUnused(const CXXRecordDecl *Class, const DenseSet<const FunctionDecl *> &Used) {
    for (const Decl *D : Class->decls())
      if (const FunctionDecl *F = asFunction(D); F && !Used.count(F->getCanonicalDecl()))
        scanDefinition(F, true, true);
      else if (const auto *Template = dyn_cast<ClassTemplateDecl>(D))
        scanUnused(Template->getTemplatedDecl(), Used);
    forEachClassIn(Class, [&](const CXXRecordDecl *Inner) { scanUnused(Inner, Used); });
  }

  static DeclarationMatcher forEachLoop(const StatementMatcher &Like) {
    return functionDecl(hasBody(forEachDescendant(stmt(Like).bind("loop"))));
  }

  /// Clang takes all closures for functions of both sides; nvcc wants to be told.
  static bool isOfDevice(const FunctionDecl *F) {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    const auto *Attr = F->getAttr<CUDADeviceAttr>();
    return F->hasAttr<CUDAGlobalAttr>() ||
           (Attr && !(Attr->isImplicit() && Method && Method->getParent()->isLambda()));
  }
  void scanDefinition(const FunctionDecl *F, bool IsTemplate, bool IsPattern) {
    if (const FunctionDecl *Definition = F->getDefinition())
      scanFunction(Definition, IsTemplate, IsPattern);
  }

  void scanFunction(const FunctionDecl *F, bool IsTemplate, bool IsPattern) {
    // A template may be declared several times, and has its instances each time.
    if (!F->doesThisDeclarationHaveABody() || !Scanned.insert(F).second)
      return;
    if (F->isDependentContext())
      IsPattern = true;
    for (const Decl *D : F->decls())
      if (const auto *Local = dyn_cast<CXXRecordDecl>(D); Local && Local->isLambda())
        scanClosure(Local, IsTemplate, IsPattern);
      else if (Local)
        scanRecord(Local, IsTemplate, IsPattern);
    // A closure that stands in a function of the GPU is a part of that.
    if (!isOfDevice(F) || isPartOfOther(F))
      return;
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

  void scanClosure(const CXXRecordDecl *Closure, bool IsTemplate, bool IsPattern) {
    if (const FunctionTemplateDecl *Generic = Closure->getDependentLambdaCallOperator())
      scanDecl(Generic);
    else if (const CXXMethodDecl *Call = Closure->getLambdaCallOperator())
      scanFunction(Call, IsTemplate, IsPattern);
  }
  static bool isPartOfOther(const FunctionDecl *F) {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    const auto *Around = Method && Method->getParent()->isLambda()
                             ? dyn_cast<FunctionDecl>(Method->getParent()->getDeclContext())
                             : nullptr;
    return Around && isOfDevice(Around);
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
    if (!Possible.count(S))
      return Inner;
    if (Inner) {
      // Named as well where it has a tile of its own.
      DeclSet<VarDecl> OnTheWay;
      if (fillsAround(S, Collector, OnTheWay) || readsWhatIsFilled(S, Collector))
        add(S, Ancestors, nullptr, /*HasTileLoop=*/true);
      return true;
    }
    Effects E = Collector.collect(S);
    const bool Barrier = isBarrierIn(E) || (Current.IsPattern && mayWaitOpenly(S));
    // Some people's tiles belong to one warp: told apart later, but not passed over in silence. A
    // loop around it may still be a tile loop of the block.
    bool WarpOnly = !Barrier && hasWarpBarrier(S, Collector);
    const bool Alone = Before == Found.InMainFile.size() + Found.InHeaders.size();
    // What is not seen may wait, between stores to a tile and the use of it.
    if (!Barrier && !WarpOnly &&
        !(Alone && E.writes(Space::Shared) && E.reads(Space::Shared) &&
          any_of(E.Actions, isUnseenCall)))
      return false;
    bool AsyncCopies = E.has(FunctionKind::AsyncCopy) || startsCopiesInAssembly(E, Context);
    const bool AsmStores = storesInAssembly(E, Collector, Context);
    const bool ReadsGlobal = readsGlobal(E) || AsyncCopies;
    // Named, as those of a warp are, and no reason to pass over a loop around it that has a tile of
    // its own: where it stores by an address that is not followed.
    const ParmVarDecl *Passed = nullptr;
    bool Unseen = false;
    if (!Current.IsPattern && ReadsGlobal && !E.writes(Space::Shared) && !AsyncCopies &&
        E.writes(Space::Unknown) && Alone) {
      const DeclSet<ValueDecl> Tiles = passedTiles(S);
      // What only moves data from one of them to another is no tile loop.
      if (Tiles.empty() || readsOthers(E, Tiles)) {
        Passed = Tiles.empty() ? nullptr : cast<ParmVarDecl>(*Tiles.begin());
        // Who calls the function is not seen, and may pass a tile; or an object that has kept the
        // address of one stores to it.
        Unseen = !Passed && Barrier &&
                 ((mayBeCalledUnseen(Current.F) && fillsShared(S, Current.F, true, &Passed)) ||
                  mayStoreUnseen(E));
      }
    }
    if (!Current.IsPattern &&
        !((E.writes(Space::Shared) || AsyncCopies || AsmStores || Passed || Unseen) && ReadsGlobal))
      return false;
    // Whoever will instantiate the function may give it a tile.
    if (Current.IsPattern && !E.writes(Space::Shared) && !AsmStores && !AsyncCopies &&
        !fillsShared(S, Current.F, /*MayBeGiven=*/!Current.F->hasAttr<CUDAGlobalAttr>()))
      return false;
    if (!add(S, Ancestors, Passed) || !Barrier || Passed || Unseen)
      return false;
    Innermost.insert(S);
    AroundThem.insert(Ancestors.begin(), Ancestors.end());
    return true;
  }

  /// Data goes from global to shared memory in \p S, and not in a tile loop that it has in it.
  /// \p OnTheWay: variables that hold some of it by then.
  bool fillsAround(const Stmt *S, const EffectCollector &Collector, DeclSet<VarDecl> &OnTheWay) {
    if (!S || Innermost.count(S))
      return false;
    if (AroundThem.count(S) || isa<CompoundStmt>(S))
      return any_of(S->children(),
                    [&](const Stmt *Child) { return fillsAround(Child, Collector, OnTheWay); });
    if (Current.IsPattern && fillsShared(S, Current.F, false))
      return true;
    const Effects E = Collector.collect(S);
    if (E.has(FunctionKind::AsyncCopy) || startsCopiesInAssembly(E, Context))
      return true;
    const bool Loads = readsGlobal(E);
    if ((E.writes(Space::Shared) || storesInAssembly(E, Collector, Context)) &&
        (Loads ||
         any_of(mentionedVars(S), [&](const VarDecl *V) { return OnTheWay.count(V) != 0; })))
      return true;
    if (Loads)
      for (const VarDecl *V : writtenVars(E))
        OnTheWay.insert(V);
    return false;
  }

  /// A loop in \p S does nothing but fill a tile, between barriers of its own, that is read behind
  /// it: \p S is the tile loop.
  bool readsWhatIsFilled(const Stmt *S, const EffectCollector &Collector) const {
    DeclSet<ValueDecl> Filled;
    for (const Stmt *Loop : Innermost) {
      if (!encloses(S, Loop))
        continue;
      const Effects E = Collector.collect(Loop);
      if (E.reads(Space::Shared))
        continue;
      for (const Access &A : E.Accesses)
        for (const MemoryRoot &R : A.Roots)
          if (A.Write && R.In == Space::Shared && R.Decl)
            Filled.insert(R.Decl);
    }
    return !Filled.empty() && readsOutside(S, Filled, Collector);
  }
  bool readsOutside(const Stmt *S, const DeclSet<ValueDecl> &Arrays,
                    const EffectCollector &Collector) const {
    if (!S || Innermost.count(S))
      return false;
    if (AroundThem.count(S) || isa<CompoundStmt>(S) || isLoop(S))
      return any_of(S->children(),
                    [&](const Stmt *Child) { return readsOutside(Child, Arrays, Collector); });
    return any_of(Collector.collect(S).Accesses, [&](const Access &A) {
      return A.Read && any_of(A.Roots, [&](const MemoryRoot &R) {
               return R.In == Space::Shared && R.Decl && Arrays.count(R.Decl) != 0;
             });
    });
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
  bool mayStoreUnseen(const Effects &E) {
    // A function that is not seen, to an array that all functions can name.
    if (any_of(E.Actions, [](const Action &A) { return A.Kind == Action::UnknownCall; }) &&
        any_of(E.Accesses, [](const Access &A) {
          return any_of(A.Roots, [](const MemoryRoot &R) {
            return R.In == Space::Shared && R.Decl &&
                   R.Decl->getDeclContext()->getRedeclContext()->isFileContext();
          });
        }))
      return true;
    DenseSet<const FunctionDecl *> Seen;
    return anyAround(Current.F, Seen, [&](const FunctionDecl *F) {
      auto [It, New] = LetOut.try_emplace(F, false);
      if (New)
        It->second = letsSharedOut(F->getBody()) || handsSharedOut(F);
      return It->second;
    });
  }

  /// A function that \p F calls, or that this one calls, has a shared array of its own, and may
  /// leave its address where it is told to: `make(&tile);`.
  static bool handsSharedOut(const FunctionDecl *F) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      std::vector<const FunctionDecl *> Called;
      bool HasShared = false;
      bool VisitVarDecl(const VarDecl *Var) override {
        HasShared |= isShared(Var);
        return true;
      }
      bool VisitCallExpr(const CallExpr *Call) override {
        if (const FunctionDecl *Callee = Call->getDirectCallee())
          Called.push_back(Callee);
        return true;
      }
    };
    DenseSet<const FunctionDecl *> Seen;
    std::vector<const FunctionDecl *> Open = {F};
    while (!Open.empty()) {
      const FunctionDecl *Of = Open.back(), *Body = nullptr;
      Open.pop_back();
      if (!Of->hasBody(Body) || !Seen.insert(Body->getCanonicalDecl()).second)
        continue;
      Visitor V;
      V.TraverseStmt(Body->getBody());
      if (Of != F && V.HasShared && any_of(Body->parameters(), mayTakeAddress) &&
          letsSharedOut(Body->getBody()))
        return true;
      append_range(Open, V.Called);
    }
    return false;
  }
  /// What is told there may be where a pointer is.
  static bool mayTakeAddress(const ParmVarDecl *Param) {
    const QualType T = Param->getType()->getPointeeType();
    return !T.isNull() && !T.isConstQualified() && (T->isPointerType() || T->isRecordType());
  }

  const std::vector<CallSite> *sitesOf(const FunctionDecl *F) {
    if (F->hasAttr<CUDAGlobalAttr>())
      return nullptr;
    return calls().of(F);
  }
  CallSites &calls() {
    if (!Calls)
      Calls.emplace(Context);
    return *Calls;
  }

  /// As CallSites has it; a function that nobody calls is given no tile.
  bool mayBeCalledUnseen(const FunctionDecl *F) {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    return !F->hasAttr<CUDAGlobalAttr>() &&
           ((Method && Method->isVirtual()) ||
            isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(F) ||
            (Context.getLangOpts().GPURelocatableDeviceCode && F->isExternallyVisible()) ||
            Context.getDiagnostics().hasErrorOccurred() || mainFileIsHeader(SM) ||
            calls().isNamedOtherwise(F));
  }

  /// Of \p F, and of those that call it, and so on.
  bool anyAround(const FunctionDecl *F, DenseSet<const FunctionDecl *> &Seen,
                 function_ref<bool(const FunctionDecl *)> Is) {
    if (!Seen.insert(F).second)
      return false;
    if (Is(F))
      return true;
    const std::vector<CallSite> *Sites = sitesOf(F);
    return Sites &&
           any_of(*Sites, [&](const CallSite &Site) { return anyAround(Site.Caller, Seen, Is); });
  }

  static bool isShared(const VarDecl *Var) { return Var->hasAttr<CUDASharedAttr>(); }

  /// The place of a shared variable is known elsewhere: it stands somewhere not for what an element
  /// of it holds. Or an address is made of a number for shared memory.
  static bool letsSharedOut(const Stmt *S) {
    if (!S)
      return false;
    if (const auto *Call = dyn_cast<CallExpr>(S))
      if (const FunctionDecl *Callee = Call->getDirectCallee();
          Callee && Callee->getIdentifier() && Callee->getName() == "__cvta_shared_to_generic")
        return true;
    if (const auto *Made = dyn_cast<CXXConstructExpr>(S)) {
      const CXXConstructorDecl *Ctor = Made->getConstructor();
      if (Ctor->isCopyOrMoveConstructor() && Ctor->isTrivial())
        return false;
      // `cuda::atomic_ref cell(tile[i])` keeps the place.
      for (unsigned I = 0; I < std::min(Made->getNumArgs(), Ctor->getNumParams()); ++I)
        if (const QualType T = Ctor->getParamDecl(I)->getType();
            T->isLValueReferenceType() && !T->getPointeeType().isConstQualified() &&
            any_of(mentionedVars(Made->getArg(I)), isShared))
          return true;
    }
    const auto *AddressOf = dyn_cast<UnaryOperator>(S);
    if (AddressOf && AddressOf->getOpcode() == UO_AddrOf && sharedPartOf(AddressOf->getSubExpr()))
      return true;
    if (const auto *Part = dyn_cast<Expr>(S); Part && sharedPartOf(Part)) {
      if (Part->getType()->isArrayType() || Part->getType()->isRecordType())
        return true;
      for (; !isa<DeclRefExpr>(Part); Part = baseOf(Part))
        if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Part);
            Sub && letsSharedOut(Sub->getIdx()))
          return true;
      return false;
    }
    return any_of(S->children(), letsSharedOut);
  }
  static const Expr *baseOf(const Expr *E) {
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return Sub->getBase()->IgnoreParenImpCasts();
    const auto *Member = dyn_cast<MemberExpr>(E);
    return Member && !Member->isArrow() && isa<FieldDecl>(Member->getMemberDecl())
               ? Member->getBase()->IgnoreParenImpCasts()
               : nullptr;
  }
  /// \p E is a shared variable, or an element or a member of one.
  static bool sharedPartOf(const Expr *E) {
    for (E = E->IgnoreParens(); E && !isa<DeclRefExpr>(E);)
      E = baseOf(E);
    return E && cast<DeclRefExpr>(E)->getDecl()->hasAttr<CUDASharedAttr>();
  }

  /// The parameters of the __device__ function that the loop uses, or variables that begin with
  /// them, and for which a caller gives a shared array, or what it has been given for one.
  DeclSet<ValueDecl> passedTiles(const Stmt *Loop) {
    DeclSet<ValueDecl> Tiles;
    DeclSet<VarDecl> Used = mentionedVars(Loop);
    std::vector<const VarDecl *> Open(Used.begin(), Used.end());
    while (!Open.empty()) {
      const VarDecl *Var = Open.back();
      Open.pop_back();
      if (Var->isLocalVarDecl() && isAddress(Var) && Var->hasInit())
        for (const VarDecl *From : mentionedVars(Var->getInit()))
          if (Used.insert(From).second)
            Open.push_back(From);
    }
    for (const ParmVarDecl *Param : Current.F->parameters())
      if (DenseSet<const VarDecl *> Seen; Used.count(Param) && isGivenShared(Param, Seen))
        Tiles.insert(Param);
    return Tiles;
  }
  static bool readsOthers(const Effects &E, const DeclSet<ValueDecl> &Than) {
    return any_of(E.Accesses, [&](const Access &A) {
      return A.Read && any_of(A.Roots, [&](const MemoryRoot &R) {
               return (R.In == Space::Global || R.In == Space::Unknown ||
                       isConstantMemory(R.Decl)) &&
                      !(R.Decl && Than.count(R.Decl));
             });
    });
  }
  bool isGivenShared(const ParmVarDecl *Param, DenseSet<const VarDecl *> &Seen) {
    const auto *F = dyn_cast<FunctionDecl>(Param->getDeclContext());
    const std::vector<CallSite> *Sites = F && isAddress(Param) ? sitesOf(F) : nullptr;
    return Sites && any_of(*Sites, [&](const CallSite &Site) {
             const unsigned I = Param->getFunctionScopeIndex() + objectArguments(Site.Call);
             return I < Site.Call->getNumArgs() && mentionsShared(Site.Call->getArg(I), Seen);
           });
  }
  static bool isAddress(const VarDecl *Var) {
    return Var->getType()->isPointerType() || Var->getType()->isReferenceType();
  }
  /// Variables that the address, or the place, \p E is made of: not what is read on the way, as the
  /// number in `a + counts[i]`.
  static void madeOf(const Expr *E, DeclSet<VarDecl> &Out) {
    E = E->IgnoreParenImpCasts();
    const auto IsPlace = [](const Expr *Part) {
      const QualType T = Part->getType();
      return T->isPointerType() || T->isArrayType() || T->isRecordType();
    };
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return madeOf(Sub->getBase(), Out);
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return madeOf(Op->getSubExpr(), Out);
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      return madeOf(Cast->getSubExpr(), Out);
    if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isAdditiveOp() && IsPlace(E)) {
      for (const Expr *Part : {Op->getLHS(), Op->getRHS()})
        if (IsPlace(Part))
          madeOf(Part, Out);
      return;
    }
    if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(E)) {
      madeOf(Choice->getTrueExpr(), Out);
      return madeOf(Choice->getFalseExpr(), Out);
    }
    const DeclSet<VarDecl> All = mentionedVars(E);
    Out.insert(All.begin(), All.end());
  }

  /// A function that is called in it has a shared array of its own, and may return where it is.
  static bool callsForShared(const Stmt *S) {
    if (!S)
      return false;
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && declaresShared(Call->getDirectCallee()))
      return true;
    return any_of(S->children(), callsForShared);
  }

  bool mentionsShared(const Expr *E, DenseSet<const VarDecl *> &Seen) {
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E->IgnoreParenImpCasts()))
      return mentionsShared(Default->getExpr(), Seen);
    if (callsForShared(E))
      return true;
    DeclSet<VarDecl> Of;
    madeOf(E, Of);
    return any_of(Of, [&](const VarDecl *Var) {
      if (isShared(Var) || !isAddress(Var) || !Seen.insert(Var).second)
        return isShared(Var);
      if (const auto *Param = dyn_cast<ParmVarDecl>(Var))
        return isGivenShared(Param, Seen);
      return Var->hasInit() && mentionsShared(Var->getInit(), Seen);
    });
  }

  /// `__syncwarp();` as a statement of the loop's own body.
  bool hasWarpBarrier(const Stmt *Loop, const EffectCollector &Collector) const {
    const auto *Body = dyn_cast<CompoundStmt>(bodyOf(Loop));
    return Body && any_of(Body->body(), [&](const Stmt *Child) {
             return barrierOf(Child, Collector, Context) == FunctionKind::WarpBarrier;
           });
  }

  bool add(const Stmt *S, ArrayRef<const Stmt *> Ancestors, const ParmVarDecl *PassedTile,
           bool HasTileLoop = false) {
    KLoop Loop;
    Loop.PassedTile = PassedTile;
    Loop.HasTileLoop = HasTileLoop;
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
  DenseSet<const FunctionDecl *> Scanned;
  DenseSet<const Stmt *> Possible;             ///< loops of the function, by the matchers
  DenseSet<const Stmt *> Innermost;            ///< tile loops that were found
  DenseSet<const Stmt *> AroundThem;           ///< what they stand in
  DenseMap<const FunctionDecl *, bool> LetOut; ///< letsSharedOut()
  std::optional<CallSites> Calls;              ///< when somebody asks
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
