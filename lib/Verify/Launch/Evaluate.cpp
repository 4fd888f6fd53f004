//===- Evaluate.cpp - Numbers for every case of a description -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::launch;

namespace {

// What every GPU since sm_50 accepts (CUDA programming guide, "Technical Specifications").
constexpr std::array<uint64_t, 3> MaxGrid = {(uint64_t(1) << 31) - 1, 65535, 65535};
constexpr std::array<uint64_t, 3> MaxBlock = {1024, 1024, 64};
constexpr uint64_t MaxThreads = 1024;
// The most that any GPU gives to one block (sm_90, sm_100).
constexpr uint64_t MaxShared = 227 * 1024;
constexpr uint64_t MaxBytes = uint64_t(1) << 40;
constexpr uint64_t MaxOperations = uint64_t(1) << 62;

class CaseEvaluator {
public:
  CaseEvaluator(const LaunchDescription &D, const KernelSignature &Kernel) : D(D), Kernel(Kernel) {}

  Expected<ConcreteLaunch> run(ArrayRef<std::pair<std::string, int64_t>> Case) {
    for (const auto &[Name, Value] : Case) {
      Known[Name] = Value;
      L.Case += formatv("{0}{1}={2}", L.Case.empty() ? "" : " ", Name, Value).str();
    }
    if (L.Case.empty())
      L.Case = "single";
    for (const auto &[Name, E] : D.Let)
      Known[Name] = value(E);
    L.Kernel = D.Kernel;
    extents(D.Grid, "grid", MaxGrid, L.Grid);
    extents(D.Block, "block", MaxBlock, L.Block);
    const unsigned BlockLine = D.Block.empty() ? D.Line : D.Block.front().Line;
    const uint64_t Threads = L.Block[0] * L.Block[1] * L.Block[2];
    if (Threads > MaxThreads)
      fail(BlockLine, formatv("a block of {0} threads; {1} is the limit", Threads, MaxThreads));
    if (Kernel.MaxThreads && Threads > *Kernel.MaxThreads)
      fail(BlockLine, formatv("a block of {0} threads; the launch bounds of '{1}' allow {2}",
                              Threads, Kernel.Name, *Kernel.MaxThreads));
    L.SharedBytes = size(D.Shared, "shared", MaxShared);
    if (D.NewShared)
      L.NewSharedBytes = size(*D.NewShared, "new_shared", MaxShared);
    if (D.Flops)
      L.Flops = size(*D.Flops, "flops", MaxOperations);
    if (D.Bytes)
      L.Bytes = size(*D.Bytes, "bytes", MaxOperations);
    L.Unit = D.Unit;
    arguments();
    for (const LaunchDescription::Global &G : D.Globals)
      global(G);
    if (!Message.empty())
      return createStringError(Message);
    return std::move(L);
  }

private:
  const LaunchDescription &D;
  const KernelSignature &Kernel;
  ConcreteLaunch L;
  Names Known;
  std::string Message;

  // "launch.yaml:7: case N=128 K=32: ..."
  void fail(unsigned Line, const Twine &What) {
    if (!Message.empty())
      return;
    Message = D.File.empty() ? formatv("launch in line {0}: ", Line).str()
                             : formatv("{0}:{1}: ", D.File, Line).str();
    if (!D.Cases.empty() && !D.Cases.front().empty())
      Message += "case " + L.Case + ": ";
    Message += What.str();
  }

  int64_t value(const LaunchDescription::Expression &E) {
    if (Expected<int64_t> V = evaluateExpression(E.Text, Known))
      return *V;
    else
      fail(E.Line, toString(V.takeError()));
    return 0;
  }

  // 'count' = 5000 of the description, or why that is no size.
  uint64_t size(const LaunchDescription::Expression &E, StringRef What, uint64_t Limit) {
    const int64_t V = value(E);
    if (V < 0 || static_cast<uint64_t>(V) > Limit) {
      fail(E.Line, formatv("'{0}' is {1}; it must be between 0 and {2}", What, V, Limit));
      return 0;
    }
    return static_cast<uint64_t>(V);
  }

