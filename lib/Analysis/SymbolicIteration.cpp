//===- SymbolicIteration.cpp - One turn of the tile loop, for all threads -------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolicIteration.h"
#include "EarlyReturns.h"
#include "Question.h"
#include "SymbolicRun.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

//===-- The turn ------------------------------------------------------------------===//

SymbolicRun::SymbolicRun(const TileModel &Model, ASTContext &Context, const Uniformity &U,
                         const LaunchShape &Block, UnsignedNumbers Unsigned, CounterGoes Counter)
    : Syms(OperationsOfRun), M(Model), F(*Model.Facts), Context(Context), U(U), Block(Block),
      Unsigned(Unsigned), Counter(Counter), OperationsLeft(OperationsOfRun) {
  begin();
}

void SymbolicRun::begin() {
  unsigned Extents[3] = {Block.X, Block.X ? Block.Y : 0, Block.X ? Block.Z : 0};
  // Of all compute capabilities; a launch with more threads than the launch bounds say fails.
  const int64_t Most = F.Values->maxThreads();
  const int64_t Limits[3] = {Most, Most, std::min<int64_t>(Most, 64)};
  Threads = NoOverflow = Syms.always();
  for (unsigned D = 0; D < 3; ++D) {
    std::string Name(1, char('x' + D)), Thread = "t" + Name, Extent = "n" + Name;
    IslPwAff N = Syms.constant(Extents[D]);
    if (!Extents[D]) {
      N = Syms.use(Extent);
      Syms.add(Extent, {SymbolKind::Uniform, {}, Syms.bounds(1, Limits[D]), "blockDim." + Name});
      Syms.isSteady(Extent, true);
    }
    IslPwAff T = Syms.use(Thread);
    Syms.add(Thread, {SymbolKind::Range, {}, Syms.bounds(0, Limits[D] - 1), "threadIdx." + Name});
    Threads = Threads & compare(isl_pw_aff_ge_set, T, Syms.constant(0)) &
              compare(isl_pw_aff_lt_set, T, N);
  }
  OfBlock = Threads;
  leave();
  header();
}

/// Without the threads that have returned before.
void SymbolicRun::leave() {
  for (const EarlyReturn &R : earlyReturns(M, U, Context)) {
    if (R.IsBarrier)
      continue;
    Past Guard(*this);
    const bool Known = R.PathKnown && !R.Hidden;
    IslSet Gone = Known ? Threads : unknownCondition();
    if (Known)
      for (auto [Cond, Way] : R.Path) {
        IslSet Holds = asCondition(evaluate(Cond), Cond);
        Gone = Gone & (Way ? Holds : Syms.negation(Holds));
      }
    Threads = Threads - Gone;
  }
}

bool SymbolicRun::runTo(unsigned Last) {
  while (NextSegment <= Last && !GaveUp) {
    Segment = NextSegment;
    for (const Stmt *S : M.Segments[Segment])
      execute(S);
    if (Segment == 0 && !GaveUp && Live)
      Taken = here();
    GaveUp |= !Live || !metAll(Segment, F.Segment[Segment]);
    NextSegment += !GaveUp;
  }
  return NextSegment > Last;
}

bool SymbolicRun::runAround(const Stmt *S) {
  // At another time: nothing is known of what variables hold, nor that the loop takes a turn.
  Vars.clear();
  References.clear();
  Noted.clear();
  NotedAnywhere.clear();
  NoOverflow = Syms.always();
  Live = Threads = OfBlock;
  Segment = NextSegment = MappedAccess::Around;
  execute(S);
  GaveUp |= !Live || !metAll(Segment, F.Function->Collector.collect(S));
  return !GaveUp;
}

/// Every access of \p Known has been met on the way.
bool SymbolicRun::metAll(unsigned I, const Effects &Known) const {
  for (const Access &A : Known.Accesses)
    for (const MemoryRoot &R : A.Roots) {
      if (R.In != Space::Shared && R.In != Space::Unknown)
        continue;
      const Expr *Where = A.Where ? sameAccess(A.Where) : nullptr;
      const auto *Var =
          R.In == Space::Shared ? dyn_cast_or_null<VarDecl>(F.arrayOf(R.Decl)) : nullptr;
      if (!Where || !(NotedAnywhere.count({I, Where}) || (Var && Noted.count({I, Where, Var}))))
        return false;
    }
  return true;
}

/// What the loop's own header says of its counter in a turn.
void SymbolicRun::header() {
  const Expr *Condition = M.Loop->condition();
  Live = Threads;
  if (!Condition)
    return;
  if (M.Loop->asFor())
    stepped(M.Loop->asFor());
  Live = Threads;
  if (!M.Loop->testsLast()) // else nothing is known of the first turn
    Live = Live & asCondition(evaluate(Condition), Condition);
}

