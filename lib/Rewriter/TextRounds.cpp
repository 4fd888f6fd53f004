//===- TextRounds.cpp - Loops that need another text first ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextRounds.h"
#include "../Support/Lines.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Text of which some lines are not the file's own.
class WrittenOut {
  struct OfFile {
    unsigned Number; ///< of the line in the file
    bool Own;        ///< else it is of a call there that is written out
    int Shift;       ///< of its columns, if it has moved
  };

public:
  std::string Text;
  std::vector<PlacedCall> Placed;

  explicit WrittenOut(std::string Original) : Text(std::move(Original)) {
    for (unsigned Line = 1, N = lineEnds(Text) + 1; Line <= N; ++Line)
      Lines.push_back({Line, true, 0});
  }

  /// Of the text as it is in the file.
  StringRef lines(LineRange R) const {
    StringRef Left = Text;
    for (unsigned Line = 1; Line < R.First && !Left.empty(); ++Line)
      Left = Left.split('\n').second;
    size_t End = 0;
    for (unsigned Line = R.First; Line <= R.Last && End != StringRef::npos; ++Line)
      End = Left.find('\n', End ? End + 1 : 0);
    return Left.take_front(End);
  }

  void writeOut(ArrayRef<InlinedCall> Calls) {
    const std::vector<OfFile> Before = Lines;
    // From behind, so that the places in front stay.
    for (const InlinedCall &C : reverse(Calls)) {
      const unsigned First = lineEnds(StringRef(Text).take_front(C.Offset));
      const unsigned Old = lineEnds(StringRef(Text).substr(C.Offset, C.Length));
      const unsigned New = lineEnds(C.Text);
      const OfFile At = {Lines[First].Number, false, 0};
      Lines.erase(Lines.begin() + First, Lines.begin() + First + Old + (C.isRemoval() ? 0 : 1));
      if (!C.isRemoval())
        Lines.insert(Lines.begin() + First, New + 1, At);
      const unsigned InFront = C.Declared + 1 + lineEnds(StringRef(C.Text).take_front(C.Lead));
      for (unsigned I = InFront; C.FileLine && I < New; ++I) {
        Lines[First + I] = Before[C.FileLine + I - InFront - 1];
        Lines[First + I].Shift += I == InFront ? C.FirstShift : C.ColumnShift;
      }
      Text.replace(C.Offset, C.Length, C.Text);
      const unsigned NewLength = unsigned(C.Text.size());
      for (PlacedCall &P : Placed) {
        if (P.Offset > C.Offset) {
          P.Offset += NewLength - C.Length;
        } else if (C.Offset < P.Offset + P.Length) {
          P.Length += NewLength - C.Length;
          P.HasInner = true;
        }
      }
      Placed.push_back({C, C.Offset + C.Lead, NewLength - C.Lead});
    }
  }

  /// Lines that are left keep their numbers; new ones have that of the first one that they replace.
  void reword(const Rewording &R) {
    std::vector<Edit> Edits = R.Edits;
    llvm::sort(Edits, [](const Edit &A, const Edit &B) { return A.Offset > B.Offset; });
    for (const Edit &E : Edits) {
      const unsigned First = lineEnds(StringRef(Text).take_front(E.Offset));
      const unsigned Old = lineEnds(StringRef(Text).substr(E.Offset, E.Length));
      const unsigned New = lineEnds(E.Text);
      // A whole line goes with its number.
      const unsigned From = E.Offset == 0 || Text[E.Offset - 1] == '\n' || Text[E.Offset - 1] == '\r' ? First : First + 1;
      if (Old > New)
        Lines.erase(Lines.begin() + From, Lines.begin() + From + (Old - New));
      else
        Lines.insert(Lines.begin() + First + 1, New - Old, {Lines[First].Number, false, 0});
      Text.replace(E.Offset, E.Length, E.Text);
      for (PlacedCall &P : Placed)
        if (P.Offset > E.Offset)
          P.Offset += unsigned(E.Text.size()) - E.Length;
        else if (E.Offset < P.Offset + P.Length) {
          P.Length += unsigned(E.Text.size()) - E.Length;
          P.HasInner = true; // that it meant the same was seen before
        }
    }
    if (R.PinsArguments && !Edits.empty()) {
      InlinedCall Pin;
      Pin.PinsArguments = true;
      Placed.push_back({Pin, Edits.front().Offset, 0});
    }
  }