  void extents(ArrayRef<LaunchDescription::Expression> Es, StringRef What,
               const std::array<uint64_t, 3> &Limit, std::array<uint64_t, 3> &To) {
    for (auto [Index, E] : enumerate(Es.take_front(3))) {
      const int64_t V = value(E);
      if (V < 1 || static_cast<uint64_t>(V) > Limit[Index])
        fail(E.Line, formatv("'{0}' is {1} in {2}; it must be between 1 and {3}", What, V,
                             "xyz"[Index], Limit[Index]));
      else
        To[Index] = static_cast<uint64_t>(V);
    }
  }

  static std::string nameOf(const KernelParameter &P, size_t Index) {
    return P.Name.empty() ? formatv("argument {0}", Index + 1).str() : P.Name;
  }

  void arguments() {
    const auto &Parameters = Kernel.Parameters;
    if (D.Arguments.size() != Parameters.size()) {
      std::string List;
      for (const auto &[Index, P] : enumerate(Parameters))
        List += (Index ? ", " : " (") + nameOf(P, Index);
      return fail(D.Line, formatv("{0} argument{1}, but '{2}' has {3} parameter{4}{5}{6}",
                                  D.Arguments.size(), D.Arguments.size() == 1 ? "" : "s",
                                  Kernel.Name, Parameters.size(), Parameters.size() == 1 ? "" : "s",
                                  List, List.empty() ? "" : ")"));
    }
    for (const auto &[Index, A] : enumerate(D.Arguments)) {
      const KernelParameter &P = Parameters[Index];
      // Names are free, but those of the kernel in another order are a mistake.
      if (!A.Name.empty() && A.Name != P.Name)
        for (const auto &[Other, Q] : enumerate(Parameters))
          if (Q.Name == A.Name)
            return fail(A.Line, formatv("'{0}' is parameter {1} of '{2}', but argument {3} here; "
                                        "arguments are in the order of the parameters",
                                        A.Name, Other + 1, Kernel.Name, Index + 1));
      ConcreteArgument C;
      C.Name = A.Name.empty() ? nameOf(P, Index) : A.Name;
      for (const ConcreteArgument &Earlier : L.Arguments)
        if (Earlier.Name == C.Name) // parameters of one pack have one name
          C.Name = formatv("argument {0}", Index + 1).str();
      C.IsBuffer = A.IsBuffer;
      if (A.IsBuffer != P.IsPointer)
        return fail(A.Line,
                    P.IsPointer
                        ? formatv("'{0}' is a pointer ({1}); it needs 'buffer', 'same_as' or "
                                  "'buffer: null'",
                                  C.Name, P.Type)
                        : formatv("'{0}' is no pointer ({1}); it needs 'value'", C.Name, P.Type));
      if (!A.IsBuffer)
        scalar(A, P, C);
      else if (A.Null)
        C.Null = true;
      else if (A.SameAs.empty())
        buffer(A, P, C);
      else
        C.SameAs = A.SameAs;
      L.Arguments.push_back(std::move(C));
    }
    // The buffers that others share may come behind them.
    for (const auto &[Index, A] : enumerate(D.Arguments))
      if (!A.SameAs.empty())
        shared(A, Parameters[Index], L.Arguments[Index]);
  }