/// The counter is one of those that the header goes through.
void SymbolicRun::stepped(const ForStmt *For) {
  const Stepping S = For->getInc() ? asStepping(For->getInc()) : Stepping();
  const QualType T = S.Var ? S.Var->getType() : QualType();
  if (!S.Var || !T->isIntegralOrEnumerationType() || Context.getIntWidth(T) < 32 ||
      !isTracked(S.Var) || (S.By && !S.By->getType()->isIntegralOrEnumerationType()))
    return;
  for (const Effects *Part : {&F.Segment[0], &F.Segment[1], &F.Segment[2], &F.Condition})
    for (const Access &A : Part->Accesses)
      if (A.Write && A.touches(S.Var))
        return;
  const Expr *Begin = nullptr;
  if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(For->getInit())) {
    if (is_contained(Declaration->decls(), S.Var))
      Begin = S.Var->getInit();
  } else if (const auto *Init = dyn_cast_or_null<Expr>(For->getInit())) {
    const auto *Op = dyn_cast<BinaryOperator>(Init->IgnoreParens());
    if (Op && Op->getOpcode() == BO_Assign && referencedVar(Op->getLHS()) == S.Var)
      Begin = Op->getRHS();
  }
  // Unsigned counters wrap; an unsigned step makes an unsigned sum.
  const bool GoesRound = Counter != CounterGoes::InOrder &&
                         (!T->isSignedIntegerOrEnumerationType() ||
                          (S.By && !S.By->getType()->isSignedIntegerOrEnumerationType()));
  const bool InOrder = Begin && !GoesRound;
  SymValue N;
  if (InOrder) {
    N = someNumber(T, U.isUniform(S.Reference) ? SymbolKind::Uniform : SymbolKind::Private,
                   S.Var->getNameAsString());
    set(S.Var, N);
  } else {
    N = valueOf(S.Var, S.Reference);
  }
  // What stands in the header is worth now what it was worth then only where nothing changes it.
  auto Constant = [&](const Expr *E) {
    return none_of(F.Function->Collector.collect(E).Accesses, [&](const Access &A) {
      return any_of(A.Roots, [&](const MemoryRoot &R) {
        const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
        return A.Write || !Var || F.Modified.count(Var) ||
               (R.In != Space::Local && R.In != Space::Param);
      });
    });
  };
  // `int i += 4294967297LL`: the sum of a wider type is cut off.
  if (S.By && (!Constant(S.By) || Context.getIntWidth(S.By->getType()) > Context.getIntWidth(T)))
    return;
  Past Guard(*this);
  const SymValue By = S.By ? asInteger(evaluate(S.By), S.By) : SymValue::integer(Syms.constant(1));
  const SymValue First = Begin && Constant(Begin) ? asInteger(evaluate(Begin), Begin) : SymValue();
  const std::optional<std::string> Symbol = Syms.asSymbol(N.Number);
  if (Symbol && By.Number)
    Counted = {*Symbol, First.Number, By.Number, S.Sign, GoesRound ? Context.getIntWidth(T) : 0};
  const std::optional<int64_t> Step = Syms.asConstant(By.Number);
  if (InOrder && First.Kind == SymValue::Int && First.Number && Step && *Step > 0) {
    Threads = Threads & sequence(N.Number, First.Number, *Step, S.Sign);
    if (Symbol)
      Syms.isLost(*Symbol, false);
  } else if (InOrder && First.Number && By.Number && !Step &&
             holds(compare(isl_pw_aff_ge_set, By.Number, Syms.constant(0)), By.Number)) {
    Threads = Threads & (S.Sign > 0 ? compare(isl_pw_aff_ge_set, N.Number, First.Number)
                                    : compare(isl_pw_aff_le_set, N.Number, First.Number));
  }
}

//===-- Sets ----------------------------------------------------------------------===//

SymbolicIteration::SymbolicIteration(const TileModel &Model, ASTContext &Context,
                                     const Uniformity &U, const LaunchShape &Block,
                                     SharedEffort &Effort, UnsignedNumbers Unsigned,
                                     CounterGoes Counter)
    : Context(Context), Effort(Effort),
      Run(std::make_unique<SymbolicRun>(Model, Context, U, Block, Unsigned, Counter)) {}
SymbolicIteration::~SymbolicIteration() = default;

bool SymbolicIteration::runTo(unsigned Segment) {
  const size_t Before = Run->Accesses.size();
  bool Followed = Run->runTo(Segment);
  if (Run->Accesses.size() != Before)
    Units.clear(); // a narrower access may have come
  return Followed;
}
void SymbolicIteration::followRows(bool SubscriptsAreGood) {
  Run->Rows = true;
  Run->SubscriptsAreGood = SubscriptsAreGood;
}
void SymbolicIteration::hasRows(const VarDecl *Array, uint64_t Bytes) {
  Run->Pitches[Array] = Bytes;
}
static std::vector<SymbolicIteration::Said>
saidOf(const DeclMap<VarDecl, std::set<SymbolicIteration::Said>> &Of, const VarDecl *Array) {
  const auto It = Of.find(Array);
  return It == Of.end()
             ? std::vector<SymbolicIteration::Said>()
             : std::vector<SymbolicIteration::Said>(It->second.begin(), It->second.end());
}
std::vector<SymbolicIteration::Said> SymbolicIteration::pitchesSaid(const VarDecl *Array) const {
  return saidOf(Run->PitchSaid, Array);
}
std::vector<SymbolicIteration::Said> SymbolicIteration::flatIndices(const VarDecl *Array) const {
  return saidOf(Run->FlatSaid, Array);
}
bool SymbolicIteration::usesAddressOf(const VarDecl *Array) const {
  return Run->AddressUsed.count(Array) || Run->AddressUsed.count(nullptr);
}
bool SymbolicIteration::runLoad() { return runTo(0); }
bool SymbolicIteration::runAll() { return runTo(2); }
bool SymbolicIteration::holdsForEveryBlock() const { return !Run->AsksForBlock; }
bool SymbolicIteration::leavesNumbersRound() const { return Run->LeavesRound; }

const std::vector<MappedAccess> &SymbolicIteration::accesses() const { return Run->Accesses; }

bool isMultipleOf(const IslPwAff &A, int64_t Unit) {
  isl_pw_aff *Scaled =
      isl_pw_aff_scale_down_val(A.take(), isl_val_int_from_si(isl_pw_aff_get_ctx(A.get()), Unit));
  auto Whole = [](isl_set *Domain, isl_aff *Aff, void *) {
    isl_val *Denominator = isl_aff_get_denominator_val(Aff);
    bool One = isl_val_is_one(Denominator) == isl_bool_true;
    isl_val_free(Denominator);
    isl_aff_free(Aff);
    isl_set_free(Domain);
    return One ? isl_stat_ok : isl_stat_error;
  };
  bool All = isl_pw_aff_foreach_piece(Scaled, Whole, nullptr) == isl_stat_ok;
  isl_pw_aff_free(Scaled);
  return All;
}

/// Bytes of which every access to the array touches a multiple, at a multiple: sets of these are
/// smaller than sets of bytes.
int64_t SymbolicIteration::unitOf(const VarDecl *Array) const {
  auto [It, New] = Units.try_emplace(Array, 0);
  int64_t &Unit = It->second;
  if (!New)
    return Unit;
  for (const MappedAccess &A : Run->Accesses)
    if (A.Array == Array && A.Offset)
      Unit = std::gcd(Unit, int64_t(A.Bytes));
  auto Fits = [&](const MappedAccess &A) {
    return A.Array != Array || !A.Offset || isMultipleOf(A.Offset, Unit);
  };
  while (Unit > 1 && !all_of(Run->Accesses, Fits))
    Unit = Unit % 2 ? 1 : Unit / 2;
  return Unit = std::max<int64_t>(Unit, 1);
}

