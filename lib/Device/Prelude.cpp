//===- Prelude.cpp - CUDA's declarations, read once for many files ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Prelude.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <mutex>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr llvm::StringLiteral HeaderPath = "/cuda-pipeline-rewrite/prelude.pch",
                              SourcePath = "/cuda-pipeline-rewrite/prelude.cu";

struct Preludes {
  std::mutex Lock;
  std::map<std::string, std::shared_ptr<PCHBuffer>> ByFlags;
};
Preludes &preludes() {
  static Preludes All;
  return All;
}

/// All that decides what is read, but for the file.
std::string flagsOf(const ClangInvocation &Invocation) {
  CompilerInvocation Copy(*Invocation.Compiler);
  FrontendOptions &Frontend = Copy.getFrontendOpts();
  Frontend.Inputs.clear();
  Frontend.OutputFile.clear();
  Frontend.SkipFunctionBodies = false;
  Copy.getCodeGenOpts().MainFileName.clear();
  Copy.getDiagnosticOpts() = DiagnosticOptions();
  std::string Key;
  for (const std::string &Arg : Copy.getCC1CommandLine())
    Key += Arg + '\0';
  if (ErrorOr<std::string> Folder = Invocation.Files->getCurrentWorkingDirectory())
    Key += *Folder;
  return Key;
}

void addFile(ClangInvocation &Invocation, StringRef Path, StringRef Contents) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(Path, /*ModificationTime=*/0,
                  MemoryBuffer::getMemBuffer(Contents, Path, /*RequiresNullTerminator=*/false));
  auto Both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(Invocation.Files);
  Both->pushOverlay(Memory);
  Invocation.Files = Both;
}

class Precompile : public ASTFrontendAction {
public:
  Precompile(std::shared_ptr<PCHBuffer> To,
             function_ref<std::unique_ptr<ASTConsumer>(ASTContext &)> Before)
      : To(std::move(To)), Before(Before) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    std::vector<std::unique_ptr<ASTConsumer>> All;
    All.push_back(Before(CI.getASTContext()));
    All.push_back(std::make_unique<PCHGenerator>(
        CI.getPreprocessor(), CI.getModuleCache(), HeaderPath, /*isysroot=*/"", To,
        CI.getCodeGenOpts(), ArrayRef<std::shared_ptr<ModuleFileExtension>>(),
        /*AllowASTWithErrors=*/false,
        /*IncludeTimestamps=*/false));
    return std::make_unique<MultiplexConsumer>(std::move(All));
  }
  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }

private:
  std::shared_ptr<PCHBuffer> To;
  function_ref<std::unique_ptr<ASTConsumer>(ASTContext &)> Before;
};

} // namespace

bool usePrelude(ClangInvocation &Invocation) {
  Preludes &All = preludes();
  const std::lock_guard<std::mutex> Guard(All.Lock);
  if (All.ByFlags.empty())
    return false;
  auto Found = All.ByFlags.find(flagsOf(Invocation));
  if (Found == All.ByFlags.end())
    return false;
  addFile(Invocation, HeaderPath,
          StringRef(Found->second->Data.data(), Found->second->Data.size()));
  addFile(Invocation, SourcePath, "\n"); // it is looked whether it is as it was
  // What the header has included is not included once more.
  Invocation.Compiler->getPreprocessorOpts().ImplicitPCHInclude = HeaderPath.str();
  return true;
}

void precompilePrelude(ClangInvocation Invocation,
                       function_ref<std::unique_ptr<ASTConsumer>(ASTContext &)> Before) {
  Preludes &All = preludes();
  const std::string Flags = flagsOf(Invocation);
  {
    const std::lock_guard<std::mutex> Guard(All.Lock);
    if (All.ByFlags.count(Flags))
      return;
  }
  addFile(Invocation, SourcePath, "\n");
  FrontendOptions &Frontend = Invocation.Compiler->getFrontendOpts();
  if (Frontend.Inputs.size() != 1)
    return;
  Frontend.Inputs = {FrontendInputFile(SourcePath, Frontend.Inputs.front().getKind())};
  Frontend.SkipFunctionBodies = false;
  Frontend.DisableFree = false;
  auto Made = std::make_shared<PCHBuffer>();
  CompilerInstance Compiler(Invocation.Compiler);
  Compiler.setVirtualFileSystem(Invocation.Files);
  Compiler.setDiagnostics(Invocation.Diags);
  Compiler.createFileManager();
  Precompile Action(Made, Before);
  bool Worked = false;
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Guarded;
  const bool Alive = Guarded.RunSafely([&] { Worked = Compiler.ExecuteAction(Action); });
  CrashRecoveryContext::Disable();
  // Without it everything goes as before, only slower.
  if (!Alive || !Worked || !Made->IsComplete || Invocation.Diags->hasErrorOccurred())
    return;
  const std::lock_guard<std::mutex> Guard(All.Lock);
  All.ByFlags.emplace(Flags, std::move(Made));
}

} // namespace cuda_pipeline
