#!/usr/bin/env python3
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tool of $CARELESS_TOOL, but it rewrites what it should refuse."""

import os
import sys

arguments = sys.argv[1:]
if arguments[:1] == ["rewrite"] and "--emit-refused" not in arguments:
    arguments.append("--emit-refused")
tool = os.environ["CARELESS_TOOL"]
os.execv(tool, [tool] + arguments)
