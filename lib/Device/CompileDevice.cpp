//===- CompileDevice.cpp - From a .cu file to device code ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/CompileDevice.h"
#include "../Source/BundledDecls.h"
#include "../Source/ClangInvocation.h"
#include "../Source/Prelude.h"
#include "../Support/ReadFile.h"
#include "Collect.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Stack.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Lexer.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// `*reinterpret_cast<float4 *>(&s[1][4 * i])` promises nvcc 16 bytes of alignment, whatever `s` is
/// declared with. Clang knows better where it sees the declaration, and would load four floats: as
/// if the pointer had come from elsewhere, it takes the programmer's word for it. Nor does it know
/// of the thread's own numbers that asking for them changes nothing.
class TakeAtTheirWord : public DynamicRecursiveASTVisitor {
public:
  explicit TakeAtTheirWord(ASTContext &Context) : Context(Context) {}

  /// `threadIdx.x` is a call of such a method, and Clang drops an assumption with a call that may
  /// do something.
  bool VisitCXXMethodDecl(CXXMethodDecl *Method) override {
    if (Method->getIdentifier() && Method->getName().starts_with("__fetch_builtin_") &&
        !Method->hasAttr<ConstAttr>())
      Method->addAttr(ConstAttr::CreateImplicit(Context));
    return true;
  }

  bool VisitExplicitCastExpr(ExplicitCastExpr *E) override {
    Expr *From = E->getSubExpr();
    if (E->getType()->isDependentType() || From->isTypeDependent())
      return true;
    if (E->getCastKind() == CK_BitCast && E->getType()->isPointerType() &&
        From->getType()->isPointerType()) {
      if (!From->getType()->isVoidPointerType())
        E->setSubExpr(implicit(voidPointer(From->getType()->getPointeeType()), From));
    } else if (E->getCastKind() == CK_LValueBitCast && !From->refersToBitField()) {
      QualType To = E->getType();
      const SourceLocation Loc = From->getExprLoc();
      auto *Address = clang::UnaryOperator::Create(
          Context, From, UO_AddrOf, Context.getPointerType(From->getType()), VK_PRValue,
          OK_Ordinary, Loc, /*CanOverflow=*/false, FPOptionsOverride());
      Expr *Cast =
          implicit(Context.getPointerType(To), implicit(voidPointer(From->getType()), Address));
      E->setSubExpr(clang::UnaryOperator::Create(Context, Cast, UO_Deref, To, VK_LValue,
                                                 OK_Ordinary, Loc,
                                                 /*CanOverflow=*/false, FPOptionsOverride()));
      E->setCastKind(CK_NoOp);
    }
    return true;
  }

private:
  QualType voidPointer(QualType Pointee) const {
    return Context.getPointerType(
        Context.getQualifiedType(Context.VoidTy, Pointee.getQualifiers()));
  }
  Expr *implicit(QualType To, Expr *From) const {
    return ImplicitCastExpr::Create(Context, To, CK_BitCast, From, nullptr, VK_PRValue,
                                    FPOptionsOverride());
  }
  ASTContext &Context;
};

/// The body of a function of the host in the main file, between its braces.
struct HostBody {
  std::string Name;
  unsigned Begin = 0, End = 0; ///< offsets
};

struct HostFunctions : DynamicRecursiveASTVisitor {
  ASTContext &Context;
  std::vector<HostBody> &Found;
  HostFunctions(ASTContext &Context, std::vector<HostBody> &Found)
      : Context(Context), Found(Found) {}
  bool VisitFunctionDecl(FunctionDecl *F) override {
    const SourceManager &SM = Context.getSourceManager();
    const Stmt *Body = F->doesThisDeclarationHaveABody() ? F->getBody() : nullptr;
    if (!Body || F->hasAttr<CUDAGlobalAttr>() || F->hasAttr<CUDADeviceAttr>() || F->isConstexpr() ||
        Body->getBeginLoc().isMacroID() || Body->getEndLoc().isMacroID() ||
        !SM.isWrittenInMainFile(Body->getBeginLoc()))
      return true;
    Found.push_back({F->getQualifiedNameAsString(), SM.getFileOffset(Body->getBeginLoc()) + 1,
                     SM.getFileOffset(Body->getEndLoc())});
    return true;
  }
  bool TraverseStmt(Stmt *) override { return true; }
};

