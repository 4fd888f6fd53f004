//===- HtmlPictures.cpp - Timeline, staircase and memory as SVG ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All pictures are 360 units wide, about the width of a phone, so that their words can be read
// there.
//
//===----------------------------------------------------------------------===//
#include "HtmlParts.h"
#include "cuda-pipeline/GpuTarget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace cuda_pipeline {

namespace {

/// A coordinate.
std::string at(double V) { return number(V, 1); }

class Picture {
public:
  Picture(HtmlIds &Ids, raw_ostream &OS, StringRef Title, StringRef Description, unsigned Height)
      : OS(OS) {
    const std::string T = Ids.next("title"), D = Ids.next("desc");
    OS << "<figure class=\"picture\">\n<svg viewBox=\"0 0 360 " << Height
       << "\" role=\"img\" aria-labelledby=\"" << T << ' ' << D << "\">\n<title id=\"" << T << "\">"
       << escaped(Title) << "</title>\n<desc id=\"" << D << "\">" << escaped(Description)
       << "</desc>\n";
  }
  void end(const Twine &Caption) {
    OS << "</svg>\n<figcaption>" << escaped(Caption.str()) << "</figcaption>\n</figure>\n";
  }

  void line(StringRef Class, double X1, double Y1, double X2, double Y2) {
    OS << "<path class=\"" << Class << "\" d=\"M" << at(X1) << ' ' << at(Y1) << 'L' << at(X2) << ' '
       << at(Y2) << "\"/>\n";
  }
  void box(StringRef Class, double X, double Y, double W, double H) {
    OS << "<rect class=\"" << Class << "\" x=\"" << at(X) << "\" y=\"" << at(Y) << "\" width=\""
       << at(std::max(W, 0.5)) << "\" height=\"" << at(H) << "\"/>\n";
  }
  /// \p Anchor: "start", "middle", "end".
  void text(StringRef Class, double X, double Y, StringRef Anchor, const Twine &Text) {
    OS << "<text";
    if (!Class.empty())
      OS << " class=\"" << Class << '"';
    OS << " x=\"" << at(X) << "\" y=\"" << at(Y) << '"';
    if (Anchor != "start")
      OS << " text-anchor=\"" << Anchor << '"';
    OS << '>' << escaped(Text.str()) << "</text>\n";
  }
  void ring(StringRef Class, double X, double Y) {
    OS << "<circle class=\"" << Class << "\" cx=\"" << at(X) << "\" cy=\"" << at(Y)
       << "\" r=\"4.5\"/>\n";
  }
  void diamond(StringRef Class, double X, double Y) {
    OS << "<path class=\"" << Class << "\" d=\"M" << at(X) << ' ' << at(Y - 5.5)
       << "l5.5 5.5l-5.5 5.5l-5.5 -5.5z\"/>\n";
  }
  raw_ostream &OS;
};

/// A step of 1, 2 or 5, or of a power of two, with at most \p Most of them up to \p Last.
double tickStep(double Last, double Most, bool OfTwo) {
  double Step = 1;
  for (unsigned I = 0; Last / Step > Most; ++I)
    Step *= OfTwo ? 2 : I % 3 == 1 ? 2.5 : 2;
  return Step;
}

std::string count(unsigned N, StringRef One, StringRef Several) {
  return (Twine(N) + " " + (N == 1 ? One : Several)).str();
}

struct Span {
  double Begin, End;
};

} // namespace

