# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a tile can consist of."""


class Elem:
    """An element type.

    name      in CUDA                      launch   in a launch description
    size      bytes                        fill     of the launch description; None: random. Integers
              are small, so that sums with floating point keep what each tile contributes
    kind      what values of it are computed with: float, double or unsigned
    value     how an element becomes such a value; {} is the element
    zero      spellings of the zero fill   other    a fill other than zero
    vectors   wider types that copy several: {elements: (type, zero)}
    """

    def __init__(self, name, size, kind, value, zero, other, launch=None, fill=None,
                 vectors=None, include=None, declare=None):
        self.name, self.size, self.kind, self.value = name, size, kind, value
        self.zero, self.other = zero, other
        self.launch, self.fill = launch or name, fill
        self.vectors = vectors or {}
        self.include, self.declare = include, declare


_UINT2 = "make_uint2(0, 0)"
_INT4 = "make_int4(0, 0, 0, 0)"
_UINT4 = "make_uint4(0u, 0u, 0u, 0u)"

ELEMENTS = {
    "elem-float": Elem("float", 4, "float", "{}", ["0.0f", "0.f", "0"], "-1.5f",
                       vectors={4: ("float4", "make_float4(0.f, 0.f, 0.f, 0.f)"),
                                2: ("float2", "make_float2(0.f, 0.f)")}),
    "elem-double": Elem("double", 8, "double", "{}", ["0.0", "0.", "0"], "2.5",
                        vectors={2: ("double2", "make_double2(0.0, 0.0)")}),
    "elem-int": Elem("int", 4, "unsigned", "(unsigned){}", ["0"], "-7", fill="uniform(-100, 100)",
                     vectors={4: ("int4", _INT4), 2: ("int2", "make_int2(0, 0)")}),
    "elem-unsigned": Elem("unsigned", 4, "unsigned", "{}", ["0u", "0"], "0xffffu", launch="unsigned int",
                          fill="uniform(0, 250)", vectors={4: ("uint4", _UINT4)}),
    "elem-int8": Elem("signed char", 1, "unsigned", "(unsigned){}", ["0"], "3",
                      vectors={4: ("int", "0"), 16: ("int4", _INT4)}),
    "elem-uchar": Elem("unsigned char", 1, "unsigned", "{}", ["0"], "255",
                       vectors={4: ("unsigned", "0u"), 8: ("uint2", _UINT2)}),
    "elem-short": Elem("short", 2, "unsigned", "(unsigned){}", ["0"], "-2", fill="uniform(-200, 200)",
                       vectors={4: ("int2", "make_int2(0, 0)")}),
    "elem-bits16": Elem("unsigned short", 2, "unsigned", "{}", ["0"], "0x3c",
                        fill="uniform(0, 300)",
                        vectors={2: ("unsigned", "0u"), 8: ("uint4", _UINT4)}),
    "elem-half": Elem("__half", 2, "float", "__half2float({})",
                      ["__float2half(0.0f)", "__float2half(0.f)"], "__float2half(1.5f)", launch="half",
                      include="cuda_fp16.h",
                      vectors={2: ("__half2", "__floats2half2_rn(0.f, 0.f)"),
                               8: ("float4", "make_float4(0.f, 0.f, 0.f, 0.f)")}),
    "elem-float2": Elem("float2", 8, "float", "({0}.x - 0.5f * {0}.y)", ["make_float2(0.f, 0.f)"],
                        "make_float2(1.f, -1.f)",
                        vectors={2: ("float4", "make_float4(0.f, 0.f, 0.f, 0.f)")}),
    "elem-float4": Elem("float4", 16, "float", "({0}.x * {0}.y - {0}.z + 0.25f * {0}.w)",
                        ["make_float4(0.f, 0.f, 0.f, 0.f)"], "make_float4(1.f, 2.f, 3.f, 4.f)"),
    "elem-int4": Elem("int4", 16, "unsigned", "(unsigned)({0}.x ^ {0}.y ^ ({0}.z & {0}.w))", [_INT4],
                      "make_int4(1, -2, 3, -4)", fill="uniform(-100, 100)"),
    "elem-int2": Elem("int2", 8, "unsigned", "(unsigned)({0}.x ^ {0}.y)", ["make_int2(0, 0)"],
                      "make_int2(5, -5)", fill="uniform(-100, 100)"),
    # Members of one type, so that the launch description can say float2 for it.
    "elem-struct": Elem("Sample", 8, "float", "({0}.weight * {0}.value)", ["Sample{0.f, 0.f}"],
                        "Sample{1.f, 0.5f}", launch="float2",
                        declare=["struct Sample {", "  float weight;", "  float value;", "};"]),
    "elem-struct12": Elem("Rgb", 12, "unsigned", "({0}.r + 3u * {0}.g + 7u * {0}.b)",
                          ["Rgb{0, 0, 0}"], "Rgb{1, 2, 3}", launch="uint3", fill="uniform(0, 50)",
                          declare=["struct Rgb {", "  unsigned r, g, b;", "};"]),
    "elem-struct16": Elem("Body", 16, "float", "({0}.x - {0}.y * {0}.z + {0}.m)",
                          ["Body{0.f, 0.f, 0.f, 0.f}"], "Body{1.f, 1.f, 1.f, 1.f}", launch="float4",
                          declare=["struct __align__(16) Body {", "  float x, y, z, m;", "};"]),
}


def common_kind(kinds):
    for kind in ("double", "float"):
        if kind in kinds:
            return kind
    return "unsigned"


def value(elem, kind, text):
    """The element `text` as a value of `kind`."""
    result = elem.value.format(text)
    if kind != elem.kind:
        if result.startswith("(unsigned)("):
            # Of small signed numbers, which would be huge as unsigned ones.
            return "(" + kind + ")" + result[len("(unsigned)"):]
        if result == "(unsigned)" + text:
            return "(" + kind + ")" + text
        result = "(" + kind + ")" + (result if elem.kind == "double" else "(" + result + ")")
    return result