  /// Lines keep their numbers where they go.
  void gather(const GatheredLoads &G) {
    // What stands where afterwards, in stretches of whole lines.
    std::vector<std::pair<unsigned, unsigned>> Order = {{0, G.To}};
    Order.insert(Order.end(), G.Moved.begin(), G.Moved.end());
    std::vector<std::pair<unsigned, unsigned>> Gone = G.Moved;
    Gone.insert(Gone.end(), G.Dropped.begin(), G.Dropped.end());
    llvm::sort(Gone);
    unsigned At = G.To;
    for (auto [Begin, End] : Gone) {
      Order.push_back({At, Begin});
      At = End;
    }
    Order.push_back({At, unsigned(Text.size())});
    std::string NewText;
    std::vector<OfFile> NewLines;
    std::vector<PlacedCall> Shifted = Placed;
    for (auto [Begin, End] : Order) {
      const unsigned Line = lineEnds(StringRef(Text).take_front(Begin));
      auto Add = [&](unsigned From, unsigned To) {
        for (size_t I = 0; I < Placed.size(); ++I)
          if (From <= Placed[I].Offset && Placed[I].Offset < To)
            Shifted[I].Offset = Placed[I].Offset - From + unsigned(NewText.size());
        NewText += StringRef(Text).slice(From, To);
      };
      const bool Here = !G.Added.empty() && Begin <= G.AddedAt && G.AddedAt < End;
      const unsigned Before = Here ? lineEnds(StringRef(Text).slice(Begin, G.AddedAt)) : 0;
      const unsigned Count = lineEnds(StringRef(Text).slice(Begin, End)) + (End == Text.size());
      NewLines.insert(NewLines.end(), Lines.begin() + Line, Lines.begin() + Line + (Here ? Before : Count));
      if (!Here) {
        Add(Begin, End);
        continue;
      }
      Add(Begin, G.AddedAt);
      NewText += G.Added;
      NewLines.push_back({Lines[Line + Before].Number, false, 0});
      Add(G.AddedAt, End);
      NewLines.insert(NewLines.end(), Lines.begin() + Line + Before, Lines.begin() + Line + Count);
    }
    Placed = std::move(Shifted);
    Text = std::move(NewText);
    Lines = std::move(NewLines);
  }

  /// The place in the file.
  void toFile(unsigned &Line, unsigned &Column) const {
    if (Line == 0 || Line > Lines.size())
      return;
    Column = Lines[Line - 1].Own ? unsigned(std::max(1, int(Column) + Lines[Line - 1].Shift)) : 1;
    Line = Lines[Line - 1].Number;
  }
  void toFile(unsigned &Line) const {
    unsigned Column = 0;
    toFile(Line, Column);
  }
  LineRange fromFile(LineRange R) const {
    LineRange Out = {~0u, 0};
    for (unsigned I = 0; I < Lines.size(); ++I)
      if (R.First <= Lines[I].Number && Lines[I].Number <= R.Last)
        Out = {std::min(Out.First, I + 1), I + 1};
    return Out;
  }

  void toFile(LoopReport &L) const {
    toFile(L.Line, L.Column);
    toFile(L.EndLine);
    toFile(L.FunctionLine);
    toFile(L.FunctionEndLine);
    for (PhaseReport &P : L.Phases) {
      toFile(P.Line);
      toFile(P.EndLine);
    }
    // Loads that were moved stand where the user has them.
    llvm::stable_sort(L.Phases, [](const PhaseReport &A, const PhaseReport &B) { return A.Line < B.Line; });
    for (ReasonReport &R : L.Reasons) {
      toFile(R.Line, R.Column);
      for (Note &N : R.Notes)
        toFile(N.Line, N.Column);
    }
    for (CopyReport &C : L.Copies)
      toFile(C.Line);
    if (L.Dynamic)
      for (DynamicReport::Size &S : L.Dynamic->Sizes)
        toFile(S.Line);
  }

private:
  std::vector<OfFile> Lines;
};

