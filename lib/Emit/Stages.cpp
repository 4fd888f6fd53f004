//===- Stages.cpp - The stages of the tiles ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Every tile gets its stages: the declaration has one dimension more in front, and its name means
/// the stage that is filled, or computed on, wherever the user's statements say it.
///
//===----------------------------------------------------------------------===//

#include "../Model/Declarators.h"
#include "../Model/RawTokens.h"
#include "Emitter.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// The places of the identifier \p Name in \p Text, which are not members or in namespaces.
static std::vector<unsigned> placesOf(StringRef Name, const std::string &Text) {
  std::vector<unsigned> Places;
  tok::TokenKind Before = tok::unknown;
  forEachRawToken(Text, [&](const Token &T, unsigned At) {
    if (T.is(tok::raw_identifier) && T.getRawIdentifier() == Name &&
        !is_contained({tok::period, tok::arrow, tok::coloncolon}, Before))
      Places.push_back(At);
    Before = T.getKind();
  });
  return Places;
}

/// More than two stages are counted in several places: by one constant, where that can be declared
/// in front of the tiles.
void Emitter::nameStageCount() {
  if (P.Stages < 3 || P.Dynamic || P.isBeside())
    return;
  const SourceManager &SM = Context.getSourceManager();
  const DeclStmt *FirstOne = nullptr;
  for (const auto &B : M.Buffers) {
    if (!B->Decl->isStaticLocal() || !B->Statement || B->Decl->getLocation().isMacroID() ||
        !statementRange(B->Statement, Context))
      return;
    if (auto It = Given.Staged.find(B->Decl->getLocation()); It != Given.Staged.end()) {
      // Of another loop, which has declared one.
      if (It->second.Stages != P.Stages || It->second.Count.empty())
        return;
      Loop.StageCount = It->second.Count;
    } else if (!FirstOne ||
               SM.isBeforeInTranslationUnit(B->Statement->getBeginLoc(), FirstOne->getBeginLoc())) {
      FirstOne = B->Statement;
    }
  }
  if (!Loop.StageCount.empty())
    return;
  const auto R = FirstOne ? statementRange(FirstOne, Context) : std::nullopt;
  // On a line of its own, else the constant would stand behind something; and where no jump leads
  // past it.
  struct Jumps : ConstDynamicRecursiveASTVisitor {
    const DeclStmt *Over;
    bool Found = false, In = false;
    bool TraverseSwitchStmt(const SwitchStmt *S) override {
      const bool Outer = std::exchange(In, true);
      const bool Result = ConstDynamicRecursiveASTVisitor::TraverseSwitchStmt(S);
      In = Outer;
      return Result;
    }
    bool VisitDeclStmt(const DeclStmt *S) override {
      Found |= S == Over && In;
      return true;
    }
    bool VisitLabelStmt(const LabelStmt *) override {
      Found = true;
      return true;
    }
  } J;
  J.Over = FirstOne;
  J.TraverseStmt(M.Loop->Function->getBody());
  if (J.Found || !R || !File.slice(lineStart(File, R->Begin), R->Begin).trim().empty())
    return;
  StageCountAt = FirstOne;
  Loop.StageCount = fresh("STAGES");
}

