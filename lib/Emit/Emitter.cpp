//===- Emitter.cpp - A draft is put together -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

//===-- Patches ---------------------------------------------------------------===//

std::string Patches::apply(StringRef File, TextRange Whole) const {
  std::vector<std::pair<TextRange, std::string>> Sorted;
  for (auto P : List) {
    // A statement that is taken out takes the line end in front of it along.
    if (P.first.Begin < Whole.Begin && Whole.Begin < P.first.End &&
        File.slice(P.first.Begin, Whole.Begin).trim().empty())
      P.first.Begin = Whole.Begin;
    if (Whole.contains(P.first))
      Sorted.push_back(P);
  }
  // By position; of two that start together the longer one first. Insertions (empty) go first.
  llvm::stable_sort(Sorted, [](const auto &A, const auto &B) {
    if (A.first.Begin != B.first.Begin)
      return A.first.Begin < B.first.Begin;
    bool EmptyA = A.first.Begin == A.first.End, EmptyB = B.first.Begin == B.first.End;
    if (EmptyA != EmptyB)
      return EmptyA;
    return A.first.End > B.first.End;
  });
  std::string Out;
  // \p Step: from one character's offset in the file to the next one's; text of a patch has that of
  // the patch.
  auto Add = [&](StringRef Text, unsigned Offset, unsigned Step) {
    for (size_t I = 0; I < Text.size(); ++I, Offset += Step) {
      Out += Text[I];
      const bool Blank = I + 1 < Text.size() && (Text[I + 1] == '\n' || Text[I + 1] == '\r');
      if (Text[I] == '\n' && !Blank)
        for (const auto &[R, By] : Indented)
          Out += Offset >= R.Begin && Offset < R.End ? By : "";
    }
  };
  unsigned At = Whole.Begin;
  for (const auto &[R, Text] : Sorted) {
    if (R.Begin < At)
      continue; // inside of one that was replaced
    Add(File.slice(At, R.Begin), At, 1);
    Add(Text, R.Begin, 0);
    At = R.End;
  }
  Add(File.slice(At, Whole.End), At, 1);
  return Out;
}

Emitter::Emitter(const TileModel &M, const FetchStore &Cut, const Plan &P, ASTContext &Context,
                 const LoopPlaces &Places, const SourceText &Source, const GivenNames &Given)
    : M(M), Cut(Cut), P(P), Context(Context), Source(Source), Given(Given), Places(Places),
      Pattern(M.Facts->Function->once<TemplatePattern>(
          [&] { return TemplatePattern(M.Loop->Function); })) {
  Indent = Places.Indent;
  Unit = Places.Unit;
}

void Emitter::refuse(Reason Why, SourceLocation Where, std::vector<std::string> Args) {
  Out.Refusals.push_back({Why, Where, std::move(Args), {}});
}

std::string Emitter::fresh(StringRef Base) {
  std::string Name = Base.str();
  auto Before = Given.Last.find(Name);
  unsigned I = Before == Given.Last.end() ? 1 : Before->second;
  while (isTaken(Name, Source, Context) || Given.Names.count(Name) || Out.Names.Names.count(Name))
    Name = (Base + Twine(++I)).str();
  Out.Names.Names.insert(Name);
  Out.Names.Last[Base.str()] = I;
  return Name;
}

/// One of \p Names that the function declares anew between the two offsets; null if there is none.
const NamedDecl *Emitter::declaredAnew(const std::set<std::string> &Names, unsigned From,
                                       unsigned To) const {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const std::set<std::string> &Names;
    unsigned From, To;
    const SourceManager &SM;
    const NamedDecl *Found = nullptr;
    Visitor(const std::set<std::string> &Names, unsigned From, unsigned To, const SourceManager &SM)
        : Names(Names), From(From), To(To), SM(SM) {
      ShouldVisitImplicitCode = true;
    }
    bool VisitNamedDecl(const NamedDecl *D) override {
      const SourceLocation At = SM.getExpansionLoc(D->getLocation());
      if (At.isInvalid() || !isInMainFile(SM, At) || SM.getFileOffset(At) < From ||
          SM.getFileOffset(At) >= To)
        return true;
      // `using namespace n;` may declare any of them.
      if (isa<UsingDirectiveDecl>(D) || (D->getIdentifier() && Names.count(D->getNameAsString())))
        Found = D;
      return !Found;
    }
  } V(Names, From, To, Context.getSourceManager());
  V.TraverseStmt(M.Loop->Function->getBody());
  return V.Found;
}

