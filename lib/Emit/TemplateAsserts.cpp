//===- TemplateAsserts.cpp - What a template is shown for ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `static_assert(BM == 64 || BM == 128, ..)`: what holds for the instantiations that were looked
/// at, and for others only if they are like them.
///
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

namespace {

/// For each parameter the conditions of which one holds.
using ArgumentBox = std::vector<std::vector<std::string>>;

/// The same combinations in fewer boxes: two that differ in one parameter alone are one.
std::vector<ArgumentBox> merged(std::vector<ArgumentBox> Boxes) {
  auto Merge = [](ArgumentBox &Into, const ArgumentBox &From) {
    std::optional<size_t> Where;
    for (size_t I = 0; I < Into.size(); ++I)
      if (Into[I].size() != From[I].size() ||
          !std::is_permutation(Into[I].begin(), Into[I].end(), From[I].begin())) {
        if (Where)
          return false;
        Where = I;
      }
    if (Where)
      for (const std::string &Condition : From[*Where])
        if (!is_contained(Into[*Where], Condition))
          Into[*Where].push_back(Condition);
    return true;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = 0; I < Boxes.size(); ++I) {
      auto Rest = std::remove_if(Boxes.begin() + I + 1, Boxes.end(),
                                 [&](const ArgumentBox &Box) { return Merge(Boxes[I], Box); });
      Changed |= Rest != Boxes.end();
      Boxes.erase(Rest, Boxes.end());
    }
  }
  return Boxes;
}

/// Empty: always true.
std::string conditionText(const ArgumentBox &Box) {
  std::vector<std::string> Conditions;
  for (const std::vector<std::string> &Any : Box)
    if (!(Any.size() == 2 && (Any[0] == "!" + Any[1] || Any[1] == "!" + Any[0])))
      Conditions.push_back(Any.size() > 1 ? "(" + join(Any, " || ") + ")" : Any.front());
  std::string Text = join(Conditions, " && ");
  if (Conditions.size() == 1 && StringRef(Text).starts_with("(")) // not of a trait
    return Text.substr(1, Text.size() - 2);
  return Text;
}

} // namespace

std::string Emitter::argumentsAssert() {
  if (!M.Loop->IsTemplate)
    return TextAsserts;
  std::set<std::string> Copied = copiedTypes();
  ArgumentsMatter Matter = P.Matter;
  // `typename Traits<T, N>::type` depends on all of them.
  Matter.Types |= TypesMatter;
  Matter.Values |= TypesMatter;
  std::string Text;
  if (Matter.Values || Matter.Types)
    Text = knownArgumentsAssert(Matter);
  if (Matter.Types && !Text.empty())
    return Text; // these have been looked at
  for (const std::string &Param : Matter.Numbers)
    Text += typeAssert(Param,
                       "!" + trait("is_class", Param) + " && !" + trait("is_union", Param) +
                           " && !" + trait("is_enum", Param),
                       &TypeArgument::IsNumber, "what is loaded is computed with");
  Copied.insert(Matter.Copied.begin(), Matter.Copied.end());
  for (const std::string &Param : Copied)
    if (!Matter.Numbers.count(Param))
      Text += typeAssert(Param, trait("is_trivially_copyable", Param),
                         &TypeArgument::IsPlainlyCopied, "what is loaded is copied as bytes");
  return Text + TextAsserts;
}

/// The types of what is copied that are made of the template's arguments, and are none of them.
std::set<std::string> Emitter::copiedTypes() {
  std::vector<const Expr *> Copied;
  for (const GlobalLoad &Load : Cut.Loads)
    Copied.push_back(Pattern.typedPart(Load.Cut));
  for (const TileCopy &C : M.Copies)
    Copied.push_back(C.Destination);
  std::vector<SourceRange> Asked; // under the parameter's name, which P.Matter has
  for (const Expr *E : Copied)
    if (Pattern.ownParameter(E->getType()))
      Asked.push_back(typedPlace(E));
  std::set<std::string> Types;
  for (const Expr *E : Copied) {
    const SourceRange Where = typedPlace(E);
    if (!Pattern.isDependent(Where) ||
        any_of(Asked, [&](SourceRange R) { return Pattern.haveSameType(R, Where); }))
      continue;
    Asked.push_back(Where);
    Types.insert(typeText(E, Where));
  }
  return Types;
}

/// The standard library's `std::NAME<ARGUMENTS>::value`, which every compiler that takes the file
/// has.
std::string Emitter::trait(StringRef Name, const std::string &Arguments) const {
  return ofStd((Name + "<" + Arguments + ">::value").str());
}

