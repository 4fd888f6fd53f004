//===- Plan.cpp - Candidates and choice -----------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Plan.h"
#include "../Model/LoopFacts.h"
#include "../Model/SharedArrays.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// What decides about the copies of a loop.
struct CopyProfile {
  uint64_t NarrowestAsync = 16; ///< bytes of the narrowest copy that cp.async would do
  uint64_t StagedValues = 0;    ///< loads per thread and tile that go through registers
  uint64_t NarrowestLoad = 16;  ///< bytes
  bool Ahead = false;           ///< FetchStore::Ahead
};

uint64_t bytesOf(const GlobalLoad &G, ASTContext &Context) {
  const uint64_t Bytes =
      Context.getTypeSizeInChars(G.Asm || !G.Access ? G.Type : G.Access->getType()).getQuantity();
  return G.Asm ? Bytes * G.Asm->getNumOutputs() : Bytes;
}

/// \p Cut: for the copies that go by way of registers. \p Async: the others.
CopyProfile profile(const TileModel &M, const FetchStore &Cut, ASTContext &Context,
                    function_ref<bool(const TileCopy &)> Async) {
  CopyProfile P;
  P.Ahead = Cut.Ahead;
  for (const TileCopy &C : M.Copies)
    if (!C.IsFill && Async(C)) // what is direct is seldom done
      P.NarrowestAsync = std::min(P.NarrowestAsync, C.AsyncBytes);
  for (const GlobalLoad &G : Cut.Loads) {
    uint64_t Trips = 1;
    for (const CopyLoop *Loop : G.Loops)
      Trips *= Loop->Ahead ? Loop->Ahead : Loop->turns().MaxTrips.value_or(1);
    P.StagedValues += &Cut.registerOf(G) == &G ? Trips : 0;
    P.NarrowestLoad = std::min(P.NarrowestLoad, bytesOf(G, Context));
  }
  return P;
}

/// Registers that one thread holds across the compute phase: local arrays and tensor-core
/// fragments, plus 32 for addresses and temporaries. Only the choice looks at it; the truth is
/// ptxas's.
struct EstimatedRegisters {
  unsigned Count;
};
EstimatedRegisters estimateRegisters(const TileModel &M, ASTContext &Context) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    ASTContext &Context;
    uint64_t Registers = 32;
    explicit Visitor(ASTContext &Context) : Context(Context) {}
    bool VisitVarDecl(const VarDecl *Var) override {
      if (!Var->hasLocalStorage() || isa<ParmVarDecl>(Var) || Var->hasAttr<CUDASharedAttr>())
        return true;
      uint64_t Count = 1;
      QualType T = Var->getType();
      bool IsArray = false;
      while (const auto *Array = Context.getAsConstantArrayType(T)) {
        Count *= Array->getSize().getZExtValue();
        T = Array->getElementType();
        IsArray = true;
      }
      // fragment<Use, m, n, k, T>: by its shape, since its members are the header's business.
      if (const auto *Spec =
              dyn_cast_or_null<ClassTemplateSpecializationDecl>(T->getAsCXXRecordDecl());
          Spec && Spec->getName() == "fragment") {
        const TemplateArgumentList &Args = Spec->getTemplateArgs();
        if (Args.size() >= 4 && Args[1].getKind() == TemplateArgument::Integral)
          Registers += Count * Args[1].getAsIntegral().getZExtValue() *
                       Args[2].getAsIntegral().getZExtValue() / 32;
      } else if (IsArray && !T->isDependentType() && !T->isIncompleteType()) {
        Registers += Count * std::max<uint64_t>(1, Context.getTypeSizeInChars(T).getQuantity() / 4);
      }
      return true;
    }
  } V(Context);
  V.TraverseStmt(M.Loop->Function->getBody());
  return {unsigned(std::min<uint64_t>(V.Registers, 255))};
}

