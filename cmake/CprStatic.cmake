# Everything linked in: LLVM, Clang, isl, zstd, the C++ and the C library. The binary runs on any
# x86-64 Linux; Clang's builtin headers are copied to where it finds them relative to itself.

set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
unset(ISL_LIBRARY CACHE)
foreach(lib isl gmp z zstd)
  find_library(CPR_STATIC_${lib} ${lib})
  if(NOT CPR_STATIC_${lib})
    message(FATAL_ERROR "lib${lib}.a not found. 'scripts/setup.sh --static' installs it.")
  endif()
endforeach()
set(ISL_LIBRARY ${CPR_STATIC_isl} ${CPR_STATIC_gmp})

include(CprArchives)
set(CPR_LLVM_LIBS CprLlvmArchives)
set(CPR_JIT_LIBS CprJitArchives)
set(CPR_CLANG_LIBS CprClangArchives)

add_link_options(-static)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_link_options(-s)
endif()

set(CPR_RESOURCE_DIR "lib/clang/${LLVM_VERSION_MAJOR}")
file(COPY "${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}/include"
  DESTINATION "${CMAKE_BINARY_DIR}/${CPR_RESOURCE_DIR}")
install(DIRECTORY "${CMAKE_BINARY_DIR}/${CPR_RESOURCE_DIR}/include" DESTINATION "${CPR_RESOURCE_DIR}")
