//===- OtherMeanings.h - Names that mean something else in another build ---===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `#ifdef HALF`, `using real = __half;`, `#define TO_FLOAT(x) __half2float(x)`, `#else`, `using
/// real = float;`,
/// `#define TO_FLOAT(x) (x)`: the syntax tree shows one of the two, and the other is that of a
/// build that nobody has named. What is written has to be right in that one, too, or must not
/// compile there.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_OTHERMEANINGS_H
#define CUDA_PIPELINE_LIB_MODEL_OTHERMEANINGS_H

#include "AstUtil.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// Of the user's files, all lines of them; read when first asked.
class OtherMeanings {
public:
  explicit OtherMeanings(const clang::ASTContext &Context) : Context(Context) {}

  /// The macro, or the alias of a type, is defined in more than one place, or where it is not yet.
  bool has(llvm::StringRef Name) const;
  /// A name between the two, of one file, may mean something else right there, or one in a macro
  /// that stands there, and so on. A macro that every build has defined there, with the same text
  /// wherever it is defined at all, means the same.
  bool hasIn(clang::SourceLocation Begin, clang::SourceLocation End) const;
  /// One of several definitions of a macro, as the words in it.
  struct Definition {
    std::string Name;
    std::set<std::string> Parameters, Body;
    bool Pastes = false; ///< words together, which may become any
  };
  /// Of the macros between the two that have several, or are not defined in each build, and of
  /// those in these.
  std::vector<Definition> definitionsIn(clang::SourceLocation Begin,
                                        clang::SourceLocation End) const;
  /// An alias by which \p T is spelled is, or a macro that says what it is.
  bool has(clang::QualType T) const;
  /// A macro out of which what is at \p At comes is.
  bool hasMacro(clang::SourceLocation At) const;
  /// A macro in whose argument \p E stands as a whole, so that the text of \p E is without it;
  /// empty: there is none that has another meaning.
  std::string macroAround(const clang::Expr *E) const;

  /// A number that \p E has may be another one there: a macro in it, or in what a variable is given
  /// that it names, has another meaning.
  bool hasNumber(const clang::Expr *E, unsigned Depth = 0) const;
  /// \p Function, or what it is made of, may be another one there: variables with what they are
  /// given, called functions with their bodies, types; the user's own. Lines of the preprocessor in
  /// one of them, but for pragmas, are reason enough.
  bool hasFunction(const clang::FunctionDecl *Function) const;
  /// \p At is in a branch of the preprocessor that \p From is not in: a build may have the one
  /// without the other. The guard of a header is none.
  static bool isInBranch(clang::SourceLocation At, clang::SourceLocation From,
                         const clang::ASTContext &Context);

private:
  /// What the user's files say of a name.
  struct Sayings {
    struct Directive {
      clang::SourceLocation At; ///< of the name
      bool IsDefine;            ///< else #undef
      std::string Text = {};    ///< behind the name, token by token
      bool pastes() const { return llvm::StringRef(Text).contains("##"); }
    };
    std::vector<Directive> Directives;
    unsigned Others = 0; ///< questions for it, and types of this name
    unsigned count() const { return unsigned(Directives.size()) + Others; }
  };
  /// Of one file, \p Into.
  static void read(clang::FileID File, const clang::SourceManager &SM,
                   const clang::LangOptions &Options, llvm::StringMap<Sayings> &Into);
  const Sayings *sayingsOf(llvm::StringRef Name) const;
  /// Calls \p Do for what is said of a name between the two, and where that stands, until it
  /// returns true. False: these are no places of one file.
  bool visitNames(
      clang::SourceLocation Begin, clang::SourceLocation End,
      llvm::function_ref<bool(llvm::StringRef, const Sayings &, clang::SourceLocation)> Do) const;
  bool variesAt(const Sayings &Of, clang::SourceLocation At) const;

  const clang::ASTContext &Context;
  mutable std::optional<llvm::StringMap<Sayings>> Names;
};

} // namespace cuda_pipeline

#endif
