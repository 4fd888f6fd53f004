//===- RewordStores.cpp - Stores that are no assignments ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `memcpy(&tile[i], &in[j], 16)` in the load phase copies bytes. An assignment of elements copies
/// the same ones where
///
///   both ends are elements of one type (or of integers of one size), so many that they are all of
///   the bytes, and an assignment of it copies all of its bytes: no class with room between its
///   members, or with an assignment of its own, no bool;
///   the two ends are in different spaces, so that they do not overlap;
///   what says where they are has no effect, and does not read what is stored: of several elements
///   it is asked again for each;
///   no pointer in the kernel is made of one to a type of a smaller alignment: memcpy takes any
///   address, and an element has to be at one of its own.
///
/// `memset(&tile[i], 0, 16)` stores zeros, if the elements are numbers, or aggregates of numbers.
///
/// `asm("st.shared.v4.f32 [%0], {..};" :: "r"(a + i * 16), ..)` stores what an assignment of a type
/// of these bits stores, if the address is made of a pointer in plain sight (ElementWords.h). It
/// has to be at a multiple of its size for both.
///
//===----------------------------------------------------------------------===//

#include "../Model/KnownFunctions.h"
#include "../Model/ModelStep.h"
#include "../Model/PtxText.h"
#include "ElementWords.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// All bytes of a value belong to one of its members.
bool isDense(QualType T, const ASTContext &Context) {
  if (const auto *Array = Context.getAsConstantArrayType(T))
    return isDense(Array->getElementType(), Context);
  const auto *Record = T->getAsCXXRecordDecl();
  if (!Record)
    return T->isArithmeticType() && !T->isSpecificBuiltinType(BuiltinType::LongDouble);
  Record = Record->getDefinition();
  if (!Record || Record->isUnion() || Record->isDependentContext() || Record->getNumBases() ||
      Record->isPolymorphic() || Record->field_empty())
    return false;
  uint64_t Bits = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isBitField() || Field->getType()->isReferenceType() ||
        Field->getType().isVolatileQualified() || !isDense(Field->getType(), Context))
      return false;
    Bits += Context.getTypeSize(Field->getType());
  }
  return Bits == Context.getTypeSize(Context.getCanonicalTagType(Record));
}

class StoreRewording : ElementWords {
public:
  StoreRewording(const TileModel &M, ASTContext &Context, const std::set<std::string> &Taken)
      : ElementWords(M, Context), Taken(Taken) {}

  Rewording run() {
    Rewording Out;
    bool Copied = false, Cleared = false;
    std::vector<const Stmt *> Stored;
    for (const Stmt *S : M.Segments[0])
      forEachLeaf(S, [&](const Stmt *Leaf) {
        if (const auto *Asm = dyn_cast<GCCAsmStmt>(Leaf)) {
          if (ofAssembly(Asm, Out))
            Stored.push_back(Asm);
          return;
        }
        const CallExpr *Call = discardedCall(Leaf);
        const std::string Text = Call ? ofMemoryCopy(Call, Leaf) : "",
                          Clear = Call ? ofMemoryClear(Call, Leaf) : "";
        if (!Text.empty())
          Copied |= replace(Leaf, Text, Out);
        if (!Clear.empty())
          Cleared |= replace(Leaf, Clear, Out);
      });
    if (Copied)
      Out.Said.push_back("elements that are copied as bytes (memcpy) are assigned");
    if (Cleared)
      Out.Said.push_back("elements whose bytes are cleared (memset) are assigned");
    if (!Stored.empty()) {
      takeOutUnused(Stored, Out);
      Out.Said.push_back("what is stored by inline assembly (st.shared) is assigned");
    }
    Out.PinsArguments = !Out.empty() && M.Loop->IsTemplate;
    return Out;
  }

private:
  const std::set<std::string> &Taken;

  /// The call that \p Leaf is, of whose value nothing is made; null: it is something else.
  static const CallExpr *discardedCall(const Stmt *Leaf) {
    const auto *E = dyn_cast<Expr>(Leaf);
    if (const auto *Full = dyn_cast_or_null<FullExpr>(E))
      E = Full->getSubExpr();
    return E ? dyn_cast<CallExpr>(E->IgnoreParens()) : nullptr;
  }

  //===-- st.shared -------------------------------------------------------------===//

