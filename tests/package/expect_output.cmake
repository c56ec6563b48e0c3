# Runs PROGRAM with ARGUMENTS, prints what it says, and fails unless it exits with 0 and says PATTERN.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} OUTPUT_VARIABLE output RESULT_VARIABLE status ECHO_OUTPUT_VARIABLE)
if(NOT status STREQUAL 0)
  message(FATAL_ERROR "${PROGRAM}: exit status ${status}")
elseif(NOT output MATCHES "${PATTERN}")
  message(FATAL_ERROR "${PROGRAM}: expected its output to match: ${PATTERN}")
endif()
