//===- Reading.cpp - One reading of the text -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reading.h"
#include "../Model/AstUtil.h"
#include "../Source/Mending.h"
#include "../Support/ReadFile.h"
#include "Agreement.h"
#include "FileAnalysis.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

void explain(LoopReport &Report, ArrayRef<Note> WhyNot) {
  for (ReasonReport &R : Report.Reasons) {
    if (WhyNot.empty() || (R.Id != Reason::CopyInCallee && R.Id != Reason::NotYet))
      continue;
    // A call that could be written out stays for the sake of another one.
    const Note *Own =
        find_if(WhyNot, [&](const Note &N) { return N.Line == R.Line && N.Column == R.Column; });
    Note Why = Own != WhyNot.end() ? *Own : WhyNot.front();
    if (!Why.Line) {
      Why.Line = R.Line;
      Why.Column = R.Column;
    }
    R.Notes.push_back(std::move(Why));
  }
}

void explain(LoopReport &Report, const std::string &WhyNot) {
  Note Why;
  Why.Message = WhyNot;
  explain(Report, Why);
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

/// Adds to \p To the macros that are defined where another #include goes, and have a name of the
/// header's own.
void addMacrosInTheWay(const ASTUnit &Unit, std::vector<std::string> &To) {
  const SourceManager &SM = Unit.getSourceManager();
  const Preprocessor &PP = Unit.getPreprocessor();
  // Up to what stands in the file itself: those behind the place include what comes later. Few
  // files have such a macro, and only these are looked through for the place.
  auto InFront = [&](SourceLocation Loc) {
    for (; Loc.isValid(); Loc = SM.getIncludeLoc(SM.getFileID(Loc)))
      if (SM.getFileID(Loc) == SM.getMainFileID())
        return SM.getFileOffset(Loc) < placeOfIncludes(SM.getBufferData(SM.getMainFileID()));
    return true; // the command line's, or what includes the file
  };
  for (StringRef Name : namesOfPipelineHeader())
    if (const IdentifierInfo *Id = PP.getIdentifierInfo(Name); Id->hasMacroDefinition())
      if (const MacroInfo *Macro = PP.getMacroInfo(Id);
          Macro && InFront(SM.getExpansionLoc(Macro->getDefinitionLoc())) &&
          !is_contained(To, Name))
        To.push_back(Name.str());
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
              ArrayRef<LineRange> Only, bool SayAvailable) {
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
    addMacrosInTheWay(*Unit, Result.MacrosInTheWay);
    if (!Options.KernelRegex.empty() && !Result.KernelNamed)
      Result.KernelNamed = isNamed(Context.getTraversalScope(), Regex(Options.KernelRegex),
                                   Context.getSourceManager());
    RewriteOptions Here = Options;
    if (!First)
      Here.Print = PrintStep::None;
    std::vector<std::pair<unsigned, unsigned>> Pinned;
    for (const PlacedCall &C : Placed)
      if (C.Call.PinsArguments)
        Pinned.push_back({C.Offset, C.Offset + C.Length});
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
    std::vector<std::pair<unsigned, unsigned>> LeftOut;
    const SourceManager &SM = Context.getSourceManager();
    for (const SourceRange R : Questions.LeftOut)
      if (SM.isWrittenInMainFile(R.getBegin()) && SM.isWrittenInMainFile(R.getEnd()))
        LeftOut.push_back({SM.getFileOffset(R.getBegin()), SM.getFileOffset(R.getEnd())});
    FileReading Reading;
    Reading.LeftOut = LeftOut;
    Reading.Printed = &Printed;
    Reading.Errors = Errors;
    Reading.Pinned = Pinned;
    Reading.Asked = Asked;
    Reading.Agreed = Agreed;
    Reading.Only = Only;
    Reading.SayAvailable = SayAvailable;
    Reading.Kept = Kept;
    std::vector<LoopOutcome> Found = analyseFile(Context, Here, Reading);
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
          ArrayRef<PlacedCall> Placed, ArrayRef<LineRange> Only, bool SayAvailable) {
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
                        Again ? &Asked : nullptr, Only, SayAvailable);
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

} // namespace cuda_pipeline
