//===- Question.h - What an answer about a turn may cost ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_QUESTION_H
#define CUDA_PIPELINE_LIB_ANALYSIS_QUESTION_H

#include "SymbolicIteration.h"
#include "SymbolicRun.h"
#include <algorithm>

namespace cuda_pipeline {

/// For what is hard in the run of one loop, for one question about it, and for an example in a
/// message. isl's operations get slower as sets grow: 200,000 have taken 0.8 s and 400,000 have
/// taken 4 s, while hard questions of real loops are answered within 50,000. A loop of which a
/// question was not answered is not worth as much again.
constexpr unsigned long OperationsOfRun = 200000, OperationsOfQuestion = 200000,
                        OperationsOfExample = 50000, OperationsWhenHopeless = 10000;

class SymbolicIteration::Question {
public:
  explicit Question(SymbolicIteration &Turn, unsigned long Operations = OperationsOfQuestion)
      : Turn(Turn), Operations(Operations),
        Allowed(Turn.Hopeless
                    ? OperationsWhenHopeless
                    : std::clamp(Turn.Effort.Operations, OperationsWhenHopeless, Operations)) {
    Turn.Run->Syms.allow(Allowed);
  }
  Question(const Question &) = delete;
  Question &operator=(const Question &) = delete;
  ~Question() {
    if (Turn.Run->Syms.exhausted()) {
      Turn.Hopeless |= Operations == OperationsOfQuestion;
      Turn.Effort.Operations -= std::min(Turn.Effort.Operations, Allowed);
    }
    Turn.Run->Syms.allow(OperationsOfRun);
  }

private:
  SymbolicIteration &Turn;
  const unsigned long Operations, Allowed;
};

} // namespace cuda_pipeline

#endif
