"""Plants every bug of PlantedBugs.def in every kernel under every variant, and verifies the result.

    mutants.py TOOL KERNELS.cu BUGS.def LAUNCH.yaml...

LAUNCH.yaml may be `-`: then verification has to find launches by itself. With each of them everything is verified once; but where
launches have to be found, which takes most of the time, two of the variants that a bug fits are taken, by the bug's name. With CPR_LONG=1
in the environment all are.

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
import zlib

VARIANTS = [
    ("ldg", []),
    ("ldg-single", []),
    ("cp-async", ["--stages=2"]),
    ("cp-async", ["--stages=3"]),
    ("cp-async", ["--stages=4"]),
    ("mixed", []),
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


def rewrite(tool, kernels, bug, folder):
    """{variant with options: the file that is written}"""
    name = bug or "none"
    command = [tool, "--cuda-path=none", kernels, "--block-size=64", "--format=json"] + ([f"--plant-bug={bug}"] if bug else [])
    written = {}
    # One reading serves all variants.
    command += ["--variant=each", "--stages=2,3,4", "--output-dir=" + os.path.join(folder, name)]
    result = run(command)
    # 1: a variant is refused for some loop.
    if result.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit {result.returncode}\n{result.stderr}")
    files = json.loads(result.stdout)["files"]
    keys = ["cp-async--stages=2", "cp-async--stages=3", "cp-async--stages=4", "ldg", "ldg-single", "mixed"]
    if len(keys) != len(files):
        sys.exit(f"{' '.join(command)}: {len(files)} files in the report")
    for key, file in zip(keys, files):
        # Where nothing was changed no file is written.
        path = os.path.join(folder, f"{name}_{key.replace('=', '')}.cu")
        with open(file["output"] or kernels, encoding="utf-8") as source, open(path, "w", encoding="utf-8") as copy:
            copy.write(source.read())
        written[key] = path
    return written


def read(path):
    with open(path, encoding="utf-8") as file:
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
    command = [tool, "--cuda-path=none", "verify", "--batch=" + lists, "-j%d" % os.cpu_count(), "--report=" + report, "-q", "--timeout=600",
               "--all-data=off"]
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


def some_of(running, most):
    """The jobs that are run: all without a bug, and of each bug a fixed `most` of the variants that it fits."""
    fitting = collections.defaultdict(list)
    for job, _, _ in running:
        fitting[job[0]].append(job)
    taken = set()
    for bug, jobs in fitting.items():
        first = zlib.crc32((bug or "").encode()) % len(jobs)
        taken.update((jobs + jobs)[first:first + (most if bug else len(jobs))])
    return [r for r in running if r[0] in taken]


def planted_in(kernels, bug, path, good, mixed):
    """(kernels whose mistake was seen when they were read again, kernels to run)"""
    text, original = bodies(read(path)), bodies(read(kernels))
    # Few kernels have copies of both kinds.
    planted = {k for k in text if text[k] != good[k]} if bug else {k for k in text if text[k] != original[k] or not mixed}
    # What was left as it is, and was not without the bug, did not pass when it was read again.
    refused = {k for k in planted if bug and text[k] == original[k]}
    return sorted(refused), planted - refused


def main():
    tool, kernels, definitions, *launches = sys.argv[1:]
    bugs = re.findall(r'^PLANTED_BUG\(\w+, "([\w-]+)"', read(definitions), flags=re.M)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            written = dict(zip([None] + bugs, pool.map(lambda bug: rewrite(tool, kernels, bug, folder), [None] + bugs)))
        good = {key: bodies(read(path)) for key, path in written[None].items()}
        known, running = [], []
        for variant, options in VARIANTS:
            key = variant + "".join(options)
            for bug in [None] + bugs:
                refused, names = planted_in(kernels, bug, written[bug][key], good[key], variant == "mixed")
                known += [(bug, variant, "".join(options), kernel, "read-again") for kernel in refused]
                if names:
                    running.append(((bug, variant, "".join(options)), names, written[bug][key]))
        for launch in launches:
            results = list(known)
            wanted = running if os.environ.get("CPR_LONG") else some_of(running, 2 if launch == "-" else 3)
            found = verify_all(tool, kernels, launch, [(names, output) for _, names, output in wanted], folder)
            for (job, names, _), cases in zip(wanted, found):
                of = collections.defaultdict(list)
                for case in cases:
                    of[case["kernel"]].append(case)
                results += [(*job, kernel, verdict(of[kernel])) for kernel in sorted(names)]
            print("Launches that are found:" if launch == "-" else "Launches that are described:")
            failed |= table(bugs, results)
    return 1 if failed else 0


def table(bugs, results):
    """Prints what caught each bug, and whether that is wrong."""
    failures = []
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
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
