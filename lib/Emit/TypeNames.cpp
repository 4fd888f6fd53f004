//===- TypeNames.cpp - Types and names where they have to be said --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A register or a pointer is declared in front of the loop, with a type that the author says
/// somewhere else. It is said in the author's words where these mean the same, so that another
/// build gets what they mean there.
///
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

namespace {

/// The namespaces whose names can be said without them somewhere in the function, by `using
/// namespace`.
struct OpenNamespaces : ConstDynamicRecursiveASTVisitor {
  SetVector<const NamespaceDecl *> All;
  explicit OpenNamespaces(const FunctionDecl *Function) {
    TraverseStmt(Function->getBody());
    for (const DeclContext *Where = Function->getDeclContext(); Where; Where = Where->getParent())
      of(Where);
    for (size_t I = 0; I < All.size(); ++I)
      of(All[I]);
  }
  void of(const DeclContext *Where) {
    for (const UsingDirectiveDecl *D : Where->using_directives())
      VisitUsingDirectiveDecl(D);
  }
  bool VisitUsingDirectiveDecl(const UsingDirectiveDecl *D) override {
    All.insert(D->getNominatedNamespace());
    return true;
  }
};

} // namespace

/// The macros of the line of \p Where mean the same at the loop: none is defined on the way.
bool Emitter::isSameMacro(SourceLocation Where) const {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation At = SM.getExpansionLoc(Where);
  if (!isInMainFile(SM, At))
    return false;
  const unsigned From = SM.getFileOffset(At);
  return none_of(Source.Directives, [&](const SourceText::Directive &D) {
    if (D.Begin <= From || D.Begin >= LoopText.Begin)
      return false;
    // A branch defines nothing by itself: what stands in it is a directive of its own.
    const StringRef Name = D.Name;
    return Name == "define" || Name == "undef" || Name.starts_with("include") || Name == "import" ||
           (Name == "pragma" && File.slice(D.Begin, D.End).contains("_macro"));
  });
}

/// How the type \p Written, where that comes out of a macro, is said again: by the macro, if that
/// is all that it stands for. None: it comes out of none. Empty: it cannot be said.
std::optional<std::string> Emitter::macroFor(TypeLoc Written) const {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation First, Last;
  // `FLOAT4(x)` has a type in it, and is none.
  if (Written.isNull() || !Written.getBeginLoc().isMacroID() || !Written.getEndLoc().isMacroID() ||
      !Lexer::isAtStartOfMacroExpansion(Written.getBeginLoc(), SM, Context.getLangOpts(), &First) ||
      !Lexer::isAtEndOfMacroExpansion(Written.getEndLoc(), SM, Context.getLangOpts(), &Last))
    return std::nullopt;
  if (First.isMacroID() || Last.isMacroID() || SM.getFileID(First) != SM.getMainFileID() ||
      !isSameMacro(Written.getBeginLoc()))
    return "";
  return Lexer::getSourceText(CharSourceRange::getTokenRange(First, Last), SM,
                              Context.getLangOpts())
      .str();
}

/// Of what it points to, of its elements, without qualifiers.
static TypeLoc innermost(TypeLoc T) {
  while (!T.isNull() && T.getNextTypeLoc())
    T = T.getNextTypeLoc();
  return T;
}

TypeLoc Emitter::typeWritten(const ValueDecl *D) {
  const auto *Declarator = dyn_cast<DeclaratorDecl>(D);
  const TypeLoc T = innermost(Declarator && Declarator->getTypeSourceInfo()
                                  ? Declarator->getTypeSourceInfo()->getTypeLoc()
                                  : TypeLoc());
  const auto *Var = dyn_cast<VarDecl>(D);
  if (!T.isNull() && T.getAs<AutoTypeLoc>())
    return Var && Var->getInit() ? typeWritten(Var->getInit()) : TypeLoc();
  return T;
}

