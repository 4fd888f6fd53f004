//===- Describe.cpp - What a search has found, as a launch description ----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `--emit-launch`. A launch that was found has pointers to memory without sizes, and a description
/// has buffers with sizes, roles and fills. So each launch is run once more:
///
///   1. search     Search.h
///   2. measure    how far to both sides of each pointer the original goes, what it reads and what
///   it writes
///   3. describe   a case for each launch; what is not the same in all of them is a name that the
///   cases define
///   4. prove      the text is read, and the original run under it against itself; a case in which
///   it is no good is left out
///
/// 1 to 3 are done in a child process, as all that runs kernels. What a description cannot say is
/// no description, and why that is so is said.
///
//===----------------------------------------------------------------------===//
#include "../Support/Isolate.h"
#include "Search.h"
#include "Verify/Launch/Types.h"
#include "cuda-pipeline/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <set>

using namespace llvm;

namespace cuda_pipeline {

using emulator::OpenImage;
using emulator::Program;
using emulator::RunRequest;
using emulator::RunResult;

namespace {

using Kind = ElementType::Kind;
using Expression = LaunchDescription::Expression;

/// Of all buffers of a launch: more than that is nothing to keep in a test.
constexpr uint64_t MostBytes = 8 << 20;

/// A buffer that has numbers of several kinds in it, or of a kind that nobody knows, is filled with
/// numbers of this type.
constexpr StringLiteral AnyNumbers = "half";

bool isOfAnyKind(const DeviceModule &Module, const KernelParameter &P) {
  if (P.Element.Base != Kind::Bytes)
    return false;
  if (P.Layout < 0 || static_cast<size_t>(P.Layout) >= Module.Layouts.size() ||
      Module.Layouts[P.Layout].Leaves.empty())
    return true;
  const TypeLayout &L = Module.Layouts[P.Layout];
  const ElementType &First = L.Leaves.front().Element;
  return any_of(L.Leaves, [&](const TypeLayout::Leaf &Leaf) {
    const ElementType &E = Leaf.Element;
    return E.Base == Kind::Bytes || E.Base != First.Base || E.BaseBytes != First.BaseBytes ||
           Leaf.Offset % E.BaseBytes || L.Bytes % E.BaseBytes;
  });
}

/// What is done through one pointer, in bytes from where it points.
struct Touched {
  int64_t Begin = 0, End = 0;
  bool Read = false, Written = false;

  void add(const OpenImage &Image) {
    for (bool Write : {false, true})
      for (const auto &[Page, Bits] : Write ? Image.Writes : Image.Reads)
        for (size_t W = 0; W != Bits.size(); ++W) {
          if (Bits[W] == 0)
            continue;
          (Write ? Written : Read) = true;
          const int64_t At =
              Page * static_cast<int64_t>(emulator::PageBytes) + static_cast<int64_t>(64 * W);
          Begin = std::min(Begin, At + countr_zero(Bits[W]));
          End = std::max(End, At + 64 - countl_zero(Bits[W]));
        }
  }
  void add(const Touched &O) {
    Begin = std::min(Begin, O.Begin);
    End = std::max(End, O.End);
    Read |= O.Read;
    Written |= O.Written;
  }
};

/// Of the loops of a kernel: with fewer turns than that nothing is shown of what is used again.
constexpr uint64_t TurnsWanted = 3;

/// A found launch that is to be a case.
struct Measured {
  const FoundLaunch *Found = nullptr;
  std::vector<Touched> Buffers; ///< by parameter
};

class Describer {
public:
  Describer(Program &Code, const DeviceModule &Module, const KernelSignature &Kernel,
            const SearchLimits &Limits)
      : Code(Code), Module(Module), Kernel(Kernel), Limits(Limits) {}

