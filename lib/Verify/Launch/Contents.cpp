//===- Contents.cpp - Data for the buffers of a launch --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"

using namespace cuda_pipeline;

void cuda_pipeline::fillBuffer(const ConcreteLaunch &Launch, const ConcreteArgument &Argument,
                               uint64_t Seed, uint8_t *Data) {
  fill::fill(Data, Argument.Count, launch::fillSpec(Argument.Element, Argument.Fill), Seed,
             fill::stream(Launch.Case.c_str(), Argument.Name.c_str()));
}

void cuda_pipeline::fillGlobal(const ConcreteLaunch &Launch, const ConcreteGlobal &Global,
                               uint64_t Count, uint64_t Seed, uint8_t *Data) {
  fill::fill(Data, Count, launch::fillSpec(Global.Element, Global.Fill), Seed,
             fill::stream(Launch.Case.c_str(), Global.Name.c_str()));
}
