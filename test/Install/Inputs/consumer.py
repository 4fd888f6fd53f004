"""consumer.py PREFIX WORK GENERATOR TOOLCHAIN: cuda_pipeline_check() in a project that finds the package in PREFIX.

Copies the project beside this file to WORK, configures it, builds, changes one thing, builds again, and so on. For each
step it prints which sources were checked, what was found, and how the build ended. TOOLCHAIN is a file for CMake, or `-`.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

prefix, work, generator, toolchain = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
source, build = os.path.join(work, "source"), os.path.join(work, "build")


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    return result.returncode, result.stdout


def configure(check):
    options = ["-DCMAKE_PREFIX_PATH=" + prefix, "-DCMAKE_CUDA_ARCHITECTURES=80", "-DCMAKE_BUILD_TYPE=Debug"]
    if toolchain != "-":
        options.append("-DCMAKE_TOOLCHAIN_FILE=" + toolchain)
    code, output = run("cmake", "-S", source, "-B", build, "-G", generator, "-DCHECK=OPTIONS;--cuda-path=none;" + check, *options)
    if code != 0:
        sys.exit("cannot configure:\n" + output)


def step(name, *arguments):
    """The order in which sources are checked is the build tool's, so what is said is sorted, and a failure stops nothing."""
    keep_going = ["-k"] if "Makefiles" in generator else ["-k", "0"]
    code, output = run("cmake", "--build", build, *(arguments or ("--target", "pipeline-check")), "-j", "2", "--", *keep_going)
    checked = re.findall(r"Building CUDA object \S*-pipeline-check-files\.dir/(?:Debug/)?(\S+)\.o", output)
    found = re.findall(r"([^/\n]+):(\d+):\d+: (?:warning|error): (.*?)(?: \(predicted.*)?(?: \[.*)?\n", output)
    print("%s: %s" % (name, "passes" if code == 0 else "fails"))
    print("  checked: " + (", ".join(sorted(checked)) or "nothing"))
    for file, line, text in sorted(found):
        print("  %s:%s: %s" % (file, line, text))
    for text in re.findall(r"pipeline check of .*|.*does not parse|.*was run as the compiler", output):
        print("  " + text.replace(source + "/", ""))
    return output


def edit(name, old, new):
    path = os.path.join(source, name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert old in text, name
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new, 1))


def found_package():
    """Paths are those of PREFIX. A static package has neither clangd nor the plugin."""
    with open(os.path.join(build, "found.txt"), encoding="utf-8") as file:
        found = dict(line.rstrip("\n").split(" ", 1) for line in file)
    assert found["executable"] == os.path.join(prefix, "bin/cuda-pipeline-rewrite"), found
    for name, path in (("clangd", "bin/cuda-pipeline-clangd"), ("plugin", "lib/libcuda-pipeline-tidy.so")):
        path = os.path.join(prefix, path)
        assert found[name] == (path if os.path.exists(path) else ""), found


def compare_commands():
    """A check's command is the compiler's, but for the names of the target and the mark of the options."""
    commands = {"": {}, "-pipeline-check-files": {}}
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        for entry in json.load(file):
            command = shlex.split(entry["command"])
            target = re.search(r"/?(kernels|objects|program)(-pipeline-check-files)?\.dir/(.*)", command[command.index("-o") + 1])
            key = target.group(1) + "/" + target.group(3)
            command[command.index("-o") + 1] = key
            if "--options-file" in command:
                at = command.index("--options-file")
                with open(os.path.join(build, command[at + 1]), encoding="utf-8") as options:
                    command[at : at + 2] = shlex.split(options.read())
            commands[target.group(2) or ""][key] = [a for a in command if not a.startswith("--pipeline-check=")]
    real, check = commands[""], commands["-pipeline-check-files"]
    for key in check:
        if check[key] != real.get(key):
            sys.exit("the commands of %s differ:\n%s\n%s" % (key, real.get(key), check[key]))
    left_out = sorted({os.path.basename(key) for key in real if key not in check})
    print("commands of %d sources are alike; left out: %s" % (len({os.path.basename(key) for key in check}), ", ".join(left_out)))


def report():
    with open(os.path.join(build, "kernels.sarif"), encoding="utf-8") as file:
        runs = json.load(file)["runs"]
    rules = [rule["id"] for rule in runs[0]["tool"]["driver"]["rules"]]
    print("report: %d run, rules: %s" % (len(runs), ", ".join(rules)))
    for result in runs[0]["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        print("  %s: %s, %d fixes" % (uri.split("/")[-1], result["ruleId"], len(result.get("fixes", []))))


def main():
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(os.path.join(here, "consumer"), source)
    configure("")
    found_package()
    compare_commands()
    step("first")
    step("again")

    edit("header.h", "\n", " // edited\n")
    step("header")
    edit("two words.cu", "for (int t", "// NOLINTNEXTLINE\n  for (int t")
    step("source")
    os.utime(os.path.join(prefix, "bin/cuda-pipeline-rewrite"))
    step("tool")

    configure("FAIL_ON;opportunity;REPORT;kernels.sarif")
    step("fail on opportunity")
    report()
    step("still", "--target", "kernels-pipeline-check")
    step("refused is no opportunity", "--target", "objects-pipeline-check")
    configure("FAIL_ON;refused;ARCH;sm_86;sm_90")
    step("fail on refused", "--target", "objects-pipeline-check")

    configure("ALL")
    step("as a part of the build", "--config", "Debug")
    edit("chosen.cu", "float sum", "flaot sum")
    step("error")

    # Another tool may have another answer.
    tool = os.path.join(prefix, "bin/cuda-pipeline-rewrite")
    step("before another tool", "--target", "objects-pipeline-check")
    os.utime(tool)
    step("another tool", "--target", "objects-pipeline-check")
    step("another tool, again", "--target", "objects-pipeline-check")


main()
