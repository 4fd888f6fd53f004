//===- ParsedFile.h - A CUDA file in memory, parsed for a test ------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What the tests of the libraries behind Source share: parses a text with the bundled declarations
/// and finds variables, functions and loops in it by name.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_UNITTESTS_PARSEDFILE_H
#define CUDA_PIPELINE_UNITTESTS_PARSEDFILE_H

#include "cuda-pipeline/Source.h"
#include "cuda-pipeline/TileModel.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <map>

namespace cuda_pipeline {

/// The text of a file, relative to the directory of the test.
inline std::string readFile(llvm::StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    llvm::report_fatal_error("cannot read " + Path);
  return (*Buffer)->getBuffer().str();
}

class ParsedFile {
public:
  explicit ParsedFile(llvm::StringRef Code, llvm::StringRef Arch = "sm_80") {
    ParseRequest Request;
    Request.File = "test.cu";
    Request.Arch = Arch.str();
    Request.Contents = Code.str();
    clang::TextDiagnosticBuffer Messages;
    Unit = parse(Request, &Messages);
    // The test itself is wrong.
    if (Messages.err_begin() != Messages.err_end())
      llvm::report_fatal_error(llvm::Twine("test.cu: ") + Messages.err_begin()->second);
    Names Visitor{Vars, Functions};
    for (auto I = Unit->top_level_begin(); I != Unit->top_level_end(); ++I)
      if (Unit->getSourceManager().isInMainFile((*I)->getLocation()))
        Visitor.TraverseDecl(*I);
    Loops = findLoops(context()).InMainFile;
  }

  clang::ASTContext &context() const { return Unit->getASTContext(); }

  const clang::VarDecl *var(const std::string &Name) const {
    auto It = Vars.find(Name);
    if (It == Vars.end())
      llvm::report_fatal_error(llvm::Twine("no variable ") + Name);
    return It->second;
  }
  /// What the variable \p Name is initialised with.
  const clang::Expr *value(const std::string &Name) const { return var(Name)->getInit(); }

  const clang::FunctionDecl *function(const std::string &Name) const {
    auto It = Functions.find(Name);
    if (It == Functions.end())
      llvm::report_fatal_error(llvm::Twine("no function ") + Name);
    return It->second;
  }

  /// The first loop of the kernel \p Name.
  const KLoop &loop(llvm::StringRef Name) const {
    for (const KLoop &L : Loops)
      if (L.Kernel == Name)
        return L;
    llvm::report_fatal_error("no loop in " + Name);
  }
  TileModel model(llvm::StringRef Name) const { return buildTileModel(loop(Name), context()); }
  TileModel model() const {
    if (Loops.size() != 1)
      llvm::report_fatal_error("not one loop");
    return buildTileModel(Loops.front(), context());
  }

  std::vector<KLoop> Loops;

private:
  /// The first of each name.
  struct Names : clang::ConstDynamicRecursiveASTVisitor {
    std::map<std::string, const clang::VarDecl *> &Vars;
    std::map<std::string, const clang::FunctionDecl *> &Functions;
    Names(decltype(Vars) V, decltype(Functions) F) : Vars(V), Functions(F) {}
    bool VisitVarDecl(const clang::VarDecl *V) override {
      Vars.emplace(V->getNameAsString(), V);
      return true;
    }
    bool VisitFunctionDecl(const clang::FunctionDecl *F) override {
      if (F->doesThisDeclarationHaveABody())
        Functions.emplace(F->getNameAsString(), F);
      return true;
    }
  };

  std::shared_ptr<clang::ASTUnit> Unit;
  std::map<std::string, const clang::VarDecl *> Vars;
  std::map<std::string, const clang::FunctionDecl *> Functions;
};

/// The ids of refusals, in order, without repetitions: "may-alias tile-written".
inline std::string ids(llvm::ArrayRef<Refusal> Refusals) {
  std::vector<std::string> Out;
  for (const Refusal &R : Refusals)
    if (!llvm::is_contained(Out, info(R.Why).Id.str()))
      Out.push_back(info(R.Why).Id.str());
  return llvm::join(Out, " ");
}

} // namespace cuda_pipeline

#endif
