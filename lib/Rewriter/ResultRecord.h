//===- ResultRecord.h - What processes and runs pass to each other ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The members of results, and of what they depend on, for Record.h.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_RESULTRECORD_H
#define CUDA_PIPELINE_LIB_REWRITER_RESULTRECORD_H

#include "../Support/Record.h"
#include "cuda-pipeline/Rewriter.h"

namespace cuda_pipeline {

//===--- Results ------------------------------------------------------------===//

template <class Archive> void fields(Archive &A, Edit &V) {
  auto &[Offset, Length, Text] = V;
  A(Offset, Length, Text);
}
template <class Archive> void fields(Archive &A, Fix &V) {
  auto &[Variant, Stages, Score, Edits] = V;
  A(Variant, Stages, Score, Edits);
}
template <class Archive> void fields(Archive &A, Note &V) {
  auto &[Message, Line, Column] = V;
  A(Message, Line, Column);
}
template <class Archive> void fields(Archive &A, ReasonReport &V) {
  auto &[Id, Message, Remedy, Line, Column, Notes] = V;
  A(Id, Message, Remedy, Line, Column, Notes);
}
template <class Archive> void fields(Archive &A, BufferReport &V) {
  auto &[Name, Bytes] = V;
  A(Name, Bytes);
}
template <class Archive> void fields(Archive &A, CopyReport &V) {
  auto &[Buffer, BytesPerThread, Method, Line] = V;
  A(Buffer, BytesPerThread, Method, Line);
}
template <class Archive> void fields(Archive &A, PhaseReport &V) {
  auto &[Kind, Line, EndLine] = V;
  A(Kind, Line, EndLine);
}
template <class Archive> void fields(Archive &A, DynamicReport::Size &V) {
  auto &[Line, Text] = V;
  A(Line, Text);
}
template <class Archive> void fields(Archive &A, DynamicReport &V) {
  auto &[StageBytes, InFront, Beside, Block, Sizes] = V;
  A(StageBytes, InFront, Beside, Block, Sizes);
}
template <class Archive> void fields(Archive &A, CandidateReport &V) {
  auto &[Variant, Stages, Score, Rejected] = V;
  A(Variant, Stages, Score, Rejected);
}
template <class Archive> void fields(Archive &A, ConflictReport &V) {
  auto &[Line, Write, Bytes, Times, Before, After, Least] = V;
  A(Line, Write, Bytes, Times, Before, After, Least);
}
template <class Archive> void fields(Archive &A, LayoutReport &V) {
  auto &[Buffer, PitchBefore, PitchAfter, Accesses, WhyNot, Line] = V;
  A(Buffer, PitchBefore, PitchAfter, Accesses, WhyNot, Line);
}
template <class Archive> void fields(Archive &A, WidthReport &V) {
  auto &[Buffers, BytesBefore, BytesAfter, Line, Test, WhyNot, WhyLine] = V;
  A(Buffers, BytesBefore, BytesAfter, Line, Test, WhyNot, WhyLine);
}
template <class Archive> void fields(Archive &A, RegisterReport &V) {
  auto &[Arch, Before, After, SpillBefore, SpillAfter, LargestBefore, LargestAfter, Needed] = V;
  A(Arch, Before, After, SpillBefore, SpillAfter, LargestBefore, LargestAfter, Needed);
}
template <class Archive> void fields(Archive &A, NewLines &V) {
  auto &[First, Last, Kept, TestBegin, TestEnd] = V;
  A(First, Last, Kept, TestBegin, TestEnd);
}
template <class Archive> void fields(Archive &A, SelfCheckReport &V) {
  auto &[Result, Variant, Stages, Why, Launches, Turns, Guards, BothWays, Blocks, Order, Data,
         OutOfTime] = V;
  A(Result, Variant, Stages, Why, Launches, Turns, Guards, BothWays, Blocks, Order, Data,
    OutOfTime);
}
template <class Archive> void fields(Archive &A, WithheldLoop &V) {
  auto &[Line, Column, Id, Why] = V;
  A(Line, Column, Id, Why);
}
template <class Archive> void fields(Archive &A, LoopReport &V) {
  auto &[Kernel, IsKernel, Line, Column, EndLine, FunctionLine, FunctionEndLine, Phases, NewPhases,
         InNewText, Headers, InFile, Status, MachineApplicable, AlthoughRefused, Withheld, Variant,
         Stages, Reasons, Assumptions, Inlined, Gathered, Reworded, Hints, Buffers, Copies, Widths,
         Layouts, Smem, Occupancy, HasOccupancy, Dynamic, Registers, StagedRegisters, AskedBlock,
         AskedExtents, AsksAtLeast, SelfCheck, BlockSize, BlockThreads, MaxThreads, Ratio, HasRatio,
         Candidates, Why, Fixes, Part, PartOf] = V;
  A(FunctionLine, FunctionEndLine, Phases, NewPhases, InNewText, Headers, BlockThreads, MaxThreads,
    Withheld, SelfCheck);
  auto &[AskedX, AskedY, AskedZ] = AskedExtents;
  A(AskedX, AskedY, AskedZ, AsksAtLeast);
  A(Kernel, IsKernel, Line, Column, EndLine, InFile, Status, MachineApplicable, AlthoughRefused,
    Variant, Stages, Reasons);
  A(Assumptions, Inlined, Gathered, Reworded, Hints, Buffers, Copies, Widths, Layouts);
  auto &[Before, After, Limit, Complete] = Smem;
  A(Before, After, Limit, Complete);
  auto &[BlocksBefore, BlocksAfter, Limiter] = Occupancy;
  A(BlocksBefore, BlocksAfter, Limiter, HasOccupancy, Dynamic, Registers, StagedRegisters,
    AskedBlock, BlockSize);
  auto &[FlopsPerByte, Flops, Bytes] = Ratio;
  A(FlopsPerByte, Flops, Bytes, HasRatio, Candidates, Why, Fixes, Part, PartOf);
}
template <class Archive> void fields(Archive &A, FileReport &V) {
  auto &[Path, Output, Arch, Loops, ReadBy, Configurations, LeftOut, Problem, ProblemText] = V;
  A(Path, Output, Arch, Loops, ReadBy, Configurations, LeftOut, Problem, ProblemText);
}
template <class Archive> void fields(Archive &A, IncludedFile &V) {
  auto &[Path, Names] = V;
  A(Path, Names);
}
template <class Archive> void fields(Archive &A, FileResult &V) {
  auto &[Report, Original, Parsed, Diagnostics, HasErrors, NewContents, Changed,
         RequestedVariantRefused, KernelNamed, Printed, Included, MacrosInTheWay] = V;
  A(Report, Original, Parsed, Diagnostics, HasErrors, NewContents, Changed, RequestedVariantRefused,
    KernelNamed, Printed, Included, MacrosInTheWay);
}

//===--- What they depend on ---------------------------------------------------===//

template <class Archive> void fields(Archive &A, CompileFlags &V) {
  auto &[ClangArgs, Archs, Dropped, OfCode, Directory, CudaPath, Inputs, Language, Compiles, Native,
         ByClang, Macros, From] = V;
  A(ClangArgs, Archs, Dropped, OfCode, Directory, CudaPath, Inputs, Language, Compiles, Native,
    ByClang, Macros, From);
}
template <class Archive> void fields(Archive &A, Toolkit &V) {
  auto &[Root, CcclInclude, Version] = V;
  A(Root, CcclInclude, Version);
}
template <class Archive> void fields(Archive &A, ParseRequest &V) {
  auto &[File, Arch, Flags, ExtraArgs, Cuda, Others, LeftOut, HideClang, Otherwise, Contents,
         Edited, EditedContents, KeepGoing, Files, Seen, Reuse] = V;
  (void)Files; // the disk's contents are noted beside it
  (void)Seen;
  (void)Reuse;
  A(File, Arch, Flags, ExtraArgs, Cuda, Others, LeftOut, HideClang, Otherwise, Contents, Edited,
    EditedContents, KeepGoing);
}
template <class Archive> void fields(Archive &A, SeenFile &V) {
  auto &[Kind, Size, Time] = V;
  A(Kind, Size, Time);
}
template <class Archive> void fields(Archive &A, LineRange &V) {
  auto &[First, Last] = V;
  A(First, Last);
}
template <class Archive> void fields(Archive &A, LaunchShape &V) {
  auto &[X, Y, Z, MaxThreads, MinBlocks, Origin, Exact, Cooperative] = V;
  A(X, Y, Z, MaxThreads, MinBlocks, Origin, Exact, Cooperative);
}
template <class Archive> void fields(Archive &A, EmissionHints &V) {
  auto &[KeepRolled, Fence] = V;
  A(KeepRolled, Fence);
}
template <class Archive> void fields(Archive &A, RewriteOptions &V) {
  auto &[RequestedVariant, RequestedStages, Width, Layout, MinGain, KernelRegex, Lines, Begins,
         UnsafeFixes, KeepGoing, Assumptions, Archs, BlockSize, Withheld, SelfCheck,
         SelfCheckSeconds, CheckOnly, OffersText, Print, Hints, EmitRefused, Ablate] = V;
  A(RequestedVariant, RequestedStages, Width, Layout, MinGain, KernelRegex, Lines, Begins,
    UnsafeFixes, KeepGoing, Assumptions, Archs, BlockSize, Withheld, SelfCheck, SelfCheckSeconds,
    CheckOnly, OffersText, Print, Hints, EmitRefused, Ablate);
}
template <class Archive> void fields(Archive &A, FixWishes &V) {
  auto &[Alone, SaidAlone, Others, Together] = V;
  A(Alone, SaidAlone, Others, Together);
}

} // namespace cuda_pipeline

#endif
