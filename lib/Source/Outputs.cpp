//===- Outputs.cpp - Reading a file writes none ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The flags of a compilation database are somebody else's. Those for Clang's front end can name
/// files to write, and libraries to load. Here all of that is cleared, after the flags were
/// understood: what is kept is listed, not what goes, wherever that can be.
///
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/Source.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;

namespace cuda_pipeline {

void clearOutputs(CompilerInvocation &Compiler) {
  FrontendOptions Front;
  const FrontendOptions &Old = Compiler.getFrontendOpts();
  Front.Inputs = Old.Inputs;
  Front.DashX = Old.DashX;
  Front.AuxTriple = Old.AuxTriple;
  Front.AuxTargetCPU = Old.AuxTargetCPU;
  Front.AuxTargetFeatures = Old.AuxTargetFeatures;
  Front.DisableFree = Old.DisableFree;
  Front.ProgramAction = frontend::ParseSyntaxOnly;
  Compiler.getFrontendOpts() = Front;

  Compiler.getDependencyOutputOpts() = DependencyOutputOptions();

  DiagnosticOptions &Diags = Compiler.getDiagnosticOpts();
  Diags.DiagnosticLogFile.clear();
  Diags.DiagnosticSerializationFile.clear();
  Diags.VerifyDiagnostics = false;

  // Modules are built into a folder, and precompiled headers are trusted.
  LangOptions &Lang = Compiler.getLangOpts();
  Lang.Modules = Lang.ImplicitModules = false;
  Lang.setCompilingModule(LangOptions::CMK_None);
  HeaderSearchOptions &Search = Compiler.getHeaderSearchOpts();
  Search.ModuleCachePath.clear();
  Search.PrebuiltModuleFiles.clear();
  Search.PrebuiltModulePaths.clear();
  Search.ImplicitModuleMaps = false;
  PreprocessorOptions &PP = Compiler.getPreprocessorOpts();
  PP.ImplicitPCHInclude.clear();
  PP.ChainedIncludes.clear();

  CodeGenOptions &Code = Compiler.getCodeGenOpts();
  for (std::string *File :
       {&Code.CoverageDataFile, &Code.CoverageNotesFile, &Code.DIBugsReportFilePath,
        &Code.SplitDwarfFile, &Code.SplitDwarfOutput, &Code.InstrProfileOutput,
        &Code.MemoryProfileOutput, &Code.ThinLTOIndexFile, &Code.ThinLinkBitcodeFile,
        &Code.SaveTempsFilePrefix, &Code.CudaGpuBinaryFileName, &Code.OptRecordFile,
        &Code.StackUsageOutput, &Code.AsSecureLogFile})
    File->clear();
  Code.PassPlugins.clear();
  Code.LinkBitcodeFiles.clear();
  Code.OffloadObjects.clear();
}

} // namespace cuda_pipeline