/// Gives every tile its stages: renames the declaration and adds a dimension in front.
void Emitter::declareStages() {
  const SourceManager &SM = Context.getSourceManager();
  std::set<const DeclStmt *> Aligned;
  const auto Function = textRange(M.Loop->Function->getBody()->getSourceRange(), Context);
  const std::set<std::string> ForOthers =
      Function ? namesUnderConditions(Source, File, {Function->Begin, Function->End},
                                      {LoopText.Begin, LoopText.End})
               : Source.Names;
  bool CountDeclared = false;
  for (const auto &B : M.Buffers) {
    const VarDecl *Var = B->Decl;
    std::string Name = Var->getNameAsString();
    if (B->DeclaredInLoop && P.Stages < 2) { // several have a name of their own
      // It moves in front of the loop; the name must mean the same there, and what is called so
      // elsewhere must be called so.
      struct Visitor : ConstDynamicRecursiveASTVisitor {
        StringRef Name;
        const VarDecl *Var;
        bool Clash = false;
        void look(const NamedDecl *D) {
          Clash |= D != Var && D->getIdentifier() && D->getName() == Name;
        }
        bool VisitVarDecl(const VarDecl *V) override { return look(V), true; }
        bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
          if (!Ref->hasQualifier())
            look(Ref->getDecl());
          return true;
        }
        bool VisitMemberExpr(const MemberExpr *Member) override {
          if (Member->isImplicitAccess())
            look(Member->getMemberDecl());
          return true;
        }
      } V;
      V.ShouldVisitImplicitCode = true;
      V.Name = Name;
      V.Var = Var;
      V.TraverseDecl(M.Loop->Function);
      if (V.Clash)
        refuse(Reason::SharedDeclForm, Var->getLocation(),
               {Name, "another variable has this name in the function"});
      else if (ForOthers.count(Name))
        refuse(Reason::SharedDeclForm, Var->getLocation(),
               {Name, "another build may have something of this name in the function"});
    }
    if (P.Stages < 2)
      continue;
    staysVisible(Var);
    if (P.Dynamic) {
      nameDynamicStages(*B);
      continue;
    }
    if (P.isBeside()) {
      if (MoreStages.empty())
        nameStagesBeside();
      StageArray[Var] = fresh(Name + "_first");
      continue;
    }
    if (Var->getLocation().isMacroID() || !B->Statement || !statementRange(B->Statement, Context) ||
        !isInMainFile(SM, Var->getLocation())) {
      refuse(Reason::MacroText, Var->getLocation(), {"the declaration of '" + Name + "'"});
      continue;
    }
    const uint64_t Alignment = P.alignmentOf(*B);
    if (B->Bytes % Alignment != 0) {
      const bool Declared = uint64_t(Context.getDeclAlign(Var).getQuantity()) == Alignment;
      refuse(Reason::SharedDeclForm, Var->getLocation(),
             {Name, "its " + std::to_string(B->Bytes) + " bytes are no multiple of the " +
                        std::to_string(Alignment) + " bytes to which it is " +
                        (Declared ? "declared" : "accessed") + " aligned"});
      continue;
    }
    unsigned Stages = P.Stages;
    if (auto It = Given.Staged.find(Var->getLocation()); It != Given.Staged.end()) {
      StageArray[Var] = It->second.Name;
      Stages = It->second.Stages;
      if (Stages < P.Stages) {
        refuse(Reason::SharedDeclForm, Var->getLocation(),
               {Name, "another loop has given it " + std::to_string(Stages) + " stages"});
        continue;
      }
    } else {
      StageArray[Var] = fresh(Name + "_stages");
      Out.Names.Staged[Var->getLocation()] = {StageArray[Var], Stages, Loop.StageCount};
      if (B->Statement == StageCountAt && !CountDeclared) {
        CountDeclared = true;
        const auto R = statementRange(StageCountAt, Context);
        Edited.replace({R->Begin, R->Begin}, "constexpr int " + Loop.StageCount + " = " +
                                                 std::to_string(Stages) + ";\n" +
                                                 indentAt(R->Begin));
      }
    }
    sizesOfStage(*B->Statement);
    // `alignas(16) float s[N]` is aligned, but not what stands behind N floats.
    if (M.Loop->IsTemplate &&
        Alignment > uint64_t(Context.getTypeAlignInChars(Var->getType()).getQuantity()))
      StageAsserts += Indent + "static_assert(sizeof(" + StageArray[Var] + "[0]) % " +
                      std::to_string(Alignment) + " == 0, \"every stage keeps the alignment\");\n";
    // Outside of the loop the first stage stands for it.
    if ((B->usedOutside() || B->NamedByView || staysBeside() || ForOthers.count(Name)) &&
        !B->DeclaredInLoop) {
      const auto R = statementRange(B->Statement, Context);
      const unsigned End = withTrailingComment(*R).End;
      const std::string Text =
          "\n" + indentAt(R->Begin) + "auto &" + Name + " = " + StageArray[Var] + "[0];";
      bool ByMacro = false;
      for (size_t I = 0; I != B->OutsideUses.size(); ++I)
        ByMacro |= B->OutsideUses[I].isMacroID();
      if (!ByMacro)
        Out.Result.FirstStages.push_back({End, Name, Places.withLineBreaks(Text)});
      Edited.replace({End, End}, Text);
    }
    unsigned At = SM.getFileOffset(Var->getLocation());
    // Two loops that use one tile both say so, in the same words.
    const auto Known = Given.Staged.find(Var->getLocation());
    const bool ByName =
        Known != Given.Staged.end() ? !Known->second.Count.empty() : StageCountAt != nullptr;
    const std::string Count =
        Known != Given.Staged.end() && ByName ? Known->second.Count : Loop.StageCount;
    std::string Declared = ByName ? Count : std::to_string(Stages);
    if (MutatorOfTests)
      MutatorOfTests->declaredStages(Declared, Stages);
    Edited.replace({At, At + unsigned(Name.size())}, StageArray[Var] + "[" + Declared + "]");
    uint64_t Natural = Context.getDeclAlign(Var).getQuantity();
    if (Alignment > Natural && Aligned.insert(B->Statement).second) {
      uint64_t Strictest = Alignment;
      for (const auto &Other : M.Buffers)
        if (Other->Statement == B->Statement)
          Strictest = std::max(Strictest, P.alignmentOf(*Other));
      const unsigned Place = SM.getFileOffset(B->Statement->getBeginLoc());
      if (auto It = Given.Aligned.find(Place); It == Given.Aligned.end()) {
        Out.Names.Aligned[Place] = Strictest;
      } else if (It->second < Strictest) {
        refuse(Reason::SharedDeclForm, Var->getLocation(),
               {Name, "another loop needs it aligned to " + std::to_string(It->second) +
                          " bytes, and this one to " + std::to_string(Strictest)});
        continue;
      } else {
        Strictest = It->second;
      }
      if (const std::optional<TextRange> Said = alignmentSaid(*Var, *B->Statement)) {
        Edited.replace(*Said, std::to_string(Strictest));
        continue;
      }
      auto R = statementRange(B->Statement, Context);
      size_t Keyword = R ? File.slice(R->Begin, R->End).find("__shared__") : StringRef::npos;
      if (Keyword == StringRef::npos) {
        refuse(Reason::MacroText, Var->getLocation(), {"'__shared__' of '" + Name + "'"});
        continue;
      }
      unsigned After = R->Begin + Keyword + strlen("__shared__");
      Edited.replace({After, After}, " __align__(" + std::to_string(Strictest) + ")");
    }
  }
}

