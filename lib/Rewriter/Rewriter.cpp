//===- Rewriter.cpp - Runs the whole flow over one file -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Per architecture: parse, find the loops, and for each of them model, legality, budget, plan,
/// edits. The instantiations of one template loop are analysed separately and must end in the same
/// edits; so must the architectures.
///
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Rewriter.h"
#include "../Model/AstUtil.h"
#include "../Model/SoundParts.h"
#include "../Source/Mending.h"
#include "../Support/ReadFile.h"
#include "Print.h"
#include "TextRounds.h"
#include "cuda-pipeline/Contraction.h"
#include "cuda-pipeline/Edits.h"
#include "cuda-pipeline/NoLint.h"
#include "cuda-pipeline/Plan.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <array>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// The remedy until it is known which variants help.
static constexpr llvm::StringLiteral AskByName = "Ask for a variant by name.";

void explain(LoopReport &Report, const std::string &WhyNot) {
  for (ReasonReport &R : Report.Reasons)
    if (R.Id == Reason::CopyInCallee || R.Id == Reason::NotYet)
      R.Notes.push_back({WhyNot, R.Line, R.Column});
}

namespace {

/// What a loop is (steps 3 and 4, and what the choice looks at), whatever is asked for.
struct LoopAnalysis {
  TileModel Model;
  cuda_pipeline::Legality Legality;
  LaunchShape Shape;
  ComputeLoadRatio Ratio;
  uint64_t ComputeInstructions = 0; ///< PlanInputs::ComputeInstructions
  DynamicSizes Dynamic;
};

/// What has been found out about a text that is read for several variants, beside what Clang has
/// read.
class KeptAnalyses {
public:
  explicit KeptAnalyses(const RewriteOptions &O)
      : EmitRefused(O.EmitRefused), BlockSize(O.BlockSize), Assumptions(O.Assumptions) {}
  /// Nothing that an analysis depends on is another in \p O.
  bool isFor(const RewriteOptions &O) const {
    return O.EmitRefused == EmitRefused && sizeOf(O.BlockSize) == sizeOf(BlockSize) &&
           O.Assumptions.size() == Assumptions.size() &&
           all_of(O.Assumptions, [&](const auto &A) { return Assumptions.contains(A.getKey()); });
  }

  std::optional<FoundLoops> Found;
  std::map<const KLoop *, std::shared_ptr<const LoopAnalysis>> Of; ///< of these

private:
  static std::array<unsigned, 3> sizeOf(const LaunchShape &FromCommandLine) {
    return {FromCommandLine.X, FromCommandLine.Y, FromCommandLine.Z};
  }
  bool EmitRefused;
  LaunchShape BlockSize;
  StringSet<> Assumptions;
};

/// A loop of a header, before anything is decided: what all translation units have to agree on.
struct InAllUnits {
  std::vector<TemplateArguments> Arguments; ///< of all instantiations, in an order of their own
  bool Unknown = false;                     ///< some cannot be written down
  struct Score {
    double Least = 0;
    bool Refused = false;
  };
  std::map<std::pair<Variant, unsigned>, Score> Scores; ///< by variant and stages
  unsigned Units = 0;                                   ///< that have a use for it

  void add(ArrayRef<Candidate> Candidates) {
    ++Units;
    for (const Candidate &C : Candidates) {
      auto [It, New] = Scores.try_emplace({C.Plan.Kind, C.Plan.Stages});
      It->second.Least = New ? C.Score : std::min(It->second.Least, C.Score);
      It->second.Refused |= !C.Refusals.empty();
      Unknown |= C.Refusals.empty() && C.Plan.Arguments.empty();
      for (const TemplateArguments &A : C.Plan.Arguments)
        if (!is_contained(Arguments, A))
          Arguments.push_back(A);
    }
    llvm::sort(Arguments, [](const TemplateArguments &A, const TemplateArguments &B) {
      return text(A) < text(B);
    });
  }

  void applyTo(std::vector<Candidate> &Candidates, SourceLocation Loop) const {
    for (Candidate &C : Candidates) {
      const auto It = Scores.find({C.Plan.Kind, C.Plan.Stages});
      if (It == Scores.end() || (It->second.Refused && C.Refusals.empty()))
        C.Refusals.push_back(
            {Reason::InstantiationsDisagree,
             Loop,
             {"another file that includes it, or another configuration, cannot have this one"},
             {}});
      else
        C.Score = It->second.Least;
      if (!C.Plan.Arguments.empty())
        C.Plan.Arguments = Unknown ? std::vector<TemplateArguments>() : Arguments;
    }
  }

private:
  static std::string text(const TemplateArguments &A) {
    std::string Text = join(A.Values, " && ");
    for (const TypeArgument &T : A.Types)
      Text += " && " + T.Param + " " + T.Type;
    return Text;
  }
};
using AgreedLoops = std::map<LoopPlace, InAllUnits>;

class FileAnalysis {
public:
  /// \p Errors: of the file; there are none without RewriteOptions::KeepGoing.
  /// \p Pinned: places in the main file at which the text of calls stands that pins the arguments
  /// of a template.
  /// \p Asked, \p Agreed: of the loops of a header, to fill in, and to keep to. \p Kept: what other
  /// readings of \p Context have found out, under the same options but for what is asked for; null:
  /// there are none.
  FileAnalysis(ASTContext &Context, const RewriteOptions &Options, raw_ostream &Printed,
               ArrayRef<SourceError> Errors, std::vector<unsigned> Pinned, AgreedLoops *Asked,
               const AgreedLoops *Agreed, ArrayRef<LineRange> Only, KeptAnalyses *Kept)
      : OwnAnalyses(Options), Shared(Kept != nullptr), Kept(Kept ? *Kept : OwnAnalyses),
        Context(Context), Options(Options), Printed(Printed), HasErrors(!Errors.empty()),
        Sound(Context, Errors), Pinned(std::move(Pinned)), Only(Only), Asked(Asked), Agreed(Agreed),
        Launches(Context,
                 [this](const FunctionDecl *Host) { return !HasErrors || !Sound.doubt(Host); }),
        NoTileLoop(mainFileText(Context), TileLoopCheckName),
        NoRefused(mainFileText(Context), RefusedCheckName) {}

  std::vector<LoopOutcome> run() {
    std::vector<LoopOutcome> Out;
    SourceLocation LastDoubted; // many instantiations of one
    if (!Kept.Found)
      Kept.Found = findLoops(Context, [&](const FunctionDecl *Function) {
        std::optional<SoundParts::Doubt> Doubt = HasErrors ? Sound.doubt(Function) : std::nullopt;
        if (Doubt && Function->getLocation() != std::exchange(LastDoubted, Function->getLocation()))
          doubted(*Function, *Doubt, Out);
        return !Doubt;
      });
    const std::vector<KLoop> &Loops = Kept.Found->InMainFile;
    for (const KLoop &L : Loops)
      if (!L.IsPattern)
        OfFunction[L.Function].push_back(&L);
    for (size_t I = 0; I < Loops.size();) {
      size_t J = I + 1;
      while (J < Loops.size() && Loops[J].Begin == Loops[I].Begin)
        ++J;
      Out.push_back(loop(ArrayRef<KLoop>(Loops).slice(I, J - I)));
      I = J;
    }
    SourceLocation Last;
    for (const KLoop &L : Kept.Found->InHeaders)
      if (L.Begin != Last) {
        if (std::optional<LoopOutcome> Told = headerLoop(L))
          Out.push_back(std::move(*Told));
        Last = L.Begin;
      }
    return Out;
  }

private:
  KeptAnalyses OwnAnalyses;
  const bool Shared; ///< Kept is not for this reading alone
  KeptAnalyses &Kept;
  ASTContext &Context;
  const RewriteOptions &Options;
  raw_ostream &Printed;
  const bool HasErrors;
  SoundParts Sound;
  const std::vector<unsigned> Pinned;
  const ArrayRef<LineRange> Only;
  AgreedLoops *const Asked;
  const AgreedLoops *const Agreed;
  std::optional<SourceText> Source; ///< read when the first loop is looked at
  std::optional<LineTable> Lines;   ///< as well
  LaunchFinder Launches;
  const SuppressedLines NoTileLoop, NoRefused;
  DeclMap<FunctionDecl, std::vector<const KLoop *>> OfFunction;
  std::map<const KLoop *, TileModel>
      Models;              ///< of other loops of the same function, where one asks
  FunctionCache Functions; ///< of the function, or the template, whose loops are looked at now
  SourceLocation LastFunction;
  SharedEffort Effort;
  /// Names that were given out, by function: two kernels may both have a `stage`.
  std::map<SourceLocation, GivenNames> Given;
  /// Bytes that the loops rewritten so far added to the shared memory of their function.
  std::map<SourceLocation, uint64_t> Added;

  struct Instance {
    std::shared_ptr<const LoopAnalysis> Analysis;
    cuda_pipeline::Legality Legality; ///< with what this reading adds to it
    PlanInputs Inputs;
    std::vector<Candidate> Candidates;
    const TileModel &model() const { return Analysis->Model; }
    const FetchStore &cutFor(Variant V) const {
      return V == Variant::Mixed && Legality.MixedCut ? *Legality.MixedCut : model().Registers;
    }
  };