/// The argument of a call that says by itself what type the result has: `tex2D<float>(image, x,
/// y)`. Null: none does.
static const TypeSourceInfo *resultSaid(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  const FunctionTemplateDecl *Of = F ? F->getPrimaryTemplate() : nullptr;
  const auto *Result =
      Of ? Of->getTemplatedDecl()->getReturnType()->getAs<TemplateTypeParmType>() : nullptr;
  const auto *Name = dyn_cast<DeclRefExpr>(Call ? Call->getCallee()->IgnoreParenImpCasts() : E);
  return Result && Name && Result->getIndex() < Name->getNumTemplateArgs() &&
                 !Result->isParameterPack()
             ? Name->template_arguments()[Result->getIndex()].getTypeSourceInfo()
             : nullptr;
}

/// The same of what is reached by the expression \p E, through pointers, elements and members.
TypeLoc Emitter::typeWritten(const Expr *E) {
  while (true) {
    E = stripNoOps(E);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return typeWritten(Ref->getDecl());
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return typeWritten(Member->getMemberDecl());
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      return innermost(Cast->getTypeInfoAsWritten() ? Cast->getTypeInfoAsWritten()->getTypeLoc()
                                                    : TypeLoc());
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
      E = Element->getBase();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      E = Unary->getSubExpr();
    else if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
      E = Choice->getTrueExpr();
    else if (const auto *Binary = dyn_cast<BinaryOperator>(E))
      E = Binary->getLHS()->getType()->isPointerType() || Binary->isAssignmentOp()
              ? Binary->getLHS()
              : Binary->getRHS();
    else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E))
      E = Cast->getSubExpr();
    else if (const auto *Call = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *F = Call->getDirectCallee();
      if (F && Call->getNumArgs() > 0 &&
          classifyFunction(F, F->getASTContext()) == FunctionKind::LoadPointer) {
        E = Call->getArg(0); // `__ldg(p)`
        continue;
      }
      if (const TypeSourceInfo *Said = resultSaid(Call))
        return innermost(Said->getTypeLoc());
      const FunctionTypeLoc Function =
          F && F->getTypeSourceInfo()
              ? F->getTypeSourceInfo()->getTypeLoc().getAsAdjusted<FunctionTypeLoc>()
              : FunctionTypeLoc();
      const TypeLoc T = innermost(Function.isNull() ? TypeLoc() : Function.getReturnLoc());
      if (T.isNull() || !T.getAs<AutoTypeLoc>())
        return T;
      // `[&](int i) { return p[i]; }`
      const auto *Body = dyn_cast_or_null<CompoundStmt>(F->getBody());
      const auto *Return =
          Body && !Body->body_empty() ? dyn_cast<ReturnStmt>(Body->body_back()) : nullptr;
      if (!Return || !Return->getRetValue())
        return TypeLoc();
      E = Return->getRetValue();
    } else
      return TypeLoc();
  }
}

std::string Emitter::typeText(const VarDecl *Var) {
  const TypeLoc Written = typeWritten(Var);
  if (Var->getType()->getContainedDeducedType() && !Var->getType()->isReferenceType() &&
      Var->getInit() && !isSaid(Var->getType(), Var->getLocation(), Written))
    if (const std::optional<std::string> Sample = sampleText(Var->getInit()))
      return typeOf(*Sample);
  return typeText(Var->getType(), Var->getLocation(), Written);
}

/// The function has more than one instantiation.
bool Emitter::isInstantiatedOtherwise() const {
  const FunctionTemplateDecl *Of = M.Loop->Function->getPrimaryTemplate();
  return Of && any_of(Of->specializations(), [&](const FunctionDecl *Other) {
           return Other->getCanonicalDecl() != M.Loop->Function->getCanonicalDecl() &&
                  Other->isTemplateInstantiation() && Other->hasBody();
         });
}

/// The type of the expression \p Sample as a declaration says it.
std::string Emitter::typeOf(const std::string &Sample) const {
  return ofStd("decay<decltype(" + Sample + ")>::type");
}

std::string Emitter::ofStd(const std::string &Name) const {
  return (meansGlobal("std") ? "std::" : "::std::") + Name;
}

