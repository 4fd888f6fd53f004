//===- PlanTest.cpp - Candidates and the choice among them ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/Plan.h"
#include "../ParsedFile.h"

using namespace cuda_pipeline;

namespace {

Candidate candidate(Variant Kind, unsigned Stages, double Score, bool Legal = true) {
  Candidate C;
  C.Plan.Preset = Kind;
  C.Plan.Stages = Stages;
  C.Score = Score;
  if (!Legal)
    C.Refusals.push_back({Reason::MayAlias, {}, {"'C'", "'A'"}, {}});
  return C;
}

/// The candidates of the one loop of \p Code, with those of its own that \p Tiles adds.
struct Planned : ParsedFile {
  Planned(const std::string &Code, PlanInputs In, std::vector<std::string> Archs = {"sm_80"})
      : ParsedFile(Code), Model(model()), Inputs(std::move(In)) {
    for (const std::string &A : Archs)
      Inputs.Gpus.push_back(GpuTarget::find(A));
    Inputs.Shape = findLaunchShape(Loops[0].Function, context(), LaunchShape());
    Inputs.ComputeInstructions = estimateComputeInstructions(Model, context());
    List = makeCandidates(Model, checkLegality(Model, context(), {}), context(), Inputs);
  }
  std::string names() const {
    std::vector<std::string> Out;
    for (const Candidate &C : List)
      if (C.Asked)
        Out.push_back((toString(C.Plan.Preset) + llvm::Twine(C.Plan.Stages)).str());
    return llvm::join(Out, " ");
  }
  const Candidate &get(Variant V, unsigned Stages) const {
    for (const Candidate &C : List)
      if (C.Plan.Preset == V && C.Plan.Stages == Stages)
        return C;
    llvm::report_fatal_error("no such candidate");
  }
  TileModel Model;
  PlanInputs Inputs;
  std::vector<Candidate> List;
};

/// A tile of \p Floats floats; \p More: further declarations in the kernel.
std::string kernel(unsigned Floats, const std::string &More = "", const std::string &Before = "") {
  return Before +
         "__global__ void __launch_bounds__(256) k(const float4 *__restrict__ A, float "
         "*__restrict__ C, int n) {\n"
         "  __shared__ float4 tile[" +
         std::to_string(Floats / 4) + "]; " + More +
         "\n  float s = 0;\n"
         "  for (int t = 0; t < n; ++t) {\n    tile[threadIdx.x] = A[t * 256 + threadIdx.x];\n    "
         "__syncthreads();\n"
         "    for (int i = 0; i < 64; ++i) s += tile[i].x * tile[i].y;\n    __syncthreads();\n  }\n"
         "  C[threadIdx.x] = s;\n}";
}

} // namespace

// --- The choice
// -------------------------------------------------------------------------------------

// What is asked for stands in front; every other preset is there to say what else could be had.
TEST(Plan, EveryPresetIsACandidate) {
  auto List = [](std::optional<Variant> V, std::optional<unsigned> Stages) {
    PlanInputs In;
    In.RequestedVariant = V;
    In.RequestedStages = Stages;
    std::string Asked, Others;
    for (const Preset &P : presetsFor(In)) {
      EXPECT_TRUE(Others.empty() || !P.Asked);
      (P.Asked ? Asked : Others) += (" " + toString(P.Kind) + llvm::Twine(P.Stages)).str();
    }
    return Asked + " |" + Others;
  };
  EXPECT_EQ(List(std::nullopt, std::nullopt),
            " cp-async2 cp-async3 cp-async4 ldg2 ldg-single1 | mixed2");
  EXPECT_EQ(List(std::nullopt, 5),
            " cp-async5 | cp-async2 cp-async3 cp-async4 ldg2 ldg-single1 mixed2");
  EXPECT_EQ(List(std::nullopt, 2), " cp-async2 ldg2 | cp-async3 cp-async4 ldg-single1 mixed2");
  EXPECT_EQ(List(Variant::Ldg, std::nullopt),
            " ldg2 | cp-async2 cp-async3 cp-async4 ldg-single1 mixed2");
  EXPECT_EQ(List(Variant::CpAsync, 3), " cp-async3 | cp-async2 cp-async4 ldg2 ldg-single1 mixed2");
}

// The choice is never among those that nobody asked for.
TEST(Plan, OthersAreNotChosen) {
  Candidate Asked = candidate(Variant::Ldg, 2, 1.1), Other = candidate(Variant::CpAsync, 2, 3.0);
  Other.Asked = false;
  const Decision D = decide({Asked, Other}, PlanInputs());
  ASSERT_TRUE(D.Chosen);
  EXPECT_EQ(D.Candidates[*D.Chosen].Plan.Preset, Variant::Ldg);
  EXPECT_EQ(D.Candidates.size(), 1u);
  EXPECT_TRUE(mayBeChosen(Asked, PlanInputs()));
  EXPECT_FALSE(mayBeChosen(Other, PlanInputs()));
  EXPECT_FALSE(mayBeChosen(candidate(Variant::Ldg, 2, 0.9), PlanInputs()));
  EXPECT_FALSE(mayBeChosen(candidate(Variant::Ldg, 2, 1.5, false), PlanInputs()));
  PlanInputs ByName;
  ByName.RequestedVariant = Variant::Ldg;
  EXPECT_TRUE(mayBeChosen(candidate(Variant::Ldg, 2, 0.9), ByName));
}