/// The bytes, in units of the array, as sets of one dimension over all symbols.
IslSet SymbolicIteration::bytesOf(const MappedAccess &A) const {
  if (!A.Offset)
    return IslSet();
  const int64_t Unit = unitOf(A.Array), Length = int64_t(A.Bytes) / Unit;
  isl_pw_aff *Here = isl_pw_aff_intersect_domain(A.Offset.take(), A.When.take());
  Here = isl_pw_aff_scale_down_val(Here, isl_val_int_from_si(Run->Syms.isl(), Unit));
  isl_set *Starts = isl_map_range(isl_map_from_pw_aff(Here));
  if (Length > 1) {
    // b with start <= b < start + Length
    isl_space *Space = isl_space_map_from_set(isl_set_get_space(Starts));
    isl_map *Spread = isl_map_universe(isl_space_copy(Space));
    isl_local_space *Local = isl_local_space_from_space(Space);
    isl_constraint *From = isl_constraint_alloc_inequality(isl_local_space_copy(Local));
    From = isl_constraint_set_coefficient_si(From, isl_dim_out, 0, 1);
    From = isl_constraint_set_coefficient_si(From, isl_dim_in, 0, -1);
    isl_constraint *To = isl_constraint_alloc_inequality(Local);
    To = isl_constraint_set_coefficient_si(To, isl_dim_out, 0, -1);
    To = isl_constraint_set_coefficient_si(To, isl_dim_in, 0, 1);
    To = isl_constraint_set_constant_si(To, int(Length) - 1);
    Spread = isl_map_add_constraint(isl_map_add_constraint(Spread, From), To);
    Starts = isl_set_apply(Starts, Spread);
  }
  return IslSet(Starts);
}

IslSet SymbolicIteration::mayTouch(const MappedAccess &A) const {
  const Symbols &Syms = Run->Syms;
  IslSet Bytes = bytesOf(A);
  return Bytes ? Syms.forSome(Syms.forSome(Bytes, SymbolKind::Private), SymbolKind::Range) : Bytes;
}

/// Bytes that the load phase writes for certain, over Uniform symbols; where these are as \p At
/// says.
IslSet SymbolicIteration::writtenAt(const VarDecl *Array, const IslSet &At) const {
  const Symbols &Syms = Run->Syms;
  const IslSet None(isl_set_empty(isl_space_set_alloc(Syms.isl(), 0, 1)));
  auto ForSomeThread = [&](const IslSet &S) {
    return IslSet(isl_set_coalesce(Syms.forSome(S, SymbolKind::Range).take()));
  };
  // Those under conditions that are not known may make up a whole together; each of the others
  // stands for itself, and is smaller without the thread.
  IslSet Certain = None, Together = None;
  for (const MappedAccess &A : Run->Accesses) {
    if (A.Array != Array || !A.Write || A.Segment != 0 || !A.Offset)
      continue;
    IslSet Bytes(isl_set_intersect_params(bytesOf(A).take(), isl_set_params(At.take())));
    if (Syms.speaksOf(Bytes, SymbolKind::Private))
      Together = Together | Bytes;
    else
      Certain = Certain | ForSomeThread(Bytes);
  }
  if (isl_set_plain_is_empty(Together.get()) != isl_bool_true)
    Certain =
        Certain | ForSomeThread(IslSet(isl_set_coalesce(Syms.forEveryPrivate(Together).take())));
  return IslSet(isl_set_coalesce(Certain.take()));
}

const IslSet &SymbolicIteration::writtenByLoad(const VarDecl *Array) {
  auto [It, New] = Written.try_emplace(Array);
  if (New)
    It->second = writtenAt(Array, Run->Syms.always());
  return It->second;
}

void SymbolicIteration::isWrittenHereOnly(const VarDecl *Array) {
  const Symbols &Syms = Run->Syms;
  IslSet All(isl_set_empty(isl_space_set_alloc(Syms.isl(), 0, 1)));
  for (const MappedAccess &A : Run->Accesses)
    if (A.Array == Array && A.Write) {
      if (!A.Offset)
        return; // anywhere
      All = All | Syms.withFacts(bytesOf(A));
    }
  // Of all turns, of all times that the loop is come to, of all blocks.
  for (int I = isl_set_dim(All.get(), isl_dim_param); I-- > 0;) {
    const char *Name = isl_set_get_dim_name(All.get(), isl_dim_param, unsigned(I));
    if (!Name || !is_contained(ArrayRef<StringRef>{"nx", "ny", "nz"}, StringRef(Name)))
      All = IslSet(isl_set_project_out(All.take(), isl_dim_param, unsigned(I), 1));
  }
  if (All)
    EverWritten[Array] = IslSet(isl_set_coalesce(All.take()));
}

/// Those of \p Bytes that may have a value.
IslSet SymbolicIteration::defined(const IslSet &Bytes, const VarDecl *Array) const {
  auto It = EverWritten.find(Array);
  return It == EverWritten.end() ? Bytes : Bytes & It->second;
}

//===-- Questions -----------------------------------------------------------------===//

/// What \p Read may touch and the load phase may leave alone, for values that the symbols can have.
IslSet SymbolicIteration::gap(const MappedAccess &Read) {
  IslSet Touched = mayTouch(Read);
  Touched = Touched ? defined(Touched, Read.Array) : Touched;
  return Touched ? Run->Syms.withFacts(Touched - writtenByLoad(Read.Array)) : Touched;
}

/// The same in one case: a block of one thread if it may be one, and some value of everything else.
/// Where the block is not known, a gap is found sooner this way than for all values at once.
IslSet SymbolicIteration::gapInOneCase(const MappedAccess &Read) {
  const Symbols &Syms = Run->Syms;
  IslSet Touched = mayTouch(Read);
  if (!Touched)
    return Touched;
  Touched = defined(Touched, Read.Array);
  IslSet Cases(isl_set_params(Syms.withFacts(Touched).take()));
  auto Prefer = [&](const IslSet &Condition) {
    IslSet Fewer(isl_set_intersect_params(Cases.take(), isl_set_params(Condition.take())));
    if (Fewer && answer(isl_set_is_empty(Fewer.get())) == Answer::No)
      Cases = Fewer;
  };
  for (const char *Extent : {"nx", "ny", "nz"})
    if (Syms.find(Extent))
      Prefer(compare(isl_pw_aff_eq_set, Syms.use(Extent), Syms.constant(1)));
  isl_point *Point = isl_set_sample_point(Cases.take());
  IslSet One = Syms.always();
  for (int I = 0, N = isl_set_dim(Cases.get(), isl_dim_param); Point && I < N; ++I) {
    const char *Name = isl_set_get_dim_name(Cases.get(), isl_dim_param, unsigned(I));
    const Symbol *Known = Name ? Syms.find(Name) : nullptr;
    isl_val *Value = isl_point_get_coordinate_val(Point, isl_dim_param, I);
    if (Known && Known->Kind == SymbolKind::Uniform && Value &&
        isl_val_is_int(Value) == isl_bool_true)
      One = One &
            compare(isl_pw_aff_eq_set, Syms.use(Name), Syms.constant(isl_val_get_num_si(Value)));
    isl_val_free(Value);
  }
  isl_point_free(Point);
  IslSet Here(isl_set_intersect_params(Touched.take(), isl_set_params(One.take())));
  return Syms.withFacts(Here - writtenAt(Read.Array, One));
}