/// The number in `__align__(16)`, if that is all that the author says about it.
std::optional<TextRange> Emitter::alignmentSaid(const VarDecl &Var, const Stmt &Declaration) const {
  // Of a template's instantiation Clang has some twice.
  const auto *Said = Var.getAttr<AlignedAttr>();
  if (!Said || !Said->isAlignmentExpr() || !Said->getAlignmentExpr() ||
      any_of(Var.specific_attrs<AlignedAttr>(),
             [&](const AlignedAttr *Other) { return Other->getLocation() != Said->getLocation(); }))
    return std::nullopt;
  const auto *Number =
      dyn_cast<IntegerLiteral>(Said->getAlignmentExpr()->IgnoreUnlessSpelledInSource());
  // `__align__` is a macro, and the number what it is given.
  const SourceManager &SM = Context.getSourceManager();
  const auto Around = statementRange(&Declaration, Context);
  const SourceLocation At = Number ? SM.getSpellingLoc(Number->getLocation()) : SourceLocation();
  if (!Around || At.isInvalid() || !isInMainFile(SM, At))
    return std::nullopt;
  const unsigned Begin = SM.getFileOffset(At);
  const auto Digits = File.drop_front(Begin).take_while([](char C) { return isDigit(C); });
  const TextRange R = {Begin, unsigned(Begin + Digits.size())};
  return Around->contains(R) && !Digits.empty() ? std::optional<TextRange>(R) : std::nullopt;
}

