# Installs BUILD into FOLDER and asks find_package for components: those that are there, one that the installed library
# lacks, one that does not exist.
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
set(ENV{CMAKE_PREFIX_PATH} "${FOLDER}/prefix:$ENV{CMAKE_PREFIX_PATH}")
file(WRITE ${FOLDER}/CMakeLists.txt "
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(lamella REQUIRED COMPONENTS \${ASKED} OPTIONAL_COMPONENTS \${WISHED})
foreach(component IN LISTS ASKED WISHED)
  message(STATUS \"\${component}: \${lamella_\${component}_FOUND}\")
endforeach()
")

function(ask asked wished)
  execute_process(COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${FOLDER} -B ${FOLDER}/build -D "ASKED=${asked}"
                          -D "WISHED=${wished}" -D CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
                  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  set(output "exit status ${status}: ${output}" PARENT_SCOPE)
endfunction()
function(expect pattern)
  if(NOT output MATCHES "${pattern}")
    message(SEND_ERROR "expected: ${pattern}\ngot: ${output}")
  endif()
endfunction()

# As if this library had been built with both, whatever it was built with, and without OpenGL.
file(GLOB_RECURSE config ${FOLDER}/prefix/lamella-config.cmake)
file(READ ${config} text)
string(REGEX REPLACE "set\\(lamella_(gltf|tiff)_missing \"[^\"]*\"\\)" "set(lamella_\\1_missing \"\")" text "${text}")
string(REGEX REPLACE "set\\(lamella_opengl_missing \"[^\"]*\"\\)"
       "set(lamella_opengl_missing \"LAMELLA_OPENGL is off\")" text "${text}")
file(WRITE ${config} "${text}")

ask("gltf;tiff" "opengl;colour")
expect("^exit status 0: .*gltf: TRUE.*tiff: TRUE.*opengl: FALSE.*colour: FALSE")
ask(opengl "")
expect("^exit status [1-9].*component opengl: this lamella was built without it \\(LAMELLA_OPENGL is off\\)")
ask("gltf;colour" "")
expect("^exit status [1-9].*component colour: there is no such component; there are bullet, cuda, gltf, mpi, opengl, tiff")