Answer SymbolicIteration::coveredByLoad(const MappedAccess &Read) {
  if (Run->Syms.find("nx")) {
    Question Ask(*this, OperationsOfExample);
    if (IslSet Gap = gapInOneCase(Read); Gap && answer(isl_set_is_empty(Gap.get())) == Answer::No)
      return Answer::No;
  }
  Question Ask(*this);
  IslSet Gap = gap(Read);
  return Gap ? answer(isl_set_is_empty(Gap.get())) : Answer::Unknown;
}

/// `tile[3][4]`, as far as the byte is in the array; \p Place: in units of it.
std::string SymbolicIteration::elementAt(const VarDecl *Array, int64_t Place) const {
  int64_t Byte = Place * unitOf(Array);
  std::string Text = Array->getNameAsString();
  QualType T = Array->getType();
  bool Element = false;
  while (const ConstantArrayType *Extents = Context.getAsConstantArrayType(T)) {
    T = Extents->getElementType();
    int64_t Size = Context.getTypeSizeInChars(T).getQuantity();
    if (Size <= 0 || Byte < 0)
      return "byte " + std::to_string(Byte) + " of '" + Array->getNameAsString() + "'";
    Text += "[" + std::to_string(Byte / Size) + "]";
    Byte %= Size;
    Element = true;
  }
  return Element ? "'" + Text + "'" : "byte " + std::to_string(Byte) + " of '" + Text + "'";
}

static std::optional<int64_t> wholeNumber(isl_val *Taken) {
  IslVal V(Taken);
  if (!V || isl_val_is_int(V.get()) != isl_bool_true)
    return std::nullopt;
  return isl_val_get_num_si(V.get());
}

/// \p Last, of which every piece but one is a number that cannot be, as a sum of products.
std::optional<SymbolicIteration::Extent> SymbolicIteration::asExtent(const IslPwAff &Last,
                                                                     int64_t Unit) const {
  Extent Out;
  bool Fits = isl_pw_aff_n_piece(Last.get()) == 1;
  auto Take = [&](isl_aff *Aff) {
    // The end is one behind the last.
    std::optional<int64_t> Constant = wholeNumber(isl_aff_get_constant_val(Aff));
    std::optional<int64_t> Denominator = wholeNumber(isl_aff_get_denominator_val(Aff));
    Fits &= Constant && Denominator == 1 && isl_aff_dim(Aff, isl_dim_div) == 0;
    Out.Constant = Fits ? (*Constant + 1) * Unit : 0;
    for (int I = 0, N = isl_aff_dim(Aff, isl_dim_param); I < N && Fits; ++I) {
      std::optional<int64_t> Factor =
          wholeNumber(isl_aff_get_coefficient_val(Aff, isl_dim_param, I));
      const char *Name = isl_aff_get_dim_name(Aff, isl_dim_param, unsigned(I));
      const Symbol *Known = Name ? Run->Syms.find(Name) : nullptr;
      Fits &= Factor && *Factor >= 0 && Known;
      if (Fits && *Factor > 0)
        Out.Terms.push_back({*Factor * Unit,
                             Known->Variable ? Known->Variable->getNameAsString() : Known->Text,
                             Known->Variable});
    }
    // What no GPU gives to a block is an end that nobody gets to.
    constexpr int64_t Most = 1 << 20;
    Fits &= (Out.Constant >= 0 || !Out.Terms.empty()) && Out.Constant <= Most;
  };
  auto Piece = [](isl_set *Domain, isl_aff *Aff, void *Do) {
    (*static_cast<decltype(Take) *>(Do))(Aff);
    isl_set_free(Domain);
    isl_aff_free(Aff);
    return isl_stat_ok;
  };
  if (!Fits || isl_pw_aff_foreach_piece(Last.get(), Piece, &Take) != isl_stat_ok || !Fits)
    return std::nullopt;
  return Out;
}

/// All bytes that one of \p These touches, in a turn, of any thread: in units of \p Array, by the
/// extents of the block alone. Null: anywhere.
IslSet SymbolicIteration::everTouched(const VarDecl *Array,
                                      ArrayRef<const MappedAccess *> These) const {
  const Symbols &Syms = Run->Syms;
  IslSet All(isl_set_empty(isl_space_set_alloc(Syms.isl(), 0, 1)));
  for (const MappedAccess *A : These) {
    if (A->Array != Array || !A->Offset)
      return IslSet();
    All = All | Syms.withFacts(bytesOf(*A));
  }
  for (int I = isl_set_dim(All.get(), isl_dim_param); I-- > 0;) {
    const char *Name = isl_set_get_dim_name(All.get(), isl_dim_param, unsigned(I));
    if (!Name || !is_contained(ArrayRef<StringRef>{"nx", "ny", "nz"}, StringRef(Name)))
      All = IslSet(isl_set_project_out(All.take(), isl_dim_param, unsigned(I), 1));
  }
  return All;
}

bool SymbolicIteration::areApart(const VarDecl *Array, ArrayRef<const MappedAccess *> A,
                                 ArrayRef<const MappedAccess *> B) {
  Question Ask(*this);
  const IslSet Here = everTouched(Array, A), There = everTouched(Array, B);
  return Here && There && answer(isl_set_is_disjoint(Here.get(), There.get())) == Answer::Yes;
}

bool SymbolicIteration::runAround(ArrayRef<const Stmt *> Statements) {
  Units.clear();
  return all_of(Statements, [&](const Stmt *S) { return Run->runAround(S); });
}