/// `// 16 * 64 floats = 4 KB`, beside or above a declaration, is now said of one stage of it.
void Emitter::sizesOfStage(const Stmt &Declaration) {
  const auto R = statementRange(&Declaration, Context);
  if (!R)
    return;
  static const Regex Size("[0-9] ?([KMkm]i?B|[Bb]ytes?|B)([^A-Za-z0-9]|$)");
  const unsigned AboveBegin = commentsAbove(R->Begin).Begin,
                 BesideEnd = withTrailingComment(*R).End;
  for (const auto &[From, To] : Source.Comments) {
    const bool Beside = From >= R->End && To <= BesideEnd;
    const bool Above = From >= AboveBegin && To <= R->Begin;
    const StringRef Comment = File.slice(From, To).rtrim();
    if ((!Beside && !Above) || !Comment.starts_with("//") || !Size.match(Comment))
      continue;
    const unsigned End = From + unsigned(Comment.size());
    if (none_of(Edited.all(), [&](const auto &Other) {
          return Other.first.Begin == End && Other.first.End == End;
        }))
      Edited.replace({End, End}, Comment.ends_with(".") ? " (Each stage.)" : " (each stage)");
  }
}

/// All threads of the block take part; what was written before is seen by all of them. \p
/// Statement: with `@stage@` for the element of a stage.
std::string Emitter::carry(const TileBuffer &B, const std::string &At, std::string Statement) {
  const std::string Each = fresh("element"), &Stages = StageArray[B.Decl];
  auto Print = [&](function_ref<std::string(const std::string &)> Element,
                   const std::string &Count) {
    for (size_t Open; (Open = Statement.find('@')) != std::string::npos;) {
      const size_t Close = Statement.find('@', Open + 1);
      Statement.replace(Open, Close + 1 - Open,
                        Element(Statement.substr(Open + 1, Close - Open - 1)));
    }
    return At + "for (unsigned " + Each + " = " +
           oursIn("threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)") + ";\n" +
           At + "     " + Each + " < " + Count + "; " + Each +
           " += " + oursIn("blockDim.x * blockDim.y * blockDim.z") + ")\n" + At + Unit + Statement +
           "\n";
  };
  if (B.Origin == BufferOrigin::Dynamic) {
    // Words as wide as the kernel's own accesses show the memory to be aligned.
    const std::string Word = B.Alignment >= 8   ? "unsigned long long"
                             : B.Alignment >= 4 ? "unsigned"
                                                : "unsigned char";
    return Print(
        [&](const std::string &Which) {
          const bool Plain = all_of(Which, [](char C) { return isAlnum(C) || C == '_'; });
          const std::string Offset =
              Which == "0"   ? ""
              : Which == "1" ? " + " + StageBytes
                             : " + " + (Plain ? Which : "(" + Which + ")") + " * " + StageBytes;
          return "reinterpret_cast<" + Word + " *>(" + Stages + Offset + ")[" + Each + "]";
        },
        StageBytes + " / sizeof(" + Word + ")");
  }
  unsigned Rank = 0;
  for (QualType T = B.Decl->getType(); const auto *Array = Context.getAsConstantArrayType(T);
       T = Array->getElementType())
    ++Rank;
  std::string First, Size;
  for (unsigned I = 0; I < Rank; ++I)
    First += "[0]";
  // A structure of arrays would be one thread's work.
  constexpr int64_t Vector = 16;
  std::string Word;
  const QualType Base = Context.getBaseElementType(B.Decl->getType());
  if (Context.getTypeSizeInChars(Base).getQuantity() > Vector)
    Word = Context.getTypeAlignInChars(Base).getQuantity() % 4 == 0 ? "unsigned" : "unsigned char";
  Size = Word.empty() ? Stages + "[0]" + First : Word;
  auto Element = [&](const std::string &Which) {
    const std::string Of = Stages + "[" + Which + "]";
    if (!Word.empty())
      return "reinterpret_cast<" + Word + " *>(&" + Of + ")[" + Each + "]";
    return Rank == 1 ? Of + "[" + Each + "]" : "(&" + Of + First + ")[" + Each + "]";
  };
  return Print(Element, "sizeof(" + Stages + "[0]) / sizeof(" + Size + ")");
}

