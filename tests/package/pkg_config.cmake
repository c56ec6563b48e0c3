# Installs BUILD into FOLDER, moves the tree, and compiles SOURCE/examples/consumer with what pkg-config says. With SHARED,
# that library and SHARED_PC replace the installed ones.
cmake_policy(VERSION 3.25)
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

find_program(pkg_config NAMES pkg-config pkgconf)
if(NOT pkg_config)
  message("skipped: pkg-config is not installed (Debian: pkg-config)")
  return()
endif()

file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/first OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${FOLDER}/first ${FOLDER}/prefix)
file(GLOB_RECURSE pc ${FOLDER}/prefix/lamella.pc)
cmake_path(GET pc PARENT_PATH pc_folder)
cmake_path(GET pc_folder PARENT_PATH library_folder)
if(SHARED)
  file(REMOVE ${library_folder}/liblamella.a)
  string(REGEX REPLACE "\\.so.*$" ".so" stem ${SHARED})
  file(GLOB libraries ${stem}*)
  file(COPY ${libraries} DESTINATION ${library_folder})
  configure_file(${SHARED_PC} ${pc} COPYONLY)
endif()

set(ENV{PKG_CONFIG_PATH} "${pc_folder}:$ENV{PKG_CONFIG_PATH}")
function(ask out)
  execute_process(COMMAND ${pkg_config} ${ARGN} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

ask(version --modversion lamella)
if(NOT version STREQUAL VERSION)
  message(SEND_ERROR "lamella.pc is of version ${version}, not ${VERSION}")
endif()
ask(flags --cflags --libs lamella)
if(flags MATCHES "/first/" OR NOT flags MATCHES "/prefix/")
  message(SEND_ERROR "lamella.pc remembers where it was installed: ${flags}")
endif()
if(SHARED AND flags MATCHES "-l(tbb|fmt|hwy)")
  message(SEND_ERROR "a shared library brings what it needs: ${flags}")
endif()

separate_arguments(flags UNIX_COMMAND "${flags}")
separate_arguments(compiler_flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
run(${CMAKE_CXX_COMPILER} ${compiler_flags} -std=c++20 ${SOURCE}/examples/consumer/main.cpp -o ${FOLDER}/consumer ${flags})
set(ENV{LD_LIBRARY_PATH} "${library_folder}:$ENV{LD_LIBRARY_PATH}")
run(${CMAKE_COMMAND} -D PROGRAM=${FOLDER}/consumer -D "PATTERN=overlap, volume 0\\.125000"
    -P ${CMAKE_CURRENT_LIST_DIR}/expect_output.cmake)

# The component for Bullet, where it was built and Bullet has a module of its own.
if(EXISTS ${pc_folder}/lamella-bullet.pc)
  ask(bullet --libs lamella-bullet)
  if(NOT bullet MATCHES "-llamella_bullet.*-llamella" OR NOT bullet MATCHES "-lBulletDynamics")
    message(SEND_ERROR "lamella-bullet.pc lacks a library: ${bullet}")
  endif()
endif()