/// Prints, and keeps where errors are.
class Listener : public DiagnosticConsumer {
public:
  explicit Listener(DiagnosticConsumer &Printer) : Printer(Printer) {}
  void BeginSourceFile(const LangOptions &Options, const Preprocessor *PP) override {
    Printer.BeginSourceFile(Options, PP);
  }
  void EndSourceFile() override { Printer.EndSourceFile(); }
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    Printer.HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error)
      return;
    if (!Info.hasSourceManager() || Info.getLocation().isInvalid()) {
      Elsewhere = true;
      return;
    }
    const SourceManager &SM = Info.getSourceManager();
    const SourceLocation At = SM.getExpansionLoc(Info.getLocation());
    if (SM.isWrittenInMainFile(At))
      Offsets.push_back(SM.getFileOffset(At));
    else
      Elsewhere = true;
  }
  std::vector<unsigned> Offsets; ///< in the main file
  bool Elsewhere = false;

private:
  DiagnosticConsumer &Printer;
};

/// Blanks out of \p Text what errors stand in: bodies of host functions, and includes of headers
/// that are not there. Names of these; none: there are errors in something else.
std::optional<std::vector<std::string>> leaveOut(std::string &Text, const Listener &Errors,
                                                 ArrayRef<HostBody> Host) {
  std::vector<std::string> Names;
  if (Errors.Elsewhere || Errors.Offsets.empty())
    return std::nullopt;
  auto Blank = [&](size_t Begin, size_t End) {
    for (size_t I = Begin; I < End && I < Text.size(); ++I)
      if (Text[I] != '\n')
        Text[I] = ' ';
  };
  for (unsigned At : Errors.Offsets) {
    const HostBody *Inner = nullptr;
    for (const HostBody &B : Host)
      if (At >= B.Begin && At <= B.End && (!Inner || B.End - B.Begin < Inner->End - Inner->Begin))
        Inner = &B;
    std::string Name;
    if (Inner) {
      Blank(Inner->Begin, Inner->End);
      Name = "'" + Inner->Name + "'";
    } else {
      const size_t Begin = Text.rfind('\n', At) == std::string::npos ? 0 : Text.rfind('\n', At) + 1;
      const size_t End = std::min(Text.find('\n', At), Text.size());
      StringRef Line = StringRef(Text).slice(Begin, End).trim();
      if (!Line.starts_with("#") || !Line.drop_front().ltrim().starts_with("include"))
        return std::nullopt;
      Name = Line.str();
      Blank(Begin, End);
    }
    if (!is_contained(Names, Name))
      Names.push_back(Name);
  }
  return Names;
}

/// Which bodies of the bundled functions are read. There are thousands, a file uses a few, and to
/// read them all takes most of the time of a compilation. A body that was left out although
/// something calls the function is found in the code that comes of it.
struct BundledBodies {
  bool All = true;
  StringSet<> Wanted;   ///< unless all: functions with one of these names
  bool LeftOut = false; ///< one of them was not read
};

/// Every identifier of \p Text, however it is meant.
StringSet<> identifiersOf(StringRef Text) {
  StringSet<> Names;
  const LangOptions Options;
  const std::string Ended = Text.str(); // the lexer wants a zero behind the text
  Lexer Lex(SourceLocation(), Options, Ended.data(), Ended.data(), Ended.data() + Ended.size());
  Token Tok;
  do {
    Lex.LexFromRawLexer(Tok);
    if (Tok.is(tok::raw_identifier))
      Names.insert(Tok.getRawIdentifier());
  } while (Tok.isNot(tok::eof));
  return Names;
}