  bool selected(const KLoop &L) const {
    if (!Options.KernelRegex.empty() && !Regex(Options.KernelRegex).match(L.Kernel))
      return false;
    if (!Options.Begins.empty() && none_of(Options.Begins, [&](const LineRange &R) {
          return R.First <= L.Line && L.Line <= R.Last;
        }))
      return false;
    if (Options.Lines.empty())
      return true;
    return any_of(Options.Lines,
                  [&](const LineRange &R) { return L.Line <= R.Last && R.First <= L.EndLine; });
  }

  /// Of the outermost function that \p F is in: a lambda stands in another one.
  LineRange linesAround(const FunctionDecl &F) const {
    const FunctionDecl *Outermost = &F;
    for (const DeclContext *D = &F; D; D = D->getParent())
      if (const auto *Around = dyn_cast<FunctionDecl>(D))
        Outermost = Around;
    const SourceManager &SM = Context.getSourceManager();
    return {SM.getExpansionLineNumber(Outermost->getBeginLoc()),
            SM.getExpansionLineNumber(Outermost->getEndLoc())};
  }

  /// A function of the file that cannot be relied on, and may have tile loops: something in it
  /// waits for others.
  void doubted(const FunctionDecl &Function, const SoundParts::Doubt &Doubt,
               std::vector<LoopOutcome> &To) const {
    const SourceManager &SM = Context.getSourceManager();
    const CharSourceRange Text = CharSourceRange::getTokenRange(
        SM.getExpansionRange(Function.getSourceRange()).getAsRange());
    if (!isInMainFile(SM, SM.getExpansionLoc(Function.getLocation())) ||
        !Lexer::getSourceText(Text, SM, Context.getLangOpts()).contains("sync"))
      return;
    KLoop L;
    L.Kernel = Function.getQualifiedNameAsString();
    L.Begin = SM.getExpansionLoc(Function.getLocation());
    L.Line = SM.getSpellingLineNumber(L.Begin);
    L.EndLine = SM.getSpellingLineNumber(SM.getExpansionLoc(Function.getEndLoc()));
    LoopOutcome Out;
    Out.Report.Kernel = L.Kernel;
    Out.Report.IsKernel = Function.hasAttr<CUDAGlobalAttr>();
    Out.Report.Line = L.Line;
    Out.Report.EndLine = L.EndLine;
    Out.Report.Column = SM.getSpellingColumnNumber(L.Begin);
    if (selected(L)) {
      Out.Report.Status = LoopStatus::Refused;
      Refusal R{Reason::FileErrors, L.Begin, {Doubt.What}, {}};
      if (Doubt.Where.isValid() && (!isInMainFile(SM, SM.getExpansionLoc(Doubt.Where)) ||
                                    SM.getExpansionLineNumber(Doubt.Where) != L.Line))
        R.Notes.push_back({"here", Doubt.Where});
      addReason(Out.Report.Reasons, reasonReport(R));
    }
    To.push_back(std::move(Out));
  }

  /// A loop of an included file: said, at the #include, and left alone. None: the main file does
  /// not include it, but is itself included beside it.
  std::optional<LoopOutcome> headerLoop(KLoop L) const {
    const SourceManager &SM = Context.getSourceManager();
    StringRef File = SM.getFilename(L.Begin);
    File.consume_front("./");
    std::string Place = (File + ":" + Twine(L.Line)).str();
    SourceLocation Include = L.Begin;
    while (!isInMainFile(SM, Include)) {
      SourceLocation From = SM.getIncludeLoc(SM.getFileID(Include));
      if (From.isInvalid())
        break; // -include: no line of the file's
      Include = From;
    }
    const bool Shown = isInMainFile(SM, Include);
    if (!Shown && SM.getIncludeLoc(SM.getMainFileID()).isValid())
      return std::nullopt;
    L.Line = L.EndLine = Shown ? SM.getSpellingLineNumber(Include) : 0;
    L.Column = Shown ? SM.getSpellingColumnNumber(Include) : 0;
    LoopOutcome Out;
    Out.Report.Kernel = L.Kernel;
    Out.Report.IsKernel = L.IsKernel;
    if (OptionalFileEntryRef In = SM.getFileEntryRefForID(SM.getFileID(L.Begin)))
      Out.Report.InFile = In->getFileEntry().tryGetRealPathName().str();
    Out.Report.Line = Out.Report.EndLine = L.Line;
    Out.Report.Column = L.Column;
    Out.Report.Status = LoopStatus::NotSelected;
    if (selected(L)) {
      Out.Report.Status = LoopStatus::Refused;
      addReason(Out.Report.Reasons, reasonReport({Reason::OtherFile, Include, {Place}, {}}));
    }
    return Out;
  }

  ReasonReport reasonReport(const Refusal &R) const {
    const SourceManager &SM = Context.getSourceManager();
    ReasonReport Out;
    Out.Id = R.Why;
    Out.Message = formatReason(R.Why, R.Args);
    Out.Remedy = R.Remedy.empty() ? info(R.Why).Remedy.str() : R.Remedy;
    auto Place = [&](SourceLocation Loc, unsigned &Line, unsigned &Column) {
      if (Loc.isInvalid())
        return;
      Loc = SM.getExpansionLoc(Loc);
      if (!isInMainFile(SM, Loc))
        return;
      Line = SM.getSpellingLineNumber(Loc);
      Column = SM.getSpellingColumnNumber(Loc);
    };
    Place(R.Where, Out.Line, Out.Column);
    for (const auto &[Message, Loc] : R.Notes) {
      Note N;
      N.Message = Message;
      Place(Loc, N.Line, N.Column);
      if (N.Line == 0 && Loc.isValid()) // the report's lines are those of one file
        N.Message += (" (" + sys::path::filename(SM.getFilename(SM.getExpansionLoc(Loc))) + ":" +
                      Twine(SM.getExpansionLineNumber(Loc)) + ")")
                         .str();
      Out.Notes.push_back(N);
    }
    return Out;
  }

  static void addReason(std::vector<ReasonReport> &To, ReasonReport R) {
    for (const ReasonReport &Have : To)
      if (Have.Id == R.Id && Have.Line == R.Line && Have.Message == R.Message)
        return;
    To.push_back(std::move(R));
  }

  LoopOutcome loop(ArrayRef<KLoop> Group) {
    LoopOutcome Out;
    LoopReport &Report = Out.Report;
    const KLoop &First = Group.front();
    Report.Kernel = First.Kernel;
    Report.IsKernel = First.IsKernel;
    Report.Line = First.Line;
    Report.Column = First.Column;
    Report.EndLine = First.EndLine;
    Out.Function = linesAround(*First.Function);
    Report.FunctionLine = Out.Function.First;
    Report.FunctionEndLine = Out.Function.Last;
    if (!selected(First) || (!Only.empty() && none_of(Only, [&](LineRange R) {
          return R.First <= Out.Function.Last && Out.Function.First <= R.Last;
        }))) {
      Report.Status = LoopStatus::NotSelected;
      return Out;
    }
    if (NoTileLoop.contains(First.Line)) {
      Report.Status = LoopStatus::Suppressed;
      return Out;
    }
    if (Options.Print != PrintStep::None)
      for (const KLoop &L : Group)
        printLoop(L, Printed);
    if (Options.Print == PrintStep::Loops)
      return Out;

    if (SourceLocation Here = First.Function->getBody()->getBeginLoc(); Here != LastFunction) {
      Functions.Facts.clear();
      Models.clear();
      if (!Shared)
        Kept.Of.clear();
      LastFunction = Here;
    }
    std::vector<Instance> Instances(Group.size());
    for (size_t I = 0; I < Group.size(); ++I)
      analyse(Group[I], Instances[I]);
    if (any_of(Instances, [](const Instance &I) { return I.model().AlreadyPipelined; })) {
      Report.Status = LoopStatus::AlreadyPipelined;
      return Out;
    }
    fillFacts(Report, Instances);
    Out.Phases = phaseText(Instances.front().model(), Context);
    Out.Meant = namesMeant(Instances.front().model(), Context);
    if (!Lines)
      Lines.emplace(mainFileText(Context));
    Report.Phases = phaseLines(mainFileText(Context), *Lines, Out.Phases);
    std::vector<Candidate> Merged = merge(Instances);
    const LoopPlace Place = {First.Line, First.Column};
    if (Asked && !First.IsPattern)
      (*Asked)[Place].add(Merged);
    if (auto It = Agreed ? Agreed->find(Place) : AgreedLoops::const_iterator();
        Agreed && It != Agreed->end() && !First.IsPattern)
      It->second.applyTo(Merged, First.Begin);
    if (Options.Ablate != Ablation::None)
      leaveOutHalf(Out, Instances, Merged);
    else
      choose(Out, Instances, std::move(Merged));
    if (Report.Status == LoopStatus::Refused && NoRefused.contains(First.Line)) {
      Report.Status = LoopStatus::Suppressed;
      Report.Reasons.clear();
    }
    Out.Gathered = gatherLoads(Instances.front().model(), Context);
    for (const Instance &I : drop_begin(Instances))
      if (!Out.Gathered.empty() && !(gatherLoads(I.model(), Context) == Out.Gathered))
        Out.Gathered = GatheredLoads();
    if (Out.List.empty())
      Out.Reworded = rewordingOf(Instances, Report);
    return Out;
  }

