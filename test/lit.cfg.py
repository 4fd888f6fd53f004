"""Configuration of the lit tests.

Substitutions
  %cpr        the tool without a CUDA toolkit (--cuda-path=none): the same bytes on every machine; with --self-check=off, unless the
              test says --self-check=
  %tool       the same as the user calls it: it finds a toolkit if there is one
  %planted    as %cpr, with the mistake of --plant-bug=ID in the new loops; %plantedtool: without a toolkit being
              chosen; %clangd_planted: clangd with it
  %toolpath   the tool as a file, with the user's defaults; its JSON reports are not looked at
  %schemas    the folder docs/schema
  %check_reports  JSON reports against it (Inputs/check_reports.py)
  %toolkit    the toolkit's folder; only where the feature `toolkit` is there
  %nvcc       nvcc; only where the feature `nvcc` is there
  %examples   the folder examples/
  %decls      the folder with the bundled CUDA declarations
  %unittests  the folder of the programs that unittests/ builds
  %clangd     clangd with the check compiled in; only where the feature `clangd` is there
  %plugin     the clang-tidy plugin; only where the feature `clang-tidy` is there
  %llvm_share the folder of LLVM's scripts (clang-tidy-diff.py); as %plugin
  %build      the build folder, for `cmake --install`
  %python     a Python 3
  %version    the project's version
  %{exit} N   in front of a command that must end with exit code N
  %{usage}    in front of a command that must fail with exit 2 and one line on standard error

Features (for `REQUIRES:`)
  toolkit     a CUDA toolkit's headers          nvcc       nvcc runs; nvcc-13.0: of this version
  nvdisasm    NVIDIA's disassembler, on the path of the tests
  gpu         nvidia-smi lists a GPU            sanitizer  the tool is built with sanitizers
  pty         there are pseudo-terminals (a bare container may have none)
  root        file permissions do not bind      static     the tool has LLVM and Clang linked in
  clangd      the project's clangd is built
  jsonschema, html5lib  Python has the package of that name
  chromium    a Chromium; only then there is %chromium
  clang-tidy  clang-tidy and clang-apply-replacements of this LLVM, and a plugin that they can load
  clang-query clang-query of this LLVM
  ninja       CMake can make files for Ninja
  make        CMake can make Makefiles
  nvim        Neovim, from 0.7 on                emacs      Emacs with Eglot
  vim-ale     Vim with ALE
"""

import atexit
import glob
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

import lit.formats

config.name = "cuda-pipeline-rewrite"
config.test_format = lit.formats.ShTest(execute_external=False)
if "CPR_TEST_CPU" in os.environ:  # a file: see there
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
    import measured

    config.test_format = measured.Measured(execute_external=False)
config.suffixes = [".test", ".cu", ".cuh"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)