  /// Empty, and why.
  std::string describe(const FoundLaunches &Found, std::string &Why) {
    if (cannotSay(Found) || !measure(Found) || !write()) {
      Why = Problem;
      return "";
    }
    std::string Text = launchText(D);
    if (Error E = check(Text)) {
      Why = "what was found cannot be said: " + toString(std::move(E));
      return "";
    }
    return Text;
  }

private:
  Program &Code;
  const DeviceModule &Module;
  const KernelSignature &Kernel;
  const SearchLimits &Limits;
  std::string Problem;
  std::map<std::string, uint8_t> Hints; ///< of all launches, by buffer or variable
  std::vector<Measured> Launches;
  LaunchDescription D;
  StringSet<> Names;         ///< that the cases define
  std::set<size_t> FromFile; ///< parameters whose value is that of a launch in the file

  bool fail(const Twine &What) {
    if (Problem.empty())
      Problem = What.str();
    return false;
  }

  static std::string nameOf(const KernelParameter &P, size_t Index) {
    return P.Name.empty() ? "argument " + std::to_string(Index + 1) : P.Name;
  }
  const TypeLayout *layout(const KernelParameter &P) const {
    return P.Layout >= 0 && static_cast<size_t>(P.Layout) < Module.Layouts.size()
               ? &Module.Layouts[P.Layout]
               : nullptr;
  }
  uint8_t hintsOf(const std::string &Name) const {
    auto Found = Hints.find(Name);
    return Found == Hints.end() ? 0 : Found->second;
  }
  const emulator::IntegerProfile &profile(const Measured &M) const {
    return M.Found->Request.Open->Integers;
  }

  //===--- what no description can say --------------------------------------===//

  bool cannotSay(const FoundLaunches &Found) {
    std::set<std::string> Seen;
    for (const auto &[Index, P] : enumerate(Kernel.Parameters)) {
      const std::string Name = nameOf(P, Index);
      if (!Seen.insert(Name).second && P.IsPointer)
        return !fail("several parameters are called '" + Name + "'");
      if (const TypeLayout *L = layout(P);
          L && any_of(L->Leaves, [](const TypeLayout::Leaf &Leaf) { return Leaf.IsPointer; }))
        return !fail("'" + Name +
                     (P.IsPointer ? "' points to pointers" : "' is a struct with pointers in it"));
    }
    for (const auto &V : Code.variables())
      if (V.User && !V.Initialised &&
          any_of(V.Leaves, [](const TypeLayout::Leaf &Leaf) { return Leaf.IsPointer; }))
        return !fail("the variable '" + V.Name + "' is a pointer, or has one in it");
    for (const FoundLaunch &F : Found.Launches)
      for (const auto &[Name, Bits] : F.Request.Open->Hints)
        Hints[Name] |= Bits;
    return false;
  }

  //===--- 2. measure -------------------------------------------------------===//

  /// Adds what one run touches; where it need not be good, what it touches until it fails.
  bool run(const RunRequest &R, Measured &To, bool MustBeGood) {
    emulator::MachineOptions O;
    O.MaxAccesses = 4 * Limits.AccessesPerRun;
    O.MaxTurns = 4 * O.MaxAccesses;
    Expected<RunResult> Ran = Code.run(R, O);
    if (!Ran)
      return fail(toString(Ran.takeError()));
    if (MustBeGood && Ran->Failed)
      return fail(Ran->Failed->What);
    for (const auto &[Name, Image] : Ran->Opens) {
      if (Image.Reads.empty() && Image.Writes.empty())
        continue;
      bool Known = false;
      for (size_t Index = 0; Index != Kernel.Parameters.size(); ++Index)
        if (const KernelParameter &P = Kernel.Parameters[Index];
            P.IsPointer && nameOf(P, Index) == Name) {
          To.Buffers[Index].add(Image);
          Known = true;
        }
      if (!Known)
        return fail("it follows pointers in memory ('" + Name + "')");
    }
    return true;
  }