/// The text of \p S moves, past those declarations of the load phase that \p Passes holds for.
void Emitter::meansTheSame(const Stmt *S, function_ref<bool(const Stmt *)> Passes) {
  const auto R = statementRange(S, Context);
  if (!R)
    return refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
  const std::set<std::string> Names = namesIn(*R);
  for (const Stmt *Other : M.Segments[0]) {
    if (Other == S || !isa<DeclStmt>(Other) || !Passes(Other))
      continue;
    const auto There = statementRange(Other, Context);
    if (!There)
      refuse(Reason::MacroText, Other->getBeginLoc(), {"this statement"});
    else if (declaredAnew(Names, There->Begin, There->End))
      refuse(Reason::NotYet, Other->getBeginLoc(),
             {"a declaration that gives another meaning to a name in the load phase"});
  }
}

void Emitter::standsAtTheEnd(const Stmt *Barrier) {
  const auto R = statementRange(Barrier, Context);
  const unsigned End = Context.getSourceManager().getFileOffset(M.Loop->Body->getRBracLoc());
  if (!R)
    refuse(Reason::MacroText, Barrier->getBeginLoc(), {"the barrier"});
  else if (declaredAnew(namesIn(*R), R->End, End))
    refuse(Reason::NotYet, Barrier->getBeginLoc(),
           {"a declaration that gives another meaning to a name in the barrier"});
}

bool Emitter::isBehind(const Stmt *A, const Stmt *B) const {
  return Context.getSourceManager().isBeforeInTranslationUnit(B->getBeginLoc(), A->getBeginLoc());
}

std::set<const Stmt *> Emitter::neutralInCompute() const {
  std::vector<const Stmt *> Parts(M.SharedScalars);
  for (unsigned I = 1; I < 3; ++I)
    append_range(Parts, M.Segments[I]);
  for (const Advance &A : M.Advances)
    if (A.Segment == 0 && onComputeSide(A))
      Parts.push_back(A.Statement);
  return neutralFor(Parts);
}

/// The declaration \p S of a variable that is kept, as the compute phase has it, or the store half;
/// empty: it has it as it is, or \p S is none.
std::string Emitter::declarationOfKept(const Stmt *S, bool InStore) {
  const auto *Decl = dyn_cast<DeclStmt>(S);
  const auto Kept = KeptNames.find(
      Decl && Decl->isSingleDecl() ? dyn_cast<VarDecl>(Decl->getSingleDecl()) : nullptr);
  if (Kept == KeptNames.end())
    return "";
  const VarDecl *Var = Kept->first;
  if (!beginsWithValue(Var))
    return "auto &" + Var->getNameAsString() + " = " + Kept->second + ";";
  if (InStore)
    return "";
  const std::optional<TextRange> Name = nameIn(S, Var);
  return Name ? File.slice(statementRange(S, Context)->Begin, Name->End).str() + " = " +
                    Kept->second + ";"
              : "";
}

/// Where the declaration \p S has the name of \p Var; nothing, and a refusal, if a macro says it.
std::optional<TextRange> Emitter::nameIn(const Stmt *S, const VarDecl *Var) {
  const std::optional<TextRange> R = statementRange(S, Context);
  const SourceLocation At = Var->getLocation();
  if (R && !At.isMacroID() && isInMainFile(Context.getSourceManager(), At)) {
    const unsigned Name = Context.getSourceManager().getFileOffset(At);
    const TextRange Out = {Name, Name + unsigned(Var->getName().size())};
    if (R->Begin <= Out.Begin && Out.End <= R->End)
      return Out;
  }
  refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
  return std::nullopt;
}

