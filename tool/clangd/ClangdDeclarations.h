//===- ClangdDeclarations.h - What of clangd is used here -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// clangd's libraries are installed, its headers are not. These are the parts of its interfaces
/// that a feature module with code actions needs, and diagnostics that are given later than others,
/// as LLVM 22.1 has them: each class with all of its virtual functions in their order, and its data
/// members as far as they are used (clang-tools-extra/clangd: FeatureModule.h, LSPBinder.h,
/// refactor/Tweak.h, SourceCode.h, Protocol.h, URI.h, ParsedAST.h, Diagnostics.h, ClangdServer.h,
/// support/Context.h). Nothing checks them against the library but the tests of
/// test/Clangd.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TOOL_CLANGDDECLARATIONS_H
#define CUDA_PIPELINE_TOOL_CLANGDDECLARATIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Registry.h"
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang::tidy {
class ClangTidyContext;
}

namespace clang::clangd {

template <typename T> using Callback = llvm::unique_function<void(llvm::Expected<T>)>;

struct Position {
  int line = 0, character = 0;
};
/// In the units that the editor counts columns in; in a call of clangd's.
Position offsetToPosition(llvm::StringRef Code, size_t Offset);

struct Range {
  Position start, end;
};

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
class GlobalCompilationDatabase;
struct TUStatus;
class BackgroundQueue {
public:
  struct Stats;
};

/// What a thread works on: among others, how the editor counts columns.
class Context {
public:
  static const Context &current();
  static Context swapCurrent(Context With);
  Context(Context &&) = default;
  Context &operator=(Context &&) = default;
  Context clone() const { return Context(DataPtr); }

private:
  struct Data;
  Context(std::shared_ptr<const Data> DataPtr) : DataPtr(std::move(DataPtr)) {}
  std::shared_ptr<const Data> DataPtr;
};

//===--- Diagnostics ------------------------------------------------------------===//

struct TextEdit {
  Range range;
  std::string newText, annotationId;
};
struct ChangeAnnotation {
  std::string label;
  std::optional<bool> needsConfirmation;
  std::string description;
};
enum DiagnosticTag { Unnecessary = 1, Deprecated = 2 };

struct DiagBase {
  std::string Message;
  std::string File;
  std::optional<std::string> AbsFile;
  clangd::Range Range;
  DiagnosticsEngine::Level Severity = DiagnosticsEngine::Note;
  std::string Category;
  bool InsideMainFile = false;
  unsigned ID = 0;
  llvm::json::Object OpaqueData;
};
struct Fix {
  std::string Message;
  llvm::SmallVector<TextEdit, 1> Edits;
  llvm::SmallVector<std::pair<std::string, ChangeAnnotation>> Annotations;
};
struct Note : DiagBase {};
struct Diag : DiagBase {
  std::string Name;
  enum DiagSource { Unknown, Clang, ClangTidy, Clangd, ClangdConfig } Source = Unknown;
  std::vector<Note> Notes;
  std::vector<Fix> Fixes;
  llvm::SmallVector<DiagnosticTag, 1> Tags;
};

/// Makes Diags of Clang's diagnostics.
class StoreDiags : public DiagnosticConsumer {
public:
  std::vector<Diag> take(const tidy::ClangTidyContext *Tidy = nullptr);
  void BeginSourceFile(const LangOptions &Opts, const Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) override;

private:
  std::function<std::vector<Fix>(DiagnosticsEngine::Level, const clang::Diagnostic &)> Fixer;
  std::function<DiagnosticsEngine::Level(DiagnosticsEngine::Level, const clang::Diagnostic &)>
      Adjuster;
  std::function<void(const clang::Diagnostic &, clangd::Diag &)> DiagCB;
  std::vector<Diag> Output;
  std::optional<LangOptions> LangOpts;
  std::optional<Diag> LastDiag;
  std::optional<FullSourceLoc> LastDiagLoc;
  bool LastDiagOriginallyError = false;
  SourceManager *OrigSrcMgr = nullptr;
  llvm::DenseSet<std::pair<unsigned, unsigned>> IncludedErrorLocations;
};

//===--- The server -------------------------------------------------------------===//

enum class WantDiagnostics { Yes, No, Auto };

class ClangdServer {
public:
  struct Options;
  class Callbacks {
  public:
    virtual ~Callbacks() = default;
    virtual void onDiagnosticsReady(llvm::StringRef File, llvm::StringRef Version,
                                    llvm::ArrayRef<Diag> Diagnostics) {}
    virtual void onFileUpdated(llvm::StringRef File, const TUStatus &Status) {}
    virtual void onBackgroundIndexProgress(const BackgroundQueue::Stats &Stats) {}
    virtual void onSemanticsMaybeChanged(llvm::StringRef File) {}
    virtual void onInactiveRegionsReady(llvm::StringRef File, std::vector<Range> InactiveRegions) {}
  };
  std::shared_ptr<const std::string> getDraft(llvm::StringRef File) const;
};

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
