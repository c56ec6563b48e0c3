# Installs BUILD into FOLDER, moves the installed tree, builds SOURCE/examples/consumer against it, and runs what came
# of it. LINK_TEST is the program that follows the links of its documentation.
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

function(expect_installed)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS ${FOLDER}/prefix/${file})
      message(SEND_ERROR "not installed: ${file}")
    endif()
  endforeach()
endfunction()

if(CLI)
  expect(${FOLDER}/prefix/bin/lamella "^lamella ${version}\n$" --version)
  expect_installed(share/man/man1/lamella.1 share/bash-completion/completions/lamella)
  file(READ ${FOLDER}/prefix/share/man/man1/lamella.1 page)
  if(NOT page MATCHES "^\\.TH LAMELLA 1 .*SS lamella intersect")
    message(SEND_ERROR "lamella.1 is no manual")
  endif()
elseif(EXISTS ${FOLDER}/prefix/share/man OR EXISTS ${FOLDER}/prefix/share/bash-completion)
  message(SEND_ERROR "a manual or completion of a program that is not there")
endif()

set(doc share/doc/lamella)
expect_installed(${doc}/README.md ${doc}/CHANGELOG.md ${doc}/LICENSE ${doc}/docs/software.md ${doc}/docs/images/columns.png
                 ${doc}/examples/detector.cpp ${doc}/examples/consumer/main.cpp ${doc}/include/lamella/mesh.hpp)
set(ENV{LAMELLA_TREE} ${FOLDER}/prefix/${doc})
run(${LINK_TEST} --gtest_brief=1 --gtest_filter=Links.OfTheTreeLeadSomewhere)