/// The type of \p E in the words of the pointer that is loaded through, or of the variable: who
/// builds the file with another meaning of these gets what they mean then.
std::string Emitter::typeText(const Expr *E, SourceRange Where) {
  QualType T = E->getType();
  if (Pattern.isDependent(Where)) { // the template says it, by its own words or a parameter's
    // One word for all instantiations, where they mean different types by it.
    if (!Pattern.ownParameter(T) && isInstantiatedOtherwise())
      if (const std::optional<std::string> Sample = sampleText(stripNoOps(E))) {
        TypesMatter = true; // what is shown of them is not shown of others
        return "typename " + typeOf(*Sample);
      }
    return typeText(T, Where, TypeLoc());
  }
  // A parameter that takes the value has words of its own, and so has what converts it to itself.
  const Expr *Place = stripNoOps(E);
  const auto *Call = dyn_cast<CallExpr>(Place);
  if (Call && !Call->isGLValue() && Call->getNumArgs() > 0 && Call->getDirectCallee() &&
      classifyFunction(Call->getDirectCallee(), Context) == FunctionKind::LoadPointer) {
    const QualType Of = Call->getArg(0)->IgnoreParenImpCasts()->getType();
    if (Of->isPointerType() || Of->isArrayType())
      T = Of->isPointerType() ? Of->getPointeeType() : Context.getAsArrayType(Of)->getElementType();
  }
  if (const TypeSourceInfo *Said = resultSaid(Place))
    T = Said->getType();
  if (Place->isGLValue())
    T = Place->getType();
  if (!Context.hasSameUnqualifiedType(T, E->getType()))
    T = E->getType();
  const TypeLoc Written = typeWritten(E);
  if (!isSaid(T, Where, Written) || isOfVaryingClass(Place)) {
    // Of `in ? p[i] : real(0)` one side may have the words.
    if (const ConditionalOperator *Choice = asConditional(Place))
      for (const Expr *Side : {Choice->getTrueExpr(), Choice->getFalseExpr()}) {
        const Expr *Of = stripNoOps(Side);
        if (Context.hasSameUnqualifiedType(Of->getType(), T) &&
            isSaid(Of->getType(), Where, typeWritten(Of)))
          return typeText(Of->getType(), Where, typeWritten(Of));
      }
    if (const std::optional<std::string> Sample = sampleText(Place))
      return typeOf(*Sample);
  }
  return typeText(T, Where, Written);
}

/// An alias that the user's files give in a namespace, or for all in a class: another build may
/// give another one.
static bool isUsersOwn(const TypedefNameDecl *Alias) {
  const SourceManager &SM = Alias->getASTContext().getSourceManager();
  if (SM.isInSystemHeader(SM.getExpansionLoc(Alias->getLocation())) || Alias->isInvalidDecl())
    return false;
  for (const Decl *D = Alias; !isa<TranslationUnitDecl>(D); D = cast<Decl>(D->getDeclContext())) {
    // What an argument of a template makes of it is not said by a name.
    if (isa<ClassTemplateSpecializationDecl>(D))
      return false;
    if (D->getAccess() == AS_private || D->getAccess() == AS_protected ||
        D->getDeclContext()->isFunctionOrMethod())
      return false;
    if (const auto *Space = dyn_cast<NamespaceDecl>(D); Space && Space->isAnonymousNamespace())
      return false;
  }
  return true;
}

/// It is a member of an object whose class is named by an alias of the user's, or by arguments of a
/// template: another build may give another class, with other members.
bool Emitter::isOfVaryingClass(const Expr *E) const {
  const auto *Member = dyn_cast<MemberExpr>(stripNoOps(E));
  if (!Member)
    return false;
  const QualType Of = Member->isArrow() ? Member->getBase()->getType()->getPointeeType()
                                        : Member->getBase()->getType();
  if (const auto *Alias = Of->getAs<TypedefType>())
    if (!Context.getSourceManager().isInSystemHeader(
            Context.getSourceManager().getExpansionLoc(Alias->getDecl()->getLocation())))
      return true;
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Of->getAsTagDecl());
  return (Class && any_of(Class->getTemplateArgs().asArray(),
                          [](const TemplateArgument &A) {
                            return A.getKind() != TemplateArgument::Integral;
                          })) ||
         isOfVaryingClass(Member->getBase());
}

/// The user's files say what the name of the type means.
bool Emitter::isUsersAlias(QualType T, TypeLoc Written) const {
  const auto *Alias = T->getAs<TypedefType>();
  return (Alias &&
          !Context.getSourceManager().isInSystemHeader(
              Context.getSourceManager().getExpansionLoc(Alias->getDecl()->getLocation()))) ||
         macroFor(Written);
}