bool SymbolicIteration::runAround(const TileModel &Model, function_ref<bool(const Stmt *)> Touches,
                                  size_t Many) {
  if (Model.Facts->Function->HasGoto)
    return false;
  std::vector<const Stmt *> Statements;
  const Stmt *Child = Model.Loop->Loop;
  for (const Stmt *S : reverse(Model.Loop->Ancestors)) {
    for (const Stmt *Part : S->children())
      if (Part && Part != Child && Touches(Part))
        Statements.push_back(Part);
    Child = S;
  }
  return Child == Model.Loop->Function->getBody() && Statements.size() <= Many &&
         runAround(Statements);
}

std::optional<int64_t> SymbolicIteration::leastTouched(const VarDecl *Array,
                                                       ArrayRef<const MappedAccess *> These) {
  return boundOf(Array, These, /*Least=*/true);
}
std::optional<int64_t> SymbolicIteration::endOf(const VarDecl *Array,
                                                ArrayRef<const MappedAccess *> These) {
  return boundOf(Array, These, /*Least=*/false);
}

/// Of the bytes that one of \p These may touch, where the first one begins or the last one ends.
std::optional<int64_t>
SymbolicIteration::boundOf(const VarDecl *Array, ArrayRef<const MappedAccess *> These, bool Least) {
  Question Ask(*this);
  IslSet Bytes = everTouched(Array, These);
  if (!Bytes)
    return std::nullopt;
  const unsigned Params = unsigned(isl_set_dim(Bytes.get(), isl_dim_param));
  Bytes = IslSet(isl_set_project_out(Bytes.take(), isl_dim_param, 0, Params));
  if (answer(isl_set_is_empty(Bytes.get())) != Answer::No)
    return std::nullopt;
  isl_aff *Place = isl_aff_var_on_domain(isl_local_space_from_space(isl_set_get_space(Bytes.get())),
                                         isl_dim_set, 0);
  isl_val *Bound =
      Least ? isl_set_min_val(Bytes.get(), Place) : isl_set_max_val(Bytes.get(), Place);
  std::optional<int64_t> Out;
  if (Bound && isl_val_is_int(Bound) == isl_bool_true)
    Out = (isl_val_get_num_si(Bound) + !Least) * unitOf(Array);
  isl_val_free(Bound);
  isl_aff_free(Place);
  return Out;
}

/// Of the one piece of \p Last: somewhere in \p There, where it does not hold, it is \p Limit at
/// most.
static bool saysLess(const IslPwAff &Last, const IslSet &There, const IslPwAff &Limit) {
  if (!There || !Limit)
    return true;
  if (isl_set_is_empty(There.get()) == isl_bool_true)
    return false;
  isl_pw_aff *Everywhere = nullptr;
  const auto Take = [](isl_set *Domain, isl_aff *Aff, void *To) {
    isl_pw_aff *&One = *static_cast<isl_pw_aff **>(To);
    isl_set_free(Domain);
    isl_pw_aff_free(One);
    One = isl_pw_aff_from_aff(Aff);
    return isl_stat_ok;
  };
  if (!Last || isl_pw_aff_n_piece(Last.get()) != 1 ||
      isl_pw_aff_foreach_piece(Last.get(), Take, &Everywhere) != isl_stat_ok) {
    isl_pw_aff_free(Everywhere);
    return true;
  }
  const IslSet Small(isl_pw_aff_le_set(Everywhere, Limit.take()));
  return isl_set_is_empty((There & Small).get()) != isl_bool_true;
}

std::optional<SymbolicIteration::Extent> SymbolicIteration::extent(const VarDecl *Array,
                                                                   ExtentOver Over) {
  Question Ask(*this);
  const Symbols &Syms = Run->Syms;
  IslSet Touched(isl_set_empty(isl_space_set_alloc(Syms.isl(), 0, 1)));
  for (const MappedAccess &A : Run->Accesses)
    if (A.Array == Array) {
      if (!A.Offset)
        return std::nullopt;
      Touched = Touched | Syms.withFacts(bytesOf(A));
    }
  for (bool OverBlock : {Over == ExtentOver::Block, true}) {
    const bool Parameters = Over == ExtentOver::Parameters;
    IslSet Bytes = Touched;
    for (int I = isl_set_dim(Bytes.get(), isl_dim_param); I-- > 0;) {
      const char *Name = isl_set_get_dim_name(Bytes.get(), isl_dim_param, unsigned(I));
      const Symbol *Known = Name ? Syms.find(Name) : nullptr;
      const bool OfBlock =
          Name && is_contained(ArrayRef<StringRef>{"nx", "ny", "nz"}, StringRef(Name));
      if (OfBlock ? !OverBlock : !(Parameters && Known && Known->Variable))
        Bytes = IslSet(isl_set_project_out(Bytes.take(), isl_dim_param, unsigned(I), 1));
    }
    if (answer(isl_set_dim_has_any_upper_bound(Bytes.get(), isl_dim_set, 0)) != Answer::Yes)
      continue;
    IslPwAff Last(isl_set_dim_max(isl_set_coalesce(Bytes.take()), 0));
    if (!Last)
      return std::nullopt;
    // No block has as much: where the bound is that of a type nothing runs.
    constexpr int64_t Most = 256 * 1024;
    isl_pw_aff *Limit = isl_pw_aff_val_on_domain(
        isl_pw_aff_domain(Last.take()), isl_val_int_from_si(Syms.isl(), Most / unitOf(Array)));
    IslSet Runs(isl_pw_aff_le_set(Last.take(), isl_pw_aff_copy(Limit)));
    const IslSet Beyond = IslSet(isl_pw_aff_domain(Last.take())) - Runs;
    Last = IslPwAff(isl_pw_aff_coalesce(isl_pw_aff_intersect_domain(Last.take(), Runs.take())));
    // That is the most that some block could use: another may run with less, and with numbers for
    // which what is left says too little. Where it says as much there, the kernel does not take it.
    const bool Less = saysLess(Last, Beyond, IslPwAff(Limit));
    if (Less)
      continue;
    if (std::optional<Extent> Found = asExtent(Last, unitOf(Array)))
      return Found;
  }
  return std::nullopt;
}

