//===- Template.cpp - A launch description to be filled in ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What is known goes into the template; what is guessed is marked with "check". Guesses are such
/// that the template evaluates, and that buffers are rather too large than too small: sizes that
/// are one and the same number for all parameters, and buffers of the product of the sizes.
///
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "Write.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::launch;

namespace {

constexpr StringLiteral Header =
    R"(# How the kernel is launched for verification (docs/launch.md). One document per kernel; '---'
# separates them. What is marked with "check" is a guess.
#
#   cases       every line is one run; sizes that are no multiple of a tile find most mistakes
#   expressions integers with + - * / % < <= == != && || ! and ?: (in quotes), min(a, b), max(a, b),
#               ceildiv(a, b), over the names of the cases and of let
#   buffer      count: elements; offset: elements in front of the pointer
#               role: input (must stay unchanged), output (starts poisoned), inout
#               fill: random, uniform(LOW, HIGH), index, index(START), value(X), a number, poison
#   same_as     NAME: this pointer goes into that argument's buffer;  buffer: null: a null pointer
#   value       a number, an expression, or a list for vectors;  fields: the members of a struct
#   globals     - {name: coefficients, type: float, fill: random}
)";

// Leading dimensions and flags are integers, too, but no factor of a buffer's size.
bool isSize(const KernelParameter &P) {
  if (P.IsPointer || P.Element.Lanes != 1 || P.Name.empty() || P.Element.BaseBytes < 2 ||
      (P.Element.Base != ElementType::Kind::SignedInt &&
       P.Element.Base != ElementType::Kind::UnsignedInt))
    return false;
  StringRef Name = P.Name;
  for (StringRef Other :
       {"ld", "stride", "pitch", "offset", "seed", "flag", "mode", "inc", "start"})
    if (Name.starts_with_insensitive(Other))
      return false;
  return true;
}

class TemplateWriter {
public:
  TemplateWriter(const KernelSignature &Kernel, const KernelLaunch *Launch, raw_ostream &OS)
      : Kernel(Kernel), Launch(Launch), OS(OS) {}

  void write() {
    chooseNames();
    OS << "kernel: " << quotedName(Kernel.launchName()) << "\n";
    writeCases();
    writeShape();
    writeArguments();
  }

private:
  const KernelSignature &Kernel;
  const KernelLaunch *Launch; // the one with most constants, or none
  raw_ostream &OS;
  std::vector<std::string> Sizes; // names that the cases define
  std::string CountGuess = "n * n";
  StringSet<> Used;

  const KernelLaunch::Argument *argument(size_t Index) const {
    return Launch && Index < Launch->Arguments.size() ? &Launch->Arguments[Index] : nullptr;
  }

  void chooseNames() {
    bool Counted = false;
    for (const auto &[Index, P] : enumerate(Kernel.Parameters)) {
      const KernelLaunch::Argument *A = argument(Index);
      if (isSize(P) && isName(P.Name) && !(A && A->Value) && !is_contained(Sizes, P.Name))
        Sizes.push_back(P.Name);
      Counted |= P.IsPointer && !(A && A->Bytes);
    }
    if (!Sizes.empty()) {
      // Where there is no tile at all a kernel may still read what belongs to its threads.
      std::vector<std::string> Factors;
      for (const std::string &Name : ArrayRef<std::string>(Sizes).take_front(3))
        Factors.push_back(
            turn(Name) ? formatv("max({0}, {1})", Name, std::max<uint64_t>(*turn(Name), 64)).str()
                       : Name);
      CountGuess = Factors.size() == 1 ? Factors[0] + " * " + Factors[0] : join(Factors, " * ");
    } else if (Counted) {
      Sizes.push_back("n");
    }
  }