/// Share of an iteration that the resident warps leave exposed to the latency of the loads: the
/// compute of all warps of a scheduler runs while one warp waits.
double exposedLatency(const PlanInputs &In, uint64_t SharedBytes, unsigned Registers) {
  constexpr double LatencyCycles = 700; // global memory under load on an H200
  if (In.ComputeInstructions == 0)
    return 0.2;
  double WarpsPerScheduler = 4;
  if (In.Shape.known()) {
    Occupancy O = computeOccupancy(*In.Gpus.front(), In.Shape.threads(), SharedBytes, Registers);
    WarpsPerScheduler = std::max(1.0, O.Warps / 4.0);
  }
  return LatencyCycles / (In.ComputeInstructions * WarpsPerScheduler + LatencyCycles);
}

double score(const Candidate &C, const TileModel &M, const CopyProfile &P, const PlanInputs &In,
             unsigned Registers) {
  double Exposed = exposedLatency(In, C.Budget.SharedBefore, Registers);
  bool Tensor = M.UsesTensorCores;
  auto ByCopies = [&] {
    bool Async = all_of(In.Gpus, [](const GpuTarget *G) { return G->HasAsyncCopy; });
    if (!Async)
      return 0.9; // a synchronous copy on this architecture
    if (P.NarrowestAsync >= 16)
      return 1 + (Tensor ? 0.60 : 0.45) * Exposed + 0.03 * Exposed * (C.Plan.Stages - 2);
    // 4-byte LDGSTS lost in every kernel that was measured
    return P.NarrowestAsync == 8 ? 0.98 : 0.92;
  };
  auto ByRegisters = [&](double Gain) {
    // The questions of the turns ahead cost as much as the latency that they hide: between 0.87 and
    // 1.04 of the original's speed in ten runs of four kernels on an H200.
    if (P.Ahead)
      return 0.95;
    // Many narrow values in registers cost more instructions than they hide.
    if (P.NarrowestLoad < 4 && P.StagedValues > 8)
      return 0.85;
    return P.StagedValues > 32 ? 0.9 : 1 + Gain * Exposed;
  };
  double Score = 1;
  switch (C.Plan.Preset) {
  case Variant::CpAsync:
    Score = ByCopies();
    break;
  case Variant::Ldg:
    Score = ByRegisters(Tensor ? 0.40 : 0.32);
    break;
  case Variant::LdgSingle:
    Score = ByRegisters(Tensor ? 0.35 : 0.28);
    break;
  case Variant::Mixed: // the slower of the two is waited for
    Score = std::min(ByCopies(), ByRegisters(Tensor ? 0.40 : 0.32));
    break;
  }
  // Losing resident warps costs where few are left to hide anything else behind.
  if (In.Shape.known() && !In.Gpus.empty()) {
    const GpuTarget &Gpu = *In.Gpus.front();
    Occupancy Before = computeOccupancy(Gpu, In.Shape.threads(), C.Budget.SharedBefore, Registers);
    Occupancy After = computeOccupancy(Gpu, In.Shape.threads(), C.Budget.SharedAfter, Registers);
    constexpr double EnoughWarps = 16;
    if (After.Blocks < Before.Blocks && After.Warps < EnoughWarps && Before.Warps)
      Score *= std::sqrt(After.Warps / std::min<double>(EnoughWarps, Before.Warps));
  }
  return Score;
}

/// Of \p Stages those behind the first one, where their bytes are known.
uint64_t moreBytes(const DynamicStages &Of, unsigned Stages) {
  return (Stages - 1) * (*Of.Constant - Of.InFront);
}

