//===- Planted.cpp - A program that makes the mistake that it is told -------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// In place of a program's own main(): takes the argument --plant-bug=ID out, makes that mistake
/// (lib/Mutate), and goes on as the program does. What the program starts makes the same mistake;
/// the id is handed on in the environment.
///
//===----------------------------------------------------------------------===//

#include "../ProgramMain.h"
#include "Mutate/Mutate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

constexpr char Variable[] = "CPR_PLANT_BUG";

int main(int Argc, char **Argv) {
  std::vector<char *> Args(Argv, Argv + Argc);
  erase_if(Args, [](StringRef Word) {
    const bool Is = Word.consume_front("--plant-bug=");
    if (Is)
      setenv(Variable, Word.str().c_str(), /*replace=*/1);
    return Is;
  });
  std::unique_ptr<const cuda_pipeline::LoopMutator> Planted;
  if (const char *Id = getenv(Variable)) {
    Planted = cuda_pipeline::mutatorFor(Id);
    if (!Planted) {
      errs() << "error: --plant-bug=" << Id
             << ": not one of PlantedBugs.def, and no OPERATOR@PLACE\n";
      return 2;
    }
  }
  cuda_pipeline::MutatorOfTests = Planted.get();
  const int Count = int(Args.size());
  Args.push_back(nullptr);
  return cuda_pipeline::programMain(Count, Args.data());
}
