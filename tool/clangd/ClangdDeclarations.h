//===- ClangdDeclarations.h - What of clangd is used here -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// clangd's libraries are installed, its headers are not. These are the parts of its interfaces
/// that a feature module with code actions needs, as LLVM 22.1 has them: each class with all of its
/// virtual functions in their order, and its data members as far as they are used
/// (clang-tools-extra/clangd: FeatureModule.h, LSPBinder.h, refactor/Tweak.h, SourceCode.h,
/// Protocol.h, URI.h, ParsedAST.h). Nothing checks them against the library but the tests of
/// test/Clangd.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TOOL_CLANGDDECLARATIONS_H
#define CUDA_PIPELINE_TOOL_CLANGDDECLARATIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Registry.h"
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang::clangd {

template <typename T> using Callback = llvm::unique_function<void(llvm::Expected<T>)>;

struct Position {
  int line = 0, character = 0;
};
/// In the units that the editor counts columns in; in a call of clangd's.
Position offsetToPosition(llvm::StringRef Code, size_t Offset);

class URI {
public:
  static URI createFile(llvm::StringRef AbsolutePath);
  std::string toString() const;

private:
  std::string Scheme, Authority, Body;
};

class ParsedAST {
public:
  ASTContext &getASTContext();
};

class SymbolIndex;
class ThreadsafeFS;
class TUScheduler;

struct Edit {
  tooling::Replacements Replacements;
  std::string InitialCode;
};

/// A code action.
class Tweak {
public:
  struct Selection {
    Selection() = delete; // it has more members
    llvm::StringRef Code;
    const SymbolIndex *Index;
    ParsedAST *AST;
    SourceLocation Cursor;
    unsigned SelectionBegin, SelectionEnd;
  };
  struct Effect {
    std::optional<std::string> ShowMessage;
    llvm::StringMap<Edit> ApplyEdits;
    bool FormatEdits = true;
  };
  virtual ~Tweak() = default;
  virtual const char *id() const = 0;
  virtual bool prepare(const Selection &Of) = 0;
  virtual llvm::Expected<Effect> apply(const Selection &Of) = 0;
  virtual std::string title() const = 0;
  virtual llvm::StringLiteral kind() const = 0;
  virtual bool hidden() const { return false; }
};

class LSPBinder {
public:
  struct RawHandlers;
  /// To the editor, from any thread.
  class RawOutgoing {
  public:
    virtual ~RawOutgoing() = default;
    virtual void callMethod(llvm::StringRef Method, llvm::json::Value Params,
                            Callback<llvm::json::Value> Reply) = 0;
    virtual void notify(llvm::StringRef Method, llvm::json::Value Params) = 0;
  };
  RawHandlers &In;
  RawOutgoing &Out;
};

class Deadline {
public:
  enum Kind { Zero, Infinite, Finite };
  Kind Type;
  std::chrono::steady_clock::time_point Time;
};

class FeatureModule {
public:
  virtual ~FeatureModule() {}
  virtual void initializeLSP(LSPBinder &Bind, const llvm::json::Object &ClientCaps,
                             llvm::json::Object &ServerCaps) {}
  struct Facilities {
    TUScheduler &Scheduler;
    const SymbolIndex *Index;
    const ThreadsafeFS &FS;
  };
  virtual void stop() {}
  virtual bool blockUntilIdle(Deadline) { return true; }
  virtual void contributeTweaks(std::vector<std::unique_ptr<Tweak>> &Out) {}
  struct ASTListener;
  virtual std::unique_ptr<ASTListener> astListeners();

private:
  std::optional<Facilities> Given;
};

struct FeatureModule::ASTListener {
  virtual ~ASTListener() = default;
};
inline std::unique_ptr<FeatureModule::ASTListener> FeatureModule::astListeners() { return nullptr; }

using FeatureModuleRegistry = llvm::Registry<FeatureModule>;

} // namespace clang::clangd

#endif
