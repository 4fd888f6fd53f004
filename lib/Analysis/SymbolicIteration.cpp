//===- SymbolicIteration.cpp - One turn of the tile loop, for all threads -------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolicIteration.h"
#include "../Model/AstUtil.h"
#include "Uniformity.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Past it isl gives up, and the answer is "unknown". For one loop, with all its questions.
constexpr unsigned long MaxIslOperations = 3000000;
constexpr unsigned MaxCallDepth = 6;
constexpr unsigned MaxExprDepth = 200;
constexpr unsigned MaxAccesses = 4000;
/// A value with more pieces (one per path that leads to it) becomes a symbol.
constexpr int MaxPieces = 12;

enum class SymbolKind { Uniform, Range, Private };

struct Symbol {
  SymbolKind Kind;
  std::string Text; ///< for messages; empty: not shown
};

/// What an expression is worth.
struct SymValue {
  enum KindType { None, Int, Bool, Pointer } Kind = None;
  IslPwAff Number;                ///< Int; of a Pointer into a shared array: bytes from its beginning
  IslSet True;                    ///< Bool
  const VarDecl *Array = nullptr; ///< of a Pointer: the shared array; null: elsewhere

  static SymValue integer(IslPwAff N) { return {Int, std::move(N), {}, nullptr}; }
  static SymValue boolean(IslSet T) { return {Bool, {}, std::move(T), nullptr}; }
  static SymValue pointer(const VarDecl *A, IslPwAff Bytes) { return {Pointer, std::move(Bytes), {}, A}; }
};

/// Where an lvalue is.
struct Place {
  enum KindType { Elsewhere, Local, Shared } Kind = Elsewhere;
  const VarDecl *Var = nullptr; ///< Local: a whole scalar variable; Shared: the array
  IslPwAff Offset;              ///< Shared: bytes; null: unknown
};

} // namespace

struct SymbolicIteration::Impl {
  Impl(const TileModel &M, ASTContext &Context, const LaunchShape &Block)
      : M(M), F(*M.Facts), Context(Context), Block(Block),
        U(Context, *F.Collector, M.Loop->Function), Isl(MaxIslOperations) {
    isl_space *Space = isl_space_set_alloc(Isl.get(), 0, 0);
    Universe = IslSet(isl_set_universe(Space));
    Live = Universe;
  }

  const TileModel &M;
  const LoopFacts &F;
  ASTContext &Context;
  LaunchShape Block;
  Uniformity U;
  IslContext Isl; // before everything that lives in it

  IslSet Universe, Live;
  IslSet Never() const { return IslSet(isl_set_empty(isl_set_get_space(Universe.get()))); }
  std::map<std::string, Symbol> Symbols;
  std::vector<IslSet> PrivateFacts; ///< ranges of Private symbols
  std::vector<MappedAccess> Accesses;
  bool GaveUp = false;

  /// The variables that this turn has assigned, as they are where the run stands.
  std::map<const VarDecl *, SymValue> Vars;
  std::map<const VarDecl *, Place> References;
  std::map<const VarDecl *, unsigned> Version;
  unsigned Segment = 0, LoopDepth = 0, CallDepth = 0, ExprDepth = 0;
  bool Silent = false;     ///< what is evaluated does not happen in this turn: no accesses
  bool BeforeLoop = false; ///< evaluates with the values that variables had before the loop
  std::set<const VarDecl *> Escaped; ///< whose address was taken
  /// Assigned inside of an inner loop that is being run: not one value per turn of the tile loop.
  std::set<const VarDecl *> Varying;
  /// Inside of an inner loop: whether turns may be left out by break.
  IslSet *Returned = nullptr;
  struct Memo {
    FoldingSetNodeID Id;
    std::string Name;
  };
  std::vector<Memo> Memos;

  //===-- Symbols ---------------------------------------------------------------===//

  IslPwAff constant(int64_t N) {
    isl_space *Space = isl_set_get_space(Universe.get());
    return IslPwAff(isl_pw_aff_val_on_domain(isl_set_universe(Space), isl_val_int_from_si(Isl.get(), N)));
  }

  IslPwAff use(const std::string &Name) {
    isl_space *Space = isl_set_get_space(Universe.get());
    Space = isl_space_add_dims(Space, isl_dim_param, 1);
    Space = isl_space_set_dim_name(Space, isl_dim_param, 0, Name.c_str());
    return IslPwAff(isl_pw_aff_var_on_domain(isl_local_space_from_space(Space), isl_dim_param, 0));
  }

  std::string fresh(SymbolKind Kind, const std::string &Text = "") {
    const char *Prefix = Kind == SymbolKind::Uniform ? "u" : Kind == SymbolKind::Range ? "r" : "q";
    std::string Name = Prefix + std::to_string(Symbols.size());
    Symbols[Name] = {Kind, Text};
    return Name;
  }

  IslSet compare(isl_set *(*How)(isl_pw_aff *, isl_pw_aff *), const IslPwAff &A, const IslPwAff &B) {
    return IslSet(How(A.take(), B.take()));
  }
  IslSet between(const IslPwAff &A, int64_t Lo, int64_t Hi) {
    return compare(isl_pw_aff_ge_set, A, constant(Lo)) & compare(isl_pw_aff_le_set, A, constant(Hi));
  }
  IslSet negation(const IslSet &S) { return Universe - S; }

  /// A fact about a symbol that holds wherever it is used.
  void know(const std::string &Name, const IslSet &Fact) {
    if (Symbols[Name].Kind == SymbolKind::Private)
      PrivateFacts.push_back(Fact);
    Live = Live & Fact;
  }

  IslPwAff symbol(SymbolKind Kind, std::optional<ValueRange> Range, const std::string &Text = "") {
    std::string Name = fresh(Kind, Text);
    IslPwAff A = use(Name);
    if (Range)
      know(Name, between(A, Range->Lo, Range->Hi));
    return A;
  }

  IslSet unknownCondition(SymbolKind Kind) {
    return compare(isl_pw_aff_eq_set, symbol(Kind, ValueRange{0, 1}), constant(1));
  }

  std::optional<ValueRange> rangeOfType(QualType T) const {
    if (!T->isIntegralOrEnumerationType())
      return std::nullopt;
    unsigned Bits = Context.getIntWidth(T);
    if (T->isBooleanType())
      return ValueRange{0, 1};
    if (Bits > 32)
      return std::nullopt;
    if (T->isSignedIntegerOrEnumerationType())
      return ValueRange{-(int64_t(1) << (Bits - 1)), (int64_t(1) << (Bits - 1)) - 1};
    return ValueRange{0, (int64_t(1) << Bits) - 1};
  }

  /// `const T *__restrict__`: what is read through it is not modified (C11 6.7.3.1).
  static bool isReadOnly(const VarDecl *Var) {
    const auto *Param = dyn_cast_or_null<ParmVarDecl>(Var);
    return Param && Param->getType()->isPointerType() && Param->getType().isRestrictQualified() &&
           Param->getType()->getPointeeType().isConstQualified();
  }

  /// Its value changes by assignments that name it, and by nothing else.
  bool isTracked(const VarDecl *Var) const {
    return !Var->getType().isVolatileQualified() && !Escaped.count(Var) &&
           (!Var->hasLocalStorage() || !F.Values->hasOtherNames(Var));
  }
  /// It is worth the same before the loop and in it.
  bool keepsItsValue(const VarDecl *Var) const {
    return F.Values->isSetOnce(Var) || F.Values->isUnchangedParameter(Var) || !Var->hasLocalStorage();
  }