void drawTimeline(const LoopReport &L, const std::optional<MeasuredParts> &Measured,
                  StringRef WhyNot, HtmlIds &Ids, raw_ostream &OS) {
  constexpr unsigned Tiles = 4;
  double Load = 1, Compute = 1;
  if (Measured) {
    const double Sum = Measured->LoadsMicroseconds + Measured->ComputeMicroseconds;
    Load = 2 * Measured->LoadsMicroseconds / Sum;
    Compute = 2 * Measured->ComputeMicroseconds / Sum;
  }
  const bool Async = L.Variant == "cp-async";
  const unsigned Ahead = Async && L.Stages > 2 ? L.Stages - 1 : 1;

  std::vector<Span> Loads[2], Computes[2];
  std::vector<double> Barriers[2];
  double Now = 0;
  for (unsigned I = 0; I < Tiles; ++I) {
    Loads[0].push_back({Now, Now + Load});
    Barriers[0].push_back(Now + Load);
    Now += Load;
    Computes[0].push_back({Now, Now + Compute});
    Barriers[0].push_back(Now + Compute);
    Now += Compute;
  }
  const double Total = Now;
  // A load begins when the code starts it and the one before it is through; compute when its tile
  // is there.
  double Through = 0, Done = 0;
  for (unsigned I = 0; I < Tiles; ++I) {
    auto Start = [&](unsigned Tile, double When) {
      const double Begin = std::max(Through, When);
      Through = Begin + Load;
      Loads[1].push_back({Begin, Through});
      (void)Tile;
    };
    if (I == 0)
      for (unsigned T = 0; T < std::min(Ahead, Tiles); ++T)
        Start(T, 0);
    const double Begin = std::max(Done, Loads[1][I].End);
    Barriers[1].push_back(Begin);
    if (I + Ahead < Tiles)
      Start(I + Ahead, Begin);
    Done = Begin + Compute;
    Computes[1].push_back({Begin, Done});
    if (L.Variant == "ldg-single")
      Barriers[1].push_back(Done);
  }

  std::string Description =
      "Before: the load of a tile, then the compute on it, one after the other. After: ";
  Description += Ahead == 1 ? "while a tile is computed on, the load of the next one is under way."
                            : "while a tile is computed on, the loads of the next " +
                                  std::to_string(Ahead) + " are under way.";
  Picture P(Ids, OS, "The first " + std::to_string(Tiles) + " tiles, before and after", Description,
            170);
  const double Left = 58, Width = 296, Scale = Width / Total;
  double Top = 14;
  for (unsigned V : {0, 1}) {
    P.text("head", 0, Top, "start", V == 0 ? "before" : "after");
    const double Y[2] = {Top + 6, Top + 28};
    P.text("quiet", 0, Y[0] + 12, "start", "load");
    P.text("quiet", 0, Y[1] + 12, "start", "compute");
    P.line("grid", Left, Y[0] - 2, Left, Y[1] + 20);
    for (unsigned I = 0; I < Tiles; ++I)
      for (unsigned Lane : {0, 1}) {
        const Span S = (Lane == 0 ? Loads : Computes)[V][I];
        const double W = (S.End - S.Begin) * Scale;
        P.box(Lane == 0 ? "box load" : "box compute", Left + S.Begin * Scale, Y[Lane], W, 17);
        if (W >= 9)
          P.text(Lane == 0 ? "in load" : "in compute", Left + (S.Begin + S.End) / 2 * Scale,
                 Y[Lane] + 12, "middle", Twine(I));
      }
    for (double B : Barriers[V])
      P.line("wall barrier", Left + B * Scale, Y[0] - 3, Left + B * Scale, Y[1] + 20);
    Top += 68;
  }
  P.line("axis", Left, 150, Left + Width, 150);
  P.text("quiet", Left + Width, 163, "end", "time \xe2\x86\x92");
  P.text("quiet", 0, 163, "start", Measured ? "measured parts" : "schematic, not measured");
  const std::string Order =
      "Tiles 0 to " + std::to_string(Tiles - 1) + " on their way; a thin bar is a barrier. ";
  if (Measured)
    P.end(Order + "The lengths are measured: loads alone take " +
          number(Measured->LoadsMicroseconds, 3) + " us, compute alone " +
          number(Measured->ComputeMicroseconds, 3) + " us (" + Measured->Of +
          "); the order is that of the code.");
  else
    P.end(Order +
          "This is a sketch of the order: loads and compute are drawn equally long, because " +
          WhyNot + ".");
}

KernelMemory memoryOf(const FileReport &F, const LoopReport &L) {
  KernelMemory M{L.Smem.Before, L.Smem.After, 0,
                 L.Smem.After - std::min(L.Smem.After, L.Smem.Before)};
  for (const LoopReport &O : F.Loops)
    if (O.Kernel == L.Kernel && O.FunctionLine == L.FunctionLine && !O.Variant.empty() &&
        O.Smem.Limit != 0) {
      M.Before = std::min(M.Before, O.Smem.Before);
      M.After = std::max(M.After, O.Smem.After);
      ++M.Loops;
    }
  return M;
}