  OtherLoops othersThan(const KLoop &L) {
    OtherLoops Out;
    Out.Loops = OfFunction[L.Function];
    Out.Model = [this](const KLoop &Loop) -> const TileModel & {
      auto [It, New] = Models.try_emplace(&Loop);
      if (New)
        It->second = buildTileModel(Loop, Context, Options.EmitRefused, &Functions);
      return It->second;
    };
    return Out;
  }

  /// What the loop is, whatever is asked for.
  std::shared_ptr<const LoopAnalysis> analysisOf(const KLoop &L) {
    std::shared_ptr<const LoopAnalysis> &Known = Kept.Of[&L];
    if (Known)
      return Known;
    auto A = std::make_shared<LoopAnalysis>();
    Known = A;
    A->Shape = Launches.shapeOf(L.Function, Options.BlockSize);
    A->Model = buildTileModel(L, Context, Options.EmitRefused, &Functions, A->Shape);
    if (Options.Print == PrintStep::Tiles)
      printTiles(A->Model, Context, Printed);
    if (A->Model.AlreadyPipelined)
      return Known;
    A->Legality =
        checkLegality(A->Model, Context, Options.Assumptions, A->Shape, &Effort, othersThan(L));
    for (const Refusal &R : reverse(A->Model.Waived))
      A->Legality.Findings.insert(A->Legality.Findings.begin(), Finding{R, Needs::Everything});
    if (Options.Print == PrintStep::Maps)
      printAccessMaps(A->Model, Context, A->Shape, Printed);
    if (Options.Print == PrintStep::Legality)
      printLegality(A->Model, A->Legality, Context, Printed);
    A->Ratio = computeRatio(A->Model, Context, A->Shape);
    A->ComputeInstructions = estimateComputeInstructions(A->Model, Context);
    if (L.IsKernel)
      A->Dynamic = Launches.dynamicSizesOf(L.Function);
    return Known;
  }

  void analyse(const KLoop &L, Instance &I) {
    I.Analysis = analysisOf(L);
    if (I.model().AlreadyPipelined)
      return;
    I.Legality = I.Analysis->Legality;
    PlanInputs &In = I.Inputs;
    In.Shape = I.Analysis->Shape;
    In.Ratio = I.Analysis->Ratio;
    In.ComputeInstructions = I.Analysis->ComputeInstructions;
    In.Dynamic = I.Analysis->Dynamic;
    for (const std::string &Arch : Options.Archs)
      if (const GpuTarget *Gpu = GpuTarget::find(Arch))
        In.Gpus.push_back(Gpu);
    In.RequestedVariant = Options.RequestedVariant;
    In.RequestedStages = Options.RequestedStages;
    In.MinGain = Options.MinGain;
    In.OtherLoops = OfFunction[L.Function].size() > 1;
    if (L.IsPattern) {
      // Nothing typed to look at: only the refusal is left.
      for (Variant V : allVariants()) {
        if (In.RequestedVariant ? *In.RequestedVariant != V : V == Variant::Mixed)
          continue; // makeCandidates() has the same
        Candidate C;
        C.Plan.Kind = V;
        C.Plan.Stages = std::clamp(In.RequestedStages.value_or(2), info(V).Least, info(V).Most);
        C.Refusals = I.Legality.common();
        I.Candidates.push_back(C);
      }
      return;
    }
    if (HasErrors)
      I.Legality.Assumptions.push_back("file-errors");
    const SourceManager &SM = Context.getSourceManager();
    const unsigned Begin = SM.getFileOffset(L.Begin),
                   End = SM.getFileOffset(SM.getExpansionLoc(L.Loop->getEndLoc()));
    if (any_of(Pinned, [&](unsigned At) { return Begin < At && At < End; }))
      I.Legality.Matter.Values = I.Legality.Matter.Types = true;
    I.Candidates = makeCandidates(I.model(), I.Legality, Context, In);
    if (Options.Print == PrintStep::Budget)
      printBudget(I.Candidates, In, Printed);
  }

  void fillFacts(LoopReport &Report, const std::vector<Instance> &Instances) {
    const Instance &I = Instances.front();
    for (const auto &B : I.model().Buffers)
      Report.Buffers.push_back({B->Decl->getNameAsString(), B->Bytes});
    if (I.Inputs.Ratio.Known) {
      Report.HasRatio = true;
      Report.Ratio.FlopsPerByte = I.Inputs.Ratio.value();
      Report.Ratio.Flops = I.Inputs.Ratio.Flops;
      Report.Ratio.Bytes = I.Inputs.Ratio.Bytes;
    }
    const LaunchShape &Shape = I.Inputs.Shape;
    Report.MaxThreads = Shape.MaxThreads;
    if (Shape.known()) {
      Report.BlockThreads = Shape.threads();
      const char *Origin = Shape.Origin == ShapeOrigin::LaunchBounds ? "launch bounds"
                           : Shape.Origin == ShapeOrigin::Launch
                               ? (mainFileIsHeader(Context.getSourceManager())
                                      ? "launch in a file that includes this one"
                                      : "launch in this file")
                           : Shape.Origin == ShapeOrigin::CommandLine ? "command line"
                                                                      : "unknown";
      const char *Kind = Shape.Exact                                 ? "exact"
                         : Shape.Origin == ShapeOrigin::LaunchBounds ? "upper bound"
                         : Shape.Origin == ShapeOrigin::CommandLine  ? "claim"
                                                                     : "not all launches seen";
      Report.BlockSize =
          formatv("{0}x{1}x{2} ({3}, {4})", Shape.X, Shape.Y, Shape.Z, Origin, Kind).str();
    }
  }

  /// One list for all instantiations: legal where all are, the largest budget, the lowest score.
  std::vector<Candidate> merge(const std::vector<Instance> &Instances) {
    std::vector<Candidate> Out = Instances.front().Candidates;
    for (const Instance &I : drop_begin(Instances)) {
      for (size_t K = 0; K < Out.size() && K < I.Candidates.size(); ++K) {
        const Candidate &C = I.Candidates[K];
        Out[K].Refusals.insert(Out[K].Refusals.end(), C.Refusals.begin(), C.Refusals.end());
        Out[K].Score = std::min(Out[K].Score, C.Score);
        Out[K].Plan.FinalBarrier |= C.Plan.FinalBarrier;
        Out[K].Plan.EntryBarrier |= C.Plan.EntryBarrier;
        Out[K].Plan.Matter.add(C.Plan.Matter);
        if (Out[K].Plan.AsyncCopies != C.Plan.AsyncCopies && Out[K].Refusals.empty())
          Out[K].Refusals.push_back({Reason::InstantiationsDisagree,
                                     I.model().Loop->Begin,
                                     {"not the same copies can be asynchronous in all of them"},
                                     {}});
        if (!(Out[K].Plan.Carried == C.Plan.Carried) && Out[K].Refusals.empty())
          Out[K].Refusals.push_back({Reason::InstantiationsDisagree,
                                     I.model().Loop->Begin,
                                     {"only some of them read what a tile holds besides the loop"},
                                     {}});
        mergeDynamic(Out[K], C, I);
        mergeBeside(Out[K].Plan, C.Plan);
        if (C.Plan.Arguments.empty())
          Out[K].Plan.Arguments.clear();
        else if (!Out[K].Plan.Arguments.empty() &&
                 !is_contained(Out[K].Plan.Arguments, C.Plan.Arguments.front()))
          Out[K].Plan.Arguments.push_back(C.Plan.Arguments.front());
        for (const std::string &A : C.Plan.Assumptions)
          if (!is_contained(Out[K].Plan.Assumptions, A))
            Out[K].Plan.Assumptions.push_back(A);
        for (const auto &[Tile, Bytes] : C.Plan.Alignments)
          Out[K].Plan.Alignments[Tile] = std::max(Out[K].Plan.Alignments[Tile], Bytes);
        if (C.Budget.SharedAfter > Out[K].Budget.SharedAfter)
          Out[K].Budget = C.Budget;
      }
    }
    return Out;
  }

  /// What one instantiation needs all of them do: their text is the same.
  static void mergeBeside(Plan &All, const Plan &Other) {
    All.Beside |= Other.Beside;
    All.MayBeBeside &= Other.MayBeBeside;
    All.OthersBeside |= Other.OthersBeside;
    for (const GrownSize &G : Other.IfBeside) {
      auto Known = find_if(All.IfBeside, [&](const GrownSize &A) { return A.Offset == G.Offset; });
      if (Known == All.IfBeside.end())
        All.IfBeside.push_back(G);
      else
        Known->Given = std::max(Known->Given, G.Given);
    }
  }

