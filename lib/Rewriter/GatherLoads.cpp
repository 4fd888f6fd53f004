//===- GatherLoads.cpp - Load phases that stand later in an iteration -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GatherLoads.h"
#include "../Analysis/BeforeLoop.h"
#include "../Model/AstUtil.h"
#include "../Model/Barriers.h"
#include "../Model/LoopFacts.h"
#include "../Model/ModelStep.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// A statement of the loop's body.
struct Part {
  const Stmt *S = nullptr;
  Effects Does;
  VarSet Mentions, Writes, Declares; ///< also through a pointer that may point to nothing else
  bool IsBarrier = false;
  bool Moves = false;
};

class Gatherer {
public:
  Gatherer(const TileModel &M, ASTContext &Context)
      : M(M), Context(Context), SM(Context.getSourceManager()), Collector(*M.Facts->Collector),
        File(mainFileText(Context)) {}

  GatheredLoads run() {
    GatheredLoads Out;
    if (!M.Barriers[0] || !M.Barriers[1] || M.Facts->Continue || !readBody())
      return Out;
    chooseFills();
    for (bool Changed = true; Changed;) {
      addDeclarations();
      Changed = dropWhatMustStay();
    }
    if (none_of(Body, [](const Part &P) { return P.Moves && P.Declares.empty(); }))
      return Out;
    if (!edit(Out))
      return GatheredLoads();
    for (const VarDecl *Tile : Tiles)
      if (!is_contained(Out.Tiles, Tile->getNameAsString()))
        Out.Tiles.push_back(Tile->getNameAsString());
    llvm::sort(Out.Tiles);
    return Out;
  }

private:
  const TileModel &M;
  ASTContext &Context;
  const SourceManager &SM;
  const EffectCollector &Collector;
  const StringRef File;
  std::vector<Part> Body;
  size_t First = 0; ///< the barrier behind the load phase
  VarSet Tiles;     ///< of what moves
  std::optional<Effects> Earlier;