  bool measure(const FoundLaunch &F, Measured &To) {
    RunRequest R = F.Request;
    R.DynamicShared = F.Launch.SharedBytes;
    if (!run(R, To, /*MustBeGood=*/true))
      return false;
    // Other numbers are in memory under the description. Of integers that become addresses the
    // largest and the smallest go furthest.
    const emulator::IntegerProfile Was = R.Open->Integers;
    if (Was.All || any_of(Hints, [](const auto &H) { return H.second & emulator::ToAddress; }))
      for (bool Largest : {true, false}) {
        R.Open->Integers = Was;
        (Largest ? R.Open->Integers.Low : R.Open->Integers.High) =
            Largest ? Was.High - 1 : Was.Low + 1;
        if (!run(R, To, /*MustBeGood=*/false))
          return false;
      }
    // Where others go further all the same, that depends on numbers of which nobody knows the
    // largest: some are tried, and there is a margin.
    R.Open->Integers = Was;
    const std::vector<Touched> Before = To.Buffers;
    bool Further = false;
    for (uint64_t Seed = 2; Seed != (Further ? 12 : 4); ++Seed) {
      R.Open->Seed = Seed;
      if (!run(R, To, /*MustBeGood=*/false))
        return false;
      for (const auto &[T, Known] : zip(To.Buffers, Before))
        Further |= T.Begin != Known.Begin || T.End != Known.End;
    }
    for (const auto &[T, Known] : zip(To.Buffers, Before)) {
      const int64_t Margin = (T.End - T.Begin) / 2;
      T.Begin -= T.Begin != Known.Begin ? Margin : 0;
      T.End += T.End != Known.End ? Margin : 0;
    }
    return true;
  }

  /// Of all pointers of a launch.
  uint64_t bytes(const Measured &M) const {
    uint64_t Sum = 0;
    for (const Touched &T : M.Buffers)
      Sum += static_cast<uint64_t>(T.End - T.Begin);
    return Sum;
  }

  bool measure(const FoundLaunches &Found) {
    uint64_t Large = 0;
    for (const FoundLaunch &F : Found.Launches) {
      Measured M;
      M.Found = &F;
      M.Buffers.resize(Kernel.Parameters.size());
      if (!measure(F, M))
        return false;
      if (bytes(M) > MostBytes)
        Large = Large ? std::min(Large, bytes(M)) : bytes(M);
      else
        Launches.push_back(std::move(M));
    }
    uint64_t Most = 0, Left = 0;
    for (const FoundLaunch &F : Found.Launches)
      Most = std::max(Most, F.Turns);
    for (const Measured &M : Launches)
      Left = std::max(Left, M.Found->Turns);
    if (Launches.empty() || Left < std::min(Most, TurnsWanted))
      return fail(formatv(
          "its buffers are too large: at least {0} MiB, and {1} are the most that is written here",
          Large >> 20, MostBytes >> 20));
    return true;
  }

  //===--- 3. describe ------------------------------------------------------===//

  std::string freeName(StringRef Wanted) {
    std::string Name;
    for (char C : Wanted) {
      const bool Fits = isAlnum(C) || C == '_';
      if (Fits || (!Name.empty() && Name.back() != '_'))
        Name += Fits ? C : '_';
    }
    Name = StringRef(Name).rtrim('_').str();
    if (!launch::isName(Name) || Name == "null")
      Name = "_" + Name;
    while (!Names.insert(Name).second)
      Name += "_";
    return Name;
  }

  /// A number that each launch has one of: a name that the cases define, or, where it is the same
  /// in all of them and \p Always does not ask for a name, the number.
  Expression value(StringRef Wanted, function_ref<int64_t(const Measured &)> Of,
                   bool Always = false) {
    std::vector<int64_t> Values;
    for (const Measured &M : Launches)
      Values.push_back(Of(M));
    if (!Always && all_equal(Values))
      return {std::to_string(Values.front()), 0};
    const std::string Name = freeName(Wanted);
    for (auto [Case, V] : zip(D.Cases, Values))
      Case.emplace_back(Name, V);
    return {Name, 0};
  }

