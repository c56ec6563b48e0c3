# The viewer's page, to be built into the program: `./run web` makes it.
set(LAMELLA_PAGE "" CACHE FILEPATH "The viewer's page for --html and `lamella view`; empty: build/web/page.html where it is")
set(lamella_page "${LAMELLA_PAGE}")
if(lamella_page STREQUAL "" AND EXISTS ${PROJECT_SOURCE_DIR}/build/web/page.html)
  set(lamella_page ${PROJECT_SOURCE_DIR}/build/web/page.html)
endif()
if(NOT lamella_page STREQUAL "" AND NOT EXISTS ${lamella_page})
  message(FATAL_ERROR "LAMELLA_PAGE: there is no file ${lamella_page}; `./run web` makes build/web/page.html")
endif()

# Adds the page to a target, compressed; or what stands in its place.
function(lamella_embed_page target)
  if(lamella_page STREQUAL "")
    message(STATUS "Building without the viewer's page, for --html and `lamella view`: `./run web` makes it")
    target_sources(${target} PRIVATE html/page_absent.cpp)
    return()
  endif()
  set(lamella_page_gz ${CMAKE_CURRENT_BINARY_DIR}/page.html.gz)
  add_custom_command(OUTPUT ${lamella_page_gz}
    COMMAND ${CMAKE_COMMAND} -DIN=${lamella_page} -DOUT=${lamella_page_gz} -P ${PROJECT_SOURCE_DIR}/cmake/gzip.cmake
    DEPENDS ${lamella_page} ${PROJECT_SOURCE_DIR}/cmake/gzip.cmake
    VERBATIM)
  configure_file(html/page_embedded.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/page_embedded.cpp @ONLY)
  # Alone: compiled together with others it would not be compiled again for another page.
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/page_embedded.cpp PROPERTIES
    OBJECT_DEPENDS ${lamella_page_gz} SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/page_embedded.cpp ${lamella_page_gz})
endfunction()