/// What was changed for one loop.
struct Changed {
  std::vector<std::string> Inlined, Gathered, Reworded;
  void addTo(LoopReport &L) const {
    L.Inlined = Inlined;
    L.Gathered = Gathered;
    L.Reworded = Reworded;
  }
};

enum class Kind { Calls, Loads, Words };
Kind kindOf(const LoopOutcome &L) {
  return !L.Calls.empty() ? Kind::Calls : !L.Reworded.empty() ? Kind::Words : Kind::Loads;
}

/// One round over the file, function by function: a trial reads all of the text, but looks at the loops of one function only.
class Rounds {
public:
  Rounds(std::string Text, ArrayRef<ParseRequest> Units, const RewriteOptions &Options, const std::set<LoopPlace> &Banned)
      : Units(Units), Options(Options), Banned(Banned), Accepted(std::move(Text)) {}

  /// \p First: the loops of the file as it is.
  void run(ArrayRef<LoopOutcome> First) {
    std::vector<LineRange> Functions;
    for (const LoopOutcome &L : First)
      if (mayBeTried(L) && none_of(Functions, [&](LineRange F) { return F.First == L.Function.First && F.Last == L.Function.Last; }))
        Functions.push_back(L.Function);
    const WrittenOut File = Accepted;
    for (LineRange F : Functions)
      if (!hasCommentThatGoesOn(File.lines(F))) // else lines are no lines
        ofFunction(F, First);
  }

  /// What all of the text gives in the end. \p P: of the file as it is, if nothing was taken. None, and the places of loops
  /// of which something was taken in vain: they cannot be rewritten once the others are.
  bool finish(Pass &P, std::set<LoopPlace> &InVain) {
    if (!Taken.empty()) {
      Pass All;
      readText(All, Accepted, std::nullopt);
      for (const LoopPlace &At : Taken)
        if (const LoopOutcome *L = All.Result.Parsed && All.AsMeant ? find(All.Loops, Accepted, At) : nullptr; !L || L->List.empty())
          InVain.insert(At);
      if (!InVain.empty())
        return false;
      P = std::move(All);
    }
    for (LoopOutcome &L : P.Loops) {
      Accepted.toFile(L.Report);
      const LoopPlace At = {L.Report.Line, L.Report.Column};
      if (auto It = Instead.find(At); It != Instead.end() && L.List.empty())
        L.Report = It->second;
      else
        Changes[At].addTo(L.Report);
    }
    return true;
  }

private:
  /// A loop may have several loops written into it, and they others. More than that is no kernel, but an accident.
  static constexpr unsigned MostTrials = 48, DeepestCalls = 4;

  ArrayRef<ParseRequest> Units;
  const RewriteOptions &Options;
  const std::set<LoopPlace> &Banned;
  WrittenOut Accepted;
  std::set<LoopPlace> Taken;
  std::set<std::pair<LoopPlace, Kind>> Tried;
  std::map<LoopPlace, LoopReport> Instead; ///< what is said of those that stay as they are
  std::map<LoopPlace, Changed> Changes;    ///< of the others

  static bool mayBeTried(const LoopOutcome &L) { return !L.Calls.empty() || !L.Reworded.empty() || !L.Gathered.empty(); }

  /// \p Only: loops of these lines of the file.
  void readText(Pass &P, const WrittenOut &Text, std::optional<LineRange> Only) const {
    std::vector<ParseRequest> Written(Units);
    for (ParseRequest &R : Written)
      (R.Edited ? R.EditedContents : R.Contents) = Text.Text;
    RewriteOptions Here = Options;
    for (auto *Ranges : {&Here.Lines, &Here.Begins})
      for (LineRange &R : *Ranges)
        R = Text.fromFile(R);
    if (Only)
      Only = Text.fromFile(*Only);
    read(P, Written, Here, Text.Placed, Only);
  }

  static const LoopOutcome *find(ArrayRef<LoopOutcome> Loops, const WrittenOut &Text, LoopPlace At) {
    for (const LoopOutcome &L : Loops) {
      LoopPlace Here = {L.Report.Line, L.Report.Column};
      Text.toFile(Here.first, Here.second);
      if (Here == At)
        return &L;
    }
    return nullptr;
  }

