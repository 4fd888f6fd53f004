//===- FileAnalysis.cpp - Loop by loop through one parsed file -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileAnalysis.h"
#include "../Model/AstUtil.h"
#include "../Model/SoundParts.h"
#include "Print.h"
#include "Summary.h"
#include "cuda-pipeline/NoLint.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class FileAnalysis {
public:
  FileAnalysis(ASTContext &Context, const RewriteOptions &Options, const FileReading &Reading)
      : OwnAnalyses(Options), Shared(Reading.Kept != nullptr),
        Kept(Reading.Kept ? *Reading.Kept : OwnAnalyses), Context(Context), Options(Options),
        Printed(*Reading.Printed), HasErrors(!Reading.Errors.empty()),
        Sound(Context, Reading.Errors), Pinned(Reading.Pinned), Only(Reading.Only),
        Asked(Reading.Asked), Agreed(Reading.Agreed), SayAvailable(Reading.SayAvailable),
        LeftOut(Reading.LeftOut),
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
      if (!L.IsPattern && !L.HasTileLoop)
        OfFunction[L.Function].push_back(&L);
    // Of nested ones the inner one comes first: the outer one is looked at if that stays as it is.
    std::vector<Around> Open;
    const auto Close = [&](const KLoop *Next) {
      while (!Open.empty() && !(Next && isInside(*Next, Open.back().Group.front()))) {
        const Around Last = Open.back();
        Open.pop_back();
        const bool Alone = none_of(ArrayRef(Out).drop_front(Last.Place + 1),
                                   [](const LoopOutcome &In) { return !In.List.empty(); });
        Out[Last.Place] = loop(Alone ? withoutInner(Last.Group) : Last.Group);
        // One that is all that fills the tile is a part of it then.
        LoopOutcome &Outer = Out[Last.Place];
        for (LoopOutcome &Inner : drop_begin(Out, Last.Place + 1))
          if (!Outer.List.empty() && Inner.Report.Status == LoopStatus::Refused &&
              any_of(Outer.Report.Phases, [&](const PhaseReport &P) {
                return P.Kind == "load" && P.Line <= Inner.Report.Line &&
                       Inner.Report.Line <= P.EndLine;
              }))
            Inner.Report.Status = LoopStatus::NotSelected, Inner.Report.Reasons.clear();
      }
    };
    for (size_t I = 0; I < Loops.size();) {
      size_t J = I + 1;
      while (J < Loops.size() && Loops[J].Begin == Loops[I].Begin)
        ++J;
      const ArrayRef<KLoop> Group = ArrayRef<KLoop>(Loops).slice(I, J - I);
      Close(&Group.front());
      if (Group.front().HasTileLoop) {
        Open.push_back({Group, Out.size()});
        Out.emplace_back();
      } else {
        Out.push_back(loop(Group));
      }
      I = J;
    }
    Close(nullptr);
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
  const ArrayRef<std::pair<unsigned, unsigned>> Pinned;
  const ArrayRef<LineRange> Only;
  AgreedLoops *const Asked;
  const AgreedLoops *const Agreed;
  const bool SayAvailable;
  const ArrayRef<std::pair<unsigned, unsigned>> LeftOut;
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

  /// Loops, one for each instantiation, with tile loops in them.
  struct Around {
    ArrayRef<KLoop> Group;
    size_t Place; ///< among the outcomes
  };
  bool isInside(const KLoop &L, const KLoop &Outer) const {
    const SourceManager &SM = Context.getSourceManager();
    return SM.isBeforeInTranslationUnit(Outer.Begin, L.Begin) &&
           SM.isBeforeInTranslationUnit(L.Begin, SM.getExpansionLoc(Outer.Loop->getEndLoc()));
  }
  /// The same loops, as if the inner ones were no tile loops: statements with barriers.
  ArrayRef<KLoop> withoutInner(ArrayRef<KLoop> Group) {
    std::vector<KLoop> &Copies = Kept.Alone[&Group.front()];
    if (Copies.empty())
      for (const KLoop &L : Group)
        Copies.emplace_back(L).HasTileLoop = false;
    return Copies;
  }

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
      addReason(Out.Report.Reasons, reasonReport(R, Context.getSourceManager()));
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
      addReason(Out.Report.Reasons, reasonReport({Reason::OtherFile, Include, {Place}, {}}, SM));
    }
    return Out;
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
    if (auto Done =
            find_if(Instances, [](const Instance &I) { return I.model().AlreadyPipelined; });
        Done != Instances.end()) {
      Report.Status = LoopStatus::AlreadyPipelined;
      Report.Why = Done->model().PipelinedHow +
                   oneMoreStage(Done->model(), Context, Done->Analysis->Shape, targets());
      return Out;
    }
    sayFacts(Report, Instances, Context.getSourceManager());
    Out.Phases = phaseText(Instances.front().model(), Context);
    Out.Meant = namesMeant(Instances.front().model(), Context);
    if (!Lines)
      Lines.emplace(mainFileText(Context));
    Report.Phases = phaseLines(mainFileText(Context), *Lines, Out.Phases);
    std::vector<Candidate> Candidates = agree(Instances);
    const LoopPlace Place = {First.Line, First.Column};
    if (Asked && !First.IsPattern)
      (*Asked)[Place].add(Candidates);
    if (auto It = Agreed ? Agreed->find(Place) : AgreedLoops::const_iterator();
        Agreed && It != Agreed->end() && !First.IsPattern)
      It->second.applyTo(Candidates, First.Begin);
    if (Options.Ablate != Ablation::None)
      leaveOutHalf(Out, Instances, Candidates);
    else
      settle(Out, Instances, std::move(Candidates));
    if (Report.Status == LoopStatus::Refused && NoRefused.contains(First.Line)) {
      Report.Status = LoopStatus::Suppressed;
      Report.Reasons.clear();
    }
    Out.Gathered = gatherLoads(Instances.front().model(), Context);
    for (const Instance &I : drop_begin(Instances))
      if (!Out.Gathered.empty() && !(gatherLoads(I.model(), Context) == Out.Gathered))
        Out.Gathered = GatheredLoads();
    if (Out.List.empty())
      Out.Reworded = rewordingOf(Instances);
    std::vector<CopyWidth> Widths = Instances.front().Analysis->Widths;
    std::vector<std::string> Tests;
    if (Options.Width != WidthChoice::Keep)
      Out.Widened = widerOf(Instances, Widths, Tests);
    Report.Widths = widthReports(Widths, /*Planned=*/false, Tests, Context.getSourceManager());
    if (!Out.Widened.empty())
      Out.Widths = widthReports(Widths, /*Planned=*/true, Tests, Context.getSourceManager());
    std::vector<TileLayout> Layouts = Instances.front().Analysis->Layouts;
    if (!Out.List.empty() && Options.Layout != LayoutChoice::Keep)
      Out.Relaid = relayoutOf(Instances, Layouts);
    Report.Layouts = layoutReports(Layouts, /*Planned=*/false, Context.getSourceManager());
    if (!Out.Relaid.empty())
      Out.Layouts = layoutReports(Layouts, /*Planned=*/true, Context.getSourceManager());
    // First of all: the text that it keeps is nobody's but the user's.
    if (Out.Reworded.KeepsOldText)
      Out.Calls.clear();
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
    if (A->Legality.Parts)
      tryParts(L, *A);
    for (const Refusal &R : reverse(A->Model.Waived))
      A->Legality.Findings.insert(A->Legality.Findings.begin(), Finding{R, Needs::Everything});
    if (Options.Print == PrintStep::Maps)
      printAccessMaps(A->Model, Context, A->Shape, Printed);
    if (Options.Print == PrintStep::Legality)
      printLegality(A->Model, A->Legality, Context, Printed);
    if ((Options.Width != WidthChoice::Keep || Options.Print == PrintStep::Width) &&
        A->Legality.common().empty())
      A->Widths = widthsOf(A->Model, Context, A->Shape, A->Legality.Direct);
    if (Options.Print == PrintStep::Width)
      printWidths(A->Widths, Context, Printed);
    if ((Options.Layout != LayoutChoice::Keep || Options.Print == PrintStep::Layout) &&
        A->Legality.common().empty())
      A->Layouts = layoutsOf(A->Model, Context, A->Shape, Effort, A->Legality.Direct);
    if (Options.Print == PrintStep::Layout)
      printLayouts(A->Layouts, Context, Printed);
    A->Ratio = computeRatio(A->Model, Context, A->Shape);
    A->ComputeInstructions = estimateComputeInstructions(A->Model, Context);
    if (L.IsKernel)
      A->Dynamic = Launches.dynamicSizesOf(L.Function);
    return Known;
  }

  /// With the parts that its arrays may have the loop is looked at once more; if that gets it
  /// several buffers, that is what it is.
  void tryParts(const KLoop &L, LoopAnalysis &A) {
    TileModel Model =
        buildTileModel(L, Context, Options.EmitRefused, &Functions, A.Shape, A.Legality.Parts);
    Legality With =
        checkLegality(Model, Context, Options.Assumptions, A.Shape, &Effort, othersThan(L));
    const bool Better = any_of(allVariants(), [&](Variant V) {
      return info(V).Least > 1 && With.legal(V) && !A.Legality.legal(V);
    });
    if (!Better)
      return;
    A.Model = std::move(Model);
    A.Legality = std::move(With);
  }

  std::vector<const GpuTarget *> targets() const {
    std::vector<const GpuTarget *> Gpus;
    for (const std::string &Arch : Options.Archs)
      if (const GpuTarget *Gpu = GpuTarget::find(Arch))
        Gpus.push_back(Gpu);
    return Gpus;
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
    In.Gpus = targets();
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
        C.Plan.Preset = V;
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
    // The text of a call in the loop, or of one that has the loop in it.
    if (any_of(Pinned, [&](std::pair<unsigned, unsigned> Text) {
          return (Begin < Text.first && Text.first < End) ||
                 (Text.first <= Begin && End <= Text.second);
        }))
      I.Legality.Matter.Values = I.Legality.Matter.Types = true;
    I.Candidates = makeCandidates(I.model(), I.Legality, Context, In);
    if (Options.Print == PrintStep::Budget)
      printBudget(I.Candidates, In, Printed);
  }

  /// The text that one candidate makes of the loop, the same in all instantiations. What in the
  /// text stands against it is added to its refusals; the draft is none then.
  std::optional<Draft> draftOf(Candidate &C, MutableArrayRef<Instance> Instances) {
    const SourceLocation Begin = Instances.front().model().Loop->Begin;
    std::optional<Draft> All;
    for (Instance &I : Instances) {
      if (!I.Places)
        I.Places = findPlaces(I.model(), Context, sourceText());
      Draft D = draft(I.model(), I.cutFor(C.Plan.Preset), C.Plan, Context, *I.Places, sourceText(),
                      Given[functionOf(Instances)]);
      if (!D.Refusals.empty())
        C.Refusals = D.Refusals;
      else if (All && All->Result.List != D.Result.List)
        C.Refusals.push_back({Reason::InstantiationsDisagree,
                              Begin,
                              {"their text would differ"},
                              {},
                              "Name the types of the load phase by the parameters of the template, "
                              "or instantiate it for one type."});
      if (!C.Refusals.empty())
        return std::nullopt;
      All = std::move(D);
    }
    if (All && !All->Result.Headers.empty() && standsInBraces()) {
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

  const SourceText &sourceText() {
    if (!Source)
      Source = readSourceText(Context);
    return *Source;
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

  static SourceLocation functionOf(ArrayRef<Instance> Instances) {
    return Instances.front().model().Loop->Function->getBody()->getBeginLoc();
  }

  /// With what the other loops of the function take.
  void limitShared(std::vector<Candidate> &Candidates, ArrayRef<Instance> Instances) {
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

  /// The presets that can be had of the loop, asked for or not. \p Drafts: of the candidates that
  /// have been drafted already.
  std::vector<Variant> available(MutableArrayRef<Candidate> Candidates,
                                 MutableArrayRef<Instance> Instances,
                                 ArrayRef<std::optional<Draft>> Drafts) {
    std::vector<Variant> Out;
    for (size_t I = 0; I < Candidates.size(); ++I) {
      Candidate &C = Candidates[I];
      if (!is_contained(Out, C.Plan.Preset) && C.Refusals.empty() &&
          (Drafts[I] || draftOf(C, Instances)))
        Out.push_back(C.Plan.Preset);
    }
    llvm::sort(Out); // in the order of Methods.def
    return Out;
  }

  /// RewriteOptions::Ablate: whether a rewrite would be legal does not matter, only that the two
  /// halves are known.
  void leaveOutHalf(LoopOutcome &Out, ArrayRef<Instance> Instances,
                    ArrayRef<Candidate> Candidates) {
    LoopReport &Report = Out.Report;
    Report.Status = LoopStatus::Refused;
    GivenNames Names;
    std::vector<Edit> List;
    for (const Instance &I : Instances) {
      std::vector<Refusal> Refusals = I.model().Refusals;
      if (I.model().Loop->IsPattern && !Candidates.empty())
        Refusals = Candidates.front().Refusals;
      if (Refusals.empty()) {
        Draft R =
            ablate(I.model(), Options.Ablate, Context, sourceText(), Given[functionOf(Instances)]);
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
        addReason(Report.Reasons, reasonReport(R, Context.getSourceManager()));
    }
    if (!Report.Reasons.empty()) {
      sayCalls(Out, Report, Instances);
      return;
    }
    Given[functionOf(Instances)].add(Names);
    Out.List = std::move(List);
    Report.Status = LoopStatus::Rewritten;
    Report.Variant = toString(Options.Ablate).str();
  }

  /// Steps 6 and 7: each candidate that the choice may fall on is drafted, one is chosen, and its
  /// draft is what is written.
  void settle(LoopOutcome &Out, MutableArrayRef<Instance> Instances,
              std::vector<Candidate> Candidates) {
    LoopReport &Report = Out.Report;
    const PlanInputs &Inputs = Instances.front().Inputs;
    if (Options.EmitRefused)
      waive(Candidates, Instances);
    for (Candidate &C : Candidates)
      C.Plan.Hints = Options.Hints;
    limitShared(Candidates, Instances);
    std::vector<std::optional<Draft>> Drafts(Candidates.size());
    for (size_t I = 0; I < Candidates.size(); ++I)
      if (mayBeChosen(Candidates[I], Inputs))
        Drafts[I] = draftOf(Candidates[I], Instances);
    const Decision D = decide(Candidates, Inputs);
    if (SayAvailable || (Options.RequestedVariant && !D.Chosen))
      Out.Available = available(Candidates, Instances, Drafts);
    if (D.Chosen)
      take(Out, D.Candidates[*D.Chosen], std::move(*Drafts[*D.Chosen]), functionOf(Instances));
    if (Options.Print == PrintStep::Plan)
      printPlan(D, Instances.front().model(), Context, Printed);
    if (Options.Print == PrintStep::Edits)
      printEdits(Out.List, mainFileText(Context), Printed);

    Report.Why = D.Why;
    for (const Candidate &C : D.Candidates) {
      CandidateReport R;
      R.Variant = toString(C.Plan.Preset).str();
      R.Stages = C.Plan.Stages;
      R.Score = C.Score;
      R.Rejected = C.Rejected;
      Report.Candidates.push_back(R);
    }
    if (D.Chosen)
      return sayChosen(Report, D.Candidates[*D.Chosen], Instances, Options, Context);
    Report.Status = D.Unprofitable ? LoopStatus::Unprofitable : LoopStatus::Refused;
    if (!D.Unprofitable)
      for (const Candidate &C : D.Candidates)
        for (const auto *List : {&C.Refusals, &C.Waived})
          for (const Refusal &R : *List)
            addReason(Report.Reasons, reasonReport(R, Context.getSourceManager()));
    if (!D.Candidates.empty())
      sayBudget(Report, D.Candidates.front(), /*After=*/false);
    sayCalls(Out, Report, Instances);
    if (Options.RequestedVariant)
      nameOthers(Report, Out.Available);
  }

  /// The loop becomes what the draft says. The loops behind it in the function find its names
  /// taken.
  void take(LoopOutcome &Out, const Candidate &C, Draft Chosen, SourceLocation Function) {
    Given[Function].add(Chosen.Names);
    Added[Function] += C.Budget.SharedAfter - C.Budget.SharedBefore;
    Out.List = std::move(Chosen.Result.List);
    Out.FirstStages = std::move(Chosen.Result.FirstStages);
    Out.Headers = std::move(Chosen.Result.Headers);
    Out.Words = std::move(Chosen.Words);
    Out.Grown = C.Plan.isBeside() ? C.Plan.IfBeside : C.Plan.Grown;
  }

  /// One variant was asked for: the others that can be had are a remedy. Those of Reasons.def name
  /// none, as for this loop that one may be refused as well.
  void nameOthers(LoopReport &Report, ArrayRef<Variant> Available) const {
    std::string Text;
    for (Variant V : Available)
      if (V != *Options.RequestedVariant)
        Text += ((Text.empty() ? " Or try --variant=" : " or --variant=") + toString(V)).str();
    for (ReasonReport &R : Report.Reasons)
      R.Remedy += Text.empty() ? Text : Text + ".";
  }

  /// The same in all instantiations. \p Widths: of the first one, and what becomes of them.
  Rewording widerOf(ArrayRef<Instance> Instances, std::vector<CopyWidth> &Widths,
                    std::vector<std::string> &Tests) {
    const Rewording All =
        rewordWidth(Instances.front().model(), Context, sourceText(), Widths, &Tests);
    for (const Instance &I : drop_begin(Instances)) {
      std::vector<CopyWidth> Of = I.Analysis->Widths;
      if (!(rewordWidth(I.model(), Context, sourceText(), Of) == All))
        return Rewording();
    }
    return All;
  }

  /// The same in all instantiations. \p Layouts: of the first one, and what becomes of them.
  Rewording relayoutOf(ArrayRef<Instance> Instances, std::vector<TileLayout> &Layouts) {
    const Rewording All = rewordLayout(Instances.front().model(), Context, sourceText(), Layouts);
    for (const Instance &I : drop_begin(Instances)) {
      std::vector<TileLayout> Of = I.Analysis->Layouts;
      if (!(rewordLayout(I.model(), Context, sourceText(), Of) == All))
        return Rewording();
    }
    return All;
  }

  /// The same in all instantiations.
  Rewording rewordingOf(ArrayRef<Instance> Instances) {
    // The branches first, for all: those that have none left see nothing to be done.
    const bool MayHaveBranches = any_of(Instances, [](const Instance &I) {
      return I.model().Loop->IsTemplate &&
             any_of(I.model().Refusals, [](const Refusal &R) { return R.Why == Reason::NotYet; });
    });
    Rewording Out =
        MayHaveBranches ? rewordBranches(Instances.front().model(), Context) : Rewording();
    const bool OfBranches = !Out.empty();
    if (!OfBranches)
      Out = rewordingOf(Instances.front());
    if (takesFromOthers(Out, *Instances.front().model().Loop))
      return Rewording();
    if (OfBranches)
      return Out;
    for (const Instance &I : drop_begin(Instances))
      if (!Out.empty() && !(rewordingOf(I) == Out))
        return Rewording();
    return Out;
  }

  /// \p Words take something away from around the loop that other builds may have in the function.
  bool takesFromOthers(const Rewording &Words, const KLoop &Loop) {
    const auto Own = textRange(Loop.Loop->getSourceRange(), Context);
    const auto Body = textRange(Loop.Function->getBody()->getSourceRange(), Context);
    if (Words.empty() || !Own || !Body)
      return !Words.empty();
    const StringRef Text = mainFileText(Context);
    const std::set<std::string> Names =
        namesUnderConditions(sourceText(), Text, {Body->Begin, Body->End}, {Own->Begin, Own->End});
    return any_of(Words.Edits, [&](const Edit &E) {
      return (E.Offset < Own->Begin || E.Offset + E.Length > Own->End) &&
             any_of(Names, [&](const std::string &Name) {
               return namesWord(Text.substr(E.Offset, E.Length), Name) && !namesWord(E.Text, Name);
             });
    });
  }
  static bool namesWord(StringRef Text, StringRef Word) {
    for (size_t At = Text.find(Word); At != StringRef::npos; At = Text.find(Word, At + 1))
      if ((At == 0 || !isAsciiIdentifierContinue(Text[At - 1])) &&
          (At + Word.size() == Text.size() || !isAsciiIdentifierContinue(Text[At + Word.size()])))
        return true;
    return false;
  }

  Rewording rewordingOf(const Instance &I) {
    static const Reason Curable[] = {Reason::EarlyExit, Reason::LoopForm, Reason::OwnAsyncCopies,
                                     Reason::BarrierNested};
    Rewording Out = rewordDirectives(I.model(), Context, sourceText(), LeftOut);
    if (Out.empty())
      Out = rewordCallees(I.model(), Context);
    if (Out.empty())
      Out = rewordJumps(I.model(), Context);
    if (!Out.empty()) // the rest in the next round
      return Out;
    Out = rewordDeclarations(I.model(), Context);
    Out.add(rewordStores(I.model(), Context, sourceText().Names));
    const auto IsCurable = [](const Refusal &R) { return is_contained(Curable, R.Why); };
    if (any_of(I.model().Refusals, IsCurable) || any_of(I.model().TwoBufferRefusals, IsCurable))
      Out.add(reword(I.model(), Context, sourceText().Names));
    if (Out.empty())
      Out = rewordConditions(I.model(), Context, sourceText().Names);
    if (Out.empty())
      Out = rewordClamps(I.model(), Context, sourceText().Names);
    if (Out.empty())
      Out = rewordSteps(I.model(), Context);
    if (Out.empty()) // what the others put elsewhere is not looked at
      Out.add(rewordCounters(I.model(), Context));
    if (Out.empty())
      Out.add(rewordSetFirst(I.model(), Context));
    if (Out.empty())
      Out.add(rewordLast(I.model(), Context, sourceText()));
    if (Out.empty())
      Out.add(rewordObjects(I.model(), Context, sourceText().Names));
    llvm::stable_sort(Out.Edits, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
    return Out;
  }

  void sayCalls(LoopOutcome &Out, LoopReport &Report, ArrayRef<Instance> Instances) {
    std::vector<CallObstacle> WhyNot;
    Out.Calls = callsToInline(Instances, WhyNot);
    const SourceManager &SM = Context.getSourceManager();
    std::vector<Note> Notes;
    for (const CallObstacle &O : WhyNot) {
      Note N;
      N.Message = O.Why;
      const SourceLocation Where = SM.getExpansionLoc(O.Where);
      if (Where.isValid() && isInMainFile(SM, Where)) {
        N.Line = SM.getSpellingLineNumber(Where);
        N.Column = SM.getSpellingColumnNumber(Where);
      }
      Notes.push_back(std::move(N));
    }
    explain(Report, Notes);
  }

  /// The same text in all instantiations; empty: there is nothing to gain, or it cannot be done.
  std::vector<InlinedCall> callsToInline(ArrayRef<Instance> Instances,
                                         std::vector<CallObstacle> &WhyNot) {
    std::vector<InlinedCall> All;
    if (!lambdaAround(*Instances.front().model().Loop) &&
        !Instances.front().model().Loop->PassedTile &&
        !storesByAssembly(Instances.front().model(), Context) &&
        !storesByObject(Instances.front().model()) &&
        none_of(Instances.front().model().Refusals,
                [](const Refusal &R) { return R.Why == Reason::CopyInCallee; }))
      return All;
    ValueNames Values;
    for (const Instance &I : Instances) {
      std::vector<CallObstacle> OfThis;
      std::vector<InlinedCall> Of =
          inlineCalls(I.model(), Context, sourceText(), LeftOut, Values, OfThis);
      for (CallObstacle &O : OfThis)
        if (none_of(WhyNot, [&](const CallObstacle &B) { return B.Where == O.Where; }))
          WhyNot.push_back(std::move(O));
      // Each instantiation may be called in places of its own.
      if (I.model().Loop->PassedTile) {
        if (Of.empty() || !addCalls(All, std::move(Of))) {
          if (WhyNot.empty() && !Of.empty())
            WhyNot.push_back({"its instantiations would be written out differently", {}});
          return {};
        }
        continue;
      }
      if (&I == &Instances.front())
        All = Of;
      bool Same = All.size() == Of.size();
      for (size_t K = 0; Same && K < All.size(); ++K) {
        Same = All[K].Offset == Of[K].Offset && All[K].Text == Of[K].Text;
        All[K].Meanings.insert(Of[K].Meanings.begin(), Of[K].Meanings.end());
      }
      if (!Same) {
        if (WhyNot.empty())
          WhyNot.push_back({"its instantiations would be written out differently", {}});
        return {};
      }
    }
    if (Instances.front().model().Loop->PassedTile && All.size() > MostPlaces) {
      WhyNot.push_back({"'" + Instances.front().model().Loop->Function->getNameAsString() +
                            "' is called in more than " + std::to_string(MostPlaces) + " places",
                        {}});
      return {};
    }
    return All;
  }

  /// False: in one place two different texts would stand.
  static bool addCalls(std::vector<InlinedCall> &To, std::vector<InlinedCall> More) {
    for (InlinedCall &New : More) {
      auto Known = find_if(To, [&](const InlinedCall &C) { return C.Offset == New.Offset; });
      if (Known == To.end()) {
        To.push_back(std::move(New));
        continue;
      }
      if (Known->Text != New.Text || Known->Length != New.Length)
        return false;
      Known->Meanings.insert(New.Meanings.begin(), New.Meanings.end());
      Known->PinsArguments |= New.PinsArguments;
    }
    llvm::sort(To, [](const InlinedCall &A, const InlinedCall &B) { return A.Offset < B.Offset; });
    for (size_t I = 1; I < To.size(); ++I)
      if (To[I - 1].Offset + To[I - 1].Length > To[I].Offset)
        return false;
    return true;
  }
};

} // namespace

std::vector<LoopOutcome> analyseFile(ASTContext &Context, const RewriteOptions &Options,
                                     const FileReading &Reading) {
  return FileAnalysis(Context, Options, Reading).run();
}

} // namespace cuda_pipeline