  void writeCases() {
    if (Sizes.empty())
      return;
    OS << "cases:                        # check: the sizes that the kernel is made for\n";
    auto Line = [&](unsigned Turns, uint64_t Else) {
      OS << "  - {";
      for (const auto &[Index, Name] : enumerate(Sizes))
        OS << (Index ? ", " : "") << Name << ": " << (turn(Name) ? Turns * *turn(Name) : Else);
      OS << "}\n";
    };
    // No tile, one, two, an odd number, and more than there are stages.
    if (any_of(Sizes, [&](const std::string &Name) { return turn(Name).has_value(); })) {
      for (unsigned Turns : {0, 1, 2, 3, 5})
        Line(Turns, 64);
      return;
    }
    // Few tiles and several; three factors of 128 are still only 8 MiB of floats.
    for (unsigned Size : {64, 128})
      Line(0, Size);
  }

  /// How much of the size \p Name is one turn of a loop over tiles.
  std::optional<uint64_t> turn(StringRef Name) const {
    for (const TileLoopBound &L : Kernel.TileLoops)
      if (L.Parameter == Name)
        return L.PerTurn ? L.PerTurn : block()[0];
    return std::nullopt;
  }

  std::array<uint64_t, 3> block() const {
    if (Launch && Launch->Block)
      return *Launch->Block;
    return {Kernel.MaxThreads ? *Kernel.MaxThreads : 256, 1, 1};
  }

  void writeExtents(StringRef Key, const std::array<uint64_t, 3> &E, StringRef Comment) {
    const unsigned Count = E[2] != 1 ? 3 : E[1] != 1 ? 2 : 1;
    std::string Text = formatv("{0}: [", Key);
    for (unsigned I = 0; I < Count; ++I)
      Text += formatv("{0}{1}", I ? ", " : "", E[I]);
    Text += "]";
    OS << formatv("{0,-30}", Text) << Comment << "\n";
  }

  void writeShape() {
    const std::array<uint64_t, 3> Block = block();
    const std::string FromLaunch =
        Launch ? formatv("# as launched in line {0}", Launch->Line).str() : "";

    if (Launch && Launch->Grid) {
      writeExtents("grid", *Launch->Grid, FromLaunch);
    } else {
      // A block of two dimensions most often covers a matrix, x along its rows.
      const bool Matrix = Block[1] > 1;
      auto Blocks = [&](uint64_t Threads) {
        std::string Text = formatv("ceildiv({0}, {1})", Sizes.front(), Threads).str();
        // A size that is also the length of a loop: some blocks do, and there is one where there is
        // no tile.
        return turn(Sizes.front()) ? "max(1, min(2, " + Text + "))" : Text;
      };
      std::string X = Sizes.empty() ? "1" : Blocks(Block[0]);
      std::string Y = Sizes.empty() ? "" : Blocks(Block[1]);
      std::string Text = "grid: [" + X + (Matrix && !Sizes.empty() ? ", " + Y : "") + "]";
      OS << formatv("{0,-30}", Text) << (Text.size() < 30 ? "" : " ")
         << "# check: blocks in x, y, z\n";
    }
    writeExtents("block", Block,
                 Launch && Launch->Block ? FromLaunch
                 : Kernel.MaxThreads     ? "# check: the launch bounds, as one dimension"
                                         : "# check: threads in x, y, z");
    const bool Known = Launch && Launch->SharedBytes;
    OS << formatv("{0,-30}", formatv("shared: {0}", Known ? *Launch->SharedBytes : 0).str())
       << (Known ? FromLaunch : std::string("# check: bytes of dynamic shared memory")) << "\n";
  }

  void writeArguments() {
    if (Kernel.Parameters.empty()) {
      OS << "arguments: []\n";
      return;
    }
    OS << "arguments:                    # in the order of the parameters\n";
    for (const auto &[Index, P] : enumerate(Kernel.Parameters)) {
      const KernelLaunch::Argument *A = argument(Index);
      std::string Name = P.Name.empty() || !Used.insert(P.Name).second
                             ? formatv("argument {0}", Index + 1).str()
                             : P.Name;
      std::string Check;
      std::string Body = P.IsPointer ? buffer(P, A, Check) : scalar(P, A, Check);
      OS << "  # " << P.Type << " " << P.Name << (Check.empty() ? "" : "; check: " + Check) << "\n";
      OS << "  - {name: " << quotedName(Name) << ", " << Body << "}\n";
    }
  }

