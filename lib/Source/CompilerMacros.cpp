//===- CompilerMacros.cpp - What a file can know of its compiler ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CompilerMacros.h"
#include "BundledDecls.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/ExternalPreprocessorSource.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// GCC has these as well, with other values. Whether they are defined tells nothing.
constexpr llvm::StringLiteral WithOtherValues[] = {
    "__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__",
    "__GNUG__", "__VERSION__",    "__has_builtin"};
/// Those of Clang alone whose names do not say so.
constexpr llvm::StringLiteral OfClangAlone[] = {"__CUDA__",
                                                "__llvm__",
                                                "__NVPTX__",
                                                "__PTX__",
                                                "__has_feature",
                                                "__has_extension",
                                                "__BITINT_MAXWIDTH__",
                                                "__CONSTANT_CFSTRINGS__",
                                                "__OBJC_BOOL_IS_BOOL",
                                                "__GNUC_GNU_INLINE__"};

/// What options of the host compiler define, or how it was built:
/// https://gcc.gnu.org/onlinedocs/cpp/Common-Predefined-Macros.html and those of x86 and Arm (`gcc
/// -dM -E` with and without -O3, -fPIC, -march=native, -ffast-math, -fopenmp, -fsanitize=..).
constexpr llvm::StringLiteral OfOptions[] = {"__OPTIMIZE__",
                                             "__OPTIMIZE_SIZE__",
                                             "__NO_INLINE__",
                                             "__PIC__",
                                             "__pic__",
                                             "__PIE__",
                                             "__pie__",
                                             "__FAST_MATH__",
                                             "__FINITE_MATH_ONLY__",
                                             "__NO_MATH_ERRNO__",
                                             "__NO_SIGNED_ZEROS__",
                                             "__NO_TRAPPING_MATH__",
                                             "__ASSOCIATIVE_MATH__",
                                             "__RECIPROCAL_MATH__",
                                             "__ROUNDING_MATH__",
                                             "_OPENMP",
                                             "_OPENACC",
                                             "__EXCEPTIONS",
                                             "__GXX_RTTI",
                                             "__cpp_exceptions",
                                             "__cpp_rtti",
                                             "_FORTIFY_SOURCE",
                                             "_REENTRANT",
                                             "__CET__",
                                             "__SHSTK__",
                                             "__CHAR_UNSIGNED__",
                                             "__F16C__",
                                             "__POPCNT__",
                                             "__LZCNT__",
                                             "__ABM__",
                                             "__ADX__",
                                             "__AES__",
                                             "__PCLMUL__",
                                             "__SHA__",
                                             "__MMX__",
                                             "__RDRND__",
                                             "__GFNI__",
                                             "__VAES__",
                                             "__MOVBE__",
                                             "__XSAVE__"};
constexpr llvm::StringLiteral OfOptionsBegin[] = {
    "__SANITIZE_", "__SSP_",         "__SSE",    "__SSSE",   "__AVX",   "__FMA",
    "__BMI",       "__ARM_FEATURE_", "__tune_",  "__core",   "__znver", "__skylake",
    "__haswell",   "__k8",           "__nocona", "__amdfam", "__bdver", "__btver"};

bool isOfOptions(StringRef Name) {
  return Name == "__SSP__" || is_contained(OfOptions, Name) ||
         any_of(OfOptionsBegin, [&](StringRef Begin) { return Name.starts_with(Begin); });
}

/// CUDA's libraries and headers are named like this.
bool isNamedAsOfToolkit(StringRef Header) {
  return any_of(ArrayRef<StringRef>{"cu", "nv", "thrust/", "mma.h", "crt/", "cooperative_groups",
                                    "vector_", "device_", "sm_", "texture_", "surface_", "math_",
                                    "driver_", "host_", "library_types", "fatbinary",
                                    "channel_descriptor", "builtin_types"},
                [&](StringRef Begin) { return Header.starts_with(Begin); });
}

bool isOfClangAlone(StringRef Name) {
  return Name.starts_with("__clang") || Name.starts_with("__CLANG") ||
         is_contained(OfClangAlone, Name);
}

