# Files for pkg-config, with paths from where they are: an installed tree can be moved.
find_package(PkgConfig QUIET)

# What a library needs, as modules for Requires where pkg-config has them, and otherwise as flags for Libs.
function(lamella_pc_needs out_modules out_flags)
  set(modules "")
  set(flags "")
  foreach(need IN LISTS ARGN)  # MODULE:FLAGS, or :FLAGS, or MODULE: of our own
    string(REGEX MATCH "^([^:]*):(.*)$" need "${need}")
    set(module "${CMAKE_MATCH_1}")
    set(without "${CMAKE_MATCH_2}")
    set(found 1)
    if(without STREQUAL "")
      set(found 0)
    elseif(module AND PKG_CONFIG_EXECUTABLE)
      execute_process(COMMAND ${PKG_CONFIG_EXECUTABLE} --exists ${module} RESULT_VARIABLE found)
    endif()
    if(found EQUAL 0)
      list(APPEND modules ${module})
    else()
      string(APPEND flags " ${without}")
    endif()
  endforeach()
  list(JOIN modules ", " modules)
  set(${out_modules} "${modules}" PARENT_SCOPE)
  set(${out_flags} "${flags}" PARENT_SCOPE)
endfunction()

set(lamella_pc_needed libhwy:-lhwy fmt:-lfmt)
if(LAMELLA_TBB)
  list(PREPEND lamella_pc_needed tbb:-ltbb)
endif()
if(lamella_tiff_missing STREQUAL "")
  list(APPEND lamella_pc_needed libtiff-4:-ltiff)
endif()
if(lamella_opengl_missing STREQUAL "" AND CMAKE_DL_LIBS)
  list(APPEND lamella_pc_needed :-l${CMAKE_DL_LIBS})
endif()
if(lamella_cuda_missing STREQUAL "")  # its runtime is installed with a static library
  list(APPEND lamella_pc_needed ":\${libdir}/lamella/libcudart_static.a -ldl -lrt -lpthread")
endif()

# lamella_pc(OUTPUT NAME DESCRIPTION LIBRARY TYPE PUBLIC… PRIVATE…). Who links a static library needs all that it needs:
# then the private needs are public, so that `pkg-config --libs` is right without --static.
function(lamella_pc output name description library type)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(RELATIVE_PATH to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
  if(type STREQUAL STATIC_LIBRARY)
    lamella_pc_needs(public_requires public_libs ${ARG_PUBLIC} ${ARG_PRIVATE})
    lamella_pc_needs(private_requires private_libs)
  else()
    lamella_pc_needs(public_requires public_libs ${ARG_PUBLIC})
    lamella_pc_needs(private_requires private_libs ${ARG_PRIVATE})
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/lamella.pc.in ${output} @ONLY)
endfunction()

# The library's own, of either type.
function(lamella_main_pc output type)
  lamella_pc(${output} lamella "Where closed, deforming triangle meshes overlap, as a volume" lamella ${type}
             PRIVATE ${lamella_pc_needed})
endfunction()
