//===- Terminal.h - Standard output and standard error ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// All that the command line prints goes through these two streams. They hide LLVM's of the same
/// names within the namespace, so that no message can get past them: what comes from a file, its
/// name or another program never acts on the terminal that shows it.
///
/// - errs() writes "<U+001B>" for what would act, wherever standard error leads: build logs are
/// looked at on terminals as well.
/// - outs() does so on a terminal. Elsewhere the bytes stay as they are: standard output may be a
/// file of the author's.
///
/// Line ends and tabs pass. Colours are no text: raw_ostream::changeColor() is there for them.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SUPPORT_TERMINAL_H
#define CUDA_PIPELINE_LIB_SUPPORT_TERMINAL_H

#include "llvm/Support/raw_ostream.h"
#include <string>

namespace cuda_pipeline {

llvm::raw_ostream &outs();
llvm::raw_ostream &errs();

/// LLVM buffers standard output: what goes to standard error next would overtake it.
void flushOutput();

/// Goes back to the first column of standard error, a terminal, and clears the line.
void clearLine();

/// \p Text with its lines, and "<U+001B>" for what would act on a terminal.
std::string harmless(llvm::StringRef Text);

/// What harms no terminal of all that is written to it, and the rest as printable() shows it. Not
/// buffered.
class HarmlessStream : public llvm::raw_ostream {
public:
  /// \p Filters: otherwise it is \p To under another name.
  HarmlessStream(llvm::raw_ostream &To, bool Filters)
      : raw_ostream(/*unbuffered=*/true), To(To), Filters(Filters) {}
  ~HarmlessStream() override { settle(); }

  /// Writes what might have been the beginning of something.
  void settle();

  raw_ostream &changeColor(Colors Color, bool Bold, bool Background) override;
  raw_ostream &resetColor() override;
  raw_ostream &reverseColor() override;
  void enable_colors(bool Enable) override;
  bool is_displayed() const override { return To.is_displayed(); }
  bool has_colors() const override { return To.has_colors(); }

private:
  void write_impl(const char *Bytes, size_t Size) override;
  uint64_t current_pos() const override { return To.tell(); }

  raw_ostream &To;
  const bool Filters;
  std::string Begun; ///< a character of UTF-8, or a line end, that is not complete yet
};

/// One message in one line. It is written when it is complete, with whatever would make more lines
/// of it, or act, shown as printable() shows it; a line end at its end may be there or not.
class MessageLine : public llvm::raw_ostream {
public:
  MessageLine(raw_ostream &To, llvm::StringRef Begin)
      : raw_ostream(/*unbuffered=*/true), To(To), Text(Begin) {}
  ~MessageLine() override;

private:
  void write_impl(const char *Bytes, size_t Size) override { Text.append(Bytes, Size); }
  uint64_t current_pos() const override { return Text.size(); }

  raw_ostream &To;
  std::string Text;
};

} // namespace cuda_pipeline

#endif
