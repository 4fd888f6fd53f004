# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One SARIF file with one run out of those of several sources: code scanning takes only one run of a tool
# per upload.
#
#   cmake -D OBJECTS=FILE -D REPORT=FILE.sarif -P merge-sarif.cmake
#
#   OBJECTS  a file with the names of the reports without .sarif, one per line

# Only elements are changed, never the whole: CMake parses a text anew for every question.
set(rules "")
set(rule_ids "")
set(results "")
set(head "")

# A semicolon would end a list's element; names of files have none, texts are never in a list.
file(STRINGS "${OBJECTS}" objects ENCODING UTF-8)
foreach(object IN LISTS objects)
  if(object STREQUAL "")
    continue()
  endif()
  file(READ "${object}.sarif" text)
  if(text STREQUAL "") # not a CUDA source
    continue()
  endif()
  if(head STREQUAL "")
    set(head "${text}")
  endif()
  string(JSON driver GET "${text}" runs 0 tool driver)
  string(JSON here_rules GET "${driver}" rules)
  string(JSON count LENGTH "${here_rules}")
  set(index_of "") # of this file's rules in the whole
  if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
      string(JSON id GET "${here_rules}" ${i} id)
      list(FIND rule_ids "${id}" found)
      if(found EQUAL -1)
        string(JSON rule GET "${here_rules}" ${i})
        list(LENGTH rule_ids found)
        list(APPEND rule_ids "${id}")
        string(APPEND rules ",${rule}")
      endif()
      list(APPEND index_of ${found})
    endforeach()
  endif()
  string(JSON here_results GET "${text}" runs 0 results)
  string(JSON count LENGTH "${here_results}")
  if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
      string(JSON result GET "${here_results}" ${i})
      string(JSON index ERROR_VARIABLE none GET "${result}" ruleIndex)
      if(none STREQUAL "NOTFOUND")
        list(GET index_of ${index} index)
        string(JSON result SET "${result}" ruleIndex ${index})
      endif()
      string(APPEND results ",${result}")
    endforeach()
  endif()
endforeach()

if(head STREQUAL "")
  message(FATAL_ERROR "no report to write to '${REPORT}': no CUDA source was checked")
endif()
string(REGEX REPLACE "^," "" rules "${rules}")
string(REGEX REPLACE "^," "" results "${results}")
string(JSON head SET "${head}" runs 0 tool driver rules "[${rules}]")
string(JSON head SET "${head}" runs 0 results "[${results}]")
file(WRITE "${REPORT}" "${head}\n")
