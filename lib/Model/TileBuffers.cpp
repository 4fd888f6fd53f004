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

#include "KeptAddresses.h"
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
  /// Refused: by one of several pointers in an object, or by one that is chosen, to shared or to
  /// global memory.
  bool isEitherWay(const Access &A) {
    const MemoryRoot *Shared = nullptr, *Global = nullptr;
    for (const MemoryRoot &R : A.Roots)
      if (R.In == Space::Shared || R.In == Space::Global)
        (R.In == Space::Shared ? Shared : Global) = &R;
    if (!Shared || !Shared->Decl || !Global || !Global->Decl || A.Doubted)
      return false;
    refuse(Reason::LoadForm, A.Loc,
           {"of the pointer by which it stores it is not known whether it leads to '" +
            Shared->Decl->getNameAsString() + "' or to '" + Global->Decl->getNameAsString() + "'"});
    return true;
  }

public:
  using ModelStep::ModelStep;

  void run() {
    for (const Access &A : Facts->Segment[0].Accesses) {
      if (!A.Write || isEitherWay(A))
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
          else if (R.In == Space::Unknown && !isSteady(R))
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
  /// Wherever \p Unknown is, shared memory or not, the loop writes nothing of it: only its tiles,
  /// which no pointer from elsewhere leads to. What it writes of global memory the rules compare.
  bool isSteady(const MemoryRoot &Unknown) {
    if (!WritesTilesOnly)
      WritesTilesOnly =
          all_of(collector().collect(L.Loop).Accesses,
                 [&](const Access &A) {
                   return !A.Write || all_of(A.Roots, [&](const MemoryRoot &R) {
                     const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
                     return R.In == Space::Shared
                                ? Var && bufferOf(Var) && !Var->hasExternalStorage()
                                : R.In != Space::Unknown && (Var || R.In == Space::Global);
                   });
                 }) &&
          keepsOwnArrays(L.Function, Context, *Facts->Function->Calls);
    return *WritesTilesOnly;
  }
  std::optional<bool> WritesTilesOnly;

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

  static bool mayLead(const VarDecl *Var) {
    return Var->getType()->isPointerType() || Var->getType()->isReferenceType();
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

    /// What a local pointer holds is an address.
    static bool isPointer(const DeclRefExpr *Ref) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      return Var && Var->hasLocalStorage() && Var->getType()->isPointerType();
    }
    void inPlace(const Expr *E) {
      E = E->IgnoreParens();
      if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
        if (!isPointer(Ref))
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
      if (const auto *Ref = dyn_cast<DeclRefExpr>(E); Ref && isPointer(Ref))
        InPlace.insert(Ref);
      else if (const auto *Cast = dyn_cast<CastExpr>(E)) {
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

  /// Pointers and references that are set once, to a place in one shared array: as good as its
  /// name.
  struct Aliases {
    DeclMap<VarDecl, std::vector<const VarDecl *>> Of; ///< by array, in source order
    DeclMap<VarDecl, const VarDecl *> Array;
  };
  const Aliases &aliases() const {
    return Facts->Function->once<Aliases>([&] {
      Aliases Out;
      for (const TileView &P : sharedNames().Pointers) {
        if (!sharedNames().References.count(P.Var) || !isSetOnce(P.Var))
          continue;
        const RootSet Roots = rootsThrough(P.Var, Facts->Function->Collector);
        const auto *Array =
            Roots.size() == 1 ? dyn_cast_or_null<VarDecl>(Roots.begin()->Decl) : nullptr;
        if (!Array || !Array->hasAttr<CUDASharedAttr>() || Roots.begin()->In != Space::Shared)
          continue;
        // What it is set to only says a place.
        const Effects E = Facts->Function->Collector.collect(P.Var->getInit());
        if (!onlyLocalAccesses(E) || !onlyPureActions(E))
          continue;
        Out.Of[Array].push_back(P.Var);
        Out.Array[P.Var] = Array;
      }
      return Out;
    });
  }
  bool isAlias(const VarDecl *Var, const VarDecl *Of = nullptr) const {
    const auto It = aliases().Array.find(Var);
    return It != aliases().Array.end() && (!Of || It->second == Of);
  }

  /// Nobody sets it to something else.
  bool isSetOnce(const VarDecl *Var) const {
    return Var->getType()->isReferenceType() ||
           (Values->isSetOnce(Var) && !Values->hasOtherNames(Var));
  }

  /// Mentions of \p Var; of a shared array also those of its aliases, and not those that make
  /// these. In source order.
  std::vector<Mention> mentionsThrough(const VarDecl *Var) const {
    const SharedNames &Names = sharedNames();
    std::vector<Mention> All;
    auto Add = [&](const VarDecl *Named) {
      if (auto It = Names.References.find(Named); It != Names.References.end())
        copy_if(It->second, std::back_inserter(All), [&](const Mention &Here) {
          return !Here.InitialiserOf || !isAlias(Here.InitialiserOf, Var);
        });
    };
    Add(Var);
    const auto Others = aliases().Of.find(Var);
    if (Others == aliases().Of.end())
      return All;
    for (const VarDecl *Alias : Others->second)
      Add(Alias);
    const SourceManager &SM = Context.getSourceManager();
    llvm::stable_sort(All, [&](const Mention &A, const Mention &B) {
      return SM.isBeforeInTranslationUnit(SM.getExpansionLoc(A.Ref->getLocation()),
                                          SM.getExpansionLoc(B.Ref->getLocation()));
    });
    return All;
  }
  bool isHidden(const VarDecl *Var) const {
    return any_of(hiddenMentions(),
                  [&](const HiddenMention &H) { return H.Var == Var || isAlias(H.Var, Var); });
  }

  const DeclStmt *declStatement(const VarDecl *Var) const {
    const SharedNames &Names = sharedNames();
    auto It = Names.Statements.find(Var);
    return It == Names.Statements.end() ? nullptr : It->second;
  }

  bool isView(const VarDecl *Var) const {
    return any_of(M.Views, [&](const TileView &V) { return V.Var == Var; });
  }
  /// One that is declared in the loop alone.
  bool isMoved(const VarDecl *Var) const {
    return any_of(M.Views, [&](const TileView &V) { return V.Var == Var && !V.Stays; });
  }

  /// All mentions of one variable, so that what they are outside of one of many loops need not be
  /// counted there: what is in the loop is a run of neighbours.
  struct MentionTable {
    std::vector<SourceLocation> At;                            ///< in the file
    std::shared_ptr<const std::vector<SourceLocation>> Places; ///< the same, as they are
    /// How many of the first ones are evaluated, and leave the address behind (or have the place of
    /// one that does).
    std::vector<size_t> Evaluated, Kept;
    bool Plain = false;                ///< one is in no initialiser of a pointer or reference
    std::vector<size_t> NextInClosure; ///< the first from there on
    DeclSet<VarDecl> InitialisersOf;   ///< in which some of them are
    bool Ordered = true;               ///< by At, and there are no others that are hidden
    size_t size() const { return At.size(); }
  };
  struct MentionTables {
    mutable DeclMap<VarDecl, MentionTable> Of;
  };

  const std::vector<HiddenMention> &hiddenMentions() const {
    return Facts->Function->once<HiddenMentions>([&] { return HiddenMentions(L.Function); }).All;
  }

  const MentionTable &mentionsOf(const VarDecl *Var) const {
    auto [It, New] =
        Facts->Function->once<MentionTables>([] { return MentionTables(); }).Of.try_emplace(Var);
    MentionTable &T = It->second;
    if (!New)
      return T;
    const SourceManager &SM = Context.getSourceManager();
    const SharedNames &Names = sharedNames();
    const std::vector<Mention> All = mentionsThrough(Var);
    std::vector<SourceLocation> Places;
    std::set<SourceLocation> Kept;
    for (const Mention &Here : All) {
      Places.push_back(Here.Ref->getLocation());
      T.At.push_back(SM.getExpansionLoc(Places.back()));
      T.Ordered &= T.size() < 2 || !SM.isBeforeInTranslationUnit(T.At.back(), T.At[T.size() - 2]);
      if (!Names.InPlace.count(Here.Ref))
        Kept.insert(Places.back());
      if (Here.InitialiserOf)
        T.InitialisersOf.insert(Here.InitialiserOf);
    }
    T.Ordered &= !isHidden(Var);
    T.Evaluated = T.Kept = {0};
    T.NextInClosure.assign(All.size() + 1, All.size());
    for (size_t I = 0; I < All.size(); ++I) {
      T.Evaluated.push_back(T.Evaluated[I] + !Names.Measured.count(All[I].Ref));
      T.Kept.push_back(T.Kept[I] + Kept.count(Places[I]));
      T.Plain |= !(All[I].InitialiserOf && mayLead(All[I].InitialiserOf));
    }
    for (size_t I = All.size(); I-- > 0;)
      T.NextInClosure[I] = All[I].InClosure ? I : T.NextInClosure[I + 1];
    T.Places = std::make_shared<const std::vector<SourceLocation>>(std::move(Places));
    return T;
  }

  /// Neighbours in a table.
  struct Run {
    size_t Begin, End;
    bool contains(size_t I) const { return Begin <= I && I < End; }
    /// The first one that is not in \p Other; End: there is none.
    size_t firstOutside(const Run &Other) const {
      const size_t First = Other.contains(Begin) ? Other.End : Begin;
      return std::min(First, End);
    }
    bool leaves(const Run &Other) const { return firstOutside(Other) < End; }
  };
  /// Those within \p Begin and \p End of the file, both included. None: they are not known to be
  /// neighbours.
  std::optional<Run> within(const MentionTable &T, SourceLocation Begin, SourceLocation End) const {
    const SourceManager &SM = Context.getSourceManager();
    if (!T.Ordered || SM.isBeforeInTranslationUnit(End, Begin))
      return std::nullopt;
    const auto First = partition_point(
        T.At, [&](SourceLocation At) { return SM.isBeforeInTranslationUnit(At, Begin); });
    const auto Last = std::partition_point(First, T.At.end(), [&](SourceLocation At) {
      return !SM.isBeforeInTranslationUnit(End, At);
    });
    return Run{size_t(First - T.At.begin()), size_t(Last - T.At.begin())};
  }

  /// Where a variable is named outside of the loop's body, but for initialisers of views that move,
  /// and of aliases; and where these are. The header sees the name of before the loop, also in `t
  /// += sizeof(tile) / sizeof(tile[0])`.
  struct Outside {
    PlacesOutside Uses;
    SourceLocation InDoubt;   ///< TileBuffer::OutsideInDoubt
    bool OnlyMeasured = true; ///< TileBuffer::OnlyMeasuredOutside
    /// TileBuffer::UsedBefore and UsedBehind.
    bool Before = false, Behind = false;
  };
  Outside outsideUses(const VarDecl *Var) const {
    const SourceManager &SM = Context.getSourceManager();
    auto In = [&](const MentionTable &T, const Stmt *S) {
      return within(T, SM.getExpansionLoc(S->getBeginLoc()), SM.getExpansionLoc(S->getEndLoc()));
    };
    const MentionTable &T = mentionsOf(Var);
    // What is in a loop around this one comes before it, and behind it.
    const auto *Around = find_if(L.Ancestors, isLoop);
    const std::optional<Run> Body = In(T, L.Body), Loop = In(T, L.Loop);
    std::optional<Run> Again = Run{0, Facts->Function->HasGoto ? T.size() : 0};
    if (!Facts->Function->HasGoto && Around != L.Ancestors.end())
      Again = In(T, *Around);
    if (!Body || !Loop || !Again || !strays(Var).empty() || isApartAround(Var) ||
        any_of(M.Views,
               [&](const TileView &V) { return !V.Stays && T.InitialisersOf.count(V.Var) != 0; }))
      return eachOutsideUse(Var);
    Outside Out;
    Out.Uses = PlacesOutside(T.Places, Body->Begin, Body->End);
    if (Out.Uses.empty())
      return Out;
    auto Any = [&](const std::vector<size_t> &CountOf) {
      return CountOf[Body->Begin] + CountOf.back() != CountOf[Body->End];
    };
    Out.OnlyMeasured = !Any(T.Evaluated);
    size_t InDoubt = T.NextInClosure.front();
    if (Body->contains(InDoubt))
      InDoubt = T.NextInClosure[Body->End];
    if (const size_t InHeader = Loop->firstOutside(*Body); InHeader < Loop->End)
      InDoubt = std::min(InDoubt, InHeader);
    if (InDoubt < T.size())
      Out.InDoubt = (*T.Places)[InDoubt];
    const SourceLocation Begin = SM.getExpansionLoc(L.Loop->getBeginLoc());
    const size_t First = Body->contains(0) ? Body->End : 0,
                 Last = Body->contains(T.size() - 1) ? Body->Begin - 1 : T.size() - 1;
    Out.Before = Again->leaves(*Body) || SM.isBeforeInTranslationUnit(T.At[First], Begin);
    // `last = tile;` in front of the loop, and `last[i]` behind it.
    Out.Behind =
        Again->leaves(*Body) || !SM.isBeforeInTranslationUnit(T.At[Last], Begin) || Any(T.Kept);
    return Out;
  }

  const DeclSet<VarDecl> &namedInLoop() const {
    if (!NamedInLoop)
      NamedInLoop = mentionedVars(L.Loop);
    return *NamedInLoop;
  }
  mutable std::optional<DeclSet<VarDecl>> NamedInLoop;

  /// Aliases of \p Tile that the loop names, and that are no views: they keep the address of the
  /// first stage.
  std::vector<const VarDecl *> strays(const VarDecl *Tile) const {
    std::vector<const VarDecl *> Out;
    if (const auto It = aliases().Of.find(Tile); It != aliases().Of.end())
      for (const VarDecl *Named : namedInLoop())
        if (isAlias(Named, Tile) && !DeclaredInBody.count(Named) && !isView(Named) &&
            !isPart(Named))
          Out.push_back(Named);
    return Out;
  }

  /// The same, one after the other.
  Outside eachOutsideUse(const VarDecl *Var) const {
    const SourceManager &SM = Context.getSourceManager();
    const SourceLocation Begin = SM.getExpansionLoc(L.Body->getBeginLoc());
    const SourceLocation End = SM.getExpansionLoc(L.Body->getEndLoc());
    const SourceLocation Head = SM.getExpansionLoc(L.Loop->getBeginLoc()),
                         Foot = SM.getExpansionLoc(L.Loop->getEndLoc());
    Outside Out;
    std::vector<SourceLocation> Uses;
    std::set<SourceLocation> Kept; ///< of them: the address may be in something that lives on
    auto Add = [&](SourceLocation Place, bool InDoubt, bool IsKept = true, bool Measured = false) {
      const SourceLocation At = SM.getExpansionLoc(Place);
      if (SM.isPointWithin(At, Begin, End))
        return;
      Out.OnlyMeasured &= Measured;
      Uses.push_back(Place);
      if (IsKept)
        Kept.insert(Place);
      if (InDoubt || SM.isPointWithin(At, Head, Foot))
        Out.InDoubt = Place;
    };
    for (const HiddenMention &H : hiddenMentions())
      if (H.Var == Var || isAlias(H.Var, Var))
        Add(H.Where, true);
    const SharedNames &Names = sharedNames();
    const bool ByPart =
        isApartAround(Var); // what is done by the names of parts does not concern it
    for (const Mention &Here : mentionsThrough(Var))
      if (!(Here.InitialiserOf && isMoved(Here.InitialiserOf)) &&
          !(ByPart && isPart(dyn_cast<VarDecl>(Here.Ref->getDecl()))))
        Add(Here.Ref->getLocation(), Here.InClosure, !Names.InPlace.count(Here.Ref),
            Names.Measured.count(Here.Ref) != 0);
    for (const VarDecl *Stray : strays(Var))
      Add(Stray->getLocation(), false);
    llvm::stable_sort(Uses, [&](SourceLocation A, SourceLocation B) {
      return SM.isBeforeInTranslationUnit(SM.getExpansionLoc(A), SM.getExpansionLoc(B));
    });
    const auto *Around = find_if(L.Ancestors, isLoop);
    for (const SourceLocation Use : Uses) {
      const SourceLocation At = SM.getExpansionLoc(Use);
      const bool Again =
          Facts->Function->HasGoto || (Around != L.Ancestors.end() && standsIn(Use, *Around, SM));
      const bool InFront = SM.isBeforeInTranslationUnit(At, Head);
      Out.Before |= Again || InFront;
      Out.Behind |= Again || !InFront || Kept.count(Use);
    }
    Out.Uses = PlacesOutside(std::move(Uses));
    return Out;
  }

  /// It leads to tiles and nowhere else, to the same place all the time, and somebody wants to go
  /// there.
  bool leadsToTiles(const VarDecl *Var) const {
    if (!sharedNames().References.count(Var))
      return false;
    if (!isSetOnce(Var))
      return false;
    const RootSet Roots = rootsThrough(Var);
    return !Roots.empty() && all_of(Roots, [&](const MemoryRoot &R) {
      const TileBuffer *Tile = R.In == Space::Shared && R.Decl ? bufferOf(R.Decl) : nullptr;
      return Tile && !Tile->DeclaredInLoop;
    });
  }

  RootSet rootsThrough(const VarDecl *Var) const { return rootsThrough(Var, collector()); }
  static RootSet rootsThrough(const VarDecl *Var, const EffectCollector &Collector) {
    return Var->getType()->isReferenceType() && Var->hasInit() ? Collector.rootsOf(Var->getInit())
                                                               : Collector.pointsTo(Var);
  }
  bool isApartAround(const VarDecl *Tile) const {
    return Facts->Parts && Facts->Parts->Around.count(Tile);
  }
  bool isPart(const VarDecl *Var) const { return Facts->Parts && Facts->Parts->arrayOf(Var); }

  /// Its own words, which are said again where another stage has the tile's name, lead there: not
  /// what has kept the address of the first (`const float *p = w.data;` with a structure `w`).
  bool isMadeOfTiles(const VarDecl *Var) const {
    return none_of(mentionedVars(Var->getInit()), [&](const VarDecl *Named) {
      const QualType T = Named->getType();
      const bool MayLead = !Named->hasAttr<CUDASharedAttr>() &&
                           (T->isReferenceType() || T->isPointerType() || holdsPointers(T));
      return MayLead && !isView(Named) && !isPart(Named) &&
             any_of(rootsThrough(Named), [](const MemoryRoot &R) {
               return R.In == Space::Shared || R.In == Space::Unknown;
             });
    });
  }

  /// In SharedNames::Pointers.
  struct PointerPlaces {
    std::map<const VarDecl *, size_t> Of;
    std::vector<size_t> Aside; ///< named in initialisers of others at most, or not in order
  };
  const PointerPlaces &pointerPlaces() const {
    return Facts->Function->once<PointerPlaces>([&] {
      PointerPlaces Out;
      const std::vector<TileView> &Pointers = sharedNames().Pointers;
      for (size_t I = 0; I < Pointers.size(); ++I) {
        Out.Of[Pointers[I].Var] = I;
        const MentionTable &T = mentionsOf(Pointers[I].Var);
        if (!T.Ordered || !T.Plain)
          Out.Aside.push_back(I);
      }
      return Out;
    });
  }

  /// The pointers that the loop names, those that these are made of, and so on.
  DeclSet<VarDecl> pointersNeeded() const {
    DeclSet<VarDecl> Out;
    std::vector<const VarDecl *> Left(namedInLoop().begin(), namedInLoop().end());
    for (const HiddenMention &H : hiddenMentions())
      if (isHiddenInBody(H))
        Left.push_back(H.Var);
    while (!Left.empty()) {
      const VarDecl *Var = Left.back();
      Left.pop_back();
      if (!mayLead(Var) || !Var->hasLocalStorage() || isa<ParmVarDecl>(Var) || !Var->hasInit() ||
          !Out.insert(Var).second)
        continue;
      append_range(Left, mentionedVars(Var->getInit()));
    }
    return Out;
  }
  bool isHiddenInBody(const HiddenMention &H) const {
    return standsIn(H.Where, L.Body, Context.getSourceManager());
  }

  /// The pointers of the function that may be views, in source order.
  std::vector<size_t> mayBeViews(const DeclSet<VarDecl> &Needed) const {
    const PointerPlaces &Places = pointerPlaces();
    std::vector<size_t> Out = Places.Aside;
    for (const VarDecl *Var : Needed)
      if (const auto It = Places.Of.find(Var); It != Places.Of.end())
        Out.push_back(It->second);
    llvm::sort(Out);
    Out.erase(llvm::unique(Out), Out.end());
    return Out;
  }

  void findViews() {
    if (M.Buffers.empty())
      return;
    const DeclSet<VarDecl> Needed = pointersNeeded();
    const std::vector<size_t> Candidates = mayBeViews(Needed);
    for (const size_t I : Candidates)
      if (const TileView &V = sharedNames().Pointers[I];
          !DeclaredInBody.count(V.Var) && leadsToTiles(V.Var) && isMadeOfTiles(V.Var))
        M.Views.push_back(V);
    // What is used elsewhere stays for that, and then what it is made of is used elsewhere, too.
    // What is made of something else has kept its address.
    auto Moves = [&](const TileView &V) {
      return outsideUses(V.Var).Uses.empty() && all_of(V.Statement->decls(), [&](const Decl *D) {
               return isMoved(dyn_cast<VarDecl>(D));
             });
    };
    for (bool Changed = true; Changed;) {
      const size_t Before = M.Views.size();
      erase_if(M.Views, [&](const TileView &V) {
        return !isMadeOfTiles(V.Var) ||
               (!V.Stays && !Moves(V) && !(Needed.count(V.Var) && isAlias(V.Var)));
      });
      Changed = Before != M.Views.size();
      for (TileView &V : M.Views)
        if (!V.Stays && !Moves(V))
          V.Stays = Changed = true;
    }
    for (const TileView &V : M.Views)
      if (V.Stays)
        isNamedBy(V.Var);
    spellParts();
    for (auto &B : M.Buffers)
      if (const auto It = aliases().Of.find(B->Decl); It != aliases().Of.end())
        copy_if(It->second, std::back_inserter(B->Aliases),
                [&](const VarDecl *Var) { return !DeclaredInBody.count(Var); });
  }

  void isNamedBy(const VarDecl *Pointer) {
    for (const VarDecl *Var : mentionedVars(Pointer->getInit()))
      if (TileBuffer *Tile = bufferOf(Var))
        Tile->NamedByView = true;
  }

  /// A part stays what it is, in the loop too, and what is made of it and is no part is made of
  /// what it is set to.
  void spellParts() {
    if (!Facts->Parts)
      return;
    DeclSet<VarDecl> Wanted;
    std::vector<const VarDecl *> Left;
    for (const TileView &V : M.Views)
      Left.push_back(V.Var);
    while (!Left.empty()) {
      const VarDecl *Var = Left.back();
      Left.pop_back();
      for (const VarDecl *Named : mentionedVars(Var->getInit()))
        if (isPart(Named) && Wanted.insert(Named).second)
          Left.push_back(Named);
    }
    for (const TileView &P : sharedNames().Pointers) {
      if (Wanted.count(P.Var))
        M.Spelled.push_back(P);
      if (isPart(P.Var))
        isNamedBy(P.Var);
    }
  }

  void findOutsideUses() {
    for (const auto &Buffer : M.Buffers) {
      const Outside Uses = outsideUses(Buffer->Decl);
      Buffer->OutsideUses = Uses.Uses;
      Buffer->OutsideInDoubt = Uses.InDoubt;
      Buffer->OnlyMeasuredOutside = !Uses.Uses.empty() && Uses.OnlyMeasured;
      Buffer->UsedBefore |= Uses.Before;
      Buffer->UsedBehind |= Uses.Behind;
    }
  }
};

} // namespace

void findBuffers(ModelContext &C) { BufferFinder(C).run(); }

} // namespace cuda_pipeline