/// Once in front of the template, with the comments that stand there.
void Emitter::declareInFront(const std::string &Declaration) {
  if (Given.Declared.count(Declaration) || !Out.Names.Declared.insert(Declaration).second)
    return;
  const SourceManager &SM = Context.getSourceManager();
  const Decl *Outermost = M.Loop->Function->getTemplateInstantiationPattern();
  SourceLocation Begin = cast<FunctionDecl>(Outermost)->getOuterLocStart();
  const auto Earlier = [&](SourceLocation Loc) {
    if (Loc.isValid() && (Begin.isInvalid() || SM.isBeforeInTranslationUnit(Loc, Begin)))
      Begin = Loc;
  };
  if (const FunctionTemplateDecl *Of =
          cast<FunctionDecl>(Outermost)->getDescribedFunctionTemplate())
    Earlier(Of->getBeginLoc());
  while (const auto *Class = dyn_cast<CXXRecordDecl>(Outermost->getLexicalDeclContext())) {
    Earlier(Class->getBeginLoc());
    if (const ClassTemplateDecl *Of = Class->getDescribedClassTemplate())
      Earlier(Of->getBeginLoc());
    Outermost = Class;
  }
  if (Begin.isMacroID() || !isInMainFile(SM, Begin))
    return refuse(Reason::MacroText, M.Loop->Begin, {"where the template begins"});
  const auto LineOf = [this](size_t At) { return File.rfind('\n', At) + 1; };
  size_t At = LineOf(SM.getFileOffset(Begin));
  const StringRef In = File.slice(At, SM.getFileOffset(Begin));
  if (!In.trim().empty())
    return refuse(Reason::MacroText, M.Loop->Begin, {"where the template begins"});
  while (At && File.slice(LineOf(At - 1), At).trim().starts_with("//"))
    At = LineOf(At - 1);
  Edited.replace({unsigned(At), unsigned(At)}, (In + Declaration + "\n").str());
}

/// \p Type where it can be named.
std::string Emitter::isSame(const TypeArgument &Argument) {
  const bool Behind = !Argument.Declaration.empty();
  if (Behind)
    declareInFront(Argument.Declaration);
  if (!meansGlobal(Argument.Type) || (!Behind && !isDeclaredInFront(Argument.Type)))
    refuse(Reason::NotYet, M.Loop->Begin,
           {"the template argument '" + Argument.Type + "' where its name means something else"});
  return trait("is_same", Argument.Param + ", " + Argument.Type);
}

/// \p Function where it can be named.
std::string Emitter::isFunction(const FunctionArgument &Argument) {
  if (!meansGlobal(Argument.Function) || !isDeclaredInFront(Argument.Function))
    refuse(
        Reason::NotYet, M.Loop->Begin,
        {"the template argument '" + Argument.Function + "' where its name means something else"});
  return Argument.Param + " == " + Argument.Function;
}

/// That \p Param is as it has to be, or one of those that have been looked at without being so.
std::string Emitter::typeAssert(const std::string &Param, const std::string &Condition,
                                bool TypeArgument::*Holds, StringRef Why) {
  std::vector<std::string> Any;
  for (const TemplateArguments &A : P.Arguments)
    for (const TypeArgument &T : A.Types)
      if (T.Param == Param && !(T.*Holds))
        if (std::string Same = isSame(T); !is_contained(Any, Same))
          Any.push_back(Same);
  const bool Several = StringRef(Condition).contains("&&") && !Any.empty();
  Any.insert(Any.begin(), Several ? "(" + Condition + ")" : Condition);
  return "static_assert(" + join(Any, " || ") + ",\n" + Indent + Unit + Unit + "\"" + Why.str() +
         "\");\n" + Indent;
}

/// \p Text behind \p InFront, which begins further lines: broken behind `&&` where a line would
/// become too long.
static std::string inLines(StringRef Text, StringRef InFront) {
  constexpr unsigned Limit = 100;
  std::string Out;
  unsigned At = InFront.size();
  SmallVector<StringRef, 8> Parts;
  Text.split(Parts, " && ");
  for (const auto &[I, Part] : enumerate(Parts)) {
    // Behind it comes ` &&`, ` ||` or a comma.
    if (I && At + 4 + Part.size() + 3 > Limit) {
      Out += (" &&\n" + InFront).str();
      At = InFront.size();
    } else if (I) {
      Out += " && ";
      At += 4;
    }
    Out += Part;
    At += Part.size();
  }
  return Out;
}

/// Empty: they are not told apart by anything.
std::string Emitter::knownArgumentsAssert(const ArgumentsMatter &Matter) {
  std::vector<ArgumentBox> Boxes;
  for (const TemplateArguments &A : P.Arguments) {
    ArgumentBox Box;
    if (Matter.Types)
      for (const TypeArgument &T : A.Types)
        Box.push_back({isSame(T)});
    if (Matter.Values) {
      for (const std::string &Value : A.Values)
        Box.push_back({Value});
      for (const FunctionArgument &F : A.Functions)
        Box.push_back({isFunction(F)});
    }
    if (Box.empty())
      return ""; // no arguments to depend on
    Boxes.push_back(std::move(Box));
  }
  if (Boxes.empty()) {
    refuse(
        Reason::NotYet, M.Loop->Begin,
        {"a template with arguments other than numbers, types and functions of file scope that are "
         "declared in front of it"});
    return "";
  }
  std::vector<std::string> Each;
  for (const ArgumentBox &Box : merged(std::move(Boxes)))
    Each.push_back(conditionText(Box));
  if (is_contained(Each, "")) // every combination there is
    return "";
  const std::string Inside = Indent + std::string(strlen("static_assert("), ' ');
  for (std::string &Text : Each) {
    const bool Parens = Each.size() > 1 && StringRef(Text).contains("&&");
    Text = inLines(Text, Parens ? Inside + " " : Inside);
    if (Parens)
      Text = "(" + Text + ")";
  }
  std::string In = Indent + Unit + Unit;
  return "static_assert(" + join(Each, " ||\n" + Inside) + ",\n" + In +
         "\"the pipelined loop was checked for these arguments\");\n" + Indent;
}

} // namespace cuda_pipeline
