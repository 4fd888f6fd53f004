//===- UnifiedDiff.cpp - Line diff in unified format ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linear-space variant of E. W. Myers, "An O(ND) Difference Algorithm and Its Variations",
// Algorithmica 1 (1986): find the middle of a shortest edit script by searching from both ends,
// then do the same for the halves.
//
//===----------------------------------------------------------------------===//

#include "Report/UnifiedDiff.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <climits>
#include <vector>

using namespace llvm;

namespace cuda_pipeline {

namespace {

// Lines as numbers: equal numbers, equal lines. What counts as a line includes its line break, so
// that a last line without one differs from the same line with one.
class Lines {
public:
  std::vector<StringRef> Text;
  std::vector<unsigned> Id;

  /// \p Trimmed: what is around the words of a line, its line break too, makes no difference.
  Lines(StringRef Contents, DenseMap<StringRef, unsigned> &Ids, bool Trimmed = false) {
    while (!Contents.empty()) {
      size_t End = Contents.find('\n');
      StringRef Line = Contents.take_front(End == StringRef::npos ? End : End + 1);
      Contents = Contents.drop_front(Line.size());
      Text.push_back(Line);
      Id.push_back(Ids.try_emplace(Trimmed ? Line.trim() : Line, Ids.size()).first->second);
    }
  }
  size_t size() const { return Text.size(); }
};

class Differ {
public:
  std::vector<bool> Deleted, Inserted; // by line of the old and of the new text

  Differ(ArrayRef<unsigned> Old, ArrayRef<unsigned> New)
      : Deleted(Old.size()), Inserted(New.size()), Old(Old), New(New),
        Forward(Old.size() + New.size() + 3), Backward(Forward.size()) {
    compare(0, static_cast<int>(Old.size()), 0, static_cast<int>(New.size()));
  }

private:
  // A run of equal lines in the middle of a shortest edit script: from (X, Y) to (U, V).
  struct Snake {
    int X, Y, U, V;
  };

  ArrayRef<unsigned> Old, New;
  std::vector<int> Forward, Backward; // scratch of middle()