std::string SymbolicIteration::uncovered(const MappedAccess &Read) {
  std::optional<Question> Ask(std::in_place, *this, OperationsOfExample);
  IslSet Rest = gap(Read);
  if (!Rest) {
    Ask.emplace(*this, OperationsOfExample);
    Rest = gapInOneCase(Read);
  }
  if (!Rest || answer(isl_set_is_empty(Rest.get())) != Answer::No)
    return "";
  // Where something was not followed, an element of the gap need not be one of the source's.
  auto Lost = [&](const MappedAccess &A) {
    return !A.Offset || Run->Syms.speaksOfLost(A.When) || Run->Syms.speaksOfLost(A.Offset);
  };
  if (Lost(Read) || any_of(Run->Accesses, [&](const MappedAccess &A) {
        return A.Array == Read.Array && A.Write && A.Segment == 0 && Lost(A);
      }))
    return "";
  // Two values from memory may be one: `n[t]` and `n[0]` where t is 0.
  StringSet<> OfMemory;
  for (const MappedAccess &A : Run->Accesses)
    if (A.Array == Read.Array && (&A == &Read || (A.Write && A.Segment == 0))) {
      Run->Syms.addOfMemory(A.When, OfMemory);
      Run->Syms.addOfMemory(IslSet(isl_set_from_pw_aff(A.Offset.take())), OfMemory);
    }
  if (OfMemory.size() > 1)
    return "";
  const IslSet Gap = Rest;
  // What the gap depends on: not what may have any value that it can have. Small numbers are easier
  // to follow.
  SmallVector<std::string, 4> Depends;
  for (int I = isl_set_dim(Rest.get(), isl_dim_param); I-- > 0;) {
    const char *Given = isl_set_get_dim_name(Rest.get(), isl_dim_param, unsigned(I));
    std::string Name = Given ? Given : "";
    IslSet Any(isl_set_project_out(Rest.take(), isl_dim_param, unsigned(I), 1));
    IslSet Allowed = Run->Syms.withFact(Any, Name.c_str());
    if (answer(isl_set_is_subset(Allowed.get(), Rest.get())) == Answer::Yes)
      Rest = Any;
    else
      Depends.push_back(Name);
  }
  auto Prefer = [&](const std::string &Name, int Hi) {
    IslSet Bounds = Run->Syms.between(Run->Syms.use(Name), 0, Hi);
    IslSet Small(isl_set_intersect_params(Rest.take(), isl_set_params(Bounds.take())));
    if (Small && answer(isl_set_is_empty(Small.get())) == Answer::No)
      Rest = Small;
  };
  for (const std::string &Name : Depends)
    for (int Hi : {1024, 100, 10})
      Prefer(Name, Hi);
  isl_point *Point = isl_set_sample_point(Rest.take());
  auto Coordinate = [&](isl_dim_type Kind, int At) -> std::optional<int64_t> {
    isl_val *Value = Point ? isl_point_get_coordinate_val(Point, Kind, At) : nullptr;
    std::optional<int64_t> N;
    if (Value && isl_val_is_int(Value) == isl_bool_true)
      N = isl_val_get_num_si(Value);
    isl_val_free(Value);
    return N;
  };
  // Whatever the others are, this element is in the gap: on that set itself, and as exactly as isl
  // counts.
  auto IsTrue = [&](int64_t Byte) {
    IslSet Here(
        isl_set_fix_si(isl_set_universe(isl_set_get_space(Gap.get())), isl_dim_set, 0, int(Byte)));
    for (const std::string &Name : Depends)
      if (int At = isl_set_find_dim_by_name(Rest.get(), isl_dim_param, Name.c_str()); At >= 0)
        if (std::optional<int64_t> Value = Coordinate(isl_dim_param, At)) {
          IslSet Is = compare(isl_pw_aff_eq_set, Run->Syms.use(Name), Run->Syms.constant(*Value));
          Here = IslSet(isl_set_intersect_params(Here.take(), isl_set_params(Is.take())));
        }
    Here = Run->Syms.withFacts(Here, Gap);
    return Here && answer(isl_set_is_empty(Here.get())) == Answer::No &&
           answer(isl_set_is_subset(Here.get(), Gap.get())) == Answer::Yes;
  };
  std::string Text;
  if (std::optional<int64_t> Byte = Coordinate(isl_dim_set, 0); Byte && IsTrue(*Byte)) {
    Text = elementAt(Read.Array, *Byte);
    const char *Separator = " when ";
    for (const std::string &Name : reverse(Depends)) {
      const Symbol *Found = Run->Syms.find(Name);
      int At = isl_set_find_dim_by_name(Rest.get(), isl_dim_param, Name.c_str());
      if (!Found || Found->Text.empty() || At < 0)
        continue;
      if (std::optional<int64_t> Value = Coordinate(isl_dim_param, At)) {
        Text += Separator + Found->Text + " is " + std::to_string(*Value);
        Separator = ", ";
      }
    }
  }
  isl_point_free(Point);
  return Text;
}

/// Turns that a load runs ahead, at most: more than there can be stages.
static constexpr int MostAhead = 16;

/// It has the same value for all threads of the block, in all turns.
static bool isSteady(StringRef, const Symbol &S) { return S.Steady; }

/// What holds in a turn: among others that the load phase stores to no element that a tile does not
/// have, as the kernel says nothing for such values.
IslSet SymbolicIteration::holdingInTurn() const {
  constexpr int MostPieces = 8;
  const Symbols &Syms = Run->Syms;
  IslSet Here = Run->Taken;
  for (const MappedAccess &A : Run->Accesses) {
    if (A.Segment != 0 || !A.Write || !A.Nest.empty() || !A.Offset ||
        !A.Array->hasAttr<CUDASharedAttr>() || !A.Array->getType()->isConstantArrayType())
      continue;
    const int64_t Size = Context.getTypeSizeInChars(A.Array->getType()).getQuantity();
    const IslSet Within = Syms.between(A.Offset, 0, Size - int64_t(A.Bytes));
    const IslSet Next(isl_set_coalesce(((Here - A.When) | (Here & Within)).take()));
    if (Next && isl_set_n_basic_set(Next.get()) <= MostPieces)
      Here = Next;
  }
  return Syms.withFacts(Here);
}

/// What the counter is in this turn, and in another one, for another thread of the block, which is
/// in the same turn: a counter that they share has one value, and one of their own has come as far
/// from where it began. Null: that is not known.
std::pair<IslPwAff, IslPwAff> SymbolicIteration::counterInTwoTurns() const {
  const Symbols &Syms = Run->Syms;
  const SymbolicRun::HeaderCounter &Turn = *Run->Counted;
  const Symbol *Known = Syms.find(Turn.Name);
  IslPwAff Now = Syms.use(Turn.Name), Then = Syms.use(Symbols::otherName(Turn.Name));
  if (!Known || !Syms.isSteady(Turn.Step) || (Known->Kind != SymbolKind::Uniform && !Turn.First))
    return {};
  if (Known->Kind != SymbolKind::Uniform) {
    Now = Now - Turn.First;
    Then = Then - Syms.renamed(Turn.First, isSteady);
  }
  return {Now, Then};
}