TEST(Decide, TheBestLegalOne) {
  PlanInputs In;
  Decision D =
      decide({candidate(Variant::CpAsync, 2, 1.2), candidate(Variant::CpAsync, 3, 1.9, false),
              candidate(Variant::Ldg, 2, 1.3), candidate(Variant::LdgSingle, 1, 1.25)},
             In);
  ASSERT_TRUE(D.Chosen);
  EXPECT_EQ(*D.Chosen, 2u);
  EXPECT_FALSE(D.Unprofitable);
  // Every other one says why not, and the chosen one does not.
  for (size_t I = 0; I < 4; ++I)
    EXPECT_EQ(D.Candidates[I].Rejected.empty(), I == 2) << I;
  EXPECT_NE(D.Candidates[1].Rejected.find("'C'"), std::string::npos) << D.Candidates[1].Rejected;
}

TEST(Decide, TheFirstOfEquals) {
  Decision D = decide({candidate(Variant::CpAsync, 2, 1.2), candidate(Variant::CpAsync, 3, 1.2),
                       candidate(Variant::Ldg, 2, 1.2)},
                      PlanInputs());
  EXPECT_EQ(D.Chosen, std::optional<size_t>(0));
}

TEST(Decide, NeverSlowerUnlessAskedFor) {
  std::vector<Candidate> Slow = {candidate(Variant::Ldg, 2, 0.97),
                                 candidate(Variant::LdgSingle, 1, 1.0)};
  Decision D = decide(Slow, PlanInputs());
  EXPECT_FALSE(D.Chosen);
  EXPECT_TRUE(D.Unprofitable);
  for (const Candidate &C : D.Candidates)
    EXPECT_FALSE(C.Rejected.empty());
  PlanInputs Asked;
  Asked.RequestedVariant = Variant::Ldg;
  D = decide({Slow[0]}, Asked);
  EXPECT_EQ(D.Chosen, std::optional<size_t>(0));
  EXPECT_FALSE(D.Unprofitable);
}

/// What is less than the gate is neither taken nor said to reach it, however close it is; what
/// reaches it is taken.
TEST(Decide, TheGateIsNotRounded) {
  PlanInputs In;
  const std::pair<double, double> Below[] = {{1.04999, 1.05}, {1.0499999, 1.05}, {1.0099, 1.01},
                                             {0.999, 1.0},    {1.9999, 2.0},     {1.05, 1.0500001}};
  for (const auto &[Score, Gate] : Below) {
    In.MinGain = Gate;
    const Decision D = decide(
        {candidate(Variant::Ldg, 2, Score), candidate(Variant::LdgSingle, 1, Score - 1e-12)}, In);
    EXPECT_FALSE(D.Chosen) << Score;
    EXPECT_TRUE(D.Unprofitable) << Score;
    for (llvm::StringRef Text : {llvm::StringRef(D.Why), llvm::StringRef(D.Candidates[0].Rejected),
                                 llvm::StringRef(D.Candidates[1].Rejected)}) {
      auto [Before, Number] =
          Text.rsplit(Text.contains("predicted at") ? "predicted at " : "predicted ");
      double Shown = 0;
      EXPECT_FALSE(Number.take_until([](char C) { return C == 'x'; }).getAsDouble(Shown))
          << Text.str();
      EXPECT_LT(Shown, Gate) << Text.str();
      EXPECT_GT(Shown, Score - 0.01) << Text.str();
      if (size_t At = Before.find("to be ");
          Before.contains("as fast or more") && At != llvm::StringRef::npos) {
        double Asked = 0;
        EXPECT_FALSE(Before.drop_front(At + 6)
                         .take_until([](char C) { return C == 'x'; })
                         .getAsDouble(Asked))
            << Text.str();
        EXPECT_EQ(Asked, Gate) << Text.str();
      }
    }
  }
  for (double Gate : {1.05, 1.01, 1.0}) {
    In.MinGain = Gate;
    EXPECT_TRUE(decide({candidate(Variant::Ldg, 2, Gate)}, In).Chosen) << Gate;
  }
}

TEST(Decide, NothingLegal) {
  PlanInputs Asked;
  Asked.RequestedVariant = Variant::Ldg;
  for (const PlanInputs &In : {PlanInputs(), Asked}) {
    Decision D = decide({candidate(Variant::Ldg, 2, 1.5, false)}, In);
    EXPECT_FALSE(D.Chosen);
    EXPECT_FALSE(D.Unprofitable); // it is refused
  }
  EXPECT_FALSE(decide({}, PlanInputs()).Chosen);
}

