//===- Layouts.cpp - What a type consists of ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Collect.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// CUDA's own, such as float4 and __half2: numbers that belong together.
static bool isCudaType(const CXXRecordDecl *Record, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return Record->isInStdNamespace() ||
         SM.isInSystemHeader(SM.getExpansionLoc(Record->getLocation()));
}

void LayoutCollector::add(QualType T, uint64_t Offset, const std::string &Name,
                          std::vector<TypeLayout::Leaf> &Leaves) {
  constexpr uint64_t MostLeaves = 256; // a struct with more is filled with bytes from there on
  if (Leaves.size() >= MostLeaves || T->isIncompleteType() || T->isVoidType() ||
      T->isFunctionType())
    return;
  T = T.getCanonicalType().getUnqualifiedType();
  if (const auto *Array = Context.getAsConstantArrayType(T)) {
    const uint64_t Count = Array->getZExtSize();
    const uint64_t Bytes = Context.getTypeSizeInChars(Array->getElementType()).getQuantity();
    std::vector<TypeLayout::Leaf> One;
    add(Array->getElementType(), Offset, Name + "[]", One);
    // Numbers in a row are one leaf; what is more than that is repeated.
    if (One.size() == 1 && !One[0].IsPointer && One[0].Count * One[0].Element.bytes() == Bytes &&
        Count > 16) {
      One[0].Count *= Count;
      Leaves.push_back(std::move(One[0]));
      return;
    }
    for (uint64_t I = 0; I != Count && Leaves.size() < MostLeaves; ++I)
      add(Array->getElementType(), Offset + I * Bytes, Name + "[" + std::to_string(I) + "]",
          Leaves);
    return;
  }
  TypeLayout::Leaf L;
  L.Name = Name;
  L.Offset = Offset;
  if (T->isAnyPointerType() || T->isReferenceType() || T->isNullPtrType()) {
    L.IsPointer = true;
    L.Element.Lanes = 8;
    if (!T->isNullPtrType())
      L.Pointee = of(T->getPointeeType());
    Leaves.push_back(std::move(L));
    return;
  }
  L.Element = elementTypeOf(T, Context);
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  const bool Numbers = L.Element.Base != ElementType::Kind::Bytes;
  const bool Integers = L.Element.Base == ElementType::Kind::SignedInt ||
                        L.Element.Base == ElementType::Kind::UnsignedInt ||
                        L.Element.Base == ElementType::Kind::Bool;
  if (!Record || Record->isUnion() || (Numbers && (!Integers || isCudaType(Record, Context)))) {
    Leaves.push_back(std::move(L));
    return;
  }
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(Record);
  for (const CXXBaseSpecifier &Base : Record->bases())
    if (const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl(); Of && !Base.isVirtual())
      add(Base.getType(), Offset + Layout.getBaseClassOffset(Of).getQuantity(), Name, Leaves);
  for (const FieldDecl *Field : Record->fields())
    if (!Field->isBitField())
      add(Field->getType(), Offset + Layout.getFieldOffset(Field->getFieldIndex()) / 8,
          Name + "." + Field->getNameAsString(), Leaves);
}

int LayoutCollector::of(QualType T) {
  T = T.getCanonicalType().getUnqualifiedType();
  if (T->isIncompleteType() || T->isVoidType() || T->isFunctionType() || T->isDependentType())
    return -1;
  auto [It, New] = Known.try_emplace(T.getTypePtr(), -1);
  if (!New)
    return It->second;
  TypeLayout L;
  L.Name = T.getAsString(Context.getPrintingPolicy());
  L.Bytes = std::max<uint64_t>(Context.getTypeSizeInChars(T).getQuantity(), 1);
  add(T, 0, "", L.Leaves);
  To.push_back(std::move(L));
  return Known[T.getTypePtr()] = static_cast<int>(To.size()) - 1;
}

} // namespace cuda_pipeline