/// Of the files that this tool brings along, which are in memory alone (BundledDecls.cpp).
constexpr llvm::StringLiteral BundledPrefix = "/cuda-pipeline-rewrite/";

/// The version of GCC that nvcc's host compiler is taken to be, where Clang's own macros are
/// hidden.
constexpr unsigned HostMajor = 12, HostMinor = 2;

bool isToolkitFolder(StringRef Folder) {
  return sys::fs::exists(Folder + "/cuda_runtime.h") &&
         sys::fs::exists(Folder + "/crt/host_config.h");
}

class Macros : public PPCallbacks {
public:
  Macros(Preprocessor &PP, const ParseRequest &Request, std::shared_ptr<CompilerQuestions> Asked)
      : PP(PP), SM(PP.getSourceManager()), HideClang(Request.HideClang),
        Otherwise(Request.Otherwise), HasToolkit(Request.Cuda.has_value()),
        Asked(std::move(Asked)) {
    if (Request.Cuda) {
      ToolkitRoot = Request.Cuda->Root + "/";
      SmallString<256> Real;
      if (!sys::fs::real_path(Request.Cuda->Root, Real))
        RealToolkitRoot = (Real + "/").str();
    }
    // Those of the command line are told by MacroDefined() as well, but not where declarations come
    // precompiled.
    for (const auto &[Macro, IsUndef] : PP.getPreprocessorOpts().Macros)
      if (!IsUndef && !isForHeaders(macroName(Macro)))
        OfUser.insert(PP.getIdentifierInfo(macroName(Macro)));
    for (StringRef Macro : Request.Flags.Macros)
      define(Macro.split('=').first, Macro.split('=').second);
    if (Request.Flags.ByClang)
      return;
    // (Not `Cuda ? Cuda->Version : ""`, which is a copy that is gone behind the line.)
    auto [Major, Rest] = (Request.Cuda ? StringRef(Request.Cuda->Version) : StringRef()).split('.');
    const bool Known = !Major.empty();
    const std::string Minor = Known ? Rest.split('.').first.str() : "0";
    define("__NVCC__", "1");
    define("__CUDACC_VER_MAJOR__", Known ? Major : "13");
    define("__CUDACC_VER_MINOR__", Minor);
    define("__CUDACC_VER_BUILD__", "88");
    define("__CUDA_API_VER_MAJOR__", Known ? Major : "13");
    define("__CUDA_API_VER_MINOR__", Minor);
    define("__NVCC_DIAG_PRAGMA_SUPPORT__", "1");
    define("__CUDACC_DEVICE_ATOMIC_BUILTINS__", "1");
    std::string Archs;
    std::vector<unsigned> Numbers;
    for (StringRef Arch : Request.Flags.Archs.empty() ? std::vector<std::string>{Request.Arch}
                                                      : Request.Flags.Archs) {
      unsigned Number = 0;
      Arch.consume_front("sm_");
      if (!Arch.take_while(llvm::isDigit).getAsInteger(10, Number) &&
          !is_contained(Numbers, Number))
        Numbers.push_back(Number);
    }
    llvm::sort(Numbers);
    for (unsigned Number : Numbers)
      Archs += (Archs.empty() ? "" : ",") + std::to_string(Number * 10);
    define("__CUDA_ARCH_LIST__", Archs);
    if (HideClang) {
      define("__GNUC__", std::to_string(HostMajor));
      define("__GNUG__", std::to_string(HostMajor));
      define("__GNUC_MINOR__", std::to_string(HostMinor));
      define("__GNUC_PATCHLEVEL__", "0");
      define("__has_builtin", "0", /*WithArgument=*/true);
    }
  }

