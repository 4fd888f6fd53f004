# What is installed besides the programs: the CMake package, the licence and the pages. Programs, plugin
# and Clang's headers have their install() where they are built. All places are relative to the prefix,
# which may be moved.

# Debian's and other LLVMs are not where the loader looks by itself.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

include(CMakePackageConfigHelpers)
set(package "${CMAKE_CURRENT_BINARY_DIR}/package/cuda-pipeline-rewrite")
set(package_dir "share/cmake/cuda-pipeline-rewrite")
configure_package_config_file(packaging/cmake/cuda-pipeline-rewrite-config.cmake.in "${package}-config.cmake"
  INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# A program runs for every target.
write_basic_package_version_file("${package}-config-version.cmake" COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${package}-config.cmake" "${package}-config-version.cmake"
  packaging/cmake/CudaPipelineCheck.cmake packaging/cmake/merge-sarif.cmake
  packaging/cmake/check-source.sh packaging/cmake/check-gate.sh
  DESTINATION "${package_dir}")

# Links between the pages, the examples and the licence hold as they do in the source.
set(doc_dir "share/doc/cuda-pipeline-rewrite")
install(FILES LICENSE README.md CONTRIBUTING.md .pre-commit-hooks.yaml DESTINATION "${doc_dir}")
install(DIRECTORY docs examples DESTINATION "${doc_dir}" PATTERN "*.pipelined.*" EXCLUDE)
install(DIRECTORY packaging/bazel packaging/clangd packaging/github DESTINATION "${doc_dir}/packaging")