/// What the picture shows of a kernel with several loops; empty for one with one.
static std::string shareInWords(const KernelMemory &M) {
  if (M.Loops < 2)
    return "";
  return " After is the kernel with all " + std::to_string(M.Loops) +
         " loops rewritten: this one adds " + std::to_string(M.Share) + " of " +
         std::to_string(M.After - std::min(M.After, M.Before)) + " bytes.";
}

void drawStaircase(const LoopReport &L, const KernelMemory &M, StringRef Arch, HtmlIds &Ids,
                   raw_ostream &OS) {
  const GpuTarget *Gpu = GpuTarget::find(Arch);
  if (!Gpu || L.Smem.Limit == 0 || !L.Smem.Complete)
    return;
  const unsigned Threads = L.BlockThreads ? L.BlockThreads : 32; // so few that only memory counts
  auto BlocksAt = [&](uint64_t Bytes) { return computeOccupancy(*Gpu, Threads, Bytes).Blocks; };
  const unsigned Top = BlocksAt(0);
  if (Top == 0)
    return;
  const uint64_t Before = M.Before, After = M.After;
  const double Most = double(std::max({L.Smem.Limit, After, Before})) * 1.08;
  const unsigned AtBefore = BlocksAt(Before), AtAfter = BlocksAt(After);

  std::string Cliffs;
  struct Cliff {
    unsigned Blocks;
    uint64_t Bytes;
  };
  std::vector<Cliff> Drops;
  for (unsigned N = Top; N > 0; --N)
    if (const uint64_t Bytes = sharedMemoryCliff(*Gpu, N); double(Bytes) < Most) {
      Drops.push_back({N, Bytes});
      Cliffs += (Cliffs.empty() ? "" : "; ") + count(N, "block", "blocks") + " up to " +
                std::to_string(Bytes) + " bytes";
    }
  Picture P(Ids, OS, "Blocks per SM of " + Arch.str() + " against bytes of shared memory per block",
            "Before: " + std::to_string(Before) + " bytes, " + count(AtBefore, "block", "blocks") +
                ". " + "After: " + std::to_string(After) + " bytes, " +
                count(AtAfter, "block", "blocks") + ". " +
                (Cliffs.empty() ? "No step in this range." : "Steps: " + Cliffs + "."),
            240);
  const double Left = 26, Right = 354, Upper = 30, Lower = 160;
  auto X = [&](double Bytes) { return Left + (Right - Left) * Bytes / Most; };
  auto Y = [&](double Blocks) { return Lower - (Lower - Upper) * Blocks / Top; };
  const double StepY = tickStep(Top, 5, false);
  for (double N = 0; N <= Top; N += StepY) {
    P.line("grid", Left, Y(N), Right, Y(N));
    P.text("quiet", Left - 5, Y(N) + 3.5, "end", Twine(unsigned(N)));
  }
  const double StepX = tickStep(Most / 1024, 5, true);
  for (double K = 0; K * 1024 <= Most; K += StepX) {
    P.line("axis", X(K * 1024), Lower, X(K * 1024), Lower + 4);
    P.text("quiet", X(K * 1024), Lower + 15, K == 0 ? "start" : "middle", number(K));
  }
  P.line("axis", Left, Lower, Right, Lower);
  P.text("quiet", Right, Lower + 28, "end", "KiB of shared memory per block");
  P.text("quiet", 0, 11, "start", "blocks per SM");

  std::string Path = "M" + at(X(0)) + " " + at(Y(Top));
  for (const Cliff &C : Drops)
    Path += "H" + at(X(double(C.Bytes))) + "V" + at(Y(C.Blocks - 1));
  Path += "H" + at(Right);
  OS << "<path class=\"step\" d=\"" << Path << "\"/>\n";
  const double AtLimit = X(double(L.Smem.Limit));
  P.line("limit", AtLimit, 16, AtLimit, Lower);
  P.text("limit-word", std::min(AtLimit + 3, Right), 11, "end",
         "limit " + Twine(L.Smem.Limit) + " bytes");
  // What is drawn on a drop says where it is, to the byte (the next one costs a block), as far as
  // there is room for it.
  double Next = Right + 100;
  for (const Cliff &C : reverse(Drops)) {
    const double Here = X(double(C.Bytes));
    if (Next - Here < 50 || Here + 50 > Right)
      continue;
    P.text("quiet", Here + 3, Y(C.Blocks) - 4, "start", Twine(C.Bytes));
    Next = Here;
  }
  P.ring("was", X(double(Before)), Y(AtBefore));
  P.diamond("now", X(double(After)), Y(AtAfter));
  P.ring("was", 7, 206);
  P.text("", 17, 210, "start",
         "before: " + Twine(Before) + " bytes, " + count(AtBefore, "block", "blocks"));
  P.diamond("now", 7, 224);
  P.text("", 17, 228, "start",
         "after: " + Twine(After) + " bytes, " + count(AtAfter, "block", "blocks"));
  P.end("How many blocks of " +
        (L.BlockThreads ? count(L.BlockThreads, "thread", "threads")
                        : std::string("a size that is not known")) +
        " fit on one SM of " + Arch + " at a time, by " +
        (L.BlockThreads ? "threads and shared memory" : "shared memory alone") +
        "; registers are not in it. The numbers at the edges are the most bytes with which that "
        "many still fit." +
        shareInWords(M));
}

