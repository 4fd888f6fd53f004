# LLVM's and Clang's archives, as three libraries to link: CprLlvmArchives (the support library), CprJitArchives (the emulator's
# compiler) and CprClangArchives. CPR_STATIC_z and CPR_STATIC_zstd are the compression libraries that go with them.

# LLVM's export file names shared libraries; the solver Z3 is for Clang's static analyzer only.
if(TARGET LLVMSupport)
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES
    "m;${CPR_STATIC_z};${CPR_STATIC_zstd};LLVMDemangle")
endif()
# The optimiser's extension Polly is in a package of its own, and nothing here calls it.
if(TARGET LLVMExtensions)
  set_target_properties(LLVMExtensions PROPERTIES INTERFACE_LINK_LIBRARIES "LLVMSupport")
endif()
llvm_map_components_to_libnames(components support targetparser)
add_library(CprLlvmArchives INTERFACE)
target_link_libraries(CprLlvmArchives INTERFACE ${components})
# The emulator compiles kernels for this machine, in memory.
llvm_map_components_to_libnames(components orcjit passes native bitreader support)
add_library(CprJitArchives INTERFACE)
target_link_libraries(CprJitArchives INTERFACE ${components})

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
add_library(CprClangArchives INTERFACE)
target_link_libraries(CprClangArchives INTERFACE "$<LINK_GROUP:RESCAN,${archives}>" ${components})
# What is not called may refer to what is not there: see above.
# At a fixed place: LLVM's tables are 300,000 pointers, which would be written anew each time that the program starts, in half of the time
# that it takes to start.
target_link_options(CprClangArchives INTERFACE "LINKER:--gc-sections" "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>")
