//===- RowAccesses.cpp - Accesses to a tile, lane by lane ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccesses.h"
#include "../Model/KnownFunctions.h"
#include "Question.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// Reads one access after the other.
class RowReader {
public:
  RowReader(SymbolicIteration &Turn, uint64_t Pitch, const LaunchShape &Shape, ASTContext &Context)
      : Turn(Turn), Syms(Turn.Run->Syms), Pitch(Pitch), Shape(Shape), Context(Context) {}

  RowAccess read(const MappedAccess &A) {
    RowAccess Out;
    Out.Access = &A;
    MappedAccess Here = A;
    {
      SymbolicIteration::Question Ask(Turn);
      askForRow(A, Here, Out);
    }
    // What a picture costs is not taken from what is to be shown.
    SymbolicIteration::Question Ask(Turn, OperationsOfPicture);
    if (Here.Offset && Here.Column && Shape.X != 0 && A.Segment != MappedAccess::Around)
      lookAtWarps(Here, Out);
    return Out;
  }

private:
  static constexpr unsigned long OperationsOfPicture = 100000;

  /// \p Here: \p A, for the threads that there are.
  void askForRow(const MappedAccess &A, MappedAccess &Here, RowAccess &Out) {
    // Without what it would be for threads that there are not.
    const IslSet When = Syms.withFacts(A.When);
    for (IslPwAff *Number : {&Here.Offset, &Here.Column})
      if (*Number)
        *Number = IslPwAff(isl_pw_aff_coalesce(isl_pw_aff_gist(
            isl_pw_aff_intersect_domain(Number->take(), When.take()), When.take())));
    Out.Alignment = alignmentOf(Here);
    if (!Here.Offset)
      return;
    if (Here.Column)
      Out.InRow = staysInRow(A);
    else // for the picture alone
      Here.Column = IslPwAff(
          isl_pw_aff_mod_val(Here.Offset.take(), isl_val_int_from_si(Syms.isl(), int64_t(Pitch))));
    Out.Happens = answer(isl_set_is_empty(When.get())) != Answer::Yes;
  }

  SymbolicIteration &Turn;
  Symbols &Syms;
  const uint64_t Pitch;
  const LaunchShape &Shape;
  ASTContext &Context;

  using Values = std::map<std::string, int64_t>;

  bool staysInRow(const MappedAccess &A) {
    const IslSet Outside =
        compare(isl_pw_aff_lt_set, A.Column, Syms.constant(0)) |
        compare(isl_pw_aff_gt_set, A.Column, Syms.constant(int64_t(Pitch) - int64_t(A.Bytes)));
    const IslSet When = A.Known ? A.When & A.Known : A.When;
    const IslSet Bad = Syms.withFacts(When & Outside);
    // Wherever it happens its column is known.
    const IslSet Unknown = A.When - IslSet(isl_pw_aff_domain(A.Column.take()));
    return Bad && Unknown && answer(isl_set_is_empty(Bad.get())) == Answer::Yes &&
           answer(isl_set_is_empty(Syms.withFacts(Unknown).get())) == Answer::Yes;
  }

  bool isMultiple(const IslPwAff &A, int64_t Unit, const IslSet &When) const {
    if (isMultipleOf(A, Unit))
      return true;
    const IslPwAff Rest(isl_pw_aff_mod_val(A.take(), isl_val_int_from_si(Syms.isl(), Unit)));
    const IslSet Not = compare(isl_pw_aff_ne_set, Rest, Syms.constant(0));
    return answer(isl_set_is_empty(Syms.withFacts(When & Not).get())) == Answer::Yes;
  }