void drawBudget(const LoopReport &L, const KernelMemory &M, HtmlIds &Ids, raw_ostream &OS) {
  if (L.Smem.Limit == 0 || !L.Smem.Complete)
    return;
  const double Most = double(std::max({L.Smem.Limit, M.Before, M.After})) * 1.02;
  Picture P(Ids, OS, "Shared memory of '" + L.Kernel + "'",
            "Before: " + std::to_string(M.Before) + " bytes. " +
                "After: " + std::to_string(M.After) +
                " bytes. Limit: " + std::to_string(L.Smem.Limit) + " bytes.",
            104);
  const double Left = 58, Right = 354;
  auto X = [&](double Bytes) { return Left + (Right - Left) * Bytes / Most; };
  double Y = 20;
  for (bool New : {false, true}) {
    const uint64_t Bytes = New ? M.After : M.Before;
    const unsigned Stages = New ? std::max(L.Stages, 1u) : 1;
    P.text("head", 0, Y + 17, "start", New ? "after" : "before");
    P.box("plain", Left, Y, X(double(Bytes)) - Left, 24);
    // The tiles in it, where they are all that they seem to be.
    uint64_t Tiles = 0;
    for (const BufferReport &B : L.Buffers)
      Tiles += B.Bytes;
    if (Tiles != 0 && Tiles * Stages <= Bytes &&
        none_of(L.Buffers, [](const BufferReport &B) { return B.Bytes == 0; })) {
      double From = Left;
      for (unsigned S = 0; S < Stages; ++S)
        for (const BufferReport &B : L.Buffers) {
          const double To = From + X(double(B.Bytes)) - Left;
          P.box("box load", From, Y, To - From, 24);
          // About six units a letter.
          if (std::string Name = B.Name; To - From > 6.2 * double(Name.size()) + 4)
            P.text("in load", (From + To) / 2, Y + 15.5, "middle", Name);
          From = To;
        }
    }
    const std::string Words = std::to_string(Bytes) + " bytes";
    const double End = X(double(Bytes));
    P.text("quiet", End + 5 + 6 * double(Words.size()) > Right ? End : Left, Y + 36,
           End + 5 + 6 * double(Words.size()) > Right ? "end" : "start", Words);
    Y += 44;
  }
  const double AtLimit = X(double(L.Smem.Limit));
  P.line("limit", AtLimit, 14, AtLimit, Y - 18);
  P.text("limit-word", AtLimit, 10, "end", "limit " + Twine(L.Smem.Limit) + " bytes");
  std::string Tiles;
  for (const BufferReport &B : L.Buffers)
    Tiles += (Tiles.empty() ? "" : ", ") + ("'" + B.Name + "' " +
                                            (B.Bytes ? std::to_string(B.Bytes) + " bytes"
                                                     : std::string("of a size that is not known")));
  P.end("Shared memory of one block against the limit. " +
        (Tiles.empty() ? std::string() : "Tiles, one stage: " + Tiles + ".") + shareInWords(M));
}

} // namespace cuda_pipeline