/// What keeps values for the compute phase, in front of the loop.
std::string Emitter::keptDeclarations() {
  std::string Text;
  for (const Stmt *S : M.Segments[0]) {
    const auto *Decl = dyn_cast<DeclStmt>(S);
    const auto Kept = KeptNames.find(
        Decl && Decl->isSingleDecl() ? dyn_cast<VarDecl>(Decl->getSingleDecl()) : nullptr);
    if (Kept == KeptNames.end())
      continue;
    const VarDecl *Var = Kept->first;
    if (beginsWithValue(Var)) {
      const std::string Type = typeText(Var);
      Text += Indent + Type + (StringRef(Type).ends_with("*") ? "" : " ") + Kept->second + ";\n";
      continue;
    }
    // As the author has it, if all that it says means the same there.
    const std::optional<TextRange> Name = nameIn(S, Var), R = statementRange(S, Context);
    if (!Name || !R)
      continue;
    std::set<std::string> Says = namesIn(*R);
    Says.erase(Var->getNameAsString());
    if (declaredAnew(Says, LoopText.Begin, LoopText.End))
      refuse(Reason::NotYet, S->getBeginLoc(),
             {"a declaration in the load phase that names what the loop declares"});
    Text += Indent + File.slice(R->Begin, Name->Begin).str() + Kept->second +
            File.slice(Name->End, R->End).str() + "\n";
  }
  return Text;
}

/// What of segment 0 the compute slice runs too: scalars and its own advances.
std::string Emitter::computeTop(StringRef At) {
  std::string Text;
  const std::set<const Stmt *> Neutral = neutralInCompute();
  for (const Stmt *S : M.Segments[0]) {
    bool Keep = is_contained(M.SharedScalars, S) || Neutral.count(S);
    for (const Advance &A : M.Advances)
      Keep |= A.Statement == S && onComputeSide(A);
    if (Keep)
      Text += (At + statementText(S) + "\n").str();
    else if (const std::string Kept = declarationOfKept(S, /*InStore=*/false); !Kept.empty())
      Text += (At + Kept + "\n").str();
  }
  return Text + movedStatements(At);
}

/// With their comments, and the stages in place of the tiles where they are named.
std::string Emitter::movedStatements(StringRef At) {
  std::string Text;
  for (const Stmt *S : M.MovedToCompute) {
    if (any_of(M.Advances, [&](const Advance &A) { return A.Statement == S && !onComputeSide(A); }))
      continue; // the load side has it
    meansTheSame(S, [&](const Stmt *Other) { return isBehind(Other, S); });
    if (auto R = statementRange(S, Context))
      Text += (At + File.slice(withComments(*R).Begin, withComments(*R).End) + "\n").str();
  }
  return Text;
}

/// What the user has said, in the program's terms.
static std::string inWords(StringRef Assumption) {
  const AssumptionInfo *A = assumptionFromId(Assumption);
  return A ? A->Words.str() : "this holds";
}

std::string Emitter::assumptionsComment() {
  std::string Text;
  if (!P.RefusedFor.empty())
    Text = "// NOT SOUND, for tests only: refused for " + join(P.RefusedFor, ", ") + ".\n" + Indent;
  std::vector<std::string> Granted;
  for (const std::string &Name : P.Assumptions)
    if (Name != "file-errors")
      Granted.push_back(Name);
  if (Granted.size() != P.Assumptions.size())
    Text +=
        "// Rewritten although this file does not parse as a whole (--keep-going, file-errors).\n" +
        Indent;
  if (!Granted.empty())
    for (const std::string &Name : Granted)
      Text += "// Assumes that " + inWords(Name) + " (--assume=" + Name + ").\n" + Indent;
  return Text;
}

void Emitter::replaceLoopHead(const std::string &Text) {
  // Everything from the loop's keyword to the first barrier.
  std::string Lead, Tail;
  // What follows on the barrier's line must not look as if it were under the last `if`.
  unsigned End = Barrier0.End;
  StringRef Rest = File.slice(End, lineEnd(File, End));
  if (!Rest.trim().empty() && !Rest.ltrim().starts_with("//")) {
    End += static_cast<unsigned>(Rest.size() - Rest.ltrim().size());
    Tail = "\n" + Indent + Unit;
  }
  // What is said of the loop stays above it.
  unsigned Begin = LoopText.Begin;
  if (const TextRange Above = commentsOfLoop(); Above.Begin < Above.End)
    Begin = Above.Begin + unsigned(File.slice(Above.Begin, Above.End).find_first_not_of(" \t"));
  // A pragma, or a comment, at the beginning of its line says nothing about the indentation.
  StringRef Before = File.slice(lineStart(File, Begin), Begin);
  if (Before.empty())
    Lead = Indent;
  else if (!Before.trim().empty())
    Lead = "\n" + Indent;
  Edited.replace({Begin, End}, Lead + (bracesOfTheirOwn() ? "{\n" + Indent : "") +
                                   argumentsAssert() + Text + Tail);
}