/// What is done to bundled declarations before they are precompiled: as Collector does.
class PreludeConsumer : public ASTConsumer {
public:
  explicit PreludeConsumer(ASTContext &Context) : Context(Context) {}
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (!isa<DeclContext>(D) || !cast<DeclContext>(D)->isDependentContext())
        TakeAtTheirWord(Context).TraverseDecl(D);
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *F) override {
    if (!F->isDependentContext())
      TakeAtTheirWord(Context).TraverseDecl(F);
  }

private:
  ASTContext &Context;
};

/// Looks at the tree when all of it is there, before the tree goes.
class Collector : public ASTConsumer {
public:
  Collector(ASTContext &Context, DeviceModule &Result, std::vector<HostBody> &Host,
            BundledBodies &Bodies, bool Precompiled)
      : Context(Context), Result(Result), Host(Host), Bodies(Bodies), Precompiled(Precompiled) {}
  bool shouldSkipFunctionBody(Decl *D) override {
    const auto *F = dyn_cast<FunctionDecl>(D);
    // Without a body Clang has a meaning of its own for its builtins, and no call remains to be
    // found; nor of what it calls itself.
    if (F && (F->getBuiltinID() || F->hasAttr<UsedAttr>()))
      return false;
    if (Bodies.All || !F || F->isTemplated() || F->getDeclContext()->isRecord() ||
        !F->getDeclName().isIdentifier() || F->getName().starts_with("__cpr_") ||
        Bodies.Wanted.contains(F->getName()) || !isBundled(F->getLocation()))
      return false;
    return Bodies.LeftOut = true;
  }
  // Code generation comes behind this consumer.
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group) {
      if (D->isFromASTFile())
        continue; // it was done to them before they were written
      if (!isa<DeclContext>(D) || !cast<DeclContext>(D)->isDependentContext())
        TakeAtTheirWord(Context).TraverseDecl(D);
    }
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *F) override {
    if (!F->isFromASTFile() && !F->isDependentContext())
      TakeAtTheirWord(Context).TraverseDecl(F);
  }
  void HandleTranslationUnit(ASTContext &Context) override {
    if (Precompiled) { // what is in the prelude stays there
      std::vector<Decl *> Own;
      for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
        if (!D->isFromASTFile())
          Own.push_back(D);
      Context.setTraversalScope(Own);
    }
    if (Context.getDiagnostics().hasErrorOccurred()) {
      HostFunctions(Context, Host).TraverseDecl(Context.getTranslationUnitDecl());
      return;
    }
    Result.Kernels = collectKernels(Context, Result.Layouts);
    collectLaunches(Context, Result);
    Result.Bodies = collectBodies(Context);
  }

private:
  bool isBundled(SourceLocation Loc) {
    const SourceManager &SM = Context.getSourceManager();
    const FileID File = SM.getFileID(SM.getExpansionLoc(Loc));
    if (File != LastFile) {
      LastFile = File;
      OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
      LastIsBundled = Entry && Entry->getName().starts_with(bundledIncludeDir());
    }
    return LastIsBundled;
  }

  ASTContext &Context;
  DeviceModule &Result;
  std::vector<HostBody> &Host;
  BundledBodies &Bodies;
  const bool Precompiled;
  FileID LastFile;
  bool LastIsBundled = false;
};

