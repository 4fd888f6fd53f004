# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cuda_pipeline_check(TARGET... [ALL] [FAIL_ON never|opportunity|refused] [ARCH sm_86...]
#                     [OPTIONS OPTION...] [REPORT FILE.sarif])
#
# Adds for each target the build target TARGET-pipeline-check, which runs `cuda-pipeline-rewrite check` on
# its CUDA sources, and the target pipeline-check for all of them. docs/integration.md has the details.
#
# How it works. TARGET-pipeline-check-files is an object library with the CUDA sources and the properties
# of TARGET, so that CMake itself works out the command of each source: flags, what linked targets add,
# generator expressions, properties of the source, the configuration. Its compiler launcher is
# check-source.sh, which runs the tool on the command's source with the command's flags instead of
# compiling it. The "object files" are the reports, and the build tool knows from the dependency file of
# each when it is out of date.

include_guard(GLOBAL)
cmake_policy(VERSION 3.16...3.25)

# What decides about a source's command. What only concerns linking, installing or code generation is not
# here.
set_property(GLOBAL PROPERTY CUDA_PIPELINE_CHECK_PROPERTIES
  COMPILE_DEFINITIONS COMPILE_FEATURES COMPILE_FLAGS COMPILE_OPTIONS INCLUDE_DIRECTORIES LINK_LIBRARIES
  NO_SYSTEM_FROM_IMPORTED CUDA_ARCHITECTURES CUDA_EXTENSIONS CUDA_SEPARABLE_COMPILATION CUDA_STANDARD
  CUDA_STANDARD_REQUIRED CXX_EXTENSIONS CXX_STANDARD CXX_STANDARD_REQUIRED POSITION_INDEPENDENT_CODE
  JOB_POOL_COMPILE)