  static void mergeDynamic(Candidate &All, const Candidate &C, const Instance &I) {
    if (!All.Plan.Dynamic || !C.Plan.Dynamic)
      return; // refused
    erase_if(All.Plan.Grown, [&](const GrownSize &G) { return !is_contained(C.Plan.Grown, G); });
    if (All.Plan.Dynamic->Bytes == C.Plan.Dynamic->Bytes &&
        All.Plan.Dynamic->Block == C.Plan.Dynamic->Block)
      return;
    if (C.Plan.Arguments.empty()) {
      All.Refusals.push_back({Reason::InstantiationsDisagree,
                              I.model().Loop->Begin,
                              {"they use different amounts of dynamic shared memory"},
                              {}});
      return;
    }
    // Each by its arguments, which the output asserts to be known.
    std::vector<std::string> Known = C.Plan.Arguments.front().Values;
    for (const TypeArgument &T : C.Plan.Arguments.front().Types)
      Known.push_back("::std::is_same<" + T.Param + ", " + T.Type + ">::value");
    const std::string If = join(Known, " && ") + " ? ";
    DynamicStages &Stages = *All.Plan.Dynamic;
    if (Stages.Bytes != C.Plan.Dynamic->Bytes) {
      Stages.Constant.reset();
      Stages.Bytes = If + C.Plan.Dynamic->Bytes + " : " + Stages.Bytes;
    }
    if (Stages.Block != C.Plan.Dynamic->Block) {
      auto OrAny = [](const std::string &Block) {
        return Block.empty() ? std::string("true") : Block;
      };
      Stages.Block = "(" + If + OrAny(C.Plan.Dynamic->Block) + " : " + OrAny(Stages.Block) + ")";
    }
  }

  /// There is something to emit, sound or not: the loop is understood, the copies can be made in
  /// that way, and the tiles have a size.
  static bool canBeEmitted(const Candidate &C, const std::vector<Instance> &Instances) {
    const VariantInfo &Of = info(C.Plan.Kind);
    const bool Async = Of.Async && !Of.Registers;
    for (const Instance &I : Instances) {
      const TileModel &M = I.model();
      if (!M.understood() || M.Loop->IsPattern ||
          (Of.Async && Of.Registers && !I.Legality.MixedCut) ||
          !(Async ? M.AsyncRefusals : I.cutFor(C.Plan.Kind).Refusals).empty())
        return false;
      if (C.Plan.Stages > 1 && !C.Plan.Dynamic &&
          any_of(M.Buffers, [](const auto &B) { return B->Origin == BufferOrigin::Dynamic; }))
        return false;
      if (Async && any_of(M.Copies, [](const TileCopy &Copy) {
            return !Copy.IsFill && (Copy.Converted || !Copy.SourceAccess);
          }))
        return false;
    }
    // What the instruction, or the hardware, does not have.
    return none_of(C.Refusals, [](const Refusal &R) {
      return R.Why == Reason::CopyWidth || R.Why == Reason::SharedMemoryLimit;
    });
  }

  /// RewriteOptions::EmitRefused.
  static void waive(std::vector<Candidate> &Candidates, const std::vector<Instance> &Instances) {
    for (Candidate &C : Candidates) {
      if (C.Refusals.empty() || !canBeEmitted(C, Instances))
        continue;
      for (const Refusal &R : C.Refusals)
        if (std::string Id = info(R.Why).Id.str(); !is_contained(C.Plan.RefusedFor, Id))
          C.Plan.RefusedFor.push_back(Id);
      C.Waived = std::move(C.Refusals);
      C.Refusals.clear();
    }
  }

  struct Emission {
    std::vector<Edit> List;
    std::vector<std::string> Headers;
    GivenNames Names;
    EmittedWords Words;
  };

  /// The text of one candidate. None: what cannot be emitted is one more refusal of it.
  std::optional<Emission> emitAll(Candidate &C, const std::vector<Instance> &Instances) {
    if (!Source)
      Source = readSourceText(Context);
    const SourceLocation Begin = Instances.front().model().Loop->Begin;
    std::optional<Emission> All;
    for (const Instance &I : Instances) {
      EmitResult R = emit(I.model(), I.cutFor(C.Plan.Kind), C.Plan, Context, *Source,
                          Given[functionOf(Instances)]);
      if (!R.Refusals.empty())
        C.Refusals = R.Refusals;
      else if (All && All->List != R.Result.List)
        C.Refusals.push_back({Reason::InstantiationsDisagree,
                              Begin,
                              {"their text would differ"},
                              {},
                              "Name the types of the load phase by the parameters of the template, "
                              "or instantiate it for one type."});
      if (!C.Refusals.empty())
        return std::nullopt;
      All = Emission{std::move(R.Result.List), std::move(R.Result.Headers), std::move(R.Names),
                     std::move(R.Words)};
    }
    if (All && !All->Headers.empty() && standsInBraces()) {
      C.Refusals.push_back({Reason::NotYet,
                            Begin,
                            {"another #include in a header that is itself included inside of "
                             "braces (extern \"C\" {, a namespace)"},
                            {},
                            "Include the header outside of the braces, or choose a variant that "
                            "needs no #include."});
      return std::nullopt;
    }
    return All;
  }

  /// The file is a header, and where it is included something is open: what it includes would be in
  /// there, too.
  bool standsInBraces() const {
    const SourceManager &SM = Context.getSourceManager();
    const SourceLocation At = SM.getIncludeLoc(SM.getMainFileID());
    if (At.isInvalid())
      return false;
    return any_of(Context.getTraversalScope(), [&](const Decl *D) {
      return isa<LinkageSpecDecl, NamespaceDecl, TagDecl, FunctionDecl, ClassTemplateDecl>(D) &&
             D->getLocation().isValid() && SM.isBeforeInTranslationUnit(D->getBeginLoc(), At) &&
             SM.isBeforeInTranslationUnit(At, D->getEndLoc());
    });
  }

  static SourceLocation functionOf(const std::vector<Instance> &Instances) {
    return Instances.front().model().Loop->Function->getBody()->getBeginLoc();
  }

  /// With what the other loops of the function take.
  void limitShared(std::vector<Candidate> &Candidates, const std::vector<Instance> &Instances) {
    const GivenNames &Names = Given[functionOf(Instances)];
    for (Candidate &C : Candidates) {
      // Stages that another loop has already are not made again.
      if (C.Plan.Stages > 1)
        for (const auto &B : Instances.front().model().Buffers)
          if (auto It = Names.Staged.find(B->Decl->getLocation()); It != Names.Staged.end())
            C.Budget.SharedAfter -=
                std::min(C.Budget.SharedAfter - C.Budget.SharedBefore,
                         (std::min(C.Plan.Stages, It->second.Stages) - 1) * B->Bytes);
      C.Budget.SharedBefore += Added[functionOf(Instances)];
      C.Budget.SharedAfter += Added[functionOf(Instances)];
      placeBeside(C, Instances.front().Inputs.Gpus);
      if (C.Plan.Stages > 1 && !C.Budget.fits() && C.Refusals.empty())
        C.Refusals.push_back({Reason::SharedMemoryLimit,
                              Instances.front().model().Loop->Begin,
                              {std::to_string(C.Plan.Stages), std::to_string(C.Budget.SharedAfter),
                               std::to_string(C.Budget.Limit)},
                              {}});
    }
  }

  /// Where one variant was asked for: the others that can be had. The remedies of Reasons.def name
  /// no variant, as for this loop that one may be refused as well.
  std::string otherVariants(std::vector<Instance> &Instances) {
    if (!Options.RequestedVariant || Instances.front().model().Loop->IsPattern)
      return "";
    std::string Text;
    for (Variant V : allVariants()) {
      if (*Options.RequestedVariant == V)
        continue;
      for (Instance &I : Instances) {
        PlanInputs In = I.Inputs;
        In.RequestedVariant = V;
        In.RequestedStages = std::nullopt;
        I.Candidates = makeCandidates(I.model(), I.Legality, Context, In);
      }
      std::vector<Candidate> Merged = merge(Instances);
      limitShared(Merged, Instances);
      if (any_of(Merged, [&](Candidate &C) { return C.Refusals.empty() && emitAll(C, Instances); }))
        Text += ((Text.empty() ? " Or try --variant=" : " or --variant=") + toString(V)).str();
    }
    return Text.empty() ? Text : Text + ".";
  }

  /// RewriteOptions::Ablate: whether a rewrite would be legal does not matter, only that the two
  /// halves are known.
  void leaveOutHalf(LoopOutcome &Out, const std::vector<Instance> &Instances,
                    ArrayRef<Candidate> Candidates) {
    LoopReport &Report = Out.Report;
    Report.Status = LoopStatus::Refused;
    if (!Source)
      Source = readSourceText(Context);
    GivenNames Names;
    std::vector<Edit> List;
    for (const Instance &I : Instances) {
      std::vector<Refusal> Refusals = I.model().Refusals;
      if (I.model().Loop->IsPattern && !Candidates.empty())
        Refusals = Candidates.front().Refusals;
      if (Refusals.empty()) {
        EmitResult R =
            ablate(I.model(), Options.Ablate, Context, *Source, Given[functionOf(Instances)]);
        Refusals = R.Refusals;
        if (Refusals.empty() && &I != &Instances.front() && R.Result.List != List)
          Refusals.push_back({Reason::InstantiationsDisagree,
                              I.model().Loop->Begin,
                              {"their text would differ"},
                              {}});
        List = std::move(R.Result.List);
        Names = std::move(R.Names);
      }
      for (const Refusal &R : Refusals)
        addReason(Report.Reasons, reasonReport(R));
    }
    if (!Report.Reasons.empty()) {
      std::string WhyNot;
      Out.Calls = callsToInline(Instances, WhyNot);
      if (!WhyNot.empty())
        explain(Report, WhyNot);
      return;
    }
    Given[functionOf(Instances)].add(Names);
    Out.List = std::move(List);
    Report.Status = LoopStatus::Rewritten;
    Report.Variant = toString(Options.Ablate).str();
  }

