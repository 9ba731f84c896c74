# The list of operators: those that have words in data/operators. As a script, prints the constant of one:
#   cmake -DOPERATOR=MatMul -P tools/build/operators.cmake

# The name of an operator's constant in namespace op: its name in snake case, which must be no word of C++.
function(broadloom_operator_id name result)
  string(REPLACE NaN Nan id ${name})
  string(REGEX REPLACE "([a-z]|RMS)([A-Z])" "\\1_\\2" id ${id})
  string(TOLOWER ${id} id)
  string(REGEX REPLACE "^(and|not|or|xor)$" "logical_\\1" id ${id})
  set(${result} ${id} PARENT_SCOPE)
endfunction()

# Writes ops/operators.inc into a folder: a row OPERATOR(id, name) for each operator, in ASCII order of names.
function(broadloom_list_operators folder)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/data/operators data/operators/*.json)
  set(rows "")
  foreach(file ${files})
    string(REPLACE ".json" "" name ${file})
    broadloom_operator_id(${name} id)
    string(APPEND rows "OPERATOR(${id}, \"${name}\")\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/ops/operators.inc CONTENT "${rows}#undef OPERATOR\n" @ONLY)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  broadloom_operator_id(${OPERATOR} id)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo ${id})
endif()
