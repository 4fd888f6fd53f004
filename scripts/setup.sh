#!/usr/bin/env bash
# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what the build and the tests need, with apt, without a question. Needs root or sudo only
# if something is missing.
#
#   scripts/setup.sh            for the presets release and debug, and the tests
#   scripts/setup.sh --static   also for the preset static
#   scripts/setup.sh --editors  also the editors that test/Editors drives
#   scripts/setup.sh --browser  also the browser that test/Report looks at pages with; all of these go together
set -euo pipefail

packages=(
  llvm-22-dev       # LLVM's headers and libraries; brings lit, FileCheck, not, split-file
  llvm-22-tools
  libclang-22-dev   # Clang's headers, archives, and its builtin headers
  libclang-cpp22
  clang-22          # the tests compare with it
  clang-tidy-22     # loads the plugin
  clang-tools-22    # clang-apply-replacements, clang-query
  clang-format-22   # scripts/format.sh
  libisl-dev        # index maps
  libgmp-dev        # isl's integers
  zlib1g-dev
  libgtest-dev
  cmake
  ninja-build
  python3           # lit
  python3-jsonschema # reports against their schemas
  python3-html5lib  # pages against the standard
)
editors=() # without one of them its tests are left out, no more; a browser, too
for option in "$@"; do
  case "$option" in
    --static) packages+=(libzstd-dev) ;;
    --editors) editors+=(neovim emacs-nox vim vim-ale) ;;
    --browser) editors+=(chromium) ;;
    *)
      echo "usage: scripts/setup.sh [--static] [--editors] [--browser]" >&2
      exit 2
      ;;
  esac
done
# Emacs has Eglot from 29 on; the package is for older ones.
if [[ " ${editors[*]-} " == *emacs* ]] && ! emacs --batch -l eglot >/dev/null 2>&1; then
  editors+=(elpa-eglot)
fi
# A compiler, where not even that is there.
if ! command -v c++ >/dev/null; then
  packages+=(g++)
fi

is_installed() {
  dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed$'
}
missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
missing_editors=()
for package in ${editors[@]+"${editors[@]}"}; do
  is_installed "$package" || missing_editors+=("$package")
done
if [ ${#missing[@]} -eq 0 ] && [ ${#missing_editors[@]} -eq 0 ]; then
  exit 0
fi
# Says what is left out, where only editors are missing and cannot be installed.
go_on_without_editors() {
  if [ ${#missing[@]} -eq 0 ]; then
    echo "setup.sh: without ${missing_editors[*]}: $1; their tests are left out" >&2
    exit 0
  fi
}

if ! command -v apt-get >/dev/null; then
  go_on_without_editors "this system has no apt"
  echo "setup.sh: this system has no apt. Install LLVM and Clang 22.1 (with their development" >&2
  echo "files), isl, GMP, GoogleTest, CMake 3.25 and Ninja by other means; see CONTRIBUTING.md." >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    go_on_without_editors "neither root nor sudo"
    echo "setup.sh: these packages are missing, and there is neither root nor sudo to install them:" >&2
    echo "  ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

# Quiet unless it fails; never waits for an answer.
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    return 1
  fi
}

installing=("${missing[@]}" "${missing_editors[@]}")
echo "setup.sh: installing ${installing[*]}"
# A stale list may still do; what counts is whether LLVM 22 can be had. Without the error mode,
# apt-get calls it a success when no list could be fetched.
apt update -o APT::Update::Error-Mode=any ||
  echo "setup.sh: 'apt-get update' failed; going on with the lists that are here" >&2
if ! apt-cache show llvm-22-dev >/dev/null 2>&1; then
  # shellcheck disable=SC1091
  system=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-unknown}")
  cat >&2 <<MESSAGE
setup.sh: the package lists of this system ($system) have no llvm-22-dev.

LLVM 22.1 is needed. It is in Debian 12 (bookworm, with bookworm-security), Debian 13 (trixie, with
trixie-security) and later, and in any system whose apt has LLVM 22. Elsewhere, add a package source
that has it (the LLVM project offers one for Debian and Ubuntu), run this script again, or point the
build to an LLVM 22.1 of your own: cmake --preset release -DCPR_LLVM_ROOT=/path/to/llvm-22
MESSAGE
  exit 1
fi
if [ ${#missing[@]} -ne 0 ]; then
  apt install --no-install-recommends "${missing[@]}"
fi
for package in ${missing_editors[@]+"${missing_editors[@]}"}; do
  if [ "$package" = elpa-eglot ] && emacs --batch -l eglot >/dev/null 2>&1; then
    continue
  fi
  apt install --no-install-recommends "$package" ||
    echo "setup.sh: without $package: its tests are left out" >&2
done