/// What typeText makes of \p T are the author's own words for it. Else they are what an argument of
/// a template, or an alias that cannot be named, means in this build.
bool Emitter::isSaid(QualType T, SourceRange Where, TypeLoc Written) {
  if (Pattern.isDependent(Where) || T->isPointerType())
    return true;
  if (const auto *Alias = T->getAs<TypedefType>())
    if (const TypedefNameDecl *D = Alias->getDecl();
        D->getDeclContext() == M.Loop->Function ||
        D->getDeclContext()->getRedeclContext()->isTranslationUnit() || isUsersOwn(D) ||
        (T->getAsTagDecl() && T->getAsTagDecl()->getTypedefNameForAnonDecl() == D)) // its only name
      return true;
  if (Written.isNull() || !Context.hasSameUnqualifiedType(Written.getType(), T))
    return false;
  if (macroFor(Written) || Written.getAs<BuiltinTypeLoc>())
    return true;
  const auto *Tag = T->getAsTagDecl();
  if (const TypedefTypeLoc Alias = Written.getAs<TypedefTypeLoc>()) // of the system
    return Context.getSourceManager().isInSystemHeader(Alias.getDecl()->getLocation()) &&
           !Alias.getDecl()->getDeclContext()->isDependentContext() &&
           !isa<ClassTemplateSpecializationDecl>(Alias.getDecl()->getDeclContext());
  if (!Written.getAs<TagTypeLoc>() || !Tag)
    return false;
  for (const DeclContext *D = Tag; D; D = D->getParent())
    if (isa<ClassTemplateSpecializationDecl>(D))
      return false;
  return true;
}

/// What can stand behind `*` and in front of `[0]`.
static std::string asOperand(const std::string &Text) {
  return Text.front() == '*' || Text.front() == '&' ? "(" + Text + ")" : Text;
}