  // Pointers to void and to types that are declared only take any buffer.
  void checkPointee(const LaunchDescription::Argument &A, const KernelParameter &P,
                    const ConcreteArgument &C) {
    const ElementType &To = P.Element;
    const bool Struct = To.Base == ElementType::Kind::Bytes;
    if (Struct && To.bytes() == 1)
      return;
    if (StringRef(P.ElementName).rtrim().ends_with("*"))
      return fail(A.Line,
                  formatv("'{0}' points to pointers ({1}), which a launch description cannot "
                          "fill",
                          C.Name, P.Type));
    if (To.bytes() == C.Element.bytes())
      return;
    // The members of a struct, if all have one type, can be named in its place.
    bool Members = Struct || (To.Lanes > C.Element.Lanes && To.Base == C.Element.Base &&
                              To.BaseBytes == C.Element.BaseBytes);
    if (Members && To.bytes() % C.Element.bytes() == 0) {
      if (C.Count * C.Element.bytes() % To.bytes())
        fail(A.Line,
             formatv("'{0}' has {1} elements of {2}, which is no multiple of {3} ({4} bytes)",
                     C.Name, C.Count, C.ElementName, P.ElementName, To.bytes()));
      return;
    }
    fail(A.Line,
         formatv("'{0}' points to {1} ({2} bytes), but the description says {3} ({4} bytes)",
                 C.Name, P.ElementName, To.bytes(), C.ElementName, C.Element.bytes()));
  }

  void buffer(const LaunchDescription::Argument &A, const KernelParameter &P, ConcreteArgument &C) {
    C.Element = *elementType(A.TypeName);
    C.ElementName = A.TypeName;
    C.Role = A.Role;
    C.Count = size(A.Count, "count", MaxBytes / C.Element.bytes());
    C.Offset = size(A.Offset, "offset", C.Count);
    C.Fill = fill(A.Contents, C.Element, A.TypeName);
    checkPointee(A, P, C);
    if (P.PointeeConst && A.Role == BufferRole::Output)
      fail(A.Line, formatv("'{0}' is const ({1}), so it can be no output", C.Name, P.Type));
  }

  void shared(const LaunchDescription::Argument &A, const KernelParameter &P, ConcreteArgument &C) {
    auto Other =
        find_if(L.Arguments, [&](const auto &O) { return O.Name == A.SameAs && &O != &C; });
    // parseLaunch() has checked that, but the description may come from elsewhere.
    if (Other == L.Arguments.end() || !Other->IsBuffer || Other->Null || !Other->SameAs.empty())
      return fail(A.Line, formatv("same_as: '{0}' is no buffer of its own", A.SameAs));
    C.Element = Other->Element;
    C.ElementName = Other->ElementName;
    C.Count = Other->Count;
    C.Role = Other->Role;
    C.Fill = Other->Fill;
    C.Offset = size(A.Offset, "offset", C.Count);
    checkPointee(A, P, C);
  }

  void global(const LaunchDescription::Global &G) {
    ConcreteGlobal C;
    C.Name = G.Name;
    C.Element = *elementType(G.TypeName);
    C.ElementName = G.TypeName;
    C.Fill = fill(G.Contents, C.Element, G.TypeName);
    L.Globals.push_back(std::move(C));
  }

  BufferFill fill(const LaunchDescription::Fill &F, const ElementType &T, StringRef TypeName) {
    using Kind = BufferFill::Kind;
    BufferFill Result;
    Result.K = F.K;
    if (F.K == Kind::Random || F.K == Kind::Poison)
      return Result;
    auto bound = [&](const LaunchDescription::Expression &E, bool Inclusive) {
      Expected<double> V = number(E.Text, Known);
      if (!V) {
        fail(E.Line, "'fill': " + toString(V.takeError()));
        return 0.0;
      }
      if (isInteger(T.Base)) {
        int64_t Low;
        uint64_t High;
        integerRange(T, Low, High);
        // The upper bound of uniform() is not a value itself.
        if (*V < static_cast<double>(Low) || *V - (Inclusive ? 0 : 1) > static_cast<double>(High) ||
            *V != std::trunc(*V))
          fail(E.Line, formatv("'fill': {0} is no value of {1}", E.Text, TypeName));
      }
      return *V;
    };
    Result.Low = bound(F.Low, true);
    if (F.K == Kind::Uniform) {
      Result.High = bound(F.High, false);
      if (!(Result.Low < Result.High) || !std::isfinite(Result.High - Result.Low))
        fail(F.Low.Line,
             formatv("'fill': uniform({0}, {1}) is empty; the second value is the end, not "
                     "the last one",
                     F.Low.Text, F.High.Text));
    }
    return Result;
  }