  bool write() {
    D = LaunchDescription();
    D.Kernel = Kernel.launchName();
    D.Cases.resize(Launches.size());
    D.Arguments.resize(Kernel.Parameters.size());
    // What the kernel is given stands first in each case, by its own names.
    for (const auto &[Index, P] : enumerate(Kernel.Parameters))
      if (!P.IsPointer && !scalar(Index, D.Arguments[Index]))
        return false;
    auto Extents = [&](StringRef Key, std::array<uint64_t, 3> ConcreteLaunch::*Of,
                       std::vector<Expression> &To) {
      unsigned Count = 1;
      for (const Measured &M : Launches)
        for (unsigned I = 0; I != 3; ++I)
          Count = (M.Found->Launch.*Of)[I] != 1 ? std::max(Count, I + 1) : Count;
      for (unsigned I = 0; I != Count; ++I)
        To.push_back(
            value((Key + "_" + StringRef("xyz").substr(I, 1)).str(), [&](const Measured &M) {
              return static_cast<int64_t>((M.Found->Launch.*Of)[I]);
            }));
    };
    Extents("grid", &ConcreteLaunch::Grid, D.Grid);
    Extents("block", &ConcreteLaunch::Block, D.Block);
    D.Shared = value("shared_bytes", [](const Measured &M) {
      return static_cast<int64_t>(M.Found->Launch.SharedBytes);
    });
    for (const auto &[Index, P] : enumerate(Kernel.Parameters))
      if (P.IsPointer && !buffer(Index, D.Arguments[Index]))
        return false;
    for (const auto &V : Code.variables())
      if (!variable(V))
        return false;
    // Two launches may differ in nothing but what is not said here.
    std::vector<Measured> Kept;
    decltype(D.Cases) Cases;
    for (auto [M, Case] : zip(Launches, D.Cases))
      if (!is_contained(Cases, Case)) {
        Cases.push_back(Case);
        Kept.push_back(M);
      }
    D.Cases = std::move(Cases);
    Launches = std::move(Kept);
    return true;
  }

  static int64_t integerAt(ArrayRef<uint8_t> Bytes, uint64_t Offset, const ElementType &T) {
    uint64_t Value = 0;
    if (Offset + T.BaseBytes <= Bytes.size())
      std::memcpy(&Value, Bytes.data() + Offset, std::min(T.BaseBytes, 8u));
    return T.Base == Kind::SignedInt && T.BaseBytes < 8 ? SignExtend64(Value, 8 * T.BaseBytes)
                                                        : static_cast<int64_t>(Value);
  }

  /// Search.cpp gives sixteenths, of which four decimals are exact.
  static std::string floatAt(ArrayRef<uint8_t> Bytes, uint64_t Offset, const ElementType &T) {
    double Value = 0;
    float Single = 0;
    uint16_t Short = 0;
    auto Get = [&](auto &To) {
      if (Offset + sizeof(To) <= Bytes.size())
        std::memcpy(&To, Bytes.data() + Offset, sizeof(To));
    };
    if (T.Base == Kind::Double)
      Get(Value);
    else if (T.Base == Kind::Float)
      Get(Single), Value = static_cast<double>(Single);
    else
      Get(Short),
          Value = T.Base == Kind::Half ? fill::halfValue(Short) : fill::bfloat16Value(Short);
    const std::string Text = formatv("{0:f4}", Value).str();
    return StringRef(Text).rtrim('0').str() +
           (StringRef(Text).rtrim('0').ends_with(".") ? "0" : "");
  }

  /// The components of \p T at \p Offset of argument \p Index. \p Free: the search has chosen the
  /// integers.
  std::vector<Expression> components(size_t Index, StringRef Name, const ElementType &T,
                                     uint64_t Offset, bool Free) {
    std::vector<Expression> Values;
    for (unsigned Lane = 0; Lane != T.Lanes; ++Lane, Offset += T.BaseBytes) {
      auto BytesOf = [&](const Measured &M) -> const std::vector<uint8_t> & {
        return M.Found->Request.Arguments[Index].Value;
      };
      if (launch::isFloating(T.Base)) {
        Values.push_back({floatAt(BytesOf(Launches.front()), Offset, T), 0});
        continue;
      }
      const std::string Own =
          T.Lanes == 1 ? Name.str() : (Name + "_" + StringRef("xyzw").substr(Lane, 1)).str();
      Values.push_back(
          value(Own, [&](const Measured &M) { return integerAt(BytesOf(M), Offset, T); }, Free));
    }
    return Values;
  }

