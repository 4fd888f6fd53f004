# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""untimed-corpus.py CORPUS ARGUMENTS...: bench/corpus.py with times that the programs themselves say ("fake: 3 s" on standard error;
otherwise none). A busy machine changes nothing about these.
"""

import os
import re
import sys

script = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.dirname(script))
sys.argv = sys.argv[1:]

import corpus

measured = corpus.timed


def said(command, timeout):
    code, _, text = measured(command, timeout)
    return code, sum(map(float, re.findall(r"^fake: (\d+) s$", text, re.MULTILINE))), re.sub(r"(?m)^fake: \d+ s\n", "", text)


corpus.timed = said
sys.exit(corpus.main())