  void FileChanged(SourceLocation Loc, FileChangeReason, SrcMgr::CharacteristicKind Kind,
                   FileID) override {
    if (PP.getPredefinesFileID().isInvalid())
      return; // what is defined in front of the file is yet to come
    const bool Now = !SrcMgr::isSystem(Kind) && isUsersFile(SM.getFileID(Loc));
    SeenUsers |= Now;
    hideMacrosOfUser(Loc);
    if (Now == InUsers)
      return;
    if (Now && HideClang && !Hidden) {
      Hidden = true;
      std::vector<StringRef> Names(std::begin(OfClangAlone), std::end(OfClangAlone));
      for (const auto &[Name, State] : PP.macros())
        if (Name->hasMacroDefinition() && isOfClangAlone(Name->getName()))
          Names.push_back(Name->getName());
      llvm::sort(Names);
      Names.erase(std::unique(Names.begin(), Names.end()), Names.end());
      for (StringRef Name : Names)
        if (IdentifierInfo *II = PP.getIdentifierInfo(Name); meaningOf(II))
          Other[II] = nullptr;
    }
    for (; Now && !Otherwise.empty(); Otherwise.pop_back()) {
      IdentifierInfo *II = PP.getIdentifierInfo(Otherwise.back());
      if (meaningOf(II))
        Other[II] = nullptr;
      else if (!StringRef(Otherwise.back()).starts_with("<"))
        define(Otherwise.back(), "1");
    }
    InUsers = Now;
    for (auto &[Name, Meaning] : Other) {
      MacroInfo *Is = meaningOf(Name);
      if (Is == Meaning)
        continue;
      if (Meaning)
        PP.appendDefMacroDirective(Name, Meaning, Loc);
      else
        PP.appendMacroDirective(Name, new (PP.getPreprocessorAllocator()) UndefMacroDirective(Loc));
      Meaning = Is;
    }
  }

  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    if (InUsers)
      Asked->LeftOut.push_back(Range);
  }
  void MacroDefined(const Token &Name, const MacroDirective *Directive) override {
    const StringRef Text = Name.getIdentifierInfo()->getName();
    if ((InUsers || SM.isWrittenInCommandLineFile(Directive->getLocation())) && !isForHeaders(Text))
      OfUser.insert(Name.getIdentifierInfo());
  }
  void MacroExpands(const Token &Name, const MacroDefinition &, SourceRange,
                    const MacroArgs *) override {
    ask(Name, /*Value=*/true);
  }
  void Defined(const Token &Name, const MacroDefinition &, SourceRange) override {
    ask(Name, /*Value=*/false);
  }
  void Ifdef(SourceLocation, const Token &Name, const MacroDefinition &) override {
    ask(Name, /*Value=*/false);
  }
  void Ifndef(SourceLocation, const Token &Name, const MacroDefinition &) override {
    ask(Name, /*Value=*/false);
  }
  using PPCallbacks::Elifdef;
  using PPCallbacks::Elifndef;
  void Elifdef(SourceLocation, const Token &Name, const MacroDefinition &) override {
    ask(Name, /*Value=*/false);
  }
  void Elifndef(SourceLocation, const Token &Name, const MacroDefinition &) override {
    ask(Name, /*Value=*/false);
  }

  void If(SourceLocation, SourceRange Condition, ConditionValueKind) override { askIn(Condition); }
  using PPCallbacks::Elif;
  void Elif(SourceLocation, SourceRange Condition, ConditionValueKind, SourceLocation) override {
    askIn(Condition);
  }
  void HasInclude(SourceLocation, StringRef Name, bool IsAngled, OptionalFileEntryRef File,
                  SrcMgr::CharacteristicKind) override {
    if (!InUsers || !IsAngled || HasToolkit || !isNamedAsOfToolkit(Name))
      return;
    const bool Supposed = File && File->getName().starts_with(supposedIncludeDir());
    if (!File || Supposed)
      note(("<" + Name + ">").str(), Supposed);
  }

