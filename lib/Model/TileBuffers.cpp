//===- TileBuffers.cpp - The shared arrays that the load phase fills ----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A tile buffer is a shared array that segment 0 writes. Every other write of segment 0 outside of
/// local variables is a reason to refuse.
///
//===----------------------------------------------------------------------===//

#include "ModelStep.h"
#include "Pointers.h"
#include "TemplatePattern.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class BufferFinder : ModelStep {
public:
  using ModelStep::ModelStep;

  void run() {
    for (const Access &A : Facts->Segment[0].Accesses) {
      if (!A.Write)
        continue;
      for (const MemoryRoot &R : A.Roots) {
        switch (R.In) {
        case Space::Local:
        case Space::Param:
          continue;
        case Space::Shared:
          if (R.Decl && A.Roots.size() == 1) {
            if (A.InCallee)
              refuse(Reason::CopyInCallee, A.Loc, {R.Decl->getNameAsString()});
            addBuffer(cast<VarDecl>(R.Decl));
            continue;
          }
          refuse(Reason::LoadForm, A.Loc, {"a store goes to one of several shared arrays"});
          continue;
        case Space::Global:
          if (A.Doubted) {
            refuse(Reason::LoadSideEffect, A.Loc,
                   {"calls '" + A.Doubted->getQualifiedNameAsString() +
                    "' of an object in global memory ('" +
                    (R.Decl ? R.Decl->getNameAsString() : std::string("unknown")) +
                    "'), which is not seen to leave it alone"});
            M.Refusals.back().Remedy = "Let the method do no more with the object than to read its "
                                       "members by their names, or copy the object "
                                       "first and call the method of the copy.";
            continue;
          }
          refuse(Reason::LoadSideEffect, A.Loc,
                 {"writes global memory ('" +
                  (R.Decl ? R.Decl->getNameAsString() : std::string("unknown")) + "')"});
          continue;
        default:
          refuse(Reason::LoadSideEffect, A.Loc, {"writes through a pointer of unknown origin"});
          continue;
        }
      }
    }
    for (const Access &A : Facts->Segment[0].Accesses)
      if (A.Read)
        for (const MemoryRoot &R : A.Roots) {
          if (isSteadyShared(R))
            continue;
          if (R.In == Space::Shared)
            // With one buffer the stores of the load phase stay where they are; cutFetchAndStore
            // looks at the rest.
            M.TwoBufferRefusals.push_back({Reason::LoadReadsShared, A.Loc, {sharedText(R)}, {}});
          else if (R.In == Space::Unknown)
            M.Refusals.push_back(
                {Reason::LoadReadsShared,
                 A.Loc,
                 {"memory that may be shared: it is not seen where the pointer points to"},
                 {},
                 "Read through a pointer parameter of the kernel, or one that is computed from it "
                 "in plain sight."});
        }
    // Alignment: every stage has to satisfy the strictest access anywhere in the loop.
    for (const Effects *E : {&Facts->Segment[0], &Facts->Segment[1]})
      for (const Access &A : E->Accesses)
        for (auto &Buffer : M.Buffers)
          // An instruction that is given an address of shared memory as a number may mean any of
          // them.
          if (A.touches(Buffer->Decl) || (A.mayTouch(Space::Unknown) && A.Where->isPRValue() &&
                                          A.Where->getType()->isIntegralOrEnumerationType()))
            Buffer->Alignment = std::max(Buffer->Alignment, A.Alignment);
    findViews();
    findOutsideUses();
    for (const auto &Buffer : M.Buffers)
      if (auto It = sharedNames().Declared.find(Buffer->Decl); It != sharedNames().Declared.end())
        M.TwoBufferRefusals.push_back({Reason::NotYet,
                                       It->second,
                                       {"'" + Buffer->Decl->getNameAsString() +
                                        "' where its declaration is meant, not its elements,"},
                                       {}});
  }

