//===- Infer.cpp - Launch descriptions from the launches in a file --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::launch;

namespace {

/// A description of one launch, or in \p Missing what is not a constant in it.
LaunchDescription describeLaunch(const KernelLaunch &Launch, const KernelSignature &Kernel,
                                 std::string &Missing) {
  LaunchDescription D;
  D.Kernel = Kernel.launchName();
  D.Line = Launch.Line;
  D.Cases.emplace_back();
  auto text = [&](const auto &Value) {
    return LaunchDescription::Expression{std::to_string(Value), Launch.Line};
  };
  auto lacks = [&](std::string What) {
    if (Missing.empty())
      Missing = std::move(What);
  };
  if (Launch.Grid && Launch.Block && Launch.SharedBytes) {
    for (unsigned I = 0; I < 3; ++I) {
      D.Grid.push_back(text((*Launch.Grid)[I]));
      D.Block.push_back(text((*Launch.Block)[I]));
    }
    D.Shared = text(*Launch.SharedBytes);
  } else {
    lacks(!Launch.Grid ? "the grid" : !Launch.Block ? "the block" : "the dynamic shared memory");
  }
  if (Launch.Arguments.size() != Kernel.Parameters.size())
    lacks("an argument that is left to its default");
  for (const auto &[Argument, P] : zip(Launch.Arguments, Kernel.Parameters)) {
    LaunchDescription::Argument A;
    // Unnamed parameters get their names from evaluate().
    A.Name = P.Name;
    if (any_of(D.Arguments, [&P = P](const auto &Earlier) { return Earlier.Name == P.Name; }))
      A.Name.clear();
    A.Line = Launch.Line;
    A.Offset = text(0);
    if (P.IsPointer) {
      A.IsBuffer = true;
      // Members of a struct are not known here: its bytes are random, which is seldom what a kernel
      // expects of floating-point numbers, but harmless where both versions get the same.
      A.TypeName = P.ElementName;
      if (!elementType(A.TypeName) || elementType(A.TypeName)->bytes() != P.Element.bytes())
        A.TypeName = formatv("bytes:{0}", P.Element.bytes()).str();
      if (Argument.Text == "nullptr" || Argument.Text == "NULL" || Argument.Text == "0") {
        A.Null = true;
      } else if (Argument.Bytes) {
        A.Count = text(*Argument.Bytes / P.Element.bytes());
        A.Role = P.PointeeConst ? BufferRole::Input : BufferRole::InOut;
      } else {
        lacks(formatv("the size of '{0}'", Argument.Text).str());
      }
    } else if (Argument.Value) {
      A.Values.push_back(text(*Argument.Value));
    } else if (isFloating(P.Element.Base) && P.Element.Lanes == 1 && floatLiteral(Argument.Text)) {
      A.Values.push_back({Argument.Text, Launch.Line});
    } else {
      lacks(formatv("the value of '{0}'", Argument.Text).str());
    }
    D.Arguments.push_back(std::move(A));
  }
  return D;
}

} // namespace

Expected<LaunchDescription> cuda_pipeline::inferLaunch(const DeviceModule &Module,
                                                       const KernelSignature &Kernel) {
  std::string FirstMissing;
  for (const KernelLaunch &Launch : Module.Launches) {
    if (Launch.Mangled != Kernel.Mangled)
      continue;
    std::string Missing;
    LaunchDescription D = describeLaunch(Launch, Kernel, Missing);
    if (Missing.empty())
      return D;
    if (FirstMissing.empty())
      FirstMissing = formatv("the launch of '{0}' in line {1} is no constant: {2} is not known",
                             Kernel.Name, Launch.Line, Missing)
                         .str();
  }
  if (FirstMissing.empty())
    FirstMissing =
        formatv("the file does not launch '{0}' (line {1})", Kernel.Name, Kernel.Line).str();
  return createStringError(FirstMissing);
}
