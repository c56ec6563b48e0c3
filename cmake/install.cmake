# What `cmake --install` puts where, so that find_package(lamella) gives lamella::lamella.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lamella)

install(TARGETS lamella EXPORT lamella-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/lamella TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp"
                                                                            PATTERN "bullet.hpp" EXCLUDE
                                                                            PATTERN "mpi.hpp" EXCLUDE)
install(EXPORT lamella-targets NAMESPACE lamella:: DESTINATION ${package_dir})
# The component `bullet`: a set of targets of its own, which is not looked at unless asked for.
if(TARGET lamella_bullet)
  install(TARGETS lamella_bullet EXPORT lamella-bullet-targets)
  install(FILES ${PROJECT_SOURCE_DIR}/include/lamella/bullet.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lamella)
  install(EXPORT lamella-bullet-targets NAMESPACE lamella:: DESTINATION ${package_dir})
  install(FILES cmake/lamella-find-bullet.cmake DESTINATION ${package_dir})
endif()
# Likewise the component `mpi`.
if(TARGET lamella_mpi)
  install(TARGETS lamella_mpi EXPORT lamella-mpi-targets)
  install(FILES ${PROJECT_SOURCE_DIR}/include/lamella/mpi.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lamella)
  install(EXPORT lamella-mpi-targets NAMESPACE lamella:: DESTINATION ${package_dir})
  install(FILES cmake/lamella-find-mpi.cmake DESTINATION ${package_dir})
endif()

# Before 1.0 a minor version may break: 0.2 does not serve who asks for 0.1.
write_basic_package_version_file(lamella-config-version.cmake COMPATIBILITY SameMinorVersion)
get_target_property(lamella_type lamella TYPE)
# Who links a static library needs CUDA's runtime. It goes along, so that nobody has to have CUDA's toolkit; its licence
# allows that (Attachment A of the CUDA Toolkit EULA lists libcudart_static.a).
set(cudart_dir ${CMAKE_INSTALL_LIBDIR}/lamella)
if(lamella_type STREQUAL STATIC_LIBRARY AND lamella_cuda_missing STREQUAL "")
  file(REAL_PATH ${CUDA_cudart_static_LIBRARY} cudart)
  install(FILES ${cudart} DESTINATION ${cudart_dir})
endif()
configure_package_config_file(cmake/lamella-config.cmake.in lamella-config.cmake INSTALL_DESTINATION ${package_dir}
                                                                                 PATH_VARS cudart_dir)
install(FILES ${PROJECT_BINARY_DIR}/lamella-config.cmake ${PROJECT_BINARY_DIR}/lamella-config-version.cmake
        DESTINATION ${package_dir})

include(cmake/pkg_config.cmake)
lamella_main_pc(${PROJECT_BINARY_DIR}/lamella.pc ${lamella_type})
install(FILES ${PROJECT_BINARY_DIR}/lamella.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET lamella_bullet)
  lamella_pc(${PROJECT_BINARY_DIR}/lamella-bullet.pc lamella-bullet "Lamella's contacts for Bullet worlds"
             lamella_bullet ${lamella_type} PUBLIC lamella:
             "bullet:-lBulletDynamics -lBulletCollision -lLinearMath")
  install(FILES ${PROJECT_BINARY_DIR}/lamella-bullet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

include(cmake/install_docs.cmake)

# The installed program finds a shared library beside it, wherever the tree is moved to.
if(TARGET lamella_cli AND lamella_type STREQUAL SHARED_LIBRARY)
  file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(lamella_cli PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib})
  if(TARGET lamella_cli_mpi)
    set_target_properties(lamella_cli_mpi PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib})
  endif()
endif()
if(TARGET lamella_mpi AND lamella_type STREQUAL SHARED_LIBRARY)
  set_target_properties(lamella_mpi PROPERTIES INSTALL_RPATH $ORIGIN)
endif()
if(TARGET lamella_bullet AND lamella_type STREQUAL SHARED_LIBRARY)
  set_target_properties(lamella_bullet PROPERTIES INSTALL_RPATH $ORIGIN)
endif()