  /// wmma asks for lines at multiples of 16 bytes and for matrices at multiples of 32 (CUDA
  /// programming guide, warp matrix functions); everything else for its own type's alignment.
  uint64_t alignmentOf(const MappedAccess &A) const {
    if (A.Fragment) {
      // The first line: the others are behind it.
      const bool Even =
          A.Offset && A.Column && !A.Nest.empty() &&
          isMultiple(A.Offset - A.Column - Syms.scaled(Syms.use(A.Nest.back()), int64_t(Pitch)),
                     2 * int64_t(Pitch), A.When);
      return Even ? 16 : 32;
    }
    if (!A.Where)
      return 1;
    const uint64_t Around = alignmentAround(A.Where);
    QualType T = A.Where->getType();
    if (T->isPointerType() && A.Bytes != sizeOf(T)) // an address that instructions take
      T = QualType();
    const uint64_t Own = T.isNull() || T->isIncompleteType() || T->isVoidType()
                             ? 1
                             : uint64_t(Context.getTypeAlignInChars(T).getQuantity());
    // Of a number that is an address, so many bytes as are read there.
    const bool IsAddress = T.isNull() || T->isIntegerType();
    const uint64_t Wide = A.Bytes & -A.Bytes;
    return std::max<uint64_t>({Around, Own, IsAddress ? std::min<uint64_t>(Wide, 16) : 1});
  }
  /// Of the objects that it is a member of: compilers read a vector as a whole.
  uint64_t alignmentAround(const Expr *E) const {
    uint64_t Out = 1;
    const auto Add = [&](QualType T) {
      if (!T->isIncompleteType() && !T->isVoidType() && !T->isReferenceType())
        Out = std::max<uint64_t>(Out, uint64_t(Context.getTypeAlignInChars(T).getQuantity()));
    };
    while (true) {
      E = E->IgnoreParenCasts();
      const auto *Member = dyn_cast<MemberExpr>(E);
      const auto *Sub = dyn_cast<ArraySubscriptExpr>(E);
      const auto *Decay =
          Sub ? dyn_cast<ImplicitCastExpr>(Sub->getBase()->IgnoreParens()) : nullptr;
      if (Member && Member->isArrow()) {
        Add(Member->getBase()->getType()->getPointeeType());
        break;
      }
      if (Member)
        E = Member->getBase();
      else if (Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
        E = Decay->getSubExpr();
      else
        break;
      Add(E->getType());
    }
    return Out;
  }
  uint64_t sizeOf(QualType T) const {
    const QualType To = T->getPointeeType();
    return To->isIncompleteType() || To->isVoidType()
               ? 0
               : Context.getTypeSizeInChars(To).getQuantity();
  }

  static int paramOf(isl_set *S, const std::string &Name) {
    return isl_set_find_dim_by_name(S, isl_dim_param, Name.c_str());
  }
  IslSet fixed(const IslSet &S, const std::string &Name, int64_t Value) const {
    const int At = S ? paramOf(S.get(), Name) : -1;
    return At < 0 ? S
                  : IslSet(isl_set_fix_val(S.take(), isl_dim_param, unsigned(At),
                                           isl_val_int_from_si(Syms.isl(), Value)));
  }
  /// A value of every symbol that \p S speaks of; none: \p S is empty, or nobody knows.
  std::optional<Values> sample(const IslSet &S) const {
    isl_point *Point = isl_set_sample_point(S.take());
    if (!Point)
      return std::nullopt;
    std::optional<Values> Out;
    if (isl_point_is_void(Point) == isl_bool_false) {
      Out.emplace();
      for (int I = 0, N = isl_set_dim(S.get(), isl_dim_param); I < N; ++I) {
        const char *Name = isl_set_get_dim_name(S.get(), isl_dim_param, unsigned(I));
        isl_val *Value = isl_point_get_coordinate_val(Point, isl_dim_param, I);
        if (Name && Value && isl_val_is_int(Value) == isl_bool_true)
          (*Out)[Name] = isl_val_get_num_si(Value);
        isl_val_free(Value);
      }
    }
    isl_point_free(Point);
    return Out;
  }
  /// None: it has no value there.
  std::optional<int64_t> valueAt(const IslPwAff &A, const Values &At) const {
    isl_point *Point = isl_point_zero(isl_pw_aff_get_domain_space(A.get()));
    for (int I = 0, N = isl_pw_aff_dim(A.get(), isl_dim_param); I < N; ++I) {
      const char *Name = isl_pw_aff_get_dim_name(A.get(), isl_dim_param, unsigned(I));
      const auto It = Name ? At.find(Name) : At.end();
      if (It != At.end())
        Point = isl_point_set_coordinate_val(Point, isl_dim_param, I,
                                             isl_val_int_from_si(Syms.isl(), It->second));
    }
    isl_val *Value = isl_pw_aff_eval(A.take(), Point);
    std::optional<int64_t> Out;
    if (Value && isl_val_is_int(Value) == isl_bool_true)
      Out = isl_val_get_num_si(Value);
    isl_val_free(Value);
    return Out;
  }

  /// Counters of inner loops that it matters for: a value that does not change stays in a register.
  std::vector<std::string> countersOf(const MappedAccess &A) const {
    std::vector<std::string> Out;
    for (const std::string &Name : A.Nest)
      if (Syms.speaksOf(A.Offset, Name))
        Out.push_back(Name);
    return Out;
  }

  /// The values of the counters, with everything else as in \p At; null: not known.
  IslSet turnsOf(const IslSet &When, ArrayRef<std::string> Counters, const Values &At) const {
    IslSet S = When;
    for (const auto &[Name, Value] : At)
      if (!is_contained(Counters, Name))
        S = fixed(S, Name, Value);
    for (const std::string &Name : Counters) {
      const int Place = S ? paramOf(S.get(), Name) : -1;
      if (Place >= 0)
        S = IslSet(isl_set_move_dims(S.take(), isl_dim_set, 0, isl_dim_param, unsigned(Place), 1));
    }
    if (!S)
      return S;
    S = IslSet(isl_set_project_out(S.take(), isl_dim_param, 0,
                                   unsigned(isl_set_dim(S.get(), isl_dim_param))));
    return answer(isl_set_is_bounded(S.get())) == Answer::Yes ? S : IslSet();
  }
  double timesOf(const IslSet &When, ArrayRef<std::string> Counters, const Values &At) const {
    const IslSet Turns = turnsOf(When, Counters, At);
    if (!Turns)
      return 1;
    isl_val *Count = isl_set_count_val(Turns.get());
    const double Out = Count && isl_val_is_int(Count) == isl_bool_true ? isl_val_get_d(Count) : 1;
    isl_val_free(Count);
    return std::max(1.0, Out);
  }

  std::optional<int64_t> leastOf(const IslSet &When, const std::string &Counter,
                                 const Values &At) const {
    const IslSet Turns = turnsOf(When, {Counter}, At);
    if (!Turns || isl_set_dim(Turns.get(), isl_dim_set) != 1)
      return std::nullopt;
    isl_val *Least = isl_set_dim_min_val(Turns.take(), 0);
    std::optional<int64_t> Out;
    if (Least && isl_val_is_int(Least) == isl_bool_true)
      Out = isl_val_get_num_si(Least);
    isl_val_free(Least);
    return Out;
  }

  /// From the least value of the counter to the largest one.
  double spanOf(const IslSet &When, const std::string &Counter, const Values &At) const {
    const IslSet Turns = turnsOf(When, {Counter}, At);
    if (!Turns || isl_set_dim(Turns.get(), isl_dim_set) != 1)
      return 0;
    isl_val *Span =
        isl_val_sub(isl_set_dim_max_val(Turns.take(), 0), isl_set_dim_min_val(Turns.take(), 0));
    const double Out = Span && isl_val_is_int(Span) == isl_bool_true ? isl_val_get_d(Span) + 1 : 0;
    isl_val_free(Span);
    return Out;
  }

  /// Scalars side by side that a loop goes through are read, or written, as one: the compiler
  /// unrolls short loops. \p Bytes: of one; becomes that of all. The counter; empty: there is none.
  std::string widened(const MappedAccess &A, const IslSet &When, ArrayRef<std::string> Counters,
                      const Values &At, unsigned &Bytes) const {
    if (A.Fragment || !isPowerOf2_64(A.Bytes) || A.Bytes >= 16)
      return "";
    for (const std::string &Name : Counters) {
      const IslPwAff Rest = A.Offset - Syms.scaled(Syms.use(Name), int64_t(A.Bytes));
      if (Syms.speaksOf(Rest, Name))
        continue;
      const double Turns = timesOf(When, {Name}, At);
      if (Turns != spanOf(When, Name, At)) // it does not go one by one
        continue;
      const std::optional<int64_t> From = leastOf(When, Name, At);
      if (Turns > 32 || !From)
        continue;
      const IslPwAff First = Rest + Syms.constant(*From * int64_t(A.Bytes));
      for (unsigned Wide = 16; Wide > A.Bytes; Wide /= 2) {
        const unsigned Count = Wide / unsigned(A.Bytes);
        if (unsigned(Turns) % Count == 0 && isMultiple(First, int64_t(Wide), When)) {
          Bytes = Wide;
          return Name;
        }
      }
    }
    return "";
  }

  void lookAtWarps(const MappedAccess &A, RowAccess &Out) {
    if (Syms.speaksOf(A.Offset, SymbolKind::Private) ||
        Syms.speaksOf(A.Column, SymbolKind::Private))
      return;
    IslSet When = Syms.withFacts(A.When & IslSet(isl_pw_aff_domain(A.Offset.take())) &
                                 IslSet(isl_pw_aff_domain(A.Column.take())));
    const unsigned Extent[3] = {Shape.X, Shape.Y, Shape.Z};
    for (unsigned D = 0; D < 3; ++D)
      When = fixed(When, {'n', char('x' + D)}, std::max(1u, Extent[D]));
    When = Syms.forSome(When, SymbolKind::Private);
    if (!When)
      return;
    const std::vector<std::string> Counters = countersOf(A);
    const std::string Line = A.Fragment && !A.Nest.empty() ? A.Nest.back() : "";
    if (!Line.empty())
      When = fixed(When, Line, 0);
    const unsigned Threads = Extent[0] * std::max(1u, Extent[1]) * std::max(1u, Extent[2]);
    const unsigned Last = (Threads - 1) / WarpSize;
    std::set<unsigned> Looked = {0, Last / 2, Last};
    for (unsigned Warp : Looked) {
      IslSet In = When;
      const IslPwAff Linear =
          Syms.use("tx") + Syms.scaled(Syms.use("ty"), Extent[0]) +
          Syms.scaled(Syms.use("tz"), int64_t(Extent[0]) * std::max(1u, Extent[1]));
      In = In &
           Syms.between(Linear, int64_t(Warp) * WarpSize, int64_t(Warp) * WarpSize + WarpSize - 1);
      std::optional<Values> At = sample(In);
      if (!At)
        continue;
      unsigned Bytes = unsigned(A.Bytes);
      const std::string Wide = widened(A, When, Counters, *At, Bytes);
      if (Out.Samples == 0) {
        std::vector<std::string> Counted(Counters);
        llvm::erase(Counted, Line);
        Out.Times = timesOf(When, Counted, *At) / (Wide.empty() ? 1 : Bytes / double(A.Bytes));
        if (!Wide.empty())
          Out.Alignment = std::max<uint64_t>(Out.Alignment, Bytes);
      }
      if (!Wide.empty()) // from its first turn on
        (*At)[Wide] = *leastOf(When, Wide, *At);
      addWarp(A, When, *At, Warp, Bytes, Out);
    }
  }

  /// From the first turn of inner loops to that of \p At, as their counters count.
  Values turnsBefore(const MappedAccess &A, const IslSet &When, const Values &At) const {
    Values Out;
    for (const std::string &Counter : A.Nest)
      if (const auto Known = At.find(Counter); Known != At.end())
        if (const std::optional<int64_t> First = leastOf(When, Counter, At))
          Out[Counter] = Known->second - *First;
    return Out;
  }
  /// \p At, of a thread, with the counters so far behind its own first turn.
  Values inSameTurn(const IslSet &When, Values At, const Values &Before) const {
    for (const auto &[Counter, By] : Before)
      if (const std::optional<int64_t> First = leastOf(When, Counter, At))
        At[Counter] = *First + By;
    return At;
  }

  /// The lanes of one warp in that turn of the inner loops.
  void addWarp(const MappedAccess &A, const IslSet &When, Values At, unsigned Warp, unsigned Bytes,
               RowAccess &Out) {
    const IslPwAff Offset(isl_pw_aff_intersect_domain(A.Offset.take(), When.take()));
    std::array<std::optional<WarpAccess::Place>, WarpSize> Lanes;
    const Values First = At;
    std::optional<Values> Before; // where somebody asks
    const unsigned Threads = Shape.X * std::max(1u, Shape.Y) * std::max(1u, Shape.Z);
    for (unsigned L = 0; L < WarpSize; ++L) {
      const unsigned Thread = Warp * WarpSize + L;
      if (Thread >= Threads)
        break;
      At["tx"] = Thread % Shape.X;
      At["ty"] = Thread / Shape.X % std::max(1u, Shape.Y);
      At["tz"] = Thread / Shape.X / std::max(1u, Shape.Y);
      std::optional<int64_t> Where = valueAt(Offset, At), Column = valueAt(A.Column, At);
      if (!Where) {
        // Threads that take turns go through other values of the counter: the same turn of this
        // one.
        if (!Before)
          Before = turnsBefore(A, When, First);
        const Values OfThis = inSameTurn(When, At, *Before);
        Where = valueAt(Offset, OfThis);
        Column = valueAt(A.Column, OfThis);
      }
      if (Where && Column && *Where >= *Column && *Column >= 0)
        Lanes[L] = WarpAccess::Place{(*Where - *Column) / int64_t(Pitch), *Column};
    }
    if (none_of(Lanes, [](const auto &L) { return bool(L); }))
      return;
    ++Out.Samples;
    if (A.Fragment)
      return addFragment(A, Lanes, Out);
    WarpAccess W;
    W.Kind = A.Write ? SharedAccess::Store : SharedAccess::Load;
    W.Bytes = std::min(Bytes, 16u);
    W.Lanes = Lanes;
    // More than 16 bytes are several instructions, one behind the other.
    for (unsigned Done = 0; Done < std::max(Bytes, 1u); Done += 16) {
      Out.Warps.push_back(W);
      for (auto &Lane : W.Lanes)
        if (Lane)
          Lane->Column += 16;
    }
  }

  /// As nvcc 13 makes it for sm_80 and sm_90: LDSM where an element has two bytes, or one and the
  /// line runs along the sum's index; else bytes are read one by one. All lanes have one address.
  void addFragment(const MappedAccess &A,
                   const std::array<std::optional<WarpAccess::Place>, WarpSize> &Lanes,
                   RowAccess &Out) {
    const auto Shape =
        fragmentShape(A.Fragment->getArg(A.Write ? 1 : 0)->getType(),
                      A.Fragment->getNumArgs() > 3 ? A.Fragment->getArg(3) : nullptr, Context);
    const auto Base = find_if(Lanes, [](const auto &L) { return bool(L); });
    if (!Shape || A.Write || !Shape->IsOperand || Base == Lanes.end())
      return;
    const uint64_t Element = A.Bytes / Shape->Length;
    WarpAccess W;
    if (Element == 2 || (Element == 1 && Shape->AlongK)) {
      W.Kind = SharedAccess::Matrix;
      W.Bytes = 16;
      for (unsigned Line = 0; Line + 8 <= Shape->Lines; Line += 8)
        for (unsigned Byte = 0; Byte < A.Bytes; Byte += 16) {
          for (unsigned L = 0; L < 8; ++L)
            W.Lanes[L] =
                WarpAccess::Place{(*Base)->Row + Line + L, (*Base)->Column + int64_t(Byte)};
          Out.Warps.push_back(W);
        }
    } else if (Element == 1) {
      W.Bytes = 1;
      for (unsigned Line = 0; Line < 4; ++Line)
        for (unsigned Byte = 0; Byte < A.Bytes; Byte += 8) {
          for (unsigned L = 0; L < WarpSize; ++L)
            W.Lanes[L] = WarpAccess::Place{(*Base)->Row + 4 * (L % 4) + Line,
                                           (*Base)->Column + int64_t(Byte + L / 4)};
          Out.Warps.push_back(W);
        }
    }
  }
};

std::vector<RowAccess> rowAccesses(SymbolicIteration &Turn, const VarDecl *Tile, uint64_t Pitch,
                                   const LaunchShape &Shape, ASTContext &Context) {
  RowReader Reader(Turn, Pitch, Shape, Context);
  std::vector<RowAccess> Out;
  for (const MappedAccess &A : Turn.accesses())
    if (A.Array == Tile)
      Out.push_back(Reader.read(A));
  return Out;
}

bool runOutside(SymbolicIteration &Turn, const TileModel &M) {
  constexpr size_t Many = 64; // statements
  // Whatever has to do with shared memory, or may have.
  const auto Touches = [&](const Stmt *S) {
    return any_of(M.Facts->Function->Collector.collect(S).Accesses, [](const Access &A) {
      return A.mayTouch(Space::Unknown) ||
             any_of(A.Roots, [](const MemoryRoot &R) { return R.In == Space::Shared; });
    });
  };
  return Turn.runAround(M, Touches, Many);
}

} // namespace cuda_pipeline
