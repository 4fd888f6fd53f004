//===- FetchStore.cpp - The load phase as a fetch and a store -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// For copies by way of registers: every maximal load becomes a register; the fetch runs it and
/// whatever its address needs, the store runs the rest. An asynchronous copy beside them is started
/// by the fetch, all of it. Each statement of segment 0 goes to one half or to both.
///
//===----------------------------------------------------------------------===//

#include "FloatWork.h"
#include "ModelStep.h"
#include "Names.h"
#include "PtxText.h"
#include "TemplatePattern.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class FetchStoreCutter : ModelReader {
public:
  FetchStoreCutter(const TileModel &M, ASTContext &Context, const std::set<const Expr *> &Async)
      : ModelReader(*M.Loop, Context, M, *M.Facts) {
    for (const TileCopy &C : M.Copies)
      if (Async.count(C.Store)) {
        Started.insert(C.Store);
        if (C.ClearedBy)
          Started.insert(C.ClearedBy);
        if (C.LoadedBy)
          Started.insert(C.LoadedBy);
        if (C.Staging)
          Pointers.insert(C.Staging);
      }
  }

  FetchStore run() {
    Leaf Path;
    for (const Stmt *S : M.Segments[0])
      if (S == M.Skip) {
        checkCondition(M.Skip);
        Path.Conditions.push_back(M.Skip->getCond());
      } else {
        gatherLeaves(S, Path);
      }
    for (Leaf &Lf : Leaves) {
      if (isa<IfStmt>(Lf.S))
        continue; // filled in already
      Effects E = collector().collect(Lf.S);
      if (isStarted(Lf.S)) {
        Lf.Started = true;
        insertMentioned(Lf.Reads, Lf.S);
        insertReads(Lf.Reads, E);
        continue;
      }
      Lf.WritesTile = E.writes(Space::Shared);
      // Where the tile is stored, as before: what is only asserted may be loaded there, too.
      const bool Prints = isa<Expr>(Lf.S) && printsOrEnds(E);
      Lf.Stays = E.hasBarrier() || Prints || E.has(FunctionKind::Atomic) || doesNothing(Lf.S, E);
      Lf.Writes = writtenVars(E);
      bool Loads = readsLoadable(E);
      const size_t RefusedBefore = Out.Refusals.size();
      if (Loads && Lf.InUnknownLoop)
        refuseSplit(Reason::BlockSizeNeeded, Lf.S->getBeginLoc(),
                    {firstBufferName(), "a while loop"});
      const Expr *LHS = nullptr, *RHS = nullptr;
      if (const auto *Decl = dyn_cast<DeclStmt>(Lf.S)) {
        if (Decl->isSingleDecl() && isa<StaticAssertDecl>(Decl->getSingleDecl()) &&
            !is_contained(M.Neutral, Lf.S)) {
          Lf.Asserts = true;
          insertMentioned(Lf.Reads, Lf.S);
        }
        for (const clang::Decl *D : Decl->decls())
          if (const auto *Var = dyn_cast<VarDecl>(D); Var && !Var->hasAttr<CUDASharedAttr>())
            Lf.Writes.insert(Var);
        for (const clang::Decl *D : Decl->decls())
          if (const auto *Var = dyn_cast<VarDecl>(D))
            if (Var->hasInit() && !Var->hasAttr<CUDASharedAttr>()) {
              insertMentioned(Lf.Reads, Var->getInit());
              if (Loads)
                findCuts(Var->getInit(), Lf, false, Var->getName());
            }
      } else if (const auto *Ex = dyn_cast<Expr>(Lf.S)) {
        Lf.Reads = mentionedVars(Ex);
        if (matchAssignment(Ex, LHS, RHS)) {
          // An assignment of the user's own.
          if (const Expr *Place =
                  Loads ? seenByAddress(Ex->IgnoreParens()->IgnoreImplicit()) : nullptr)
            refuseSplit(Reason::LoadForm, Place->getExprLoc(),
                        {"a load whose place a called function may look around"});
          if (const VarDecl *Plain = assignedItself(LHS);
              Plain && !readVars(collector().collect(RHS)).count(Plain))
            Lf.Reads.erase(Plain);
          if (Loads) {
            const Effects Place = collector().collect(LHS);
            RootSet Roots = collector().rootsOf(LHS);
            std::string Hint = Roots.size() == 1 && Roots.begin()->Decl
                                   ? Roots.begin()->Decl->getNameAsString()
                                   : "tile";
            if (readsLoadable(Place) && Roots.size() == 1 &&
                (Place.reads(Space::Global) || Place.reads(Space::Texture)) &&
                // Which of the two sides comes first does not matter then.
                (!writtenVars(E).empty() || !findCutsInPlace(LHS, Lf, Hint + "_at")))
              refuseSplit(Reason::LoadForm, LHS->getExprLoc(),
                          {"a destination index that is read from global memory"});
            findCuts(RHS, Lf, false, Hint);
          }
        } else if (const auto *Call = dyn_cast<CallExpr>(Ex->IgnoreParens());
                   Loads && Call && E.has(FunctionKind::Atomic)) {
          for (const Expr *Arg : Call->arguments())
            findCuts(Arg, Lf, false, firstBufferName());
        } else if (Loads && !Prints && !cutBySet(Lf)) {
          refuseSplit(Reason::LoadForm, Lf.S->getBeginLoc(),
                      {"a load that is not part of an assignment"});
        }
      } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(Lf.S)) {
        cutAsm(Asm, Lf, Loads);
      } else if (Loads) {
        refuseSplit(Reason::LoadForm, Lf.S->getBeginLoc(), {"a statement of this kind"});
      }
      Lf.Refusals.assign(Out.Refusals.begin() + RefusedBefore, Out.Refusals.end());
      Out.Refusals.resize(RefusedBefore);
      // Also by another name than the variable's own.
      insertReads(Lf.Reads, E);
      for (unsigned I : Lf.Cuts) {
        if (Out.Loads[I].Asm || Lf.BySet)
          continue;
        const Effects Cut = collector().collect(Out.Loads[I].Cut);
        insertMentioned(Lf.CutReads, Out.Loads[I].Cut);
        insertReads(Lf.CutReads, Cut);
        for (const VarDecl *V : writtenVars(Cut)) {
          Lf.CutWrites.insert(V);
          Lf.Writes.erase(V);
          Lf.Reads.erase(V);
        }
      }
    }
    for (Leaf &Lf : Leaves)
      for (const CopyLoop *C : Lf.Loops)
        if (const CopyLoop *Of = C->Ahead && !Lf.Again ? C : nullptr; Of && staysInside(Lf, *Of))
          Lf.Again = true;
    for (const GlobalLoad &G : Out.Loads)
      for (const CopyLoop *C : G.Loops)
        if (isAhead(C)) {
          Out.Ahead = true;
        } else if (!C->OfAny.MaxTrips && !C->OfBlock) {
          std::string What = "the trip count of its copy loop";
          if (C->Step && !C->OfAny.StepValue)
            What = "the stride '" + textOf(C->Step, Context) + "' of its copy loop";
          refuseSplit(Reason::BlockSizeNeeded, C->Loop ? C->Loop->getBeginLoc() : L.Begin,
                      {G.NameHint, What});
          if (C->BlockWouldHelp)
            Out.Refusals.back().Remedy = "Say with --block-size how large blocks are: the "
                                         "kernel asks when it runs whether its block is "
                                         "that one. Or use a compile-time stride.";
        } else if (*C->turns().MaxTrips > 64) {
          refuseSplit(Reason::BlockSizeNeeded, C->Loop->getBeginLoc(),
                      {G.NameHint, "a copy loop of " + std::to_string(*C->turns().MaxTrips) +
                                       " turns, too many to keep in registers"});
        } else if (C->OfBlock) {
          Out.AsksBlock |= Facts->BlockIsClaim || !M.LeastBlock.empty();
        }
    assignHalves();
    return std::move(Out);
  }