LoopParts Emitter::carryIn() {
  std::string Text;
  for (const auto &B : M.Buffers)
    if (any_of(P.Carried,
               [&](const CarriedTile &C) { return C.In && C.Tile == B->Decl->getLocation(); })) {
      std::string Others, To = "1";
      if (P.Stages > 2) {
        To = Loop.Stage;
        Others = "for (int " + To + " = 1; " + To + " < " + Loop.count() + "; ++" + To + ")\n" +
                 Indent + Unit + Unit;
      }
      Text += carry(*B, Indent, Others + "@" + To + "@ = @0@;");
    }
  if (Text.empty())
    return entryBarrier();
  const LoopPart Barrier = LoopPart::barrier(barrierText(M.BarrierFirst ? 1 : 0));
  return {LoopPart::comment("Every stage begins with what the tile holds."), Barrier,
          LoopPart::carry(std::move(Text)), Barrier, LoopPart::blank()};
}

LoopParts Emitter::carryBack() {
  const std::string Last = Loop.count(1), &Stage = Loop.Stage;
  const std::string Which =
      P.Stages == 2 ? Last : Stage + " == 0 ? " + Last + " : " + Stage + " - 1";
  std::string Text;
  for (const auto &B : M.Buffers)
    if (any_of(P.Carried,
               [&](const CarriedTile &C) { return C.Back && C.Tile == B->Decl->getLocation(); }))
      Text += carry(*B, Indent + Unit, "@0@ = @" + Which + "@;");
  if (Text.empty())
    return {};
  // In the first stage it is already where the last iteration had that one.
  const bool Several = StringRef(Text).count("for (") > 1;
  return {LoopPart::comment(
              "Epilogue: behind the loop the tile holds what the last iteration has left."),
          LoopPart::carry(Indent + "if (" + Stage + " != 1)" +
                          (Several ? " {\n" + Text + Indent + "}\n" : "\n" + Text)),
          LoopPart::barrier(barrierText(1))};
}

/// `auto &tile = tile_stages[stage];` stands at the top of the body, and of what is made of the
/// load phase.
void Emitter::staysVisible(const VarDecl *Var) {
  for (const Stmt *S : M.Loop->Body->body())
    if (const auto *Declaration = dyn_cast<DeclStmt>(S))
      for (const clang::Decl *D : Declaration->decls())
        if (const auto *Named = dyn_cast<NamedDecl>(D);
            Named && Named != Var && Named->getIdentifier() == Var->getIdentifier())
          refuse(Reason::SharedDeclForm, Named->getLocation(),
                 {Var->getNameAsString(), "another declaration in the loop has this name"});
}

/// A token that the preprocessor has made: pasted, or out of a number of its own.
static bool hasMadeTokens(const Stmt *S, const SourceManager &SM) {
  return S && (SM.isWrittenInScratchSpace(SM.getSpellingLoc(S->getBeginLoc())) ||
               any_of(S->children(), [&](const Stmt *Child) { return hasMadeTokens(Child, SM); }));
}