/// The launches in the file, with \p Stages times the dynamic shared memory, where this cannot keep
/// the kernel from running. \p Static: bytes that the kernel has besides.
std::vector<GrownSize> grow(const DynamicSizes &Sizes, unsigned Stages, const DynamicStages &Of,
                            uint64_t Static, ArrayRef<const GpuTarget *> Gpus) {
  const uint64_t Alignment = Of.Alignment;
  if (Sizes.Fixed || Gpus.empty())
    return {};
  uint64_t Default = Gpus.front()->SharedPerBlockDefault, OptIn = Gpus.front()->SharedPerBlockOptIn;
  for (const GpuTarget *Gpu : Gpus) {
    Default = std::min(Default, Gpu->SharedPerBlockDefault);
    OptIn = std::min(OptIn, Gpu->SharedPerBlockOptIn);
  }
  std::vector<GrownSize> Out;
  const bool Allowed = !Sizes.Attributes.empty();
  const uint64_t Limit = Allowed ? OptIn : Default;
  auto After = [&](const DynamicSize &S) {
    return Of.InFront ? *S.Bytes + moreBytes(Of, Stages) : alignTo(*S.Bytes, Alignment) * Stages;
  };
  auto Fits = [&](const DynamicSize &S) { return S.Bytes && After(S) + Static <= Limit; };
  auto Grown = [&](const DynamicSize &S) {
    GrownSize G{S.Offset, S.Length, S.Line,
                S.Text,   Stages,   S.Bytes && *S.Bytes % Alignment == 0 ? 1 : Alignment,
                0};
    G.Sum = S.Bytes ? After(S) : 0;
    G.More = S.Bytes && Of.InFront ? moreBytes(Of, Stages) : 0;
    return G;
  };
  // The attribute is the limit, also where it is less than the hardware has: all of them grow, or
  // none.
  if (Allowed && (!all_of(Sizes.Attributes, Fits) || !all_of(Sizes.Launches, Fits)))
    return {};
  for (const DynamicSize &S : Sizes.Attributes)
    Out.push_back(Grown(S));
  for (const DynamicSize &S : Sizes.Launches) {
    if (Fits(S)) {
      Out.push_back(Grown(S));
    } else if (!S.Bytes && S.Repeatable && Static < Limit) {
      Out.push_back(Grown(S));
      Out.back().Most = Limit - Static;
    }
  }
  return Out;
}

/// "1.008x": with as many digits as it takes to see that \p Score is less than \p Gate, and with
/// two.
std::string belowInWords(double Score, double Gate) {
  for (unsigned Digits = 2; Digits < 9; ++Digits) {
    std::string Text;
    raw_string_ostream(Text) << llvm::format("%.*f", Digits, Score);
    if (double Shown = 0; !StringRef(Text).getAsDouble(Shown) && Shown < Gate)
      return Text + "x";
  }
  return "less than that";
}
/// "1.01x": with as many digits as it has.
std::string gateInWords(double Gate) {
  std::string Text;
  for (int Digits = 6; Digits <= 17; ++Digits) {
    Text.clear();
    raw_string_ostream(Text) << llvm::format("%.*g", Digits, Gate);
    if (double Shown = 0; !StringRef(Text).getAsDouble(Shown) && Shown == Gate)
      break;
  }
  return Text + "x";
}

std::string describe(const Plan &P) {
  if (info(P.Preset).Least != info(P.Preset).Most)
    return formatv("cp-async with {0} stages", P.Stages).str();
  return toString(P.Preset).str();
}

} // namespace

/// What the stages behind the first one need.
uint64_t stagesBesideBytes(const TileModel &M, unsigned Stages) {
  uint64_t One = 0;
  for (const auto &B : M.Buffers)
    One += alignTo(B->Bytes, std::max<uint64_t>(B->Alignment, 16));
  return (Stages - 1) * One;
}

/// The tiles' declarations can stay as they are, and no other dynamic shared memory is in the way.
static bool canStandBeside(const TileModel &M, const SharedArrays &Shared) {
  return M.Loop->IsKernel && Shared.Dynamic.empty() && !Shared.AsksForSize &&
         all_of(M.Buffers, [](const auto &B) {
           return B->Origin == BufferOrigin::Static && B->Statement && !B->DeclaredInLoop &&
                  !B->usedOutside();
         });
}

