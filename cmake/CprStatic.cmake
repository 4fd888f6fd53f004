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

# LLVM's export file names shared libraries; the solver Z3 is for Clang's static analyzer only.
if(TARGET LLVMSupport)
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES
    "m;${CPR_STATIC_z};${CPR_STATIC_zstd};LLVMDemangle")
endif()
# The optimiser's extension Polly is in a package of its own, and nothing here calls it.
if(TARGET LLVMExtensions)
  set_target_properties(LLVMExtensions PROPERTIES INTERFACE_LINK_LIBRARIES "LLVMSupport")
endif()
llvm_map_components_to_libnames(CPR_LLVM_LIBS support targetparser)
# The emulator compiles kernels for this machine, in memory.
llvm_map_components_to_libnames(CPR_JIT_LIBS orcjit passes native bitreader support)

# The Clang archives and the LLVM components that they use. Their dependencies go in circles.
set(archives CodeGen Tooling ToolingCore ToolingInclusions Format Frontend Driver Options Serialization
  Parse Sema Analysis AnalysisLifetimeSafety Edit ASTMatchers AST APINotes Rewrite Lex Support
  Basic DependencyScanning)
list(TRANSFORM archives PREPEND "${LLVM_LIBRARY_DIR}/libclang")
list(TRANSFORM archives APPEND ".a")
llvm_map_components_to_libnames(components passes lto linker ipo instrumentation objcarcopts
  coroutines irreader hipstdpar frontendoffloading codegen target option mc mcparser object profiledata bitreader bitwriter
  frontendopenmp frontenddriver frontendhlsl windowsdriver coverage plugins binaryformat support
  targetparser)
set(CPR_CLANG_LIBS "$<LINK_GROUP:RESCAN,${archives}>" ${components})

add_link_options(-static -Wl,--gc-sections)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_link_options(-s)
endif()

set(CPR_RESOURCE_DIR "lib/clang/${LLVM_VERSION_MAJOR}")
file(COPY "${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}/include"
  DESTINATION "${CMAKE_BINARY_DIR}/${CPR_RESOURCE_DIR}")
install(DIRECTORY "${CMAKE_BINARY_DIR}/${CPR_RESOURCE_DIR}/include" DESTINATION "${CPR_RESOURCE_DIR}")
