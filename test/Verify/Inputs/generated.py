"""Makes every change of a new loop that the operators of lib/Mutate know, one at a time, and verifies the result.

    generated.py TOOL KERNELS.cu LAUNCH.yaml EQUIVALENT.txt [--sample N] [--table FILE]

A mutant is one change (OPERATOR@PLACE) under one variant, in every kernel of KERNELS.cu whose new loop has that place. It is killed
if verification fails, or gives no verdict, or if the new text did not pass when it was read again; in at least one of the kernels,
and in all of them but those that EQUIVALENT.txt lists. A line there:

    VARIANT STAGES ID KERNEL  REASON

Each of the first four may have * in it. What is listed, and does not survive anywhere, is a failure, too.

--sample: every Nth mutant, the same ones on every machine. --table: Markdown, what killed each.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutants

# In the order of Methods.def; cp-async with three numbers of stages.
SCHEDULES = [("cp-async", 2), ("cp-async", 3), ("cp-async", 4), ("ldg", 2), ("ldg-single", 1), ("mixed", 2)]


def rewrite(tool, kernels, schedule, mutation, folder):
    """The text of the new file."""
    variant, stages = schedule
    path = os.path.join(folder, "%s-%d-%08x.cu" % (variant, stages, zlib.crc32(mutation.encode())))
    command = [tool, "--cuda-path=none", kernels, "--block-size=64", "--self-check=off", "-q", "--variant=" + variant, "-o", path]
    command += ["--stages=%d" % stages] if variant == "cp-async" else []
    run = subprocess.run(command + (["--plant-bug=" + mutation] if mutation else []), capture_output=True, encoding="utf-8")
    if run.returncode not in (0, 1):
        sys.exit("%s --plant-bug=%s: exit %d\n%s" % (" ".join(command), mutation, run.returncode, run.stderr))
    return path


def places(tool, kernels, folder):
    """{schedule: ids}"""
    found = collections.OrderedDict()
    for schedule in SCHEDULES:
        listed = os.path.join(folder, "list-%s-%d" % schedule)
        rewrite(tool, kernels, schedule, "list:" + listed, folder)
        with open(listed, encoding="utf-8") as file:
            found[schedule] = sorted({line.split()[2] for line in file if line.split()[:2] == [schedule[0], str(schedule[1])]})
    return found


def read_equivalents(path):
    lines = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split(None, 4)
            if not words or words[0].startswith("#"):
                continue
            if len(words) != 5:
                sys.exit("%s:%d: expected VARIANT STAGES ID KERNEL REASON" % (path, number))
            lines.append(words)
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("kernels")
    parser.add_argument("launch")
    parser.add_argument("equivalent")
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--table")
    args = parser.parse_args()
    equivalents = read_equivalents(args.equivalent)
    used, failures, rows = set(), [], []
    total = killed = changed = harmless = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = places(args.tool, args.kernels, folder)
        originals = mutants.bodies(mutants.read(args.kernels))
        for schedule, ids in found.items():
            good = mutants.bodies(mutants.read(rewrite(args.tool, args.kernels, schedule, "", folder)))
            chosen = [i for i in ids if zlib.crc32(("%s %d %s" % (*schedule, i)).encode()) % args.sample == 0]
            paths = pool.map(lambda mutation: rewrite(args.tool, args.kernels, schedule, mutation, folder), chosen)
            known, jobs = {}, []
            for mutation, path in zip(chosen, paths):
                text = mutants.bodies(mutants.read(path))
                different = {kernel for kernel in text if text[kernel] != good[kernel]}
                again = {kernel for kernel in different if text[kernel] == originals[kernel]}
                known[mutation] = {kernel: "read again" for kernel in again}
                if different - again:
                    jobs.append((mutation, different - again, path))
            pairs = [(names, path) for _, names, path in jobs]
            cases = mutants.verify_all(args.tool, args.kernels, args.launch, pairs, folder) if pairs else []
            for (mutation, names, _), found_cases in zip(jobs, cases):
                for kernel in names:
                    known[mutation][kernel] = mutants.verdict([c for c in found_cases if c["kernel"] == kernel])
            for mutation in chosen:
                verdicts = known[mutation]
                if not verdicts:
                    continue  # the same text: there is nothing to change
                total += 1
                changed += len(verdicts)
                how = collections.Counter(how for how in verdicts.values() if how)
                listed = None
                for kernel in sorted(k for k, how in verdicts.items() if how is None):
                    words = (schedule[0], str(schedule[1]), mutation, kernel)
                    lines = [n for n, e in enumerate(equivalents) if all(map(fnmatch.fnmatchcase, words, e[:4]))]
                    if not lines:
                        failures.append("%s %s %s in %s: SURVIVES" % words)
                    used.update(lines)
                    listed = listed or (equivalents[lines[0]][4].strip() if lines else None)
                if how:
                    killed += 1
                elif listed:
                    harmless += 1
                rows.append((schedule, mutation, ", ".join("%s %d" % h for h in how.most_common()) or "nothing", listed or ""))
    if args.sample == 1:
        failures += ["%s: listed as equivalent, and killed everywhere" % " ".join(e[:4]) for n, e in enumerate(equivalents) if n not in used]
    by_operator = collections.defaultdict(collections.Counter)
    for _, mutation, how, _ in rows:
        by_operator[mutation.split("@")[0].split("=")[0].rstrip("0123456789")][how != "nothing"] += 1
    for operator, of in sorted(by_operator.items()):
        print("%-16s %3d mutants, %3d killed" % (operator, sum(of.values()), of[True]))
    if args.table:
        with open(args.table, "w", encoding="utf-8") as file:
            file.write("| schedule | change | killed by (kernels) | where it survives |\n|---|---|---|---|\n")
            for schedule, mutation, how, why in rows:
                file.write("| %s, %d | `%s` | %s | %s |\n" % (*schedule, mutation, how, why))
    print("%d of %d mutants killed, %d equivalent everywhere; %d changed kernels" % (killed, total, harmless, changed))
    for line in failures:
        print("failure: " + line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