/// Bytes that a block may have with the attribute set, on all of them.
static uint64_t largestDynamic(ArrayRef<const GpuTarget *> Gpus) {
  uint64_t Limit = ~uint64_t(0);
  for (const GpuTarget *Gpu : Gpus)
    Limit = std::min(Limit, Gpu->SharedPerBlockOptIn);
  return Limit;
}

void placeBeside(Candidate &C, ArrayRef<const GpuTarget *> Gpus) {
  if (C.Budget.fits() || !C.Plan.MayBeBeside || C.Plan.isBeside() || Gpus.empty() ||
      C.Budget.SharedBefore > C.Budget.Limit || C.Budget.SharedAfter > largestDynamic(Gpus))
    return;
  C.Plan.place(TilePlace::Beside);
  C.Plan.FinalBarrier |= C.Plan.OthersBeside;
  C.Budget.Limit = largestDynamic(Gpus);
  if (C.Plan.IfBeside.empty()) // no launch gives what it needs
    C.Score = std::min(C.Score, 1.0);
}

/// The parenthesis at the beginning is closed by the one at the end.
static bool closedAtEnd(StringRef Text) {
  int Open = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    Open += Text[I] == '(' ? 1 : Text[I] == ')' ? -1 : 0;
    if (Text[I] == '"' || Text[I] == '\'')
      return false;
    if (Open == 0)
      return I + 1 == Text.size();
  }
  return false;
}

std::string GrownSize::newText() const {
  if (Given) {
    const std::string N = std::to_string(Given);
    return (Length ? "" : ", ") +
           ("cudaFuncSetAttribute(" + Kernel + ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
            N + ") == cudaSuccess ? " + N + " : (cudaGetLastError(), 0)");
  }
  if (More)
    return (all_of(Text, [](char C) { return isAlnum(C) || is_contained({'_', ' ', '*', '.'}, C); })
                ? Text
                : "(" + Text + ")") +
           " + " + std::to_string(More);
  const bool Plain = all_of(Text, [](char C) { return isAlnum(C) || C == '_'; }) ||
                     (StringRef(Text).starts_with("(") && closedAtEnd(Text));
  const std::string Old = Plain ? Text : "(" + Text + ")", R = std::to_string(Round);
  const std::string New =
      std::to_string(Factor) + " * " +
      (Round == 1 ? Old
                  : "((" + Old + " + " + std::to_string(Round - 1) + ") / " + R + " * " + R + ")");
  return Most ? New + " <= " + std::to_string(Most) + " ? " + New + " : " + Old : New;
}

namespace {
/// The static arrays of the function as they are, without stages.
struct StaticSizes {
  std::vector<BufferSize> All;
  std::map<const VarDecl *, size_t> Index;
  StaticSizes(const SharedArrays &Shared, const ASTContext &Context) {
    for (const VarDecl *Var : Shared.Static) {
      BufferSize B;
      B.Bytes = Context.getTypeSizeInChars(Var->getType()).getQuantity();
      B.Alignment = Context.getDeclAlign(Var).getQuantity();
      Index.try_emplace(Var, All.size());
      All.push_back(B);
    }
  }
};
} // namespace

/// Buffers of each tile that are tried where none are asked for and the preset leaves it open.
static constexpr unsigned UsualStages[] = {2, 3, 4};

std::vector<Preset> presetsFor(const PlanInputs &In) {
  std::vector<Preset> Out;
  auto Add = [&](Variant Kind, unsigned Stages, bool Asked) {
    if (none_of(Out, [&](const Preset &P) { return P.Kind == Kind && P.Stages == Stages; }))
      Out.push_back({Kind, Stages, Asked});
  };
  for (Variant V : allVariants()) {
    // Asked for by name: what it gains is not predicted well enough yet for it to be chosen.
    if (In.RequestedVariant ? *In.RequestedVariant != V : V == Variant::Mixed)
      continue;
    const VariantInfo &Of = info(V);
    if (Of.Least == Of.Most) {
      // The number of buffers is a property of the preset, not a choice.
      if (In.RequestedVariant || !In.RequestedStages || *In.RequestedStages == Of.Least)
        Add(V, Of.Least, true);
    } else if (In.RequestedStages) {
      Add(V, *In.RequestedStages, true);
    } else {
      for (unsigned Stages : UsualStages)
        Add(V, Stages, true);
    }
  }
  for (Variant V : allVariants()) {
    if (info(V).Least == info(V).Most)
      Add(V, info(V).Least, false);
    else
      for (unsigned Stages : UsualStages)
        Add(V, Stages, false);
  }
  return Out;
}

