//===- Signatures.cpp - What can be launched, and with what --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Model/AstUtil.h"
#include "Collect.h"
#include "Written.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/PrettyPrinter.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

std::string mangledName(const FunctionDecl *Kernel) {
  ASTContext &Context = Kernel->getASTContext();
  std::unique_ptr<MangleContext> Mangler(Context.createMangleContext());
  if (!Mangler->shouldMangleDeclName(Kernel))
    return Kernel->getNameAsString();
  std::string Name;
  raw_string_ostream Stream(Name);
  Mangler->mangleName(GlobalDecl(Kernel, KernelReferenceKind::Kernel), Stream);
  return Name;
}

namespace {

PrintingPolicy policy(const ASTContext &Context) {
  PrintingPolicy P(Context.getLangOpts());
  P.SuppressTagKeyword = true;
  P.Bool = true;
  return P;
}

std::string kernelName(const FunctionDecl *F, const ASTContext &Context) {
  PrintingPolicy P = policy(Context);
  P.TerseOutput = true;
  std::string Name = F->getQualifiedNameAsString();
  // A name of an anonymous namespace cannot be written.
  StringRef Anonymous = "(anonymous namespace)::";
  for (size_t At; (At = Name.find(Anonymous.str())) != std::string::npos;)
    Name.erase(At, Anonymous.size());
  if (const TemplateArgumentList *Args = F->getTemplateSpecializationArgs()) {
    raw_string_ostream Stream(Name);
    printTemplateArgumentList(Stream, Args->asArray(), P);
  }
  return Name;
}

ElementType scalarType(QualType T, const ASTContext &Context) {
  ElementType E;
  using Kind = ElementType::Kind;
  T = T.getCanonicalType().getUnqualifiedType();
  E.BaseBytes = static_cast<unsigned>(Context.getTypeSizeInChars(T).getQuantity());
  if (const auto *Enum = T->getAsEnumDecl(); Enum && Enum->isComplete())
    T = Enum->getIntegerType().getCanonicalType();
  if (T->isBooleanType())
    E.Base = Kind::Bool;
  else if (T->isSignedIntegerType())
    E.Base = Kind::SignedInt;
  else if (T->isUnsignedIntegerType())
    E.Base = Kind::UnsignedInt;
  else if (T->isHalfType() || T->isFloat16Type())
    E.Base = Kind::Half;
  else if (T->isBFloat16Type())
    E.Base = Kind::BFloat16;
  else if (T->isSpecificBuiltinType(BuiltinType::Float))
    E.Base = Kind::Float;
  else if (T->isSpecificBuiltinType(BuiltinType::Double))
    E.Base = Kind::Double;
  else {
    E.Base = Kind::Bytes;
    E.Lanes = E.BaseBytes;
    E.BaseBytes = 1;
  }
  return E;
}

} // namespace

ElementType elementTypeOf(QualType T, const ASTContext &Context) {
  T = T.getCanonicalType().getUnqualifiedType();
  ElementType E;
  if (T->isVoidType() || T->isFunctionType() || T->isIncompleteType())
    return E;
  const auto *Record = T->getAsCXXRecordDecl();
  if (!Record)
    return scalarType(T, Context);
  uint64_t Bytes = Context.getTypeSizeInChars(T).getQuantity();
  E.Lanes = static_cast<unsigned>(Bytes);
  StringRef Name = Record->getIdentifier() ? Record->getName() : "";
  if (Name == "__half" || Name == "__nv_bfloat16") {
    E.Base = Name == "__half" ? ElementType::Kind::Half : ElementType::Kind::BFloat16;
    E.BaseBytes = 2;
    E.Lanes = 1;
    return E;
  }
  // float4, __half2, a struct of three floats: the same scalar throughout.
  std::optional<ElementType> Common;
  unsigned Members = 0;
  if (Record->isUnion() || Record->getNumBases() != 0)
    return E;
  for (const FieldDecl *Field : Record->fields()) {
    ElementType M = elementTypeOf(Field->getType(), Context);
    if (M.Base == ElementType::Kind::Bytes || Field->isBitField() ||
        (Common && (Common->Base != M.Base || Common->BaseBytes != M.BaseBytes)))
      return E;
    Members += M.Lanes;
    M.Lanes = 1;
    Common = M;
  }
  if (!Common || Common->BaseBytes * uint64_t(Members) != Bytes)
    return E;
  Common->Lanes = Members;
  return *Common;
}