  /// A type of the bits that one element of the store has, in which the operand's are those of its
  /// value; null: another one.
  QualType storedType(const PtxStore &S) const {
    const QualType V = S.Values.front()->getType().getCanonicalType().getUnqualifiedType();
    if (any_of(S.Values,
               [&](const Expr *E) { return !Context.hasSameUnqualifiedType(E->getType(), V); }))
      return QualType();
    const uint64_t Bits = isInteger(V) || V->isRealFloatingType() ? Context.getTypeSize(V) : 0;
    if (V->isSpecificBuiltinType(BuiltinType::Float) ||
        V->isSpecificBuiltinType(BuiltinType::Double))
      return Bits == S.Bits && (S.Kind == 'f' || S.Kind == 'b') ? V : QualType();
    if (!isInteger(V) || S.Kind == 'f' || Bits < S.Bits)
      return QualType();
    // The lower bits of a wider one.
    return Bits == S.Bits         ? V
           : S.Values.size() != 1 ? QualType()
           : S.Bits == 8          ? Context.UnsignedCharTy
           : S.Bits == 16         ? Context.UnsignedShortTy
                                  : QualType();
  }

  /// `float4`; empty: there is none.
  static std::string vectorName(QualType T, size_t Count) {
    const auto *Type = T->getAs<BuiltinType>();
    std::string Name;
    switch (Type ? Type->getKind() : BuiltinType::Void) {
    case BuiltinType::Float:
      Name = "float";
      break;
    case BuiltinType::Double:
      Name = "double";
      break;
    case BuiltinType::Int:
      Name = "int";
      break;
    case BuiltinType::UInt:
      Name = "uint";
      break;
    case BuiltinType::LongLong:
      Name = "longlong";
      break;
    case BuiltinType::ULongLong:
      Name = "ulonglong";
      break;
    default:
      return "";
    }
    return Name + std::to_string(Count);
  }

  /// `v` of `v.x, v.y, v.z, v.w`, if it is a \p Vector; null: they are something else.
  const Expr *wholeOf(ArrayRef<const Expr *> Values, StringRef Vector) const {
    const Expr *Whole = nullptr;
    for (size_t I = 0; I < Values.size(); ++I) {
      const auto *Member = dyn_cast<MemberExpr>(Values[I]->IgnoreParenImpCasts());
      const Expr *Base =
          Member && !Member->isArrow() ? Member->getBase()->IgnoreParenImpCasts() : nullptr;
      const auto *Record = Base ? Base->getType()->getAsCXXRecordDecl() : nullptr;
      if (!Record || !Record->getIdentifier() || Record->getName() != Vector ||
          !Context.getSourceManager().isInSystemHeader(Record->getLocation()) ||
          Member->getMemberDecl()->getName() != StringRef("xyzw").substr(I, 1) ||
          Base->getType().isVolatileQualified() || (Whole && !sameExpression(Whole, Base, Context)))
        return nullptr;
      Whole = Base;
    }
    return Whole;
  }

  /// Evaluated once, and with no effect; with \p Apart, nothing that is stored is read.
  bool isQuiet(const Expr *E, bool Apart) const {
    const Effects Of = M.Facts->Collector->collect(E);
    return onlyPureOrLoads(Of) && none_of(Of.Accesses, [&](const Access &A) {
             return A.Write || A.Volatile ||
                    (Apart && (A.mayTouch(Space::Shared) || A.mayTouch(Space::Unknown)));
           });
  }

