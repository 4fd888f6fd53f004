# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An additional tile in the loop of any family, in all the forms that people write.

The tile has an array, global memory and a result of its own, so that it goes with all forms of the family's
tiles. Five things about it are drawn one by one: where it is (extra_storage.py), how it is loaded
(extra_copies.py), what is computed with it, how the barriers are written, what else is in the body
(extra_compute.py), and what the place of the tile is read from. Each goes round in turns, so that a few hundred
kernels have all of them.

Illegal twins (`spoil`): the same kernel with one thing wrong. Whether a rewrite is, is decided by
running it.
"""

from .choices import turned
from .code import Block, mul, paren
from .elements import ELEMENTS
from .extra_compute import BODY, SYNCS, WORK, nested, partial
from .extra_copies import ALONE, FETCH, VALUES
from .extra_storage import DYNAMIC, NO_ARRAY, SCATTERED, STORAGE, Own
from .features import FEATURES
from .plan import need
from .suspects import _DECAY, BARRIER, Site

# What asynchronous copies alone can do.
NUMBER_UNKNOWN = ("fetch-blockdim", "fetch-until-parameter", "fetch-async-block", "fetch-group-rank")
# Those that a launch in the file tells the number of.
OF_BLOCK = ("fetch-blockdim", "fetch-async-block", "fetch-group-rank")
# Those that test where an element is.
GUARDED = ("fetch-fills", "fetch-no-else", "fetch-fills-variable", "fetch-asm-predicated", "fetch-async",
           "fetch-async-asm", "fetch-async-asm-template", "fetch-function-or-zero", "fetch-initialised",
           "fetch-initialised-nonzero", "fetch-initialised-template", "fetch-reference", "fetch-shadowing",
           "fetch-mentioned", "fetch-load-to", "fetch-alias", "fetch-kept", "fetch-together", "fetch-left", "fetch-several", "fetch-clipped", "fetch-chained", "fetch-cleared")
# What a mistake is made in.
SPOILED = {"turns": ("fetch-turns-difference", "fetch-turns-pointers", "fetch-turns-down", "fetch-turns-distance",
                     "fetch-turns-group"),
           "sum": ("fetch-summed",), "counter": ("fetch-counter-shared",), "left": ("fetch-left", "fetch-until-loaded", "fetch-jumps", "fetch-open"),
           "pointer": ("fetch-pointer-shared",)}
# Of an element that only the kernel knows: what a function or a type in front of it cannot name.
OF_KERNEL = ("fetch-initialised-template",)
_KERNEL_STORAGE = ("own-plain", "own-inside", "own-macro", "own-rows", "own-planes", "own-pointer", "own-view",
                   "own-view-rows", "own-reference", "own-called-pointer", "own-called-reference")
_KERNEL_WORK = ("work-mirror", "work-total")
# What takes elements of any type, through their value.
FREE_WORK = ("work-mirror", "work-total", "work-barriers", "work-behind")
PLACES = ("place-turn", "place-loop", "place-state-top", "place-state-load", "place-state-between", "place-state-compute",
          "place-state-end")

# What can be wrong.
SPOILS = [f[len("illegal-extra-"):] for f in FEATURES if f.startswith("illegal-extra-")]


class Extra(Site):
    def __init__(self, k, spoil=None):
        super().__init__(k, "extra", True)
        self.spoil = spoil
        self.later = []           # done when the loop's other parts are there
        self.directives = None
        self._place = None
        self.late_load = []       # behind all that is loaded

    def phases(self, load, compute):
        load, compute = super().phases(load, compute)
        return load + self.late_load, compute

    def decay(self):
        return _DECAY[self.seen_kind]

    def feed(self, elem, count=None, key="feed", **rest):
        names = {"tags": ["tagsIn", "marksIn"], "tags2": ["valsIn", "laterIn"], "tags3": ["weightsIn", "lastIn"],
                 "scales": ["scales", "qscale"], "feed2": ["feedB", "besidesIn"], "feed3": ["firstIn", "queryIn"],
                 "index": ["orderIn", "indexIn", "pages"], "weights": ["rowWeights", "factorsIn"]}
        if key not in names:
            return super().feed(elem, count, key, **rest)
        return self._declared(self.name(key, names[key]), elem, count, **rest)

    def _declared(self, name, elem, count, const=True, restrict=None, fill=None):
        count = count or "({} + 2) * {}".format(self.trips(), self.k.threads)
        self.parameters.append(lambda: self.k.pointer(
            name, elem, count, role="input" if const else "inout", const=const, restrict=restrict, fill=fill))
        return name

    def place(self):
        if self._place is None:
            self._place = self._drawn_place()
        return self._place

    def _drawn_place(self):
        c = self.k.choices
        form = self.turned("place", PLACES)
        if self.guarded and not c.allowed("offset-state-guarded"):
            form = "place-loop" if form.startswith("place-state") else form
        if self.spoil == "address":
            form = "place-state-compute"
        elif {"fetch-views", "fetch-in-place"} & set(c.features) and form.startswith("place-state") and self.of("place.views", [0, 1, 1, 1]):
            form = "place-loop"
        c.use(form)
        if form == "place-loop":
            return self.loop.position
        if form == "place-turn":
            return self.turn()
        name = self.name("place", ["cursor_", "nextTile", "whereTo"])
        self.before.append("int {} = {};".format(name, -1 if form == "place-state-top" else 0))
        step = self.of("place.step", ["++{};", "{} += 1;", "{0} = {0} + 1;"]).format(name)
        if self.spoil == "address":
            # Within what there is.
            limit = self.scalar(self.name("places", ["placesIn", "slotCount"]), "{} + 2".format(self.trips()))
            test = "{} > 0".format(self.own.elem.value.format(self.own.flat("0")))
            if self.own.elem.kind == "unsigned":
                test = "((int){} & 1) != 0".format(paren(self.own.elem.value.format(self.own.flat("0"))))
            step = "{0} = ({0} + ({1} ? 1 : 2)) % {2};".format(name, test, limit)
        self.place_step = step
        if form == "place-state-top":
            self.loop.top.append(step)
        else:
            self.loop.bumps.append((form[len("place-state-"):], step))
        return name

    def turned(self, axis, options):
        """The option whose turn it is, or the plainest one."""
        c = self.k.choices
        chosen = turned(c.seed, c.index, "extra." + axis, options)
        return chosen if c.allowed(chosen) else next(iter(options))

    # --- What is drawn.
    def _draw(self):
        k, c = self.k, self.k.choices
        fetch = self.turned("fetch", FETCH)
        if self.spoil == "value":
            fetch = self.turned("fetch.value", VALUES)
        if self.spoil in SPOILED:
            fetch = self.turned("fetch." + self.spoil, SPOILED[self.spoil])
        work, storage = self.turned("work", WORK), self.turned("own", STORAGE)
        if self.spoil == "pool":
            storage = self.of("pool.which", ["own-pool-front", "own-pool-behind"])
        if k.async_only and (not FETCH[fetch].async_ or self.of("fetch.unknown", [0, 1])):
            fetch = self.of("fetch.async", NUMBER_UNKNOWN)
        if fetch in NUMBER_UNKNOWN and not k.async_only and not (k.launched and fetch in OF_BLOCK):
            # How many registers that takes is not known.
            fetch = "fetch-strided"
        if self.of("gives.way", [0, 1]) or storage == "own-struct-array":
            # What the tile cannot be given to, so that all places of tiles get their turn.
            fetch = "fetch-strided" if _lacks(storage, FETCH[fetch].needs) else fetch
            work = "work-mirror" if _lacks(storage, WORK[work].needs) else work
        if fetch in OF_KERNEL:
            if k.type_name or self.spoil or k.launched:
                fetch = "fetch-initialised"
            else:
                storage = storage if storage in _KERNEL_STORAGE else "own-plain"
                work = work if work in _KERNEL_WORK else "work-mirror"
        if FETCH[fetch].warps and k.threads % 32:
            fetch = "fetch-strided"
        if fetch == "fetch-method":
            if storage != "own-object-nested":
                storage = "own-object" if c.allowed("own-object") else storage
            fetch = fetch if storage.startswith("own-object") else "fetch-loader"
        how, use = FETCH[fetch], WORK[work]
        rows = self.of("rows", how.rows)
        if rows * k.threads < use.least <= 8 * k.threads and len(how.rows) > 1:
            rows = -(-use.least // k.threads)
        if (storage.startswith("own-pool") or fetch == "fetch-turns-group") and c.flag("pool.launched", "launch-in-file", 60):
            # Where all launches are seen, the memory can grow.
            k.launched = True
        limited = fetch in ("fetch-subset", "fetch-until-parameter", "fetch-no-else", "fetch-left", "fetch-until-loaded", "fetch-jumps", "fetch-open")
        if (use.elems and how.elems and not set(use.elems) & set(how.elems)
                or use.warps and k.threads % 32 or use.power and k.threads & (k.threads - 1)
                or use.least > rows * k.threads or limited and (use.least > 1 or use.needs == "array")
                or k.async_only and use.elems and "elem-half" in use.elems or work in ("work-atomics", "work-counted") and k.threads < 8
                or work == "work-stored" and k.repeated):
            work = "work-mirror"
        if fetch in ("fetch-no-else", "fetch-left", "fetch-until-loaded", "fetch-jumps", "fetch-open"):
            work = "work-total"
        use = WORK[work]
        elems = [e for e in ("elem-float", "elem-float", "elem-float", "elem-int", "elem-unsigned", "elem-double",
                             "elem-short", "elem-half", "elem-float4", "elem-int2")
                 if not (how.elems and e not in how.elems or use.elems and e not in use.elems)
                 and not (k.async_only and e in ("elem-short", "elem-half"))
                 and not (e == "elem-float4" and k.threads > 128)]
        elem = ELEMENTS[self.of("elem", elems)] if elems else ELEMENTS[how.elems[0]]
        if self.spoil and elem.name not in ("float", "int", "unsigned", "double") and not how.elems and not use.elems:
            elem = ELEMENTS["elem-float"]
        if how.own:
            # Functions of the compute phase are made for the elements that families have.
            work = work if not use.elems and work in FREE_WORK else "work-mirror"
            use = WORK[work]
            elem = how.own(self)
        need(k, elem)
        if storage in DYNAMIC and (k.dynamic_bytes is not None or k.type_name) or (
                _lacks(storage, how.needs)) or _lacks(storage, use.needs) or (
                    storage == "own-inside" and (fetch == "fetch-closure" or self.spoil)) or (
                    k.async_only and storage in DYNAMIC + ("own-large",)) or (
                        fetch == "fetch-until-parameter" and storage == "own-bytes") or (
                            storage == "own-inside" and work == "work-behind") or (
                                storage == "own-dynamic-operator" and fetch == "fetch-lambda") or (
                                    fetch == "fetch-async-asm-vector" and storage in SCATTERED):
            # Behind an unknown bound may be what else is in the array of bytes. Where an object's pointer
            # leads to is not known, so the function object's might lead there.
            storage = "own-plain"
            fetch = "fetch-loader" if fetch == "fetch-method" else fetch
            how = FETCH[fetch]
        if rows * k.threads * elem.size + self.static_bytes > 36000:
            rows = min(how.rows)
            if use.least > rows * k.threads:
                work, use = "work-mirror", WORK["work-mirror"]  # the other one reads more than that
        if storage == "own-large" and (fetch in ("fetch-subset", "fetch-no-else", "fetch-nibbles", "fetch-macro-vector",
                                                 "fetch-asm-vector", "fetch-staged", "fetch-staged-again")
                                       or how.source or limited or k.threads < 32 or len(set(how.rows)) == 1):
            storage = "own-plain"
        own = Own(elem, rows, k.threads)
        own.aligned = max(how.aligned, use.aligned)
        own.by_pointer = bool(how.needs or use.needs)
        source = elem
        if how.source:
            source = ELEMENTS[self.of("source", how.source)]
            need(k, source)
        if how.from_:
            source = how.from_(self)
        own.source = source
        self.guarded = fetch in GUARDED
        for feature in (storage, fetch, work):
            c.use(feature)
        return own, STORAGE[storage], how, use

    def apply(self):
        k, c = self.k, self.k.choices
        own, storage, how, use = self._draw()
        self.own = own
        storage(self, own)
        self.result(own.elem.kind)
        writes = (self.spoil == "source" and own.source is own.elem
                  and own.elem.name in ("float", "int", "unsigned", "double", "short"))
        blocks = "({} + 2) * {}".format(self.trips(), own.count)
        feed = self.feed(own.source, count=blocks, const=not writes and not how.stores, restrict=True if how.stores and not writes else None if not writes else self.of(
            "restrict", [0, 1]), parts=False)
        self.place()
        how.emit(self, own, feed)
        use.emit(self, own)
        if not self.spoil and not k.suspect and c.flag("phase", "step-phase", 12):
            self._phase()
        for then in self.later:
            then()
        k.cost += 3 * own.count
        if self.spoil:
            self._spoil(own, feed, writes)
        # What is behind the loop may not wait, and a counter from in front of it is not the same in all threads then.
        fits = self.loop.header_init.startswith(self.loop.type + " ") and "own-pool-behind" not in c.features
        if not k.repeated and not k.used_outside and (
                self.spoil == "inside" or not self.spoil and fits and c.flag("inside", "context-threads-inside", 7)):
            self._inside()
        body = "body-pair" if (self.spoil or "").startswith("pair") else self.turned("body", BODY)
        if self.spoil and body.startswith("body-branches"):
            body = "body-plain"
        if body != "body-plain" and (k.async_only or self.static_bytes > 30000):
            body = "body-plain"
        c.use(body)
        if self.of("sync.at.all", [0, 1]) or self.spoil == "barrier":
            self._barriers(c)
        BODY[body](self, own)

    def _inside(self):
        """The loop is for threads whose number is small enough: all of a block, or none."""
        less = "1" if self.spoil else self.of("inside.less", ["0", str(self.k.threads)])
        live = self.scalar(self.name("live", ["liveThreads", "activeRows"]), "{} * {} - {}".format(
            self.blocks(), self.k.threads, less))
        who = "(int)" + paren("{} * {} + {}".format(self.block(), self.P, self.tid))
        if not self.spoil and self.k.choices.flag("inside.leave", "context-threads-leave", 40):
            # Each has one turn at most.
            if "context-threads-inside" in self.k.choices.features:
                self.k.choices.features.remove("context-threads-inside")
            self.guard_loop = "for (int {0} = {1}; {0} < {2}; {0} += {3})".format(
                self.name("inside.turn", ["mine_", "work0"]), who, live, mul("gridDim.x * gridDim.y", self.P))
            return
        self.guard = self.of("inside.text", ["{0} < {1}", "{1} > {0}", "!({0} >= {1})"]).format(who, live)

    def _phase(self):
        """Steps of the header that read the counter and set what the compute phase alone uses."""
        name, other = self.name("phase", ["phase_", "parity_", "buf_"]), self.name("phase.other", ["older_", "sumOfTurns"])
        counter = self.loop.counter
        steps = self.of("phase.form", [["{p} = {t} & 1"], ["{p} ^= {t} & 3"], ["{p} += ({t} & 7)"], ["{p} = {t} & 1", "{o} += {p}"],
                                       ["++{p}"], ["{p} = 1 - ({p} & 1)", "{o} ^= {p}"]])
        kind = self.of("phase.type", ["int", "unsigned", "int"])
        self.before += ["{} {} = 0;".format(kind, name), "{} {} = 1;".format(kind, other)]
        self.loop.bumps += [("header", s.format(p=name, o=other, t="(int)" + counter) + ";") for s in steps]
        elem = ELEMENTS["elem-int" if self.seen_kind == "unsigned" else "elem-float"]
        self.compute(self.see(elem, "({})({} & 15)".format(elem.name, name)), self.see(elem, "({})({} & 7)".format(elem.name, other)))

    def _barriers(self, c):
        for which in ("first", "last"):
            if which == "last" and not self.spoil and not self.loop.barrier_first and not self.end and c.flag(
                    "sync.last.nested", "sync-nested", 10):
                self.last = nested(self)
                continue
            feature = self.turned("sync." + which, SYNCS)
            c.use(feature)
            setattr(self, which, SYNCS[feature](self))
        if self.spoil == "barrier":
            setattr(self, self.of("partial.which", ["first", "last"]), partial(self))

    # --- What is wrong.
    def _spoil(self, own, feed, writes):
        turn = self.turn()
        if self.spoil == "source" and writes:
            # The blocks would race with each other.
            self.late.append(Block(ALONE, ["{}[({} + 1) * {} + {}] = {};".format(
                feed, turn, own.count, self.tid, self.seen)]))
        if self.spoil in ("stale", "written", "other-name", "asm", "helper"):
            self._only("{} == 0 || {} % {} == 0".format(turn, turn, self.of("stale.each", [2, 3])))
        if self.spoil == "half":
            self._only("{} == 0 || {} % 2 == 0".format(turn, self.tid))
        if self.spoil == "written" and not own.limit:
            target = own.flat(self.tid)
            self.late.append(BARRIER)
            self.late.append("{0} = {0} + {0};".format(target) if own.elem.name in (
                "float", "double", "int", "unsigned", "short") else "{} = {};".format(target, own.elem.other))
        plain = own.elem.name in ("float", "int", "unsigned", "double")
        if self.spoil == "other-name" and own.pointer and not own.limit and plain:
            name = self.name("other", ["otherName", "alias_"])
            (self.late if self.of("other.where", [0, 1]) else self.before).append(
                "{} *{} = {} + {};".format(own.elem.name, name, own.pointer, self.tid))
            self.late += [BARRIER, "*{0} = *{0} + *{0};".format(name)]
        if self.spoil == "asm" and own.elem.name == "float" and not own.limit:
            self.late.append(BARRIER)
            self.late.append(
                'asm volatile("st.shared.f32 [%0], %1;" : : "r"((unsigned)__cvta_generic_to_shared(&{})), "f"({}){});'.format(
                    own.flat(self.tid), self.seen, self.of("asm.clobber", ["", ' : "memory"'])))
        if self.spoil == "helper" and not own.limit and plain:
            e = own.elem.name
            self.k.helper("foldInto" + e.capitalize(), self.of("helper.form", [
                ["__device__ void foldInto{1}({0} *p, int i) {{ p[i] = p[i] + p[i]; }}"],
                ["__device__ __noinline__ void foldInto{1}(const {0} *p, int i) {{", "  {0} *q = const_cast<{0} *>(p);",
                 "  q[i] = q[i] + q[i];", "}}"],
                ["template <typename E> __device__ void fold{1}(E &x) {{ x = x + x; }}",
                 "__device__ void foldInto{1}({0} *p, int i) {{ fold{1}(p[i]); }}"]]))
            lines = self.k.helpers["foldInto" + e.capitalize()]
            self.k.helpers["foldInto" + e.capitalize()] = [
                l.format(e, e.capitalize()) if "{0}" in l or "{1}" in l or "}}" in l else l for l in lines]
            self.late.append(BARRIER)
            self.late.append("foldInto{}(&{}, 0);".format(e.capitalize(), own.flat(self.tid)))
        if self.spoil == "moved" and own.pointer:
            name = self.name("other", ["moving_", "runner"])
            self.before.append("const {} *{} = {};".format(own.elem.name, name, own.pointer))
            self.late += [self.see(own.elem, "{}[{} % {}]".format(name, self.tid, 1)),
                          "{0} = {0} + 1 < {1} + {2} ? {0} + 1 : {1};".format(name, own.pointer, own.readable())]
        if self.spoil == "behind":
            self.end.append(self.see(own.elem, own.flat(self.of("behind", [self.tid, "0"]))))
        if self.spoil == "kept":
            name = self.name("keptAt", ["keptAt", "older_"])
            self.before.append("const {} *{} = nullptr;".format(own.elem.name, name))
            self.late += [Block("if ({})".format(name), [self.see(own.elem, name + "[0]")]),
                          "{} = &{};".format(name, own.flat("0"))]
        if self.spoil == "bound" and self.loop.form != "loop-do-while":
            self.condition = "{} < 3 + ({} >> 30)".format(turn, self.tid) if self.of("bound", [0, 0, 1]) else (
                "{} < 2 + ({} & 1)".format(turn, self.tid))

    def _only(self, condition):
        """The loads of the additional tile under a condition."""
        if "fetch-kept-array" in self.k.choices.features:
            return  # the compute phase needs what is declared there
        for phase in (self.front, self.back):
            kept = [s for s in phase if isinstance(s, str) and s.endswith(";") and "=" in s and "[" not in s.split("=")[0]]
            if phase and not kept:
                phase[:] = [Block("if ({})".format(condition), list(phase))]

    def around(self, statements):
        statements = super().around(statements)
        if self.directives:
            _replace(statements, self.directives[1])
        return statements


def _lacks(storage, needs):
    """Whether a tile there has no name for what a copy or the compute phase needs of it."""
    return needs == "array" and storage in NO_ARRAY or needs == "pointer" and storage in SCATTERED


def _replace(statements, lines):
    """The empty block gives way to `lines`."""
    for at, statement in enumerate(statements):
        if isinstance(statement, Block):
            if statement.header == "" and not statement.body:
                statements[at:at + 1] = lines
                return True
            if _replace(statement.body, lines):
                return True
    return False
