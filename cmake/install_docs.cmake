# The documentation as it is in the checkout, so that its links lead somewhere: what they name is installed with it.
foreach(file README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md SECURITY.md CITATION.cff)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${file})
    install(FILES ${file} TYPE DOC)
  endif()
endforeach()
install(FILES LICENSE TYPE DOC)
install(DIRECTORY docs examples TYPE DOC REGEX "examples/CMakeLists.txt$" EXCLUDE)  # that one is part of this build
install(FILES bench/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(DIRECTORY bench/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)

# Links to headers lead to those that are installed.
file(RELATIVE_PATH doc_to_headers /prefix/${CMAKE_INSTALL_DOCDIR}/include
     /prefix/${CMAKE_INSTALL_INCLUDEDIR}/lamella)
install(CODE "
  set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/include\")
  file(MAKE_DIRECTORY \"\${folder}\")
  file(CREATE_LINK \"${doc_to_headers}\" \"\${folder}/lamella\" SYMBOLIC)")
