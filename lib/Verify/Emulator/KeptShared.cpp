//===- KeptShared.cpp - Shared arrays that no compiler leaves out --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// nvcc leaves out an array in shared memory that is only written, whose values nobody uses, or
/// that each thread could have had in a register; ptxas then only those that nothing names. All of
/// that is LLVM's work, and a newer LLVM at its best finds more of these than nvcc's does: what is
/// left here is left by nvcc as well.
///
//===----------------------------------------------------------------------===//
#include "Program.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace cuda_pipeline {
namespace emulator {

static std::map<std::string, uint64_t> staticShared(const Module &M) {
  constexpr unsigned SharedSpace = 3; // NVPTX's
  std::map<std::string, uint64_t> Arrays;
  for (const GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == SharedSpace && !G.isDeclaration() && G.getValueType()->isSized())
      Arrays[G.getName().str()] =
          M.getDataLayout().getTypeAllocSize(G.getValueType()).getFixedValue();
  return Arrays;
}

Expected<StaticShared> staticShared(const DeviceModule &From, StringRef Kernel) {
  LLVMContext Ctx;
  Expected<std::unique_ptr<Module>> Parsed =
      parseBitcodeFile(MemoryBufferRef(From.Bitcode, "device code"), Ctx);
  if (!Parsed)
    return Parsed.takeError();
  Module &M = **Parsed;
  for (StringRef List : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *Used = M.getGlobalVariable(List))
      Used->eraseFromParent();
  for (GlobalValue &G : M.global_values())
    if (!G.isDeclaration() && G.getName() != Kernel && !G.getName().starts_with("llvm.")) {
      if (auto *Object = dyn_cast<GlobalObject>(&G))
        Object->setComdat(nullptr);
      G.setLinkage(GlobalValue::InternalLinkage);
    }
  // The code was made without optimisation, and says that it wants none.
  for (Function &F : M) {
    F.removeFnAttr(Attribute::OptimizeNone);
    if (!F.hasFnAttribute(Attribute::AlwaysInline))
      F.removeFnAttr(Attribute::NoInline);
  }
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CAM, MAM);
  GlobalDCEPass().run(M, MAM);
  StaticShared Result;
  Result.Declared = staticShared(M);
  PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(M, MAM);
  Result.Kept = staticShared(M);
  return Result;
}

} // namespace emulator
} // namespace cuda_pipeline