static const SharedArrays &sharedArrays(const TileModel &M) {
  const FunctionFacts &Function = *M.Facts->Function;
  return Function.once<SharedArrays>([&] {
    return SharedArrays(M.Loop->Function,
                        Function.once<ReachedCode>([&] { return ReachedCode(M.Loop->Function); }));
  });
}

std::string oneMoreStage(const TileModel &M, const ASTContext &Context, const LaunchShape &Shape,
                         ArrayRef<const GpuTarget *> Gpus) {
  const SharedArrays &Shared = sharedArrays(M);
  const unsigned Stages = M.PipelinedStages;
  if (M.PipelinedTiles.empty() || Stages != 2 || Gpus.empty() || !Shape.known() ||
      !Shared.Dynamic.empty())
    return "";
  StaticSizes Static(Shared, Context);
  for (const VarDecl *Tile : M.PipelinedTiles) {
    const auto At = Static.Index.find(Tile->getCanonicalDecl());
    if (At == Static.Index.end())
      return "";
    Static.All[At->second].Bytes /= Stages;
    Static.All[At->second].IsTile = true;
  }
  const Budget Now = computeBudget(Gpus, Static.All, Stages, Shape),
               More = computeBudget(Gpus, Static.All, Stages + 1, Shape);
  if (!More.fits() || !Now.HasOccupancy || !More.HasOccupancy ||
      Now.After.Blocks != More.After.Blocks || !More.After.Blocks)
    return "";
  return formatv("; with a third one, which takes {0} bytes more and leaves {1} block{2} per SM of "
                 "{3}, copies could be under way for a turn longer",
                 More.SharedAfter - Now.SharedAfter, More.After.Blocks,
                 More.After.Blocks == 1 ? "" : "s", Gpus.front()->Name)
      .str();
}