  /// Something that is not followed: a symbol, the same one for the same expression of the same values.
  SymValue opaque(const Expr *E) {
    QualType T = E->getType();
    if (!T->isIntegralOrEnumerationType())
      return T->isPointerType() ? SymValue::pointer(nullptr, {}) : SymValue();
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      std::set<const VarDecl *> Found;
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
          Found.insert(Var);
        return true;
      }
    } V;
    V.TraverseStmt(E);
    bool Varies = false, Bound = false;
    for (const VarDecl *Var : V.Found) {
      Varies |= Varying.count(Var) != 0;
      Bound |= References.count(Var) != 0;
    }
    Effects Eff = F.Collector->collect(E);
    bool Pure = !Bound && CallDepth == 0, Loads = false;
    for (const VarDecl *Var : V.Found)
      Pure &= isTracked(Var) && (!BeforeLoop || keepsItsValue(Var));
    for (const Access &A : Eff.Accesses) {
      Pure &= !A.Write && !A.Volatile;
      for (const MemoryRoot &R : A.Roots) {
        const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
        // Memory that nobody changes while the kernel runs is as good as a value.
        bool Fixed = R.In == Space::Constant || (R.In == Space::Global && isReadOnly(Var));
        Loads |= !Var || !V.Found.count(Var) || (R.In != Space::Local && R.In != Space::Param && !Fixed);
      }
    }
    for (const Action &A : Eff.Actions)
      Pure &= A.Kind == Action::Call && A.Function == FunctionKind::Pure;
    Pure &= !Loads;
    SymbolKind Kind = CallDepth == 0 && !Bound && !Varies && (LoopDepth == 0 || Pure) && U.isUniform(E)
                          ? SymbolKind::Uniform
                          : SymbolKind::Private;
    FoldingSetNodeID Id;
    if (Pure) {
      E->IgnoreParenImpCasts()->Profile(Id, Context, true);
      Id.AddPointer(T.getCanonicalType().getTypePtr());
      Id.AddInteger(LoopDepth && Varies ? LoopSerial : 0);
      for (const VarDecl *Var : V.Found)
        Id.AddInteger(Version.count(Var) ? Version[Var] : 0);
      for (const Memo &Known : Memos)
        if (Known.Id == Id)
          return SymValue::integer(use(Known.Name));
    }
    std::string Name = fresh(Kind, Kind == SymbolKind::Uniform ? textOf(E, Context) : "");
    IslPwAff A = use(Name);
    std::optional<ValueRange> Range = CallDepth == 0 ? F.Values->range(E) : std::nullopt;
    if (!Range)
      Range = rangeOfType(T);
    if (Range)
      know(Name, between(A, Range->Lo, Range->Hi));
    if (Pure)
      Memos.push_back({Id, Name});
    return SymValue::integer(A);
  }

  //===-- Numbers and conditions --------------------------------------------------===//

  bool fits(const IslPwAff &A, QualType T) {
    std::optional<ValueRange> R = rangeOfType(T);
    if (!R && Context.getIntWidth(T) == 64 && T->isUnsignedIntegerOrEnumerationType())
      R = ValueRange{0, INT64_MAX}; // enough, though not all
    if (!R)
      return Context.getIntWidth(T) > 32 && T->isSignedIntegerOrEnumerationType();
    return answer(isl_set_is_subset(Live.get(), between(A, R->Lo, R->Hi).get())) == Answer::Yes;
  }

  std::optional<int64_t> asConstant(const SymValue &V) {
    if (V.Kind != SymValue::Int || answer(isl_pw_aff_isa_aff(V.Number.get())) != Answer::Yes)
      return std::nullopt;
    isl_aff *Number = isl_pw_aff_as_aff(V.Number.take());
    std::optional<int64_t> N;
    if (answer(isl_aff_is_cst(Number)) == Answer::Yes) {
      isl_val *Value = isl_aff_get_constant_val(Number);
      if (answer(isl_val_is_int(Value)) == Answer::Yes)
        N = isl_val_get_num_si(Value);
      isl_val_free(Value);
    }
    isl_aff_free(Number);
    return N;
  }

  IslSet asCondition(const SymValue &V, const Expr *E) {
    if (V.Kind == SymValue::Bool)
      return V.True;
    if (V.Kind == SymValue::Int && V.Number)
      return compare(isl_pw_aff_ne_set, V.Number, constant(0));
    if (V.Kind == SymValue::Pointer && V.Array)
      return Universe;
    // The same condition is the same symbol.
    SymValue O = opaque(E);
    if (O.Kind == SymValue::Int)
      return compare(isl_pw_aff_ne_set, O.Number, constant(0));
    return unknownCondition(SymbolKind::Private);
  }

  SymValue asInteger(SymValue V, const Expr *E) {
    if (V.Kind == SymValue::Bool) {
      // 1 where true, 0 elsewhere.
      IslPwAff One(isl_pw_aff_intersect_domain(constant(1).take(), V.True.take()));
      IslPwAff Zero(isl_pw_aff_intersect_domain(constant(0).take(), negation(V.True).take()));
      return SymValue::integer(IslPwAff(isl_pw_aff_union_add(One.take(), Zero.take())));
    }
    return V.Kind == SymValue::Int && V.Number ? V : opaque(E);
  }

  SymValue bounded(SymValue V, const Expr *E) {
    if (V.Kind == SymValue::Int && (!V.Number || isl_pw_aff_n_piece(V.Number.get()) > MaxPieces))
      return opaque(E);
    return V;
  }

  SymValue convert(SymValue V, const Expr *E) {
    QualType To = E->getType();
    if (To->isBooleanType())
      return SymValue::boolean(asCondition(V, E));
    V = asInteger(std::move(V), E);
    return V.Kind == SymValue::Int && fits(V.Number, To) ? V : opaque(E);
  }

  SymValue evaluate(const Expr *Ex) {
    SaveAndRestore Depth(ExprDepth, ExprDepth + 1);
    if (ExprDepth > MaxExprDepth) {
      GaveUp = true;
      return SymValue();
    }
    const Expr *E = Ex;
    if (std::optional<BuiltinIndex> B = asBuiltinIndex(E))
      return builtin(*B, E);
    if (E->getType()->isIntegralOrEnumerationType() && !E->isValueDependent())
      if (std::optional<int64_t> N = constantValue(E, Context))
        return SymValue::integer(constant(*N));
    if (const auto *Paren = dyn_cast<ParenExpr>(E))
      return evaluate(Paren->getSubExpr());
    if (const auto *Full = dyn_cast<FullExpr>(E))
      return evaluate(Full->getSubExpr());
    if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      return evaluate(Subst->getReplacement());
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      return evaluate(Temporary->getSubExpr());
    if (const auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
      return evaluate(Bind->getSubExpr());
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
      return evaluate(Default->getExpr());
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return cast(Cast);
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return unary(Op);
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return binary(Op);
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
      return conditional(Cond);
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return call(Call);
    if (isa<DeclRefExpr>(E) || isa<ArraySubscriptExpr>(E) || isa<MemberExpr>(E)) {
      // An lvalue that is not read here.
      place(E);
      return SymValue();
    }
    if (isa<IntegerLiteral>(E) || isa<FloatingLiteral>(E) || isa<CXXBoolLiteralExpr>(E) ||
        isa<CharacterLiteral>(E) || isa<clang::StringLiteral>(E) || isa<CXXNullPtrLiteralExpr>(E) ||
        isa<UnaryExprOrTypeTraitExpr>(E) || isa<ImplicitValueInitExpr>(E) || isa<CXXScalarValueInitExpr>(E))
      return opaqueLiteral(E);
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
      bool Copies = Construct->getConstructor()->isCopyOrMoveConstructor() && copiesBytes(E->getType(), Context);
      for (const Expr *Arg : Construct->arguments())
        Copies ? readObject(Arg) : argument(Arg);
      if (!Copies)
        calleeAccesses(Construct);
      return SymValue();
    }
    if (isa<InitListExpr>(E)) {
      for (const Stmt *Child : E->children())
        if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
          evaluate(Sub);
      return SymValue();
    }
    return notFollowed(E);
  }

  SymValue opaqueLiteral(const Expr *E) {
    return E->getType()->isIntegralOrEnumerationType() ? opaque(E) : SymValue();
  }

  /// Everything that \p S may touch may be touched anywhere; variables that it assigns are unknown.
  SymValue notFollowed(const Stmt *S) {
    Effects Eff = F.Collector->collect(S);
    for (const Access &A : Eff.Accesses)
      anywhere(A);
    const auto *E = dyn_cast<Expr>(S);
    if (E && E->getType()->isIntegralOrEnumerationType())
      return SymValue::integer(symbol(SymbolKind::Private, rangeOfType(E->getType())));
    return E && E->getType()->isPointerType() ? SymValue::pointer(nullptr, {}) : SymValue();
  }

  void anywhere(const Access &A) {
    for (const MemoryRoot &R : A.Roots) {
      const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
      if (R.In == Space::Shared && Var)
        note(Var, A.Where, A.Read, A.Write, {}, 0);
      else if (!R.Decl && (R.In == Space::Unknown || R.In == Space::Shared))
        for (const auto &B : M.Buffers)
          note(B->Decl, A.Where, A.Read, A.Write, {}, 0);
      else if (A.Write && Var)
        forget(Var);
    }
  }

  void note(const VarDecl *Array, const Expr *Where, bool Read, bool Write, IslPwAff Offset, uint64_t Bytes) {
    if (Silent)
      return;
    if (Accesses.size() >= MaxAccesses) {
      GaveUp = true;
      return;
    }
    Accesses.push_back({Array, Where, Segment, Read, Write, Live, std::move(Offset), Bytes});
    Noted.insert({Where ? Where->IgnoreParens() : nullptr, Array});
  }
  std::set<std::pair<const Expr *, const VarDecl *>> Noted;

  /// Every access that the effects know has been met on the way.
  bool metAll() const {
    for (unsigned I = 0; I < 3; ++I)
      for (const Access &A : F.Segment[I].Accesses)
        for (const MemoryRoot &R : A.Roots) {
          const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
          if (R.In != Space::Shared && (Var || R.In != Space::Unknown))
            continue;
          if (!A.Where || !Var || !Noted.count({A.Where->IgnoreParens(), Var}))
            return false;
        }
    return true;
  }

  SymValue builtin(const BuiltinIndex &B, const Expr *E) {
    unsigned Extents[3] = {Block.X, Block.X ? Block.Y : 0, Block.X ? Block.Z : 0};
    switch (B.Var) {
    case BuiltinVar::WarpSize:
      return SymValue::integer(constant(32));
    case BuiltinVar::ThreadIdx:
      return SymValue::integer(use(std::string("t") + B.Dim));
    case BuiltinVar::BlockDim:
      if (unsigned N = Extents[B.Dim - 'x'])
        return SymValue::integer(constant(N));
      return SymValue::integer(use(std::string("n") + B.Dim));
    default:
      return opaque(E);
    }
  }

  SymValue cast(const CastExpr *Cast) {
    const Expr *Sub = Cast->getSubExpr();
    switch (Cast->getCastKind()) {
    case CK_LValueToRValue:
      return read(Sub, Cast);
    case CK_NoOp:
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
      return evaluate(Sub);
    case CK_ArrayToPointerDecay: {
      Place At = place(Sub);
      return At.Kind == Place::Shared ? SymValue::pointer(At.Var, At.Offset) : SymValue::pointer(nullptr, {});
    }
    case CK_BitCast:
    case CK_AddressSpaceConversion: {
      SymValue V = evaluate(Sub);
      return V.Kind == SymValue::Pointer ? V : SymValue::pointer(nullptr, {});
    }
    case CK_IntegralCast:
    case CK_BooleanToSignedIntegral:
      return convert(evaluate(Sub), Cast);
    case CK_IntegralToBoolean:
    case CK_PointerToBoolean:
      return SymValue::boolean(asCondition(evaluate(Sub), Sub));
    case CK_ToVoid:
      evaluate(Sub);
      return SymValue();
    case CK_NullToPointer:
      return SymValue::pointer(nullptr, {});
    default: {
      evaluate(Sub);
      return Cast->getType()->isIntegralOrEnumerationType() ? opaque(Cast) : SymValue();
    }
    }
  }

  //===-- Memory ------------------------------------------------------------------===//

  Place place(const Expr *Ex) {
    const Expr *E = Ex->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      return place(Full->getSubExpr());
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      if (!Var)
        return Place();
      return placeOf(Var);
    }
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
      SymValue Base = evaluate(Sub->getBase());
      SymValue Index = asInteger(evaluate(Sub->getIdx()), Sub->getIdx());
      return element(Base, Index, E->getType(), 1);
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->getOpcode() == UO_Deref)
        return element(evaluate(Op->getSubExpr()), SymValue::integer(constant(0)), E->getType(), 1);
      if (Op->isIncrementDecrementOp()) {
        unary(Op);
        return place(Op->getSubExpr());
      }
      if (Op->getOpcode() == UO_Extension)
        return place(Op->getSubExpr());
    }
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      Place Base;
      if (Member->isArrow())
        Base = element(evaluate(Member->getBase()), SymValue::integer(constant(0)),
                       Member->getBase()->getType()->getPointeeType(), 1);
      else if (Member->getBase()->isGLValue())
        Base = place(Member->getBase());
      else
        evaluate(Member->getBase());
      if (Base.Kind != Place::Shared)
        return Place();
      if (!Field || Field->isBitField())
        Base.Offset = {};
      else if (Base.Offset)
        Base.Offset = Base.Offset + constant(int64_t(Context.getFieldOffset(Field) / 8));
      return Base;
    }
    if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->isGLValue())
      return place(Cast->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (Op->isAssignmentOp()) {
        binary(Op);
        return place(Op->getLHS());
      }
      if (Op->getOpcode() == BO_Comma) {
        evaluate(Op->getLHS());
        return place(Op->getRHS());
      }
    }
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
      evaluate(Temporary->getSubExpr());
      return Place();
    }
    if (!E->isGLValue()) {
      evaluate(E);
      return Place();
    }
    // Any object that it may be.
    notFollowed(E);
    RootSet Roots = F.Collector->rootsOf(E);
    if (Roots.size() == 1 && Roots.begin()->In == Space::Shared && Roots.begin()->Decl)
      return {Place::Shared, cast_or_null<VarDecl>(Roots.begin()->Decl), {}};
    for (const MemoryRoot &R : Roots)
      if (R.In == Space::Shared || R.In == Space::Unknown)
        GaveUp = true; // one of several
    return Place();
  }

  Place placeOf(const VarDecl *Var) {
    auto Bound = References.find(Var);
    if (Bound != References.end())
      return Bound->second;
    if (Var->hasAttr<CUDASharedAttr>())
      return {Place::Shared, Var, constant(0)};
    if (Var->getType()->isReferenceType()) {
      if (!Var->hasInit() || isa<ParmVarDecl>(Var))
        return unknownReference(Var);
      // Bound before the loop.
      SaveAndRestore Quiet(Silent, true);
      SaveAndRestore Before(BeforeLoop, true);
      SaveAndRestore Loops(LoopDepth, 0u);
      Place At = place(Var->getInit());
      return References[Var] = At;
    }
    return {Place::Local, Var, {}};
  }

  Place unknownReference(const VarDecl *Var) {
    for (const MemoryRoot &R : F.Collector->pointsTo(Var))
      if (R.In == Space::Shared || R.In == Space::Unknown)
        GaveUp = true;
    return Place();
  }

  Place element(const SymValue &Base, const SymValue &Index, QualType Element, int Sign) {
    if (Base.Kind != SymValue::Pointer || !Base.Array)
      return Place();
    Place At{Place::Shared, Base.Array, {}};
    if (Base.Number && Index.Kind == SymValue::Int && Index.Number && !Element->isIncompleteType())
      At.Offset = Base.Number +
                  scaled(Index.Number, Sign * int64_t(Context.getTypeSizeInChars(Element).getQuantity()));
    return At;
  }

  IslPwAff scaled(const IslPwAff &A, int64_t By) {
    return IslPwAff(isl_pw_aff_scale_val(A.take(), isl_val_int_from_si(Isl.get(), By)));
  }

  uint64_t sizeOf(QualType T) const {
    return T->isIncompleteType() || T->isVoidType() ? 0 : Context.getTypeSizeInChars(T).getQuantity();
  }

  /// \p Value: the lvalue-to-rvalue conversion, which stands for what is read.
  SymValue read(const Expr *LValue, const Expr *Value) {
    const Expr *E = LValue->IgnoreParens();
    QualType T = Value->getType();
    Place At = place(E);
    if (At.Kind == Place::Shared) {
      note(At.Var, E, true, false, At.Offset, At.Offset ? sizeOf(T) : 0);
      return T->isIntegralOrEnumerationType()
                 ? SymValue::integer(symbol(SymbolKind::Private, rangeOfType(T)))
                 : T->isPointerType() ? SymValue::pointer(nullptr, {}) : SymValue();
    }
    if (At.Kind == Place::Local)
      return valueOf(At.Var, E);
    if (T->isPointerType())
      return pointerOf(Value);
    return T->isIntegralOrEnumerationType() ? opaque(Value) : SymValue();
  }

  /// A pointer that is not followed may still point into a shared array.
  SymValue pointerOf(const Expr *E) {
    for (const MemoryRoot &R : F.Collector->pointees(E)) {
      if (R.In != Space::Shared && R.In != Space::Unknown)
        continue;
      const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
      if (F.Collector->pointees(E).size() == 1 && Var)
        return SymValue::pointer(Var, {});
      if (R.In == Space::Shared)
        GaveUp = true;
    }
    return SymValue::pointer(nullptr, {});
  }

  SymValue valueOf(const VarDecl *Var, const Expr *E) {
    if (!isTracked(Var))
      return someValue(Var);
    if (BeforeLoop && !keepsItsValue(Var))
      return someValue(Var, CallDepth == 0 && U.isUniform(E) ? SymbolKind::Uniform : SymbolKind::Private);
    auto It = Vars.find(Var);
    if (It != Vars.end())
      return It->second;
    if (F.Values->isSetOnce(Var) && !F.DeclaredInBody.count(Var) && Var->getType()->isScalarType()) {
      SaveAndRestore Quiet(Silent, true);
      SaveAndRestore Before(BeforeLoop, true);
      SaveAndRestore Loops(LoopDepth, 0u);
      SymValue V = evaluate(Var->getInit());
      if (Var->getType()->isIntegralOrEnumerationType() && V.Kind != SymValue::Bool)
        V = asInteger(V, Var->getInit());
      return Vars[Var] = V;
    }
    QualType T = Var->getType();
    if (T->isPointerType())
      return pointerOf(E);
    if (!T->isIntegralOrEnumerationType())
      return SymValue();
    return Vars[Var] = opaque(E);
  }

  SymValue someValue(const VarDecl *Var, SymbolKind Kind = SymbolKind::Private) {
    QualType T = Var->getType();
    if (T->isPointerType()) {
      RootSet Roots = F.Collector->pointsTo(Var);
      const VarDecl *Array = nullptr;
      for (const MemoryRoot &R : Roots)
        if (R.In == Space::Shared || R.In == Space::Unknown) {
          Array = dyn_cast_or_null<VarDecl>(R.Decl);
          if (Roots.size() != 1 || !Array)
            GaveUp = true;
        }
      return SymValue::pointer(Array, {});
    }
    return T->isIntegralOrEnumerationType() ? SymValue::integer(symbol(Kind, rangeOfType(T))) : SymValue();
  }

  /// The variable that the lvalue is a part of.
  static const VarDecl *wholeVariable(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return Member->isArrow() ? nullptr : wholeVariable(Member->getBase());
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return wholeVariable(Sub->getBase());
    return referencedVar(E);
  }

  void assign(const Place &At, const Expr *LValue, SymValue V, bool AlsoRead) {
    if (At.Kind == Place::Shared) {
      note(At.Var, LValue, AlsoRead, true, At.Offset, At.Offset ? sizeOf(LValue->getType()) : 0);
    } else if (At.Kind == Place::Local) {
      set(At.Var, std::move(V));
    } else if (const VarDecl *Whole = wholeVariable(LValue); Whole && !Whole->getType()->isPointerType()) {
      // A member or an element, of a variable or of what a reference stands for.
      auto Bound = References.find(Whole);
      if (Bound == References.end())
        forget(Whole);
      else if (Bound->second.Kind == Place::Local)
        forget(Bound->second.Var);
    }
  }

  void set(const VarDecl *Var, SymValue V) {
    if (LoopDepth)
      Varying.insert(Var);
    ++Version[Var];
    Vars[Var] = std::move(V);
  }

  /// The variable has some value.
  void forget(const VarDecl *Var) {
    // A reference stands for what it is bound to.
    if (auto Bound = References.find(Var); Bound != References.end()) {
      if (Bound->second.Kind == Place::Local && Bound->second.Var != Var)
        forget(Bound->second.Var);
      return;
    }
    ++Version[Var];
    if (LoopDepth)
      Varying.insert(Var);
    Vars[Var] = someValue(Var);
  }

  //===-- Operators ---------------------------------------------------------------===//

  SymValue unary(const UnaryOperator *Op) {
    const Expr *Sub = Op->getSubExpr();
    switch (Op->getOpcode()) {
    case UO_AddrOf: {
      Place At = place(Sub);
      if (At.Kind == Place::Local) {
        Escaped.insert(At.Var);
        return SymValue::pointer(nullptr, {});
      }
      return At.Kind == Place::Shared ? SymValue::pointer(At.Var, At.Offset) : SymValue::pointer(nullptr, {});
    }
    case UO_Plus:
    case UO_Extension:
      return evaluate(Sub);
    case UO_Minus: {
      SymValue V = evaluate(Sub);
      if (!Op->getType()->isIntegralOrEnumerationType())
        return SymValue();
      V = asInteger(V, Sub);
      if (V.Kind != SymValue::Int)
        return opaque(Op);
      return convert(SymValue::integer(IslPwAff(isl_pw_aff_neg(V.Number.take()))), Op);
    }
    case UO_LNot:
      return SymValue::boolean(negation(asCondition(evaluate(Sub), Sub)));
    case UO_PreInc:
    case UO_PreDec:
    case UO_PostInc:
    case UO_PostDec: {
      Place At = place(Sub);
      if (At.Kind != Place::Local) {
        assign(At, Sub, SymValue(), true);
        return opaque(Op);
      }
      SymValue Old = valueOf(At.Var, Sub), New;
      int64_t By = Op->isIncrementOp() ? 1 : -1;
      if (Old.Kind == SymValue::Int && Old.Number)
        New = wrapped(Old.Number + constant(By), Sub);
      else if (Old.Kind == SymValue::Pointer && Old.Array)
        New = moved(Old, constant(By), Sub->getType()->getPointeeType(), 1);
      else
        New = Old;
      set(At.Var, New);
      return Op->isPostfix() ? Old : New;
    }
    case UO_Deref:
      place(Op);
      return SymValue();
    default:
      evaluate(Sub);
      return Op->getType()->isIntegralOrEnumerationType() ? opaque(Op) : SymValue();
    }
  }

  /// The number in the type of \p Like: signed arithmetic does not overflow, unsigned may wrap.
  SymValue wrapped(IslPwAff N, const Expr *Like) {
    QualType T = Like->getType();
    if (!N)
      return SymValue::integer(symbol(SymbolKind::Private, rangeOfType(T)));
    if (T->isUnsignedIntegerOrEnumerationType() && !fits(N, T))
      return SymValue::integer(symbol(SymbolKind::Private, rangeOfType(T)));
    return SymValue::integer(std::move(N));
  }

  SymValue moved(const SymValue &P, const IslPwAff &By, QualType Pointee, int Sign) {
    SymValue Index = SymValue::integer(By);
    Place At = element(P, Index, Pointee, Sign);
    return SymValue::pointer(P.Array, At.Offset);
  }

  SymValue binary(const BinaryOperator *Op) {
    if (Op->isAssignmentOp())
      return assignment(Op);
    const Expr *L = Op->getLHS(), *R = Op->getRHS();
    if (Op->getOpcode() == BO_Comma) {
      evaluate(L);
      return evaluate(R);
    }
    if (Op->isLogicalOp()) {
      IslSet A = asCondition(evaluate(L), L);
      bool And = Op->getOpcode() == BO_LAnd;
      IslSet Before = Live;
      auto VarsBefore = Vars;
      Live = Live & (And ? A : negation(A));
      IslSet B = asCondition(evaluate(R), R);
      mergeVars(VarsBefore, Before - Live, Live);
      Live = Before;
      return SymValue::boolean(And ? A & B : A | B);
    }
    SymValue A = evaluate(L), B = evaluate(R);
    if (Op->isComparisonOp()) {
      if (!L->getType()->isIntegralOrEnumerationType() || !R->getType()->isIntegralOrEnumerationType())
        return SymValue::boolean(asCondition(SymValue(), Op));
      A = asInteger(A, L);
      B = asInteger(B, R);
      if (A.Kind != SymValue::Int || B.Kind != SymValue::Int)
        return SymValue::boolean(asCondition(SymValue(), Op));
      switch (Op->getOpcode()) {
      case BO_LT:
        return SymValue::boolean(compare(isl_pw_aff_lt_set, A.Number, B.Number));
      case BO_LE:
        return SymValue::boolean(compare(isl_pw_aff_le_set, A.Number, B.Number));
      case BO_GT:
        return SymValue::boolean(compare(isl_pw_aff_gt_set, A.Number, B.Number));
      case BO_GE:
        return SymValue::boolean(compare(isl_pw_aff_ge_set, A.Number, B.Number));
      case BO_EQ:
        return SymValue::boolean(compare(isl_pw_aff_eq_set, A.Number, B.Number));
      case BO_NE:
        return SymValue::boolean(compare(isl_pw_aff_ne_set, A.Number, B.Number));
      default:
        return opaque(Op);
      }
    }
    if (Op->getType()->isPointerType()) {
      bool Left = L->getType()->isPointerType();
      const SymValue &P = Left ? A : B;
      SymValue I = Left ? asInteger(B, R) : asInteger(A, L);
      if (P.Kind != SymValue::Pointer || !P.Array)
        return SymValue::pointer(nullptr, {});
      if (I.Kind != SymValue::Int)
        return SymValue::pointer(P.Array, {});
      return moved(P, I.Number, Op->getType()->getPointeeType(), Op->getOpcode() == BO_Sub ? -1 : 1);
    }
    if (!Op->getType()->isIntegralOrEnumerationType())
      return SymValue();
    if (L->getType()->isPointerType())
      return opaque(Op); // a difference of pointers
    return bounded(arithmetic(Op->getOpcode(), asInteger(A, L), asInteger(B, R), Op), Op);
  }

  /// \p Op gives the type, and the symbol where the result is not quasi-affine.
  SymValue arithmetic(BinaryOperatorKind Kind, const SymValue &A, const SymValue &B, const Expr *Op) {
    if (A.Kind != SymValue::Int || B.Kind != SymValue::Int || !A.Number || !B.Number)
      return opaque(Op);
    std::optional<int64_t> CA = asConstant(A), CB = asConstant(B);
    auto Result = [&](IslPwAff N) {
      QualType T = Op->getType();
      if (!N || (T->isUnsignedIntegerOrEnumerationType() && !fits(N, T)))
        return opaque(Op);
      return SymValue::integer(std::move(N));
    };
    auto NonNegative = [&](const SymValue &V) {
      IslSet Good = compare(isl_pw_aff_ge_set, V.Number, constant(0));
      return answer(isl_set_is_subset(Live.get(), Good.get())) == Answer::Yes;
    };
    auto Divide = [&](int64_t By, bool Remainder) {
      IslPwAff D = constant(By);
      return Result(IslPwAff(Remainder ? isl_pw_aff_tdiv_r(A.Number.take(), D.take())
                                       : isl_pw_aff_tdiv_q(A.Number.take(), D.take())));
    };
    switch (Kind) {
    case BO_Add:
      return Result(A.Number + B.Number);
    case BO_Sub:
      return Result(A.Number - B.Number);
    case BO_Mul:
      if (CB)
        return Result(scaled(A.Number, *CB));
      if (CA)
        return Result(scaled(B.Number, *CA));
      return opaque(Op);
    case BO_Shl:
      // Also a signed one may lose bits.
      if (CB && *CB >= 0 && *CB < 31)
        if (IslPwAff N = scaled(A.Number, int64_t(1) << *CB); fits(N, Op->getType()))
          return SymValue::integer(std::move(N));
      return opaque(Op);
    case BO_Div:
    case BO_Rem:
      return CB && *CB > 0 ? Divide(*CB, Kind == BO_Rem) : opaque(Op);
    case BO_Shr:
      return CB && *CB >= 0 && *CB < 31 && NonNegative(A) ? Divide(int64_t(1) << *CB, false) : opaque(Op);
    case BO_And: {
      // x & (2^n - 1)
      const SymValue &X = CB ? A : B;
      std::optional<int64_t> Mask = CB ? CB : CA;
      if (!Mask || *Mask < 0 || (*Mask & (*Mask + 1)) || !NonNegative(X))
        return opaque(Op);
      return Result(IslPwAff(isl_pw_aff_tdiv_r(X.Number.take(), constant(*Mask + 1).take())));
    }
    case BO_Or: {
      // (x << n) | y with y < 2^n: a sum. So it is where x has no bits below some power of two that y
      // stays below.
      for (unsigned Bits = 1; Bits < 20; ++Bits) {
        int64_t Power = int64_t(1) << Bits;
        for (bool Swapped : {false, true}) {
          const SymValue &High = Swapped ? B : A, &Low = Swapped ? A : B;
          IslPwAff Rest(isl_pw_aff_mod_val(High.Number.take(), isl_val_int_from_si(Isl.get(), Power)));
          IslSet Good = compare(isl_pw_aff_eq_set, Rest, constant(0)) &
                        compare(isl_pw_aff_ge_set, High.Number, constant(0)) &
                        between(Low.Number, 0, Power - 1);
          if (answer(isl_set_is_subset(Live.get(), Good.get())) == Answer::Yes)
            return Result(A.Number + B.Number);
        }
      }
      return opaque(Op);
    }
    default:
      return opaque(Op);
    }
  }

  SymValue assignment(const BinaryOperator *Op) {
    const Expr *L = Op->getLHS(), *R = Op->getRHS();
    if (Op->getOpcode() == BO_Assign) {
      SymValue V = evaluate(R);
      Place At = place(L);
      if (At.Kind == Place::Local && At.Var->getType()->isPointerType() && V.Kind != SymValue::Pointer)
        V = pointerOf(R);
      assign(At, L, V, false);
      return V;
    }
    SymValue By = evaluate(R);
    Place At = place(L);
    if (At.Kind != Place::Local) {
      assign(At, L, SymValue(), true);
      return L->getType()->isIntegralOrEnumerationType()
                 ? SymValue::integer(symbol(SymbolKind::Private, rangeOfType(L->getType())))
                 : SymValue();
    }
    SymValue Old = valueOf(At.Var, L), New;
    BinaryOperatorKind Kind = BinaryOperator::getOpForCompoundAssignment(Op->getOpcode());
    if (L->getType()->isPointerType() && (Kind == BO_Add || Kind == BO_Sub)) {
      By = asInteger(By, R);
      if (Old.Kind == SymValue::Pointer && Old.Array)
        New = By.Kind == SymValue::Int
                  ? moved(Old, By.Number, L->getType()->getPointeeType(), Kind == BO_Sub ? -1 : 1)
                  : SymValue::pointer(Old.Array, {});
      else
        New = SymValue::pointer(nullptr, {});
    } else if (L->getType()->isIntegralOrEnumerationType() &&
               R->getType()->isIntegralOrEnumerationType()) {
      // The result is not that of any expression that could stand for it.
      Old = asInteger(Old, L);
      By = asInteger(By, R);
      bool Linear = Kind == BO_Add || Kind == BO_Sub;
      if (Linear && Old.Kind == SymValue::Int && By.Kind == SymValue::Int)
        New = wrapped(Kind == BO_Add ? Old.Number + By.Number : Old.Number - By.Number, L);
      else
        New = SymValue::integer(symbol(SymbolKind::Private, rangeOfType(L->getType())));
      New = bounded(New, L);
    }
    set(At.Var, New);
    return New;
  }

  SymValue conditional(const ConditionalOperator *Cond) {
    IslSet C = asCondition(evaluate(Cond->getCond()), Cond->getCond());
    IslSet Before = Live;
    auto VarsBefore = Vars;
    Live = Before & C;
    SymValue A = evaluate(Cond->getTrueExpr());
    auto VarsThen = std::move(Vars);
    IslSet LiveThen = Live;
    Vars = std::move(VarsBefore);
    Live = Before - C;
    SymValue B = evaluate(Cond->getFalseExpr());
    IslSet LiveElse = Live;
    mergeVars(VarsThen, LiveThen, LiveElse);
    Live = LiveThen | LiveElse;
    if (Cond->getType()->isBooleanType())
      return SymValue::boolean((C & asCondition(A, Cond->getTrueExpr())) |
                               (negation(C) & asCondition(B, Cond->getFalseExpr())));
    if (Cond->getType()->isIntegralOrEnumerationType())
      return bounded(merged(asInteger(A, Cond->getTrueExpr()), C, asInteger(B, Cond->getFalseExpr()),
                            negation(C), Cond->getType()),
                     Cond);
    if (Cond->getType()->isPointerType()) {
      if (A.Kind == SymValue::Pointer && B.Kind == SymValue::Pointer && A.Array == B.Array)
        return merged(A, C, B, negation(C), Cond->getType());
      return pointerOf(Cond);
    }
    return SymValue();
  }

  /// \p A where \p InA holds, \p B where \p InB holds; these are disjoint.
  SymValue merged(const SymValue &A, const IslSet &InA, const SymValue &B, const IslSet &InB, QualType T) {
    if (A.Kind == SymValue::Bool && B.Kind == SymValue::Bool)
      return SymValue::boolean((A.True & InA) | (B.True & InB));
    if (A.Kind == B.Kind && (A.Kind == SymValue::Int || A.Kind == SymValue::Pointer) && A.Array == B.Array &&
        A.Number && B.Number) {
      if (answer(isl_pw_aff_is_equal(A.Number.get(), B.Number.get())) == Answer::Yes)
        return A;
      IslPwAff X(isl_pw_aff_intersect_domain(A.Number.take(), InA.take()));
      IslPwAff Y(isl_pw_aff_intersect_domain(B.Number.take(), InB.take()));
      IslPwAff Both(isl_pw_aff_coalesce(isl_pw_aff_union_add(X.take(), Y.take())));
      if (Both && isl_pw_aff_n_piece(Both.get()) <= MaxPieces) {
        SymValue V = A;
        V.Number = Both;
        return V;
      }
    }
    if (A.Kind == SymValue::Pointer && B.Kind == SymValue::Pointer)
      return A.Array == B.Array ? SymValue::pointer(A.Array, {}) : unclear();
    if (A.Kind == SymValue::Pointer || B.Kind == SymValue::Pointer)
      return unclear();
    return !T.isNull() && T->isIntegralOrEnumerationType()
               ? SymValue::integer(symbol(SymbolKind::Private, rangeOfType(T)))
               : SymValue();
  }

  /// A pointer into one of several arrays.
  SymValue unclear() {
    GaveUp = true;
    return SymValue();
  }

  /// Vars becomes what holds behind two ways: \p Other where \p InOther, Vars where \p InThis.
  void mergeVars(const std::map<const VarDecl *, SymValue> &Other, const IslSet &InOther, const IslSet &InThis) {
    bool OnlyThis = answer(isl_set_is_empty(InOther.get())) == Answer::Yes;
    if (OnlyThis)
      return;
    bool OnlyOther = answer(isl_set_is_empty(InThis.get())) == Answer::Yes;
    if (OnlyOther) {
      Vars = Other;
      return;
    }
    for (auto It = Vars.begin(); It != Vars.end();) {
      auto There = Other.find(It->first);
      // Assigned in one way alone, or evaluated there for the first time: what it was is found again.
      if (There == Other.end()) {
        if (Version.count(It->first) && !F.Values->isSetOnce(It->first)) {
          SaveAndRestore Quiet(Silent, true);
          const VarDecl *Var = It->first;
          ++It;
          forget(Var);
        } else {
          ++It;
        }
        continue;
      }
      if (!same(It->second, There->second)) {
        ++Version[It->first];
        It->second = merged(There->second, InOther, It->second, InThis, It->first->getType());
      }
      ++It;
    }
    for (const auto &[Var, V] : Other)
      if (!Vars.count(Var) && Version.count(Var) && !F.Values->isSetOnce(Var))
        forget(Var);
  }

  bool same(const SymValue &A, const SymValue &B) const {
    return A.Kind == B.Kind && A.Array == B.Array && A.Number.get() == B.Number.get() &&
           A.True.get() == B.True.get();
  }

  //===-- Calls ---------------------------------------------------------------------===//

  /// An argument: what it reads is noted; a pointer or reference is not followed into the callee.
  void argument(const Expr *Arg) {
    if (Arg->isGLValue())
      place(Arg);
    else
      evaluate(Arg);
  }

  void readObject(const Expr *E) {
    if (!E->isGLValue()) {
      evaluate(E);
      return;
    }
    Place At = place(E);
    if (At.Kind == Place::Shared)
      note(At.Var, stripNoOps(E), true, false, At.Offset, At.Offset ? sizeOf(E->getType()) : 0);
  }

  /// What a call that is not followed does with the pointers and references that it is given.
  void calleeAccesses(const Expr *Call) {
    for (const Access &A : F.Collector->collect(Call).Accesses)
      for (const MemoryRoot &R : A.Roots)
        if (!A.Where || !Noted.count({A.Where->IgnoreParens(), dyn_cast_or_null<VarDecl>(R.Decl)})) {
          anywhere(A);
          break;
        }
  }

  SymValue call(const CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee)
      return notFollowed(Call);
    if (SymValue V = known(Call, Callee); V.Kind != SymValue::None)
      return V;
    // `*(float4 *)p = v`: an assignment that copies the bytes.
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(Call);
        Op && Op->getOperator() == OO_Equal && Callee->isTrivial()) {
      readObject(Op->getArg(1));
      Place At = place(Op->getArg(0));
      assign(At, Op->getArg(0), SymValue(), false);
      return SymValue();
    }
    const FunctionDecl *Body = nullptr;
    if (Callee->hasBody(Body) && CallDepth < MaxCallDepth && !isa<CXXMethodDecl>(Body) &&
        !Context.getSourceManager().isInSystemHeader(Body->getLocation()) && Body->getBody())
      return inlined(Call, Body);
    // Values are values; what pointers and references lead to may be touched anywhere.
    for (const Expr *Arg : Call->arguments())
      argument(Arg);
    calleeAccesses(Call);
    if (Call->getType()->isPointerType())
      return pointerOf(Call);
    return Call->getType()->isIntegralOrEnumerationType() ? opaque(Call) : SymValue();
  }

  SymValue known(const CallExpr *Call, const FunctionDecl *Callee) {
    if (!Callee->getIdentifier() || Call->getNumArgs() != 2 || !Call->getType()->isIntegralOrEnumerationType())
      return SymValue();
    StringRef Name = Callee->getName();
    if (Name != "min" && Name != "max" && Name != "umin" && Name != "umax")
      return SymValue();
    const Expr *L = Call->getArg(0), *R = Call->getArg(1);
    if (!L->getType()->isIntegralOrEnumerationType() || !R->getType()->isIntegralOrEnumerationType())
      return SymValue();
    if (L->isGLValue() || R->isGLValue())
      return SymValue(); // by reference
    auto Value = [&](const Expr *E) { return asInteger(evaluate(E), E); };
    SymValue A = Value(L), B = Value(R);
    if (A.Kind != SymValue::Int || B.Kind != SymValue::Int)
      return opaque(Call);
    bool Min = Name.ends_with("min");
    return bounded(SymValue::integer(IslPwAff(Min ? isl_pw_aff_min(A.Number.take(), B.Number.take())
                                                  : isl_pw_aff_max(A.Number.take(), B.Number.take()))),
                   Call);
  }

  SymValue inlined(const CallExpr *Call, const FunctionDecl *Body) {
    std::map<const VarDecl *, SymValue> Values;
    std::map<const VarDecl *, Place> Bound;
    for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
      const Expr *Arg = Call->getArg(I);
      if (I >= Body->getNumParams()) {
        argument(Arg);
        continue;
      }
      const ParmVarDecl *Param = Body->getParamDecl(I);
      if (Param->getType()->isReferenceType() && Arg->isGLValue()) {
        Bound[Param] = place(Arg);
        continue;
      }
      SymValue V = evaluate(Arg);
      if (Param->getType()->isPointerType() && V.Kind != SymValue::Pointer)
        V = pointerOf(Arg);
      Values[Param] = V;
    }
    // Recursion would meet its own parameters.
    for (const ParmVarDecl *Param : Body->parameters())
      if (Vars.count(Param) || References.count(Param))
        return notFollowed(Call);
    for (auto &[Param, V] : Values)
      Vars[Param] = V;
    for (auto &[Param, At] : Bound)
      References[Param] = At;
    SaveAndRestore Depth(CallDepth, CallDepth + 1);
    IslSet Before = Live;
    IslSet Gone = Never();
    SaveAndRestore Frame(Returned, &Gone);
    SaveAndRestore Loops(EntryDepth, LoopDepth);
    Result.push_back(std::nullopt);
    execute(Body->getBody());
    std::optional<SymValue> V = Result.pop_back_val();
    // Nothing but what left the whole loop, which is refused elsewhere, does not come back.
    Live = Live | Gone;
    for (const ParmVarDecl *Param : Body->parameters()) {
      Vars.erase(Param);
      References.erase(Param);
    }
    QualType T = Call->getType();
    if (V && V->Kind != SymValue::None)
      return *V;
    if (T->isPointerType())
      return pointerOf(Call);
    return T->isIntegralOrEnumerationType() ? SymValue::integer(symbol(SymbolKind::Private, rangeOfType(T)))
                                            : SymValue();
  }
  /// Of the functions that are being run: what the return statements so far give.
  SmallVector<std::optional<SymValue>, 4> Result;
  unsigned EntryDepth = 0; ///< loops around the call
  bool leavesInLoop() const { return LoopDepth > EntryDepth; }
  static QualType returnType(const ReturnStmt *Return) {
    return Return->getRetValue() ? Return->getRetValue()->getType() : QualType();
  }

  //===-- Statements ----------------------------------------------------------------===//

  unsigned LoopSerial = 0;

  void execute(const Stmt *S) {
    if (!S || GaveUp)
      return;
    if (const auto *E = dyn_cast<Expr>(S)) {
      evaluate(E);
    } else if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt *Child : Compound->body())
        execute(Child);
    } else if (const auto *Attributed = dyn_cast<AttributedStmt>(S)) {
      execute(Attributed->getSubStmt());
    } else if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const clang::Decl *D : Declaration->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          declare(Var);
    } else if (const auto *If = dyn_cast<IfStmt>(S)) {
      branch(If);
    } else if (const auto *For = dyn_cast<ForStmt>(S)) {
      loop(For);
    } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
      unknownLoop(S, While->getCond(), While->getBody(), nullptr);
    } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
      unknownLoop(S, Do->getCond(), Do->getBody(), nullptr);
    } else if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
      SymValue V = Return->getRetValue() ? evaluate(Return->getRetValue()) : SymValue();
      if (!Returned) {
        GaveUp = true;
        return;
      }
      // The paths that return have nothing in common. A value that differs between turns is none.
      if (!Result.back())
        Result.back() = V;
      else
        Result.back() = merged(*Result.back(), *Returned, V, Live, returnType(Return));
      if (leavesInLoop())
        Result.back() = SymValue();
      *Returned = *Returned | Live;
      Live = Never();
    } else if (isa<NullStmt>(S)) {
    } else if (isa<ContinueStmt>(S) && LoopDepth) {
      Live = Never();
    } else if (isa<BreakStmt>(S) && LoopDepth) {
      Live = Never();
    } else if (isa<AsmStmt>(S)) {
      for (const Stmt *Child : S->children())
        if (const auto *E = dyn_cast_or_null<Expr>(Child))
          argument(E);
      notFollowed(S);
    } else {
      GaveUp = true; // goto, switch, try, ...
    }
  }

  void declare(const VarDecl *Var) {
    if (Var->hasAttr<CUDASharedAttr>() || Var->isStaticLocal())
      return;
    QualType T = Var->getType();
    if (T->isReferenceType()) {
      References[Var] = Var->hasInit() ? place(Var->getInit()) : Place();
      return;
    }
    if (LoopDepth)
      Varying.insert(Var);
    ++Version[Var];
    if (!Var->hasInit()) {
      forget(Var);
      return;
    }
    SymValue V = evaluate(Var->getInit());
    if (T->isPointerType() && V.Kind != SymValue::Pointer)
      V = pointerOf(Var->getInit());
    else if (T->isIntegralOrEnumerationType() && V.Kind == SymValue::None)
      V = opaque(Var->getInit());
    Vars[Var] = V;
  }

  void branch(const IfStmt *If) {
    if (If->getInit())
      execute(If->getInit());
    if (If->getConditionVariableDeclStmt())
      execute(If->getConditionVariableDeclStmt());
    IslSet C = If->isConstexpr() && !If->getThen() ? Never() : asCondition(evaluate(If->getCond()), If->getCond());
    IslSet Before = Live;
    auto VarsBefore = Vars;
    Live = Before & C;
    execute(If->getThen());
    auto VarsThen = std::move(Vars);
    IslSet LiveThen = Live;
    Vars = std::move(VarsBefore);
    Live = Before - C;
    execute(If->getElse());
    IslSet LiveElse = Live;
    mergeVars(VarsThen, LiveThen, LiveElse);
    Live = IslSet(isl_set_coalesce((LiveThen | LiveElse).take()));
  }

  static bool leavesEarly(const Stmt *S, bool Outermost = true) {
    if (!S || isa<LambdaExpr>(S))
      return false;
    if (isa<ReturnStmt>(S) || isa<GotoStmt>(S))
      return true;
    if (isa<BreakStmt>(S))
      return true;
    bool Inner = isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S) || isa<SwitchStmt>(S);
    return any_of(S->children(), [&](const Stmt *C) { return leavesEarly(C, Outermost && !Inner); });
  }

  std::set<const VarDecl *> assignedIn(const Stmt *S) {
    std::set<const VarDecl *> Set;
    if (S)
      for (const Access &A : F.Collector->collect(S).Accesses)
        if (A.Write)
          for (const MemoryRoot &R : A.Roots)
            if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl); Var && R.In != Space::Shared)
              Set.insert(Var);
    return Set;
  }

  /// `i += S`: what a loop's header does to its counter.
  struct Stepping {
    const VarDecl *Counter = nullptr;
    const Expr *Reference = nullptr; ///< that names it
    const Expr *By = nullptr;        ///< null: 1
    int Sign = 1;
  };
  static Stepping steppingOf(const ForStmt *For) {
    Stepping S;
    const Expr *Inc = For->getInc();
    if (!Inc)
      return S;
    Inc = Inc->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(Inc))
      Inc = Full->getSubExpr()->IgnoreParens();
    if (const auto *Op = dyn_cast<UnaryOperator>(Inc); Op && Op->isIncrementDecrementOp()) {
      S.Reference = Op->getSubExpr();
      S.Sign = Op->isIncrementOp() ? 1 : -1;
    } else if (const auto *Op = dyn_cast<BinaryOperator>(Inc);
               Op && (Op->getOpcode() == BO_AddAssign || Op->getOpcode() == BO_SubAssign)) {
      S.Reference = Op->getLHS();
      S.By = Op->getRHS();
      S.Sign = Op->getOpcode() == BO_AddAssign ? 1 : -1;
    } else if (const auto *Op = dyn_cast<BinaryOperator>(Inc); Op && Op->getOpcode() == BO_Assign) {
      // i = i + S
      const auto *Sum = dyn_cast<BinaryOperator>(Op->getRHS()->IgnoreParenImpCasts());
      if (Sum && Sum->isAdditiveOp() && referencedVar(Op->getLHS()) &&
          referencedVar(Sum->getLHS()->IgnoreParenImpCasts()) == referencedVar(Op->getLHS())) {
        S.Reference = Op->getLHS();
        S.By = Sum->getRHS();
        S.Sign = Sum->getOpcode() == BO_Add ? 1 : -1;
      }
    }
    if (S.Reference)
      S.Counter = referencedVar(S.Reference);
    if (S.Counter && (!S.Counter->getType()->isIntegralOrEnumerationType() ||
                      S.Counter->getType()->isReferenceType()))
      S.Counter = nullptr;
    return S;
  }

  /// First, First + Step, ... in the direction of \p Sign.
  IslSet sequence(const IslPwAff &Counter, const IslPwAff &First, int64_t Step, int Sign) {
    IslPwAff Way = Sign > 0 ? Counter - First : First - Counter;
    IslPwAff Rest(isl_pw_aff_mod_val(Way.take(), isl_val_int_from_si(Isl.get(), Step)));
    return compare(isl_pw_aff_ge_set, Way, constant(0)) & compare(isl_pw_aff_eq_set, Rest, constant(0));
  }

  /// `for (int i = B; i < E; i += S)`: the counter is a Range symbol.
  void loop(const ForStmt *For) {
    execute(For->getInit());
    auto [Counter, Reference, StepBy, Sign] = steppingOf(For);
    if (!Counter || !For->getCond() || leavesEarly(For->getBody()))
      return unknownLoop(For, For->getCond(), For->getBody(), For->getInc());
    std::set<const VarDecl *> Assigned = assignedIn(For->getBody());
    for (const VarDecl *Var : assignedIn(For->getCond()))
      Assigned.insert(Var);
    if (Assigned.count(Counter))
      return unknownLoop(For, For->getCond(), For->getBody(), For->getInc());
    std::optional<int64_t> Step = 1;
    if (StepBy)
      Step = asConstant(asInteger(evaluate(StepBy), StepBy));
    SymValue First = asInteger(valueOf(Counter, For->getCond()), For->getCond());
    if (!Step || *Step <= 0 || First.Kind != SymValue::Int)
      return unknownLoop(For, For->getCond(), For->getBody(), For->getInc());

    IslSet Before = Live;
    auto Entered = enterLoop(Assigned);
    Varying.insert(Counter);
    ++Version[Counter];
    std::string Name = fresh(SymbolKind::Range);
    IslPwAff C = use(Name);
    IslSet Sequence = sequence(C, First.Number, *Step, Sign);
    std::optional<ValueRange> Range = rangeOfType(Counter->getType());
    if (!Range && Counter->getType()->isUnsignedIntegerOrEnumerationType())
      Range = ValueRange{0, INT64_MAX}; // it ends before that, see below
    if (Range)
      Sequence = Sequence & between(C, Range->Lo, Range->Hi);
    Vars[Counter] = SymValue::integer(C);
    Live = Live & Sequence;
    IslSet Holds = asCondition(evaluate(For->getCond()), For->getCond());
    // The loop has ended where the condition did not hold before.
    IslSet Turns = (Sequence & Holds) - endedBefore(Sequence - Holds, Name, Sign);
    Live = Live & Turns;
    // The next value must not wrap: there is no overflow of int and wider signed types.
    QualType T = Counter->getType();
    bool Wraps = T->isUnsignedIntegerOrEnumerationType() || Context.getIntWidth(T) < 32;
    IslPwAff Next = C + constant(Sign * *Step);
    if (Wraps && (!Range || answer(isl_set_is_subset(Live.get(), between(Next, Range->Lo, Range->Hi).get())) !=
                                Answer::Yes)) {
      leaveLoop(Before, Entered);
      return unknownLoop(For, For->getCond(), For->getBody(), For->getInc());
    }
    execute(For->getBody());
    leaveLoop(Before, Entered);
    forget(Counter);
  }

  /// Values of the symbol \p Name behind one in \p Bad, in the direction of \p Sign.
  IslSet endedBefore(const IslSet &Bad, const std::string &Name, int Sign) {
    int At = isl_set_find_dim_by_name(Bad.get(), isl_dim_param, Name.c_str());
    if (At < 0)
      return Bad; // the condition does not look at the counter
    // The parameter becomes a dimension; from each value, all that lie behind it.
    isl_set *S = isl_set_move_dims(Bad.take(), isl_dim_set, 0, isl_dim_param, At, 1);
    isl_space *Space = isl_set_get_space(S);
    isl_map *Behind = Sign > 0 ? isl_map_lex_lt(Space) : isl_map_lex_gt(Space);
    S = isl_set_apply(S, Behind);
    S = isl_set_move_dims(S, isl_dim_param, 0, isl_dim_set, 0, 1);
    return IslSet(isl_set_set_dim_name(S, isl_dim_param, 0, Name.c_str()));
  }

  struct LoopEntry {
    std::set<const VarDecl *> Varying, Assigned;
  };
  LoopEntry enterLoop(std::set<const VarDecl *> Assigned) {
    LoopEntry E{Varying, std::move(Assigned)};
    ++LoopDepth;
    ++LoopSerial;
    for (const VarDecl *Var : E.Assigned)
      forget(Var);
    return E;
  }
  void leaveLoop(const IslSet &Before, LoopEntry &E) {
    for (const VarDecl *Var : E.Assigned)
      forget(Var);
    --LoopDepth;
    Varying = std::move(E.Varying);
    // Threads that did not leave the function, wherever they are.
    Live = Returned ? Before - *Returned : Before;
  }

  /// Its turns may happen or not.
  void unknownLoop(const Stmt *S, const Expr *Cond, const Stmt *Body, const Expr *Inc) {
    std::set<const VarDecl *> Assigned = assignedIn(S);
    IslSet Before = Live;
    auto Entered = enterLoop(Assigned);
    Live = Live & unknownCondition(SymbolKind::Private);
    if (Cond)
      evaluate(Cond);
    execute(Body);
    Live = Before;
    Live = Live & unknownCondition(SymbolKind::Private);
    if (Inc)
      evaluate(Inc);
    leaveLoop(Before, Entered);
  }

  //===-- The turn --------------------------------------------------------------------===//

  bool run() {
    const char *Names[3] = {"x", "y", "z"};
    unsigned Extents[3] = {Block.X, Block.X ? Block.Y : 0, Block.X ? Block.Z : 0};
    static const int64_t Limits[3] = {1024, 1024, 64};
    for (unsigned D = 0; D < 3; ++D) {
      std::string Thread = std::string("t") + Names[D], Extent = std::string("n") + Names[D];
      Symbols[Thread] = {SymbolKind::Range, std::string("threadIdx.") + Names[D]};
      IslPwAff N = constant(Extents[D]);
      if (!Extents[D]) {
        Symbols[Extent] = {SymbolKind::Uniform, std::string("blockDim.") + Names[D]};
        N = use(Extent);
        Live = Live & between(N, 1, Limits[D]);
      }
      Live = Live & compare(isl_pw_aff_ge_set, use(Thread), constant(0)) &
             compare(isl_pw_aff_lt_set, use(Thread), N);
    }
    header();
    for (Segment = 0; Segment < 3 && !GaveUp; ++Segment)
      for (const Stmt *S : M.Segments[Segment])
        execute(S);
    return !GaveUp && Live && metAll();
  }

  /// What the loop's own header says of its counter in a turn.
  void header() {
    const ForStmt *For = M.Loop->asFor();
    if (!For || !For->getCond())
      return;
    stepped(For);
    IslSet C = asCondition(evaluate(For->getCond()), For->getCond());
    Live = Live & C;
  }

  /// The counter is one of those that the header goes through.
  void stepped(const ForStmt *For) {
    auto [Counter, Reference, StepBy, Sign] = steppingOf(For);
    if (!Counter || Counter->getType()->isUnsignedIntegerType())
      return; // unsigned counters wrap
    for (unsigned I = 0; I < 3; ++I)
      for (const Access &A : F.Segment[I].Accesses)
        if (A.Write && A.touches(Counter))
          return;
    const Expr *Begin = nullptr;
    if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(For->getInit())) {
      if (is_contained(Declaration->decls(), Counter))
        Begin = Counter->getInit();
    } else if (const auto *Init = dyn_cast_or_null<Expr>(For->getInit())) {
      const auto *Op = dyn_cast<BinaryOperator>(Init->IgnoreParens());
      if (Op && Op->getOpcode() == BO_Assign && referencedVar(Op->getLHS()) == Counter)
        Begin = Op->getRHS();
    }
    if (!Begin)
      return;
    SymValue N = SymValue::integer(symbol(
        U.isUniform(Reference) ? SymbolKind::Uniform : SymbolKind::Private,
        rangeOfType(Counter->getType()), Counter->getNameAsString()));
    // What stands in the header is worth now what it was worth then only where nothing changes it.
    auto Constant = [&](const Expr *E) {
      Effects Eff = F.Collector->collect(E);
      return none_of(Eff.Accesses, [&](const Access &A) {
        return any_of(A.Roots, [&](const MemoryRoot &R) {
          const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
          return A.Write || !Var || F.Modified.count(Var) || (R.In != Space::Local && R.In != Space::Param);
        });
      });
    };
    SaveAndRestore Before(Silent, true);
    if (!Constant(Begin) || (StepBy && !Constant(StepBy))) {
      Vars[Counter] = N;
      return;
    }
    SymValue First = asInteger(evaluate(Begin), Begin);
    std::optional<int64_t> Step = StepBy ? asConstant(asInteger(evaluate(StepBy), StepBy)) : 1;
    Vars[Counter] = N;
    if (First.Kind == SymValue::Int && Step && *Step > 0)
      Live = Live & sequence(N.Number, First.Number, *Step, Sign);
  }

  //===-- Questions ---------------------------------------------------------------------===//

  /// The bytes, as sets of one dimension over all symbols.
  IslSet bytesOf(const MappedAccess &A) {
    if (!A.Offset)
      return IslSet();
    IslPwAff Here(isl_pw_aff_intersect_domain(A.Offset.take(), A.When.take()));
    isl_set *Starts = isl_map_range(isl_map_from_pw_aff(Here.take()));
    if (A.Bytes > 1) {
      // b with start <= b < start + Bytes
      isl_space *Space = isl_space_map_from_set(isl_set_get_space(Starts));
      isl_map *Spread = isl_map_universe(isl_space_copy(Space));
      isl_local_space *Local = isl_local_space_from_space(Space);
      isl_constraint *From = isl_constraint_alloc_inequality(isl_local_space_copy(Local));
      From = isl_constraint_set_coefficient_si(From, isl_dim_out, 0, 1);
      From = isl_constraint_set_coefficient_si(From, isl_dim_in, 0, -1);
      isl_constraint *To = isl_constraint_alloc_inequality(Local);
      To = isl_constraint_set_coefficient_si(To, isl_dim_out, 0, -1);
      To = isl_constraint_set_coefficient_si(To, isl_dim_in, 0, 1);
      To = isl_constraint_set_constant_si(To, int(A.Bytes) - 1);
      Spread = isl_map_add_constraint(isl_map_add_constraint(Spread, From), To);
      Starts = isl_set_apply(Starts, Spread);
    }
    return IslSet(Starts);
  }

  /// Forgets the symbols of one kind: for some value of them.
  IslSet forSome(IslSet S, SymbolKind Kind) {
    for (int I = isl_set_dim(S.get(), isl_dim_param); I-- > 0;) {
      const char *Name = isl_set_get_dim_name(S.get(), isl_dim_param, unsigned(I));
      auto It = Name ? Symbols.find(Name) : Symbols.end();
      if (It != Symbols.end() && It->second.Kind == Kind)
        S = IslSet(isl_set_project_out(S.take(), isl_dim_param, unsigned(I), 1));
    }
    return S;
  }

  /// For every value of the Private symbols.
  IslSet forAllPrivate(const IslSet &S) {
    IslSet Facts(isl_set_universe(isl_set_get_space(S.get())));
    isl_set *F = isl_set_universe(isl_space_params(isl_set_get_space(S.get())));
    for (const IslSet &Fact : PrivateFacts)
      F = isl_set_intersect(F, isl_set_params(Fact.take()));
    IslSet Known(isl_set_intersect_params(Facts.take(), F));
    return Facts - forSome(Known - S, SymbolKind::Private);
  }

  std::map<const VarDecl *, IslSet> Written;
  /// Bytes that the load phase writes for certain, over Uniform symbols.
  const IslSet &writtenByLoad(const VarDecl *Array) {
    auto [It, New] = Written.try_emplace(Array);
    if (!New)
      return It->second;
    isl_space *Space = isl_space_set_alloc(Isl.get(), 0, 1);
    IslSet All(isl_set_empty(Space));
    for (const MappedAccess &A : Accesses)
      if (A.Array == Array && A.Write && A.Segment == 0 && A.Offset)
        All = All | bytesOf(A);
    All = IslSet(isl_set_coalesce(forAllPrivate(All).take()));
    It->second = IslSet(isl_set_coalesce(forSome(All, SymbolKind::Range).take()));
    return It->second;
  }

  IslSet mayTouch(const MappedAccess &A) {
    return forSome(forSome(bytesOf(A), SymbolKind::Private), SymbolKind::Range);
  }
};