  /// The statement is one of a block, and not an arm.
  bool standsInBlock(const Stmt *S) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const Stmt *S;
      bool Found = false;
      explicit Visitor(const Stmt *S) : S(S) {}
      bool VisitCompoundStmt(const CompoundStmt *Block) override {
        Found |= is_contained(Block->body(), S);
        return !Found;
      }
    } V(S);
    V.TraverseStmt(M.Loop->Body);
    return V.Found;
  }

  bool ofAssembly(const GCCAsmStmt *Asm, Rewording &Out) {
    const std::vector<PtxStore> Stores = readPtx(Asm, Context).PlainStores;
    const std::optional<TextRange> At = replacedRange(Asm, Context);
    if (Stores.empty() || !At || Asm->getAsmLoc().isMacroID())
      return false;
    std::vector<std::string> Lines;
    bool Guarded = false;
    for (const PtxStore &S : Stores) {
      const std::string Line = ofStore(S, Asm, Stores.size() > 1);
      if (Line.empty())
        return false;
      Lines.push_back(Line);
      Guarded |= S.If != nullptr;
    }
    StringRef File = mainFileText(Context);
    const std::string Indent = indentOf(File, At->Begin);
    const bool Alone = !standsInBlock(Asm) || statementRange(Asm, Context)->Begin != At->Begin;
    const bool Braces = (Lines.size() > 1 || Guarded) && Alone;
    std::string Text = Braces ? "{ " : "";
    for (size_t I = 0; I < Lines.size(); ++I)
      Text += (I == 0 ? "" : Braces ? " " : "\n" + Indent) + Lines[I] + ";";
    Out.Edits.push_back({At->Begin, At->End - At->Begin, Text + (Braces ? " }" : "")});
    return true;
  }

  std::string ofStore(const PtxStore &S, const GCCAsmStmt *Asm, bool Several) {
    const QualType V = storedType(S);
    const size_t Count = S.Values.size();
    if (V.isNull() || S.Address->getType()->isPointerType() != S.IsPointer ||
        !isQuiet(S.Address, Several) ||
        any_of(S.Values, [&](const Expr *E) { return !isQuiet(E, Several); }))
      return "";
    const unsigned Bytes = unsigned(S.Bits / 8 * Count);
    const std::optional<SharedPlace> To = sharedPlace(S.Address, Asm, Bytes, S.Offset);
    if (!To)
      return "";
    const QualType T = pointee(To->Pointer);
    std::string As, Value;
    if (Count == 1) {
      const bool Own =
          !T.isNull() &&
          (Context.hasSameType(T, V) ||
           (isInteger(T) && isInteger(V) && Context.getTypeSize(T) == Context.getTypeSize(V)));
      As = Own ? "" : V.getAsString(Context.getPrintingPolicy());
      Value = text(S.Values.front());
    } else {
      const std::string Vector = vectorName(V, Count);
      const auto *Record = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
      if (Vector.empty() || Bytes > 16)
        return "";
      const bool Own = Record && Record->getIdentifier() && Record->getName() == Vector &&
                       Context.getSourceManager().isInSystemHeader(Record->getLocation());
      As = Own ? "" : Vector;
      if (const Expr *Whole = wholeOf(S.Values, Vector)) {
        Value = text(Whole);
      } else {
        for (const Expr *E : S.Values) {
          const std::string Part = text(E);
          if (Part.empty())
            return "";
          Value += (Value.empty() ? "make_" + Vector + "(" : ", ") + Part;
        }
        Value += ")";
      }
    }
    const std::string L = elementAt(*To, As, Bytes);
    if (L.empty() || Value.empty())
      return "";
    if (!S.If)
      return L + " = " + Value;
    const QualType C = S.If->getType();
    const std::string If = text(S.If);
    if (If.empty() || !isInteger(C) || Context.getTypeSize(C) != 32 || !isQuiet(S.If, Several))
      return "";
    return "if (" + (S.Unless ? "!(" + If + ")" : If) + ") " + L + " = " + Value;
  }

  //===-- memcpy ----------------------------------------------------------------===//

  /// Where bytes are copied to or from.
  struct Elements {
    const Expr *Pointer = nullptr; ///< to the first of them
    const Expr *Array = nullptr;   ///< or the array whose first element it is
    QualType Type;
  };

  std::optional<Elements> elementsAt(const Expr *E) const {
    Elements Out;
    Out.Pointer = pointer(E);
    const auto *Address = dyn_cast<UnaryOperator>(Out.Pointer);
    const Expr *Object = Address && Address->getOpcode() == UO_AddrOf
                             ? Address->getSubExpr()->IgnoreParens()
                             : nullptr;
    if (Object && Object->getType()->isArrayType())
      Out.Array = Object;
    else if (Out.Pointer->getType()->isArrayType())
      Out.Array = Out.Pointer;
    else if (!Out.Pointer->getType()->isPointerType())
      return std::nullopt;
    Out.Type = Out.Array ? Context.getAsArrayType(Out.Array->getType())->getElementType()
                         : Out.Pointer->getType()->getPointeeType();
    if (Out.Type->isIncompleteType() || Out.Type->isDependentType() || Out.Type->isArrayType() ||
        Out.Type.isVolatileQualified() || (Object && Object->refersToBitField()))
      return std::nullopt;
    Out.Type = Out.Type.getUnqualifiedType();
    return Out;
  }

  static bool isInteger(QualType T) {
    return T->isIntegerType() && !T->isBooleanType() && !T->isEnumeralType();
  }

  /// An assignment to the one of a value of the other copies all bytes.
  bool assignsBytes(QualType To, QualType From) const {
    if (Context.getTypeSize(To) != Context.getTypeSize(From))
      return false;
    if (!Context.hasSameType(To, From))
      return isInteger(To) && isInteger(From);
    return !To->isBooleanType() && isPlainlyAssigned(To, Context) && isDense(To, Context);
  }

  std::string ofMemoryCopy(const CallExpr *Call, const Stmt *Leaf) {
    SmallVector<const Expr *, 3> Args(Call->arg_begin(), Call->arg_end());
    if (classifyCall(Call->getDirectCallee(), Args, Context) != FunctionKind::MemoryCopy)
      return "";
    const std::optional<Elements> To = elementsAt(Args[0]), From = elementsAt(Args[1]);
    const int64_t Count = To ? countOf(*To, Args[2]) : 0;
    if (!Count || !From || !assignsBytes(To->Type, From->Type) || !areApart(Args[0], Args[1]) ||
        !saysTheSame({Args[0], Args[1]}, Count) || !isAligned(To->Type, Call))
      return "";
    const std::string I = counterFor(Call);
    const std::string L = numbered(*To, Count, I), R = numbered(*From, Count, I);
    return L.empty() || R.empty() ? "" : repeated(L + " = " + R, I, Count, Leaf);
  }

  /// `memset(&tile[i], 0, 16)` of numbers and aggregates of these, which are zero where their bits
  /// are.
  std::string ofMemoryClear(const CallExpr *Call, const Stmt *Leaf) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getIdentifier() || Call->getNumArgs() != 3 ||
        !is_contained({"memset", "__builtin_memset"}, Callee->getName()) ||
        !isLibraryFunction(Callee, Context) || constantValue(Call->getArg(1), Context) != 0)
      return "";
    const std::optional<Elements> To = elementsAt(Call->getArg(0));
    const int64_t Count = To ? countOf(*To, Call->getArg(2)) : 0;
    if (!Count || !isDense(To->Type, Context) || !isZeroByBits(To->Type) ||
        !saysTheSame({Call->getArg(0)}, Count) || !isAligned(To->Type, Call))
      return "";
    const std::string I = counterFor(Call), L = numbered(*To, Count, I);
    const char *Zero = To->Type->isArithmeticType() ? " = 0" : " = {}";
    return L.empty() ? "" : repeated(L + Zero, I, Count, Leaf);
  }

  /// What `{}` makes of it has no bit set.
  bool isZeroByBits(QualType T) const {
    const auto *Class = T->getAsCXXRecordDecl();
    return T->isArithmeticType() ||
           (Class && Class->isAggregate() && isPlainlyAssigned(T, Context) &&
            !anyField(T, [](const FieldDecl *Field) {
              return Field->hasInClassInitializer() ||
                     Field->getType()->getBaseElementTypeUnsafe()->isPointerType();
            }));
  }

  /// How many elements \p Bytes are; 0: that is not known, or no number of elements.
  int64_t countOf(const Elements &Of, const Expr *Bytes) const {
    if (otherMeaningsOf(M, Context).hasNumber(Bytes))
      return 0;
    const std::optional<int64_t> All = constantValue(Bytes, Context);
    const int64_t Size = Context.getTypeSizeInChars(Of.Type).getQuantity();
    return All && *All > 0 && *All % Size == 0 ? *All / Size : 0;
  }

  /// A name that \p Call has not.
  std::string counterFor(const CallExpr *Call) const {
    std::set<StringRef> Mentioned;
    for (const VarDecl *Var : mentionedVars(Call))
      Mentioned.insert(Var->getName());
    std::string I = "i";
    while (Mentioned.count(I) || (I != "i" && Taken.count(I)))
      I += I == "i" ? "_copy" : "_";
    return I;
  }

  /// \p Assignment for each \p I.
  std::string repeated(const std::string &Assignment, const std::string &I, int64_t Count,
                       const Stmt *Leaf) const {
    if (Count == 1)
      return Assignment;
    std::optional<TextRange> At = textRange(Leaf->getSourceRange(), Context);
    StringRef File = mainFileText(Context);
    const std::string Indent = At ? indentOf(File, At->Begin) : "";
    return "for (int " + I + " = 0; " + I + " < " + std::to_string(Count) + "; ++" + I + ")\n" +
           Indent + (StringRef(Indent).starts_with("\t") ? "\t" : "  ") + Assignment;
  }

  /// The two are in different spaces.
  bool areApart(const Expr *To, const Expr *From) const {
    RootSet Stored = M.Facts->Collector->pointees(To), Read = M.Facts->Collector->pointees(From);
    if (Stored.empty() || Read.empty())
      return false;
    const Space In = Stored.begin()->In;
    return (In == Space::Shared || In == Space::Local) &&
           all_of(Stored, [&](const MemoryRoot &R) { return R.In == In; }) &&
           none_of(Read, [&](const MemoryRoot &R) { return R.In == In || R.In == Space::Unknown; });
  }

  /// It has no effect where the bytes are, and asked again after one of the stores it is the same.
  bool saysTheSame(ArrayRef<const Expr *> ToAndFrom, int64_t Count) const {
    Effects E;
    for (const Expr *Place : ToAndFrom)
      E.append(M.Facts->Collector->collect(Place));
    const RootSet Stored = M.Facts->Collector->pointees(ToAndFrom.front());
    return onlyPureOrLoads(E) && none_of(E.Accesses, [&](const Access &A) {
             return A.Write || A.Volatile ||
                    (Count > 1 && any_of(A.Roots, [&](const MemoryRoot &R) {
                       return R.In == Space::Unknown || !R.Decl || Stored.count(R);
                     }));
           });
  }

  /// Where a pointer to the type points to is a place for a value of it: none in the function is
  /// made of one to less, or of a number.
  bool isAligned(QualType T, const CallExpr *Call) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const ASTContext &Context;
      const CharUnits Need;
      bool Found = false;
      Visitor(const ASTContext &Context, CharUnits Need) : Context(Context), Need(Need) {}
      CharUnits of(QualType T) const {
        return T->isIncompleteType() || T->isFunctionType() || T->isDependentType()
                   ? CharUnits::One()
                   : Context.getTypeAlignInChars(T);
      }
      /// A place in an array that is declared with such an alignment.
      bool isInArray(const Expr *E) const {
        E = E->IgnoreParenImpCasts();
        if (const auto *Address = dyn_cast<UnaryOperator>(E);
            Address && Address->getOpcode() == UO_AddrOf)
          if (const auto *At = dyn_cast<ArraySubscriptExpr>(Address->getSubExpr()->IgnoreParens()))
            return isSteps(At->getIdx(), At->getType()) && isInArray(At->getBase());
        if (const auto *Sum = dyn_cast<BinaryOperator>(E);
            Sum && Sum->getOpcode() == BO_Add && Sum->getType()->isPointerType())
          return isSteps(Sum->getRHS(), Sum->getType()->getPointeeType()) &&
                 isInArray(Sum->getLHS());
        const VarDecl *Var = referencedVar(E);
        return Var && Var->getType()->isArrayType() && Context.getDeclAlign(Var) >= Need;
      }
      bool isSteps(const Expr *Index, QualType Of) const {
        const std::optional<int64_t> N = constantValue(Index, Context);
        return N && !Of->isIncompleteType() &&
               *N * Context.getTypeSizeInChars(Of).getQuantity() % Need.getQuantity() == 0;
      }
      bool VisitCastExpr(const CastExpr *Cast) override {
        const QualType To = Cast->getType();
        const Expr *From = Cast->getSubExpr();
        if (Cast->getCastKind() == CK_LValueBitCast) {
          Found |= of(To) >= Need && CharUnits::fromQuantity(alignmentOf(From, Context)) < Need;
          return !Found;
        }
        if (!To->isPointerType() || of(To->getPointeeType()) < Need ||
            is_contained({CK_LValueToRValue, CK_NoOp, CK_NullToPointer, CK_ArrayToPointerDecay},
                         Cast->getCastKind()))
          return true;
        From = withoutPointerCasts(From);
        const QualType Of = From->getType()->isPointerType() ? From->getType()->getPointeeType()
                            : From->getType()->isArrayType()
                                ? Context.getAsArrayType(From->getType())->getElementType()
                                : QualType();
        Found |= Of.isNull() || (of(Of) < Need && !isInArray(From));
        return !Found;
      }
      bool VisitUnaryOperator(const UnaryOperator *Op) override {
        if (Op->getOpcode() == UO_AddrOf && Op->getSubExpr()->isLValue() &&
            !Op->getSubExpr()->getType()->isFunctionType())
          Found |= of(Op->getSubExpr()->getType()) >= Need &&
                   CharUnits::fromQuantity(alignmentOf(Op->getSubExpr(), Context)) < Need;
        return !Found;
      }
    } V(Context, Context.getTypeAlignInChars(T));
    if (V.Need.isOne())
      return true;
    // What a function of the user's gives back is not looked into.
    struct Calls : ConstDynamicRecursiveASTVisitor {
      bool Found = false;
      bool VisitCallExpr(const CallExpr *C) override {
        const QualType T = C->getCallReturnType(C->getCalleeDecl()->getASTContext());
        Found |= T->isPointerType() || T->isReferenceType();
        return !Found;
      }
    } C;
    C.TraverseStmt(Call->getArg(0));
    C.TraverseStmt(Call->getArg(1));
    V.TraverseStmt(M.Loop->Function->getBody());
    return !V.Found && !C.Found;
  }

  /// One of \p Count elements, of the number \p I.
  std::string numbered(const Elements &E, int64_t Count, const std::string &I) const {
    if (E.Array) {
      const auto *Array = Context.getAsConstantArrayType(E.Array->getType());
      const std::string Whole = text(E.Array);
      if (Whole.empty() || (Array && Array->getSize().ult(uint64_t(Count))))
        return "";
      return (isPostfix(E.Array) ? Whole : "(" + Whole + ")") + "[" + (Count == 1 ? "0" : I) + "]";
    }
    if (Count == 1)
      return element(E.Pointer, "", false);
    const Expr *Base = nullptr, *Index = nullptr;
    const auto *Address = dyn_cast<UnaryOperator>(E.Pointer);
    if (Address && Address->getOpcode() == UO_AddrOf) {
      const auto *At = dyn_cast<ArraySubscriptExpr>(Address->getSubExpr()->IgnoreParens());
      if (!At) // a variable is no array
        return "";
      Base = At->getBase();
      Index = At->getIdx();
    } else if (const auto *Sum = dyn_cast<BinaryOperator>(E.Pointer);
               Sum && Sum->getOpcode() == BO_Add) {
      Base = Sum->getLHS();
      Index = Sum->getRHS();
    }
    if (Base) {
      Base = Base->IgnoreParenImpCasts();
      Index = Index->IgnoreImpCasts();
      const std::string Of = text(Base), At = text(Index);
      if (Of.empty() || At.empty())
        return "";
      if (isPostfix(Base) && mayGoOn(Base, Index, Count)) {
        const auto *Op = dyn_cast<BinaryOperator>(Index);
        const bool Tight = !isa<AbstractConditionalOperator>(Index) &&
                           (!Op || Op->isMultiplicativeOp() || Op->getOpcode() == BO_Add ||
                            Op->getOpcode() == BO_Sub);
        return Of + "[" +
               (constantValue(Index, Context) == 0 ? "" : (Tight ? At : "(" + At + ")") + " + ") +
               I + "]";
      }
    }
    const std::string Whole = text(E.Pointer);
    return Whole.empty() ? "" : (isPostfix(E.Pointer) ? Whole : "(" + Whole + ")") + "[" + I + "]";
  }

  /// `Base[Index + Count - 1]` is what `(Base + Index)[Count - 1]` is: no row ends, and no number
  /// wraps around.
  bool mayGoOn(const Expr *Base, const Expr *Index, int64_t Count) const {
    if (!Index->getType()->isIntegerType())
      return false;
    const std::optional<ValueRange> Range = M.Facts->Values->range(Index);
    const int64_t Most = std::numeric_limits<int32_t>::max();
    const bool Fits = Context.getTypeSize(Index->getType()) == 64 ||
                      (Range && Range->Lo >= -Most / 2 && Range->Hi <= Most - Count);
    if (!Base->getType()->isArrayType())
      return Fits && Base->getType()->isPointerType();
    // An array alone has no row behind it, and none of its elements has a number that is so large.
    if (referencedVar(Base))
      return true;
    const auto *Array = Context.getAsConstantArrayType(Base->getType());
    return Fits && Array && Range && Range->Lo >= 0 && Range->Hi < Most - Count &&
           Array->getSize().uge(uint64_t(Range->Hi + Count));
  }
};

} // namespace

Rewording rewordStores(const TileModel &M, ASTContext &Context,
                       const std::set<std::string> &Taken) {
  // Without both barriers there is no load phase; and who knows what the callers of a device
  // function give it.
  if (!M.Loop->Body || M.Loop->IsPattern || !M.Loop->IsKernel || !M.Facts || !M.Facts->Collector ||
      !hasLoadPhase(M))
    return Rewording();
  return StoreRewording(M, Context, Taken).run();
}

} // namespace cuda_pipeline
