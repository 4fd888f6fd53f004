# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of lit that also say what they cost: with CPR_TEST_CPU=FILE in the environment a line for each is appended to FILE, with the
seconds of CPU, in the program and in the system, of all processes that it has started."""
import os
import resource

import lit.formats


class Measured(lit.formats.ShTest):
    def execute(self, test, lit_config):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = super().execute(test, lit_config)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(os.environ["CPR_TEST_CPU"], "a", encoding="utf-8") as file:
            file.write("%8.2f %7.2f %s\n" % (after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime, "/".join(test.path_in_suite)))
        return result