function(cuda_pipeline_check)
  cmake_parse_arguments(PARSE_ARGV 0 arg "ALL" "FAIL_ON;REPORT" "ARCH;OPTIONS")
  set(targets ${arg_UNPARSED_ARGUMENTS})
  if(CMAKE_VERSION VERSION_LESS 3.25)
    message(FATAL_ERROR "cuda_pipeline_check: needs CMake 3.25 or later, this is ${CMAKE_VERSION}")
  endif()
  if(NOT targets)
    message(FATAL_ERROR "cuda_pipeline_check: name a target")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "cuda_pipeline_check: no value for ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT DEFINED arg_FAIL_ON)
    set(arg_FAIL_ON never)
  elseif(NOT arg_FAIL_ON MATCHES "^(never|opportunity|refused)$")
    message(FATAL_ERROR "cuda_pipeline_check: FAIL_ON is never, opportunity or refused, not '${arg_FAIL_ON}'")
  endif()
  if(DEFINED arg_REPORT AND NOT arg_REPORT MATCHES "[.]sarif$")
    message(FATAL_ERROR "cuda_pipeline_check: REPORT is a file.sarif, not '${arg_REPORT}'")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "cuda_pipeline_check: the generator '${CMAKE_GENERATOR}' has no compiler launcher; use Ninja or Makefiles")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT CUDA IN_LIST languages)
    message(FATAL_ERROR "cuda_pipeline_check: the language CUDA is not enabled; see project() or enable_language()")
  endif()
  if(NOT TARGET cuda-pipeline-rewrite::cuda-pipeline-rewrite)
    message(FATAL_ERROR "cuda_pipeline_check: call find_package(cuda-pipeline-rewrite) in this folder or above")
  endif()
  foreach(target IN LISTS targets)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "cuda_pipeline_check: there is no target '${target}'")
    endif()
    if(TARGET ${target}-pipeline-check)
      message(FATAL_ERROR "cuda_pipeline_check: called twice for '${target}'")
    endif()
    get_target_property(aliased ${target} ALIASED_TARGET)
    if(aliased)
      message(FATAL_ERROR "cuda_pipeline_check: '${target}' is another name of '${aliased}'; use that")
    endif()
    get_target_property(imported ${target} IMPORTED)
    if(imported)
      message(FATAL_ERROR "cuda_pipeline_check: '${target}' is imported; it is compiled elsewhere")
    endif()
    # Source properties and CMAKE_CUDA_FLAGS are those of a folder.
    get_target_property(folder ${target} SOURCE_DIR)
    if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
      message(FATAL_ERROR "cuda_pipeline_check: call it where '${target}' is made, in '${folder}'")
    endif()
  endforeach()

  get_target_property(tool cuda-pipeline-rewrite::cuda-pipeline-rewrite IMPORTED_LOCATION)
  set(options "--fail-on=${arg_FAIL_ON}" ${arg_OPTIONS})
  if(DEFINED arg_ARCH)
    list(JOIN arg_ARCH "," archs)
    list(APPEND options "--arch=${archs}")
  endif()
  set(sarif -)
  if(DEFINED arg_REPORT)
    set(sarif sarif)
  endif()
  set(all "")
  if(arg_ALL)
    set(all ALL)
  endif()
  if(NOT TARGET pipeline-check)
    add_custom_target(pipeline-check)
  endif()

  # A folder per configuration, if there is one.
  set(config "$<$<BOOL:$<CONFIG>>:/$<CONFIG>>")
  set(checked "")
  foreach(target IN LISTS targets)
    set(name ${target}-pipeline-check)
    add_custom_target(${name} ${all})
    add_dependencies(pipeline-check ${name})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY" OR type STREQUAL "UTILITY")
      message(WARNING "cuda_pipeline_check: '${target}' compiles nothing. Its headers are checked with the sources "
        "that include them: name the targets of those")
      continue()
    endif()
    _cuda_pipeline_check_files(${target} "${tool}" "${sarif}" "${options}")

    set(here "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir${config}")
    set(list "${here}/reports.txt")
    file(GENERATE OUTPUT "${list}" CONTENT "$<JOIN:$<TARGET_OBJECTS:${name}-files>,\n>\n")
    add_custom_command(OUTPUT "${here}/passed"
      COMMAND /bin/sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check-gate.sh" ${target} ${arg_FAIL_ON} "${list}" "${here}/passed"
      DEPENDS ${name}-files "$<TARGET_OBJECTS:${name}-files>" "${list}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check-gate.sh"
      COMMENT "Pipeline check of ${target}"
      VERBATIM)
    add_custom_target(${name}-gate DEPENDS "${here}/passed")
    add_dependencies(${name} ${name}-gate)
    list(APPEND checked ${target})
  endforeach()

  # Before the gates: a check that fails has its report, too.
  if(DEFINED arg_REPORT AND checked)
    get_filename_component(report "${arg_REPORT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
    list(GET checked 0 first)
    set(name ${first}-pipeline-check-report)
    set(list "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir${config}/reports.txt")
    set(files ${checked})
    list(TRANSFORM files APPEND "-pipeline-check-files")
    set(objects ${files})
    list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
    list(JOIN objects "," contents)
    file(GENERATE OUTPUT "${list}" CONTENT "$<JOIN:${objects},\n>\n")
    add_custom_command(OUTPUT "${report}"
      COMMAND "${CMAKE_COMMAND}" -D "OBJECTS=${list}" -D "REPORT=${report}"
        -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/merge-sarif.cmake"
      DEPENDS ${files} ${objects} "${list}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/merge-sarif.cmake"
      COMMENT "Pipeline report ${arg_REPORT}"
      VERBATIM)
    add_custom_target(${name} DEPENDS "${report}")
    foreach(target IN LISTS checked)
      add_dependencies(${target}-pipeline-check-gate ${name})
    endforeach()
  endif()
endfunction()

# The object library whose objects are the reports.
function(_cuda_pipeline_check_files target tool sarif options)
  set(name ${target}-pipeline-check-files)
  # The headers come along for the commands that generate them. This file is there so that the library has
  # a source, whatever the generator expressions say.
  add_library(${name} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    "$<FILTER:$<TARGET_PROPERTY:${target},SOURCES>,INCLUDE,[.](cu|cuh|h|hh|hpp|hxx|inc|inl)$>")
  set(launcher /bin/sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check-source.sh")
  string(MD5 options_id "${tool};${sarif};${options}")
  set_target_properties(${name} PROPERTIES
    CUDA_COMPILER_LAUNCHER "${launcher};${tool};${sarif};${options};--"
    # No other language is compiled either.
    C_COMPILER_LAUNCHER "${launcher};-;${sarif};--"
    CXX_COMPILER_LAUNCHER "${launcher};-;${sarif};--"
    RULE_LAUNCH_COMPILE ""
    LINKER_LANGUAGE CUDA
    UNITY_BUILD OFF
    EXPORT_COMPILE_COMMANDS OFF
    OPTIMIZE_DEPENDENCIES ON
    CUDA_PIPELINE_CHECK_OPTIONS_ID "${options_id}")
  if(CMAKE_GENERATOR MATCHES "Makefiles")
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _cuda_pipeline_check_generated [==[${target}]==])")
  endif()
  # At the end of the project, when all that there is to say about the target has been said.
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [==[${CMAKE_SOURCE_DIR}]==] CALL _cuda_pipeline_check_finish [==[${target}]==])")
endfunction()