private:
  /// What \p Name means now; null: nothing. What comes precompiled is read when it is asked for,
  /// and would put its own meaning over one that has been given by then.
  MacroInfo *meaningOf(const IdentifierInfo *Name) {
    if (ExternalPreprocessorSource *Precompiled = PP.getExternalSource();
        Precompiled && Name->isOutOfDate())
      Precompiled->updateOutOfDateIdentifier(*Name);
    return PP.getMacroInfo(Name);
  }

  Preprocessor &PP;
  const SourceManager &SM;
  const bool HideClang;
  std::vector<std::string> Otherwise; ///< until the user's files begin
  const bool HasToolkit;
  bool InUsers = false, Hidden = false;
  std::shared_ptr<CompilerQuestions> Asked;
  std::string ToolkitRoot, RealToolkitRoot;
  MapVector<IdentifierInfo *, MacroInfo *>
      Other; ///< what they mean on the other side; null: nothing
  StringMap<bool> Folders;
  bool SeenUsers = false;
  bool Shelving = false;              ///< in a bundled file, or in front of the user's
  SetVector<IdentifierInfo *> OfUser; ///< what the user's files and the command line define
  SmallVector<std::pair<IdentifierInfo *, MacroInfo *>, 16>
      Shelved; ///< those of them that are not seen at present

  /// nvcc compiles with -DN=64: what it reads in front of the user's file has no such name. What
  /// Clang reads there has (the toolkit's cuda.h), and so have the bundled headers, so a user's
  /// macros do not reach them.
  void hideMacrosOfUser(SourceLocation Loc) {
    const OptionalFileEntryRef Entry = SM.getFileEntryRefForID(SM.getFileID(Loc));
    const bool Now = Entry && (!SeenUsers || Entry->getName().starts_with(BundledPrefix));
    if (Now == Shelving)
      return;
    Shelving = Now;
    if (!Now) {
      for (const auto &[Name, Meaning] : Shelved)
        PP.appendDefMacroDirective(Name, Meaning, Loc);
      Shelved.clear();
      return;
    }
    for (IdentifierInfo *Name : OfUser)
      if (MacroInfo *Is = meaningOf(Name)) {
        Shelved.push_back({Name, Is});
        PP.appendMacroDirective(Name, new (PP.getPreprocessorAllocator()) UndefMacroDirective(Loc));
      }
  }

  void define(StringRef Name, StringRef Value, bool WithArgument = false) {
    MacroInfo *MI = PP.AllocateMacroInfo(SourceLocation());
    if (WithArgument) {
      MI->setIsFunctionLike();
      MI->setParameterList({PP.getIdentifierInfo("Name")}, PP.getPreprocessorAllocator());
    }
    SmallVector<Token, 8> Tokens;
    for (size_t Begin = 0; Begin < Value.size();) {
      const bool Comma = Value[Begin] == ',';
      const size_t Size = Comma ? 1 : Value.substr(Begin).find(',');
      Token T;
      T.startToken();
      T.setKind(Comma ? tok::comma : tok::numeric_constant);
      PP.CreateString(Value.substr(Begin, Size), T);
      Tokens.push_back(T);
      Begin += std::min(Size, Value.size());
    }
    MI->setTokens(Tokens, PP.getPreprocessorAllocator());
    Other[PP.getIdentifierInfo(Name)] = MI;
  }

  bool isUsersFile(FileID File) {
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
    if (!Entry) // the flags, and what Clang defines
      return false;
    const StringRef Name = Entry->getName();
    if (Name.starts_with(BundledPrefix))
      return false;
    auto [It, New] = Folders.try_emplace(sys::path::parent_path(Name), true);
    if (New)
      It->second = !isOfToolkit(Name);
    return It->second;
  }

  /// Of the one that is used, or another one that somebody names by -I.
  bool isOfToolkit(StringRef Name) const {
    SmallString<256> Path(Name);
    PP.getFileManager().makeAbsolutePath(Path);
    for (const std::string &Root : {ToolkitRoot, RealToolkitRoot})
      if (!Root.empty() &&
          (Path.str().starts_with(Root + "include/") || Path.str().starts_with(Root + "targets/")))
        return true;
    for (StringRef Folder = sys::path::parent_path(Path);
         !Folder.empty() && Folder != sys::path::root_path(Path);
         Folder = sys::path::parent_path(Folder))
      if (isToolkitFolder(Folder))
        return true;
    return false;
  }

  void note(std::string Name, bool Is) {
    if (none_of(Asked->Open, [&](const auto &Of) { return Of.first == Name; }))
      Asked->Open.push_back({std::move(Name), Is});
  }

  /// `#if __OPTIMIZE__`: what is not defined is nought without a word.
  void askIn(SourceRange Condition) {
    if (!InUsers || Condition.isInvalid())
      return;
    bool Invalid = false;
    const auto [File, Begin] = SM.getDecomposedExpansionLoc(Condition.getBegin());
    const StringRef Text = SM.getBufferData(File, &Invalid);
    if (Invalid || Begin >= Text.size())
      return;
    Lexer Lex(SM.getLocForStartOfFile(File), PP.getLangOpts(), Text.begin(), Text.begin() + Begin,
              Text.end());
    SmallPtrSet<const IdentifierInfo *, 8> Seen;
    Token T;
    while (!Lex.LexFromRawLexer(T) &&
           (!T.isAtStartOfLine() || SM.getFileOffset(T.getLocation()) == Begin))
      if (T.is(tok::raw_identifier))
        askIn(PP.getIdentifierInfo(T.getRawIdentifier()), Seen);
  }
  void askIn(const IdentifierInfo *II, SmallPtrSetImpl<const IdentifierInfo *> &Seen) {
    if (!Seen.insert(II).second)
      return;
    const MacroInfo *Is = meaningOf(II);
    if (!Is && isOfOptions(II->getName()))
      note(II->getName().str(), false);
    for (const Token &T : Is ? Is->tokens() : ArrayRef<Token>())
      if (const IdentifierInfo *Inner = T.getIdentifierInfo())
        askIn(Inner, Seen);
  }

  void ask(const Token &Token, bool Value) {
    const IdentifierInfo *II = Token.getIdentifierInfo();
    if (!InUsers || !II)
      return;
    const StringRef Name = II->getName();
    if (!Name.starts_with("_"))
      return;
    if (isOfOptions(Name))
      if (const MacroInfo *Is = PP.getMacroInfo(II);
          !Is || Is->getDefinitionLoc().isInvalid() ||
          SM.isWrittenInBuiltinFile(Is->getDefinitionLoc()))
        note(Name.str(), Is);
    Asked->Arch |= Name.starts_with("__CUDA_ARCH");
    if (Asked->Macro.empty() &&
        (isOfClangAlone(Name) || (Value && is_contained(WithOtherValues, Name))))
      Asked->Macro = Name.str();
  }
};

