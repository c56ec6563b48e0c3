# The library as WebAssembly, with Emscripten. Debian's packages of Highway and nlohmann-json are for the machine that
# compiles, but their headers are for any: they are taken from where Debian puts them. Links to the two folders, as
# /usr/include itself would hide Emscripten's own headers. compat/ has a small fmt, and headers that go before others.
if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.6)
  message(FATAL_ERROR "WebAssembly needs Emscripten 3.1.6 or newer, found ${EMSCRIPTEN_VERSION}")
endif()
set(lamella_wasm_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${lamella_wasm_headers})
foreach(header hwy/highway.h nlohmann/json.hpp)
  string(REGEX REPLACE "/.*" "" folder ${header})
  find_path(LAMELLA_WASM_${folder} ${header} PATHS /usr/include /usr/local/include
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(NOT LAMELLA_WASM_${folder})
    message(FATAL_ERROR "${header} was not found; name its folder: -DLAMELLA_WASM_${folder}=FOLDER "
                        "(Debian: libhwy-dev nlohmann-json3-dev)")
  endif()
  mark_as_advanced(LAMELLA_WASM_${folder})
  file(CREATE_LINK ${LAMELLA_WASM_${folder}}/${folder} ${lamella_wasm_headers}/${folder} SYMBOLIC)
endforeach()

add_library(lamella_wasm_headers INTERFACE)
target_include_directories(lamella_wasm_headers SYSTEM INTERFACE ${lamella_wasm_headers})
add_library(hwy::hwy ALIAS lamella_wasm_headers)
add_library(nlohmann_json::nlohmann_json ALIAS lamella_wasm_headers)
# Debian's Emscripten uses LLVM 14, which loads a number that a vector is filled with too late (after a store to its
# place), and cannot throw in two threads at a time. LLVM 16 does neither.
set(lamella_emscripten_config ${PROJECT_BINARY_DIR}/emscripten.config)
file(READ ${EMSCRIPTEN_ROOT_PATH}/.emscripten config)
if(config MATCHES "ADD_VERSION = '14'")
  find_program(LAMELLA_WASM_LD wasm-ld-16)
  find_program(LAMELLA_WASM_CLANG clang++-16)
  mark_as_advanced(LAMELLA_WASM_LD LAMELLA_WASM_CLANG)
  if(NOT LAMELLA_WASM_LD OR NOT LAMELLA_WASM_CLANG)
    message(FATAL_ERROR "WebAssembly needs LLVM 16 (Debian: clang-16 lld-16)")
  endif()
  string(REPLACE "ADD_VERSION = '14'" "ADD_VERSION = '16'" config "${config}")
  set(CMAKE_AR llvm-ar-16)  # which reads what LLVM 16 compiled for optimisation over all files
  set(CMAKE_RANLIB llvm-ranlib-16)
endif()
file(CONFIGURE OUTPUT ${lamella_emscripten_config} CONTENT "${config}" @ONLY)
add_compile_options("SHELL:--em-config ${lamella_emscripten_config}")
add_link_options("SHELL:--em-config ${lamella_emscripten_config}")

# Objects are compiled once, with atomics, and linked into modules with threads and without. Emscripten 3.1.6 comes
# with libc++ 13: compat/ adds what the library uses of newer ones. -flto: code is made when it is linked, 4% smaller.
# -fno-rtti: nothing asks for the types of objects. What runs vectors also has casts that do not trap.
add_compile_options(-msimd128 -mnontrapping-fptoint -pthread -fwasm-exceptions -flto -fno-rtti)

# A page loads all of it: code is made small, but for what takes the time of queries (bindings/wasm/CMakeLists.txt).
string(REGEX REPLACE "-O[0-9a-z]" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)  # sources of one target are compiled for speed or for size
include_directories(BEFORE SYSTEM ${PROJECT_SOURCE_DIR}/bindings/wasm/compat)

set(lamella_wasm_compat_sources compare.cpp decimal.cpp fmt.cpp json.cpp numbers.cpp sort.cpp)
list(TRANSFORM lamella_wasm_compat_sources PREPEND ${PROJECT_SOURCE_DIR}/bindings/wasm/compat/)
add_library(lamella_wasm_compat STATIC ${lamella_wasm_compat_sources})
target_link_libraries(lamella_wasm_compat PUBLIC lamella_wasm_headers)
add_library(fmt::fmt ALIAS lamella_wasm_compat)