  void compare(int OldBegin, int OldEnd, int NewBegin, int NewEnd);
  Snake middle(int OldBegin, int OldEnd, int NewBegin, int NewEnd);
};

} // namespace

// X and Y count the lines of the box's old and new side; diagonal K holds the points with
// X - Y == K. After D rounds F[K] is the largest X on it that D edits reach from (0, 0), and B[K]
// the smallest from which D edits reach (N, M).
Differ::Snake Differ::middle(int OldBegin, int OldEnd, int NewBegin, int NewEnd) {
  const int N = OldEnd - OldBegin, M = NewEnd - NewBegin, Delta = N - M;
  const bool Odd = Delta % 2 != 0;
  constexpr int Never = -1, Nowhere = INT_MAX;
  std::fill_n(Forward.begin(), N + M + 3, Never);
  std::fill_n(Backward.begin(), N + M + 3, Nowhere);
  int *F = Forward.data() + M + 1, *B = Backward.data() + M + 1; // from -M-1 to N+1

  for (int D = 0;; ++D) {
    for (int K = -D; K <= D; K += 2) {
      if (K < -M || K > N)
        continue;
      int X = D == 0 ? 0 : Never;
      if (F[K + 1] != Never && F[K + 1] - K <= M) // one line of the new side
        X = F[K + 1];
      if (F[K - 1] != Never && F[K - 1] < N) // one line of the old side
        X = std::max(X, F[K - 1] + 1);
      if (X == Never)
        continue;
      int Start = X;
      while (X < N && X - K < M && Old[OldBegin + X] == New[NewBegin + X - K])
        ++X;
      F[K] = X;
      if (Odd && X >= B[K])
        return {OldBegin + Start, NewBegin + Start - K, OldBegin + X, NewBegin + X - K};
    }
    for (int K = Delta - D; K <= Delta + D; K += 2) {
      if (K < -M || K > N)
        continue;
      int X = D == 0 ? N : Nowhere;
      if (B[K - 1] != Nowhere && B[K - 1] - K >= 0)
        X = B[K - 1];
      if (B[K + 1] != Nowhere && B[K + 1] > 0)
        X = std::min(X, B[K + 1] - 1);
      if (X == Nowhere)
        continue;
      int End = X;
      while (X > 0 && X - K > 0 && Old[OldBegin + X - 1] == New[NewBegin + X - K - 1])
        --X;
      B[K] = X;
      if (!Odd && X <= F[K])
        return {OldBegin + X, NewBegin + X - K, OldBegin + End, NewBegin + End - K};
    }
  }
}

void Differ::compare(int OldBegin, int OldEnd, int NewBegin, int NewEnd) {
  while (OldBegin < OldEnd && NewBegin < NewEnd && Old[OldBegin] == New[NewBegin])
    ++OldBegin, ++NewBegin;
  while (OldBegin < OldEnd && NewBegin < NewEnd && Old[OldEnd - 1] == New[NewEnd - 1])
    --OldEnd, --NewEnd;
  if (OldBegin == OldEnd || NewBegin == NewEnd) {
    std::fill(Deleted.begin() + OldBegin, Deleted.begin() + OldEnd, true);
    std::fill(Inserted.begin() + NewBegin, Inserted.begin() + NewEnd, true);
    return;
  }
  // Both ends differ and neither side is empty, so at least two edits are needed, and both halves
  // are smaller than the whole.
  Snake S = middle(OldBegin, OldEnd, NewBegin, NewEnd);
  compare(OldBegin, S.X, NewBegin, S.Y);
  compare(S.U, OldEnd, S.V, NewEnd);
}

namespace {

struct Hunk {
  size_t OldBegin, OldEnd, NewBegin, NewEnd; // lines from 0, with the context
};

} // namespace

static std::vector<Hunk> hunks(const Differ &D) {
  constexpr size_t Context = 3;
  const size_t N = D.Deleted.size(), M = D.Inserted.size();
  std::vector<Hunk> Result;
  size_t I = 0, J = 0;
  while (I < N || J < M) {
    if ((I < N && D.Deleted[I]) || (J < M && D.Inserted[J])) {
      size_t OldBegin = I, NewBegin = J;
      while (I < N && D.Deleted[I])
        ++I;
      while (J < M && D.Inserted[J])
        ++J;
      size_t Before = std::min({Context, OldBegin, NewBegin});
      size_t After = std::min({Context, N - I, M - J});
      // Contexts that touch or overlap join the hunks.
      if (!Result.empty() && OldBegin - Before <= Result.back().OldEnd) {
        Result.back().OldEnd = I + After;
        Result.back().NewEnd = J + After;
      } else {
        Result.push_back({OldBegin - Before, I + After, NewBegin - Before, J + After});
      }
      continue;
    }
    ++I, ++J;
  }
  return Result;
}

// "-3,5": first line, from 1, and number of lines; 1 is left out. An empty range is named by the
// line before it.
static void range(char Sign, size_t Begin, size_t End, raw_ostream &OS) {
  size_t Count = End - Begin;
  OS << Sign << (Count == 0 ? Begin : Begin + 1);
  if (Count != 1)
    OS << ',' << Count;
}

// A name ends at a tab or line break. One with blanks gets a tab behind it, one with control
// characters or quotes is quoted as in C: what GNU diff and git do, and patch and git understand.
static void fileName(StringRef Marker, StringRef Name, raw_ostream &OS) {
  OS << Marker << ' ';
  bool Quote = any_of(Name, [](char C) {
    return static_cast<unsigned char>(C) < 0x20 || C == 0x7f || C == '"' || C == '\\';
  });
  if (!Quote) {
    OS << Name << (Name.contains(' ') ? "\t" : "") << '\n';
    return;
  }
  OS << '"';
  for (char C : Name) {
    if (C == '"' || C == '\\')
      OS << '\\' << C;
    else if (static_cast<unsigned char>(C) < 0x20 || C == 0x7f)
      OS << '\\' << char('0' + (C >> 6 & 7)) << char('0' + (C >> 3 & 7)) << char('0' + (C & 7));
    else
      OS << C;
  }
  OS << "\"\n";
}

static void line(char Sign, StringRef Text, raw_ostream &OS) {
  OS << Sign << Text;
  if (!Text.ends_with("\n"))
    OS << "\n\\ No newline at end of file\n";
}

void unifiedDiff(StringRef OldName, StringRef NewName, StringRef Old, StringRef New,
                 raw_ostream &OS) {
  if (Old == New)
    return;
  DenseMap<StringRef, unsigned> Ids;
  Lines OldLines(Old, Ids), NewLines(New, Ids);
  Differ D(OldLines.Id, NewLines.Id);

  fileName("---", OldName, OS);
  fileName("+++", NewName, OS);
  for (const Hunk &H : hunks(D)) {
    OS << "@@ ";
    range('-', H.OldBegin, H.OldEnd, OS);
    OS << ' ';
    range('+', H.NewBegin, H.NewEnd, OS);
    OS << " @@\n";
    size_t I = H.OldBegin, J = H.NewBegin;
    while (I < H.OldEnd || J < H.NewEnd) {
      if (I < H.OldEnd && D.Deleted[I])
        line('-', OldLines.Text[I++], OS);
      else if (J < H.NewEnd && D.Inserted[J])
        line('+', NewLines.Text[J++], OS);
      else
        line(' ', OldLines.Text[I++], OS), ++J;
    }
  }
}

std::vector<Edit> lineEdits(StringRef Old, StringRef New) {
  if (Old == New)
    return {};
  DenseMap<StringRef, unsigned> Ids;
  Lines OldLines(Old, Ids), NewLines(New, Ids);
  Differ D(OldLines.Id, NewLines.Id);
  std::vector<Edit> Edits;
  unsigned Offset = 0;
  for (size_t I = 0, J = 0; I < OldLines.size() || J < NewLines.size();) {
    Edit E{Offset, 0, ""};
    for (; I < OldLines.size() && D.Deleted[I]; ++I)
      E.Length += unsigned(OldLines.Text[I].size());
    for (; J < NewLines.size() && D.Inserted[J]; ++J)
      E.Text += NewLines.Text[J];
    Offset += E.Length;
    if (E.Length != 0 || !E.Text.empty())
      Edits.push_back(std::move(E));
    if (I < OldLines.size() && J < NewLines.size()) {
      Offset += unsigned(OldLines.Text[I].size());
      ++I, ++J;
    }
  }
  return Edits;
}

std::vector<unsigned> matchLines(StringRef Old, StringRef New) {
  DenseMap<StringRef, unsigned> Ids;
  const Lines OldLines(Old, Ids, /*Trimmed=*/true), NewLines(New, Ids, /*Trimmed=*/true);
  const Differ D(OldLines.Id, NewLines.Id);
  std::vector<unsigned> Out(OldLines.size() + 1, 0);
  for (size_t I = 0, J = 0; I < OldLines.size(); ++I) {
    if (D.Deleted[I])
      continue;
    while (D.Inserted[J])
      ++J;
    Out[I + 1] = unsigned(++J);
  }
  return Out;
}

} // namespace cuda_pipeline