/// An expression with the type of \p E that can stand in front of the loop, and is not evaluated
/// there: without what the loop declares, and without indices. None: there is none.
std::optional<std::string> Emitter::sampleText(const Expr *E) {
  const auto Of = [&](const Expr *Part, StringRef Before,
                      StringRef Behind) -> std::optional<std::string> {
    std::optional<std::string> Text = sampleText(Part);
    if (Text)
      Text = (Before + asOperand(*Text) + Behind).str();
    return Text;
  };
  // The author's words, where they mean the same in front of the loop as where they stand.
  const auto Words = [&](SourceRange Where) -> std::optional<std::string> {
    const std::optional<TextRange> R = textRange(Where, Context);
    if (!R || declaredAnew(namesIn(*R), std::min(R->Begin, LoopText.Begin),
                           std::max(R->Begin, LoopText.Begin)))
      return std::nullopt;
    return File.slice(R->Begin, R->End).str();
  };
  const SourceManager &SM = Context.getSourceManager();
  E = E->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return sampleText(Full->getSubExpr());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return sampleText(Temporary->getSubExpr());
  if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E))
    return sampleText(Bound->getSubExpr());
  if (const auto *Copy = dyn_cast<CXXConstructExpr>(E); Copy && !isa<CXXTemporaryObjectExpr>(E))
    return Copy->getConstructor()->isCopyOrMoveConstructor() && Copy->getNumArgs() >= 1
               ? sampleText(Copy->getArg(0))
               : std::nullopt;
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
    const CastKind Kind = Cast->getCastKind();
    if (Kind == CK_ArrayToPointerDecay)
      return Of(Cast->getSubExpr(), "&", "[0]");
    return is_contained({CK_LValueToRValue, CK_NoOp, CK_FunctionToPointerDecay}, Kind)
               ? sampleText(Cast->getSubExpr())
               : std::nullopt;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || Var->hasAttr<CUDASharedAttr>() ||
        any_of(M.Views, [&](const TileView &V) { return V.Var == Var; }))
      return std::nullopt;
    if (Var->hasLocalStorage() || Var->isStaticLocal()) {
      if (SM.isBeforeInTranslationUnit(Var->getLocation(), M.Loop->Begin) &&
          declaredAround(*M.Loop, Var->getIdentifier()) == Var)
        return Var->getNameAsString();
      // Of the loop: what it is made of may be from in front of it.
      return Var->getInit() && (Var->getType()->getContainedDeducedType() ||
                                Var->getType()->isReferenceType())
                 ? sampleText(Var->getInit())
                 : std::nullopt;
    }
    for (const DeclContext *In = Var->getDeclContext(); !In->isTranslationUnit();
         In = In->getParent())
      if (const auto *Space = dyn_cast<NamespaceDecl>(In); !Space || Space->isAnonymousNamespace())
        return std::nullopt;
    return "::" + Var->getQualifiedNameAsString();
  }
  if (isa<CXXThisExpr>(E))
    return std::string("this");
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (!isa<FieldDecl>(Member->getMemberDecl()) || !Member->getMemberDecl()->getIdentifier())
      return std::nullopt;
    return Of(Member->getBase(), "",
              (Twine(Member->isArrow() ? "->" : ".") + Member->getMemberDecl()->getName()).str());
  }
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    return Element->getBase()->IgnoreImpCasts()->getType()->isArrayType()
               ? Of(Element->getBase()->IgnoreImpCasts(), "", "[0]")
               : Of(Element->getBase(), "", "[0]");
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && (Unary->getOpcode() == UO_Deref || Unary->getOpcode() == UO_AddrOf))
    return Of(Unary->getSubExpr(), Unary->getOpcode() == UO_Deref ? "*" : "&", "");
  if (const auto *Binary = dyn_cast<BinaryOperator>(E);
      Binary && Binary->isAdditiveOp() && Binary->getType()->isPointerType())
    return sampleText(Binary->getLHS()->getType()->isPointerType() ? Binary->getLHS()
                                                                   : Binary->getRHS());
  if (const ConditionalOperator *Choice = asConditional(E)) {
    for (const Expr *Side : {Choice->getTrueExpr(), Choice->getFalseExpr()})
      if (Context.hasSameUnqualifiedType(stripNoOps(Side)->getType(), E->getType()))
        if (std::optional<std::string> Text = sampleText(Side))
          return Text;
    return std::nullopt;
  }
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E);
      Cast && isa<CXXReinterpretCastExpr, CXXStaticCastExpr, CStyleCastExpr>(Cast)) {
    const TypeSourceInfo *To = Cast->getTypeInfoAsWritten();
    const std::optional<std::string> Type =
        To ? Words(To->getTypeLoc().getSourceRange()) : std::nullopt;
    return Type ? Of(Cast->getSubExpr(), "((" + *Type + ")", ")") : std::nullopt;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    // Called by a name, or as a method or an operator of what can be said.
    const FunctionDecl *F = Call->getDirectCallee();
    const auto [Object, Arguments] = operandsOf(Call);
    if (!F)
      return std::nullopt;
    std::string Text;
    if (Object) {
      const std::optional<std::string> Of = sampleText(Object);
      const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
      if (!Of ||
          (Operator && Operator->getOperator() != OO_Call &&
           Operator->getOperator() != OO_Subscript) ||
          isa<CXXConversionDecl>(F))
        return std::nullopt;
      const auto *Callee = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParenImpCasts());
      const bool Arrow = Callee && Callee->isArrow();
      Text = asOperand(*Of) + (Operator ? "" : Arrow ? "->" : ".");
      if (!Operator && (!F->getIdentifier() || (Callee && Callee->hasExplicitTemplateArgs())))
        return std::nullopt;
      Text += Operator ? "" : F->getNameAsString();
      if (Operator && Operator->getOperator() == OO_Subscript)
        return Text + "[0]";
    } else {
      const auto *Callee = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
      const std::optional<std::string> Name =
          Callee ? Words(Callee->getSourceRange()) : std::nullopt;
      if (!Name)
        return std::nullopt;
      Text = *Name;
    }
    Text += "(";
    for (const Expr *Argument : Arguments) {
      if (isa<CXXDefaultArgExpr>(Argument))
        break;
      const Expr *Given = Argument->IgnoreParenImpCasts();
      std::optional<std::string> Value = sampleText(Given);
      if (!Value && Given->getType()->isBuiltinType() &&
          (Given->isPRValue() || isa<DeclRefExpr>(Given))) // a sum, a counter of the loop
        Value = "(" +
                Given->getType().getCanonicalType().getUnqualifiedType().getAsString(
                    PrintingPolicy(Context.getLangOpts())) +
                ")0";
      if (!Value)
        return std::nullopt;
      Text += (Argument == Arguments.front() ? "" : ", ") + *Value;
    }
    return Text + ")";
  }
  return std::nullopt;
}

