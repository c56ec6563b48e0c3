# Makes the target lamella_find::bullet where Bullet is found. Bullet's own package gives variables alone, and paths in
# them that are right for one prefix only; CMake's module looks the libraries up.
if(NOT TARGET lamella_find::bullet)
  find_package(Bullet MODULE QUIET)
  if(BULLET_FOUND)
    add_library(lamella_find::bullet INTERFACE IMPORTED)
    target_include_directories(lamella_find::bullet SYSTEM INTERFACE ${BULLET_INCLUDE_DIRS})
    target_link_libraries(lamella_find::bullet INTERFACE ${BULLET_DYNAMICS_LIBRARY} ${BULLET_COLLISION_LIBRARY}
                                                         ${BULLET_MATH_LIBRARY})
  endif()
endif()