private:
  FetchStore Out;
  std::set<const Stmt *> Started; ///< stores that the fetch runs as they stand
  VarSet Pointers;                ///< variables that become pointers there, to what they hold

  /// A part of an asynchronous copy.
  bool isStarted(const Stmt *S) const {
    if (Started.count(S))
      return true;
    if (const auto *Decl = dyn_cast<DeclStmt>(S))
      return any_of(Decl->decls(), [&](const clang::Decl *D) {
        const auto *Var = dyn_cast<VarDecl>(D);
        return Var && Pointers.count(Var) != 0;
      });
    const Expr *To = isa<Expr>(S) ? leftHandSide(cast<Expr>(S)) : nullptr;
    const VarDecl *Var = To ? referencedVar(To) : nullptr;
    return Var && Pointers.count(Var) != 0;
  }

  struct Leaf {
    const Stmt *S;
    std::vector<const Expr *> Conditions; ///< enclosing if conditions
    std::vector<const ForStmt *> Fors;
    SmallVector<const CopyLoop *, 2> Loops;
    bool InUnknownLoop = false;
    std::vector<unsigned> Cuts; ///< indices into Out.Loads
    bool WritesTile = false;
    bool Started = false; ///< isStarted(): all of it runs in the fetch
    bool BySet = false;   ///< its cuts are what it sets: GlobalLoad::IsSet
    bool Asserts = false; ///< `static_assert` in an inner block
    bool Once = false;    ///< its one cut is all of its value (computeOnce())
    /// A barrier in the load phase (TileModel::FillNested), an assert, an atomic operation.
    bool Stays = false;
    bool Again = false; ///< in a loop of which the store loads the rest (CopyLoop::Ahead)
    VarSet Reads, Writes;
    VarSet CutReads;  ///< read by the cut expressions only
    VarSet CutWrites; ///< stepped by them
    std::vector<Refusal>
        Refusals; ///< why it is not cut as it should be; a fetch that runs it whole does not mind
  };
  std::vector<Leaf> Leaves;
  const TemplatePattern &Pattern =
      Facts->Function->once<TemplatePattern>([&] { return TemplatePattern(L.Function); });

  /// A call of a function of the user's that has nothing to do: in another build it may fill a part
  /// of the tile.
  bool doesNothing(const Stmt *S, const Effects &Does) const {
    const auto *Call = dyn_cast<CallExpr>(S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && Callee->getReturnType()->isVoidType() && !isLibraryFunction(Callee, Context) &&
           none_of(Does.Accesses, [](const Access &A) { return A.Write; });
  }

  /// The fetch has the first turns of \p C alone.
  bool isAhead(const CopyLoop *C) const {
    return C->Ahead &&
           all_of(Leaves, [&](const Leaf &Lf) { return Lf.Again || !is_contained(Lf.Loops, C); });
  }

  /// The leaf sets nothing but what is declared inside of \p C, tiles, and what the turns of \p C
  /// step on, so that it may run in the turns that the fetch has ahead, and in the rest elsewhere.
  bool staysInside(const Leaf &Lf, const CopyLoop &C) const {
    const VarSet Inside = declaredIn(C.Loop);
    const auto IsInside = [&](const VarDecl *Var) {
      return Inside.count(Var) != 0 || Var->hasAttr<CUDASharedAttr>();
    };
    return !Lf.Started && !Lf.InUnknownLoop && Lf.Fors.size() == Lf.Loops.size() &&
           all_of(Lf.Writes,
                  [&](const VarDecl *Var) { return IsInside(Var) || isSteppedIn(C, Var, Lf); }) &&
           all_of(Lf.CutWrites, IsInside);
  }

  static VarSet declaredIn(const Stmt *S) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      VarSet Set;
      bool VisitVarDecl(const VarDecl *Var) override { return Set.insert(Var), true; }
    } V;
    V.TraverseStmt(S);
    return std::move(V.Set);
  }

  /// `at += 64;` in \p C, of a variable of the turn: each half steps one of its own, and that of
  /// the store takes all turns of \p C.
  bool isSteppedIn(const CopyLoop &C, const VarDecl *Var, const Leaf &Step) const {
    return Step.Cuts.empty() && !Step.WritesTile && isa<Expr>(Step.S) &&
           DeclaredInBody.count(Var) && Var->hasLocalStorage() && !Var->hasAttrs() &&
           Var->getType()->isScalarType() && !Var->getType().isVolatileQualified() &&
           !Values->hasOtherNames(Var) && isSeenNoMore(C, Var, Step) &&
           none_of(ArrayRef(M.Segments).drop_front(), [&](ArrayRef<const Stmt *> Segment) {
             return any_of(Segment,
                           [&](const Stmt *S) { return mentionedVars(S).count(Var) != 0; });
           });
  }

  /// What \p Step sets in \p C, and what the fetch leaves there when its turns of \p C end, no part
  /// of the load phase behind \p C sees: \p C begins once in the life of the variable, and what
  /// stands behind does not mention it, or sets it first.
  bool isSeenNoMore(const CopyLoop &C, const VarDecl *Var, const Leaf &Step) const {
    for (const ForStmt *Around : Step.Fors) {
      if (Around == C.Loop)
        break;
      if (!declaredIn(Around->getBody()).count(Var))
        return false;
    }
    bool Behind = false;
    for (const Leaf &Lf : Leaves) {
      if (is_contained(Lf.Fors, C.Loop)) {
        Behind = true;
        continue;
      }
      VarSet Named = Lf.Reads;
      insertControl(Named, Lf);
      for (const VarSet *More : {&Lf.Writes, &Lf.CutReads, &Lf.CutWrites})
        Named.insert(More->begin(), More->end());
      if (!Behind || !Named.count(Var))
        continue;
      const Expr *To = nullptr, *Value = nullptr;
      return Step.Fors.front() == C.Loop && Lf.Fors.empty() && Lf.Conditions.empty() &&
             isa<Expr>(Lf.S) && matchAssignment(cast<Expr>(Lf.S), To, Value) &&
             assignedItself(To) == Var && !mentionedVars(Value).count(Var);
    }
    return true;
  }

  /// The variable \p LHS, of which nothing is needed to assign it. What a reference stands for is.
  static const VarDecl *assignedItself(const Expr *LHS) {
    const VarDecl *Var = referencedVar(LHS);
    return Var && !Var->getType()->isReferenceType() ? Var : nullptr;
  }

  void refuseSplit(Reason Why, SourceLocation Where, std::vector<std::string> Args) {
    Out.Refusals.push_back({Why, Where, std::move(Args), {}});
  }

  const CopyLoop *copyLoopOf(const ForStmt *For) const {
    for (const auto &C : M.CopyLoops)
      if (C->Loop == For)
        return C.get();
    return nullptr;
  }

  /// Both halves ask.
  void checkCondition(const IfStmt *If) {
    if (If->getInit() || If->getConditionVariable())
      refuseSplit(Reason::LoadForm, If->getBeginLoc(), {"an if that declares a variable"});
    if (!writtenVars(collector().collect(If->getCond())).empty())
      refuseSplit(Reason::LoadForm, If->getBeginLoc(), {"a condition with a side effect"});
    if (hasLoads(If->getCond()))
      refuseSplit(Reason::LoadForm, If->getBeginLoc(), {"a condition that reads global memory"});
  }

  void gatherLeaves(const Stmt *S, Leaf Path) {
    if (!S)
      return;
    if (isa<CompoundStmt>(S)) {
      for (const Stmt *Child : S->children())
        gatherLeaves(Child, Path);
      return;
    }
    if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      return gatherLeaves(Attributed->getSubStmt(), Path);
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      checkCondition(If);
      if (fillIf(If)) {
        const Expr *Then = singleStatement(If->getThen()), *Else = singleStatement(If->getElse());
        if (!Started.count(Then) && !Started.count(Else))
          return gatherFillIf(If, Path);
        Started.insert(Then); // what fills it goes with the copy
        Started.insert(Else);
      }
      Path.Conditions.push_back(If->getCond());
      gatherLeaves(If->getThen(), Path);
      gatherLeaves(If->getElse(), Path);
      return;
    }
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      const CopyLoop *C = copyLoopOf(For);
      Path.Fors.push_back(For);
      const auto *Own = dyn_cast_or_null<DeclStmt>(For->getInit());
      if (C)
        Path.Loops.push_back(C);
      for (const Stmt *Part : {For->getInit(), static_cast<const Stmt *>(For->getCond()),
                               static_cast<const Stmt *>(For->getInc())})
        if (Part) {
          Effects E = collector().collect(Part);
          for (const VarDecl *V : writtenVars(E))
            // Each half counts its own turns.
            if (C && C->Counter ? V != C->Counter : !Own || !is_contained(Own->decls(), V))
              refuseSplit(Reason::LoadForm, For->getBeginLoc(),
                          {"a copy loop whose header changes '" + V->getNameAsString() + "'"});
          if (readsLoadable(E))
            refuseSplit(Reason::LoadForm, For->getBeginLoc(),
                        {"a copy loop whose header reads global memory"});
        }
      return gatherLeaves(For->getBody(), Path);
    }
    if (isa<WhileStmt>(S) || isa<DoStmt>(S)) {
      Path.InUnknownLoop = true;
      const Expr *Cond =
          isa<WhileStmt>(S) ? cast<WhileStmt>(S)->getCond() : cast<DoStmt>(S)->getCond();
      if (!writtenVars(collector().collect(Cond)).empty())
        refuseSplit(Reason::LoadForm, S->getBeginLoc(), {"a condition with a side effect"});
      Path.Conditions.push_back(Cond);
      return gatherLeaves(
          isa<WhileStmt>(S) ? cast<WhileStmt>(S)->getBody() : cast<DoStmt>(S)->getBody(), Path);
    }
    if (isa<NullStmt>(S))
      return;
    Leaf Lf = std::move(Path);
    Lf.S = S;
    Leaves.push_back(std::move(Lf));
  }

  /// `if (in) S[i] = G[..]; else S[i] = 0;`: both arms store to the same element.
  bool fillIf(const IfStmt *If) {
    if (!If->getElse())
      return false;
    const Expr *Then = singleStatement(If->getThen()), *Else = singleStatement(If->getElse());
    const Expr *TL, *TR, *EL, *ER;
    if (!Then || !Else || !matchAssignment(Then, TL, TR) || !matchAssignment(Else, EL, ER))
      return false;
    RootSet Roots = collector().rootsOf(TL);
    if (Roots.size() != 1 || !bufferOf(Roots.begin()->Decl) || !sameExpression(TL, EL, Context))
      return false;
    const Expr *TLoad = asGlobalLoad(TR), *ELoad = asGlobalLoad(ER);
    if (bool(TLoad) == bool(ELoad))
      return false;
    const Expr *Load = TLoad ? TLoad : ELoad;
    const Expr *Fill = TLoad ? ER : TR;
    if (hasLoads(Fill) || !mentionsNoStaging(Fill))
      return false;
    return Context.hasSameUnqualifiedType(Load->getType(), TL->getType());
  }

  void gatherFillIf(const IfStmt *If, Leaf Path) {
    const Expr *Then = singleStatement(If->getThen()), *TL = nullptr, *TR = nullptr, *EL, *ER;
    const Expr *Else = singleStatement(If->getElse());
    matchAssignment(Then, TL, TR);
    matchAssignment(Else, EL, ER);
    Leaf Lf = Path;
    Lf.S = If;
    Lf.WritesTile = true;
    GlobalLoad G;
    const Expr *Load = asGlobalLoad(TR);
    G.Access = Load ? Load : asGlobalLoad(ER);
    G.Cut = G.Access;
    setRoot(G);
    G.FillIf = If;
    G.Leaf = If;
    G.Type = TL->getType().getUnqualifiedType();
    G.Loops = Path.Loops;
    G.NameHint = cast<NamedDecl>(collector().rootsOf(TL).begin()->Decl)->getNameAsString();
    // The whole if is fetched; the store needs the destination only.
    Effects All = collector().collect(If), Dest = collector().collect(TL);
    Lf.CutReads = readVars(All);
    insertMentioned(Lf.CutReads, If); // also a reference, and what is asked for its size
    Lf.Writes = writtenVars(All);
    Lf.Reads = readVars(Dest);
    insertMentioned(Lf.Reads, TL);
    if (Path.InUnknownLoop)
      refuseSplit(Reason::BlockSizeNeeded, If->getBeginLoc(), {G.NameHint, "a while loop"});
    Lf.Cuts.push_back(Out.Loads.size());
    Out.Loads.push_back(std::move(G));
    Leaves.push_back(std::move(Lf));
  }

  void setRoot(GlobalLoad &G) {
    RootSet Roots = loadRoots(G.Access);
    G.RootIsGlobal =
        !Roots.empty() && all_of(Roots, [](const MemoryRoot &R) { return R.In == Space::Global; });
    G.Root = Roots.size() == 1 ? Roots.begin()->Decl : nullptr;
  }

  /// A method that reads members of its object, as what they are or byte by byte, and takes no look
  /// at where that is.
  bool readsMembersAlone(const CXXMethodDecl *Method) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const ASTContext &Context;
      unsigned Mentions = 0, Reads = 0;
      explicit Visitor(const ASTContext &Context) : Context(Context) {
        ShouldVisitImplicitCode = true;
      }
      bool VisitCXXThisExpr(const CXXThisExpr *) override {
        ++Mentions;
        return true;
      }
      bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
        Reads += Cast->getCastKind() == CK_LValueToRValue &&
                 (isMember(Cast->getSubExpr()) || isOtherType(Cast->getSubExpr()));
        return true;
      }
      bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
        const CXXConstructorDecl *Ctor = Construct->getConstructor();
        Reads += Construct->getNumArgs() == 1 && Ctor->isCopyOrMoveConstructor() &&
                 (Ctor->isTrivial() || isCudaNumber(Ctor->getParent())) &&
                 (isMember(Construct->getArg(0)) || isOtherType(Construct->getArg(0)));
        return true;
      }
      bool VisitCallExpr(const CallExpr *Call) override {
        const ArrayRef<const Expr *> Args(Call->getArgs(), Call->getNumArgs());
        if (classifyCall(Call->getDirectCallee(), Args, Context) == FunctionKind::MemoryCopy)
          if (const Expr *Member = pointedMember(Args[1]))
            if (const std::optional<int64_t> Bytes = constantValue(Args[2], Context))
              Reads += *Bytes >= 0 && uint64_t(*Bytes) <= bytes(Member);
        return true;
      }
      uint64_t bytes(const Expr *E) const {
        return uint64_t(Context.getTypeSizeInChars(E->getType()).getQuantity());
      }
      /// The member that `&member` points to, under casts of the pointer; or null.
      static const Expr *pointedMember(const Expr *Pointer) {
        const Expr *Of = addressedObject(Pointer);
        return Of && isMember(Of) ? Of : nullptr;
      }
      /// `*reinterpret_cast<const __half *>(&member)`: all of it is in the member.
      bool isOtherType(const Expr *E) const {
        while (const auto *Cast = dyn_cast<ImplicitCastExpr>(E->IgnoreParens())) {
          if (Cast->getCastKind() != CK_NoOp)
            return false;
          E = Cast->getSubExpr();
        }
        const auto *Deref = dyn_cast<UnaryOperator>(E->IgnoreParens());
        const Expr *Member =
            Deref && Deref->getOpcode() == UO_Deref ? pointedMember(Deref->getSubExpr()) : nullptr;
        return Member && bytes(Deref) <= bytes(Member);
      }
      static bool isMember(const Expr *E) {
        E = E->IgnoreParens();
        if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
          const auto *Decay = dyn_cast<ImplicitCastExpr>(Sub->getBase());
          return Decay && Decay->getCastKind() == CK_ArrayToPointerDecay &&
                 isMember(Decay->getSubExpr());
        }
        const auto *Member = dyn_cast<MemberExpr>(E);
        return Member &&
               (Member->isArrow() ? isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts())
                                  : isMember(Member->getBase()));
      }
    } V(Context);
    const FunctionDecl *Body = nullptr;
    if (!Method->hasBody(Body) || !Body->getBody() || Method->isVirtual())
      return false;
    V.TraverseStmt(Body->getBody());
    return V.Mentions == V.Reads;
  }

  /// The method is the one that a call of this form finds for a variable as well, which is no
  /// constant, as what is loaded may be.
  static bool isFoundForVariable(const CXXMethodDecl *Method) {
    if (!Method->isConst() || Method->getRefQualifier() != RQ_None)
      return false;
    const CXXRecordDecl *Class = Method->getParent();
    if (isa<CXXConversionDecl>(Method))
      return all_of(Class->getVisibleConversionFunctions(), [](const NamedDecl *D) {
        const auto *Other = dyn_cast<CXXConversionDecl>(D->getUnderlyingDecl());
        return Other && Other->isConst();
      });
    return Class->lookup(Method->getDeclName()).isSingleResult();
  }

  /// What gets other names in \p Function; nothing if that is not seen.
  std::optional<DeclSet<ValueDecl>> namedIn(const FunctionDecl *Function) const {
    const FunctionDecl *Body = nullptr;
    const auto *Ctor = dyn_cast<CXXConstructorDecl>(Function);
    if (!Function->hasBody(Body) || !Body->getBody() || (Ctor && Ctor->isInheritingConstructor()))
      return std::nullopt;
    DeclSet<ValueDecl> Names = namedElsewhere(Body->getBody(), Context, nullptr);
    if (Ctor)
      for (const CXXCtorInitializer *Init : cast<CXXConstructorDecl>(Body)->inits()) {
        Names.merge(namedElsewhere(Init->getInit(), Context, nullptr));
        // `const float &Place;`
        if (const FieldDecl *Field = Init->getAnyMember();
            Field && Field->getType()->isReferenceType())
          for (const VarDecl *Var : mentionedVars(Init->getInit()))
            Names.insert(Var);
      }
    return Names;
  }

  /// An lvalue in memory that is loaded from, by whatever expression.
  bool isLoadedPlace(const Expr *E) const {
    return E->isGLValue() && any_of(collector().rootsOf(E), isLoadable);
  }

  const Expr *seenByAddress(const FunctionDecl *Callee, ArrayRef<const Expr *> Args) const {
    const std::optional<DeclSet<ValueDecl>> Named = namedIn(Callee);
    const FunctionDecl *Body = Callee;
    Callee->hasBody(Body);
    for (unsigned I = 0; I < Args.size() && I < Callee->getNumParams(); ++I)
      if (Callee->getParamDecl(I)->getType()->isReferenceType() && isLoadedPlace(Args[I]) &&
          (!Named || Named->count(Body->getParamDecl(I))))
        return Args[I];
    return nullptr;
  }

  /// What is loaded in \p S and given on as a place, from which other elements may be reached, too:
  /// a register has no neighbours.
  const Expr *seenByAddress(const Expr *S) const {
    if (const auto *List = dyn_cast<InitListExpr>(S)) {
      for (const Expr *Init : List->inits())
        if (isLoadedPlace(Init)) // a reference member
          return Init;
      return nullptr;
    }
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
      const CXXConstructorDecl *Ctor = Construct->getConstructor();
      if (isLibraryFunction(Ctor, Context) ||
          (Ctor->isCopyOrMoveConstructor() && Ctor->isTrivial()))
        return nullptr;
      return seenByAddress(Ctor,
                           ArrayRef<const Expr *>(Construct->getArgs(), Construct->getNumArgs()));
    }
    const auto *Call = dyn_cast<CallExpr>(S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || isLibraryFunction(Callee, Context))
      return nullptr;
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    if (Method && isTrivialAssignment(Method))
      return nullptr;
    const auto [Object, Args] = operandsOf(Call);
    if (Object && !Method->isStatic() && isLoadedPlace(Object) && !readsMembersAlone(Method))
      return Object;
    return seenByAddress(Callee, Args);
  }

  /// The first load in \p E by itself; or null.
  const Expr *firstLoad(const Expr *E) const {
    if (const Expr *Load = asGlobalLoad(E))
      return Load;
    for (const Stmt *Child : stripNoOps(E)->children())
      if (const auto *Part = dyn_cast_or_null<Expr>(Child))
        if (const Expr *Load = firstLoad(Part))
          return Load;
    return nullptr;
  }
  /// A function that is called in \p E may look around where something is loaded.
  bool seenInside(const Expr *E) const {
    return seenByAddress(stripNoOps(E)) || any_of(E->children(), [&](const Stmt *Child) {
             const auto *Part = dyn_cast_or_null<Expr>(Child);
             return Part && seenInside(Part);
           });
  }

  /// Finds the maximal loads in \p E. \p Conditional: E may not be evaluated.
  void findCuts(const Expr *E, Leaf &Lf, bool Conditional, StringRef Hint) {
    const Expr *S = stripNoOps(E);
    auto Add = [&](const Expr *Cut, const Expr *Access) {
      if (Conditional)
        return refuseSplit(Reason::LoadForm, Cut->getExprLoc(),
                           {"a load that is evaluated conditionally inside of an expression"});
      // `*p++` steps where it loads, in the fetch.
      if (any_of(writtenVars(collector().collect(Cut)),
                 [&](const VarDecl *V) { return Values->hasOtherNames(V); }))
        return refuseSplit(Reason::LoadForm, Cut->getExprLoc(), {"a load with a side effect"});
      // A class of that name may have another assignment, which is done twice then.
      const CXXRecordDecl *Record = Cut->getType()->getAsCXXRecordDecl();
      const bool ByItsOwn =
          Record && !isCudaNumber(Record) && !Cut->getType().isTriviallyCopyableType(Context);
      if (!copiesBytes(Cut->getType(), Context) ||
          (ByItsOwn && (M.Loop->IsTemplate || others().has(Cut->getType()))))
        return refuseSplit(Reason::LoadForm, Cut->getExprLoc(),
                           {"a value that is not trivially copyable"});
      if (!isPlainlyAssigned(Cut->getType(), Context))
        return refuseSplit(Reason::LoadForm, Cut->getExprLoc(),
                           {"a value of a class with an assignment or a default constructor of its "
                            "own or without one"});
      GlobalLoad G;
      G.Cut = Cut;
      G.Access = Access;
      setRoot(G);
      G.Type = Cut->getType().getUnqualifiedType();
      G.Loops = Lf.Loops;
      G.NameHint = Hint.str();
      G.Leaf = Lf.S;
      Lf.Cuts.push_back(Out.Loads.size());
      Out.Loads.push_back(std::move(G));
    };
    if (const Expr *Load = asGlobalLoad(S))
      return Add(E, Load);
    if (const auto *Cond = dyn_cast<ConditionalOperator>(S)) {
      // A condition may need what was loaded, as an index may: the fetch reads that first. A fill
      // is on its way.
      if (std::optional<GuardedLoad> G = asGuardedLoad(Cond);
          G && all_of(G->Fills, [&](const Expr *Fill) { return mentionsNoStaging(Fill); }))
        return Add(E, armLoad(G->Arms.front()));
      findCuts(Cond->getCond(), Lf, Conditional, Hint);
      findCuts(Cond->getTrueExpr(), Lf, true, Hint);
      findCuts(Cond->getFalseExpr(), Lf, true, Hint);
      return;
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isLogicalOp()) {
      // `i < n && mask[i] > 0`: the fetch asks all of it, and its answer is on its way.
      if (const Expr *Load = hasLoads(Op->getRHS()) ? firstLoad(Op->getRHS()) : nullptr;
          Load && !seenInside(Op) && writtenVars(collector().collect(Op)).empty())
        return Add(E, Load);
      findCuts(Op->getLHS(), Lf, Conditional, Hint);
      findCuts(Op->getRHS(), Lf, true, Hint);
      return;
    }
    if (!hasLoads(E))
      return;
    if (const Expr *Load = seenByAddress(S))
      return refuseSplit(Reason::LoadForm, Load->getExprLoc(),
                         {"a load whose place a called function may look around"});
    size_t Before = Lf.Cuts.size(), RefusedBefore = Out.Refusals.size();
    const auto *Member = dyn_cast<CXXMemberCallExpr>(S);
    const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
    if (Method && !Member->getImplicitObjectArgument()->getType()->isPointerType() &&
        (isLibraryFunction(Method, Context) ||
         (readsMembersAlone(Method) && isFoundForVariable(Method)))) {
      // `half` where a float is wanted: the number's own conversion.
      findCuts(Member->getImplicitObjectArgument(), Lf, Conditional, Hint);
      for (const Expr *Arg : Member->arguments())
        findCuts(Arg, Lf, Conditional, Hint);
    } else {
      for (const Stmt *Child : S->children())
        if (const auto *ChildExpr = dyn_cast_or_null<Expr>(Child)) {
          // `&A[i]`, `(0, A[i])`: a place, not what is there. What calls do with places is seen by
          // now.
          if (isLoadedPlace(ChildExpr) && !isa<CallExpr, CXXConstructExpr>(S))
            refuseSplit(Reason::LoadForm, ChildExpr->getExprLoc(),
                        {"the place of a load, in an expression"});
          else
            findCuts(ChildExpr, Lf, Conditional, Hint);
        }
    }
    // Nothing to cut although something is loaded: inside of a called function.
    if (Lf.Cuts.size() == Before && Out.Refusals.size() == RefusedBefore)
      refuseSplit(Reason::LoadForm, S->getExprLoc(), {"a load of this form"});
  }

  /// `tile[to[i]]`: what says where is loaded with what goes there. False: something else in it
  /// loads.
  bool findCutsInPlace(const Expr *Place, Leaf &Lf, StringRef Hint) {
    Place = stripNoOps(Place)->IgnoreParenImpCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(Place); Member && !Member->isArrow())
      return findCutsInPlace(Member->getBase(), Lf, Hint);
    const auto *Sub = dyn_cast<ArraySubscriptExpr>(Place);
    if (!Sub)
      return !hasLoads(Place);
    if (!findCutsInPlace(Sub->getBase(), Lf, Hint))
      return false;
    if (hasLoads(Sub->getIdx()))
      findCuts(Sub->getIdx(), Lf, false, Hint);
    return true;
  }

  /// `"=f"(v.x), "=f"(v.y)`: the variable, of which each part is set; or null.
  const Expr *outputAsWhole(const GCCAsmStmt *Asm) const {
    const DeclRefExpr *Whole = nullptr;
    DeclSet<ValueDecl> Fields;
    uint64_t Bytes = 0;
    for (unsigned I = 0; I != Asm->getNumOutputs(); ++I) {
      const auto *Member = dyn_cast<MemberExpr>(Asm->getOutputExpr(I)->IgnoreParens());
      const auto *Ref = Member && !Member->isArrow()
                            ? dyn_cast<DeclRefExpr>(Member->getBase()->IgnoreParens())
                            : nullptr;
      if (!Ref || !isa<VarDecl>(Ref->getDecl()) || Ref->getDecl()->getType()->isReferenceType() ||
          (Whole && Ref->getDecl() != Whole->getDecl()) ||
          !Fields.insert(Member->getMemberDecl()).second)
        return nullptr;
      Whole = Whole ? Whole : Ref;
      Bytes += Context.getTypeSizeInChars(Member->getType()).getQuantity();
    }
    if (!Whole || Bytes != uint64_t(Context.getTypeSizeInChars(Whole->getType()).getQuantity()) ||
        !copiesBytes(Whole->getType(), Context) || !isPlainlyAssigned(Whole->getType(), Context))
      return nullptr;
    return Whole;
  }
  /// The lvalues that assembly sets.
  SmallVector<const Expr *, 4> outputs(const GCCAsmStmt *Asm) const {
    if (const Expr *Whole = outputAsWhole(Asm))
      return {Whole};
    SmallVector<const Expr *, 4> All;
    for (unsigned I = 0; I != Asm->getNumOutputs(); ++I)
      All.push_back(Asm->getOutputExpr(I));
    return All;
  }

  /// `load(v, &A[i], in);`, or assembly that reads what it sets: a statement that loads, and of
  /// which the fetch can take no part. It runs it as it stands, with all that sets the variable
  /// before, and keeps the value of the variable that comes of it; the store has an assignment of
  /// that there.
  bool cutBySet(Leaf &Lf) {
    const Effects E = collector().collect(Lf.S);
    if (Lf.Writes.empty() || Lf.WritesTile || Lf.Fors.size() != Lf.Loops.size() ||
        Lf.InUnknownLoop || !statementRange(Lf.S, Context) ||
        any_of(E.Accesses, [](const Access &A) {
          return A.Write && any_of(A.Roots, [](const MemoryRoot &R) {
                   return R.In != Space::Local || !isa_and_nonnull<VarDecl>(R.Decl);
                 });
        }))
      return false;
    std::vector<GlobalLoad> All;
    for (const VarDecl *V : Lf.Writes) {
      const DeclRefExpr *Name = namedIn(Lf.S, V);
      const QualType T = Context.getBaseElementType(V->getType());
      const auto *Array = Context.getAsConstantArrayType(V->getType());
      // The register has its type.
      if (!Name || !V->hasLocalStorage() || !DeclaredInBody.count(V) ||
          V->getType()->isReferenceType() || T.isVolatileQualified() || T.isConstQualified() ||
          !copiesBytes(T, Context) || !isPlainlyAssigned(T, Context) ||
          (V->getType()->isArrayType() && (!Array || Array->getElementType()->isArrayType() ||
                                           Pattern.isDependent(V->getLocation()))))
        return false;
      GlobalLoad G;
      G.Cut = Name;
      G.IsSet = V;
      G.Type = V->getType().getUnqualifiedType();
      G.Loops = Lf.Loops;
      G.NameHint = V->getNameAsString();
      G.Leaf = Lf.S;
      All.push_back(std::move(G));
    }
    for (GlobalLoad &G : All) {
      Lf.Cuts.push_back(Out.Loads.size());
      Out.Loads.push_back(std::move(G));
    }
    Lf.BySet = true;
    insertMentioned(Lf.Reads, Lf.S);
    insertReads(Lf.Reads, E);
    Lf.CutReads = Lf.Reads;
    return true;
  }

  static const DeclRefExpr *namedIn(const Stmt *S, const VarDecl *Var) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const VarDecl *Var;
      const DeclRefExpr *Found = nullptr;
      explicit Visitor(const VarDecl *Var) : Var(Var) {}
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        if (Ref->getDecl() == Var)
          Found = Ref;
        return !Found;
      }
    } V(Var);
    V.TraverseStmt(S);
    return V.Found;
  }

  /// Assembly that loads is run by the fetch, into registers instead of its outputs; the store sets
  /// these to them.
  void cutAsm(const GCCAsmStmt *Asm, Leaf &Lf, bool Loads) {
    VarSet Inputs;
    for (unsigned I = 0; I != Asm->getNumInputs(); ++I)
      insertMentioned(Inputs, Asm->getInputExpr(I));
    bool ReadsOutputs = false;
    for (unsigned I = 0; I != Asm->getNumOutputs(); ++I)
      ReadsOutputs |= Asm->isOutputPlusConstraint(I);
    Lf.Reads = Inputs;
    for (const Expr *Set : outputs(Asm))
      if (!assignedItself(Set) || ReadsOutputs)
        insertMentioned(Lf.Reads, Set);
    if (!Loads)
      return;
    const PtxText Ptx = readPtx(Asm, Context);
    for (const Expr *Set : outputs(Asm)) {
      const bool ReadsWhatItSets =
          ReadsOutputs || any_of(writtenVars(collector().collect(Asm)),
                                 [&](const VarDecl *V) { return Inputs.count(V) != 0; });
      if (ReadsWhatItSets && cutBySet(Lf))
        return;
      if (ReadsWhatItSets)
        return refuseSplit(Reason::LoadForm, Set->getExprLoc(),
                           {"assembly that loads and reads what it sets"});
      GlobalLoad G;
      G.Asm = Asm;
      G.Cut = Set;
      G.Access = Ptx.Loads.front().Address;
      const RootSet Roots = collector().pointees(G.Access);
      G.RootIsGlobal = !Roots.empty() &&
                       all_of(Roots, [](const MemoryRoot &R) { return R.In == Space::Global; });
      G.Root = Roots.size() == 1 ? Roots.begin()->Decl : nullptr;
      G.Type = Set->getType().getUnqualifiedType();
      G.Loops = Lf.Loops;
      const VarDecl *Var = referencedVar(Set);
      G.NameHint = Var ? Var->getNameAsString() : firstBufferName();
      G.Leaf = Asm;
      Lf.Cuts.push_back(Out.Loads.size());
      Out.Loads.push_back(std::move(G));
    }
    Lf.CutReads = Inputs;
  }

  static void insertControl(VarSet &Set, const Leaf &Lf) {
    for (const Expr *C : Lf.Conditions)
      insertMentioned(Set, C);
    for (const ForStmt *F : Lf.Fors)
      for (const Stmt *Part : {F->getInit(), static_cast<const Stmt *>(F->getCond()),
                               static_cast<const Stmt *>(F->getInc())})
        if (Part)
          insertMentioned(Set, Part);
  }

  /// `float v = 0; if (in) v = A[i]; S[j] = v;`: all that sets \p V is a load or a constant, and
  /// comes before all that reads it. Then its register can take its place in the fetch, and the
  /// store need not ask `in` again.
  bool isSetByLoadsAlone(const VarDecl *V) const {
    // Its declaration becomes `TYPE name = REGISTER`.
    const SourceLocation At = V->getLocation();
    if (At.isMacroID() || !isInMainFile(Context.getSourceManager(), At))
      return false;
    const StringRef Behind =
        mainFileText(Context)
            .drop_front(Context.getSourceManager().getFileOffset(At) + V->getName().size())
            .ltrim();
    if (Behind.empty() || !is_contained({'=', ';', '{', '('}, Behind.front()))
      return false;
    const Leaf *Declared = nullptr;
    std::vector<const Leaf *> Loads, Fills;
    unsigned LastWrite = 0, FirstRead = Leaves.size();
    for (unsigned I = 0; I < Leaves.size(); ++I) {
      const Leaf &Lf = Leaves[I];
      const auto *Decl = dyn_cast<DeclStmt>(Lf.S);
      const bool Declares = Decl && is_contained(Decl->decls(), V);
      VarSet Control;
      insertControl(Control, Lf);
      const bool InCut = Lf.CutReads.count(V) || Lf.CutWrites.count(V);
      if (!Declares && !Lf.Writes.count(V)) {
        if (InCut)
          return false;
        if (Lf.Reads.count(V) || Control.count(V))
          FirstRead = std::min(FirstRead, I);
        continue;
      }
      LastWrite = I;
      const Expr *To = nullptr, *Value = Declares ? V->getInit() : nullptr;
      if (Declares ? !Decl->isSingleDecl() || Declared
                   : !isa<Expr>(Lf.S) || !matchAssignment(cast<Expr>(Lf.S), To, Value) ||
                         assignedItself(To) != V)
        return false;
      if (InCut || Control.count(V) || Lf.InUnknownLoop || Lf.S->getBeginLoc().isMacroID() ||
          Lf.S->getEndLoc().isMacroID() || !statementRange(Lf.S, Context) ||
          (To && !textRange(To->getSourceRange(), Context)))
        return false;
      if (Declares)
        Declared = &Lf;
      if (Declares && (!Value || leavesUnset(Value)))
        continue;
      if (Lf.Cuts.size() == 1 && !Out.Loads[Lf.Cuts[0]].Asm &&
          stripNoOps(Value) == stripNoOps(Out.Loads[Lf.Cuts[0]].Cut) &&
          Context.hasSameUnqualifiedType(Out.Loads[Lf.Cuts[0]].Type, V->getType()) &&
          Pattern.haveSameType(typedPlace(Pattern.typedPart(Out.Loads[Lf.Cuts[0]].Cut)),
                               V->getLocation()) &&
          narrowestRange(Out.Loads[Lf.Cuts[0]].Cut, Context))
        Loads.push_back(&Lf);
      else if (Lf.Cuts.empty() && isConstantFill(Value) && canBeSaid(Value, V))
        Fills.push_back(&Lf);
      else
        return false;
    }
    if (!Declared || Loads.empty() || FirstRead <= LastWrite)
      return false;
    std::set<const Expr *> Asked(Declared->Conditions.begin(), Declared->Conditions.end());
    for (const Leaf *Lf : Loads) {
      if (Lf->Fors != Declared->Fors || Lf->Loops != Declared->Loops)
        return false;
      Asked.insert(Lf->Conditions.begin(), Lf->Conditions.end());
    }
    // What the fetch does not ask for its loads it shall not have to ask.
    return Asked.size() > Declared->Conditions.size() && all_of(Fills, [&](const Leaf *Lf) {
             return Lf->Fors == Declared->Fors && Lf->Loops == Declared->Loops &&
                    all_of(Lf->Conditions, [&](const Expr *C) { return Asked.count(C) != 0; });
           });
  }

  /// Variables for which this holds, and which nothing but the store needs.
  VarSet stagedInRegisters() const {
    VarSet Found;
    for (const Leaf &Lf : Leaves)
      if (const auto *Decl = dyn_cast<DeclStmt>(Lf.S); Decl && Decl->isSingleDecl())
        if (const auto *V = dyn_cast<VarDecl>(Decl->getSingleDecl());
            V && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
            !V->getType()->isArrayType() && !V->getType().isConstQualified() &&
            !V->getType().isVolatileQualified() && !V->hasAttrs() && DeclaredInBody.count(V) &&
            !Values->hasOtherNames(V) && isSetByLoadsAlone(V) &&
            none_of(ArrayRef(M.Segments).drop_front(), [&](ArrayRef<const Stmt *> Segment) {
              return any_of(Segment, [&](const Stmt *S) { return mentionedVars(S).count(V) != 0; });
            }))
          Found.insert(V);
    return Found;
  }

  /// A step in the load phase of state that the load side has a copy of: each side steps its own
  /// once per tile, at its place in the load phase.
  bool stepsTwoCopies(const Leaf &Lf) const {
    return isAdvanceStatement(Lf.S) && is_contained(M.Segments[0], Lf.S) && !Lf.Writes.empty() &&
           all_of(Lf.Writes,
                  [&](const VarDecl *V) { return M.Split.count(V) || M.MaySplit.count(V); });
  }

  /// The header, or a step behind the barrier that the load side takes along, needs its copy
  /// stepped.
  bool stepsForLoads(const Leaf &Lf) const {
    if (!stepsTwoCopies(Lf))
      return false;
    VarSet Needs = readVars(Facts->Condition);
    insertReads(Needs, Facts->Increment);
    for (const Advance &A : M.Advances)
      if (A.Segment > 0 && A.LoadSide)
        insertReads(Needs, collector().collect(A.Statement));
    return any_of(Lf.Writes, [&](const VarDecl *V) { return Needs.count(V) != 0; });
  }

  /// Of what the step changes, a variable that a part of the store half needs as it was before.
  const VarDecl *neededBefore(const Leaf &Step, const std::set<const Stmt *> &InStore) const {
    for (const Leaf &Lf : Leaves) {
      if (&Lf == &Step)
        break;
      if (!Lf.WritesTile && !Lf.Asserts && !Lf.Stays && !Lf.Again && !InStore.count(Lf.S))
        continue;
      VarSet Needs = remainderReads(Lf);
      insertControl(Needs, Lf);
      for (const VarDecl *V : Step.Writes)
        if (Needs.count(V) || Lf.Writes.count(V))
          return V;
    }
    return nullptr;
  }

  /// Decides for every leaf without a cut whether the fetch, the store or both run it.
  void assignHalves() {
    VarSet Staged = stagedInRegisters();
    while (const VarDecl *Needed = assignHalves(Staged))
      Staged.erase(Needed);
  }

  /// With the registers of \p Staged in place of these variables. Returns one for which that does
  /// not go: the fetch needs it.
  const VarDecl *assignHalves(const VarSet &Staged) {
    VarSet FetchNeeds, StoreNeeds;
    // The store sets it once, where it is declared.
    auto SetsStaged = [&](const Leaf &Lf) {
      return any_of(Lf.Writes, [&](const VarDecl *V) { return Staged.count(V) != 0; });
    };
    std::set<const Stmt *> InFetch, InStore, Uncut;
    for (const Leaf &Lf : Leaves) {
      if (Lf.Started) {
        InFetch.insert(Lf.S);
        FetchNeeds.insert(Lf.Reads.begin(), Lf.Reads.end());
        insertControl(FetchNeeds, Lf);
      }
      if (!Lf.Cuts.empty()) {
        FetchNeeds.insert(Lf.CutReads.begin(), Lf.CutReads.end());
        insertControl(FetchNeeds, Lf);
      }
      if (Lf.WritesTile || Lf.Asserts || Lf.Stays || (Lf.Again && !Lf.Cuts.empty())) {
        VarSet Rest = remainderReads(Lf);
        StoreNeeds.insert(Rest.begin(), Rest.end());
        insertControl(StoreNeeds, Lf);
      }
    }
    StoreNeeds.insert(M.StoreState.begin(), M.StoreState.end());
    // Both ask whether a turn goes on, also where all of its loads are in front of that.
    if (M.Skip) {
      insertMentioned(FetchNeeds, M.Skip->getCond());
      insertMentioned(StoreNeeds, M.Skip->getCond());
    }
    bool Changed = true, AdvancesToo = false;
    while (Changed || !AdvancesToo ||
           hasRest(InFetch, InStore, FetchNeeds, SetsStaged, StoreNeeds)) {
      // What nobody needs and is stepped from tile to tile is left to the fetch.
      AdvancesToo |= !Changed;
      Changed = false;
      for (const Leaf &Lf : Leaves) {
        if (Lf.WritesTile || Lf.Started)
          continue;
        bool ForFetch = any_of(Lf.Writes, [&](const VarDecl *V) { return FetchNeeds.count(V); }) ||
                        (AdvancesToo && (!InStore.count(Lf.S) || stepsForLoads(Lf)) &&
                         Lf.Cuts.empty() && isAdvanceStatement(Lf.S));
        bool ForStore = any_of(Lf.Writes, [&](const VarDecl *V) { return StoreNeeds.count(V); }) &&
                        (isa<DeclStmt>(Lf.S) || !SetsStaged(Lf));
        if (ForFetch && InFetch.insert(Lf.S).second) {
          Changed = true;
          FetchNeeds.insert(Lf.Reads.begin(), Lf.Reads.end());
          insertControl(FetchNeeds, Lf);
          if (!Lf.Cuts.empty() || !Lf.Refusals.empty())
            Uncut.insert(Lf.S);
        }
        if (ForStore && InStore.insert(Lf.S).second) {
          Changed = true;
          VarSet Rest = Uncut.count(Lf.S) && !mayBeInBoth(Lf) ? Lf.Reads : remainderReads(Lf);
          StoreNeeds.insert(Rest.begin(), Rest.end());
          insertControl(StoreNeeds, Lf);
        }
      }
    }
    for (const VarDecl *V : Staged)
      if (FetchNeeds.count(V))
        return V;
    if (computeOnce(InFetch, InStore))
      return assignHalves(Staged);
    for (const Leaf &Lf : Leaves)
      if (SetsStaged(Lf)) {
        for (unsigned I : Lf.Cuts)
          Out.Loads[I].Staged =
              *find_if(Lf.Writes, [&](const VarDecl *V) { return Staged.count(V) != 0; });
        const auto *Decl = dyn_cast<DeclStmt>(Lf.S);
        const auto *Var = Decl ? cast<VarDecl>(Decl->getSingleDecl()) : nullptr;
        if (Lf.Cuts.empty() && (!Var || (Var->hasInit() && !leavesUnset(Var->getInit()))))
          Out.FetchStatements.insert(Lf.S);
      }
    for (const Leaf &Lf : Leaves) {
      const Stmt *S = Lf.S;
      if (InFetch.count(S))
        Out.FetchStatements.insert(S);
      if (InStore.count(S) || Lf.WritesTile || Lf.Asserts || Lf.Stays)
        Out.StoreStatements.insert(S);
      if (!Uncut.count(S) || InStore.count(S))
        append_range(Out.Refusals, Lf.Refusals);
      if (Uncut.count(S) && InStore.count(S) && mayBeInBoth(Lf))
        Uncut.erase(S);
      else if (Uncut.count(S) && InStore.count(S))
        refuseSplit(Reason::LoadForm, S->getBeginLoc(),
                    {"a loaded value that is used for an address and for the tile"});
      if (!InFetch.count(S) && !InStore.count(S) && !Lf.WritesTile && !isAdvanceStatement(S) &&
          !SetsStaged(Lf))
        for (const VarDecl *V : Lf.Writes)
          if (!DeclaredInBody.count(V))
            refuseSplit(Reason::LoadForm, S->getBeginLoc(),
                        {"it also sets '" + V->getNameAsString() + "', which no copy needs"});
      if (InStore.count(S) && stepsTwoCopies(Lf)) {
        Out.Steps.insert(S);
        if (const VarDecl *V = InFetch.count(S) ? neededBefore(Lf, InStore) : nullptr)
          Out.RefusalsAhead.push_back(
              {Reason::LoadForm,
               S->getBeginLoc(),
               {"'" + V->getNameAsString() + "' changes between two stores, or behind one,"},
               {}});
        continue;
      }
      // Outer state must be stepped exactly once per tile.
      if (InFetch.count(S) && InStore.count(S))
        for (const VarDecl *V : Lf.Writes)
          if (!DeclaredInBody.count(V))
            refuseSplit(Reason::LoadForm, S->getBeginLoc(),
                        {"'" + V->getNameAsString() +
                         "' changes between the address of a load and its store"});
      if (InStore.count(S) && isAdvanceStatement(S) && !Lf.Writes.empty() &&
          any_of(Lf.Writes,
                 [&](const VarDecl *V) { return M.LoadState.count(V) && !isLoadedVar(V); }))
        refuseSplit(Reason::LoadForm, S->getBeginLoc(),
                    {"the place of a store depends on state that the load phase advances"});
    }
    // Nor left as the first turns of a copy loop leave it.
    for (const Leaf &Lf : Leaves)
      if (InFetch.count(Lf.S))
        for (const CopyLoop *C : Lf.Loops)
          for (const VarDecl *V : Lf.Writes)
            if (isAhead(C) && FetchNeeds.count(V) && !declaredIn(C->Loop).count(V) &&
                !isSeenNoMore(*C, V, Lf))
              refuseSplit(Reason::LoadForm, Lf.S->getBeginLoc(),
                          {"'" + V->getNameAsString() +
                           "' goes on in a copy loop of which a part alone is fetched ahead"});
    // Nor by both in turn, as the one runs ahead of the other.
    VarSet SetByFetch;
    for (const Leaf &Lf : Leaves) {
      SetByFetch.insert(Lf.CutWrites.begin(), Lf.CutWrites.end());
      if (InFetch.count(Lf.S))
        SetByFetch.insert(Lf.Writes.begin(), Lf.Writes.end());
    }
    for (const Leaf &Lf : Leaves)
      if ((InStore.count(Lf.S) || Lf.WritesTile) && !InFetch.count(Lf.S))
        for (const VarDecl *V : Lf.Writes)
          if (!DeclaredInBody.count(V) && SetByFetch.count(V))
            refuseSplit(Reason::LoadForm, Lf.S->getBeginLoc(),
                        {"'" + V->getNameAsString() +
                         "' changes between the address of a load and its store"});
    for (const Leaf &Lf : Leaves)
      for (const VarDecl *V : Lf.CutWrites)
        if (StoreNeeds.count(V))
          refuseSplit(
              Reason::LoadForm, Lf.S->getBeginLoc(),
              {"'" + V->getNameAsString() + "' is stepped by a load, and a store needs it"});
    // Nor by a name that does not show: the store runs behind the advances of the fetch.
    for (const Leaf &Lf : Leaves)
      if (Lf.WritesTile || InStore.count(Lf.S)) {
        hiddenState(Lf.S, Lf);
        for (const Expr *C : Lf.Conditions)
          hiddenState(C, Lf);
        for (const ForStmt *F : Lf.Fors)
          for (const Stmt *Part : {F->getInit(), static_cast<const Stmt *>(F->getCond()),
                                   static_cast<const Stmt *>(F->getInc())})
            hiddenState(Part, Lf);
      }
    for (const Leaf &Lf : Leaves)
      if (Lf.WritesTile)
        for (const VarDecl *V : Lf.Writes)
          if (FetchNeeds.count(V))
            refuseSplit(
                Reason::LoadForm, Lf.S->getBeginLoc(),
                {"a store that also changes '" + V->getNameAsString() + "', which a load needs"});
    for (const VarDecl *V : M.StoreState)
      if (FetchNeeds.count(V))
        refuseSplit(
            Reason::LoadForm, V->getLocation(),
            {"the compute phase changes '" + V->getNameAsString() + "', which a load needs"});
    for (const Leaf &Lf : Leaves) {
      if (!Lf.Cuts.empty() || InFetch.count(Lf.S)) {
        for (const Expr *C : Lf.Conditions)
          readsNothingShared(C);
        for (const ForStmt *F : Lf.Fors)
          for (const Stmt *Part : {F->getInit(), static_cast<const Stmt *>(F->getCond()),
                                   static_cast<const Stmt *>(F->getInc())})
            readsNothingShared(Part);
      }
      if (InFetch.count(Lf.S) || isa<IfStmt>(Lf.S) || Lf.BySet)
        readsNothingShared(Lf.S);
      else
        for (unsigned I : Lf.Cuts)
          readsNothingShared(Out.Loads[I].Cut);
    }
    if (M.Skip)
      readsNothingShared(M.Skip->getCond());
    // Loads of leaves that run uncut in the fetch are no cuts.
    std::vector<GlobalLoad> Kept;
    for (const Leaf &Lf : Leaves)
      for (unsigned I : Lf.Cuts)
        if (!Uncut.count(Lf.S))
          Kept.push_back(Out.Loads[I]);
    Out.Loads = std::move(Kept);
    for (const Leaf &Lf : Leaves)
      if (InStore.count(Lf.S))
        for (const VarDecl *V : Lf.Writes)
          Out.StagingVars.insert(V);
    // A value that both halves compute must be the same at both times: fetch and store of one tile
    // see the same state, because state is advanced after the store (or by the fetch alone).
    return nullptr;
  }

  /// \p S may come out in two ways in two places, as it is, or by variables that both halves
  /// compute: a sum, where anything in the function is a product, which may be what it adds.
  bool mayRoundTwice(const Stmt *S) const {
    if (!mayRound())
      return false;
    FloatWork Work;
    std::set<const Stmt *> Seen;
    std::vector<const Stmt *> Open = {S};
    while (!Open.empty() && !Work.Sum) {
      const Stmt *Next = Open.back();
      Open.pop_back();
      if (!Next || !Seen.insert(Next).second)
        continue;
      Work |= floatWorkIn(Next);
      const VarSet Named = mentionedVars(Next);
      for (const Leaf &Lf : Leaves)
        if (!Lf.Once && any_of(Lf.Writes, [&](const VarDecl *V) { return Named.count(V) != 0; }))
          Open.push_back(Lf.S);
    }
    return Work.Sum;
  }

  /// `float d = a * t + b;`, which both halves need: where only one of them has the sum fused, an
  /// element would be fetched and not stored, or the other way round. So the fetch computes it, and
  /// the store has it from a register. True: there is another one that is computed so. What cannot
  /// be is refused.
  bool computeOnce(const std::set<const Stmt *> &InFetch, const std::set<const Stmt *> &InStore) {
    for (Leaf &Lf : Leaves) {
      if (Lf.Once || !InFetch.count(Lf.S) || !InStore.count(Lf.S) || !mayRoundTwice(Lf.S))
        continue;
      const Expr *Value = nullptr;
      const VarDecl *Var = nullptr;
      if (const auto *Decl = dyn_cast<DeclStmt>(Lf.S)) {
        Var = Decl->isSingleDecl() ? dyn_cast<VarDecl>(Decl->getSingleDecl()) : nullptr;
        Value = Var ? Var->getInit() : nullptr;
      } else if (const Expr *To = nullptr;
                 isa<Expr>(Lf.S) && matchAssignment(cast<Expr>(Lf.S), To, Value)) {
        Var = assignedItself(To);
      }
      if (!Var || !Value || !Var->getType()->isArithmeticType() || Lf.InUnknownLoop || Lf.BySet ||
          Lf.Fors.size() != Lf.Loops.size() || Lf.Writes.size() != 1 || !Lf.CutWrites.empty() ||
          !DeclaredInBody.count(Var) || !narrowestRange(Value, Context)) {
        refuseSplit(Reason::LoadForm, Lf.S->getBeginLoc(), {RoundedTwice});
        return false;
      }
      GlobalLoad G;
      if (!Lf.Cuts.empty())
        G = Out.Loads[Lf.Cuts.front()];
      G.Cut = Value;
      G.Type = Value->getType().getUnqualifiedType();
      G.Loops = Lf.Loops;
      G.NameHint = Var->getNameAsString();
      G.Leaf = Lf.S;
      insertMentioned(Lf.CutReads, Value);
      insertReads(Lf.CutReads, collector().collect(Value));
      Lf.Cuts.assign(1, Out.Loads.size());
      Lf.Once = true;
      Out.Loads.push_back(std::move(G));
      return true;
    }
    // Conditions of statements in both.
    const auto Ask = [&](const Stmt *Asked, auto IsUnder) {
      bool Fetch = false, Store = false;
      for (const Leaf &Lf : Leaves)
        if (IsUnder(Lf)) {
          Fetch |= !Lf.Cuts.empty() || InFetch.count(Lf.S) || Lf.Started;
          Store |= Lf.WritesTile || InStore.count(Lf.S);
        }
      if (Fetch && Store && mayRoundTwice(Asked))
        refuseSplit(Reason::LoadForm, Asked->getBeginLoc(), {RoundedTwice});
    };
    std::set<const Stmt *> Done;
    for (const Leaf &Of : Leaves) {
      for (const Expr *C : Of.Conditions)
        if (Done.insert(C).second)
          Ask(C, [&](const Leaf &Lf) { return is_contained(Lf.Conditions, C); });
      for (const ForStmt *F : Of.Fors)
        for (const Stmt *Part : {F->getInit(), static_cast<const Stmt *>(F->getCond()),
                                 static_cast<const Stmt *>(F->getInc())})
          if (Part && Done.insert(Part).second)
            Ask(Part, [&](const Leaf &Lf) { return is_contained(Lf.Fors, F); });
    }
    // Both ask as well whether a turn has a load phase at all.
    if (M.Skip && mayRoundTwice(M.Skip->getCond()))
      refuseSplit(Reason::LoadForm, M.Skip->getBeginLoc(), {RoundedTwice});
    return false;
  }

  /// `total += v;`, where `v` is on its way to the tile: no copy needs it, and it runs once per
  /// tile in the order of the tiles, as a store does. Adds what such statements set to \p
  /// StoreNeeds; false: there is no more. What the fetch has a hand in is not one variable at two
  /// times.
  bool hasRest(const std::set<const Stmt *> &InFetch, const std::set<const Stmt *> &InStore,
               const VarSet &FetchNeeds, function_ref<bool(const Leaf &)> SetsStaged,
               VarSet &StoreNeeds) const {
    bool Any = false;
    for (const Leaf &Lf : Leaves) {
      if (InFetch.count(Lf.S) || InStore.count(Lf.S) || Lf.WritesTile || Lf.Started ||
          isAdvanceStatement(Lf.S) || SetsStaged(Lf))
        continue;
      if (any_of(Lf.Writes, [&](const VarDecl *V) {
            return FetchNeeds.count(V) || any_of(Leaves, [&](const Leaf &Other) {
                     return (InFetch.count(Other.S) && Other.Writes.count(V)) ||
                            Other.CutWrites.count(V);
                   });
          }))
        continue;
      for (const VarDecl *V : Lf.Writes)
        if (!DeclaredInBody.count(V))
          Any |= StoreNeeds.insert(V).second;
    }
    return Any;
  }

  /// `const int g = index[i];`, which an address needs and a store: the fetch has it, from the
  /// register that the store has it from later. It is the body's own, so that each half has one.
  bool mayBeInBoth(const Leaf &Lf) const {
    if (Lf.BySet)
      return true;
    const auto *Decl = dyn_cast<DeclStmt>(Lf.S);
    const auto *Set = dyn_cast<Expr>(Lf.S);
    const Expr *To = Set ? leftHandSide(Set) : nullptr;
    const clang::Decl *Var = Decl && Decl->isSingleDecl() ? Decl->getSingleDecl()
                             : To                         ? assignedItself(To)
                                                          : nullptr;
    return Var && !Lf.Cuts.empty() && Lf.Refusals.empty() && Lf.CutWrites.empty() &&
           all_of(Lf.Writes, [&](const VarDecl *V) { return V == Var && DeclaredInBody.count(V); });
  }

  /// Also in a function that is called in \p Cut.
  bool happensIn(const Access &A, const Expr *Cut) const {
    return encloses(Cut, A.Where) ||
           (A.InCallee && any_of(collector().collect(Cut).Accesses, [&](const Access &Of) {
              return Of.Where == A.Where && Of.Loc == A.Loc;
            }));
  }

  /// \p S reaches load state by a reference, a pointer or a lambda, and not in a load.
  void hiddenState(const Stmt *S, const Leaf &Lf) {
    if (!S)
      return;
    // What is also called by its name counts as needed by the store: `f(v)`, which takes a
    // reference.
    if (S == Lf.S && Lf.BySet) // the store takes what the fetch has made of it
      return;
    VarSet Named = S == Lf.S ? remainderReads(Lf) : mentionedVars(S);
    for (const Access &A : collector().collect(S).Accesses)
      for (const MemoryRoot &R : A.Roots)
        if (const auto *V = dyn_cast_or_null<VarDecl>(R.Decl);
            V && M.LoadState.count(V) && !Named.count(V) &&
            (A.InCallee || !mentionedVars(A.Where).count(V)) &&
            (Lf.Again ||
             none_of(Lf.Cuts, [&](unsigned I) { return happensIn(A, Out.Loads[I].Cut); })))
          return refuseSplit(
              Reason::LoadForm, A.Loc,
              {"a store that depends on '" + V->getNameAsString() + "' by another name"});
  }

  /// What the fetch reads of shared memory belongs to the tile before.
  void readsNothingShared(const Stmt *S) {
    if (!S)
      return;
    for (const Access &A : collector().collect(S).Accesses)
      if (A.Read)
        for (const MemoryRoot &R : A.Roots)
          if (R.In == Space::Shared && !isSteadyShared(R))
            refuseSplit(Reason::LoadReadsShared, A.Loc, {sharedText(R)});
  }

  /// Variables that the leaf mentions outside of its cuts.
  VarSet remainderReads(const Leaf &Lf) const {
    if (Lf.Again) { // all of it, in the rest
      VarSet Set = Lf.Reads;
      Set.insert(Lf.CutReads.begin(), Lf.CutReads.end());
      return Set;
    }
    if (isa<IfStmt>(Lf.S))
      return Lf.Reads;
    if (Lf.BySet)
      return {};
    if (const auto *Asm = dyn_cast<GCCAsmStmt>(Lf.S); Asm && !Lf.Cuts.empty()) {
      VarSet Set;
      for (const Expr *Output : outputs(Asm))
        if (!assignedItself(Output))
          insertMentioned(Set, Output);
      return Set;
    }
    std::set<const Expr *> Cuts;
    for (unsigned I : Lf.Cuts)
      Cuts.insert(Out.Loads[I].Cut);
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const std::set<const Expr *> &Cuts;
      VarSet Set;
      explicit Visitor(const std::set<const Expr *> &Cuts) : Cuts(Cuts) {}
      bool TraverseStmt(const Stmt *S) override {
        if (const auto *E = dyn_cast_or_null<Expr>(S))
          if (Cuts.count(E))
            return true;
        return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
      }
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        if (const VarDecl *Var = mentionedVar(Ref))
          Set.insert(Var);
        return true;
      }
    } V(Cuts);
    V.TraverseStmt(Lf.S);
    const Expr *LHS = nullptr, *RHS = nullptr;
    if (const auto *E = dyn_cast<Expr>(Lf.S); E && matchAssignment(E, LHS, RHS))
      if (const VarDecl *Plain = assignedItself(LHS); Plain && !mentionedVars(RHS).count(Plain))
        V.Set.erase(Plain);
    return std::move(V.Set);
  }
};

} // namespace

FetchStore cutFetchAndStore(const TileModel &Model, ASTContext &Context,
                            const std::set<const Expr *> &Async) {
  return FetchStoreCutter(Model, Context, Async).run();
}

void cutFetchAndStore(ModelContext &C) {
  C.Model.Registers = FetchStoreCutter(C.Model, C.Context, {}).run();
  // `if (in) S[i] = G[..]; else S[i] = 0;`
  for (const GlobalLoad &G : C.Model.Registers.Loads)
    if (G.FillIf)
      for (TileCopy &Copy : C.Model.Copies)
        if (Copy.Store == singleStatement(G.FillIf->getThen()) ||
            Copy.Store == singleStatement(G.FillIf->getElse()))
          Copy.Guard = GuardKind::ZeroFill;
}

} // namespace cuda_pipeline
