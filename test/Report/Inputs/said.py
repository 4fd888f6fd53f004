# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a report says, word by word, from its JSON. Written a second time, and not by the program: html_check.py and text_check.py hold
pages and texts against it. Whoever changes a sentence changes it here as well; a fact that is said and is not in the JSON has no place."""


def number(value, digits):
    text = "%.*f" % (digits, value)
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def count(n, one, several):
    return "%s %s" % (n, one if str(n) == "1" else several)


def plan(variant, stages):
    return (variant or "") + (", " + count(stages, "stage", "stages") if stages else "")


def status(loop):
    if loop.get("although_refused"):
        return "not sound", "bad"
    if loop.get("withheld"):
        return "not written", ""
    words = loop["status"].replace("-", " ")
    return words, {"rewritten": "good", "opportunity": "good", "refused": "bad"}.get(loop["status"], "")


def planned(loop):
    return loop["status"] in ("rewritten", "opportunity")


def name_of(loop):
    return (loop["kernel"] or "Loop") + (", line %d" % loop["line"] if loop["line"] else "")


def chosen(loop):
    for c in loop["candidates"]:
        if c["variant"] == loop["variant"] and c["stages"] == (loop["stages"] or 0):
            return c
    return None


def summary(report):
    counts, loops, withheld = {}, 0, 0
    for file in report["files"]:
        for loop in file["loops"]:
            loops += 1
            if loop.get("withheld"):
                withheld += 1
            else:
                counts[loop["status"]] = counts.get(loop["status"], 0) + 1
    unread = sum(1 for f in report["files"] if f.get("error"))
    tail = ""
    if unread:
        tail = "; %d of %s not analysed" % (unread, count(len(report["files"]), "file", "files"))
    if not loops:
        return "no tile loops found" + tail
    parts = []
    if counts.get("opportunity"):
        parts.append("%d can be pipelined" % counts["opportunity"])
    if counts.get("rewritten") or not counts.get("opportunity"):
        parts.append("%d rewritten" % counts.get("rewritten", 0))
    if withheld:
        parts.append("%d not written" % withheld)
    parts.append("%d refused" % counts.get("refused", 0))
    for key, words in ("unprofitable", "unprofitable"), ("already-pipelined", "already pipelined"), ("not-selected", "not selected"), ("suppressed", "suppressed"):
        if counts.get(key):
            parts.append("%d %s" % (counts[key], words))
    return count(loops, "loop", "loops") + ": " + ", ".join(parts) + tail


def headline(loop):
    """(severity, words) of a loop as a whole."""
    because = ": " + loop["why"] if loop["why"] else ""
    words = plan(loop["variant"], loop["stages"])
    state = loop["status"]
    if state == "rewritten":
        if loop.get("although_refused"):
            return "warning", "NOT SOUND, for tests only: pipelined with %s although it is refused" % words
        if loop.get("withheld"):
            return "remark", "would be pipelined with %s; it was not written" % words
        return "remark", "pipelined with " + words
    if state == "opportunity":
        c = chosen(loop)
        predicted = " (predicted %.2fx)" % c["score"] if c and c["score"] else ""
        return "warning", "pipeline this tile loop with " + words + predicted + (
            "" if loop["applicability"] == "machine-applicable" else ", if what it assumes is true")
    if state == "refused":
        return "warning", "tile loop%s is not pipelined" % (" of %s '%s'" % ("kernel" if loop["is_kernel"] else "function", loop["kernel"]) if loop["kernel"] else "")
    return "remark", {"unprofitable": "left as it is, pipelining would not pay", "already-pipelined": "already pipelined",
                      "not-selected": "not selected", "suppressed": "suppressed in the source"}[state] + because


def general(value):
    return "%.4g" % value


def lines(first, last):
    return "line %d" % first if first == last else "lines %d to %d" % (first, last)


def facts(loop, arch):
    """(line or None, words): what is said behind the reasons."""
    is_planned, kernel = planned(loop), loop["kernel"]
    if loop["line"] and loop["end_line"] > loop["line"]:
        place = loop["function"]
        yield None, "the loop is in " + lines(loop["line"], loop["end_line"]) + (
            ", its function in " + lines(place["line"], place["end_line"]) if place else "")
    if loop.get("in_file"):
        yield None, "the loop is in '%s'" % loop["in_file"]
    if loop["why"] and is_planned:
        yield None, "chosen because " + loop["why"]
    if loop["why"] and loop["status"] == "refused":
        yield None, loop["why"]
    if is_planned:
        yield None, "applicability: " + loop["applicability"]
    smem, occupancy = loop["smem"], loop["occupancy"]
    if smem:
        yield None, "shared memory of '%s': %d%s of %d bytes" % (kernel, smem["before"], " -> %d" % smem["after"] if is_planned else "", smem["limit"]) + (
            "" if smem["complete"] else "; what its launches give in dynamic shared memory comes on top, and is not known")
    if occupancy:
        text = "occupancy: %d%s blocks per SM" % (occupancy["before"], " -> %d" % occupancy["after"] if is_planned else "")
        text += " of " + arch if arch else ""
        text += ", limited by " + occupancy["limiter"].replace("shared-memory", "shared memory") if occupancy["limiter"] else ""
        yield None, text + ("; block size " + loop["block_size"] if loop["block_size"] else "") + (
            "" if loop.get("registers") else "; registers are not counted")
    elif loop["block_size"]:
        yield None, "block size " + loop["block_size"]
    r = loop.get("registers")
    if r:
        text = "registers per thread: %d -> %d by nvcc for %s, in blocks of up to %d threads" % (r["before"], r["after"], r["arch"], r["largest_block"])
        text += ", before %d" % r["largest_block_before"] if r["largest_block"] < r["largest_block_before"] else ""
        if r["spill_before"] or r["spill_after"]:
            text += "; %d -> %d bytes of spilled registers are stored and loaded" % (r["spill_before"], r["spill_after"])
        yield None, text
        if not r["launches"]:
            yield None, ("a block of %d threads does not launch any more, with %d registers per thread, before %d: declare the kernel with __launch_bounds__ "
                         "for the largest block that is launched, launch smaller ones, or take another variant" % (r["needed_block"], r["after"], r["before"]))
    if loop["ratio"]:
        r = loop["ratio"]
        yield None, "compute/load ratio: %s FLOP per byte (%d FLOP, %d bytes per block and iteration)" % (general(r["flops_per_byte"]), r["flops"], r["bytes"])
    for c in loop["copies"]:
        text = "copy into '%s'" % c["buffer"]
        text += " by " + c["method"] if c["method"] else ""
        if c["bytes_per_thread"]:
            text += ", %s at a time" % count(c["bytes_per_thread"], "byte", "bytes")
        yield c["line"], text
    for copies in loop.get("width", []):
        tiles = ", ".join("'%s'" % name for name in copies["buffers"])
        before, after = (count(copies["bytes_" + key], "byte", "bytes") for key in ("before", "after"))
        if "why_not" in copies:
            yield copies["why_not_line"], "copies into %s stay at %s: %s" % (tiles, before, copies["why_not"])
        elif before != after:
            yield copies["line"], "copies into %s: %s at a time instead of %s%s" % (
                tiles, after, before, ", where %s; else as they were" % copies["test"] if copies["test"] else "")
    for tile in loop.get("layout", []):
        changes = tile["pitch_after"] != tile["pitch_before"]
        if changes:
            yield None, "rows of '%s' are %d bytes apart instead of %d" % (tile["buffer"], tile["pitch_after"], tile["pitch_before"])
        for c in tile["conflicts"]:
            before, after, least = (c["wavefronts_" + key] for key in ("before", "after", "least"))
            if not least or max(before, after) <= 1.05 * least:
                continue
            text = "bank conflicts in '%s': %s-way on %.0f %s of %s per tile" % (
                tile["buffer"], "%.3g" % (before / least), c["times"],
                {"load": "read", "store": "store"}[c["access"]] + ("" if c["times"] == 1 else "s"), count(c["bytes"], "byte", "bytes"))
            if changes:
                text += ", now %s-way" % ("%.3g" % (after / least)) if after > 1.05 * least else ", none any more"
            yield c["line"], text
        if "why_not" in tile:
            yield tile["why_not_line"], "rows of '%s' stay as they are: %s" % (tile["buffer"], tile["why_not"])
    if is_planned and loop.get("staged_registers"):
        yield None, "the next tile takes %s per thread while this one is computed on" % count(loop["staged_registers"], "register", "registers")
    for f in loop.get("inlined", []):
        yield None, "the text of '%s' takes the place of its call" % f
    for said in loop.get("reworded", []):
        yield None, said
    for hint in loop.get("hints", []):
        yield None, hint + " keeps the compiler from undoing it"
    for tile in loop.get("gathered", []):
        yield None, "the load of '%s' moves into the load phase at the top of the iteration" % tile
    d = loop.get("dynamic_smem")
    if d:
        which = "the stages behind the first" if d["stages"] != loop["stages"] else "the stages"
        yield None, "%s are in dynamic shared memory: launches with less than %s%d * (%s) bytes of it run the loop as it was%s" % (
            which, "%d + " % d["bytes_in_front"] if "bytes_in_front" in d else "", d["stages"], d["stage_bytes"], ", and so do those without " + d["block"] if d["block"] else "")
        for s in d["sizes"]:
            yield s["line"] or 0, "here it becomes " + s["text"]
        if not d["sizes"]:
            yield None, "no size in this file could be changed: give the kernel more where it is launched"
    if loop.get("asked_block"):
        yield None, "what is written holds for %s: unless %s, the loop runs as it was" % (
            "blocks that are not small" if ">=" in loop["asked_block"] else "one size of the block", loop["asked_block"])
    for a in loop["assumptions"]:
        yield None, "assumes: " + a + (" (not counted; 'explain registers')" if a == "registers" and not loop.get("registers") else "")
    for b in loop["buffers"]:
        yield None, "tile '%s': %s" % (b["name"], "%d bytes per stage" % b["bytes"] if b["bytes"] else "of a size that is not known")


def phases(some):
    return ", ".join("%s %d%s" % (p["kind"], p["line"], " to %d" % p["end_line"] if p["end_line"] != p["line"] else "") for p in some)


#===--- verification and bench -----------------------------------------------===#

ENGINES = {"sass": "Machine code", "gpu": "On a GPU", "emulate": "In the emulator"}
RESOURCES = (("registers", "Registers per thread"), ("stack_bytes", "Stack, bytes"), ("spill_store_bytes", "Spill stores, bytes"),
             ("spill_load_bytes", "Spill loads, bytes"), ("smem_bytes", "Static shared memory, bytes"))


def verdict(word):
    return word.replace("cannot-tell", "cannot tell"), {"pass": "good", "fail": "bad"}.get(word, "")


def compared(v):
    text = "Old: %s, new: %s" % (v["old"], v["new"])
    if v.get("device"):
        text += ", on " + v["device"]
    if v.get("launch"):
        text += ", launched as %s says" % v["launch"]
    return text + "."


def counts(v):
    text = "%d passed, %d failed, %d without a verdict" % (v["passed"], v["failed"], v["cannot_tell"])
    if v["seeds"]:
        text += "; seeds " + ", ".join(map(str, v["seeds"]))
    return text + "."


def place(p):
    return "" if not p else p["file"] + "".join(":%d" % p[k] for k in ("line", "column") if p[k])


def faults(case):
    if case["reason"]:
        yield case["reason"]
    fault, difference, run = case["fault"], case["difference"], case["run"]
    if fault:
        text = fault["kind"]
        if fault["what"] != (case["reason"] or ""):
            text += ": " + fault["what"]
        if place(fault["at"]):
            text += ", at " + place(fault["at"])
        if place(fault["other"]):
            text += ", the other one at " + place(fault["other"])
        yield text + (", in " + fault["thread"] if fault["thread"] else "")
    if difference:
        yield "'%s' differs in %s, first in %d: %s (%s) became %s (%s)" % (
            difference["buffer"], count(difference["count"], "element", "elements"), difference["index"], difference["old_value"],
            difference["old_bits"], difference["new_value"], difference["new_bits"])
    if run:
        text = "in the %s version, seed %d" % (run["version"], run["seed"])
        if run["schedule"]:
            text += ", threads %s, copies land %s, undefined bytes of seed %d" % (run["schedule"], run["landing"], run["poison"])
        yield text


def not_covered(v):
    return ["%s: not run, because no launch is described." % k for k in v["not_covered"]]


def readers(arch):
    if arch["compiler"]:
        reader = arch["disassembler"]
        yield "Compiled by %s%s." % (arch["compiler"], "" if not reader else ", read without a disassembler" if reader == "built-in" else ", read by " + reader)
    n = arch["differences"]
    if n:
        yield "%s classified by what the disassembler prints, and not as this program reads %s." % (
            count(n, "instruction is", "instructions are"), "it" if n == 1 else "them")
    if not arch["kernels"]:
        yield "No kernel of both versions has a tile loop (a template counts where it is instantiated)."


def sass_verdict(loop):
    text = ""
    if loop.get("line"):
        text = lines(loop["line"], loop.get("end_line", loop["line"])) + ": "
    return text + loop["overlap"].replace("cannot-tell", "cannot tell") + (", " + loop["why"] if loop["why"] else "")


def sass_numbers(loop):
    reads = loop["reads_per_compute"]
    text = "%s, %d of them compute, %s%s of the next tile, %d under way during compute" % (
        count(loop["instructions"], "instruction", "instructions"), loop["compute"],
        "%s reads of shared memory for each of these, " % number(reads, 2) if reads is not None else "", count(loop["loads"], "load", "loads"), loop["overlapping_loads"])
    if loop["unrolled"]:
        text += ", unrolled" + (" %d times" % loop["unroll"] if "unroll" in loop else "")
    elif "unroll" in loop:
        text += ", " + count(loop["unroll"], "iteration a turn", "iterations a turn")
    for key, words in ("barrier_between", "barrier"), ("wait_between", "wait"):
        if loop[key]:
            text += ", a %s between the loads and the compute" % words
    yield text
    if loop["counts"]:
        yield ", ".join("%d %s" % (loop["counts"][k], k) for k in sorted(loop["counts"]))


def left_out(line):
    return "%s left out: %s" % (count(line["skipped"], "instruction", "instructions"), line["text"] or line["class"])


CEILINGS = (("", "copy_gbps", "GB/s copying"), ("fp32", "ffma_gflops", "GFLOP/s of fp32 multiply-adds"),
            ("fp64", "dfma_gflops", "GFLOP/s of fp64 multiply-adds"), ("tensor", "tensor_gflops", "GFLOP/s of tensor cores"),
            ("int8", "imma_gops", "GOP/s of int8 tensor cores"))


def plain(value):
    """As JSON has it."""
    return "%d" % value if value == int(value) else repr(value)


def bench_head(b):
    yield "Measured on %s (compute capability %s), driver %s, CUDA %s, compiled for %s, by cuda-pipeline-rewrite %s." % (
        b["gpu"] or "a GPU that is not named", b["compute_capability"], b["driver"], b["cuda"], b["arch"], b["tool_version"])
    c = b["clocks"]
    measured, parts = c["source"] != "attribute", []
    if c["sm_mhz"] is not None:
        parts.append(("SM clock while kernels ran: " if measured else "SM clock: at most ") + plain(c["sm_mhz"]) + " MHz" + (
            " (%s to %s)" % (plain(c["sm_mhz_min"]), plain(c["sm_mhz_max"])) if measured and c["sm_mhz_min"] is not None and c["sm_mhz_max"] is not None else ""))
    if c["mem_mhz"] is not None:
        parts.append(("memory" if parts else "Memory") + " clock: %s MHz" % plain(c["mem_mhz"]))
    if parts:
        yield ", ".join(parts) + ((", by " + c["source"] if c["source"] else "") if measured else "; not measured, this is what the device may have") + "."
    if b["l2"]:
        yield "L2 cache: " + {"cold": "cold, overwritten before every launch.", "warm": "warm, as the launch before has left it."}[b["l2"]]
    seen = ["%s %s" % (number(b["ceilings"][key], 1), words) for _, key, words in CEILINGS if b["ceilings"].get(key) is not None]
    if seen:
        yield "What this GPU was seen to reach: " + ", ".join(seen) + "."
    if b["ncu_problem"]:
        yield "No stall reasons: " + b["ncu_problem"]


def part_of_ceiling(b, case, result, key):
    unit = "" if key == "gbps" else case["unit"]
    if unit is None or (key != "gbps" and not unit) or result[key] is None:
        return ""
    most = next((b["ceilings"].get(k) for u, k, _ in CEILINGS if u == unit), None)
    return " (%s %%)" % number(100 * result[key] / most, 1) if most else ""


def stalls(result):
    if not result["stalls"]:
        return None
    waits = sorted(result["stalls"].items(), key=lambda w: (-w[1], w[0]))
    return "%s, warps by what they wait for, per issued instruction: %s." % (
        result["version"], ", ".join("%s %s" % (what, number(warps, 3)) for what, warps in waits))


def case_sentences(c):
    if c["unit"]:
        yield "Its operations are measured by the ceiling of %s." % c["unit"]
    alone = ["the %s alone take%s %s us" % (half, s, number(c[key], 3)) for half, s, key in
             (("loads", "", "loads_only_us"), ("compute", "s", "compute_only_us")) if c[key] is not None]
    if alone:
        yield "T" + ", ".join(alone)[1:] + "."
    if c["overlap_efficiency"] is not None:
        yield "Overlap efficiency of the old version: %s." % number(c["overlap_efficiency"], 3)
    if c["not_ablated"]:
        yield "Loads and compute were not timed alone: %s." % c["not_ablated"]


def version_made(v):
    return (v["made"] or "the file as it is") + (", which --variant=auto gives" if v["auto"] else "")
