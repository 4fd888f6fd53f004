//===- Lines.h - Where lines begin ---------------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Lines as Clang counts them, because it is Clang that says in which line something is: "\n",
/// "\r\n" and a "\r" by itself each end one ("\r\r\n" ends two). Who counts them otherwise talks of
/// other lines in some files.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SUPPORT_LINES_H
#define CUDA_PIPELINE_LIB_SUPPORT_LINES_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <utility>
#include <vector>

namespace cuda_pipeline {

/// The first line without its end, and what is behind that.
inline std::pair<llvm::StringRef, llvm::StringRef> splitLine(llvm::StringRef Text) {
  const size_t End = Text.find_first_of("\r\n");
  if (End == llvm::StringRef::npos)
    return {Text, llvm::StringRef()};
  const size_t Width = Text.substr(End).starts_with("\r\n") ? 2 : 1;
  return {Text.take_front(End), Text.drop_front(End + Width)};
}

/// The byte at \p I is the last one of a line.
inline bool endsLine(llvm::StringRef Text, size_t I) {
  return Text[I] == '\n' || (Text[I] == '\r' && (I + 1 == Text.size() || Text[I + 1] != '\n'));
}

/// How many lines end in \p Text.
inline unsigned lineEnds(llvm::StringRef Text) {
  unsigned Count = 0;
  for (size_t I = 0; I < Text.size(); ++I)
    Count += endsLine(Text, I);
  return Count;
}

/// How many lines it has; what is behind the last line end is one if it is not empty.
inline unsigned lineCount(llvm::StringRef Text) {
  return lineEnds(Text) + (!Text.empty() && Text.back() != '\n' && Text.back() != '\r');
}

/// The lines of a text that stays where it is.
class LineTable {
public:
  explicit LineTable(llvm::StringRef Text) : Text(Text), Starts{0} {
    for (size_t I = 0; I < Text.size(); ++I)
      if (endsLine(Text, I))
        Starts.push_back(I + 1);
  }
  /// From 1. What is behind the end of the text is in its last line.
  unsigned lineOf(size_t Offset) const {
    return unsigned(llvm::upper_bound(Starts, Offset) - Starts.begin());
  }
  /// Offset of the first byte of the line; that of the end where there is no such line.
  size_t begin(unsigned Line) const {
    return Line == 0 ? 0 : Line <= Starts.size() ? Starts[Line - 1] : Text.size();
  }
  /// Without its end; empty where there is no such line.
  llvm::StringRef line(unsigned Line) const {
    return Line == 0 ? llvm::StringRef() : splitLine(Text.drop_front(begin(Line))).first;
  }
  /// Lines, as lineCount() has them.
  unsigned size() const { return unsigned(Starts.size()) - (Starts.back() == Text.size()); }

private:
  llvm::StringRef Text;
  std::vector<size_t> Starts;
};

} // namespace cuda_pipeline

#endif