  bool scalar(size_t Index, LaunchDescription::Argument &A) {
    const KernelParameter &P = Kernel.Parameters[Index];
    A.Name = P.Name.empty() ? "" : nameOf(P, Index);
    for (size_t I = 0; I != Index; ++I) // of a pack
      if (!A.Name.empty() && D.Arguments[I].Name == A.Name)
        A.Name.clear();
    const TypeLayout *L = layout(P);
    if (P.Element.Base != Kind::Bytes) {
      if (std::optional<ElementType> T = elementType(P.ElementName);
          T && T->bytes() == P.Element.bytes() && T->Base == P.Element.Base)
        A.TypeName = P.ElementName;
      else
        A.TypeName = launch::typeName(P.Element);
      A.Values = components(Index, nameOf(P, Index), P.Element, 0, L != nullptr);
      if (launch::isFloating(P.Element.Base) && P.Element.Lanes == 1)
        fromFile(Index, A.Values.front());
      return true;
    }
    if (!L || L->Leaves.empty()) {
      A.Values.push_back({"0", 0});
      return true;
    }
    for (const TypeLayout::Leaf &Leaf : L->Leaves)
      for (uint64_t I = 0; I != Leaf.Count; ++I) {
        LaunchDescription::Field F;
        F.TypeName = launch::typeName(Leaf.Element);
        if (F.TypeName.empty() || Leaf.Element.Base == Kind::Bytes)
          return fail("the member '" + nameOf(P, Index) + Leaf.Name +
                      "' has a type that has no name in a description");
        F.Values = components(Index, nameOf(P, Index) + Leaf.Name, Leaf.Element,
                              Leaf.Offset + I * Leaf.Element.bytes(), Leaf.Count == 1);
        A.Fields.push_back(std::move(F));
      }
    return true;
  }

  /// As a launch in the file has it.
  void fromFile(size_t Index, Expression &To) {
    for (const KernelLaunch &L : Module.Launches)
      if (L.Mangled == Kernel.Mangled && Index < L.Arguments.size() &&
          launch::floatLiteral(L.Arguments[Index].Text)) {
        To.Text = L.Arguments[Index].Text;
        FromFile.insert(Index);
        return;
      }
  }

  /// What \p Element is filled with of the kind that the search has given \p Name. \p One: there is
  /// one element.
  bool fill(const std::string &Name, const ElementType &Element, bool One,
            LaunchDescription::Fill &To) {
    const uint8_t H = hintsOf(Name);
    const bool Integer = Element.Base == Kind::SignedInt || Element.Base == Kind::UnsignedInt;
    if (!Integer)
      return true;
    if (H & emulator::ToBound) {
      if (!One)
        return fail("numbers in '" + Name + "' bound a loop, and no fill has such numbers");
      To.K = BufferFill::Kind::Value;
      To.Low = value(Name, [&](const Measured &M) { return profile(M).Step; }, /*Always=*/true);
      return true;
    }
    const bool All = any_of(Launches, [&](const Measured &M) { return profile(M).All; });
    if (!(H & emulator::ToAddress) && !All)
      return true;
    To.K = BufferFill::Kind::Uniform;
    const bool Signed = Element.Base == Kind::SignedInt;
    To.Low = value(Name + "_from", [&](const Measured &M) {
      return Signed ? profile(M).Low : std::max<int64_t>(profile(M).Low, 0);
    });
    To.High = value(Name + "_below", [&](const Measured &M) { return profile(M).High; });
    return true;
  }

