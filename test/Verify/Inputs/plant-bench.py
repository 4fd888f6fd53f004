# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""plant-bench.py CASES.H RESULT [--wrong] [--ncu PROBLEM]: the result of a harness for bench, as if it had run."""
import json
import re
import sys

text = open(sys.argv[1]).read()
times = {"Old": [100, 110, 120], "New": [50, 50, 80], "LoadsOnly": [90], "ComputeOnly": [30]}
kinds = re.findall(r"VersionInfo::(\w+), ", text)
wrong = "--wrong" in sys.argv
cases = []
for kernel, case, launches in re.findall(r'^  \{\d+, "(.*?)", "(.*?)", Launches_(\d+)', text, re.M):
    shapes = re.search(r"Launches_" + launches + r"\[\] = \{(.*)\};", text).group(1)
    shapes = re.findall(r"\{\{.*?\}, \{.*?\}, [\w:]+\}|\{\}", shapes)
    results = []
    for number, (kind, shape) in enumerate(zip(kinds, shapes)):
        result = {"version": number, "verdict": "pass", "kind": "", "reason": "", "seed": 2, "dynamic_shared_bytes": 0}
        if shape == "{}":
            result.update(verdict="cannot-tell", kind="not-run", reason="not run")
        else:
            result.update(us=times[kind], launches_per_round=5)
        if wrong and kind == "New":
            result.update(verdict="fail", kind="difference", reason="the results differ")
        elif kind == "New" and "--ncu" not in sys.argv:
            result["stalls"] = {"barrier": 1.25, "long_scoreboard": 4.5, "selected": 1, "sleeping": 0}
        results.append(result)
    worst = next((r for r in results if r["verdict"] == "fail"), results[1])
    cases.append({"kernel": kernel, "case": case, "launches": 99, "verdict": worst["verdict"], "kind": worst["kind"],
                  "reason": worst["reason"], "seed": 2, "results": results})
json.dump({"schema_version": 1, "harness": re.search(r'CPR_HARNESS "(\w+)"', text).group(1), "gpu": "Planted GPU",
           "compute_capability": "9.0", "driver": "13.0", "runtime": "13.0", "arch": "sm_90",
           "verdict": "fail" if wrong else "pass", "seeds": [1, 2],
           "clocks": {"sm_mhz": 1500, "sm_mhz_min": 1400, "sm_mhz_max": 1600, "mem_mhz": 2600, "source": "nvml"},
           "ceilings": {"copy_gbps": 1000, "ffma_gflops": 20000, "dfma_gflops": 10000, "tensor_gflops": 300000, "imma_gops": 0}, "l2": "warm",
           "ncu": sys.argv[sys.argv.index("--ncu") + 1] if "--ncu" in sys.argv else "", "cases": cases},
          open(sys.argv[2], "w"))
