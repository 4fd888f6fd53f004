# cpr_add_library(NAME SOURCES... [CLANG] [DEPENDS LIB...])
#   A static library of the project. CLANG: it includes Clang's AST headers, so it shares the one
#   precompiled header and links Clang. Without it only LLVM's support library is linked.
function(cpr_add_library name)
  cmake_parse_arguments(ARG "CLANG" "" "DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_CLANG)
    cpr_use_clang_pch(${name})
    target_link_libraries(${name} PUBLIC ${ARG_DEPENDS} ${CPR_CLANG_LIBS})
  else()
    cpr_use_pch(${name} CprLlvmPch LlvmPch.h)
    target_link_libraries(${name} PUBLIC ${ARG_DEPENDS} ${CPR_LLVM_LIBS})
  endif()
endfunction()

# cpr_add_executable(NAME SOURCES...)
#   An executable compiled exactly like the libraries: with -fPIC instead of -fPIE, because GCC uses
#   a precompiled header only under the same flags.
function(cpr_add_executable name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
endfunction()

# Clang's AST headers cost 10 s and more per file; they are parsed once, into one precompiled header.
function(cpr_use_clang_pch target)
  cpr_use_pch(${target} CprPch ClangPch.h)
endfunction()

# The precompiled header of the object library \p owner, made of cmake/\p header, with the compile options that follow.
function(cpr_use_pch target owner header)
  if(NOT TARGET ${owner})
    file(WRITE "${CMAKE_BINARY_DIR}/${owner}.cpp" "// Owner of a shared precompiled header.\n")
    add_library(${owner} OBJECT "${CMAKE_BINARY_DIR}/${owner}.cpp")
    target_precompile_headers(${owner} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/${header}")
    target_compile_options(${owner} PRIVATE ${ARGN})
  endif()
  target_compile_options(${target} PRIVATE ${ARGN})
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()