  /// Decides, emits; the choice is made again where that is refused.
  void choose(LoopOutcome &Out, std::vector<Instance> &Instances, std::vector<Candidate> Merged) {
    LoopReport &Report = Out.Report;
    if (Options.EmitRefused)
      waive(Merged, Instances);
    for (Candidate &C : Merged)
      C.Plan.Hints = Options.Hints;
    limitShared(Merged, Instances);
    Decision D;
    while (true) {
      D = decide(Merged, Instances.front().Inputs);
      if (!D.Chosen)
        break;
      Candidate &C = Merged[*D.Chosen];
      std::optional<Emission> Emitted = emitAll(C, Instances);
      if (!Emitted)
        continue;
      Given[functionOf(Instances)].add(Emitted->Names);
      Added[functionOf(Instances)] += C.Budget.SharedAfter - C.Budget.SharedBefore;
      Out.List = std::move(Emitted->List);
      Out.Words = std::move(Emitted->Words);
      Out.Headers = std::move(Emitted->Headers);
      Out.Grown = C.Plan.Beside ? C.Plan.IfBeside : C.Plan.Grown;
      break;
    }
    if (Options.Print == PrintStep::Plan)
      printPlan(D, Printed);
    if (Options.Print == PrintStep::Edits)
      printEdits(Out.List, mainFileText(Context), Printed);

    Report.Why = D.Why;
    for (const Candidate &C : D.Candidates) {
      CandidateReport R;
      R.Variant = toString(C.Plan.Kind).str();
      R.Stages = C.Plan.Stages;
      R.Score = C.Score;
      R.Rejected = C.Rejected;
      Report.Candidates.push_back(R);
    }
    if (!D.Chosen) {
      Report.Status = D.Unprofitable ? LoopStatus::Unprofitable : LoopStatus::Refused;
      if (!D.Unprofitable)
        for (const Candidate &C : D.Candidates)
          for (const auto *List : {&C.Refusals, &C.Waived})
            for (const Refusal &R : *List)
              addReason(Report.Reasons, reasonReport(R));
      std::string WhyNot;
      Out.Calls = callsToInline(Instances, WhyNot);
      if (!WhyNot.empty())
        explain(Report, WhyNot);
      const std::string Others = otherVariants(Instances);
      for (ReasonReport &R : Report.Reasons)
        R.Remedy += Others;
      if (!D.Candidates.empty())
        setBudget(Report, D.Candidates.front(), /*After=*/false);
      return;
    }
    const Candidate &C = D.Candidates[*D.Chosen];
    Report.Status = Options.CheckOnly ? LoopStatus::Opportunity : LoopStatus::Rewritten;
    Report.Variant = toString(C.Plan.Kind).str();
    Report.Stages = C.Plan.Stages;
    Report.Assumptions = C.Plan.Assumptions;
    Report.MachineApplicable = C.Plan.Assumptions.empty() && C.Waived.empty();
    Report.AlthoughRefused = !C.Waived.empty();
    for (const Refusal &R : C.Waived)
      addReason(Report.Reasons, reasonReport(R));
    // Fails loudly at the launch if it does not hold, hence granted by default.
    Report.Assumptions.push_back("registers");
    // The source cannot decide it, and no input comes out wrong by more than a rounding: named.
    const bool Contracts = Context.getLangOpts().getDefaultFPContractMode() != LangOptions::FPM_Off;
    if (Contracts &&
        any_of(Instances, [](const auto &I) { return findContraction(I.model()).Loose; }))
      Report.Assumptions.push_back("contraction");
    setBudget(Report, C, /*After=*/true);
    if (const std::optional<DynamicStages> &Stages = C.Plan.Dynamic) {
      Report.Dynamic.emplace();
      Report.Dynamic->StageBytes = Stages->Bytes;
      Report.Dynamic->Block = Stages->Block;
      for (const GrownSize &G : C.Plan.Grown)
        Report.Dynamic->Sizes.push_back({G.Line, G.newText()});
    }
    if (!Report.Dynamic && !C.Plan.Beside)
      Report.AskedBlock = C.Plan.AskBlock;
    if (!C.Plan.AskBlock.empty() || (Report.Dynamic && !Report.Dynamic->Block.empty()))
      Report.AskedExtents = {Instances.front().Inputs.Shape.X, Instances.front().Inputs.Shape.Y,
                             Instances.front().Inputs.Shape.Z};
    if (info(C.Plan.Kind).Registers)
      for (const Instance &I : Instances)
        Report.StagedRegisters =
            std::max(Report.StagedRegisters, stagedRegisters(I.cutFor(C.Plan.Kind), Context));
    if (C.Plan.Beside) {
      Report.Dynamic.emplace();
      Report.Dynamic->Block = C.Plan.AskBlock;
      Report.Dynamic->Beside = true;
      uint64_t Bytes = 0;
      for (const Instance &I : Instances)
        Bytes = std::max(Bytes, stagesBesideBytes(I.model(), 2));
      Report.Dynamic->StageBytes = std::to_string(Bytes);
      for (const GrownSize &G : C.Plan.IfBeside)
        Report.Dynamic->Sizes.push_back({G.Line, StringRef(G.newText()).ltrim(", ").str()});
    }
    for (const TileCopy &Copy : Instances.front().model().Copies) {
      CopyReport R;
      R.Buffer = Copy.Buffer->Decl->getNameAsString();
      R.BytesPerThread = Copy.Bytes;
      R.Method = Copy.IsFill ? "fill" : C.Plan.isAsync(Copy) ? "cp.async" : "registers";
      R.Line = Context.getSourceManager().getExpansionLineNumber(Copy.Store->getExprLoc());
      Report.Copies.push_back(R);
    }
  }

  /// The same in all instantiations.
  Rewording rewordingOf(const std::vector<Instance> &Instances, LoopReport &Report) {
    static const Reason Curable[] = {Reason::EarlyExit, Reason::LoopForm, Reason::OwnAsyncCopies};
    const bool Branches = Instances.front().model().Loop->IsTemplate;
    if (none_of(Instances.front().model().Refusals, [&](const Refusal &R) {
          return is_contained(Curable, R.Why) || (Branches && R.Why == Reason::NotYet);
        }))
      return Rewording();
    if (!Source)
      Source = readSourceText(Context);
    Rewording Out = reword(Instances.front().model(), Context, Source->Names);
    for (const Instance &I : drop_begin(Instances))
      if (!Out.empty() && !(reword(I.model(), Context, Source->Names) == Out))
        return Rewording();
    if (!Out.MaySlowDown || Options.RequestedVariant)
      return Out;
    for (ReasonReport &R : Report.Reasons)
      if (R.Id == Reason::OwnAsyncCopies)
        R.Remedy = AskByName.str(); // nameVariants() says for which
    return Rewording();
  }

  /// The same text in all instantiations; empty: there is nothing to gain, or it cannot be done.
  std::vector<InlinedCall> callsToInline(const std::vector<Instance> &Instances,
                                         std::string &WhyNot) {
    std::vector<InlinedCall> All;
    if (!lambdaAround(*Instances.front().model().Loop) &&
        !Instances.front().model().Loop->PassedTile &&
        none_of(Instances.front().model().Refusals,
                [](const Refusal &R) { return R.Why == Reason::CopyInCallee; }))
      return All;
    if (!Source)
      Source = readSourceText(Context);
    for (const Instance &I : Instances) {
      std::vector<InlinedCall> Of = inlineCalls(I.model(), Context, Source->Names, WhyNot);
      if (&I == &Instances.front())
        All = Of;
      bool Same = All.size() == Of.size();
      for (size_t K = 0; Same && K < All.size(); ++K) {
        Same = All[K].Offset == Of[K].Offset && All[K].Text == Of[K].Text;
        All[K].Meanings.insert(Of[K].Meanings.begin(), Of[K].Meanings.end());
      }
      if (!Same) {
        if (WhyNot.empty())
          WhyNot = "its instantiations would be written out differently";
        return {};
      }
    }
    return All;
  }

