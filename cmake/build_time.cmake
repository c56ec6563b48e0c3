# Headers that most files include, compiled once for each kind of target: half of the time that a small file takes.
# Files include what they use all the same: ccache keeps nothing that uses precompiled headers, so with it there are none.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache" AND NOT DEFINED CMAKE_DISABLE_PRECOMPILE_HEADERS)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

set(lamella_common_headers <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <memory> <numeric>
                           <optional> <span> <string> <vector>)

# A target that compiles headers for others to use by REUSE_FROM. LIBRARIES: where the headers come from.
function(lamella_precompiled name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LIBRARIES" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE lamella_build ${ARG_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# For what is compiled longer than it runs: -O3 takes twice as long as -O1. And for what computes nothing itself.
# Answers are the same bits at any level.
set(lamella_quick "")
set(lamella_quickest "")
if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O3")
  set(lamella_quick $<$<CONFIG:Release>:-O1>)
  set(lamella_quickest $<$<CONFIG:Release>:-O0>)
endif()

# Files of a target that some tests replace by their own, which is linked before the library: compiled with others, they
# would be linked all the same, for the sake of these.
function(lamella_replaceable target)
  foreach(file ${ARGN})
    cmake_path(ABSOLUTE_PATH file)
    set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()

# LAMELLA_UNITY: compiles several files of a target as one, for shorter builds from nothing; after a change of one file
# its whole group is compiled again. To be called when all targets are known.
function(lamella_group_sources)
  if(NOT Python3_Interpreter_FOUND)
    find_package(Python3 QUIET COMPONENTS Interpreter)
  endif()
  if(NOT Python3_Interpreter_FOUND)
    message(WARNING "Building without LAMELLA_UNITY: it needs Python")
    return()
  endif()
  set(sources "")
  set(directories ${PROJECT_SOURCE_DIR})
  while(directories)
    list(POP_FRONT directories directory)
    get_property(inner DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
    list(APPEND directories ${inner})
    get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target ${targets})
      get_target_property(type ${target} TYPE)
      if(NOT type MATCHES "EXECUTABLE|LIBRARY" OR type STREQUAL "INTERFACE_LIBRARY")
        continue()
      endif()
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
      get_target_property(files ${target} SOURCES)
      foreach(file ${files})
        cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${directory})
        if(file MATCHES "\\.cpp$" AND EXISTS ${file})
          string(APPEND sources "${directory}|${target}|${file}\n")
        endif()
      endforeach()
    endforeach()
  endwhile()
  set(list ${PROJECT_BINARY_DIR}/unity_sources.txt)
  file(WRITE ${list} "${sources}")
  set(roots . include src apps tests viewer fuzz)  # where #include starts from
  list(TRANSFORM roots PREPEND ${PROJECT_SOURCE_DIR}/)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/unity_groups.py 10 ${roots}
                  INPUT_FILE ${list} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${lines}")
  foreach(line ${lines})
    string(REPLACE "|" ";" line "${line}")
    list(GET line 0 directory)
    list(GET line 1 file)
    list(GET line 2 group)
    set_source_files_properties(${file} DIRECTORY ${directory} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