/// `typename P::Element`, where the type is named in the class that is the argument P. Empty: it is
/// named elsewhere.
std::string Emitter::memberOfParameter(QualType T) const {
  const auto *Typedef = T->getAs<TypedefType>();
  const auto *In =
      Typedef ? dyn_cast<CXXRecordDecl>(Typedef->getDecl()->getDeclContext()) : nullptr;
  if (!In || Typedef->getDecl()->getAccess() == AS_private ||
      Typedef->getDecl()->getAccess() == AS_protected)
    return "";
  for (const auto &[Params, Args] : templatesAround(M.Loop->Function))
    for (unsigned I = 0; I < Params->size() && I < Args.size(); ++I)
      if (const NamedDecl *Param = Params->getParam(I);
          Args[I].getKind() == TemplateArgument::Type && Param->getIdentifier() &&
          Args[I].getAsType()->getAsCXXRecordDecl() &&
          declaresSameEntity(Args[I].getAsType()->getAsCXXRecordDecl(), In))
        return "typename " + Param->getNameAsString() +
               "::" + Typedef->getDecl()->getNameAsString();
  return "";
}

/// The type of the expression or variable at \p Where as it can be written at the loop. \p Written:
/// where the author does.
std::string Emitter::typeText(QualType T, SourceRange Where, TypeLoc Written) {
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.SuppressUnwrittenScope = true; // anonymous and inline namespaces
  Policy.Bool = true;
  T = T.getUnqualifiedType();
  // A name that the function gives the type in front of the loop is as good there as in it.
  if (const auto *Local = T->getAs<TypedefType>();
      Local && Local->getDecl()->getDeclContext() == M.Loop->Function &&
      Context.getSourceManager().isBeforeInTranslationUnit(Local->getDecl()->getLocation(),
                                                           M.Loop->Begin) &&
      declaredAround(*M.Loop, Local->getDecl()->getIdentifier()) == Local->getDecl())
    return Local->getDecl()->getNameAsString();
  if (const std::optional<std::string> Macro = macroFor(Written);
      Macro && Context.hasSameUnqualifiedType(Written.getType(), T)) {
    if (Macro->empty())
      refuse(Reason::MacroText, Where.getBegin(), {"the type '" + T.getAsString(Policy) + "'"});
    return *Macro;
  }
  if (Pattern.isDependent(Where)) {
    // `T` or `const T *`, where T is a parameter of this very template.
    if (const NamedDecl *Param = Pattern.ownParameter(T))
      return Param->getNameAsString();
    if (const auto *Pointer = T->getAs<PointerType>()) {
      QualType Pointee = Pointer->getPointeeType();
      if (const NamedDecl *Param = Pattern.ownParameter(Pointee);
          Param && !Pointee.isVolatileQualified())
        return (Pointee.isConstQualified() ? "const " : "") + Param->getNameAsString() + " *";
    }
    // Spelled out for these arguments.
    TypesMatter = true;
    if (std::string OfParameter = memberOfParameter(T); !OfParameter.empty())
      return OfParameter;
  } else if (const auto *Pointer = T->getAs<PointerType>();
             Pointer && !Pointer->getPointeeType()->isFunctionType() &&
             !Pointer->getPointeeType()->isArrayType() &&
             !(Pointer->getPointeeType()->isPointerType() &&
               Pointer->getPointeeType().hasQualifiers())) {
    const Qualifiers Of = Pointer->getPointeeType().getQualifiers();
    const std::string Pointee = typeText(Pointer->getPointeeType(), Where, Written);
    return (Of.hasConst() ? "const " : "") + std::string(Of.hasVolatile() ? "volatile " : "") +
           Pointee + (StringRef(Pointee).ends_with("*") ? "*" : " *");
  }
  QualType Plain = T.getCanonicalType();
  while (Plain->isPointerType())
    Plain = Plain->getPointeeType();
  if (Plain->isReferenceType() || !canBeNamed(Plain, M.Loop->Begin, Context.getSourceManager())) {
    refuse(Reason::NotYet, Where.getBegin(), {"a value of type '" + T.getAsString(Policy) + "'"});
    return "int";
  }
  // A name of file scope reads as the user wrote it; any other is spelled out.
  if (const auto *Typedef = T->getAs<TypedefType>()) {
    if (Typedef->getDecl()->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
        meansGlobal(T.getAsString(Policy)))
      return T.getAsString(Policy);
    if (isUsersOwn(Typedef->getDecl()))
      return TypeName::getFullyQualifiedName(T, Context, Policy, /*WithGlobalNsPrefix=*/true);
  }
  T = T.getCanonicalType().getUnqualifiedType();
  std::string Text = T.getAsString(Policy);
  return meansGlobal(Text)
             ? Text
             : TypeName::getFullyQualifiedName(T, Context, Policy, /*WithGlobalNsPrefix=*/true);
}