  bool readBody() {
    for (const Stmt *S : M.Loop->Body->body()) {
      Part P;
      P.S = S;
      P.Does = Collector.collect(S);
      P.Mentions = mentionedVars(S);
      P.Writes = writtenVars(P.Does);
      for (const Access &A : P.Does.Accesses)
        for (const MemoryRoot &R : A.Roots)
          if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl)) {
            P.Mentions.insert(Var);
            if (A.Write)
              P.Writes.insert(Var);
          }
      struct Visitor : ConstDynamicRecursiveASTVisitor {
        VarSet &To;
        explicit Visitor(VarSet &To) : To(To) {}
        bool VisitVarDecl(const VarDecl *Var) override {
          To.insert(Var);
          return true;
        }
      } V(P.Declares);
      V.TraverseStmt(S);
      P.IsBarrier = barrierOf(S, Collector, Context) == FunctionKind::Barrier;
      if (S == M.Barriers[0])
        First = Body.size();
      Body.push_back(std::move(P));
    }
    return First > 0;
  }

  static bool isSharedArray(const MemoryRoot &R) {
    const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
    return R.In == Space::Shared && Var && Var->getType()->isConstantArrayType();
  }

  /// Variables of the body that are declared with what was loaded.
  VarSet loadedVars() const {
    VarSet Out;
    for (const Part &P : Body)
      if (isa<DeclStmt>(P.S) && readsLoadable(P.Does))
        Out.insert(P.Declares.begin(), P.Declares.end());
    return Out;
  }

  /// The tiles that the statement fills from global memory, and does nothing else; empty: it is
  /// something else.
  VarSet filled(const Part &P, const VarSet &Loaded) const {
    VarSet Out;
    bool Loads = meets(P.Mentions, Loaded);
    if (P.IsBarrier || isa<DeclStmt>(P.S) || !onlyPureOrLoads(P.Does))
      return Out;
    for (const Access &A : P.Does.Accesses)
      for (const MemoryRoot &R : A.Roots) {
        const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
        const bool Own = R.In == Space::Local && Var && P.Declares.count(Var);
        Loads |= A.Read && isLoadable(R);
        if (A.Volatile || (A.Read && (R.In == Space::Shared || R.In == Space::Unknown)) ||
            (A.Write && !Own && !isSharedArray(R)))
          return {};
        if (A.Write && !Own)
          Out.insert(Var);
      }
    return Loads ? Out : VarSet();
  }

  void chooseFills() {
    const VarSet Loaded = loadedVars();
    VarSet Used; // in front
    for (size_t I = 0; I < Body.size(); ++I) {
      Part &P = Body[I];
      const VarSet Fills = I > First ? filled(P, Loaded) : VarSet();
      if (!Fills.empty() &&
          none_of(Fills, [&](const VarDecl *T) { return Used.count(T) || isNamedOutside(T); })) {
        P.Moves = true;
        continue;
      }
      Used.insert(P.Mentions.begin(), P.Mentions.end());
    }
  }

  /// In the function, but for its declaration: what stands in front of the loop would need a
  /// barrier behind it.
  bool isNamedOutside(const VarDecl *Tile) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const VarDecl *Tile;
      const Stmt *Loop;
      bool Found = false;
      bool TraverseStmt(const Stmt *S) override {
        return S == Loop || ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
      }
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        return !(Found |= Ref->getDecl() == Tile);
      }
    } V;
    V.Tile = Tile;
    V.Loop = M.Loop->Loop;
    V.TraverseStmt(M.Loop->Function->getBody());
    return V.Found || Tile->getParentFunctionOrMethod() != M.Loop->Function;
  }

  /// `const int row = ...;` for such a statement alone, and the tile itself.
  void addDeclarations() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (size_t I = First + 1; I < Body.size(); ++I) {
        Part &P = Body[I];
        const auto *Declaration = dyn_cast<DeclStmt>(P.S);
        if (P.Moves || !Declaration || !all_of(Declaration->decls(), [](const Decl *D) {
              const auto *Var = dyn_cast<VarDecl>(D);
              return Var && (Var->hasLocalStorage() || Var->hasAttr<CUDASharedAttr>());
            }))
          continue;
        const bool Needed = any_of(drop_begin(Body, I + 1), [&](const Part &Later) {
          return Later.Moves &&
                 any_of(P.Declares, [&](const VarDecl *V) { return Later.Mentions.count(V) != 0; });
        });
        if (Needed && onlyPureOrLoads(P.Does) && onlyLocalOrLoads(P.Does))
          P.Moves = Changed = true;
      }
    }
  }

  /// May get at memory in ways that are not seen.
  static bool isOpaque(const Part &P) {
    return any_of(P.Does.Actions,
                  [](const Action &A) {
                    return A.Kind == Action::UnknownCall || A.Kind == Action::Allocation ||
                           (A.Kind == Action::Asm && A.Function != FunctionKind::Pure &&
                            A.Function != FunctionKind::Barrier &&
                            A.Function != FunctionKind::Warp &&
                            A.Function != FunctionKind::WarpBarrier);
                  }) ||
           any_of(P.Does.Accesses, [](const Access &A) {
             return A.Volatile || any_of(A.Roots, [](const MemoryRoot &R) {
                      return R.In == Space::Unknown || (R.In == Space::Shared && !R.Decl);
                    });
           });
  }

  /// A declaration that moves would give another meaning to a name there.
  bool hides(const Part &Moved, const Part &Passed) const {
    if (!isa<DeclStmt>(Moved.S))
      return false;
    const std::optional<TextRange> R = textRange(Passed.S->getSourceRange(), Context);
    if (!R)
      return true;
    const std::set<std::string> Written = M.Facts->Function->Names->in(*R);
    return any_of(Moved.Declares,
                  [&](const VarDecl *V) { return Written.count(V->getNameAsString()) != 0; });
  }

  /// By way of global memory.
  static bool writesWhatIsLoaded(const Part &Passed, const Part &Moved) {
    return any_of(Passed.Does.Accesses,
                  [](const Access &A) {
                    return A.Write && any_of(A.Roots, [](const MemoryRoot &R) {
                             return R.In == Space::Global;
                           });
                  }) &&
           any_of(Moved.Does.Accesses, [](const Access &A) {
             return A.Read && any_of(A.Roots, [](const MemoryRoot &R) {
                      return R.In == Space::Global && !(R.Decl && isReadOnlyParameter(R.Decl));
                    });
           });
  }

  /// What runs in front of the loop with no barrier between.
  const Effects &earlier() {
    if (!Earlier)
      Earlier = effectsBefore(*M.Loop, Collector, Context);
    return *Earlier;
  }

  static bool meets(const VarSet &A, const VarSet &B) {
    return any_of(A, [&](const VarDecl *V) { return B.count(V) != 0; });
  }

  bool dropWhatMustStay() {
    bool Changed = false;
    for (size_t I = First + 1; I < Body.size(); ++I) {
      Part &P = Body[I];
      if (!P.Moves)
        continue;
      // What it declares would be out of sight, or hide something.
      // And the barrier in front of which it goes must not be what other threads' writes before the
      // loop wait for.
      bool Stays =
          mayBeWrittenBefore(*M.Loop, P.Does, earlier(), Context) ||
          any_of(Body, [&](const Part &O) {
            return !O.Moves && &O != &P && isa<DeclStmt>(P.S) && meets(P.Declares, O.Mentions);
          });
      for (size_t J = First + 1; J < I && !Stays; ++J) {
        const Part &O = Body[J];
        if (O.Moves)
          continue;
        const auto *Declaration = dyn_cast<DeclStmt>(O.S);
        Stays = isOpaque(O) || hides(P, O) || writesWhatIsLoaded(O, P) ||
                meets(O.Writes, P.Mentions) || meets(O.Declares, P.Mentions) ||
                meets(P.Writes, O.Mentions) ||
                (Declaration && any_of(Declaration->decls(), [](const Decl *D) {
                   return !isa<VarDecl, StaticAssertDecl>(D);
                 }));
      }
      if (Stays) {
        P.Moves = false;
        Changed = true;
      }
    }
    // A declaration without what it was needed for.
    if (Changed)
      for (size_t I = First + 1; I < Body.size(); ++I)
        if (isa<DeclStmt>(Body[I].S))
          Body[I].Moves = false;
    Tiles.clear();
    for (const Part &P : Body)
      if (P.Moves)
        for (const VarDecl *V : P.Writes)
          if (V->hasAttr<CUDASharedAttr>())
            Tiles.insert(V);
    return Changed;
  }

  //===-- The text --------------------------------------------------------===//

  /// A line that ends in a backslash goes on in the next one.
  bool isJoinedAt(size_t Begin) const {
    return Begin > 0 && File.slice(File.rfind('\n', Begin - 1) + 1, Begin).rtrim().ends_with("\\");
  }
  size_t lineBegin(size_t At) const {
    size_t Begin = File.rfind('\n', At) + 1; // npos + 1 is 0
    while (isJoinedAt(Begin))
      Begin = File.rfind('\n', Begin - 1) + 1;
    return Begin;
  }
  size_t lineEnd(size_t At) const {
    size_t End = At;
    do {
      const size_t Break = File.find('\n', End);
      End = Break == StringRef::npos ? File.size() : Break + 1;
    } while (End < File.size() && isJoinedAt(End));
    return End;
  }

  /// The lines of statements \p From to \p To, and those of comments directly in front; none:
  /// something else stands there.
  std::optional<TextRange> lines(size_t From, size_t To) const {
    const std::optional<TextRange> A = statementRange(Body[From].S, Context),
                                   B = statementRange(Body[To].S, Context);
    if (!A || !B)
      return std::nullopt;
    size_t Begin = lineBegin(A->Begin), End = B->End == 0 ? 0 : lineEnd(B->End - 1);
    StringRef Behind = File.slice(B->End, End).trim();
    if (!File.slice(Begin, A->Begin).trim().empty() ||
        !(Behind.empty() || Behind.starts_with("//")))
      return std::nullopt;
    while (Begin > 0) {
      const size_t Above = lineBegin(Begin - 1);
      StringRef Line = File.slice(Above, Begin).trim();
      if (!Line.starts_with("//") && !Line.starts_with("#pragma"))
        break;
      Begin = Above;
    }
    if (File.slice(Begin, End).contains("\n#") && !File.slice(Begin, End).contains("#pragma"))
      return std::nullopt;
    return TextRange{unsigned(Begin), unsigned(End)};
  }

  bool edit(GatheredLoads &Out) const {
    const std::optional<TextRange> Barrier = statementRange(Body[First].S, Context);
    if (!Barrier || !lines(First, First))
      return false;
    // Comments above the barrier are its own.
    Out.To = unsigned(lineBegin(Barrier->Begin));
    const StringRef BarrierLine = File.slice(Out.To, Barrier->End);
    for (size_t I = First + 1; I < Body.size(); ++I) {
      if (!Body[I].Moves)
        continue;
      const size_t From = I;
      while (I + 1 < Body.size() && Body[I + 1].Moves)
        ++I;
      std::optional<TextRange> R = lines(From, I);
      if (!R || !File.slice(R->Begin, R->End).ends_with("\n"))
        return false;
      Out.Moved.push_back({R->Begin, R->End});
    }
    // Of two barriers with nothing between, one is enough.
    const Part *Last = nullptr;
    bool Ordered = M.BarrierFirst;
    for (size_t I = 0; I < Body.size(); ++I) {
      const Part &P = Body[I];
      if (P.Moves || isa<NullStmt>(P.S))
        continue;
      if (meets(Tiles, P.Mentions))
        Ordered = M.BarrierFirst;
      Ordered |= P.IsBarrier && I > First;
      if (P.IsBarrier && Last && Last->IsBarrier && I > First + 1) {
        std::optional<TextRange> R = lines(I, I);
        if (!R)
          return false;
        Out.Dropped.push_back({unsigned(lineBegin(statementRange(P.S, Context)->Begin)), R->End});
        continue;
      }
      Last = &P;
    }
    if (!Ordered) {
      const SourceLocation Close = M.Loop->Body->getRBracLoc();
      if (Close.isMacroID() || !isInMainFile(SM, Close))
        return false;
      const unsigned At = SM.getFileOffset(Close);
      Out.AddedAt = unsigned(lineBegin(At));
      if (!File.slice(Out.AddedAt, At).trim().empty())
        return false;
      Out.Added = (BarrierLine + "\n").str();
    }
    return true;
  }
};

} // namespace

GatheredLoads gatherLoads(const TileModel &M, ASTContext &Context) {
  if (!M.understood() || !M.Facts || !M.Facts->Collector || M.Loop->IsPattern || !M.Loop->Body)
    return GatheredLoads();
  return Gatherer(M, Context).run();
}

} // namespace cuda_pipeline
