//===- TemplateFacts.cpp - What was shown for some template arguments only ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TemplateFacts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

bool addType(TemplateArguments &To, const NamedDecl *Param, QualType T) {
  const auto *Tag = T->getAsTagDecl();
  if (!Param->getIdentifier())
    return true; // nothing can depend on it
  if (T->isDependentType() || T->isArrayType() || T->isFunctionType() ||
      (Tag && ((!Tag->getIdentifier() && !Tag->getTypedefNameForAnonDecl()) ||
               Tag->getParentFunctionOrMethod())))
    return false;
  PrintingPolicy Policy(Param->getASTContext().getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.SuppressUnwrittenScope = true;
  To.Types.emplace_back(Param->getName().str(), T.getCanonicalType().getAsString(Policy));
  return true;
}

bool addValue(TemplateArguments &To, const NamedDecl *Param, const TemplateArgument &Arg) {
  if (!Param->getIdentifier())
    return true;
  std::string Name = Param->getName().str();
  QualType T = Arg.getIntegralType();
  if (T->isBooleanType()) {
    To.Values.push_back(Arg.getAsIntegral().getBoolValue() ? Name : "!" + Name);
    return true;
  }
  SmallString<24> Value;
  Arg.getAsIntegral().toString(Value, 10);
  // An enumeration compares by its number.
  To.Values.push_back((T->isEnumeralType() ? "int(" + Name + ")" : Name) + " == " + Value.str().str());
  return true;
}

bool add(TemplateArguments &To, const TemplateParameterList &Params,
         ArrayRef<TemplateArgument> Args) {
  for (unsigned I = 0; I < Params.size(); ++I) {
    const NamedDecl *Param = Params.getParam(I);
    if (I >= Args.size() || Param->isParameterPack())
      return false;
    bool Good = Args[I].getKind() == TemplateArgument::Type ? addType(To, Param, Args[I].getAsType())
                : Args[I].getKind() == TemplateArgument::Integral ? addValue(To, Param, Args[I])
                                                                  : false;
    if (!Good)
      return false;
  }
  return true;
}

} // namespace

std::optional<TemplateArguments> templateArguments(const FunctionDecl *Function) {
  TemplateArguments Out;
  for (const DeclContext *D = Function->getDeclContext(); D; D = D->getParent())
    if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(D))
      if (!add(Out, *Class->getSpecializedTemplate()->getTemplateParameters(),
               Class->getTemplateArgs().asArray()))
        return std::nullopt;
  if (const FunctionTemplateDecl *Template = Function->getPrimaryTemplate())
    if (const TemplateArgumentList *Args = Function->getTemplateSpecializationArgs())
      if (!add(Out, *Template->getTemplateParameters(), Args->asArray()))
        return std::nullopt;
  return Out;
}

} // namespace cuda_pipeline