class WithMacros : public DiagnosticConsumer {
public:
  WithMacros(const ParseRequest &Request, DiagnosticConsumer *Next,
             std::shared_ptr<CompilerQuestions> Asked)
      : Next(Next), Asked(std::move(Asked)) {
    Few.Arch = Request.Arch;
    Few.Flags = Request.Flags;
    Few.Cuda = Request.Cuda;
    Few.HideClang = Request.HideClang;
    Few.Otherwise = Request.Otherwise;
  }
  void BeginSourceFile(const LangOptions &LangOpts, const Preprocessor *PP) override {
    // The one place where a preprocessor can be had before it begins, whoever makes it.
    if (PP) {
      auto &Writable = const_cast<Preprocessor &>(*PP);
      Writable.addPPCallbacks(std::make_unique<Macros>(Writable, Few, Asked));
    }
    if (Next)
      Next->BeginSourceFile(LangOpts, PP);
  }
  void EndSourceFile() override {
    if (Next)
      Next->EndSourceFile();
  }
  void finish() override {
    if (Next)
      Next->finish();
  }
  bool IncludeInDiagnosticCounts() const override {
    return !Next || Next->IncludeInDiagnosticCounts();
  }
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    if (Next)
      Next->HandleDiagnostic(Level, Info);
  }

private:
  DiagnosticConsumer *Next;
  std::shared_ptr<CompilerQuestions> Asked;
  ParseRequest Few;
};

} // namespace

StringRef macroName(StringRef Definition) {
  return Definition.take_until([](char C) { return C == '=' || C == '('; });
}

bool isForHeaders(StringRef Name) {
  return Name.starts_with("_") || Name.starts_with("CUDA") || Name == "NDEBUG";
}

std::unique_ptr<DiagnosticConsumer> withCompilerMacros(const ParseRequest &Request,
                                                       DiagnosticConsumer *Next,
                                                       std::shared_ptr<CompilerQuestions> Asked) {
  return std::make_unique<WithMacros>(Request, Next, std::move(Asked));
}

} // namespace cuda_pipeline