/// At the loop, the names in \p Text mean what they mean at file scope: nothing between hides one
/// of them.
bool Emitter::meansGlobal(StringRef Text) const {
  bool Qualified = false; // behind `::`
  while (!Text.empty()) {
    if (!isAsciiIdentifierStart(Text.front())) {
      const bool Colons = Text.consume_front("::");
      Qualified = Colons || (Qualified && isWhitespace(Text.front()));
      if (!Colons)
        Text = Text.drop_front();
      continue;
    }
    StringRef Name = Text.take_while([](char C) { return isAsciiIdentifierContinue(C); });
    Text = Text.drop_front(Name.size());
    if (std::exchange(Qualified, false))
      continue;
    const IdentifierInfo *Id = &Context.Idents.get(Name);
    if (declaredAround(*M.Loop, Id))
      return false;
    // What the file keeps to itself is found where no namespace is named, and is meant then.
    const DeclContext *const Global = Context.getTranslationUnitDecl();
    auto Declares = [&](const DeclContext *Where) {
      const auto *Space = dyn_cast<NamespaceDecl>(Where);
      const bool OfFile =
          Space && Space->isAnonymousNamespace() && Space->getDeclContext()->Equals(Global);
      return !Where->lookup(DeclarationName(Id)).empty() &&
             (!OfFile || !Global->lookup(DeclarationName(Id)).empty());
    };
    for (const DeclContext *Where = M.Loop->Function->getDeclContext(); Where;
         Where = Where->getParent())
      if (Where->isNamespace() && Declares(Where))
        return false;
    if (any_of(M.Facts->Function
                   ->once<OpenNamespaces>([&] { return OpenNamespaces(M.Loop->Function); })
                   .All,
               Declares))
      return false;
  }
  return true;
}

namespace {

/// What the user's own code declares under a name, anywhere in the file or in headers that are not
/// the system's.
struct UsersNames {
  std::set<const IdentifierInfo *> Inside, Global; ///< in a class, namespace or function; in none
  explicit UsersNames(ASTContext &Context) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      UsersNames &To;
      const SourceManager &SM;
      Visitor(UsersNames &To, const SourceManager &SM) : To(To), SM(SM) {
        ShouldVisitTemplateInstantiations = false;
      }
      bool TraverseDecl(const Decl *D) override {
        if (D && !isa<TranslationUnitDecl>(D) && D->getLexicalDeclContext()->isTranslationUnit() &&
            SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
          return true;
        return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
      }
      bool VisitNamedDecl(const NamedDecl *D) override {
        if (const IdentifierInfo *Id = D->getIdentifier())
          (D->getDeclContext()->getRedeclContext()->isTranslationUnit() && !D->isTemplateParameter()
               ? To.Global
               : To.Inside)
              .insert(Id);
        return true;
      }
    } V(*this, Context.getSourceManager());
    V.TraverseAST(Context);
  }
};

} // namespace

