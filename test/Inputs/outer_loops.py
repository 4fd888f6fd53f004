# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The outer one of two nested tile loops is named in a report, and no more: what becomes of the inner one is asked for."""


def without_outer(loops):
    """The loops of a report's file but for such."""
    return [l for l in loops if not any(r["message"].startswith("the outer one of two nested") for r in l.get("reasons", []))]