  std::string buffer(const KernelParameter &P, const KernelLaunch::Argument *A,
                     std::string &Check) const {
    // Whatever stood here would be an error of the whole file.
    if (StringRef(P.ElementName).rtrim().ends_with("*")) {
      Check = "a description has no pointers in memory, so a kernel that follows them cannot be "
              "run under one";
      return "buffer: null";
    }
    std::string TypeName = P.ElementName;
    std::optional<ElementType> T = elementType(TypeName);
    const uint64_t Bytes = P.Element.bytes();
    if (!T || T->bytes() != Bytes) {
      // Random bytes are seldom good numbers, so a struct's members have to be named by a person.
      TypeName = formatv("bytes:{0}", Bytes).str();
      Check = "a type for the members, such as float with its count";
    }
    std::string Count = CountGuess;
    if (A && A->Bytes)
      Count = std::to_string(*A->Bytes / Bytes);
    else
      Check += Check.empty() ? "count" : "; count";
    if (!P.PointeeConst)
      Check += Check.empty() ? "output or inout" : "; output or inout";
    return formatv("buffer: {0}, count: {1}, role: {2}", TypeName, Count,
                   P.PointeeConst ? "input" : "inout")
        .str();
  }

  std::string scalar(const KernelParameter &P, const KernelLaunch::Argument *A,
                     std::string &Check) const {
    const ElementType &T = P.Element;
    std::string TypeName = P.ElementName;
    std::optional<ElementType> Known = elementType(TypeName);
    if (!Known || Known->bytes() != T.bytes())
      TypeName.clear();
    std::string Value;
    if (T.Base == ElementType::Kind::Bytes) {
      Check = "the members, as in fields: [{scalar: int, value: 1}, {scalar: float, value: 0.5}]";
      return "value: 0";
    }
    if (T.Lanes > 1) {
      Value = "[";
      for (unsigned I = 0; I < T.Lanes; ++I)
        Value += I ? ", 1" : "1";
      Value += "]";
      Check = "value";
    } else if (A && A->Value) {
      Value = std::to_string(*A->Value);
    } else if (A && isFloating(T.Base) && floatLiteral(A->Text)) {
      Value = A->Text;
    } else if (is_contained(Sizes, P.Name)) {
      Value = P.Name;
    } else {
      // A leading dimension is at least as long as a row.
      const bool Dimension = StringRef(P.Name).starts_with_insensitive("ld") && !Sizes.empty();
      Value = isFloating(T.Base) ? "0.75" : Dimension ? Sizes.front() : "1";
      Check = "value";
    }
    return (TypeName.empty() ? "" : "scalar: " + TypeName + ", ") + "value: " + Value;
  }
};

// How much of a launch is constant: the more, the better a template it gives.
unsigned known(const KernelLaunch &L) {
  unsigned Count = L.Grid.has_value() + 2 * L.Block.has_value() + L.SharedBytes.has_value();
  for (const KernelLaunch::Argument &A : L.Arguments)
    Count += A.Value.has_value() + A.Bytes.has_value();
  return Count;
}

} // namespace

std::string cuda_pipeline::launchTemplate(const DeviceModule &Module,
                                          ArrayRef<KernelSignature> Kernels,
                                          ArrayRef<FoundDescription> Found) {
  std::string Text = Header.str();
  raw_string_ostream OS(Text);
  for (const auto &[Index, Kernel] : enumerate(Kernels)) {
    OS << "---\n";
    if (Index < Found.size() && !Found[Index].Text.empty()) {
      OS << Found[Index].Text;
      continue;
    }
    if (Index < Found.size())
      OS << "# A template to be filled in; a search has found no launch that could stand here: "
         << inComment(Found[Index].Why) << "\n";
    const KernelLaunch *Best = nullptr;
    for (const KernelLaunch &L : Module.Launches)
      if (L.Mangled == Kernel.Mangled && (!Best || known(L) > known(*Best)))
        Best = &L;
    TemplateWriter(Kernel, Best, OS).write();
  }
  return Text;
}
