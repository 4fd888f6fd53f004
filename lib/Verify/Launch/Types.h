//===- Types.h - Element types and values of launch descriptions ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What lies between the words of a description ("half", "0.1") and bytes in memory. elementType()
/// of Launch.h is implemented here, too.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_LAUNCH_TYPES_H
#define CUDA_PIPELINE_VERIFY_LAUNCH_TYPES_H

#include "Verify/Launch/Expression.h"
#include "Verify/Launch/Fill.h"
#include "cuda-pipeline/DeviceModule.h"
#include "cuda-pipeline/Launch.h"
#include "llvm/ADT/APFloat.h"

namespace cuda_pipeline {
namespace launch {

bool isFloating(ElementType::Kind K);
bool isInteger(ElementType::Kind K);

/// CUDA's alignment of a value of this type in a struct: float4 16, float3 4, bytes:N 1.
unsigned alignment(const ElementType &T);

/// The numbers of a component's type that a description may name. Both bounds are inclusive.
void integerRange(const ElementType &T, int64_t &Low, uint64_t &High);

/// A name that elementType() knows: "float4", "unsigned", "bytes:28"; empty: there is none for it.
std::string typeName(const ElementType &T);

/// "a float", "a signed integer of 2 bytes": for messages.
std::string describe(const ElementType &T);

/// What a message lists where a type name is not known.
llvm::StringRef knownTypes();

/// A floating-point literal: "0.5", "-1e-3f", "inf", "nan". None: it is an expression or nonsense.
std::optional<llvm::APFloat> floatLiteral(llvm::StringRef Text);

/// Appends one component of type \p T: \p Text is a literal or an expression over \p Known. Errors
/// are phrases without a place.
llvm::Error appendComponent(const ElementType &T, llvm::StringRef Text, const Names &Known,
                            std::vector<uint8_t> &Bytes);

/// \p Text as a double without rounding, for bounds of fills.
llvm::Expected<double> number(llvm::StringRef Text, const Names &Known);

/// The same in the words of Fill.h.
fill::Spec fillSpec(const ElementType &T, const BufferFill &F);

} // namespace launch
} // namespace cuda_pipeline

#endif
