//===- TemplatePattern.h - What a template's own text says of types -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// An instantiation has a type for everything; only the template's pattern knows which of them
/// another instantiation would have too. Both have the same source locations.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_TEMPLATEPATTERN_H
#define CUDA_PIPELINE_LIB_MODEL_TEMPLATEPATTERN_H

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include <map>
#include <vector>

namespace cuda_pipeline {

/// Where the pattern says whether the type of \p E depends on the arguments. An element of `float
/// S[N]` does not: the variable counts, as the pattern gives no type to parts of an array whose
/// extents depend on them.
clang::SourceRange typedPlace(const clang::Expr *E);

/// The templates that the instantiation \p Function is one of and stands in, with their arguments:
/// its class's, those further out, its own.
std::vector<
    std::pair<const clang::TemplateParameterList *, llvm::ArrayRef<clang::TemplateArgument>>>
templatesAround(const clang::FunctionDecl *Function);

class TemplatePattern {
public:
  /// Of a function that is no instantiation nothing is dependent.
  explicit TemplatePattern(const clang::FunctionDecl *Function);

  /// The expression at \p Where, or the variable that is declared at this single location (of an
  /// array its elements), has a type that depends on the template's arguments.
  bool isDependent(clang::SourceRange Where) const;

  /// Both have the same type in every instantiation.
  bool haveSameType(clang::SourceRange A, clang::SourceRange B) const;

  /// The part of \p E whose type is a parameter of the template, where that of \p E does not say
  /// so: what a cast to the same type has in it, and an arm of a conditional both of which are of
  /// it. Otherwise \p E.
  const clang::Expr *typedPart(const clang::Expr *E) const;

  /// The parameter `T` of this very template that \p Type is; null when it is another type.
  const clang::NamedDecl *ownParameter(clang::QualType Type) const;

private:
  const clang::FunctionDecl *Function;
  using Place = std::pair<unsigned, unsigned>;
  std::map<Place, const clang::Type *> Dependent; ///< canonical; null: not known in the pattern
};

/// A place where a template's text names a local variable and the instantiation's syntax tree does
/// not: in a type
/// (`decltype(t)`), in a template's argument, or in a branch that this instantiation leaves out.
struct HiddenMention {
  const clang::VarDecl *Var; ///< of the instantiation
  clang::SourceLocation Where;
};

struct HiddenMentions {
  std::vector<HiddenMention> All;
  explicit HiddenMentions(const clang::FunctionDecl *Instantiation);
};

/// What depends on the template's arguments in the text of the function.
struct ChosenByArguments {
  bool Any = false; ///< which statements there are, or which functions are called
  explicit ChosenByArguments(const clang::FunctionDecl *Instantiation);
};

/// Numbers in the function's text that types decide: `sizeof(T)`, `Traits<T>::Width`, a member of
/// the class template, and indices, conditions and integers that are computed in a type that
/// depends on the arguments.
struct NumbersOfTypes {
  bool Any = false;
  explicit NumbersOfTypes(const clang::FunctionDecl *Instantiation);
};

} // namespace cuda_pipeline

#endif
