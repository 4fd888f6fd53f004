//===- NumberValues.h - Code that numbers what it computes ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A part of lowering (Lower.h), for runs that are to say something about all data: beside each
/// value that may come from memory its number is computed (ValueNumbers.h), loads and stores look
/// it up and leave it, and where data decide something this is reported. To be run when calls have
/// become those of the machine. What is not known (a call through a pointer, recursion) is a
/// decision of the kind Call.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_NUMBERVALUES_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_NUMBERVALUES_H

#include "ValueNumbers.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

namespace cuda_pipeline {
namespace emulator {

/// \p SiteOf: the number of an instruction's place.
void numberValues(llvm::Module &M, llvm::function_ref<Site(const llvm::Instruction *)> SiteOf);

/// Numbers are not handed on by calls: everything is to be one function, but for functions that
/// make one value of others and do nothing else. A call of one is an operation, whatever data
/// decide within. Which functions these are is seen when the others, and locals, are out of the
/// way: chooseInlining(), then the inliner and registers for locals, then keepPure(), and if that
/// returns true the same once more.
void chooseInlining(llvm::Module &M);
bool keepPure(llvm::Module &M);

} // namespace emulator
} // namespace cuda_pipeline

#endif