/// The counter, moved on by \p By, in numbers that go round: however often they may have.
static IslPwAff movedRound(const Symbols &Syms, const SymbolicRun::HeaderCounter &Turn,
                           const IslPwAff &Now, const IslPwAff &By) {
  const IslVal Round(isl_val_2exp(isl_val_int_from_si(Syms.isl(), long(Turn.Bits))));
  return Now + By + IslPwAff(isl_pw_aff_scale_val(Syms.use("around").take(), Round.take()));
}

bool SymbolicIteration::neverGoesRound() {
  if (!Run->Counted || !Run->Taken)
    return false;
  const SymbolicRun::HeaderCounter &Turn = *Run->Counted;
  if (!Turn.Bits)
    return true;
  Question Ask(*this);
  const Symbols &Syms = Run->Syms;
  const auto [Now, Then] = counterInTwoTurns();
  if (!Now)
    return false;
  const IslSet Once = compare(isl_pw_aff_ne_set, Syms.use("around"), Syms.constant(0)) &
                      compare(isl_pw_aff_eq_set, Then,
                              movedRound(Syms, Turn, Now, Syms.scaled(Turn.Step, Turn.Sign)));
  const IslSet Here = holdingInTurn(),
               Both = Here & Syms.renamed(Here, isSteady) & Syms.withFacts(Once);
  return Both && answer(isl_set_is_empty(Both.get())) == Answer::Yes;
}

bool SymbolicIteration::readsNoneOf(const VarDecl *Array, ArrayRef<const Expr *> Stores,
                                    ArrayRef<const Expr *> Loads) {
  if (!Run->Counted || !Run->Taken || Run->StoresMissed)
    return false;
  // Each of them has been met, and of all that are met it is known where.
  using Accesses = std::vector<const MappedAccess *>;
  const auto Of = [&](ArrayRef<const Expr *> These, bool Written) -> std::optional<Accesses> {
    Accesses All;
    std::set<const Expr *> Met;
    for (const MappedAccess &A : Run->Accesses)
      if (A.Array == Array && (Written ? A.Write && A.Segment != 0 : A.Read && A.Segment == 0)) {
        if (!A.Offset || !A.Where)
          return std::nullopt;
        Met.insert(SymbolicRun::sameAccess(A.Where));
        All.push_back(&A);
      }
    if (!all_of(These, [&](const Expr *E) { return E && Met.count(SymbolicRun::sameAccess(E)); }))
      return std::nullopt;
    return All;
  };
  const std::optional<Accesses> Written = Of(Stores, true), Read = Of(Loads, false);
  if (!Written || !Read)
    return false;
  const bool GoesRound = !neverGoesRound();
  Question Ask(*this);
  const Symbols &Syms = Run->Syms;
  const SymbolicRun::HeaderCounter &Turn = *Run->Counted;
  const auto [Now, Then] = counterInTwoTurns();
  if (!Now)
    return false;
  // One set for each number of turns, or one for all of them.
  std::vector<IslSet> Later;
  const auto Is = [&, &Now = Now, &Then = Then](const IslPwAff &Moved) {
    return compare(isl_pw_aff_eq_set, Then,
                   GoesRound ? movedRound(Syms, Turn, Now, Moved) : Now + Moved);
  };
  if (const std::optional<int64_t> Step = Syms.asConstant(Turn.Step)) {
    const IslPwAff Turns = Syms.use("ahead");
    Later.push_back(Syms.between(Turns, 1, MostAhead) & Is(Syms.scaled(Turns, Turn.Sign * *Step)));
  } else {
    for (int N = 1; N <= MostAhead; ++N)
      Later.push_back(Is(Syms.scaled(Turn.Step, Turn.Sign * N)));
  }
  const IslSet Here = holdingInTurn();
  const auto Touched = [&](const MappedAccess &A) {
    return IslSet(
        isl_set_intersect_params(Syms.withFacts(bytesOf(A)).take(), isl_set_params(Here.take())));
  };
  for (const MappedAccess *R : *Read) {
    const IslSet There = Syms.renamed(Touched(*R), isSteady);
    for (const MappedAccess *W : *Written) {
      const IslSet Both = Touched(*W) & There;
      for (const IslSet &When : Later) {
        const IslSet Meet(
            isl_set_intersect_params(Both.take(), isl_set_params(Syms.withFacts(When).take())));
        if (!Meet || answer(isl_set_is_empty(Meet.get())) != Answer::Yes)
          return false;
      }
    }
  }
  return true;
}

/// The reads of the load phase by where they stand; null where it makes several there.
std::map<const Expr *, const MappedAccess *> SymbolicIteration::onlyReads() const {
  std::map<const Expr *, const MappedAccess *> Only;
  for (const MappedAccess &A : Run->Accesses)
    if (A.Where && A.Segment == 0 && A.Read && (A.Offset || A.Array->hasAttr<CUDASharedAttr>()))
      if (auto [It, New] = Only.try_emplace(stripNoOps(A.Where), &A); !New)
        It->second = nullptr;
  return Only;
}