/// What steps from tile to tile also stands where no tile has its stage.
void Emitter::stepsNameNoTile() {
  auto HasStages = [&](const VarDecl *Var) {
    return StageArray.count(Var) ||
           any_of(M.Views, [&](const TileView &V) { return V.Var == Var; });
  };
  for (const Advance &A : M.Advances) {
    if (!A.LoadSide && A.Segment > 0)
      continue;
    for (const VarDecl *Var : mentionedVars(A.Statement))
      if (HasStages(Var))
        refuse(Reason::LoadForm, A.Statement->getBeginLoc(),
               {"a step that names '" + Var->getNameAsString() + "'"});
  }
}

/// What the declaration of \p V says means the same in the loop. False: its text cannot be had.
bool Emitter::canBeSaidInLoop(const TileView &V) {
  const SourceManager &SM = Context.getSourceManager();
  const std::string Name = V.Var->getNameAsString();
  const auto R = statementRange(V.Statement, Context);
  if (!R || V.Var->getLocation().isMacroID() || !isInMainFile(SM, V.Var->getLocation())) {
    refuse(Reason::MacroText, V.Var->getLocation(), {"the declaration of '" + Name + "'"});
    return false;
  }
  if (const NamedDecl *D = declaredAnew(namesIn(*R), R->End, BodyOpen))
    refuse(Reason::SharedDeclForm, D->getLocation(),
           {Name, isa<UsingDirectiveDecl>(D)
                      ? "'using namespace' stands behind it"
                      : "another '" + D->getNameAsString() + "' is declared behind it"});
  if (!meantByPlace(V.Statement, Context).empty() || hasMadeTokens(V.Statement, SM))
    refuse(Reason::SharedDeclForm, V.Var->getLocation(),
           {Name, "it says where it stands (__LINE__, __COUNTER__, __func__)"});
  // It may stand under a condition, or macros may mean something else behind it.
  for (const SourceText::Directive &D : Source.Directives)
    if (D.Begin > R->Begin && D.Begin < LoopText.Begin && D.Name != "pragma") {
      refuse(Reason::NotYet, V.Var->getLocation(),
             {"a preprocessor directive between '" + Name +
              "', which points into a tile, and the loop"});
      break;
    }
  return true;
}

/// They are declared where the tiles get their stages, and in the same words. Those that are used
/// in the loop alone are declared nowhere else, unless the loop stays beside and needs them.
void Emitter::moveViews() {
  std::set<const DeclStmt *> Seen;
  for (const TileView &V : M.Spelled)
    if (Seen.insert(V.Statement).second)
      canBeSaidInLoop(V);
  for (const TileView &V : M.Views) {
    staysVisible(V.Var);
    if (Seen.insert(V.Statement).second && canBeSaidInLoop(V) && !V.Stays && !staysBeside())
      remove(V.Statement, Edited, true);
  }
}

/// \p Text says what pointers are set to, \p Inits, of which some name parts: these are in the loop
/// what they are in front of it. (None counts in other steps than what it is set to, `Base *p =
/// derived;`: what is made of that has no place on the access maps.)
std::string Emitter::withoutParts(std::string Text, ArrayRef<const Expr *> Inits) {
  for (const TileView &Part : M.Spelled) {
    if (none_of(Inits, [&](const Expr *E) { return mentions(E, Part.Var); }))
      continue;
    const StringRef Name = Part.Var->getName();
    const Expr *Init = Part.Var->getInit(), *Said = Init->IgnoreParenImpCasts();
    std::string Instead = withoutParts(textOf(Init, Context), Init);
    const std::vector<unsigned> Places = placesOf(Name, Text);
    if (Places.empty() || Instead.empty()) {
      refuse(Reason::MacroText, Part.Var->getLocation(),
             {"a pointer that is made of '" + Name.str() + "'"});
      return Text;
    }
    if (!isa<DeclRefExpr>(Said))
      Instead = "(" + Instead + ")";
    for (const unsigned At : reverse(Places))
      Text.replace(At, Name.size(), Instead);
  }
  return Text;
}