# Two targets of a Makefile that generate the same file would do so at the same time; a third one, which both
# wait for, does it alone.
function(_cuda_pipeline_check_generated target)
  set(files "")
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\$<")
      continue()
    endif()
    get_source_file_property(generated "${source}" GENERATED)
    if(generated)
      list(APPEND files "${source}")
    endif()
  endforeach()
  if(files)
    set(name ${target}-pipeline-check-generated)
    add_custom_target(${name} DEPENDS ${files})
    add_dependencies(${target} ${name})
    add_dependencies(${target}-pipeline-check-files ${name})
  endif()
endfunction()

function(_cuda_pipeline_check_finish target)
  set(name ${target}-pipeline-check-files)
  get_property(properties GLOBAL PROPERTY CUDA_PIPELINE_CHECK_PROPERTIES)
  foreach(property IN LISTS properties)
    get_property(is_set TARGET ${target} PROPERTY ${property} SET)
    if(is_set)
      get_property(value TARGET ${target} PROPERTY ${property})
      # Of itself is of the target.
      string(REGEX REPLACE "\\$<TARGET_PROPERTY:([^,<>]+)>" "$<TARGET_PROPERTY:${target},\\1>" value "${value}")
      set_property(TARGET ${name} PROPERTY ${property} "${value}")
    endif()
  endforeach()
  get_target_property(dependencies ${target} MANUALLY_ADDED_DEPENDENCIES)
  if(dependencies)
    add_dependencies(${name} ${dependencies})
  endif()
  # The macro of what exports symbols.
  get_target_property(type ${target} TYPE)
  get_target_property(exports ${target} ENABLE_EXPORTS)
  if(type MATCHES "^(SHARED|MODULE)_LIBRARY$" OR (type STREQUAL "EXECUTABLE" AND exports))
    get_target_property(symbol ${target} DEFINE_SYMBOL)
    if(NOT symbol)
      string(MAKE_C_IDENTIFIER "${target}_EXPORTS" symbol)
    endif()
    set_property(TARGET ${name} APPEND PROPERTY COMPILE_DEFINITIONS "${symbol}")
  endif()
  # Makefiles look at flags alone to see that a command is another one. The tool drops what it doesn't know.
  get_target_property(options_id ${name} CUDA_PIPELINE_CHECK_OPTIONS_ID)
  set_property(TARGET ${name} APPEND PROPERTY COMPILE_OPTIONS "--pipeline-check=${options_id}")

  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  set(may_be_cuda FALSE)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\$<")
      set(may_be_cuda TRUE)
      continue()
    endif()
    get_source_file_property(language "${source}" DIRECTORY "${folder}" LANGUAGE)
    if(language STREQUAL "CUDA" AND NOT source MATCHES "[.]cu$")
      target_sources(${name} PRIVATE "${source}")
    endif()
    if(language STREQUAL "CUDA" OR (source MATCHES "[.]cu$" AND NOT language))
      set(may_be_cuda TRUE)
    endif()
  endforeach()
  if(NOT may_be_cuda)
    message(WARNING "cuda_pipeline_check: '${target}' has no CUDA source, there is nothing to check")
  endif()
endfunction()