  static void setBudget(LoopReport &Report, const Candidate &C, bool After) {
    Report.Smem.Before = C.Budget.SharedBefore + C.Budget.Given;
    Report.Smem.After = (After ? C.Budget.SharedAfter : C.Budget.SharedBefore) + C.Budget.Given;
    Report.Smem.Limit = C.Budget.Limit;
    Report.Smem.Complete = C.Budget.Complete;
    if (C.Budget.HasOccupancy && C.Budget.Complete) {
      Report.HasOccupancy = true;
      Report.Occupancy.Before = C.Budget.Before.Blocks;
      Report.Occupancy.After = After ? C.Budget.After.Blocks : C.Budget.Before.Blocks;
      Report.Occupancy.Limiter =
          toString(After ? C.Budget.After.Limiter : C.Budget.Before.Limiter).str();
    }
  }
};

/// A rewrite that one look at the file allowed, and that a further one does not: the loop stays as
/// it was, for this reason.
ReasonReport &takeBack(LoopOutcome &L, Reason Id, const std::string &What, std::string Remedy) {
  L.List.clear();
  L.Headers.clear();
  L.Grown.clear();
  L.Report.Dynamic.reset();
  L.Report.Status = LoopStatus::Refused;
  L.Report.Variant.clear();
  L.Report.Stages = 0;
  L.Report.Assumptions.clear(); // they were those of the rewrite
  ReasonReport R;
  R.Id = Id;
  R.Message = formatReason(Id, {What});
  R.Remedy = std::move(Remedy);
  R.Line = L.Report.Line;
  R.Column = L.Report.Column;
  L.Report.Reasons.push_back(std::move(R));
  return L.Report.Reasons.back();
}

/// Not rewritten, because of \p What. \p Other: what another configuration says of it, if it has
/// it.
void disagree(LoopOutcome &L, const std::string &What, const LoopOutcome *Other, StringRef Name) {
  ReasonReport &R =
      takeBack(L, Reason::ArchsDisagree, What, info(Reason::ArchsDisagree).Remedy.str());
  if (Other)
    for (const ReasonReport &O : Other->Report.Reasons)
      if (O.Id != Reason::ArchsDisagree)
        R.Notes.push_back({(Name + ": " + O.Message).str(), O.Line, O.Column});
}

/// It stands for a function that could not be looked at, and not for a loop.
bool isDoubt(const LoopOutcome &L) {
  return any_of(L.Report.Reasons, [](const ReasonReport &R) { return R.Id == Reason::FileErrors; });
}

const LoopOutcome *doubtAround(const LoopOutcome &L, ArrayRef<LoopOutcome> Other) {
  auto It = find_if(Other, [&](const LoopOutcome &O) {
    return isDoubt(O) && O.Report.Line <= L.Report.Line && L.Report.Line <= O.Report.EndLine;
  });
  return It == Other.end() ? nullptr : &*It;
}

/// Loops of one configuration against those of the first. False: both would rewrite a loop, but not
/// in the same way, or not both.
bool compareConfigurations(std::vector<LoopOutcome> &First, const std::vector<LoopOutcome> &Other,
                           StringRef Name) {
  bool Agree = true;
  for (LoopOutcome &L : First) {
    auto It = find_if(Other, [&](const LoopOutcome &O) {
      return O.Report.Line == L.Report.Line && O.Report.Column == L.Report.Column;
    });
    bool Same = It != Other.end() && It->List == L.List && It->Report.Status == L.Report.Status;
    if (It == Other.end() || !(It->Gathered == L.Gathered))
      L.Gathered = GatheredLoads();
    if (It == Other.end() || !(It->Reworded == L.Reworded))
      L.Reworded = Rewording();
    if (It == Other.end() || It->Calls.size() != L.Calls.size())
      L.Calls.clear();
    for (size_t I = 0; I < L.Calls.size(); ++I) {
      if (L.Calls[I].Offset != It->Calls[I].Offset || L.Calls[I].Text != It->Calls[I].Text) {
        L.Calls.clear();
        break;
      }
      L.Calls[I].Meanings.insert(It->Calls[I].Meanings.begin(), It->Calls[I].Meanings.end());
      L.Calls[I].PinsArguments |= It->Calls[I].PinsArguments;
    }
    if (Same || L.List.empty())
      continue;
    const LoopOutcome *Why = It == Other.end() ? doubtAround(L, Other) : &*It;
    Agree &= It == Other.end() || It->Report.Status == LoopStatus::Refused;
    disagree(L,
             It == Other.end() ? ("the loop is not there for " + Name).str()
             : It->Report.Status == LoopStatus::Refused
                 ? ("it is refused for " + Name).str()
                 : ("another rewrite is needed for " + Name).str(),
             Why, Name);
  }
  // A loop that only this configuration has must not stay unmentioned.
  for (const LoopOutcome &O : Other)
    if (!isDoubt(O) && none_of(First, [&](const LoopOutcome &L) {
          return O.Report.Line == L.Report.Line && O.Report.Column == L.Report.Column;
        })) {
      LoopOutcome Copy = O;
      Copy.Gathered = GatheredLoads();
      Copy.Reworded = Rewording();
      Copy.Calls.clear();
      if (!O.List.empty())
        disagree(Copy, ("the loop is there for " + Name + " only").str(), nullptr, Name);
      First.push_back(std::move(Copy));
    }
  return Agree;
}

/// A loop that one translation unit has no use for: another one may say more.
bool saysNothing(const LoopOutcome &L) {
  return L.Report.Status == LoopStatus::Refused &&
         all_of(L.Report.Reasons,
                [](const ReasonReport &R) { return R.Id == Reason::NotInstantiated; });
}

/// The calls of a loop that two translation units would both write out; they have to be the same.
void addMeanings(LoopOutcome &To, const LoopOutcome &From) {
  bool Same = To.Calls.size() == From.Calls.size();
  for (size_t I = 0; Same && I < To.Calls.size(); ++I) {
    Same = To.Calls[I].Offset == From.Calls[I].Offset && To.Calls[I].Text == From.Calls[I].Text;
    To.Calls[I].Meanings.insert(From.Calls[I].Meanings.begin(), From.Calls[I].Meanings.end());
    To.Calls[I].PinsArguments |= From.Calls[I].PinsArguments;
  }
  if (!Same)
    To.Calls.clear();
}

/// The loops of a header, as one more translation unit reads them. What is rewritten is right for
/// all of them. False: they would all rewrite a loop, but not in the same way.
bool mergeUnits(std::vector<LoopOutcome> &All, std::vector<LoopOutcome> Other, StringRef File) {
  bool Agree = true;
  for (LoopOutcome &O : Other) {
    auto It = find_if(All, [&](const LoopOutcome &L) {
      return O.Report.Line == L.Report.Line && O.Report.Column == L.Report.Column;
    });
    if (It != All.end() && !saysNothing(*It) && !saysNothing(O) && !(It->Gathered == O.Gathered))
      It->Gathered = O.Gathered = GatheredLoads();
    if (It != All.end() && !saysNothing(*It) && !saysNothing(O) && !(It->Reworded == O.Reworded))
      It->Reworded = O.Reworded = Rewording();
    if (It == All.end()) {
      All.push_back(std::move(O));
    } else if (!It->Calls.empty() && !O.Calls.empty()) {
      addMeanings(*It, O);
    } else if (saysNothing(*It) ||
               (!It->List.empty() && O.Report.Status == LoopStatus::Refused && !saysNothing(O))) {
      *It = std::move(O);
    } else if (!saysNothing(O) && !It->List.empty() &&
               (It->List != O.List || It->Report.Status != O.Report.Status)) {
      Agree = false;
      takeBack(*It, Reason::InstantiationsDisagree, ("another one in '" + File + "'").str(),
               "Name one of the files that include it at a time, if that one has all that is "
               "instantiated.");
    }
  }
  return Agree;
}

} // namespace

/// One loop may ask for more than another one of the kernel.
static std::vector<Edit> growSizes(const std::vector<LoopOutcome> &Loops) {
  std::map<unsigned, GrownSize> Most;
  for (const LoopOutcome &L : Loops)
    for (const GrownSize &G : L.Grown)
      if (auto [It, New] = Most.try_emplace(G.Offset, G);
          !New && std::tie(It->second.Factor, It->second.Given) < std::tie(G.Factor, G.Given))
        It->second = G;
  std::vector<Edit> Edits;
  for (const auto &[Offset, G] : Most)
    Edits.push_back({Offset, G.Length, G.newText()});
  return Edits;
}

