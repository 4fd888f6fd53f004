# cmake "-DFILES=a;b" -DOUT=Files.inc -P EmbedFiles.cmake
#   Writes one `{"name", R"...(text)..."},` per file. A raw string literal may be cut anywhere, and
#   compilers limit the length of one piece, so long files become several literals.
set(text "// Generated. Do not edit.\n")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" body)
  string(LENGTH "${body}" length)
  string(APPEND text "{\"${name}\", ")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${body}" ${at} 12000 piece)
    string(APPEND text "R\"__file__(${piece})__file__\"\n")
    math(EXPR at "${at} + 12000")
  endwhile()
  string(APPEND text "},\n")
endforeach()
file(WRITE "${OUT}" "${text}")
