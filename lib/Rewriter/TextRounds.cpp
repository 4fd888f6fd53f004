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
    /// Of those from a column on, once more: other words stand in front of them.
    std::vector<std::pair<unsigned, int>> Behind = {};

    /// \p At, from 0: where so many bytes of it have become others.
    void edited(unsigned At, unsigned Old, unsigned New) {
      for (auto &[From, By] : Behind)
        if (From > At)
          From += New - Old;
      Behind.push_back({At + New + 1, int(Old) - int(New)});
    }
    int toFile(unsigned Column) const {
      int Out = int(Column) + Shift;
      for (auto [From, By] : Behind)
        Out += Column >= From ? By : 0;
      return Out;
    }
  };

public:
  std::string Text;
  std::vector<PlacedCall> Placed;

  explicit WrittenOut(std::string Original) : Text(std::move(Original)) {
    for (unsigned Line = 1, N = lineEnds(Text) + 1; Line <= N; ++Line)
      Lines.push_back({Line, true, 0});
  }

  static WrittenOut empty() { return WrittenOut(); }

  /// Of the text as it is in the file: the offset at which the line begins, and the text of some
  /// lines.
  unsigned begin(unsigned Line) const { return unsigned(LineTable(Text).begin(Line)); }
  StringRef lines(LineRange R) const {
    const LineTable Table(Text);
    return StringRef(Text).slice(Table.begin(R.First),
                                 R.Last == ~0u ? Text.size() : Table.begin(R.Last + 1));
  }

  /// The lines \p R of the file, whose text this is as it was.
  WrittenOut stretch(LineRange R) const {
    WrittenOut Out;
    Out.Text = lines(R).str();
    if (R.First <= R.Last && R.First <= Lines.size())
      Out.Lines.assign(Lines.begin() + (R.First - 1),
                       Lines.begin() + std::min<size_t>(R.Last, Lines.size()));
    return Out;
  }

  /// Stretches of whole lines, one behind the other; \p Begins: where each of them does.
  static WrittenOut of(ArrayRef<const WrittenOut *> Stretches, std::vector<unsigned> &Begins) {
    WrittenOut All;
    for (const WrittenOut *Next : Stretches) {
      const unsigned Begin = unsigned(All.Text.size());
      Begins.push_back(Begin);
      All.Text += Next->Text;
      All.Lines.insert(All.Lines.end(), Next->Lines.begin(), Next->Lines.end());
      for (PlacedCall P : Next->Placed) {
        P.Offset += Begin;
        All.Placed.push_back(std::move(P));
      }
    }
    return All;
  }

  /// \p Read: the text in which the calls were found, with the lines that they name.
  void writeOut(ArrayRef<InlinedCall> Calls, const WrittenOut &Read) {
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
      for (unsigned I = InFront; I < New && I - InFront < C.FileLines.size(); ++I) {
        Lines[First + I] = Read.Lines[C.FileLines[I - InFront] - 1];
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

  /// Lines that are left keep their numbers; new ones have that of the first one that they replace,
  /// or, where they are said to be lines of \p Read, the text that was read, the number of these.
  void reword(const Rewording &R, const WrittenOut &Read) {
    std::vector<Edit> Edits = R.Edits;
    llvm::sort(Edits, [](const Edit &A, const Edit &B) { return A.Offset > B.Offset; });
    const auto PinAt = [&](unsigned Offset) {
      InlinedCall Pin;
      Pin.PinsArguments = true;
      Placed.push_back({Pin, Offset, 0});
    };
    if (R.PinsArguments && R.PinAt != 0)
      PinAt(R.PinAt); // it moves with what is in front of it
    for (const Edit &E : Edits) {
      const unsigned First = lineEnds(StringRef(Text).take_front(E.Offset));
      const unsigned Old = lineEnds(StringRef(Text).substr(E.Offset, E.Length));
      const unsigned New = lineEnds(E.Text);
      // A whole line goes with its number.
      const unsigned From =
          E.Offset == 0 || Text[E.Offset - 1] == '\n' || Text[E.Offset - 1] == '\r' ? First
                                                                                    : First + 1;
      if (Old > New)
        Lines.erase(Lines.begin() + From, Lines.begin() + From + (Old - New));
      else // whole lines come in front of one
        Lines.insert(Lines.begin() +
                         (Old == 0 && StringRef(E.Text).ends_with("\n") ? From : First + 1),
                     New - Old, {Lines[First].Number, false, 0});
      if (const auto Moved = R.LinesOf.find(E.Offset); Moved != R.LinesOf.end())
        for (unsigned I = 0; I < New && I < Moved->second.size(); ++I)
          if (const LineFrom From = Moved->second[I]; From.Number != 0) {
            Lines[First + 1 + I] = Read.Lines[From.Number - 1];
            Lines[First + 1 + I].Shift += From.Shift;
          }
      if (Old == 0 && New == 0)
        Lines[First].edited(E.Offset -
                                unsigned(StringRef(Text).take_front(E.Offset).rfind('\n') + 1),
                            E.Length, unsigned(E.Text.size()));
      Text.replace(E.Offset, E.Length, E.Text);
      for (PlacedCall &P : Placed)
        if (P.Offset > E.Offset)
          P.Offset += unsigned(E.Text.size()) - E.Length;
        else if (E.Offset < P.Offset + P.Length) {
          P.Length += unsigned(E.Text.size()) - E.Length;
          P.HasInner = true; // that it meant the same was seen before
        }
    }
    if (R.PinsArguments && R.PinAt == 0 && !Edits.empty())
      PinAt(Edits.front().Offset);
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
      const unsigned Count = End == Text.size() ? unsigned(Lines.size()) - Line
                                                : lineEnds(StringRef(Text).slice(Begin, End));
      NewLines.insert(NewLines.end(), Lines.begin() + Line,
                      Lines.begin() + Line + (Here ? Before : Count));
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
    Column = Lines[Line - 1].Own ? unsigned(std::max(1, Lines[Line - 1].toFile(Column))) : 1;
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
  /// Every line that is one of these, and nothing in between: a function's text may stand in
  /// several places.
  std::vector<LineRange> allFromFile(ArrayRef<LineRange> Ranges) const {
    std::vector<LineRange> Out;
    for (unsigned I = 0; I < Lines.size(); ++I) {
      if (none_of(Ranges, [&](const LineRange &R) {
            return R.First <= Lines[I].Number && Lines[I].Number <= R.Last;
          }))
        continue;
      if (!Out.empty() && Out.back().Last == I)
        Out.back().Last = I + 1;
      else
        Out.push_back({I + 1, I + 1});
    }
    if (Out.empty() && !Ranges.empty())
      Out.push_back({~0u, 0}); // none at all, and not all
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
    llvm::stable_sort(L.Phases,
                      [](const PhaseReport &A, const PhaseReport &B) { return A.Line < B.Line; });
    for (ReasonReport &R : L.Reasons) {
      toFile(R.Line, R.Column);
      for (Note &N : R.Notes)
        toFile(N.Line, N.Column);
    }
    for (CopyReport &C : L.Copies)
      toFile(C.Line);
    for (WidthReport &W : L.Widths) {
      toFile(W.Line);
      toFile(W.WhyLine);
    }
    for (LayoutReport &Layout : L.Layouts) {
      toFile(Layout.Line);
      for (ConflictReport &A : Layout.Accesses)
        toFile(A.Line);
    }
    if (L.Dynamic)
      for (DynamicReport::Size &S : L.Dynamic->Sizes)
        toFile(S.Line);
  }

private:
  WrittenOut() = default;
  std::vector<OfFile> Lines; ///< as many as there are; the last one, where it is empty, too
};

/// What was changed for one loop.
struct Changed {
  std::vector<std::string> Inlined, Gathered, Reworded;
  std::vector<WidthReport> Widths;   ///< at places of the file
  std::vector<LayoutReport> Layouts; ///< the same
  void addTo(LoopReport &L) const {
    L.Inlined = Inlined;
    L.Gathered = Gathered;
    L.Reworded = Reworded;
    if (!Widths.empty())
      L.Widths = Widths;
    if (!Layouts.empty())
      L.Layouts = Layouts;
  }
};

enum class Kind { Calls, Loads, Words, Width, Layout };
/// The loop may be rewritten as it is: if not, that is no news of it.
bool isForBetter(Kind K) { return K == Kind::Width || K == Kind::Layout; }
/// What may be tried with it, in this order: only a loop that is rewritten has a layout to change.
SmallVector<Kind, 2> kindsOf(const LoopOutcome &L) {
  SmallVector<Kind, 2> Out;
  if (!L.Calls.empty())
    Out.push_back(Kind::Calls);
  else if (!L.Reworded.empty())
    Out.push_back(Kind::Words);
  else if (!L.Gathered.empty())
    Out.push_back(Kind::Loads);
  if (!L.Widened.empty())
    Out.push_back(Kind::Width);
  if (!L.Relaid.empty())
    Out.push_back(Kind::Layout);
  return Out;
}

/// One round over the file: the functions with something to try, each with the next trial of its
/// own, are read together, and a trial is taken or put back function by function. So a file is read
/// as often as its function with the most trials asks for.
class Rounds {
public:
  Rounds(const std::string &Text, ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
         const std::set<LoopPlace> &Banned)
      : Units(Units), Options(Options), Banned(Banned), Accepted(Text) {}

  /// \p First: the loops of the file as it is.
  void run(ArrayRef<LoopOutcome> First) {
    std::vector<LineRange> Functions;
    const WrittenOut File = Accepted;
    for (const LoopOutcome &L : First)
      if (mayBeTried(L))
        Functions.push_back(L.Function);
    joinOverlapping(Functions);

    const auto Whole = std::make_shared<const WrittenOut>(File);
    std::vector<Member> Members;
    std::vector<WrittenOut> Between;
    unsigned Line = 1;
    for (LineRange F : Functions) {
      Between.push_back(File.stretch({Line, F.First - 1}));
      Members.emplace_back(F, File.stretch(F),
                           Reading{Whole, File.begin(F.First), loopsOf(F, First, File)});
      Line = F.Last + 1;
    }
    Between.push_back(File.stretch({Line, ~0u}));
    together(Members, Between);
    Accepted = textOf(Members, Between, {}, nullptr);

    // One whose trial is written into another function has the text for itself.
    for (const Member &Ahead : Members) {
      if (!Ahead.Leaves)
        continue;
      const auto Now = std::make_shared<const WrittenOut>(Accepted);
      Pass Again; // places have moved
      readText(Again, Accepted, {Ahead.Function});
      std::vector<Member> Alone;
      Alone.emplace_back(Ahead.Function, Accepted, Reading{Now, 0, std::move(Again.Loops)});
      Alone.front().Whole = true;
      std::vector<WrittenOut> Nothing = {WrittenOut::empty(), WrittenOut::empty()};
      together(Alone, Nothing);
      Accepted = std::move(Alone.front().Accepted);
    }
  }

  /// What all of the text gives in the end. \p P: of the file as it is, if nothing was taken.
  /// Nothing, and \p InVain gets the places of loops of which something was taken in vain: they
  /// cannot be rewritten once the others are.
  bool finish(Pass &P, std::set<LoopPlace> &InVain) {
    if (!Taken.empty()) {
      const size_t Before = InVain.size();
      Pass All;
      readText(All, Accepted, {});
      for (const LoopPlace &At : Taken)
        if (const LoopOutcome *L =
                All.Result.Parsed && All.AsMeant ? find(All.Loops, Accepted, At) : nullptr;
            !L || L->List.empty())
          InVain.insert(At);
      if (InVain.size() != Before)
        return false;
      P = std::move(All);
    }
    // Of a loop that stands in other places now, these are what is told.
    std::set<LoopPlace> Elsewhere;
    const auto PlaceOf = [&](const LoopOutcome &L) {
      LoopPlace At = {L.Report.Line, L.Report.Column};
      Accepted.toFile(At.first, At.second);
      return At;
    };
    for (const LoopOutcome &L : P.Loops)
      if (isWrittenOut(L, Accepted))
        Elsewhere.insert(PlaceOf(L));
    llvm::erase_if(P.Loops, [&](const LoopOutcome &L) {
      return Elsewhere.count(PlaceOf(L)) && !isWrittenOut(L, Accepted);
    });
    for (LoopOutcome &L : P.Loops) {
      Accepted.toFile(L.Report);
      const LoopPlace At = {L.Report.Line, L.Report.Column};
      if (auto It = Instead.find(At); It != Instead.end() && L.List.empty())
        L.Report = It->second;
      else
        Changes[At].addTo(L.Report);
      if (auto It = StillNarrow.find(At); It != StillNarrow.end())
        L.Report.Widths = It->second;
    }
    return true;
  }

private:
  /// A loop may have several loops written into it, and they others. More than that is no kernel,
  /// but an accident.
  static constexpr unsigned MostTrials = 48, DeepestCalls = 6;

  /// Loops of a function, with the text that they were found in.
  struct Reading {
    std::shared_ptr<const WrittenOut> Text;
    unsigned Begin = 0; ///< of the function's stretch in it
    std::vector<LoopOutcome> Loops;
  };

  /// Of one loop. Its text is not accepted yet.
  struct Trial {
    LoopPlace At; ///< in the file
    Kind Of;
    LoopReport AsItWas; ///< at places of the file
    WrittenOut Text;
    Changed Made;
    unsigned Depth = 0;
    /// Of Text.Placed: the calls of the function with the loop that were written out last, from
    /// the first to behind the last.
    std::pair<size_t, size_t> Places = {0, 0};
    /// The other words may be slower, and nobody asked for them: what could be had with them is
    /// said, and nothing of it is taken.
    bool Asks = false;
  };

  /// One outermost function that has loops to be tried.
  struct Member {
    LineRange Function; ///< lines of the file
    WrittenOut Accepted;
    Reading Last; ///< of Accepted
    std::optional<Trial> Now;
    unsigned Trials = 0;
    bool Whole = false; ///< its stretch is all of the text
    /// A trial has changed what is outside of the stretch, or the loop has got there.
    bool Leaves = false;
    Member(LineRange Function, WrittenOut Text, Reading Last)
        : Function(Function), Accepted(std::move(Text)), Last(std::move(Last)) {}
    const WrittenOut &text() const { return Now ? Now->Text : Accepted; }
  };

  ArrayRef<ParseRequest> Units;
  const RewriteOptions &Options;
  const std::set<LoopPlace> &Banned;
  WrittenOut Accepted;
  std::set<LoopPlace> Taken;
  std::set<std::pair<LoopPlace, Kind>> Tried;
  std::map<LoopPlace, LoopReport> Instead; ///< what is said of those that stay as they are
  std::map<LoopPlace, Changed> Changes;    ///< of the others
  std::map<LoopPlace, std::vector<WidthReport>> StillNarrow; ///< wider copies did not do

  static bool mayBeTried(const LoopOutcome &L) { return !kindsOf(L).empty(); }

  bool asks(const LoopOutcome &L) const {
    return is_contained(kindsOf(L), Kind::Words) && L.Reworded.MaySlowDown &&
           !Options.RequestedVariant;
  }

  /// What asking for a variant by name would help, as the remedy of \p T. \p Loop: in its text;
  /// null: that cannot be read.
  static void answer(Trial &T, const LoopOutcome *Loop) {
    const StringRef AtOnce = "They are waited for at once, and could be taken as plain copies, one "
                             "element at a time, which may be slower than what the group makes of "
                             "them";
    std::string ByName;
    for (Variant V : Loop ? ArrayRef(Loop->Available) : ArrayRef<Variant>())
      ByName += ((ByName.empty() ? "--variant=" : " or --variant=") + toString(V)).str();
    for (ReasonReport &R : T.AsItWas.Reasons)
      if (R.Id == Reason::OwnAsyncCopies)
        R.Remedy = !ByName.empty() ? (AtOnce + ": ask for that with " + ByName + ".").str()
                   : Loop && !Loop->Report.Reasons.empty()
                       ? (AtOnce + "; but then " + Loop->Report.Reasons.front().Message + ".").str()
                       : info(R.Id).Remedy.str();
  }

  static bool isAsynchronous(const LoopOutcome &Loop) {
    const std::optional<Variant> Chosen = variantFromString(Loop.Report.Variant);
    return Chosen && info(*Chosen).Async;
  }

  /// Longer rows are not worth a resident block, if nobody asked for them: unless they save much
  /// and leave most of the blocks.
  bool costsBlocks(const Trial &T, const LoopOutcome &Loop) const {
    constexpr double Much = 1.5; // times as few wavefronts
    if (Options.Layout != LayoutChoice::Auto || !T.AsItWas.HasOccupancy ||
        !Loop.Report.HasOccupancy)
      return false;
    double Before = 0, After = 0;
    for (const LayoutReport &L : T.Made.Layouts)
      for (const ConflictReport &A : L.Accesses) {
        Before += A.Times * A.Before;
        After += A.Times * A.After;
      }
    const unsigned Blocks = T.AsItWas.Occupancy.After;
    return Loop.Report.Occupancy.After < (Before >= Much * After ? (Blocks + 1) / 2 : Blocks);
  }

  static void joinOverlapping(std::vector<LineRange> &Ranges) {
    llvm::sort(Ranges, [](LineRange A, LineRange B) { return A.First < B.First; });
    std::vector<LineRange> Out;
    for (LineRange R : Ranges)
      if (Out.empty() || Out.back().Last < R.First)
        Out.push_back(R);
      else
        Out.back().Last = std::max(Out.back().Last, R.Last);
    Ranges = std::move(Out);
  }

  /// Those of \p Loops, found in \p Text, that are in these lines of the file.
  static std::vector<LoopOutcome> loopsOf(LineRange F, ArrayRef<LoopOutcome> Loops,
                                          const WrittenOut &Text) {
    std::vector<LoopOutcome> Out;
    copy_if(Loops, std::back_inserter(Out), [&](const LoopOutcome &L) {
      LineRange Of = L.Function;
      Text.toFile(Of.First);
      Text.toFile(Of.Last);
      return F.First <= Of.First && Of.Last <= F.Last;
    });
    return Out;
  }

  /// \p Only: loops of these lines of the file; empty: of all. \p Asks: Trial::Asks, of one.
  void readText(Pass &P, const WrittenOut &Text, ArrayRef<LineRange> Only,
                bool Asks = false) const {
    std::vector<ParseRequest> Written(Units);
    for (ParseRequest &R : Written)
      (R.Edited ? R.EditedContents : R.Contents) = Text.Text;
    RewriteOptions Here = Options;
    for (auto *Ranges : {&Here.Lines, &Here.Begins})
      *Ranges = Text.allFromFile(*Ranges);
    std::vector<LineRange> Ranges;
    for (LineRange R : Only)
      Ranges.push_back(Text.fromFile(R));
    read(P, Written, Here, Text.Placed, Ranges, Asks);
  }

  /// The loops that stand there: several, where the text of a function took the place of its calls.
  static std::vector<const LoopOutcome *> findAll(ArrayRef<LoopOutcome> Loops,
                                                  const WrittenOut &Text, LoopPlace At) {
    std::vector<const LoopOutcome *> Found;
    for (const LoopOutcome &L : Loops) {
      LoopPlace Here = {L.Report.Line, L.Report.Column};
      Text.toFile(Here.first, Here.second);
      if (Here == At)
        Found.push_back(&L);
    }
    // The function stays for those who call it from elsewhere.
    const auto Stays = [&](const LoopOutcome *L) { return !isWrittenOut(*L, Text); };
    if (!all_of(Found, Stays))
      llvm::erase_if(Found, Stays);
    return Found;
  }

  /// The loop stands where its function's text took the place of a call.
  static bool isWrittenOut(const LoopOutcome &L, const WrittenOut &Text) {
    const size_t At = Text.begin(L.Report.Line) + L.Report.Column - 1;
    return any_of(Text.Placed, [&](const PlacedCall &P) {
      return !P.Call.FileLines.empty() && P.Offset <= At && At < P.Offset + P.Length;
    });
  }

  /// Of these the one that keeps all of them from being rewritten: first one that can be helped by
  /// nothing, then one that may be helped. If there is none, the first of all; null: there are no
  /// loops.
  static const LoopOutcome *find(ArrayRef<LoopOutcome> Loops, const WrittenOut &Text,
                                 LoopPlace At) {
    const LoopOutcome *Worst = nullptr;
    const auto Rank = [](const LoopOutcome &L) {
      return !L.List.empty() ? 0 : L.Calls.empty() && L.Reworded.empty() ? 2 : 1;
    };
    for (const LoopOutcome *L : findAll(Loops, Text, At))
      if (!Worst || Rank(*L) > Rank(*Worst))
        Worst = L;
    return Worst;
  }

  /// \p L with what others of the same place ask for, which are not rewritten either. None: two of
  /// them ask for different words in one place.
  static std::optional<LoopOutcome> withOthers(const LoopOutcome &L, ArrayRef<LoopOutcome> Loops,
                                               const WrittenOut &Text, LoopPlace At) {
    LoopOutcome All = L;
    const auto Add = [](auto &To, const auto &More) {
      for (const auto &New : More) {
        if (any_of(To, [&](const auto &Known) {
              return Known.Offset == New.Offset && Known.Length == New.Length &&
                     Known.Text == New.Text;
            }))
          continue;
        if (any_of(To, [&](const auto &Known) {
              return Known.Offset < New.Offset + std::max(New.Length, 1u) &&
                     New.Offset < Known.Offset + std::max(Known.Length, 1u);
            }))
          return false;
        To.push_back(New);
      }
      llvm::sort(To, [](const auto &A, const auto &B) { return A.Offset < B.Offset; });
      return true;
    };
    for (const LoopOutcome *Other : findAll(Loops, Text, At)) {
      if (Other == &L || !Other->List.empty())
        continue;
      if (!Add(All.Calls, Other->Calls) || !Add(All.Reworded.Edits, Other->Reworded.Edits))
        return std::nullopt;
      for (const std::string &Said : Other->Reworded.Said)
        if (!is_contained(All.Reworded.Said, Said))
          All.Reworded.Said.push_back(Said);
      All.Reworded.PinsArguments |= Other->Reworded.PinsArguments;
      All.Reworded.MaySlowDown |= Other->Reworded.MaySlowDown;
      All.Reworded.KeepsOldText |= Other->Reworded.KeepsOldText;
    }
    return All;
  }

  void together(MutableArrayRef<Member> Members, ArrayRef<WrittenOut> Between) {
    while (true) {
      std::vector<Member *> Trying;
      for (Member &M : Members) {
        while (!M.Now && begin(M))
          ;
        if (M.Now)
          Trying.push_back(&M);
      }
      if (Trying.empty())
        return;
      attempt(Members, Between, Trying);
    }
  }

  /// The text with the trials of \p Trying. \p Begins: where the stretch of each member does.
  static WrittenOut textOf(ArrayRef<Member> Members, ArrayRef<WrittenOut> Between,
                           ArrayRef<Member *> Trying, std::vector<unsigned> *Begins) {
    std::vector<const WrittenOut *> Stretches = {&Between.front()};
    for (size_t I = 0; I < Members.size(); ++I) {
      Stretches.push_back(is_contained(Trying, &Members[I]) ? &Members[I].text()
                                                            : &Members[I].Accepted);
      Stretches.push_back(&Between[I + 1]);
    }
    std::vector<unsigned> All;
    WrittenOut Text = WrittenOut::of(Stretches, All);
    for (size_t I = 1; Begins && I < All.size(); I += 2)
      Begins->push_back(All[I]);
    return Text;
  }

  void attempt(MutableArrayRef<Member> Members, ArrayRef<WrittenOut> Between,
               ArrayRef<Member *> Trying) {
    std::vector<unsigned> Begins;
    const auto Text = std::make_shared<const WrittenOut>(textOf(Members, Between, Trying, &Begins));
    std::vector<LineRange> Only;
    for (const Member *M : Trying)
      Only.push_back(M->Function);
    Pass New;
    const bool Asks = any_of(Trying, [](const Member *M) { return M->Now->Asks; });
    readText(New, *Text, Only, Asks);
    if ((!New.Result.Parsed || !New.AsMeant) &&
        Trying.size() > 1) { // one of them is to blame, and not the others
      attempt(Members, Between, Trying.take_front(Trying.size() / 2));
      attempt(Members, Between, Trying.drop_front(Trying.size() / 2));
      return;
    }
    for (Member *M : Trying)
      judge(*M, Text, Begins[size_t(M - Members.data())], New);
  }

  /// False: there is nothing more to be tried. True without a trial: the next may be.
  bool begin(Member &M) {
    if (M.Leaves || M.Trials == MostTrials)
      return false;
    Kind Of = Kind::Calls;
    const auto IsNext = [&](const LoopOutcome &L) {
      LoopPlace At = {L.Report.Line, L.Report.Column};
      M.Last.Text->toFile(At.first, At.second);
      if (Banned.count(At))
        return false;
      for (Kind K : kindsOf(L)) {
        // What is said of the loads of one loop would be said of all that stand there.
        if (K == Kind::Loads && findAll(M.Last.Loops, *M.Last.Text, At).size() > 1)
          continue;
        Of = K;
        if (Tried.insert({At, K}).second)
          return true;
      }
      return false;
    };
    const auto Next = llvm::find_if(M.Last.Loops, IsNext);
    if (Next == M.Last.Loops.end())
      return false;
    ++M.Trials;
    LoopReport AsItWas = Next->Report;
    M.Last.Text->toFile(AsItWas);
    const LoopPlace At = {AsItWas.Line, AsItWas.Column};
    M.Now = Trial{At,
                  Of,
                  std::move(AsItWas),
                  M.Accepted,
                  Changes[At],
                  0,
                  {0, 0},
                  !isForBetter(Of) && asks(*Next)};
    if (isForBetter(Of)) {
      LoopReport Planned;
      Planned.Widths = Next->Widths;
      Planned.Layouts = Next->Layouts;
      M.Last.Text->toFile(Planned);
      if (Of == Kind::Width)
        M.Now->Made.Widths = std::move(Planned.Widths);
      else
        M.Now->Made.Layouts = std::move(Planned.Layouts);
      LoopOutcome Only;
      Only.Reworded = Of == Kind::Width ? Next->Widened : Next->Relaid;
      tryWith(M, Only, M.Last, false);
    } else {
      tryWith(M, *Next, M.Last, Of == Kind::Loads);
    }
    return true;
  }

  /// Goes on with the trial in another text, makes it again with all of the text, or gives it up.
  void tryWith(Member &M, const LoopOutcome &L, const Reading &Read, bool Gather) {
    // Those of what goes go, and those of what comes are there.
    const std::string Before = M.Now->Text.Text;
    std::map<std::string, int> Comments;
    const auto Count = [&Comments](StringRef In, int Sign) {
      for (const std::string &Comment : commentsThatGoOn(In))
        if ((Comments[Comment] += Sign) == 0)
          Comments.erase(Comment);
    };
    if (!change(M, L, Read, Gather))
      return leave(M);
    Count(Before, 1);
    if (!Gather && !L.Calls.empty())
      for (const InlinedCall &C : L.Calls) {
        Count(StringRef(Before).substr(C.Offset - Read.Begin, C.Length), -1);
        Count(C.Text, 1);
      }
    else if (!Gather)
      for (const Edit &E : L.Reworded.Edits) {
        Count(StringRef(Before).substr(E.Offset - Read.Begin, E.Length), -1);
        Count(E.Text, 1);
      }
    Count(M.Now->Text.Text, -1);
    if (Comments.empty())
      return;
    if (!Gather) {
      explain(
          M.Now->AsItWas,
          "a comment in its place ends in a backslash, and would take in what is put behind it");
      Instead[M.Now->At] = std::move(M.Now->AsItWas);
    }
    M.Now.reset();
  }

  /// Its trial is made again, with all of the text.
  void leave(Member &M) {
    Tried.erase({M.Now->At, M.Now->Of});
    M.Leaves = true;
    M.Now.reset();
  }

  /// Puts what the loop asks for into the text of the trial. False: it is not all in the function's
  /// stretch.
  bool change(Member &M, const LoopOutcome &L, const Reading &Read, bool Gather) {
    Trial &T = *M.Now;
    const unsigned Begin = Read.Begin;
    // The last line end goes with the stretch.
    const size_t End = Begin + T.Text.Text.size() + (M.Whole ? 1 : 0);
    const auto Within = [&](unsigned Offset, unsigned Length) {
      return Begin <= Offset && size_t(Offset) + Length < End;
    };
    if (Gather) {
      GatheredLoads G = L.Gathered;
      bool All = Within(G.To, 0) && (G.Added.empty() || Within(G.AddedAt, 0));
      for (auto *Stretches : {&G.Moved, &G.Dropped})
        for (auto &[From, To] : *Stretches) {
          All &= Within(From, To - From);
          From -= Begin;
          To -= Begin;
        }
      if (!All)
        return false;
      G.To -= Begin;
      G.AddedAt -= std::min(G.AddedAt, Begin);
      T.Made.Gathered = G.Tiles;
      T.Text.gather(G);
      return true;
    }
    std::vector<InlinedCall> Calls = L.Calls;
    Rewording Words = Calls.empty() ? L.Reworded : Rewording();
    for (InlinedCall &C : Calls) {
      if (!Within(C.Offset, C.Length))
        return false;
      C.Offset -= Begin;
      if (!C.isRemoval() && !is_contained(T.Made.Inlined, C.Function))
        T.Made.Inlined.push_back(C.Function);
    }
    for (Edit &E : Words.Edits) {
      if (!Within(E.Offset, E.Length))
        return false;
      E.Offset -= Begin;
    }
    Words.PinAt -= std::min(Words.PinAt, Begin);
    auto Moved = std::exchange(Words.LinesOf, {});
    for (auto &[Offset, From] : Moved)
      Words.LinesOf[Offset - Begin] = std::move(From);
    const size_t Placed = T.Text.Placed.size();
    T.Text.writeOut(Calls, *Read.Text);
    if (any_of(Calls, [](const InlinedCall &C) { return !C.FileLines.empty(); }))
      T.Places = {Placed, T.Text.Placed.size()};
    T.Made.Reworded.insert(T.Made.Reworded.end(), Words.Said.begin(), Words.Said.end());
    T.Text.reword(Words, *Read.Text);
    return true;
  }

  /// Each call that was written out has the loop in its text: what it is given may be no tile.
  static bool isInAllPlaces(const Trial &T, unsigned Begin, const WrittenOut &Text,
                            ArrayRef<LoopOutcome> Loops) {
    const LineTable Lines(Text.Text);
    const std::vector<const LoopOutcome *> Found = findAll(Loops, Text, T.At);
    for (size_t I = T.Places.first; I < T.Places.second; ++I) {
      const PlacedCall &P = T.Text.Placed[I];
      if (!P.Call.FileLines.empty() && none_of(Found, [&](const LoopOutcome *L) {
            const size_t At = Lines.begin(L->Report.Line) + L->Report.Column - 1;
            return Begin + P.Offset <= At && At < Begin + P.Offset + P.Length;
          }))
        return false;
    }
    return true;
  }

  /// What comes of a trial: it is accepted, goes on, or is put back. \p New: of \p Text, in which
  /// the function's stretch begins at
  /// \p Begin.
  void judge(Member &M, const std::shared_ptr<const WrittenOut> &Text, unsigned Begin,
             const Pass &New) {
    Trial &T = *M.Now;
    const bool IsRead = New.Result.Parsed && New.AsMeant;
    const auto Stay = [&](std::optional<LoopReport> Said) {
      if (Said && T.Of != Kind::Loads && !isForBetter(T.Of))
        Instead[T.At] = std::move(*Said);
      M.Now.reset();
    };
    if (!IsRead && T.Asks) {
      answer(T, nullptr);
      return Stay(std::move(T.AsItWas));
    }
    if (!IsRead) {
      explain(T.AsItWas, New.AsMeant ? "its text does not compile in place of the call: something "
                                       "in it is declared elsewhere, or private"
                                     : "its text would mean something else in place of the call");
      return Stay(std::move(T.AsItWas));
    }
    const LoopOutcome *Loop = find(New.Loops, *Text, T.At);
    Pass Everywhere;
    if (!Loop ||
        Loop->Report.Status == LoopStatus::NotSelected) { // it has got into another function
      if (!M.Whole)
        return leave(M);
      readText(Everywhere, *Text, {}, T.Asks);
      Loop = find(Everywhere.Loops, *Text, T.At);
    }
    if (!Loop)
      return Stay(std::nullopt);
    const std::vector<LoopOutcome> &Loops = Everywhere.Loops.empty() ? New.Loops : Everywhere.Loops;
    Reading Here = {Text, Begin, M.Whole ? Loops : loopsOf(M.Function, Loops, *Text)};
    if (findAll(Loops, *Text, T.At).size() > MostPlaces) {
      explain(T.AsItWas,
              "its text would stand in more than " + std::to_string(MostPlaces) + " places");
      return Stay(std::move(T.AsItWas));
    }
    if (T.Of == Kind::Layout && (Loop->List.empty() || costsBlocks(T, *Loop)))
      return Stay(std::nullopt);
    // Registers for wide and for narrow copies of one tile would be twice as many.
    if (T.Of == Kind::Width && (Loop->List.empty() || !isAsynchronous(*Loop))) {
      const auto &Why = Loop->Report.Reasons;
      for (WidthReport &W : T.Made.Widths)
        if (W.BytesAfter != W.BytesBefore) {
          W.WhyNot = Why.empty() ? "wide ones are for asynchronous copies, which are not taken"
                                 : "with wide ones the loop is refused, as " + Why.front().Message;
          W.BytesAfter = W.BytesBefore;
          W.WhyLine = W.Line;
          W.Test.clear();
        }
      StillNarrow[T.At] = std::move(T.Made.Widths);
      return Stay(std::nullopt);
    }
    const bool IsAnswer = T.Asks && !Loop->Available.empty();
    if (!IsAnswer && Loop->List.empty() && (!Loop->Calls.empty() || !Loop->Reworded.empty())) {
      if (++T.Depth == DeepestCalls)
        return Stay(std::nullopt);
      if (asks(*Loop) && !T.Asks) {
        T.Asks = true;
        T.AsItWas = Loop->Report;
        Text->toFile(T.AsItWas);
        T.Made.addTo(T.AsItWas);
      }
      std::optional<LoopOutcome> All = withOthers(*Loop, Loops, *Text, T.At);
      if (!All)
        return Stay(std::nullopt);
      return tryWith(M, *All, Here, /*Gather=*/false);
    }
    if (T.Asks) {
      answer(T, Loop);
      return Stay(std::move(T.AsItWas));
    }
    if (Loop->List.empty()) {
      LoopReport Said = Loop->Report;
      Text->toFile(Said);
      T.Made.addTo(Said);
      return Stay(std::move(Said));
    }
    if (!isInAllPlaces(T, Begin, *Text, Loops)) {
      explain(T.AsItWas, "in the place of one of its calls it is no tile loop");
      return Stay(std::move(T.AsItWas));
    }
    Changes[T.At] = T.Made;
    Taken.insert(T.At);
    M.Accepted = std::move(T.Text);
    M.Last = std::move(Here);
    M.Now.reset();
  }
};

} // namespace

/// Once more, with another text: loops that are refused for copies in called functions, with these
/// written out; loops with several load phases, with one. What comes of it is taken if it is a
/// rewrite.
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
