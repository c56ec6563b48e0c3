# Installs BUILD into FOLDER, moves the installed tree, builds SOURCE/examples/consumer against it, and runs what came
# of it.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/first)
# Nothing in the tree may remember where it was installed.
file(RENAME ${FOLDER}/first ${FOLDER}/prefix)

set(ENV{CMAKE_PREFIX_PATH} "${FOLDER}/prefix:$ENV{CMAKE_PREFIX_PATH}")
run(${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${SOURCE}/examples/consumer -B ${FOLDER}/consumer
    -D CMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -D CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
    -D CMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS} -D CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)  # needed by nobody
run(${CMAKE_COMMAND} --build ${FOLDER}/consumer)

string(REPLACE "." "\\." version "${VERSION}")
function(expect program pattern)
  run(${CMAKE_COMMAND} -D PROGRAM=${program} -D ARGUMENTS=${ARGN} -D "PATTERN=${pattern}"
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/expect_output.cmake)
endfunction()

expect(${FOLDER}/consumer/consumer "^lamella ${version}: overlap, volume 0\\.125000\n$")
if(EXISTS ${BUILD}/bin/lamella)
  expect(${FOLDER}/prefix/bin/lamella "^lamella ${version}\n$" --version)
endif()