private:
  void addBuffer(const VarDecl *Var) {
    if (bufferOf(Var))
      return;
    auto B = std::make_unique<TileBuffer>();
    B->Decl = Var;
    B->Origin = Var->hasExternalStorage() ? BufferOrigin::Dynamic : BufferOrigin::Static;
    QualType T = Var->getType();
    while (const auto *Array = Context.getAsConstantArrayType(T)) {
      B->Extents.push_back(Array->getSize().getZExtValue());
      T = Array->getElementType();
    }
    if (const auto *Array = Context.getAsIncompleteArrayType(T))
      T = Array->getElementType();
    B->Element = T;
    if (!Var->getType()->isIncompleteType())
      B->Bytes = Context.getTypeSizeInChars(Var->getType()).getQuantity();
    B->Alignment = Context.getDeclAlign(Var).getQuantity();
    B->DeclaredInLoop = DeclaredInBody.count(Var) != 0;
    B->Statement = declStatement(Var);
    if (B->DeclaredInLoop && B->Statement) {
      // It moves in front of the loop; its extents must mean the same there.
      for (const VarDecl *V : mentionedVars(B->Statement))
        if (DeclaredInBody.count(V) && !is_contained(B->Statement->decls(), V))
          refuse(Reason::SharedDeclForm, Var->getLocation(),
                 {Var->getNameAsString(),
                  "it depends on '" + V->getNameAsString() + "', which the loop declares"});
    }
    M.Buffers.push_back(std::move(B));
  }

  /// A mention, and the variable in whose initialiser it stands.
  struct Mention {
    const DeclRefExpr *Ref;
    const VarDecl *InitialiserOf;
    bool InClosure;
  };

  /// Where the function declares and names its shared variables, and pointers and references that
  /// may lead there.
  struct SharedNames : ConstDynamicRecursiveASTVisitor {
    DeclMap<ValueDecl, const DeclStmt *> Statements;
    DeclMap<ValueDecl, std::vector<Mention>> References;
    std::vector<TileView>
        Pointers; ///< local variables with a statement of their own, in source order
    const VarDecl *Declaring = nullptr;
    bool InClosure = false;
    /// Where not the array's elements are meant but its declaration: a reference by the same name
    /// is no substitute.
    DeclMap<ValueDecl, SourceLocation> Declared;
    /// Mentions of which nothing is left behind their expression: elements that are read, or
    /// written.
    std::set<const DeclRefExpr *> InPlace;
    /// Mentions that are not evaluated: `sizeof(tile)`.
    std::set<const DeclRefExpr *> Measured;
    void measured(const Stmt *S) {
      if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S))
        Measured.insert(Ref);
      for (const Stmt *Child : S->children())
        if (Child)
          measured(Child);
    }

    void inPlace(const Expr *E) {
      E = E->IgnoreParens();
      if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
        InPlace.insert(Ref);
      } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
        if (!Member->isArrow())
          inPlace(Member->getBase());
      } else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
        pointerInPlace(Sub->getBase());
      } else if (const auto *Star = dyn_cast<UnaryOperator>(E);
                 Star && Star->getOpcode() == UO_Deref) {
        pointerInPlace(Star->getSubExpr());
      }
    }
    void pointerInPlace(const Expr *E) {
      E = E->IgnoreParens();
      if (const auto *Cast = dyn_cast<CastExpr>(E)) {
        if (Cast->getCastKind() == CK_ArrayToPointerDecay)
          inPlace(Cast->getSubExpr());
        else if (Cast->getType()->isPointerType() && Cast->getSubExpr()->getType()->isPointerType())
          pointerInPlace(Cast->getSubExpr());
      } else if (const auto *Sum = dyn_cast<BinaryOperator>(E); Sum && Sum->isAdditiveOp()) {
        pointerInPlace(Sum->getLHS()->getType()->isPointerType() ? Sum->getLHS() : Sum->getRHS());
      } else if (const auto *Of = dyn_cast<UnaryOperator>(E); Of && Of->getOpcode() == UO_AddrOf) {
        inPlace(Of->getSubExpr());
      }
    }
    bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
      if (Cast->getCastKind() == CK_LValueToRValue)
        inPlace(Cast->getSubExpr());
      return true;
    }
    bool VisitBinaryOperator(const BinaryOperator *Op) override {
      if (Op->isAssignmentOp())
        inPlace(Op->getLHS());
      return true;
    }
    bool VisitUnaryOperator(const UnaryOperator *Op) override {
      if (Op->isIncrementDecrementOp())
        inPlace(Op->getSubExpr());
      return true;
    }
    bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *Call) override {
      const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
      if (Method && isTrivialAssignment(Method))
        for (const Expr *Arg : Call->arguments())
          inPlace(Arg->IgnoreImpCasts());
      return true;
    }
    bool VisitCXXConstructExpr(const CXXConstructExpr *Made) override {
      if (Made->getConstructor()->isCopyOrMoveConstructor() &&
          Made->getConstructor()->isTrivial() && Made->getNumArgs() == 1)
        inPlace(Made->getArg(0)->IgnoreImpCasts());
      return true;
    }

    void declared(const Stmt *S) {
      if (!S || isa<UnaryExprOrTypeTraitExpr>(S))
        return;
      if (const auto *Ref = dyn_cast<DeclRefExpr>(S);
          Ref && Ref->getDecl()->hasAttr<CUDASharedAttr>())
        Declared.try_emplace(Ref->getDecl(), Ref->getLocation());
      for (const Stmt *Child : S->children())
        declared(Child);
    }
    void itself(const Expr *E) {
      if (E && isa<DeclRefExpr>(E->IgnoreParens()))
        declared(E->IgnoreParens());
    }
    bool VisitDecltypeTypeLoc(DecltypeTypeLoc T) override {
      itself(T.getUnderlyingExpr());
      return true;
    }
    bool VisitTypeOfExprTypeLoc(TypeOfExprTypeLoc T) override {
      itself(T.getUnderlyingExpr());
      return true;
    }
    bool VisitUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *Of) override {
      if (!Of->isArgumentType())
        inPlace(Of->getArgumentExpr());
      if (!Of->isArgumentType() && Of->getKind() != UETT_SizeOf)
        itself(Of->getArgumentExpr());
      // Of an array of variable length the operand is evaluated; a shared one has none.
      if (!Of->isArgumentType() && !Of->getTypeOfArgument()->isVariablyModifiedType())
        measured(Of->getArgumentExpr());
      return true;
    }
    // Constants, which the address of a stage is not.
    bool VisitConstantExpr(const ConstantExpr *E) override {
      declared(E);
      return true;
    }
    bool VisitStaticAssertDecl(const StaticAssertDecl *D) override {
      declared(D->getAssertExpr());
      return true;
    }
    bool VisitArrayTypeLoc(ArrayTypeLoc T) override {
      declared(T.getSizeExpr());
      return true;
    }
    bool VisitVarDecl(const VarDecl *Var) override {
      if (Var->isConstexpr() || Var->isStaticLocal())
        declared(Var->getInit());
      return true;
    }
    bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &Argument) override {
      if (Argument.getArgument().getKind() == TemplateArgument::Expression)
        declared(Argument.getSourceExpression());
      return ConstDynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(Argument);
    }
    // A local class knows variables with static storage, and no references.
    bool VisitCXXMethodDecl(const CXXMethodDecl *Method) override {
      if (!Method->getParent()->isLambda())
        declared(Method->getBody());
      return true;
    }

    bool VisitDeclStmt(const DeclStmt *S) override {
      for (const clang::Decl *D : S->decls())
        if (D->hasAttr<CUDASharedAttr>())
          Statements.try_emplace(cast<ValueDecl>(D), S);
      return true;
    }
    static bool mayLead(const VarDecl *Var) {
      return Var->getType()->isPointerType() || Var->getType()->isReferenceType();
    }
    bool VisitCompoundStmt(const CompoundStmt *Compound) override {
      for (const Stmt *S : Compound->body())
        if (const auto *Decl = dyn_cast<DeclStmt>(S))
          for (const clang::Decl *D : Decl->decls())
            if (const auto *Var = dyn_cast<VarDecl>(D);
                Var && Var->hasLocalStorage() && Var->hasInit() && mayLead(Var))
              Pointers.push_back({Var, Decl});
      return true;
    }
    bool TraverseVarDecl(const VarDecl *Var) override {
      SaveAndRestore Inside(Declaring, Var);
      return ConstDynamicRecursiveASTVisitor::TraverseVarDecl(Var);
    }
    bool TraverseLambdaExpr(const LambdaExpr *Lambda) override {
      SaveAndRestore Inside(InClosure, true);
      return ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
    }
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      if (Var && (Var->hasAttr<CUDASharedAttr>() || mayLead(Var)))
        References[Var].push_back({Ref, Declaring, InClosure});
      return true;
    }
  };

  const SharedNames &sharedNames() const {
    return Facts->Function->once<SharedNames>([&] {
      SharedNames Names;
      Names.TraverseStmt(L.Function->getBody());
      // The text of a template says more than one instantiation shows.
      const FunctionDecl *Pattern = L.Function->getTemplateInstantiationPattern();
      if (!Pattern || !Pattern->hasBody())
        return Names;
      SharedNames Text;
      Text.TraverseStmt(Pattern->getBody());
      for (const auto &[Var, Statement] : Names.Statements)
        for (const auto &[Known, Where] : Text.Declared)
          if (Known->getLocation() == Var->getLocation())
            Names.Declared.try_emplace(Var, Where);
      return Names;
    });
  }

  const DeclStmt *declStatement(const VarDecl *Var) const {
    const SharedNames &Names = sharedNames();
    auto It = Names.Statements.find(Var);
    return It == Names.Statements.end() ? nullptr : It->second;
  }

  bool isView(const VarDecl *Var) const {
    return any_of(M.Views, [&](const TileView &V) { return V.Var == Var; });
  }

  /// Where a variable is named outside of the loop's body, but for initialisers of views. The
  /// header sees the name of before the loop, also in `t += sizeof(tile) / sizeof(tile[0])`.
  struct Outside {
    std::vector<SourceLocation> Uses;
    std::set<SourceLocation> Kept; ///< of them: the address may be in something that lives on
    SourceLocation InDoubt;        ///< TileBuffer::OutsideInDoubt
    bool OnlyMeasured = true;      ///< TileBuffer::OnlyMeasuredOutside
  };
  Outside outsideUses(const VarDecl *Var, bool OneIsEnough = false) const {
    const SourceManager &SM = Context.getSourceManager();
    const SourceLocation Begin = SM.getExpansionLoc(L.Body->getBeginLoc());
    const SourceLocation End = SM.getExpansionLoc(L.Body->getEndLoc());
    const SourceLocation Head = SM.getExpansionLoc(L.Loop->getBeginLoc()),
                         Foot = SM.getExpansionLoc(L.Loop->getEndLoc());
    Outside Out;
    auto Add = [&](SourceLocation Place, bool InDoubt, bool Kept = true, bool Measured = false) {
      const SourceLocation At = SM.getExpansionLoc(Place);
      if (SM.isPointWithin(At, Begin, End))
        return;
      Out.OnlyMeasured &= Measured;
      Out.Uses.push_back(Place);
      if (Kept)
        Out.Kept.insert(Place);
      if (InDoubt || SM.isPointWithin(At, Head, Foot))
        Out.InDoubt = Place;
    };
    for (const HiddenMention &H :
         Facts->Function->once<HiddenMentions>([&] { return HiddenMentions(L.Function); }).All)
      if (H.Var == Var)
        Add(H.Where, true);
    const SharedNames &Names = sharedNames();
    if (auto It = Names.References.find(Var); It != Names.References.end())
      for (const Mention &Here :
           reverse(It->second)) { // from behind, so that of many loops each sees the others soon
        if (!(Here.InitialiserOf && isView(Here.InitialiserOf)))
          Add(Here.Ref->getLocation(), Here.InClosure, !Names.InPlace.count(Here.Ref),
              Names.Measured.count(Here.Ref) != 0);
        if (OneIsEnough && !Out.Uses.empty())
          break;
      }
    std::reverse(Out.Uses.begin(), Out.Uses.end());
    return Out;
  }

  /// It leads to tiles and nowhere else, to the same place all the time, and somebody wants to go
  /// there.
  bool leadsToTiles(const VarDecl *Var) const {
    if (!sharedNames().References.count(Var))
      return false;
    const bool Reference = Var->getType()->isReferenceType();
    if (!Reference && (!Values->isSetOnce(Var) || Values->hasOtherNames(Var)))
      return false;
    const RootSet Roots = rootsThrough(Var);
    return !Roots.empty() && all_of(Roots, [&](const MemoryRoot &R) {
      const TileBuffer *Tile = R.In == Space::Shared && R.Decl ? bufferOf(R.Decl) : nullptr;
      return Tile && !Tile->DeclaredInLoop;
    });
  }

  RootSet rootsThrough(const VarDecl *Var) const {
    return Var->getType()->isReferenceType() && Var->hasInit() ? collector().rootsOf(Var->getInit())
                                                               : collector().pointsTo(Var);
  }

  /// Its own words, which are said again where another stage has the tile's name, lead there: not
  /// what has kept the address of the first (`const float *p = w.data;` with a structure `w`).
  bool isMadeOfTiles(const VarDecl *Var) const {
    return none_of(mentionedVars(Var->getInit()), [&](const VarDecl *Named) {
      const QualType T = Named->getType();
      const bool MayLead = !Named->hasAttr<CUDASharedAttr>() &&
                           (T->isReferenceType() || T->isPointerType() || holdsPointers(T));
      return MayLead && none_of(M.Views, [&](const TileView &V) { return V.Var == Named; }) &&
             any_of(rootsThrough(Named), [](const MemoryRoot &R) {
               return R.In == Space::Shared || R.In == Space::Unknown;
             });
    });
  }

  void findViews() {
    for (const TileView &V : sharedNames().Pointers)
      if (!DeclaredInBody.count(V.Var) && leadsToTiles(V.Var) && isMadeOfTiles(V.Var))
        M.Views.push_back(V);
    // What is used elsewhere is none, and then what it is made of is used elsewhere, too; and what
    // is made of it has kept its address.
    for (size_t Before = ~size_t(0); Before != M.Views.size();) {
      Before = M.Views.size();
      erase_if(M.Views, [&](const TileView &V) {
        return !outsideUses(V.Var, /*OneIsEnough=*/true).Uses.empty() || !isMadeOfTiles(V.Var) ||
               any_of(V.Statement->decls(),
                      [&](const Decl *D) { return !isView(dyn_cast<VarDecl>(D)); });
      });
    }
  }

  void findOutsideUses() {
    const SourceManager &SM = Context.getSourceManager();
    const SourceLocation Begin = SM.getExpansionLoc(L.Loop->getBeginLoc());
    // What is in a loop around this one comes before it, and behind it.
    const auto *Around = find_if(L.Ancestors, isLoop);
    const bool Jumps = Facts->Function->HasGoto;
    for (const auto &Buffer : M.Buffers) {
      Outside Uses = outsideUses(Buffer->Decl);
      Buffer->OutsideUses = Uses.Uses;
      Buffer->OutsideInDoubt = Uses.InDoubt;
      Buffer->OnlyMeasuredOutside = !Uses.Uses.empty() && Uses.OnlyMeasured;
      for (const SourceLocation Use : Buffer->OutsideUses) {
        const SourceLocation At = SM.getExpansionLoc(Use);
        const bool Again =
            Jumps || (Around != L.Ancestors.end() &&
                      SM.isPointWithin(At, SM.getExpansionLoc((*Around)->getBeginLoc()),
                                       SM.getExpansionLoc((*Around)->getEndLoc())));
        const bool InFront = SM.isBeforeInTranslationUnit(At, Begin);
        Buffer->UsedBefore |= Again || InFront;
        // `last = tile;` in front of the loop, and `last[i]` behind it.
        Buffer->UsedBehind |= Again || !InFront || Uses.Kept.count(Use);
      }
    }
  }
};

} // namespace

void findBuffers(ModelContext &C) { BufferFinder(C).run(); }

} // namespace cuda_pipeline