std::string Emitter::ours(StringRef Name) {
  const IdentifierInfo *Id = &Context.Idents.get(Name);
  if (Id->hadMacroDefinition()) {
    refuse(Reason::NotYet, M.Loop->Begin,
           {"a macro with the name '" + Name.str() + "', which the rewritten loop needs,"});
    return Name.str();
  }
  if (!Source.Names.count(Name.str()))
    return Name.str();
  // Named in the file, and not (or for other architectures only) what the toolkit declares.
  const SourceManager &SM = Context.getSourceManager();
  const bool OfToolkit = any_of(Context.getTranslationUnitDecl()->lookup(DeclarationName(Id)),
                                [&](const NamedDecl *D) {
                                  return SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()));
                                });
  const UsersNames &Known =
      M.Facts->Function->once<UsersNames>([&] { return UsersNames(Context); });
  if (!OfToolkit || Known.Global.count(Id))
    refuse(Reason::NotYet, M.Loop->Begin,
           {"another '" + Name.str() + "' than CUDA's, which the rewritten loop needs,"});
  return (Known.Inside.count(Id) ? "::" : "") + Name.str();
}

/// \p Text, in which names of CUDA's variables stand.
std::string Emitter::oursIn(std::string Text) {
  for (StringRef Name : {"threadIdx", "blockDim"}) {
    const std::string As = StringRef(Text).contains(Name) ? ours(Name) : Name.str();
    for (size_t At = 0; As != Name && (At = Text.find(Name.str(), At)) != std::string::npos;
         At += As.size())
      Text.replace(At, Name.size(), As);
  }
  return Text;
}

namespace {

/// Finds names as they are found in front of a loop.
struct NamesInFront {
  const SourceManager &SM;
  SourceLocation Loop;

  /// A namespace is opened, and a class declared, as often as one likes: the last time may be
  /// behind the loop. A friend's declaration shows the name to nobody.
  bool isInFront(const NamedDecl *D) const {
    return any_of(D->redecls(), [&](const Decl *One) {
      const SourceLocation At = SM.getExpansionLoc(One->getLocation());
      return One->getFriendObjectKind() == Decl::FOK_None &&
             (At.isInvalid() || SM.isBeforeInTranslationUnit(At, Loop));
    });
  }

  /// What \p Name means in \p Where, and in the namespaces without a name there.
  std::vector<const NamedDecl *> find(const IdentifierInfo &Name, const DeclContext *Where) const {
    std::vector<const NamedDecl *> Found;
    copy_if(Where->lookup(DeclarationName(&Name)), std::back_inserter(Found),
            [&](const NamedDecl *D) { return isInFront(D); });
    for (const UsingDirectiveDecl *Directive : Where->using_directives())
      if (const NamespaceDecl *Space = Directive->getNominatedNamespace();
          Space->isAnonymousNamespace() && Space->getDeclContext()->Equals(Where))
        append_range(Found, find(Name, Space));
    return Found;
  }
};

/// What stands behind `::` and one of \p Names is looked for in there; null: not here, as in a
/// class that is made of a template.
const DeclContext *scopeOf(ArrayRef<const NamedDecl *> Names) {
  for (const NamedDecl *D : Names)
    if (const auto *Space = dyn_cast<NamespaceDecl>(D))
      return Space;
    else if (const auto *Tag = dyn_cast<TagDecl>(D))
      return Tag->getDefinition();
  return nullptr;
}

} // namespace

/// The names in \p Text are keywords, or declared in front of the loop: at file scope, or where the
/// name in front of `::` says. (An argument may be one that another translation unit gives to the
/// template of a header.)
bool Emitter::isDeclaredInFront(StringRef Text) const {
  const NamesInFront Names{Context.getSourceManager(), M.Loop->Begin};
  const DeclContext *const Global = Context.getTranslationUnitDecl();
  const DeclContext *In = Global; // of the next name; null: nobody asks
  while (!Text.empty()) {
    if (Text.consume_front("::"))
      continue;
    if (!isAsciiIdentifierStart(Text.front())) {
      In = Text.front() == '>' ? nullptr : Global;
      Text = Text.drop_front(isDigit(Text.front()) ? Text.take_while(isAlnum).size() : 1);
      continue;
    }
    StringRef Name = Text.take_while([](char C) { return isAsciiIdentifierContinue(C); });
    Text = Text.drop_front(Name.size());
    const IdentifierInfo &Id = Context.Idents.get(Name);
    if (Id.getTokenID() != tok::identifier)
      In = Global;
    else if (In) {
      const std::vector<const NamedDecl *> Found = Names.find(Id, In);
      if (Found.empty())
        return false;
      In = scopeOf(Found);
    }
  }
  return true;
}

} // namespace cuda_pipeline
