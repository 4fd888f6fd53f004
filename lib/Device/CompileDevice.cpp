//===- CompileDevice.cpp - From a .cu file to device code ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/CompileDevice.h"
#include "../Source/ClangInvocation.h"
#include "Collect.h"
#include "clang/Basic/Stack.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Looks at the tree when all of it is there, before the tree goes.
class Collector : public ASTConsumer {
public:
  explicit Collector(DeviceModule &Result) : Result(Result) {}
  void HandleTranslationUnit(ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    Result.Kernels = collectKernels(Context);
    Result.Launches = collectLaunches(Context);
  }

private:
  DeviceModule &Result;
};

/// Generates code and stops there. (Clang's own actions go on to the NVPTX back end, or at least set
/// it up.)
class GenerateCode : public ASTFrontendAction {
public:
  GenerateCode(LLVMContext &Context, DeviceModule &Result) : Context(Context), Result(Result) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef File) override {
    auto Owned = CreateLLVMCodeGen(CI, File, Context);
    Generator = Owned.get();
    std::vector<std::unique_ptr<ASTConsumer>> Both;
    Both.push_back(std::make_unique<Collector>(Result));
    Both.push_back(std::move(Owned));
    return std::make_unique<MultiplexConsumer>(std::move(Both));
  }
  void EndSourceFileAction() override {
    if (!getCompilerInstance().getDiagnostics().hasErrorOccurred())
      Module.reset(Generator->ReleaseModule().release());
  }

  std::unique_ptr<llvm::Module> Module;

private:
  LLVMContext &Context;
  DeviceModule &Result;
  CodeGenerator *Generator = nullptr;
};

/// Lines that name the kernels, so that Clang instantiates them. An error in one is reported at a
/// place that says where the name came from.
std::string instantiations(ArrayRef<std::string> Names) {
  std::string Text = "\n";
  for (size_t I = 0; I != Names.size(); ++I) {
    std::string Escaped;
    for (char C : Names[I])
      Escaped += C == '"' || C == '\\' || C == '\n' ? '\'' : C;
    Text += "#line 1 \"kernel '" + Escaped + "' of the launch description\"\n";
    Text += "auto __cpr_instantiate_" + std::to_string(I) + " = &" + Names[I] + ";\n";
  }
  return Text;
}

Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

} // namespace

Expected<DeviceModule> compileDevice(const ParseRequest &UserRequest,
                                     ArrayRef<std::string> Instantiate,
                                     std::string &Diagnostics) {
  noteBottomOfStack();
  ParseRequest Request = UserRequest;
  Request.Cuda.reset();
  if (!Instantiate.empty()) {
    if (!Request.Contents) {
      auto Buffer = MemoryBuffer::getFile(Request.File);
      if (!Buffer)
        return failure(Request.File + ": " + Buffer.getError().message());
      Request.Contents = (*Buffer)->getBuffer().str();
    }
    *Request.Contents += instantiations(Instantiate);
  }

  raw_string_ostream Messages(Diagnostics);
  DiagnosticOptions DiagOptions;
  DiagOptions.ShowPresumedLoc = true; // of the lines that name the kernels
  TextDiagnosticPrinter Printer(Messages, DiagOptions);
  std::optional<ClangInvocation> Made = makeInvocation(Request, Reading::ToRun, &Printer);
  if (!Made)
    return failure(Request.File + ": the flags are not understood");

  DeviceModule Result;
  LLVMContext Context;
  // The driver asks cc1 to leave the memory to the end of the process, which is not near here.
  Made->Compiler->getFrontendOpts().DisableFree = false;
  Made->Compiler->getCodeGenOpts().DisableFree = false;
  CompilerInstance Compiler(Made->Compiler);
  Compiler.setVirtualFileSystem(Made->Files);
  Compiler.setDiagnostics(Made->Diags);
  Compiler.createFileManager();
  GenerateCode Action(Context, Result);
  // Clang itself may crash in its code generation, which the analysis of the same file never enters.
  bool Worked = false;
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Guard;
  if (!Guard.RunSafely([&] { Worked = Compiler.ExecuteAction(Action) && !Made->Diags->hasErrorOccurred(); })) {
    CrashRecoveryContext::Disable();
    return failure(Request.File + ": Clang crashes on it while compiling for emulation; try --engine=gpu");
  }
  CrashRecoveryContext::Disable();
  if (!Worked || !Action.Module)
    return failure(Request.File + ": does not compile for emulation");

  raw_string_ostream Stream(Result.Bitcode);
  WriteBitcodeToFile(*Action.Module, Stream);
  Stream.flush();
  return Result;
}

} // namespace cuda_pipeline