namespace {

KernelParameter parameter(const ParmVarDecl *P, const ASTContext &Context,
                          LayoutCollector &Layouts) {
  PrintingPolicy Print = policy(Context);
  KernelParameter Result;
  Result.Name = P->getNameAsString();
  QualType T = P->getType();
  Result.Type = T.getAsString(Print);
  Result.Restrict = T.isRestrictQualified();
  if (T->isPointerType()) {
    QualType Pointee = T->getPointeeType();
    Result.IsPointer = true;
    Result.PointeeConst = Pointee.isConstQualified();
    T = Pointee;
  }
  Result.ElementName = T.getUnqualifiedType().getAsString(Print);
  Result.Element = elementTypeOf(T, Context);
  Result.Layout = Layouts.of(T);
  return Result;
}

/// The symbol of a function that is no kernel, of a constructor or destructor that of its body
/// alone.
std::string symbolOf(const FunctionDecl *F) {
  std::unique_ptr<MangleContext> Mangler(F->getASTContext().createMangleContext());
  GlobalDecl Of = isa<CXXConstructorDecl>(F)  ? GlobalDecl(cast<CXXConstructorDecl>(F), Ctor_Base)
                  : isa<CXXDestructorDecl>(F) ? GlobalDecl(cast<CXXDestructorDecl>(F), Dtor_Base)
                                              : GlobalDecl(F);
  if (!Mangler->shouldMangleDeclName(F))
    return F->getNameAsString();
  std::string Name;
  raw_string_ostream Stream(Name);
  Mangler->mangleName(Of, Stream);
  return Name;
}

struct Bodies : DynamicRecursiveASTVisitor {
  ASTContext &Context;
  std::map<std::string, DeviceModule::Body> Found;
  SmallPtrSet<const FunctionDecl *, 32> Instantiated; ///< patterns, canonical
  std::vector<std::pair<const FunctionDecl *, std::string>> Patterns;
  explicit Bodies(ASTContext &Context) : Context(Context) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool VisitFunctionDecl(FunctionDecl *F) override {
    const SourceManager &SM = Context.getSourceManager();
    if (!F->doesThisDeclarationHaveABody() || F->isImplicit() || F->isDefaulted() ||
        F->isInvalidDecl() || F->hasSkippedBody() ||
        !(F->hasAttr<CUDAGlobalAttr>() || F->hasAttr<CUDADeviceAttr>()) ||
        SM.isInSystemHeader(SM.getExpansionLoc(F->getLocation())))
      return true;
    if (const auto *Method = dyn_cast<CXXMethodDecl>(F); Method && Method->getParent()->isLambda())
      return true;
    if (!F->isTemplated())
      if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern()) {
        Instantiated.insert(Pattern->getCanonicalDecl());
        return true;
      }
    DeviceModule::Body B;
    B.Says = writtenFunction(F, Context);
    if (F->isTemplated()) {
      B.Name = F->getQualifiedNameAsString();
      // Several of a name differ in their types; those of which one only has other requirements are
      // taken together.
      std::string Key = B.Name + " " + F->getType().getAsString(policy(Context));
      Patterns.emplace_back(F->getCanonicalDecl(), Key);
      DeviceModule::Body &To = Found[Key];
      B.Says = To.Says + B.Says;
      To = std::move(B);
      return true;
    }
    B.Symbol = F->hasAttr<CUDAGlobalAttr>() ? mangledName(F) : symbolOf(F);
    B.Name = demangle(B.Symbol);
    const std::string Key = "@" + B.Symbol;
    Found[Key] = std::move(B);
    return true;
  }
  bool TraverseStmt(Stmt *) override { return true; }
};

struct Kernels : DynamicRecursiveASTVisitor {
  std::vector<const FunctionDecl *> Found;
  Kernels() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = false;
  }
  bool VisitFunctionDecl(FunctionDecl *F) override {
    if (F->hasAttr<CUDAGlobalAttr>() && F->isThisDeclarationADefinition() && F->hasBody() &&
        !F->isDependentContext() && !F->isInvalidDecl())
      Found.push_back(F);
    return true;
  }
  // There are no kernels in statements, and most of the tree is statements.
  bool TraverseStmt(Stmt *) override { return true; }
};

} // namespace

std::vector<KernelSignature> collectKernels(ASTContext &Context, std::vector<TypeLayout> &To) {
  LayoutCollector Layouts(Context, To);
  Kernels V;
  V.TraverseDecl(Context.getTranslationUnitDecl());
  std::vector<KernelSignature> Result;
  for (const FunctionDecl *F : V.Found) {
    KernelSignature K;
    K.Name = kernelName(F, Context);
    K.Mangled = mangledName(F);
    PresumedLoc Loc = Context.getSourceManager().getPresumedLoc(F->getLocation());
    K.Line = Loc.isValid() ? Loc.getLine() : 0;
    for (const ParmVarDecl *P : F->parameters())
      K.Parameters.push_back(parameter(P, Context, Layouts));
    if (const auto *Bounds = F->getAttr<CUDALaunchBoundsAttr>())
      if (auto Threads = constantValue(Bounds->getMaxThreads(), Context); Threads && *Threads > 0)
        K.MaxThreads = static_cast<unsigned>(*Threads);
    K.Shared = sharedDemand(F, Context);
    K.TileLoops = tileLoops(F, Context);
    for (KernelSignature &Other : Result)
      if (Other.Name == K.Name && Other.Mangled != K.Mangled)
        Other.Overloaded = K.Overloaded = true;
    Result.push_back(std::move(K));
  }
  return Result;
}

std::map<std::string, DeviceModule::Body> collectBodies(ASTContext &Context) {
  Bodies V(Context);
  V.TraverseDecl(Context.getTranslationUnitDecl());
  for (const auto &[Pattern, Key] : V.Patterns)
    V.Found[Key].Instantiated |= V.Instantiated.count(Pattern) != 0;
  return std::move(V.Found);
}

} // namespace cuda_pipeline