  void scalar(const LaunchDescription::Argument &A, const KernelParameter &P, ConcreteArgument &C) {
    C.Element = P.Element;
    C.ElementName = A.TypeName.empty() ? P.ElementName : A.TypeName;
    const bool Struct = P.Element.Base == ElementType::Kind::Bytes;
    if (!A.Fields.empty()) {
      if (!Struct && P.Element.Lanes == 1)
        return fail(A.Line, formatv("'{0}' is no struct ({1}); it needs 'value'", C.Name, P.Type));
      return fields(A, P, C);
    }
    if (!A.TypeName.empty()) {
      const ElementType T = *elementType(A.TypeName);
      // Integers are converted with a check of their range; everything else must be the same.
      const bool Same = T.Lanes == P.Element.Lanes &&
                        ((isInteger(T.Base) && isInteger(P.Element.Base)) ||
                         (T.Base == P.Element.Base && T.BaseBytes == P.Element.BaseBytes));
      if (!Same)
        return fail(A.Line, formatv("'{0}' is {1} ({2}), but the description says {3}", C.Name,
                                    P.Type, describe(P.Element), A.TypeName));
    }
    components(P.Element, A.Values, C.Name, C.Value);
  }

  void components(const ElementType &T, ArrayRef<LaunchDescription::Expression> Values,
                  StringRef Name, std::vector<uint8_t> &To) {
    const bool Struct = T.Base == ElementType::Kind::Bytes;
    const size_t Lanes = Struct ? 1 : T.Lanes;
    if (Values.size() != Lanes) {
      const unsigned Line = Values.empty() ? D.Line : Values.front().Line;
      return fail(
          Line, formatv("'{0}' has {1} components, its value has {2}", Name, Lanes, Values.size()));
    }
    for (const LaunchDescription::Expression &E : Values)
      if (Error Err = appendComponent(T, E.Text, Known, To))
        return fail(E.Line, "'" + Name + "': " + toString(std::move(Err)));
  }

  // Members lie as C++ lays out a struct without bases and bit-fields: each at the next multiple of
  // its alignment, the whole rounded up to the largest one. Padding is zero.
  void fields(const LaunchDescription::Argument &A, const KernelParameter &P, ConcreteArgument &C) {
    unsigned Largest = 1;
    for (const auto &[Index, F] : enumerate(A.Fields)) {
      const ElementType T = *elementType(F.TypeName);
      const unsigned Align = alignment(T);
      Largest = std::max(Largest, Align);
      C.Value.resize(alignTo(C.Value.size(), Align));
      components(T, F.Values, formatv("{0}, field {1}", C.Name, Index + 1).str(), C.Value);
    }
    C.Value.resize(alignTo(C.Value.size(), Largest));
    if (Message.empty() && C.Value.size() != P.Element.bytes())
      fail(A.Line, formatv("the fields of '{0}' have {1} bytes, but {2} has {3}", C.Name,
                           C.Value.size(), P.Type, P.Element.bytes()));
  }
};

} // namespace

Expected<std::vector<ConcreteLaunch>> cuda_pipeline::evaluate(const LaunchDescription &Description,
                                                              const KernelSignature &Kernel) {
  std::vector<ConcreteLaunch> Result;
  for (const auto &Case : Description.Cases) {
    Expected<ConcreteLaunch> L = CaseEvaluator(Description, Kernel).run(Case);
    if (!L)
      return L.takeError();
    Result.push_back(std::move(*L));
  }
  return Result;
}