/// `unsigned char bytes[16];` that is written as one uint4: while all of it was in registers its
/// place did not matter. A lambda knows it by reference.
void Emitter::alignStaging() {
  MapVector<const VarDecl *, uint64_t> Wanted;
  for (const Access &A : M.Facts->Segment[0].Accesses)
    for (const MemoryRoot &R : A.Roots)
      if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
          Var && R.In == Space::Local && Var->hasLocalStorage() && !isa<ParmVarDecl>(Var) &&
          !Var->getType()->isReferenceType() && !M.Facts->DeclaredInBody.count(Var) &&
          A.Alignment > uint64_t(Context.getDeclAlign(Var).getQuantity()))
        Wanted[Var] = std::max(Wanted[Var], A.Alignment);
  if (Wanted.empty())
    return;
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    DeclMap<VarDecl, const DeclStmt *> Of;
    bool VisitDeclStmt(const DeclStmt *S) override {
      for (const clang::Decl *D : S->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          Of[Var] = S;
      return true;
    }
  } V;
  V.TraverseStmt(M.Loop->Function->getBody());
  MapVector<const DeclStmt *, uint64_t> Strictest;
  for (const auto &[Var, Alignment] : Wanted)
    if (const DeclStmt *S = V.Of[Var])
      Strictest[S] = std::max(Strictest[S], Alignment);
  for (const auto &[S, Alignment] : Strictest) {
    const auto R = statementRange(S, Context);
    if (!R) {
      refuse(Reason::MacroText, S->getBeginLoc(), {"a declaration that is to be aligned"});
      continue;
    }
    Edited.replace({R->Begin, R->Begin}, "__align__(" + std::to_string(Alignment) + ") ");
  }
}

/// How the stages of every tile are spelt, in the order of the model.
void Emitter::nameTiles() {
  std::string Behind;
  for (const auto &B : M.Buffers) {
    StagedTile T;
    T.Name = B->Decl->getNameAsString();
    if (const auto It = StageArray.find(B->Decl); It != StageArray.end()) // else there is one
      T.Stages = It->second;
    if (asksForMemory()) {
      T.In = P.Dynamic ? TilePlace::Dynamic : TilePlace::Beside;
      T.Type = TileType;
      T.Bytes = StageBytes;
      T.More = MoreStages;
      T.BehindTiles = Behind;
      if (P.isBeside())
        Behind += " + " + sizeText(*B, T.Stages);
    }
    Loop.Tiles.push_back(std::move(T));
  }
}

/// The declarations of the views that are \p Needed, and of those that these are made of: lines, in
/// source order. What they name is needed then, too.
std::vector<std::string> Emitter::declareViews(function_ref<bool(const VarDecl *)> Named,
                                               DeclSet<VarDecl> &Needed) {
  // Each comes behind what it is made of.
  MapVector<const DeclStmt *, SmallVector<const VarDecl *, 2>> Of;
  for (const TileView &V : reverse(M.Views))
    if (Needed.count(V.Var) || Named(V.Var)) {
      Needed.merge(mentionedVars(V.Var->getInit()));
      Of[V.Statement].push_back(V.Var);
    }
  std::vector<std::string> Lines; // the last one first
  for (const auto &[S, Vars] : Of) {
    if (size_t(std::distance(S->decl_begin(), S->decl_end())) == Vars.size()) {
      SmallVector<const Expr *, 2> Inits;
      for (const VarDecl *Var : Vars)
        Inits.push_back(Var->getInit());
      if (const auto R = statementRange(S, Context))
        Lines.push_back(
            withoutParts(File.slice(R->Begin, withTrailingComment(*R).End).str(), Inits));
      continue;
    }
    for (const VarDecl *Var : Vars)
      if (const std::optional<std::string> Alone = declarationAlone(Var, S, Context))
        Lines.push_back(withoutParts(*Alone, Var->getInit()));
      else
        refuse(Reason::SharedDeclForm, Var->getLocation(),
               {Var->getNameAsString(), "it is declared together with others"});
  }
  for (const TileView &Part : reverse(M.Spelled)) // what these are made of is said instead
    if (Needed.count(Part.Var))
      Needed.merge(mentionedVars(Part.Var->getInit()));
  std::reverse(Lines.begin(), Lines.end());
  return Lines;
}