namespace {

/// A function in \p In that is defined here, or in what is included, and called so.
template <class RangeT> bool isNamed(const RangeT &In, const Regex &Name, const SourceManager &SM) {
  for (const Decl *D : In) {
    if (SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      continue;
    if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
      D = Template->getTemplatedDecl();
    else if (const auto *Class = dyn_cast<ClassTemplateDecl>(D))
      D = Class->getTemplatedDecl();
    if (const auto *F = dyn_cast<FunctionDecl>(D)) {
      if ((F->hasAttr<CUDAGlobalAttr>() || F->hasAttr<CUDADeviceAttr>()) &&
          Name.match(F->getQualifiedNameAsString()))
        return true;
    } else if (const auto *Inner = dyn_cast<DeclContext>(D);
               Inner && isNamed(Inner->decls(), Name, SM)) {
      return true;
    }
  }
  return false;
}

/// Of the file that is edited, as it is. \p Read: what Clang has read, where every place is the
/// same (Mending.h).
std::string textAsWritten(const ParseRequest &R, StringRef Read) {
  const std::optional<std::string> &Given = R.Edited ? R.EditedContents : R.Contents;
  std::string Text = Given.value_or("");
  if (!Given) {
    const std::string Path = R.Edited ? R.Edited->Path : R.File;
    auto Buffer = R.Files ? R.Files->getBufferForFile(Path, -1, /*RequiresNullTerminator=*/false,
                                                      /*IsVolatile=*/true)
                          : readFile(Path);
    Text = Buffer ? (*Buffer)->getBuffer().str() : "";
  }
  return mended(Text, is_contained(R.Flags.ClangArgs, "-fgpu-rdc")).value_or(Text) == Read
             ? Text
             : Read.str();
}

/// The `extern` in front of an object in shared memory is not in what Clang has read: what is put
/// in the place of its declaration would stand behind it.
void keepMendedDeclarations(std::vector<LoopOutcome> &Loops, StringRef Text, StringRef Read) {
  for (size_t At = 0; At < Text.size(); ++At) {
    if (Text[At] == Read[At])
      continue;
    const size_t Begin = At;
    while (At < Text.size() && Text[At] != Read[At])
      ++At;
    if (Text.slice(Begin, At) != "extern")
      continue;
    const size_t End = Text.find(';', At);
    for (LoopOutcome &L : Loops)
      if (any_of(L.List,
                 [&](const Edit &E) { return E.Offset <= End && Begin <= E.Offset + E.Length; })) {
        disagree(L, "", nullptr, "");
        ReasonReport &R = L.Report.Reasons.back();
        R.Id = Reason::SharedDeclForm;
        R.Message = formatReason(R.Id, {"the object", "it stands behind 'extern'"});
        R.Remedy = info(R.Id).Remedy.str();
      }
  }
}

using OpenQuestions = std::vector<std::pair<std::string, bool>>;

/// Adds those of \p More that are new.
void take(OpenQuestions &Open, const OpenQuestions &More) {
  for (const auto &Of : More)
    if (none_of(Open, [&](const auto &Had) { return Had.first == Of.first; }))
      Open.push_back(Of);
}

/// The ways to answer \p Open otherwise that are looked at: all of them where there are few. Else
/// each is answered so, too, and all that are is, or is not (a library's headers ask for every
/// extension of a processor).
std::vector<std::vector<std::string>> answersTo(const OpenQuestions &Open) {
  std::vector<std::vector<std::string>> Ways;
  if (Open.size() <= 2) {
    for (unsigned Bits = 1; Bits < 1u << Open.size(); ++Bits) {
      Ways.emplace_back();
      for (size_t I = 0; I < Open.size(); ++I)
        if (Bits >> I & 1)
          Ways.back().push_back(Open[I].first);
    }
    return Ways;
  }
  Ways.resize(3);
  for (const auto &[Name, Is] : Open) {
    Ways[0].push_back(Name);
    Ways[Is ? 1 : 2].push_back(Name);
  }
  erase_if(Ways, [](const auto &Way) { return Way.empty(); });
  return Ways;
}

std::string describe(const std::vector<std::string> &Otherwise, const OpenQuestions &Open) {
  std::vector<std::string> Parts;
  for (const auto &[Name, Is] : Open)
    if (is_contained(Otherwise, Name))
      Parts.push_back((Is ? "without " : "with ") + Name);
  const size_t More = Parts.size() > 3 ? Parts.size() - 3 : 0;
  Parts.resize(Parts.size() - More);
  return join(Parts, ", ") + (More ? " and " + std::to_string(More) + " more" : "");
}

/// False: what the configurations of the file would rewrite a loop to differs.
bool readUnit(Pass &P, const ParseRequest &Request, const RewriteOptions &Options,
              ArrayRef<PlacedCall> Placed, AgreedLoops *Asked, const AgreedLoops *Agreed,
              ArrayRef<LineRange> Only) {
  FileResult &Result = P.Result;
  raw_string_ostream Printed(Result.Printed);
  Result.Parsed = false;
  bool First = true, Agree = true;
  std::vector<std::string> &Names = Result.Report.Configurations;
  /// Compares with what was found so far. False: the file cannot be read.
  auto Read = [&](ParseRequest R, const std::string &Name, CompilerQuestions &Questions) {
    raw_string_ostream Messages(Result.Diagnostics);
    DiagnosticOptions DiagOptions;
    TextDiagnosticPrinter Printer(Messages, DiagOptions);
    // Libraries may not know how to be read by something that is no Clang. What they leave alone
    // can be compared.
    const bool Supposed = R.HideClang || !R.Otherwise.empty();
    R.KeepGoing = Options.KeepGoing || Supposed;
    std::vector<SourceError> Errors;
    IgnoringDiagConsumer Nobody;
    std::shared_ptr<ASTUnit> Unit = parse(
        R, Supposed ? static_cast<DiagnosticConsumer *>(&Nobody) : &Printer, &Errors, &Questions);
    Messages.flush();
    const bool HasErrors = Unit && Unit->getDiagnostics().hasErrorOccurred();
    if (!Unit && !First && R.Edited && Questions.NotIncluded)
      return true;
    if (!Unit || (HasErrors && !R.KeepGoing))
      return false;
    if (First && !R.Edited)
      Result.Included = includedFiles(*Unit);
    Result.HasErrors |= HasErrors && !Supposed;
    if (HasErrors && Errors.empty())
      Errors.push_back({});
    ASTContext &Context = Unit->getASTContext();
    for (const PlacedCall &C : Placed)
      P.AsMeant &= C.HasInner || meansTheSame(C.Call, C.Offset, Context,
                                              /*MayBeUnused=*/R.Edited.has_value() || Supposed ||
                                                  !(R.Flags == Request.Flags));
    if (!P.AsMeant)
      return false;
    if (First)
      P.Text = textAsWritten(R, mainFileText(Context));
    if (!Options.KernelRegex.empty() && !Result.KernelNamed)
      Result.KernelNamed = isNamed(Context.getTraversalScope(), Regex(Options.KernelRegex),
                                   Context.getSourceManager());
    RewriteOptions Here = Options;
    if (!First)
      Here.Print = PrintStep::None;
    std::vector<unsigned> Pinned;
    for (const PlacedCall &C : Placed)
      if (C.Call.PinsArguments)
        Pinned.push_back(C.Offset);
    // What is printed is printed for each, and so is what errors leave in doubt.
    KeptAnalyses *Kept = nullptr;
    if (std::shared_ptr<void> *Facts = factsKeptWith(R, *Unit);
        Facts && !HasErrors && Options.Print == PrintStep::None) {
      if (!*Facts)
        *Facts = std::make_shared<KeptAnalyses>(Options);
      Kept = static_cast<KeptAnalyses *>(Facts->get());
      if (!Kept->isFor(Options))
        Kept = nullptr;
    }
    std::vector<LoopOutcome> Found =
        FileAnalysis(Context, Here, Printed, Errors, Pinned, Asked, Agreed, Only, Kept).run();
    if (StringRef Text = mainFileText(Context); First && P.Text != Text)
      keepMendedDeclarations(Found, P.Text, Text);
    if (First)
      P.Loops = std::move(Found);
    else
      Agree &= compareConfigurations(P.Loops, Found, Name);
    First = false;
    if (!is_contained(Names, Name))
      Names.push_back(Name);
    return true;
  };
  for (const Configuration &C : configurationsOf(Request, Options.Archs)) {
    ParseRequest R = Request;
    R.Arch = C.Arch;
    R.Flags = *C.Flags;
    CompilerQuestions Questions;
    if (!Read(R, C.Name, Questions))
      return Agree;
    if (!Request.LeftOut.empty() && Questions.Arch)
      for (LoopOutcome &L : P.Loops)
        if (!L.List.empty())
          disagree(L,
                   "the file asks for __CUDA_ARCH__, and nobody can look at it for " +
                       join(Request.LeftOut, ", "),
                   nullptr, "");
    // Somebody else's text, perhaps, for nvcc: its host compiler has none of this.
    if (!Questions.Macro.empty() && !C.Flags->ByClang && !Request.HideClang) {
      R.HideClang = true;
      CompilerQuestions Again;
      if (!Read(R, C.Name + " without what Clang alone defines (" + Questions.Macro + ")", Again))
        return Agree;
      take(Questions.Open, Again.Open);
    }
    // What the flags do not tell, both ways, as nvcc's host compiler reads it.
    std::set<std::vector<std::string>> Looked = {{}};
    for (size_t Before = 0;
         !C.Flags->ByClang && Request.Otherwise.empty() && Before != Questions.Open.size();) {
      Before = Questions.Open.size();
      for (const std::vector<std::string> &Otherwise : answersTo(Questions.Open)) {
        if (!Looked.insert(Otherwise).second)
          continue;
        R.Otherwise = Otherwise;
        CompilerQuestions Again;
        if (!Read(R, C.Name + " " + describe(Otherwise, Questions.Open), Again))
          return Agree;
        take(Questions.Open, Again.Open);
      }
    }
  }
  Result.Parsed = true;
  return Agree;
}

} // namespace

void read(Pass &P, ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
          ArrayRef<PlacedCall> Placed, ArrayRef<LineRange> Only) {
  AgreedLoops Asked;
  bool Agree = true;
  for (bool Again : {false, true}) {
    const std::string Diagnostics = P.Result.Diagnostics;
    P.Loops.clear();
    P.Result.Printed.clear();
    P.Result.Report.Configurations.clear();
    for (const ParseRequest &Unit : Units) {
      std::vector<LoopOutcome> Before = std::move(P.Loops);
      P.Loops.clear();
      Agree &= readUnit(P, Unit, Options, Placed, !Again ? &Asked : nullptr,
                        Again ? &Asked : nullptr, Only);
      if (!P.Result.Parsed || !P.AsMeant)
        return;
      if (&Unit != Units.begin()) {
        Agree &= mergeUnits(Before, std::move(P.Loops), Unit.File);
        P.Loops = std::move(Before);
      }
    }
    // Once more, for what all of them can have, and with the arguments of all.
    if (Agree)
      return;
    if (Again)
      P.Result.Diagnostics = Diagnostics;
  }
}

namespace {

/// The text that the loops of a pass make of the file, all of them together.
struct Written {
  std::unique_ptr<const ChangedText> Changed; ///< null: nothing is

