# Fails when the shared LIBRARY exports anything but the public interface, or not even that.
execute_process(COMMAND ${NM} -D -C --defined-only ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\\[abi:[a-z0-9]+\\]" "" symbols "${symbols}")
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")

# Of the namespaces inside lamella, cuda and elementary have public headers. State and Scratch are what public classes hide.
set(public "^[0-9a-f]* +[A-Za-z] (typeinfo for |typeinfo name for |vtable for )?lamella::(cuda::|elementary::)?[A-Za-z_][A-Za-z_0-9]*(::~?[A-Za-z_=]+)?(\\(|$)")
foreach(symbol IN LISTS symbols)
  if(NOT symbol MATCHES "${public}" OR symbol MATCHES "::(State|Scratch)(::|$)")
    message(SEND_ERROR "exported, but not of the public interface: ${symbol}")
  endif()
endforeach()
foreach(name "lamella::intersect(" "lamella::Detector::Detector(" "lamella::read_mesh(" "typeinfo for lamella::Error")
  string(FIND "${symbols}" "${name}" at)
  if(at EQUAL -1)
    message(SEND_ERROR "not exported: ${name}")
  endif()
endforeach()