/// What was said of the barrier must not be said of what takes its place.
void Emitter::replaceTrailingBarrier(const std::string &Text) {
  if (!M.BarrierFirst && !M.TrailingNested) {
    const TextRange R = withComments(Barrier1);
    if (Text != File.slice(R.Begin, R.End))
      Edited.replace(R, Text);
  } else if (!Text.empty()) {
    // At the end of the body, where nothing stands for it.
    const unsigned Brace = Context.getSourceManager().getFileOffset(M.Loop->Body->getRBracLoc());
    StringRef Inside = File.take_front(Brace).rtrim();
    const bool OwnLine = File.slice(lineStart(File, Brace), Brace).trim().empty();
    Edited.replace({unsigned(Inside.size()), unsigned(Inside.size())},
                   "\n" + Indent + Unit + Text + (OwnLine ? "" : "\n" + Indent));
  }
}

/// In front of the first tile, for a loop that begins with a barrier, or whose further stages lie
/// where the code before may still be at work: what was done before the loop comes before it.
LoopParts Emitter::entryBarrier() const {
  if (M.BarrierFirst ? !P.EntryBarrier : !P.BarrierInFront)
    return {};
  return {LoopPart::barrier(barrierText(1))};
}

std::string Emitter::barrierText(unsigned I) const {
  if (!M.Barriers[I])
    I = 0;
  if (!M.Barriers[I])
    return "__syncthreads();";
  // `block.sync()` of a group that the body makes.
  if (any_of(mentionedVars(M.Barriers[I]), [&](const VarDecl *Var) {
        return M.Facts->DeclaredInBody.count(Var) || declares(M.Loop->start(), Var);
      }))
    return "__syncthreads();";
  const TextRange &R = I == 0 ? Barrier0 : Barrier1;
  return File.slice(R.Begin, R.End).str();
}

std::string Emitter::barrierComment(StringRef At) const {
  if (Places.BarrierComment.empty())
    return "";
  SmallVector<StringRef, 4> Lines;
  StringRef(Places.BarrierComment).split(Lines, '\n');
  // The lines of a block comment keep their places to each other.
  const bool OfLines = all_of(Lines, [](StringRef Line) { return Line.ltrim().starts_with("//"); });
  std::string Text;
  for (StringRef Line : Lines)
    Text += (Text.empty() || OfLines ? At.str() + Line.ltrim().str() : Line.str()) + "\n";
  return Text;
}

/// At its own place, with what is said of it.
std::string Emitter::trailingBarrierText() const {
  const std::string Text = barrierText(1);
  if (M.TrailingNested || Text != File.slice(Barrier1.Begin, Barrier1.End))
    return Text;
  const TextRange R = withComments(Barrier1);
  return File.slice(R.Begin, R.End).str();
}

void Emitter::removeLoadOnlyAdvances() {
  for (const Advance &A : M.Advances)
    if (A.Segment > 0 && A.LoadSide && !onComputeSide(A))
      remove(A.Statement, Edited, true);
}

void Emitter::writeBehind() {
  std::string Out = "\n" + StringRef(Loop.print(Loop.Behind, Indent)).rtrim('\n').str() +
                    (bracesOfTheirOwn() ? "\n" + Indent + "}" : "");
  // What follows on the same line must not end up in a comment.
  const unsigned End = withTrailingComment({LoopText.End, LoopText.End}).End;
  if (!File.slice(End, lineEnd(File, End)).trim().empty())
    Out += "\n" + Indent;
  Edited.replace({End, End}, Out);
}

/// The mutated value, where a test asks for that, as text.
void Emitter::write() {
  if (MutatorOfTests)
    MutatorOfTests->loop(Loop, M, toString(P.Preset));
  replaceLoopHead(Loop.head());
  const std::string In = Indent + Unit;
  const std::string Tail = Loop.print(Loop.Tail, In);
  replaceTrailingBarrier(
      StringRef(Tail).drop_front(std::min(Tail.size(), In.size())).rtrim('\n').str());
  writeBehind();
}

