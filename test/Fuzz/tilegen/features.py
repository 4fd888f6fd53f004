# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every feature that a kernel can have, by group.

`claimed`: the tool says that it handles it in some variant (docs/support.md). The others are drawn
only with --forms=all; a feature moves over when the tool has learned it.
"""


class Feature:
    def __init__(self, about, claimed=True):
        self.about, self.claimed = about, claimed


FEATURES = {}


def _add(prefix, names, claimed=True):
    for name, about in names.items():
        full = prefix + "-" + name if prefix else name
        assert full not in FEATURES, full
        FEATURES[full] = Feature(about, claimed)


_add("family", {
    "stream": "chunks of vectors", "gemm": "A * B by blocks", "rows": "matrix times vector",
    "conv": "rows with their surroundings, channel by channel", "pairs": "all pairs (n-body)",
    "volume": "slabs of a volume, neighbours", "wmma": "tensor cores through mma.h",
    "attention": "keys and values, running maximum"})
_add("loop", {
    "lt": "t < tiles", "ne": "t != tiles", "le": "t <= tiles - 1", "reversed": "tiles > t",
    "offset-lt": "k += BK", "offset-ne": "k != K", "offset-le": "k <= K - BK",
    "offset-down": "k -= BK", "two-counters": "t and k in one header", "down-ge": "t >= 0; --t",
    "down-gt": "t > 0; --t", "grid-stride": "t = blockIdx.x; t += gridDim.x",
    "range": "from a parameter to a parameter", "one-based": "t = 1; t <= tiles",
    "pragma": "#pragma unroll in front of it", "pointer": "p = in; p < in + n; p += BK",
    "skip": "if (t % 3 == 1) continue;, or an if around the body", "offset-blockdim": "k += blockDim.x", "thread-second": "t = 0, i = threadIdx.x; t < tiles; ++t, i += BK"})
_add("loop", {"skip-block": "if (c) { int n = ..; if (t == n) continue; }", "thread-start": "i = threadIdx.x; i < n; i += BK, n a multiple"}, claimed=False)
_add("loop", {"while": "while (t < tiles)", "do-while": "if and do-while",
              "body-advance": "for without advance, ++t in the body",
              "exit-top": "while (true) { if (!(t < tiles)) break;", "exit-end": "if (!(t < tiles)) break; }",
              "counted-down": "while (left--)", "counted-up": "while (t++ < tiles)"})
# Without a header that has all three parts.
HEADLESS = ("loop-while", "loop-do-while", "loop-body-advance", "loop-exit-top", "loop-exit-end",
            "loop-counted-down", "loop-counted-up")
_add("counter", {"int": "", "unsigned": "", "size_t": "", "short": "", "long": "long long",
                 "auto": "", "outside": "declared in front of the loop"})
_add("step", {"assign": "t = t + 1", "constant": "k += STRIDE, which is BK",
              "phase": "++t, phase = t & 1, which the compute phase alone uses"})
_add("barrier", {"first": "barrier, load, barrier, compute", "macro": "SYNC()"})
_add("barrier", {"last": "compute, barrier, load of the next tile, barrier",
                 "guarded": "if (t != 0) barrier, load, barrier, compute"}, claimed=False)
_add("trip", {"parameter": "the number of tiles", "quotient": "K / BK", "ceil": "(K + BK - 1) / BK",
              "variable": "computed before the loop", "function": "ceilDiv(K, BK)",
              "macro": "NUM_TILES(K, BK)", "constant": "a constant, at times 0, 1, 2",
              "rest": "(K - start + BK - 1) / BK", "float": "ceilf((float)K / BK)",
              "memory": "in global memory", "shared": "in shared memory", "method": "bounds.tiles()"})
_add("offset", {"variable": "k0 = t * BK in the body", "state": "k0 += BK in the body"})
_add("offset", {"state-guarded": "and the guards use it"}, claimed=False)
_add("const", {"literal": "sizes as numbers", "local": "constexpr in the kernel",
               "file": "constexpr of the file", "macro": "#define", "template": "template parameters"})
_add("template", {"several": "two instantiations", "type": "typename T", "types": "two types"})
_add("elem", {name: "" for name in (
    "float", "double", "int", "unsigned", "int8", "uchar", "short", "bits16", "half", "float2",
    "float4", "int4", "int2", "struct", "struct12", "struct16")})
_add("tile", {"1d": "", "2d": "", "3d": "", "padded": "longer rows", "flat": "rows by hand",
              "aligned": "alignment attribute", "accessor-macro": "As_AT(i, j)",
              "vector": "an array of vectors, read by components"})
_add("tiles", {"1": "", "2": "", "3": "", "4": "", "one-declaration": "As[..], Bs[..] in one",
               "struct": "members of one struct", "interleaved": "an array of structs"})
_add("dynamic", {"pointers": "one array, pointers to its parts", "bytes": "pointers of several types"})
_add("dynamic", {"rows": "a pointer to rows"})
_add("copy", {
    "thread": "one element per thread", "split": "row and column from the thread's number",
    "subset": "some threads only", "straight": "several statements", "const-loop": "constant number",
    "chunk": "neighbours by one thread", "rows": "rows in steps", "nested": "two constant loops",
    "nested-strided": "two strided loops", "strided": "from the thread's number by the block's",
    "blockdim": "by blockDim", "gather": "through an index array", "temporary": "through a variable",
    "scalar": "", "vector4": "", "vector8": "", "vector16": ""})
_add("", {"vector-macro": "FLOAT4(x)", "store-transposed": "rows become columns",
          "load-ldg": "__ldg", "load-ldcg": "__ldcg",
          "load-function": "a function that returns an element, or a reference to it",
          "pointer-struct": "the pointer is a member of a structure",
          "pointer-vector": "a pointer to vectors, made in front of the loop",
          "index-function": "at(row, column, length)", "pointer-hoisted": "a pointer to the block's part",
          "pointer-bump": "the pointer advances in the body"})
_add("bump", {w: "" for w in ("load", "between", "compute", "end", "header")})
_add("guard", {"none": "", "ternary": "", "else": "", "variable": "v = 0; if (in) v = ..",
               "clear": "tile = 0; if (in) tile = ..", "other-fill": "not zero",
               "clamped": "the index is kept inside", "no-else": "compute is bounded as well",
               "negated": "if (out) zero else load", "bool": "const bool in = ..",
               "nested": "if (row) { if (column) .. else .. } else ..",
               "apart": "row ? (column ? .. : ..) : .."})
_add("guard", {"half2-fill": "zero by __floats2half2_rn"})
_add("guard", {"ternary-converted": "in ? f(src) : 0",
               "continue": "if (out) continue, in the loop of the copies"}, claimed=False)
_add("bump", {"header-address": "in the header, and &src[i] in the copy"})
_add("convert", {"none": "", "scale": "", "type": "", "function": ""})
_add("compute", {
    "recurrence": "", "neighbours": "", "pairwise": "two tiles", "shuffle": "within warps",
    "registers": "a register array", "helper": "a __device__ function",
    "pointer": "a __device__ function is given the tile or a row",
    "reference": "a __device__ function is given the array by reference",
    "scratch": "own element of another array",
    "global-write": "results of every tile", "dot": "register tiles", "collisions": "the names that a rewriter would invent",
    "skip": "continue and break in an inner loop"})
_add("compute", {"inner-barrier": "scratch array with barriers in the compute phase"})
_add("compute", {"lambda": "a local function object"}, claimed=False)
_add("context", {
    "uniform-if": "the loop under a condition", "early-return": "uniform return before the loop",
    "nested": "in an outer loop", "batch": "whose turns have tiles of their own", "two-loops": "two tile loops",
    "shared-buffers": "tile loops that use the same arrays", "three-loops": "three of them",
    "persistent": "in a loop over the blocks' work", "nested-reuse": "an outer loop that uses the tile as well",
    "reuse-after": "tile used behind the loop",
    "reuse-before": "tile used in front of the loop", "declared-inside": "tiles declared in the loop",
    "dynamic-shared": "extern __shared__", "launch-bounds": ""})
_add("block", {"1d": "", "2d": "", "3d": "", "odd": "no multiple of a warp", "small": "below a warp",
               "large": "256 threads and more"})
_add("param", {"restrict": ""})
_add("launch", {"in-file": "a function of the host launches the kernel",
                "other-block": "in a block of another size"})
_add("", {"comments": "", "layout-other": "tabs, Allman braces, no braces", "ids-local": "tid, tx, ty"})
_add("style", {"auto": "auto variables", "joined": "several statements on a line",
               "comments": "comments within statements and behind braces",
               "const": "constant parameters", "using": "helper functions in a namespace"})
_add("comment", {
    "backslash": "// from C:\\data\\ and an empty line", "bytes": "the same by the last byte of a Shift-JIS character",
    "every-line": "behind every line", "between": "between tokens", "quotes": "with quotes in them"})
_add("kernel", {"static": "", "extern-c": "", "namespace": "", "nvcc": "#ifdef __NVCC__"})
_add("barrier", {"group": "thread_block::sync()", "spelling": "__syncthreads ();",
                 "other": "__barrier_sync(0), bar.sync 0, a function"})
_add("device", {"body": "all of the kernel in a function that it calls",
                "method": "in a method of an object", "lambda": "the loop in a local function object"})
_add("device", {"loop": "the tile loop in a function", "loop-returns": "that returns what it has computed",
                "body-index": "which is given the thread's number",
                "body-nested": "by way of another function"})
_add("device", {"method-template": "in a method of a class template",
                "method-reference": "of an object that is passed by reference"})
_add("device", {"method-mutable": "that is not const"}, claimed=False)
# One more tile (extra.py), in forms of its own.
_add("", {"extra-tile": "one more tile in the first loop"})
_add("own", {
    "plain": "an array", "inside": "declared in the loop", "macro": "ELEM(i)", "macro-name": "a macro of the array's name",
    "rows": "two dimensions", "planes": "three dimensions", "dynamic": "extern __shared__",
    "dynamic-rows": "of two dimensions", "dynamic-parts": "cut up by pointers",
    "bytes": "a char array cut up by casts", "bytes-at-use": "cast wherever it is used", "struct": "a member",
    "struct-array": "a member of each of many", "struct-of-arrays": "", "union": "",
    "pointer": "stores through a pointer that is made in front of the loop", "view": "a pointer in place of the array",
    "reference": "a reference in place of the array", "called-pointer": "slotOf(array, i) = ..",
    "called-reference": "the same by reference", "large": "as much as fits into 48 KB",
    "view-rows": "a pointer to rows in place of the array", "dynamic-operator": "by a conversion operator",
    "object": "with methods that fill and read it", "border": "its ends are set once, in front of the loop"})
_add("fetch", {
    "plain": "", "strided": "by the number of threads", "blockdim": "by blockDim", "until-parameter": "to a run-time bound",
    "walked": "*to++ = *from++", "fills": "zero or not, behind the end", "subset": "by some threads",
    "no-else": "a guard without else", "macro-vector": "LDST128BITS(x)", "macro-offset": "OFFSET(row, col, ld)",
    "hint": "__ldcs and others", "scaled": "", "dequantised": "bytes, a scale for each tile", "nibbles": "",
    "converted": "", "gathered": "through an index array", "by-table": "through indices staged in shared memory",
    "by-list": "a list of tiles", "staged": "through an array of registers", "staged-again": "one temporary for all",
    "function": "", "function-template": "", "function-reference": "the array by reference", "closure": "",
    "static-method": "", "accessor": "view(row, column), view.at(row, column)", "asm": "ld.global.nc",
    "asm-function": "in a function", "asm-vector": "of four", "async": "__pipeline_memcpy_async, waited for at once",
    "async-block": "cg::memcpy_async, waited for at once", "staged-twice": "one temporary for two arrays",
    "staged-used": "and for the compute phase", "macro-statement": "COPY(to, from)",
    "asm-predicated": "or zero", "async-asm": "cp.async by macros, waited for at once",
    "async-asm-function": "in functions", "async-asm-template": "in function templates",
        "async-asm-vector": "of four",
    "async-pipeline": "cuda::pipeline, waited for at once", "method": "of the tile itself",
    "loader": "a method of an object that is given the tile", "function-nested": "of a function",
    "lambda": "which returns the elements", "pointer-array": "sources[t & 1][i]",
        "row-pointer": "rowAt(p, row)[i]",
    "structure-part": "partOf(matrix, row).p[i]", "structure-walked": "view.p += rows * stride",
    "function-or-zero": "behind the end", "chain": "while (r > 50) r = next[r]",
    "gathered-or-zero": "r < n ? in[r] : 0",
        "index-anew": "the compute phase sets the load phase's variables anew",
    "swizzled": "tile[r][c ^ r]", "fills-variable": "or an element, behind the end",
    "group-rank": "from block.thread_rank() by block.size()", "size-bound": "up to sizeof(tile)",
    "braced": "int r{0}", "declares": "types, constants, assertions", "constexpr": "if constexpr"})
_add("fetch", {
    "initialised": "T v = {}; if (in) v = in[i]; of a class type, in all spellings",
    "initialised-nonzero": "by a constructor that is no zero", "initialised-template": "T v(T(0)), T a parameter",
    "reference": "const auto &row = in[i]; if (in) tile = row; else ..",
    "shadowing": "of the name of a variable around the loop", "mentioned": "a variable that only sizeof or decltype names",
    "load-to": "load(to, from, inside), by reference", "alias": "a type that another build changes, through a macro",
    "alias-ldg": "and through __ldg"})
_add("fetch", {"hint-last-use": "__ldlu"})
_add("fetch", {"closure-captures": "[&, in = in]"}, claimed=False)
_add("work", {
    "mirror": "", "total": "", "by-pointer": "a function is given the array", "by-reference": "",
    "asm-registers": "fma", "asm-shared": "ld.shared", "ldmatrix": "", "mma": "mma.sync", "wmma": "", "barriers": "scratch",
    "reduction": "in a loop with barriers", "scratch": "", "shuffle": "", "atomics": "to scratch", "vectors": "float4",
    "walked": "*p++", "stored": "global memory", "macro": "ADD_TO(x), REPEAT(i, n)",
    "before": "what the state was before the tile", "weights": "computed in front of the barrier",
    "behind": "behind the loop as well, by a pointer made in front of it", "results": "sincosf(x, &s, &c)",
    "constexpr": "if constexpr"})
_add("fetch", {
    "turns-difference": "at = tid; at < n + tid, in place of the loop's condition, or besides it",
    "turns-down": "the same towards zero", "turns-pointers": "p = in + tid, end = p + n; p < end",
    "turns-distance": "i < end - p", "summed": "the load phase sums up what it loads",
    "kept": "the compute phase uses the register as well", "kept-array": "and an array of them",
    "value-reference": "tile = f(v), by reference", "packed": "a class that converts itself",
    "counter-shared": "one counter for the loops of both phases", "together": "a = in[i], b = in[j] in one declaration",
    "register-vectors": "REG4(r[j]) = REG4(in[..]), and back", "left": "up to min(n, k + W) - k",
    "pointer-shared": "the pointer is in shared memory", "views": "view[place][row][i]"})
_add("fetch", {
    "turns-group": "at = tid; at < n / W * W; at += W", "texture": "tex2D<T>(image, x, y)", "several": "in ? f[i] + g[i] : 0",
    "clipped": "if (first + width > end) width = end - first, for both phases",
    "blocks-set": "variables of the function that blocks of both phases set first"})
_add("work", {"prints": "printf", "asserts": "assert, __trap", "tile-of-warp": "shuffles and sums of a cooperative group"})
_add("words", {"asm-store": "st.shared, in a function that is given the address", "range": "for (float x : tile)",
               "object": "Way w{&tile[i], in + j}; *w.to = *w.from",
               "load-condition": "if (in[j] > 0) tile[i] = in[j]; else tile[i] = 0;", "load-given": "load(v, &in[j], inside); tile[i] = v;",
               "clamp": "int j = i; if (j > 7) j = 7; tile[i] = in[j]; and the compute phase has j",
               "closure": "auto at = [&](int i) { return in[i]; }; tile[i] = at(j);"})
_add("body", {"continue": "behind the last barrier"})
_add("fetch", {
    "shuffled": "the lanes of a warp find the place together", "divided": "a loop that copies nothing finds it",
    "rotated": "tile[(i + shift[t]) % W]", "until-loaded": "up to a number in memory", "chained": "a[i] = b[i] = in[j]",
    "cleared": "memset(&tile[i], 0, 4)", "accessor-pointer": "view->at(row, column), view.data()[i]", "in-place": "and the compute phase stores to in[j]",
    "jumps": "break, continue, while, j < W && k + j < n", "chosen": "switch, do .. while (0)", "open": "j < have, counted by nobody",
    "stepped": "state that the load phase steps, and its stores need"})
_add("sync", {"nested": "in a loop of the compute phase, or counting"})
_add("context", {"threads-leave": "in a loop that some threads leave, those of a block together"})
_add("work", {"counted": "atomics in a function whose result nobody takes"})
_add("fetch", {"memcpy": "memcpy(&tile[i], &in[j], 4)"})
_add("own", {
    "object-nested": "an object in another one, which fills it", "view-chain": "a pointer made of another pointer",
    "pool-front": "dynamic memory that begins with something else", "pool-behind": "that is used again behind the loop"})
_add("context", {"threads-inside": "the loop under a condition of the thread"})
_add("work", {"lambda": ""}, claimed=False)
_add("sync", {
    "plain": "", "cg": "cg::sync(block)", "member": "block.sync()", "temporary": "this_thread_block().sync()",
    "number": "__barrier_sync(0)", "asm": "bar.sync 0", "function": "", "template": "", "macro": "WAIT;",
    "constexpr": "if constexpr", "lambda": "", "method": "static"})
_add("body", {
    "plain": "", "pair": "a second load and compute phase", "three": "and a third one",
    "braces": "around the load phase", "comments": "that look like code",
    "bound": "if (t >= most) break, at the top"})
_add("body", {"branches": "#if in the compute phase", "branches-load": "#if in the load phase",
              "branches-barrier": "#if around a barrier", "defines": "#define and #undef in the compute phase"})
_add("place", {
    "turn": "the number of the iteration", "loop": "the loop's counter", "state-top": "advanced first", "state-load": "advanced behind the loads",
    "state-between": "behind the barrier", "state-compute": "behind the compute phase", "state-end": "at the end"})
_SUSPECTS = {
    "stale-guard": "some threads load in some iterations", "no-else": "a guard without else",
    "moving-bound": "a number of elements that changes", "halo-once": "loaded in front of the loop",
    "sliding-parity": "one half of the tile stays", "sliding-load": "tile[i] = tile[i + W]",
    "clear-before": "cleared in front of the loop", "part-of-threads": "half of the threads load",
    "tile-carried": "the compute phase writes the tile", "scratch-behind": "read behind the last barrier",
    "scratch-relay": "written behind the last barrier", "scratch-parity": "two halves in turns",
    "read-behind": "a tile read behind the last barrier", "feedback": "stores what is loaded next",
    "alias": "the same through another pointer", "flag-feedback": "stores the next guard",
    "index-feedback": "stores the next index", "load-stores": "the load phase stores",
    "carried-address": "the compute phase says what is next", "counter-body": "changed in the body",
    "staging-reused": "the register of the copy is used", "condition-memory": "the bound is in memory",
    "missing-barrier": "", "warp-barrier": "__syncwarp", "conditional-barrier": "under an if",
    "group-barrier": "tiled_partition<32>", "counting-barrier": "__syncthreads_count", "break": "",
    "continue": "", "thread-return": "", "thread-condition": "", "volatile": "",
    "ticket": "an atomic counter", "ordered": "fence, asm, trap, printf",
    "pointer-kept": "into the tile, from turn to turn", "pointer-before": "made in front of the loop",
    "used-after": "the last tile", "written-twice": "by one thread", "two-threads": "write one element",
    "misaligned": "vectors",
    "unseen-dynamic": "functions in another file use shared memory behind the tile",
    "destructor-dynamic": "destructors do", "asm-dynamic": "assembly does",
    "destructor-writes": "an object of the body stores what is loaded next when it ends",
    "pointer-bytes": "a pointer into the tile is kept as bytes", "waits": "for all other blocks",
    "configuration": "another build of the file"}
_add("suspect", _SUSPECTS)
_add("twin", _SUSPECTS)
_add("illegal", {
    "stale-tile": "reads what an older iteration left", "feedback": "loads what compute has stored",
    "tile-written": "compute writes into the tile", "break": "uniform early exit",
    "break-thread": "a thread leaves alone", "missing-barrier": "a race",
    "carried-address": "the next address depends on the tile", "sliding-window": "part of the tile stays",
    "volatile": "", "atomic": "its result is used", "condition-memory": "the bound is read again"})
# Twins of kernels with one more tile; extra.py says what is wrong with them.
_add("illegal-extra", {
    "source": "the compute phase stores what is loaded next", "stale": "the tile is loaded in some turns only",
    "half": "some threads load in the first turn only", "written": "the compute phase changes a tile that stays",
    "address": "the next place depends on the tile", "barrier": "not all of the block waits",
    "value": "something else that is loaded, or the object that it is loaded through, changes in the loop",
    "behind": "read behind the last barrier", "bound": "the number of turns depends on the thread",
    "kept": "a pointer to what an element was in the turn before",
    "moved": "a pointer into the tile that goes on from turn to turn",
    "other-name": "the compute phase changes a tile that stays, by another pointer",
    "asm": "the same by assembly", "helper": "a function that is given a pointer changes the tile or the place",
    "pair-index": "a second load whose place is computed", "pair-tile": "a second load to the same tile",
    "turns": "the ways of the threads are not of one length", "sum": "the compute phase uses what the loads have summed up",
    "counter": "a counter that both phases use keeps its value from one to the other",
    "left": "the compute phase reads on behind what is left", "pool": "what is in the same memory changes in the loop, or is still read",
    "pointer": "the compute phase sets the pointer in shared memory", "inside": "some threads of a block are outside",
    "pair-source": "a second load of what was stored", "pair-before": "a second tile that is read before it is loaded"})