/// `auto &As = As_stages[Which];` for the tiles that are \p Named and those that views need, and
/// these behind them.
LoopParts Emitter::bind(function_ref<bool(const VarDecl *)> Named, Slot Of) {
  if (P.Stages < 2)
    return {};
  DeclSet<VarDecl> Needed;
  const std::vector<std::string> Declared = declareViews(Named, Needed);
  LoopParts Parts;
  for (size_t I = 0; I < M.Buffers.size(); ++I) {
    const VarDecl *Tile = M.Buffers[I]->Decl;
    if (!Needed.count(Tile) && !Named(Tile))
      continue;
    LoopPart Bind;
    Bind.What = LoopPart::Kind::Bind;
    Bind.Tile = I;
    Bind.Of = Of;
    Parts.push_back(std::move(Bind));
  }
  const std::string At = Indent + Unit;
  for (const std::string &Line : Declared)
    Parts.push_back(LoopPart::text(At + Line + "\n"));
  return Parts;
}

/// In what the text of a template says and this instantiation leaves out.
bool Emitter::isNamedElsewhere(const VarDecl *Var) const {
  return any_of(
      M.Facts->Function->once<HiddenMentions>([&] { return HiddenMentions(M.Loop->Function); }).All,
      [&](const HiddenMention &H) { return H.Var == Var; });
}

LoopParts Emitter::bindInLoad() {
  // Beside it the fetch has tiles of its own.
  const DeclSet<VarDecl> InStore = mixes() ? varsInHalf(Half::Store) : DeclSet<VarDecl>();
  auto Named = [&](const VarDecl *Var) {
    return isNamedElsewhere(Var) ||
           (mixes() ? InStore.count(Var) != 0
                    : any_of(M.Segments[0], [&](const Stmt *S) { return mentions(S, Var); }));
  };
  return bind(Named, Slot::current());
}

/// No element of a tile is asked for in the fetch, unless it starts copies, but its size: `i <
/// sizeof(As) / sizeof(As[0])`.
LoopParts Emitter::bindInFetch() {
  const DeclSet<VarDecl> Named = namedInFetch();
  return bind([&](const VarDecl *Var) { return Named.count(Var) != 0; },
              mixes() ? Slot::current() : Slot::number(0));
}

LoopParts Emitter::bindInCompute() {
  auto Named = [&](const VarDecl *Var) {
    for (unsigned I = 1; I < 3; ++I)
      for (const Stmt *S : M.Segments[I])
        if (mentions(S, Var))
          return true;
    return isNamedElsewhere(Var) ||
           any_of(M.SharedScalars, [&](const Stmt *S) { return mentions(S, Var); });
  };
  return bind(Named, Slot::current());
}

/// \p E in front of the loop, where a tile goes by the name of its stages.
std::string Emitter::withFirstStages(const Expr *E) {
  std::string With = operandText(E);
  if (staysBeside())
    return With; // the first stage is where the tile was
  for (const auto &[Tile, Stages] : StageArray) {
    const std::vector<unsigned> Places = placesOf(Tile->getName(), With);
    if (Places.empty() && mentions(E, Tile))
      refuse(Reason::MacroText, E->getExprLoc(),
             {"'" + Tile->getNameAsString() + "' in this expression"});
    for (unsigned Place : reverse(Places))
      With.replace(Place, Tile->getName().size(), Stages + "[0]");
  }
  return With;
}

} // namespace cuda_pipeline
