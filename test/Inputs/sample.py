# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of a folder that the test suite takes, where all of them take too long."""
import os
import zlib

LONG = bool(os.environ.get("CPR_LONG"))


def is_taken(name, of):
    """One in `of`, by the name's checksum, so that it is the same ones on every machine and a new kernel changes nothing for the others; with CPR_LONG=1
    in the environment all of them."""
    return LONG or zlib.crc32(name.encode()) % of == 0