std::vector<Candidate> makeCandidates(const TileModel &M, const Legality &Legal,
                                      ASTContext &Context, const PlanInputs &In) {
  std::vector<Candidate> Out;
  const FunctionFacts &Function = *M.Facts->Function;
  const SharedArrays &Shared = sharedArrays(M);
  // Not even that nobody else uses dynamic shared memory is known.
  const bool Unseen = Legal.UnseenDynamic && !Legal.DynamicIsGranted;
  unsigned Registers =
      Function.once<EstimatedRegisters>([&] { return estimateRegisters(M, Context); }).Count;
  const StaticSizes &Static =
      Function.once<StaticSizes>([&] { return StaticSizes(Shared, Context); });
  // What the launches that are seen give of dynamic shared memory.
  uint64_t GivenNow = 0;
  const bool UsesDynamic = !Shared.Dynamic.empty();
  bool GivenIsKnown =
      M.Loop->IsKernel && (!In.Dynamic.Launches.empty() || !In.Dynamic.Bare.empty());
  if (UsesDynamic)
    for (const DynamicSize &S : In.Dynamic.Launches) {
      GivenIsKnown &= S.Bytes.has_value();
      GivenNow = std::max(GivenNow, S.Bytes.value_or(0));
    }
  auto Add = [&](Variant Kind, unsigned Stages, bool Asked) {
    const VariantInfo &Of = info(Kind);
    const bool Mixes = Of.Async && Of.Registers;
    const FetchStore &Cut = Mixes && Legal.MixedCut ? *Legal.MixedCut : M.Registers;
    Candidate C;
    C.Asked = Asked;
    static_cast<Schedule &>(C.Plan) = makeSchedule(M, Kind, Stages, Legal.MixedAsync, Legal.Direct);
    C.Plan.FinalBarrier = Legal.NeedsFinalBarrier;
    C.Plan.EntryBarrier = Legal.NeedsEntryBarrier;
    // With two stages the loop's own first barrier is in front of all that fills the second.
    C.Plan.BarrierInFront = Legal.NeedsBarrierInFront && Stages > 2;
    C.Plan.Assumptions = Legal.Assumptions;
    if (Stages > 1 && Legal.UnseenDynamic && !Unseen &&
        !is_contained(C.Plan.Assumptions, "dynamic-shared"))
      C.Plan.Assumptions.push_back("dynamic-shared");
    if (Legal.TurnsAskBlock || (Of.Registers && Cut.AsksBlock))
      C.Plan.AskBlock = Legal.AskBlock;
    if (Legal.Arguments)
      C.Plan.Arguments = {*Legal.Arguments};
    C.Plan.Matter = Legal.Matter;
    if (Of.Async) {
      for (const std::string &Name : Legal.AsyncAssumptions)
        if (!is_contained(C.Plan.Assumptions, Name))
          C.Plan.Assumptions.push_back(Name);
      for (const auto &[Tile, Bytes] : Legal.AsyncAlignments)
        C.Plan.Tiles[Tile].Alignment = Bytes;
      C.Plan.Matter.add(Legal.MatterForAsync);
      // It declares what is called; cuda_pipeline.h only includes it, and tools that tidy includes
      // would take that out.
      C.Plan.Headers.push_back("cuda_pipeline_primitives.h");
    }
    std::vector<BufferSize> Sizes = Static.All;
    for (const auto &Tile : M.Buffers)
      if (auto At = Static.Index.find(Tile->Decl->getCanonicalDecl()); At != Static.Index.end()) {
        BufferSize &B = Sizes[At->second];
        B.Alignment = C.Plan.alignmentOf(*Tile);
        B.IsTile = true;
      }
    const uint64_t StaticBytes = computeBudget(In.Gpus, Sizes, 1, In.Shape).SharedBefore;
    std::vector<BufferSize> AtFirst =
        Sizes; // of the kernel as it is, where a tile is in dynamic shared memory
    const bool Dynamic =
        any_of(M.Buffers, [](const auto &B) { return B->Origin == BufferOrigin::Dynamic; });
    bool Raised = false; // by an attribute, which says so
    if (Dynamic && Stages > 1 && Legal.Dynamic) {
      C.Plan.Dynamic = Legal.Dynamic;
      C.Plan.place(TilePlace::Dynamic);
      C.Plan.Grown = grow(In.Dynamic, Stages, *Legal.Dynamic, StaticBytes, In.Gpus);
      Raised = !C.Plan.Grown.empty() && !In.Dynamic.Attributes.empty();
    }
    if (Dynamic) {
      BufferSize Tile;
      Tile.Alignment = M.Buffers.front()->Alignment;
      Tile.IsTile = true;
      // What a launch gives; of several stages only those matter that can give as many.
      for (const DynamicSize &S : In.Dynamic.Launches)
        if (Stages == 1 ||
            any_of(C.Plan.Grown, [&](const GrownSize &G) { return G.Offset == S.Offset; }))
          Tile.Bytes = std::max(
              Tile.Bytes, alignTo(S.Bytes.value_or(0),
                                  Stages > 1 && Legal.Dynamic ? Legal.Dynamic->Alignment : 1));
      if (!Tile.Bytes && Legal.Dynamic)
        Tile.Bytes = Legal.Dynamic->Constant.value_or(0);
      if (Stages > 1 && Legal.Dynamic && Legal.Dynamic->InFront) {
        BufferSize InFront; // and behind: what there is once
        InFront.Bytes = Tile.Bytes - std::min(Tile.Bytes, moreBytes(*Legal.Dynamic, 2));
        Sizes.push_back(InFront);
        Tile.Bytes -= InFront.Bytes;
        Sizes.push_back(Tile);
        Tile.Bytes += InFront.Bytes;
      } else {
        Sizes.push_back(Tile);
      }
      if (GivenIsKnown)
        Tile.Bytes = GivenNow;
      AtFirst.push_back(Tile);
    }
    // Dynamic shared memory without a tile in it stays as it is.
    C.Budget = computeBudget(In.Gpus, Sizes, Stages, In.Shape, Dynamic ? 0 : GivenNow);
    if (Dynamic) {
      const Budget Now = computeBudget(In.Gpus, AtFirst, 1, In.Shape);
      C.Budget.SharedBefore = Now.SharedBefore;
      C.Budget.Before = Now.Before;
    }
    // What the loop uses of it is known, too, where it is a number.
    C.Budget.Complete =
        !UsesDynamic || GivenIsKnown || (Dynamic && Legal.Dynamic && Legal.Dynamic->Constant);
    if (Stages > 1 && !Dynamic && Legal.legal(Kind) && !Unseen && canStandBeside(M, Shared)) {
      C.Plan.MayBeBeside = true;
      C.Plan.OthersBeside = In.OtherLoops;
      if (!In.Dynamic.Fixed && In.Dynamic.Attributes.empty())
        for (const BareLaunch &L : In.Dynamic.Bare)
          C.Plan.IfBeside.push_back(
              {L.Offset, L.Length, L.Line, "", 1, 1, 0, stagesBesideBytes(M, Stages), L.Kernel});
    }
    if (Raised)
      C.Budget.Limit = largestDynamic(In.Gpus);
    const CopyProfile P = profile(M, Cut, Context, [&](const TileCopy &Copy) {
      const CopyMethod By = C.Plan.methodOf(Copy);
      return By != CopyMethod::Direct && (!Mixes || By == CopyMethod::Async);
    });
    C.Score = score(C, M, P, In, Registers);
    // What the tiles hold outside is copied, and it is not known over how many turns that is
    // spread.
    if (Stages > 1)
      C.Plan.Carried = Legal.Carried;
    if (!C.Plan.Carried.empty())
      C.Score = std::min(C.Score, 1.0);
    // Without enough memory the loop runs as it was.
    auto IsEnough = [&](const DynamicSize &S) {
      const DynamicStages &Of = *C.Plan.Dynamic;
      return any_of(C.Plan.Grown, [&](const GrownSize &G) { return G.Offset == S.Offset; }) &&
             (S.Bytes ? alignTo(*S.Bytes, Of.Alignment) >= Of.Constant.value_or(0)
                      : !Of.OfLargestBlock);
    };
    if (C.Plan.Dynamic && none_of(In.Dynamic.Launches, IsEnough))
      C.Score = std::min(C.Score, 1.0);
    placeBeside(C, In.Gpus);
    C.Refusals = Legal.of(Kind, Stages);
    if (Stages > 1 && C.Refusals.empty()) {
      if (!C.Budget.fits()) // the larger limit of dynamic shared memory, where that can be used
        C.Refusals.push_back({Reason::SharedMemoryLimit,
                              M.Loop->Begin,
                              {std::to_string(Stages), std::to_string(C.Budget.SharedAfter),
                               std::to_string(C.Budget.Limit)},
                              {}});
      else if (!Shared.Dynamic.empty() && !Dynamic)
        C.Refusals.push_back({Reason::DynamicSharedMemory,
                              Shared.Dynamic.front().Array->getLocation(),
                              {"'" + Shared.Dynamic.front().Array->getNameAsString() + "'",
                               "with it the launch may have used up what more static tiles need"},
                              {}});
      else if (Unseen && !Dynamic)
        C.Refusals.push_back({Reason::DynamicSharedMemory,
                              Legal.UnseenDynamic->second,
                              {"what " + Legal.UnseenDynamic->first + " may use",
                               "with it the launch may have used up what more static tiles need"},
                              {},
                              "Call nothing but functions whose bodies are in this file, or grant "
                              "--assume=dynamic-shared, if "
                              "that code uses no dynamic shared memory."});
    }
    Out.push_back(std::move(C));
  };
  for (const auto &[Kind, Stages, Asked] : presetsFor(In))
    Add(Kind, Stages, Asked);
  return Out;
}

