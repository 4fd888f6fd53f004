# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From (seed, index) to a program."""

from .build import Kernel, Program
from .choices import Choices, Stream, turned
from .extra import SPOILS, Extra
from .families import FAMILIES
from .illegal import ILLEGAL
from .suspects import SUSPECTS, Site
from .suspects_unseen import DYNAMIC


def generate(seed, index, off=(), all_forms=False, illegal=False, suspects=False, flipped=False):
    """The kernel number `index` of `seed`.

    off        features to do without (choices.py)
    all_forms  also forms that the tool does not claim yet
    illegal    about a third of the kernels are such that no loop of theirs may be pipelined, or
               only by some variant
    suspects   about a third of the kernels has something in its loop that may make it illegal, one in
               six what looks like it and is legal (suspects.py)
    flipped    a suspect becomes its own twin and a twin the suspect, by the same decisions
    """
    choices = Choices(seed, index, off, all_forms)
    kernel = Kernel(choices, "")
    kernel.repeated = kernel.used_outside = kernel.dynamic = False
    # A stride that only the launch tells: asynchronous copies alone can do that, so all the others of
    # the kernel have to be fit for them.
    kernel.async_only = choices.flag("blockdim", "copy-blockdim", 10)
    kernel.bounds = choices.flag("bounds", "context-launch-bounds", 25)
    feature = None
    # One of three, of each kind in turn.
    block, slot = divmod(index, 3)
    if illegal and Stream(seed, block, "illegal").below(3) == slot:
        feature = turned(seed, block, "illegal", list(ILLEGAL) + ["illegal-extra-" + s for s in SPOILS])
        choices.features.append(feature)
        kernel.illegal = feature
    if feature in ILLEGAL:
        kernel.kernel_name = "illegal_" + feature[len("illegal-"):].replace("-", "_")
        ILLEGAL[feature](kernel)
    else:
        if suspects and index % 2 == 0:
            # In turns, so that a few kernels have all kinds.
            block, slot = divmod(index, 6)
            legal = slot == 4
            kind = list(SUSPECTS)[(block if legal else 2 * block + slot // 2) % len(SUSPECTS)]
            choices.features.append(("twin-" if legal != flipped else "suspect-") + kind)
            kernel.suspect = Site(kernel, kind, legal != flipped)
            if kind in DYNAMIC:
                choices.off |= {"context-dynamic-shared", "dynamic-pointers", "dynamic-bytes"}
        if feature:
            kernel.extra = Extra(kernel, feature[len("illegal-extra-"):])
        elif not suspects and choices.flag("extra", "extra-tile", 55):
            kernel.extra = Extra(kernel)
        if not suspects and not feature:
            kernel.launched = choices.flag("launch", "launch-in-file", 9)
        family = choices.pick("family", {name: weight for name, (_, weight) in FAMILIES.items()})
        kernel.kernel_name = choices.of("name", {
            "family-stream": ["scan_chunks", "reduceTiles", "streamKernel", "filter"],
            "family-gemm": ["gemm", "sgemm_tiled", "matMulShared", "tiledGemm"],
            "family-rows": ["matvec", "gemvTiled"], "family-conv": ["conv1d", "convChannels"],
            "family-pairs": ["nbody", "allPairs"], "family-volume": ["slabs", "stencilVolume"],
            "family-wmma": ["wmmaGemm"], "family-attention": ["attend", "attention_fwd"]}[family])
        FAMILIES[family][0](kernel)
        site = kernel.suspect or kernel.extra
        if site:
            site.finish()
    return Program(kernel, seed, index)
