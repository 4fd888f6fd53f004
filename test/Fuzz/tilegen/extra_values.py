# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More of how the additional tile of extra.py is loaded: what a value passes through on its way. Variables of a
class type with an initial value, references, names that only a type needs, and types that another build changes."""

from .code import Block
from .elements import ELEMENTS, Elem
from .extra_places import each, scoped, source_at, store

_ZEROS = ("{q} {v}{{}};", "{q} {v} = {{}};", "{q} {v} = {q}{{}};", "{q} {v} = {q}();", "auto {v} = {q}();",
          "auto {v} = {q}{{}};")
_FROM_NUMBER = ("{q} {v}(0);", "{q} {v}{{0}};", "{q} {v}{{static_cast<{q}>(0)}};", "{q} {v} = {q}(0);",
                "auto {v} = {q}(0);", "auto {v}{{{q}(0)}};", "{q} {v}({q}(0));")


class Initialised:
    """An element type, and the ways in which a variable of it begins. A form without a value is followed by an else."""

    def __init__(self, elem, forms):
        self.elem, self.forms = elem, forms


_HALF2 = Elem("__half2", 4, "float", "(__low2float({0}) - 0.5f * __high2float({0}))",
              ["__floats2half2_rn(0.f, 0.f)"], "__floats2half2_rn(1.f, -1.f)", launch="half2", include="cuda_fp16.h")
_BFLOAT = Elem("__nv_bfloat16", 2, "float", "__bfloat162float({})", ["__float2bfloat16(0.f)"],
               "__float2bfloat16(1.5f)", include="cuda_bf16.h")
# Of a class, but an array of it in shared memory needs no constructor.
_WEIGHT = Elem("Weight", 4, "float", "({}.v * 0.5f)", ["Weight(0)"], "Weight(2)", launch="float", declare=[
    "class Weight {", "public:", "  float v;", "  Weight() = default;",
    "  __device__ Weight(int x) : v((float)x) {}", "};"])
_PAIR = Elem("Interval", 8, "float", "({0}.hi - 0.5f * {0}.lo)", ["Interval(0)"], "Interval(3)", launch="float2",
             declare=["struct Interval {", "  float lo, hi;", "  Interval() = default;",
                      "  __device__ explicit Interval(int x) : lo((float)x), hi((float)x) {}", "};"])
_SAMPLE = ELEMENTS["elem-struct"]

CLASSES = {
    "elem-struct": Initialised(_SAMPLE, _ZEROS + (
        "{q} {v} = {q}{{0.f, 1.f}};", "{q} {v} = {{2.f, 0.5f}};", "{q} {v}{{0.f, 0.f}};", "{q} {v};")),
    "elem-float2": Initialised(ELEMENTS["elem-float2"], _ZEROS + (
        "{q} {v} = make_float2(0.f, 1.f);", "{q} {v}{{make_float2(0.f, 0.f)}};", "{q} {v} = {{1.f}};", "{q} {v};",
        "auto {v} = make_float2(0.f, 0.f);")),
    "elem-float4": Initialised(ELEMENTS["elem-float4"], _ZEROS + (
        "{q} {v} = make_float4(0.f, 1.f, 0.f, 2.f);", "{q} {v}(make_float4(0.f, 0.f, 0.f, 0.f));", "{q} {v};")),
    "elem-half": Initialised(ELEMENTS["elem-half"], _ZEROS + _FROM_NUMBER + (
        "{q} {v}{{__float2half(0.f)}};", "auto {v}{{__float2half(2.f)}};", "{q} {v} = __float2half(0.f);", "{q} {v};")),
    "half2": Initialised(_HALF2, _ZEROS + (
        "{q} {v}(__float2half(0.f), __float2half(1.f));", "{q} {v}{{__float2half2_rn(0.f)}};", "{q} {v};")),
    "bfloat16": Initialised(_BFLOAT, _ZEROS + _FROM_NUMBER + ("{q} {v} = __float2bfloat16(0.5f);", "{q} {v};")),
    "class": Initialised(_WEIGHT, _ZEROS + _FROM_NUMBER + ("{q} {v} = 0;", "{q} {v};")),
    "class-explicit": Initialised(_PAIR, _ZEROS + _FROM_NUMBER + ("{q} {v};",)),
}


def _end(s, own):
    """A parameter behind which nothing is loaded."""
    return s.scalar(s.name("end", ["lastElement", "endOf"]), "{} * {} / 2 + 3".format(
        s.trips(), own.rows * s.k.threads))


def _held(s):
    return s.name("held", ["v", "value", "val_", "item", "r_"])


def _conditional(s, own, feed, forms, q):
    """Q v = ..; if (in) v = g[..]; tile = v;"""
    end, name, form = _end(s, own), _held(s), s.of("init.form", forms)
    other = own.elem.other
    swapped = s.of("init.swapped", [0, 0, 1])

    def body(row):
        at = source_at(s, own, row)
        load, clear = ["{} = {}[{}];".format(name, feed, at)], []
        if form == "{q} {v};":
            clear = ["{} = {};".format(name, other)]
        test = Block("if ({} >= {})".format(at, end), clear, Block("", load)) if swapped and clear else Block(
            "if ({} < {})".format(at, end), load, Block("", clear) if clear else None)
        return [form.format(q=q, v=name), test, "{} = {};".format(store(own, row, s.tid), name)]
    s.load(*scoped(own, each(s, own, body)))


def initialised(s, own, feed):
    """A variable of a class type, in all the ways in which it can begin."""
    of_class = next(c for c in CLASSES.values() if c.elem is own.elem)
    _conditional(s, own, feed, of_class.forms, own.elem.name)


def initialised_nonzero(s, own, feed):
    """The class has a constructor that is no zero; the tile has numbers."""
    kind = s.name("padded.type", ["Padded", "Clamped", "OrOne"])
    form = s.of("padded.form", ["constructor", "members", "inherited"])
    base = []
    if form == "constructor":
        lines = ["  float v;", "  __device__ {}() : v(1.5f) {{}}".format(kind)]
    elif form == "members":
        lines = ["  float v = 1.5f;", "  {}() = default;".format(kind)]
    else:
        base = ["struct {}Base {{".format(kind), "  float v = 0.75f;", "};"]
        lines = ["  {}() = default;".format(kind)]
    set_ = "v = x;" if form != "constructor" else s.of("padded.set", ["v = x;", "this->v = x;"])
    s.k.structs.append(base + [
        "struct {}{} {{".format(kind, " : {}Base".format(kind) if base else "")] + lines + [
        "  __device__ {}(float x) {{ {} }}".format(kind, set_),
        "  __device__ operator float() const { return v; }", "};"])
    _conditional(s, own, feed, ("{q} {v};", "{q} {v}{{}};", "{q} {v} = {q}();", "{q} {v} = {{}};", "auto {v} = {q}();")
                 if form != "constructor" else ("{q} {v}{{}};", "{q} {v} = {q}();", "auto {v} = {q}();"), kind)


def initialised_template(s, own, feed):
    """The type is a parameter of the template: T v(T(0)); the compute phase takes it by functions."""
    _conditional(s, own, feed, _ZEROS + _FROM_NUMBER + ("{q} {v}({q}(0));",) * 4, own.elem.name)


# What a template can be instantiated with; "asFloat" has them all.
OPEN = Elem("V_", 4, "float", "asFloat({})", ["V_(0)"], "V_(2)", launch="V_")
OPEN_TYPES = (["float", "__half"], ["__half", "float"], ["Weight", "float"], ["__half"], ["Weight"], ["__nv_bfloat16"],
              ["float", "__nv_bfloat16"])


def open_type(s, k):
    """Makes the kernel a template of the element type V_."""
    types = s.of("open.types", OPEN_TYPES)
    lines = []
    for name in types:
        elem = {"float": ELEMENTS["elem-float"], "__half": ELEMENTS["elem-half"], "Weight": _WEIGHT,
                "__nv_bfloat16": _BFLOAT}[name]
        if elem.include and elem.include not in k.includes:
            k.includes.append(elem.include)
        lines += elem.declare or []
        lines.append("__device__ inline float asFloat({} x) {{ return {}; }}".format(
            name, elem.value.format("x")))
        k.open_types[name] = elem.launch
    k.structs.append(lines)
    return OPEN


# --- References and names ---------------------------------------------------------------------------------
def _filled(s, target, test, loaded, fill):
    form = s.of("reference.store", ["else", "else", "ternary", "negated"])
    load, clear = "{} = {};".format(target, loaded), "{} = {};".format(target, fill)
    if form == "ternary":
        return ["{} = {} ? {} : {};".format(target, test, loaded, fill)]
    if form == "negated":
        return [Block("if (!({}))".format(test), [clear], Block("", [load]))]
    return [Block("if ({})".format(test), [load], Block("", [clear]))]


def reference(s, own, feed):
    """A reference to the element in global memory."""
    end, name = _end(s, own), s.name("row.ref", ["row", "src_", "s_", "elem_"])
    declared = s.of("reference.form", ["const auto &{} = {};", "const {q} &{} = {};", "auto &&{} = {};",
                                       "const {q} &{}({});", "const {q} &{}{{{}}};"])
    fill = s.of("reference.fill", own.elem.zero + [own.elem.other])

    def body(row):
        at = source_at(s, own, row)
        return [declared.format(name, "{}[{}]".format(feed, at), q=own.elem.name)] + _filled(
            s, store(own, row, s.tid), "{} < {}".format(at, end), name, fill)
    s.load(*scoped(own, each(s, own, body)))


def shadowing(s, own, feed):
    """The reference, or the variable, has the name of one around the loop, which is used behind it."""
    end, name = _end(s, own), s.name("shadowed", ["v", "value", "x_", "sum_"])
    declared = s.of("shadow.form", ["const {q} &{} = {};", "const {q} &{} = {};", "const auto &{} = {};",
                                    "const {q} {} = {};", "{q} {} = {};"])
    s.before.append("{} {} = {};".format(own.elem.name, name, own.elem.other))
    s.after.insert(0, s.see(own.elem, name))
    fill = s.of("reference.fill", own.elem.zero + [own.elem.other])

    def body(row):
        at = source_at(s, own, row)
        return [declared.format(name, "{}[{}]".format(feed, at), q=own.elem.name)] + _filled(
            s, store(own, row, s.tid), "{} < {}".format(at, end), name, fill)
    lines = each(s, own, body)
    # In the scope of the loop's body, or in one of its own.
    s.load(*(scoped(own, lines) if s.of("shadow.scope", [0, 1]) else [Block("", lines)]))


def mentioned(s, own, feed):
    """A variable that only sizeof or decltype names."""
    end, name = _end(s, own), s.name("mentioned", ["like", "sample_", "shape_"])
    q = own.elem.name
    declared = s.of("mentioned.form", ["{q} {n};", "const {q} &{n} = {f}[{a}];", "const {q} {n} = {f}[{a}];"])
    use = s.of("mentioned.use", ["static_cast<decltype({n})>({l})", "{f}[({a}) * (sizeof({n}) / sizeof({q}))]",
                                 "{f}[({a}) + sizeof({n}) - sizeof {n}]"])
    if declared == "{q} {n};" and "static_cast" in use and s.of("mentioned.plain", [0, 1]):
        use = "decltype({n})({l})"
    fill = s.of("reference.fill", own.elem.zero + [own.elem.other])

    def body(row):
        at = source_at(s, own, row)
        loaded = "{}[{}]".format(feed, at)
        text = use.format(n=name, f=feed, a=at, l=loaded, q=q)
        return [declared.format(q=q, n=name, f=feed, a=at)] + _filled(
            s, store(own, row, s.tid), "{} < {}".format(at, end), text, fill)
    s.load(*scoped(own, each(s, own, body)))


def load_to(s, own, feed):
    """A function stores through a reference what another reference names, or zero."""
    end, e = _end(s, own), own.elem.name
    words = s.of("copy.words", ["", "__forceinline__ ", "inline ", "static "])
    head = "template <typename E>" if s.of("load.to.template", [0, 1]) else ""
    q = "E" if head else e
    name = "loadTo" + ("" if head else "".join(w.capitalize() for w in e.strip("_").split()))
    fill = "E()" if head else s.of("load.to.fill", own.elem.zero + [own.elem.other])
    form = s.of("load.to.form", [["  if (inside)", "    to = from;", "  else", "    to = {f};"],
                                 ["  to = inside ? from : {f};"],
                                 ["  to = {f};", "  if (inside)", "    to = from;"]])
    if fill == "E()" and e == "float4":
        form = form[:1] + form[1:]
    s.k.helper(name, ([head] if head else []) + [
        "__device__ {}void {}({} &to, const {} &from, bool inside) {{".format(words, name, q, q)] + [
            line.format(f=fill) for line in form] + ["}"])
    s.load(*each(s, own, lambda row: ["{}({}, {}[{}], {} < {});".format(
        name, store(own, row, s.tid), feed, source_at(s, own, row), source_at(s, own, row), end)]))


# --- What another build changes ---------------------------------------------------------------------------
OTHER_BUILD = "-DOTHER_BUILD"
_INCLUDES = {"__half": "cuda_fp16.h", "__nv_bfloat16": "cuda_bf16.h"}
_LAUNCH = {"__half": "half", "unsigned": "unsigned int"}
_CONVERT = {"__half": "__half2float(u)", "__nv_bfloat16": "__bfloat162float(u)", "float": "(u)"}


def _alias(s, types, macro=None):
    """The name of a type that is the first of `types`, and in the other build the second. With a macro of its name
    that makes a float of it."""
    k = s.k
    name = s.name("alias.type", ["real", "scalar_t", "Num", "real_t"])
    spelled = s.of("alias.spelled", ["using {} = {};", "typedef {1} {0};"])
    arms = []
    for type_ in types:
        if type_ in _INCLUDES and _INCLUDES[type_] not in k.includes:
            k.includes.append(_INCLUDES[type_])
        arms.append([spelled.format(name, type_)] + (
            ["#define {}(u) {}".format(macro, _CONVERT[type_])] if macro else []))
    k.structs.append(["#ifdef " + OTHER_BUILD[2:], *arms[1], "#else", *arms[0], "#endif"])
    if macro:
        k.undefined.append(macro)
    here, there = (_LAUNCH.get(t, t) for t in types)
    changes = []  # of all arrays of this type, which are declared later
    k.aliases[name] = (here, there, changes)
    k.builds.append(((OTHER_BUILD,), changes))
    return name, here


def alias_source(s):
    """The element in global memory, of an alias; a macro converts it, by value or not at all."""
    types = s.of("alias.types", [("__half", "float"), ("float", "__half"), ("__half", "float"),
                                 ("float", "__nv_bfloat16")])
    macro = "TO_FLOAT_{}".format(s.k.choices.index)
    name, launch = _alias(s, types, macro)
    return Elem(name, 4, "float", macro + "({})", ["0"], "0", launch=launch)


def alias_elem(s):
    """The tile is of an alias, too."""
    types = s.of("alias.types", [("int", "float"), ("unsigned", "float"), ("float", "int"), ("float", "double"),
                                 ("double", "float"), ("short", "int")])
    name, launch = _alias(s, types)
    fill = "uniform(-90, 90)" if "short" in types or "int" in types else "uniform(0, 250)" if (
        "unsigned" in types) else None
    return Elem(name, 8, "float", "(float){}", [name + "(0)"], name + "(3)", launch=launch, fill=fill)


def alias(s, own, feed):
    macro = own.source.value
    loaded = lambda at: macro.format("{}[{}]".format(feed, at))
    if s.of("alias.guard", [0, 0, 1]) == 0:
        s.load(*each(s, own, lambda row: ["{} = {};".format(
            store(own, row, s.tid), loaded(source_at(s, own, row)))]))
        return
    end = _end(s, own)
    s.load(*each(s, own, lambda row: _filled(
        s, store(own, row, s.tid), "{} < {}".format(source_at(s, own, row), end),
        loaded(source_at(s, own, row)), own.elem.zero[0])))


def alias_ldg(s, own, feed):
    call = s.of("alias.call", ["__ldg(&{}[{}])", "__ldg({} + {})"])
    s.load(*each(s, own, lambda row: ["{} = {};".format(
        store(own, row, s.tid), call.format(feed, source_at(s, own, row)))]))