// --- Candidates
// -------------------------------------------------------------------------------------

TEST(Candidates, WhatIsAskedFor) {
  PlanInputs In;
  EXPECT_EQ(Planned(kernel(1024), In).names(), "cp-async2 cp-async3 cp-async4 ldg2 ldg-single1");
  In.RequestedStages = 3;
  EXPECT_EQ(Planned(kernel(1024), In).names(), "cp-async3");
  In.RequestedVariant = Variant::CpAsync;
  EXPECT_EQ(Planned(kernel(1024), In).names(), "cp-async3");
  In.RequestedStages.reset();
  In.RequestedVariant = Variant::Ldg;
  EXPECT_EQ(Planned(kernel(1024), In).names(), "ldg2");
  In.RequestedVariant = Variant::LdgSingle;
  EXPECT_EQ(Planned(kernel(1024), In).names(), "ldg-single1");
}

// 49,152 bytes: the last byte fits, one more does not. Then the stages behind the first are in
// dynamic shared memory.
TEST(Candidates, TheLimitOfStaticSharedMemory) {
  Planned Fits(kernel(4096), PlanInputs()); // 16 KB
  EXPECT_EQ(ids(Fits.get(Variant::CpAsync, 3).Refusals), "");
  EXPECT_EQ(Fits.get(Variant::CpAsync, 3).Budget.SharedAfter, 49152u);
  EXPECT_FALSE(Fits.get(Variant::CpAsync, 3).Plan.isBeside());
  EXPECT_EQ(ids(Fits.get(Variant::CpAsync, 4).Refusals), "");
  EXPECT_TRUE(Fits.get(Variant::CpAsync, 4).Plan.isBeside());
  Planned OneMore(kernel(4096, "__shared__ char more; more = 1;"), PlanInputs());
  EXPECT_TRUE(OneMore.get(Variant::CpAsync, 3).Plan.isBeside());
  EXPECT_FALSE(OneMore.get(Variant::Ldg, 2).Plan.isBeside());
  EXPECT_EQ(ids(OneMore.get(Variant::Ldg, 2).Refusals), "");
  // What launches give to another array is not there for stages.
  Planned Other(kernel(4096, "extern __shared__ char more[]; more[0] = 1;"), PlanInputs());
  EXPECT_EQ(ids(Other.get(Variant::CpAsync, 4).Refusals), "shared-memory-limit");

  // One buffer is no more than there was.
  Planned Large(kernel(8192), PlanInputs());
  EXPECT_TRUE(Large.get(Variant::Ldg, 2).Plan.isBeside());
  EXPECT_FALSE(Large.get(Variant::LdgSingle, 1).Plan.isBeside());
  EXPECT_EQ(ids(Large.get(Variant::LdgSingle, 1).Refusals), "");
}

TEST(Candidates, AllSharedMemoryCounts) {
  EXPECT_EQ(Planned(kernel(1024, "__shared__ float box[1000]; box[0] = 1;"), PlanInputs())
                .get(Variant::Ldg, 2)
                .Budget.SharedAfter,
            2 * 4096 + 4000u);
  EXPECT_EQ(Planned(kernel(1024, "outer[0] = 1;", "__shared__ float outer[500];\n"), PlanInputs())
                .get(Variant::Ldg, 2)
                .Budget.SharedAfter,
            2 * 4096 + 2000u);
  // The launch may already use up the rest.
  EXPECT_EQ(ids(Planned(kernel(1024, "dynamic[0] = 1;", "extern __shared__ float dynamic[];\n"),
                        PlanInputs())
                    .get(Variant::Ldg, 2)
                    .Refusals),
            "dynamic-shared-memory");
}

TEST(Candidates, HeadersOfTheVariant) {
  Planned P(kernel(1024), PlanInputs());
  EXPECT_EQ(P.get(Variant::CpAsync, 2).Plan.Headers,
            std::vector<std::string>({"cuda_pipeline_primitives.h"}));
  EXPECT_TRUE(P.get(Variant::Ldg, 2).Plan.Headers.empty());
  EXPECT_TRUE(P.get(Variant::LdgSingle, 1).Plan.Headers.empty());
}

// An architecture without asynchronous copies among those that are asked for decides.
TEST(Candidates, ArchitecturesWithoutAsynchronousCopies) {
  for (auto [Archs, Async] : std::vector<std::pair<std::vector<std::string>, bool>>{
           {{"sm_80"}, true}, {{"sm_75"}, false}, {{"sm_80", "sm_75"}, false}}) {
    Planned P(kernel(1024), PlanInputs(), Archs);
    Decision D = decide(P.List, P.Inputs);
    ASSERT_TRUE(D.Chosen);
    EXPECT_EQ(D.Candidates[*D.Chosen].Plan.Preset == Variant::CpAsync, Async);
  }
}