/// Generates code and stops there. (Clang's own actions go on to the NVPTX back end, or at least
/// set it up.)
class GenerateCode : public ASTFrontendAction {
public:
  GenerateCode(LLVMContext &Context, DeviceModule &Result, std::vector<HostBody> &Host,
               BundledBodies &Bodies, bool Precompiled)
      : Context(Context), Result(Result), Host(Host), Bodies(Bodies), Precompiled(Precompiled) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef File) override {
    auto Owned = CreateLLVMCodeGen(CI, File, Context);
    Generator = Owned.get();
    std::vector<std::unique_ptr<ASTConsumer>> Both;
    Both.push_back(
        std::make_unique<Collector>(CI.getASTContext(), Result, Host, Bodies, Precompiled));
    Both.push_back(std::move(Owned));
    return std::make_unique<MultiplexConsumer>(std::move(Both));
  }
  void EndSourceFileAction() override {
    if (getCompilerInstance().getDiagnostics().hasErrorOccurred())
      return;
    for (const llvm::Function &F : *Generator->GetModule())
      if (F.isDeclaration() && !F.isIntrinsic())
        if (const auto *D =
                dyn_cast_or_null<FunctionDecl>(Generator->GetDeclForMangledName(F.getName())))
          if (const FunctionDecl *Definition = nullptr;
              D->isDefined(Definition) && Definition->hasSkippedBody())
            Missing.push_back(D->getName().str());
    Module.reset(Generator->ReleaseModule().release());
  }

  std::unique_ptr<llvm::Module> Module;
  std::vector<std::string> Missing; ///< functions that are called, and whose bodies were left out

private:
  LLVMContext &Context;
  DeviceModule &Result;
  std::vector<HostBody> &Host;
  BundledBodies &Bodies;
  const bool Precompiled;
  CodeGenerator *Generator = nullptr;
};

/// Lines that name the kernels, so that Clang instantiates them. An error in one is reported at a
/// place that says where the name came from.
std::string instantiations(ArrayRef<std::string> Names) {
  std::string Text = "\n";
  for (size_t I = 0; I != Names.size(); ++I) {
    std::string Escaped;
    for (char C : Names[I])
      Escaped += C == '"' || C == '\\' || C == '\n' ? '\'' : C;
    Text += "#line 1 \"kernel '" + Escaped + "' of the launch description\"\n";
    Text += "auto __cpr_instantiate_" + std::to_string(I) + " = &" + Names[I] + ";\n";
  }
  return Text;
}

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

} // namespace

/// One compilation of \p Request, in which nothing is changed any more. \p Missing: what is called
/// and has been left out of the code. \p Precompiled: it may be, and was, with a prelude.
static Expected<DeviceModule> compileOnce(const ParseRequest &Request, BundledBodies &Bodies,
                                          bool &Precompiled, std::vector<std::string> &Missing,
                                          std::string &Diagnostics, std::optional<Listener> &Errors,
                                          std::vector<HostBody> &Host) {
  raw_string_ostream Messages(Diagnostics);
  DiagnosticOptions DiagOptions;
  DiagOptions.ShowPresumedLoc = true; // of the lines that name the kernels
  TextDiagnosticPrinter Printer(Messages, DiagOptions);
  Errors.emplace(Printer);
  std::optional<ClangInvocation> Made = makeInvocation(Request, Reading::ToRun, &*Errors);
  if (!Made)
    return failure(Request.File + ": the flags are not understood");

  if (Request.KeepGoing) {
    // Behind a fatal error nothing is said any more.
    Made->Diags->setFatalsAsError(true);
    Made->Diags->setErrorLimit(0);
    Made->Compiler->getDiagnosticOpts().ErrorLimit = 0;
  }
  Precompiled = Precompiled && usePrelude(*Made, Request.Seen.get());
  DeviceModule Result;
  LLVMContext Context;
  // The driver asks cc1 to leave the memory to the end of the process, which is not near here.
  Made->Compiler->getFrontendOpts().DisableFree = false;
  Made->Compiler->getCodeGenOpts().DisableFree = false;
  Made->Compiler->getFrontendOpts().SkipFunctionBodies = !Bodies.All; // those that Collector says
  CompilerInstance Compiler(Made->Compiler);
  Compiler.setVirtualFileSystem(Made->Files);
  Compiler.setDiagnostics(Made->Diags);
  Compiler.createFileManager();
  Compiler.setVerboseOutputStream(Messages);
  GenerateCode Action(Context, Result, Host, Bodies, Precompiled);
  // Clang itself may crash in its code generation, which the analysis of the same file never
  // enters.
  bool Worked = false;
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Guard;
  if (!Guard.RunSafely(
          [&] { Worked = Compiler.ExecuteAction(Action) && !Made->Diags->hasErrorOccurred(); })) {
    CrashRecoveryContext::Disable();
    return failure(Request.File +
                   ": Clang crashes on it while compiling for emulation; try --engine=gpu");
  }
  CrashRecoveryContext::Disable();
  if (!Worked || !Action.Module)
    return failure(Request.File + ": does not compile for emulation");

  Missing = std::move(Action.Missing);
  Result.Code = codeOf(*Action.Module);
  raw_string_ostream Stream(Result.Bitcode);
  WriteBitcodeToFile(*Action.Module, Stream);
  Stream.flush();
  return Result;
}