  bool buffer(size_t Index, LaunchDescription::Argument &A) {
    const KernelParameter &P = Kernel.Parameters[Index];
    const std::string Name = nameOf(P, Index);
    A.Name = P.Name;
    A.IsBuffer = true;
    const bool AnyKind = isOfAnyKind(Module, P);
    ElementType Element = P.Element;
    A.TypeName = P.ElementName;
    if (std::optional<ElementType> T = elementType(A.TypeName);
        !T || T->bytes() != Element.bytes()) {
      // A struct of numbers of one kind is so many of these. Random bytes are seldom good numbers,
      // and one that is none hides all others: halves near zero are numbers in any format.
      if (AnyKind &&
          (Element.bytes() == 1 || Element.bytes() % elementType(AnyNumbers)->bytes() == 0))
        Element = *elementType(AnyNumbers);
      else if (Element.Base == Kind::Bytes && !AnyKind)
        Element = Code.scalarOf(P.Layout);
      A.TypeName = launch::typeName(Element);
    } else {
      Element = *T;
    }
    if (A.TypeName.empty())
      return fail("'" + Name + "' points to a type that has no name in a description");
    // Nobody knows where an element of a `void *` ends.
    const int64_t Unit = static_cast<int64_t>(std::max(P.Element.bytes(), Element.bytes())),
                  PerUnit = Unit / static_cast<int64_t>(Element.bytes());
    Touched All;
    for (const Measured &M : Launches)
      All.add(M.Buffers[Index]);
    auto Elements = [=](int64_t Bytes) { return (Bytes + Unit - 1) / Unit * PerUnit; };
    auto Before = [=](const Measured &M) { return Elements(-M.Buffers[Index].Begin); };
    auto Behind = [=](const Measured &M) { return Elements(M.Buffers[Index].End); };
    A.Count = value(Name + "_count", [&](const Measured &M) { return Before(M) + Behind(M); });
    A.Offset = value(Name + "_offset", Before);
    A.Role = !All.Written                 ? BufferRole::Input
             : All.Read || P.PointeeConst ? BufferRole::InOut
                                          : BufferRole::Output;
    if (A.Role == BufferRole::Output) {
      A.Contents.K = BufferFill::Kind::Poison;
      return true;
    }
    if (AnyKind && hintsOf(Name))
      return fail("'" + Name +
                  "' has, among others, numbers of which the kernel makes addresses or conditions");
    const bool One =
        all_of(Launches, [&](const Measured &M) { return Before(M) == 0 && Behind(M) <= 1; });
    return fill(Name, Element, One, A.Contents);
  }

  /// As Program::run() has filled it for the search: all of constant memory, and numbers elsewhere.
  bool variable(const emulator::LoweredModule::DeviceVariable &V) {
    if (!V.User || V.Initialised || V.Leaves.empty())
      return true;
    ElementType Element = V.Leaves.front().Element;
    Element.Lanes = 1;
    const bool OneKind = all_of(V.Leaves, [&](const TypeLayout::Leaf &L) {
      return L.Element.Base == Element.Base && L.Element.BaseBytes == Element.BaseBytes;
    });
    if (!OneKind || Element.Base == Kind::Bytes || V.Bytes % Element.bytes() != 0)
      return fail("the variable '" + V.Name + "' has numbers of several kinds in it");
    if (launch::isInteger(Element.Base) && Element.Base != Kind::Bool && !V.InConstantMemory)
      return true; // zeros, as the source says
    LaunchDescription::Global G;
    G.Name = V.Name;
    G.TypeName = launch::typeName(Element);
    if (!fill(V.Name, Element, V.Bytes == Element.bytes(), G.Contents))
      return false;
    D.Globals.push_back(std::move(G));
    return true;
  }