# --- Environment: nothing of the user's settings may change what the tool does.
for name in ("CUDA_PATH", "CUDA_HOME", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH", "CPATH"):
    config.environment.pop(name, None)
config.environment["PATH"] = os.pathsep.join(
    [config.cpr_bin_dir, config.llvm_bin_dir, os.environ["PATH"]]
)
config.environment["LC_ALL"] = "C.UTF-8"
# CUDA's declarations, precompiled for all tests.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
for name in ("CPR_LONG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "CUDA_VISIBLE_DEVICES"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


# --- The toolkit, looked for in the same places as the tool does (CUDA_PATH of the caller first).
def find_toolkit():
    places = [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME")]
    nvcc = shutil.which("nvcc")
    if nvcc:
        places.append(os.path.dirname(os.path.dirname(os.path.realpath(nvcc))))
    places += ["/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"]
    for place in places:
        if place and os.path.exists(os.path.join(place, "include", "cuda_runtime.h")):
            return place
    return None


tool = os.path.join(config.cpr_bin_dir, "cuda-pipeline-rewrite")


# --- %cpr and %tool are the tool by way of a script, by which a rewrite is not run against the original unless a test asks for it.
# Every JSON report that a test has written is held against its schema, all of them together when the tests are through: the script
# keeps them, if \p schemas is not None.
def by_script(tool, schemas):
    inputs = os.path.join(config.test_source_root, "Inputs")
    folder = tempfile.mkdtemp(prefix="reports-", dir=config.test_exec_root)
    script = os.path.join(folder, os.path.basename(tool))
    with open(script, "w") as file:
        file.write("#!/bin/sh\nset -- %s %s \"$@\"\n. %s\n" % tuple(
            map(shlex.quote, (folder if schemas else "", tool, os.path.join(inputs, "keep_reports.sh")))))
    os.chmod(script, 0o755)
    main = os.getpid()

    def finish():
        if os.getpid() != main:  # a worker of lit's
            return
        if not schemas:
            shutil.rmtree(folder)
            return
        sys.path.insert(0, inputs)
        import check_reports

        # A report is whole when it is said where it comes from: a test may have killed the tool.
        kept = sorted(name[: -len(".from")] for name in glob.glob(os.path.join(glob.escape(folder), "*.json.from")))
        wrong, count = check_reports.check(kept, schemas)
        shutil.rmtree(folder)
        for line in wrong[:20]:
            print("report against its schema: " + line)
        if wrong:
            print("FAIL: %d violations of docs/schema in %d JSON reports of the tests" % (len(wrong), count), flush=True)
            os._exit(1)  # lit has said its code already

    atexit.register(finish)
    return script


schemas = os.path.join(config.cpr_source_dir, "docs/schema") if importlib.util.find_spec("jsonschema") else None
keeper, planted_keeper = by_script(tool, schemas), by_script(tool + "-planted", schemas)

# Scripts that say `env python3` get the Python of the tests; where a version manager is on the path, looking for one takes far longer
# than to start it.
with open(os.path.join(os.path.dirname(keeper), "python3"), "w") as file:
    file.write("#!/bin/sh\nexec %s \"$@\"\n" % shlex.quote(sys.executable))
os.chmod(file.name, 0o755)
path = config.environment["PATH"].split(os.pathsep)
config.environment["PATH"] = os.pathsep.join(path[:2] + [os.path.dirname(keeper)] + path[2:])

toolkit = find_toolkit()
if toolkit:
    config.available_features.add("toolkit")
    config.substitutions.append((r"%toolkit\b", toolkit))
    nvcc = os.path.join(toolkit, "bin", "nvcc")
    if os.access(nvcc, os.X_OK):
        config.available_features.add("nvcc")
        config.substitutions.append((r"%nvcc\b", nvcc))
        said = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        if "release " in said:
            config.available_features.add("nvcc-" + said.split("release ")[1].split(",")[0])


# --- The disassembler: beside nvcc, on the path, or what scripts/nvdisasm.sh has brought.
def find_nvdisasm():
    places = [os.path.join(toolkit, "bin")] if toolkit else []
    on_path = shutil.which("nvdisasm")
    places += [os.path.dirname(on_path)] if on_path else []
    places.append(os.path.join(config.cpr_source_dir, "build", "nvdisasm", "bin"))
    for place in places:
        if os.access(os.path.join(place, "nvdisasm"), os.X_OK):
            return place
    return None


nvdisasm_dir = find_nvdisasm()
if nvdisasm_dir:
    config.available_features.add("nvdisasm")
    config.environment["PATH"] += os.pathsep + nvdisasm_dir # behind all others


def has_gpu():
    smi = shutil.which("nvidia-smi")
    if not smi:
        return False
    run = subprocess.run([smi, "-L"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return run.returncode == 0 and b"GPU" in run.stdout


if has_gpu():
    config.available_features.add("gpu")
if config.cpr_sanitize:
    config.available_features.add("sanitizer")
if config.cpr_static:
    config.available_features.add("static")
plugin = os.path.join(config.cpr_build_dir, "lib", "libcuda-pipeline-tidy.so")
tidy_programs = [os.path.join(config.llvm_bin_dir, name) for name in ("clang-tidy", "clang-apply-replacements")]
# A program without the sanitizers' runtime cannot load a plugin with it.
if os.path.exists(plugin) and all(os.access(p, os.X_OK) for p in tidy_programs) and not config.cpr_sanitize:
    config.available_features.add("clang-tidy")
    config.substitutions.append((r"%plugin\b", plugin))
    config.substitutions.append((r"%llvm_share\b", os.path.join(os.path.dirname(config.llvm_bin_dir), "share", "clang")))
if os.access(os.path.join(config.llvm_bin_dir, "clang-query"), os.X_OK):
    config.available_features.add("clang-query")
clangd = os.path.join(config.cpr_bin_dir, "cuda-pipeline-clangd")
if os.access(clangd, os.X_OK):
    config.available_features.add("clangd")
    config.substitutions.append((r"%clangd_planted\b", clangd + "-planted"))
    config.substitutions.append((r"%clangd\b", clangd))


# --- Editors that talk to clangd.
def succeeds(*command):
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return run.returncode == 0


for feature, command in {
    "nvim": ["nvim", "--headless", "--clean", "-c", "if has('nvim-0.7') | qall! | else | cquit | endif"],
    "emacs": ["emacs", "--batch", "-l", "eglot"],
    "vim-ale": ["vim", "-N", "-i", "NONE", "-u", "NONE", "-es", "-c", "packadd ale",
                "-c", "if exists(':ALECodeAction') | qall! | else | cquit! | endif"],
}.items():
    if shutil.which(command[0]) and succeeds(*command):
        config.available_features.add(feature)


def has_pty():
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        return False
    return True


# What is left out for want of one says so: a terminal is what these tests are about.
if has_pty():
    config.available_features.add("pty")
else:
    lit_config.note("there are no pseudo-terminals: tests of terminals and editors are left out")
if os.geteuid() == 0:
    config.available_features.add("root")
for name in ("jsonschema", "html5lib"):
    if importlib.util.find_spec(name):
        config.available_features.add(name)
chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if chromium:
    config.available_features.add("chromium")
    config.substitutions.append((r"%chromium\b", chromium))
for name in ("ninja", "make"):
    if shutil.which("cmake") and shutil.which(name):
        config.available_features.add(name)


def helper(script):
    # By its full name: some tests have another PATH.
    return shutil.which("sh") + " " + os.path.join(config.test_source_root, "Tool/Inputs", script)


config.substitutions += [
    (r"%cpr\b", keeper + " --cuda-path=none"),
    (r"%planted\b", planted_keeper + " --cuda-path=none"),
    (r"%plantedtool\b", planted_keeper),
    (r"%toolpath\b", tool),
    (r"%tool\b", keeper),
    (r"%examples\b", os.path.join(config.cpr_source_dir, "examples")),
    (r"%decls\b", os.path.join(config.cpr_source_dir, "lib/Source/cuda-decls")),
    (r"%schemas\b", os.path.join(config.cpr_source_dir, "docs/schema")),
    (r"%check_reports\b", "%s %s %s" % (sys.executable, os.path.join(config.test_source_root, "Inputs/check_reports.py"),
                                       os.path.join(config.cpr_source_dir, "docs/schema"))),
    (r"%unittests\b", os.path.join(config.cpr_build_dir, "unittests")),
    (r"%build\b", config.cpr_build_dir),
    (r"%python\b", sys.executable),
    ("%{usage}", helper("usage-error.sh")),
    ("%{exit}", helper("expect-exit.sh")),
    (r"%version\b", config.cpr_version),
]
