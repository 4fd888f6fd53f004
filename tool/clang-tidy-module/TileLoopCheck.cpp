//===- TileLoopCheck.cpp - The analysis as a clang-tidy check -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoopCheck.h"
#include "cuda-pipeline/LoopsOfTree.h"
#include "cuda-pipeline/NoLint.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;
using namespace clang::ast_matchers;
using namespace llvm;

namespace cuda_pipeline {

bool InEditor = false;
std::function<bool(ParseRequest &, std::vector<std::string> &)> KnownBuild;
std::function<void(const ParseRequest &, const RewriteOptions &, const FileResult &)> WhenFound;
std::function<std::optional<std::shared_ptr<const FileResult>>(const TileLoopQuestion &)>
    AnswerLater;

namespace {

/// Both checks look at the same file, one after the other.
struct LastFile {
  const Preprocessor *PP = nullptr;
  TileLoopQuestion Question;
  std::shared_ptr<const FileResult> Result; ///< null: it does not parse, or the analysis failed
  bool Pending = false;                     ///< or the answer is yet to come
};
thread_local LastFile Last;

/// Words by which a text is another one for the device's side than for the host's.
constexpr llvm::StringLiteral OfSide[] = {"__CUDA_ARCH", "__NVPTX__", "__PTX__"};
/// And for nvcc than for Clang.
constexpr llvm::StringLiteral OfCompiler[] = {"__NVCC__", "__CUDACC_VER_", "__CUDA_API_VER_",
                                              "__clang",  "__CUDA__",      "__CUDACC_EXT"};

bool hasAny(StringRef Text, ArrayRef<llvm::StringLiteral> Words) {
  return any_of(Words, [&](StringRef Word) { return Text.contains(Word); });
}

/// Looks for such words in the headers of the user's, and notes where the main file uses macros of
/// libraries that have them: those that look like calls, or like nothing.
class SideWords : public PPCallbacks {
public:
  SideWords(const SourceManager &SM, bool &Found, std::vector<SourceLocation> &Macros)
      : SM(SM), Found(Found), Macros(Macros) {}