Draft Emitter::run() {
  Out.Refusals = Places.Refusals;
  if (failed())
    return std::move(Out);
  Loop.Stages = P.Stages;
  if (P.usesAsync()) {
    Loop.Commit = ours(Loop.Commit);
    Loop.Wait = ours(Loop.Wait);
  }
  names();
  declareStages();
  if (P.Stages > 1) {
    stepsNameNoTile();
    moveViews();
  }
  nameTiles();
  removeLoadOnlyAdvances();
  if (P.usesRegisters())
    alignStaging();
  if (P.Dynamic) // how much the loop touches was counted by all its numbers
    pinLoop();
  if (!P.usesRegisters())
    emitAsync();
  else if (P.Stages > 1)
    emitLdg();
  else
    emitLdgSingle();
  if (!Loop.Front.empty()) // else it was refused before it was made
    write();
  computeFindsItsNames();
  if (staysBeside())
    keepLoopBeside();
  if (failed())
    return std::move(Out);
  sayWords();
  for (const auto &[R, Text] : Edited.all()) {
    // Declarations inside of the replaced head were moved along with it.
    bool Inside = false;
    for (const auto &[Other, OtherText] : Edited.all())
      if (R.Begin == R.End) // what is put in at its edge stays
        Inside |= Other.Begin < R.Begin && R.End < Other.End;
      else
        Inside |= &Other != &R && Other.Begin <= R.Begin && R.End <= Other.End &&
                  (Other.Begin != R.Begin || Other.End != R.End) &&
                  Other.End - Other.Begin > R.End - R.Begin;
    if (Inside)
      continue;
    // One kind of line ending.
    Out.Result.List.push_back({R.Begin, R.End - R.Begin, Places.withLineBreaks(Text)});
  }
  llvm::stable_sort(Out.Result.List, [](const Edit &A, const Edit &B) {
    return std::make_pair(A.Offset, A.Length > 0) < std::make_pair(B.Offset, B.Length > 0);
  });
  // Two edits of one place would tear each other's text apart.
  for (size_t I = 1; I < Out.Result.List.size(); ++I)
    if (Out.Result.List[I].Offset < Out.Result.List[I - 1].Offset + Out.Result.List[I - 1].Length) {
      refuse(Reason::NotYet, M.Loop->Begin, {"text of this form around the loop's statements"});
      break;
    }
  Out.Result.Headers = P.Headers;
  if (any_of(Out.Result.List, [](const Edit &E) {
        return StringRef(E.Text).contains("std::is_") || StringRef(E.Text).contains("std::decay<");
      }))
    Out.Result.Headers.push_back("type_traits");
  return std::move(Out);
}

void Emitter::sayWords() {
  EmittedWords &W = Out.Words;
  for (const std::string *Name : {&LoadTile, &FetchTile, &StoreTile})
    if (!Name->empty()) {
      W.LoadFunctions.insert(*Name);
      W.Phases[*Name] = PhaseKind::Load;
    }
  for (const auto &[Load, Register] : Registers)
    W.Phases[Register.Declared] = PhaseKind::Load;
  W.Phases["__pipeline_commit"] = PhaseKind::Load;
  W.Phases["__pipeline_wait_prior"] = PhaseKind::Barrier;
  // A copy that keeps its name is the user's word, too.
  for (const auto &[Var, Name] : LoadName)
    if (Name != Var->getNameAsString())
      W.Phases[Name] = PhaseKind::Advance;
  if (!Loop.Stage.empty())
    W.Phases[Loop.Stage] = PhaseKind::Advance;
  for (const auto &[Var, Name] : StageArray)
    W.Tiles.insert(Name);
  for (unsigned I : {0, 1})
    if (M.Barriers[I])
      W.Barriers.push_back(barrierText(I));
}

Draft draft(const TileModel &Model, const FetchStore &Cut, const Plan &P, ASTContext &Context,
            const LoopPlaces &Places, const SourceText &Source, const GivenNames &Given) {
  return Emitter(Model, Cut, P, Context, Places, Source, Given).run();
}

} // namespace cuda_pipeline
