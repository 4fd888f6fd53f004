"""Plants every bug of PlantedBugs.def in every kernel under every variant, and verifies the result.

    mutants.py TOOL KERNELS.cu LAUNCH.yaml BUGS.def

LAUNCH.yaml may be `-`: then verification has to find launches by itself.

Prints, for every bug, where it was caught and by what; fails if one survives that is not listed in
HARMLESS, if one of those is caught after all, or if a bug was planted in fewer than five kernels and is
not listed in RARE.
"""

import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

VARIANTS = [
    ("ldg", []),
    ("ldg-single", []),
    ("cp-async", ["--stages=2"]),
    ("cp-async", ["--stages=3"]),
    ("cp-async", ["--stages=4"]),
]

# (bug, variant with options or None for all, kernel or None for all): planted there, it changes nothing
# that a kernel can notice.
HARMLESS = {
    # Two stages wait for every group, so that the number of groups does not matter.
    ("commit-if-copied", "cp-async--stages=2", None),
    # The guards of the copies keep the reads inside, and what is filled in instead is never read.
    ("unguarded-main", None, "guarded"),
    ("unguarded-prologue", None, "guarded"),
}

# Bugs that fit fewer than five of the kernels, with the reason.
RARE = {
    "no-fill": "only guarded copies fill",
    "no-guard": "only guarded copies have a guard",
    "half-copy": "4 bytes cannot be halved: cp.async has no 2",
    "no-final-barrier": "only where the tiles are used again",
    "no-carry-in": "only where the tile is used in front of the loop",
    "no-carry-back": "only where it is used behind the loop",
    "second-tile-stage": "only where there is a second tile",
    "shared-register": "only where two copies have registers of one type",
}


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")


def rewrite(tool, kernels, variant, options, bug, output):
    command = [tool, "--cuda-path=none", kernels, "--variant=" + variant, "--block-size=64", "-o", output]
    if bug:
        command.append("--plant-bug=" + bug)
    result = run(command + options)
    # 1: the variant is refused for some loop.
    if result.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit {result.returncode}\n{result.stderr}")
    with open(output, encoding="utf-8") as file:
        return file.read()


def bodies(text):
    """Kernel -> its text."""
    parts = re.split(r"(?=^__global__ )", text, flags=re.M)
    return {re.search(r"void (\w+)\(", p).group(1): p for p in parts if p.startswith("__global__")}


def alone(kernels, planted, output):
    """The file with the kernels `planted`; the others are as they were."""
    with open(kernels, encoding="utf-8") as file:
        original = bodies(file.read())
    with open(output, encoding="utf-8") as file:
        parts = re.split(r"(?=^__global__ )", file.read(), flags=re.M)
    names = [re.search(r"void (\w+)\(", p).group(1) if p.startswith("__global__") else None for p in parts]
    path = output + ".alone.cu"
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(p if n is None or n in planted else original[n] for p, n in zip(parts, names)))
    return path


def described(launch, planted, output):
    """The description of these kernels alone: the others are what they are without a bug."""
    with open(launch, encoding="utf-8") as file:
        documents = file.read().split("---\n")
    path = output + ".yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write("---\n".join(d for d in documents if re.search(r"^kernel: (\w+)$", d, re.M).group(1) in planted))
    return path


def verify_all(tool, kernels, launch, jobs, folder):
    """Of each job (planted kernels, file) the cases, all in one run: what is known of the original serves all of them."""
    lists = os.path.join(folder, "pairs")
    with open(lists, "w", encoding="utf-8") as file:
        for planted, output in jobs:
            pair = [kernels, alone(kernels, planted, output)] if launch == "-" else [kernels, output, described(launch, planted, output)]
            file.write(" ".join("'%s'" % path for path in pair) + "\n")
    report = lists + ".json"
    command = [tool, "--cuda-path=none", "verify", "--batch=" + lists, "-j%d" % os.cpu_count(), "--report=" + report, "-q", "--timeout=600"]
    result = run(command + ([] if launch == "-" else ["--seed=1", "--runs=3"]))
    if result.returncode not in (0, 1, 4):
        sys.exit(f"{' '.join(command)}: exit {result.returncode}\n{result.stderr}")
    with open(report, encoding="utf-8") as file:
        runs = json.load(file)["runs"]
    if any(r["report"] is None for r in runs):
        sys.exit(f"{' '.join(command)}: {result.stderr}")
    return [r["report"]["cases"] + [{"kernel": n["kernel"], "verdict": "cannot-tell", "reason": n["why"], "fault": None}
                                    for n in (r["report"]["not_shown"] if launch == "-" else [])] for r in runs]


