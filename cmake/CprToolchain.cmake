# Finds LLVM and Clang 22.1 (pinned: the AST interfaces change between releases, so another
# installed version must never be picked up) and isl, and sets the compile flags.

set(CPR_LLVM_VERSION 22.1)
set(CPR_LLVM_ROOT "/usr/lib/llvm-22" CACHE PATH "Prefix of the LLVM 22.1 installation")

# Not a word about the optional libraries that LLVM's package looks for; only what is missing for us
# is news.
set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)
# find_package(LLVM 22) is refused by LLVM's version file (it wants the minor number too).
find_package(LLVM ${CPR_LLVM_VERSION} CONFIG
  PATHS "${CPR_LLVM_ROOT}/lib/cmake/llvm" NO_DEFAULT_PATH)
if(NOT LLVM_FOUND)
  find_package(LLVM ${CPR_LLVM_VERSION} CONFIG)
endif()
unset(CMAKE_MESSAGE_LOG_LEVEL)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR
    "LLVM ${CPR_LLVM_VERSION} not found. Install llvm-22-dev and libclang-22-dev "
    "(scripts/setup.sh does it), or set CPR_LLVM_ROOT to the prefix of an LLVM 22.1 installation.")
endif()
# Not find_package(Clang): its export file insists on every tool that was ever built with Clang
# (clang-tidy, clangd, ...), each of which Debian puts into a package of its own.
if(NOT EXISTS "${LLVM_INCLUDE_DIR}/clang/AST/ASTContext.h")
  message(FATAL_ERROR "Clang's headers are not in ${LLVM_INCLUDE_DIR}. Install libclang-22-dev "
    "(scripts/setup.sh does it).")
endif()

message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS})
separate_arguments(CPR_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${CPR_LLVM_DEFINITIONS})

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# CMake's default is -O3, which only makes Clang's visitor templates slower to compile: the time of a
# run is spent inside Clang.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # LLVM's headers trip GCC's flow analysis at -O2.
  add_compile_options(-Wno-maybe-uninitialized -Wno-nonnull)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    add_compile_options(-Wno-dangling-reference)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # libstdc++'s std::stable_sort calls what it has declared deprecated.
  add_compile_options(-Wno-deprecated-declarations)
endif()
if(CPR_WERROR)
  add_compile_options(-Werror)
endif()
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()

# What the tests run under; set for every ctest entry.
set(CPR_TEST_ENVIRONMENT "")
if(CPR_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # The installed LLVM is not instrumented. Its allocators poison memory in the inline functions that
  # we compile and unpoison it in those that it compiled, so user poisoning must be off; containers
  # that both sides touch are the same case. Each of the emulator's 1,024 stacks has a twin for what is used after its
  # function returned: 0.7 MB at 2^16, 11 MB by default.
  list(APPEND CPR_TEST_ENVIRONMENT
    "ASAN_OPTIONS=allow_user_poisoning=0:detect_container_overflow=0:detect_stack_use_after_return=1:max_uar_stack_size_log=16"
    "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1")
endif()

# The default linker takes many times longer over LLVM's archives.
include(CheckLinkerFlag)
foreach(linker lld gold)
  check_linker_flag(CXX "-fuse-ld=${linker}" CPR_HAVE_LINKER_${linker})
  if(CPR_HAVE_LINKER_${linker})
    add_link_options("-fuse-ld=${linker}")
    break()
  endif()
endforeach()

# isl decides coverage, disjointness and contiguity of index maps (lib/Analysis).
find_path(ISL_INCLUDE_DIR isl/set.h REQUIRED)
find_library(ISL_LIBRARY NAMES isl REQUIRED)

# What to link for Clang and LLVM: the two big shared libraries, or all archives.
if(CPR_STATIC)
  include(CprStatic)
else()
  # By its full name: the symbolic link without a version is in yet another package.
  find_library(CPR_CLANG_CPP NAMES libclang-cpp.so.${CPR_LLVM_VERSION} clang-cpp
    PATHS ${LLVM_LIBRARY_DIR} NO_DEFAULT_PATH REQUIRED)
  add_library(CprClangShared INTERFACE)
  target_link_libraries(CprClangShared INTERFACE ${CPR_CLANG_CPP} LLVM)
  set(CPR_LLVM_LIBS LLVM)
  set(CPR_JIT_LIBS LLVM)
  set(CPR_CLANG_LIBS CprClangShared)
  # The loader takes 15 ms over the two, a third of the time that a small file takes. A program with the property CPR_ARCHIVES has
  # the archives linked in instead, where there is a linker that is quick with them.
  find_library(CPR_STATIC_z NAMES z libz.so.1)
  find_library(CPR_STATIC_zstd NAMES zstd libzstd.so.1)
  if(CPR_HAVE_LINKER_lld AND CPR_STATIC_z AND CPR_STATIC_zstd AND TARGET LLVMOrcJIT AND NOT CPR_SANITIZE
     AND EXISTS "${LLVM_LIBRARY_DIR}/libclangTooling.a" AND EXISTS "${LLVM_LIBRARY_DIR}/libLLVMOrcJIT.a")
    include(CprArchives)
    set(has_archives "$<BOOL:$<TARGET_PROPERTY:CPR_ARCHIVES>>")
    set(CPR_LLVM_LIBS "$<IF:${has_archives},CprLlvmArchives,LLVM>")
    set(CPR_JIT_LIBS "$<IF:${has_archives},CprJitArchives,LLVM>")
    set(CPR_CLANG_LIBS "$<IF:${has_archives},CprClangArchives,CprClangShared>")
  endif()
endif()