  explicit Written(const Pass &P) {
    std::vector<Edit> All = growSizes(P.Loops);
    std::vector<std::string> Headers;
    for (const LoopOutcome &L : P.Loops) {
      for (const Edit &E : L.List)
        // Two loops may both ask for the stages, and the alignment, of one declaration.
        if (!is_contained(All, E))
          All.push_back(E);
      for (const std::string &H : L.Headers)
        if (!is_contained(Headers, H))
          Headers.push_back(H);
    }
    if (!All.empty())
      Changed = std::make_unique<const ChangedText>(P.Text,
                                                    withIncludes(P.Text, std::move(All), Headers));
  }
};

/// The loops of \p P whose text in \p New does not pass checkOutput() lose their changes; all do,
/// where it is not known which are to blame. False: nothing is wrong.
bool withdraw(Pass &P, ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
              const Written &New) {
  std::vector<LoopOutcome *> Changed;
  std::vector<WrittenLoop> Loops;
  for (LoopOutcome &L : P.Loops)
    if (!L.List.empty()) {
      const auto [Begin, End] = New.Changed->rangeOf(L.Phases);
      Changed.push_back(&L);
      Loops.push_back({Begin, End, &L.Meant});
    }
  std::vector<ParseRequest> Ways;
  for (const ParseRequest &Unit : Units)
    for (const Configuration &C : configurationsOf(Unit, Options.Archs)) {
      Ways.push_back(Unit);
      Ways.back().Arch = C.Arch;
      Ways.back().Flags = *C.Flags;
      Ways.back().KeepGoing = Options.KeepGoing;
      Ways.back().Reuse = nullptr; // nobody reads it again
    }
  const std::vector<OutputProblem> Problems = checkOutput(Ways, P.Text, New.Changed->text(), Loops);
  const bool All = any_of(Problems, [](const OutputProblem &O) { return !O.Loop; }) &&
                   none_of(Problems, [](const OutputProblem &O) { return O.Loop.has_value(); });
  for (size_t I = 0; I < Changed.size(); ++I) {
    const auto Problem =
        find_if(Problems, [&](const OutputProblem &O) { return All || O.Loop == I; });
    if (Problem == Problems.end())
      continue;
    takeBack(*Changed[I], Reason::NotYet,
             "a loop whose new text did not pass when it was read again (" + Problem->What + ")",
             "Please report it with the file: this is a mistake of the tool, and the loop was left "
             "as it is.");
  }
  return !Problems.empty();
}

} // namespace

/// Where asking for a variant by name may help, each is asked for: only one that makes a rewrite of
/// the loop is a remedy.
static void nameVariants(FileResult &Result, ArrayRef<ParseRequest> Units,
                         const RewriteOptions &Options) {
  std::vector<std::pair<LoopReport *, ReasonReport *>> Open;
  RewriteOptions Named = Options;
  Named.Lines.clear();
  Named.Begins.clear();
  for (LoopReport &L : Result.Report.Loops)
    for (ReasonReport &R : L.Reasons)
      if (R.Remedy == AskByName) {
        Open.push_back({&L, &R});
        Named.Begins.push_back({L.Line, L.Line});
      }
  if (Open.empty())
    return;
  Named.CheckOnly = true;
  Named.RequestedStages = std::nullopt;
  std::vector<std::string> Legal(Open.size()), Else(Open.size());
  for (Variant V : allVariants()) {
    Named.RequestedVariant = V;
    const FileResult Then = processFile(Units, Named);
    for (size_t I = 0; I < Open.size(); ++I)
      for (const LoopReport &L : Then.Report.Loops) {
        if (L.Line != Open[I].first->Line || L.Column != Open[I].first->Column)
          continue;
        if (L.Status == LoopStatus::Opportunity)
          Legal[I] += ((Legal[I].empty() ? "--variant=" : " or --variant=") + toString(V)).str();
        else if (Else[I].empty() && !L.Reasons.empty())
          Else[I] = L.Reasons.front().Message;
      }
  }
  const StringRef AtOnce = "They are waited for at once, and could be taken as plain copies, one "
                           "element at a time, which may be slower than what "
                           "the group makes of them";
  for (size_t I = 0; I < Open.size(); ++I)
    Open[I].second->Remedy = !Legal[I].empty()
                                 ? (AtOnce + ": ask for that with " + Legal[I] + ".").str()
                             : !Else[I].empty() ? (AtOnce + "; but then " + Else[I] + ".").str()
                                                : info(Open[I].second->Id).Remedy.str();
}

FileResult processFile(const ParseRequest &Request, const RewriteOptions &Options) {
  return processFile(ArrayRef(Request), Options);
}

FileResult processFile(ArrayRef<ParseRequest> Units, const RewriteOptions &Options) {
  Pass P;
  const std::string Path = Units.front().Edited ? Units.front().Edited->Path : Units.front().File;
  P.Result.Report.Path = Path;
  read(P, Units, Options, {});
  if (!P.Result.Parsed)
    return std::move(P.Result);
  const std::string Original = P.Text;
  const std::vector<IncludedFile> Included = P.Result.Included;
  std::vector<std::string> Configurations = P.Result.Report.Configurations;
  lookAgain(P, Units, Options);
  FileResult &Result = P.Result;
  if (Configurations.size() > 1)
    Result.Report.Configurations = std::move(Configurations);
  else
    Result.Report.Configurations.clear();
  for (const ParseRequest &Unit : Units)
    for (const std::string &Arch : Unit.LeftOut)
      if (!is_contained(Result.Report.LeftOut, Arch))
        Result.Report.LeftOut.push_back(Arch);
  Result.Report.Path = Path;
  Result.Report.Arch = Options.Archs.empty() ? "" : Options.Archs.front();
  Result.Included = Included;
  Result.Original = Original;
  for (LoopOutcome &L : P.Loops)
    for (const WithheldLoop &W : Options.Withheld)
      if (W.Line == L.Report.Line && W.Column == L.Report.Column && !L.List.empty())
        takeBack(L, W.Id, W.Why, info(W.Id).Remedy.str());
  Written New(P);
  // What is handed out is read once more. A loop that does not pass, and is not known to be one,
  // stays as it was.
  while (New.Changed && (!Options.CheckOnly || Options.OffersText) && !Options.EmitRefused &&
         Options.Ablate == Ablation::None && withdraw(P, Units, Options, New))
    New = Written(P);
  for (LoopOutcome &L : P.Loops) {
    // Nobody asked for the loops of another file.
    bool Asked =
        none_of(L.Report.Reasons, [](const ReasonReport &R) { return R.Id == Reason::OtherFile; });
    if (Options.RequestedVariant && L.Report.Status == LoopStatus::Refused && Asked)
      Result.RequestedVariantRefused = true;
    if (New.Changed && !L.List.empty()) {
      L.Report.NewPhases = New.Changed->phaseLines(L.Phases, L.Words);
      L.Report.InNewText = New.Changed->linesOf(L.Phases, L.Words);
    }
  }
  Result.Changed = New.Changed != nullptr;
  Result.NewContents = Result.Changed ? New.Changed->text() : Original;
  for (LoopOutcome &L : P.Loops)
    Result.Report.Loops.push_back(std::move(L.Report));
  llvm::stable_sort(Result.Report.Loops, [](const LoopReport &A, const LoopReport &B) {
    return std::tie(A.Line, A.Column) < std::tie(B.Line, B.Column);
  });
  if (any_of(Result.Report.Loops, [](const LoopReport &L) { return L.AlthoughRefused; })) {
    Result.NewContents =
        "// NOT SOUND, for tests only: has loops that were refused (--emit-refused).\n" +
        Result.NewContents;
    for (LoopReport &L : Result.Report.Loops)
      moveLines(L.NewPhases, 1);
  }
  if (Options.Print == PrintStep::None)
    nameVariants(Result, Units, Options);
  return std::move(Result);
}

} // namespace cuda_pipeline
