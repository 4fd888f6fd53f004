# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel while it is being built, and the text and launch description that it becomes."""

import copy
import json
import re

from .code import Style, render
from .host import launches
from .outline import outlined
from .styles import dressed, parameters, spelled, surroundings
from .tiles import Sym

CTYPES = {"unsigned": "unsigned int"}
# What is behind this line is kept from the tool, and is there when the rewrite is verified (tool.py).
UNSEEN = "// Behind this line is another file, which the tool does not see."


class Instance:
    """One launched kernel: a template has several. `consts` are its values of the constants."""

    def __init__(self, arguments="", consts=None, types=None):
        self.arguments, self.consts, self.types = arguments, consts or {}, types or {}


class Kernel:
    def __init__(self, choices, name):
        self.choices, self.kernel_name = choices, name
        self.block, self.threads = (32, 1, 1), 32
        self.params = []      # (declaration, launch entry: dict of strings)
        self.consts = {}      # name -> Sym
        self.computed = {}    # constants that others give: name -> text
        self.modes = []       # constants that are 0 or 1, and the other in another instantiation
        self.scalable = []    # constants that a second instantiation may double
        self.type_name = None # the element type that is a template parameter
        self.open_types = {}  # what a further one, V_, stands for: type -> its name in a launch description
        self.macros, self.helpers, self.structs, self.includes = [], {}, [], []
        self.taken = {"n", "K", "M", "N", "tiles", "out", "tid", "tx", "ty", "tz", "acc", "first",
                      "passes", "L", "C"}
        self.drawn = {}
        self.thread_names = {}
        self.body = []
        self.axis = None      # (size or None, tiles or None, unit, ragged)
        self.spans = []       # (name, Sym, ragged, largest number of blocks)
        self.let = []         # (name, expression) for the launch description
        self.multiple = {}    # run-time size -> what it must be a multiple of
        self.grid = ["1"]
        self.extra_sizes = {} # name -> values per case
        self.cost = 1         # memory accesses per tile and block
        self.dynamic_bytes = None
        self.unseen = []      # bodies of functions that the file only declares
        self.told = ()        # what the tool is told besides the file (tool.py)
        self.builds = []      # further flags that the file is compiled with, and what they change in the launch
        self.aliases = {}     # type of another name in each build -> its buffer here and there, and the list of changes
        self.undefined = []   # macros that the file defines in lines of its own
        self.waits = False    # for other blocks
        self.illegal = None
        self.suspect = None   # a suspects.Site: what is done to the first tile loop
        self.extra = None     # an extra.Extra: one more tile in the first tile loop
        self.bounds = None
        self.launched = False # the file has a launch, which says how large a block is
        self.const_style = None
        self.storage = {}     # where the tiles of a loop are, by the loop (storage.py)
        self.space = self.suffix = ""  # the namespace that the kernel is in; what its name ends with
        self.bumped = []      # pointers that move
        self.block_x, self.blocks = "blockIdx.x", "gridX"  # of what a block works on, and how many

    # --- Names and constants.
    def name(self, key, options):
        """A name that nothing else in the kernel has; the same one for the same key."""
        if key in self.drawn:
            return self.drawn[key]
        options = list(options)
        start = self.choices.stream("name." + key).below(len(options))
        for at in range(len(options)):
            name = options[(start + at) % len(options)]
            if name not in self.taken:
                break
        else:
            n = 2
            while options[start] + str(n) in self.taken:
                n += 1
            name = options[start] + str(n)
        self.taken.add(name)
        self.drawn[key] = name
        return name

    def const(self, name, value, scalable=False):
        if self.const_style is None:
            self.const_style = self.choices.pick("constants", {
                "const-literal": 20, "const-local": 20, "const-file": 20, "const-macro": 15,
                "const-template": 25})
        if name in self.consts:
            return self.consts[name]
        sym = Sym(str(value) if self.const_style == "const-literal" else name, value, name)
        self.consts[name] = sym
        self.taken.add(name)
        if scalable:
            self.scalable.append(name)
        return sym

    def is_constant(self, text):
        return text in self.consts or text.isdigit()

    def helper(self, name, lines):
        self.helpers.setdefault(name, lines)
        self.taken.add(name)

    # --- The thread's position.
    def set_block(self, x, y=1, z=1):
        self.block, self.threads = (x, y, z), x * y * z
        dims = 3 if z > 1 else 2 if y > 1 else 1
        self.choices.use("block-{}d".format(dims))
        if self.threads % 32:
            self.choices.use("block-odd" if self.threads > 32 else "block-small")
        if self.threads >= 256:
            self.choices.use("block-large")
        self.local_ids = self.choices.flag("ids", "ids-local", 60)
        style = self.choices.of("threads.text", ["number", "const"])
        self.thread_const = None
        if style == "const":
            name = self.choices.of("threads.name", ["THREADS", "BLOCK", "NT", "BLOCK_THREADS"])
            self.thread_const = self.const(name, self.threads)

    def _thread(self, name, text):
        self.thread_names[name] = text
        return name

    def tid(self):
        x, y, z = self.block
        if y * z == 1:
            return self._thread("tid", "threadIdx.x") if self.local_ids else "threadIdx.x"
        text = "threadIdx.y * {} + threadIdx.x".format(x) if z == 1 else (
            "(threadIdx.z * {} + threadIdx.y) * {} + threadIdx.x".format(y, x))
        return self._thread("tid", text)

    def tx(self):
        return self._thread("tx", "threadIdx.x") if self.local_ids else "threadIdx.x"

    def ty(self):
        return self._thread("ty", "threadIdx.y") if self.local_ids else "threadIdx.y"

    def tz(self):
        return self._thread("tz", "threadIdx.z") if self.local_ids else "threadIdx.z"

    def threads_text(self):
        return str(self.thread_const) if self.thread_const else str(self.threads)

    def block_text(self, dim):
        return str(self.block[dim])

    def unroll(self, key):
        return ["#pragma unroll"] if self.choices.of("unroll." + key, [0, 0, 1]) else []

    def note(self, what):
        notes = {"compute": ["// work on the tile", "// compute", "/* the tile is complete */"],
                 "load": ["// load the tile", "// global -> shared", "/* fetch */"]}[what]
        if self.choices.of("note." + what, [0, 0, 1]) and self.choices.allowed("comments"):
            self.choices.use("comments")
            return [self.choices.of("note.text." + what, notes)]
        return []

    # --- Parameters.
    def pointer(self, name, elem, count, role="input", fill=None, const=True, restrict=None):
        type_name = elem.name
        text = ("const " if const else "") + type_name + " *"
        if restrict is None:
            restrict = self.choices.of("restrict", [0, 1, 1])
        if restrict:
            self.choices.use("param-restrict")
            text += "__restrict__ "
        entry = {"name": name, "buffer": CTYPES.get(elem.launch, elem.launch),
                 "count": count, "role": role}
        if role != "output" and (fill or elem.fill):
            entry["fill"] = fill or elem.fill
        if type_name in self.aliases:
            here, there, changes = self.aliases[type_name]
            changes.append(tuple("{{name: {}, buffer: {},".format(name, buffer) for buffer in (here, there)))
        self.params.append((text + name, entry))
        self.taken.add(name)

    def scalar(self, name, ctype, value=None):
        if self.is_constant(name) or any(e["name"] == name for _, e in self.params):
            return
        self.params.append(("{} {}".format(ctype, name),
                            {"name": name, "scalar": ctype, "value": value or name}))
        self.taken.add(name)

    # --- Text.
    def instances(self):
        """The instantiations; one without arguments for what is no template."""
        values = {n: s.value for n, s in self.consts.items()}
        template = self.const_style == "const-template" and self.consts
        if not template and not self.type_name and not self.open_types:
            return [Instance("", values)]
        sets = [values]
        if template and self.scalable and self.choices.flag("instances", "template-several", 60):
            sets.append({n: v * 2 if n in self.scalable else v for n, v in values.items()})
        for name in self.modes if template else []:
            if self.choices.flag("modes." + name, "template-several", 80):
                sets.append(dict(values, **{name: 1 - values[name]}))
        if template and "TILES" in values and self.choices.flag("counts", "template-several", 70):
            # Unlike the others, the bound may be nothing at all.
            sets += [dict(values, TILES=n) for n in (0, 2) if n != values["TILES"]]
        types = [None]
        if self.type_name:
            types = [self.type_name]
            if self.choices.flag("types", "template-types", 70):
                types.append(self.choices.of("types.second", [
                    t for t in ("float", "double", "int") if t != self.type_name]))
        combined = [(type_name, consts) for number, type_name in enumerate(types)
                    for consts in (sets if number == 0 else sets[:1])]
        opens = list(self.open_types) or [None]
        combined = [(*one, opens[0]) for one in combined] + [(*combined[0], other) for other in opens[1:]]
        result = []
        for type_name, consts, open_type in combined:
            names = [n for n in (type_name, open_type) if n]
            arguments = names + ([str(v) for v in consts.values()] if template else [])
            result.append(Instance("<" + ", ".join(arguments) + ">", consts, dict(zip(
                self.type_parameters(), names))))
        return result

    def type_parameters(self):
        return (["T"] if self.type_name else []) + (["V_"] if self.open_types else [])

    def source(self, comment):
        c = self.choices
        style = Style(c.of("indent", ["  ", "  ", "    ", "\t"]), c.of("allman", [0, 0, 1]),
                      c.of("braces", [1, 1, 0]))
        if style.allman or style.indent == "\t" or not style.braces:
            if c.allowed("layout-other"):
                c.use("layout-other")
            else:
                style = Style()
        style_name = self.const_style
        whole = "\n".join(render(self.body, style) + [line for lines in self.structs for line in lines])
        # The kernel's own text need not mention all of them; a template has them all the same.
        consts = {n: s for n, s in self.consts.items()
                  if style_name == "const-template" or re.search(r"\b{}\b".format(n), whole)}
        heads = ["typename " + name for name in self.type_parameters()]
        if style_name == "const-template":
            heads += ["int " + n for n in consts]
        kernel = self._kernel(style, consts, heads)
        lines = ["// " + line for line in comment] + self.macros
        if style_name == "const-macro":
            lines += ["#define {} {}".format(n, s.value) for n, s in consts.items()]
        if style_name == "const-file":
            lines += ["constexpr int {} = {};".format(n, s.value) for n, s in consts.items()]
        for struct in self.structs:
            lines += struct
        lines += self._helper_lines() + [""] + kernel
        names = [n.split("(")[0].split()[1] for n in self.macros if n.startswith("#define")]
        if style_name == "const-macro":
            names += list(consts)
        return lines, names + self.undefined

    def _helper_lines(self):
        """The functions, at times in a namespace of their own."""
        lines = []
        for helper in self.helpers.values():
            lines += [""] + helper
        if lines and self.choices.flag("using", "style-using", 25):
            name = self.name("using.name", ["helpers", "util", "device_functions"])
            lines = ["", "namespace {} {{".format(name)] + lines[1:] + [
                "}} // namespace {}".format(name), "using namespace {};".format(name)]
        return lines

    def _function(self, head, style, statements):
        body = dressed(self, render(statements, style))
        lines = head.split("\n")
        return (lines + ["{"] if style.allman else lines[:-1] + [lines[-1] + " {"]) + body + ["}"]

    def _kernel(self, style, consts, heads):
        opening, body = spelled(self, self.body)
        if self.const_style == "const-local":
            opening += ["constexpr int {} = {};".format(n, s.value) for n, s in consts.items()]
        whole = "\n".join(render(body, style))
        for name, text in self.thread_names.items():
            if re.search(r"\b{}\b".format(name), whole):
                opening.append("const int {} = {};".format(name, text))
        declared = parameters(self)
        own = self.type_parameters() + (
            list(consts) if self.const_style == "const-template" else [])
        function, function_body, statements, behind = outlined(
            self, opening + body, heads, "<" + ", ".join(own) + ">" if own else "", declared)
        lines = []
        if function:
            lines += self._function(function, style, function_body) + behind + [""]
        words, self.space = surroundings(self, bool(heads))
        # Functions that are extern "C" have one name in the whole file.
        self.suffix = "_{}".format(self.choices.index) if "extern" in words else ""
        if heads:
            lines.append("template <{}>".format(", ".join(heads)))
        bounds = " __launch_bounds__({})".format(self.threads) if self.bounds else ""
        lines += self._function("{}__global__ void{} {}({})".format(
            words, bounds, self.kernel_name + self.suffix, ", ".join(declared)), style, statements)
        launching = launches(self, self.instances(), [d for d, _ in self.params]) if self.launched else []
        # A launch instantiates a template, too.
        if heads and not (launching and self.choices.of("launch.instantiates", [0, 1])):
            types = [d.rsplit(" ", 1)[0] if "*" not in d else d[:d.rindex("*") + 1]
                     + ("__restrict__" if "__restrict__" in d else "") for d, _ in self.params]
            for instance in self.instances():
                text = ", ".join(types)
                for name, actual in instance.types.items():
                    text = re.sub(r"\b{}\b".format(name), actual, text)
                lines.append("template __global__ void {}{}({});".format(
                    self.kernel_name, instance.arguments, text))
        lines += launching
        if self.choices.flag("nvcc", "kernel-nvcc", 2):
            lines = ["#ifdef __NVCC__"] + lines + ["#endif"]
        if self.space:
            lines = ["namespace {} {{".format(self.space)] + lines + [
                "}} // namespace {}".format(self.space)]
        return lines

    # --- Launches.
    def cases(self, instance):
        """Sizes: no tile, one, two, three, five, many; none that hides a mistake."""
        c = self.choices
        budget = 60000
        blocks = 1
        for _, _, _, most in self.spans:
            blocks *= most
        cost = self.cost * blocks
        if instance.consts != {n: s.value for n, s in self.consts.items()}:
            cost *= 2
        many = max(5, min(c.of("many", [7, 8, 9, 11]), budget // max(1, cost)))
        if cost * 5 > budget:
            many = 4
        counts = [0, 1, 2, 3] + ([5] if cost * 5 <= budget else []) + [many]
        result = []
        size, tiles, unit, ragged = self.axis
        if tiles is not None and self.is_constant(tiles):
            tiles, counts = None, [1, 2] if self.spans or self.extra_sizes else [1]
        unit_value = 1 if str(unit) == "1" else (
            instance.consts.get(str(unit), getattr(unit, "value", None)))
        for count in dict.fromkeys(counts):
            case = {}
            if tiles is not None:
                case[tiles] = count
            if size is not None:
                value = count * unit_value
                if ragged and count:
                    step = self.multiple.get(size, 1)
                    less = c.stream("ragged.{}".format(count)).below(unit_value)
                    value = max(step, value - less)
                    value = -(-value // step) * step
                case[size] = value
            for name, sym, span_ragged, most in self.spans:
                span = instance.consts.get(str(sym), sym.value)
                # At times fewer blocks than the most.
                n = most - c.stream("blocks.{}.{}".format(name, count)).below(most)
                value = n * span
                if span_ragged:
                    step = self.multiple.get(name, 1)
                    less = c.stream("less.{}.{}".format(name, count)).below(span)
                    value = max(step, -(-(value - less) // step) * step)
                case[name] = value
            for name, values in self.extra_sizes.items():
                case[name] = c.stream("extra.{}.{}".format(name, count)).below(len(values))
                case[name] = values[case[name]]
                step = self.multiple.get(name, 1)
                case[name] = -(-case[name] // step) * step
            result.append(case)
        return result

    def full_name(self, instance):
        return (self.space + "::" if self.space else "") + self.kernel_name + self.suffix + (
            instance.arguments)

    def launches(self, namespace="", only_cases=None):
        """One YAML document per instantiation."""
        documents = []
        for instance in self.instances():
            inside = namespace + "::" if namespace else ""
            name = self.full_name(instance)
            for own in self.open_types: # a type of the file is in its namespace, too
                if any("class {} {{".format(own) in lines or "struct {} {{".format(own) in lines for lines in self.structs):
                    name = re.sub(r"\b{}\b".format(own), inside + own, name)
            lines = ["kernel: '{}{}'".format(inside, name)]
            lines.append("cases:")
            cases = self.cases(instance)
            if cases == [{}]:
                del lines[-1]
                cases = []
            elif only_cases is not None:
                cases = [case for at, case in enumerate(cases) if at in only_cases] or cases[:1]
            for case in cases:
                lines.append("  - {" + ", ".join("{}: {}".format(n, v) for n, v in case.items()) + "}")
            lets = [(n, v) for n, v in instance.consts.items()] + [
                (n, v) for n, v in self.let]
            if lets:
                lines.append("let:")
                lines += ["  {}: {}".format(n, v) for n, v in lets]
            lines.append("grid: [{}]".format(", ".join(self.grid)))
            dims = list(self.block)
            while len(dims) > 1 and dims[-1] == 1:
                dims.pop()
            lines.append("block: [{}]".format(", ".join(str(d) for d in dims)))
            if self.dynamic_bytes:
                lines.append("shared: {}".format(self.dynamic_bytes))
            lines.append("arguments:")
            for _, entry in self.params:
                entry = dict(entry)
                if entry.get("buffer") in instance.types:
                    entry["buffer"] = instance.types[entry["buffer"]]
                    entry["buffer"] = self.open_types.get(entry["buffer"], entry["buffer"])
                    if entry["buffer"] == "int" and entry.get("role") == "input":
                        entry["fill"] = "uniform(-100, 100)"
                lines.append("  - {" + ", ".join(
                    "{}: {}".format(n, '"' + v + '"' if "?" in str(v) else v)
                    for n, v in entry.items()) + "}")
            documents.append("\n".join(lines) + "\n")
        return documents


class Program:
    """What one (seed, index) gives."""

    def __init__(self, kernel, seed, index):
        self.kernel, self.seed, self.index = kernel, seed, index
        self.launched = kernel  # whose launches they are
        # Rendering decides on looks, which are features too; so it comes before the list is read.
        self._render()

    def _render(self):
        kernel = self.kernel
        kernel.source([])
        self.features = sorted(kernel.choices.features)
        self.illegal = kernel.illegal
        self.suspect, self.twin = None, False
        comment = ["tilegen seed {} index {}".format(self.seed, self.index)]
        if kernel.suspect:
            self.suspect, self.twin = kernel.suspect.kind, kernel.suspect.legal
            comment.append(("legal twin of: " if self.twin else "suspect: ") + self.suspect)
        if self.illegal:
            comment.append("illegal: " + self.illegal)
        line = "features:"
        for feature in self.features:
            if len(line) + len(feature) > 90:
                comment.append(line)
                line = "         "
            line += " " + feature
        comment.append(line)
        self.lines, self.macro_names = kernel.source(comment)

    @property
    def includes(self):
        return list(dict.fromkeys(self.kernel.includes))

    @property
    def unseen(self):
        """What another file has."""
        return self.launched.unseen

    @property
    def waits(self):
        """For other blocks."""
        return self.launched.waits

    @property
    def told(self):
        return self.kernel.told

    @property
    def builds(self):
        """The flags of each further build."""
        return [flags for flags, _ in self.kernel.builds]

    def text(self):
        """A file of its own."""
        head = ["#include <{}>".format(i) for i in self.includes]
        behind = ["", UNSEEN] + self.unseen if self.unseen else []
        return "\n".join(head + ([""] if head else []) + self.lines + behind) + "\n"

    def launch_text(self, namespace="", only_cases=None, build=()):
        text = "---\n".join(self.launched.launches(namespace, only_cases))
        for flags, changes in self.kernel.builds:
            for before, after in changes if flags == build else ():
                text = text.replace(before, after)
        return text

    def launched_like(self, other):
        """This program under the launches of `other`, and with its other file; None where that is another text, or
        nothing else differs."""
        if (self.includes, self.kernel.source([]), self.told) != (
                other.includes, other.kernel.source([]), other.told) or (
                    self.launch_text(), self.unseen, self.waits) == (
                        other.launch_text(), other.unseen, other.waits):
            return None
        result = copy.copy(self)
        result.launched = other.kernel
        return result

    def record(self):
        result = {"seed": self.seed, "index": self.index, "features": self.features,
                  "kernels": [self.kernel.full_name(i) for i in self.kernel.instances()]}
        if self.illegal:
            result["illegal"] = self.illegal
        if self.suspect:
            result["suspect"], result["twin"] = self.suspect, self.twin
        return result

    def json(self):
        return json.dumps(self.record(), sort_keys=True)
