//===- FolderOwner.h - Who may write to a folder ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What somebody else may put into a folder is not taken for one's own: neither a result that was
/// found out before, nor a declaration. The functions say why it may be somebody else's, for a
/// message; empty: nobody but its user and root can.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SUPPORT_FOLDEROWNER_H
#define CUDA_PIPELINE_LIB_SUPPORT_FOLDEROWNER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include <string>

namespace cuda_pipeline {

/// Who may put something into a folder or, with \p IsAbove, in the place of what is there.
std::string whoElseMayWrite(const llvm::sys::fs::file_status &Folder, bool IsAbove);

/// What is above \p Folder, as far as it is there: who can rename a folder, or has made a link that
/// leads on, can put another one there.
std::string whoElseMayMove(llvm::StringRef Folder);

/// Both questions about \p Folder, which need not be there, and whether it is one.
std::string whyNotMine(llvm::StringRef Folder);

} // namespace cuda_pipeline

#endif