SymbolicIteration::SymbolicIteration(const TileModel &Model, ASTContext &Context, const LaunchShape &Block)
    : P(std::make_unique<Impl>(Model, Context, Block)) {}
SymbolicIteration::~SymbolicIteration() = default;
bool SymbolicIteration::run() { return P->run(); }
const std::vector<MappedAccess> &SymbolicIteration::accesses() const { return P->Accesses; }

Answer SymbolicIteration::coveredByLoad(const MappedAccess &Read) {
  if (!Read.Offset)
    return Answer::Unknown;
  IslSet Touched = P->mayTouch(Read);
  const IslSet &Written = P->writtenByLoad(Read.Array);
  if (!Touched || !Written)
    return Answer::Unknown;
  return answer(isl_set_is_subset(Touched.get(), Written.get()));
}

std::string SymbolicIteration::uncovered(const MappedAccess &Read) {
  if (!Read.Offset)
    return "";
  IslSet Rest = P->mayTouch(Read) - P->writtenByLoad(Read.Array);
  if (!Rest || answer(isl_set_is_empty(Rest.get())) != Answer::No)
    return "";
  isl_point *Point = isl_set_sample_point(Rest.take());
  std::string Text;
  isl_val *Byte = Point ? isl_point_get_coordinate_val(Point, isl_dim_set, 0) : nullptr;
  if (Byte && isl_val_is_int(Byte) == isl_bool_true)
    Text = "byte " + std::to_string(isl_val_get_num_si(Byte));
  isl_val_free(Byte);
  isl_point_free(Point);
  return Text;
}

} // namespace cuda_pipeline