void prepareDeviceCompilation(const ParseRequest &UserRequest) {
  ParseRequest Request = UserRequest;
  Request.Cuda.reset();
  precompilePrelude(std::move(Request), Reading::ToRun,
                    [](ASTContext &Context) { return std::make_unique<PreludeConsumer>(Context); });
}

/// The same, with the bodies of the bundled functions that the file names, and of those that they
/// call.
static Expected<DeviceModule> compileWithBodies(const ParseRequest &Request, StringRef Text,
                                                std::string &Diagnostics,
                                                std::optional<Listener> &Errors,
                                                std::vector<HostBody> &Host) {
  const size_t Before = Diagnostics.size();
  BundledBodies Bodies;
  Bodies.All = false;
  Bodies.Wanted = identifiersOf(Text);
  // What a header of the user's, a macro of the command line or another bundled function calls
  // shows only then.
  constexpr unsigned Tries = 2;
  for (unsigned Try = 0;; ++Try) {
    std::vector<std::string> Missing;
    Bodies.All = Try == Tries;
    Bodies.LeftOut = false;
    bool Precompiled = !Bodies.All;
    Expected<DeviceModule> Result =
        compileOnce(Request, Bodies, Precompiled, Missing, Diagnostics, Errors, Host);
    if (Result ? Missing.empty() : !Bodies.LeftOut && !Precompiled)
      return Result;
    if (!Result) {
      consumeError(Result.takeError());
      Try = Tries - 1; // in full, lest the error be of our making
    }
    for (const std::string &Name : Missing)
      Bodies.Wanted.insert(Name);
    Diagnostics.resize(Before);
    Host.clear();
  }
}

Expected<DeviceModule> compileDevice(const ParseRequest &UserRequest,
                                     ArrayRef<std::string> Instantiate, std::string &Diagnostics) {
  noteBottomOfStack();
  ParseRequest Request = UserRequest;
  Request.Cuda.reset();
  if (keepsPreludes())
    prepareDeviceCompilation(Request);
  std::string OnDisk;
  if (!Request.Contents) {
    auto Buffer = readFile(Request.File);
    if (!Buffer)
      return failure(Request.File + ": " + Buffer.getError().message());
    OnDisk = (*Buffer)->getBuffer().str();
    if (!Instantiate.empty() || Request.KeepGoing)
      Request.Contents = OnDisk;
  }
  if (!Instantiate.empty())
    *Request.Contents += instantiations(Instantiate);

  // What errors stand in is left out, if it is none of the device's business; once more where that
  // brings up others.
  std::vector<std::string> LeftOut;
  const size_t Before = Diagnostics.size();
  for (unsigned Round = 0;; ++Round) {
    std::optional<Listener> Errors;
    std::vector<HostBody> Host;
    Expected<DeviceModule> Result = compileWithBodies(
        Request, Request.Contents ? *Request.Contents : OnDisk, Diagnostics, Errors, Host);
    if (Result) {
      Result->LeftOut = std::move(LeftOut);
      return Result;
    }
    std::optional<std::vector<std::string>> Names;
    if (Request.KeepGoing && Round < 4 && Errors)
      Names = leaveOut(*Request.Contents, *Errors, Host);
    if (!Names)
      return Result;
    consumeError(Result.takeError());
    Diagnostics.resize(Before);
    LeftOut.insert(LeftOut.end(), Names->begin(), Names->end());
  }
}

} // namespace cuda_pipeline