def verdict(cases):
    """What caught the bug; None: nothing did."""
    if not cases:
        return "no verdict: not verified"
    for case in cases:
        if case["verdict"] == "fail":
            return case["fault"]["kind"] if case["fault"] else "difference"
    for case in cases:
        if case["verdict"] != "pass":
            return "no verdict: " + case["reason"]
    return None


def plant(job):
    """(what is known already, the kernels to run, their file)"""
    tool, kernels, launch, variant, options, bug, folder, good = job
    name = "_".join([bug or "none", variant] + options).replace("=", "")
    output = os.path.join(folder, name + ".cu")
    text = bodies(rewrite(tool, kernels, variant, options, bug, output))
    planted = {k for k in text if text[k] != good[k]} if bug else set(text)
    # What was left as it is, and was not without the bug, did not pass when it was read again.
    with open(kernels, encoding="utf-8") as file:
        original = bodies(file.read())
    refused = {k for k in planted if bug and text[k] == original[k]}
    results = [(bug, variant, "".join(options), kernel, "read-again") for kernel in sorted(refused)]
    return results, planted - refused, output


def main():
    tool, kernels, launch, definitions = sys.argv[1:]
    with open(definitions, encoding="utf-8") as file:
        bugs = re.findall(r'^PLANTED_BUG\(\w+, "([\w-]+)"', file.read(), flags=re.M)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        good, jobs = {}, []
        for variant, options in VARIANTS:
            key = variant + "".join(options)
            output = os.path.join(folder, "good_" + key + ".cu")
            good[key] = bodies(rewrite(tool, kernels, variant, options, None, output))
            for bug in [None] + bugs:
                jobs.append((tool, kernels, launch, variant, options, bug, folder, good[key]))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            planted = list(pool.map(plant, jobs))
        results = [r for known, _, _ in planted for r in known]
        running = [(job, names, output) for job, (_, names, output) in zip(jobs, planted) if names]
        found = verify_all(tool, kernels, launch, [(names, output) for _, names, output in running], folder)
        for (job, names, _), cases in zip(running, found):
            of = collections.defaultdict(list)
            for case in cases:
                of[case["kernel"]].append(case)
            results += [(job[5], job[3], "".join(job[4]), kernel, verdict(of[kernel])) for kernel in sorted(names)]

    for _, variant, options, kernel, caught in results:
        if _ is None and caught:
            failures.append(f"without a bug: {kernel} under {variant}{options}: {caught}")
    total = killed = 0
    for bug in bugs:
        mine = [r for r in results if r[0] == bug]
        caught = collections.Counter()
        for _, variant, options, kernel, how in mine:
            key = variant + options
            harmless = any((bug, v, k) in HARMLESS for v in (key, None) for k in (kernel, None))
            where = f"{bug}: {kernel} under {variant} {options}".rstrip()
            if harmless:
                if how:
                    failures.append(f"{where}: listed as harmless, but caught by {how}")
                continue
            total += 1
            if how is None:
                failures.append(f"{where}: SURVIVES")
                caught["survives"] += 1
            elif how.startswith("no verdict"):
                failures.append(f"{where}: {how}")
            else:
                killed += 1
                caught[how] += 1
        places = {r[3] for r in mine}
        if len(places) < (1 if bug in RARE else 5):
            failures.append(f"{bug}: planted in {len(places)} kernels only: {sorted(places)}")
        summary = ", ".join(f"{how} {n}" for how, n in caught.most_common())
        print(f"{bug:24} {len(places)} kernels, {sum(caught.values()):2} mutants: {summary}")
    print(f"{killed} of {total} mutants of {len(bugs)} bugs caught")
    for line in failures:
        print("failure: " + line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