  void ofFunction(LineRange F, ArrayRef<LoopOutcome> First) {
    std::vector<LoopOutcome> Loops;
    if (Taken.empty()) {
      copy_if(First, std::back_inserter(Loops), [&](const LoopOutcome &L) { return F.First <= L.Function.First && L.Function.Last <= F.Last; });
    } else {
      Pass Again; // places have moved
      readText(Again, Accepted, F);
      Loops = std::move(Again.Loops);
    }
    for (unsigned Trials = 0; Trials < MostTrials; ++Trials) {
      const LoopOutcome *Next = nullptr;
      LoopPlace At;
      for (const LoopOutcome &L : Loops) {
        At = {L.Report.Line, L.Report.Column};
        Accepted.toFile(At.first, At.second);
        if (mayBeTried(L) && !Banned.count(At) && Tried.insert({At, kindOf(L)}).second) {
          Next = &L;
          break;
        }
      }
      if (!Next)
        return;
      if (std::optional<std::vector<LoopOutcome>> Now = tryOnce(*Next, At, F))
        Loops = std::move(*Now);
    }
  }

  /// What comes of the function's loops with \p L in other words; none: nothing better.
  std::optional<std::vector<LoopOutcome>> tryOnce(const LoopOutcome &L, LoopPlace At, LineRange F) {
    WrittenOut Trial = Accepted;
    std::vector<InlinedCall> Calls = L.Calls;
    Rewording Words = Calls.empty() ? L.Reworded : Rewording();
    Changed Here = Changes[At];
    const bool Gather = kindOf(L) == Kind::Loads;
    if (Gather) {
      Here.Gathered = L.Gathered.Tiles;
      Trial.gather(L.Gathered);
    }
    for (unsigned Depth = 0; Depth < DeepestCalls; ++Depth) {
      for (const InlinedCall &C : Calls)
        if (!C.isRemoval() && !is_contained(Here.Inlined, C.Function))
          Here.Inlined.push_back(C.Function);
      Trial.writeOut(Calls);
      Here.Reworded.insert(Here.Reworded.end(), Words.Said.begin(), Words.Said.end());
      Trial.reword(Words);
      Pass New;
      readText(New, Trial, F);
      const bool Read = New.Result.Parsed && New.AsMeant;
      const LoopOutcome *Loop = Read ? find(New.Loops, Trial, At) : nullptr;
      if (Read && (!Loop || Loop->Report.Status == LoopStatus::NotSelected)) {
        New = Pass(); // it has got into another function
        readText(New, Trial, std::nullopt);
        Loop = find(New.Loops, Trial, At);
      }
      if (!Read) {
        LoopReport Said = L.Report;
        Accepted.toFile(Said);
        explain(Said, New.AsMeant ? "its text does not compile in place of the call: something in it is declared elsewhere, or private"
                                  : "its text would mean something else in place of the call");
        if (!Gather)
          Instead[At] = std::move(Said);
        return std::nullopt;
      }
      if (!Loop)
        return std::nullopt;
      if (Loop->List.empty() && (!Loop->Calls.empty() || !Loop->Reworded.empty())) {
        Calls = Loop->Calls;
        Words = Calls.empty() ? Loop->Reworded : Rewording();
        continue;
      }
      if (Loop->List.empty()) {
        LoopReport Said = Loop->Report;
        Trial.toFile(Said);
        Here.addTo(Said);
        if (!Gather)
          Instead[At] = std::move(Said);
        return std::nullopt;
      }
      Changes[At] = Here;
      Taken.insert(At);
      Accepted = std::move(Trial);
      return std::move(New.Loops);
    }
    return std::nullopt;
  }
};

} // namespace

/// Once more, with another text: loops that are refused for copies in called functions, with these written out; loops with
/// several load phases, with one. What comes of it is taken if it is a rewrite.
void lookAgain(Pass &P, ArrayRef<ParseRequest> Units, const RewriteOptions &Options) {
  if (Options.Print != PrintStep::None || Options.EmitRefused)
    return;
  std::set<LoopPlace> InVain;
  for (bool Done = false; !Done;) {
    const std::set<LoopPlace> Banned = InVain;
    Rounds R(P.Text, Units, Options, Banned);
    R.run(P.Loops);
    Done = R.finish(P, InVain);
  }
}

} // namespace cuda_pipeline