unsigned stagedRegisters(const FetchStore &Cut, ASTContext &Context) {
  uint64_t Registers = 0;
  for (const GlobalLoad &G : Cut.Loads) {
    if (&Cut.registerOf(G) != &G)
      continue;
    uint64_t Trips = 1;
    for (const CopyLoop *Loop : G.Loops) {
      if (!Loop->turns().MaxTrips)
        return 0;
      Trips *= *Loop->turns().MaxTrips;
    }
    Registers += Trips * ((bytesOf(G, Context) + 3) / 4);
  }
  return unsigned(std::min<uint64_t>(Registers, 1u << 20));
}

bool mayBeChosen(const Candidate &C, const PlanInputs &In) {
  return C.Asked && C.Refusals.empty() && (In.RequestedVariant || C.Score >= In.MinGain);
}

Decision decide(std::vector<Candidate> Candidates, const PlanInputs &In) {
  const double WorthIt = In.MinGain;
  Decision D;
  D.Candidates = std::move(Candidates);
  erase_if(D.Candidates, [](const Candidate &C) { return !C.Asked; });
  std::optional<size_t> Best;
  for (size_t I = 0; I < D.Candidates.size(); ++I) {
    const Candidate &C = D.Candidates[I];
    if (!C.Refusals.empty())
      continue;
    if (!Best || C.Score > D.Candidates[*Best].Score + 1e-9)
      Best = I;
  }
  if (!Best) {
    D.Why = "no variant is legal";
  } else if (!In.RequestedVariant && D.Candidates[*Best].Score < WorthIt &&
             any_of(
                 D.Candidates,
                 [&](const Candidate &C) { return !C.Refusals.empty() && C.Score >= WorthIt; })) {
    D.Why = "what is legal is not predicted to pay, and what would pay is not legal";
  } else if (!In.RequestedVariant && D.Candidates[*Best].Score < WorthIt) {
    D.Unprofitable = true;
    const double Score = D.Candidates[*Best].Score;
    D.Why = formatv("no variant is predicted to be faster; the best, {0}, is predicted at {1}",
                    describe(D.Candidates[*Best].Plan), belowInWords(Score, WorthIt))
                .str();
    if (Score >= 1.0)
      D.Why = formatv("no variant is predicted to be {0} as fast or more; the best, {1}, is "
                      "predicted at {2}",
                      gateInWords(WorthIt), describe(D.Candidates[*Best].Plan),
                      belowInWords(Score, WorthIt))
                  .str();
  } else {
    D.Chosen = Best;
    const Candidate &C = D.Candidates[*Best];
    D.Why = formatv("{0} is {1} (predicted {2:F2}x)", describe(C.Plan),
                    In.RequestedVariant ? "what was asked for" : "predicted to be fastest", C.Score)
                .str();
  }
  for (size_t I = 0; I < D.Candidates.size(); ++I) {
    Candidate &C = D.Candidates[I];
    if (D.Chosen && I == *D.Chosen)
      continue;
    if (!C.Refusals.empty())
      C.Rejected = formatReason(C.Refusals.front().Why, C.Refusals.front().Args);
    else if (D.Unprofitable && I == *Best)
      C.Rejected = "predicted " + belowInWords(C.Score, WorthIt) + ": not worth it";
    else if (D.Unprofitable)
      C.Rejected = "predicted " + belowInWords(C.Score, WorthIt);
    else
      C.Rejected = formatv("predicted {0:F2}x", C.Score).str();
  }
  return D;
}

} // namespace cuda_pipeline
