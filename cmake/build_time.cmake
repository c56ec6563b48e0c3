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