  void LexedFileChanged(FileID File, LexedFileChangeReason Reason, SrcMgr::CharacteristicKind Kind,
                        FileID, SourceLocation) override {
    if (Reason == LexedFileChangeReason::EnterFile && Kind == SrcMgr::C_User)
      Found = Found || has(File);
  }
  /// An editor has read the headers before, and shows the main file only.
  void InclusionDirective(SourceLocation, const Token &, StringRef, bool, CharSourceRange,
                          OptionalFileEntryRef, StringRef, StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind Kind) override {
    Found |= InEditor && Kind == SrcMgr::C_User;
  }
  void MacroExpands(const Token &, const MacroDefinition &Macro, SourceRange Range,
                    const MacroArgs *) override {
    const MacroInfo *Info = Macro.getMacroInfo();
    const SourceLocation Where = SM.getExpansionLoc(Range.getBegin());
    if (!Found && Info && (Info->isFunctionLike() || Info->tokens_empty()) &&
        SM.isInMainFile(Where) && has(SM.getFileID(SM.getExpansionLoc(Info->getDefinitionLoc()))))
      Macros.push_back(Where);
  }

private:
  bool has(FileID File) {
    const auto [It, New] = Known.try_emplace(File, false);
    if (New && File.isValid() && SM.getFileEntryForID(File))
      if (const std::optional<StringRef> Text = SM.getBufferDataOrNone(File))
        It->second = hasAny(*Text, OfSide) || hasAny(*Text, OfCompiler);
    return It->second;
  }
  const SourceManager &SM;
  bool &Found;
  std::vector<SourceLocation> &Macros;
  DenseMap<FileID, bool> Known;
};

} // namespace

/// `Variant` under the name of the check that has it, whichever asks.
static std::string optionOf(const tidy::ClangTidyContext &Context, StringRef Name,
                            StringRef Default) {
  const auto &All = Context.getOptions().CheckOptions;
  const auto It = All.find((TileLoopCheckName + "." + Name).str());
  return It == All.end() ? Default.str() : It->second.Value;
}

TileLoopCheck::TileLoopCheck(StringRef Name, tidy::ClangTidyContext *Context)
    : ClangTidyCheck(Name, Context), Tidy(Context), OfRefused(Name == RefusedCheckName),
      Variant(optionOf(*Context, "Variant", "auto")), Stages(optionOf(*Context, "Stages", "auto")),
      Arch(optionOf(*Context, "Arch", "")), BlockSize(optionOf(*Context, "BlockSize", "")),
      Assume(optionOf(*Context, "Assume", "")), MinGain(optionOf(*Context, "MinGain", "")),
      CudaPath(optionOf(*Context, "CudaPath", "")) {
  const std::pair<StringRef, StringRef> Given[] = {{"Variant", Variant},     {"Stages", Stages},
                                                   {"Arch", Arch},           {"Assume", Assume},
                                                   {"BlockSize", BlockSize}, {"MinGain", MinGain}};
  for (const auto &[OptionName, Value] : Given)
    if (!Value.empty())
      if (Error E = setCheckOption(Wanted, OptionName, Value)) {
        const std::string Why = toString(std::move(E));
        if (!OfRefused)
          configurationDiag("invalid value '%0' of '%1.%2': %3")
              << Value << TileLoopCheckName << OptionName << Why;
        Configured = false;
      }
  if (!OfRefused) // whoever asks for both hears it once
    for (const auto &Entry : Context->getOptions().CheckOptions)
      if (std::string Why = checkOptionProblem(Entry.getKey()); !Why.empty())
        configurationDiag("%0") << Why;
  if (std::string Why = stagesAgainstVariant(Wanted); !Why.empty() && Configured) {
    if (!OfRefused)
      configurationDiag("'%0.Variant' and '%0.Stages' exclude each other: %1")
          << TileLoopCheckName << Why;
    Configured = false;
  }
  if (!CudaPath.empty()) {
    Expected<std::optional<Toolkit>> Found = findToolkit(CudaPath);
    if (Found) {
      OwnToolkit = *Found;
    } else {
      const std::string Why = toString(Found.takeError());
      if (!OfRefused)
        configurationDiag("%0.CudaPath: %1") << TileLoopCheckName << Why;
      Configured = false;
    }
  }
  Wanted.CheckOnly = true;
}

void TileLoopCheck::storeOptions(tidy::ClangTidyOptions::OptionMap &To) {
  if (OfRefused)
    return;
  Options.store(To, "Variant", Variant);
  Options.store(To, "Stages", Stages);
  Options.store(To, "Arch", Arch);
  Options.store(To, "BlockSize", BlockSize);
  Options.store(To, "Assume", Assume);
  Options.store(To, "MinGain", MinGain);
  Options.store(To, "CudaPath", CudaPath);
}

void TileLoopCheck::registerPPCallbacks(const SourceManager &SM, Preprocessor *P,
                                        Preprocessor *ModuleExpanderPP) {
  PP = P;
  // A loop for nvcc alone is not in what clang-tidy reads.
  const StringRef Text = SM.getBufferData(SM.getMainFileID());
  MayHaveLoops = Text.contains("__shared__") && hasAny(Text, OfCompiler);
  SeenDifferently = hasAny(Text, OfSide) || hasAny(Text, OfCompiler) || !CudaPath.empty();
  // What stands in front of all, an editor has read before; Clang's own and CUDA's are libraries'.
  SeenDifferently |= InEditor && any_of(P->getPreprocessorOpts().Includes, [](StringRef Name) {
                       return Name != "cuda_runtime.h" && Name != "__clang_cuda_runtime_wrapper.h";
                     });
  P->addPPCallbacks(std::make_unique<SideWords>(SM, SeenDifferently, SideMacros));
  Last = LastFile();
}

void TileLoopCheck::registerMatchers(MatchFinder *Finder) { addLoopMatchers(*Finder, this); }

void TileLoopCheck::check(const MatchFinder::MatchResult &Result) {
  const SourceManager &SM = *Result.SourceManager;
  HasTileLoop |= Result.Nodes.getMap().count("tile loop") != 0;
  const SourceRange Body =
      SM.getExpansionRange(
            Result.Nodes.getNodeAs<FunctionDecl>("function")->getBody()->getSourceRange())
          .getAsRange();
  HasLoop |= SM.isInMainFile(Body.getBegin());
  SeenDifferently |= any_of(SideMacros, [&](SourceLocation Macro) {
    return Body.getBegin() <= Macro && Macro <= Body.getEnd();
  });
}

/// What clang-tidy sees is believed where everybody sees the same.
bool TileLoopCheck::mayHaveTileLoops() const {
  if (MayHaveLoops || !HasLoop || HasTileLoop)
    return MayHaveLoops || HasLoop;
  if (SeenDifferently || PP->getDiagnostics().hasErrorOccurred())
    return true;
  // Somewhere else the file is compiled in another way.
  if (!KnownBuild)
    return false;
  ParseRequest Request = requestOf(*PP);
  std::vector<std::string> Archs;
  return KnownBuild(Request, Archs) && !Request.Others.empty();
}

/// clang-tidy's --line-filter: what it would drop is not looked at. False: all of it.
bool TileLoopCheck::selectLines(RewriteOptions &To, StringRef File) const {
  const auto &Filter = Tidy->getGlobalOptions().LineFilter;
  if (Filter.empty())
    return true;
  for (const tidy::FileFilter &F : Filter) {
    if (!File.ends_with(F.Name))
      continue;
    for (const auto &[First, End] : F.LineRanges)
      To.Begins.push_back({First, End});
    return true;
  }
  return false;
}

/// None: nothing of the file is asked for.
std::optional<TileLoopQuestion> TileLoopCheck::questionOf() const {
  TileLoopQuestion Q;
  Q.Request = requestOf(*PP);
  if (!CudaPath.empty())
    Q.Request.Cuda = OwnToolkit;
  Q.Options = Wanted;
  std::vector<std::string> Archs;
  if (KnownBuild && KnownBuild(Q.Request, Archs) && Q.Options.Archs.empty())
    Q.Options.Archs = Archs;
  if (Q.Options.Archs.empty())
    Q.Options.Archs = Q.Request.Flags.Archs;
  if (Q.Options.Archs.empty())
    Q.Options.Archs = {"sm_80"};
  if (!selectLines(Q.Options, Q.Request.File))
    return std::nullopt;
  Q.Request.Arch = Q.Options.Archs.front();
  return Q;
}

std::shared_ptr<const FileResult> answer(const TileLoopQuestion &Question,
                                         function_ref<bool()> Enough) {
  // The text, and those that the calls of its loops are put into.
  constexpr unsigned Texts = 4;
  ParseRequest Request = Question.Request;
  Request.Reuse = makeParsedUnits(Texts);
  auto Result = std::make_shared<FileResult>(processFile(Request, Question.Options));
  if (!Result->Parsed || Enough())
    return nullptr;
  FixWishes Wishes;
  Wishes.Others = true;
  Wishes.Alone = Wishes.SaidAlone = InEditor; // where fixes are taken one by one
  Wishes.Together = !InEditor;
  offerFixes(*Result, Request, Question.Options, Wishes, Enough);
  return Enough() ? nullptr : Result;
}

void TileLoopCheck::onEndOfTranslationUnit() {
  if (!PP || !Configured || !mayHaveTileLoops())
    return;
  const SourceManager &SM = PP->getSourceManager();
  const StringRef Text = SM.getBufferData(SM.getMainFileID());
  // In an editor half of what is read is half-written; the answer comes when it parses.
  if (InEditor && PP->getDiagnostics().hasErrorOccurred())
    return;
  if (Last.PP != PP) {
    Last = LastFile();
    Last.PP = PP;
    LastFile &Now = Last; // of this thread; the analysis has one of its own
    auto Analyse = [&] {
      std::optional<TileLoopQuestion> Q = questionOf();
      if (!Q)
        return;
      if (AnswerLater) {
        Q->Request.Files = nullptr; // they are for this time only
        std::optional<std::shared_ptr<const FileResult>> Known = AnswerLater(*Q);
        Now.Pending = !Known;
        Now.Result = Known ? std::move(*Known) : nullptr;
      } else {
        Now.Result = answer(*Q, [] { return false; });
        Q->Request.Files = nullptr;
      }
      Now.Question = std::move(*Q);
    };
    // What goes wrong in here must not end an editor's server, nor the check of other files.
    CrashRecoveryContext::Enable();
    CrashRecoveryContext Guard;
    if (!(AnswerLater ? Guard.RunSafely(Analyse)
                      : Guard.RunSafelyOnThread(Analyse, AnalysisStackBytes))) {
      Last.Result.reset();
      diag(SM.getLocForStartOfFile(SM.getMainFileID()),
           "internal error while looking for tile loops; please report it with the file");
    }
  }
  if (Last.Pending) {
    // In a line that tells nothing about whether it is wanted: what is said of a loop is looked at
    // by itself.
    const SuppressedLines NoLint(Text, OfRefused ? RefusedCheckName : TileLoopCheckName);
    unsigned Line = 1;
    while (NoLint.contains(Line))
      ++Line;
    if (Line <= Text.count('\n') + 1)
      diag(SM.translateLineCol(SM.getMainFileID(), Line, 1), "%0") << PendingText;
    return;
  }
  if (!Last.Result || Last.Result->Original != Text)
    return;
  if (WhenFound && !OfRefused)
    WhenFound(Last.Question.Request, Last.Question.Options, *Last.Result);
  sayTileLoops(*Last.Result, OfRefused, Last.Question.Options.Archs.front(), SM,
               [&](SourceLocation Where, StringRef Message, DiagnosticIDs::Level Level) {
                 return diag(Where, Message, Level);
               });
}

static FixItHint hintOf(const Edit &E, const SourceManager &SM) {
  const SourceLocation File = SM.getLocForStartOfFile(SM.getMainFileID());
  const SourceLocation Begin = File.getLocWithOffset(int(E.Offset));
  if (E.Length == 0)
    return FixItHint::CreateInsertion(Begin, E.Text);
  // Where nothing comes in place of what goes, Clang takes a blank behind it away, too
  // (EditedSource.cpp, adjustRemoval()).
  if (E.Text.empty()) {
    const StringRef Text = SM.getBufferData(SM.getMainFileID());
    const unsigned From = E.Offset == 0 ? E.Offset : E.Offset - 1,
                   Kept = E.Offset == 0 ? E.Length : From;
    if (Kept < Text.size()) {
      const SourceLocation First = File.getLocWithOffset(int(From));
      return FixItHint::CreateReplacement(
          CharSourceRange::getCharRange(First, First.getLocWithOffset(int(E.Length) + 1)),
          Text.substr(Kept, 1));
    }
  }
  return FixItHint::CreateReplacement(
      CharSourceRange::getCharRange(Begin, Begin.getLocWithOffset(int(E.Length))), E.Text);
}

using DiagFunction =
    function_ref<DiagnosticBuilder(SourceLocation, StringRef, DiagnosticIDs::Level)>;

static void say(const LoopReport &L, StringRef Arch, const SourceManager &SM, DiagFunction Diag) {
  // What has a line and no column is about the line's statement.
  auto At = [&](unsigned Line, unsigned Column) {
    if (Line == 0)
      return SM.translateLineCol(SM.getMainFileID(), L.Line, std::max(1u, L.Column));
    if (Column == 0) {
      const unsigned Begin = SM.getFileOffset(SM.translateLineCol(SM.getMainFileID(), Line, 1));
      const StringRef Text = SM.getBufferData(SM.getMainFileID()).drop_front(Begin);
      Column = unsigned(Text.find_first_not_of(" \t") + 1);
    }
    return SM.translateLineCol(SM.getMainFileID(), Line, std::max(1u, Column));
  };
  const std::vector<Message> Messages = messagesOf(L, Arch);
  if (Messages.empty())
    return;
  const bool Whole = InEditor && !L.Fixes.empty();
  {
    const SourceLocation Where = At(Messages.front().Line, Messages.front().Column);
    // An editor underlines the word, not all that a fix replaces.
    DiagnosticBuilder D = Diag(Where, "%0", DiagnosticIDs::Warning)
                          << Messages.front().Text << SourceRange(Where);
    for (const Edit &E : Whole ? L.Fixes.front().Edits : L.Part)
      D << hintOf(E, SM);
  }
  for (const Message &M : drop_begin(Messages))
    Diag(At(M.Line, M.Column), "%0", DiagnosticIDs::Note) << M.Text;
  if (L.PartOf != 0 && !InEditor)
    Diag(At(L.PartOf, 1), "this loop uses the same tile or launch: its fix has the changes of both",
         DiagnosticIDs::Note);
  for (const Fix &F : L.Fixes) {
    if (F.Variant == L.Variant && F.Stages == L.Stages)
      continue;
    DiagnosticBuilder D = Diag(At(0, 0), "%0", DiagnosticIDs::Note)
                          << formatv("or pipeline this tile loop with {0} (predicted {1:F2}x)",
                                     planInWords(F.Variant, F.Stages), F.Score)
                                 .str();
    // What applies fixes takes those of notes where the diagnostic has none; here another loop's
    // has them.
    if (InEditor || L.PartOf == 0)
      for (const Edit &E : F.Edits)
        D << hintOf(E, SM);
  }
}

void sayTileLoops(const FileResult &Result, bool OfRefused, StringRef Arch, const SourceManager &SM,
                  DiagFunction Diag) {
  for (const LoopReport &L : Result.Report.Loops)
    if (OfRefused ? L.Status == LoopStatus::Refused : L.Status == LoopStatus::Opportunity)
      say(L, Arch, SM, Diag);
}

} // namespace cuda_pipeline
