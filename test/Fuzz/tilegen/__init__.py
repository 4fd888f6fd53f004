# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random tile kernels for testing the rewriter: valid CUDA, with launch descriptions.

A kernel is a function of a seed and an index; `python3 -m tilegen --seed 7 --index 123` shows it. The
parts, in the order in which they are used:

    features   the list of everything that a kernel can have
    choices    decisions that can be repeated, and taken back one at a time
    code       statements and their layout
    elements   element types                 tiles      layouts, copies, guards
    guards     copies kept in bounds         storage    arrays, structs, dynamic memory
    loops      headers of tile loops         plan       how one tile is declared and copied
    families   what is computed              illegal    kernels that must be left alone
    suspects   what may make any of them illegal, and what looks like it; suspects_unseen: what the text of the
               loop does not show
    extra      one more tile in the loop, in all the forms that people write: extra_storage (where it is),
               extra_copies, extra_forms, extra_values, extra_async, extra_ways, extra_turns (how it is loaded; extra_places: element by element),
               extra_compute (what is done with it, barriers, bodies)
    styles     spellings and comments        outline    loops in functions of their own
    host       launches in the file
    build      the text and the launch description
    batch      several kernels in one file   tool       runs the program under test
    campaign   generate, rewrite, verify     shrink     reduces a failing kernel
    judge      what was refused, emitted and verified
"""

from .generate import generate

__all__ = ["generate"]