  /// Reads what was written: a case gives the kernel what the launch that it was made of has given
  /// it.
  Error check(StringRef Text) {
    Expected<std::vector<LaunchDescription>> Read = parseLaunch(Text, "description");
    if (!Read)
      return Read.takeError();
    Expected<std::vector<ConcreteLaunch>> Numbers = evaluate(Read->front(), Kernel);
    if (!Numbers)
      return Numbers.takeError();
    for (const auto &[L, M] : zip(*Numbers, Launches)) {
      if (L.Grid != M.Found->Launch.Grid || L.Block != M.Found->Launch.Block ||
          L.SharedBytes != M.Found->Launch.SharedBytes)
        return createStringError("the shape of the launch is another one");
      for (const auto &[Index, A] : enumerate(L.Arguments))
        if (!A.IsBuffer && !FromFile.count(Index) &&
            A.Value != M.Found->Request.Arguments[Index].Value)
          return createStringError("the members of '" + A.Name +
                                   "' lie otherwise than in a struct of these fields");
    }
    return Error::success();
  }
};

/// In the child: the description, behind a word that says that it is one and how often a loop
/// turns; or why there is none.
constexpr StringLiteral Described = "described ";

void searchAndDescribe(const DeviceModule &Module, const KernelSignature &Kernel,
                       const VerifyOptions &Options, function_ref<void(StringRef)> Say) {
  emulator::catchCrashes();
  Expected<std::unique_ptr<Program>> Code =
      Program::load(Module, {Kernel.Mangled}, /*WithHints=*/true);
  if (!Code)
    return Say(toString(Code.takeError()));
  // In the shapes that the file launches it with, one after the other, until launches are found;
  // then in any.
  SearchLimits Limits;
  Limits.Aliases = false; // a buffer is one of its own in every case, or in none
  std::vector<SearchLimits> Ways;
  for (const KernelLaunch &L : Module.Launches)
    if (L.Mangled == Kernel.Mangled && L.SharedBytes && (L.Block || *L.SharedBytes)) {
      Ways.push_back(Limits);
      Ways.back().Block = L.Block;
      Ways.back().Dynamic = L.SharedBytes;
    }
  constexpr size_t Most = 2;
  Ways.resize(std::min(Ways.size(), Most));
  Ways.push_back(Limits);
  Ways.back().Block = Options.Block;
  std::string First;
  for (const SearchLimits &Way : Ways) {
    FoundLaunches Found = searchLaunches(**Code, Module, Kernel, Way);
    std::string Why = Found.Why;
    uint64_t Turns = 0;
    for (const FoundLaunch &F : Found.Launches)
      Turns = std::max(Turns, F.Turns);
    if (!Found.Launches.empty())
      if (std::string Text = Describer(**Code, Module, Kernel, Way).describe(Found, Why);
          !Text.empty())
        return Say(formatv("{0}{1}\n{2}", Described, Turns, Text).str());
    if (First.empty())
      First = Why;
    // It is not the shape that cannot be said.
    if (!Found.Launches.empty())
      break;
  }
  Say(First);
}

uint64_t turnsIn(const VerifyCase &C, bool OnlyLoads = true) {
  uint64_t Most = 0;
  for (const VerifyLoop &L : C.Loops)
    if (L.HasLoads || !OnlyLoads)
      Most = std::max(Most, L.Made);
  return Most;
}

/// What the cases have shown, and what they have not.
std::vector<std::string> summary(ArrayRef<const VerifyCase *> Cases) {
  auto List = [](const auto &Of) {
    std::string Text;
    for (uint64_t N : Of)
      Text += (Text.empty() ? "" : ", ") + std::to_string(N);
    return Text;
  };
  const VerifyCoverage V = coverageOf(Cases, [](const VerifyLoop &) { return true; });
  std::string Text = "Found by running the kernel: blocks of " + List(V.Threads) +
                     (V.Threads == std::set<unsigned>{1} ? " thread" : " threads");
  if (!V.Turns.empty())
    Text += "; turns " + List(V.Turns);
  if (V.Guards != 0)
    Text += formatv("; {0} of {1} conditions both ways", V.BothWays, V.Guards);
  std::vector<std::string> Lines = {Text + "."};
  for (const VerifyLoop &L : furthestOf(Cases))
    if (!L.steady())
      Lines.push_back(formatv("check: the loop in line {0} made at most {1} turn{2} in a row, {3} "
                              "of them with a load of the next tile; a case with more is missing",
                              L.At.Line, L.Made, L.Made == 1 ? "" : "s", L.Loads));
  return Lines;
}

/// Runs the original under \p Text against itself, and leaves the cases in which that is fine. \p
/// Turns: as often as a loop has turned when it was searched for.
FoundDescription prove(StringRef Text, uint64_t Turns, const DeviceModule &Module,
                       const KernelSignature &Kernel, const VerifyOptions &Options) {
  FoundDescription Result;
  Expected<std::vector<LaunchDescription>> Read = parseLaunch(Text, "description");
  Expected<std::vector<ConcreteLaunch>> Numbers =
      Read ? evaluate(Read->front(), Kernel) : Read.takeError();
  if (!Numbers) {
    Result.Why = toString(Numbers.takeError());
    return Result;
  }
  LaunchDescription &D = Read->front();
  VerifyKernel Both;
  Both.Old = Both.New = Kernel;
  Both.Launches = std::move(*Numbers);
  const std::vector<VerifyCase> Cases = emulate(Module, Module, Both, Options);
  std::vector<std::pair<const VerifyCase *, size_t>> Good;
  for (const auto &[Index, C] : enumerate(Cases)) {
    if (C.Result == Verdict::Pass && Index < D.Cases.size())
      Good.emplace_back(&C, Index);
    else if (Result.Why.empty())
      Result.Why = "under what was found the original is no good: " + C.Reason +
                   (C.Fault && C.Fault->What != C.Reason ? ": " + C.Fault->What : "");
  }
  uint64_t Most = 0;
  for (const auto &[C, Index] : Good)
    Most = std::max(Most, turnsIn(*C, /*OnlyLoads=*/false));
  // What is left shows nothing: then there is more in a template.
  if (Good.empty() || (Most < std::min(Turns, TurnsWanted) && Good.size() != Cases.size()))
    return Result;
  stable_sort(Good,
              [](const auto &A, const auto &B) { return turnsIn(*A.first) < turnsIn(*B.first); });
  LaunchComments Comments;
  std::vector<const VerifyCase *> Of;
  decltype(D.Cases) Kept;
  for (const auto &[C, Index] : Good) {
    Of.push_back(C);
    Kept.push_back(D.Cases[Index]);
    const bool Loads = any_of(C->Loops, [](const VerifyLoop &L) { return L.HasLoads; });
    Comments.Cases.push_back(
        Loads ? formatv("{0} turn{1}", turnsIn(*C), turnsIn(*C) == 1 ? "" : "s").str() : "");
  }
  D.Cases = std::move(Kept);
  Comments.Above = summary(Of);
  for (const auto &[P, A] : zip(Kernel.Parameters, D.Arguments)) {
    const bool Check = P.IsPointer && A.Role != BufferRole::Output && isOfAnyKind(Module, P);
    Comments.Arguments.push_back(
        P.Type + " " + P.Name + (Check ? "; check: a type for what is in it, with its count" : ""));
  }
  Result.Text = launchText(D, Comments);
  Result.Why.clear();
  return Result;
}

} // namespace

std::vector<FoundDescription> describeLaunches(const DeviceModule &Module,
                                               ArrayRef<KernelSignature> Kernels,
                                               const VerifyOptions &Options) {
  std::vector<FoundDescription> All;
  for (const KernelSignature &Kernel : Kernels) {
    FoundDescription &D = All.emplace_back();
    IsolatedRun Run = isolate(
        [&](function_ref<void(StringRef)> Say) { searchAndDescribe(Module, Kernel, Options, Say); },
        Options.TimeoutSeconds);
    StringRef Text = Run.Output;
    if (Run.End != IsolatedRun::Finished)
      D.Why = "the original: " + Run.Problem;
    else if (uint64_t Turns = 0; Text.consume_front(Described) && !Text.consumeInteger(10, Turns) &&
                                 Text.consume_front("\n"))
      D = prove(Text, Turns, Module, Kernel, Options);
    else
      D.Why = Text.str();
  }
  return All;
}

} // namespace cuda_pipeline
