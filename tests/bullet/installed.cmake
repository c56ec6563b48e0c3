# Installs BUILD into FOLDER, builds SOURCE/examples/bullet_pile.cpp against it, and runs what came of it.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)
set(ENV{CMAKE_PREFIX_PATH} "${FOLDER}/prefix:$ENV{CMAKE_PREFIX_PATH}")
run(${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${FOLDER}/consumer
    -D SOURCE=${SOURCE}/examples/bullet_pile.cpp -D CMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
    -D CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -D CMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${FOLDER}/consumer)
run(${FOLDER}/consumer/bullet_pile)

# Where Bullet is missing, that is the reason.
execute_process(COMMAND ${CMAKE_COMMAND} --fresh -G ${CMAKE_GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/consumer
                        -B ${FOLDER}/consumer -D CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
                        -D CMAKE_DISABLE_FIND_PACKAGE_Bullet=ON
                RESULT_VARIABLE status ERROR_VARIABLE message OUTPUT_QUIET)
if(status EQUAL 0 OR NOT message MATCHES "component bullet: Bullet was not found")
  message(FATAL_ERROR "expected: Bullet was not found; got: ${message}")
endif()