std::optional<SymbolicIteration::Race>
SymbolicIteration::race(const VarDecl *Array, function_ref<const Expr *(const Expr *)> SourceOf,
                        const LaunchShape &In) {
  Question Ask(*this);
  const Symbols &Syms = Run->Syms;
  IslSet Block = Syms.always();
  for (auto [Extent, N] : {std::pair("nx", In.X), {"ny", In.Y}, {"nz", In.Z}})
    if (Syms.find(Extent))
      Block = Block & compare(isl_pw_aff_eq_set, Syms.use(Extent), Syms.constant(N));
  struct Copy {
    const MappedAccess *Store, *Load;
    IslSet Bytes;
    std::optional<int64_t> Fixed;
  };
  std::vector<Copy> Copies;
  const std::map<const Expr *, const MappedAccess *> Reads = onlyReads();
  for (const MappedAccess &A : Run->Accesses) {
    if (A.Array != Array || !A.Write || A.Segment != 0 || !A.Offset || !A.Where)
      continue;
    const Expr *Source = SourceOf(A.Where);
    auto Read = Source ? Reads.find(stripNoOps(Source)) : Reads.end();
    const MappedAccess *Load = Read == Reads.end() ? nullptr : Read->second;
    if (!Load || !Load->Offset)
      continue;
    IslSet Bytes(
        isl_set_intersect_params(Syms.withFacts(bytesOf(A)).take(), isl_set_params(Block.take())));
    Copy C{&A, Load, Bytes, Syms.asConstant(A.Offset)};
    // What is not followed need not happen.
    if (!Syms.speaksOf(C.Bytes, SymbolKind::Private) &&
        !Syms.speaksOf(Load->Offset, SymbolKind::Private))
      Copies.push_back(std::move(C));
  }
  const char *Names[3] = {"tx", "ty", "tz"};
  for (size_t I = 0; I < Copies.size(); ++I)
    for (size_t J = I; J < Copies.size(); ++J) {
      const Copy &A = Copies[I], &B = Copies[J];
      if (A.Load->Array != B.Load->Array)
        continue;
      // Most pairs of many copies: this is seen without sets.
      if (A.Fixed && B.Fixed &&
          (*A.Fixed + int64_t(A.Store->Bytes) <= *B.Fixed ||
           *B.Fixed + int64_t(B.Store->Bytes) <= *A.Fixed))
        continue;
      auto Uniform = [](StringRef, const Symbol &S) { return S.Kind == SymbolKind::Uniform; };
      IslSet Both = A.Bytes & Syms.renamed(B.Bytes, Uniform);
      IslSet Others = Syms.never();
      for (const char *Name : Names)
        Others =
            Others | compare(isl_pw_aff_ne_set, Syms.use(Name), Syms.use(Symbols::otherName(Name)));
      IslSet Different =
          compare(isl_pw_aff_ne_set, A.Load->Offset, Syms.renamed(B.Load->Offset, Uniform));
      IslSet Conflict(
          isl_set_intersect_params(Both.take(), isl_set_params((Others & Different).take())));
      if (Answer Empty = answer(isl_set_is_empty(Conflict.get())); Empty != Answer::No) {
        // Nothing more will be learnt, however many pairs are left.
        if (Empty == Answer::Unknown && Syms.exhausted())
          return std::nullopt;
        continue;
      }
      // Whenever the first store happens at all, two threads meet.
      IslSet Happens(isl_set_params(Syms.onUniform(A.Bytes).take()));
      IslSet Meet(isl_set_params(Syms.onUniform(Conflict).take()));
      if (answer(isl_set_is_subset(Happens.get(), Meet.get())) != Answer::Yes)
        continue;
      isl_point *Point = isl_set_sample_point(Conflict.take());
      isl_val *Byte = Point ? isl_point_get_coordinate_val(Point, isl_dim_set, 0) : nullptr;
      std::string Element = Byte && isl_val_is_int(Byte) == isl_bool_true
                                ? elementAt(Array, isl_val_get_num_si(Byte))
                                : "'" + Array->getNameAsString() + "'";
      isl_val_free(Byte);
      isl_point_free(Point);
      return Race{A.Store, B.Store, Element};
    }
  return std::nullopt;
}

void SymbolicIteration::print(raw_ostream &OS) const {
  const char *Phases[4] = {"load", "compute", "behind", "around"};
  for (const MappedAccess &A : Run->Accesses) {
    OS << "  " << Phases[A.Segment] << " "
       << (A.Read ? A.Write ? "reads and writes " : "reads " : "writes ") << A.Array->getName()
       << ": ";
    if (A.Offset)
      OS << A.Bytes << " bytes at "
         << Run->Syms.text(IslPwAff(isl_pw_aff_gist(A.Offset.take(), A.When.take()))) << " when "
         << Run->Syms.text(A.When);
    else
      OS << "anywhere";
    OS << "\n";
  }
}

Answer SymbolicIteration::storedTwiceByOneThread(const VarDecl *Array, OfStores AreOne,
                                                 OfStores IsFine) {
  Question Ask(*this);
  const Symbols &Syms = Run->Syms;
  std::vector<std::pair<const MappedAccess *, IslSet>> Stores;
  for (const MappedAccess &A : Run->Accesses)
    if (A.Array == Array && A.Write && A.Segment == 0) {
      IslSet Bytes = bytesOf(A);
      if (!Bytes)
        return Answer::Unknown;
      Stores.push_back({&A, Syms.withFacts(Bytes)});
    }
  Answer Result = Answer::No;
  for (size_t I = 0; I < Stores.size(); ++I)
    for (size_t J = I; J < Stores.size(); ++J) {
      const MappedAccess &A = *Stores[I].first, &B = *Stores[J].first;
      const IslSet &BytesA = Stores[I].second, &BytesB = Stores[J].second;
      if ((I == J && A.Nest.empty()) || IsFine(A.Where, B.Where))
        continue;
      size_t Common = 0;
      while (Common < std::min(A.Nest.size(), B.Nest.size()) && A.Nest[Common] == B.Nest[Common])
        ++Common;
      // In the same turn of Shared loops, and in another one of the next loop that they have in
      // common. What lives in the turns of the shared loops is the same for both; the thread and
      // the block are.
      for (size_t Shared = 0; Shared <= Common; ++Shared) {
        if ((I == J || AreOne(A.Where, B.Where)) && Shared == Common)
          continue;
        auto Same = [&](StringRef Name, const Symbol &S) {
          for (size_t K = 0; K < A.Nest.size(); ++K)
            if (A.Nest[K] == Name)
              return K < Shared;
          for (size_t K = 0; K < B.Nest.size(); ++K)
            if (B.Nest[K] == Name)
              return K < Shared;
          return S.Nest.size() <= Shared && std::equal(S.Nest.begin(), S.Nest.end(), A.Nest.begin(),
                                                       A.Nest.begin() + S.Nest.size());
        };
        IslSet Both = BytesA & Syms.renamed(BytesB, Same);
        if (Shared < Common) {
          IslPwAff Here = Syms.use(A.Nest[Shared]),
                   There = Syms.use(Symbols::otherName(A.Nest[Shared]));
          IslSet Other = compare(isl_pw_aff_ne_set, Here, There);
          Both = IslSet(isl_set_intersect_params(Both.take(), isl_set_params(Other.take())));
        }
        switch (answer(isl_set_is_empty(Both.get()))) {
        case Answer::Yes:
          break;
        case Answer::No:
          Result = Answer::Yes;
          break;
        case Answer::Unknown:
          return Answer::Unknown;
        }
        if (Result == Answer::Yes)
          return Result;
      }
    }
  return Result;
}

} // namespace cuda_pipeline
